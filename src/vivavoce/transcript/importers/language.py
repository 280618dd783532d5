"""Language codes as BCP 47 writes them, from what services call languages."""

from __future__ import annotations

import re
from typing import Any

# Names as Whisper writes them, and three-letter codes (ISO 639-2, 639-3), of the languages met most.
# fmt: off
_NAMES = {
    "af": "afrikaans afr", "ar": "arabic ara", "bn": "bengali ben", "bg": "bulgarian bul", "ca": "catalan cat",
    "zh": "chinese mandarin zho chi cmn", "yue": "cantonese", "hr": "croatian hrv", "cs": "czech ces cze",
    "da": "danish dan", "nl": "dutch nld dut", "en": "english eng", "et": "estonian est", "fi": "finnish fin",
    "fr": "french fra fre", "de": "german deu ger", "el": "greek ell gre", "gu": "gujarati guj", "he": "hebrew heb",
    "hi": "hindi hin", "hu": "hungarian hun", "is": "icelandic isl", "id": "indonesian ind", "ga": "irish gle",
    "it": "italian ita", "ja": "japanese jpn", "kn": "kannada kan", "ko": "korean kor", "lv": "latvian lav",
    "lt": "lithuanian lit", "ms": "malay msa may", "ml": "malayalam mal", "mr": "marathi mar", "no": "norwegian nor",
    "fa": "persian fas per", "pl": "polish pol", "pt": "portuguese por", "pa": "punjabi pan",
    "ro": "romanian ron rum", "ru": "russian rus", "sr": "serbian srp", "sk": "slovak slk slo", "sl": "slovenian slv",
    "es": "spanish spa castilian", "sw": "swahili swa", "sv": "swedish swe", "tl": "tagalog tgl", "ta": "tamil tam",
    "te": "telugu tel", "th": "thai tha", "tr": "turkish tur", "uk": "ukrainian ukr", "ur": "urdu urd",
    "vi": "vietnamese vie", "cy": "welsh cym wel",
}
# fmt: on
_CODES = {name: code for code, names in _NAMES.items() for name in names.split()}
_TAG = re.compile(r"([a-z]{2,3})((?:-[a-z0-9]{2,8})*)")
_REGIONS = {"uk": "GB"}


def language_code(value: Any) -> str | None:
    """Return the BCP 47 code of a language as a service names it (english, eng, en_us, en-us), None if not known."""
    if not isinstance(value, str):
        return None
    given = value.strip().lower().replace("_", "-")
    if given in _CODES:
        return _CODES[given]
    match = _TAG.fullmatch(given)
    if not match or given == "auto":
        return None
    parts = [part for part in match[2].split("-") if part]
    return "-".join([_CODES.get(match[1], match[1]), *(_subtag(part) for part in parts)])


def _subtag(part: str) -> str:
    if len(part) == 4 and part.isalpha():
        return part.title()
    return _REGIONS.get(part, part.upper()) if len(part) == 2 else part
