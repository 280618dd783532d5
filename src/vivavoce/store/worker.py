"""Scores what waits, one attempt after another, in a thread of its own; what was cut off by a stop is begun anew."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from vivavoce.errors import RequestError, VivavoceError
from vivavoce.store.model import Attempt, Store

Tell = Callable[[str, float], None]
Score = Callable[[Attempt, Tell], dict[str, Any]]
# After so long without work what the scoring holds in memory is let go.
IDLE_S = 600.0


class Worker:
    """Takes attempts in the order in which they came.

    Parameters: `score` makes the report of one; where the `tell` that it is given raises, it must end and let that
    pass. `rest` lets go of what `score` holds.
    """

    def __init__(self, store: Store, score: Score, rest: Callable[[], object] = lambda: None) -> None:
        self._store, self._score, self._rest = store, score, rest
        self._waiting: list[str] = []
        self._now: str | None = None
        self._stopping = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)

    def start(self) -> None:
        """Begin, with what an earlier run left waiting."""
        for attempt in reversed(self._store.attempts()):
            if attempt.state == "waiting":
                self.take(attempt.id)
        self._thread.start()

    def stop(self) -> None:
        """End at once; what is being scored waits again, for the next start."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(10)

    def take(self, attempt_id: str) -> None:
        """Score this attempt when its turn comes."""
        with self._changed:
            if attempt_id not in self._waiting:
                self._waiting.append(attempt_id)
                self._changed.notify()

    def ahead(self, attempt_id: str) -> int:
        """How many attempts are scored before this one's turn; 0 for one that does not wait."""
        with self._changed:
            if attempt_id not in self._waiting:
                return 0
            return self._waiting.index(attempt_id) + (self._now is not None)

    def _run(self) -> None:
        while (attempt_id := self._next()) is not None:
            self._one(attempt_id)
        self._rest()

    def _next(self) -> str | None:
        with self._changed:
            self._now = None
            while not self._waiting and not self._stopping:
                if not self._changed.wait(IDLE_S):
                    self._rest()
            if self._stopping:
                return None
            self._now = self._waiting.pop(0)
            return self._now

    def _one(self, attempt_id: str) -> None:
        store = self._store
        try:
            attempt = store.attempt(attempt_id)
            if attempt.state != "waiting":
                return
            self._tell(attempt_id, "Starting", 0.0)
            report = self._score(attempt, lambda stage, share: self._tell(attempt_id, stage, share))
            store.keep_report(attempt_id, report)
        except _StoppedError:
            self._quietly(lambda: store.again(attempt_id))
        except VivavoceError as error:
            told = error.as_dict()
            self._quietly(lambda: store.fail(attempt_id, told))
        except Exception as error:  # noqa: BLE001  one fault must not end the scoring of all that waits
            told = fault(type(error).__name__).as_dict()
            self._quietly(lambda: store.fail(attempt_id, told))

    def _tell(self, attempt_id: str, stage: str, share: float) -> None:
        if self._stopping:
            raise _StoppedError
        self._store.tell(attempt_id, stage=stage, progress=share)

    @staticmethod
    def _quietly(say: Callable[[], None]) -> None:
        """Say what became of an attempt, where there is still one to say it of and a disk that takes it."""
        try:
            say()
        except VivavoceError:
            return


class _StoppedError(Exception):
    """The worker ends while an attempt is being scored."""


def fault(what: str) -> RequestError:
    """Return the error for a fault of the program itself."""
    return RequestError(
        "scoring_failed",
        where="scoring the recording",
        found=f"a fault of the program ({what})",
        allowed="a recording that the engine can score",
        remedy="score it again; if it fails again, report the fault: the recording is kept",
    )
