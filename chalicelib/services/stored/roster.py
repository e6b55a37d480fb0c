"""The entries as standings, pairings and pages need them: read from the shards, or from their pack.

Every change that shows here outdates the pack in its own transaction (``rank_changes.mark(..., roster=True)``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from chalicelib.services.privacy.keys import OpenKey
from chalicelib.services.privacy.sealing import readable
from chalicelib.services.problems import Problem
from chalicelib.services.rank_changes import ROSTER
from chalicelib.services.stored import packs
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, all_entries
from chalicelib.store.events import EventHeader, find_event

UNKNOWN = "?"
OUTSIDE = ("waiting", "single")
"""States of entries that have no place: on the waiting list, or still without a partner."""


class RosterPlayer(msgspec.Struct, frozen=True):
    """A player; ``phone`` is empty unless read from the entries themselves."""

    name: str
    phone: str = ""


class RosterRow(msgspec.Struct, frozen=True):
    """An entry that takes part or took part (never one that waits or has no partner yet)."""

    number: int
    name: str
    club: str
    players: tuple[RosterPlayer, ...]
    seed: int | None
    group: str | None
    joined_round: int
    left_after_round: int | None

    def seated(self) -> SeatedEntry:
        """What pages show of the entry."""
        names = [player.name for player in self.players]
        return SeatedEntry(self.number, self.name or " / ".join(names), self.club, names, [self.number])


def nobody(number: int) -> SeatedEntry:
    """What pages show of an entry that is not there (any more)."""
    return SeatedEntry(number, UNKNOWN, "", [], [number])


def side(names: Mapping[int, SeatedEntry], numbers: Sequence[int]) -> SeatedEntry:
    """One side of a table: an entry, or two persons together (their 团体 only if it is the same)."""
    each = [names.get(number) or nobody(number) for number in numbers]
    if len(each) == 1:
        return each[0]
    clubs = {entry.club for entry in each}
    return SeatedEntry(
        each[0].number,
        " / ".join(entry.name for entry in each),
        clubs.pop() if len(clubs) == 1 else "",
        [player for entry in each for player in entry.players],
        list(numbers),
    )


def _row(entry: StoredEntry) -> RosterRow:
    return RosterRow(
        entry.number,
        entry.name,
        entry.club,
        tuple(RosterPlayer(player.name, player.phone) for player in entry.players),
        entry.seed,
        entry.group,
        entry.joined_round,
        entry.left_after_round,
    )


def stored(header: EventHeader, key: OpenKey | None = None) -> list[RosterRow]:
    """All entries by number, phones included, from the entries themselves; strongly consistent. ``key`` opens those of
    an encrypted event."""
    found = readable(all_entries(header.event_id, header.imports or ()), key)
    return [_row(entry) for entry in found if entry.state not in OUTSIDE]


def packed(world: World, event_id: str) -> list[RosterRow]:
    """All entries by number without phones, from the pack unless it is stale. Raises event_not_found."""
    values = packs.read(world, event_id, {ROSTER: lambda: _pack(event_id)})[ROSTER]
    return [
        RosterRow(number, name, club, tuple(RosterPlayer(player) for player in players), seed, group, joined, left)
        for number, name, club, players, seed, group, joined, left in values
    ]


def _pack(event_id: str) -> Any:
    # The header anew: a finished import shows in it, and one read before may know less than the pack's number.
    header = find_event(event_id, deleted=True)
    if header is None:
        raise Problem("event_not_found")
    return [
        [
            row.number,
            row.name,
            row.club,
            [player.name for player in row.players],
            row.seed,
            row.group,
            row.joined_round,
            row.left_after_round,
        ]
        for row in stored(header)
    ]


def seated_entries(world: World, event_id: str) -> dict[int, SeatedEntry]:
    """Every entry as pages show it, by number."""
    return {row.number: row.seated() for row in packed(world, event_id)}


def seat(entry: StoredEntry) -> SeatedEntry:
    """One entry as pages show it."""
    return _row(entry).seated()
