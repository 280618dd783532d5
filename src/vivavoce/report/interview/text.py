"""An interview's card on a terminal: the overall with its arithmetic, four ladders, notes, answers; or a whole test.

Everything shown comes from the document; nothing is computed here but positions.
"""

from __future__ import annotations

from vivavoce.report import view
from vivavoce.report.ink import Ink, columns
from vivavoce.report.interview import told
from vivavoce.report.interview.told import Document, Rung
from vivavoce.report.interview.whole_test import SCHEMA as TEST_SCHEMA

NARROWEST = 60
HIGHEST = 9.0
STYLES = {"passed": "good", "failed": "quiet", "next": "fair", "open": "quiet"}
SIGNS = {"passed": "✓", "failed": "✗", "next": "↑", "open": "·"}
ASCII_SIGNS = {"passed": "+", "failed": "x", "next": "^", "open": "."}


def interview_text(document: Document, *, width: int = 100, colour: bool = False, ascii: bool = False) -> str:
    """Return the card of a part or of a whole test as text for a terminal.

    Parameters: `document` as `part_document` or `whole_document` returns it; `width` in columns, at least 60; `colour`
    terminal colours; `ascii` no character outside ASCII. Returns: lines that end in a line feed.
    """
    ink = Ink(max(width, NARROWEST), colour=colour, ascii_only=ascii)
    if document["schema"] == TEST_SCHEMA:
        _test(ink, document)
    else:
        _box(ink, document, list(told.facts(document)))
        _bands(ink, document)
        _part(ink, document)
        _notices(ink, document)
        _acoustic(ink, document)
        _answers(ink, document)
    _origin(ink, document)
    return ink.done()


def _box(ink: Ink, document: Document, facts: list[str]) -> None:
    rubric = document["rubric"]
    lines = [(rubric["title"], "strong"), *[(fact, "") for fact in facts]]
    if rubric["provenance"] == "chosen":
        lines.append((told.CHOSEN, "fair"))
    ink.box(
        [*lines, (f"rubric {rubric['id']} · digest {rubric['digest'][:12]} · vivavoce {document['vivavoce']}", "quiet")]
    )


def _bands(ink: Ink, document: Document) -> None:
    """The overall and the four criteria, each with its band on the scale of 0 to 9, then the arithmetic."""
    rows = [("Overall", document["overall"], "strong")]
    rows += [(row["name"], row["band"], "") for row in document["criteria"]]
    named = max(columns(name) for name, _, _ in rows)
    cells = max(9, min(45, (ink.width - named - 14) // 9 * 9))
    ink.line()
    for name, band, style in rows:
        shown = view.number(band) if band is not None else ink.say("–")
        edges = [float(edge) for edge in range(1, 9)]
        ink.line(
            f"  {name}{' ' * (named - columns(name))}  ",
            (f"{shown:>4}", "strong"),
            "  ",
            (ink.bar(band, HIGHEST, edges, cells), style or ("good" if band else "")),
        )
    ink.line()
    if document["trace"]:
        ink.text(told.arithmetic(document["trace"]), first="  overall = ")
    else:
        reason = document["reason"]
        ink.line(f"  {ink.say(view.state_code(document))}")
        ink.text(f"why: {reason['found']}", first="    ", style="strong")
        if reason["remedy"]:
            ink.text(f"what to do: {reason['remedy']}", first="    ")


def _part(ink: Ink, document: Document) -> None:
    """The four ladders of one part."""
    for criterion in document["criteria"]:
        band = "" if criterion["band"] is None else f": band {criterion['band']}"
        ink.heading(f"{criterion['name']}{band}")
        if told.counted(criterion):
            ink.text("; ".join(filter(None, (told.counted(criterion), told.choice(criterion)))), first="  ")
        for rung in told.rungs(criterion):
            _rung(ink, rung)
        for note in told.review_notes(criterion):
            ink.text(note, first=f"  {ink.glyphs.alert} ", rest="    ", style="fair")
        if criterion["note"]:
            ink.text(criterion["note"], first="  ", style="fair")


def _rung(ink: Ink, rung: Rung) -> None:
    sign = (ASCII_SIGNS if ink.ascii_only else SIGNS)[rung.mark]
    about = rung.agreement or (told.MARKS[rung.mark] if rung.mark == "next" else "")
    ink.line(
        (f"  {sign} ", STYLES[rung.mark]),
        (f"{ink.say(rung.threshold):<8}  ", "quiet"),
        (ink.say(rung.title), "strong" if rung.mark == "next" else ""),
        right=(ink.say(about), STYLES[rung.mark]),
    )
    if rung.mark == "open":
        ink.text(rung.question, first=" " * 14, style="quiet")
        return
    ink.text(rung.meaning, first=" " * 14, style="quiet")
    if rung.mark == "next":
        ink.text(f"to pass: {rung.to_pass}", first=" " * 14)


def _notices(ink: Ink, document: Document) -> None:
    warnings, notes, refused = view.warnings(document), view.notes(document), _refused(document)
    if warnings or notes or refused:
        ink.heading("What to know about this card")
    for warning in warnings:
        ink.text(warning["found"], first=f"  {ink.glyphs.alert} ", rest="    ", style="fair")
        ink.text(f"what to do: {warning['remedy']}", first="    ")
    for note in notes:
        ink.text(view.sentence(note["found"]), first="  ", style="quiet")
    if refused:
        ink.text(refused, first="  ", style="quiet")


def _refused(document: Document) -> str:
    codes = told.refused(document) if "judgement" in document else []
    return f"Replies of the judge that were refused, and asked again: {', '.join(codes)}." if codes else ""


def _acoustic(ink: Ink, document: Document) -> None:
    acoustic = document["acoustic"]
    if acoustic is None:
        return
    ink.heading("Heard in the recordings, in no band")
    ink.text(acoustic["statement"], first="  ", style="fair")
    rows = [
        (row["title"], told.quantity(row), f"{row['meaning']}{'; ' if row['note'] else ''}{row['note']}")
        for row in acoustic["values"]
    ]
    ink.table(rows, right=(1,))
    for limit in acoustic["limits"]:
        ink.text(limit, first="  - ", rest="    ", style="quiet")


def _answers(ink: Ink, document: Document) -> None:
    if not document["answers"]:
        return
    ink.heading("Questions and answers")
    for number, row in enumerate(document["answers"], 1):
        ink.text(row["question"], first=f"  Q{number}  ", rest="      ", style="strong")
        ink.text(_answer(row), first=f"  A{number}  ", rest="      ")


def _answer(row: Document) -> str:
    if row["answer"] is None:
        return "(a recording whose words are not known)"
    return row["answer"] if row["answer"].strip() else "(not answered)"


def _test(ink: Ink, document: Document) -> None:
    """A whole test: its bands, the parts that they are from, then each part's ladders."""
    _box(ink, document, [f"{len(document['parts'])} of 3 parts"])
    _bands(ink, document)
    ink.heading("Criterion by part")
    ink.text(document["rule"], first="  ", style="quiet")
    ink.table([(row["name"], _by_part(row)) for row in document["criteria"]])
    _notices(ink, document)
    for part in document["parts"]:
        ink.line()
        _box(ink, part, list(told.facts(part)))
        _bands(ink, part)
        _part(ink, part)
        _notices(ink, part)
        _acoustic(ink, part)
        _answers(ink, part)


def _by_part(row: Document) -> str:
    """A criterion's parts in order, as its arithmetic where there is one."""
    if row["trace"]:
        return f"parts 1, 2, 3: {told.arithmetic(row['trace'])}"
    return ", ".join(f"part {cell['part']}: {view.number(cell['band'])}" for cell in row["parts"])


def _origin(ink: Ink, document: Document) -> None:
    rubric = document["rubric"]
    ink.heading("Where this comes from")
    rows = [("rubric", f"{rubric['title']}, edition {rubric['id']}, values as of {rubric['values_as_of']}")]
    rows.append(("digest", rubric["digest"]))
    if document.get("judgement"):
        rows.append(("judge", told.judged_by(document)))
    rows.append(("engine", f"vivavoce {document['vivavoce']}"))
    ink.table(rows)
