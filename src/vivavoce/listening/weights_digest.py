"""The digest of the shipped weights; train/train.py writes it."""

from __future__ import annotations

SHA256 = "d61edcea7a81bbc3f098f166f5a17dc44c66c09df56e2b9b7fb384bc93faa1f6"
