"""The network in NumPy gives what PyTorch gives (golden file: train/golden.py), and scales its outputs as stated."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vivavoce.listening.features import Features
from vivavoce.listening.network import Ear, predict

GOLDEN = json.loads((Path(__file__).parent / "network_torch.json").read_text("utf-8"))
WORD_OF = np.array([0, 0, 1, 1, 1, 2, 2])


def drawn(shapes, seed):
    """As train/golden.py draws them."""
    chance = np.random.default_rng(seed)
    return {name: chance.normal(0, 0.5, shapes[name]).astype(np.float32) for name in sorted(shapes)}


def ear(mix: float, networks: int = 1) -> Ear:
    weights = drawn({name: tuple(shape) for name, shape in GOLDEN["shapes"].items()}, 7)
    scaling = {}
    for name, size in (("sound", 5), ("encoded", 6), ("whole", 4)):
        scaling |= {f"{name}_mean": np.zeros(size, np.float32), f"{name}_sd": np.ones(size, np.float32)}
    scaling |= {"scale_mean": np.full(4, 5.0), "scale_sd": np.full(4, 0.2), "word_mean": 6.0, "word_sd": 1.5}
    scaling |= {"phone_mean": 1.5, "phone_sd": 0.25}
    scaling |= {"linear_weight": np.eye(4), "linear_bias": np.array([3.0, 4.0, 5.0, 6.0])}
    return Ear(scaling, (weights,) * networks, mix)


def stretch() -> Features:
    inputs = drawn({"sounds": (7, 5), "encoded": (7, 6), "whole": (4,)}, 8)
    return Features(inputs["sounds"], WORD_OF, np.arange(7) * 5, inputs["encoded"], inputs["whole"])


@pytest.mark.parametrize("networks", [1, 3])
def test_the_network_is_that_of_pytorch(networks):
    made = predict(ear(1.0, networks), stretch(), 3)
    np.testing.assert_allclose(made.scales, np.clip(5 + 0.2 * np.array(GOLDEN["scales"]), 0, 10), atol=2e-5)
    words = np.array(GOLDEN["words"])
    np.testing.assert_allclose(made.word_accuracy, np.clip(6 + 1.5 * words[:, 0], 0, 10), atol=2e-5)
    np.testing.assert_allclose(made.word_misread, words[:, 1], atol=2e-5)
    np.testing.assert_allclose(made.sounds, np.clip(1.5 + 0.25 * np.array(GOLDEN["sounds"]), 0, 2), atol=2e-5)


def test_golden_values_are_not_all_cut_off():
    scales = 5 + 0.2 * np.array(GOLDEN["scales"])
    assert ((scales > 0) & (scales < 10)).all()


def test_the_mix_is_between_the_networks_and_the_linear_model():
    linear = np.array([3.0, 4.0, 5.0, 6.0]) + stretch().whole
    np.testing.assert_allclose(predict(ear(0.0), stretch(), 3).scales, np.clip(linear, 0, 10), atol=1e-5)
    half = 0.5 * linear + 0.5 * (5 + 0.2 * np.array(GOLDEN["scales"]))
    np.testing.assert_allclose(predict(ear(0.5), stretch(), 3).scales, np.clip(half, 0, 10), atol=2e-5)


def test_a_word_without_sounds_changes_no_other():
    three, four = predict(ear(1.0), stretch(), 3), predict(ear(1.0), stretch(), 4)
    np.testing.assert_allclose(four.word_accuracy[:3], three.word_accuracy, atol=1e-6)
    np.testing.assert_allclose(four.scales, three.scales, atol=1e-6)


def test_what_is_beyond_all_training_counts_as_its_edge():
    plain = stretch()
    far = Features(plain.sounds, plain.word_of, plain.phone_of, plain.encoded, plain.whole.copy())
    far.whole[0] = 1e6
    edge = Features(plain.sounds, plain.word_of, plain.phone_of, plain.encoded, plain.whole.copy())
    edge.whole[0] = 4.0
    np.testing.assert_array_equal(predict(ear(0.5), far, 3).scales, predict(ear(0.5), edge, 3).scales)
