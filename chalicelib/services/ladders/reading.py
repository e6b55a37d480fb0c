"""What anybody may see of ladders, and what an organizer sees of them for one event."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from chalicelib.services.finding import known_event
from chalicelib.services.ladders.kept import (
    Change,
    Row,
    bucket_of,
    changes_key,
    how_many_events,
    included_in,
    page_keys,
)
from chalicelib.services.ladders.known import Season, all_ladders, known_ladder, open_season, season_of, seasons_of
from chalicelib.services.ladders.posting import Posted, posted_of, touched_of
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.views.ladders import (
    EventLadder,
    EventLadders,
    LadderEvent,
    LadderList,
    LadderMember,
    LadderRow,
    LadderSeason,
    LadderTable,
    LadderView,
)
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.ladders import (
    POSTING,
    TABLE,
    Ladder,
    Note,
    Posting,
    Table,
    bodies,
    find_note,
    find_table,
    opened,
)
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy

ROWS_OF_AN_ANSWER = 50
MOST_PAGES = 20
"""So many pages of a table one search looks through; the answer says from where to go on."""
MOST_EVENTS = 100
ATTEMPTS = 5
_NUMBER = re.compile(r"[0-9]{1,6}")


def listing() -> LadderList:
    """All ladders, archived ones too."""
    return LadderList([view(ladder) for ladder in all_ladders()])


def view(ladder: Ladder) -> LadderView:
    """One ladder."""
    return LadderView(
        ladder.sk,
        ladder.name,
        ladder.name_en or "",
        ladder.archived_at is not None,
        bool(ladder.restricted),
        int(ladder.members),
        [_season(season) for season in reversed(seasons_of(ladder))],
        int(ladder.version),
    )


def _season(season: Season) -> LadderSeason:
    each = season.parameters
    return LadderSeason(
        season.number,
        season.name,
        season.opened_at,
        season.closed_at,
        each.method,
        each.per_entry,
        each.most,
        each.paid_percent,
        each.factor,
    )


def table(world: World, ladder_id: str, season: str | None, text: str, after: str | None) -> LadderTable:
    """Up to 50 rows of a season's table (None: the latest season) whose name or 团体 holds ``text``, from ``after`` on.

    An answer may hold fewer than there are while ``next`` goes on: a search looks at 20 pages at a time.
    Raises ladder_not_found, season_not_found, bad_value for a place that is none.
    """
    ladder = known_ladder(ladder_id)
    chosen = season_of(ladder, _number(season, "season"))
    first = _number(after, "after") or 0
    if chosen is None:
        return LadderTable(view(ladder), None, 0, 0, True, [], None)
    for _ in range(ATTEMPTS):
        found = find_table(ladder_id, chosen.number)
        rows = _rows(world, found, comparable(text), first)
        if rows is not None:
            return LadderTable(
                view(ladder),
                chosen.number,
                int(found.listed),
                how_many_events(found),
                int(found.built) >= int(found.wanted),
                [_row(row) for row in rows[0]],
                None if rows[1] is None else str(rows[1]),
            )
    # Made anew each time we looked.
    raise Busy


def _rows(world: World, found: Table, wanted: str, first: int) -> tuple[list[Row], int | None] | None:
    """Rows from the place ``first`` on and where the next begin; None if the table is not there any more."""
    keys, size = page_keys(found), int(found.rows_of_a_page)
    rows: list[Row] = []
    number = first // size
    place = first
    for number in range(first // size, len(keys)):
        if number - first // size >= MOST_PAGES:
            return rows, number * size
        page = _page(world, found, keys[number])
        if page is None:
            return None
        for place, row in enumerate(page, start=number * size):
            if place < first or (wanted and wanted not in comparable(row.name) and wanted not in comparable(row.club)):
                continue
            if len(rows) == ROWS_OF_AN_ANSWER:
                return rows, place
            rows.append(row)
    return rows, None


def _page(world: World, found: Table, key: str) -> list[Row] | None:
    (body,) = bodies(found.pk, [key], world.sleep, world.random.fraction)
    return None if body is None else opened(body, list[Row])


def _row(row: Row) -> LadderRow:
    return LadderRow(row.rank, row.person, row.name, row.club, row.value, len(row.events))


def _number(text: str | None, field: str) -> int | None:
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise Problem("bad_value", field, why_zh="须是数字", why_en="must be a number")
    return int(text)


def member(world: World, ladder_id: str, person: str, season: str | None) -> LadderMember:
    """Somebody's row and history in a season (None: the latest).

    Raises ladder_not_found, season_not_found, ladder_member_not_found.
    """
    ladder = known_ladder(ladder_id)
    chosen = season_of(ladder, _number(season, "season"))
    for _ in range(ATTEMPTS):
        if chosen is None:
            break
        found = find_table(ladder_id, chosen.number)
        row = _find(world, found, person)
        if row is None:
            break
        events = _history(world, found, row)
        if events is not None:
            return LadderMember(view(ladder), chosen.number, _row(row), chosen.parameters.rules().start, events)
    raise Problem("ladder_member_not_found")


def _find(world: World, found: Table, person: str) -> Row | None:
    for key in page_keys(found):
        for row in _page(world, found, key) or ():
            if row.person == person:
                return row
    return None


def _history(world: World, found: Table, row: Row) -> list[LadderEvent] | None:
    """The latest events of a row; None if its changes are not there any more."""
    included = included_in(world, found)
    if included is None:
        return None
    latest = [included[place] for place in reversed(row.events[-MOST_EVENTS:])]
    keys = [changes_key(each.event_id, each.run, bucket_of(row.person, each.buckets)) for each in latest]
    parts = bodies(found.pk, keys, world.sleep, world.random.fraction)
    heads = bulk.get_items(
        [(TABLE, found.pk, f"{POSTING}{each.event_id}") for each in latest], world.sleep, world.random.fraction
    )
    events: list[LadderEvent] = []
    for each, part, head in zip(latest, parts, heads, strict=True):
        changes = None if part is None else opened(part, dict[str, Change])
        if changes is None or row.person not in changes:
            return None
        place, entries, change, points = changes[row.person]
        posting = None if head is None else Posting.from_raw_data(head)
        public = posting is not None and bool(posting.name)
        events.append(
            LadderEvent(
                each.event_id if public else None,
                "" if posting is None else posting.name,
                None if posting is None or not public else whole(posting.starts_at),
                "Asia/Shanghai" if posting is None else posting.time_zone,
                0 if posting is None else int(posting.at),
                place,
                entries,
                change,
                points,
            )
        )
    return events


def of_event(world: World, event_id: str) -> EventLadders:
    """What an event has to do with each ladder it may count for or does. Raises event_not_found."""
    header, settings = known_event(event_id)
    note = find_note(event_id)
    posted = {} if note is None else posted_of(note)
    lines = [
        _event_ladder(ladder, settings.ladders, header.phase, note, posted.get(ladder.sk))
        for ladder in all_ladders()
        if ladder.archived_at is None or ladder.sk in settings.ladders or ladder.sk in posted
    ]
    ended_by: Literal["system", "organizer"] | None = None
    if header.phase == "ended" and note is not None:
        ended_by = "system" if note.actor == "system" else "organizer"
    return EventLadders(lines, ended_by)


def _event_ladder(
    ladder: Ladder, chosen: list[str], phase: str, note: Note | None, posted: Posted | None
) -> EventLadder:
    season = open_season(ladder) if posted is None else season_of(ladder, posted.season)
    line = EventLadder(
        ladder.sk,
        ladder.name,
        ladder.name_en or "",
        None if season is None else season.parameters.method,
        "off" if ladder.sk not in chosen else "waiting",
        season=None if season is None else season.number,
        season_name="" if season is None else season.name,
    )
    behind = note is not None and (int(note.done) < int(note.wanted) or ladder.sk in dict(touched_of(note)))
    if behind and (posted is not None or (ladder.sk in chosen and phase == "ended")):
        return msgspec.structs.replace(line, state="working")
    if posted is not None:
        return msgspec.structs.replace(
            line,
            state="posted",
            posted_at=posted.at,
            players=posted.players,
            without_phone=posted.without_phone,
            tables=posted.tables,
        )
    reason = dict((note.refused if note is not None else None) or {}).get(ladder.sk)
    if ladder.sk in chosen and reason is not None and reason != "open":
        return msgspec.structs.replace(line, state="refused", reason=reason)
    return line
