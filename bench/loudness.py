"""Fade on every reader in the data: as they read, and with every ending part lowered by 1 to 6 dB.

    python bench/loudness.py ../shared [--svg docs/fade.svg]

Readers: the readings in `data/2_audio`, and all 109 of `speechocean762_train`: of each the seven sentences whose names
come first by SHA-256, one after another as recorded (half a minute), and the first of them alone. Phrases and pauses
are voice activity's: of the untouched recording ("kept", as words that were given would have them), or found anew in
each lowered one ("anew", the worst case). The plot, of "kept", is plain SVG; the tables go to standard output.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.waveform import ANALYSIS_RATE, AudioSource, Waveform, decode
from vivavoce.measures.volume import Fade, FadeMethod, fade
from vivavoce.timeline import Pause, Segment

READINGS = (
    "librivox_sonnets/sonnet_p001.mp3",
    "mfa_corpus/61-70968-0000.flac",
    "librosa_libri/198-209-0000.hq.ogg",
    "librosa_libri/3436-172162-0000.hq.ogg",
    "librosa_libri/5703-47212-0000.hq.ogg",
    "faster_whisper/jfk.flac",
    "ruby_llm/ruby.wav",
    *(
        f"pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-{n}.wav"
        for n in ("0870", "0880", "0890", "0920", "0930")
    ),
)
LOWERED = range(1, 7)
JOINED = 7
GROUPS = {"adult learners": (18, 99), "teenagers": (13, 17), "children": (0, 12)}
COLOURS = {"readings": "#1b5e9b", "adult learners": "#b3541e", "teenagers": "#7a5195", "children": "#3c7d3c"}
METHODS: tuple[FadeMethod, ...] = ("phrase", "whole")


Where = tuple[Sequence[Pause], Segment]


def groups(data: Path) -> dict[str, list[list[Path]]]:
    """The recordings of each group, each as the clips that it is joined of."""
    folder = data / "speechocean762_train"
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    found = {"readings": [[data / "2_audio" / name] for name in READINGS]}
    for group, (youngest, oldest) in GROUPS.items():
        speakers: dict[str, list[Path]] = defaultdict(list)
        for row in rows:
            if youngest <= row["age"] <= oldest:
                speakers[row["speaker"]].append(folder / "audio" / f"{row['id']}.flac")
        found[group] = [clips[:JOINED] for clips in speakers.values()]
        found[f"{group}, one sentence"] = [clips[:1] for clips in speakers.values()]
    return found


def waveform_of(samples: np.ndarray) -> Waveform:
    meter = LevelMeter(ANALYSIS_RATE)
    meter.add(samples)
    source = AudioSource("wav", "pcm_f32le", ANALYSIS_RATE, 1, "")
    return Waveform(samples.astype(np.float32), ANALYSIS_RATE, samples.size // 16, meter.finish(), source)


def heard(waveform: Waveform) -> Where | None:
    """Pauses and response by voice activity alone."""
    segments = detect(waveform).segments()
    if not segments:
        return None
    gaps = [Pause(a.end_ms, b.start_ms, "phrase") for a, b in pairwise(segments) if b.start_ms - a.end_ms >= 250]
    return gaps, Segment(segments[0].start_ms, segments[-1].end_ms)


def falls(clips: list[Path], method: FadeMethod, anew: bool) -> list[float] | None:
    """The signed fade as read, then with its ending parts lowered by 1 to 6 dB; None where there is none to measure."""
    samples = np.concatenate([decode(path).samples for path in clips]).astype(np.float64)
    plain = waveform_of(samples)
    where = heard(plain)
    if where is None:
        return None
    before = fade(plain, *where, method)
    if before.signed_db is None:
        return None
    found = [before.signed_db]
    for lowered in LOWERED:
        quieter = samples.copy()
        for start_ms, end_ms in endings(before, where, method):
            quieter[16 * start_ms : 16 * end_ms] *= 10 ** (-lowered / 20)
        changed = waveform_of(quieter)
        there = heard(changed) if anew else where
        after = None if there is None else fade(changed, *there, method).signed_db
        found.append(np.nan if after is None else after)
    return found


def endings(before: Fade, where: Where, method: FadeMethod) -> list[tuple[int, int]]:
    """The second half of each phrase, or the last quarter of the speech."""
    if method == "phrase":
        return [((p.start_ms + p.end_ms) // 2, p.end_ms) for p in before.phrases]
    speech = np.ones(where[1].end_ms // 10, bool)
    speech[: where[1].start_ms // 10] = False
    for pause in where[0]:
        speech[pause.start_ms // 10 : pause.end_ms // 10] = False
    frames = np.flatnonzero(speech)
    return [(10 * int(frames[-(frames.size // 4)]), where[1].end_ms)]


def table(name: str, found: np.ndarray) -> None:
    """What lowering by k moved: median, 5th and 95th percentile, share within 0.5 dB of k."""
    moved = found[:, 1:] - found[:, :1]
    for k in LOWERED:
        low, middle, high = np.nanquantile(moved[:, k - 1], (0.05, 0.5, 0.95))
        within = np.mean(np.abs(moved[:, k - 1] - k) <= 0.5)
        print(f"| {name} | {len(found)} | {k} | {middle:.2f} | {low:.2f} to {high:.2f} | {100 * within:.0f} % |")


def as_read(name: str, found: np.ndarray) -> None:
    signed = found[:, 0]
    clipped = np.maximum(signed - 2, 0)
    low, middle, high = np.quantile(signed, (0.05, 0.5, 0.95))
    shares = " | ".join(f"{100 * np.mean(clipped <= most):.0f} %" for most in (0, 1.5, 2.5))
    print(f"| {name} | {len(found)} | {middle:.2f} | {low:.2f} to {high:.2f} | {shares} |")


def drawing(found: dict[str, np.ndarray]) -> str:
    """The plot by phrase: the fall found against the fall put in, median and 5th to 95th percentile of each group."""
    left, top, unit = 60, 30, 60

    def x(value: float) -> float:
        return left + value * unit

    def y(value: float) -> float:
        return top + (7 - value) * unit

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 530" role="img" aria-labelledby="t d"'
        ' font-family="system-ui, sans-serif" font-size="14">',
        '<title id="t">Fade found against fade put in</title>',
        '<desc id="d">For readings and learners of three ages: by how much the signed fade by phrase rises when the '
        "second half of every phrase is lowered by 1 to 6 dB. Medians with 5th to 95th percentile; the band is 0.5 dB "
        "on either side of a perfect answer.</desc>",
        '<rect width="520" height="530" fill="#fff"/>',
        f'<path d="M{x(0)} {y(0.5)}L{x(6.5)} {y(7)}L{x(6.5)} {y(6)}L{x(0.5)} {y(0)}L{x(0)} {y(0)}Z" fill="#e4e8ec"/>',
        f'<path d="M{x(0)} {y(0)}L{x(6.5)} {y(6.5)}" stroke="#777" stroke-dasharray="4 4"/>',
        f'<path d="M{x(0)} {y(7)}V{y(0)}H{x(6.5)}" fill="none" stroke="#222"/>',
    ]
    for value in range(7):
        parts.append(f'<text x="{x(value)}" y="{y(0) + 20}" text-anchor="middle" fill="#222">{value}</text>')
        parts.append(f'<text x="{x(0) - 8}" y="{y(value) + 5}" text-anchor="end" fill="#222">{value}</text>')
    parts.append(f'<text x="{x(3.25)}" y="{y(0) + 42}" text-anchor="middle" fill="#222">endings lowered by, dB</text>')
    parts.append(f'<text x="{left - 44}" y="20" fill="#222">fade by phrase grows by, dB</text>')
    for place, (name, values) in enumerate(found.items()):
        colour, moved = COLOURS[name], values[:, 1:] - values[:, :1]
        for k in LOWERED:
            low, middle, high = np.nanquantile(moved[:, k - 1], (0.05, 0.5, 0.95))
            at = x(k + 0.12 * (place - 1.5))
            parts.append(f'<path d="M{at:.1f} {y(low):.1f}V{y(high):.1f}" stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<circle cx="{at:.1f}" cy="{y(middle):.1f}" r="4" fill="{colour}"/>')
        parts.append(f'<circle cx="{x(0.3)}" cy="{50 + 22 * place}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x(0.45)}" y="{55 + 22 * place}" fill="#222">{name} ({len(values)})</text>')
    return "\n".join((*parts, "</svg>", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--svg", type=Path)
    arguments = parser.parse_args()
    chosen = groups(arguments.shared / "data")
    for method in METHODS:
        for anew in (False, True):
            found = {}
            for name, recordings in chosen.items():
                rows = [row for clips in recordings if (row := falls(clips, method, anew)) is not None]
                found[name] = np.array(rows)
            if not anew:
                print(f"\nFade, {method}, as read\n\n| who | n | signed, median | 5-95 % | 0 | to 1.5 | to 2.5 dB |")
                print("|---|---|---|---|---|---|---|")
                for name, values in found.items():
                    as_read(name, values)
            print(f"\nFade, {method}, endings lowered, pauses {'found anew' if anew else 'kept'}\n")
            print("| who | n | lowered by | median | 5-95 % | within 0.5 dB |\n|---|---|---|---|---|---|")
            for name, values in found.items():
                table(name, values)
            if arguments.svg and method == "phrase" and not anew:
                shown = {name: values for name, values in found.items() if name in COLOURS}
                arguments.svg.write_text(drawing(shown), encoding="utf-8")


if __name__ == "__main__":
    main()
