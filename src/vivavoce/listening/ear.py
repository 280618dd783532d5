"""The weights of the trained ear: read from the package without running anything, and only if they are known."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from vivavoce.errors import InputError
from vivavoce.listening.network import Ear
from vivavoce.listening.result import TextSource
from vivavoce.listening.weights_digest import SHA256

FILE = "ear.npz"
SOURCES: tuple[TextSource, ...] = ("reference", "recogniser")


@dataclass(frozen=True, slots=True)
class Trained:
    """An ear by where the text is from, what training measured with them (`facts`), and the digest of it all."""

    ears: Mapping[TextSource, Ear]
    facts: Mapping[str, Any]
    sha256: str


@lru_cache(maxsize=1)
def trained() -> Trained:
    """Return the shipped weights.

    Raises InputError `listener_changed` where the file is not the one that this version was measured with.
    """
    content = (files("vivavoce.listening") / FILE).read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        raise InputError(
            "listener_changed",
            where=f"vivavoce/listening/{FILE}",
            found=f"SHA-256 {found}",
            allowed=f"SHA-256 {SHA256}",
            remedy="install vivavoce again: its listener's weights are damaged or were exchanged",
        )
    return Trained(*read(content), found)


def read(content: bytes) -> tuple[Mapping[TextSource, Ear], Mapping[str, Any]]:
    """Return the ears and the facts of a weights file: plain arrays, and JSON as bytes; nothing in it can run."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        facts = json.loads(bytes(arrays["facts"]).decode("utf-8"))
        groups: dict[str, dict[str, Any]] = {}
        for name in arrays.files:
            group, slash, rest = name.rpartition("/")
            if slash:
                groups.setdefault(group, {})[rest] = arrays[name].astype(np.float32)
    return {source: _ear(groups, source, float(facts["mix"])) for source in SOURCES}, facts


def _ear(groups: Mapping[str, Mapping[str, Any]], source: TextSource, mix: float) -> Ear:
    networks = [groups[name] for name in sorted(groups) if name.startswith(f"{source}/network")]
    return Ear(groups[f"{source}/shared"], tuple(networks), mix)
