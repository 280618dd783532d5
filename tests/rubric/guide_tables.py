"""The guide's first half: how a score is built, both kinds' shared tables, volume, adherence on closed tasks."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from guide_walk import BANDS, NUM, SCORE_LAB, GuideError, Walk, inside, named, percent, slug, whole

MARKERS = {
    "Pronunciation & Articulation": "pronunciation",
    "Fluency & Fillers": "fluency",
    "Speaking Rate & Pauses": "speaking_rate",
    "Volume Control": "volume_control",
    'Task Adherence ("Mastery")': "task_adherence",
}
ROUTES = {"Model": "model", "Code": "code", "Depends on the module": "module"}
TIERS = ("Excellent", "Good", "Adequate", "Below Average", "Poor")
RATE_PARTS = {"WPM": "words_per_minute", "Consistency": "consistency", "Choppiness": "choppiness"}
SUB_MARKERS = ("smoothness", "filler_control", "recovery")
KIND_HEADINGS = {"open": "Open tasks: spontaneous speech", "closed": "Closed tasks: reading a given text"}


def _rows(walk: Walk, rule: str, count: int) -> Iterator[tuple[str, list[str]]]:
    """Take the three rows of a table keyed by grade band; yield each with its other cells."""
    for title, band in BANDS.items():
        name, *cells = walk.cells(rule, count)
        if name != title:
            raise GuideError(f"{rule}: row {name!r} where {title!r} belongs")
        yield band, cells


def front(walk: Walk) -> None:
    """The head of the page and the Score Lab's words."""
    walk.expect("Speech evaluation", "How student work gets scored.")
    walk.prose("edition.lead")
    version, date = walk.match("edition", r"Rubric v(\d+) · vendored rubric_engine · values as of (\d{4}-\d\d-\d\d)")
    walk.say("edition.version", version)
    walk.say("edition.values_as_of", date)
    walk.prose("edition.note")
    walk.expect("Score Lab", "8 modules", SCORE_LAB)
    walk.expect("Step 1", "Pick a module", "8 modules")


def how_a_score_is_built(walk: Walk) -> None:
    """Markers, grade bands, ceiling, tiers, overall."""
    walk.expect("How every score is built", "The five markers")
    walk.prose("edition.texts.routes")
    walk.expect("Marker\tWhat it judges\tRoute")
    for title, marker in MARKERS.items():
        name, judges, route = walk.cells("marker", 3)
        if name != title:
            raise GuideError(f"marker {name!r} where {title!r} belongs")
        walk.say(f"edition.markers.{marker}.title", name)
        walk.say(f"edition.markers.{marker}.judges", judges)
        walk.say(f"edition.markers.{marker}.route", named(ROUTES, route))
    walk.expect("Grade bands")
    walk.prose("edition.texts.grade_bands")
    walk.expect("Band\tGrades")
    for title, band in BANDS.items():
        name, grades = walk.cells("grade band", 2)
        if name != title:
            raise GuideError(f"grade band {name!r} where {title!r} belongs")
        walk.say(f"edition.grade_bands.{band}.title", name)
        walk.items(f"edition.grade_bands.{band}.grades", tuple(Decimal(grade) for grade in grades.split(", ")))
    walk.expect("The 95-point ceiling")
    ceiling = walk.prose("edition.scale.text")
    walk.number("edition.scale.ceiling", inside(r"is capped at (\d+) rather than 100\.", ceiling)[0])
    _tiers(walk)
    walk.expect("Combining the five")
    walk.prose("edition.texts.combining")
    walk.prose("edition.rounding.overall")
    walk.prose("edition.texts.split")
    walk.expect("Shared tables")
    walk.prose("edition.texts.shared_tables")


def _tiers(walk: Walk) -> None:
    walk.expect("Turning a quality into a score")
    walk.prose("edition.tiers.text")
    walk.expect("Weighted quality\tScore band\tLabel")
    for tier in TIERS:
        quality, score, label = walk.cells("tier", 3)
        if label != tier:
            raise GuideError(f"tier {label!r} where {tier!r} belongs")
        path = f"edition.tiers.rows.{slug(tier)}"
        walk.say(f"{path}.label", label)
        for key, digits in zip(("quality_low", "quality_high"), whole(rf"{NUM} – {NUM}", quality), strict=True):
            walk.number(f"{path}.{key}", digits)
        for key, digits in zip(("score_low", "score_high"), whole(r"(\d+) – (\d+)", score), strict=True):
            walk.number(f"{path}.{key}", digits)
        if tier == TIERS[-1]:
            walk.number("edition.scale.lowest", score.split(" ")[0])
    walk.prose("edition.tiers.formulas[0]")
    walk.prose("edition.tiers.formulas[1]")
    walk.prose("edition.texts.interpolation")


def shared_tables(walk: Walk, kind: str) -> None:
    """The tables of open or of closed tasks."""
    walk.expect(KIND_HEADINGS[kind])
    _pace(walk, kind)
    _choppiness_and_hesitation(walk, kind)
    line = walk.take("rate weights")
    combine = rf"(\w+), (\w+) and (\w+) combine into the base score at {NUM} / {NUM} / {NUM}\. (.+)"
    *parts, first, second, third, short = whole(combine, line)
    if parts != list(RATE_PARTS):
        raise GuideError(f"sub-markers {parts}")
    for words, digits in zip(parts, (first, second, third), strict=True):
        walk.number(f"speaking_rate.{kind}.weights.{RATE_PARTS[words]}", digits)
        if words != "WPM":  # the edition calls this one Pace: a title of its own
            walk.say(f"speaking_rate.components.{RATE_PARTS[words]}.title", words)
    walk.say("speaking_rate.short_text", short)
    seconds, dropped = inside(r"Under (\w+) seconds of actual speech, (\w+) is dropped", short)
    walk.say("speaking_rate.short_speech.under_s", {"ten": Decimal(10)}[seconds])
    walk.say("speaking_rate.short_speech.drops[0]", RATE_PARTS[dropped])
    walk.expect("Fluency sub-marker weights: smoothness / filler control / recovery")
    _fluency_weights(walk, kind)
    if kind == "closed":
        amount, source, target = walk.match(
            "twister shift", rf"Tongue Twister shifts these, moving {NUM} from (\w+) to (\w+)"
        )
        walk.number("fluency.twister_shift.amount", amount)
        walk.say("fluency.twister_shift.from", source)
        walk.say("fluency.twister_shift.to", target)
        _fluency_weights(walk, "twister")
    window = walk.match("false starts", r"False starts and restarts per ~(\d+) seconds")[0]
    walk.number("fluency.counting.window_s", window)
    _counts(walk, f"fluency.{kind}.false_starts")
    window, words = walk.match("fillers", r"Disruptive fillers per ~(\d+) seconds \((.+)\)")
    walk.number("fluency.counting.window_s", window)
    walk.items("fluency.filler_words", tuple(words.split(", ")))
    _counts(walk, f"fluency.{kind}.fillers")
    walk.prose("fluency.recovery_text")


def _pace(walk: Walk, kind: str) -> None:
    walk.expect("Ideal pace, words per minute of speaking time")
    walk.expect("Band\tIdeal range\tRamping down outside\tZero credit beyond")
    for band, (ideal, ramp, beyond) in _rows(walk, "pace", 4):
        edges = {
            ("full_low", "full_high"): whole(rf"{NUM} – {NUM} wpm", ideal),
            ("zero_low", "zero_high"): whole(rf"{NUM} – {NUM} wpm", ramp),
            ("zero_low", "zero_high", "again"): whole(rf"below {NUM} / above {NUM}", beyond),
        }
        for keys, digits in edges.items():
            for key, found in zip(keys[:2], digits, strict=True):
                walk.number(f"speaking_rate.{kind}.pace.{band}.{key}", found)


def _choppiness_and_hesitation(walk: Walk, kind: str) -> None:
    walk.expect("Choppy mid-phrase breaks per minute")
    walk.expect("Band\tFull credit at/below\tZero credit at/above")
    for band, cells in _rows(walk, "choppiness", 3):
        for key, cell in zip(("full", "zero"), cells, strict=True):
            walk.number(f"speaking_rate.{kind}.choppiness.{band}.{key}", whole(rf"{NUM} / min", cell)[0])
    walk.prose("speaking_rate.hesitation.text")
    walk.expect("Band\tPenalty maxes out at\tMax cut to the score")
    for band, (most, cut) in _rows(walk, "hesitation", 3):
        path = f"speaking_rate.{kind}.hesitation.{band}"
        walk.number(f"{path}.rate_at_max", whole(rf"{NUM} / min", most)[0])
        walk.say(f"{path}.max_cut", percent(whole(r"(\d+)%", cut)[0]))


def _fluency_weights(walk: Walk, kind: str) -> None:
    walk.expect("Band\tSmoothness\tFiller control\tRecovery")
    for band, cells in _rows(walk, "fluency weights", 4):
        for key, cell in zip(SUB_MARKERS, cells, strict=True):
            walk.number(f"fluency.{kind}.weights.{band}.{key}", whole(NUM, cell)[0])


def _counts(walk: Walk, path: str) -> None:
    """A level is "2–3", one count alone, or, for the last, "11+"."""
    walk.expect("Band\tExcellent\tGood\tAdequate\tBelow Avg\tPoor")
    for band, cells in _rows(walk, "count levels", 6):
        for tier, cell in zip(TIERS, cells, strict=True):
            if tier == TIERS[-1]:
                edges: tuple[str, ...] = whole(r"(\d+)\+", cell)
            elif "–" in cell:
                edges = whole(r"(\d+)–(\d+)", cell)
            else:
                edges = whole(r"(\d+)", cell) * 2
            walk.items(f"{path}.{band}.{slug(tier)}", tuple(Decimal(edge) for edge in edges))


def volume(walk: Walk) -> None:
    """Volume Control, identical on every module."""
    walk.expect("Volume Control")
    walk.prose("volume_control.text")
    walk.expect("Sub-marker\tQuestion\tWeight")
    for title in ("Level", "Consistency", "Fade"):
        name, question, weight = walk.cells("volume sub-marker", 3)
        if name != title:
            raise GuideError(f"volume sub-marker {name!r} where {title!r} belongs")
        walk.say(f"volume_control.components.{slug(name)}.title", name)
        walk.say(f"volume_control.components.{slug(name)}.question", question)
        walk.number(f"volume_control.weights.{slug(name)}", whole(NUM, weight)[0])
    scale = walk.prose("volume_control.scale_text")
    edges = inside(rf"between {NUM}–{NUM} dB, ramping to zero below {NUM} or above {NUM}\.", scale)
    for key, digits in zip(("full_low", "full_high", "zero_low", "zero_high"), edges, strict=True):
        walk.number(f"volume_control.level.{key}", digits)
    walk.expect("Band\tSteady up to\tZero credit at\tFade: free up to\tFade: zero credit at")
    for band, cells in _rows(walk, "volume", 5):
        keys = (f"consistency.{band}.full", f"consistency.{band}.zero", f"fade.{band}.full", f"fade.{band}.zero")
        for key, cell in zip(keys, cells, strict=True):
            walk.number(f"volume_control.{key}", whole(rf"{NUM} dB", cell)[0])


def adherence_on_closed_tasks(walk: Walk) -> None:
    """Completion and accuracy."""
    walk.expect("Task Adherence on closed tasks")
    walk.prose("adherence.text")
    walk.prose("adherence.formulas[0]")
    walk.prose("adherence.formulas[1]")
    band_head, *heads = walk.cells("adherence head", 3)
    if band_head != "Band":
        raise GuideError(f"head {band_head!r}")
    titles = [whole(r"(\w+): full / floor", head)[0] for head in heads]
    for title in titles:
        walk.say(f"adherence.components.{slug(title)}.title", title)
    for band, cells in _rows(walk, "adherence", 3):
        for title, cell in zip(titles, cells, strict=True):
            full, floor = whole(rf"{NUM} / {NUM}", cell)
            walk.number(f"adherence.{slug(title)}.{band}.full", full)
            walk.number(f"adherence.{slug(title)}.{band}.zero", floor)
    blend = walk.prose("adherence.blend_text")
    for digits, name in (inside(rf"blend {NUM} (completion)", blend), inside(rf"/ {NUM} (accuracy)\.", blend)):
        walk.number(f"adherence.weights.{name}", digits)
