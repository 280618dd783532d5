"""All measures of one recording: word edges, pauses, pace, loudness, and the alignment with the text that was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from vivavoce.audio.activity import Activity, detect
from vivavoce.audio.conditions import conditions
from vivavoce.audio.waveform import Waveform
from vivavoce.measurement import Measurement
from vivavoce.measures import volume
from vivavoce.measures.disfluency.counts import measure_disfluency
from vivavoce.measures.disfluency.find import Disfluency
from vivavoce.measures.pauses import pauses
from vivavoce.measures.pauses import response as response_of
from vivavoce.measures.rate import pace
from vivavoce.measures.reading import pace_rises, repetitions_from
from vivavoce.measures.reread import Listened, reread
from vivavoce.measures.unwritten import voice_in
from vivavoce.measures.word_times import word_times
from vivavoce.notice import Notice
from vivavoce.rubric.model import FadeMethod
from vivavoce.timeline import Pause, Segment, Transcript, Word
from vivavoce.transcript.alignment import Alignment, align
from vivavoce.transcript.boundaries import is_unpunctuated, restore
from vivavoce.transcript.forced import ForcedAlignment
from vivavoce.transcript.language import is_english
from vivavoce.transcript.words import Token, is_filled_pause, tokenize, tokenize_words


@dataclass(frozen=True, slots=True)
class Reading:
    """The text that was read: how often it is to be said, and alternatives accepted by reference word."""

    text: str
    repetitions: int = 1
    accepted: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured. `measurements` by name; `boundaries` says where phrase boundaries come from (M3)."""

    words: tuple[Word, ...]
    pauses: tuple[Pause, ...]
    measurements: Mapping[str, Measurement]
    fade_method: FadeMethod
    boundaries: str
    alignment: Alignment | None
    notices: tuple[Notice, ...]
    has_speech: bool
    disfluencies: tuple[Disfluency, ...] = ()


def measure(
    waveform: Waveform,
    transcript: Transcript,
    reading: Reading | None = None,
    fade_method: FadeMethod = "phrase",
    forced: ForcedAlignment | None = None,
    listened: Sequence[Listened] | None = None,
) -> Measured:
    """Measure a recording whose words are known.

    Parameters: `waveform` the decoded recording; `transcript` its words with times; `reading` for closed tasks;
    `forced` the alignment of the transcript's words with the recording, where one was made; `listened` the words of
    the text that was to be read, with all repetitions, as the acoustics have them (None: the recogniser's words alone).
    Returns: a Measured; without speech its counts are 0 and the rest is None with the reason. Source: M1-M7, L1-L5.
    """
    activity = detect(waveform)
    segments = activity.segments()
    words: tuple[Word, ...] = ()
    unwritten: tuple[Segment, ...] = ()
    notices = [*transcript.warnings, *conditions(waveform, activity)]
    if segments and transcript.words:
        is_voice = voice_in(waveform.samples, segments)
        timed = word_times(transcript.words, forced, segments, waveform.duration_ms, is_voice)
        words, unwritten = timed.words, timed.unwritten
        notices.extend(timed.notices)
    tokens = tokenize_words([word.text for word in words])
    alignment = _align(reading, tokens)
    if alignment is not None and listened is not None and words:
        alignment = reread(alignment, listened, words, segments)
    boundary_after, boundaries = _boundaries(tokens, alignment, words, is_english(transcript.language))
    if boundaries in _RESTORED:
        notices.append(_RESTORED[boundaries])
    found = pauses(words, boundary_after, unwritten)
    response = response_of(words, unwritten)
    fading = volume.fade(waveform, found, response, fade_method)
    notices.extend(fading.notices)
    values = pace(words, found, _counted(tokens, alignment, len(words)), response)
    made = [getattr(values, field.name) for field in fields(values)]
    made += [volume.level(waveform, activity), volume.consistency(waveform, activity), fading.measurement]
    if reading is not None and reading.repetitions > 1 and alignment is not None:
        made.append(_rises(alignment, words, unwritten))
    disfluencies, counted, unsure = measure_disfluency(transcript, words, alignment, response.length_ms / 1000)
    made += counted
    notices.extend(unsure)
    return Measured(
        words,
        found,
        {measurement.name: measurement for measurement in made},
        fade_method,
        boundaries,
        alignment,
        tuple(notices),
        has_speech=bool(words) and _speaks(activity),
        disfluencies=disfluencies,
    )


def _speaks(activity: Activity) -> bool:
    return bool(activity.speech.any())


def _align(reading: Reading | None, tokens: Sequence[Token]) -> Alignment | None:
    if reading is None:
        return None
    return align(tokenize(reading.text), tokens, repeat=reading.repetitions, accepted=reading.accepted)


def _boundaries(
    tokens: Sequence[Token], alignment: Alignment | None, words: Sequence[Word], english: bool
) -> tuple[list[bool], str]:
    """Say after which words a phrase ends (M3), and by what: reference, punctuation, restored, or none (no words)."""
    if alignment is not None:
        ends, source = set(alignment.boundaries()), "reference"
    else:
        ends = {token.word_indices[-1] for token in tokens if token.boundary_after}
        source = "punctuation" if words else "none"
        if is_unpunctuated(len(words), len(ends)):
            return restore(words, english)
    return [index in ends for index in range(len(words))], source


def _keys_by_word(tokens: Sequence[Token], count: int) -> list[list[str]]:
    """The comparable keys of each recognised word; a number of several words has its key at each."""
    keys: list[list[str]] = [[] for _ in range(count)]
    for token in tokens:
        for index in token.word_indices:
            keys[index].append(token.key)
    return keys


def _counted(tokens: Sequence[Token], alignment: Alignment | None, count: int) -> list[bool]:
    """Say which words are words for pace: not filled pauses, unless the reference has them, nor mere signs (M1)."""
    spoken = [[key for key in keys if not is_filled_pause(key)] for keys in _keys_by_word(tokens, count)]
    counted = {index for index, keys in enumerate(spoken) if keys}
    if alignment is not None:
        counted |= {
            label.last_heard
            for label in alignment.labels
            if label.counted == "matched" and label.last_heard is not None
        }
    return [index in counted for index in range(count)]


def _rises(alignment: Alignment, words: Sequence[Word], unwritten: Sequence[Segment]) -> Measurement:
    def is_counted(word: Word) -> bool:
        return any(not is_filled_pause(token.key) for token in tokenize_words([word.text]))

    return pace_rises(repetitions_from(alignment.labels, words), is_counted, unwritten)


_UNPUNCTUATED = "the transcript has no punctuation, or hardly any: phrase ends are guessed from "
_RESTORED = {
    "restored_by_words": Notice(
        "phrase_boundaries_restored",
        f"{_UNPUNCTUATED}the words around each pause and its length, and about one short pause in five of free speech, "
        "one in ten of sentences read, is taken for the wrong kind",
        "give a transcript with punctuation where choppiness matters",
    ),
    "restored_by_pauses": Notice(
        "phrase_boundaries_restored",
        f"{_UNPUNCTUATED}the length of pauses alone, and about three short pauses in ten are taken for the wrong kind",
        "give a transcript with punctuation, or install vivavoce[recognizer], which asks the words too (English only)",
    ),
}
