"""The ``clubs``, ``entries`` and ``adjustments`` of a document."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from chalicelib.rules.criteria import ADJUSTABLE
from chalicelib.rules.document.reader import HIGHEST_NUMBER, Reader
from chalicelib.rules.faults import FaultCode, Path
from chalicelib.rules.kinds import Entrants, Kind
from chalicelib.rules.model import Adjustment, Entry, Player

ENTRY_FIELDS: Final = frozenset({"no", "name", "club", "players", "group", "seed", "joined_round", "left_after_round"})
PLAYER_FIELDS: Final = frozenset({"name", "phone"})
ADJUSTMENT_FIELDS: Final = frozenset({"entry", "round", "criterion", "amount", "reason"})
MOST_NAMES_IN_A_TEAM: Final = 8


def read_clubs(reader: Reader, top: Mapping[str, Any]) -> tuple[str, ...]:
    """The event's 团体列表."""
    clubs: list[str] = []
    seen: set[str] = set()
    for position, value in enumerate(reader.array(top, "clubs", ())):
        path: Path = ("clubs", position)
        name = reader.words(value, path)
        if name is None:
            continue
        if name in seen:
            reader.fault(path, FaultCode.DUPLICATE, "this club is listed twice")
        else:
            seen.add(name)
            clubs.append(name)
    return tuple(clubs)


def read_entries(reader: Reader, top: Mapping[str, Any], kind: Kind | None) -> list[Entry | None]:
    """The entries in the document's order; None where one has no number of its own."""
    if not reader.required(top, "entries", ()):
        return []
    entries: list[Entry | None] = []
    seen: set[int] = set()
    for position, value in enumerate(reader.array(top, "entries", ())):
        entry = _entry(reader, value, ("entries", position), kind)
        if entry is not None and entry.number in seen:
            reader.fault(("entries", position, "no"), FaultCode.DUPLICATE, "another entry has this number already")
        elif entry is not None:
            seen.add(entry.number)
        entries.append(entry)
    return entries


def _entry(reader: Reader, value: Any, path: Path, kind: Kind | None) -> Entry | None:
    fields = reader.fields(value, path, ENTRY_FIELDS)
    if fields is None:
        return None
    number = reader.integer(fields, "no", path)
    name = reader.text(fields, "name", path)
    club = reader.optional_text(fields, "club", path)
    players = _players(reader, fields, path)
    if kind is not None and kind.entrants is Entrants.TEAM_OF_TWO_PAIRS and len(players) > MOST_NAMES_IN_A_TEAM:
        message = f"a team has at most {MOST_NAMES_IN_A_TEAM} names"
        reader.fault((*path, "players"), FaultCode.OUT_OF_RANGE, message)
    group = reader.optional_text(fields, "group", path)
    seed = reader.optional_integer(fields, "seed", path)
    joined = reader.whole(fields["joined_round"], (*path, "joined_round")) if "joined_round" in fields else 1
    left = reader.optional_integer(fields, "left_after_round", path, low=0)
    if left is not None and joined is not None and left < joined - 1:
        message = "an entry cannot leave before the round it joined"
        reader.fault((*path, "left_after_round"), FaultCode.INCONSISTENT, message)
        left = None
    if number is None:
        return None
    return Entry(number, name, club, players, group, seed, joined or 1, left)


def _players(reader: Reader, entry: Mapping[str, Any], path: Path) -> tuple[Player, ...]:
    players: list[Player] = []
    for position, value in enumerate(reader.array(entry, "players", path)):
        here = (*path, "players", position)
        fields = reader.fields(value, here, PLAYER_FIELDS)
        if fields is not None:
            players.append(Player(reader.text(fields, "name", here), reader.phone(fields, "phone", here)))
    return tuple(players)


def read_adjustments(reader: Reader, top: Mapping[str, Any], kind: Kind) -> list[Adjustment | None]:
    """The adjustments in the document's order; None where one is not sound in itself."""
    return [
        _adjustment(reader, value, ("adjustments", position), kind)
        for position, value in enumerate(reader.array(top, "adjustments", ()))
    ]


def _adjustment(reader: Reader, value: Any, path: Path, kind: Kind) -> Adjustment | None:
    fields = reader.fields(value, path, ADJUSTMENT_FIELDS)
    if fields is None:
        return None
    entry = reader.integer(fields, "entry", path)
    round_number = reader.integer(fields, "round", path, 1, HIGHEST_NUMBER)
    criterion = _adjusted_criterion(reader, fields, path, kind)
    amount = None
    if reader.required(fields, "amount", path):
        amount = reader.amount(fields["amount"], (*path, "amount"))
    reason = None
    if reader.required(fields, "reason", path):
        reason = reader.words(fields["reason"], (*path, "reason"))
    if entry is None or round_number is None:
        return None
    # A wrong criterion, amount or reason must not hide that the entry or the round is not there.
    return Adjustment(entry, round_number, criterion, amount or Fraction(0), reason or "")


def _adjusted_criterion(reader: Reader, fields: Mapping[str, Any], path: Path, kind: Kind) -> str:
    if not reader.required(fields, "criterion", path):
        return ADJUSTABLE[0]
    value = fields["criterion"]
    here = (*path, "criterion")
    if not isinstance(value, str):
        reader.fault(here, FaultCode.WRONG_TYPE, "must be text")
    elif value not in ADJUSTABLE:
        reader.fault(here, FaultCode.OUT_OF_RANGE, f"must be one of {', '.join(ADJUSTABLE)}")
    elif value not in kind.adjustable:
        reader.fault(here, FaultCode.NOT_OFFERED, f"{kind.english} events do not have this criterion")
    else:
        return value
    return ADJUSTABLE[0]
