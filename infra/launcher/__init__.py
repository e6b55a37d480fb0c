"""The launcher: what must be there before a command runs. Plain standard library: nothing is installed yet."""
