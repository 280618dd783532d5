"""`vivavoce serve` as a person runs it: what it says, how it stops, and what it finds when it starts again."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from record_tools import SONNET, form, spoken, wav
from web_tools import ROOT

BOUNDARY = "----test-boundary"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "vivavoce", "serve", *arguments]


@contextmanager
def served(folder: Path, log: Path) -> Any:
    """A served folder: the process and its address; interrupted at the end."""
    with log.open("wb") as err:
        process = subprocess.Popen(command("--port", "0", "--folder", str(folder)), stderr=err, cwd=ROOT)
    try:
        end = time.monotonic() + 60
        while "Ctrl+C" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        yield process, re.findall(r"http://127\.0\.0\.1:\d+", log.read_text())[0]
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(30)


def upload(address: str, file: bytes) -> str:
    request = urllib.request.Request(
        f"{address}/attempts",
        form({"key": "k" * 20, "task": "sonnet", "made_by": "Ada Lovelace"}, file, "ada-reads.mp3"),
        {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.url).rsplit("/", 1)[1]


@posix
def test_it_is_interrupted_while_it_scores_and_begins_anew(tmp_path: Path) -> None:
    folder, log = tmp_path / "kept", tmp_path / "log"
    with served(folder, log) as (process, address):
        assert str(folder) in log.read_text()
        attempt = upload(address, SONNET.read_bytes())
        time.sleep(1.5)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
        assert code in (0, 130, -signal.SIGINT)
        assert time.monotonic() - begun < 15
    said = log.read_text()
    assert "Traceback" not in said
    for private in ("Ada", "ada-reads", "fairest", attempt):
        assert private not in said, "the log names people, files or words"
    assert not list((folder / "attempts").glob("*/report.json"))
    with served(folder, tmp_path / "second") as (_, address):
        with urllib.request.urlopen(f"{address}/attempts/{attempt}", timeout=30) as answer:
            page = answer.read().decode()
        assert "Your card is being made" in page
        again = command("--port", "0", "--folder", str(folder))
        other = subprocess.run(again, capture_output=True, text=True, check=False)
        assert (other.returncode, "folder_in_use" in other.stderr) == (2, True)


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            command("--port", port, "--folder", str(tmp_path / "kept")), capture_output=True, text=True, check=False
        )
    assert done.returncode == 2
    assert "port_unusable" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "kept").exists()


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        command("--port", "0", "--folder", str(tmp_path / "file")), capture_output=True, text=True, check=False
    )
    assert (done.returncode, "folder_unusable" in done.stderr) == (2, True)


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['fastapi'] = None; from vivavoce.cli.main import main; sys.exit(main(['serve']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "vivavoce[web]" in done.stderr


def test_it_listens_on_loopback_only(tmp_path: Path) -> None:
    with served(tmp_path / "kept", tmp_path / "log") as (_, address):
        port = int(address.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
        table = Path("/proc/net/tcp")
        if not table.exists():
            pytest.skip("no /proc here")
        ends = [line.split()[1].split(":") for line in table.read_text().splitlines()[1:] if line.split()[3] == "0A"]
        assert [place for place, number in ends if int(number, 16) == port] == ["0100007F"]
    assert not [line for line in Path("/proc/net/tcp6").read_text().splitlines() if f":{port:04X} " in line]


def test_damage_is_told_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    (folder / "attempts" / ("a" * 32)).mkdir(parents=True)
    with served(folder, tmp_path / "log"):
        assert "1 attempt(s) there cannot be read" in (tmp_path / "log").read_text()


@posix
def test_a_killed_server_leaves_no_scoring_behind(tmp_path: Path) -> None:
    with served(tmp_path / "kept", tmp_path / "log") as (process, address):
        upload(address, wav(tmp_path / "a.wav", spoken(3.0)).read_bytes())
        end = time.monotonic() + 20
        while not (children := _children(process.pid)):
            assert time.monotonic() < end
            time.sleep(0.1)
        process.kill()
        process.wait(10)
        end = time.monotonic() + 60
        while any(_alive(child) for child in children):
            assert time.monotonic() < end, "the scoring goes on without its server"
            time.sleep(0.2)


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task")
    if not path.exists():
        pytest.skip("no /proc here")
    return [int(child) for task in path.iterdir() for child in (task / "children").read_text().split()]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return state != "Z"
