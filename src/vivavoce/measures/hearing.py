"""Whether a recording can be scored at all: words in it, enough of them, in English, and really said.

A wrong language or an invented transcript must never become a low score. What speaks for English is asked first and
costs nothing: the text that was to be read, the recogniser's own confidence. Only in doubt are the words laid on the
sound. docs/evidence/not-scored.md has the thresholds and the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from vivavoce.audio.waveform import Waveform
from vivavoce.measures.hard_to_hear import reasons
from vivavoce.measures.recording import Measured, Reading
from vivavoce.notice import Notice
from vivavoce.timeline import Transcript
from vivavoce.transcript.forced import ForcedAlignment
from vivavoce.transcript.invented import belief, listed
from vivavoce.transcript.language import Fit, fit_of, is_english, is_english_text, is_nonsense, reads_in_order
from vivavoce.transcript.loops import Loop, find_loop, said_on_purpose
from vivavoce.transcript.voice import BACKWARDS, rise_skewness

LEAST_WORDS, LEAST_SPEECH_S = 3, 1
"""Fewer words than this in less speech than this is too little to score (chosen)."""
READ_SHARE, READ_WORDS = 1 / 3, 2
"""A reading in which a third of the heard words, and two of them, are the text's is a reading of the text."""
MOST_TEXT = 200
"""Words of a text up to which it is laid on the sound."""
SURE = 0.75
"""Mean confidence from which the recogniser is believed, unless it is in a loop."""


def check_hearing(
    waveform: Waveform,
    transcript: Transcript,
    measured: Measured,
    reading: Reading | None = None,
    forced: ForcedAlignment | None = None,
) -> Notice | None:
    """Return why a recording in which words were heard cannot be scored, or None.

    Parameters: `measured` of the same recording and transcript; `reading` the text that was to be read; `forced` the
    alignment of the transcript's words with the recording (None: not made, so their fit is no evidence).
    Returns a notice: `too_little_speech`, `language`, `backwards` or `no_speech`.
    Source: issue 3, point 7; A8.
    """
    sure = belief(transcript.words)
    heard = None if forced is None else fit_of(forced)
    voiceless = cache(partial(_voiceless, waveform))
    # A file's words may be the text itself, whatever was recorded.
    if sure is None and heard is not None and heard.mostly_unplaced and voiceless():
        return _unsaid(transcript)
    if _reads(measured):
        return None
    if _too_little(measured):
        return _little(measured)
    if not is_english(transcript.language):
        return _language(f"the transcript says that its language is “{transcript.language}”")
    texts = [word.text for word in transcript.words]
    if is_english_text(texts) is False:
        return _language("most of the words are not in the English dictionary")
    loop = loop_of(transcript, reading)
    if sure is not None and sure >= SURE and loop is None:
        return None
    if heard is not None and heard.poor and len(texts) < LEAST_WORDS:
        # What a word or two are laid on is noise, however long.
        return _unsaid(transcript) if voiceless() else _little(measured)
    if heard is not None and (
        heard.unfit(looped=loop is not None, by_person=sure is None) or (sure is not None and is_nonsense(texts, heard))
    ):
        if _was_read(waveform, reading, len(texts) - _said_again(loop)):
            return None
        return _unsaid(transcript) if voiceless() else _not_followed(heard, reasons(waveform, measured.notices))
    if sure is None or voiceless():
        return None
    skewness = rise_skewness(waveform.samples)
    return _backwards(skewness) if skewness < BACKWARDS else None


def _said_again(loop: Loop | None) -> int:
    """How many words of a loop are there only since it went round again."""
    return 0 if loop is None else len(loop.words) - loop.unit


def loop_of(transcript: Transcript, reading: Reading | None) -> Loop | None:
    """Return the recogniser's loop, None where there is none or the text asks for the repetition."""
    loop = find_loop(transcript.words)
    return None if loop is None or said_on_purpose(loop, _words(reading)) else loop


def hearing_notices(notices: Sequence[Notice], transcript: Transcript, reading: Reading | None) -> tuple[Notice, ...]:
    """Return the notices with the recogniser's loop, or without where the text asks for the repetition."""
    loop = loop_of(transcript, reading)
    others = tuple(notice for notice in notices if notice.code != "recognizer_loop")
    return others if loop is None else (*others, loop.notice())


def _words(reading: Reading | None) -> list[str]:
    return [] if reading is None else reading.text.split() * reading.repetitions


def _was_read(waveform: Waveform, reading: Reading | None, heard: int) -> bool:
    """Whether the text that was to be read was, however badly it was heard."""
    text = _words(reading)
    # A short text finds a place that it fits in any long recording; a long one would be laid out ten times for nothing.
    return heard <= 2 * len(text) <= 2 * MOST_TEXT and reads_in_order(waveform.samples, text)


def _reads(measured: Measured) -> bool:
    """Whether what was heard is, for a good part, the text that was to be read."""
    alignment = measured.alignment
    if alignment is None or not measured.words:
        return False
    # What the acoustics make of the text is no proof here: it was looked for.
    matched = sum(label.by_recogniser == "matched" for label in alignment.labels)
    whole = matched == alignment.reference_words
    return whole or (matched >= READ_WORDS and matched >= READ_SHARE * len(measured.words))


def _too_little(measured: Measured) -> bool:
    words, speech = (measured.measurements[name].value for name in ("word_count", "speech_s"))
    return words is not None and speech is not None and words < LEAST_WORDS and speech < LEAST_SPEECH_S


def _voiceless(waveform: Waveform) -> bool:
    """Whether no voice is heard anywhere; False where nothing is installed that could say so."""
    from vivavoce.errors import MissingError
    from vivavoce.transcript.voice import has_voice, voice_probabilities

    try:
        return not has_voice(voice_probabilities(waveform.samples))
    except MissingError:
        return False


def _not_followed(heard: Fit, hard: Sequence[tuple[str, str]]) -> Notice:
    """The words do not fit: what the recording itself does to them (`hard`) comes first, then the language."""
    score = f"(mean score {heard.score:.1f} over {heard.words} words; about 0 where they were said)"
    unlike = "there is a voice, but its sounds are not those of the English words that were heard"
    if not hard:
        return Notice(
            "language",
            f"{unlike}, so it is another language, or English that the recogniser cannot follow {score}",
            "if it is English, give a transcript of it, or record again in a quiet place, close to the microphone; "
            "else record again in English",
        )
    why, how = (", and ".join(part) for part in zip(*hard, strict=True))
    return Notice(
        "language",
        f"the recogniser could not follow the recording, perhaps because {why}; or it is not in English: {unlike} "
        f"{score}",
        f"record again {how}; if it was not in English, in English; or give a transcript of it",
    )


def _language(found: str) -> Notice:
    return Notice(
        "language",
        f"the recording does not seem to be in English: {found}",
        "record again in English; if it is English that the recogniser could not follow, give a transcript of it",
    )


def _backwards(skewness: float) -> Notice:
    return Notice(
        "backwards",
        f"the recording seems to be played backwards: its sounds swell slowly and break off (skewness of the rises of "
        f"level {skewness:.2f}; speech has {BACKWARDS} and more)",
        "check how the recording was made; if it is right, give a transcript of it",
    )


def _unsaid(transcript: Transcript) -> Notice:
    return Notice(
        "no_speech",
        f"no voice in the recording, and nothing in it sounds like the {len(transcript.words)} words of the "
        f"transcript: {listed(transcript.words)}",
        "check that transcript and recording belong together, or record again",
    )


def _little(measured: Measured) -> Notice:
    words, speech = (measured.measurements[name].value or 0 for name in ("word_count", "speech_s"))
    return Notice(
        "too_little_speech",
        f"{words} word{'' if words == 1 else 's'} in {float(speech):.2f} s of speech",
        f"record again: {LEAST_WORDS} words or {LEAST_SPEECH_S} s of speech are the least that can be scored",
    )
