"""CHAT (TalkBank): words and times of the %wor tiers; utterances without one have at most their bullet.

CHAT keeps filled pauses, fragments and repetitions by its rules, so it is taken as verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment, refuse_many
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.importers.shape import MAX_SECONDS
from vivavoce.transcript.importers.source import MAX_ENTRIES, NOT_TEXT, Source
from vivavoce.transcript.times import Heard

NAME = "CHAT"
_BULLET = re.compile("\x15_?([0-9]{1,12})_([0-9]{1,12})_?\x15")
_TIMED = re.compile("([^\\s\x15]+)(?:\\s*\x15_?([0-9]{1,12})_([0-9]{1,12})_?\x15)?")
# Not said: [codes], events, pauses, omitted words, linkers; what is left of groups are their brackets.
_UNSAID = re.compile(
    r"\[[^\[\]]*\]|&[=*{}]\S+|\((?:\.+|[\d:.]+)\)|(?<!\S)0\S*|(?<!\S)\+[<^,+\"](?!\S)"
    r"|[<>‹›↑↓→↗↘⌈⌉⌊⌋∆∇°▁▔☺♋⁎]"
)
_CODE = re.compile(r"\[[^\[\]]*\]")
_PREFIX = re.compile(r"^(?:&[-+~]|[+~])+")
_TERMINATOR = re.compile(r"[.?!,;:]+|\+(?:\.\.\.|\.\.\?|[/\"!?.]+)|[„‡]")


@dataclass(slots=True)
class _Utterance:
    speaker: str
    line: int
    main: str
    words: str | None = None


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.text is None:
        return NOT_TEXT
    head = source.text[:500].lstrip().splitlines()[:3]
    return None if any(line.startswith("@Begin") for line in head) else 'it has no "@Begin" at its beginning'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name."""
    content = source.text or ""
    heard: list[Heard] = []
    for utterance in _utterances(content):
        if utterance.words is None:
            heard.extend(_untimed(source, utterance))
        else:
            heard.extend(_timed(source, utterance))
        refuse_many(source, heard, MAX_ENTRIES)
    languages = re.search(r"^@Languages:\s*([a-z]{3})", content, re.MULTILINE)
    return assemble(source, heard, NAME, verbatim=True, language=language_code(languages[1] if languages else None))


def _utterances(content: str) -> Iterator[_Utterance]:
    """Yield the utterances; a line that begins with a tab continues the one before."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(content.replace("\r\n", "\n").split("\n"), 1):
        if line.startswith("\t") and lines:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {line.strip()}")
        else:
            lines.append((number, line))
    current: _Utterance | None = None
    for number, line in lines:
        head, _, body = line.partition(":")
        if head.startswith("*"):
            if current:
                yield current
            current = _Utterance(head[1:].strip(), number, body)
        elif head == "%wor" and current:
            current.words = body
    if current:
        yield current


def _timed(source: Source, utterance: _Utterance) -> list[Heard]:
    """Return the words of a %wor tier with the punctuation of the main line (%wor tiers end in a full stop at most)."""
    words = []
    for said, start, end in _TIMED.findall(_CODE.sub(" ", utterance.words or "")):
        word = "" if _TERMINATOR.fullmatch(said) else _plain(said)
        if word:
            begun, ended = (_milliseconds(source, utterance, digits) for digits in (start, end))
            words.append(Heard(word, begun, ended, speaker=utterance.speaker))
    return dress(words, " ".join(_written(utterance)))


def _untimed(source: Source, utterance: _Utterance) -> list[Heard]:
    """Return the words of a main line: in the stretch of its bullet where it has one."""
    bullet = _BULLET.search(utterance.main)
    start, end = (_milliseconds(source, utterance, bullet[at] if bullet else "") for at in (1, 2))
    return in_segment(" ".join(_written(utterance)), start, end, speaker=utterance.speaker)


def _written(utterance: _Utterance) -> list[str]:
    """Return the words of a main line as prose writes them, with their punctuation."""
    words: list[str] = []
    for part in _BULLET.sub(" ", _UNSAID.sub(" ", utterance.main)).split():
        if _TERMINATOR.fullmatch(part):
            words[-1:] = [words[-1] + _mark(part)] if words else []
        elif word := _plain(part):
            words.append(word)
    return words


def _milliseconds(source: Source, utterance: _Utterance, digits: str) -> int | None:
    if not digits:
        return None
    if int(digits) > MAX_SECONDS * 1000:
        raise source.refuse("transcript_shape", f"line {utterance.line}", f"{digits} ms", f"at most {MAX_SECONDS} s")
    return int(digits)


def _plain(word: str) -> str:
    """Return a word as it was said: (be)cause whole, without @ forms, prefixes and compound signs."""
    word = _PREFIX.sub("", word).partition("@")[0]
    return re.sub(r"[()ˈˌ^:]", "", word).replace("+", "-").replace("_", "-").strip("-")


def _mark(terminator: str) -> str:
    """Return a terminator as prose has it: what trails off or breaks off ends in dots or a dash."""
    if not terminator.startswith("+"):
        return terminator if terminator.isascii() else ","
    return "?" if "?" in terminator else "..." if "..." in terminator else "—" if "/" in terminator else "."
