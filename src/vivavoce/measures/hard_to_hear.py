"""What in a recording may be why nobody could follow it, with what to do: noise, a narrow band, too few bits."""

from __future__ import annotations

from collections.abc import Sequence

from vivavoce.audio.waveform import AudioSource, Waveform
from vivavoce.notice import Notice

_NOISY = "it is noisy", "in a quieter place, closer to the microphone"
_NARROW = "it has no sound over 4 kHz", "not over a telephone or a headset in call mode"
_SQUEEZED = "compressed less strongly (MP3 and AAC from 32 kbit/s, Opus from 16)"

LEAST_BITS_PER_S = {"mp3": 20_000, "aac": 20_000, "vorbis": 20_000, "opus": 10_000}
"""Under this the sounds themselves are damaged (chosen): the right words fit worse by 0.5 to 1.0 a frame with MP3 and
AAC at 16 and Opus at 8 kbit/s, by 0.1 at most at 24 and 12 (docs/evidence/not-scored.md)."""


def reasons(waveform: Waveform, notices: Sequence[Notice]) -> list[tuple[str, str]]:
    """Return what makes the recording hard to hear, each with how to record instead; none where nothing does.

    Parameters: `notices` of the same recording's conditions.
    """
    codes = {notice.code for notice in notices}
    found = [pair for code, pair in (("noisy", _NOISY), ("narrow_band", _NARROW)) if code in codes]
    squeezed = _squeezed(waveform.source)
    return found if squeezed is None else [*found, squeezed]


def _squeezed(source: AudioSource) -> tuple[str, str] | None:
    # FFmpeg names decoders: mp3float, opus or libopus.
    least = next((bits for name, bits in LEAST_BITS_PER_S.items() if name in source.codec), 0)
    if not 0 < source.bits_per_s < least:
        return None
    return f"it is compressed to {source.bits_per_s / 1000:.0f} kbit/s, which damages its sounds", _SQUEEZED
