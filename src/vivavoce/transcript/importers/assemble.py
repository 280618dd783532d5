"""What a format found, made a transcript: punctuation joined to its words, times mended, notices collected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vivavoce.errors import TranscriptError
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript
from vivavoce.transcript import times
from vivavoce.transcript.importers.source import MAX_ENTRIES, MAX_WORDS, Source
from vivavoce.transcript.times import Heard
from vivavoce.transcript.words import is_filled_pause, tokenize_words

# IBM's older models and some Kaldi recipes write this where a filled pause was said.
HESITATION = "%HESITATION"
_SHOWN = 3
# No filled pause has another letter than these.
_NO_FILLER = re.compile(r"[^\W_aehmruAEHMRU]")
# Wholly bracketed: a sound or a remark, not a word. An unknown word (<unk>) was said.
_REMARK = re.compile(r"(?!.*\bunk\b)(?:\[[^\]]*\]|\([^)]*\)|<[^>]*>|\{[^}]*\}|\*[^*]+\*)[.,;:?!]*", re.IGNORECASE)


def assemble(
    source: Source,
    heard: Sequence[Heard],
    recognizer: str,
    *,
    verbatim: bool | None = None,
    language: str | None = None,
    duration_ms: int | None = None,
    notices: Iterable[Notice] = (),
) -> Transcript:
    """Return the transcript of what a file gives: words and punctuation in order, with the times that they have.

    Parameters: as `Transcript`; `duration_ms` as the file states it; `notices` of the format itself.
    Raises TranscriptError `transcript_too_long`, `transcript_without_times`, `times_broken`.
    """
    refuse_many(source, heard, MAX_ENTRIES)
    joined, dropped = _join(heard)
    refuse_many(source, joined)
    try:
        words, told = times.mend(joined, duration_ms)
    except TranscriptError as error:
        raise error.at(source.name) from None
    warnings = (*_left_out(dropped), *told, *_speakers(joined), *notices)
    return Transcript(words, verbatim, language, recognizer, warnings)


def refuse_many(source: Source, heard: Sequence[Heard], most: int = MAX_WORDS) -> None:
    """Raise TranscriptError `transcript_too_long` where there are more words (or entries, signs among them)."""
    if len(heard) > most:
        raise source.refuse("transcript_too_long", "", f"over {most} words", f"at most {MAX_WORDS} words")


def untimed(source: Source, found: str) -> TranscriptError:
    """Return the refusal of a file whose words have no times."""
    error = times.without_times(found)
    return TranscriptError(error.code, where=source.name, found=error.found, allowed=error.allowed, remedy=error.remedy)


def in_segment(
    text: str,
    start_ms: int | None,
    end_ms: int | None,
    *,
    confidence: float | None = None,
    speaker: str | None = None,
    channel: str | None = None,
) -> list[Heard]:
    """Return the words of a segment or cue: a single word has its times, several have none of their own."""
    parts = text.split()
    if len(parts) == 1:
        return [Heard(parts[0], start_ms, end_ms, confidence, speaker, channel)]
    known = start_ms is not None and end_ms is not None and start_ms <= end_ms
    within = Segment(start_ms, end_ms) if known and start_ms is not None and end_ms is not None else None
    return [Heard(part, None, None, None, speaker, channel, within) for part in parts]


def has_filled_pauses(words: Iterable[Heard]) -> bool:
    """Return whether a filled pause is among the words, so that they were kept (M1)."""
    return any(_is_filled(word.text) for word in words if len(word.text) < 10)


def _is_filled(text: str) -> bool:
    if _NO_FILLER.search(text):
        return False
    tokens = tokenize_words([text])
    return bool(tokens) and all(is_filled_pause(token.key) for token in tokens)


def _says_something(text: str) -> bool:
    return any(char.isalnum() for char in text) or bool(tokenize_words([text]))


def _join(heard: Sequence[Heard]) -> tuple[list[Heard], list[str]]:
    """Return the words with their punctuation, and what was left out because nobody said it."""
    words: list[Heard] = []
    dropped: list[str] = []
    prefix, glued = "", False
    for item in heard:
        text = "uh" if item.text.strip() == HESITATION else item.text.strip()
        last = words[-1] if words and words[-1].channel == item.channel else None
        if not text or _REMARK.fullmatch(text):
            # A time without a text may be a word that got lost; a space has none.
            dropped.extend([text] if text or (item.start_ms is not None and not item.attach) else [])
        elif item.attach == "after":
            prefix += text
        elif glued and last:
            end_ms = last.end_ms if item.end_ms is None else item.end_ms
            words[-1] = replace(last, text=last.text + text, end_ms=end_ms)
            glued = False
        elif (item.attach or not _says_something(text)) and last:
            words[-1] = replace(last, text=last.text + text)
            glued = item.attach == "both"
        elif _says_something(text):
            words.append(replace(item, text=prefix + text))
            prefix = ""
        else:
            dropped.append(text)
    return words, dropped


def _left_out(dropped: Sequence[str]) -> Iterable[Notice]:
    if dropped:
        shown = ", ".join(f"“{text}”" for text in dropped[:_SHOWN]) + (", ..." if len(dropped) > _SHOWN else "")
        yield Notice(
            "words_empty",
            f"{len(dropped)} that are no words (remarks, sounds, lone signs), left out: {shown}",
            "check that no word is missing there",
        )


def _speakers(words: Sequence[Heard]) -> Iterable[Notice]:
    names = sorted({(word.channel or "", word.speaker or "") for word in words})
    if len(names) > 1:
        shown = ", ".join(_name(*who) for who in names[:5]) + (", ..." if len(names) > 5 else "")
        yield Notice(
            "several_speakers",
            f"words of {len(names)} speakers ({shown}) are measured together, in order of time",
            "if others than the student speak, cut the recording or the transcript to the student's part",
        )


def _name(channel: str, speaker: str) -> str:
    if channel == speaker:
        channel = ""
    parts = (channel and f"channel {channel}", speaker and f"speaker {speaker}")
    return " ".join(part for part in parts if part) or "unnamed"
