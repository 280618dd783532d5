"""The files that the package pocketsphinx carries: acoustic model, dictionary and language model of US English.

They are found without running the package's own code, and must be those of the version known here.
"""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from vivavoce.errors import MissingError, need

EXTRA, PACKAGE = "recognizer", "pocketsphinx"
# SHA-256 of the files of pocketsphinx 5.1: other files are another model, and other numbers.
SHA256 = {
    "en-us/mdef": "2360f9a86889c1cfee8bd618a0269387911e5fb2920a594f506b18b8c79683b0",
    "en-us/means": "832019e32cac12eb318964f96f469034acb12d0348eeddc3831831a100cb4dd4",
    "en-us/variances": "b00d696f85e96834fc10f8e5f06428d8c4db6bffdbe5845b6f69bf6efbc48fa5",
    "en-us/sendump": "8c9564c0d5bef69ca9d9bf1014abe162f071644cf02cf1fa8a483c3dc165a7a8",
    "en-us/transition_matrices": "c1f7f28ea43177be734be1f88bd7f1b9a853d0e660f8599c67c6eaeca8bb539a",
    "cmudict-en-us.dict": "20b5c293e1f311fb375fe067e500ec5636f4fc7af5594967263696def9b23bfe",
    "en-us.lm.bin": "db21d0642286677699e6dbc859d2e5395570222361999387ce60f6e1d01995d6",
}


def is_installed() -> bool:
    """Return whether the package is installed, without importing it."""
    return find_spec(PACKAGE) is not None


def model_file(name: str) -> bytes:
    """Return the content of one of the package's files, named as in SHA256.

    Raises MissingError `extra_missing` where the package is not installed, `acoustic_model_changed` where the file is
    not that of version 5.1.
    """
    return _checked(name)[1]


def model_path(name: str) -> Path:
    """Return where one of the package's files is, its content checked; raises as `model_file` does."""
    return _checked(name)[0]


def _checked(name: str) -> tuple[Path, bytes]:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise need(EXTRA, PACKAGE)
    path = Path(spec.submodule_search_locations[0]) / "model" / "en-us" / name
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        raise MissingError(
            "acoustic_model_changed",
            where=f"package {PACKAGE}, {name}",
            found="another file than in the version known here" if content else "no such file",
            allowed="the files of pocketsphinx 5.1",
            remedy="install it again: pip install --force-reinstall 'pocketsphinx>=5.1,<5.2'",
        )
    return path, content
