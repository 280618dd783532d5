"""Anthropic's Messages API through the `anthropic` SDK. Its models take no sound, and no temperature or seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anthropic

from vivavoce.models.asking import AskedModel
from vivavoce.models.chat import ChatRequest
from vivavoce.models.failures import TryError, of_status, unreadable
from vivavoce.models.reading import Answer, count, error_message, json_object, part, parts, text
from vivavoce.models.wire import http_client

# Constrained decoding knows no such bounds and refuses a schema that has them; the contract checks them afterwards.
_BOUNDS = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
}


def without_bounds(schema: Any) -> Any:
    """Return a JSON schema without bounds on numbers, lengths and counts; the names of properties are left alone."""
    if isinstance(schema, Mapping):
        return {
            key: {name: without_bounds(each) for name, each in value.items()}
            if key in {"properties", "$defs"} and isinstance(value, Mapping)
            else value
            if key in {"enum", "const", "default"}
            else without_bounds(value)
            for key, value in schema.items()
            if key not in _BOUNDS
        }
    if isinstance(schema, list | tuple):
        return [without_bounds(each) for each in schema]
    return schema


class AnthropicModel(AskedModel):
    """A model of Anthropic's."""

    @property
    def left_out(self) -> frozenset[str]:
        """What of a `ChatRequest` this model does not take: never a temperature and a seed, perhaps no schema."""
        return self._left_out | {"temperature", "seed"}

    def body(self, request: ChatRequest, *, constrained: bool) -> dict[str, Any]:
        """Return the request's fields."""
        fields: dict[str, Any] = {
            "model": self._spec.name,
            "max_tokens": request.max_output_tokens,
            "messages": [{"role": "user", "content": request.user}],
        }
        if request.system:
            fields["system"] = request.system
        if constrained and request.schema is not None:
            fields["output_config"] = {"format": {"type": "json_schema", "schema": without_bounds(request.schema)}}
        return fields

    async def send(self, request: ChatRequest, left_s: float) -> Answer:
        """Send the question; when the server refuses it with the schema, once more without."""
        async with http_client(left_s, loopback=self._spec.loopback) as http:
            client = anthropic.AsyncAnthropic(
                api_key="none" if self._key is None else self._key.reveal(),
                base_url=self._spec.base_url,
                max_retries=0,
                timeout=http.timeout,
                open_telemetry=False,
                http_client=http,
            )
            fields = self.body(request, constrained="schema" not in self._left_out)
            try:
                reply = await client.messages.with_raw_response.create(**fields)
            except anthropic.BadRequestError:
                if "output_config" not in fields:
                    raise
                fields.pop("output_config")
                reply = await client.messages.with_raw_response.create(**fields)
                self._left_out = frozenset({"schema"})
            return read_answer(await reply.read(), self.spec)

    def explain(self, error: Exception) -> TryError | None:
        """Name what the SDK raised."""
        if isinstance(error, anthropic.APIStatusError):
            said = self.struck(error_message(error.body) or error.response.text)
            return of_status(self.spec, error.status_code, error.response.headers, said)
        if isinstance(error, anthropic.AnthropicError):
            return unreadable(self.spec, "an answer that the SDK cannot read")
        return None


_TROUBLE = {"refusal": "refused", "max_tokens": "cut_off", "model_context_window_exceeded": "cut_off"}


def read_answer(body: bytes, where: str) -> Answer:
    """Return the answer in the body of a message; raises `TryError` when it is none."""
    tree = json_object(body, where, "message", ("content",))
    usage = part(tree, "usage")
    said = "".join(text(block, "text") for block in parts(tree, "content") if block.get("type") == "text")
    finish = text(tree, "stop_reason") or "not told"
    trouble = _TROUBLE.get(finish, "" if said.strip() else "unusable")
    tokens = (count(usage, "input_tokens"), count(usage, "output_tokens"))
    return Answer(said, text(tree, "model"), finish, *tokens, trouble)
