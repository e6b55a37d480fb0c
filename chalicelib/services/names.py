"""Names of people as they are kept and compared: what nobody sees makes no difference."""

from __future__ import annotations

import unicodedata

from chalicelib.services.problems import Problem

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts and signs are written."""


def visible(text: str) -> str:
    """The text without marks that nobody sees (they come along with what is copied, and can turn a name around)."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter in _JOINERS or unicodedata.category(letter) != "Cf")


def neat(text: str) -> str:
    """A typed name as it is kept: composed, without invisible marks and without space around it; may be empty."""
    return visible(unicodedata.normalize("NFC", text)).strip().strip(_JOINERS)


def cleaned(text: str, field: str) -> str:
    """The same for a name that must be there.

    Raises bad_value with ``field`` when nothing is left.
    """
    name = neat(text)
    if not name:
        raise Problem("bad_value", field, why_zh="不能为空", why_en="must not be empty")
    return name


def comparable(text: str) -> str:
    """Equal for two spellings of one name: full and half width, upper and lower case, with and without spaces."""
    return "".join(visible(unicodedata.normalize("NFKC", text)).split()).casefold()
