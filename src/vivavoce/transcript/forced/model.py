"""PocketSphinx's acoustic model of US English, read from its wheel; its decoder is not needed.

The model is phonetically tied: 42 phones with one codebook of 128 Gaussians each, in three streams (cepstra, first and
second differences); 5,126 states ("senones") that mix the Gaussians of their phone. A triphone is three senones.

    log p(senone | frame) = sum over streams log sum over g  weight[senone, g] N(x; mean[g], variance[g])
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.sphinx import model_file

Floats = NDArray[np.float32]

STATES = 3
_STREAMS, _DENSITY, _SIZE = 3, 128, 13
_LEAST_VARIANCE = 1e-4
_LOG_BASE = float(np.log(1.0001)) * 1024


@dataclass(frozen=True, slots=True)
class Gaussians:
    """One stream's Gaussians: log N(x) = weight @ [x*x, x, 1], by phone; weights of shape (senones, density)."""

    weight: Floats
    mixture: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """The phones by name, each phone's log transitions (stay, leave by state), the senones of triphones.

    `rough`: each senone as one Gaussian over all three streams, log N(x) = rough @ [x*x, x, 1], of shape (senones, 79).
    """

    phones: dict[str, int]
    stay: Floats
    leave: Floats
    streams: tuple[Gaussians, ...]
    rough: Floats
    phone_of: NDArray[np.int64]
    _triphones: NDArray[np.int64]
    _sequence: NDArray[np.int64]
    _senones: NDArray[np.uint16]

    @property
    def context_free(self) -> int:
        """How many senones belong to phones without context; they are the first, three a phone."""
        return STATES * len(self.phones)

    def senones(self, phone: str, left: str, right: str, place: int) -> NDArray[np.uint16]:
        """Return the three senones of a phone between two others; without context where the model has no such three.

        `place`: 0 inside a word, 1 its first phone, 2 its last, 3 its only one.
        """
        base, before, after = self.phones[phone], self.phones[left], self.phones[right]
        for where in dict.fromkeys((place, 0, 1, 2, 3)):
            key = _key(where, base, before, after)
            found = int(np.searchsorted(self._triphones, key))
            if found < len(self._triphones) and self._triphones[found] == key:
                return self._row(int(self._sequence[found]))
        return np.arange(STATES * base, STATES * (base + 1), dtype=np.uint16)

    def _row(self, sequence: int) -> NDArray[np.uint16]:
        row: NDArray[np.uint16] = self._senones[sequence]
        return row


def _key(place: int, base: int, left: int, right: int) -> int:
    return ((place * 256 + base) * 256 + left) * 256 + right


@lru_cache(maxsize=1)
def load_model() -> Model:
    """Return the acoustic model of the installed package.

    Raises MissingError `extra_missing` where pocketsphinx is not installed, `acoustic_model_changed` where its files
    are not those of version 5.1.
    """
    mdef = model_file("en-us/mdef")
    names, keys, sequences, senones = _definitions(mdef)
    count = int(senones.max()) + 1
    phone_of = np.zeros(count, np.int64)
    order = np.argsort(keys)
    bases = (keys >> 16) & 255
    for state in range(STATES):
        phone_of[senones[sequences, state]] = bases
    phone_of[: STATES * len(names)] = np.repeat(np.arange(len(names)), STATES)
    stay, leave = _transitions()
    phones = {name: index for index, name in enumerate(names)}
    mixed = _streams(count)
    rough = _rough(mixed, phone_of)
    return Model(phones, stay, leave, mixed, rough, phone_of, keys[order], sequences[order], senones)


class Dictionary(Mapping[str, tuple[str, ...]]):
    """Pronunciations by word, each phones joined by spaces, the usual one first; looked up in the file's sorted lines.

    To take all its 134,861 lines apart would cost more than an alignment of half a minute.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __getitem__(self, word: str) -> tuple[str, ...]:
        first = bisect_left(self._lines, word, key=_headword)
        last = first
        while last < len(self._lines) and _headword(self._lines[last]) == word:
            last += 1
        if first == last:
            raise KeyError(word)
        return tuple(line.split(" ", 1)[1] for line in self._lines[first:last])

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(map(_headword, self._lines)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _headword(line: str) -> str:
    """The word of a line, without the number of a variant: "read(2) R EH D" is of "read"."""
    word = line[: line.index(" ")]
    return word[: word.index("(")] if word.endswith(")") else word


@lru_cache(maxsize=1)
def load_dictionary() -> Dictionary:
    """Return the pronunciations of the package's dictionary; it is sorted, the variants of a word one after another."""
    return Dictionary(model_file("cmudict-en-us.dict").decode("ascii").splitlines())


def _definitions(
    content: bytes,
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint16]]:
    """The binary model definition: phone names, triphone keys, the sequence of each, the senones of sequences."""
    at = 12 + struct.unpack_from("<i", content, 8)[0]
    phones, total, *_, nodes, _silence = struct.unpack_from("<10i", content, at)
    at = first = at + 40
    names = []
    for _ in range(phones):
        end = content.index(b"\0", at)
        names.append(content[at:end].decode("ascii"))
        at = end + 1
    at = first + (at - first + 3) // 4 * 4 + 8 * nodes
    row = np.dtype([("sequence", "<i4"), ("matrix", "<i4"), ("context", "u1", 4)])
    table = np.frombuffer(content, row, total, at)[phones:]
    at += row.itemsize * total
    count = struct.unpack_from("<i", content, at)[0]
    senones = np.frombuffer(content, "<u2", count, at + 4).reshape(-1, STATES)
    context = table["context"].astype(np.int64)
    keys = ((context[:, 0] * 256 + context[:, 1]) * 256 + context[:, 2]) * 256 + context[:, 3]
    return names, keys, table["sequence"].astype(np.int64), senones


def _numbers(name: str, skip: int) -> tuple[NDArray[np.int32], Floats]:
    """The whole numbers and the floats of a file with a text header, a byte order mark and a check sum."""
    content = model_file(name)
    at = content.index(b"endhdr\n") + 7
    head = np.frombuffer(content, "<i4", skip, at)
    return head, np.frombuffer(content, "<f4", int(head[-1]), at + 4 * skip)


def _transitions() -> tuple[Floats, Floats]:
    """Log probabilities to stay in a state and to leave it to the next, by phone and state."""
    head, flat = _numbers("en-us/transition_matrices", 5)
    matrix = flat.reshape(int(head[1]), STATES, STATES + 1)
    matrix = matrix / matrix.sum(axis=2, keepdims=True)
    states = np.arange(STATES)
    return np.log(matrix[:, states, states]), np.log(matrix[:, states, states + 1])


def _streams(senones: int) -> tuple[Gaussians, ...]:
    shape = (-1, _STREAMS, _DENSITY, _SIZE)
    means = _numbers("en-us/means", 8)[1].reshape(shape)
    variances = np.maximum(_numbers("en-us/variances", 8)[1].reshape(shape), _LEAST_VARIANCE)
    precision = 1 / variances
    offset = -0.5 * (np.log(2 * np.pi * variances) + means**2 * precision).sum(axis=3)
    weights = np.concatenate([-0.5 * precision, means * precision, offset[..., None]], axis=3).astype(np.float32)
    dump = model_file("en-us/sendump")
    quantised = np.frombuffer(dump, np.uint8, _STREAMS * _DENSITY * senones, len(dump) - _STREAMS * _DENSITY * senones)
    table = np.exp(-_LOG_BASE * np.arange(256)).astype(np.float32)
    mixture = table[quantised.reshape(_STREAMS, _DENSITY, senones)]
    return tuple(
        Gaussians(
            np.ascontiguousarray(weights[:, stream]),
            np.ascontiguousarray(mixture[stream].T),
        )
        for stream in range(_STREAMS)
    )


def _rough(mixed: tuple[Gaussians, ...], phone_of: NDArray[np.int64]) -> Floats:
    """One Gaussian a senone, of the mean and the variance that its mixture has."""
    made: list[list[NDArray[np.float64]]] = []
    for stream in mixed:
        variance = -0.5 / stream.weight[:, :, :_SIZE].astype(np.float64)
        mean = stream.weight[:, :, _SIZE : 2 * _SIZE] * variance
        weight = stream.mixture / stream.mixture.sum(axis=1, keepdims=True)
        middle, wide = np.empty((2, len(phone_of), _SIZE))
        for phone in range(len(mean)):
            own = phone_of == phone
            middle[own] = weight[own] @ mean[phone]
            wide[own] = weight[own] @ (variance[phone] + mean[phone] ** 2) - middle[own] ** 2
        offset = -0.5 * (np.log(2 * np.pi * wide) + middle**2 / wide).sum(axis=1, keepdims=True)
        made.append([-0.5 / wide, middle / wide, offset])
    squares, linear, offsets = zip(*made, strict=True)
    return np.concatenate([*squares, *linear, sum(offsets)], axis=1).astype(np.float32)
