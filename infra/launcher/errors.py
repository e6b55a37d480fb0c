"""The one error the launcher reports to people."""


class SetupError(Exception):
    """Something that the launcher cannot provide by itself; the text is one line that says what to do."""
