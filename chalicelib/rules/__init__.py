"""The game and the tournament: pure functions on frozen values. No clock, no network, no randomness but a seed."""
