"""The whole flow for one attempt: hear, listen, score; told in stages, in a process of its own.

Of its own, so that a fault in a decoder ends nothing else, a stop or a deletion ends the work at once, and what the
models hold in memory goes back when nothing is to be scored.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from vivavoce.errors import AudioError, RequestError, VivavoceError
from vivavoce.judging.local import SCALE
from vivavoce.judging.local.judge import LocalJudge
from vivavoce.judging.local.listener import Listener
from vivavoce.judging.panel import Panel
from vivavoce.pipeline import hear, score_recording
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, Store
from vivavoce.store.worker import Tell, fault
from vivavoce.submission import task_from_json

# The share of the time that hearing the words takes.
HEARD = 0.7
# How often a stop or a deletion is looked for.
LOOK_S = 0.2
# How long it may take to put away what it holds.
GRACE_S = 5.0


@dataclass(frozen=True, slots=True)
class Order:
    """What the scoring process is asked for."""

    task: dict[str, Any]
    recording: Path
    file_name: str


def score_order(order: Order, tell: Tell) -> dict[str, Any]:
    """Return the report of a recording by the local judge. Raises what the pipeline raises."""
    task = task_from_json(order.task, "task ")
    tell("Hearing the words", 0.0)
    heard = hear(order.recording, on_progress=lambda share: tell("Hearing the words", HEARD * min(share, 1.0)))
    listen = Listener(None, lambda: tell("Listening to how the words sound", HEARD))
    panel = Panel(dict.fromkeys(SCALE, LocalJudge()))
    tell("Measuring", HEARD)
    return score_recording(published(), task, heard, (), order.file_name, panel, listen=listen)


def work(orders: Connection) -> None:
    """Score what is ordered until the other end is closed; each answer is `told`, `done` or `failed` with its parts."""
    # Ctrl+C reaches every process of a terminal: the server says when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while True:
        try:
            order = orders.recv()
        except (EOFError, ConnectionError):
            return
        try:
            answer: tuple[Any, ...] = (
                "done",
                score_order(order, lambda stage, share: orders.send(("told", stage, share))),
            )
        except ConnectionError:
            return
        except AudioError as error:
            # The folder's own paths are no one's business on a page.
            answer = ("failed", error.as_dict() | {"where": "the recording"})
        except VivavoceError as error:
            answer = ("failed", error.as_dict())
        except Exception as error:  # noqa: BLE001  the next order is another recording
            answer = ("failed", fault(_place(error)).as_dict())
        try:
            orders.send(answer)
        except ConnectionError:
            # The server has ended meanwhile; the attempt waits for its next start.
            return


def _place(error: Exception) -> str:
    """Return what kind of fault it was and where in the code; not its words, which may be the speaker's."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"


class ScoringProcess:
    """Scores attempts of a store, one at a time, in a process that is begun when it is needed and kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._process: BaseProcess | None = None
        self._orders: Connection | None = None

    def __call__(self, attempt: Attempt, tell: Tell) -> dict[str, Any]:
        """Return the report of an attempt. Raises VivavoceError, or what `tell` raises; then the process is ended."""
        orders = self._ready()
        stage, share = "Starting", 0.0
        try:
            orders.send(Order(dict(attempt.task), self._store.recording(attempt.id), attempt.file_name))
            while True:
                tell(stage, share)
                if not orders.poll(LOOK_S):
                    continue
                kind, *parts = orders.recv()
                if kind == "told":
                    stage, share = parts
                elif kind == "done":
                    report: dict[str, Any] = parts[0]
                    return report
                else:
                    raise RequestError(**parts[0])
        except (EOFError, ConnectionError) as error:
            self.end()
            raise fault("the scoring process ended of itself") from error
        except RequestError as error:
            if error.code == "attempt_unknown":
                self.end()
            raise
        except BaseException:
            self.end()
            raise

    def _ready(self) -> Connection:
        if self._orders is None or self._process is None or not self._process.is_alive():
            self.end()
            context = multiprocessing.get_context("spawn")
            here, there = context.Pipe()
            process = context.Process(target=work, args=(there,), name="vivavoce scoring", daemon=True)
            process.start()
            there.close()
            self._process, self._orders = process, here
        return self._orders

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._orders is not None:
            self._orders.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join(GRACE_S)
            self._process.kill()
            self._process.join(GRACE_S)
        self._process = self._orders = None
