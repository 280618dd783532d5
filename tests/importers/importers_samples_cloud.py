"""Samples of services, written from their published documentation (A to I)."""

from __future__ import annotations

from importers_sample import PLAIN, PROSE, SECONDS, Sample, as_json

CLOUD: dict[str, Sample] = {
    # AssemblyAI, GET /v2/transcript/{id}: milliseconds; `disfluencies` as it was asked for.
    "assemblyai": as_json(
        "AssemblyAI",
        {
            "id": "9ea68fd3",
            "status": "completed",
            "language_code": "en_us",
            "audio_url": "https://assembly.ai/wildfires.mp3",
            "text": PROSE,
            "audio_duration": 2,
            "disfluencies": False,
            "words": [
                {"text": said, "start": start, "end": end, "confidence": 0.97, "speaker": None}
                for said, start, end in PLAIN
            ],
        },
        PLAIN,
        "en-US",
        False,
    ),
    # Rev AI, GET /jobs/{id}/transcript: elements of text, punct (spaces too) and unknown.
    "revai": as_json(
        "Rev AI",
        {
            "monologues": [
                {
                    "speaker": 0,
                    "elements": [
                        {"type": "text", "value": "Hello", "ts": 0.1, "end_ts": 0.5, "confidence": 0.9},
                        {"type": "punct", "value": ", "},
                        {"type": "text", "value": "um", "ts": 0.52, "end_ts": 0.9, "confidence": 0.9},
                        {"type": "punct", "value": " "},
                        {"type": "text", "value": "world", "ts": 1.0, "end_ts": 1.4, "confidence": 0.9},
                        {"type": "punct", "value": "."},
                    ],
                }
            ]
        },
        [("Hello,", 100, 500), ("um", 520, 900), ("world.", 1000, 1400)],
        None,
        True,
    ),
    # Gladia, GET /v2/pre-recorded/{id}: utterances with words that carry their spaces.
    "gladia": as_json(
        "Gladia",
        {
            "id": "45463597",
            "status": "done",
            "result": {
                "metadata": {"audio_duration": 2.0, "number_of_distinct_channels": 1},
                "transcription": {
                    "full_transcript": PROSE,
                    "languages": ["en"],
                    "utterances": [
                        {
                            "text": PROSE,
                            "language": "en",
                            "start": 0.1,
                            "end": 1.7,
                            "confidence": 0.9,
                            "channel": 0,
                            "speaker": 0,
                            "words": [
                                {"word": f" {said}", "start": start, "end": end, "confidence": 0.9}
                                for said, start, end in SECONDS
                            ],
                        }
                    ],
                },
            },
        },
        PLAIN,
        "en",
    ),
    # ElevenLabs, POST /v1/speech-to-text: words, spacing and audio events; logprob; three-letter language codes.
    "elevenlabs": as_json(
        "ElevenLabs Scribe",
        {
            "language_code": "eng",
            "language_probability": 0.98,
            "text": "Hello, (laughter) um.",
            "words": [
                {"text": "Hello,", "start": 0.1, "end": 0.5, "type": "word", "speaker_id": "speaker_0", "logprob": 0.0},
                {"text": " ", "start": 0.5, "end": 0.52, "type": "spacing", "speaker_id": "speaker_0"},
                {"text": "(laughter)", "start": 0.52, "end": 0.9, "type": "audio_event", "speaker_id": "speaker_0"},
                {"text": " ", "start": 0.9, "end": 1.0, "type": "spacing", "speaker_id": "speaker_0"},
                {"text": "um.", "start": 1.0, "end": 1.4, "type": "word", "speaker_id": "speaker_0", "logprob": -0.1},
            ],
        },
        [("Hello,", 100, 500), ("um.", 1000, 1400)],
        "en",
        True,
        ("words_empty",),
    ),
    # Google, REST answer with enableWordTimeOffsets (v1) and startOffset (v2); protocol buffers leave zero out.
    "google_rest": as_json(
        "Google Speech-to-Text",
        {
            "results": [
                {
                    "alternatives": [
                        {
                            "transcript": "Hello world",
                            "confidence": 0.9,
                            "words": [
                                {"startTime": "0s", "endTime": "1.400s", "word": "Hello"},
                                {"startTime": "1.400s", "endTime": "1.900s", "word": "world"},
                            ],
                        },
                        {"transcript": "Hello word"},
                    ],
                    "languageCode": "en-us",
                }
            ]
        },
        [("Hello", 0, 1400), ("world", 1400, 1900)],
        "en-US",
        None,
        ("words_stretched",),
    ),
    "google_v2": as_json(
        "Google Speech-to-Text",
        {
            "results": [
                {
                    "alternatives": [
                        {
                            "transcript": "Hello world",
                            "words": [
                                {"endOffset": "0.500s", "word": "Hello"},
                                {"startOffset": "0.500s", "endOffset": "0.900s", "word": "world"},
                            ],
                        }
                    ],
                    "languageCode": "en-GB",
                }
            ]
        },
        [("Hello", 0, 500), ("world", 500, 900)],
        "en-GB",
    ),
    # IBM, /v1/recognize with timestamps and speaker_labels; an interim result and a hesitation.
    "ibm": as_json(
        "IBM Watson Speech to Text",
        {
            "result_index": 0,
            "results": [
                {
                    "final": True,
                    "alternatives": [
                        {
                            "transcript": "hello %HESITATION world ",
                            "confidence": 0.9,
                            "timestamps": [["hello", 0.1, 0.5], ["%HESITATION", 0.52, 0.9], ["world", 1.0, 1.4]],
                        }
                    ],
                },
                {"final": False, "alternatives": [{"transcript": "wo ", "timestamps": [["wo", 1.0, 1.2]]}]},
            ],
        },
        [("hello", 100, 500), ("uh", 520, 900), ("world", 1000, 1400)],
        None,
        True,
    ),
}
