"""Annotated data: Disfl-QA's half that no rule was made on, CHAT's retraces, MFA's tags."""

from __future__ import annotations

from pathlib import Path

from disfluency_data import chat, disfl_qa, said

from vivavoce.measures.disfluency.find import RESTARTS, find_disfluencies


def test_disfl_qa_twins_are_told_apart(shared_data: Path) -> None:
    pairs = list(disfl_qa(shared_data, half=1))
    assert len(pairs) > 400
    found = sum(bool(find_disfluencies(said(broken))) for _, broken in pairs)
    restarts = sum(any(event.kind in RESTARTS for event in find_disfluencies(said(broken))) for _, broken in pairs)
    alarms = [clean for clean, _ in pairs if find_disfluencies(said(clean))]
    # Measured: see docs/evidence/disfluency.md. These are floors, so that a change which loses more is noticed.
    assert found / len(pairs) >= 0.82
    assert restarts / len(pairs) >= 0.75
    assert len(alarms) / len(pairs) <= 0.01, alarms


def test_chat_retraces_of_repeated_words_are_found_where_they_are(shared_data: Path) -> None:
    # "<the big> [/] the small dog" and "<ingroup [/]> after" repeat no word; every other [/] is a repetition.
    seen = 0
    for path in sorted((shared_data / "3_disfluency").rglob("*.cha")):
        for utterance in chat(path):
            for kind, first, last in utterance.retraces:
                if kind != "repetition" or utterance.text in ("the big the small dog.", "ingroup after."):
                    continue
                events = find_disfluencies(said(utterance.text))
                assert (kind, first, last) in [(e.kind, e.first_word, e.last_word) for e in events], utterance.text
                seen += 1
    assert seen == 7


def test_chat_lines_without_marks_count_nothing(shared_data: Path) -> None:
    clean = 0
    for path in sorted((shared_data / "3_disfluency").rglob("*.cha")):
        for utterance in chat(path):
            marked = utterance.retraces or any(mark in utterance.text for mark in ("&", "hm", "s-s-s", "≠"))
            if not marked:
                assert find_disfluencies(said(utterance.text)) == (), utterance.text
                clean += 1
    assert clean > 100


def test_tags_of_cut_offs_and_hesitations_are_read(shared_data: Path) -> None:
    folder = shared_data / "2_audio" / "mfa_disfluent" / "transcripts.tsv"
    rows = dict(line.split("\t") for line in folder.read_text(encoding="utf-8").splitlines()[1:])
    kinds = {name: [event.kind for event in find_disfluencies(said(text))] for name, text in rows.items()}
    cut_off = kinds.pop("mfa_cutoff.flac")
    assert cut_off.count("cut_off") == rows["mfa_cutoff.flac"].count("<cutoff-") == 7
    # "montreal", two cut-offs, "montreal": the word itself was said again too.
    assert set(cut_off) <= {"cut_off", "repetition"}
    assert kinds.pop("mfa_uhuh.flac") == ["filled_pause"] * 6
    assert kinds.pop("mfa_uh.flac") == kinds.pop("mfa_um.flac") == ["filled_pause"]
    assert [name for name, found in kinds.items() if found] == []
