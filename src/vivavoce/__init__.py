"""Vivavoce scores recorded speech and shows its arithmetic."""

__version__ = "0.1.0"
