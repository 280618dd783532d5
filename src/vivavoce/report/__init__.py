"""The report card: one JSON document (`card`), shown as text or as a self-contained page."""
