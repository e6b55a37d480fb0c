"""Lots that anybody can check: ascending SHA-256 (hex) of a text in UTF-8 (rules of the game, section 7)."""

from __future__ import annotations

from hashlib import sha256


def lot(*parts: object) -> str:
    """The hash of the parts joined by colons; the smaller one comes first.

    >>> lot("2026", 1, 7) == sha256(b"2026:1:7").hexdigest()
    True
    """
    return sha256(":".join(map(str, parts)).encode()).hexdigest()
