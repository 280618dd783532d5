"""What is kept of an attempt, and the protocol by which pages reach it, wherever that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

State = Literal["waiting", "working", "done", "failed"]


@dataclass(frozen=True, slots=True)
class KeptTask:
    """A task that can be chosen: its id, a title for people, and the task object (`vivavoce schema task`)."""

    id: str
    title: str
    task: Mapping[str, Any]
    # Ships with the package: cannot be changed or deleted.
    built_in: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One recording of one task: who, when, how it was recorded, how far the scoring is.

    `id` cannot be guessed. `task` is the task as it was when recorded. `made_by` is what the person typed, "" where
    nothing. `settings` is what the browser said of the microphone (`autoGainControl` and its like, true, false or null
    where it did not say); empty for an upload. `progress` 0-1 with `stage` in words while working; `error` the five
    fields where it failed.
    """

    id: str
    task_id: str
    task: Mapping[str, Any]
    made_at: datetime
    made_by: str
    file_name: str
    state: State
    settings: Mapping[str, Any] = field(default_factory=dict)
    stage: str = ""
    progress: float = 0.0
    error: Mapping[str, str] | None = None


class Store(Protocol):
    """Tasks, attempts, recordings and reports.

    What does not exist raises RequestError `attempt_unknown` or `task_unknown`.
    """

    def tasks(self) -> Sequence[KeptTask]:
        """All tasks that can be chosen, the person's own first."""

    def task(self, task_id: str) -> KeptTask:
        """One task."""

    def keep_task(self, title: str, task: Mapping[str, Any]) -> KeptTask:
        """Keep a new task (already checked)."""

    def delete_task(self, task_id: str) -> None:
        """Forget a task of the person's own; its attempts stay."""

    def new_upload(self) -> Path:
        """A new, empty file in which to receive a recording before `add` takes it."""

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
        """Keep a recording (the file is moved in) as a new attempt that waits to be scored.

        `key` is the sender's own name for the sending: the same key again gives the attempt made the first time.
        """

    def attempts(self, task_id: str | None = None) -> Sequence[Attempt]:
        """All attempts, or those at one task, newest first."""

    def attempt(self, attempt_id: str) -> Attempt:
        """One attempt."""

    def recording(self, attempt_id: str) -> Path:
        """The recording as it was received."""

    def report(self, attempt_id: str) -> dict[str, Any] | None:
        """The report, or None while there is none."""

    def keep_report(self, attempt_id: str, report: Mapping[str, Any]) -> None:
        """Keep the report; the attempt is done."""

    def tell(self, attempt_id: str, *, stage: str, progress: float) -> None:
        """Say how far the scoring is; the attempt is being worked at."""

    def fail(self, attempt_id: str, error: Mapping[str, str]) -> None:
        """Say why there is no report; the recording stays."""

    def again(self, attempt_id: str) -> None:
        """Put an attempt back to wait: it will be scored anew."""

    def delete(self, attempt_id: str) -> None:
        """Delete the recording, the report and all that is known of the attempt."""
