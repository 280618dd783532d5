"""The rubric as data: model, loader with closed-world checks, digest. Start at `load.load`."""
