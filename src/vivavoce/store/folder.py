"""One person's own machine: everything in one folder, one process.

    folder/tasks/ID.json                    {"title", "task"}
    folder/attempts/ID/attempt.json         what model.Attempt holds, and the sender's key
    folder/attempts/ID/recording.EXT        as it was received
    folder/attempts/ID/report.json          the report, once there is one
    folder/incoming/                        what is being received or deleted; emptied at the start
    folder/lock                             held by the process that serves the folder

An attempt is put together in `incoming` and moved to its place whole, and deleted by being moved away: after a stop at
any moment it is there with its recording, or not at all. A sender who got no answer sends again under the same key.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from pathlib import Path
from typing import Any, get_args

from vivavoce.errors import RequestError
from vivavoce.store.files import Lock, disk, private_file, private_folder, read_json, settle, write_json
from vivavoce.store.model import Attempt, KeptTask, State

_ID = re.compile(r"[0-9a-f]{32}")
# What a recording is, its content says; a name may keep only an ending that a recording can have.
_ENDINGS = (
    *(".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".mp4", ".aac", ".aif", ".aiff"),
    *(".webm", ".weba", ".mka", ".mov", ".caf", ".amr", ".3gp"),
)
# The parts of an error (errors.VivavoceError.as_dict).
FAULT = ("code", "where", "found", "allowed", "remedy")


class FolderStore:
    """A `Store` in a folder that only its owner can read."""

    def __init__(self, folder: Path, built_in: Sequence[KeptTask] = ()) -> None:
        """Open the folder, made where it is missing.

        Raises OSError where it cannot be used, RequestError `folder_in_use` where another process has it.
        """
        self.folder = folder
        self._built_in = {kept.id: kept for kept in built_in}
        self._lock = threading.RLock()
        if not folder.is_dir():
            private_folder(folder)
        self._held = Lock(folder / "lock")
        shutil.rmtree(folder / "incoming", ignore_errors=True)
        for part in ("tasks", "attempts", "incoming"):
            private_folder(folder / part)
        self._attempts: dict[str, Attempt] = {}
        self._keys: dict[str, str] = {}
        self._key_of: dict[str, str] = {}
        self.damaged: list[Path] = []
        """Attempts whose `attempt.json` cannot be read: left as they are, and not listed."""
        for attempt, key in self._read_attempts():
            self._attempts[attempt.id] = attempt
            self._keys[key], self._key_of[attempt.id] = attempt.id, key

    def close(self) -> None:
        """Let another process open the folder."""
        self._held.release()

    def tasks(self) -> Sequence[KeptTask]:
        """All tasks, the person's own first, by title. A file that is no task is left out."""
        own = []
        for path in (self.folder / "tasks").glob("*.json"):
            try:
                own.append(self._read_task(path))
            except RequestError:
                continue
        return [*sorted(own, key=lambda kept: (kept.title.casefold(), kept.id)), *self._built_in.values()]

    def task(self, task_id: str) -> KeptTask:
        """One task. Raises RequestError `task_unknown`."""
        if task_id in self._built_in:
            return self._built_in[task_id]
        if not _ID.fullmatch(task_id):
            raise _unknown("task", task_id)
        return self._read_task(self.folder / "tasks" / f"{task_id}.json")

    def keep_task(self, title: str, task: Mapping[str, Any]) -> KeptTask:
        """Keep a new task under a new id."""
        kept = KeptTask(secrets.token_hex(16), title, dict(task))
        with disk():
            write_json(self.folder / "tasks" / f"{kept.id}.json", {"title": kept.title, "task": kept.task})
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
        with disk():
            (self.folder / "tasks" / f"{task_id}.json").unlink(missing_ok=True)

    def new_upload(self) -> Path:
        """Return a new, empty file in which to receive a recording before `add` takes it."""
        path = self.folder / "incoming" / secrets.token_hex(16)
        with disk():
            private_file(path).close()
        return path

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
        """Move a recording in as a new attempt; the same key again gives the first one, and the file is deleted."""
        with self._lock:
            if key in self._keys:
                recording.unlink(missing_ok=True)
                return self._attempts[self._keys[key]]
            attempt = Attempt(
                id=secrets.token_hex(16),
                task_id=task_id,
                task=self.task(task_id).task,
                made_at=datetime.now(UTC),
                made_by=made_by,
                file_name=file_name,
                state="waiting",
                settings=dict(settings or {}),
            )
            with disk():
                self._put(attempt, key, recording)
            self._attempts[attempt.id] = attempt
            self._keys[key], self._key_of[attempt.id] = attempt.id, key
            return attempt

    def attempts(self, task_id: str | None = None) -> Sequence[Attempt]:
        """All attempts, or those at one task, newest first."""
        with self._lock:
            found = [attempt for attempt in self._attempts.values() if task_id in (None, attempt.task_id)]
        return sorted(found, key=lambda attempt: attempt.made_at, reverse=True)

    def attempt(self, attempt_id: str) -> Attempt:
        """One attempt. Raises RequestError `attempt_unknown`."""
        try:
            return self._attempts[attempt_id]
        except KeyError:
            raise _unknown("attempt", attempt_id) from None

    def recording(self, attempt_id: str) -> Path:
        """The recording as it was received. Raises RequestError `recording_missing` where its file is gone."""
        found = next(self._place(self.attempt(attempt_id).id).glob("recording*"), None)
        if found is None:
            raise RequestError(
                "recording_missing",
                where="the folder of recordings and reports",
                found="no recording: its file was taken away",
                allowed="the recording beside its attempt",
                remedy="put the file back, or delete the attempt and record again",
            )
        return found

    def report(self, attempt_id: str) -> dict[str, Any] | None:
        """The report, or None while there is none. Raises RequestError `report_damaged`."""
        path = self._place(self.attempt(attempt_id).id) / "report.json"
        try:
            return read_json(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise RequestError(
                "report_damaged",
                where="the folder of recordings and reports",
                found=f"a report that cannot be read ({type(error).__name__})",
                allowed="a report as the program wrote it",
                remedy="score the recording again",
            ) from error

    def keep_report(self, attempt_id: str, report: Mapping[str, Any]) -> None:
        """Keep the report; the attempt is done."""
        with self._lock, disk():
            attempt = self.attempt(attempt_id)
            write_json(self._place(attempt_id) / "report.json", report)
            self._keep(replace(attempt, state="done", stage="", progress=1.0, error=None))

    def tell(self, attempt_id: str, *, stage: str, progress: float) -> None:
        """Say how far the scoring is; kept in memory only: after a stop it begins anew. What is over stays over."""
        with self._lock:
            attempt = self.attempt(attempt_id)
            if attempt.state in ("done", "failed"):
                return
            self._attempts[attempt_id] = replace(attempt, state="working", stage=stage, progress=progress, error=None)

    def fail(self, attempt_id: str, error: Mapping[str, str]) -> None:
        """Say why there is no report."""
        with self._lock, disk():
            self._keep(replace(self.attempt(attempt_id), state="failed", stage="", progress=0.0, error=dict(error)))

    def again(self, attempt_id: str) -> None:
        """Put an attempt back to wait."""
        with self._lock, disk():
            self._keep(replace(self.attempt(attempt_id), state="waiting", stage="", progress=0.0, error=None))

    def delete(self, attempt_id: str) -> None:
        """Delete all that is known of the attempt."""
        with self._lock, disk():
            away = self.folder / "incoming" / f"deleted-{secrets.token_hex(8)}"
            self._place(self.attempt(attempt_id).id).replace(away)
            del self._attempts[attempt_id]
            self._keys.pop(self._key_of.pop(attempt_id), None)
            shutil.rmtree(away)
            settle(self.folder / "attempts")

    def _put(self, attempt: Attempt, key: str, recording: Path) -> None:
        """Put an attempt together beside the others, and move it among them when all of it is on the disk."""
        made = self.folder / "incoming" / attempt.id
        try:
            made.mkdir(mode=0o700)
            kept = made / f"recording{_ending(attempt.file_name)}"
            shutil.move(recording, kept)
            kept.chmod(0o600)
            with kept.open("rb+") as file:
                os.fsync(file.fileno())
            write_json(made / "attempt.json", _record(attempt, key))
            made.replace(self._place(attempt.id))
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
        settle(self.folder / "attempts")

    def _place(self, attempt_id: str) -> Path:
        return self.folder / "attempts" / attempt_id

    def _keep(self, attempt: Attempt) -> None:
        """Memory first: where the disk refuses, pages of this run still tell the truth."""
        self._attempts[attempt.id] = attempt
        write_json(self._place(attempt.id) / "attempt.json", _record(attempt, self._key_of[attempt.id]))

    def _read_attempts(self) -> Iterator[tuple[Attempt, str]]:
        for place in sorted(found for found in (self.folder / "attempts").iterdir() if found.is_dir()):
            try:
                yield _attempt(read_json(place / "attempt.json"), place.name)
            except (OSError, ValueError, KeyError, TypeError):
                self.damaged.append(place)

    @staticmethod
    def _read_task(path: Path) -> KeptTask:
        try:
            data = read_json(path)
            title, task = data["title"], data["task"]
            if not isinstance(title, str) or not isinstance(task, dict):
                raise TypeError("title or task of another kind")
        except (OSError, ValueError, KeyError, TypeError):
            raise _unknown("task", path.stem) from None
        return KeptTask(path.stem, title, task)


def _record(attempt: Attempt, key: str) -> dict[str, Any]:
    return asdict(attempt) | {"made_at": attempt.made_at.isoformat(), "key": key}


def _attempt(data: Mapping[str, Any], name: str) -> tuple[Attempt, str]:
    """Return an attempt and its key from its record. Raises KeyError, TypeError or ValueError for what is none."""
    texts = {part: data[part] for part in ("id", "task_id", "made_by", "file_name", "key")}
    shapes = (data["task"], data["settings"])
    if not all(isinstance(text, str) for text in texts.values()) or not all(isinstance(s, dict) for s in shapes):
        raise TypeError("a part of another kind")
    made_at = datetime.fromisoformat(data["made_at"])
    error = data.get("error")
    if texts["id"] != name or not _ID.fullmatch(name) or not _dated(made_at) or data["state"] not in get_args(State):
        raise ValueError("a part that does not fit")
    if not (error is None or (isinstance(error, dict) and all(isinstance(error.get(part), str) for part in FAULT))):
        raise TypeError("an error of another kind")
    # A stop in the middle of the scoring: it begins anew.
    state: State = "waiting" if data["state"] == "working" else data["state"]
    key = texts.pop("key")
    found = Attempt(**texts, task=data["task"], settings=data["settings"], made_at=made_at, state=state, error=error)
    return replace(found, progress=1.0) if state == "done" else found, key


def _dated(when: datetime) -> bool:
    """Whether a time is one that every time zone can write."""
    return when.tzinfo is not None and MINYEAR < when.year < MAXYEAR


def _ending(file_name: str) -> str:
    suffix = Path(file_name).suffix.lower()
    return suffix if suffix in _ENDINGS else ""


def _unknown(what: str, name: str) -> RequestError:
    return RequestError(
        f"{what}_unknown",
        where=f"{what} {name[:40]}",
        found=f"no such {what}",
        allowed=f"a {what} of this folder",
        remedy="choose one from the list; it may have been deleted",
    )
