"""One person's own machine: everything in one folder, one process.

    folder/tasks/ID.json                    {"title", "task"}
    folder/attempts/ID/attempt.json         what model.Attempt holds, and the sender's key
    folder/attempts/ID/recording.EXT        as it was received
    folder/attempts/ID/report.json          the report, once there is one

A file is written beside its place and moved there, so that a stop leaves the old one or the new one.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.store.model import Attempt, KeptTask

_ID = re.compile(r"[0-9a-f]{32}")


class FolderStore:
    """A `Store` in a folder that only its owner can read."""

    def __init__(self, folder: Path, built_in: Sequence[KeptTask] = ()) -> None:
        self.folder = folder
        self._built_in = {kept.id: kept for kept in built_in}
        self._lock = threading.RLock()
        for part in ("tasks", "attempts"):
            (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        self._attempts: dict[str, Attempt] = {}
        self._keys: dict[str, str] = {}
        for attempt, key in self._read_attempts():
            self._attempts[attempt.id] = attempt
            self._keys[key] = attempt.id

    def tasks(self) -> Sequence[KeptTask]:
        """All tasks, the person's own first, by title."""
        own = [self._read_task(path) for path in (self.folder / "tasks").glob("*.json")]
        return [*sorted(own, key=lambda kept: kept.title.casefold()), *self._built_in.values()]

    def task(self, task_id: str) -> KeptTask:
        """One task. Raises RequestError `task_unknown`."""
        if task_id in self._built_in:
            return self._built_in[task_id]
        path = self.folder / "tasks" / f"{task_id}.json"
        if not _ID.fullmatch(task_id) or not path.is_file():
            raise _unknown("task", task_id)
        return self._read_task(path)

    def keep_task(self, title: str, task: Mapping[str, Any]) -> KeptTask:
        """Keep a new task under a new id."""
        kept = KeptTask(secrets.token_hex(16), title, dict(task))
        _write(self.folder / "tasks" / f"{kept.id}.json", {"title": kept.title, "task": kept.task})
        return kept

    def delete_task(self, task_id: str) -> None:
        """Forget a task of the person's own. Raises RequestError for one that is built in, or unknown."""
        kept = self.task(task_id)
        if kept.built_in:
            raise RequestError(
                "task_built_in",
                where=f"task {task_id}",
                found="a task that comes with the program",
                allowed="a task of your own",
                remedy="leave it: it takes no room",
            )
        (self.folder / "tasks" / f"{task_id}.json").unlink()

    def add(
        self,
        key: str,
        task_id: str,
        recording: Path,
        *,
        file_name: str,
        made_by: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> Attempt:
        """Move a recording in as a new attempt; the same key again gives the first one."""
        with self._lock:
            if key in self._keys:
                return self._attempts[self._keys[key]]
            task = self.task(task_id).task
            attempt = Attempt(
                id=secrets.token_hex(16),
                task_id=task_id,
                task=task,
                made_at=datetime.now(UTC),
                made_by=made_by,
                file_name=file_name,
                state="waiting",
                settings=dict(settings or {}),
            )
            place = self._place(attempt.id)
            place.mkdir(mode=0o700)
            shutil.move(recording, place / f"recording{_suffix(file_name)}")
            self._keys[key] = attempt.id
            self._keep(attempt, key)
            return attempt

    def attempts(self, task_id: str | None = None) -> Sequence[Attempt]:
        """All attempts, or those at one task, newest first."""
        found = [a for a in list(self._attempts.values()) if task_id in (None, a.task_id)]
        return sorted(found, key=lambda attempt: attempt.made_at, reverse=True)

    def attempt(self, attempt_id: str) -> Attempt:
        """One attempt. Raises RequestError `attempt_unknown`."""
        try:
            return self._attempts[attempt_id]
        except KeyError:
            raise _unknown("attempt", attempt_id) from None

    def recording(self, attempt_id: str) -> Path:
        """The recording as it was received."""
        return next(self._place(self.attempt(attempt_id).id).glob("recording*"))

    def report(self, attempt_id: str) -> dict[str, Any] | None:
        """The report, or None while there is none."""
        path = self._place(self.attempt(attempt_id).id) / "report.json"
        if not path.is_file():
            return None
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def keep_report(self, attempt_id: str, report: Mapping[str, Any]) -> None:
        """Keep the report; the attempt is done."""
        with self._lock:
            attempt = self.attempt(attempt_id)
            _write(self._place(attempt_id) / "report.json", report)
            self._keep(replace(attempt, state="done", stage="", progress=1.0, error=None))

    def tell(self, attempt_id: str, *, stage: str, progress: float) -> None:
        """Say how far the scoring is; kept in memory only: after a stop it begins anew."""
        with self._lock:
            attempt = self.attempt(attempt_id)
            self._attempts[attempt_id] = replace(attempt, state="working", stage=stage, progress=progress, error=None)

    def fail(self, attempt_id: str, error: Mapping[str, str]) -> None:
        """Say why there is no report."""
        with self._lock:
            self._keep(replace(self.attempt(attempt_id), state="failed", stage="", progress=0.0, error=dict(error)))

    def again(self, attempt_id: str) -> None:
        """Put an attempt back to wait."""
        with self._lock:
            self._keep(replace(self.attempt(attempt_id), state="waiting", stage="", progress=0.0, error=None))

    def delete(self, attempt_id: str) -> None:
        """Delete all that is known of the attempt."""
        with self._lock:
            place = self._place(self.attempt(attempt_id).id)
            del self._attempts[attempt_id]
            self._keys = {key: found for key, found in self._keys.items() if found != attempt_id}
            shutil.rmtree(place)

    def _place(self, attempt_id: str) -> Path:
        return self.folder / "attempts" / attempt_id

    def _keep(self, attempt: Attempt, key: str | None = None) -> None:
        key = key or next(key for key, found in self._keys.items() if found == attempt.id)
        self._attempts[attempt.id] = attempt
        record = asdict(attempt) | {"made_at": attempt.made_at.isoformat(), "key": key}
        _write(self._place(attempt.id) / "attempt.json", record)

    def _read_attempts(self) -> Iterator[tuple[Attempt, str]]:
        for path in (self.folder / "attempts").glob("*/attempt.json"):
            data = json.loads(path.read_text(encoding="utf-8"))
            key = data.pop("key")
            attempt = Attempt(**data | {"made_at": datetime.fromisoformat(data["made_at"])})
            yield replace(attempt, state="waiting") if attempt.state == "working" else attempt, key

    @staticmethod
    def _read_task(path: Path) -> KeptTask:
        data = json.loads(path.read_text(encoding="utf-8"))
        return KeptTask(path.stem, data["title"], data["task"])


def _suffix(file_name: str) -> str:
    """The end of a file's name, where it is a plain one: what the file is, its content says."""
    suffix = Path(file_name).suffix.lower()
    return suffix if re.fullmatch(r"\.[a-z0-9]{1,5}", suffix) else ""


def _write(path: Path, data: Mapping[str, Any]) -> None:
    new = path.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _unknown(what: str, name: str) -> RequestError:
    return RequestError(
        f"{what}_unknown",
        where=f"{what} {name[:40]}",
        found=f"no such {what}",
        allowed=f"a {what} of this folder",
        remedy="choose one from the list; it may have been deleted",
    )
