"""Samples of open recognisers' results as their own scripts print or dump them: lists, pieces, one after another."""

from __future__ import annotations

import json

from importers_sample import BARE, PLAIN, PROSE, SECONDS, Sample, as_json, as_words

HEARD = [(said, round(start * 1000), round(end * 1000)) for said, start, end in BARE]
VOSK = [{"result": as_words("word", part, conf=1.0), "text": "x"} for part in (BARE[:2], BARE[2:])]

PIECES: dict[str, Sample] = {
    # alphacep/vosk-api, python/example/test_simple.py: prints partial results, results and the last result, indented.
    "vosk_printed": Sample(
        "Vosk",
        "\n".join(json.dumps(item, indent=2) for item in ({"partial": "hello"}, VOSK[0], {"partial": ""}, VOSK[1])),
        HEARD,
    ),
    "vosk_list": as_json("Vosk", [*VOSK, {"text": ""}], HEARD),
    # SYSTRAN/faster-whisper, transcribe: segments as dataclasses, dumped as a list.
    "faster_whisper_list": as_json(
        "Whisper",
        [
            {
                "id": 1,
                "seek": 0,
                "start": 0.1,
                "end": 1.7,
                "text": " " + PROSE,
                "tokens": [1],
                "temperature": 0.0,
                "words": [{**word, "word": " " + word["word"]} for word in as_words("word", probability=0.9)],
            }
        ],
        PLAIN,
        None,
        False,
    ),
    # OpenAI-like: a word that could not be aligned has no times, be it the first.
    "openai_first_untimed": as_json(
        "OpenAI verbose_json",
        {"text": PROSE, "words": [{"word": "hello"}, *as_words("word", BARE[1:])]},
        [("Hello,", 520, 710), ("world.", 710, 900), *PLAIN[2:4], ("five.", 1300, 1700)],
        None,
        False,
        ("words_without_times",),
    ),
    # m-bain/whisperX, align: the flat list alone.
    "whisperx_words": as_json(
        "WhisperX",
        {"word_segments": [{"word": "Oh"}, *as_words("word", score=0.9)], "language": "en"},
        [("Oh", 100, 231), ("Hello,", 231, 500), *PLAIN[1:]],
        "en",
        False,
        ("words_without_times",),
    ),
    # huggingface/transformers, automatic-speech-recognition with return_timestamps="word".
    "huggingface": as_json(
        "Hugging Face pipeline",
        {
            "text": " " + PROSE,
            "chunks": [{"text": f" {said}", "timestamp": [start, end]} for said, start, end in SECONDS],
        },
        PLAIN,
    ),
    # stable-ts: the word of a cue in <font>.
    "srt_font": Sample(
        "SubRip",
        "\n\n".join(
            f"{number}\n00:00:00,{start} --> 00:00:00,{end}\n"
            + " ".join(
                f'<font color="#00ff00">{word}</font>' if word == said else word for word in ("Hello,", "world.")
            )
            for number, (said, start, end) in enumerate(PLAIN[:2])
        ),
        PLAIN[:2],
    ),
}
