"""The trained ear, run in NumPy: several small transformers over the sounds, and a linear model over the whole.

    scales = MIX * mean of the networks + (1 - MIX) * linear(whole);   words and sounds: the networks' mean

A network: each sound's features, encoder output and name, added up; LAYERS of attention and feed-forward (Vaswani et
al. 2017, normalised first); heads for sounds, for words (mean over their sounds) and for the stretch (a weighted mean a
scale, with the features of the whole). train/ has the same in PyTorch, and a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.listening.features import Features
from vivavoce.transcript.forced.model import Floats

HEADS = 4
LIMIT, ENCODED_LIMIT, WHOLE_LIMIT = 5.0, 6.0, 4.0
_TINY = 1e-5

Weights = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Prediction:
    """Values on the experts' scale by scale; by word accuracy and the log odds of having been misread; by sound 0-2."""

    scales: Floats
    word_accuracy: Floats
    word_misread: Floats
    sounds: Floats


@dataclass(frozen=True, slots=True)
class Ear:
    """The weights: `shared` scalings and the linear model, `networks` one mapping each, `mix` the networks' share."""

    shared: Weights
    networks: tuple[Weights, ...]
    mix: float


def predict(ear: Ear, found: Features, words: int) -> Prediction:
    """Return what the ear makes of a stretch with at least one sound.

    Parameters: `found` of features.features; `words` how many words the stretch has (those without sounds get zeros).
    """
    shared = ear.shared
    sounds = np.clip((found.sounds - shared["sound_mean"]) / shared["sound_sd"], -LIMIT, LIMIT)
    encoded = np.clip((found.encoded - shared["encoded_mean"]) / shared["encoded_sd"], -ENCODED_LIMIT, ENCODED_LIMIT)
    whole = np.clip((found.whole - shared["whole_mean"]) / shared["whole_sd"], -WHOLE_LIMIT, WHOLE_LIMIT)
    member = np.zeros((words, len(sounds)), np.float32)
    member[found.word_of, np.arange(len(sounds))] = 1
    member /= np.maximum(member.sum(axis=1, keepdims=True), 1)
    made = [_network(one, sounds, encoded, found.phone_of, member, whole) for one in ear.networks]
    by_scale, by_word, by_sound = (np.mean([one[part] for one in made], axis=0) for part in range(3))
    linear = whole @ shared["linear_weight"] + shared["linear_bias"]
    scales = ear.mix * (by_scale * shared["scale_sd"] + shared["scale_mean"]) + (1 - ear.mix) * linear
    accuracy = by_word[:, 0] * shared["word_sd"] + shared["word_mean"]
    quality = by_sound * shared["phone_sd"] + shared["phone_mean"]
    return Prediction(
        np.clip(scales, 0, 10).astype(np.float32),
        np.clip(accuracy, 0, 10).astype(np.float32),
        by_word[:, 1].astype(np.float32),
        np.clip(quality, 0, 2).astype(np.float32),
    )


def _network(
    net: Weights, sounds: Floats, encoded: Floats, phones: NDArray[np.int64], member: Floats, whole: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return one network's scales (4,), words (words, 2) and sounds (sounds,), all in standard units."""
    places = np.minimum(np.arange(len(sounds)), len(net["pos"]) - 1)
    inner = _linear(net, "e2", _gelu(_linear(net, "ei", encoded)))
    state = _linear(net, "si", sounds) + inner + net["pe.weight"][phones] + net["pos"][places]
    layer = 0
    while f"layers.{layer}.norm1.weight" in net:
        state = _layer(net, f"layers.{layer}.", state)
        layer += 1
    state = _normal(net, "ln", state)
    by_sound = _linear(net, "ph", state)[:, 0]
    by_word = _linear(net, "wd", member @ state)
    attention = _softmax(_linear(net, "att", state).T)
    pooled = (attention @ state).reshape(-1)
    hidden = np.concatenate([pooled, _gelu(_linear(net, "u1", whole))])
    scales = _linear(net, "h2", _gelu(_linear(net, "h1", hidden))) + _linear(net, "ulin", whole)
    return scales, by_word, by_sound


def _layer(net: Weights, name: str, state: Floats) -> Floats:
    """Attention, then feed-forward, each on what is normalised and added to what came in."""
    normal = _normal(net, name + "norm1", state)
    mixed = normal @ net[name + "self_attn.in_proj_weight"].T + net[name + "self_attn.in_proj_bias"]
    width = state.shape[1]
    split = mixed.reshape(len(state), 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
    query, key, value = split
    weight = _softmax(query @ key.transpose(0, 2, 1) / np.sqrt(width // HEADS))
    heard = (weight @ value).transpose(1, 0, 2).reshape(len(state), width)
    state = state + _linear(net, name + "self_attn.out_proj", heard)
    normal = _normal(net, name + "norm2", state)
    return state + _linear(net, name + "linear2", _gelu(_linear(net, name + "linear1", normal)))


def _linear(net: Weights, name: str, values: Floats) -> Floats:
    made: Floats = values @ net[name + ".weight"].T + net[name + ".bias"]
    return made


def _normal(net: Weights, name: str, values: Floats) -> Floats:
    middle = values.mean(axis=-1, keepdims=True)
    spread = np.sqrt(((values - middle) ** 2).mean(axis=-1, keepdims=True) + _TINY)
    made: Floats = (values - middle) / spread * net[name + ".weight"] + net[name + ".bias"]
    return made


def _gelu(values: Floats) -> Floats:
    """The Gaussian error linear unit in its tanh form (Hendrycks and Gimpel 2016)."""
    made: Floats = 0.5 * values * (1 + np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3)))
    return made


def _softmax(values: Floats) -> Floats:
    grown = np.exp(values - values.max(axis=-1, keepdims=True))
    made: Floats = grown / grown.sum(axis=-1, keepdims=True)
    return made
