"""Names of people as they are compared: width, case and spaces make no difference."""

from __future__ import annotations

import unicodedata


def comparable(text: str) -> str:
    """Equal for two spellings of one name: full and half width, upper and lower case, with and without spaces."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()
