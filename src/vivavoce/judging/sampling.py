"""One of K judgements: ask a model, read its reply by a contract, ask afresh when it breaks it; or replay kept ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vivavoce.errors import MissingError, ModelError, RequestError
from vivavoce.judging.cache import Cache
from vivavoce.judging.judge import Reply, reply_from_dict
from vivavoce.models.chat import ChatModel, ChatReply, ChatRequest
from vivavoce.notice import Notice

Read = Callable[[str], Any]

# A single judgement is asked as steadily as a model can; independent ones and second attempts need some freedom.
TEMPERATURE_ONE, TEMPERATURE_MORE = 0.0, 0.7
UNREADABLE = "judge_unreadable"
STATES = {
    "model_no_key": "judge_no_key",
    "model_key_refused": "judge_key_refused",
    "model_no_server": "judge_no_server",
    "model_timeout": "judge_timeout",
    "model_rate_limited": "judge_rate_limited",
    "model_refused": "judge_refused",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """One of K judgements: its raw replies, and what was accepted of the last (None: nothing was, and why)."""

    replies: tuple[Reply, ...]
    accepted: Any = None
    failure: Notice | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """How one judgement is asked: `request` by attempt from 0, `read` raises RequestError for a broken reply."""

    model: ChatModel
    request: Callable[[int], ChatRequest]
    read: Read
    attempts: int

    def sample(self, number: int, cache: Cache | None, key: Sequence[str], *, fresh: bool) -> Sample:
        """Return judgement `number`, from the cache where it is kept there; what is accepted is kept."""
        kept = None if fresh or cache is None else _kept(cache, key, number)
        if kept is not None:
            found = read_replies(kept, self.read)
            if found.accepted is not None:
                return found
            # Accepted once and not any more: the checks have changed since, or the file has. It is asked again.
        made = self._asked(number)
        if cache is not None and made.accepted is not None:
            cache.put(key, [reply.as_dict() for reply in made.replies])
        return made

    def _asked(self, number: int) -> Sample:
        replies: list[Reply] = []
        for attempt in range(self.attempts):
            try:
                received = self.model.ask(self.request(attempt))
            except ModelError as error:
                replies.append(_broken(error, number))
                if error.code in ("model_cut_off", "model_reply_unusable"):
                    continue
                return Sample(tuple(replies), None, failure(error))
            except MissingError as error:
                return Sample(tuple(replies), None, Notice(error.code, error.found, error.remedy))
            reply, accepted = read_reply(_received(received, number), self.read)
            replies.append(reply)
            if accepted is not None:
                return Sample(tuple(replies), accepted)
        return Sample(tuple(replies), None, _unreadable(replies))


def _kept(cache: Cache, key: Sequence[str], number: int) -> tuple[Reply, ...] | None:
    try:
        return tuple(replace(reply_from_dict(row), sample=number, cached=True) for row in cache.get(key)) or None
    except RequestError:
        # A damaged file counts as none: the question is asked again, and the file written anew.
        return None


def read_reply(reply: Reply, read: Read) -> tuple[Reply, Any]:
    """Return the reply marked accepted or refused, and what was accepted (None: nothing)."""
    try:
        accepted = read(reply.raw)
    except RequestError as error:
        return replace(reply, accepted=False, error=error.as_dict()), None
    return replace(reply, accepted=True, error=None), accepted


def read_replies(replies: Sequence[Reply], read: Read) -> Sample:
    """Return the sample that raw replies make when they are read in order; the first that fits counts."""
    marked: list[Reply] = []
    for reply in replies:
        if not reply.raw and reply.error is not None:
            marked.append(reply)
            continue
        one, accepted = read_reply(reply, read)
        marked.append(one)
        if accepted is not None:
            return Sample(tuple(marked), accepted)
    return Sample(tuple(marked), None, _unreadable(marked))


def failure(error: ModelError) -> Notice:
    """Return the named state of a marker whose model could not be asked."""
    return Notice(STATES.get(error.code, "judge_failed"), error.found, error.remedy)


def _received(reply: ChatReply, number: int) -> Reply:
    return Reply(
        raw=reply.text,
        accepted=False,
        sample=number,
        model=reply.model,
        at=reply.at,
        seconds=round(reply.seconds, 3),
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost=None if reply.cost is None else str(reply.cost),
    )


def _broken(error: ModelError, number: int) -> Reply:
    return Reply(
        raw=error.raw,
        accepted=False,
        error=error.as_dict(),
        sample=number,
        input_tokens=error.input_tokens,
        output_tokens=error.output_tokens,
        cost=None if error.cost is None else str(error.cost),
    )


def _unreadable(replies: Sequence[Reply]) -> Notice:
    last = replies[-1].error if replies else None
    broken = f": {last['code']} at {last['where']}, found {last['found']}" if last else ""
    return Notice(
        UNREADABLE,
        ("1 reply, which does not fit" if len(replies) == 1 else f"{len(replies)} replies, none of which fits")
        + f" the contract{broken}",
        "the raw replies are kept in the report; ask again with --fresh, take another judge, or let a person judge",
    )
