"""Prints the report of bench/speechocean762.py as tables of plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
MOST_NAMED = 20
TRUTH_NAMES = {"mean": "the mean of the experts", "median": "the experts' median as a whole number"}


def number(value: float | None, digits: int = 3, signed: bool = False) -> str:
    """Return a number as a cell shows it; a dash where it is not defined."""
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def lines(report: Row) -> Iterator[str]:
    """Yield every line of the tables."""
    yield from _head(report)
    for scale, tables in report["agreement"].items():
        for truth, rows in tables.items():
            if rows:
                yield from _agreement(scale, truth, rows, report["people"][scale][truth])
    yield from _intervals(report["intervals"])
    yield from _trust(report)
    yield from _words(report["words"])
    yield from _cost(report["cost"])


def _head(report: Row) -> Iterator[str]:
    corpus = report["corpus"]
    what = f"speechocean762, {corpus['layout']} layout, split {corpus['split']}"
    yield f"{what}: {corpus['utterances']} utterances, {corpus['speakers']} speakers"
    yield f"Listener: {report['listener'] or 'not named'}; text: {report['text'] or 'not named'}"
    without = report["heard"] - report["scored"]
    yield f"Heard {report['heard']}; without an estimate, so in no correlation: {without}"
    yield from _named([f"{key}: {why}" for key, why in report["left_out"].items()])
    if corpus["faults"]:
        yield f"Not read from the corpus: {len(corpus['faults'])}."
        yield from _named(corpus["faults"])
    if report["unknown_ids"]:
        yield f"Predictions for utterances that are not here: {len(report['unknown_ids'])}."
    differ = {scale: count for scale, count in corpus["median_is_not_the_published_one"].items() if count}
    if differ:
        yield f"Medians counted from the ratings that are not those of scores.json: {differ}."


def _named(items: Sequence[str]) -> Iterator[str]:
    yield from (f"    {item}" for item in items[:MOST_NAMED])
    if len(items) > MOST_NAMED:
        yield f"    and {len(items) - MOST_NAMED} more (all are in the JSON)"


def _agreement(scale: str, truth: str, rows: Row, people: Row) -> Iterator[str]:
    yield ""
    yield f"{scale} against {TRUTH_NAMES[truth]}"
    yield (
        f"  {'':14}{'n':>6}{'spk':>5}{'Pearson':>9}{'95 % by speaker':>17}{'Spearman':>10}{'MAE':>7}{'error':>8}"
        f"{'kappa':>8}{'within':>8}{'between':>9} | {'one expert':>10}{'error':>7}{'listener':>10}{'error':>7}"
    )
    for group, row in rows.items():
        sure = row["pearson_95"]
        held, off = people[group]["pearson"], people[group]["signed_error"]
        yield (
            f"  {group:14}{row['n']:6}{row['speakers']:5}{number(row['pearson']):>9}"
            f"{' to '.join(number(end) for end in sure) if sure else '-':>17}{number(row['spearman']):>10}"
            f"{number(row['mae'], 2):>7}{number(row['signed_error'], 2, signed=True):>8}{number(row['kappa']):>8}"
            f"{number(row['within_speaker']):>8}{number(row['between_speakers']):>9} | "
            f"{number(held['people']):>10}{number(off['people'], 2, signed=True):>7}"
            f"{number(held['listener']):>10}{number(off['listener'], 2, signed=True):>7}"
        )
    yield "  right of the bar: one expert, and the listener, against the others (Pearson, error), mean over experts"


def _intervals(intervals: Row) -> Iterator[str]:
    if not any(intervals.values()):
        return
    yield ""
    yield "Intervals: share that holds the experts' median, and mean width in points"
    groups = list(dict.fromkeys(group for rows in intervals.values() for group in rows))
    yield f"  {'':14}" + "".join(f"{scale:>18}" for scale in intervals)
    for group in groups:
        cells = [rows.get(group) for rows in intervals.values()]
        shown = [f"{number(cell['coverage'])} {number(cell['width'], 2)}" if cell else "-" for cell in cells]
        yield f"  {group:14}" + "".join(f"{cell:>18}" for cell in shown)


def _trust(report: Row) -> Iterator[str]:
    trust = report["trust"]
    yield ""
    yield f"Of {report['heard']} recordings {trust['not_scored']} get no score; a person is called to:"
    yield from (f"  {why:28}{count:6}" for why, count in trust["needs_person"].items())
    if trust["doubts"]:
        yield "Doubts:"
    yield from (f"  {code:28}{count:6}" for code, count in trust["doubts"].items())


def _words(words: Row) -> Iterator[str]:
    for kind in ("wrong", "flawed") if words else ():
        yield ""
        most = "3" if kind == "wrong" else "6"
        yield f"Words {kind} by the experts' median ({most} of 10 or less), told by read_correctly"
        yield (
            f"  {'':14}{'words':>7}{kind:>8}{'ROC area':>10}   below .5: {'precision':>9}{'recall':>8}{'false':>7}"
            f"   at 3 % false: {'below':>6}{'precision':>11}{'recall':>8}"
        )
        for group, row in words.items():
            cell = row[kind]
            half, few = cell["below_half"], cell["few_false_alarms"]
            yield (
                f"  {group:14}{row['n']:7}{cell['n']:8}{number(cell['roc_area']):>10}{'':13}"
                f"{number(half['precision']):>9}{number(half['recall']):>8}{number(half['false_alarms']):>7}{'':17}"
                f"{number(few['below'], 2):>6}{number(few['precision']):>11}{number(few['recall']):>8}"
            )
    if words:
        yield ""
        yield "Word accuracy against the mean of the experts"
        yield f"  {'':14}{'words':>7}{'not found':>11}{'Pearson':>9}{'Spearman':>10}{'MAE':>7}"
    for group, row in words.items():
        cell = row["accuracy"]
        yield (
            f"  {group:14}{row['n']:7}{row['not_found']:11}{number(cell['pearson']):>9}{number(cell['spearman']):>10}"
            f"{number(cell['mae'], 2):>7}"
        )


def _cost(cost: Row) -> Iterator[str]:
    if not cost:
        return
    yield ""
    yield f"Cost, seconds a second of sound ({cost['sound_s']:.0f} s), one core and one thread a worker"
    for step, share in cost["cpu_by_step"].items():
        yield f"  {step:14}processor {share:.4f}   wall {cost['wall_by_step'][step]:.4f}"
    yield f"  loading the models once: {number(cost['loading_s'], 1)} s; most memory: {number(cost['most_mb'], 0)} MB"


def markdown(report: Row) -> Iterator[str]:
    """Yield the tables of agreement and of people as Markdown, for docs/listening.md."""
    scales = [scale for scale, tables in report["agreement"].items() if tables["mean"]]
    for truth, name in TRUTH_NAMES.items():
        yield f"Against {name}: Pearson, Spearman, mean absolute error, error."
        yield from _rows(
            scales,
            [report["agreement"][scale][truth] for scale in scales],
            lambda row: ", ".join(
                (
                    number(row["pearson"]),
                    number(row["spearman"], 2),
                    number(row["mae"], 2),
                    number(row["signed_error"], 2, signed=True),
                )
            ),
        )
        yield f"The listener in one expert's place (and one expert), the others instead of all: {name}. Pearson."
        yield from _rows(
            scales,
            [report["people"][scale][truth] for scale in scales],
            lambda row: f"{number(row['pearson']['listener'])} ({number(row['pearson']['people'])})",
        )


def _rows(scales: Sequence[str], tables: Sequence[Row], shown: Callable[[Row], str]) -> Iterator[str]:
    yield ""
    yield f"| group | {' | '.join(scales)} |"
    yield f"|{'---|' * (len(scales) + 1)}"
    for group in dict.fromkeys(group for rows in tables for group in rows):
        cells = [shown(rows[group]) if group in rows else "-" for rows in tables]
        yield f"| {group} | {' | '.join(cells)} |"
    yield ""
