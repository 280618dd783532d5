"""Judging an interview by graduated checks (IELTS Speaking): prompt, strict contract, samples by majority."""
