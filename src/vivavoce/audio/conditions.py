"""What in the recording itself stands in the way of its measurements, each with its threshold and what to do.

    clipped               the tops of the waves are cut off
    clipped_beyond_use    so many that loudness cannot be measured
    noisy                 the noise is less than 15 dB under the voice
    automatic_gain        the noise grows in pauses: the recorder turns its own gain up
    narrow_band           no sound over 4 kHz, as on a telephone

A faulty channel is told by `channels` (`channel_dead`, `channel_weak`, `channel_inverted`). All thresholds are chosen,
on the recordings named in docs/evidence/loudness.md.
"""

from __future__ import annotations

import numpy as np

from vivavoce.audio.activity import Activity
from vivavoce.audio.gain import pause_rises
from vivavoce.audio.peaks import Heaps
from vivavoce.audio.spectra import cliff_db, signal_to_noise_db
from vivavoce.audio.waveform import Waveform
from vivavoce.notice import Notice

CLIPPED_SHARE = 0.001
"""From this share of samples in a heap on a recording is clipped: of 315 untouched ones none has more than 0.0002."""

LEAST_CLIPPED = 20
"""Fewer samples than this are a click, not a voice that was cut (chosen): one top cut off is 3 to 10 of them."""

OVER_SHARE = 0.1
"""Of the samples at full scale and more, a whole wave has this share or more 1 dB over it (chosen): of 17 recordings 3
to 12 dB over 18 % or more. Of waves cut off, then resampled, 2 % at most."""
_FLOATING = ("pcm_f", "wavpack")

BEYOND_USE_SHARE = 0.1
"""From this share on level reads 2.5 dB or more too low and consistency about 1 dB: no use for loudness."""

NOISY_DB = 15.0
"""Under this signal-to-noise ratio a recording is noisy (the issue's number)."""

LEAST_PAUSES = 3
RISE_DB = 2.0
STEADY_RISE_DB = 1.0
"""Gain is called automatic where in three pauses or more the noise rises by RISE_DB in the median and by
STEADY_RISE_DB or more in three of four."""

CLIFF_DB = 45.0
"""A fall this steep between 2 and 4 kHz is a filter's: untouched voices reach 39 dB, voices at 8 kHz 51 to 75."""

NARROW_RATE = 8_000


def conditions(waveform: Waveform, activity: Activity) -> tuple[Notice, ...]:
    """Return what is wrong with the recording, in the order of the list above.

    What cannot be told (no speech, no pause, no noise between the words) raises nothing. Source: issue 3, decisions M7.
    """
    found = (
        clipping_notice(waveform) if activity.speech.any() else None,
        _noisy(waveform, activity),
        _automatic_gain(waveform, activity),
        _narrow_band(waveform, activity),
    )
    return tuple(notice for notice in found if notice is not None)


def clipped_share(waveform: Waveform) -> float:
    """Return the share (0-1) of samples that are clipped, of the channel that has most.

    Samples at 0.99 of full scale or more, or in a heap at the largest value of either sign (see `peaks`), counted on
    the original samples of every channel that is listened to. 0 where nothing was counted, or under LEAST_CLIPPED.
    Of recordings in floating point that go over full scale, flat tops alone.
    """
    shares = ((_cut_share(heaps, waveform.source.codec), heaps.samples) for heaps in waveform.heaps)
    return max((share for share, samples in shares if round(share * samples) >= LEAST_CLIPPED), default=0.0)


def _cut_share(heaps: Heaps, codec: str) -> float:
    """Full scale is no limit to samples in floating point: where they go on over it, only flat tops were cut off."""
    if codec.startswith(_FLOATING) and heaps.over_share > OVER_SHARE * heaps.full_scale_share:
        return heaps.top_share
    return max(heaps.full_scale_share, heaps.flat_share)


def unusable(waveform: Waveform) -> Notice | None:
    """Return why the loudness of this recording, in which there is speech, cannot be scored: `clipped_beyond_use`."""
    notice = clipping_notice(waveform)
    return notice if notice is not None and notice.code == "clipped_beyond_use" else None


def clipping_notice(waveform: Waveform) -> Notice | None:
    """Return `clipped` from a share of CLIPPED_SHARE on, `clipped_beyond_use` from BEYOND_USE_SHARE on, or None.

    Whether there is a voice that could be clipped is for the caller to know.
    """
    share = clipped_share(waveform)
    if share < CLIPPED_SHARE:
        return None
    beyond = share >= BEYOND_USE_SHARE
    allowed = BEYOND_USE_SHARE if beyond else CLIPPED_SHARE
    return Notice(
        "clipped_beyond_use" if beyond else "clipped",
        f"{100 * share:.1f} % of the samples are cut off at the top (warned from {100 * allowed:.1f} %)"
        + ("; the voice was louder than can be measured" if beyond else "; level and consistency read too low"),
        "record again further from the microphone, or with its input level turned down",
    )


def _noisy(waveform: Waveform, activity: Activity) -> Notice | None:
    ratio_db = signal_to_noise_db(waveform, activity)
    if ratio_db is None or ratio_db >= NOISY_DB:
        return None
    return Notice(
        "noisy",
        f"the noise between the words lies {ratio_db:.0f} dB under the voice (warned under {NOISY_DB:.0f} dB), "
        "so pauses, hesitations and pace are unsure too",
        "record in a quieter room, closer to the microphone",
    )


def _automatic_gain(waveform: Waveform, activity: Activity) -> Notice | None:
    rises = np.array([rise.rise_db for rise in pause_rises(waveform, activity)])
    if rises.size < LEAST_PAUSES:
        return None
    median = float(np.median(rises))
    if median < RISE_DB or np.mean(rises >= STEADY_RISE_DB) < 0.75:
        return None
    return Notice(
        "automatic_gain",
        f"the noise grows by {median:.1f} dB within {rises.size} pauses (warned from {RISE_DB:.0f} dB), "
        "as if the recorder turned its gain up; level, consistency and fade may be the recorder's",
        "turn off automatic gain control in the recorder or browser, and record again",
    )


def _narrow_band(waveform: Waveform, activity: Activity) -> Notice | None:
    remedy = "record at 16 kHz or more, not over a telephone or a headset in call mode: s, f and th are lost here"
    if waveform.source.sample_rate <= NARROW_RATE:
        found = f"the recording has {waveform.source.sample_rate} samples a second, so no sound over "
        return Notice("narrow_band", f"{found}{waveform.source.sample_rate / 2000:g} kHz", remedy)
    fall_db = cliff_db(waveform, activity)
    if fall_db is None or fall_db < CLIFF_DB:
        return None
    found = f"the voice's spectrum falls by {fall_db:.0f} dB at 4 kHz or lower (warned from {CLIFF_DB:.0f} dB)"
    return Notice("narrow_band", f"{found}, though the file has {waveform.source.sample_rate} samples a second", remedy)
