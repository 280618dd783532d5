"""Texts that talk to the grader: found and shown to a person; they change nothing in how the attempt is judged.

Detection is a lamp, not the wall: every text goes to a judge as quoted data (fence.py) whether or not anything is
found here. Patterns cannot know every wording; tests/judging/attacks.jsonl says what they find and miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vivavoce.judging import attack_languages, attack_patterns
from vivavoce.judging.attack_encodings import decoded
from vivavoce.judging.attack_letters import Folded, fold, hidden, look_alikes
from vivavoce.notice import Notice

_EXCERPT = 60
_SHOWN = 3
_SPELLED = re.compile(r"(?<!\w)(?:\w[ ]{1,4}){7,}\w(?!\w)")
_SPELLED_ORDER = re.compile(
    r"ignore(?:the|all|any|your|previous)|giveme|fullmarks|(?:maximum|top|full)(?:score|marks|points)|rubric"
)
_REPORT = re.compile(r"([\w']+)[ ]$")


@dataclass(frozen=True, slots=True)
class Attack:
    """One place where a text talks to the grader: `kind`, the words as written (short), where, in characters."""

    kind: str
    excerpt: str
    start: int
    end: int


def find_attacks(text: str) -> tuple[Attack, ...]:
    """Return where a transcript, a task's text or an answer talks to the grader, in order, overlaps once.

    Kinds: order, heading, contract_key, fence, placeholder, hidden_characters, look_alike, encoded, other_language,
    role_play, plea, authority. Parameters: `text`, any text. Returns: the places; empty where there is none.
    """
    found = [_attack("hidden_characters", text, start, end) for start, end in hidden(text)]
    found += [_attack("look_alike", text, start, end) for start, end in look_alikes(text)]
    folded = fold(text)
    found += [_attack(kind, text, *folded.span(a, b)) for kind, a, b in _orders(folded.text)]
    for plain, start, end in decoded(text):
        if plain.says_something or any(kind == "order" for kind, _, _ in _orders(fold(plain.text).text)):
            found.append(_attack("encoded", text, start, end))
    found += [_attack("encoded", text, *folded.span(a, b)) for a, b in _spelled_out(folded)]
    return tuple(_without_overlaps(found))


def notice(attacks: Iterable[Attack]) -> Notice | None:
    """Return what the card says about them, or None where there are none."""
    attacks = tuple(attacks)
    if not attacks:
        return None
    shown = "; ".join(f'{attack.kind} "{attack.excerpt}"' for attack in attacks[:_SHOWN])
    more = f"; and {len(attacks) - _SHOWN} more" if len(attacks) > _SHOWN else ""
    return Notice(
        code="grader_addressed",
        found=f"words meant for the grader: {shown}{more}",
        remedy="a person looks at them; the score was made as if these words were only data",
    )


def _orders(folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind and place of every pattern in a folded text."""
    for kind, pattern in attack_patterns.PATTERNS:
        for match in pattern.finditer(folded):
            before = _REPORT.search(folded, max(0, match.start() - 20), match.start())
            if kind == "order" and before and before[1] in attack_patterns.REPORTING:
                continue
            yield kind, match.start(), match.end()
    for pattern in attack_languages.PATTERNS:
        for match in pattern.finditer(folded):
            yield "other_language", match.start(), match.end()


def _spelled_out(folded: Folded) -> Iterator[tuple[int, int]]:
    """Yield runs of single letters that spell an order; a word spelled aloud is none."""
    for match in _SPELLED.finditer(folded.text):
        if _SPELLED_ORDER.search(match[0].replace(" ", "")):
            yield match.start(), match.end()


def _attack(kind: str, text: str, start: int, end: int) -> Attack:
    """Return the place with its words in one line: characters that do not show are written as \\uXXXX."""
    words = " ".join(text[start:end].split()) if text[start:end].strip() else text[start:end]
    seen = "".join(char if char.isprintable() and not _selector(char) else f"\\u{ord(char):04x}" for char in words)
    return Attack(kind, seen if len(seen) <= _EXCERPT else seen[: _EXCERPT - 3] + "...", start, end)


def _selector(char: str) -> bool:
    """Say whether a character shows nothing by itself though it counts as printable (a variation selector)."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _without_overlaps(found: list[Attack]) -> Iterator[Attack]:
    """Yield the attacks in order, of those of a kind that overlap only the first and longest."""
    ends: dict[str, int] = {}
    for attack in sorted(found, key=lambda each: (each.start, -each.end, each.kind)):
        if attack.start >= ends.get(attack.kind, -1):
            ends[attack.kind] = attack.end
            yield attack
