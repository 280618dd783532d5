"""`vivavoce serve`: the pages, for one person on this machine."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import webbrowser
from pathlib import Path

from vivavoce.cli import exits
from vivavoce.errors import InputError, need


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
    folder = arguments.folder or default_folder()
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
    address = f"http://127.0.0.1:{arguments.port}"
    listening = _bind(arguments.port)
    sys.stderr.write(f"Vivavoce is at {address}  (recordings and reports: {folder})\npress Ctrl+C to stop\n")
    if arguments.open:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(create_app(store, worker), log_level="warning", access_log=False))
    server.run(sockets=[listening])
    return exits.DONE


def _bind(port: int) -> socket.socket:
    """Take the port on loopback now, so that one in use is told before anything is said to be there."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
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
