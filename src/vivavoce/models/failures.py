"""What went wrong with one try, as one of the named codes, and whether asking again can help."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping

from vivavoce.errors import ModelError

_SHOWN = 300
_FILTERS = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
_QUOTA = ("insufficient_quota", "billing", "credit balance")


class TryError(Exception):
    """One try came to nothing: the error, whether another try may help, and how long the server asks to wait."""

    def __init__(self, error: ModelError, *, again: bool = False, after_s: float | None = None) -> None:
        super().__init__(error.code)
        self.error = error
        self.again = again
        self.after_s = after_s


def tidy(text: str) -> str:
    """Return a server's words as an error shows them: one line, printable, short."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 20 * _SHOWN]).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return how many seconds the server asks to wait (RFC 9110, 10.2.3: seconds or a date), None when it does not.

    Parameters: `now` is the time in seconds since 1970; by default the server's own `date`, else this machine's.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        then = _moment(text)
        if then is None:
            return None
        if now is None:
            now = _moment(headers.get("date", "")) or time.time()
        return max(0.0, then - now)
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _moment(text: str) -> float | None:
    """Return an HTTP date in seconds since 1970, None for anything else."""
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def no_answer(where: str, why: str, *, again: bool = True) -> TryError:
    """Return the failure for a server that cannot be reached or that breaks off."""
    remedy = "check the address and that the server runs, then try again"
    allowed = "a server that answers"
    return TryError(ModelError("model_no_server", where=where, found=why, allowed=allowed, remedy=remedy), again=again)


def too_late(where: str, timeout_s: float) -> TryError:
    """Return the failure for an answer that did not come in the time allowed."""
    return TryError(
        ModelError(
            "model_timeout",
            where=where,
            found=f"no whole answer in {timeout_s:g} s",
            allowed=f"an answer within {timeout_s:g} s, retries included",
            remedy="allow more time, or use a faster model",
        )
    )


def unreadable(where: str, why: str) -> TryError:
    """Return the failure for an answer that is none."""
    return TryError(
        ModelError(
            "model_reply_unusable",
            where=where,
            found=why,
            allowed="an answer of the provider's API with a text in it",
            remedy="check that the address is the one of the API, and ask again",
        )
    )


def of_status(where: str, status: int, headers: Mapping[str, str], said: str) -> TryError:
    """Return the failure for an HTTP status other than success; `said` is the body's message, without the key."""
    again = False
    found = f"HTTP {status}" + (f": {tidy(said)}" if said.strip() else "")
    lower = said.lower()
    if status == 401:
        code, allowed, found = "model_key_refused", "a key that the server takes", "HTTP 401"
        remedy = "check the key, and that it belongs to this provider"
    elif status in {400, 403, 422} and any(word in lower for word in _FILTERS):
        code, allowed = "model_refused", "an answer"
        remedy = "use another model, or let a person judge"
    elif status == 403:
        code, allowed = "model_key_refused", "a key that may use this model"
        remedy = "check what the key may do"
    elif status == 404:
        code, allowed = "model_unknown", "a model that the server has"
        remedy = "check the model's name and the server's address"
    elif 300 <= status < 400:
        return no_answer(where, f"HTTP {status}: the server sends us to another address", again=False)
    elif status == 402 or (status in {400, 429} and any(word in lower for word in _QUOTA)):
        code, allowed = "model_rate_limited", "an account with credit"
        remedy = "look at the account's credit and limits"
    elif status == 429:
        code, allowed, again = "model_rate_limited", "fewer questions in this time", True
        remedy = "wait and try again, or raise the account's limits"
    elif status in {408, 409, 425} or status >= 500:
        code, allowed, again = "model_server_error", "an answer", True
        remedy = "try again later"
    else:
        code, allowed = "model_server_error", "a request that the server takes"
        remedy = "use a model that takes such requests (its length, sound or schema)"
    error = ModelError(code, where=where, found=found, allowed=allowed, remedy=remedy)
    return TryError(error, again=again, after_s=retry_after(headers) if again else None)
