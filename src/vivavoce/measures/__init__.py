"""Numbers taken from sources: pace, pauses, loudness, reading; each measure is one function that can be replaced."""
