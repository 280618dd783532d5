"""Dates and numbers as the reader writes them, by the languages that the browser asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime
from babel.numbers import format_decimal

from vivavoce.report import view

DEFAULT = "en-GB"


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader's way to write numbers and dates; the words are English."""

    locale: Locale

    @property
    def language(self) -> str:
        """The locale as a BCP 47 tag."""
        return str(self.locale).replace("_", "-")

    def digits(self, value: Decimal) -> str:
        """A decimal with the reader's decimal sign; what `view.numbers_written` takes."""
        return _digits(value, self.locale)

    def number(self, value: float | None) -> str:
        """A number as `view.number` shows it, with the reader's decimal sign."""
        with view.numbers_written(self.digits):
            return view.number(value)

    def moment(self, when: datetime) -> str:
        """A date with its time, in this machine's time zone."""
        return format_datetime(when.astimezone(), format="medium", locale=self.locale, tzinfo=when.astimezone().tzinfo)

    def quantity(self, value: float | None, unit: str) -> str:
        """A number with its unit (see `view.quantity`)."""
        if value is None or unit == "flag":
            return view.quantity(value, unit)
        return f"{self.number(value)} {view.unit(unit)}".strip()


@lru_cache(maxsize=4096)
def _digits(value: Decimal, locale: Locale) -> str:
    """Kept: a page of the Lab writes hundreds of numbers while a slider moves, most of them the same again."""
    return str(format_decimal(value, format="#,##0.######", locale=locale, group_separator=False))


@lru_cache(maxsize=64)
def reader_of(accepted: str) -> Reader:
    """Return the reader that an Accept-Language header describes; where it names no known locale, a British one."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted[:1000].split(",")):
        tag, _, rest = part.strip().partition(";")
        quality = _quality(rest)
        if tag and tag != "*" and quality > 0:
            wanted.append((-quality, place, tag))
    for _, _, tag in sorted(wanted):
        locale = _locale(tag)
        if locale is not None:
            return Reader(locale)
    return Reader(Locale.parse(DEFAULT, sep="-"))


def _quality(rest: str) -> float:
    name, _, value = rest.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


def _locale(tag: str) -> Locale | None:
    try:
        found: Any = Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError, TypeError):
        return None
    return found if isinstance(found, Locale) else None
