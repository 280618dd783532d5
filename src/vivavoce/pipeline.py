"""The whole flow: recording -> words -> measures -> evidence -> score -> report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vivavoce.audio.conditions import unusable
from vivavoce.audio.picture import envelope, level_curve
from vivavoce.audio.wav import wav_16k
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.errors import TranscriptError
from vivavoce.evidence import judged_evidence, measured_evidence, waits
from vivavoce.feedback.choose import choose_all
from vivavoce.feedback.write import write
from vivavoce.judging.judge import Verdict
from vivavoce.judging.local.listener import Ears, Listen, Listener
from vivavoce.judging.local.text import spoken_text, whole_text
from vivavoce.judging.material import Material
from vivavoce.judging.panel import Panel, addressed, outcomes
from vivavoce.judging.people import by_hand
from vivavoce.measures.disfluency.counts import count_restarts
from vivavoce.measures.filled_pauses import PROMPT, unwritten_voices, with_filled_pauses
from vivavoce.measures.hearing import check_hearing, hearing_notices
from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.models.chat import ChatModel
from vivavoce.notice import Notice
from vivavoce.report.card import Parts, build
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.overall import NO_SPEECH, not_scored, score
from vivavoce.submission import Judgement, Task
from vivavoce.tasks import check_task
from vivavoce.timeline import Transcript
from vivavoce.transcript.forced import ForcedAlignment, align_words, is_installed
from vivavoce.transcript.importers import load_transcript
from vivavoce.transcript.language import is_english
from vivavoce.transcript.times import fit_within
from vivavoce.transcript.weights import Weights, find_weights

Progress = Callable[[float], None]
# The search of a forced alignment keeps about 2 MB a minute.
LONGEST_FORCED_MS = 3_600_000
COLUMNS_PER_S = 25
MAX_COLUMNS = 4_000


@dataclass(frozen=True, slots=True)
class Heard:
    """A decoded recording, its words, the alignment of the two (None: not made), and the weights that were named.

    `given`: whether the words come from a file.
    """

    waveform: Waveform
    transcript: Transcript
    forced: ForcedAlignment | None = None
    weights: Path | None = None
    given: bool = False


def hear(
    audio: Path,
    *,
    transcript: Path | None = None,
    weights: Path | None = None,
    on_progress: Progress | None = None,
) -> Heard:
    """Decode a recording and get its words: from a transcript file, or by the built-in recogniser.

    Raises AudioError, TranscriptError, or MissingError where the recogniser or its weights are not installed.
    """
    waveform = decode(audio)
    if transcript is not None:
        words = _fitting(load_transcript(transcript), waveform, transcript.name)
        return Heard(waveform, words, force(waveform, words), weights, given=True)
    words, forced = _hear_twice(waveform, find_weights(weights), on_progress)
    return Heard(waveform, words, forced, weights)


def _hear_twice(
    waveform: Waveform, weights: Weights, on_progress: Progress | None
) -> tuple[Transcript, ForcedAlignment | None]:
    """Return the recogniser's words and their alignment; heard again for filled pauses where voice is no word."""
    from vivavoce.transcript.recognizer import transcribe

    def half(first: float) -> Progress | None:
        return None if on_progress is None else lambda share: on_progress(first + share / 2)

    words = transcribe(waveform.samples, weights=weights, on_progress=half(0.0))
    forced = force(waveform, words)
    voices = unwritten_voices(words.words, forced)
    if voices:
        again = transcribe(
            waveform.samples, weights=weights, language=words.language, prompt=PROMPT, on_progress=half(0.5)
        )
        more = with_filled_pauses(words, again, voices)
        if more is not words:
            words, forced = more, force(waveform, more)
    if on_progress is not None:
        on_progress(1.0)
    return words, forced


def _fitting(transcript: Transcript, waveform: Waveform, name: str) -> Transcript:
    """Return the words within the recording; where they do not fit a damaged recording, the error names the damage."""
    try:
        return fit_within(transcript, waveform.duration_ms)
    except TranscriptError as error:
        error.where = f"{name}, {error.where}"
        error.found = "; ".join([error.found, *[notice.found for notice in waveform.warnings]])
        cut = [notice for notice in waveform.warnings if notice.code == "truncated"]
        if cut:
            error.remedy = "give the whole recording: the words after its end are missing from the file"
        raise


def force(waveform: Waveform, transcript: Transcript) -> ForcedAlignment | None:
    """Return the forced alignment of the words with the recording, or None where voice activity must do alone.

    That is so without pocketsphinx, for words of another language, for a recording over LONGEST_FORCED_MS.
    """
    english = is_english(transcript.language)
    if not (transcript.words and english and is_installed() and waveform.duration_ms <= LONGEST_FORCED_MS):
        return None
    return align_words(waveform.samples, [word.text for word in transcript.words], hints=transcript.words)


def why_not_scored(heard: Heard, measured: Measured, reading: Reading | None) -> Notice | None:
    """Return why a recording cannot be scored (A8; clipped, too little, another language, nothing said), or None."""
    if heard.given and not heard.transcript.words:
        return _NO_WORDS
    if not (measured.has_speech and measured.measurements["word_count"].value):
        return NO_SPEECH
    return unusable(heard.waveform) or check_hearing(heard.waveform, heard.transcript, measured, reading, heard.forced)


def reading_of(task: Task, module: Module) -> Reading | None:
    """Return the text that was to be read, as often as the module has it said (L5)."""
    if task.reference is None:
        return None
    return Reading(task.reference, module.repetitions, task.accepted)


_NO_WORDS = Notice(
    NO_SPEECH.code,
    "the transcript has no words",
    "give the transcript of this recording, or leave it out, so that the built-in recogniser listens",
)


def _picture(waveform: Waveform) -> dict[str, Any]:
    seconds = waveform.duration_ms / 1000
    count = max(100, min(MAX_COLUMNS, round(seconds * COLUMNS_PER_S)))
    step = seconds / count
    columns = zip(envelope(waveform, count), level_curve(waveform, count), strict=True)
    return {
        "columns": [
            {
                "start_s": round(index * step, 3),
                "end_s": round((index + 1) * step, 3),
                "low": round(low, 3),
                "high": round(high, 3),
                "level_db": None if level is None else round(level, 1),
            }
            for index, ((low, high), level) in enumerate(columns)
        ]
    }


def recording_facts(waveform: Waveform, name: str) -> dict[str, Any]:
    """Return what a report says of the recording itself; of its place only the file's name."""
    source = waveform.source
    return {
        "file": name,
        "sha256": source.sha256,
        "duration_s": waveform.duration_ms / 1000,
        "container": source.container,
        "codec": source.codec,
        "sample_rate": source.sample_rate,
        "channels": source.channels,
    }


def measured_by_ear(
    heard: Heard, measured: Measured, reading: Reading | None, module: Module, ears: Ears
) -> tuple[Measured, Notice | None]:
    """Measure a reading again with what the listener says of each word of its text (issue 6, point 5).

    A transcript that is verbatim is what was said, and open speech has no text: both stay as they are. Returns a notice
    where nobody could listen.
    """
    if reading is None or measured.alignment is None or heard.transcript.verbatim:
        return measured, None
    spoken, whole = (
        spoken_text(measured.words, measured.alignment, heard.transcript),
        whole_text(reading.text, reading.repetitions),
    )
    # Where all of the text was heard and nothing else, the judge listens for the same words: once is enough.
    found = ears.hear(spoken if spoken.words == whole.words else whole)
    if isinstance(found, Notice):
        return measured, _words_alone(found.found)
    if all(word.read_correctly is None for word in found.words):
        return measured, _words_alone("no word of the text was found in the sound")
    again = measure(heard.waveform, heard.transcript, reading, module.fade_method, heard.forced, found.words)
    return again, None


def _words_alone(why: str) -> Notice:
    return Notice("words_alone", f"the recogniser's words alone say what was read: {why}", "")


def material_of(task: Task, heard: Heard, measured: Measured, panel: Panel | None, ears: Ears) -> Material:
    """Return what judges may use of a recording; `panel` None: nobody is asked who could listen."""
    return Material(
        task=task,
        words=measured.words,
        pauses=measured.pauses,
        measurements=measured.measurements,
        verbatim=heard.transcript.verbatim,
        audio_wav=None if panel is None else wav_16k(heard.waveform),
        audio_sha256=heard.waveform.source.sha256,
        restarts=count_restarts(measured.disfluencies),
        ears=ears,
        spoken=spoken_text(measured.words, measured.alignment, heard.transcript),
    )


def score_recording(
    rubric: Rubric,
    task: Task,
    heard: Heard,
    judgements: Sequence[Judgement] = (),
    name: str = "",
    panel: Panel | None = None,
    words_by: ChatModel | None = None,
    listen: Listen | None = None,
) -> dict[str, Any]:
    """Score a recording and return its report (schema: `vivavoce schema report`).

    Parameters: `task` what was asked; `heard` the recording and its words; `judgements` by people; `panel` the judges
    that are asked for the markers that nobody has judged; `words_by` the model that words the feedback (None: the
    built-in wording); `listen` the local listener (None: the installed one). Without speech no judge is asked (A8).
    Raises RequestError where task or judgements do not fit the module.
    """
    module, band = check_task(task, rubric)
    reading = reading_of(task, module)
    measured = measure(heard.waveform, heard.transcript, reading, module.fade_method, heard.forced)
    judged = judged_evidence(rubric, module, band, task, measured.words, judgements)
    reason = why_not_scored(heard, measured, reading)
    verdicts: dict[str, Verdict] = {}
    ears, alone = Ears(listen or Listener(heard.weights), heard.waveform.samples, heard.transcript.language), None
    if reason is None:
        measured, alone = measured_by_ear(heard, measured, reading, module, ears)
    warnings = [*heard.waveform.warnings, *hearing_notices(measured.notices, heard.transcript, reading)]
    warnings += [] if alone is None else [alone]
    if reason is not None:
        scored = not_scored(rubric, module.id, band, reason)
    else:
        material = material_of(task, heard, measured, panel, ears)
        warnings += [found for found in (addressed(material),) if found is not None]
        if panel is not None:
            verdicts = panel.ask(rubric, module, band, material, judged)
        made = [found for found in (verdict.judgement() for verdict in verdicts.values()) if found is not None]
        judged |= judged_evidence(rubric, module, band, task, measured.words, made)
        evidence = {**measured_evidence(measured, module, band), **judged}
        waiting = {**waits(module, band), **outcomes(module, band, verdicts)}
        scored = score(rubric, module.id, band, evidence, waiting)
    records = {j.marker: by_hand(j) for j in judgements} | {m: v.as_dict() for m, v in verdicts.items()}
    findings = choose_all(rubric, module.id, band, scored.markers, {m: r["accepted"] for m, r in records.items()})
    feedback = write(rubric, module.id, band, findings, words_by)
    warnings += feedback.notices
    alignment = measured.alignment
    return build(
        Parts(
            rubric=rubric,
            scored=scored,
            task=task,
            recording=recording_facts(heard.waveform, name),
            transcript=replace(heard.transcript, words=measured.words),
            measurements=measured.measurements,
            pauses=measured.pauses,
            disfluencies=measured.disfluencies,
            fade_method=measured.fade_method,
            boundaries=measured.boundaries,
            alignment=None if alignment is None else alignment.as_dict(),
            judged=records,
            needs_person={m: v.needs_person for m, v in verdicts.items() if v.needs_person is not None},
            feedback={marker: told.as_dict() for marker, told in feedback.markers.items()},
            feedback_replies=feedback.replies_dict(),
            warnings=warnings,
            picture=_picture(heard.waveform),
        )
    )
