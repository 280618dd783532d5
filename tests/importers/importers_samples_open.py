"""Samples of the formats of open recognisers, and of our own."""

from __future__ import annotations

import json

from importers_sample import BARE, PLAIN, PROSE, SECONDS, Sample, as_json, as_words

OPEN: dict[str, Sample] = {
    "own": as_json("vivavoce words", {"words": as_words("text"), "language": "en", "recognizer": "a b"}, PLAIN, "en"),
    # OpenAI, createTranscription, verbose_json with timestamp_granularities[]=word: bare words, punctuation in text.
    "openai": as_json(
        "OpenAI verbose_json",
        {"task": "transcribe", "language": "english", "duration": 2.0, "text": PROSE, "words": as_words("word", BARE)},
        [*PLAIN[:4], ("five.", 1300, 1700)],
        "en",
        False,
    ),
    # m-bain/whisperX: a score a word; "5." could not be aligned, so it has neither times nor score.
    "whisperx": as_json(
        "WhisperX",
        {
            "segments": [
                {
                    "start": 0.1,
                    "end": 2.5,
                    "text": " Hello, world. It is 5. Yes",
                    "words": [
                        *as_words("word", SECONDS[:4], score=0.9),
                        {"word": "5."},
                        {"word": "Yes", "start": 2.1, "end": 2.5, "score": 0.8},
                    ],
                }
            ],
            "word_segments": [],
            "language": "en",
        },
        [*PLAIN[:4], ("5.", 1250, 2100), ("Yes", 2100, 2500)],
        "en",
        False,
        ("words_without_times",),
    ),
    # linto-ai/whisper-timestamped, with detect_disfluencies: [*] is a filled pause that Whisper left out.
    "whisper_timestamped": as_json(
        "whisper-timestamped",
        {
            "text": PROSE,
            "segments": [
                {
                    "id": 0,
                    "text": PROSE,
                    "start": 0.1,
                    "end": 2.2,
                    "confidence": 0.8,
                    "words": [
                        *as_words("text", confidence=0.9),
                        {"text": "[*]", "start": 1.8, "end": 2.2, "confidence": 0.0},
                    ],
                }
            ],
            "language": "en",
        },
        [*PLAIN, ("um", 1800, 2200)],
        "en",
        False,
    ),
    # ggml-org/whisper.cpp, -ojf: tokens with offsets in ms; control tokens; a token without a space continues.
    "whisper_cpp": as_json(
        "whisper.cpp",
        {
            "systeminfo": "AVX = 1",
            "model": {"type": "base", "multilingual": False},
            "params": {"model": "models/ggml-base.en.bin", "language": "en", "translate": False},
            "result": {"language": "en"},
            "transcription": [
                {
                    "timestamps": {"from": "00:00:00,000", "to": "00:00:01,700"},
                    "offsets": {"from": 0, "to": 1700},
                    "text": " Hello, world. It is 5.",
                    "tokens": [
                        {"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}, "id": 50363, "p": 0.9},
                        {"text": " Hel", "offsets": {"from": 100, "to": 300}, "id": 1, "p": 0.9},
                        {"text": "lo", "offsets": {"from": 300, "to": 500}, "id": 2, "p": 0.8},
                        {"text": ",", "offsets": {"from": 500, "to": 520}, "id": 11, "p": 0.9},
                        {"text": " world", "offsets": {"from": 520, "to": 900}, "id": 3, "p": 0.7},
                        {"text": ".", "offsets": {"from": 900, "to": 1000}, "id": 13, "p": 0.9},
                        {"text": " It", "offsets": {"from": 1000, "to": 1100}, "id": 4, "p": 0.9},
                        {"text": " is", "offsets": {"from": 1100, "to": 1250}, "id": 5, "p": 0.9},
                        {"text": " 5", "offsets": {"from": 1300, "to": 1700}, "id": 6, "p": 0.9},
                        {"text": ".", "offsets": {"from": 1700, "to": 1700}, "id": 13, "p": 0.9},
                        {"text": "[_TT_85]", "offsets": {"from": 1700, "to": 1700}, "id": 50449, "p": 0.1},
                    ],
                }
            ],
        },
        PLAIN,
        "en",
        False,
    ),
    # The same with -ml 1 -sow -oj: a word a segment.
    "whisper_cpp_words": as_json(
        "whisper.cpp",
        {
            "model": {"type": "base"},
            "result": {"language": "en"},
            "transcription": [
                {"timestamps": {}, "offsets": {"from": start, "to": end}, "text": f" {said}"}
                for said, start, end in PLAIN
            ],
        },
        PLAIN,
        "en",
        False,
    ),
    # Vosk, KaldiRecognizer.Result with SetWords(True); its test scripts print one object a line.
    "vosk": as_json(
        "Vosk",
        {"result": [{"conf": 1.0, **word} for word in as_words("word", BARE)], "text": "hello world it is five"},
        [(said, round(start * 1000), round(end * 1000)) for said, start, end in BARE],
    ),
    "vosk_lines": Sample(
        "Vosk",
        "\n".join(
            json.dumps({"result": as_words("word", part, conf=1.0), "text": ""}) for part in (BARE[:2], BARE[2:])
        ),
        [(said, round(start * 1000), round(end * 1000)) for said, start, end in BARE],
    ),
}
