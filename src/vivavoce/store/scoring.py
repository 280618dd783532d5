"""The whole flow for one attempt: hear, listen, score; told in stages."""

from __future__ import annotations

from typing import Any

from vivavoce.judging.local import SCALE
from vivavoce.judging.local.judge import LocalJudge
from vivavoce.judging.local.listener import Listener
from vivavoce.judging.panel import Panel
from vivavoce.pipeline import hear, score_recording
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, Store
from vivavoce.store.worker import Score, Tell
from vivavoce.submission import task_from_json

# Shares of the time: hearing the words takes most of it.
HEARD, LISTENED = 0.7, 0.95


def scorer(store: Store) -> Score:
    """Return what scores an attempt of this store with the local judge."""

    def score(attempt: Attempt, tell: Tell) -> dict[str, Any]:
        task = task_from_json(dict(attempt.task), "task ")
        tell("Hearing the words", 0.0)
        heard = hear(
            store.recording(attempt.id), on_progress=lambda share: tell("Hearing the words", HEARD * min(share, 1.0))
        )
        listen = Listener(None, lambda: tell("Listening to how the words sound", HEARD))
        panel = Panel(dict.fromkeys(SCALE, LocalJudge()))
        tell("Measuring", HEARD)
        return score_recording(published(), task, heard, (), attempt.file_name, panel, listen=listen)

    return score
