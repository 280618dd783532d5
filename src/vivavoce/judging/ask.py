"""Ask a language model for one marker: K independent samples, each asked afresh when its reply breaks the contract."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vivavoce.errors import MissingError, ModelError, RequestError
from vivavoce.judging.cache import Cache
from vivavoce.judging.checks import Facts
from vivavoce.judging.contract import Contract
from vivavoce.judging.judge import Brief, Reply, Verdict, refused, reply_from_dict
from vivavoce.judging.prompt import Prompt, render
from vivavoce.models.chat import ChatModel, ChatReply, ChatRequest
from vivavoce.notice import Notice

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
    """One of K judgements: its raw replies, and what was accepted of the last (None: nothing was)."""

    replies: tuple[Reply, ...]
    accepted: dict[str, Any] | None = None
    failure: Notice | None = None


class ModelJudge:
    """A judge that asks a language model.

    Parameters: `samples` independent judgements a marker, of which the median counts; `cache` of earlier replies
    (None: none is kept); `fresh` asks again in spite of it; `timeout_s` and `max_output_tokens` bound every call.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        samples: int = 1,
        cache: Cache | None = None,
        fresh: bool = False,
        timeout_s: float = 120.0,
        max_output_tokens: int = 2000,
        on_ask: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self._model = model
        self._samples = samples
        self._cache = cache
        self._fresh = fresh
        self._timeout_s = timeout_s
        self._max_output_tokens = max_output_tokens
        self._on_ask = on_ask

    @property
    def spec(self) -> str:
        """The model as the user named it."""
        return self._model.spec

    def judge(self, brief: Brief) -> Verdict:
        """Return the median of the samples, or the named state that there is instead."""
        hears = self._model.hears and brief.material.audio_wav is not None
        if brief.marker == "pronunciation" and not hears:
            return refused(brief.marker, self.spec, "not_scored", _no_audio(brief.material.audio_wav is not None))
        contract = brief.contract()
        prompt = render(brief.rubric, brief.module, brief.grade_band, brief.marker, brief.material, hears=hears)
        facts = brief.material.facts(brief.rubric, brief.module, brief.grade_band)
        samples = []
        for number in range(1, self._samples + 1):
            if self._on_ask is not None:
                self._on_ask(brief.marker, number, self._samples)
            samples.append(self._sample(brief, prompt, contract, facts, number, hears=hears))
            if samples[-1].failure is not None and samples[-1].failure.code != UNREADABLE:
                # A missing key or server does not come back for the next sample.
                break
        return settle(brief, self.spec, contract, prompt.digest, samples, self._samples)

    def _sample(
        self, brief: Brief, prompt: Prompt, contract: Contract, facts: Facts, number: int, *, hears: bool
    ) -> Sample:
        key = self._key(brief, prompt, number, hears=hears)
        kept = None if self._fresh else self._kept(key, number)
        if kept is not None:
            return read_replies(kept, contract, facts)
        sample = self._asked(brief, prompt, contract, facts, number, hears=hears)
        if self._cache is not None and sample.accepted is not None:
            self._cache.put(key, [reply.as_dict() for reply in sample.replies])
        return sample

    def _kept(self, key: tuple[str, ...], number: int) -> tuple[Reply, ...] | None:
        rows = [] if self._cache is None else self._cache.get(key)
        try:
            return tuple(replace(reply_from_dict(row), sample=number, cached=True) for row in rows) or None
        except RequestError:
            # A damaged file counts as none: the question is asked again, and the file written anew.
            return None

    def _key(self, brief: Brief, prompt: Prompt, number: int, *, hears: bool) -> tuple[str, ...]:
        audio = brief.material.audio_sha256 if hears else ""
        steadiness = "one" if self._samples == 1 else f"sample {number}"
        return (self.spec, prompt.digest, audio, steadiness, str(self._max_output_tokens))

    def _asked(
        self, brief: Brief, prompt: Prompt, contract: Contract, facts: Facts, number: int, *, hears: bool
    ) -> Sample:
        replies: list[Reply] = []
        for attempt in range(brief.rubric.judging.attempts):
            steady = self._samples == 1 and attempt == 0
            request = ChatRequest(
                system=prompt.system,
                user=prompt.user,
                schema=prompt.schema,
                schema_name=brief.marker,
                audio_wav=brief.material.audio_wav if hears else None,
                temperature=TEMPERATURE_ONE if steady else TEMPERATURE_MORE,
                seed=number * 100 + attempt,
                max_output_tokens=self._max_output_tokens,
                timeout_s=self._timeout_s,
            )
            try:
                received = self._model.ask(request)
            except ModelError as error:
                replies.append(_broken(error, number))
                if error.code in ("model_cut_off", "model_reply_unusable"):
                    continue
                return Sample(tuple(replies), None, failure(error))
            except MissingError as error:
                return Sample(tuple(replies), None, Notice(error.code, error.found, error.remedy))
            reply, accepted = read_reply(_received(received, number), contract, facts)
            replies.append(reply)
            if accepted is not None:
                return Sample(tuple(replies), accepted)
        return Sample(tuple(replies), None, _unreadable(replies))


def read_reply(reply: Reply, contract: Contract, facts: Facts) -> tuple[Reply, dict[str, Any] | None]:
    """Return the reply marked accepted or refused by the contract, and what was accepted."""
    try:
        accepted = contract.read(reply.raw, facts)
    except RequestError as error:
        return replace(reply, accepted=False, error=error.as_dict()), None
    return replace(reply, accepted=True, error=None), accepted


def read_replies(replies: Sequence[Reply], contract: Contract, facts: Facts) -> Sample:
    """Return the sample that raw replies make when they are read in order; the first that fits counts."""
    read: list[Reply] = []
    for reply in replies:
        if not reply.raw and reply.error is not None:
            read.append(reply)
            continue
        marked, accepted = read_reply(reply, contract, facts)
        read.append(marked)
        if accepted is not None:
            return Sample(tuple(read), accepted)
    return Sample(tuple(read), None, _unreadable(read))


def settle(brief: Brief, spec: str, contract: Contract, digest: str, samples: Sequence[Sample], wanted: int) -> Verdict:
    """Return the verdict of K samples: the median counts, the lower one of two, and a wide spread is for a person."""
    replies = tuple(reply for sample in samples for reply in sample.replies)
    known: dict[str, Any] = {"replies": replies, "samples": wanted, "prompt_digest": digest}
    good = sorted(
        (sample.accepted for sample in samples if sample.accepted is not None), key=lambda a: a[contract.score_key]
    )
    if 2 * len(good) <= wanted:
        reason = next(sample.failure for sample in samples if sample.failure is not None)
        return refused(brief.marker, spec, "pending", reason, **known)
    median = good[(len(good) - 1) // 2]
    scores = tuple(s.accepted[contract.score_key] for s in samples if s.accepted is not None)
    return Verdict(
        brief.marker,
        spec,
        accepted=median,
        values=contract.scoring_values(median),
        scores=scores,
        needs_person=_spread(brief, scores),
        at=next((reply.at for reply in reversed(replies) if reply.accepted), ""),
        **known,
    )


def _spread(brief: Brief, scores: tuple[int, ...]) -> Notice | None:
    limit = int(brief.rubric.judging.spread_limit.value)
    if max(scores) - min(scores) <= limit:
        return None
    return Notice(
        "judgements_spread",
        f"{len(scores)} independent judgements lie {max(scores) - min(scores)} points apart (limit {limit})",
        f"let a person judge {brief.marker}: vivavoce judge REPORT --marker {brief.marker} --score N --by NAME",
    )


def _no_audio(recorded: bool) -> Notice:
    found = "the judge does not hear" if recorded else "there is no recording to hear"
    remedy = "ask a judge that hears, or let a person listen; pronunciation is never guessed from text"
    return Notice("no_audio", found, remedy)


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


def failure(error: ModelError) -> Notice:
    """Return the named state of a marker whose model could not be asked."""
    return Notice(STATES.get(error.code, "judge_failed"), error.found, error.remedy)


def _unreadable(replies: Sequence[Reply]) -> Notice:
    last = replies[-1].error if replies else None
    broken = f": {last['code']} at {last['where']}, found {last['found']}" if last else ""
    return Notice(
        UNREADABLE,
        f"{len(replies)} replies, none of which fits the contract{broken}",
        "the raw replies are kept in the report; ask again with --fresh, take another judge, or let a person judge",
    )
