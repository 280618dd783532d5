"""What the recogniser makes of a stretch: how likely it finds the known words, beside its own free hearing.

Whisper's encoder hears the stretch and PAD_S of silence after it, no longer window: thirty seconds would cost ten times
as much. In short windows its free hearing may go round in a loop; the loop is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.model import Floats
from vivavoce.transcript.recognizer import loaded

PAD_S = 1.0
RATE = 16_000
# Whisper's frames are 20 ms.
FRAME_MS = 20
_START, _NO_TIMES = 50257, 50362
_LEAST_PROBABILITY = 1e-6
_LONGEST_TOKENS = 200
_TOKENS_A_SECOND = 9


@dataclass(frozen=True, slots=True)
class Recognition:
    """`encoded` (frames of 20 ms, width); log probabilities of the tokens of the known text, with the word of each.

    `free` the tokens heard freely, loops cut off, with `free_log` theirs; `free_text` as words.
    """

    encoded: Floats
    forced_log: Floats
    forced_word: NDArray[np.int64]
    free: tuple[int, ...]
    free_log: Floats
    free_text: str


def recognise(samples: Floats, words: Sequence[str], path: str, sha256: str) -> Recognition:
    """Hear a stretch of up to 28 s with the recogniser.

    Parameters: `samples` mono at 16 kHz; `words` as written; `path`, `sha256` of the weights.
    Returns a Recognition.
    """
    import ctranslate2

    # One thread: with more the encoder's last digits would hang on how many there are.
    whole = loaded(path, sha256, 1)
    model, tokens = whole.model, whole.hf_tokenizer
    padded = np.concatenate([samples, np.zeros(int(PAD_S * RATE), np.float32)])
    mel = _log_mel(whole.feature_extractor, padded)
    mel = np.ascontiguousarray(mel[None, :, : mel.shape[1] // 2 * 2])
    encoded = model.encode(ctranslate2.StorageView.from_array(mel))
    ids, owner = _tokens(tokens, words)
    free = _free(model, encoded, len(samples) / RATE)
    forced_log = _log_probabilities(model, encoded, ids, mel.shape[2])
    free_log = _log_probabilities(model, encoded, free, mel.shape[2])
    used = np.asarray(encoded)[0, : len(samples) // (RATE * FRAME_MS // 1000) + 1]
    text = tokens.decode(free).strip()
    return Recognition(np.asarray(used, np.float32), forced_log, owner, tuple(free), free_log, text)


def _log_mel(extract: Any, samples: Floats) -> Floats:
    """Whisper's log mel spectrum (bands, frames), as `extract` makes it but in 64 bits, rounded at the end.

    In 32 bits its last digits hang on the number of threads, and the encoder's whole numbers make steps of them.
    """
    size, hop = extract.n_fft, extract.hop_length
    signal = np.pad(np.pad(samples.astype(np.float64), (0, hop)), size // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(signal, size)[::hop][:-1]
    power = np.abs(np.fft.rfft(frames * np.hanning(size + 1)[:-1])) ** 2
    made = np.log10(np.maximum(np.asarray(extract.mel_filters, np.float64) @ power.T, 1e-10))
    return np.asarray((np.maximum(made, made.max() - 8.0) + 4.0) / 4.0, np.float32)


def _tokens(tokens: Any, words: Sequence[str]) -> tuple[list[int], NDArray[np.int64]]:
    """The tokens of the text as Whisper would write it: a capital first, a full stop last; and the word of each."""
    ids: list[int] = []
    owner: list[int] = []
    # Capitals throughout are a way to print; Whisper would take them for shouting or for letters.
    words = [word.lower() for word in words] if " ".join(words).isupper() and len(words) > 1 else words
    for index, word in enumerate(words):
        written = word[:1].upper() + word[1:] if index == 0 else word
        if index == len(words) - 1 and written[-1:].isalnum():
            written += "."
        own = tokens.encode(" " + written, add_special_tokens=False).ids
        ids += own
        owner += [index] * len(own)
    return ids, np.array(owner, np.int64)


def _free(model: Any, encoded: Any, seconds: float) -> list[int]:
    most = min(_LONGEST_TOKENS, int(4 + _TOKENS_A_SECOND * seconds))
    found = model.generate(encoded, [[_START, _NO_TIMES]], beam_size=1, max_length=most + 2, no_repeat_ngram_size=4)
    return _without_loop([token for token in found[0].sequences_ids[0] if token < _START - 1])


def _without_loop(ids: list[int]) -> list[int]:
    """What comes before the first three tokens in a row that were there already."""
    seen: set[tuple[int, ...]] = set()
    for index in range(len(ids) - 2):
        three = tuple(ids[index : index + 3])
        if three in seen:
            return ids[:index]
        seen.add(three)
    return ids


def _log_probabilities(model: Any, encoded: Any, ids: list[int], frames: int) -> Floats:
    if not ids:
        return np.zeros(0, np.float32)
    found = model.align(encoded, [_START], [ids], frames, median_filter_width=7)
    return np.log(np.maximum(np.array(found[0].text_token_probs, np.float32), _LEAST_PROBABILITY))
