"""The V33 prompt is the guide's, to the letter; what a candidate says changes its own line and nothing else (V5)."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from vivavoce.errors import RequestError
from vivavoce.interview import Exchange, Interview, interview_from_json
from vivavoce.judging.fence import quoted
from vivavoce.judging.interview.prompt import digest_of, render
from vivavoce.rubric.graduated import part

ATTACKS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "judging/attacks.jsonl").read_text(encoding="utf-8").splitlines()
    if line.strip()
]
TEXTS = list(dict.fromkeys(row["text"] for row in ATTACKS))
# Of the guide's prompt, so that ours is held to it where the guide is absent.
GUIDE_SHA256 = "a3977eee788a92f9bed753ddfc3a60711921d7d7686cce28c6aca7e10dcdb7c3"
# Plain words that stand nowhere in the guide, three pairs as in the guide's template.
TOPIC = "topic words"
PAIRS = [("question one", "answer one"), ("question two", "answer two"), ("question three", "answer three")]


def interview(pairs: list[tuple[str, str]], topic: str = TOPIC) -> Interview:
    return Interview(topic, tuple(Exchange(question, answer) for question, answer in pairs))


def rendered(pairs: list[tuple[str, str]] = PAIRS, topic: str = TOPIC) -> str:
    return render(part(1), interview(pairs, topic))


@pytest.fixture
def guide(guides: Path) -> str:
    """The guide's prompt: its text without the title line in front."""
    text = next(guides.glob("001_*.txt")).read_text(encoding="utf-8")
    title, _, prompt = text.partition("\n\n")
    assert len(title.splitlines()) == 1
    assert prompt.startswith("You are scoring")
    return prompt.rstrip("\n")


def with_placeholders(prompt: str) -> str:
    """The prompt of TOPIC and PAIRS with the guide's placeholders put back for the quoted data."""
    data = {TOPIC: "{{PART_1_TOPIC}}"}
    for number, (question, answer) in enumerate(PAIRS, 1):
        data |= {question: f"{{{{QUESTION_{number}}}}}", answer: f"{{{{ANSWER_{number}}}}}"}
    for text, placeholder in data.items():
        assert prompt.count(f'"{text}"') == (2 if text == TOPIC else 1)
        prompt = prompt.replace(f'"{text}"', placeholder)
    return prompt


def sections(text: str) -> list[tuple[str, str]]:
    """The text in sections, each with the line that opens it: headings, bold openings, criteria and rules."""
    parts = re.split(r"^(?=#{2,3} |\*\*|---$|Binary Checks|Band Mapping|\d\. [A-Z_]+ \()", text, flags=re.MULTILINE)
    return [(part_.split("\n", 1)[0], part_) for part_ in parts]


def test_every_section_is_the_guides(guide: str) -> None:
    ours, theirs = sections(with_placeholders(rendered())), sections(guide)
    assert len(theirs) > 50
    assert [opening for opening, _ in ours] == [opening for opening, _ in theirs]
    for (_, mine), (_, wanted) in zip(ours, theirs, strict=True):
        assert mine == wanted


def test_with_its_placeholders_back_the_prompt_is_the_guide_to_the_letter(guide: str) -> None:
    assert with_placeholders(rendered()) == guide
    assert hashlib.sha256(guide.encode("utf-8")).hexdigest() == GUIDE_SHA256


def test_without_the_guide_the_prompt_has_the_guides_digest() -> None:
    assert hashlib.sha256(with_placeholders(rendered()).encode("utf-8")).hexdigest() == GUIDE_SHA256


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_one_to_twelve_answers_stand_in_order(guide: str, count: int) -> None:
    """Only the block of questions and answers grows: a pair of lines each, an empty line between pairs."""
    pairs = [(f"question {n}", f"answer {n}") for n in range(1, count + 1)]
    template = "\n\n".join(f"Q{n}: {{{{QUESTION_{n}}}}}\nA{n}: {{{{ANSWER_{n}}}}}" for n in (1, 2, 3))
    assert guide.count(template) == 1
    block = "\n\n".join(f'Q{n}: "{question}"\nA{n}: "{answer}"' for n, (question, answer) in enumerate(pairs, 1))
    wanted = guide.replace(template, block).replace("{{PART_1_TOPIC}}", f'"{TOPIC}"')
    assert rendered(pairs) == wanted


@pytest.mark.parametrize("count", [0, 13])
def test_no_answer_and_thirteen_are_refused(count: int) -> None:
    rows = [{"question": "Why?", "answer": "So."}] * count
    with pytest.raises(RequestError) as caught:
        interview_from_json({"topic": "t", "answers": rows}, "", part(1).answers_highest)
    assert (caught.value.code, caught.value.where) == ("answers_count", "/answers")


# Where the guide is absent: what the contract must say, typed by hand.
CONTRACT = [
    'code attaches this exact display note: "Pronunciation, intonation, and stress patterns cannot be assessed from '
    'transcript alone. This score reflects only word clarity, transcription consistency, and intelligibility."',
    "set keyObservations to exactly [].",
    "Formula: Overall Band = (Fluency + Lexical + Pronunciation + Grammar) ÷ 4. "
    "Speaking scores always ROUND DOWN (floor) to the nearest 0.5.",
    'False branch example: {"result": false, "evidence": "fail"}.',
    "The check counts are 5, 5, 3, and 5.",
    'emit the exact lowercase token "pass" when result is true and the exact lowercase token "fail" when result is '
    "false. No other evidence value is accepted.",
    "set Band 6 only when WORD_CLARITY is narrowly missed; otherwise set Band 5",
    "3 yes = Band 8 by default; use Band 9 only when the transcript shows exceptional consistency",
    "**Default to Band 8 when:** the criterion meets its upper threshold",
    "**Part 1 calibration:** Short answers are normal in Part 1.",
    'one strict JSON root object: {"testBased": {...}}.',
]


def test_the_contracts_sentences_stand_in_the_prompt() -> None:
    prompt = rendered()
    for sentence in CONTRACT:
        assert sentence in prompt
    assert "{{" not in prompt
    assert "{topic}" not in prompt


def test_the_example_in_the_prompt_is_the_sample_reply() -> None:
    example = (Path(__file__).parent / "ielts_reply_guide.json").read_text(encoding="utf-8")
    assert f"### JSON Output Format\n{example}\n**Closed V33" in rendered()


@pytest.mark.parametrize(
    "text",
    [
        "{{QUESTION_2}}",
        "{{ANSWER_1}}",
        "{{PART_1_TOPIC}}",
        "{topic}",
        "{answer}",
        "{number}",
        "{question} {",
        "}",
        "{}",
    ],
)
def test_a_placeholder_in_the_data_is_not_filled_in(text: str) -> None:
    prompt = rendered([(text, "answer one"), ("question two", text), PAIRS[2]], topic=text)
    lines = prompt.split("\n")
    written = {line.split(": ", 1)[0]: json.loads(line.split(": ", 1)[1]) for line in data_lines(lines)}
    assert written == {
        "Topic": text,
        "Q1": text,
        "A1": "answer one",
        "Q2": "question two",
        "A2": text,
        "Q3": "question three",
        "A3": "answer three",
        "Topic/Prompt": text,
    }


def data_lines(lines: list[str]) -> list[str]:
    """The lines that hold data, by their labels; each label stands once."""
    found = [line for line in lines if re.match(r'(Topic|Topic/Prompt|[QA]\d+): "', line)]
    assert len({line.split(":")[0] for line in found}) == len(found)
    return found


def changed(one: str, two: str) -> list[tuple[str, str]]:
    """The lines that differ; both texts have as many lines, counted every way that a reader may count them."""
    assert len(one.splitlines()) == len(two.splitlines()) == one.count("\n") + 1 == two.count("\n") + 1
    return [(a, b) for a, b in zip(one.split("\n"), two.split("\n"), strict=True) if a != b]


PLAIN = rendered()


@pytest.mark.parametrize("text", TEXTS)
def test_an_attack_changes_only_its_own_line(text: str) -> None:
    for place in ("Q2", "A2", "A3"):
        number, is_answer = int(place[1]) - 1, place[0] == "A"
        pairs = list(PAIRS)
        question, answer = pairs[number]
        pairs[number] = (question, text) if is_answer else (text, answer)
        [(_, line)] = changed(PLAIN, rendered(pairs))
        assert line.startswith(f'{place}: "')
        assert same(line.removeprefix(f"{place}: "), text)
    lines = [line for _, line in changed(PLAIN, rendered(topic=text))]
    assert [line.split(": ", 1)[0] for line in lines] == ["Topic", "Topic/Prompt"]
    assert all(same(line.split(": ", 1)[1], text) for line in lines)


def same(line: str, text: str) -> bool:
    """Say whether a quoted line is one JSON string, and that text (a pair of lone surrogates reads as its letter)."""
    found = json.loads(line)
    pairs_joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return isinstance(found, str) and found == pairs_joined and quoted(text) == line


def test_there_are_attacks_enough() -> None:
    assert len(TEXTS) >= 300


def test_an_answer_that_copies_the_whole_prompt_stays_one_line() -> None:
    [(_, line)] = changed(PLAIN, rendered([PAIRS[0], (PAIRS[1][0], PLAIN), PAIRS[2]]))
    assert json.loads(line.removeprefix("A2: ")) == PLAIN


def test_an_empty_answer_stays_in_its_place() -> None:
    [(_, line)] = changed(PLAIN, rendered([PAIRS[0], (PAIRS[1][0], ""), PAIRS[2]]))
    assert line == 'A2: ""'


def test_an_answer_that_is_still_a_file_cannot_be_rendered() -> None:
    with pytest.raises(ValueError, match="answer 1"):
        render(part(1), Interview("t", (Exchange("Why?", None, recording="a.wav"),)))


def test_the_same_interview_gives_the_same_prompt() -> None:
    assert rendered() == PLAIN
    other = {rendered(topic="topic word"), rendered(PAIRS[:2]), rendered([PAIRS[1], PAIRS[0], PAIRS[2]])}
    assert len({digest_of(prompt) for prompt in (PLAIN, *other)}) == 4
