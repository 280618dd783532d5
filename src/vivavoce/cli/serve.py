"""`vivavoce serve`: the pages, for one person on this machine."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import webbrowser
from importlib.resources import files
from pathlib import Path

from vivavoce.cli import exits
from vivavoce.errors import InputError, MissingError, need

# How long a request that is being answered may still take after Ctrl+C.
GRACE_S = 5


def default_folder() -> Path:
    """Where recordings and reports are kept: VIVAVOCE_FOLDER, or the user's data folder."""
    if "VIVAVOCE_FOLDER" in os.environ:
        return Path(os.environ["VIVAVOCE_FOLDER"])
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    return base / "vivavoce"


def run(arguments: argparse.Namespace) -> int:
    """Serve the pages on loopback until interrupted."""
    try:
        import uvicorn

        from vivavoce.web.app import create_app
        from vivavoce.web.serving import open_store
    except ModuleNotFoundError as error:
        raise need("web", error.name or "fastapi") from error
    _check_built()
    folder = arguments.folder or default_folder()
    listening = _bind(arguments.port)
    try:
        store, worker = open_store(folder)
    except OSError as error:
        raise InputError(
            "folder_unusable",
            where=f"--folder {folder.name}",
            found=error.strerror or str(error),
            allowed="a folder that can be written",
            remedy="name another folder: --folder DIR",
        ) from error
    # Requests carry names and words: none is logged.
    config = uvicorn.Config(
        create_app(store, worker), log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE_S
    )
    server = uvicorn.Server(config)
    # From before it is promised: an interrupt while the server starts is kept for it, and gets lost nowhere.
    signal.signal(signal.SIGINT, server.handle_exit)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    sys.stderr.write(f"Vivavoce is at {address}\nRecordings and reports are kept in {folder}\n")
    if store.damaged:
        sys.stderr.write(
            f"{len(store.damaged)} attempt(s) there cannot be read and are left alone:\n"
            + "".join(f"  {place}\n" for place in store.damaged)
        )
    sys.stderr.write("Press Ctrl+C to stop.\n")
    sys.stderr.flush()
    if arguments.open:
        webbrowser.open(address)
    try:
        server.run(sockets=[listening])
    finally:
        store.close()
    if server.should_exit:
        raise KeyboardInterrupt
    return exits.DONE


def _check_built() -> None:
    """Raise MissingError in a checkout in which nobody has made what browsers load."""
    if not files("vivavoce.web").joinpath("static/bundle.json").is_file():
        raise MissingError(
            "pages_not_built",
            where="vivavoce/web/static",
            found="no styles and scripts",
            allowed="a checkout in which they are built, or an installed wheel",
            remedy="build them: python frontend/bundle.py",
        )


def _bind(port: int) -> socket.socket:
    """Take the port on loopback now, so that one in use is told before anything is said to be there.

    It listens from now on: a browser that is opened at once waits for the answer.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        # There it would let two programs have one port.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
        made.listen(128)
    except (OSError, OverflowError) as error:
        made.close()
        raise InputError(
            "port_unusable",
            where=f"--port {port}",
            found=getattr(error, "strerror", None) or str(error),
            allowed="a free port from 1 to 65535 (0: any)",
            remedy="name another: --port 8001",
        ) from error
    return made
