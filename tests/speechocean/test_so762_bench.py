"""The bench from folder to tables, with a listener that says what is written down: every number derived by hand.

Truth 4, 6, 8, 10 (mean and median alike), predicted 5, 5, 8, 9; the first two are a child's, the others an adult's.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from so762_corpus import read_corpus
from so762_fakes import dying_listener, listener, missing_listener, write_official, write_ours, write_wave
from so762_listen import hear, hear_all, with_recogniser
from so762_predictions import Prediction
from so762_trust import marker_interval, trust_table
from so762_words import threshold_at, word_tables
from speechocean762 import run, spread

from vivavoce.errors import VivavoceError, need
from vivavoce.listening.result import Estimate, Listening

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("tables")
    assert (
        run(["--data", str(write_ours(folder)), "--resamples", "50", "--json", str(folder / "out.json")], listener) == 0
    )
    return json.loads((folder / "out.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("truth", ["mean", "median"])
@pytest.mark.parametrize("scale", ["accuracy", "fluency", "prosodic", "total"])
def test_agreement_of_all(tables, scale: str, truth: str) -> None:
    """About their means 6.75 and 7: products 15, squares 12.75 and 20. Ranks 1.5, 1.5, 3, 4 against 1 to 4: 4.5 over
    the root of 4.5 * 5. Differences 1, -1, 0, -1. Kappa: 1 - .75 / (12.75 / 4 + 5 + .25^2). Within: the child's are
    all the same, the adult's lie -.5, .5 against -1, 1, so 1 over the root of .5 * 4."""
    row = tables["agreement"][scale][truth]["all"]
    assert (row["n"], row["speakers"]) == (4, 2)
    assert row["pearson"] == pytest.approx(15 / math.sqrt(12.75 * 20))
    assert row["spearman"] == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert row["mae"] == pytest.approx(0.75)
    assert row["signed_error"] == pytest.approx(-0.25)
    assert row["kappa"] == pytest.approx(1 - 0.75 / 8.25)
    assert row["within_speaker"] == pytest.approx(1 / math.sqrt(2))
    assert row["between_speakers"] == pytest.approx(1)


def test_agreement_by_group(tables) -> None:
    rows = tables["agreement"]["fluency"]["mean"]
    found = {group: (row["n"], row["pearson"], row["mae"], row["signed_error"]) for group, row in rows.items()}
    one = pytest.approx(1)
    child, adult = (2, None, 1, 0), (2, one, 0.5, -0.5)
    assert found == {
        "all": found["all"],
        "children": child,
        "adults": adult,
        "male": child,
        "female": adult,
        "below 6": (1, None, 1, 1),
        "6 to below 9": (2, one, 0.5, -0.5),
        "9 and up": (1, None, 1, -1),
        "in doubt": (1, None, 1, 1),
        "not in doubt": (3, pytest.approx(found["not in doubt"][1]), pytest.approx(2 / 3), pytest.approx(-2 / 3)),
    }
    assert rows["children"]["pearson_95"] is None


def test_people_and_the_listener_in_their_place(tables) -> None:
    """Only the second recording divides the experts: 5 and 7 are each 1.25 from the others' mean, in four recordings;
    the fifth expert did not rate the third. The listener is off by 1, 1.25 or .75 or 1, 0 and 1."""
    row = tables["people"]["accuracy"]["mean"]["all"]["mae"]
    assert row["people"] == pytest.approx((1.25 / 4 + 1.25 / 4) / 5)
    assert row["listener"] == pytest.approx((3.25 / 4 + 2.75 / 4 + 3 / 4 + 3 / 4 + 3 / 3) / 5)


def test_a_range_of_people_is_the_others(tables) -> None:
    """Below 6 by the others' mean are the first for all five, and the second for the expert who gave it 7 (5.75)."""
    row = tables["people"]["accuracy"]["mean"]["below 6"]["signed_error"]
    assert row["people"] == pytest.approx((1.25 / 2) / 5)
    assert row["listener"] == pytest.approx((1 + (1 - 0.75) / 2 + 1 + 1 + 1) / 5)


def test_intervals(tables) -> None:
    """4 in [3, 6], not 6 in [4, 5.5], 8 in [7, 9], 10 in [8, 10]; widths 3, 1.5, 2, 2."""
    rows = tables["intervals"]["total"]
    assert rows["all"] == {"n": 4, "coverage": 0.75, "width": 2.125}
    assert rows["children"]["coverage"] == 0.5


def test_who_is_called(tables) -> None:
    """Noise calls a person, open speech does not. By the anchors of pronunciation 3 is worth 32.25 and 6 is 69.75;
    4 and 5.5: 44.75 and 63.5; 7 and 9: 79.5 and 91.67; 8 and 10: 86.5 and 95. Over 25 points only the first. By
    those of fluency 3 is 22.3 and 6 59.3; 4 and 5.5: 32.25, 51; 7 and 9: 76 and 91.7; 8 and 10: 85.3 and 95."""
    assert tables["trust"] == {
        "not_scored": 0,
        "needs_person": {"doubt": 1, "wide pronunciation": 1, "wide fluency": 1, "any": 1},
        "doubts": {"listening_noise": 1, "listening_open_speech": 1},
    }


def test_marker_intervals_by_hand() -> None:
    """6 in accuracy lies three quarters of the way from 4.5 (51) to 6.5 (76): 69.75, so 70; 3 a quarter of that from
    2.5 (26): 32.25."""
    found = Prediction("a", {"accuracy": (5.0, 3.0, 6.0), "fluency": (5.0, None, None)})
    assert marker_interval(found, "pronunciation") == (32, 70)
    assert marker_interval(found, "fluency") is None
    beside = Prediction("a", {"accuracy": (6.0, 3.0, 5.0)})
    assert marker_interval(beside, "pronunciation") == (32, 70)


def test_a_doubt_that_leaves_no_score_is_counted_apart(tmp_path) -> None:
    corpus = read_corpus(write_ours(tmp_path))
    made = [
        Prediction(found.id, {"accuracy": (5.0, 5.0, 5.0)}, ("listening_other_language",) if found.age == 8 else ())
        for found in corpus.utterances
    ]
    trust = trust_table(list(zip(corpus.utterances, made, strict=True)))
    assert trust["not_scored"] == 2
    assert trust["needs_person"] == {"doubt": 0, "wide pronunciation": 0, "wide fluency": 0, "any": 0}
    assert trust["doubts"] == {"listening_other_language": 2}


def test_words(tables) -> None:
    """Medians 10, 3; 6, 10; 8, 2; 10, 10, told .9, .2; .6, .4; .8, .1; .95, not at all. Wrong: .2 and .1, both under
    all others; .4 is flagged for nothing. Flawed is .6 too: over .4 alone, so 11 of 12 pairs in order."""
    row = tables["words"]["all"]
    assert (row["n"], row["not_found"]) == (8, 1)
    wrong, flawed = row["wrong"], row["flawed"]
    assert (wrong["n"], wrong["roc_area"]) == (2, 1)
    assert wrong["below_half"] == {"precision": pytest.approx(2 / 3), "recall": 1, "false_alarms": pytest.approx(0.2)}
    assert (flawed["n"], flawed["roc_area"]) == (3, pytest.approx(11 / 12))
    assert flawed["few_false_alarms"] == {
        "below": 0.4,
        "precision": 1,
        "recall": pytest.approx(2 / 3),
        "false_alarms": 0,
    }
    assert row["accuracy"]["n"] == 7
    assert tables["words"]["adults"]["not_found"] == 1


def test_words_that_do_not_match_the_text_are_left_out(tables, tmp_path) -> None:
    """One word more than the text has, and the recogniser's own words: the other two recordings are counted."""
    corpus = read_corpus(write_ours(tmp_path))
    words = (("a", 0.5, 5.0),) * 2
    made = [Prediction(found.id, {}, words=words, text="reference") for found in corpus.utterances]
    made[0], made[1] = replace(made[0], words=words[:1] * 3), replace(made[1], text="recogniser")
    assert word_tables(list(zip(corpus.utterances, made, strict=True)))["all"]["n"] == 4


def test_the_threshold_flags_no_more_than_its_share() -> None:
    """Of ten good words three tenths may be flagged: those below .4, the fourth lowest."""
    good = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert threshold_at([*good, 0.05], [*([False] * 10), True], 0.3) == 0.4
    assert threshold_at([0.1], [True], 0.3) == 0.5


def test_cost_and_listener_are_told(tables) -> None:
    assert (tables["listener"], tables["text"]) == ("fake 1", "reference")
    assert tables["cost"]["sound_s"] == pytest.approx(0.4)
    assert set(tables["cost"]["cpu_by_step"]) == {"decode", "listen", "all"}
    assert tables["cost"]["most_mb"] > 10


def test_a_broken_and_a_missing_file_are_named_and_counted(tmp_path, capsys) -> None:
    folder = write_ours(tmp_path)
    (folder / "audio" / "000010001.wav").write_bytes(b"no sound at all")
    (folder / "audio" / "000010002.wav").unlink()
    assert run(["--data", str(folder), "--json", str(tmp_path / "out.json")], listener) == 0
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert {key: why.split(":")[0] for key, why in found["left_out"].items()} == {
        "000010001": "audio_unreadable",
        "000010002": "audio_missing",
    }
    assert (found["heard"], found["scored"]) == (4, 2)
    assert found["agreement"]["total"]["mean"]["all"]["n"] == 2
    printed = capsys.readouterr().out
    assert "Heard 4; without an estimate, so in no correlation: 2\n    000010001: audio_unreadable" in printed


def test_a_listener_that_fails_loses_one_recording(tmp_path) -> None:
    def failing(samples, words, clock):
        if words[0] == "MARK":
            raise ZeroDivisionError("by nought")
        return listener(samples, words, clock)

    corpus = read_corpus(write_ours(tmp_path))
    found = list(hear_all(corpus.utterances, failing, 0))
    assert [prediction.error for prediction in found] == [None, None, "ZeroDivisionError: by nought", None]


@pytest.mark.parametrize(("value", "high"), [(math.nan, 9.0), (7.0, 7.5)])
def test_an_estimate_that_is_none_is_named(tmp_path, value: float, high: float) -> None:
    """No number, or an interval upside down."""

    def unsound(samples, words, clock):
        return Listening("fake 1", "reference", {"total": Estimate(value, 8.0, high)}, ())

    corpus = read_corpus(write_ours(tmp_path))
    errors = [prediction.error for prediction in hear_all(corpus.utterances, unsound, 0)]
    assert [error.split(":")[0] for error in errors if error] == ["ValueError"] * 4


def test_without_words_there_is_nothing_to_listen_for(tmp_path) -> None:
    """The recogniser hears no words in a tenth of a second of sawtooth; the recording is named."""
    found = hear(read_corpus(write_ours(tmp_path)).utterances[0], with_recogniser)
    assert (found.error, found.text, found.estimates) == ("no estimates: listening_failed", "recogniser", {})
    assert set(found.cpu_s) == {"decode", "recognise"}


def test_a_worker_that_dies_loses_one_recording(tmp_path) -> None:
    """In processes of their own, as the bench hears; the first of each is heard twice, to tell loading apart."""
    corpus = read_corpus(write_ours(tmp_path))
    found = list(hear_all(corpus.utterances, dying_listener, 1))
    assert [prediction.id for prediction in found] == [utterance.id for utterance in corpus.utterances]
    assert [bool(prediction.estimates) for prediction in found] == [True, False, True, True]
    assert "died" in (found[1].error or "")
    assert [prediction.load_s is not None for prediction in found] == [True, False, True, False]


def test_what_is_missing_stops_the_run_and_is_said(tmp_path) -> None:
    """From a worker too: no hour is spent on naming every recording for a package that is not installed."""
    corpus = read_corpus(write_ours(tmp_path))
    for jobs in (0, 2):
        with pytest.raises(VivavoceError) as caught:
            list(hear_all(corpus.utterances, missing_listener, jobs))
        assert caught.value.as_dict() == need("recognizer", "pocketsphinx").as_dict()


def test_nothing_scored_is_no_success(tmp_path) -> None:
    folder = write_official(tmp_path)
    for path in folder.glob("WAVE/*/*.WAV"):
        path.write_bytes(b"")
    assert run(["--data", str(folder)], listener) == 1


def test_predictions_are_kept_and_give_the_same_tables(tmp_path, capsys) -> None:
    folder, kept = write_ours(tmp_path), tmp_path / "kept.jsonl"
    arguments = ["--data", str(folder), "--resamples", "50"]
    run([*arguments, "--predictions", str(kept)], listener)
    heard = capsys.readouterr().out
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 4
    run([*arguments, "--from-predictions", str(kept)])
    assert capsys.readouterr().out == heard


def test_predictions_made_elsewhere(tmp_path) -> None:
    """As cross-validation writes them: {scale: {id: value}}; an id that is not in the corpus is counted."""
    folder, made = write_official(tmp_path / "corpus"), tmp_path / "oof.json"
    values = {"000010001": 5, "000010002": 5, "003000001": 8, "003000002": [9, 8, 10], "999": 1}
    made.write_text(json.dumps({"fluency": values}), encoding="utf-8")
    out = tmp_path / "out.json"
    arguments = ["--data", str(folder), "--split", "all", "--from-predictions", str(made), "--json", str(out)]
    assert run(arguments) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["agreement"]["fluency"]["mean"]["all"]["mae"] == pytest.approx(0.75)
    assert found["agreement"]["accuracy"] == {"mean": {}, "median": {}}
    assert not {"in doubt", "not in doubt"} & set(found["agreement"]["fluency"]["mean"])
    assert found["intervals"]["fluency"]["all"] == {"n": 1, "coverage": 1, "width": 2}
    assert found["unknown_ids"] == ["999"]
    assert found["words"] == {}
    assert found["cost"] == {}


def test_a_published_median_that_differs_is_counted(tmp_path) -> None:
    folder, out = write_official(tmp_path / "corpus"), tmp_path / "out.json"
    path = folder / "resource" / "scores.json"
    scores = json.loads(path.read_text(encoding="utf-8"))
    scores["003000001"]["total"] = 7
    path.write_text(json.dumps(scores), encoding="utf-8")
    run(["--data", str(folder), "--json", str(out)], listener)
    differ = json.loads(out.read_text(encoding="utf-8"))["corpus"]["median_is_not_the_published_one"]
    assert differ == {"accuracy": 0, "fluency": 0, "prosodic": 0, "total": 1}


def test_a_limit_takes_utterances_from_everywhere(tmp_path) -> None:
    corpus = read_corpus(write_ours(tmp_path))
    assert [found.id for found in spread(corpus, 2).utterances] == ["000010001", "003000001"]
    assert spread(corpus, 9) == spread(corpus, None) == corpus


@pytest.mark.parametrize("made", ["[1, 2", '{"beauty": {"000010001": 5}}', '{"id": 1}', ""])
def test_predictions_that_do_not_fit_are_refused_in_words(tmp_path, made: str) -> None:
    folder, path = write_ours(tmp_path), tmp_path / "made.json"
    path.write_text(made, encoding="utf-8")
    command = [sys.executable, str(ROOT / "bench" / "speechocean762.py"), "--data", str(folder)]
    done = subprocess.run([*command, "--from-predictions", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("predictions_unreadable")
    assert "Traceback" not in done.stderr


def test_a_wave_is_read_at_once(tmp_path) -> None:
    """The made recordings are what the decoder takes for a tenth of a second."""
    write_wave(tmp_path / "a.wav")
    corpus = read_corpus(write_ours(tmp_path))
    assert next(hear_all(corpus.utterances, listener, 0)).seconds == pytest.approx(0.1)


def test_tables_for_a_page(tmp_path, capsys) -> None:
    run(["--data", str(write_ours(tmp_path)), "--resamples", "50", "--markdown"], listener)
    printed = capsys.readouterr().out.splitlines()
    assert printed[2] == "| group | accuracy | fluency | prosodic | total |"
    assert printed[4] == "| all |" + " 0.939, 0.95, 0.75, -0.25 |" * 4
    assert printed[5] == "| children |" + " -, -, 1.00, +0.00 |" * 4
