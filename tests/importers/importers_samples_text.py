"""Samples of what aligners, editors and captioners write."""

from __future__ import annotations

from importers_sample import PLAIN, SECONDS, Sample, as_json

TEXT: dict[str, Sample] = {
    "aeneas_words": as_json(
        "aeneas",
        {
            "fragments": [
                {
                    "id": "f1",
                    "begin": f"{start:.3f}",
                    "end": f"{end:.3f}",
                    "language": "eng",
                    "lines": [said],
                    "children": [],
                }
                for said, start, end in SECONDS
            ]
        },
        PLAIN,
        "en",
    ),
    # Praat's manual, TextGrid file formats: long form, a word tier after one of phones, a quote doubled.
    "textgrid_long": Sample(
        "Praat TextGrid",
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0 \nxmax = 2 \ntiers? <exists> \nsize = 3 \n'
        'item []: \n    item [1]:\n        class = "IntervalTier" \n        name = "phones" \n        xmin = 0 \n'
        "        xmax = 2 \n        intervals: size = 1 \n        intervals [1]:\n            xmin = 0 \n"
        '            xmax = 2 \n            text = "AH0" \n    item [2]:\n        class = "TextTier" \n'
        '        name = "bell" \n        xmin = 0 \n        xmax = 2 \n        points: size = 1 \n'
        '        points [1]:\n            number = 1.5 \n            mark = "ding" \n'
        '    item [3]:\n        class = "IntervalTier" \n        name = "ann - words" \n        xmin = 0 \n'
        "        xmax = 2 \n        intervals: size = 3 \n        intervals [1]:\n            xmin = 0.1 \n"
        '            xmax = 0.5 \n            text = """Hello""" \n        intervals [2]:\n            xmin = 0.5 \n'
        '            xmax = 0.52 \n            text = "sil" \n        intervals [3]:\n            xmin = 0.52 \n'
        '            xmax = 0.9 \n            text = "world" \n',
        [('"Hello"', 100, 500), ("world", 520, 900)],
    ),
    # W3C WebVTT, cue timestamps; the last word ends with its cue.
    "webvtt_marks": Sample(
        "WebVTT",
        "WEBVTT\n\nNOTE a remark\n\n1\n00:00:00.100 --> 00:00:00.900 align:start\n"
        "<v Ann>Hello,<00:00:00.520> <c>world.</c>\n\n00:01.000 --> 00:01.700\nIt<00:00:01.100> is<00:00:01.250> 5.\n",
        [("Hello,", 100, 520), ("world.", 520, 900), ("It", 1000, 1100), ("is", 1100, 1250), ("5.", 1250, 1700)],
        None,
        None,
        ("several_speakers",),
    ),
    # YouTube's rolling captions: every line is shown again, plain, in the next cues.
    "webvtt_rolling": Sample(
        "WebVTT",
        "WEBVTT\nKind: captions\nLanguage: en\n\n00:00:00.100 --> 00:00:00.900 align:start position:0%\n \n"
        "Hello,<00:00:00.520><c> world.</c>\n\n00:00:00.900 --> 00:00:00.910 align:start position:0%\n"
        "Hello, world.\n \n\n"
        "00:00:01.000 --> 00:00:01.700 align:start position:0%\nHello, world.\nIt<00:00:01.100><c> is</c>"
        "<00:00:01.250><c> 5.</c>\n",
        [("Hello,", 100, 520), ("world.", 520, 900), ("It", 1000, 1100), ("is", 1100, 1250), ("5.", 1250, 1700)],
    ),
    "srt_words": Sample(
        "SubRip",
        "\n\n".join(
            f"{number}\n00:00:0{start // 1000},{start % 1000:03d} --> 00:00:0{end // 1000},{end % 1000:03d}\n{said}"
            for number, (said, start, end) in enumerate(PLAIN, 1)
        ),
        PLAIN,
    ),
    # openai-whisper, --word_timestamps True --highlight_words True.
    "srt_highlight": Sample(
        "SubRip",
        "1\n00:00:00,100 --> 00:00:00,500\n<u>Hello,</u> world.\n\n2\n00:00:00,500 --> 00:00:00,520\nHello, world.\n\n"
        "3\n00:00:00,520 --> 00:00:00,900\nHello, <u>world.</u>\n",
        PLAIN[:2],
    ),
    # NIST SCTK, ctm: comments, alternatives, a confidence; Kaldi's silence.
    "ctm": Sample(
        "CTM",
        ";; made by hand\nrec1 1 0.10 0.40 hello 0.98\nrec1 1 * * <ALT_BEGIN>\nrec1 1 0.52 0.38 world 0.5\n"
        "rec1 1 * * <ALT>\nrec1 1 0.52 0.38 word 0.5\nrec1 1 * * <ALT_END>\nrec1 1 0.9 0.1 <eps> 1.00\n"
        "rec1 1 1.00 0.40 (%HESITATION) 0.7\n",
        [("hello", 100, 500), ("world", 520, 900), ("uh", 1000, 1400)],
    ),
    "chat": Sample(
        "CHAT",
        "@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tCHI Child\n"
        "*CHI:\t&-um I , [/] I (be)cause he +... \x15100_2000\x15\n"
        "%wor:\tum \x15100_400\x15 I \x15500_600\x15 I \x15700_800\x15\n"
        "\tbecause \x15900_1300\x15 he \x151400_2000\x15 .\n@End\n",
        [("um", 100, 400), ("I,", 500, 600), ("I", 700, 800), ("because", 900, 1300), ("he...", 1400, 2000)],
        "en",
        True,
    ),
}
