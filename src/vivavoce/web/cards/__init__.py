"""Report cards: the list, one card, attempts side by side."""
