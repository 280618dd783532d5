"""How far apart the voices of two sentences lie: of one speaker, and of two (the listener's doubt of two speakers).

    python bench/two_speakers.py DATA [--every N]

DATA holds `labels.jsonl` and `audio/` of speechocean762. Prints, for some steps in semitones, the share of pairs of
sentences whose middle pitches lie further apart: pairs of one speaker are falsely doubted, those of two are found.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from vivavoce.audio.waveform import decode
from vivavoce.listening.acoustics import pitch
from vivavoce.listening.evidence import middle_pitch

STEPS = (4, 5, 6, 7, 8, 10)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every Nth sentence")
    arguments = parser.parse_args()
    lines = (arguments.data / "labels.jsonl").read_text("utf-8").splitlines()[:: arguments.every]
    tones, speakers = [], []
    for done, row in enumerate(map(json.loads, lines), 1):
        tone = middle_pitch(*pitch(decode(arguments.data / "audio" / f"{row['id']}.flac").samples))
        if tone is not None:
            tones.append(tone)
            speakers.append(row["speaker"])
        if done % 50 == 0 or done == len(lines):
            sys.stderr.write(f"\r{done} of {len(lines)}")
    sys.stderr.write("\n")
    one, other = np.triu_indices(len(tones), 1)
    apart = np.abs(np.array(tones)[one] - np.array(tones)[other])
    same = np.array(speakers)[one] == np.array(speakers)[other]
    print(f"{len(tones)} sentences, {same.sum()} pairs of one speaker, {(~same).sum()} of two")
    for step in STEPS:
        print(
            f"{step} semitones: one speaker {(apart[same] > step).mean():.2%}, two {(apart[~same] > step).mean():.1%}"
        )


if __name__ == "__main__":
    main()
