"""The built-in recogniser: faster-whisper, on the CPU, without the network, the same words every time.

Whisper writes text where nobody speaks, and its word times run backwards, past the end, or have no length. So voice
activity is asked first (the Silero model that faster-whisper carries): without it there are no words, and words
far from any are dropped. What was dropped or mended is listed in the transcript's warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from vivavoce.errors import RequestError, need
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript, Word, to_ms
from vivavoce.transcript.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
VOICE_FRAME = 512
# A frame is voice from 0.5 on (the model's own default). White noise reaches it for two frames, speech for 8 and more.
VOICE_FROM = 0.5
VOICE_FRAMES = 3
# To drop a word the bar is lower: a word that fades to a whisper after voice stays.
TRACE_FROM = 0.2
# Word starts of tiny.en are off by 140 ms in the median.
REACH_MS = 300
# Long recordings are heard in stretches cut at silences, so that memory does not grow with them.
STRETCH_MS = 300_000
# Whisper's window: silence around the speech is cut away outside of it, since it writes text into silence.
MARGIN_MS = 500
# The number of threads does not change the words (tried: 1 to 4).
THREADS = 2
LOOP_WORDS = 12
LOOP_TIMES = 3
TIMELESS_MS = 40


def transcribe(
    samples_16k: NDArray[np.float32],
    *,
    weights: Weights,
    language: str | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Transcript:
    """Return the words heard in the recording, in order, inside it, with times in milliseconds.

    Beam search of 5 at temperature 0, int8, without the text before as a prompt.

    Parameters: `samples_16k` mono, 16,000 samples a second, full scale 1; `weights` from `find_weights`; `language` a
    BCP 47 code, None: English with English-only weights, else recognised; `on_progress` called with the share done.
    Returns a `Transcript`, not verbatim, with punctuation in its words. Warnings: `no_voice`, `no_words_heard`,
    `words_without_speech`, `word_times_mended`, `recognizer_loop`. Raises MissingError `extra_missing` without
    faster-whisper; RequestError `language_unsupported` where the weights do not know the language.
    Source: issue 2, item 4; choices measured in docs/measurements.md.
    """
    name = f"faster-whisper {_version()} / {weights.name} {weights.sha256[:12]}"
    voice = _voice(samples_16k)
    if not _has_voice(voice):
        return Transcript((), False, language or "en", name, (_NO_VOICE,))
    duration_ms = len(samples_16k) * 1000 // RATE
    model = _model(str(weights.path), weights.sha256)
    spoken = _language(model, language)
    heard: list[Word] = []
    for stretch in _stretches(voice, duration_ms):
        part = samples_16k[stretch.start_ms * RATE // 1000 : stretch.end_ms * RATE // 1000]
        segments, info = model.transcribe(part, language=spoken, **_OPTIONS)
        spoken = str(info.language)
        for segment in segments:
            heard.extend(_word(word, stretch.start_ms) for word in segment.words if word.word.strip())
            if on_progress:
                on_progress(min(1.0, (stretch.start_ms + to_ms(segment.end)) / duration_ms))
    if on_progress:
        on_progress(1.0)
    words, warnings = _mend(heard, voice, duration_ms)
    return Transcript(words, False, spoken, name, warnings)


_OPTIONS: dict[str, Any] = {
    "beam_size": 5,
    "temperature": 0.0,
    "condition_on_previous_text": False,
    "word_timestamps": True,
    # Voice activity decides what is silence.
    "no_speech_threshold": None,
}


def _version() -> str:
    try:
        import faster_whisper  # noqa: F401
    except ModuleNotFoundError as error:
        raise need("recognizer", error.name or "faster_whisper") from error
    return version("faster-whisper")


@lru_cache(maxsize=1)
def _model(path: str, sha256: str) -> Any:  # noqa: ARG001 (other weights at the same path are another model)
    """The loaded model, kept: loading takes a second. `path` is a folder, so nothing is asked of the network."""
    from faster_whisper import WhisperModel

    return WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=THREADS, local_files_only=True)


def _language(model: Any, language: str | None) -> str | None:
    """The language to tell the model; None lets a multilingual one recognise it."""
    if language is None:
        return None if model.model.is_multilingual else "en"
    code = language.replace("_", "-").split("-")[0].lower()
    known = model.supported_languages
    if code not in known:
        raise RequestError(
            "language_unsupported",
            where="language",
            found=language,
            allowed=", ".join(known),
            remedy="leave the language out, or give weights that know it",
        )
    return code


def _voice(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """The probability of voice in each 32 ms, as the Silero model sees it."""
    import numpy as np
    from faster_whisper.vad import get_vad_model

    padded = np.pad(samples, (0, VOICE_FRAME - len(samples) % VOICE_FRAME)).astype(np.float32)
    probabilities: NDArray[np.float32] = get_vad_model()(padded).reshape(-1)
    return probabilities


def _has_voice(voice: NDArray[np.float32]) -> bool:
    """Whether there is voice in some consecutive frames, so that a click or a burst of noise is none."""
    run = 0
    for probability in voice:
        run = run + 1 if probability >= VOICE_FROM else 0
        if run == VOICE_FRAMES:
            return True
    return False


def _stretches(voice: NDArray[np.float32], duration_ms: int) -> Iterator[Segment]:
    """What to hear: from the first to the last trace of voice, with a margin, cut at the deepest silences."""
    import numpy as np

    frame_ms = VOICE_FRAME * 1000 // RATE
    traces = np.flatnonzero(voice >= TRACE_FROM)
    start = max(0, int(traces[0]) * frame_ms - MARGIN_MS)
    end = min(duration_ms, (int(traces[-1]) + 1) * frame_ms + MARGIN_MS)
    smooth = np.convolve(voice, np.ones(9) / 9, "same")
    while end - start > STRETCH_MS:
        low, high = (start + STRETCH_MS // 2) // frame_ms, (start + STRETCH_MS) // frame_ms
        cut = (low + int(np.argmin(smooth[low:high]))) * frame_ms
        yield Segment(start, cut)
        start = cut
    yield Segment(start, end)


def _word(word: Any, offset_ms: int) -> Word:
    """The recogniser's word with its times in the whole recording."""
    start, end = (offset_ms + to_ms(float(seconds)) for seconds in (word.start, word.end))
    return Word(word.word.strip(), start, end, round(float(word.probability), 3))


def _mend(
    heard: Sequence[Word], voice: NDArray[np.float32], duration_ms: int
) -> tuple[tuple[Word, ...], tuple[Notice, ...]]:
    """The words near voice, their times in order and inside the recording, and what was noticed."""
    kept = [word for word in heard if _near_voice(word, voice)]
    ordered: list[Word] = []
    reached = 0
    for word in kept:
        start = min(max(word.start_ms, reached), duration_ms)
        reached = min(max(word.end_ms, start), duration_ms)
        ordered.append(replace(word, start_ms=start, end_ms=reached))
    dropped = [word for word in heard if not _near_voice(word, voice)]
    notices = (_dropped(dropped), _mended(kept, ordered), _loop(ordered), None if ordered else _NO_WORDS)
    return tuple(ordered), tuple(notice for notice in notices if notice)


def _near_voice(word: Word, voice: NDArray[np.float32]) -> bool:
    frame_ms = VOICE_FRAME * 1000 // RATE
    around = voice[max(0, word.start_ms - REACH_MS) // frame_ms : (word.end_ms + REACH_MS) // frame_ms + 1]
    return bool(around.size and around.max() >= TRACE_FROM)


_NO_VOICE = Notice(
    "no_voice",
    "no voice activity anywhere in the recording, so no words were looked for",
    "check the microphone and its level, or record again closer to it; a reading whispered all through is not heard",
)
_NO_WORDS = Notice(
    "no_words_heard",
    "there is voice, but the recogniser wrote no words for it",
    "listen to the recording; give a transcript if words were said",
)


def _dropped(words: Sequence[Word]) -> Notice | None:
    if not words:
        return None
    shown = ", ".join(f"“{word.text}” at {word.start_ms / 1000:.2f} s" for word in words[:5])
    return Notice(
        "words_without_speech",
        f"the recogniser wrote {len(words)} words where nobody speaks; they were dropped: {shown}"
        + (", ..." if len(words) > 5 else ""),
        "listen there; give a transcript if something was said",
    )


def _mended(before: Sequence[Word], after: Sequence[Word]) -> Notice | None:
    moved = [old for old, new in zip(before, after, strict=True) if old != new]
    timeless = [word for word in after if word.end_ms == word.start_ms]
    if not moved and not timeless:
        return None
    first = (moved or timeless)[0]
    return Notice(
        "word_times_mended",
        f"{len(moved)} words had times that ran backwards or past the end and were moved, {len(timeless)} have no "
        f"length; the first is “{first.text}” at {first.start_ms / 1000:.2f} s",
        "pauses and pace near these words are less sure; give a transcript with exact times if it matters",
    )


def _loop(words: Sequence[Word]) -> Notice | None:
    """A notice where the same words stand three times or more in a row and a third of them have no time to be said.

    Who repeats a sentence takes time for each word; a recogniser in a loop has none to give.
    """
    plain = [word.text.strip(".,;:?!-").lower() for word in words]
    for start in range(len(words)):
        for unit in range(1, LOOP_WORDS + 1):
            length = unit
            while plain[start + length : start + length + unit] == plain[start : start + unit]:
                length += unit
            run = words[start : start + length]
            timeless = sum(word.end_ms - word.start_ms < TIMELESS_MS for word in run)
            if length >= LOOP_TIMES * unit and 3 * timeless >= len(run) > unit:
                return Notice(
                    "recognizer_loop",
                    f"“{' '.join(word.text for word in run[:unit])}” stands {length // unit} times in a row from "
                    f"{run[0].start_ms / 1000:.2f} s, faster than it can be said: the recogniser may be in a loop",
                    "listen there; give a transcript if it was not said so",
                )
    return None
