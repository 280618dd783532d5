"""The OpenAI chat protocol, as OpenAI and the many servers that copy it speak it, through the plain `openai` SDK."""

from __future__ import annotations

import base64
from typing import Any

import httpx2
import openai

from vivavoce.models.asking import AskedModel
from vivavoce.models.chat import ChatRequest
from vivavoce.models.failures import TryError, of_status, unreadable
from vivavoce.models.reading import Answer, count, error_message, json_object, part, parts, text
from vivavoce.models.wire import http_client

# What servers refuse most often; each is left out (or said the other way) when the server says so, and only then.
_SCHEMA = "response_format"
_LIMITS = ("max_completion_tokens", "max_tokens")
_OPTIONAL = ("temperature", "seed")


class OpenAIModel(AskedModel):
    """A model that speaks the OpenAI chat protocol."""

    #: The fields that this server turned out not to take: they are not sent again.
    _fields_out: frozenset[str] = frozenset()

    @property
    def left_out(self) -> frozenset[str]:
        """What of a `ChatRequest` this server turned out not to take (`schema`, `temperature`, `seed`)."""
        return frozenset("schema" if name == _SCHEMA else name for name in self._fields_out - set(_LIMITS))

    def body(self, request: ChatRequest, left_out: frozenset[str]) -> dict[str, Any]:
        """Return the request's fields, without those that are left out."""
        content: Any = request.user
        if request.audio_wav is not None:
            data = base64.b64encode(request.audio_wav).decode("ascii")
            sound = {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}
            content = [{"type": "text", "text": request.user}, sound]
        messages = [{"role": "system", "content": request.system}] if request.system else []
        fields: dict[str, Any] = {
            "model": self._spec.name,
            "messages": [*messages, {"role": "user", "content": content}],
            "temperature": request.temperature,
        }
        if request.seed is not None:
            fields["seed"] = request.seed
        if request.schema is not None:
            schema = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
            fields[_SCHEMA] = {"type": "json_schema", "json_schema": schema}
        if self._spec.at_home:
            # OpenAI keeps the questions and answers of new accounts unless it is told not to.
            fields["store"] = False
        fields = {name: value for name, value in fields.items() if name not in left_out}
        # OpenAI's reasoning models refuse max_tokens, older servers do not know the new name: a limit is always sent.
        first, second = _LIMITS if self._spec.at_home else reversed(_LIMITS)
        fields[second if first in left_out else first] = request.max_output_tokens
        return fields

    async def send(self, request: ChatRequest, left_s: float) -> Answer:
        """Send the question; what the server says that it does not take is left out and the question sent again."""
        left_out = self._fields_out
        async with http_client(left_s, loopback=self._spec.loopback) as http:
            create = self._client(http).chat.completions.with_raw_response.create
            while True:
                fields = self.body(request, left_out)
                try:
                    reply = await create(**fields, extra_headers=self._headers())
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    name = refused_field(error, fields, left_out)
                    if name is None:
                        raise
                    left_out |= {name}
                else:
                    self._fields_out |= left_out
                    return read_answer(reply.content, self.spec)

    def _client(self, http: httpx2.AsyncClient) -> Any:
        return openai.AsyncOpenAI(
            api_key="none" if self._key is None else self._key.reveal(),
            base_url=self._spec.base_url,
            max_retries=0,
            timeout=http.timeout,
            http_client=http,
        )

    def _headers(self) -> dict[str, Any]:
        """Return the headers that the SDK would send and that do not belong to this server."""
        unsent = [] if self._key is not None else ["Authorization"]
        if not self._spec.at_home:
            unsent += ["OpenAI-Organization", "OpenAI-Project"]
        return dict.fromkeys(unsent, openai.Omit())

    def explain(self, error: Exception) -> TryError | None:
        """Name what the SDK raised."""
        if isinstance(error, openai.APIStatusError):
            said = self.struck(error_message(error.body) or error.response.text)
            return of_status(self.spec, error.status_code, error.response.headers, said)
        if isinstance(error, openai.OpenAIError):
            return unreadable(self.spec, "an answer that the SDK cannot read")
        return None


def refused_field(error: Any, fields: dict[str, Any], left_out: frozenset[str]) -> str | None:
    """Return the field that a 400 is about and that can be left out or said otherwise, None when there is none.

    A refusal that names no field is put down to the schema: servers word it in many ways, and asking once without it
    is harmless, for the answer is validated all the same.
    """
    said = f"{error.param or ''} {error_message(error.body)} {error.response.text[:2000]}".lower()
    if any(word in said for word in ("content_filter", "content_policy", "context_length", "exceed")):
        return None
    limit = next(name for name in _LIMITS if name in fields)
    if limit in said and not left_out & set(_LIMITS):
        return limit
    for name in _OPTIONAL:
        if name in fields and name in said:
            return name
    return _SCHEMA if _SCHEMA in fields else None


def _words(message: dict[str, Any], name: str) -> str:
    """Return a text of a message, which some servers give in parts."""
    return text(message, name) or "".join(text(piece, "text") for piece in parts(message, name))


def read_answer(body: bytes, where: str) -> Answer:
    """Return the answer in the body of a chat completion; raises `TryError` when it is none."""
    tree = json_object(body, where, "chat completion", ("choices",))
    usage = part(tree, "usage")
    choice = next(iter(parts(tree, "choices")), {})
    message = part(choice, "message")
    finish = text(choice, "finish_reason") or "not told"
    said, refusal = _words(message, "content"), _words(message, "refusal")
    trouble = ""
    if finish == "content_filter" or refusal:
        trouble, said = "refused", said or refusal
    elif finish == "length":
        trouble = "cut_off"
    elif not said.strip():
        trouble = "unusable"
    tokens = (count(usage, "prompt_tokens"), count(usage, "completion_tokens"))
    return Answer(said, text(tree, "model"), finish, *tokens, trouble)
