"""Seeded random replies: valid ones in many spellings, and mutations of their bytes and of their trees."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

from ielts_recheck import CHECKS, bands_allowed, overall_of, reply_of

Results = tuple[tuple[bool, ...], ...]
SIZES = (5, 5, 3, 5)
JUNK: list[Any] = [None, True, False, 0, 1, -1, 5, 9, 10, 5.0, 8.5, "", "pass", "fail", "IELTS", "9", [], {}, ["pass"]]
JUNK += ["PASS", "Band 9", "note", 1e300, 10**30, [[]], {"note": ""}]
TOKENS = ["{", "}", "[", "]", ",", ":", '"', "\\", "0", "9", ".", "-", "e", "E1", "null", "true", "false", "NaN", " "]
TOKENS += ["\n", "\t", "\r", "\0", "\ufeff", "\u200b", "а", "/*x*/", "//", "```", "Infinity", '"note": null,', "\x7f"]
LOOKS_LIKE = {"a": "а", "e": "е", "o": "о", "A": "Α", "O": "О", "I": "Ι", "L": "Ｌ", "_": "＿", " ": "\xa0", "E": "Е"}


def some_results(rng: random.Random) -> Results:
    """One of the 2^18 patterns of results, each as likely."""
    return tuple(tuple(rng.random() < 0.5 for _ in range(size)) for size in SIZES)


def some_bands(rng: random.Random, results: Results) -> tuple[int, ...]:
    """Bands that the results allow, each allowed one as likely."""
    rows = zip(CHECKS, results, strict=True)
    return tuple(rng.choice(sorted(bands_allowed(name, row))) for name, row in rows)


def shuffled(rng: random.Random, value: Any) -> Any:
    """The same values, the keys of objects in another order."""
    if isinstance(value, dict):
        keys = rng.sample(list(value), len(value))
        return {key: shuffled(rng, value[key]) for key in keys}
    return [shuffled(rng, item) for item in value] if isinstance(value, list) else value


def written(rng: random.Random, tree: Any) -> str:
    """The tree as JSON in one of several layouts, the overall in one of several spellings."""
    if rng.random() < 0.3:
        tree = shuffled(rng, tree)
    indent = rng.choice([2, 1, None, None])
    separators = (",", ":") if indent is None and rng.random() < 0.5 else None
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.5, indent=indent, separators=separators)
    found = re.search(r'"overall": ?(\d\.\d+)', text)
    if found is not None:
        overall = float(found[1])
        spelling = rng.choice([found[1], f"{overall:.2f}", f"{overall * 10:.0f}e-1", f"{overall:.0f}"])
        if float(spelling) == overall:
            text = text[: found.start(1)] + spelling + text[found.end(1) :]
    return text


# --- mutations of the tree: the tree may be changed in place; the text that comes of it is returned


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of the tree."""
    found: list[tuple[Any, Any]] = []
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else []
    for key in keys:
        found.append((tree, key))
        found.extend(places(tree[key]))
    return found


def _criterion(rng: random.Random, tree: Any) -> Any:
    return rng.choice(tree["testBased"]["criteria"])


def replace_value(rng: random.Random, tree: Any) -> str:
    holder, key = rng.choice(places(tree))
    holder[key] = rng.choice(JUNK)
    return written(rng, tree)


def drop(rng: random.Random, tree: Any) -> str:
    holder, key = rng.choice(places(tree))
    del holder[key]
    return written(rng, tree)


def add_key(rng: random.Random, tree: Any) -> str:
    holder = rng.choice([tree, *(h[k] for h, k in places(tree) if isinstance(h[k], dict))])
    key = rng.choice(["note", "comment", "Band", "result ", "band", "test", "evidence", ""])
    holder.setdefault(key, rng.choice(JUNK))
    return written(rng, tree)


def repeat_key(rng: random.Random, tree: Any) -> str:
    text = json.dumps(tree)
    key = rng.choice(["testBased", "test", "overall", "name", "yesCount", "band", "criterion", "result", "evidence"])
    at = rng.choice([at for at in range(len(text)) if text.startswith(f'"{key}":', at)])
    return text[:at] + f'"{key}": {json.dumps(rng.choice(JUNK))}, ' + text[at:]


def swap_items(rng: random.Random, tree: Any) -> str:
    lists = [tree["testBased"]["criteria"], *(row["checks"] for row in tree["testBased"]["criteria"])]
    chosen = rng.choice(lists)
    one, two = rng.sample(range(len(chosen)), 2)
    chosen[one], chosen[two] = chosen[two], chosen[one]
    return written(rng, tree)


def repeat_item(rng: random.Random, tree: Any) -> str:
    lists = [tree["testBased"]["criteria"], *(row["checks"] for row in tree["testBased"]["criteria"])]
    chosen = rng.choice(lists)
    chosen.insert(rng.randrange(len(chosen) + 1), rng.choice(chosen))
    return written(rng, tree)


def step_band(rng: random.Random, tree: Any) -> str:
    """A band up or down, the overall as it then is: often wrong, right where the mapping leaves a choice."""
    _criterion(rng, tree)["band"] += rng.choice([-1, 1])
    return written(rng, with_overall(tree))


def set_band(rng: random.Random, tree: Any) -> str:
    _criterion(rng, tree)["band"] = rng.randrange(-1, 11)
    return written(rng, with_overall(tree))


def with_overall(tree: Any) -> Any:
    """The tree with the overall that its bands give."""
    tree["testBased"]["overall"] = overall_of(tuple(row["band"] for row in tree["testBased"]["criteria"]))
    return tree


def step_overall(rng: random.Random, tree: Any) -> str:
    tree["testBased"]["overall"] += rng.choice([-0.5, -0.25, 0.25, 0.5, 1])
    return written(rng, tree)


def mean_as_overall(rng: random.Random, tree: Any) -> str:
    """The mean without the floor: right where it is a whole number of halves."""
    tree["testBased"]["overall"] = sum(row["band"] for row in tree["testBased"]["criteria"]) / 4
    return written(rng, tree)


def turn_result(rng: random.Random, tree: Any) -> str:
    """A result turned with its evidence and count; the band stays."""
    row = _criterion(rng, tree)
    check = rng.choice(row["checks"])
    check["result"] = not check["result"]
    check["evidence"] = "pass" if check["result"] else "fail"
    row["yesCount"] += 1 if check["result"] else -1
    return written(rng, tree)


def turn_half(rng: random.Random, tree: Any) -> str:
    """Two results turned, one each way, where there are both: the count and a band by count stay right."""
    row = _criterion(rng, tree)
    for check in (next((c for c in row["checks"] if c["result"] is wanted), None) for wanted in (True, False)):
        if check is not None:
            check["result"] = not check["result"]
            check["evidence"] = "pass" if check["result"] else "fail"
    return written(rng, tree)


def look_alike(rng: random.Random, tree: Any) -> str:
    text = json.dumps(tree)
    at = rng.choice([at for at, char in enumerate(text) if char in LOOKS_LIKE])
    return text[:at] + LOOKS_LIKE[text[at]] + text[at + 1 :]


def escape_letters(rng: random.Random, tree: Any) -> str:
    """Some letters inside strings as \\uXXXX: the same values."""
    text, made, inside = json.dumps(tree), [], False
    for char in text:
        inside ^= char == '"'
        made.append(f"\\u{ord(char):04x}" if inside and char.isalpha() and rng.random() < 0.1 else char)
    return "".join(made)


def space_out(rng: random.Random, tree: Any) -> str:
    """White space of JSON, now and then another one, between tokens."""
    text, made, inside = json.dumps(tree), [], False
    for char in text:
        inside ^= char == '"'
        made.append(char)
        if not inside and char in "{}[],:" and rng.random() < 0.3:
            made.append(rng.choice(" \n\r\t" if rng.random() < 0.99 else "\f\v\xa0\u2028"))
    return "".join(made)


def again(rng: random.Random, tree: Any) -> str:
    return written(rng, tree)


# --- mutations of the bytes


def flip_bit(rng: random.Random, raw: bytearray) -> None:
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)


def drop_bytes(rng: random.Random, raw: bytearray) -> None:
    at = rng.randrange(len(raw))
    del raw[at : at + rng.choice([1, 1, 1, 2, 5, 40])]


def insert_token(rng: random.Random, raw: bytearray) -> None:
    at = rng.choice([0, len(raw), rng.randrange(len(raw))])
    raw[at:at] = rng.choice(TOKENS).encode("utf-8")


def copy_span(rng: random.Random, raw: bytearray) -> None:
    at, to = rng.randrange(len(raw)), rng.randrange(len(raw))
    raw[to:to] = raw[at : at + rng.choice([1, 3, 20, 60])]


def change_digit(rng: random.Random, raw: bytearray) -> None:
    at = rng.choice([at for at, byte in enumerate(raw) if chr(byte) in "0123456789"])
    raw[at] = ord(rng.choice("0123456789"))


def change_case(rng: random.Random, raw: bytearray) -> None:
    at = rng.choice([at for at, byte in enumerate(raw) if chr(byte).isalpha()])
    raw[at] ^= 0x20


def drop_white_space(rng: random.Random, raw: bytearray) -> None:
    spaces = [at for at, byte in enumerate(raw) if byte in b" \n"]
    if spaces:
        del raw[rng.choice(spaces)]


def cut_off(rng: random.Random, raw: bytearray) -> None:
    del raw[rng.randrange(len(raw)) :]


TREE: list[Callable[[random.Random, Any], str]] = [replace_value, drop, add_key, repeat_key, swap_items, repeat_item]
TREE += [step_band, set_band, step_overall, mean_as_overall, turn_result, turn_half, look_alike, escape_letters]
TREE += [space_out, again]
RAW: list[Callable[[random.Random, bytearray], None]] = [flip_bit, drop_bytes, insert_token, copy_span, change_digit]
RAW += [change_case, drop_white_space, cut_off]


def mutated(rng: random.Random) -> tuple[str, bytes]:
    """One mutation of one valid reply: its name, and the raw bytes."""
    results = some_results(rng)
    tree = reply_of(results, some_bands(rng, results))
    if rng.random() < 0.6:
        change = rng.choice(TREE)
        return change.__name__, change(rng, tree).encode("utf-8", "surrogatepass")
    spoil = rng.choice(RAW)
    raw = bytearray(written(rng, tree).encode("utf-8"))
    spoil(rng, raw)
    return spoil.__name__, bytes(raw)
