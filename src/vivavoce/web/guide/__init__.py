"""The rubric guide, made from the edition's data."""
