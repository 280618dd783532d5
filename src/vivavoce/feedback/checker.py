"""Check two sentences of feedback by the guide's rules; what breaks one is a named violation.

The rules: exactly two sentences; no digit, number word, unit, percentage or score; no comparison with anyone; no other
activity; nothing that contradicts the finding. The fixed idioms in which a number word counts nothing are listed here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.feedback.lexicon import BLAME, FAULTS, KEEP_ON, LEXICONS, PRAISE, STUMBLES, TURN, found_unnegated
from vivavoce.feedback.model import Finding
from vivavoce.feedback.sentences import is_whole, split_sentences

MOST_WORDS = 40

RULES = {
    "not_two_sentences": "write exactly two whole sentences: the finding, then the next step",
    "not_plain": "write plain text: no lists, headings, markup, links, line breaks or symbols",
    "too_long": "keep each sentence short",
    "digits": "write no digits",
    "number_word": "count nothing: no number words, fractions or times something happened",
    "unit": "name no units or percentages: no minutes, seconds, words a minute or decibels",
    "score": "name no scores, marks, grades, tiers or points",
    "comparison": "compare the student with nobody, no average and no age",
    "other_activity": "suggest no other activity, tool, person or daily practice: only how to do this same task better",
    "contradiction": "say nothing that contradicts the finding, and advise nothing against it",
    "off_finding": "let the first sentence name the finding and nothing else",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that was broken (a key of RULES) and the words that broke it."""

    rule: str
    found: str


_CARDINALS = (
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundreds? thousands? millions? dozens? "
    "twice thrice couple half halves quarters? thirds double triple"
)
NUMBER_WORDS = rf"\b(?:{'|'.join(_CARDINALS.split())}|one|a third of|a fifth of)\b"
# Number words that count nothing, in either sentence, and in a next step the one thing to take up.
IDIOMS = (
    r"\b(?:no one|(?:this|that|each|every|another|which|next|last|first) one|one (?:small )?thing|one small step"
    r"|the one (?:thing|you|that|where|which)|one more (?:time|try)"
    r"|one (?:at a time|by one|another|of (?:the|your|them))"
    r"|from one \w+ to the (?:next|other)|in half|(?:first|second|last|other) half)\b"
)
STEP_IDIOMS = r"\b(?:pick|choose|add|take|find|name|give|try|mark|save|keep|tell)(?: yourself)?(?: just| only)? one\b"

UNITS = (
    r"%|‰|\bper ?cent(?:age)?s?\b|\b(?:wpm|dbs?|decibels?|hz|hertz)\b"
    r"|\b(?:milliseconds?|ms|secs?|seconds|minutes?|mins?|hours?)\b"
    r"|\b(?:words?|breaks?|pauses?|syllables?) (?:per|a|each|every) (?:minute|second|line|page)\b"
    r"|\bper (?:second|minute)\b"
    r"|\b(?:a|another|each|every) second(?=[\s]*(?:[.,;!?]|$|to\b|or\b|of\b|before\b|longer\b|and\b))"
)
SCORES = (
    r"\bscor(?:e|es|ed|ing)\b|\bgrad(?:e|es|ed|ing)\b|\bmarks\b(?<!question marks)(?<!quotation marks)"
    r"|\b(?:full|top|high|higher|low|lower|pass|good|better|best) mark\b|\brat(?:ed|ing|ings)\b|\btiers?\b|\brubric\b"
    r"|\bexcellent\b|\badequate\b|\bbelow average\b|\bpoor\b|\bpass(?:ed|ing)? (?:the|this|your)\b|\bfailed\b"
    r"|\b(?:lose|lost|losing|gain|gained|earn|earned|win|won|cost(?: you)?|worth|bonus|extra|full)(?: \w+)? points?\b"
    r"|\bpoints? (?:off|for)\b|\bout of (?:five|ten|a hundred|\d)|(?-i:\b(?:an A|[A-F][+-])(?=\W|$)|\bstraight A\b)"
)
_PEOPLE = r"(?:students?|kids|children|speakers?|readers?|people|pupils?|learners?|girls|boys)"
COMPARISONS = (
    rf"\bclassmates?\b|\bpeers?\b|\bthe (?:rest of the )?class\b|\b(?:other|most) {_PEOPLE}\b|\bothers\b"
    r"|\b(?:everyone|everybody|anyone|anybody|someone|nobody|no one) else\b|(?<!below )\baverage\b"
    r"|\bthan (?:most|many|any|other|the others?|your (?:friends?|brother|sister))\b|\bcompared (?:to|with)\b"
    r"|\bin comparison\b|\bbest in\b|\btop of\b|\b(?:for|at) your (?:age|level|year)\b|\bnative\b|\btypical(?:ly)?\b"
    rf"|\brank(?:ed|ing|s)?\b|\b{_PEOPLE} (?:of )?your age\b"
)
ACTIVITIES = (
    r"\bsing(?:ing)?\b|\bsongs?\b|\bkaraoke\b|\brap(?:ping)?\b|\bhum(?:ming)?\b|\bgargl\w+|\bwhistl\w+|\bnovels?\b"
    r"|\bnewspapers?\b|\bmagazines?\b|\bpodcasts?\b|\b(?:audio)?books?\b|\bvideos?\b|\byoutube\b|\btelevision\b|\btv\b"
    r"|\bmovies?\b|\bfilms?\b|\bradio\b|\bmusic\b|\bapps?\b|\bwebsites?\b|\bsoftware\b|\bgames?\b|\bdiary\b"
    r"|\bjournal\b|\bessays?\b|\brecord(?:ing)? yourself\b"
    r"|\blisten(?:ing)? (?:back|to (?:a|an|the|your|some) (?:record|audio|speech))"
    r"|\bmirror\b|\bclub\b|\btutor\b|\bteachers?\b|\bcoach\b|\bparents?\b|\bfriends? to\b|\bexercises?\b|\bdrills?\b"
    r"|\bwarm[- ]?ups?\b|\bworkouts?\b|\bflash ?cards?\b|\bvocabulary\b|\bdictionar\w+|\bmetronome\b"
    r"|\btimer\b|\bstopwatch\b|\bworksheets?\b|\bpractice sheets?\b|\bhomework\b|\bpencil\b|\bcork\b|\bstraw\b"
    r"|\b(?:every|each) (?:day|night|morning|evening|week|weekend)\b|\bdaily\b|\bat home\b|\bcourse\b|\blessons?\b"
)
OWN_ACTIVITY = {
    "tongue_twister": r"\btongue[- ]twisters?\b",
    "poem_recitation": r"\bpoems?\b|\brecit\w+",
    "silly_topics_debate": r"\bdebat\w+",
    "short_informative_presentation": r"\bpresentations?\b",
    "audio_postcard": r"\bpostcards?\b",
    "rapid_fire_qa": r"\bquiz\w*|\brapid[- ]fire\b",
}
_LINK_OR_MARKUP = re.compile(r"[\n\r\t*_`#<>{}\[\]|\\^~=@]|https?:|www\.|^\s*[-•–]\s")
# Signs of money, mathematics and others, letters that do not show, ends of line: none is read aloud to a student.
_SYMBOLS = ("So", "Sc", "Sm", "Sk", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn")


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.IGNORECASE)
    return found.group(0) if found else ""


def _digit(text: str) -> str:
    return next((char for char in text if unicodedata.category(char).startswith("N")), "")


def _unplain(text: str) -> str:
    found = _LINK_OR_MARKUP.search(text)
    if found:
        return found.group(0)
    return next((char for char in text if unicodedata.category(char) in _SYMBOLS), "")


def _number_word(first: str, second: str) -> str:
    kept_first = re.sub(IDIOMS, " ", first, flags=re.IGNORECASE)
    kept_second = re.sub(f"{IDIOMS}|{STEP_IDIOMS}", " ", second, flags=re.IGNORECASE)
    return _first(NUMBER_WORDS, kept_first) or _first(NUMBER_WORDS, kept_second)


def _other_activity(second: str, module: str) -> str:
    others = "|".join(pattern for name, pattern in OWN_ACTIVITY.items() if name != module)
    return _first(ACTIVITIES, second) or _first(others, second)


def _contradiction(first: str, second: str, finding: Finding) -> str:
    lexicon = LEXICONS[finding.id]
    if finding.kind == "done_well":
        blame = BLAME if finding.name == "recovered" else f"{BLAME}|{STUMBLES}"
        return found_unnegated(rf"(?:{blame})\b", first)
    advised = found_unnegated(lexicon.against, second) or found_unnegated(KEEP_ON, second)
    denied = found_unnegated(lexicon.denies, first) or advised
    if denied or re.search(TURN, first, re.IGNORECASE):
        return denied
    return found_unnegated(rf"(?:{PRAISE})\b", first)


def _off_finding(first: str, finding: Finding) -> str:
    """Return another marker's fault that the first sentence claims, or the sentence where the finding is not in it."""
    others = "|".join(pattern for marker, pattern in FAULTS.items() if marker != finding.marker)
    claimed = found_unnegated(rf"(?:{others})\b", first)
    return claimed or ("" if _first(LEXICONS[finding.id].says, first) else first or "nothing")


def check(text: str | Sequence[str], finding: Finding, module: str) -> list[Violation]:
    """Return what the text breaks, by name, at most once a rule; an empty list where it may be told.

    Parameters: `text` both sentences, as one text or as the list of two; `finding` what they must tell (not of kind
    `none`); `module` the module's id, whose own activity may be named.
    """
    given = [text] if isinstance(text, str) else list(text)
    parts = [sentence for piece in given for sentence in split_sentences(piece)]
    whole = " ".join(given)
    first = parts[0] if parts else ""
    second = " ".join(parts[1:])
    two = len(parts) == 2 and len(given) <= 2 and all(is_whole(part) for part in parts)
    found: dict[str, str] = {
        "not_two_sentences": "" if two else f"{len(parts)} sentences",
        "not_plain": _unplain(whole),
        "too_long": next((part for part in parts if len(part.split()) > MOST_WORDS), ""),
        "digits": _digit(whole),
        "number_word": _number_word(first, second),
        "unit": _first(UNITS, whole),
        "score": _first(SCORES, whole),
        "comparison": _first(COMPARISONS, whole),
        "other_activity": _other_activity(second, module),
        "contradiction": _contradiction(first, second, finding),
    }
    if not found["contradiction"]:
        found["off_finding"] = _off_finding(first, finding)
    return [Violation(rule, words) for rule, words in found.items() if words]
