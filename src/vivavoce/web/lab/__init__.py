"""The Score Lab."""
