"""Lets the shipped listener hear speechocean762, for bench/speechocean762.py: each recording once, timed, on one core.

Each worker is a process of its own with one thread and one core, so that processor time and memory are the listener's.
The first recording of a worker is heard twice and timed the second time: loading the models is told apart.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from so762_corpus import SCALES, Utterance

from vivavoce.audio.waveform import ANALYSIS_RATE, decode
from vivavoce.errors import InputError, MissingError, VivavoceError
from vivavoce.listening.result import Listening

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
Samples = NDArray[np.float32]


class Clock:
    """Seconds of each step, of the processor (all threads) and on the wall."""

    def __init__(self) -> None:
        self.cpu_s: dict[str, float] = {}
        self.wall_s: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        self.cpu_s[step] = time.process_time() - cpu
        self.wall_s[step] = time.perf_counter() - wall


Listener = Callable[[Samples, Sequence[str], Clock], Listening]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the listener made of an utterance: by scale value, low and high; or why there is nothing (`error`).

    `words`: text, probability that it was read correctly, accuracy 0 to 10 (both None where it was not found).
    `load_s`: what loading the models took, on a worker's first recording. `most_mb`: memory so far, resident.
    """

    id: str
    estimates: Mapping[str, tuple[float, float | None, float | None]]
    doubts: tuple[str, ...] = ()
    words: tuple[tuple[str, float | None, float | None], ...] = ()
    listener: str = ""
    text: str = ""
    seconds: float | None = None
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    wall_s: Mapping[str, float] = field(default_factory=dict)
    load_s: float | None = None
    most_mb: float | None = None
    error: str | None = None


@lru_cache(maxsize=1)
def _weights() -> Any:
    from vivavoce.transcript.weights import find_weights

    return find_weights()


def with_reference(samples: Samples, words: Sequence[str], clock: Clock) -> Listening:
    """Listen with the corpus's text as what was said."""
    from vivavoce.listening import listen

    with clock("listen"):
        return listen(samples, words, text="reference", weights=_weights())


def with_recogniser(samples: Samples, words: Sequence[str], clock: Clock) -> Listening:  # noqa: ARG001
    """Listen with the recogniser's own words, as for open speech; the corpus's text is not looked at."""
    from vivavoce.listening import listen
    from vivavoce.transcript.recognizer import transcribe

    with clock("recognise"):
        heard = transcribe(samples, weights=_weights()).words
    with clock("listen"):
        return listen(
            samples,
            [word.text for word in heard],
            text="recogniser",
            hints=heard,
            confidence=[word.confidence for word in heard],
            weights=_weights(),
        )


def sound(value: float, low: float | None, high: float | None) -> tuple[float, float | None, float | None]:
    """Return an estimate that is one: finite, and inside its interval where it has one. Raises ValueError."""
    row = [number for number in (low, value, high) if number is not None]
    if not all(map(math.isfinite, row)) or row != sorted(row):
        raise ValueError(f"no estimate: {value}, from {low} to {high}")
    return value, low, high


def most_mb() -> float:
    """The most memory the process has had so far, resident, in MB (Linux counts in KiB, macOS in bytes)."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def hear(utterance: Utterance, listener: Listener, *, first: bool = False) -> Prediction:
    """Return what the listener makes of one recording; what fails is named in `error`, except for what is missing."""
    clock, load_s = Clock(), None
    try:
        with clock("decode"):
            samples = decode(utterance.audio).samples
        words = utterance.text.split()
        heard = listener(samples, words, clock)
        if first:
            before = sum(clock.wall_s.values())
            heard = listener(samples, words, clock)
            load_s = max(0.0, before - sum(clock.wall_s.values()))
        return _told(utterance.id, heard, samples.size / ANALYSIS_RATE, clock, load_s)
    except MissingError:
        raise
    except VivavoceError as error:
        return Prediction(utterance.id, {}, error=f"{error.code}: {error.found}")
    except Exception as error:  # noqa: BLE001 - a run of an hour is not lost for one recording; it is named and counted
        return Prediction(utterance.id, {}, error=f"{type(error).__name__}: {error}")


def _told(key: str, heard: Listening, seconds: float, clock: Clock, load_s: float | None) -> Prediction:
    """Return what was heard as it is kept; raises ValueError where a number is none."""
    doubts = tuple(doubt.code for doubt in heard.doubts)
    words = [(word.text, word.read_correctly, word.accuracy) for word in heard.words]
    if not all(math.isfinite(value) for _, *values in words for value in values if value is not None):
        raise ValueError("a word whose score is no number")
    return Prediction(
        key,
        {scale: sound(found.value, found.low, found.high) for scale, found in heard.estimates.items()},
        doubts,
        tuple(words),
        heard.listener,
        heard.text,
        seconds,
        clock.cpu_s,
        clock.wall_s,
        load_s,
        most_mb(),
        None if heard.estimates else f"no estimates: {', '.join(doubts) or 'no reason'}",
    )


_FIRST = [True]


def _work(task: tuple[Utterance, Listener]) -> Prediction:
    first, _FIRST[0] = _FIRST[0], False
    return hear(*task, first=first)


def _start(place: Any, cores: Sequence[int]) -> None:
    """Give a worker a core of its own."""
    with place.get_lock():
        turn = place.value
        place.value += 1
    if cores:
        os.sched_setaffinity(0, {cores[turn % len(cores)]})


def hear_all(utterances: Sequence[Utterance], listener: Listener, jobs: int) -> Iterator[Prediction]:
    """Yield a prediction an utterance, in order, from that many workers; with 0 in this process (for tests).

    A worker that dies takes no more than its recording with it: what was not heard is then heard by new ones.
    """
    if jobs == 0:
        yield from (hear(utterance, listener) for utterance in utterances)
        return
    done = 0
    while done < len(utterances):
        try:
            for prediction in _pool(utterances[done:], listener, jobs):
                done += 1
                yield prediction
        except BrokenProcessPool:
            # Whose recording it was is known for certain only alone.
            try:
                yield from _pool(utterances[done : done + 1], listener, 1)
            except BrokenProcessPool as error:
                yield Prediction(utterances[done].id, {}, error=f"the listener's process died: {error}")
            done += 1


def _pool(utterances: Sequence[Utterance], listener: Listener, jobs: int) -> Iterator[Prediction]:
    # Workers inherit the environment before they import NumPy.
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    context = get_context("spawn")
    cores = sorted(os.sched_getaffinity(0), reverse=True) if hasattr(os, "sched_getaffinity") else []
    turn = context.Value("i", 0)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(turn, cores)) as pool:
        yield from pool.map(_work, [(utterance, listener) for utterance in utterances])


def as_line(prediction: Prediction) -> str:
    """Return a prediction as a line of JSON."""
    return json.dumps(asdict(prediction), ensure_ascii=False)


def read_predictions(path: Path) -> list[Prediction]:
    """Return saved predictions: lines that `--predictions` wrote, or an object {scale: {id: value}} made elsewhere.

    In the latter a value may also be [value, low, high]. Raises InputError `predictions_unreadable`.
    """
    try:
        text = path.read_text(encoding="utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()] if '"id"' in text else json.loads(text)
        return _by_scale(rows) if isinstance(rows, dict) else [_row(row) for row in rows]
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            "predictions_unreadable",
            where=str(path),
            found=f"{type(error).__name__}: {error}",
            allowed="lines written by --predictions, or an object {scale: {id: value}}",
            remedy="write the file again",
        ) from error


def _row(row: Mapping[str, Any]) -> Prediction:
    estimates = {scale: _estimate(value) for scale, value in row["estimates"].items()}
    words = tuple((text, right, accuracy) for text, right, accuracy in row["words"])
    return Prediction(**{**row, "estimates": estimates, "doubts": tuple(row["doubts"]), "words": words})


def _by_scale(table: Mapping[str, Mapping[str, Any]]) -> list[Prediction]:
    unknown = sorted(set(table) - set(SCALES))
    if unknown:
        raise ValueError(f"unknown scales {', '.join(unknown)}")
    ids = sorted({key for values in table.values() for key in values})
    return [
        Prediction(key, {scale: _estimate(values[key]) for scale, values in table.items() if key in values})
        for key in ids
    ]


def _estimate(value: Any) -> tuple[float, float | None, float | None]:
    value, low, high = value if isinstance(value, list) else (value, None, None)
    return sound(float(value), low if low is None else float(low), high if high is None else float(high))
