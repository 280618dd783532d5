"""Whether an interview's answers are evidence enough: English, and more than a word or two.

Short answers are normal in Part 1, so only answers with almost no English words at all are a state of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.errors import need
from vivavoce.interview import Interview
from vivavoce.notice import Notice
from vivavoce.transcript.language import is_english_text
from vivavoce.transcript.words import is_filled_pause, tokenize

LEAST_WORDS, SHORT_WORDS = 5, 15
"""English words in all answers: fewer than the first are no evidence, fewer than the second little (chosen)."""
LATIN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why nothing is scored (None: enough is there), and what to know of the answers."""

    reason: Notice | None
    warnings: tuple[Notice, ...]


def check_evidence(interview: Interview) -> Evidence:
    """Return the state of an interview's answers.

    `thin_evidence`: fewer than LEAST_WORDS English words in all; `other_language`: most letters are not Latin, or the
    words are not English (10 and more: dictionary and commonest words). Warnings: `question_unanswered`,
    `answer_other_language`, `evidence_short`. Raises MissingError without simplemma.
    """
    answers = [exchange.answer or "" for exchange in interview.exchanges]
    spoken = [_words(answer) for answer in answers]
    everything = [word for words in spoken for word in words]
    english = [word for word in everything if _is_english(word)]
    warnings = [*_unanswered(spoken), *_foreign(answers, spoken)]
    if everything and not _is_latin("".join(answers)):
        return Evidence(_language("most of what was said is not written in Latin letters"), tuple(warnings))
    if is_english_text(everything) is False:
        return Evidence(_language(f"{len(everything)} words, most of which are not English"), tuple(warnings))
    if len(english) < LEAST_WORDS:
        found = f"{_counted(len(english), 'English word')} in {_counted(len(answers), 'answer')}"
        remedy = "record again: let the candidate answer each question in a sentence"
        return Evidence(Notice("thin_evidence", found, remedy), tuple(warnings))
    if len(english) < SHORT_WORDS:
        found = f"{len(english)} English words in all: the bands rest on very little"
        warnings.append(Notice("evidence_short", found, "ask one or two questions more"))
    return Evidence(None, tuple(warnings))


def _words(answer: str) -> list[str]:
    return [token.key for token in tokenize(answer) if not is_filled_pause(token.key)]


def _is_english(word: str) -> bool:
    try:
        from simplemma import is_known
    except ModuleNotFoundError as error:
        raise need("text", "simplemma") from error
    return word.isascii() and bool(is_known(word, lang="en"))


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    # Latin with its accents ends at U+024F.
    return not letters or sum(char < "ɐ" for char in letters) >= LATIN_SHARE * len(letters)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _language(found: str) -> Notice:
    return Notice(
        "other_language",
        found,
        "IELTS is scored in English: record again in English; if it was English with many names, answer in sentences",
    )


def _unanswered(spoken: Sequence[Sequence[str]]) -> list[Notice]:
    silent = [str(number) for number, words in enumerate(spoken, 1) if not words]
    if not silent:
        return []
    found = f"no word in answer to question {', '.join(silent)}"
    return [Notice("question_unanswered", found, "check the recording; an unanswered question counts as not answered")]


def _foreign(answers: Sequence[str], spoken: Sequence[Sequence[str]]) -> list[Notice]:
    numbers = [
        str(number)
        for number, (answer, words) in enumerate(zip(answers, spoken, strict=True), 1)
        if words and (not _is_latin(answer) or is_english_text(words) is False)
    ]
    if not numbers:
        return []
    found = f"the answer to question {', '.join(numbers)} is not in English"
    return [Notice("answer_other_language", found, "record it again in English; it is shown to the judge as it stands")]
