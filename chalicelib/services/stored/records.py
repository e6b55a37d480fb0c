"""A round's tables in the store as the records of the rules, and back.

Everywhere but in teams of four a table is one record. A match of teams of four is two tables in the store, one for
each room, with words, state and ruling of their own. It is two records once both rooms have been played, and one
record without room while one of them has no result, or where a room's ruling says that the match was not played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from chalicelib.rules.model import Outcome, Room, Round, Side, Table
from chalicelib.rules.table_state import TableResult
from chalicelib.services.stored import tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.store.matches import CLOSED_ROOMS, closed_room

HIGHEST_MATCH = CLOSED_ROOMS - 1
"""A match of teams of four with a higher number would have no address for its closed room."""
FORFEITS = (Outcome.NS_FORFEIT, Outcome.EW_FORFEIT, Outcome.DOUBLE_FORFEIT)
Said = tuple[StoredTable, TableResult | None]
"""A table of the store and the result that counts for it."""


def records(said: Iterable[Said]) -> tuple[Table, ...]:
    """The rules' records of a round's tables, in order of their numbers."""
    made: list[Table] = []
    matches: dict[int, list[Said]] = {}
    for table, result in said:
        if table.room is None:
            made.append(_record(table, result))
        else:
            matches.setdefault(table.match, []).append((table, result))
    for number in sorted(matches):
        made += _match(matches[number])
    return tuple(made)


def match_forfeit(results: Iterable[TableResult | None]) -> Outcome | None:
    """What the rooms' results say where they say that a match of teams of four was not played; None elsewhere.

    Who is said to have forfeited in one room has forfeited the match, whatever the other room holds.
    """
    outcomes = {result.outcome for result in results if result is not None} & set(FORFEITS)
    if not outcomes:
        return None
    return outcomes.pop() if len(outcomes) == 1 else Outcome.DOUBLE_FORFEIT


def _match(rooms: Sequence[Said]) -> list[Table]:
    table = rooms[0][0]
    results = [result for _, result in rooms]
    forfeit = match_forfeit(results)
    if forfeit is not None:
        return [_record(table, TableResult(forfeit), room=None)]
    played = [result is not None and result.outcome is Outcome.PLAYED for result in results]
    if all(played):
        return [_record(table, result, room=Room(table.room)) for table, result in rooms if table.room is not None]
    waiting = [table for (table, _), done in zip(rooms, played, strict=True) if not done]
    postponed = all(table.postponed is not None for table in waiting)
    return [_record(table, None, room=None, postponed=postponed)]


def _record(
    table: StoredTable, result: TableResult | None, *, room: Room | None = None, postponed: bool | None = None
) -> Table:
    """One record; without a result it is unplayed."""
    number, ns, ew = table.match, tuple(table.ns), tuple(table.ew)
    board_set, third_place = table.board_set, table.third_place
    if result is None or result.outcome is Outcome.UNPLAYED:
        put_off = table.postponed is not None if postponed is None else postponed
        return Table(number, ns, ew, Outcome.UNPLAYED, board_set=board_set, postponed=put_off, third_place=third_place)
    if result.outcome is not Outcome.PLAYED:
        return Table(number, ns, ew, result.outcome, board_set=board_set, third_place=third_place)
    return Table(
        number,
        ns,
        ew,
        Outcome.PLAYED,
        result.ns_level,
        result.ew_level,
        result.boards,
        board_set,
        room,
        result.winner,
        third_place=third_place,
    )


def open_numbers(found: Sequence[StoredTable], double_submission: bool) -> list[int]:
    """Addresses of the tables that hold up the next round: without a result (or ruled to have none) and not put
    off. A room of a match that was forfeited in the other room holds up nothing."""
    results = {table.table: tables.state_of(table, double_submission).effective for table in found}
    rooms: dict[int, list[TableResult | None]] = {}
    for table in found:
        if table.room is not None:
            rooms.setdefault(table.match, []).append(results[table.table])
    given_up = {match for match, said in rooms.items() if match_forfeit(said) is not None}

    def is_open(table: StoredTable) -> bool:
        result = results[table.table]
        if table.postponed is not None or (table.room is not None and table.match in given_up):
            return False
        return result is None or result.outcome is Outcome.UNPLAYED

    return [table.table for table in found if is_open(table)]


def drawn_round(drawn: Round, *, rooms: bool, boards: Callable[[Table], list[int]], postponed: str) -> Iterator[Said]:
    """The tables that a round of a document comes back as, each with its result; the opposite of :func:`records`.

    ``rooms``: its matches are played in two rooms; ``boards``: what a table that was not played would play;
    ``postponed``: the reason that stands at tables that were put off.
    """
    for table in drawn.tables:
        played = table.outcome is Outcome.PLAYED
        at = [table.room or Room.OPEN] if rooms and played else list(Room) if rooms else [None]
        for room in at:
            yield _stored(drawn.number, table, room, boards(table), postponed), _result(table)


def _stored(number: int, table: Table, room: Room | None, boards: list[int], postponed: str) -> StoredTable:
    return StoredTable(
        round=number,
        table=closed_room(table.number) if room is Room.CLOSED else table.number,
        generation="",
        ns=list(table.ns),
        ew=list(table.ew),
        ruling=None,
        rulings=[],
        postponed=postponed if table.postponed else None,
        extra_minutes=0,
        held_until=0,
        version=1,
        boards=boards,
        board_set=table.board_set,
        room=None if room is None else room.value,
        third_place=table.third_place,
    )


def _result(table: Table) -> TableResult | None:
    if table.outcome is Outcome.UNPLAYED:
        return None
    if table.outcome is not Outcome.PLAYED:
        return TableResult(table.outcome)
    winner = None if table.winner is None else Side(table.winner)
    return TableResult(table.outcome, table.ns_level, table.ew_level, winner, table.boards)
