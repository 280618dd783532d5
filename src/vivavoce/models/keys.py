"""Keys: read from a file or the environment, held where no `repr` shows them, and struck from every text."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vivavoce.errors import ModelError

# A run of this many characters of a key is struck too: servers echo keys cut short, joined or quoted.
_RUN = 8
# Shorter keys are placeholders for servers that want any word ("none", "local"), and words of honest answers.
_REAL = 16
_STRUCK = "[key]"


class Secret:
    """A key that shows itself to nobody but `reveal`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> str:
        raise TypeError("a key is not copied or stored")

    def reveal(self) -> str:
        """Return the key itself, for the header that carries it."""
        return self._value

    @property
    def is_real(self) -> bool:
        """Whether it is too long to be a word that a model may say by chance."""
        return len(self._value) >= _REAL

    def struck_from(self, text: str) -> str:
        """Return the text without the key, and without any run of eight or more characters of it."""
        text = text.replace(self._value, _STRUCK)
        hits = [False] * len(text)
        for start in range(len(self._value) - _RUN + 1):
            run = self._value[start : start + _RUN]
            at = text.find(run)
            while at >= 0:
                hits[at : at + _RUN] = [True] * _RUN
                at = text.find(run, at + 1)
        if not any(hits):
            return text
        parts: list[str] = []
        for index, (letter, hit) in enumerate(zip(text, hits, strict=True)):
            if not hit:
                parts.append(letter)
            elif index == 0 or not hits[index - 1]:
                parts.append(_STRUCK)
        return "".join(parts)


def _no_key(where: str, found: str, allowed: str, remedy: str) -> ModelError:
    return ModelError("model_no_key", where=where, found=found, allowed=allowed, remedy=remedy)


def _checked(text: str, where: str) -> Secret:
    """Return the key of a text; its characters must be fit for a header, and are never shown."""
    key = text.strip()
    if not key:
        raise _no_key(where, "nothing", "one key", "put the provider's key there")
    if not (key.isascii() and key.isprintable()) or " " in key:
        allowed = "letters, digits and signs of one line, no spaces"
        raise _no_key(where, "characters that no key has", allowed, "put the key there alone, without quotes or notes")
    return Secret(key)


def from_file(path: Path) -> Secret:
    """Return the key in the first line of a file that only its owner and group can read."""
    where = f"the key file {path.name}"
    try:
        with path.open(encoding="utf-8") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & stat.S_IROTH:
                raise _no_key(where, "a file that everyone can read", "mode 600", f"run: chmod 600 {path.name}")
            line = file.readline(10_000)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _no_key(where, reason, "a text file", "name a file that holds the key") from error
    except UnicodeDecodeError:
        line = "\0"
    return _checked(line, where)


def from_environment(names: tuple[str, ...]) -> Secret | None:
    """Return the key of the first of these variables that is set and not empty, None when none is."""
    for name in names:
        if os.environ.get(name, "").strip():
            return _checked(os.environ[name], f"the environment's {name}")
    return None
