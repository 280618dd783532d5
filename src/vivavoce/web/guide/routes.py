"""Addresses of the rubric guide."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
