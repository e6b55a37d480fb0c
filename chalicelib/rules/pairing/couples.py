"""Partners drawn once (单人赛, 固定抽签搭档): which persons make a couple.

Source: rules of the game, section 7. Persons in ascending SHA-256 of ``seed:partners:entry-number``, neighbours are
partners; the odd last person has a bye each round until somebody joins; late joiners are coupled among themselves
in the same order. Here: somebody who is waiting for a partner stands first among those who join.
A couple of which one has left waits, seated nowhere, for a substitute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chalicelib.rules.model import Entry
from chalicelib.rules.pairing.hashes import lot


class Couples(NamedTuple):
    """``couples``: entry numbers ascending, both present; ``waiting``: the person without partner, if present."""

    couples: list[tuple[int, int]]
    waiting: int | None


def couples_of(entries: Sequence[Entry], seed: str, round_number: int) -> Couples:
    """The couples who play in that round and the person who waits for a partner."""
    couples: list[tuple[Entry, Entry]] = []
    waiting: Entry | None = None
    for joined in sorted({entry.joined_round for entry in entries if entry.joined_round <= round_number}):
        pool = [entry for entry in entries if entry.joined_round == joined and entry.entered(joined)]
        pool.sort(key=lambda entry: lot(seed, "partners", entry.number))
        if waiting is not None and waiting.entered(joined):
            pool.insert(0, waiting)
        couples.extend(zip(pool[::2], pool[1::2], strict=False))
        waiting = pool[-1] if len(pool) % 2 else None
    present = [
        (min(one.number, other.number), max(one.number, other.number))
        for one, other in couples
        if one.entered(round_number) and other.entered(round_number)
    ]
    alone = waiting.number if waiting is not None and waiting.entered(round_number) else None
    return Couples(present, alone)
