"""The features of a stretch as a whole, by name: fit of the sounds, the recogniser, time, voice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vivavoce.listening.acoustics import Acoustics
from vivavoce.listening.evidence import VOICED_FROM, Evidence, by_word, mean_over, semitones
from vivavoce.listening.fits import FILLERS, LOWEST_FIT, Fit, edit_distance, phone_loop
from vivavoce.transcript.forced.model import load_model
from vivavoce.transcript.forced.result import NOISE, VOICE
from vivavoce.transcript.forced.sound import FRAME_MS

VOWELS = ("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW")
STOPS = ("B", "D", "G", "K", "P", "T", "CH", "JH")
FRICATIVES = ("DH", "F", "HH", "S", "SH", "TH", "V", "Z", "ZH")
PAUSE_MS = (150, 250, 400, 800)
_PERCENTILES = (5, 10, 25, 50, 75, 90)


def whole_features(evidence: Evidence, plain: Fit, lowered: Fit) -> dict[str, float]:
    """Return the features of a stretch by name; `plain` and `lowered` are the fits of its two hearings."""
    made: dict[str, float] = {}
    for name, heard, fit in (("plain", evidence.plain, plain), ("lowered", evidence.lowered, lowered)):
        made |= _fit_features(name, heard, fit)
    made["warp.best"] = float(evidence.lowered.best.mean() - evidence.plain.best.mean())
    made["warp.score"] = made["lowered.score.mean"] - made["plain.score.mean"]
    made["warp.own"] = made["lowered.own.mean"] - made["plain.own.mean"]
    for name in (
        "score.mean",
        "own.mean",
        "margin.mean",
        "loop.gain",
        "loop.errors",
        "own.p10",
        "margin.p10",
        "word.least",
    ):
        made[f"best.{name}"] = max(made[f"plain.{name}"], made[f"lowered.{name}"])
        made[f"worst.{name}"] = min(made[f"plain.{name}"], made[f"lowered.{name}"])
    made |= _recogniser_features(evidence)
    made |= _timing_features(evidence)
    made |= _voice_features(evidence)
    return made


def _spread(values: NDArray[np.floating], name: str) -> dict[str, float]:
    """Mean, deviation and percentiles of some values; zeros where there are none."""
    if not len(values):
        values = np.zeros(1)
    made = {f"{name}.mean": float(np.mean(values)), f"{name}.sd": float(np.std(values))}
    for share, value in zip(_PERCENTILES, np.percentile(values, _PERCENTILES), strict=True):
        made[f"{name}.p{share}"] = float(value)
    return made


def _fit_features(name: str, heard: Acoustics, fit: Fit) -> dict[str, float]:
    segments = heard.segments
    made: dict[str, float] = {}
    for part in ("score", "own", "margin"):
        made |= _spread(getattr(fit, part), f"{name}.{part}")
    made[f"{name}.wrong"] = float((fit.margin < 0).mean()) if len(segments) else 1.0
    made[f"{name}.far"] = float((fit.margin < -2).mean()) if len(segments) else 1.0
    made[f"{name}.rank"] = float(np.minimum(fit.rank, 15).mean()) if len(segments) else 15.0
    names = list(load_model().phones)
    classes = {"vowel": VOWELS, "stop": STOPS, "fricative": FRICATIVES}
    kinds = [names[index] for index in segments.phone]
    for kind, members in classes.items():
        chosen = np.array([one in members for one in kinds], bool)
        for part in ("own", "margin"):
            values = getattr(fit, part)[chosen]
            made[f"{name}.{kind}.{part}"] = float(values.mean()) if len(values) else 0.0
    by_word = [fit.own[segments.word == word].mean() for word in np.unique(segments.word)]
    made[f"{name}.word.least"] = float(min(by_word)) if by_word else LOWEST_FIT
    made[f"{name}.word.sd"] = float(np.std(by_word)) if by_word else 0.0
    frames = fit.frames if len(segments) else np.ones(1, np.float32)
    weighted = float((fit.own * frames).sum() / frames.sum()) if len(segments) else LOWEST_FIT
    made[f"{name}.own.frames"] = weighted
    first, last = (int(segments.start[0]), int(segments.end[-1])) if len(segments) else (0, 0)
    found, score = phone_loop(heard, first, last)
    fillers = {load_model().phones[filler] for filler in FILLERS}
    spoken = [sound for sound in found if sound not in fillers]
    made[f"{name}.loop.gain"] = weighted - score
    made[f"{name}.loop.errors"] = edit_distance(segments.phone.tolist(), spoken) / max(1, len(segments))
    made[f"{name}.loop.count"] = len(spoken) / max(1, len(segments))
    made[f"{name}.voice"] = float(_filler_frames(heard, VOICE)) / max(1, last - first)
    made[f"{name}.noise"] = float(_filler_frames(heard, NOISE)) / max(1, last - first)
    return made


def _filler_frames(heard: Acoustics, filler: str) -> int:
    chosen = heard.gaps.phone == load_model().phones[filler]
    return int((heard.gaps.end - heard.gaps.start)[chosen].sum())


def _recogniser_features(evidence: Evidence) -> dict[str, float]:
    found = evidence.recognition
    forced, free = found.forced_log, found.free_log
    made = _spread(forced, "token")
    made["token.sum"] = float(forced.sum())
    made["token.count"] = float(np.log1p(len(forced)))
    made["free.mean"] = float(free.mean()) if len(free) else -5.0
    made["free.sum"] = float(free.sum())
    made["free.least"] = float(free.min()) if len(free) else -5.0
    made["forced_over_free"] = float(forced.sum() - free.sum()) / max(1, len(forced))
    made["forced_over_free.mean"] = made["token.mean"] - made["free.mean"]
    found_words = by_word(evidence)
    made |= _spread(found_words[:, 0], "word_log")
    made["word_log.doubtful"] = float((found_words[:, 0] < -1).mean())
    made["word_log.lost"] = float((found_words[:, 0] < -3).mean())
    made["free.length"] = len(free) / max(1, len(forced))
    return made


def _timing_features(evidence: Evidence) -> dict[str, float]:
    """Pace and pauses, from the first sound to the last; there is at least one."""
    segments = evidence.plain.segments
    frames = segments.end - segments.start
    whole = max(1, int(segments.end[-1] - segments.start[0]))
    gaps = np.maximum(0, segments.start[1:] - segments.end[:-1]) * FRAME_MS
    spoken = max(1, int(frames.sum()))
    seconds = whole * FRAME_MS / 1000
    made = {
        "time.seconds": float(np.log(seconds)),
        "time.sounds": float(np.log(len(segments))),
        "time.words": float(np.log(max(1, evidence.words))),
        "time.sound_rate": len(segments) / seconds,
        "time.word_rate": evidence.words / seconds,
        "time.articulation": len(segments) / (spoken * FRAME_MS / 1000),
        "time.pause_share": 1 - spoken / whole,
        "time.longest_pause": float(np.log1p(gaps.max(initial=0) / 100)),
        "time.pause_total": float(np.log1p(gaps.sum() / 100)),
    }
    for least in PAUSE_MS:
        made[f"time.pauses_{least}"] = float((gaps >= least).sum()) / max(1, evidence.words - 1)
        made[f"time.pauses_{least}_a_second"] = float((gaps >= least).sum()) / seconds
    runs = np.split(frames, np.flatnonzero(gaps >= PAUSE_MS[1]) + 1)
    made["time.run_sounds"] = float(np.mean([len(run) for run in runs]))
    made["time.run_shortest"] = float(min(len(run) for run in runs))
    names = list(load_model().phones)
    vowel = np.array([names[index] in VOWELS for index in segments.phone], bool)
    for name, chosen in (("vowel", vowel), ("consonant", ~vowel), ("sound", np.ones(len(vowel), bool))):
        made |= _spread(np.log(np.maximum(1, frames[chosen])), f"time.{name}")
    pairs = frames[vowel].astype(float)
    made["time.npvi"] = float(np.mean(2 * np.abs(np.diff(pairs)) / (pairs[1:] + pairs[:-1]))) if len(pairs) > 1 else 0.0
    made["time.longest_sound"] = float(np.log(frames.max()))
    made["time.vowel_share"] = float(frames[vowel].sum()) / spoken
    return made


def _voice_features(evidence: Evidence) -> dict[str, float]:
    """Loudness and pitch over the speech: how far they move, how even they are."""
    segments = evidence.plain.segments
    first, last = (int(segments.start[0]), int(segments.end[-1])) if len(segments) else (0, len(evidence.level_db))
    level = evidence.level_db[first : max(last, first + 1)]
    voiced = evidence.periodic[first : max(last, first + 1)] > VOICED_FROM
    tones = semitones(evidence)[first : max(last, first + 1)][voiced]
    made = {
        "voice.share": float(voiced.mean()),
        "voice.periodic": float(evidence.periodic[first:last].mean()) if last > first else 0.0,
        "voice.pitch": float(np.median(evidence.pitch_hz[first:last][voiced])) if voiced.any() else 0.0,
        "voice.tone_range": float(np.percentile(tones, 90) - np.percentile(tones, 10)) if len(tones) else 0.0,
        "voice.tone_move": float(np.abs(np.diff(tones)).mean()) if len(tones) > 1 else 0.0,
        "voice.tone_slope": float(np.polyfit(np.linspace(0, 1, len(tones)), tones, 1)[0]) if len(tones) > 9 else 0.0,
        "level.range": float(np.percentile(level, 95) - np.percentile(level, 20)),
        "level.sd": float(np.std(level)),
        "level.move": float(np.abs(np.diff(level)).mean()) if len(level) > 1 else 0.0,
        "level.over_room": float(np.percentile(level, 90) - np.percentile(evidence.level_db, 5)),
    }
    by_sound = mean_over(segments, evidence.level_db) if len(segments) else np.zeros(1)
    made["level.sounds_sd"] = float(np.std(by_sound))
    return made
