"""A progress bar on standard error, where a person is watching."""

from __future__ import annotations

import sys

WIDTH = 30


class Bar:
    """Draws `label [###---] 42 %` in place; silent where standard error is no terminal."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.shown = sys.stderr.isatty()

    def __call__(self, share: float) -> None:
        """Show the share done, 0 to 1."""
        if not self.shown:
            return
        done = round(max(0.0, min(1.0, share)) * WIDTH)
        bar = "#" * done + "-" * (WIDTH - done)
        sys.stderr.write(f"\r{self.label} [{bar}] {share:4.0%}" + ("\n" if share >= 1 else ""))
        sys.stderr.flush()
