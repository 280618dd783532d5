"""Samples of services, written from their published documentation (the others)."""

from __future__ import annotations

from importers_sample import PLAIN, PROSE, Sample, as_json

CLOUD2: dict[str, Sample] = {
    # Azure Speech SDK, pronunciation assessment with miscue: an omitted word was not said.
    "azure_miscue": as_json(
        "Azure Speech",
        {
            "RecognitionStatus": "Success",
            "Offset": 1000000,
            "Duration": 8000000,
            "DisplayText": "Hello, world.",
            "NBest": [
                {
                    "Confidence": 0.9,
                    "Lexical": "hello world",
                    "Display": "Hello, world.",
                    "Words": [
                        {"Word": "hello", "Offset": 1000000, "Duration": 4000000},
                        {
                            "Word": "big",
                            "Offset": 0,
                            "Duration": 0,
                            "PronunciationAssessment": {"AccuracyScore": 0, "ErrorType": "Omission"},
                        },
                        {"Word": "world", "Offset": 5200000, "Duration": 3800000},
                    ],
                }
            ],
        },
        PLAIN[:2],
    ),
    # Azure fast transcription, transcriptions:transcribe 2024-11-15.
    "azure_fast": as_json(
        "Azure fast transcription",
        {
            "durationMilliseconds": 2000,
            "combinedPhrases": [{"text": PROSE}],
            "phrases": [
                {
                    "offsetMilliseconds": 100,
                    "durationMilliseconds": 1600,
                    "text": PROSE,
                    "words": [
                        {"text": said, "offsetMilliseconds": start, "durationMilliseconds": end - start}
                        for said, start, end in PLAIN
                    ],
                    "locale": "en-US",
                    "confidence": 0.9,
                }
            ],
        },
        PLAIN,
        "en-US",
    ),
    # Deepgram with filler_words and two channels.
    "deepgram": as_json(
        "Deepgram",
        {
            "metadata": {"duration": 2.0, "channels": 2, "model_info": {"x": {"name": "n", "version": "v"}}},
            "results": {
                "channels": [
                    {
                        "alternatives": [
                            {
                                "transcript": "Hello, um",
                                "words": [
                                    {
                                        "word": "hello",
                                        "start": 0.1,
                                        "end": 0.5,
                                        "confidence": 0.9,
                                        "punctuated_word": "Hello,",
                                    },
                                    {
                                        "word": "um",
                                        "start": 1.0,
                                        "end": 1.4,
                                        "confidence": 0.9,
                                        "punctuated_word": "um",
                                    },
                                ],
                            }
                        ],
                        "detected_language": "en",
                    },
                    {
                        "alternatives": [
                            {
                                "transcript": "yes",
                                "words": [
                                    {
                                        "word": "yes",
                                        "start": 0.52,
                                        "end": 0.9,
                                        "confidence": 0.9,
                                        "punctuated_word": "Yes.",
                                    },
                                ],
                            }
                        ]
                    },
                ]
            },
        },
        [("Hello,", 100, 500), ("Yes.", 520, 900), ("um", 1000, 1400)],
        "en",
        True,
        ("several_speakers",),
    ),
    # Speechmatics, disfluency tag.
    "speechmatics": as_json(
        "Speechmatics",
        {
            "format": "2.9",
            "metadata": {"transcription_config": {"language": "en", "operating_point": "enhanced"}},
            "results": [
                {
                    "type": "word",
                    "start_time": 0.1,
                    "end_time": 0.5,
                    "alternatives": [{"content": "Hmm", "confidence": 1.0, "language": "en", "tags": ["disfluency"]}],
                },
                {
                    "type": "punctuation",
                    "start_time": 0.5,
                    "end_time": 0.5,
                    "attaches_to": "previous",
                    "is_eos": True,
                    "alternatives": [{"content": ".", "confidence": 1.0, "language": "en"}],
                },
            ],
        },
        [("Hmm.", 100, 500)],
        "en",
        True,
    ),
    # AWS Transcribe with language_code and speaker labels.
    "aws": as_json(
        "AWS Transcribe",
        {
            "jobName": "j",
            "status": "COMPLETED",
            "results": {
                "language_code": "en-GB",
                "transcripts": [{"transcript": "Hello, world."}],
                "items": [
                    {
                        "type": "pronunciation",
                        "start_time": "0.1",
                        "end_time": "0.5",
                        "speaker_label": "spk_0",
                        "alternatives": [{"confidence": "0.99", "content": "Hello"}],
                    },
                    {"type": "punctuation", "alternatives": [{"confidence": "0.0", "content": ","}]},
                    {
                        "type": "pronunciation",
                        "start_time": "0.52",
                        "end_time": "0.9",
                        "speaker_label": "spk_0",
                        "alternatives": [{"confidence": "0.99", "content": "world"}],
                    },
                    {"type": "punctuation", "alternatives": [{"confidence": "0.0", "content": "."}]},
                ],
            },
        },
        PLAIN[:2],
        "en-GB",
    ),
}
