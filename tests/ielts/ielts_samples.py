"""Hand-made replies: `ielts_replies.jsonl` says what is changed in a valid reply, and what must come of it.

A row has a name, then `raw` (the whole text) or `base` (which valid reply), `before` and `after` it, and `edits`: [old,
new] where old stands once, or [old, new, n] for its n-th place. `mend`, put on top, makes the reply valid again: it
shows that nothing else is broken. A rejected row has `code` and `where`, an accepted one `bands`, `overall` and
`non_monotone`, all of them worked out by hand from the guide and V1-V4.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BASES = {name: (HERE / f"ielts_reply_{name}.json").read_text(encoding="utf-8") for name in ("guide", "mixed")}
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "ielts_replies.jsonl").read_text(encoding="utf-8").splitlines()
]
REJECTED = [row for row in ROWS if "code" in row]
ACCEPTED = [row for row in ROWS if "bands" in row]


def edited(text: str, edits: list[list[Any]]) -> str:
    """Return the text with the edits made one after the other; fail where one does not fit."""
    for old, new, *place in edits:
        parts = text.split(old)
        nth = place[0] if place else 1
        assert (nth < len(parts)) if place else (len(parts) == 2), f"{old!r} stands {len(parts) - 1} times"
        text = old.join(parts[:nth]) + new + old.join(parts[nth:])
    return text


def raw_of(row: dict[str, Any]) -> str:
    """Return the raw reply that a row describes."""
    if "raw" in row:
        return str(row["raw"])
    return str(row.get("before", "")) + edited(BASES[row["base"]], row.get("edits", [])) + str(row.get("after", ""))
