"""Real parts for tests: the local engine as store, a clock that is set by hand, seeded randomness, kept files."""
