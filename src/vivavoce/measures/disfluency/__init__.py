"""Disruptions of fluency in a verbatim transcript: filled pauses, fillers, repetitions, cut-offs, false starts.

units     words, filled pauses and fragments as verbatim transcripts mark them
editing, restarts     "I want no I need": reparandum, interregnum, repair
fillers   "um", "sort of"; like, mean: "like", "you know" and "I mean" where they do no work
repeats   words said again at once
grammar   patterns that leave no fluent reading; marks: those that a comma or a dash shows
find      all of them, with times and recovery; counts as the fluency tables want them
"""
