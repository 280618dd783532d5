"""Lets the shipped listener hear speechocean762, for bench/speechocean762.py: each recording once, timed, on one core.

Each worker is a process of its own with one thread and one core, so that processor time and memory are the listener's.
The first recording of a worker is heard twice and timed the second time: loading the models is told apart.
"""

from __future__ import annotations

import math
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from so762_corpus import Utterance
from so762_predictions import Prediction, sound

from vivavoce import listening
from vivavoce.audio.waveform import ANALYSIS_RATE, decode
from vivavoce.errors import MissingError, VivavoceError
from vivavoce.judging.local.listener import Listener as LocalListener
from vivavoce.judging.local.text import spoken_text
from vivavoce.listening.result import Listening
from vivavoce.notice import Notice

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
STOPPING = ("listener_changed", "weights_unusable", "weights_changed")
"""Errors that every recording would meet."""
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


@lru_cache(maxsize=1)
def _weights() -> Any:
    from vivavoce.transcript.weights import find_weights

    return find_weights()


def with_reference(samples: Samples, words: Sequence[str], clock: Clock) -> Listening:
    """Listen with the corpus's text as what was said."""
    with clock("listen"):
        return listening.listen(samples, words, text="reference", weights=_weights())


def with_recogniser(samples: Samples, words: Sequence[str], clock: Clock) -> Listening:  # noqa: ARG001
    """Listen with the recogniser's own words, as the judge does in open speech; the corpus's text is not looked at."""
    from vivavoce.transcript.recognizer import transcribe

    with clock("recognise"):
        transcript = transcribe(samples, weights=_weights())
    spoken = spoken_text(transcript.words, None, transcript)
    if not spoken.words:
        nothing = Notice("listening_failed", "no words were heard", "let a person judge")
        return Listening("", "recogniser", {}, (), (), (nothing,))
    with clock("listen"):
        return LocalListener()(samples, spoken)


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
    except VivavoceError as error:
        if isinstance(error, MissingError) or error.code in STOPPING:
            raise
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


def _work(task: tuple[Utterance, Listener]) -> Prediction | dict[str, str]:
    """Hear one recording; what is missing is told by its fields, since the error itself does not travel."""
    first, _FIRST[0] = _FIRST[0], False
    try:
        return hear(*task, first=first)
    except VivavoceError as error:
        return error.as_dict()


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
        for found in pool.map(_work, [(utterance, listener) for utterance in utterances]):
            if isinstance(found, dict):
                raise VivavoceError(**found)
            yield found
