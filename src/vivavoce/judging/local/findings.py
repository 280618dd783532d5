"""Which words and which sounds may have been hard to understand: few, and only what is plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Any

from vivavoce.judging.checks import spoken
from vivavoce.judging.local.reply import HeardAs, Phone
from vivavoce.rubric.model import LocalRules, Sound

EXAMPLES = 3
LONGEST = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence for the card, the words that it is about with their times, and the sound where it is about one."""

    kind: str
    text: str
    places: tuple[tuple[str, int, int], ...]
    sound: Sound | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as reports keep it."""
        sound = self.sound
        return {
            "kind": self.kind,
            "text": self.text,
            "places": [
                {"word": word, "start_s": start / 1000, "end_s": end / 1000} for word, start, end in self.places
            ],
            "sound": None if sound is None else {"name": sound.name, "ipa": sound.ipa, "example": sound.example},
        }


def hard_words(rules: LocalRules, words: Sequence[HeardAs]) -> list[HeardAs]:
    """Return the words that may have been hard to understand, the lowest first; each spelling once.

    Those with an accuracy of `word_accuracy_at_most` and a probability of being right of `word_read_at_most`, or
    less, that were heard as something at all.
    """
    found: dict[str, HeardAs] = {}
    for word in words:
        key = " ".join(spoken(word.text))
        if key and _is_hard(rules, word) and (key not in found or _low(word) < _low(found[key])):
            found[key] = word
    return sorted(found.values(), key=_low)


def _is_hard(rules: LocalRules, word: HeardAs) -> bool:
    if word.accuracy is None or word.read_correctly is None or word.start_ms is None or not _was_heard(word):
        return False
    return word.accuracy <= rules.word_accuracy_at_most.value and word.read_correctly <= rules.word_read_at_most.value


def _was_heard(word: HeardAs) -> bool:
    """Whether the transcript has something in its place that a contract can quote."""
    return bool(spoken(word.said)) and len(word.said) <= LONGEST


def _low(word: HeardAs) -> tuple[Fraction, int]:
    return Fraction(word.accuracy or 0), word.start_ms or 0


def hard_sounds(rules: LocalRules, words: Sequence[HeardAs]) -> list[tuple[Sound, list[tuple[HeardAs, Phone]]]]:
    """Return the sounds that may have come out as others, with their places, the most frequent first.

    A sound counts where it was scored `sound_score_at_most` or less, in `sound_words_at_least` different words.
    """
    by_name: dict[str, dict[str, tuple[HeardAs, Phone]]] = {}
    for word in words:
        for phone in word.phones:
            if phone.name in rules.sounds and phone.score <= rules.sound_score_at_most.value and _was_heard(word):
                places = by_name.setdefault(phone.name, {})
                key = " ".join(spoken(word.text))
                if key not in places or phone.score < places[key][1].score:
                    places[key] = (word, phone)
    many = {name: places for name, places in by_name.items() if len(places) >= rules.sound_words_at_least}
    order = sorted(many, key=lambda name: (-len(many[name]), _mean(many[name].values()), name))
    return [
        (rules.sounds[name], sorted(many[name].values(), key=lambda place: (place[1].score, place[1].start_ms)))
        for name in order
    ]


def _mean(places: Any) -> Fraction:
    scores = [Fraction(phone.score) for _, phone in places]
    return sum(scores, Fraction()) / len(scores)


def find(rules: LocalRules, words: Sequence[HeardAs]) -> tuple[Finding, ...]:
    """Return at most `findings_at_most` findings: words and sounds in turn, a word first."""
    of_words = [_of_word(word) for word in hard_words(rules, words)]
    of_sounds = [_of_sound(sound, places) for sound, places in hard_sounds(rules, words)]
    both = chain.from_iterable(zip_longest(of_words, of_sounds))
    return tuple(finding for finding in both if finding is not None)[: rules.findings_at_most]


def _of_word(word: HeardAs) -> Finding:
    start, end = word.start_ms or 0, word.end_ms or 0
    text = f"“{word.text}” may have been hard to understand ({_at(start)})"
    return Finding("word", text, ((word.text, start, end),))


def _of_sound(sound: Sound, places: Sequence[tuple[HeardAs, Phone]]) -> Finding:
    shown = places[:EXAMPLES]
    words = ", ".join(f"“{word.text}” ({_at(phone.start_ms)})" for word, phone in shown)
    more = f" and {len(places) - EXAMPLES} more" if len(places) > EXAMPLES else ""
    text = f"the sound {sound.example} (/{sound.ipa}/, {sound.name}) may have come out as another in {words}{more}"
    return Finding("sound", text, tuple((word.text, phone.start_ms, phone.end_ms) for word, phone in shown), sound)


def _at(ms: int) -> str:
    return f"at {ms / 1000:.1f} s"


def unclear_words(rules: LocalRules, words: Sequence[HeardAs]) -> list[dict[str, str]]:
    """Return the hard words as a judge's contract has them, as they stand in the transcript."""
    found = hard_words(rules, words)[: rules.unclear_words_at_most]
    return [{"word": word.said, "why": "it may have been hard to understand"} for word in found]
