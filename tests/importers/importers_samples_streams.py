"""Samples of live messages, saved one a line or as a list, written from the services' published documentation."""

from __future__ import annotations

import json
from typing import Any

from importers_sample import BARE, PLAIN, Sample, as_json

TEXTS = ["Hello, world.", "It is 5."]
PARTS = [PLAIN[:2], PLAIN[2:]]


def lines(kind: str, messages: list[Any], *args: Any) -> Sample:
    return Sample(kind, "\n".join(json.dumps(message) for message in messages), *args)


def turn(order: int, words: list[tuple[str, int, int]], text: str, *, end: bool, formatted: bool) -> dict[str, Any]:
    return {
        "turn_order": order,
        "turn_is_formatted": formatted,
        "end_of_turn": end,
        "transcript": text,
        "end_of_turn_confidence": 0.8,
        "words": [
            {"start": start, "end": stop, "text": said, "confidence": 0.9, "word_is_final": end}
            for said, start, stop in words
        ],
        "utterance": "",
        "type": "Turn",
    }


def bare(words: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    return [(said.lower().strip(",."), start, end) for said, start, end in words]


def results(words: list[tuple[str, float, float]], text: str, *, final: bool) -> dict[str, Any]:
    shown = [
        {"word": said, "start": start, "end": end, "confidence": 0.9, "punctuated_word": said.title()}
        for said, start, end in words
    ]
    return {
        "type": "Results",
        "channel_index": [0, 1],
        "duration": 1.7,
        "start": 0.0,
        "is_final": final,
        "speech_final": final,
        "channel": {"alternatives": [{"transcript": text, "confidence": 0.9, "languages": ["en"], "words": shown}]},
        "metadata": {"request_id": "x"},
    }


def hypothesis(kind: str, *values: tuple[str, float, float] | str) -> dict[str, Any]:
    elements = [
        {"type": "punct", "value": value}
        if isinstance(value, str)
        else {"type": "text", "value": value[0], "ts": value[1], "end_ts": value[2], "confidence": 0.9}
        for value in values
    ]
    return {"type": kind, "ts": 0.1, "end_ts": 0.9, "elements": elements}


STREAMS: dict[str, Sample] = {
    # AssemblyAI, streaming version 3: a turn grows, ends, and comes once more with its punctuation.
    "assemblyai_turns": lines(
        "AssemblyAI streaming",
        [
            {"type": "Begin", "id": "x", "expires_at": 1759796682},
            turn(0, bare(PARTS[0])[:1], "", end=False, formatted=False),
            turn(0, bare(PARTS[0]), "hello world", end=True, formatted=False),
            turn(0, PARTS[0], TEXTS[0], end=True, formatted=True),
            turn(1, PARTS[1], TEXTS[1], end=True, formatted=True),
            {"type": "Termination", "audio_duration_seconds": 2, "session_duration_seconds": 2},
        ],
        PLAIN,
    ),
    # AssemblyAI, real-time version 2; the last words were never made final.
    "assemblyai_realtime": as_json(
        "AssemblyAI streaming",
        [
            {
                "message_type": kind,
                "audio_start": 0,
                "audio_end": 2000,
                "confidence": 0.9,
                "text": text,
                "words": [{"text": said, "start": start, "end": end, "confidence": 0.9} for said, start, end in words],
            }
            for kind, text, words in (
                ("PartialTranscript", "hello", bare(PARTS[0])[:1]),
                ("FinalTranscript", TEXTS[0], PARTS[0]),
                ("PartialTranscript", "it is", bare(PARTS[1])[:2]),
            )
        ],
        PLAIN[:2],
        None,
        None,
        ("words_interim",),
    ),
    # Rev AI, streaming: partial hypotheses without punctuation, then the final one.
    "revai_stream": lines(
        "Rev AI streaming",
        [
            {"type": "connected", "id": "x"},
            hypothesis("partial", ("hello", 0.1, 0.5)),
            hypothesis("final", ("Hello", 0.1, 0.5), ",", " ", ("world", 0.52, 0.9), "."),
        ],
        PLAIN[:2],
    ),
    # Deepgram, live audio with interim results.
    "deepgram_live": lines(
        "Deepgram live",
        [
            results(BARE[:1], "hello", final=False),
            results(BARE[:2], "hello world", final=True),
            {"type": "UtteranceEnd", "channel": [0, 1], "last_word_end": 0.9},
            results(BARE[2:], "it is five", final=True),
        ],
        [(said.title(), round(start * 1000), round(end * 1000)) for said, start, end in BARE],
        "en",
        False,
    ),
}
