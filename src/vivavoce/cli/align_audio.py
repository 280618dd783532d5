"""`vivavoce align-audio`: a recording and its text in, a transcript with word times out."""

from __future__ import annotations

import argparse
import sys

from vivavoce.audio.waveform import decode
from vivavoce.cli import exits, files
from vivavoce.cli.recordings import transcript_json, warn
from vivavoce.transcript.forced.text import align_text


def run(arguments: argparse.Namespace) -> int:
    """Print the words of the text with the times at which they are said, as a transcript file."""
    text = files.read_text(arguments.text)
    waveform = decode(arguments.audio)
    transcript = align_text(waveform.samples, text, arguments.text.name)
    sys.stdout.write(transcript_json(transcript))
    warn(*waveform.warnings, *transcript.warnings)
    return exits.DONE
