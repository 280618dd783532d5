"""What the warnings of `audio/conditions.py` measure, on recordings as they are and on worsened ones.

    python bench/conditions.py ../shared [--clips 250]

Untouched: the English recordings in `data/2_audio` and clips of `speechocean762_train`, evenly taken. Worsened, of
each: gain into clipping, noise at a known ratio, 8 kHz and back. Of every number the range, of every warning the count.
Automatic gain: eight clips of every fifth learner, joined as they are, and made louder in their pauses by a recorder
with automatic gain (`turned_up` of the tests) that gains so many dB a second and at most so many.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.conditions import clipped_share, conditions
from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.peaks import PeakMeter
from vivavoce.audio.spectra import cliff_db, signal_to_noise_db
from vivavoce.audio.waveform import ANALYSIS_RATE, AudioSource, Waveform, decode

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "loudness"))
from loudness_clips import by_speaker, heard, mono, normalised, turned_up

GAINS = ((6, 20), (10, 12), (25, 25))
SUFFIXES = {".wav", ".flac", ".ogg", ".mp3", ".aiff"}


def recordings(data: Path, clips: int) -> list[Path]:
    learners = sorted((data / "speechocean762_train/audio").glob("*.flac"))
    taken = [learners[i * len(learners) // clips] for i in range(clips)]
    return [path for path in sorted((data / "2_audio").rglob("*")) if path.suffix in SUFFIXES] + taken


def waveform_of(samples: np.ndarray) -> Waveform:
    """The samples as a 16-bit file would hold them."""
    samples = np.clip(np.round(samples * 32768), -32768, 32767) / 32768
    meter, peaks = LevelMeter(ANALYSIS_RATE), PeakMeter(1)
    meter.add(samples)
    peaks.add(samples.astype(np.float32)[None])
    source = AudioSource("wav", "pcm_s16le", ANALYSIS_RATE, 1, "")
    made = samples.astype(np.float32)
    return Waveform(made, ANALYSIS_RATE, samples.size // 16, meter.finish(), source, (), peaks.finish())


def narrow(samples: np.ndarray) -> np.ndarray:
    """At 8 kHz and back."""
    for rate, to in ((ANALYSIS_RATE, 8_000), (8_000, ANALYSIS_RATE)):
        convert = av.AudioResampler("fltp", "mono", to)
        frame = av.AudioFrame.from_ndarray(samples[None].astype(np.float32), format="fltp", layout="mono")
        frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
        samples = np.concatenate([p.to_ndarray()[0] for f in (frame, None) for p in convert.resample(f)])
    return samples.astype(np.float64)


def in_noise(samples: np.ndarray, ratio_db: float) -> np.ndarray:
    speech = np.repeat(detect(waveform_of(samples)).speech, 160)[: samples.size]
    if not speech.any():
        return samples
    rms = np.sqrt(np.mean(samples[: speech.size][speech] ** 2)) * 10 ** (-ratio_db / 20)
    return (samples + rms * np.random.default_rng(1).standard_normal(samples.size)) * 0.5


def quantiles(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"n {len(known)}, least, 5, 50, 95 %, most: " + ", ".join(
        f"{value:.4g}" for value in np.quantile(known, (0, 0.05, 0.5, 0.95, 1))
    )


def told(name: str, waveforms: list[Waveform]) -> None:
    activities = [detect(waveform) for waveform in waveforms]
    pairs = list(zip(waveforms, activities, strict=True))
    print(f"\n{name}: {len(pairs)} recordings")
    print("  clipped share:", quantiles([clipped_share(waveform) for waveform in waveforms]))
    print("  signal to noise, dB:", quantiles([signal_to_noise_db(*pair) for pair in pairs]))
    print("  cliff, dB:", quantiles([cliff_db(*pair) for pair in pairs]))
    print("  warnings:", dict(Counter(notice.code for pair in pairs for notice in conditions(*pair))) or "none")


def joined(data: Path) -> dict[str, np.ndarray]:
    """Eight clips of every fifth learner, one after the other."""
    speakers = by_speaker(data)
    return {name: np.concatenate([mono(path) for path in speakers[name][:8]]) for name in sorted(speakers)[::5]}


def tell_gain(data: Path) -> None:
    recordings = joined(data)
    with tempfile.TemporaryDirectory() as folder:

        def suspected(name: str, samples: np.ndarray) -> list[str]:
            codes = [notice.code for notice in conditions(*heard(Path(folder), normalised(samples, -3)))]
            return [name] if "automatic_gain" in codes else []

        found = [one for name, samples in recordings.items() for one in suspected(name, samples)]
        print(f"\nautomatic gain, {len(recordings)} learners' clips joined, as they are: {len(found)}", *found)
        for per_s, most in GAINS:
            made = [
                one for name, samples in recordings.items() for one in suspected(name, turned_up(samples, per_s, most))
            ]
            print(f"  gain of {per_s} dB a second, at most {most} dB: {len(made)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--clips", type=int, default=250)
    arguments = parser.parse_args()
    tell_gain(arguments.shared / "data")
    untouched = [decode(path) for path in recordings(arguments.shared / "data", arguments.clips)]
    told("as they are", untouched)
    plain = [waveform.samples.astype(np.float64) for waveform in untouched]
    plain = [samples / np.abs(samples).max() for samples in plain]
    for over_db in (0, 3, 6, 9, 12):
        told(f"peaks {over_db} dB over full scale", [waveform_of(x * 10 ** (over_db / 20)) for x in plain])
    for ratio_db in (10, 13, 17, 20):
        told(f"white noise {ratio_db} dB under the voice", [waveform_of(in_noise(x, ratio_db)) for x in plain])
    told("at 8 kHz and back", [waveform_of(narrow(x) * 0.9) for x in plain])


if __name__ == "__main__":
    main()
