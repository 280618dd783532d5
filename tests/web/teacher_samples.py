"""Cards for the tests of the teacher's pages: real scores by the real scorer, made-up times and measurements.

Each card has speaking rate and volume measured; what a person judges waits, or has a judge's value. Nothing here is an
expected value.
"""

from __future__ import annotations

import json
import shutil
import wave
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vivavoce.evidence import judged_evidence
from vivavoce.judging.judge import Interval, Reply, Verdict
from vivavoce.measurement import Measurement, measured
from vivavoce.notice import Notice
from vivavoce.report.card import Parts, build
from vivavoce.report.saved import check_saved
from vivavoce.rubric.load import published
from vivavoce.scoring.model import MarkerEvidence
from vivavoce.scoring.overall import NO_SPEECH, not_scored, score
from vivavoce.store.model import Attempt, Store
from vivavoce.submission import Task, task_from_json
from vivavoce.tasks import check_task
from vivavoce.timeline import Transcript, Word
from vivavoce.trace import leaf
from vivavoce.transcript.lines import align_request

SAID = (
    "Dear Grandma I am at the harbour in Kochi and the ferry horn just made me drop my mango the library was closed "
    "and I miss you"
)
HOSTILE = "<script>document.title='owned'</script><b>bold</b>"
TASKS: dict[str, dict[str, Any]] = {
    "audio_postcard": {
        "module": "audio_postcard", "grade": 7, "prompt": "Write a postcard home.",
        "checklist": [{"text": "where you are"}, {"text": "a sound you hear", "may_stay_vague": True},
                      {"text": "what you miss", "end_with": True}],
    },
    "short_informative_presentation": {
        "module": "short_informative_presentation", "grade": 7, "prompt": "Explain a harbour.",
        "checklist": [{"text": "where it is"}, {"text": "what you hear"}, {"text": "who waits", "end_with": True}],
    },
    "story_building": {
        "module": "story_building", "grade": 7, "prompt": "Tell a story.", "keywords": ["library", "mango", "tiger"],
    },
    "poem_recitation": {"module": "poem_recitation", "grade": 7, "reference": "Dear Grandma I am at the harbour"},
    "rapid_fire_qa": {"module": "rapid_fire_qa", "grade": 7, "questions": ["Where are you?", "What did you drop?"]},
    "silly_topics_debate": {"module": "silly_topics_debate", "grade": 7, "prompt": "Should mangoes be banned?"},
}  # fmt: skip


def words(said: str) -> tuple[Word, ...]:
    """One word every half second."""
    return tuple(Word(text, 500 * at, 500 * at + 400) for at, text in enumerate(said.split()))


def measurements() -> dict[str, Measurement]:
    """20 s of response, so that counts are not scaled (A13); a full-credit pace and a middling loudness."""
    kinds = {
        "duration_s": (21.0, "s"), "response_s": (20.0, "s"), "speech_s": (18.0, "s"), "word_count": (23, "words"),
        "words_per_minute": (130.0, "wpm"), "pace_variation": (0.15, "ratio"),
        "choppy_breaks_per_minute": (0.0, "1/min"), "hesitations_per_minute": (0.0, "1/min"),
        "level_db": (60.0, "dB"), "consistency_db": (3.0, "dB"), "fade_db": (0.0, "dB"),
    }  # fmt: skip
    return {name: measured(name, value, unit, "M4") for name, (value, unit) in kinds.items()}


def _evidence(
    found: Mapping[str, Measurement], alignment: Mapping[str, Any] | None
) -> dict[str, MarkerEvidence | None]:
    rate = {
        name: found[name].node()
        for name in ("words_per_minute", "pace_variation", "choppy_breaks_per_minute", "hesitations_per_minute")
    } | {"speech_seconds": found["speech_s"].node()}
    volume = {name: found[name].node() for name in ("level_db", "consistency_db", "fade_db")}
    made: dict[str, MarkerEvidence | None] = {
        "speaking_rate": MarkerEvidence(rate), "volume_control": MarkerEvidence(volume)
    }  # fmt: skip
    if alignment is not None:
        names = ("reference_words", "trailing_omissions", "matched", "insertions")
        made["task_adherence"] = MarkerEvidence(
            {name: leaf("measured", name, alignment[name], unit="words", source="alignment") for name in names}
        )
    return made


def report(module: str, verdicts: Sequence[Verdict] = (), *, said: str = SAID, **changes: Any) -> dict[str, Any]:
    """A card of a module; what no verdict judges is pending."""
    rubric = published()
    task = task_from_json(TASKS[module] | changes, "task")
    known, band = check_task(task, rubric)
    found, heard = measurements(), words(said)
    alignment = None
    if task.reference is not None:
        alignment = align_request({"reference": task.reference, "transcript": said, "module": module}, lambda _: 1)
    evidence = _evidence(found, alignment)
    made = [judgement for judgement in (verdict.judgement() for verdict in verdicts) if judgement is not None]
    evidence |= judged_evidence(rubric, known, band, task, heard, made)
    parts = Parts(
        rubric,
        score(rubric, module, band, evidence),
        task,
        recording={
            "file": "trial.wav", "sha256": "0" * 64, "duration_s": 21.0, "container": "wav", "codec": "pcm_s16le",
            "sample_rate": 16000, "channels": 1,
        },
        transcript=Transcript(heard, False, "en", "faster-whisper 1.2.1 tiny.en"),
        measurements=found,
        fade_method=known.fade_method,
        alignment=alignment,
        judged={verdict.marker: verdict.as_dict() for verdict in verdicts},
        needs_person={v.marker: v.needs_person for v in verdicts if v.needs_person is not None},
    )  # fmt: skip
    return plain(build(parts))


def silent() -> dict[str, Any]:
    """A card without speech: nothing can be judged."""
    rubric = published()
    scored = not_scored(rubric, "poem_recitation", "middle", NO_SPEECH)
    return plain(build(Parts(rubric, scored, Task("poem_recitation", 7, "Hm"))))


def plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """A report as it is read back from its file; it must be one."""
    made: dict[str, Any] = json.loads(json.dumps(found))
    check_saved(made, "sample")
    return made


def local(marker: str = "pronunciation", *, needs: bool = True) -> Verdict:
    """The local judge's verdict, so wide an interval that a person should settle it."""
    notice = Notice("too_unsure", "the interval is 30 points wide", "let a person judge")
    return Verdict(
        marker,
        "local",
        accepted={"unclear_words": [], "score": 71, "reason": "Experts would call it adequate."},
        values={"score": 71},
        scores=(71,),
        replies=(Reply('{"estimates": 1}', True, model="local 1 / abc", at="2026-11-30T10:00:00Z"),),
        needs_person=notice if needs else None,
        interval=Interval(55, 85, 0.8),
        findings=(
            {
                "kind": "word",
                "text": "“harbour” was hard to make out",
                "places": [{"word": "harbour", "start_s": 3.0, "end_s": 3.4}],
                "sound": None,
            },
        ),
    )


def sampled(scores: Sequence[int] = (60, 75, 75)) -> Verdict:
    """A model's verdict on pronunciation: samples that lie apart, a reply that was refused, hostile text in it."""
    broken = {
        "code": "json_invalid", "where": "/", "found": HOSTILE, "allowed": "one JSON object", "remedy": "ask afresh"
    }  # fmt: skip
    replies = [Reply(HOSTILE, False, broken, 1, "gpt-audio-1", "2026-11-30T10:00:00Z", 1.25, 800, 40, "0.002")]
    for number, value in enumerate(scores, 1):
        raw = json.dumps({"unclear_words": [], "score": value, "reason": HOSTILE})
        replies.append(Reply(raw, True, None, number, "gpt-audio-1", "2026-11-30T10:00:01Z", 0.75, 800, 60, "0.003"))
    median = sorted(scores)[(len(scores) - 1) // 2]
    return Verdict(
        "pronunciation",
        "openai:gpt-audio-1",
        accepted={"unclear_words": [], "score": median, "reason": HOSTILE},
        values={"score": median},
        replies=tuple(replies),
        scores=tuple(scores),
        samples=len(scores),
        needs_person=Notice("judgements_spread", f"{len(scores)} judgements lie apart", "let a person judge"),
    )


def by_person(marker: str, value: int) -> Verdict:
    """A marker that a person has settled already."""
    return Verdict(marker, "person", accepted={"score": value}, values={"score": value}, scores=(value,), by="Mr Osei")


def keep(store: Store, folder: Path, found: Mapping[str, Any], made_by: str = "Ada") -> Attempt:
    """Keep a card in a store, with three seconds of silence as its recording."""
    sound = folder / "trial.wav"
    with wave.open(str(sound), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(b"\0\0" * 48000)
    task = store.keep_task("A trial", {k: v for k, v in found["task"].items() if v})
    received = folder / "received.wav"
    shutil.move(sound, received)
    attempt = store.add(f"{task.id}", task.id, received, file_name="trial.wav", made_by=made_by)
    store.keep_report(attempt.id, found)
    return store.attempt(attempt.id)
