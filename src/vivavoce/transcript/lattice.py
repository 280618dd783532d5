"""The minimal alignment of two sequences, with NumPy row by row (L3). What matches is given; words are unknown here.

Every path from (0, 0) to (n, m) omits reference positions (3), inserts hypothesis positions (3), substitutes (4) or
matches (0). With 3 taken off for every position that a step uses up, omissions and insertions weigh nothing, and one
number orders paths by cost, then by matches:

    omission, insertion 0        substitution -2 S        match of a to b positions -3 (a + b) S - a

S is larger than any number of matches. A row is then the running minimum of the row above and the diagonal steps.

Of the minimal paths the one that lies earliest in the reference is chosen: compared from the end of the reference, a
position is left out where any of the paths that are still possible leaves it out; so trailing omissions are as many as
can be. To follow all of them at once it is enough to keep, for each weight, the path that has used the fewest
hypothesis positions: the others reach nothing that it does not. Of paths that use the same reference positions it takes
the latest hypothesis positions: of a word said twice the second counts, as with a restart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vivavoce.transcript.equality import MAX_PARTS, How, Match

S = 1 << 21
SUBSTITUTION = -2 * S
# Rows kept at once where the whole lattice would not fit: about 64 MB.
CELLS_AT_ONCE = 4_000_000

# Weights followed at once. Real texts need a handful; the bound keeps a hostile one ("b" against "bb" and "bbb") from
# taking minutes, and could then only move an omission inside the text: cost, matches, trailing omissions stay exact.
MAX_STATES = 32

Row = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Step:
    """Reference positions [i - a, i) against hypothesis positions [j - b, j); `how` "none" omits or inserts."""

    i: int
    j: int
    a: int
    b: int
    how: How


@dataclass(frozen=True, slots=True)
class _State:
    """A point (i, j) that a chosen path passes, with the step from it and the point after."""

    j: int
    step: Step | None
    after: _State | None


def weight_of(match: Match) -> int:
    """Return the weight of a match: nothing to pay, one match for each reference position."""
    return -3 * (match.reference + match.hypothesis) * S - match.reference


class Lattice:
    """Weights of the best path to every point; rows are kept in blocks and computed again where they were let go."""

    def __init__(self, matches: Sequence[Sequence[Match]], columns: int) -> None:
        self._rows = len(matches)
        known: dict[tuple[int, int, int], tuple[int, Row, Row, int]] = {}
        self._steps = [[_step(match, known) for match in found] for found in matches]
        self._block = max(64, CELLS_AT_ONCE // (columns + 1))
        self._kept: dict[int, list[Row]] = {}
        rows = [np.zeros(columns + 1, dtype=np.int64)]
        for block in range(0, max(self._rows, 1), self._block):
            self._kept[block] = rows[-MAX_PARTS - 1 :]
            rows = self._fill(block)
        self._filled = {max(self._kept): rows}

    def row(self, i: int) -> Row:
        """Return row i: the weights of the best paths to (i, 0) ... (i, m)."""
        block = max(i - 1, 0) // self._block * self._block
        if block not in self._filled:
            if len(self._filled) > 1:
                self._filled.pop(max(self._filled))
            self._filled[block] = self._fill(block)
        return self._filled[block][i - block + len(self._kept[block]) - 1]

    def _fill(self, block: int) -> list[Row]:
        """Compute the rows of a block, after those that its matches reach back to (the last of `_kept`)."""
        rows = list(self._kept[block])
        lead = block - len(rows) + 1
        for i in range(block + 1, min(block + self._block, self._rows) + 1):
            rows.append(self._row(i, rows, lead))
        return rows

    def _row(self, i: int, rows: list[Row], lead: int) -> Row:
        above = rows[i - 1 - lead]
        row = np.empty_like(above)
        row[0] = 0
        np.add(above[:-1], SUBSTITUTION, out=row[1:])
        np.minimum(row, above, out=row)
        for back, starts, ends, weight in self._steps[i - 1]:
            row[ends] = np.minimum(row[ends], rows[i - back - lead][starts] + weight)
        np.minimum.accumulate(row, out=row)
        return row


def _step(match: Match, known: dict[tuple[int, int, int], tuple[int, Row, Row, int]]) -> tuple[int, Row, Row, int]:
    """Return rows back, the columns before and after, and the weight; made once for all rows that share the ends."""
    key = (id(match.ends), match.reference, match.hypothesis)
    if key not in known:
        ends = np.array(match.ends, dtype=np.int64)
        known[key] = (match.reference, ends - match.hypothesis, ends, weight_of(match))
    return known[key]


def minimal_path(matches: Sequence[Sequence[Match]], columns: int) -> list[Step]:
    """Return the steps of the chosen minimal path, in order (L3).

    Parameters: for each reference position the matches that end there; the length of the hypothesis.
    Memory is bounded by twice `CELLS_AT_ONCE` and a few rows a block.
    """
    lattice = Lattice(matches, columns)
    rows = len(matches)
    states: dict[int, _State] = {int(lattice.row(rows)[columns]): _State(columns, None, None)}
    pending: dict[int, dict[int, _State]] = {}
    for i in range(rows, 0, -1):
        above = lattice.row(i - 1)
        omitted = {
            weight: _State(state.j, Step(i, state.j, 1, 0, "none"), state)
            for weight, state in states.items()
            if above[state.j] == weight
        }
        if omitted:
            states, pending = omitted, {}
        else:
            for weight, state in states.items():
                _align(lattice, matches[i - 1], i, weight, state, pending)
            states = pending.pop(i - 1, {})
            if len(states) > MAX_STATES:
                states = dict(sorted(states.items())[:MAX_STATES])
    return _walk(states[0])


def _align(
    lattice: Lattice,
    matches: Sequence[Match],
    i: int,
    weight: int,
    state: _State,
    pending: dict[int, dict[int, _State]],
) -> None:
    """Put into `pending`, by row and weight, the points before every step that aligns reference position i - 1.

    Points of the row with the same weight lie together (insertions between them): [low, high].
    """
    low, high = _run(lattice.row(i), weight, state.j)
    for match in matches:
        a, b, before = match.reference, match.hypothesis, weight - weight_of(match)
        first, last = _run(lattice.row(i - a), before, high - b)
        at = bisect_right(match.ends, last + b) - 1
        if at >= 0 and match.ends[at] >= max(first + b, low):
            how = match.how
            _keep(pending, Step(i, match.ends[at], a, b, how), before, state)
    first, last = _run(lattice.row(i - 1), weight - SUBSTITUTION, high - 1)
    if last >= max(first, low - 1):
        _keep(pending, Step(i, last + 1, 1, 1, "substitution"), weight - SUBSTITUTION, state)


def _run(row: Row, weight: int, last: int) -> tuple[int, int]:
    """Return the first and the last index up to `last` with this weight; the last is before the first if there is none.

    A row falls from left to right.
    """
    if last < 0 or row[last] > weight:
        return 0, -1
    if row[last] == weight and (last == 0 or row[last - 1] > weight):
        return last, last
    rising = row[last::-1]
    return last + 1 - int(np.searchsorted(rising, weight, "right")), last - int(np.searchsorted(rising, weight))


def _keep(pending: dict[int, dict[int, _State]], step: Step, weight: int, after: _State) -> None:
    """Keep the point before a step unless one of the same weight has used fewer hypothesis positions."""
    here = pending.setdefault(step.i - step.a, {})
    j = step.j - step.b
    if weight not in here or here[weight].j < j:
        here[weight] = _State(j, step, after)


def _walk(state: _State) -> list[Step]:
    """Return the steps from the start on, insertions put in where the points leave a gap."""
    steps = [Step(0, j, 0, 1, "none") for j in range(1, state.j + 1)]
    while state.step is not None and state.after is not None:
        step = state.step
        steps.append(step)
        steps.extend(Step(step.i, j, 0, 1, "none") for j in range(step.j + 1, state.after.j + 1))
        state = state.after
    return steps
