"""Where the standings stand that the pointer names: those of the public, and (while frozen) those of the organizers."""

from __future__ import annotations

import msgspec

from chalicelib.store.standings import Pointer
from chalicelib.store.tables import whole


class Place(msgspec.Struct, frozen=True):
    """A version of the standings: its name and pages, the last round it counts, and when it was made (milliseconds)."""

    name: str
    pages: int
    round: int
    at: int

    @property
    def number(self) -> int:
        """The ticket of the run that wrote it."""
        return int(self.name.partition("-")[0])


def public(pointer: Pointer | None) -> Place | None:
    """What everybody may see; None before the first run."""
    if pointer is None or pointer.standings is None:
        return None
    return Place(
        pointer.standings, int(pointer.standings_pages), int(pointer.standings_round), int(pointer.standings_at)
    )


def inside(pointer: Pointer | None) -> Place | None:
    """What organizers and referees see: the ranking as it is, frozen or not."""
    if pointer is None or pointer.inside is None:
        return public(pointer)
    held = pointer.inside
    return Place(held["name"], held["pages"], held["round"], held["at"])


def frozen_from_of(pointer: Pointer | None) -> int | None:
    """The first round whose results no public standings show; None while they are not frozen."""
    return None if pointer is None else whole(pointer.frozen_from)
