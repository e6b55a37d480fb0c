"""Substitutions and the line-ups that teams give, as the API answers them."""

from __future__ import annotations

import msgspec


class SubstitutionView(msgspec.Struct, frozen=True):
    """换人: at place ``player`` (from 0) of ``entry`` the player ``gone`` made room for ``came``, who plays from
    ``round`` on. ``person``: the number by which the data of who left are exported or erased."""

    id: str
    entry: int
    player: int
    round: int
    gone: str
    came: str
    reason: str
    actor: str
    at: int
    person: int


class PlaceView(msgspec.Struct, frozen=True):
    """Who plays at place ``player`` (from 0) of ``entry``; ``person``: the opaque id that says who it is when names do
    not."""

    entry: int
    player: int
    person: str
    name: str


class Substitutions(msgspec.Struct, frozen=True):
    """Who may be replaced in an entry, and who was: oldest first. ``round``: from which a substitute would play now;
    ``why_not``: the code of the problem catalogue that stands against it, or None."""

    number: int
    players: list[PlaceView]
    round: int
    why_not: str | None
    substitutions: list[SubstitutionView]


class MyLineUp(msgspec.Struct, frozen=True):
    """The line-up that a team gives from its phones. ``rooms``: places within the team, of the pair in the open room
    and of that in the closed one (one list where a match is one table); empty lists while nobody has said.

    ``round``: for which it is; ``version``: to answer to; ``why_not``: the code of the problem catalogue that says why
    it cannot be given now, or None.
    """

    round: int
    rooms: list[list[int]]
    version: int
    why_not: str | None
