"""Messages of live recognition: results are sent again and again until they are final, and only final ones count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from vivavoce.notice import Notice
from vivavoce.transcript.importers.shape import documents
from vivavoce.transcript.importers.source import Source

_SHOWN = 60


def without(source: Source, wanted: Callable[[Mapping[str, Any]], bool], missing: str) -> str | None:
    """Return why a file is no stream of messages, `missing` where none of them is as `wanted`; None where one is."""
    found = documents(source)
    if isinstance(found, str):
        return found
    return None if any(wanted(data) for _, data in found) else missing


def only_interim(source: Source, results: Iterable[tuple[bool, str]]) -> tuple[Notice, ...]:
    """Return the notice of words that stand after the last final result, where there are some.

    Parameters: `results` in order: whether each is final, and its text.
    Raises TranscriptError `transcript_shape` where there are interim results and no final one.
    """
    after: Sequence[str] = ()
    finals = 0
    for final, text in results:
        finals += final
        after = () if final else ([text] if text.strip() else after)
    if not after:
        return ()
    shown = after[-1] if len(after[-1]) <= _SHOWN else after[-1][: _SHOWN - 3] + "..."
    if not finals:
        raise source.refuse("transcript_shape", "", f"interim results only, the last “{shown}”", "a final result")
    return (
        Notice(
            "words_interim",
            f"a last result that was never made final, left out: “{shown}”",
            "end the stream before it is saved, or give a transcript of the whole recording",
        ),
    )
