"""Both layouts of the corpus give the same utterances; what is broken in them is named and the rest is read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from so762_corpus import Utterance, read_corpus
from so762_fakes import TEXTS, write_official, write_ours

from vivavoce.errors import InputError


def plain(utterance: Utterance) -> Utterance:
    """Without what the layouts may differ in: the path, the case of words, published scores."""
    words = tuple(replace(word, text=word.text.lower()) for word in utterance.words)
    return replace(utterance, audio=Path(utterance.audio.stem), words=words, published={})


def test_both_layouts_hold_the_same(tmp_path: Path) -> None:
    ours = read_corpus(write_ours(tmp_path / "ours"))
    official = read_corpus(write_official(tmp_path / "official"), "all")
    assert [plain(found) for found in ours.utterances] == [plain(found) for found in official.utterances]
    assert [found.id for found in ours.utterances] == sorted(TEXTS)
    assert (ours.layout, official.layout) == ("ours", "official")
    assert not ours.faults
    assert not official.faults
    assert all(found.audio.is_file() for corpus in (ours, official) for found in corpus.utterances)


def test_an_utterance_is_read_whole(tmp_path: Path) -> None:
    first = read_corpus(write_ours(tmp_path)).utterances[1]
    assert (first.id, first.speaker, first.age, first.gender, first.text) == ("000010002", "0001", 8, "m", "IT BEAR")
    assert first.age_group == "children"
    assert first.ratings["fluency"] == (5, 7, 6, 6, 6)
    assert (first.mean("fluency"), first.median("fluency")) == (6, 6)
    assert [(word.text, word.accuracy) for word in first.words] == [("it", (6, 6, 7)), ("bear", (10, 9, 10))]


def test_the_test_split_is_what_is_read(tmp_path: Path) -> None:
    folder = write_official(tmp_path / "speechocean762")
    for given in (folder, tmp_path):
        assert {found.speaker for found in read_corpus(given).utterances} == {"0300"}
    assert {found.speaker for found in read_corpus(folder, "train").utterances} == {"0001"}
    (folder / "test" / "wav.scp").unlink()
    assert read_corpus(folder).split == "train"
    with pytest.raises(InputError) as caught:
        read_corpus(folder, "test")
    assert (caught.value.code, caught.value.allowed) == ("split_missing", "train")


def test_scores_may_lie_at_the_top_or_come_without_detail(tmp_path: Path) -> None:
    """As in the corpus's own description; the medians alone then count as one rating."""
    folder = write_official(tmp_path)
    for name in ("scores.json", "scores-detail.json"):
        (folder / "resource" / name).rename(folder / name)
    assert read_corpus(folder, "train").utterances[1].ratings["total"] == (5, 7, 6, 6, 6)
    (folder / "scores-detail.json").unlink()
    alone = read_corpus(folder, "train").utterances[1]
    assert alone.ratings["total"] == (6,)
    assert alone.published["total"] == 6


def test_wav_scp_may_name_a_pipe_or_another_place(tmp_path: Path) -> None:
    folder = write_official(tmp_path)
    (folder / "test" / "wav.scp").write_text("003000001 flac -d -c elsewhere |\n003000002 away.WAV\n", encoding="utf-8")
    usual = folder / "WAVE" / "SPEAKER0300"
    (usual / "003000002.WAV").rename(usual / "003000002.wav")
    assert [found.audio.name for found in read_corpus(folder).utterances] == ["003000001.WAV", "003000002.wav"]


def test_ages_are_grouped_as_the_issue_says(tmp_path: Path) -> None:
    one = read_corpus(write_ours(tmp_path)).utterances[0]
    ages = {12: "children", 13: "teens", 18: "teens", 19: "adults", None: "age unknown"}
    assert {age: replace(one, age=age).age_group for age in ages} == ages


def test_broken_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = write_ours(tmp_path) / "labels.jsonl"
    first, second, third, fourth = path.read_text(encoding="utf-8").splitlines()
    without = json.loads(second)
    del without["fluency"]
    beyond = json.loads(third) | {"total": [8, 11]}
    path.write_text("\n".join([first[:40], json.dumps(without), json.dumps(beyond), fourth]), encoding="utf-8")
    corpus = read_corpus(tmp_path)
    assert [found.id for found in corpus.utterances] == ["003000002"]
    assert [fault.split(":")[0] for fault in corpus.faults] == [f"labels.jsonl line {number}" for number in (1, 2, 3)]
    assert "fluency is missing" in corpus.faults[1]
    assert "not 0 to 10" in corpus.faults[2]


def test_an_utterance_without_scores_or_speaker_is_named(tmp_path: Path) -> None:
    folder = write_official(tmp_path)
    detail = folder / "resource" / "scores-detail.json"
    scores = json.loads(detail.read_text(encoding="utf-8"))
    del scores["003000001"]
    detail.write_text(json.dumps(scores), encoding="utf-8")
    (folder / "test" / "utt2spk").write_text("003000001\t0300\n", encoding="utf-8")
    (folder / "train" / "spk2age").unlink()
    corpus = read_corpus(folder, "all")
    assert [(found.id, found.age) for found in corpus.utterances] == [("000010001", None), ("000010002", None)]
    assert corpus.faults == ("test/003000001: 003000001 is missing", "test/003000002: 003000002 is missing")


def test_a_folder_that_holds_neither_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path)
    assert caught.value.code == "corpus_unknown"


def test_scores_that_are_no_json_are_refused(tmp_path: Path) -> None:
    folder = write_official(tmp_path)
    (folder / "resource" / "scores.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_corpus(folder)
    assert caught.value.code == "corpus_unreadable"


def test_the_shared_recordings_are_read(shared_data: Path) -> None:
    """What its index says: 2,180 sentences of 109 speakers, 45 of them children and 5 teenagers."""
    corpus = read_corpus(shared_data / "speechocean762_train")
    speakers = {found.speaker: found.age_group for found in corpus.utterances}
    assert (len(corpus.utterances), len(speakers), corpus.faults) == (2180, 109, ())
    assert (list(speakers.values()).count("children"), list(speakers.values()).count("teens")) == (45, 5)
    assert all(found.audio.is_file() and len(found.words) == len(found.text.split()) for found in corpus.utterances)
