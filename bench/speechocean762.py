"""How the local listener agrees with five human experts on speechocean762, by age, gender and score.

    python bench/speechocean762.py --data DIR [--split test] [--json FILE] [--predictions FILE]
    python bench/speechocean762.py --data DIR --recogniser-text
    python bench/speechocean762.py --data DIR --from-predictions FILE

DIR holds the corpus as it is published (WAVE, resource, train, test; read is the test split where there is one) or in
our layout (audio and labels.jsonl). The judge that ships hears every recording with the corpus's text as what was said,
or with `--recogniser-text` with the recogniser's own words, as for open speech. Printed are, for accuracy, fluency,
prosodic and total, the agreement with the mean and the median of the experts, the human ceiling, the intervals'
coverage, doubts, words told wrong, and what it costs. `--from-predictions` prints the same tables of predictions made
before, or elsewhere ({scale: {id: value}}), as for cross-validation. docs/listening.md explains every number.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import so762_print
from so762_corpus import Corpus, read_corpus
from so762_listen import Listener, hear_all, with_recogniser, with_reference
from so762_predictions import Prediction, as_line, read_predictions
from so762_tables import RESAMPLES, report

from vivavoce.cli.progress import Bar
from vivavoce.errors import VivavoceError


class Progress:
    """A bar where a person is watching; a line every tenth where nobody is."""

    def __init__(self, label: str, count: int) -> None:
        self.label, self.count, self.done = label, count, 0
        self.bar = Bar(label)

    def step(self) -> None:
        self.done += 1
        self.bar(self.done / self.count)
        tenth = 10 * self.done // self.count
        if not self.bar.shown and tenth > 10 * (self.done - 1) // self.count:
            print(f"{self.label}: {self.done} of {self.count}", file=sys.stderr, flush=True)


def spread(corpus: Corpus, limit: int | None) -> Corpus:
    """Return the corpus with so many utterances, evenly from all, so that many speakers are among them."""
    count = len(corpus.utterances)
    if limit is None or limit >= count:
        return corpus
    return replace(corpus, utterances=tuple(corpus.utterances[place * count // limit] for place in range(limit)))


def predict(corpus: Corpus, listener: Listener, jobs: int, path: Path | None) -> list[Prediction]:
    """Return what the listener makes of every utterance; each is written to `path` at once, so that none is lost."""
    progress = Progress("listening", len(corpus.utterances))
    found = []
    with ExitStack() as stack:
        file = stack.enter_context(path.open("w", encoding="utf-8")) if path else None
        for prediction in hear_all(corpus.utterances, listener, jobs):
            found.append(prediction)
            if file:
                print(as_line(prediction), file=file, flush=True)
            progress.step()
    return found


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--split", choices=("test", "train", "all"), help="of the published layout; default test")
    parser.add_argument("--recogniser-text", action="store_true", help="the recogniser's words as text (open speech)")
    parser.add_argument("--from-predictions", type=Path, metavar="FILE", help="print the tables of these; hear nothing")
    parser.add_argument("--limit", type=int, metavar="N", help="only so many utterances, evenly from all")
    parser.add_argument("--jobs", type=int, default=1, help="workers, each on a core (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables as JSON")
    parser.add_argument("--predictions", type=Path, metavar="FILE", help="write a line of JSON for each utterance")
    parser.add_argument("--markdown", action="store_true", help="print the tables of agreement for a page of docs")
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help=f"of the bootstrap (default {RESAMPLES})")
    chosen = parser.parse_args(arguments)
    if chosen.jobs < 1 or (chosen.limit is not None and chosen.limit < 1):
        parser.error("--jobs and --limit are 1 or more")
    if chosen.from_predictions and (chosen.recogniser_text or chosen.predictions):
        parser.error("--from-predictions hears nothing: leave out --recogniser-text and --predictions")
    return chosen


def run(arguments: Sequence[str] | None = None, listener: Listener | None = None) -> int:
    """Do what the arguments say; a `listener` given hears in this process in place of the one that ships."""
    chosen = parse(arguments)
    corpus = spread(read_corpus(chosen.data, chosen.split), chosen.limit)
    if chosen.from_predictions:
        predictions = read_predictions(chosen.from_predictions)
    else:
        shipped = with_recogniser if chosen.recogniser_text else with_reference
        predictions = predict(corpus, listener or shipped, 0 if listener else chosen.jobs, chosen.predictions)
    tables = report(corpus, predictions, chosen.resamples)
    tables["machine"] = {"python": platform.python_version(), "processor": platform.machine()}
    for line in (so762_print.markdown if chosen.markdown else so762_print.lines)(tables):
        print(line)
    if chosen.json:
        chosen.json.write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0 if tables["scored"] else 1


def main() -> None:
    try:
        sys.exit(run())
    except VivavoceError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
