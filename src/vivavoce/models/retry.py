"""Asking again: full jitter, the server's own wait where it names one, and an end to all of it.

The wait before try n + 1 is drawn evenly from 0 to min(longest, base * 2^(n-1)) seconds ("full jitter": Brooker,
Exponential Backoff And Jitter, AWS Architecture Blog, 2015). A server's `Retry-After` is waited out in full and the
draw is added, so that many who were told the same second do not all come back in it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from vivavoce.errors import ModelError
from vivavoce.models.failures import TryError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a question is sent, and how long is waited between; what time and chance are is given for tests.

    `tries` counts the first one; `base_s` and `longest_s` bound the drawn waits; a server that asks for more than
    `longest_after_s` is not waited for. `draw` returns a number from 0 to 1.
    """

    tries: int = 4
    base_s: float = 0.5
    longest_s: float = 20.0
    longest_after_s: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def wait_s(self, tried: int, after_s: float | None) -> float:
        """Return the seconds to wait after the `tried`-th try."""
        drawn = self.draw() * min(self.longest_s, self.base_s * 2.0 ** (tried - 1))
        return drawn + (after_s or 0.0)


def with_retries(one_try: Callable[[float], T], timeout_s: float, retries: Retries) -> T:
    """Return what the first try that succeeds returns; each is told how many seconds are left.

    Raises the last try's `ModelError` when no more tries are worth it: its failure is final, they are used up, the
    server asks for too long a wait, or the wait would outlast `timeout_s`.
    """
    end = retries.clock() + timeout_s
    tried = 0
    while True:
        tried += 1
        try:
            return one_try(end - retries.clock())
        except TryError as failed:
            last = failed
        if not last.again or tried >= retries.tries:
            break
        if last.after_s is not None and last.after_s > retries.longest_after_s:
            break
        wait = retries.wait_s(tried, last.after_s)
        if wait >= end - retries.clock():
            break
        retries.sleep(wait)
    # Raised here and not above, so that the SDK's exception (and the headers it holds) is no part of its context.
    raise _told(last, tried)


def _told(last: TryError, tried: int) -> ModelError:
    """Return the error with how often was asked and how long the server wanted us to wait."""
    error = last.error
    notes = [f"asked {tried} times"] if tried > 1 else []
    if last.after_s is not None:
        notes.append(f"the server asks to wait {last.after_s:g} s")
    if not notes:
        return error
    found = f"{error.found} ({', '.join(notes)})"
    return ModelError(error.code, where=error.where, found=found, allowed=error.allowed, remedy=error.remedy)
