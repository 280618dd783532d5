"""Judges: who is asked for the markers that need a listener, under which contract, and what is believed."""
