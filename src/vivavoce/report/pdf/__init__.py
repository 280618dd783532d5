"""The card as a PDF file: laid out by Typst from data, tagged, the same bytes for the same report.

What comes from students, tasks and judges reaches the template as JSON strings: it is shown, never run. The template
reads no file, and its root is its own folder. Fonts are those inside Typst; only where a text has letters that these
may not have are the computer's own fonts asked as well, and what no font has is drawn as an empty box. PDF/UA-1 forbids
such a box: a file with one is tagged all the same, but does not claim to follow that standard.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Literal

from vivavoce.errors import need
from vivavoce.report.pdf.data import card_data, has_rare_letters
from vivavoce.report.view import Report

# Without a time of its own a document would carry the moment of its making.
NO_TIME = 0


def card_pdf(report: Report, about: Sequence[str] = ()) -> bytes:
    """Return the card of a report as a PDF file.

    Parameters: `report` as `card.build` returns it; `about` short facts for the head (who, when), which a report does
    not have. Raises MissingError where Typst is not installed (extra `pdf`).
    """
    try:
        import typst
    except ModuleNotFoundError as error:
        raise need("pdf", "typst") from error
    data = card_data(report, about)
    text = json.dumps(data, ensure_ascii=False)
    rare = has_rare_letters(text)
    with as_file(files("vivavoce.report.pdf") / "template") as root:

        def made(standard: Literal["ua-1"] | None) -> bytes:
            found = typst.compile(
                str(root / "card.typ"),
                root=str(root),
                format="pdf",
                ignore_system_fonts=not rare,
                sys_inputs={"card": text},
                pdf_standards=standard,
                timestamp=NO_TIME,
            )
            return bytes(found)

        try:
            return made("ua-1")
        except typst.TypstError:
            if not rare:
                raise
            return made(None)
