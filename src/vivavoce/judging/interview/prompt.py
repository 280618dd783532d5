"""The V33 prompt, rendered from the edition: the guide's text in its order, with the interview put in as data.

What a candidate said stands in quotation marks as one JSON string, which it cannot close; a placeholder inside an
answer is not filled in, since the parts are put together once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from vivavoce.interview import Interview
from vivavoce.judging.fence import quoted
from vivavoce.judging.interview.contract import best_reply
from vivavoce.rubric.graduated import Criterion, Graduated

RULE = "---"


def render(edition: Graduated, interview: Interview) -> str:
    """Return the prompt for an interview whose answers are known as text.

    Raises ValueError where an answer is still a file.
    """
    return "\n\n".join(_parts(edition, interview))


def digest_of(prompt: str) -> str:
    """Return the SHA-256 of a prompt, as reports and caches cite it."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def _filled(text: str, **values: str) -> str:
    """Put values into a text's places, each once, so that nothing in a value is filled in itself."""
    made, rest = "", text
    while "{" in rest:
        before, _, after = rest.partition("{")
        name, _, rest = after.partition("}")
        made += before + values[name]
    return made + rest


def _input(edition: Graduated, interview: Interview) -> Iterator[str]:
    texts = edition.texts
    pairs = []
    for number, exchange in enumerate(interview.exchanges, 1):
        if exchange.answer is None:
            raise ValueError(f"answer {number} is not known as text")
        place = str(number)
        pairs.append(
            _filled(texts["question"], number=place, question=quoted(exchange.question))
            + "\n"
            + _filled(texts["answer"], number=place, answer=quoted(exchange.answer))
        )
    topic = _filled(texts["topic"], topic=quoted(interview.topic))
    yield "\n".join([texts["recording"], topic, texts["answers"], pairs[0]])
    yield from pairs[1:]


def _parts(edition: Graduated, interview: Interview) -> Iterator[str]:
    texts = edition.texts
    yield texts["opening"]
    yield from _input(edition, interview)
    yield texts["feedback"]
    yield _filled(texts["topic_again"], topic=quoted(interview.topic))
    for name in ("method", "calibration", "high_bands", "criteria"):
        yield texts[name]
    yield RULE
    for number, criterion in enumerate(edition.criteria, 1):
        yield from _criterion(edition, number, criterion)
        yield RULE
    for name in ("distinction", "overall", "observations"):
        yield texts[name]
        yield RULE
    yield texts["shape"]
    yield texts["format"] + "\n" + "\n".join(best_reply(edition))
    yield texts["closed"]
    yield texts["closing"]


def _criterion(edition: Graduated, number: int, criterion: Criterion) -> Iterator[str]:
    texts, ours = edition.texts, criterion.id == edition.note_criterion
    yield f"**Criterion {number}: {criterion.title}**\n*Evaluates: {criterion.evaluates}*"
    if ours:
        yield texts["pronunciation_boundary"]
    checks = []
    for place, check in enumerate(criterion.checks, 1):
        checks.append(
            f"{place}. {check.id} ({check.threshold}): {check.question}\n"
            f"   - YES: {check.passed}\n   - NO: {check.failed}"
        )
    yield f"Binary Checks ({criterion.heading}):\n" + "\n\n".join(checks)
    if ours:
        yield texts["pronunciation_note"]
        yield texts["pronunciation_rationale"]
    yield f"Band Mapping ({criterion.mapping_heading}):\n" + "\n".join(criterion.mapping_text)
    if ours:
        yield texts["pronunciation_distinction"]
