"""Read how the local judge comes from its listener's estimates to the guide's markers: local_judge.toml."""

from __future__ import annotations

from itertools import pairwise

from vivavoce.rubric.model import Anchor, LocalRules, Sound
from vivavoce.rubric.reader import Reader
from vivavoce.trace import Node

EXPERTS_HIGHEST = 10
EXPERTS = "experts' points"
TEXTS = {"pronunciation": ("text",), "fluency": ("text", "counted", "recovery", "placing")}
# The sounds of the pronouncing dictionary, without stress.
NAMES = "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
SOUNDS = tuple(NAMES.split())


def _anchors(reader: Reader, ceiling: Node) -> tuple[Anchor, ...]:
    """Read anchors that rise on both scales, from 0 to the experts' highest and the ceiling."""
    made = []
    for row in reader.rows("anchors"):
        name = row.text("id")
        experts = row.number("experts", high=EXPERTS_HIGHEST, unit=EXPERTS, name=f"{name}_from")
        made.append(
            Anchor(name, experts, row.number("score", high=100, unit="score", name=f"{name}_score", whole=True))
        )
        row.close()
    rising = all(a.experts.value < b.experts.value and a.score.value < b.score.value for a, b in pairwise(made))
    first, last = made[0], made[-1]
    ends = (first.experts.value, last.experts.value, first.score.value, last.score.value)
    if not rising or ends != (0, EXPERTS_HIGHEST, 0, ceiling.value):
        found = ", ".join(f"{anchor.experts.text} -> {anchor.score.text}" for anchor in made)
        allowed = f"rising on both scales, from 0 -> 0 to {EXPERTS_HIGHEST} -> {ceiling.text}"
        raise reader.error("rubric_anchors", "anchors", found, allowed)
    return tuple(made)


def _mapping(reader: Reader, ceiling: Node) -> tuple[Anchor, ...]:
    for key in TEXTS[reader.path.rpartition(".")[2]]:
        reader.text(key)
    anchors = _anchors(reader, ceiling)
    reader.close()
    return anchors


def _sounds(reader: Reader) -> dict[str, Sound]:
    found = {}
    for name in SOUNDS:
        pair = reader.list_of(name, str)
        if len(pair) != 2 or not all(pair):
            raise reader.error("rubric_value", name, str(list(pair)), "its sign in IPA and a word that has it")
        found[name] = Sound(name, pair[0], pair[1])
    reader.close()
    return found


def read_local(reader: Reader, ceiling: Node) -> LocalRules:
    """Read local_judge.toml. Parameters: `ceiling` the guide's highest score. Raises RubricError with the key."""
    pronunciation = _mapping(reader.table("pronunciation"), ceiling)
    fluency = _mapping(reader.table("fluency"), ceiling)
    trust = reader.table("trust")
    widest = trust.number("widest_interval", high=100, whole=True)
    lists = [trust.list_of(key, str) for key in ("not_scored", "needs_person", "told")]
    trust.text("text")
    trust.close()
    findings = reader.table("findings")
    findings.text("text")
    rules = LocalRules(
        pronunciation=pronunciation,
        fluency=fluency,
        widest_interval=widest,
        not_scored=lists[0],
        needs_person=lists[1],
        told=lists[2],
        findings_at_most=findings.whole("at_most"),
        unclear_words_at_most=findings.whole("unclear_words_at_most"),
        word_accuracy_at_most=findings.number("word_accuracy_at_most", high=EXPERTS_HIGHEST),
        word_read_at_most=findings.number("word_read_at_most", high=1),
        sound_score_at_most=findings.number("sound_score_at_most", high=2),
        sound_words_at_least=findings.whole("sound_words_at_least"),
        sounds=_sounds(reader.table("sounds")),
    )
    findings.close()
    reader.close()
    return rules
