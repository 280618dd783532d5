"""Imports point down, deferred ones included; files are short; commits name no machine (docs/architecture.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "vivavoce"

# A room's floor; packages on one floor do not import each other (floor 0 is one vocabulary and may).
FLOORS = {
    "errors": 0,
    "notice": 0,
    "timeline": 0,
    "trace": 0,
    "arithmetic": 0,
    "measurement": 0,
    "strict": 0,
    "submission": 0,
    "interview": 0,
    "rubric": 1,
    "audio": 1,
    "transcript": 1,
    "models": 1,
    "agreement": 1,
    "measures": 2,
    "listening": 2,
    "scoring": 2,
    "tasks": 2,
    "evidence": 3,
    "worked": 3,
    "report": 3,
    "judging": 3,
    "feedback": 3,
    "pipeline": 4,
    "rescore": 4,
    "conversation": 5,
    "store": 5,
    "web": 6,
    "cli": 7,
    "__main__": 8,
}
# `vivavoce --help`, the lab and the rubric need none of these.
HEAVY = {"numpy", "av", "faster_whisper", "simplemma", "jinja2", "ctranslate2", "onnxruntime", "lemminflect"}
HEAVY |= {"jsonschema", "openai", "anthropic", "google", "httpx2", "pydantic", "fastapi", "babel", "uvicorn", "typst"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = {module_name(path): path for path in FILES}


def imports(path: Path) -> set[str]:
    """Every vivavoce module that a file imports, at the top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "vivavoce"}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: a relative import"
            if node.module and node.module.split(".")[0] == "vivavoce":
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    found.add(full if full in MODULES else node.module)
    return found


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_every_room_has_a_floor() -> None:
    rooms = {room(name) for name in MODULES} - {""}
    assert rooms == set(FLOORS)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_imports_point_down(name: str) -> None:
    here = room(name)
    for target in imports(MODULES[name]):
        there = room(target)
        if not here or not there or here == there:
            continue
        allowed = FLOORS[there] < FLOORS[here] or (FLOORS[there] == FLOORS[here] == 0)
        assert allowed, f"{name} (floor {FLOORS[here]}) imports {target} (floor {FLOORS[there]})"


def test_there_is_no_cycle() -> None:
    graph = {name: imports(path) - {name} for name, path in MODULES.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, "a cycle: " + " -> ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for target in graph.get(name, ()):
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_the_scoring_seam() -> None:
    """Scoring needs the trace, the arithmetic and the rubric: no audio, no transcript, no measures."""
    for name, path in MODULES.items():
        if room(name) == "scoring":
            assert {room(target) for target in imports(path)} <= {
                "scoring",
                "rubric",
                "trace",
                "arithmetic",
                "errors",
                "notice",
                "strict",
            }


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno <= 90, f"{node.name} is longer than a screen"


@pytest.mark.parametrize(
    "statement",
    [
        "import vivavoce.cli.main as m; m.build_parser().format_help()",
        "from vivavoce.rubric.load import published; published()",
        "from vivavoce.scoring.request import answer_line; from vivavoce.rubric.load import published; "
        "answer_line(published(), b'{}', 1)",
    ],
)
def test_the_arithmetic_needs_no_heavy_package(statement: str) -> None:
    code = f"import sys; {statement}; print(sorted(set(m.split('.')[0] for m in sys.modules) & set({sorted(HEAVY)!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_tracked_file_names_a_machine_or_a_registry() -> None:
    hosts = ["python" + "hosted", "npm" + "js.org", "/wo" + "rk/", "bash" + "_jobs", ".lib" + "rary"]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if name and path.is_file() and path.suffix not in {".mp3", ".png"}:
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not [host for host in hosts if host in text], name
