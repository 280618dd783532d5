"""Addresses of the IELTS pages."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
