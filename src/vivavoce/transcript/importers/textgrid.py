"""Praat TextGrid, long or short form: the tier of words.

The tier is the one called words or word (several, one a speaker, as the Montreal Forced Aligner names them: all of
them), else every tier of intervals that is not called after another unit (phones, syllables, sentences): then tiers
are speakers. Praat writes UTF-8 or UTF-16.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from vivavoce.timeline import Transcript, to_ms
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.shape import MAX_SECONDS
from vivavoce.transcript.importers.source import MAX_ENTRIES, NOT_TEXT, Source
from vivavoce.transcript.times import Heard

NAME = "Praat TextGrid"
# What Praat itself reads: texts in quotes, <flags>, and numbers that stand alone; all else is decoration.
_PART = re.compile(r'"((?:[^"]|"")*)"|(<[a-z]+>)|(?<!\S)([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,2})?)(?!\S)', re.ASCII)
_WORDS = re.compile(r"(?:(.*?)\s*[-_/:]\s*)?words?", re.IGNORECASE | re.DOTALL)
_OTHERS = re.compile(
    r"(?:.*[-_/: ])?(?:(?:phone|phoneme|segment|syllable|syll|sentence|utterance|phrase|note|comment|tone)s?|ipa)",
    re.IGNORECASE | re.DOTALL,
)
_SILENT = frozenset(("", "sil", "sp", "spn", "<sil>", "<eps>", "<p:>", "#", "silence", "_"))


@dataclass(frozen=True, slots=True)
class _Tier:
    name: str
    intervals: tuple[tuple[int, int, str], ...]


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.text is None:
        return NOT_TEXT
    head = source.text[:200]
    return (
        None
        if "ooTextFile" in head and '"TextGrid"' in head
        else 'it does not begin as an "ooTextFile" of a "TextGrid"'
    )


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name, `transcript_tiers` among others."""
    try:
        tiers = list(_tiers(source, _Parts(source.text or "")))
    except ValueError as error:
        raise source.refuse(
            "transcript_shape", "", "a TextGrid that is cut short or out of order", "all its tiers"
        ) from error
    named = [tier for tier in tiers if _WORDS.fullmatch(tier.name.strip())]
    chosen = named or [tier for tier in tiers if not _OTHERS.fullmatch(tier.name.strip())]
    if not chosen:
        names = ", ".join(f'"{tier.name}"' for tier in tiers) or "none"
        raise source.refuse(
            "transcript_tiers", "", f"tiers of intervals: {names}", 'one tier of intervals called "words"'
        )
    heard: list[Heard] = []
    for number, tier in enumerate(chosen):
        label = (tier.name or str(number)) if len(chosen) > 1 else None
        for start, end, said in tier.intervals:
            heard.extend(in_segment(said, start, end, speaker=label, channel=label))
    return assemble(source, heard, NAME)


def _tiers(source: Source, parts: _Parts) -> Iterator[_Tier]:
    """Yield the tiers of intervals, those of other units empty; tiers of points hold no words with start and end."""
    for _ in range(2):
        parts.string()
    for _ in range(2):
        parts.number()
    if parts.flag() != "<exists>":
        return
    for _ in range(parts.count()):
        intervals = parts.string() == "IntervalTier"
        name = parts.string()
        for _ in range(2):
            parts.number()
        count = parts.count()
        if count > MAX_ENTRIES:
            raise source.refuse("transcript_too_long", "", f'{count} labels in "{name}"', f"at most {MAX_ENTRIES}")
        kept = intervals and not _OTHERS.fullmatch(name.strip())
        found = []
        for _ in range(count):
            start = parts.number()
            end = parts.number() if intervals else start
            label = parts.string()
            if kept and label.strip().lower() not in _SILENT:
                found.append((to_ms(start), to_ms(end), label))
        if intervals:
            yield _Tier(name, tuple(found))


class _Parts:
    """The parts of a TextGrid in order; each is asked for by its kind. Raises ValueError where another stands."""

    def __init__(self, content: str) -> None:
        self._matches = _PART.finditer(content)

    def _next(self, kind: int) -> str:
        match = next(self._matches, None)
        if match is None or match[kind] is None:
            raise ValueError("another part than asked for")
        return match[kind]

    def string(self) -> str:
        return self._next(1).replace('""', '"')

    def flag(self) -> str:
        return self._next(2)

    def number(self) -> Decimal:
        value = Decimal(self._next(3))
        if abs(value) > MAX_SECONDS:
            raise ValueError("a time beyond measure")
        return value

    def count(self) -> int:
        return int(self.number())
