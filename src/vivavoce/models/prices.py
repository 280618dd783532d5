"""What an answer cost, by prices that the user gives; none are built in, for they change and depend on the contract."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.strict import as_object, parse_json, refuse, shown

Prices = Mapping[str, Mapping[str, Decimal]]
_MILLION = Decimal(1_000_000)
_FIX = "correct the price file"


def _price(value: Any, where: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0:
        raise refuse("price_value", where, shown(value), "a number of 0 or more, for a million tokens", _FIX)
    return Decimal(value)


def read_prices(path: Path) -> dict[str, dict[str, Decimal]]:
    """Return the prices of a JSON file, `{"MODEL": {"input": PRICE, "output": PRICE}}`, per million tokens.

    Any currency will do, if it is one throughout. Raises `RequestError` with the file's name and the JSON pointer.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RequestError(
            "price_file", where=path.name, found=reason, allowed="a JSON file of prices", remedy="name such a file"
        ) from error
    table = parse_json(text, path.name)
    if not isinstance(table, dict):
        raise refuse("request_shape", path.name, shown(table), "an object of models", _FIX)
    found: dict[str, dict[str, Decimal]] = {}
    for model, pair in table.items():
        where = f"{path.name} /{model[:60]}"
        kinds = as_object(pair, where, ("input", "output"))
        found[model] = {kind: _price(kinds[kind], f"{where}/{kind}") for kind in ("input", "output")}
    return found


def cost(
    prices: Prices | None, names: tuple[str, ...], tokens_in: int | None, tokens_out: int | None
) -> Decimal | None:
    """Return (input * price + output * price) / 1,000,000, exact; None without a price or without both counts.

    Parameters: `names` are the names under which the model may be priced, the most exact first.
    """
    if prices is None or tokens_in is None or tokens_out is None:
        return None
    pair = next((prices[name] for name in names if name in prices), None)
    if pair is None:
        return None
    return (tokens_in * pair["input"] + tokens_out * pair["output"]) / _MILLION
