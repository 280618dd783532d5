"""The digest of the shipped weights; train/train.py writes it."""

from __future__ import annotations

SHA256 = "c5dabd14fffb5c8ffcfc702ee2d2a9c01c4c7b9051f3ac3e66efc09116459301"
