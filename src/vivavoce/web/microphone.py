"""What browsers do to the sound of a microphone, and what that does to the numbers."""

from __future__ import annotations

from vivavoce.store.model import Attempt

# Settings that are asked to be off, as browsers name them: what each is, and what it does.
SETTINGS = {
    "autoGainControl": ("automatic gain", "it evens out loudness, so Volume Control says less about the voice"),
    "noiseSuppression": ("noise suppression", "it can swallow quiet sounds and the ends of words"),
    "echoCancellation": ("echo cancellation", "it can change the sound of the voice"),
}


def microphone_notes(attempt: Attempt) -> list[str]:
    """Say which of the settings were on, or are not known, and what that does; nothing of an upload."""
    notes = []
    for key, (name, effect) in SETTINGS.items():
        value = attempt.settings.get(key, False)
        if value is True:
            notes.append(f"The browser kept {name} on: {effect}.")
        elif value is None:
            notes.append(f"The browser did not say whether {name} was on: if so, {effect}.")
    return notes
