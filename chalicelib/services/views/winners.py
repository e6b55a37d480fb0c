"""Winners of the prizes as the API answers them."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.rounds import SeatedEntry


class Winner(msgspec.Struct, frozen=True):
    """An entry and its place in the ranking."""

    rank: int
    tied: bool
    entry: SeatedEntry


class PrizeWinners(msgspec.Struct, frozen=True):
    """Who wins one award, best first. ``group``: of which ranking, None where the event has one.

    ``undecided``: ``open_places`` of it are to be decided among the ``contested``, who share a rank: the organizer
    decides (``PUT .../winners/decision``) or adds 抽签 to the criteria.
    """

    name: str
    count: int
    group: str | None
    winners: list[Winner]
    open_places: int
    contested: list[Winner]
    undecided: bool


class ClubWinner(msgspec.Struct, frozen=True):
    """A row of the 团体 ranking. ``entries`` are the numbers of those that were counted."""

    rank: int
    tied: bool
    club: str
    complete: bool
    entries: list[int]
    values: list[str]


class Winners(msgspec.Struct, frozen=True):
    """All awards down the ranking as it is, and the 团体 ranking. ``decided``: the order the organizer gave;
    ``total``: how many winners there are to reveal."""

    prizes: list[PrizeWinners]
    clubs: list[ClubWinner]
    decided: list[int]
    total: int
    version: int


class RevealedPrize(msgspec.Struct, frozen=True):
    """One award on the projection: the winners revealed so far, best first, and how many are still hidden."""

    name: str
    group: str | None
    winners: list[Winner]
    hidden: int


class Revealed(msgspec.Struct, frozen=True):
    """The first ``step`` winners, from the last award's last place up to the first award's first.

    ``newest``: the one revealed last. Nothing of the others is in it, not even their number of ties.
    """

    step: int
    total: int
    newest: Winner | None
    prizes: list[RevealedPrize]
