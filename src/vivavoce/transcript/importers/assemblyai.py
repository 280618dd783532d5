"""AssemblyAI: `words` with text, start and end in milliseconds, beside the job's state.

`disfluencies` says whether filled pauses were kept.
"""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, each, fits, name, root, text, word
from vivavoce.transcript.importers.source import Source

NAME = "AssemblyAI"
_MARKS = ("status", "audio_url", "acoustic_model", "audio_duration", "speech_model", "language_model")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if not any(mark in data for mark in _MARKS):
        return f"it has none of {', '.join(_MARKS)}"
    if fits(data.get("words"), "text", "start", "end") or (not data.get("words") and isinstance(data.get("text"), str)):
        return None
    return 'it has no list "words" of text, start and end'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    heard = [
        word(source, pointer, item, ("text", "start", "end"), unit="ms", channel=item.get("channel"))
        for pointer, item in each(source, "/words", data.get("words"))
    ]
    if not heard:
        heard = in_segment(text(source, "/text", data.get("text"), longest=MAX_PROSE), None, None)
    kept = data.get("disfluencies")
    model = name(data.get("speech_model"))
    return assemble(
        source,
        heard,
        f"{NAME} {model}" if model else NAME,
        verbatim=kept if isinstance(kept, bool) else None,
        language=language_code(data.get("language_code")),
    )
