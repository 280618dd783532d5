"""Transcript files: each format is one module with `NAME`, `misfit` (why a file is not of it) and `read`.

To add one, write the module and name it in `FORMATS`; the first that fits reads the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.entries import split_entries
from vivavoce.transcript.importers import (
    aeneas,
    assemblyai,
    assemblyai_stream,
    autoedit,
    aws,
    azure,
    azure_batch,
    azure_fast,
    bbc_kaldi,
    chat,
    ctm,
    deepgram,
    deepgram_live,
    elevenlabs,
    gladia,
    google,
    huggingface,
    ibm,
    openai,
    paper_edit,
    plain,
    pocketsphinx,
    revai,
    revai_stream,
    segments,
    speechmatics,
    speechmatics_v1,
    srt,
    textgrid,
    vosk,
    webvtt,
    whisper,
    whisper_cpp,
    whisper_timestamped,
    whisperx,
    xai,
)
from vivavoce.transcript.importers.source import Source

__all__ = ["FORMATS", "Format", "Source", "load_transcript", "read_transcript"]

# For an hour of speech, the longest recording taken, over 1,300 bytes a word.
MAX_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of transcript file: its name, why a file is not of it (None: it is), and how it is read."""

    name: str
    misfit: Callable[[Source], str | None]
    read: Callable[[Source], Transcript]


# The first that fits reads the file; no file of one kind fits another, so the order matters for hybrids only.
FORMATS: tuple[Format, ...] = (
    Format(plain.NAME, plain.misfit, plain.read),
    Format(aws.NAME, aws.misfit, aws.read),
    Format(google.NAME, google.misfit, google.read),
    Format(azure.NAME, azure.misfit, azure.read),
    Format(azure_batch.NAME, azure_batch.misfit, azure_batch.read),
    Format(azure_fast.NAME, azure_fast.misfit, azure_fast.read),
    Format(ibm.NAME, ibm.misfit, ibm.read),
    Format(deepgram.NAME, deepgram.misfit, deepgram.read),
    Format(deepgram_live.NAME, deepgram_live.misfit, deepgram_live.read),
    Format(speechmatics.NAME, speechmatics.misfit, speechmatics.read),
    Format(speechmatics_v1.NAME, speechmatics_v1.misfit, speechmatics_v1.read),
    Format(assemblyai.NAME, assemblyai.misfit, assemblyai.read),
    Format(assemblyai_stream.NAME, assemblyai_stream.misfit, assemblyai_stream.read),
    Format(revai.NAME, revai.misfit, revai.read),
    Format(revai_stream.NAME, revai_stream.misfit, revai_stream.read),
    Format(gladia.NAME, gladia.misfit, gladia.read),
    Format(elevenlabs.NAME, elevenlabs.misfit, elevenlabs.read),
    Format(xai.NAME, xai.misfit, xai.read),
    Format(openai.NAME, openai.misfit, openai.read),
    Format(whisperx.NAME, whisperx.misfit, whisperx.read),
    Format(whisper.NAME, whisper.misfit, whisper.read),
    Format(whisper_timestamped.NAME, whisper_timestamped.misfit, whisper_timestamped.read),
    Format(whisper_cpp.NAME, whisper_cpp.misfit, whisper_cpp.read),
    Format(huggingface.NAME, huggingface.misfit, huggingface.read),
    Format(vosk.NAME, vosk.misfit, vosk.read),
    Format(bbc_kaldi.NAME, bbc_kaldi.misfit, bbc_kaldi.read),
    Format(pocketsphinx.NAME, pocketsphinx.misfit, pocketsphinx.read),
    Format(autoedit.NAME, autoedit.misfit, autoedit.read),
    Format(paper_edit.NAME, paper_edit.misfit, paper_edit.read),
    Format(aeneas.NAME, aeneas.misfit, aeneas.read),
    Format(segments.NAME, segments.misfit, segments.read),
    Format(textgrid.NAME, textgrid.misfit, textgrid.read),
    Format(chat.NAME, chat.misfit, chat.read),
    Format(webvtt.NAME, webvtt.misfit, webvtt.read),
    Format(srt.NAME, srt.misfit, srt.read),
    Format(ctm.NAME, ctm.misfit, ctm.read),
)


def load_transcript(path: Path) -> Transcript:
    """Return the transcript in a file, whatever known format it has.

    Raises TranscriptError: `transcript_unreadable`, `transcript_too_long`, `transcript_json` (no strict JSON),
    `transcript_format` (none of the known formats, with the reason for each), or what its format refuses.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TranscriptError(
            "transcript_unreadable",
            where=path.name or str(path),
            found=error.strerror or str(error),
            allowed="a file that can be read",
            remedy="check the name and the permissions",
        ) from error
    source = Source(path.name, raw)
    if len(raw) > MAX_BYTES:
        raise source.refuse("transcript_too_long", "", f"more than {MAX_BYTES} bytes", f"at most {MAX_BYTES} bytes")
    return read_transcript(source)


def read_transcript(source: Source) -> Transcript:
    """Return the transcript that a file's content holds. Raises TranscriptError as `load_transcript`."""
    if not source.raw.strip():
        raise source.refuse("transcript_format", "", "an empty file", _names())
    source.refuse_long()
    reasons: dict[str, list[str]] = {}
    for known in FORMATS:
        reason = known.misfit(source)
        if reason is None:
            return split_entries(known.read(source))
        reasons.setdefault(reason, []).append(known.name)
    found = "; ".join(f"not {', '.join(names)}: {reason}" for reason, names in reasons.items())
    raise source.refuse("transcript_format", "", found, _names())


def _names() -> str:
    return "a transcript of one of these formats: " + ", ".join(known.name for known in FORMATS)
