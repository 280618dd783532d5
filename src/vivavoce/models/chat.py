"""What is asked of a language model and what comes back, whoever serves it. Knows nothing of rubrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question, asked afresh: a model is given no memory of earlier ones.

    `schema` is a JSON schema that the provider may constrain its answer by; the caller validates the answer all the
    same. `audio_wav` is a whole RIFF/WAVE file, 16 kHz, mono, 16-bit PCM. `timeout_s` bounds everything that `ask`
    does, retries and waits included; `max_output_tokens` bounds what one answer may cost.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None
    schema_name: str = "reply"
    audio_wav: bytes | None = None
    temperature: float = 0.0
    seed: int | None = None
    max_output_tokens: int = 2000
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One answer: its text as it came, which model gave it (as the server names itself), when, and what it cost.

    `finish` is the provider's own word for why the answer ended; `at` is UTC to the second; `seconds` is the time that
    `ask` took, waits included; tokens are None where the server does not tell, `cost` is None where no price was given.
    """

    text: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    finish: str
    at: str
    seconds: float
    cost: Decimal | None


class ChatModel(Protocol):
    """A model that can be asked. `spec` names it (`openai:NAME`); `hears` says whether it takes `audio_wav`."""

    @property
    def spec(self) -> str:
        """The model as the user named it, with its address where one was given; never its key."""

    @property
    def hears(self) -> bool:
        """Whether sound may be sent along."""

    def ask(self, request: ChatRequest) -> ChatReply:
        """Ask once and return the answer; raises `ModelError` with a code that names what went wrong."""
