"""The pictures of docs/measurements.md, drawn from the bundled recording by what measures it.

    python bench/pictures.py [NAME ...] [--folder docs/pictures]

NAME: one or more of the pictures (without: all). Where a picture needs what the recording does not have (a false start,
a twister said twice, clipping), it says what it was made from. The same code gives the same bytes on every run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from drawing import deciding, loudness, pace, words
from drawing.canvas import Picture

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PICTURES: dict[str, Callable[[], Picture]] = {
    "word-times": words.word_times,
    "pauses": words.pauses,
    "times": pace.times,
    "pace-variation": pace.pace_variation,
    "pace-rises": pace.pace_rises_picture,
    "level": loudness.level,
    "fade": loudness.fade_picture,
    "conditions": loudness.conditions,
    "disfluency": words.disfluency,
    "words-read": deciding.words_read,
    "not-scored": deciding.not_scored,
}


def main() -> None:
    """Draw the pictures asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(PICTURES))
    if unknown:
        parser.error(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or PICTURES:
        path = arguments.folder / f"{name}.svg"
        path.write_text(PICTURES[name]().svg(), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
