"""Google's Gemini API through the `google-genai` SDK. Its models hear."""

from __future__ import annotations

import json
from typing import Any

from google import genai
from google.genai import errors, types

from vivavoce.models.asking import AskedModel
from vivavoce.models.chat import ChatRequest
from vivavoce.models.failures import TryError, of_status, unreadable
from vivavoce.models.reading import Answer, count, error_message, json_object, part, parts, text
from vivavoce.models.wire import http_client


class GoogleModel(AskedModel):
    """A model of Google's."""

    def config(self, request: ChatRequest, *, constrained: bool) -> types.GenerateContentConfig:
        """Return everything of the request but the question."""
        schema = request.schema if constrained else None
        return types.GenerateContentConfig(
            system_instruction=request.system or None,
            temperature=request.temperature,
            seed=request.seed,
            max_output_tokens=request.max_output_tokens,
            response_mime_type=None if schema is None else "application/json",
            response_json_schema=None if schema is None else dict(schema),
            # The body as it came: the SDK's own reading raises on what it does not know.
            should_return_http_response=True,
        )

    async def send(self, request: ChatRequest, left_s: float) -> Answer:
        """Send the question; when the server refuses it with the schema, once more without."""
        contents = [types.Part.from_text(text=request.user)]
        if request.audio_wav is not None:
            contents.append(types.Part.from_bytes(data=request.audio_wav, mime_type="audio/wav"))
        async with http_client(left_s, loopback=self._spec.loopback) as http:
            client = self._client(http, left_s)
            constrained = request.schema is not None and "schema" not in self._left_out
            try:
                body = await self._send(client, contents, self.config(request, constrained=constrained))
            except errors.ClientError as error:
                if error.code != 400 or not constrained or _about_the_key(error):
                    raise
                body = await self._send(client, contents, self.config(request, constrained=False))
                self._left_out = frozenset({"schema"})
            return read_answer(body, self.spec)

    async def _send(self, client: genai.Client, contents: list[types.Part], config: types.GenerateContentConfig) -> str:
        reply = await client.aio.models.generate_content(
            model=self._spec.name, contents=types.Content(role="user", parts=contents), config=config
        )
        raw = reply.sdk_http_response
        return "" if raw is None or raw.body is None else raw.body

    def _client(self, http: Any, left_s: float) -> genai.Client:
        return genai.Client(
            api_key="none" if self._key is None else self._key.reveal(),
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=self._spec.base_url,
                timeout=max(1, int(left_s * 1000)),
                httpx_async_client=http,
            ),
        )

    def explain(self, error: Exception) -> TryError | None:
        """Name what the SDK raised."""
        if isinstance(error, errors.APIError):
            said = self.struck(error_message(error.details) or str(error.message or ""))
            status = error.code if isinstance(error.code, int) else 0
            if status == 400 and _about_the_key(error):
                status = 401
            headers = getattr(error.response, "headers", {})
            return of_status(self.spec, status, headers, said)
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            return unreadable(self.spec, "an answer that the SDK cannot read")
        return None


def _about_the_key(error: errors.APIError) -> bool:
    """Whether a 400 is about the key: Google answers a bad one with that, and not with a 401."""
    return "api_key" in error_message(error.details).lower().replace(" ", "_")


_REFUSED = {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR"}


def read_answer(body: str, where: str) -> Answer:
    """Return the answer in the body of a generated content; raises `TryError` when it is none."""
    tree = json_object(body, where, "generated content", ("candidates", "promptFeedback"))
    blocked = text(part(tree, "promptFeedback"), "blockReason")
    candidate = next(iter(parts(tree, "candidates")), {})
    pieces = [piece for piece in parts(part(candidate, "content"), "parts") if piece.get("thought") is not True]
    said = "".join(text(piece, "text") for piece in pieces)
    finish = blocked or text(candidate, "finishReason") or "not told"
    trouble = "" if said.strip() else "unusable"
    if blocked or finish in _REFUSED:
        trouble = "refused"
    elif finish == "MAX_TOKENS":
        trouble = "cut_off"
    usage = part(tree, "usageMetadata")
    output = count(usage, "candidatesTokenCount")
    thoughts = count(usage, "thoughtsTokenCount")
    if thoughts is not None:
        output = (output or 0) + thoughts
    return Answer(said, text(tree, "modelVersion"), finish, count(usage, "promptTokenCount"), output, trouble)
