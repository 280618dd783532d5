"""Words with forced times and voice activity, on hand-made alignments and a real one with a silence put in."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest
from forced_truth import LIBRIVOX, sphinx

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.recording import measure
from vivavoce.measures.word_times import timed, word_times
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.forced import VOICE, ForcedAlignment, ForcedPhone, ForcedWord, align_words

HEARD = (Word("one", 0, 900), Word("two", 900, 2000), Word("three", 2000, 2600))


def forced(
    *spans: tuple[int, int] | None, scores: float = 0.0, voice: tuple[int, int] | None = None, code: str = ""
) -> ForcedAlignment:
    words = tuple(
        ForcedWord(word.text, None, None, None, "none", (), "not said")
        if span is None
        else ForcedWord(word.text, *span, scores, "dictionary", (ForcedPhone("AH", *span, scores),))
        for word, span in zip(HEARD, spans, strict=True)
    )
    between = () if voice is None else (ForcedPhone(VOICE, *voice, -1.0),)
    return ForcedAlignment(words, scores, (Notice(code, "", ""),) if code else (), between)


def spans(words: tuple[Word, ...]) -> list[tuple[int, int]]:
    return [(word.start_ms, word.end_ms) for word in words]


ALIGNED = forced((100, 500), (1500, 1900), (1900, 2500))
SPEECH = (Segment(100, 520), Segment(1480, 2510))


def test_forced_times_with_edges_where_the_voice_is() -> None:
    """Each edge of a silence is within 100 ms of the voice's and goes there; between two and three there is none."""
    found = word_times(HEARD, ALIGNED, SPEECH, 2700)
    assert spans(found.words) == [(100, 520), (1480, 1900), (1900, 2510)]
    assert found.ground == "forced_alignment"
    assert [notice.code for notice in found.notices] == ["word_times_aligned"]


def test_an_edge_of_the_voice_that_is_far_is_not_taken() -> None:
    """A breath from 1.0 s on is sound for voice activity, not for the alignment."""
    found = word_times(HEARD, ALIGNED, (Segment(100, 520), Segment(1000, 2510)), 2700)
    assert spans(found.words)[:2] == [(100, 520), (1500, 1900)]


def test_a_voice_that_is_no_word_is_no_pause() -> None:
    """0.6 to 1.0 s is an um that nobody wrote down: the pause is the longer rest, 1.0 to 1.5 s."""
    with_um = forced((100, 500), (1500, 1900), (1900, 2500), voice=(600, 1000))
    found = word_times(HEARD, with_um, (Segment(100, 500), Segment(600, 1000), Segment(1500, 2500)), 2700)
    assert spans(found.words)[:2] == [(100, 1000), (1500, 1900)]


@pytest.mark.parametrize(
    ("gap", "quiet", "expected"),
    [
        ((500, 900), (350, 1050), (350, 1050)),  # a pause takes in closures of 150 ms on both sides
        ((500, 900), (349, 1051), (500, 900)),  # but no more
        ((500, 1000), (600, 900), (600, 900)),  # it gives up to 100 ms to sound
        ((500, 1000), (601, 899), (500, 1000)),
        ((500, 800), (550, 800), (550, 800)),  # 250 ms are left: still a pause
        ((500, 800), (551, 800), (500, 800)),  # 249 ms would be: the pause is not lost
        ((500, 700), (400, 700), (400, 700)),  # what is no pause grows by 100 ms
        ((500, 700), (399, 700), (500, 700)),  # but takes in no closure
        ((500, 720), (560, 720), (560, 720)),  # and has no pause to lose
    ],
)
def test_how_far_an_edge_goes_to_the_voice(
    gap: tuple[int, int], quiet: tuple[int, int], expected: tuple[int, int]
) -> None:
    """By docs/evidence/word-times.md, "Then the voice": edges within 100 ms, growth of a pause within 150 ms."""
    aligned = forced((100, gap[0]), (gap[1], 1900), (1900, 2500))
    found = word_times(HEARD, aligned, (Segment(100, quiet[0]), Segment(quiet[1], 2500)), 2700)
    assert (found.words[0].end_ms, found.words[1].start_ms) == expected


@pytest.mark.parametrize(
    ("sound", "expected", "asked"),
    [
        ((650, 750), (500, 900), 0),  # 150 ms of silence on each side: no pause beside it, so whatever it is stays out
        ((600, 649), (649, 900), 1),  # 251 ms after it: the pause begins there
        ((600, 650), (650, 900), 1),  # 250 ms
        ((600, 651), (500, 900), 0),  # 249 ms
        ((751, 820), (500, 751), 1),  # the pause may lie before it
    ],
)
def test_a_voice_is_asked_for_only_where_it_parts_a_gap_into_pauses(
    sound: tuple[int, int], expected: tuple[int, int], asked: int
) -> None:
    """A gap of 0.4 s; a sound in it that is somebody's voice, if anyone asks."""
    heard: list[Segment] = []

    def is_voice(stretch: Segment) -> bool:
        heard.append(stretch)
        return True

    aligned = forced((100, 500), (900, 1900), (1900, 2500))
    found = word_times(HEARD, aligned, (Segment(100, 500), Segment(*sound), Segment(900, 2500)), 2700, is_voice)
    assert (found.words[0].end_ms, found.words[1].start_ms) == expected
    assert heard == [Segment(*sound)] * asked


@pytest.mark.parametrize(("score", "cut"), [(0.0, False), (-6.0, True)])
def test_a_silence_inside_a_word_counts_only_where_the_word_fits_badly(score: float, cut: bool) -> None:
    stretched = forced((100, 500), (500, 1900), (1900, 2500), scores=score)
    found = word_times(HEARD, stretched, (Segment(100, 500), Segment(1400, 2500)), 2700)
    assert spans(found.words)[1] == ((1400, 1900) if cut else (500, 1900))


@pytest.mark.parametrize(
    "alignment",
    [
        None,
        forced(None, None, None, code="alignment_failed"),
        forced((0, 50), (50, 90), (90, 99), code="alignment_poor"),
    ],
)
def test_without_an_alignment_to_trust_voice_activity_is_the_ground(alignment: ForcedAlignment | None) -> None:
    found = word_times(HEARD, alignment, SPEECH, 2700)
    assert found.ground == "voice_activity"
    assert spans(found.words) == [(100, 520), (1480, 2000), (2000, 2510)]
    told = [notice.code for notice in found.notices]
    assert told[-1] == "word_times_corrected"
    assert told[:-1] == ([] if alignment is None else [alignment.notices[0].code])


def test_a_word_without_times_keeps_its_own_between_its_neighbours() -> None:
    assert spans(tuple(timed(HEARD, forced((100, 500), None, (1900, 2500))))) == [(100, 500), (900, 1900), (1900, 2500)]
    assert spans(tuple(timed(HEARD, forced((100, 1000), (1000, 1500), None)))) == [
        (100, 1000),
        (1000, 1500),
        (2000, 2600),
    ]


def _with_silence(samples: np.ndarray, at_ms: int, length_ms: int, path: Path) -> Waveform:
    joined = np.concatenate([samples[: at_ms * 16], np.zeros(length_ms * 16, np.float32), samples[at_ms * 16 :]])
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes((joined * 32767).astype("<i2").tobytes())
    return decode(path)


@pytest.mark.parametrize("length_ms", [400, 1500, 3000])
def test_a_silence_put_into_a_reading_is_found_between_its_words(
    shared_data: Path, tmp_path: Path, length_ms: int
) -> None:
    """M2a: within 0.06 s. After "married", 0.98 s; its word and the next are stretched over the silence."""
    name = "sense_and_sensibility_01_austen_64kb-0920.wav"
    path = shared_data / LIBRIVOX / name
    truth = sphinx(shared_data)[path]
    index = next(place for place, word in enumerate(truth) if word.text == "married")
    at = truth[index].end_ms
    joined = _with_silence(decode(path).samples, at, length_ms, tmp_path / "joined.wav")
    later = [Word(word.text, word.start_ms + length_ms, word.end_ms + length_ms) for word in truth[index + 1 :]]
    later[0] = Word(later[0].text, at, later[0].end_ms)
    heard = [*truth[: index + 1], *later]
    alignment = align_words(joined.samples, [word.text for word in heard], hints=heard)
    words = word_times(heard, alignment, detect(joined).segments(), joined.duration_ms).words
    assert abs(words[index + 1].start_ms - words[index].end_ms - length_ms) <= 60
    assert abs(words[index].end_ms - at) <= 60


def test_measures_take_the_alignment(shared_data: Path) -> None:
    """Words that come 0.3 s late are where the alignment file has them, and the report says so."""
    path = next(path for path in sphinx(shared_data) if "0920" in path.name)
    truth = sphinx(shared_data)[path]
    waveform = decode(path)
    late = tuple(Word(word.text, word.start_ms + 300, word.end_ms + 300) for word in truth)
    alignment = align_words(waveform.samples, [word.text for word in truth], hints=late)
    with_it = measure(waveform, Transcript(late), forced=alignment)
    off = [abs(word.start_ms - true.start_ms) for word, true in zip(with_it.words, truth, strict=True)]
    assert np.median(off) <= 10
    assert "word_times_aligned" in [notice.code for notice in with_it.notices]
    assert "word_times_aligned" not in [notice.code for notice in measure(waveform, Transcript(late)).notices]
