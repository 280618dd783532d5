"""The folder store: what is kept survives a stop at any moment, belongs to its owner only, and can be deleted."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_tools import TASK, added, opened

from vivavoce.errors import RequestError
from vivavoce.store import files
from vivavoce.store.folder import FolderStore

ERROR = {"code": "c", "where": "w", "found": "f", "allowed": "a", "remedy": "r"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def store(folder: Path) -> Iterator[FolderStore]:
    made = opened(folder)
    yield made
    made.close()


def refused(error: pytest.ExceptionInfo[RequestError]) -> str:
    return error.value.code


def everything(folder: Path) -> bytes:
    """All bytes and names that lie in a folder."""
    return b"".join(str(path).encode() + path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_what_is_kept_is_there_after_a_stop(folder: Path, store: FolderStore) -> None:
    done, failed, waiting = (added(store, key, made_by="Ada", settings={"autoGainControl": False}) for key in "abc")
    store.keep_report(done.id, {"overall": 91})
    store.fail(failed.id, ERROR)
    store.tell(waiting.id, stage="Hearing", progress=0.5)
    own = store.keep_task("Mine", TASK)
    store.close()
    again = opened(folder)
    assert {a.id: a.state for a in again.attempts()} == {done.id: "done", failed.id: "failed", waiting.id: "waiting"}
    found = again.attempt(done.id)
    assert (found.made_at, found.made_by, found.settings, found.task) == (
        done.made_at,
        "Ada",
        {"autoGainControl": False},
        TASK,
    )
    assert again.report(done.id) == {"overall": 91}
    assert again.report(failed.id) is None
    assert again.attempt(failed.id).error == ERROR
    assert again.recording(waiting.id).read_bytes() == b"sound"
    assert [kept.title for kept in again.tasks()] == ["Mine", "The dog"]
    assert again.task(own.id) == own
    # The sender's key is remembered as well.
    assert added(again, "b").id == failed.id
    again.close()


def test_what_is_over_is_not_begun_by_a_late_word(store: FolderStore) -> None:
    done, failed = added(store, "a"), added(store, "b")
    store.keep_report(done.id, {})
    store.fail(failed.id, ERROR)
    for attempt in (done, failed):
        store.tell(attempt.id, stage="Hearing", progress=0.5)
    assert [store.attempt(a.id).state for a in (done, failed)] == ["done", "failed"]
    store.again(failed.id)
    store.tell(failed.id, stage="Hearing", progress=0.5)
    assert store.attempt(failed.id).state == "working"


def test_newest_first_and_by_task(store: FolderStore) -> None:
    first, second = added(store, "a"), added(store, "b")
    assert [a.id for a in store.attempts()] == [second.id, first.id]
    assert [a.id for a in store.attempts("dog")] == [second.id, first.id]
    assert store.attempts("cat") == []


def test_only_the_owner_can_read(folder: Path) -> None:
    before = os.umask(0)
    try:
        store = opened(folder)
        attempt = added(store)
        store.keep_report(attempt.id, {})
        store.keep_task("Mine", TASK)
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    store.close()
    assert len(modes) > 8
    assert {path: mode for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)} == {}


def test_an_open_folder_is_closed(folder: Path) -> None:
    (folder / "attempts").mkdir(parents=True)
    (folder / "attempts").chmod(0o755)
    opened(folder).close()
    assert stat.S_IMODE((folder / "attempts").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"{}",
        b'{"id": 1}',
        b"null",
        b"[" * 100_000,
    ],
)
def test_a_damaged_attempt_does_not_stop_the_start(folder: Path, store: FolderStore, content: bytes) -> None:
    good, bad = added(store, "a"), added(store, "b")
    store.close()
    place = folder / "attempts" / bad.id
    (place / "attempt.json").write_bytes(content)
    again = opened(folder)
    assert [a.id for a in again.attempts()] == [good.id]
    assert again.damaged == [place]
    assert (place / "recording.mp3").read_bytes() == b"sound", "what cannot be read is left alone"
    again.close()


def test_files_of_the_systems_own_are_no_attempts(folder: Path, store: FolderStore) -> None:
    (folder / "attempts" / ".DS_Store").write_bytes(b"x")
    store.close()
    again = opened(folder)
    assert again.damaged == []
    again.close()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("id", "../../etc"),
        ("id", "0" * 32),
        ("state", "asleep"),
        ("made_at", "yesterday"),
        ("made_at", "2026-11-30T12:00:00"),
        # No reader west of Greenwich could write it.
        ("made_at", "0001-01-01T00:00:00+00:00"),
        ("task", []),
        ("settings", None),
        ("error", "x"),
        ("error", {"code": "no_sound"}),
        ("key", 3),
    ],
)
def test_a_part_that_does_not_fit_is_damage(folder: Path, store: FolderStore, part: str, value: object) -> None:
    attempt = added(store)
    store.close()
    path = folder / "attempts" / attempt.id / "attempt.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {part: value}))
    again = opened(folder)
    assert again.attempts() == []
    assert len(again.damaged) == 1
    again.close()


def test_a_newer_versions_parts_are_passed_over(folder: Path, store: FolderStore) -> None:
    attempt = added(store)
    store.close()
    path = folder / "attempts" / attempt.id / "attempt.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"school": "x"}))
    again = opened(folder)
    assert again.attempt(attempt.id) == attempt
    again.close()


@pytest.mark.parametrize("step", ["write_json", "settle", "move"])
def test_a_stop_in_the_middle_of_adding_leaves_nothing_half(
    folder: Path, store: FolderStore, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The process dies at a step: what lies in the folder then is opened by the next start."""

    def dies(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(f"vivavoce.store.folder.{'shutil.move' if step == 'move' else step}", dies)
    # Dead processes tidy nothing up.
    monkeypatch.setattr("vivavoce.store.folder.shutil.rmtree", lambda *_, **__: None)
    with pytest.raises(SystemExit):
        added(store, "a")
    monkeypatch.undo()
    store.close()
    again = opened(folder)
    whole = [a.id for a in again.attempts()]
    assert again.damaged == []
    assert list((folder / "incoming").iterdir()) == []
    # Either it is there with its recording, or the sender sends it again: exactly one either way.
    attempt = added(again, "a")
    assert [a.id for a in again.attempts()] == [attempt.id]
    assert whole in ([], [attempt.id])
    assert again.recording(attempt.id).read_bytes() == b"sound"
    again.close()


def test_a_half_written_file_beside_the_place_changes_nothing(folder: Path, store: FolderStore) -> None:
    attempt = added(store)
    store.close()
    (folder / "attempts" / attempt.id / "attempt.new").write_bytes(b'{"id"')
    again = opened(folder)
    assert again.attempt(attempt.id) == attempt
    again.fail(attempt.id, ERROR)
    assert again.attempt(attempt.id).state == "failed"
    again.close()


def test_a_report_without_its_state_is_made_again(folder: Path, store: FolderStore) -> None:
    """The process dies after the report was written and before the attempt was called done."""
    attempt = added(store)
    files.write_json(folder / "attempts" / attempt.id / "report.json", {"overall": 1})
    store.close()
    again = opened(folder)
    assert again.attempt(attempt.id).state == "waiting"
    again.keep_report(attempt.id, {"overall": 2})
    assert again.report(attempt.id) == {"overall": 2}
    again.close()


def test_a_full_disk_is_told_and_leaves_nothing(
    folder: Path, store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = added(store, "a")
    before = sorted(folder.rglob("*"))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RequestError) as error:
        added(store, "b")
    assert refused(error) == "folder_full"
    with pytest.raises(RequestError) as error:
        store.keep_report(kept.id, {"overall": 1})
    assert refused(error) == "folder_full"
    monkeypatch.undo()
    assert sorted(folder.rglob("*")) == before
    assert store.report(kept.id) is None
    assert added(store, "b").state == "waiting", "with room again, it is taken"


def test_the_same_key_from_many_threads_is_one_attempt(store: FolderStore) -> None:
    found: list[str] = []
    ready = threading.Barrier(12)

    def sends() -> None:
        ready.wait()
        found.append(added(store, "one-key").id)

    threads = [threading.Thread(target=sends) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert len(set(found)) == 1
    assert len(store.attempts()) == 1
    assert list((store.folder / "incoming").iterdir()) == [], "the copies are deleted"
    assert len(list((store.folder / "attempts").iterdir())) == 1


def test_deleting_leaves_nothing(folder: Path, store: FolderStore) -> None:
    kept = added(store, "a", b"other sound")
    attempt = added(store, "secret-key", b"a child's voice", made_by="Ada Lovelace", file_name="ada.wav")
    store.keep_report(attempt.id, {"said": "the words"})
    assert b"Lovelace" in everything(folder)
    store.delete(attempt.id)
    left = everything(folder)
    for trace in (attempt.id.encode(), b"secret-key", b"a child's voice", b"Lovelace", b"the words", b"ada.wav"):
        assert trace not in left
    for use in (store.attempt, store.report, store.recording, store.again, store.delete):
        with pytest.raises(RequestError) as error:
            use(attempt.id)
        assert refused(error) == "attempt_unknown"
    store.close()
    again = opened(folder)
    assert [a.id for a in again.attempts()] == [kept.id]
    again.close()


@pytest.mark.parametrize("name", ["", "..", "../tasks", "a/b", "\0", "x" * 5000, "0" * 32, "lock"])
def test_ids_name_nothing_else(store: FolderStore, name: str) -> None:
    for use, code in ((store.attempt, "attempt_unknown"), (store.task, "task_unknown")):
        with pytest.raises(RequestError) as error:
            use(name)
        assert refused(error) == code


@pytest.mark.parametrize(
    ("name", "ending"),
    [("a.WAV", ".wav"), ("a.html", ""), ("a.tar.gz", ""), ("../../x.mp3", ".mp3"), ("", ""), ("a./b", "")],
)
def test_a_recording_keeps_only_an_ending_that_recordings_have(store: FolderStore, name: str, ending: str) -> None:
    attempt = added(store, file_name=name)
    path = store.recording(attempt.id)
    assert (path.name, path.parent) == (f"recording{ending}", store.folder / "attempts" / attempt.id)


def test_one_process_has_the_folder(folder: Path, store: FolderStore) -> None:
    code = (
        "import sys; from pathlib import Path; from vivavoce.errors import RequestError\n"
        "from vivavoce.store.folder import FolderStore\n"
        "try: FolderStore(Path(sys.argv[1]))\n"
        "except RequestError as error: print(error.code)\n"
        "else: print('opened')"
    )
    ask = [sys.executable, "-c", code, str(folder)]
    assert subprocess.run(ask, capture_output=True, text=True, check=True).stdout == "folder_in_use\n"
    store.close()
    assert subprocess.run(ask, capture_output=True, text=True, check=True).stdout == "opened\n"


def test_tasks_of_ones_own(folder: Path, store: FolderStore) -> None:
    own = store.keep_task("Zebra", TASK)
    attempt = store.add("k", own.id, store.new_upload(), file_name="")
    (folder / "tasks" / f"{'f' * 32}.json").write_bytes(b"{")
    assert [kept.title for kept in store.tasks()] == ["Zebra", "The dog"], "a damaged file is left out"
    store.delete_task(own.id)
    assert [kept.title for kept in store.tasks()] == ["The dog"]
    assert store.attempt(attempt.id).task == TASK, "an attempt keeps the task as it was"
    with pytest.raises(RequestError) as error:
        store.delete_task("dog")
    assert refused(error) == "task_built_in"
    with pytest.raises(RequestError) as error:
        store.delete_task(own.id)
    assert refused(error) == "task_unknown"


def test_files_that_were_taken_away_are_named(folder: Path, store: FolderStore) -> None:
    attempt = added(store)
    store.keep_report(attempt.id, {})
    place = folder / "attempts" / attempt.id
    (place / "report.json").write_bytes(b"{")
    (place / "recording.mp3").unlink()
    for use, code in ((store.report, "report_damaged"), (store.recording, "recording_missing")):
        with pytest.raises(RequestError) as error:
            use(attempt.id)
        assert refused(error) == code
