"""Read the feedback's wording: for each thing that may be told about a marker, two sentences for each grade band."""

from __future__ import annotations

from vivavoce.rubric.model import FindingKind, FindingWording, Wording
from vivavoce.rubric.reader import Reader

KINDS: tuple[FindingKind, ...] = ("held_back", "done_well")

# A wording is for `any` module, or for open tasks, readings (`closed`) and the tongue twister where they differ.
ANY = ("any",)
READING = ("closed", "twister")
BUT_TWISTER = ("any", "twister")
BY_KIND = ("open", "closed")
EACH = ("open", "closed", "twister")

# Marker -> finding -> the settings it is worded for. `feedback.choose` finds these and no others.
FINDINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "pronunciation": {
        "words_unclear": EACH,
        "hard_to_follow": BUT_TWISTER,
        "sounds_soft": BUT_TWISTER,
        "clear": BUT_TWISTER,
    },
    "fluency": {
        "false_starts": EACH,
        "fillers": BY_KIND,
        "recovery": BUT_TWISTER,
        "flow_broken": BY_KIND,
        "flow_uneven": ANY,
        "smooth": ANY,
        "fillers_controlled": ANY,
        "recovered": BUT_TWISTER,
        "flowing": ANY,
    },
    "speaking_rate": {
        "too_slow": BY_KIND,
        "too_fast": BY_KIND,
        "uneven": EACH,
        "too_even": BY_KIND,
        "choppy": EACH,
        "no_speed_up": ANY,
        "long_pauses": EACH,
        "good_pace": ANY,
        "steady_pace": BUT_TWISTER,
        "smooth_phrases": BY_KIND,
        "speeds_up": ANY,
    },
    "volume_control": {
        "too_quiet": BY_KIND,
        "too_loud": ANY,
        "uneven": ANY,
        "fades": BY_KIND,
        "good_level": ANY,
        "steady": ANY,
        "strong_endings": ANY,
    },
    "task_adherence": {
        "stopped_early": READING,
        "words_missed": READING,
        "words_added": READING,
        "to_the_end": READING,
        "accurate": READING,
        "substance": ANY,
        "groundedness": ANY,
        "over_vagueness": ANY,
        "reversal": ANY,
        "no_detail": ANY,
        "points_missing": ANY,
        "thin": ANY,
        "vivid_detail": ANY,
        "end_with_last": ANY,
        "introduced_before_referenced": ANY,
        "points_covered": ANY,
        "keywords_missing": ANY,
        "story_weak": ANY,
        "story_thin": ANY,
        "keywords_used": ANY,
        "story_told": ANY,
        "answers_near": ANY,
        "answers_partly": ANY,
        "answers_off": ANY,
        "answers_on_topic": ANY,
        "case_near": ANY,
        "case_partly": ANY,
        "case_weak": ANY,
        "case_made": ANY,
    },
}


def _sentences(reader: Reader, bands: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    pairs: dict[str, tuple[str, str]] = {}
    for band in bands:
        pair = reader.list_of(band, str)
        if len(pair) != 2 or not all(pair):
            raise reader.error("rubric_value", band, repr(list(pair)), "two sentences: what was found, and a next step")
        pairs[band] = (pair[0], pair[1])
    reader.close()
    return pairs


def _finding(reader: Reader, name: str, settings: tuple[str, ...], bands: tuple[str, ...]) -> FindingWording:
    kind: FindingKind = "held_back" if reader.text("kind", among=KINDS) == "held_back" else "done_well"
    about = reader.text("about")
    sentences = {setting: _sentences(reader.table(setting), bands) for setting in settings}
    reader.close()
    return FindingWording(name, kind, about, sentences, reader.path)


def read_wording(reader: Reader, bands: tuple[str, ...]) -> Wording:
    """Read the wording of all findings. Raises RubricError with the key where one is missing or not known."""
    reader.text("lead")
    tones_table = reader.table("tones")
    tones = {band: tones_table.text(band) for band in bands}
    tones_table.close()
    by_marker = reader.table("findings")
    findings: dict[str, dict[str, FindingWording]] = {}
    for marker, names in FINDINGS.items():
        table = by_marker.table(marker)
        findings[marker] = {
            name: _finding(table.table(name), name, settings, bands) for name, settings in names.items()
        }
        table.close()
    by_marker.close()
    reader.close()
    return Wording(tones, findings)
