"""抽签: a lot that anybody can draw again (section 6)."""

from __future__ import annotations

from hashlib import sha256


def lot(seed: str, name: int | str) -> str:
    """Ascending SHA-256 (hex) of ``seed:lot:entry-number`` (of a club: its name) in UTF-8.

    >>> lot("2026", 1)[:8]
    '612bd2d6'
    """
    return sha256(f"{seed}:lot:{name}".encode()).hexdigest()
