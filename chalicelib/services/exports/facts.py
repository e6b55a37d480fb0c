"""What exports are made of: plain frozen facts, so that no builder knows the store.

Numbers of the ranking are the exact texts of the rules (`12`, `0.5`, `16/3`); money is in 分 (1/100 yuan);
times are aware datetimes, shown in the event's time zone.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import msgspec

from chalicelib.rules.columns import Value

Outcome = Literal["played", "ns_forfeit", "ew_forfeit", "double_forfeit", "unplayed", "postponed"]
EntryState = Literal["active", "waiting", "withdrawn"]
FeeState = Literal["free", "due", "paid", "refunded"]


class PersonFacts(msgspec.Struct, frozen=True):
    """`phone` is "" where it is unknown or not to be shown."""

    name: str
    phone: str = ""


class EntryLabel(msgspec.Struct, frozen=True):
    """How an entry is named on every sheet."""

    no: int
    name: str
    club: str = ""


class EntryFacts(msgspec.Struct, frozen=True):
    """One entry; `group` and `seed` are None where the event has none."""

    label: EntryLabel
    players: tuple[PersonFacts, ...]
    state: EntryState = "active"
    group: str | None = None
    seed: int | None = None
    registered_at: datetime | None = None


class SubstitutionFacts(msgspec.Struct, frozen=True):
    """One substitution 换人: ``came`` plays for ``gone`` from ``round`` on; ``by``: who allowed it."""

    label: EntryLabel
    round: int
    gone: str
    came: str
    reason: str
    by: Literal["organizer", "referee"]
    at: datetime | None = None


class CheckInFacts(msgspec.Struct, frozen=True):
    """One entry at the desk: when and by whom it was checked in, or None and ""; `table` once it is drawn."""

    label: EntryLabel
    players: tuple[PersonFacts, ...]
    checked_in_at: datetime | None = None
    checked_in_by: str = ""
    table: int | None = None


class BoardFacts(msgspec.Struct, frozen=True):
    """One board of a table: result as the pair that sits NS sees it, +3 to -3; `room` "" outside teams of four."""

    board: int
    result: int
    room: Literal["", "open", "closed"] = ""


class TableFacts(msgspec.Struct, frozen=True):
    """One table: a side is one entry, or the two persons that sit together.

    Levels are as written on the table ("10", "A+"), "" without; points are exact texts, None while not known.
    ``board_set`` names the boards played there, ``winner`` is said where levels do not decide, both "" elsewhere.
    """

    table: int
    ns: tuple[EntryLabel, ...]
    ew: tuple[EntryLabel, ...]
    outcome: Outcome = "unplayed"
    ns_level: str = ""
    ew_level: str = ""
    ns_points: Mapping[str, str | None] | None = None
    ew_points: Mapping[str, str | None] | None = None
    boards: tuple[BoardFacts, ...] = ()
    note: str = ""
    board_set: str = ""
    winner: Literal["", "ns", "ew"] = ""
    third_place: bool = False


class RoundFacts(msgspec.Struct, frozen=True):
    """One round; `points` are the codes of the criteria whose numbers its tables carry, in order."""

    no: int
    tables: tuple[TableFacts, ...]
    byes: tuple[EntryLabel, ...] = ()
    sit_outs: tuple[EntryLabel, ...] = ()
    points: tuple[str, ...] = ()


class StandingFacts(msgspec.Struct, frozen=True):
    """One row of the ranking; `values` by criterion code, as the rules give them."""

    rank: int
    tied: bool
    label: EntryLabel
    players: tuple[str, ...]
    values: Mapping[str, Value]
    group: str | None = None


class ClubRankFacts(msgspec.Struct, frozen=True):
    """One row of the 团体 ranking; `complete` is False with fewer results than are counted."""

    rank: int
    tied: bool
    club: str
    complete: bool
    entries: tuple[EntryLabel, ...]
    values: Mapping[str, Value]


class PrizeFacts(msgspec.Struct, frozen=True):
    """One winner of one award."""

    award: str
    rank: int
    label: EntryLabel
    players: tuple[str, ...]


class FeeFacts(msgspec.Struct, frozen=True):
    """What one entry owes and has paid, in 分; `method` as the cashier calls it."""

    label: EntryLabel
    state: FeeState
    entry_fee: int
    extra_fee: int = 0
    paid: int = 0
    refunded: int = 0
    method: str = ""
    paid_at: datetime | None = None
