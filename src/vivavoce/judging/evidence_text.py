"""The block of evidence in a prompt: task texts, words with their times, measurements; every free text is quoted."""

from __future__ import annotations

from collections.abc import Iterator

from vivavoce.judging.fence import quoted
from vivavoce.judging.material import Material
from vivavoce.timeline import Pause, Word

PHRASE_GAP_MS = 500
MEASURED = {
    "pronunciation": ("response_s", "word_count"),
    "fluency": (
        "response_s",
        "speech_s",
        "word_count",
        "hesitations_per_minute",
        "false_starts_per_30_s",
        "disruptive_fillers_per_30_s",
        "filled_pauses",
        "fillers",
        "false_starts",
        "repetitions",
        "cut_offs",
        "recovery_s",
        "longest_recovery_s",
    ),
    "task_adherence": ("response_s", "word_count"),
}


def evidence_lines(marker: str, material: Material) -> Iterator[str]:
    """Yield the lines of the evidence: what the judge of this marker may use."""
    yield from _task_lines(marker, material)
    for name in MEASURED[marker]:
        found = material.measurements.get(name)
        if found is not None:
            value = "not measured" if found.value is None else found.number
            yield f"measured {name} ({found.unit}): {value}" + (f", {found.note}" if found.note else "")
    if not material.words:
        yield "transcript: no words"
    elif marker == "task_adherence":
        yield f"transcript: {quoted(' '.join(word.text for word in material.words))}"
    else:
        yield "transcript, with seconds from start to end:"
        yield from _timed(material)


def _task_lines(marker: str, material: Material) -> Iterator[str]:
    task = material.task
    if task.prompt is not None:
        yield f"prompt: {quoted(task.prompt)}"
    if task.reference is not None:
        yield f"text to be read: {quoted(task.reference)}"
    if marker != "task_adherence":
        return
    for number, item in enumerate(task.checklist, 1):
        marks = (" (end with)" if item.end_with else "") + (" (may stay vague)" if item.may_stay_vague else "")
        yield f"point_{number}{marks}: {quoted(item.text)}"
    for number, question in enumerate(task.questions, 1):
        yield f"question_{number}: {quoted(question)}"
    if task.keywords:
        yield "keywords (counted by code): " + ", ".join(quoted(keyword) for keyword in task.keywords)


def _timed(material: Material) -> Iterator[str]:
    """Phrases between pauses of half a second or more, and the pauses."""
    long = [pause for pause in material.pauses if pause.length_ms >= PHRASE_GAP_MS]
    phrase: list[Word] = []
    for word in material.words:
        while long and long[0].end_ms <= word.start_ms:
            pause = long.pop(0)
            if phrase:
                yield _phrase(phrase)
                phrase = []
            yield _pause(pause)
        phrase.append(word)
    if phrase:
        yield _phrase(phrase)


def _phrase(words: list[Word]) -> str:
    text = quoted(" ".join(word.text for word in words))
    return f"{_s(words[0].start_ms)}-{_s(words[-1].end_ms)}: {text}"


def _pause(pause: Pause) -> str:
    kind = {"phrase": "at a phrase end", "choppy": "inside a phrase", "hesitation": "hesitation"}[pause.kind]
    return f"{_s(pause.start_ms)}-{_s(pause.end_ms)}: pause of {_s(pause.length_ms)} s, {kind}"


def _s(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.2f}"
