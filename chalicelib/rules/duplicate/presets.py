"""One click: the level played (级牌) and the first leader (首领出牌者) of every board (一键生成).

Source: the manual, duplicate settings; rules of the game, section 5. Leaders are N, E, S, W in turn; the level is
drawn from a stored seed [ours], so that anybody can draw it again. Boards are independent of one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Final

from chalicelib.rules.levels import level_index, level_name

_LEVELS: Final = level_index("A") + 1
"""2 to A; a board is never played at A+."""


class Seat(StrEnum):
    """The four players of a table, in turn."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


_SEATS: Final = tuple(Seat)


@dataclass(frozen=True, slots=True)
class Preset:
    """One board of one round: ``level`` is the level's name (``2`` to ``A``)."""

    round: int
    board: int
    level: str
    leader: Seat


def presets(seed: str, rounds: int, boards_per_round: int) -> list[Preset]:
    """The presets of boards 1..``boards_per_round`` of every round.

    The level of a board is the SHA-256 of ``seed:level:round:board`` modulo the thirteen levels.
    """
    if rounds < 1 or boards_per_round < 1:
        raise ValueError("at least one round of one board")
    return [preset(seed, number, board) for number in range(1, rounds + 1) for board in range(1, boards_per_round + 1)]


@lru_cache(maxsize=4096)
def preset(seed: str, round_number: int, board: int) -> Preset:
    """The preset of one board of a round, both from 1."""
    return Preset(round_number, board, _level(seed, round_number, board), _SEATS[(board - 1) % len(_SEATS)])


def _level(seed: str, round_number: int, board: int) -> str:
    digest = sha256(f"{seed}:level:{round_number}:{board}".encode()).digest()
    # 256 bits modulo 13: no level is likelier than another by more than 2**-252.
    return level_name(int.from_bytes(digest, "big") % _LEVELS)[0]
