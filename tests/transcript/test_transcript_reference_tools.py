"""Our minimal path against sclite and fstalign (their files), jiwer (run here), and a recogniser's words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.transcript.alignment import align
from vivavoce.transcript.equality import Match
from vivavoce.transcript.lattice import minimal_path
from vivavoce.transcript.words import Token, tokenize, tokenize_words

UTTERANCE = re.compile(r"Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)\n(?:Attributes:.*\n)?REF: (.*)\nHYP: (.*)\n")
# Its text is in a legacy encoding, and sclite was told to let word fragments match there.
OTHER_RULES = {"test12.pra"}


def cells(line: str) -> list[str]:
    return [cell.casefold() for cell in line.split() if cell.strip("*")]


def edits(reference: Sequence[str], read: Sequence[str]) -> tuple[int, int, int, int]:
    """Correct, substituted, deleted, inserted, words compared letter by letter only."""
    matches = []
    for word in reference:
        ends = tuple(end for end, other in enumerate(read, 1) if other == word)
        matches.append((Match(1, 1, "exact", ends),) if ends else ())
    kinds = Counter((step.a, step.b, step.how) for step in minimal_path(matches, len(read)))
    return kinds[1, 1, "exact"], kinds[1, 1, "substitution"], kinds[1, 0, "none"], kinds[0, 1, "none"]


def cost(counts: tuple[int, int, int, int]) -> int:
    _, substituted, deleted, inserted = counts
    return 4 * substituted + 3 * deleted + 3 * inserted


def test_sclite_finds_the_same_cost(shared_data: Path) -> None:
    """sclite weighs 4, 3, 3 as we do, so costs must agree; of equal ones we take the one with the most matches."""
    seen = same = 0
    for path in sorted((shared_data / "5_alignment/sctk/base").glob("*.pra")):
        if path.name in OTHER_RULES:
            continue
        for found in UTTERANCE.finditer(path.read_text(encoding="utf-8", errors="replace")):
            theirs = (int(found[1]), int(found[2]), int(found[3]), int(found[4]))
            ours = edits(cells(found[5]), cells(found[6]))
            assert cost(ours) == cost(theirs), found[5]
            assert ours[0] >= theirs[0]
            seen, same = seen + 1, same + (ours == theirs)
    assert seen >= 150
    assert same / seen > 0.97


@pytest.mark.parametrize(
    ("read", "labelled"),
    [
        ("align_3.hyp", "align_3.ref.aligned"),
        ("align_5.hyp1", "align_5.ref.aligned1"),
        ("align_5.hyp2", "align_5.ref.aligned2"),
        ("align_5.hyp1", "align_5.ref.aligned1-2"),
    ],
)
def test_fstalign_labels_the_same_words(shared_data: Path, read: str, labelled: str) -> None:
    folder = shared_data / "5_alignment/fstalign"
    if not (folder / f"{labelled}.nlp").exists():
        pytest.skip(f"{labelled}.nlp is not among the shared files")
    rows = [line.split("|") for line in (folder / f"{labelled}.nlp").read_text().splitlines()[1:]]
    heard = [line.split()[4] for line in (folder / f"{read}.ctm").read_text().splitlines()]
    theirs = (
        sum("del" not in row[11] and "sub" not in row[11] for row in rows),
        sum("sub" in row[11] for row in rows),
        sum("del" in row[11] for row in rows),
    )
    assert edits([row[0].casefold() for row in rows], [word.casefold() for word in heard])[:3] == theirs


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


def tokens(words: Sequence[str]) -> tuple[Token, ...]:
    return tuple(Token(word, word, None, (i,), False, 0, word) for i, word in enumerate(words))


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_jiwer_bounds(reference: list[str], read: list[str]) -> None:
    """jiwer counts every edit as one: no alignment has fewer edits than its, and none costs less than ours."""
    theirs = jiwer.process_words([" ".join(reference)], [" ".join(read)])
    found = align(tokens(reference), tokens(read))
    omitted = found.trailing_omissions + found.internal_omissions
    edits_of_ours = found.substitutions + found.insertions + omitted
    edits_of_theirs = theirs.substitutions + theirs.deletions + theirs.insertions
    assert edits_of_ours >= edits_of_theirs
    cost_of_theirs = 4 * theirs.substitutions + 3 * (theirs.deletions + theirs.insertions)
    cost_of_ours = 4 * found.substitutions + 3 * (found.insertions + omitted)
    assert cost_of_ours <= cost_of_theirs
    if cost_of_ours == cost_of_theirs:
        assert found.matched >= theirs.hits
    if not found.substitutions and not (found.insertions and omitted):
        assert (found.matched, found.insertions, omitted) == (theirs.hits, theirs.insertions, theirs.deletions)


@pytest.mark.parametrize(
    "clip",
    [
        "faster_whisper/jfk.flac",
        "mfa_corpus/61-70968-0000.flac",
        "mfa_corpus/common_voice_en_22058266.mp3",  # "Fire fox" heard as "Firefox"
        "mfa_corpus/common_voice_en_22058267.mp3",  # "six" heard as "6"
        "mfa_disfluent/mfa_buddy.flac",  # "m f a" heard as "MFA"
    ],
)
def test_a_recogniser_that_heard_every_word_gets_every_word(shared_data: Path, clip: str) -> None:
    """Human transcript against recognised words as they come; by ear nothing is missing in these clips."""
    truth = (shared_data / "2_audio/TRUTH.tsv").read_text(encoding="utf-8").splitlines()
    text = next(line.split("\t")[1] for line in truth if line.startswith(f"{clip}\t"))
    output = shared_data / "1_asr_json/faster_whisper_tiny_en" / f"{clip.replace('/', '__')}.json"
    segments = json.loads(output.read_text(encoding="utf-8"))["segments"]
    heard = tokenize_words([word["word"] for segment in segments for word in segment["words"]])
    found = align(tokenize(text), heard)
    assert (found.matched, found.insertions) == (found.reference_words, 0)
