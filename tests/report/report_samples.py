"""Reports to show: real scores by the real scorer, real alignments, made-up times and measurements.

Nothing here is an expected value; the tests compare what is shown with what the report says.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from vivavoce.judging.people import by_hand
from vivavoce.measurement import Measurement, measured
from vivavoce.measures.pauses import pauses
from vivavoce.notice import Notice
from vivavoce.report.card import Parts, build
from vivavoce.rubric.load import published
from vivavoce.scoring.model import MarkerEvidence
from vivavoce.scoring.overall import NO_SPEECH, not_scored, score
from vivavoce.submission import ChecklistItem, Judgement, Task
from vivavoce.timeline import Transcript, Word
from vivavoce.trace import leaf
from vivavoce.transcript.lines import align_request

# Jane Austen, Sense and Sensibility (1811), chapter 1: public domain.
PARAGRAPH = (
    "The family of Dashwood had long been settled in Sussex. Their estate was large, and their residence was at "
    "Norland Park, in the centre of their property, where, for many generations, they had lived in so respectable a "
    "manner as to engage the general good opinion of their surrounding acquaintance. The late owner of this estate "
    "was a single man, who lived to the age of 21, and who for many years of his life had a constant companion and "
    "housekeeper in his sister."
)
PARAGRAPH_SAID = (
    "the family of Dashwood had long been settled in Sussex there estate was large and their um residence was at "
    "Northern Park in the center of their property where for many generations they had lived in so a "
    "manner as to engage the general good good opinion of their surrounding acquaintance the late owner of this estate "
    "was a single man who lived to the age of twenty-two and who for many years of his life had"
)
# William Shakespeare, Sonnet 1 (1609): public domain.
POEM = """From fairest creatures we desire increase,
That thereby beauty's rose might never die,
But as the riper should by time decease,
His tender heir might bear his memory:

But thou, contracted to thine own bright eyes,
Feed'st thy light'st flame with self-substantial fuel,
Making a famine where abundance lies,
Thyself thy foe, to thy sweet self too cruel."""
POEM_SAID = POEM.replace("riper", "ripe").replace("thou, ", "")
TWISTER = "Silly sailors sell seven shiny shells."
HOSTILE = "<script>alert('x')</script>"


def timed(said: str, *, gaps: Mapping[int, int] | None = None, word_ms: int = 300, gap_ms: int = 60) -> list[Word]:
    """Words one after another from 0.4 s on; `gaps` the silence in ms after the word of that index."""
    words, now = [], 400
    for index, text in enumerate(said.split()):
        words.append(Word(text, now, now + word_ms))
        now += word_ms + (gaps or {}).get(index, gap_ms)
    return words


def drawn(words: list[Word], duration_ms: int, columns: int = 600) -> dict[str, Any]:
    """A picture that is loud in words and quiet between them."""
    found = []
    for index in range(columns):
        start, end = index * duration_ms / columns, (index + 1) * duration_ms / columns
        middle = (start + end) / 2
        word = next((w for w in words if w.start_ms <= middle <= w.end_ms), None)
        if word is None:
            found.append((start, end, 0.01, None))
            continue
        shape = math.sin(math.pi * (middle - word.start_ms) / (word.end_ms - word.start_ms))
        height = round(
            0.06 + 0.55 * shape * (0.75 + 0.25 * math.sin(index * 1.7)) * (1 + 0.35 * math.sin(index / 40)), 3
        )
        found.append((start, end, height, round(44 + 24 * height + 8 * math.sin(index / 60), 2)))
    return {
        "columns": [
            {"start_s": start / 1000, "end_s": end / 1000, "low": -0.9 * high, "high": high, "level_db": level}
            for start, end, high, level in found
        ]
    }


def measurements(**values: float | None) -> dict[str, Measurement]:
    """Measurements by name, with the units and methods that the measures give."""
    kinds = {
        "duration_s": ("s", "decoded samples"),
        "response_s": ("s", "M4"),
        "speech_s": ("s", "M4"),
        "word_count": ("words", "M1"),
        "words_per_minute": ("wpm", "M4"),
        "pace_variation": ("ratio", "M5"),
        "choppy_breaks_per_minute": ("1/min", "M4"),
        "hesitations_per_minute": ("1/min", "M4"),
        "level_db": ("dB", "M7"),
        "consistency_db": ("dB", "M7"),
        "fade_db": ("dB", "M7"),
        "pace_rises": ("flag", "M6"),
    }
    return {
        name: measured(name, value, *kinds[name], "" if value is not None else "under 9 words")
        for name, value in values.items()
    }


def evidence_of(found: Mapping[str, Measurement], alignment: Mapping[str, Any] | None) -> dict[str, MarkerEvidence]:
    """What code measured, as scoring takes it."""
    rate = {
        name: found[name].node()
        for name in ("words_per_minute", "pace_variation", "choppy_breaks_per_minute", "hesitations_per_minute")
    }
    rate["speech_seconds"] = found["speech_s"].node()
    if "pace_rises" in found:
        rate["pace_rises"] = found["pace_rises"].node()
    volume = {name: found[name].node() for name in ("level_db", "consistency_db", "fade_db")}
    evidence = {"speaking_rate": MarkerEvidence(rate), "volume_control": MarkerEvidence(volume)}
    if alignment is not None:
        names = ("reference_words", "trailing_omissions", "matched", "insertions")
        counts = {name: leaf("measured", name, alignment[name], unit="words", source="alignment") for name in names}
        evidence["task_adherence"] = MarkerEvidence(counts)
    return evidence


def judged(value: int, by: str = "person") -> MarkerEvidence:
    """A judge's score, as scoring takes it."""
    return MarkerEvidence({"score": leaf("judged", "judged_score", value, unit="score", source=f"judgement by {by}")})


def recording(duration_ms: int, file: str = "reading.m4a") -> dict[str, Any]:
    """What the report says of a recording."""
    return {
        "file": file,
        "sha256": "0123456789abcdef" * 4,
        "duration_s": duration_ms / 1000,
        "container": "mp4",
        "codec": "aac",
        "sample_rate": 48000,
        "channels": 1,
    }


def plain(parts: Parts) -> dict[str, Any]:
    """The report as a program reads it back from its JSON."""
    report: dict[str, Any] = json.loads(json.dumps(build(parts), ensure_ascii=False, allow_nan=False))
    return report


def _closed(
    module: str,
    grade: int,
    reference: str,
    said: str,
    found: Mapping[str, Measurement],
    judgements: tuple[Judgement, ...],
    **more: Any,
) -> dict[str, Any]:
    rubric = published()
    gaps = more.pop("gaps", {})
    band = next(name for name, band in rubric.grade_bands.items() if grade in band.grades)
    words = timed(said, gaps=gaps, word_ms=more.pop("word_ms", 300))
    repetitions = rubric.modules[module].repetitions
    alignment = align_request({"reference": reference, "transcript": said, "module": module}, lambda _: repetitions)
    evidence = evidence_of(found, alignment)
    for judgement in judgements:
        evidence[judgement.marker] = judged(judgement.values["score"], judgement.by or judgement.judge)
    duration = words[-1].end_ms + 700
    ends = [word.text.endswith((".", ",", ":")) or index % 7 == 6 for index, word in enumerate(words)]
    parts = Parts(
        rubric,
        score(rubric, module, band, evidence),
        Task(module, grade, reference),
        recording=recording(duration, more.pop("file", "reading.m4a")),
        transcript=Transcript(tuple(words), False, "en", "faster-whisper 1.2.1 tiny.en"),
        measurements=found,
        pauses=pauses(words, ends),
        fade_method=rubric.modules[module].fade_method,
        boundaries="the reference text",
        alignment=alignment,
        judged={j.marker: by_hand(j) for j in judgements},
        picture=drawn(words, duration),
        **more,
    )
    return plain(parts)


def full() -> dict[str, Any]:
    """A paragraph with all five markers, two of them by a person, and a warning."""
    found = measurements(
        duration_s=32.66, response_s=31.56, speech_s=26.1, word_count=86, words_per_minute=193.4,
        pace_variation=0.212, choppy_breaks_per_minute=5.7, hesitations_per_minute=1.9, level_db=63.42,
        consistency_db=7.1, fade_db=-0.4,
    )  # fmt: skip
    judgements = (
        Judgement("pronunciation", {"score": 84}, "person", "Ms Ito", "Clear throughout; “Norland” misread."),
        Judgement("fluency", {"score": 97}, "person", "Ms Ito"),
    )
    warnings = (
        Notice(
            "fillers_may_be_missing",
            "the recogniser often drops um and uh, so the filler count may be too low",
            "give a verbatim transcript for a judgement of fillers",
        ),
    )
    gaps = {8: 480, 14: 310, 20: 1640, 25: 700, 33: 420, 41: 300, 55: 620, 62: 900, 66: 350, 71: 280, 76: 520}
    return _closed("paragraph_reading", 7, PARAGRAPH, PARAGRAPH_SAID, found, judgements, warnings=warnings, gaps=gaps)


def pending() -> dict[str, Any]:
    """A poem that still waits for two judged markers."""
    found = measurements(
        duration_s=24.3, response_s=23.2, speech_s=20.4, word_count=60, words_per_minute=168.0,
        pace_variation=0.134, choppy_breaks_per_minute=0, hesitations_per_minute=0, level_db=58.1,
        consistency_db=3.9, fade_db=1.25,
    )  # fmt: skip
    gaps = {6: 520, 13: 610, 21: 450, 28: 980, 35: 400, 42: 530}
    return _closed("poem_recitation", 9, POEM, POEM_SAID, found, (), gaps=gaps, file="sonnet.flac")


def twister() -> dict[str, Any]:
    """A tongue twister said three times, short: choppiness is dropped and the cut is off."""
    said = "silly sailors sell seven shiny shells silly sailors sell seven shiny sells silly sailors sell shiny shells"
    found = measurements(
        duration_s=7.9, response_s=6.9, speech_s=6.44, word_count=17, words_per_minute=147.8, pace_variation=0.081,
        choppy_breaks_per_minute=8.7, hesitations_per_minute=0, level_db=66.0, consistency_db=2.45, fade_db=0.31,
        pace_rises=1,
    )  # fmt: skip
    judgements = (
        Judgement("pronunciation", {"score": 71}, "person"),
        Judgement("fluency", {"score": 66}, "gpt-audio-1"),
    )
    return _closed("tongue_twister", 4, TWISTER, said, found, judgements, gaps={3: 330, 5: 400}, file="shells.webm")


def no_speech() -> dict[str, Any]:
    """A silent recording: nothing is scored and no judge is asked (A8)."""
    rubric = published()
    parts = Parts(
        rubric,
        not_scored(rubric, "paragraph_reading", "middle", NO_SPEECH),
        Task("paragraph_reading", 6, PARAGRAPH),
        recording=recording(8000, "silence.wav"),
        transcript=Transcript((), None, None, "faster-whisper 1.2.1 tiny.en"),
        measurements=measurements(duration_s=8.0, response_s=0, speech_s=0, word_count=0, words_per_minute=None),
        picture={
            "columns": [{"start_s": s, "end_s": s + 1.0, "low": 0.0, "high": 0.0, "level_db": None} for s in range(8)]
        },
        warnings=(Notice("silence", "the recording is silent", "check the microphone"),),
    )
    return plain(parts)


def postcard() -> dict[str, Any]:
    """An open module: no reference and no alignment, a guardrail that fired, a measure that could not be taken."""
    rubric = published()
    said = "hi everyone I am sitting by the harbour in Lisbon and I can smell sardines on the grill right now"
    words = timed(said, gaps={1: 700, 9: 400}, word_ms=420)
    found = measurements(
        duration_s=10.4, response_s=9.7, speech_s=10.02, word_count=20, words_per_minute=123.7, pace_variation=None,
        choppy_breaks_per_minute=6.19, hesitations_per_minute=0, level_db=41.37, consistency_db=4.4, fade_db=2.75,
    )  # fmt: skip
    evidence = evidence_of(found, None)
    evidence["pronunciation"], evidence["fluency"] = judged(88, "Mr Osei"), judged(79, "Mr Osei")
    values = {**judged(93, "Mr Osei").values, "specific_detail": leaf("judged", "specific_detail", 1, unit="flag")}
    evidence["task_adherence"] = MarkerEvidence(values, ("over_vagueness",))
    checklist = (
        ChecklistItem("where you are"),
        ChecklistItem("a sound you hear", may_stay_vague=True),
        ChecklistItem("what you miss about home", end_with=True),
    )
    judgements = tuple(
        Judgement(marker, {"score": value}, "person", "Mr Osei")
        for marker, value in {"pronunciation": 88, "fluency": 79, "task_adherence": 93}.items()
    )
    parts = Parts(
        rubric,
        score(rubric, "audio_postcard", "high", evidence),
        Task("audio_postcard", 10, prompt="Send a postcard home from a place you know well.", checklist=checklist),
        recording=recording(10400, "postcard.ogg"),
        transcript=Transcript(tuple(words), True, "en-GB"),
        measurements=found,
        pauses=pauses(words, [index == 1 for index in range(len(words))]),
        fade_method="phrase",
        boundaries="the transcript's punctuation",
        judged={j.marker: by_hand(j) for j in judgements},
        picture=drawn(words, 10400, 200),
    )
    return plain(parts)


def bare() -> dict[str, Any]:
    """Only scores, as the Score Lab has them: no recording, no words, no measurements, no picture."""
    rubric = published()
    evidence = {
        "pronunciation": MarkerEvidence({"score": leaf("given", "judged_score", 50, unit="score")}),
    }
    return plain(
        Parts(rubric, score(rubric, "silly_topics_debate", "elementary", evidence), Task("silly_topics_debate", 3))
    )


def hostile() -> dict[str, Any]:
    """Text of a student, a judge and a file name that try to be markup."""
    report = full()
    report["task"]["reference"] = PARAGRAPH.replace("Sussex", HOSTILE)
    for label in report["alignment"]["labels"]:
        for side in ("reference", "hypothesis"):
            if label[side] is not None:
                label[side]["text"] = label[side]["text"].replace("Sussex", HOSTILE)
    report["alignment"]["labels"][2]["label"] = "substitution"
    report["alignment"]["labels"][2]["hypothesis"]["text"] = HOSTILE
    report["alignment"]["labels"][2]["note"] = HOSTILE
    report["recording"]["file"] = f"{HOSTILE}\x1b[31m.wav"
    report["markers"]["pronunciation"]["judgement"] |= {"by": HOSTILE, "reason": HOSTILE}
    report["warnings"][0]["found"] = HOSTILE
    report["transcript"]["recognizer"] = HOSTILE
    return report


SAMPLES: dict[str, Callable[[], dict[str, Any]]] = {
    "full": full,
    "pending": pending,
    "twister": twister,
    "no_speech": no_speech,
    "postcard": postcard,
    "bare": bare,
    "hostile": hostile,
}
