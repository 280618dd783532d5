"""What every provider's client shares: limits, tries, the key kept out of sight, time, tokens and cost."""

from __future__ import annotations

import io
import math
import time
import wave
from abc import ABC, abstractmethod
from datetime import UTC, datetime

from vivavoce.errors import ModelError
from vivavoce.models.chat import ChatReply, ChatRequest
from vivavoce.models.deadline import run_within
from vivavoce.models.failures import TryError, tidy, too_late
from vivavoce.models.keys import Secret
from vivavoce.models.prices import Prices, cost
from vivavoce.models.reading import Answer
from vivavoce.models.retry import Retries, with_retries
from vivavoce.models.spec import Spec
from vivavoce.models.wire import of_transport

AUDIO_RATE = 16_000


_TROUBLE = {
    "refused": ("model_refused", "an answer", "use another model, or let a person judge"),
    "cut_off": ("model_cut_off", "a whole answer", "allow more output tokens, or use a model that thinks less"),
    "unusable": ("model_reply_unusable", "an answer with a text in it", "ask again, or use another model"),
}
_SAID = {
    "refused": "the model declined to answer",
    "cut_off": "an answer cut off at the limit of tokens",
    "unusable": "an answer without text",
}


def check_request(request: ChatRequest, *, hears: bool) -> None:
    """Raise ValueError for a request that no caller should make; it is a fault of the program, not of its user."""
    if not (math.isfinite(request.timeout_s) and request.timeout_s > 0):
        raise ValueError("timeout_s is a number of seconds above 0")
    if request.max_output_tokens < 1:
        raise ValueError("max_output_tokens is 1 or more")
    if request.audio_wav is None:
        return
    if not hears:
        raise ValueError("this model takes no sound")
    try:
        with wave.open(io.BytesIO(request.audio_wav)) as sound:
            form = (sound.getframerate(), sound.getnchannels(), sound.getsampwidth())
    except (wave.Error, EOFError) as error:
        raise ValueError("audio_wav is a RIFF/WAVE file of PCM samples") from error
    if form != (AUDIO_RATE, 1, 2):
        raise ValueError("audio_wav is 16 kHz, mono, 16-bit PCM")


class AskedModel(ABC):
    """A model behind a provider's SDK. Subclasses send one request and read one answer; the rest is here."""

    def __init__(self, spec: Spec, key: Secret | None, *, hears: bool, prices: Prices | None, retries: Retries) -> None:
        self._spec = spec
        self._key = key
        self._hears = hears
        self._prices = prices
        self._retries = retries
        self._left_out: frozenset[str] = frozenset()

    @property
    def spec(self) -> str:
        """The model as the user named it, with its address where it is not the provider's own."""
        return self._spec.text

    @property
    def hears(self) -> bool:
        """Whether it takes sound."""
        return self._hears

    @property
    def left_out(self) -> frozenset[str]:
        """What of a `ChatRequest` this model turned out not to take (`schema`, `temperature`, `seed`)."""
        return self._left_out

    def __repr__(self) -> str:
        return f"<model {self.spec}>"

    @abstractmethod
    async def send(self, request: ChatRequest, left_s: float) -> Answer:
        """Send the question once and read the answer."""

    @abstractmethod
    def explain(self, error: Exception) -> TryError | None:
        """Return the failure for an exception of the SDK, None for any other."""

    def ask(self, request: ChatRequest) -> ChatReply:
        """Ask and return the answer, within `request.timeout_s` and with the tries that `Retries` allows.

        Raises `ModelError` with the code of what went wrong; ValueError for a request that cannot be sent.
        """
        check_request(request, hears=self._hears)
        started = time.monotonic()
        answer = with_retries(lambda left_s: self._try(request, left_s), request.timeout_s, self._retries)
        names = (f"{self._spec.provider}:{self._spec.name}", self._spec.name)
        paid = cost(self._prices, names, answer.input_tokens, answer.output_tokens)
        if answer.trouble:
            code, allowed, remedy = _TROUBLE[answer.trouble]
            raise ModelError(
                code,
                where=self.spec,
                found=f"{_SAID[answer.trouble]} ({self.struck(tidy(answer.finish))})",
                allowed=allowed,
                remedy=remedy,
                raw=self._said(answer.text),
                input_tokens=answer.input_tokens,
                output_tokens=answer.output_tokens,
                cost=paid,
            )
        return ChatReply(
            text=self._said(answer.text),
            model=self.struck(tidy(answer.model)) or self._spec.name,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            finish=self.struck(tidy(answer.finish)),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - started, 3),
            cost=paid,
        )

    def _try(self, request: ChatRequest, left_s: float) -> Answer:
        """Send once; whatever goes wrong comes out as `TryError`, without the SDK's exception in its context."""
        if left_s <= 0:
            raise too_late(self.spec, request.timeout_s)
        failed: TryError | None
        try:
            return run_within(left_s, lambda: self.send(request, left_s))
        except TimeoutError:
            failed = too_late(self.spec, request.timeout_s)
        except TryError as error:
            failed = error
        except Exception as error:
            failed = of_transport(self.spec, error, request.timeout_s) or self.explain(error)
            if failed is None:
                raise
        raise failed

    def struck(self, text: str) -> str:
        """Return a text without the key."""
        return text if self._key is None else self._key.struck_from(text)

    def _said(self, text: str) -> str:
        """Return a model's words, without the key where it is one that nobody says by chance."""
        return self.struck(text) if self._key is not None and self._key.is_real else text
