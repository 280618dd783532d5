"""Small files of formats that have no real sample here, written by hand from the services' published documentation.

Each stands with the words that it holds (text, start and end in ms), its language, and whether it is verbatim. They
say "Hello, world. It is 5." in about two seconds, a filled pause or a remark among it where the format has a way.
"""

from __future__ import annotations

from importers_sample import Sample
from importers_samples_cloud import CLOUD
from importers_samples_cloud2 import CLOUD2
from importers_samples_open import OPEN
from importers_samples_pieces import PIECES
from importers_samples_streams import STREAMS
from importers_samples_text import TEXT

__all__ = ["SAMPLES", "Sample"]

SAMPLES: dict[str, Sample] = {**OPEN, **PIECES, **CLOUD, **CLOUD2, **STREAMS, **TEXT}
