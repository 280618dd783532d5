"""Write what PyTorch makes of a small network with drawn weights: the NumPy network is held against it.

python -m train.golden > tests/listening/network_torch.json
"""

from __future__ import annotations

import json

import numpy as np
import torch

from train.net import Net

WIDTHS = {"sounds": 5, "encoded": 6, "whole": 4, "width": 8}
SOUNDS, WORDS = 7, 3
WORD_OF = (0, 0, 1, 1, 1, 2, 2)


def drawn(shapes: dict[str, tuple[int, ...]], seed: int) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    """Return arrays of those shapes, drawn in the order of their names."""
    chance = np.random.default_rng(seed)
    return {name: chance.normal(0, 0.5, shapes[name]).astype(np.float32) for name in sorted(shapes)}


def main() -> None:
    """Print the shapes of the weights and the outputs."""
    torch.manual_seed(0)
    net = Net(**WIDTHS).eval()
    shapes = {name: tuple(value.shape) for name, value in net.state_dict().items()}
    net.load_state_dict({name: torch.from_numpy(value) for name, value in drawn(shapes, 7).items()})
    inputs = drawn({"sounds": (SOUNDS, 5), "encoded": (SOUNDS, 6), "whole": (4,)}, 8)
    phones = torch.arange(SOUNDS) * 5
    member = torch.zeros(1, WORDS, SOUNDS)
    member[0, torch.tensor(WORD_OF), torch.arange(SOUNDS)] = 1
    member = member / member.sum(-1, keepdim=True)
    given = {name: torch.from_numpy(value)[None] for name, value in inputs.items()}
    with torch.no_grad():
        made = net(
            given["sounds"],
            given["encoded"],
            phones[None],
            torch.ones(1, SOUNDS, dtype=torch.bool),
            member,
            given["whole"],
        )
    scales, words, sounds = (value[0].tolist() for value in made)
    origin = f"PyTorch {torch.__version__}, train/golden.py"
    print(
        json.dumps({"origin": origin, "shapes": shapes, "scales": scales, "words": words, "sounds": sounds}, indent=1)
    )


if __name__ == "__main__":
    main()
