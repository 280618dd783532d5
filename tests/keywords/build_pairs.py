"""Make pairs.tsv from its sources; run only when a source changes (recipe and licences: docs/keywords.md).

    python tests/keywords/build_pairs.py --wordnet DIR --inflections inflections.txt --out pairs.tsv

WordNet: the folder `wordnet` of Debian's package `wordnet-base` 1:3.0-37. Inflections: the file in the tests of the
PyPI package `inflect` 7.5.0. Also needs PyStemmer. Every draw is seeded, so the list comes out the same.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

POS = ("noun", "verb", "adj", "adv")
# The endings that WordNet's own `morphy` takes off (morphy(7WN)).
DETACH = {
    "noun": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}
# From pluralize's test.js (MIT); those that WordNet tags three times or more are drawn from.
PLURALS = """hero/heroes volcano/volcanoes photo/photos cherry/cherries piano/pianos monkey/monkeys echo/echoes
pass/passes lady/ladies bath/baths roof/roofs crisis/crises life/lives hive/hives kiss/kisses dish/dishes human/humans
knife/knives phase/phases judge/judges class/classes witch/witches church/churches cactus/cacti atlas/atlases box/boxes
gas/gases self/selves chief/chiefs quiz/quizzes shelf/shelves thief/thieves day/days loaf/loaves fix/fixes spy/spies
clock/clocks leaf/leaves calf/calves mouth/mouths house/houses proof/proofs elf/elves penny/pennies virus/viri
movie/movies status/statuses sandwich/sandwiches scarf/scarves tooth/teeth wolf/wolves story/stories key/keys
city/cities family/families valley/valleys bus/buses potato/potatoes tomato/tomatoes wife/wives guess/guesses
half/halves handkerchief/handkerchiefs die/dice person/people ox/oxen sky/skies donkey/donkeys country/countries
tongue/tongues beach/beaches lie/lies axe/axes focus/foci nose/noses cheese/cheeses"""
# Struck out before any matcher ran: dictionaries disagree, a wrong plural, not "of", or nothing for a school.
STRUCK = {
    *(("surroundings", "surrounding"), ("surrounding", "surroundings"), ("fame", "famed"), ("writ", "writing")),
    *(("virus", "viri"), ("cr", "crest"), ("nut house", "nuthouse"), ("fig", "figging")),
}
STRUCK_TEXTS = {
    "the guy's only doing it for some doll",
    "The prostitute is street-walking every night",
    "The fabric felted up after several washes",
}
WORDNET = "WordNet 3.0 (Debian wordnet-base 1:3.0-37)"
Pair = tuple[str, str]


def is_plain(word: str) -> bool:
    return re.fullmatch(r"[a-z]+", word) is not None


class WordNet:
    """The lemmas, exceptions, tag counts, synsets and example sentences of a WordNet folder."""

    def __init__(self, folder: Path) -> None:
        def lines(name: str) -> list[str]:
            return (folder / name).read_text(encoding="utf-8").splitlines()

        self.index = {pos: {line.split(" ")[0] for line in lines(f"index.{pos}") if line[0] != " "} for pos in POS}
        self.lemmas = set().union(*self.index.values())
        self.exceptions: dict[str, dict[str, list[str]]] = {pos: defaultdict(list) for pos in POS}
        for pos in POS:
            for line in lines(f"{pos}.exc"):
                form, *bases = line.split()
                self.exceptions[pos][form] += bases
        self.count: Counter[str] = Counter()
        for line in lines("cntlist.rev"):
            sense, _, number = line.split()
            self.count[sense.split("%")[0]] += int(number)
        self.synsets: dict[str, set[str]] = defaultdict(set)
        self.examples: list[tuple[str, list[str], list[str]]] = []
        for pos in POS:
            for line in lines(f"data.{pos}"):
                if line[0] != " ":
                    self._read(pos, line)

    def _read(self, pos: str, line: str) -> None:
        head, gloss = line.split(" | ", 1)
        fields = head.split()
        words = [re.sub(r"\((a|p|ip)\)$", "", fields[4 + 2 * i]).lower() for i in range(int(fields[3], 16))]
        for word in words:
            self.synsets[word].add(pos + fields[0])
        texts = [text for text in re.findall(r'"([^"]+)"', gloss) if re.fullmatch(r"[A-Za-z ,.'\-;!?]+", text)]
        self.examples.append((pos, words, texts))

    def bases(self, word: str) -> set[str]:
        """Return every lemma that a word may be a form of, as morphy finds it."""
        found = set()
        for pos in POS:
            known = self.index[pos]
            found |= ({word} & known) | (set(self.exceptions[pos].get(word, ())) & known)
            for rule in DETACH[pos].split():
                ending, before = rule.split(":")
                if word.endswith(ending) and len(word) > len(ending) + 1:
                    found |= {word[: -len(ending)] + before} & known
        return found

    def are_apart(self, one: str, other: str) -> bool:
        """Say whether two words share neither a lemma nor a synset."""
        return not self.bases(one) & self.bases(other) and not self.synsets[one] & self.synsets[other]

    def irregular(self, pos: str, least: int) -> list[Pair]:
        return [
            (bases[0], form)
            for form, bases in self.exceptions[pos].items()
            if is_plain(form) and is_plain(bases[0]) and self.count[bases[0]] >= least
        ]


def possessives(net: WordNet) -> list[Pair]:
    pairs = []
    no_owner = {"it", "he", "she", "that", "there", "what", "who", "let", "here", "one", "how"}
    for text in (text for _, _, texts in net.examples for text in texts if len(text) < 60):
        owned = set(re.findall(r"\b([a-z]+)'s\b", text)) - no_owner
        pairs += [(word, text) for word in owned if word in net.index["noun"] and net.count[word] >= 2]
        for word in re.findall(r"\b([a-z]+s)'(?= )", text):
            owners = [base for base in sorted(net.bases(word)) if base in net.index["noun"] and base != word]
            pairs += [(owners[0], text)] if owners else []
    return pairs


def phrases(net: WordNet) -> tuple[list[Pair], list[Pair]]:
    """Return phrases with examples that have them inflected, and with examples that have their words apart."""
    together, apart = [], []

    def is_form(word: str, base: str) -> bool:
        return word == base or base in net.bases(word) or base in net.bases(re.sub(r"'s?$", "", word))

    for pos, words, texts in net.examples:
        for phrase in words if pos in {"noun", "verb"} else ():
            parts = re.split("[_-]", phrase)
            if len(parts) < 2 or not all(map(is_plain, parts)):
                continue
            for text in (text for text in texts if len(text) <= 70):
                said = re.findall(r"[a-z']+", text.lower().replace("-", " "))
                windows = [said[at : at + len(parts)] for at in range(len(said) - len(parts) + 1)]
                hits = [each for each in windows if all(map(is_form, each, parts))]
                pair = (phrase.replace("_", " "), text)
                if hits and parts not in hits:
                    together.append(pair)
                elif not hits and len(parts) == 2:
                    first, second = ([i for i, word in enumerate(said) if is_form(word, part)] for part in parts)
                    if first and second and min(second) > min(first) + 1:
                        apart.append(pair)
    return together, apart


def spelled_variously(net: WordNet) -> list[Pair]:
    variants = defaultdict(set)
    for word in net.lemmas:
        if re.fullmatch(r"[a-z_\-]+", word):
            variants[re.sub("[_-]", "", word)].add(word)
    return [
        (one.replace("_", " "), other.replace("_", " "))
        for words in variants.values()
        for one in words
        for other in words
        if one != other and net.synsets[one] & net.synsets[other]
    ]


def derived(net: WordNet, common: Iterable[str]) -> list[Pair]:
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    groups = defaultdict(list)
    for word in common:
        groups[stem(word)].append(word)
    return [(a, b) for group in groups.values() for a in group for b in group if a != b and net.are_apart(a, b)]


def prefixes(net: WordNet, common: set[str]) -> list[Pair]:
    pairs = [
        (word[:length], word)
        for word in common
        for length in range(4, len(word) - 1)
        if word[:length] in common and net.are_apart(word[:length], word) and word[length:] not in net.lemmas
    ]
    return pairs + [(word, prefix) for prefix, word in pairs]


def looks_inflected(net: WordNet, common: Iterable[str], draw: random.Random) -> list[Pair]:
    pairs = [
        (base, word)
        for word in common
        for ending in ("s", "es", "ed", "ing", "er", "est")
        if word.endswith(ending)
        for base in (word[: -len(ending)], word[: -len(ending)] + "e")
        if base in net.lemmas and net.count[base] >= 1 and len(base) >= 2 and net.are_apart(base, word)
    ]
    agents = sorted(pair for pair in pairs if pair[1].endswith("er"))
    return [pair for pair in pairs if not pair[1].endswith("er")] + draw.sample(agents, 25)


def compounds(net: WordNet, inflections: Path) -> list[Pair]:
    pairs = []
    for line in inflections.read_text(encoding="utf-8").splitlines():
        match = re.match(r"\s*(?:TODO:\S+\s+)?([a-z][a-z \-]+?)\s+->\s+([a-z \-|]+?)\s*(#.*)?$", line)
        if match and re.search(r"[ \-]", match[1]):
            names = {match[1].replace(" ", sign) for sign in "_-"}
            pairs += [(match[1], form) for form in match[2].split("|") if names & net.index["noun"]]
    return pairs


class Table:
    """The rows drawn so far."""

    def __init__(self) -> None:
        self.draw = random.Random(20261130)
        self.rows: dict[Pair, tuple[str, str, str, str]] = {}

    def take(self, pool: Iterable[Pair], number: int, kind: str, source: str, licence: str, match: str = "yes") -> None:
        candidates = sorted(pool)
        self.draw.shuffle(candidates)
        for pair in candidates:
            if number and pair not in self.rows and pair not in STRUCK and pair[1] not in STRUCK_TEXTS:
                self.rows[pair] = (match, kind, source, licence)
                number -= 1

    def lines(self) -> list[str]:
        def part(pair: Pair) -> str:
            return "held_out" if int(hashlib.sha256("|".join(pair).encode()).hexdigest(), 16) % 2 else "tune"

        rows = [
            (*pair, match, kind, part(pair), source, licence)
            for pair, (match, kind, source, licence) in self.rows.items()
        ]
        rows.sort(key=lambda row: (row[2] != "yes", row[3], row[0], row[1]))
        return ["keyword\tspoken\tmatch\tkind\tpart\tsource\tlicence", *("\t".join(row) for row in rows)]


def build(net: WordNet, inflections: Path) -> list[str]:
    table, licence = Table(), "WordNet licence"
    verbs, doubled = net.irregular("verb", 2), re.compile(r"(.)\1(ed|ing)$")
    strong = [p for p in net.irregular("verb", 5) if not p[1].endswith(("ed", "ing", "s"))]
    table.take(strong, 60, "irregular verb", f"{WORDNET} verb.exc", licence)
    for pool, number in (
        ([pair for pair in verbs if doubled.search(pair[1])], 35),
        ([p for p in verbs if p[1].endswith(("ied", "ing", "ed", "cked")) and not doubled.search(p[1])], 15),
    ):
        table.take(pool, number, "-ing or -ed", f"{WORDNET} verb.exc", licence)
    nouns = [pair for pair in net.irregular("noun", 1) if not pair[1].endswith("s")]
    table.take(nouns, 25, "irregular plural", f"{WORDNET} noun.exc", licence)
    degrees = [p for p in net.irregular("adj", 3) if p[1].endswith(("er", "est")) and p[0] != p[1]]
    degrees += [
        (bases[0], form)
        for form in ("better", "worse", "best", "worst", "farther", "further")
        if (bases := net.exceptions["adj"].get(form)) and bases[0] != form and (bases[0], form) not in degrees
    ]
    table.take(degrees, 25, "comparison", f"{WORDNET} adj.exc", licence)
    plurals = [(one, many) for one, many in (pair.split("/") for pair in PLURALS.split()) if net.count[one] >= 3]
    table.take(plurals, 35, "plural", "pluralize 8.0.0 test.js (plurals/pluralize)", "MIT")
    table.take(compounds(net, inflections), 25, "compound", "inflect 7.5.0 tests/inflections.txt", "MIT")
    table.take(possessives(net), 30, "possessive", f"{WORDNET} example sentence", licence)
    together, apart = phrases(net)
    table.take(together, 45, "phrase", f"{WORDNET} example sentence", licence)
    kind = "spelled apart, joined or with a hyphen"
    table.take(spelled_variously(net), 30, kind, f"{WORDNET} same synset", licence)
    common = {word for word in net.lemmas if is_plain(word) and len(word) >= 4 and net.count[word] >= 2}
    source = f"{WORDNET} index; Snowball English stems (PyStemmer 3.1.0)"
    table.take(derived(net, common), 60, "derivation with one Snowball stem", source, licence, "no")
    table.take(prefixes(net, common), 45, "prefix", f"{WORDNET} index", licence, "no")
    looks = looks_inflected(net, common, table.draw)
    table.take(looks, 45, "looks inflected, is not", f"{WORDNET} index", licence, "no")
    table.take(apart, 20, "words of a phrase apart", f"{WORDNET} example sentence", licence, "no")
    for pair in (("clue", "clueless"), ("universe", "university")):
        table.rows.setdefault(pair, ("no", "prefix", "decision M9", "-"))
    table.rows.setdefault(("library", "libraries"), ("yes", "plural", "decision M9", "-"))
    table.rows.setdefault(("run", "ran"), ("yes", "irregular verb", "decision M9", "-"))
    return table.lines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("wordnet", "inflections", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    lines = build(WordNet(given.wordnet), given.inflections)
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
