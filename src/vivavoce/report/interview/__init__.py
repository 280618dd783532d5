"""The report of a scored interview: one document a part, one of a whole test; shown as text or as a page."""
