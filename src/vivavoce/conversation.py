"""The flow of an interview: files -> words -> evidence -> judge -> bands -> document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vivavoce.interview import Exchange, Interview
from vivavoce.judging.attacks import Attack, find_attacks, notice
from vivavoce.judging.interview.ask import InterviewJudge
from vivavoce.judging.interview.thin import check_evidence
from vivavoce.measures.hearing import hearing_notices
from vivavoce.measures.recording import Measured, measure
from vivavoce.notice import Notice
from vivavoce.pipeline import Heard, hear, why_not_scored
from vivavoce.report.interview.acoustic import acoustic_evidence
from vivavoce.report.interview.document import agreement_of, part_document
from vivavoce.rubric.graduated import Graduated
from vivavoce.transcript.importers import load_transcript
from vivavoce.transcript.times import TimesError
from vivavoce.transcript.words import tokenize

Progress = Callable[[float], None]
NOBODY = Notice(
    "judgement_missing",
    "nobody has judged the answers yet",
    "name a judge: --judge openai:MODEL, or recorded:FILE",
)


@dataclass(frozen=True, slots=True)
class HeardInterview:
    """An interview whose answers are text, what was measured of its recordings, and what was noticed.

    `doubts` has, by the number of the answer, why its words are hardly those that were said in its recording.
    """

    interview: Interview
    measured: tuple[Measured, ...]
    warnings: tuple[Notice, ...]
    doubts: Mapping[int, Notice] = field(default_factory=dict)


def hear_interview(
    interview: Interview,
    folder: Path,
    *,
    weights: Path | None = None,
    progress: Callable[[int], Progress] | None = None,
) -> HeardInterview:
    """Return the interview with every answer as text: recordings are heard, transcripts read.

    Parameters: `folder` that file names are relative to; `progress` gives what to call for each answer, from 1.
    A transcript whose times alone cannot be used gives its words and the warning `answer_times_broken`.
    Raises AudioError, TranscriptError, MissingError.
    """
    exchanges: list[Exchange] = []
    measured: list[Measured] = []
    warnings: list[Notice] = []
    doubts: dict[int, Notice] = {}
    for number, exchange in enumerate(interview.exchanges, 1):
        found = _answer(exchange, folder, weights, None if progress is None else progress(number))
        exchanges.append(Exchange(exchange.question, found.text))
        measured += [] if found.measured is None else [found.measured]
        warnings += [replace(one, found=f"answer {number}: {one.found}") for one in found.warnings]
        if found.doubt is not None:
            doubts[number] = found.doubt
    return HeardInterview(Interview(interview.topic, tuple(exchanges)), tuple(measured), tuple(warnings), doubts)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer as text; what was measured and noticed; why its words are hardly those that were said."""

    text: str
    measured: Measured | None = None
    warnings: tuple[Notice, ...] = ()
    doubt: Notice | None = None


def _answer(exchange: Exchange, folder: Path, weights: Path | None, on_progress: Progress | None) -> _Answer:
    """Return an answer as text; words whose times alone cannot be used are read, and not measured."""
    transcript = None if exchange.transcript is None else folder / exchange.transcript
    if exchange.recording is None and transcript is None:
        return _Answer(exchange.answer or "")
    try:
        if exchange.recording is None:
            return _Answer(" ".join(word.text for word in load_transcript(transcript).words) if transcript else "")
        return _recorded(
            hear(folder / exchange.recording, transcript=transcript, weights=weights, on_progress=on_progress)
        )
    except TimesError as error:
        if not error.texts:
            raise
        told = Notice(
            "answer_times_broken",
            f"the times of the transcript's words cannot be used: {error.found}",
            f"its words were taken, pace and pauses were not measured; to have them, {error.remedy}",
        )
        # Such words may be those of another recording.
        doubt = Notice(error.code, error.found, error.remedy) if error.code == "times_beyond_end" else None
        return _Answer(" ".join(error.texts), warnings=(told,), doubt=doubt)


def _recorded(heard: Heard) -> _Answer:
    found = measure(heard.waveform, heard.transcript, None, "phrase", heard.forced)
    noticed = (*heard.waveform.warnings, *hearing_notices(found.notices, heard.transcript, None))
    warnings = [one for one in noticed if one.remedy]
    doubt = why_not_scored(heard, found, None)
    # Short answers are normal, and one without words is told as unanswered.
    if doubt is not None and (not heard.transcript.words or doubt.code == "too_little_speech"):
        doubt = None
    if doubt is not None:
        warnings.append(replace(doubt, code="answer_doubtful"))
    return _Answer(" ".join(word.text for word in heard.transcript.words), found, tuple(warnings), doubt)


def _mostly_doubted(heard: HeardInterview) -> Notice | None:
    """Return why nothing is scored where half or more of all words are doubted (chosen), or None.

    A recogniser of English writes English whatever it hears: invented words must not become a band.
    """
    answers = enumerate(heard.interview.exchanges, 1)
    words = {number: len(tokenize(exchange.answer or "")) for number, exchange in answers}
    doubted = {number: words[number] for number in heard.doubts}
    if not doubted or 2 * sum(doubted.values()) < sum(words.values()):
        return None
    number = max(doubted, key=lambda one: doubted[one])
    doubt = heard.doubts[number]
    code = "other_language" if doubt.code == "language" else doubt.code
    return replace(doubt, code=code, found=f"answer {number}: {doubt.found}")


def score_interview(edition: Graduated, heard: HeardInterview, judge: InterviewJudge | None) -> dict[str, Any]:
    """Score one part and return its document (schema: `vivavoce schema interview`).

    Thin evidence, another language and words that were hardly said are not scored and nobody is asked; without a judge
    the part is pending.
    """
    interview = heard.interview
    evidence = check_evidence(interview)
    addressed = notice(_attacks(interview))
    warnings = [*heard.warnings, *evidence.warnings, *([] if addressed is None else [addressed])]
    unscored = evidence.reason or _mostly_doubted(heard)
    decided = None if unscored is not None or judge is None else judge.judge(edition, interview)
    bands = () if decided is None else decided.bands
    samples = [] if decided is None else [reply.criteria for reply in decided.accepted]
    return part_document(
        edition,
        bands,
        interview=interview,
        judgement=None if decided is None else decided.as_dict(),
        warnings=warnings,
        acoustic=acoustic_evidence(heard.measured) if heard.measured else None,
        agreement=agreement_of(bands, samples) if bands else None,
        state="scored" if bands else "pending" if unscored is None else "not_scored",
        reason=unscored or (NOBODY if decided is None else decided.reason),
    )


def _attacks(interview: Interview) -> list[Attack]:
    texts = [interview.topic]
    for exchange in interview.exchanges:
        texts += [exchange.question, exchange.answer or ""]
    return [attack for text in texts for attack in find_attacks(text)]
