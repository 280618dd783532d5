"""The Lab as a picture for a slide or a letter, set by Typst with the fonts that it brings: PNG or SVG."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import vivavoce
from vivavoce.errors import need
from vivavoce.report import view
from vivavoce.rubric.model import Rubric
from vivavoce.web.lab.answer import Answer
from vivavoce.web.lab.state import State
from vivavoce.web.lab.view import lab_view

# 640 by 400 points at two pixels a point.
PIXELS_PER_INCH = 144.0


def picture(rubric: Rubric, state: State, answer: Answer, kind: str) -> bytes:
    """Return the picture of a state.

    Parameters: `kind` is "png" (1280 by 800 pixels) or "svg". Raises RequestError for a state that the engine refuses,
    MissingError where Typst is not installed (extra `pdf`).
    """
    for error in answer.refused.values():
        raise error
    try:
        import typst
    except ImportError as error:
        raise need("pdf", "typst") from error
    source = files("vivavoce.web.lab").joinpath("picture.typ").read_bytes()
    made = typst.compile(
        source,
        format="svg" if kind == "svg" else "png",
        ppi=PIXELS_PER_INCH,
        sys_inputs={"data": json.dumps(_data(rubric, state, answer))},
        font_paths=[],
        ignore_system_fonts=True,
    )
    assert isinstance(made, bytes)
    return made


def _share(percent: str | None) -> float | None:
    return None if percent is None else float(percent.removesuffix("%")) / 100


def _data(rubric: Rubric, state: State, answer: Answer) -> dict[str, Any]:
    shown = lab_view(rubric, state, answer)
    band = shown["band"]
    return {
        "edition": rubric.title,
        "module": shown["module"].title,
        "band": f"{band.title}, grades {band.grades[0]}–{band.grades[-1]}",
        "tiers": [{"left": _share(tier["left"]), "width": _share(tier["width"])} for tier in shown["tiers"]],
        "overall": _score(shown["overall"]),
        "markers": [
            _score(marker) | {"title": marker["short"], "points": f"× {marker['weight']} = {marker['points_text']}"}
            if marker["value"] is not None
            else _score(marker) | {"title": marker["short"], "points": f"weight {marker['weight']}"}
            for marker in shown["markers"]
        ],
        "inputs": _inputs(shown),
        "foot": f"Vivavoce {vivavoce.__version__} · edition {rubric.id}, values as of {rubric.values_as_of}, "
        f"digest {rubric.digest[:16]}",
    }


def _score(standing: dict[str, Any]) -> dict[str, Any]:
    scored = standing["value"] is not None
    return {
        "score": standing["score"] if scored else "–",
        "label": standing["label"],
        "mark": _share(standing["place"]),
    }


def _inputs(shown: dict[str, Any]) -> list[dict[str, str]]:
    found = []
    for marker in shown["markers"]:
        if marker["pending"]:
            continue
        for row in marker["rows"]:
            title = marker["short"] + ", judged" if row["name"] == marker["id"] else row["title"]
            value = f"{view.number(float(row['text']))} {row['unit']}".strip() if row["measured"] else "not measured"
            found.append({"title": title, "text": value})
        found += [{"title": item["title"], "text": "yes" if item["on"] else "no"} for item in marker["switches"]]
        caps = marker["caps"]
        if caps:
            fired = [row["title"] for row in caps["rows"] if row["on"]]
            found.append({"title": caps["title"], "text": ", ".join(fired) or "none"})
    return found
