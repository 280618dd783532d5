"""The built-in recogniser: faster-whisper, on the CPU, without the network, the same words every time.

Whisper writes text where nobody speaks, and its word times run backwards, past the end, or have no length. So voice
activity is asked first (the Silero model that faster-whisper carries): without it there are no words, and words
far from any are dropped. What was dropped or mended is listed in the transcript's warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from vivavoce.errors import RequestError, need
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript, Word, to_ms
from vivavoce.transcript.again import Change, Way, again_notice, hear_again, whispered
from vivavoce.transcript.invented import drop_invented, dropped_notice
from vivavoce.transcript.loops import find_loop
from vivavoce.transcript.voice import (
    FAINT_FROM,
    RATE,
    TRACE_FROM,
    has_trace,
    has_voice,
    stretches,
    voice_probabilities,
)
from vivavoce.transcript.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

# The number of threads does not change the words (tried: 1 to 4).
THREADS = 2


def transcribe(
    samples_16k: NDArray[np.float32],
    *,
    weights: Weights,
    language: str | None = None,
    prompt: str | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Transcript:
    """Return the words heard in the recording, in order, inside it, with times in milliseconds.

    Beam search of 5 at temperature 0, int8, without the text before as a prompt.

    Parameters: `samples_16k` mono, 16,000 samples a second, full scale 1; `weights` from `find_weights`; `language` a
    BCP 47 code, None: English with English-only weights, else recognised; `prompt` a text that Whisper takes for what
    was said before each window and writes on in its manner (for a second hearing: the model stays loaded);
    `on_progress` called with the share done. Each word's `confidence` is its probability, 0-1.
    Returns a `Transcript`, not verbatim, with punctuation in its words. Warnings: `no_voice`, `no_words_heard`,
    `words_without_speech`, `word_times_mended`, `recognizer_loop`, `heard_again`, `whispered`. Raises MissingError
    `extra_missing` without faster-whisper; RequestError `language_unsupported` for a language the weights do not know.
    Source: issue 2, item 4; choices measured in docs/evidence/word-times.md.
    """
    name = f"faster-whisper {_version()} / {weights.name} {weights.sha256[:12]}"
    voice = voice_probabilities(samples_16k)
    if not has_trace(voice):
        return Transcript((), False, language or "en", name, (_NO_VOICE,))
    duration_ms = len(samples_16k) * 1000 // RATE
    model = loaded(str(weights.path), weights.sha256, THREADS)
    spoken = _language(model, language)
    heard: list[Word] = []
    changes: list[Change] = []
    trace = TRACE_FROM if has_voice(voice) else FAINT_FROM
    for stretch in stretches(voice, duration_ms, trace):
        for window in _windows(model, samples_16k, stretch, {"language": spoken, "hotwords": prompt}):
            spoken = window.language
            # A prompted hearing is a second one already.
            change = None if prompt else _again(model, samples_16k, window)
            changes += [change] if change else []
            heard += change.after if change else window.words
            if on_progress:
                on_progress(window.segment.end_ms / duration_ms)
    if on_progress:
        on_progress(1.0)
    words, warnings = _mend(heard, voice, duration_ms, trace)
    if not has_voice(voice):
        said = whispered(samples_16k, words)
        words, warnings = (words, (*warnings, _WHISPERED)) if said else ((), (_NO_VOICE,))
    again = again_notice(changes)
    return Transcript(words, False, spoken or "en", name, (*warnings, again) if again and words else warnings)


_OPTIONS: dict[str, Any] = {
    "beam_size": 5,
    "temperature": 0.0,
    "condition_on_previous_text": False,
    "word_timestamps": True,
    # Voice activity decides what is silence.
    "no_speech_threshold": None,
}


@dataclass(frozen=True, slots=True)
class _Window:
    """What Whisper hears at once: up to 30 s and their words."""

    segment: Segment
    words: tuple[Word, ...]
    language: str


def _windows(
    model: Any, samples_16k: NDArray[np.float32], stretch: Segment, options: Mapping[str, Any]
) -> Iterator[_Window]:
    """Hear a stretch, and yield its windows with their words; they meet and cover it."""
    # "Hot words" stand before every window; an "initial prompt" is the same tokens before the first one only.
    segments, info = model.transcribe(_cut(samples_16k, stretch), **{**_OPTIONS, **options})
    language = str(info.language)
    start_ms = stretch.start_ms
    words: list[Word] = []
    for segment in segments:
        # `seek` is where its window begins, in frames of 10 ms.
        begins = stretch.start_ms + segment.seek * 10
        if begins > start_ms:
            yield _Window(Segment(start_ms, begins), tuple(words), language)
            start_ms, words = begins, []
        words += [_word(word, stretch.start_ms) for word in segment.words if word.word.strip()]
    yield _Window(Segment(start_ms, stretch.end_ms), tuple(words), language)


def _again(model: Any, samples_16k: NDArray[np.float32], window: _Window) -> Change | None:
    """A better hearing of a window, where its words ask for one; in English only."""

    def hear(way: Way) -> list[Word]:
        options = {"language": window.language, **way}
        return [word for part in _windows(model, samples_16k, window.segment, options) for word in part.words]

    if not window.words or window.language != "en":
        return None
    return hear_again(_cut(samples_16k, window.segment), window.words, hear)


def _cut(samples_16k: NDArray[np.float32], segment: Segment) -> NDArray[np.float32]:
    return samples_16k[segment.start_ms * RATE // 1000 : segment.end_ms * RATE // 1000]


def _version() -> str:
    try:
        import faster_whisper  # noqa: F401
    except ModuleNotFoundError as error:
        raise need("recognizer", error.name or "faster_whisper") from error
    return version("faster-whisper")


@lru_cache(maxsize=2)
def loaded(path: str, sha256: str, threads: int) -> Any:  # noqa: ARG001 (other weights at a path are another model)
    """Return the loaded model of faster-whisper, kept: loading takes a second.

    `path` is a folder, so nothing is asked of the network.
    """
    from faster_whisper import WhisperModel

    model = WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    model.feature_extractor.mel_filters = _Filters(model.feature_extractor.mel_filters)
    return model


class _Filters:
    """Mel filters, each a sum over its few bins in their order.

    As a product of matrices the last digits would be another machine's where it has another number of processors, and
    with them some words that Whisper is unsure of.
    """

    def __init__(self, filters: NDArray[np.float32]) -> None:
        self._matrix = filters
        bins = [row.nonzero()[0] for row in filters]
        bounds = [(int(one[0]), int(one[-1]) + 1) if one.size else (0, 0) for one in bins]
        self._bands = [(low, high, row[low:high, None]) for row, (low, high) in zip(filters, bounds, strict=True)]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the matrix, for who multiplies in another way."""
        return self._matrix.astype(dtype or self._matrix.dtype, copy=bool(copy))

    def __matmul__(self, magnitudes: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        return np.stack([(weights * magnitudes[low:high]).sum(axis=0) for low, high, weights in self._bands])


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


def _word(word: Any, offset_ms: int) -> Word:
    """The recogniser's word with its times in the whole recording."""
    start, end = (offset_ms + to_ms(float(seconds)) for seconds in (word.start, word.end))
    return Word(word.word.strip(), start, end, round(float(word.probability), 3))


def _mend(
    heard: Sequence[Word], voice: NDArray[np.float32], duration_ms: int, trace: float
) -> tuple[tuple[Word, ...], tuple[Notice, ...]]:
    """The words that were said, their times in order and inside the recording, and what was noticed."""
    kept, dropped = drop_invented(heard, voice, trace)
    ordered: list[Word] = []
    reached = 0
    for word in kept:
        start = min(max(word.start_ms, reached), duration_ms)
        reached = min(max(word.end_ms, start), duration_ms)
        ordered.append(replace(word, start_ms=start, end_ms=reached))
    loop = find_loop(ordered)
    notices = (
        dropped_notice(dropped),
        _mended(kept, ordered),
        loop and loop.notice(),
        None if ordered else _NO_WORDS,
    )
    return tuple(ordered), tuple(notice for notice in notices if notice)


_NO_VOICE = Notice(
    "no_voice",
    "no voice activity anywhere in the recording, so no words were looked for",
    "check the microphone and its level, or record again closer to it, and do not whisper",
)
_WHISPERED = Notice(
    "whispered",
    "no voice, but words that fit the sound: it seems to be whispered",
    "record again with a voice, so that level and pauses can be measured well",
)
_NO_WORDS = Notice(
    "no_words_heard",
    "there is voice, but the recogniser wrote no words for it",
    "listen to the recording; give a transcript if words were said",
)


def _mended(before: Sequence[Word], after: Sequence[Word]) -> Notice | None:
    moved = [old for old, new in zip(before, after, strict=True) if old != new]
    timeless = [word for word in after if word.end_ms == word.start_ms]
    if not moved and not timeless:
        return None
    first = (moved or timeless)[0]
    told = [f"{_words(moved)} had times that ran backwards or past the end and were moved"] if moved else []
    told += [f"{_words(timeless)} came without a length"] if timeless else []
    return Notice(
        "word_times_mended",
        f"{'; '.join(told)}; the first is “{first.text}” at {first.start_ms / 1000:.2f} s",
        "pauses and pace near these words are less sure; give a transcript with exact times if it matters",
    )


def _words(words: Sequence[Word]) -> str:
    return "1 word" if len(words) == 1 else f"{len(words)} words"
