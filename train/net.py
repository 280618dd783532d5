"""The network in PyTorch: what `vivavoce/listening/network.py` runs in NumPy, with dropout, for training."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

POSITIONS = 128
SCALES = 4


def gelu(values: Tensor) -> Tensor:
    """Return the Gaussian error linear unit, in the tanh form that the package computes."""
    return functional.gelu(values, approximate="tanh")


class Net(nn.Module):
    """Sounds of a stretch -> four scales, two values a word, one a sound; all in standard units.

    Parameters: `sounds`, `encoded`, `whole` the widths of the features; `width` of the state; `drop` the dropout.
    """

    def __init__(
        self, sounds: int, encoded: int, whole: int, width: int = 48, layers: int = 2, drop: float = 0.2
    ) -> None:
        super().__init__()
        self.drop = drop
        self.pe = nn.Embedding(48, width)
        self.si = nn.Linear(sounds, width)
        self.ei = nn.Linear(encoded, 24)
        self.e2 = nn.Linear(24, width)
        self.pos = nn.Parameter(torch.randn(POSITIONS, width) * 0.02)
        layer = [
            nn.TransformerEncoderLayer(width, 4, 2 * width, drop, activation=gelu, batch_first=True, norm_first=True)
            for _ in range(layers)
        ]
        self.layers = nn.ModuleList(layer)
        self.ln = nn.LayerNorm(width)
        self.ph = nn.Linear(width, 1)
        self.wd = nn.Linear(width, 2)
        self.att = nn.Linear(width, SCALES)
        self.u1 = nn.Linear(whole, 32)
        self.h1 = nn.Linear(SCALES * width + 32, 48)
        self.h2 = nn.Linear(48, SCALES)
        self.ulin = nn.Linear(whole, SCALES)
        self.dr = nn.Dropout(1.5 * drop)

    def forward(
        self, sounds: Tensor, encoded: Tensor, phones: Tensor, mask: Tensor, member: Tensor, whole: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return scales (batch, 4), words (batch, words, 2) and sounds (batch, sounds)."""
        count = sounds.shape[1]
        # Any place may be the first, so that all places are learned.
        first = int(torch.randint(0, POSITIONS - count, (1,))) if self.training and count < POSITIONS else 0
        state = self.si(sounds) + self.e2(gelu(self.ei(encoded))) + self.pe(phones)
        state = state + self.pos[first : first + count].unsqueeze(0)
        state = functional.dropout(state, self.drop / 2, self.training)
        for layer in self.layers:
            state = layer(state, src_key_padding_mask=~mask)
        state = self.ln(state)
        by_word = self.wd(torch.bmm(member, state))
        attention = self.att(state).masked_fill(~mask.unsqueeze(-1), -1e9).softmax(1)
        pooled = torch.einsum("btk,btd->bkd", attention, state).flatten(1)
        seen = self.dr(whole)
        hidden = torch.cat([pooled, gelu(self.u1(seen))], 1)
        scales = self.h2(self.dr(gelu(self.h1(hidden)))) + self.ulin(seen)
        return scales, by_word, self.ph(state).squeeze(-1)
