"""Make `spellings.tsv` and `homophones.txt` from their sources; run only when a source changes.

    python scripts/build_word_tables.py --scowl DIR --breame spelling_constants.py --cmudict cmudict.dict --out DIR

SCOWL: the folder of word lists in Debian's package `scowl`. breame: the file in the PyPI package `breame`.
CMUdict: `cmudict.dict`. Licences and what is taken from each: README.md beside this file.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LEVEL = 60  # SCOWL size: words that a desk dictionary has; larger sizes bring in pairs by accident

# British letters on the left, American on the right: none of these changes the sound of the word.
RULES = [
    (re.compile(pattern), american)
    for pattern, american in [
        (r"our", "or"),
        (r"(?<=[bcghtv])re(?![aeiouy])", "er"),
        (r"(?<=[bcghtv])r(?=ing)", "er"),
        (r"is(?=(e|ed|er|es|ers|ing|ingly|able|ably|ation|ational|ations|ance|ement|ability)s?$)", "iz"),
        (r"ys(?=(e|ed|er|es|ers|ing)$)", "yz"),
        (r"ll", "l"),
        (r"l(?=(s|ment|ments|ful|fully|fulness)?$)", "ll"),
        (r"[ao]e(?=[a-z]{2})", "e"),
        (r"gue(?=s?$)", "g"),
        (r"gu(?=(ed|ing)$)", "g"),
        (r"ence", "ense"),
        (r"mme(?=s?$)", "m"),
        (r"dge(?=ment)", "dg"),
        (r"e(?=(able|ably|ability|ing|y)$)", ""),
        (r"xe$", "x"),
        (r"ou(?=l[dt])", "o"),
        (r"ough", "ow"),
        (r"aught", "aft"),
        (r"que", "ck"),
        (r"ph", "f"),
        (r"sc(?=e)", "sk"),
        (r"ey", "ay"),
        (r"y", "i"),
        (r"pp", "p"),
        (r"ss", "s"),
        (r"tt", "t"),
        (r"tte(?=s?$)", "t"),
        (r"s(?=[yi])", "z"),
        (r"c(?=[ei])", "s"),
        (r"s(?=[ei])", "c"),
    ]
]

# Pairs of the sources that are not one word: they sound different, or a line of the source is wrong.
REFUSED = [
    "aeroplane",
    "aeroplanes",
    "aluminium",
    "analyses",
    "behove",
    "behoved",
    "behoves",
    "bevvies",
    "bevvy",
    "catalyses",
    "fillet",
    "filleted",
    "filleting",
    "fillets",
    "flautist",
    "flautists",
    "furore",
    "furores",
    "matres",
    "misspelt",
    "oecus",
    "paralyses",
    "psychoanalyses",
    "pummelled",
    "pummelling",
    "pzazz",
    "snowploughs",
    "tranquilly",
]
# M1: a filled pause is never a word that sounds like it ("uh" for "a").
FILLED_PAUSES = ("um", "uh", "uhm", "er", "erm", "hmm", "mm", "ah")
# Irregular pairs that neither source has.
ADDED = {"gaol": "jail", "kerb": "curb", "kerbs": "curbs", "cheque": "check", "cheques": "checks"}


def main() -> None:
    """Read the sources named on the command line and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scowl", "breame", "cmudict", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    pairs = spelling_pairs(args.scowl, args.breame)
    lines = [f"{british}\t{american}\n" for british, american in sorted(pairs.items())]
    (args.out / "spellings.tsv").write_text("".join(lines), encoding="utf-8")
    (args.out / "homophones.txt").write_text("".join(homophone_lines(args.cmudict)), encoding="utf-8")


def scowl_words(folder: Path, category: str) -> set[str]:
    """Return one category's lower-case words up to LEVEL, possessives left out."""
    found: set[str] = set()
    for path in folder.glob(f"{category}-words.*"):
        if int(path.suffix[1:]) <= LEVEL:
            found.update(path.read_text(encoding="latin-1").split())
    return {word for word in found if word.isascii() and word.isalpha() and word.islower()}


def spelling_pairs(scowl: Path, breame: Path) -> dict[str, str]:
    """Return British form -> American form."""
    american, common = scowl_words(scowl, "american"), scowl_words(scowl, "english")
    british = scowl_words(scowl, "british") | scowl_words(scowl, "british_z")
    only_american = american - british - common
    pairs = dict(ADDED)
    for word in sorted(british - american - common):
        first, second = candidates(word)
        found = [c for c in first if c in only_american] or [c for c in second if c in only_american]
        found = found or [c for c in first | second if c in american | common and z_form(word, c)]
        if found and word not in REFUSED:
            pairs[word] = min(found)
    listed = ast.parse(breame.read_text(encoding="utf-8")).body[0]
    assert isinstance(listed, ast.Assign)
    for word, spelled in ast.literal_eval(listed.value).items():
        if word not in REFUSED and word not in pairs and word.isalpha() and spelled.isalpha():
            pairs[word] = spelled
    return {word: spelled for word, spelled in pairs.items() if word not in pairs.values()}


def z_form(british: str, american: str) -> bool:
    """Return whether the two differ only in s against z (a common word may then stand on the American side)."""
    return british.replace("s", "z") == american.replace("s", "z")


def candidates(word: str) -> tuple[set[str], set[str]]:
    """Return what one rule and what two rules make of the word."""
    first = set(respelled(word))
    return first, {again for once in first for again in respelled(once)}


def respelled(word: str) -> Iterator[str]:
    """Yield the word with one rule applied at one place."""
    for pattern, american in RULES:
        for match in pattern.finditer(word):
            yield word[: match.start()] + american + word[match.end() :]


def homophone_lines(cmudict: Path) -> Iterator[str]:
    """Yield one line a group of words that share a pronunciation, in order of their first word."""
    spoken: dict[str, list[list[str]]] = defaultdict(list)
    for line in cmudict.read_text(encoding="utf-8").splitlines():
        entry, *phones = line.split("#")[0].split()
        word = re.sub(r"\(\d+\)$", "", entry)
        if re.fullmatch(r"[a-z]+(?:'[a-z]+)*", word) and word not in FILLED_PAUSES:
            spoken[word].append(phones)
    groups = defaultdict(set)
    for word, ways in spoken.items():
        # A weak form ("or" and "are" as bare ER) makes no homophone of a word that also has a strong one.
        strong = [phones for phones in ways if any(phone[-1] == "1" for phone in phones)]
        for phones in strong or ways:
            groups[sound(phones)].add(word)
    yield from sorted({" ".join(sorted(words)) + "\n" for words in groups.values() if len(words) > 1})


def sound(phones: list[str]) -> str:
    """Return the pronunciation to compare: primary stress kept (differ, defer), but not in a word of one syllable."""
    syllables = sum(phone[-1].isdigit() for phone in phones)
    kept = "1" if syllables > 1 else ""
    return " ".join(phone.rstrip("02") if phone[-1] != "1" else phone[:-1] + kept for phone in phones)


if __name__ == "__main__":
    main()
