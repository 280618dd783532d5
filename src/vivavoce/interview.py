"""An interview: a topic, and examiner's questions with what the candidate answered, in order (V5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.strict import as_object, refuse, shown

MAX_TEXT_CHARACTERS = 50_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer: as text, or as files with the recording or the transcript of it."""

    question: str
    answer: str | None = None
    recording: str | None = None
    transcript: str | None = None


@dataclass(frozen=True, slots=True)
class Interview:
    """A topic and its exchanges; `topic` is also what a cue card asks for (Part 2)."""

    topic: str
    exchanges: tuple[Exchange, ...]


def _text(value: Any, where: str, *, empty: bool = False) -> str:
    if not isinstance(value, str) or not (empty or value.strip()):
        raise refuse("value_type", where, shown(value), "a text" if empty else "a text that is not empty")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise refuse("text_too_long", where, f"{len(value)} characters", f"at most {MAX_TEXT_CHARACTERS}")
    return value


def _exchange(data: Any, where: str) -> Exchange:
    found: Mapping[str, Any] = as_object(data, where, ("question",), ("answer", "recording", "transcript"))
    question = _text(found["question"], f"{where}/question")
    if "answer" in found:
        if "recording" in found or "transcript" in found:
            raise refuse(
                "answer_twice", where, "an answer beside files", "an answer, or a recording and its transcript"
            )
        return Exchange(question, _text(found["answer"], f"{where}/answer", empty=True))
    files = {key: _text(found[key], f"{where}/{key}") for key in ("recording", "transcript") if key in found}
    if not files:
        raise refuse("answer_missing", where, "a question alone", "answer, recording or transcript beside it")
    return Exchange(question, None, files.get("recording"), files.get("transcript"))


def interview_from_json(data: Any, where: str, highest: int = 12) -> Interview:
    """Return the interview that a JSON object describes: {"topic", "answers": [{"question", "answer"}]}.

    Instead of `answer`, an answer may name files: `recording`, `transcript`, or both. An empty answer is a question
    that was not answered. Raises RequestError with the JSON pointer after `where`.
    """
    found = as_object(data, where, ("topic", "answers"))
    rows = found["answers"]
    if not isinstance(rows, list):
        raise refuse("request_shape", f"{where}/answers", shown(rows), "a list")
    if not 1 <= len(rows) <= highest:
        raise refuse("answers_count", f"{where}/answers", f"{len(rows)} answers", f"1 to {highest}")
    exchanges = tuple(_exchange(row, f"{where}/answers/{index}") for index, row in enumerate(rows))
    return Interview(_text(found["topic"], f"{where}/topic"), exchanges)
