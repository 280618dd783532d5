"""The worker: in order, on after a fault, over after a stop, and away at once from what was deleted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from store_tools import added, opened, until

from vivavoce.errors import AudioError, RequestError
from vivavoce.store.folder import FolderStore
from vivavoce.store.model import Attempt
from vivavoce.store.scoring import ScoringProcess
from vivavoce.store.worker import Tell, Worker


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FolderStore]:
    made = opened(tmp_path / "kept")
    yield made
    made.close()


def states(store: FolderStore) -> list[str]:
    """The states, oldest first."""
    return [attempt.state for attempt in reversed(store.attempts())]


class Held:
    """Scores nothing until it is let go; tells its stage meanwhile."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.order: list[str] = []

    def __call__(self, attempt: Attempt, tell: Tell) -> dict[str, Any]:
        self.order.append(attempt.id)
        while not self.go.wait(0.01):
            tell("Held", 0.25)
        return {"of": attempt.id}


def test_in_the_order_in_which_they_came(store: FolderStore) -> None:
    held = Held()
    worker = Worker(store, held)
    ids = [added(store, key).id for key in "abc"]
    worker.start()
    until(lambda: store.attempt(ids[0]).stage == "Held")
    assert store.attempt(ids[0]).progress == 0.25
    assert [worker.ahead(each) for each in ids] == [0, 1, 2]
    late = added(store, "d")
    worker.take(late.id)
    worker.take(late.id)
    assert worker.ahead(late.id) == 3
    held.go.set()
    until(lambda: states(store) == ["done"] * 4)
    assert held.order == [*ids, late.id]
    assert store.report(ids[1]) == {"of": ids[1]}
    worker.stop()


def test_it_goes_on_after_faults(store: FolderStore) -> None:
    def score(attempt: Attempt, tell: Tell) -> dict[str, Any]:
        if attempt.made_by == "named":
            raise AudioError("audio_unreadable", where="w", found="f", allowed="a", remedy="r")
        if attempt.made_by == "fault":
            raise ZeroDivisionError("of Ada, aged nine")
        if attempt.made_by == "unfit":
            return {"a set is no JSON": {1}}
        return {}

    ids = [added(store, key, made_by=key).id for key in ("named", "fault", "unfit", "good")]
    worker = Worker(store, score)
    worker.start()
    until(lambda: states(store) == ["failed", "failed", "failed", "done"])
    codes = [(store.attempt(each).error or {}).get("code") for each in ids]
    assert codes == ["audio_unreadable", "scoring_failed", "scoring_failed", None]
    told = store.attempt(ids[1]).error
    assert told is not None
    assert "Ada" not in str(told), "a fault's own words may be the speaker's"
    worker.stop()


def test_a_full_disk_does_not_end_it(store: FolderStore, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held()
    held.go.set()
    first = added(store, "a")
    full = threading.Event()
    full.set()
    real = store.keep_report

    def keep(attempt_id: str, report: dict[str, Any]) -> None:
        if full.is_set():
            raise RequestError("folder_full", where="w", found="f", allowed="a", remedy="r")
        real(attempt_id, report)

    monkeypatch.setattr(store, "keep_report", keep)
    worker = Worker(store, held)
    worker.start()
    until(lambda: store.attempt(first.id).state == "failed")
    full.clear()
    second = added(store, "b")
    worker.take(second.id)
    until(lambda: store.attempt(second.id).state == "done")
    store.again(first.id)
    worker.take(first.id)
    until(lambda: store.attempt(first.id).state == "done")
    worker.stop()


def test_a_stop_is_at_once_and_the_next_start_begins_anew(store: FolderStore) -> None:
    held = Held()
    ids = [added(store, key).id for key in "ab"]
    worker = Worker(store, held)
    worker.start()
    until(lambda: store.attempt(ids[0]).state == "working")
    worker.stop()
    assert states(store) == ["waiting", "waiting"]
    folder = store.folder
    store.close()
    again = opened(folder)
    held.go.set()
    second = Worker(again, held)
    second.start()
    until(lambda: states(again) == ["done", "done"])
    assert held.order == [ids[0], *ids]
    second.stop()
    again.close()


def test_what_is_deleted_while_it_is_scored_is_let_go(store: FolderStore) -> None:
    held = Held()
    first, second = (added(store, key).id for key in "ab")
    worker = Worker(store, held)
    worker.start()
    until(lambda: store.attempt(first).state == "working")
    store.delete(first)
    until(lambda: held.order == [first, second])
    held.go.set()
    until(lambda: states(store) == ["done"])
    assert [path.name for path in (store.folder / "attempts").iterdir()] == [second]
    worker.stop()


def test_the_scoring_process_tells_named_errors_and_outlives_them(store: FolderStore) -> None:
    """A real process of its own; no weights are needed to find out that a file is no recording."""
    scoring = ScoringProcess(store)
    stages: list[str] = []
    attempt = added(store, sound=b"this is no recording\n" * 50)
    for _ in range(2):
        with pytest.raises(RequestError) as error:
            scoring(attempt, lambda stage, share: stages.append(stage))
        assert error.value.code == "audio_unreadable"
        assert error.value.where == "the recording", "the folder's paths stay out of it"
    assert "Hearing the words" in stages
    process = scoring._process
    assert process is not None
    assert process.is_alive(), "kept for the next one"

    def deleted(stage: str, share: float) -> None:
        raise RequestError("attempt_unknown", where="w", found="f", allowed="a", remedy="r")

    with pytest.raises(RequestError) as error:
        scoring(attempt, deleted)
    assert error.value.code == "attempt_unknown"
    assert not process.is_alive(), "it does not go on with what was deleted"
    with pytest.raises(RequestError) as error:
        scoring(attempt, lambda stage, share: None)
    assert error.value.code == "audio_unreadable"
    process = scoring._process
    assert process is not None
    scoring.end()
    assert not process.is_alive()


def test_a_scoring_process_that_dies_is_a_named_fault(store: FolderStore) -> None:
    scoring = ScoringProcess(store)
    attempt = added(store)

    def dies(stage: str, share: float) -> None:
        if scoring._process is not None and scoring._process.is_alive():
            scoring._process.kill()

    with pytest.raises(RequestError) as error:
        scoring(attempt, dies)
    assert error.value.code == "scoring_failed"
    with pytest.raises(RequestError) as error:
        scoring(attempt, lambda stage, share: None)
    assert error.value.code == "audio_unreadable", "another is begun"
    scoring.end()
