"""Submissions and replies for the tests of the model route, written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from vivavoce.errors import ModelError, RequestError
from vivavoce.judging.judge import Brief
from vivavoce.judging.material import Material
from vivavoce.measurement import measured
from vivavoce.models.chat import ChatReply, ChatRequest
from vivavoce.rubric.load import published
from vivavoce.submission import ChecklistItem, Task
from vivavoce.timeline import Word

SAID = "Dear Grandma I am at the harbour in Kochi and the ferry horn just made me drop my mango I miss you"
POINTS = (
    ChecklistItem("where you are"),
    ChecklistItem("a sound you hear", may_stay_vague=True),
    ChecklistItem("what you miss", end_with=True),
)
TASKS = {
    "audio_postcard": Task("audio_postcard", 7, prompt="Write a postcard home.", checklist=POINTS),
    "short_informative_presentation": Task("short_informative_presentation", 7, checklist=POINTS),
    "story_building": Task("story_building", 7, keywords=("mango", "ferry")),
    "poem_recitation": Task("poem_recitation", 7, reference="Dear Grandma I am at the harbour"),
    "paragraph_reading": Task("paragraph_reading", 7, reference="Dear Grandma I am at the harbour"),
    "tongue_twister": Task("tongue_twister", 7, reference="the ferry horn"),
    "rapid_fire_qa": Task("rapid_fire_qa", 7, questions=("Where are you?", "What happened?")),
    "silly_topics_debate": Task("silly_topics_debate", 7, prompt="Should mangoes be banned?"),
}


def material(task: Task, said: str = SAID, *, response_s: float = 20.0, wav: bytes | None = b"RIFF") -> Material:
    """One word every half second; the response time as given."""
    words = tuple(Word(text, 500 * at, 500 * at + 400) for at, text in enumerate(said.split()))
    found = {
        "response_s": measured("response_s", response_s, "s", "M4"),
        "word_count": measured("word_count", len(words), "words", "M1"),
    }
    return Material(task, words, (), found, False, wav, "0" * 64)


def brief(module: str, marker: str, said: str = SAID, *, grade_band: str = "middle", **more: Any) -> Brief:
    rubric = published()
    return Brief(rubric, rubric.modules[module], grade_band, marker, material(TASKS[module], said, **more))


GOOD: dict[tuple[str, str], dict[str, Any]] = {
    ("audio_postcard", "pronunciation"): {
        "unclear_words": [{"word": "Kochi", "why": "the first sound is blurred"}],
        "score": 84,
        "reason": "Clear but for one name.",
    },
    # 20 s of response: counts are not scaled (A13). Middle, open: 2 false starts are Good, 1 filler is Excellent.
    # A14: 0.45*76 + 0.25*91 + 0.30*76 = 79.75 -> 80 to 0.45*90 + 0.25*95 + 0.30*90 = 91.25 -> 91.
    ("audio_postcard", "fluency"): {
        "counts": {"false_starts": 2, "disruptive_fillers": 1},
        "levels": {"smoothness": "good", "filler_control": "excellent", "recovery": "good"},
        "score": 85,
        "reason": "Two restarts, quickly mended.",
    },
    ("audio_postcard", "task_adherence"): {
        "checklist": {
            "point_1": {"covered": True, "words": "at the harbour in Kochi"},
            "point_2": {"covered": True, "words": "the ferry horn"},
            "point_3": {"covered": True, "words": "I miss you"},
        },
        "specific_detail": {"found": True, "words": "drop my mango"},
        "guardrails": {
            "substance": {"fired": False, "words": ""},
            "groundedness": {"fired": False, "words": ""},
            "over_vagueness": {"fired": False, "words": ""},
            "reversal": {"fired": False, "words": ""},
        },
        "score": 93,
        "reason": "Everything asked for is there.",
    },
    ("short_informative_presentation", "task_adherence"): {
        "checklist": {
            "point_1": {"covered": True, "words": "at the harbour"},
            "point_2": {"covered": False, "words": ""},
            "point_3": {"covered": True, "words": "I miss you"},
        },
        "order_rules": {
            "end_with_last": {"broken": False, "words": ""},
            "introduced_before_referenced": {"broken": True, "words": "the ferry horn"},
        },
        "score": 78,
        "reason": "The horn comes before the ferry.",
    },
    ("story_building", "task_adherence"): {"story": 62, "reason": "A beginning and an accident."},
    ("rapid_fire_qa", "task_adherence"): {
        "questions": {
            "question_1": {"answered": True, "words": "at the harbour in Kochi"},
            "question_2": {"answered": True, "words": "made me drop my mango"},
        },
        "anchor": "good",
        "score": 88,
        "reason": "Both are answered.",
    },
    ("silly_topics_debate", "task_adherence"): {"anchor": "poor", "score": 12, "reason": "No side is taken."},
}


def changed(reply: Mapping[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """A copy of a reply with the value at a JSON pointer replaced."""
    made: dict[str, Any] = json.loads(json.dumps(reply))
    place: Any = made
    *path, last = pointer.strip("/").split("/")
    for key in path:
        place = place[int(key)] if isinstance(place, list) else place[key]
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return made


def without(reply: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    """A copy of a reply without the key at a JSON pointer."""
    made: dict[str, Any] = json.loads(json.dumps(reply))
    place: Any = made
    *path, last = pointer.strip("/").split("/")
    for key in path:
        place = place[key]
    del place[last]
    return made


class ScriptedModel:
    """Answers from a list, one after the other; an error in it is raised. Keeps what it was asked."""

    def __init__(self, *answers: str | ModelError | Callable[[ChatRequest], str], hears: bool = True) -> None:
        self.spec = "scripted:one"
        self.hears = hears
        self.asked: list[ChatRequest] = []
        self._answers = list(answers)

    def ask(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        text = answer if isinstance(answer, str) else answer(request)
        return ChatReply(text, "scripted-1", 100, 20, "stop", "2026-11-30T12:00:00Z", 0.5, None)


def read(module: str, marker: str, raw: str, **more: Any) -> dict[str, Any]:
    asked = brief(module, marker, **more)
    return asked.contract().read(raw, asked.material.facts(asked.rubric, asked.module, asked.grade_band))


def refusal(module: str, marker: str, raw: str, **more: Any) -> RequestError:
    with pytest.raises(RequestError) as caught:
        read(module, marker, raw, **more)
    return caught.value
