"""Words: reading transcripts, comparing them with a reference, hearing them in a recording (floor 1).

words      a text as comparable tokens (L1)                 alignment  reference against reading, labelled (L3-L5)
spelling   British, American, abbreviations, homophones     importers  transcript files, one module a format
recognizer, weights  the built-in recogniser                lines      one alignment request, JSON in and out
"""
