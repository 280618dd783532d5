"""Scores what waits, one attempt after another, in a thread of its own; what was cut off by a stop is begun anew."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from vivavoce.errors import RequestError, VivavoceError
from vivavoce.store.model import Attempt, Store

Tell = Callable[[str, float], None]
Score = Callable[[Attempt, Tell], dict[str, Any]]


class Worker:
    """Takes attempts in the order in which they came; `score` makes the report of one."""

    def __init__(self, store: Store, score: Score) -> None:
        self._store, self._score = store, score
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)

    def start(self) -> None:
        """Begin, with what an earlier run left waiting."""
        for attempt in reversed(self._store.attempts()):
            if attempt.state == "waiting":
                self.take(attempt.id)
        self._thread.start()

    def stop(self) -> None:
        """End after the attempt that is being scored."""
        self._queue.put(None)

    def take(self, attempt_id: str) -> None:
        """Score this attempt when its turn comes."""
        self._queue.put(attempt_id)

    def _run(self) -> None:
        while (attempt_id := self._queue.get()) is not None:
            self._one(attempt_id)

    def _one(self, attempt_id: str) -> None:
        store = self._store
        try:
            attempt = store.attempt(attempt_id)
            if attempt.state != "waiting":
                return
            store.tell(attempt_id, stage="Starting", progress=0.0)
            report = self._score(attempt, lambda stage, share: store.tell(attempt_id, stage=stage, progress=share))
            store.keep_report(attempt_id, report)
        except VivavoceError as error:
            # Deleted while it was scored: nothing is left to tell.
            if error.code != "attempt_unknown":
                store.fail(attempt_id, error.as_dict())
        except Exception as error:  # noqa: BLE001  one fault must not end the scoring of all that waits
            store.fail(attempt_id, _fault(error).as_dict())


def _fault(error: Exception) -> RequestError:
    return RequestError(
        "scoring_failed",
        where="scoring the recording",
        found=f"a fault of the program ({type(error).__name__}: {error})",
        allowed="a recording that the engine can score",
        remedy="score it again; if it fails again, report the fault: the recording is kept",
    )
