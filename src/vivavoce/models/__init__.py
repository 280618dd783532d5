"""Language models by name: `open_model` and what it is asked with. The providers' packages load when one is asked."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.errors import ModelError, need
from vivavoce.models.chat import ChatModel, ChatReply, ChatRequest
from vivavoce.models.keys import Secret, from_environment, from_file
from vivavoce.models.prices import read_prices
from vivavoce.models.retry import Retries
from vivavoce.models.spec import Spec, parse_spec, unknown

if TYPE_CHECKING:
    from vivavoce.models.asking import AskedModel

__all__ = ["ChatModel", "ChatReply", "ChatRequest", "Retries", "open_model", "read_prices"]

# For each provider: the extra, the SDK's module, the room and class of its client, and where its key may stand.
_PROVIDERS = {
    "openai": ("judge", "openai", "openai_chat", "OpenAIModel", ("OPENAI_API_KEY",)),
    "anthropic": ("anthropic", "anthropic", "anthropic_chat", "AnthropicModel", ("ANTHROPIC_API_KEY",)),
    "google": ("google", "google.genai", "google_chat", "GoogleModel", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
}


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _key(spec: Spec, key_file: Path | None, names: tuple[str, ...]) -> Secret | None:
    """Return the key to send; the environment's goes nowhere unencrypted, and a server of this machine needs none."""
    if key_file is not None:
        return from_file(key_file)
    if spec.loopback or not spec.encrypted:
        return None
    key = from_environment(names)
    if key is None:
        raise ModelError(
            "model_no_key",
            where=spec.text,
            found="no key",
            allowed=f"a key in {' or '.join(names)} or in a key file",
            remedy=f"set {names[0]}, or name a key file",
        )
    return key


def _hears(spec: Spec, asked: bool | None) -> bool:
    """Return whether the model takes sound: as told, else Google's do, and OpenAI's whose name says audio."""
    if spec.provider == "anthropic":
        if asked:
            raise unknown(spec.text, "sound for a model of Anthropic's", "text only", "use another provider for sound")
        return False
    if asked is not None:
        return asked
    return spec.provider == "google" or "audio" in spec.name.lower()


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    key_file: Path | None = None,
    hears: bool | None = None,
    prices: Mapping[str, Mapping[str, Decimal]] | None = None,
    retries: Retries | None = None,
) -> ChatModel:
    """Return the model that `spec` names; nothing is sent yet.

    Parameters: `spec` is `openai:MODEL`, `anthropic:MODEL` or `google:MODEL`, with an address after it where it is not
    the provider's own (`openai:MODEL@http://localhost:8080/v1`); `base_url` is the same address given apart;
    `key_file` holds the key in its first line (else the environment is asked); `hears` overrides whether the model
    takes sound; `prices` gives for each model what a million input and output tokens cost; `retries` how often and
    how patiently is asked again.
    Raises `ModelError`: `model_unknown`, `model_no_key`; `MissingError` (`extra_missing`) without the SDK.
    """
    parsed = parse_spec(spec, base_url)
    extra, module, room, name, variables = _PROVIDERS[parsed.provider]
    if not _installed(module):
        raise need(extra, module)
    takes_sound = _hears(parsed, hears)
    key = _key(parsed, key_file, variables)
    client: type[AskedModel] = getattr(importlib.import_module(f"vivavoce.models.{room}"), name)
    return client(parsed, key, hears=takes_sound, prices=prices, retries=retries or Retries())
