"""Ask a language model for one marker: K independent samples, each asked afresh when its reply breaks the contract."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vivavoce.judging.cache import Cache
from vivavoce.judging.checks import Facts
from vivavoce.judging.contract import Contract
from vivavoce.judging.judge import Brief, Verdict, refused
from vivavoce.judging.prompt import Prompt, render
from vivavoce.judging.sampling import TEMPERATURE_MORE, TEMPERATURE_ONE, UNREADABLE, Asking, Sample
from vivavoce.models.chat import ChatModel, ChatRequest
from vivavoce.notice import Notice


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
        def request(attempt: int) -> ChatRequest:
            steady = self._samples == 1 and attempt == 0
            return ChatRequest(
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

        audio = brief.material.audio_sha256 if hears else ""
        steadiness = "one" if self._samples == 1 else f"sample {number}"
        key = (self.spec, prompt.digest, audio, steadiness, str(self._max_output_tokens))
        attempts = brief.rubric.judging.attempts
        asking = Asking(self._model, request, lambda raw: contract.read(raw, facts), attempts)
        return asking.sample(number, self._cache, key, fresh=self._fresh)


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
