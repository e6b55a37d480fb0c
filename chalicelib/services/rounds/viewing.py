"""A drawn round as its organizers see it: names, reasons, and the conflicts that each table has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chalicelib.rules.kinds import Entrants, Meeting, Scoring
from chalicelib.services import clock
from chalicelib.services.finding import drawn_round, known_event
from chalicelib.services.rounds import drafts, redrawing
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import roster
from chalicelib.services.views.rounds import DrawnTable, Proposal, RoundView, SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, rounds
from chalicelib.store.standings import Pointer, find_pointer

Meetings = dict[frozenset[int], int]
"""Two entries that met -> the last round in which they did."""


def _meetings(table: DraftTable, as_partners: bool) -> Iterator[frozenset[int]]:
    """The pairs of entries that should not come together again: opponents, or the two partners of a side."""
    if as_partners:
        yield from (frozenset(side) for side in (table.ns, table.ew) if len(side) > 1)
    else:
        yield from (frozenset((ns, ew)) for ns in table.ns for ew in table.ew)


def _partners_change(settings: Settings, tables: Sequence[DraftTable]) -> bool:
    """Whether everybody gets a new partner each round: then meeting an opponent again is no conflict."""
    kind = kind_of(settings.kind)
    if kind.entrants is Entrants.PERSON:
        return settings.partners == "new_each_round" and not settings.knockout
    return kind.meeting is Meeting.ROTATION and any(len(table.ns) > 1 for table in tables)


def meetings_before(world: World, event_id: str, number: int, *, as_partners: bool = False) -> Meetings:
    """Who met whom (``as_partners``: who played with whom) in the rounds before ``number``; every drawn table counts,
    whatever became of it."""
    headers = [header for header in rounds(event_id) if header.number < number]
    met: Meetings = {}
    for header, tables in zip(headers, drafts.read(world, headers), strict=True):
        for table in tables:
            met.update(dict.fromkeys(_meetings(table, as_partners), int(header.number)))
    return met


class Names:
    """Entries as pages show them; one that is gone shows as a question mark."""

    def __init__(self, world: World, event_id: str) -> None:
        self._seated = roster.seated_entries(world, event_id)

    def __getitem__(self, number: int) -> SeatedEntry:
        return self._seated.get(number) or roster.nobody(number)

    def side(self, numbers: Sequence[int]) -> SeatedEntry:
        """One side of a table."""
        return roster.side(self._seated, numbers)


def _last_meeting(table: DraftTable, met: Meetings, as_partners: bool) -> int | None:
    """The last round before in which two of the table met in the same way."""
    return max((met[pair] for pair in _meetings(table, as_partners) if pair in met), default=None)


def drawn_tables(
    tables: Sequence[DraftTable], names: Names, met: Meetings, *, as_partners: bool = False
) -> list[DrawnTable]:
    """Tables with names and conflicts."""
    shown = []
    for table in tables:
        ns, ew = names.side(table.ns), names.side(table.ew)
        shown.append(
            DrawnTable(
                table=table.table,
                ns=ns,
                ew=ew,
                why=table.why,
                rematch_of=_last_meeting(table, met, as_partners),
                same_club=bool(ns.club) and ns.club == ew.club,
                board_set=None if table.board_set is None else str(table.board_set),
                third_place=table.third_place,
            )
        )
    return shown


def proposal_view(world: World, event_id: str, number: int, tables: Sequence[DraftTable], byes: list[int]) -> Proposal:
    """What the drawing proposes for round ``number`` when nothing legal exists."""
    names = Names(world, event_id)
    shown = drawn_tables(tables, names, meetings_before(world, event_id, number))
    return Proposal(shown, [names[bye] for bye in byes])


def round_view(
    world: World,
    settings: Settings,
    header: RoundHeader,
    tables: Sequence[DraftTable],
    pointer: Pointer | None,
    event: EventHeader | None = None,
) -> RoundView:
    """A round from its header and tables; the clock is the event's if this round is the one in play. ``event``: to say
    whether results were corrected since it was drawn."""
    event_id, number = header.pk, int(header.number)
    names = Names(world, event_id)
    in_play = pointer if pointer is not None and pointer.round == number else None
    partners = _partners_change(settings, tables)
    met = meetings_before(world, event_id, number, as_partners=partners)
    return RoundView(
        number=number,
        phase=header.phase,
        version=int(header.version),
        tables=drawn_tables(tables, names, met, as_partners=partners),
        byes=[names[bye] for bye in header.byes or ()],
        bye_reasons=list(header.bye_reasons or [""] * len(header.byes or ())),
        sit_outs=[names[out] for out in header.sit_outs or ()],
        report=header.report,
        clock=clock.view(in_play, settings.stop_drawing_minutes, world.now()),
        drawn_at=int(header.drawn_at),
        published_at=None if header.published_at is None else int(header.published_at),
        settled_at=None if header.settled_at is None else int(header.settled_at),
        results_changed=redrawing.changed_since(settings, header, event),
        outdated_by=list(header.outdated_by or ()),
        rooms=kind_of(settings.kind).scoring is Scoring.TEAM_BOARDS,
    )


def read(world: World, event_id: str, number: int) -> RoundView:
    """One round for its organizers, draft or not, with the reason of every table. Raises round_not_found."""
    event, settings = known_event(event_id)
    header = drawn_round(event_id, number)
    (tables,) = drafts.read(world, [header])
    return round_view(world, settings, header, tables, find_pointer(event_id), event)
