"""Filled pauses that a recogniser drops: two witnesses, the sound and a second hearing with a prompt full of them.

The forced alignment of the words that were heard leaves stretches of voice that are none of them. Learners' drawn-out
vowels do so too, so where there is such a voice the recording is heard again: Whisper writes what its prompt is like,
and after "Um, uh, er ..." it writes the um and uh that it leaves out otherwise. It also loops more, and writes "er" for
words that it does not understand, so the second hearing gives no words. A filled pause is taken over where both agree:
the sound says where, the second hearing says what. Each alone was measured too: docs/evidence/disfluency.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from vivavoce.measures.word_times import trusted
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.forced import VOICE, ForcedAlignment
from vivavoce.transcript.words import is_filled_pause, tokenize_words

PROMPT = "Umm, let me think like, hmm... Okay, here's what I'm, like, thinking. Um, uh, er, I, I mean, uh..."
"""Text before the recording that makes Whisper keep filled pauses."""

LEAST_CONFIDENCE = 0.1
"""Real ones were heard with 0.23 and more, invented ones between shared neighbours with 0.013 and less (chosen)."""

LEAST_VOICE_MS = 150
"""The shortest voice beside the words that may be a filled pause (chosen)."""


@dataclass(frozen=True, slots=True)
class UnwrittenVoice:
    """A stretch of voice that is no word of the transcript, and the number of the word that it stands before."""

    before: int
    stretch: Segment


def unwritten_voices(words: Sequence[Word], forced: ForcedAlignment | None) -> tuple[UnwrittenVoice, ...]:
    """Return where voice of LEAST_VOICE_MS or more is no word, in order; none beside a filled pause that is written.

    Parameters: `words` as they were heard; `forced` their alignment with the recording. Without one, or where the words
    hardly fit the sound (another language, invented words), nothing is known.
    """
    if forced is None or not trusted(forced):
        return ()
    found: list[UnwrittenVoice] = []
    written = [_filled(word) for word in words]
    ends = [(number, word.end_ms) for number, word in enumerate(forced.words, 1) if word.end_ms is not None]
    for one in forced.between:
        before = max((number for number, end_ms in ends if end_ms <= one.start_ms), default=0)
        long = one.name == VOICE and one.end_ms - one.start_ms >= LEAST_VOICE_MS
        if long and not any(written[max(0, before - 1) : before + 1]):
            found.append(UnwrittenVoice(before, Segment(one.start_ms, one.end_ms)))
    return tuple(found)


def with_filled_pauses(heard: Transcript, prompted: Transcript, voices: Sequence[UnwrittenVoice]) -> Transcript:
    """Return the transcript with the filled pauses that the prompted hearing of the same recording has at `voices`.

    Taken over: a filled pause of `prompted`, confidence at least LEAST_CONFIDENCE, whose neighbour before or after
    is the same word as the voice's. It gets the voice's time, held between its neighbours; a word that was stretched
    over it is cut. All other words stay as they are in `heard`.
    Parameters: both transcripts with times in milliseconds. Returns a transcript that is still not verbatim, with
    the warning `filled_pauses_heard` where any was added. Source: issue 3, item 5; measured in
    docs/evidence/disfluency.md.
    """
    plain = [number for number, word in enumerate(heard.words) if not _filled(word)]
    pairs = _pairs([heard.words[number] for number in plain], [word for word in prompted.words if not _filled(word)])
    offered = _offered(prompted.words)
    added: dict[int, list[Word]] = {}
    # Where there are more voices than filled pauses the longer are taken.
    for voice in sorted(voices, key=lambda voice: -voice.stretch.length_ms):
        place = sum(number < voice.before for number in plain)
        sides = [pairs[place - 1] + 1 if place - 1 in pairs else None, pairs.get(place)]
        if place == 0:
            sides[0] = 0
        here = next((offered[side] for side in sides if side is not None and offered.get(side)), None)
        if here:
            word = here.pop(0)
            made = replace(word, text=_bare(word), start_ms=voice.stretch.start_ms, end_ms=voice.stretch.end_ms)
            added.setdefault(voice.before, []).append(made)
    if not added:
        return heard
    notice = _notice(sum(map(len, added.values())))
    return replace(heard, words=_merge(heard.words, added), warnings=(*heard.warnings, notice))


def _filled(word: Word) -> bool:
    tokens = tokenize_words([word.text])
    return bool(tokens) and all(is_filled_pause(token.key) for token in tokens)


def _bare(word: Word) -> str:
    """The filled pause without its punctuation, which would part phrases that the first hearing does not part."""
    return " ".join(token.key for token in tokenize_words([word.text]))


def _keys(words: Sequence[Word]) -> list[str]:
    return [_bare(word) for word in words]


def _pairs(heard: Sequence[Word], prompted: Sequence[Word]) -> dict[int, int]:
    """Return, by number, which prompted word is which heard word."""
    matcher = SequenceMatcher(None, _keys(heard), _keys(prompted), autojunk=False)
    return {block.a + step: block.b + step for block in matcher.get_matching_blocks() for step in range(block.size)}


def _offered(prompted: Sequence[Word]) -> dict[int, list[Word]]:
    """Return the sure filled pauses by the number of the plain word that they stand before."""
    offered: dict[int, list[Word]] = {}
    number = 0
    for word in prompted:
        if not _filled(word):
            number += 1
        elif word.confidence is None or word.confidence >= LEAST_CONFIDENCE:
            offered.setdefault(number, []).append(word)
    return offered


def _merge(words: Sequence[Word], added: dict[int, list[Word]]) -> tuple[Word, ...]:
    """Put the filled pauses before the words of those numbers; times stay in order."""
    merged: list[Word] = []
    for number, word in enumerate([*words, None]):
        for pause in sorted(added.get(number, []), key=lambda pause: pause.start_ms):
            before = merged[-1] if merged else None
            if before is not None and before.end_ms > pause.start_ms:
                # The word before was stretched over it.
                merged[-1] = before = replace(before, end_ms=max(before.start_ms, pause.start_ms))
            start = max(pause.start_ms, before.end_ms if before is not None else 0)
            end = max(pause.end_ms, start)
            if word is not None:
                end = min(end, max(word.end_ms, start))
                word = replace(word, start_ms=max(word.start_ms, end), end_ms=max(word.end_ms, end))
            merged.append(replace(pause, start_ms=start, end_ms=end))
        if word is not None:
            merged.append(word)
    return tuple(merged)


def _notice(count: int) -> Notice:
    return Notice(
        "filled_pauses_heard",
        f"{count} filled pauses were found by hearing the recording a second time",
        "listen to them: the recogniser leaves them out otherwise, and may leave out more",
    )
