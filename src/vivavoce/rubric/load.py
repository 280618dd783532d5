"""Load an edition: TOML with exact decimals -> Rubric. Refuses what it does not know and says where."""

from __future__ import annotations

import hashlib
import json
import tomllib
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from vivavoce.errors import RubricError
from vivavoce.rubric.checks import modules_are_whole, tiers_are_whole
from vivavoce.rubric.judging import read_judging
from vivavoce.rubric.local import read_local
from vivavoce.rubric.model import Entry, GradeBand, Marker, Rubric, Tier
from vivavoce.rubric.modules import read_module
from vivavoce.rubric.reader import Reader
from vivavoce.rubric.shared import TIERS, read_shared
from vivavoce.rubric.wording import read_wording
from vivavoce.trace import Node

EDITIONS = Path(__file__).resolve().parent.parent / "rubrics"
STUDENT = "student-speech-v1"
FILES = (
    "edition",
    "speaking_rate",
    "fluency",
    "volume_control",
    "adherence",
    "feedback",
    "feedback_wording",
    "judging",
    "local_judge",
    "history",
    "conflicts",
    "choices",
)
MARKER_ROUTES = ("model", "code", "module")


def digest_of(data: dict[str, Any]) -> str:
    """Return the SHA-256 of the edition's values: canonical JSON, sorted keys, decimals in their own digits."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_file(folder: Path, name: str) -> dict[str, Any]:
    """Return a TOML file of an edition, decimals exact. Raises RubricError."""
    path, where = folder / name, f"{folder.name}/{name}"
    remedy = "restore the edition's files from the package"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise RubricError(
            "rubric_file_missing",
            where=where,
            found=str(error.strerror or error),
            allowed="a readable TOML file",
            remedy=remedy,
        ) from error
    except (ValueError, RecursionError) as error:  # not only TOMLDecodeError: a number of 5,000 digits, a deep nesting
        raise RubricError(
            "rubric_toml", where=where, found=str(error), allowed="valid TOML in UTF-8", remedy=remedy
        ) from error


def _read_files(folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Read all files of an edition; refuse a file that an edition does not have."""
    data = {name: read_file(folder, f"{name}.toml") for name in FILES}
    modules = sorted(path.stem for path in (folder / "modules").glob("*.toml"))
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        shared = len(relative.parts) == 1 and relative.stem in FILES
        module = len(relative.parts) == 2 and relative.parts[0] == "modules"
        known = relative.suffix == ".toml" and (shared or module)
        if path.is_file() and not known:
            raise RubricError(
                "rubric_file_unknown",
                where=f"{folder.name}/{relative}",
                found="a file that the loader does not know",
                allowed=", ".join(f"{name}.toml" for name in FILES) + ", modules/*.toml",
                remedy="take the file out of the edition",
            )
    data |= {f"modules.{name}": read_file(folder, f"modules/{name}.toml") for name in modules}
    return data, modules


def _read_tiers(reader: Reader, lowest: Node, ceiling: Node) -> tuple[Tier, ...]:
    tiers = []
    for row in reader.rows("rows"):
        name, label = row.text("id", among=TIERS), row.text("label")
        quality_high = row.number("quality_high", high=1)
        interpolate_to = row.number("interpolate_to") if row.has("interpolate_to") else quality_high
        quality_low = row.number("quality_low", high=1)
        tiers.append(
            Tier(
                name,
                label,
                quality_low,
                quality_high,
                interpolate_to,
                row.number("score_low", whole=True),
                row.number("score_high", whole=True),
            )
        )
        row.close()
    reader.text("text")
    reader.list_of("formulas", str)
    reader.close()
    if [tier.id for tier in tiers] != list(TIERS):
        raise reader.error("rubric_tiers", "rows", ", ".join(tier.id for tier in tiers), ", ".join(TIERS))
    tiers_are_whole(reader, tuple(tiers), lowest, ceiling)
    return tuple(tiers)


def _read_grade_bands(reader: Reader, bands: tuple[str, ...]) -> dict[str, GradeBand]:
    result: dict[str, GradeBand] = {}
    for name in bands:
        table = reader.table(name)
        result[name] = GradeBand(name, table.text("title"), table.list_of("grades", int))
        table.close()
    reader.close()
    grades = [grade for band in result.values() for grade in band.grades]
    if grades != list(range(grades[0], grades[0] + len(grades))):
        raise reader.error("rubric_grades", "", str(grades), "each grade once, in order")
    return result


def _read_markers(reader: Reader, markers: tuple[str, ...]) -> dict[str, Marker]:
    result: dict[str, Marker] = {}
    for name in markers:
        table = reader.table(name)
        result[name] = Marker(
            name,
            table.text("title"),
            table.text("short_title"),
            table.text("judges"),
            table.text("route", among=MARKER_ROUTES),
        )
        table.close()
    reader.close()
    return result


def _read_list(reader: Reader, key: str, fields: tuple[str, ...], lists: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Read a history-like file: an optional lead and an array of tables with text fields and lists of texts."""
    if reader.has("lead"):
        reader.text("lead")
    rows = []
    for row in reader.rows(key):
        rows.append(
            {"provenance": row.provenance}
            | {field: row.text(field) for field in fields}
            | {field: row.list_of(field, str) for field in lists}
        )
        row.close()
    reader.close()
    return tuple(rows)


BANDS = ("elementary", "middle", "high")
MARKERS = ("pronunciation", "fluency", "speaking_rate", "volume_control", "task_adherence")


def load(folder: Path) -> Rubric:
    """Load and check an edition.

    Parameters: `folder` that holds edition.toml, the shared tables and modules/*.toml.
    Returns: the Rubric. Raises: RubricError with the file and the key.
    """
    data, module_ids = _read_files(folder)
    entries: dict[str, Entry] = {}

    def reader(name: str) -> Reader:
        file = f"{folder.name}/{name.replace('modules.', 'modules/')}.toml"
        if not data[name]:
            raise RubricError(
                "rubric_file_empty", where=file, found="no value", allowed="the edition's values", remedy="restore it"
            )
        found = Reader(data[name], file, name, "published", entries)
        if "provenance" not in data[name]:
            raise found.error("rubric_key_missing", "provenance", "nothing", "where the file's values come from")
        return found

    edition = reader("edition")
    scale = edition.table("scale")
    ceiling = scale.number("ceiling", high=100, whole=True)
    judged_lowest = scale.number("lowest", whole=True)
    judged_highest = scale.number("judged_highest", low=int(ceiling.value), high=100, whole=True)
    scale.text("text")
    scale.close()
    rounding = edition.table("rounding")
    rounding.text("rule", among=("half_up",))
    rounding.number("quality_decimals", low=6, high=6)
    rounding.text("overall")
    rounding.close()
    texts = edition.table("texts")
    for key in ("routes", "grade_bands", "interpolation", "combining", "split", "shared_tables", "weight_table"):
        texts.text(key)
    texts.close()
    tiers = _read_tiers(edition.table("tiers"), judged_lowest, ceiling)
    grade_bands = _read_grade_bands(edition.table("grade_bands"), BANDS)
    markers = _read_markers(edition.table("markers"), MARKERS)
    edition.text("lead")
    edition.text("note")
    shared = read_shared(reader, BANDS)
    modules = {name: read_module(reader(f"modules.{name}"), shared, BANDS, MARKERS) for name in module_ids}
    modules = dict(sorted(modules.items(), key=lambda item: item[1].chapter))
    feedback = reader("feedback")
    feedback.text("lead")
    feedback.list_of("rules", str)
    feedback.close()
    rubric = Rubric(
        id=edition.text("id"),
        title=edition.text("title"),
        version=edition.text("version"),
        values_as_of=edition.text("values_as_of"),
        digest=digest_of(data),
        grade_bands=grade_bands,
        markers=markers,
        tiers=tiers,
        ceiling=ceiling,
        judged_lowest=judged_lowest,
        judged_highest=judged_highest,
        fluency_window_s=shared.fluency_window_s,
        modules=modules,
        judging=read_judging(reader("judging")),
        local=read_local(reader("local_judge"), ceiling),
        changes=_read_list(reader("history"), "changes", ("id", "title", "date", "text", "applies_to"), ("modules",)),
        conflicts=_read_list(reader("conflicts"), "conflicts", ("id", "title", "said", "settled")),
        choices=_read_list(reader("choices"), "choices", ("id", "title", "text", "decision")),
        wording=read_wording(reader("feedback_wording"), BANDS),
        entries=entries,
    )
    edition.close()
    modules_are_whole(folder.name, rubric)
    return rubric


@lru_cache(maxsize=4)
def published(name: str = STUDENT) -> Rubric:
    """Return the edition of that name that ships with the package, loaded once."""
    folder = EDITIONS / name
    if not folder.is_dir():
        known = sorted(path.name for path in EDITIONS.iterdir() if path.is_dir())
        raise RubricError(
            "rubric_unknown",
            where="rubric",
            found=name,
            allowed=", ".join(known),
            remedy="name one of these editions, or give the folder of your own",
        )
    return load(folder)
