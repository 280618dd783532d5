"""Language models by name: `open_model` and what it is asked with. The providers' packages load when one is asked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from vivavoce.errors import ModelError
from vivavoce.models.chat import ChatModel, ChatReply, ChatRequest

__all__ = ["ChatModel", "ChatReply", "ChatRequest", "open_model"]


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    key_file: Path | None = None,
    hears: bool | None = None,
    prices: Mapping[str, Mapping[str, Decimal]] | None = None,
) -> ChatModel:
    """Return the model that `spec` names; nothing is sent yet.

    Parameters: `spec` is `openai:MODEL`, `anthropic:MODEL` or `google:MODEL`, with an address after it where it is not
    the provider's own (`openai:MODEL@http://localhost:8080/v1`); `base_url` is the same address given apart;
    `key_file` holds the key in its first line (else the environment is asked); `hears` overrides whether the model
    takes sound; `prices` gives for each model what a million input and output tokens cost.
    Raises `ModelError`: `model_unknown`, `model_no_key`; `MissingError` (`extra_missing`) without the SDK.
    """
    raise ModelError(
        "model_unknown",
        where=spec,
        found="no provider yet",
        allowed="openai:MODEL",
        remedy="wait for the next commit",
    )
