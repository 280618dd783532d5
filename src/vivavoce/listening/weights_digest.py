"""The digest of the shipped weights; train/train.py writes it."""

from __future__ import annotations

SHA256 = "8ceb26beba183b6fa0980ad7d12c848a8036dab1ca0b4e0779ce5a777a2e2f7e"
