"""Our own transcript file, strict: what does not fit is refused with its place, never repaired.

    {"words": [{"text": "Hello,", "start": 0.12, "end": 0.48, "confidence": 0.98}, ...],
     "verbatim": true, "language": "en", "recognizer": "faster-whisper 1.2.1 / tiny.en"}

Times in seconds, in order; `confidence` 0-1, `verbatim` (whether fillers and restarts were kept), `language` (BCP 47)
and `recognizer` (what heard the words; absent: "file") may be absent or null.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from vivavoce.errors import TranscriptError
from vivavoce.notice import Notice
from vivavoce.strict import shown
from vivavoce.timeline import Transcript, Word, to_ms
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import root
from vivavoce.transcript.importers.source import MAX_WORDS, Source
from vivavoce.transcript.stretched import told_stretched
from vivavoce.transcript.times import TimesError
from vivavoce.transcript.words import tokenize_words

NAME = "vivavoce words"
MAX_TEXT = 200
MAX_SECONDS = 360_000
ROUNDING_MS = 1
_FILE_KEYS = ("words", "verbatim", "language", "recognizer")
# Others' files have lists of words too, and one of these beside them.
_FOREIGN = ("text", "paragraphs", "language_code", "status", "audio_duration", "audio_url", "transcript", "turn_order")
_OF_TIMES = ("times_backward", "times_negative")
_WORD_KEYS = ("text", "start", "end", "confidence")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    words = data.get("words")
    if not isinstance(words, list):
        return 'it has no list "words"'
    if words and not (isinstance(words[0], dict) and "text" in words[0]):
        return 'its first word has no "text"'
    if words and "type" in words[0]:
        return 'its first word has a "type"'
    return next((f'it has "{key}"' for key in _FOREIGN if key in data), None)


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError (of its times: TimesError) with the file's name and pointer."""
    data = source.json
    _known(source, "", data, _FILE_KEYS)
    verbatim, language = data.get("verbatim"), data.get("language")
    if verbatim is not None and not isinstance(verbatim, bool):
        raise source.refuse("transcript_shape", "/verbatim", shown(verbatim), "true, false or null")
    if language is not None and not (isinstance(language, str) and 0 < len(language) <= MAX_TEXT):
        raise source.refuse("transcript_shape", "/language", shown(language), "a language code such as en, or null")
    recognizer = data.get("recognizer")
    if recognizer is not None and not (isinstance(recognizer, str) and 0 < len(recognizer) <= MAX_TEXT):
        raise source.refuse("transcript_shape", "/recognizer", shown(recognizer), "what heard the words, or null")
    if len(data["words"]) > MAX_WORDS:
        found = f"{len(data['words'])} words"
        raise source.refuse("transcript_too_long", "/words", found, f"at most {MAX_WORDS} words")
    try:
        words = [_word(source, f"/words/{index}", item) for index, item in enumerate(data["words"])]
        kept, warnings = _without_empty(_in_order(source, words))
    except TranscriptError as error:
        if error.code not in _OF_TIMES:
            raise
        raise TimesError.of(error, _texts(data["words"])) from None
    told = (*warnings, *told_stretched(kept))
    return Transcript(kept, verbatim, language_code(language) or language, recognizer or "file", told)


def _texts(words: list[Any]) -> list[str]:
    return [item["text"].strip() for item in words if isinstance(item, dict) and isinstance(item.get("text"), str)]


def _known(source: Source, pointer: str, item: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in item:
        if key not in keys:
            raise source.refuse("transcript_shape", f"{pointer}/{key}", f'the key "{key}"', ", ".join(keys))


def _word(source: Source, pointer: str, item: Any) -> Word:
    if not isinstance(item, dict):
        raise source.refuse("transcript_shape", pointer, shown(item), "an object with text, start and end")
    _known(source, pointer, item, _WORD_KEYS)
    text = item.get("text")
    if not isinstance(text, str) or len(text) > MAX_TEXT or any("\ud800" <= char <= "\udfff" for char in text):
        raise source.refuse("transcript_shape", f"{pointer}/text", shown(text), f"a text, at most {MAX_TEXT} long")
    start, end = (_milliseconds(source, f"{pointer}/{name}", item.get(name)) for name in ("start", "end"))
    if end < start:
        found = f"an end of {item['end']} s before the start of {item['start']} s"
        raise source.refuse("times_backward", f"{pointer}/end", found, "an end at or after the start")
    return Word(text.strip(), start, end, _confidence(source, f"{pointer}/confidence", item.get("confidence")))


def _milliseconds(source: Source, pointer: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise source.refuse("transcript_shape", pointer, shown(value), "a number of seconds")
    if value < 0:
        raise source.refuse("times_negative", pointer, f"{shown(value)} s", "0 s or later")
    if value > MAX_SECONDS:
        raise source.refuse("transcript_shape", pointer, f"{shown(value)} s", f"at most {MAX_SECONDS} s")
    return to_ms(Decimal(value))


def _confidence(source: Source, pointer: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise source.refuse("transcript_shape", pointer, shown(value), "a number from 0 to 1, or null")
    if not 0 <= value <= 1:
        raise source.refuse("confidence_range", pointer, shown(value), "a number from 0 to 1")
    return float(value)


def _in_order(source: Source, words: list[Word]) -> list[Word]:
    """Return the words, an overlap of one rounding millisecond taken off; a larger one is refused."""
    ordered: list[Word] = []
    for index, word in enumerate(words):
        before = ordered[-1] if ordered else Word("", 0, 0)
        if word.start_ms < max(before.start_ms, before.end_ms - ROUNDING_MS):
            raise source.refuse(
                "times_backward",
                f"/words/{index}/start",
                f"a start of {word.start_ms} ms, the word before is from {before.start_ms} to {before.end_ms} ms",
                "words in order, each starting at or after the end of the one before",
            )
        start = max(word.start_ms, before.end_ms)
        ordered.append(Word(word.text, start, max(word.end_ms, start), word.confidence))
    return ordered


def _without_empty(words: list[Word]) -> tuple[tuple[Word, ...], tuple[Notice, ...]]:
    """Return the words that say something; lone punctuation goes to the word before, whose phrase it may end."""
    kept: list[Word] = []
    dropped: list[str] = []
    for index, word in enumerate(words):
        if tokenize_words([word.text]):
            kept.append(word)
            continue
        dropped.append(f'/words/{index} "{word.text}"')
        if kept and word.text:
            last = kept[-1]
            kept[-1] = Word(f"{last.text} {word.text}", last.start_ms, last.end_ms, last.confidence)
    if not dropped:
        return tuple(kept), ()
    found = f"{len(dropped)} without letters or digits, left out: {', '.join(dropped[:3])}"
    notice = Notice("words_empty", found + (", ..." if len(dropped) > 3 else ""), "check that no word is missing there")
    return tuple(kept), (notice,)
