"""Measurements against the figures we promise; one module per subject, each with `rows() -> list[BenchRow]`."""
