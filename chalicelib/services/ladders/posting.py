"""Posting an event to its ladders, and taking it back: one transaction brings all of them to where they should be.

It holds on condition that nothing has happened to the event since it was looked at, so whoever comes late writes
nothing. The lines are written first, under a generation that nobody reads yet.
"""

from __future__ import annotations

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.services import audit
from chalicelib.services.finding import settings_of
from chalicelib.services.ladders.facts import Facts, facts_of
from chalicelib.services.ladders.known import all_ladders, open_season, seasons_of
from chalicelib.services.once import transaction
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.due import LADDERS as BUCKET
from chalicelib.store.due import due
from chalicelib.store.events import EventHeader, find_event
from chalicelib.store.ladders import (
    LADDERS,
    POSTING,
    TABLE,
    TABLE_KEY,
    Ladder,
    Note,
    Posting,
    Table,
    find_note,
    in_parts,
    made_for,
    members_of,
    put_bodies,
    season_key,
    sort_keys,
)
from chalicelib.store.standings import find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction

ATTEMPTS = 8


class Posted(msgspec.Struct, frozen=True):
    """Where an event is posted: ``at`` (ms) in ``season``; how many of its ``players`` are known from event to event,
    how many have no phone, and how many ``tables`` are rated. ``generation`` names its lines."""

    season: int
    at: int
    generation: str
    parts: int
    players: int
    without_phone: int
    tables: int


class _Moved(Exception):
    """Something happened to the event since it was looked at."""


def posted_of(note: Note) -> dict[str, Posted]:
    """Where the note says that its event is posted, by ladder."""
    return msgspec.convert(note.posted or {}, dict[str, Posted])


def touched_of(note: Note) -> list[tuple[str, int]]:
    """The ladders and seasons whose tables may not show yet what the note says."""
    return msgspec.convert(note.touched or [], list[tuple[str, int]])


def settle(world: World, event_id: str) -> Note | None:
    """Post the event where it should be and take it back from everywhere else; returns its note as it is then, None if
    it has nothing to do with ladders. Doing so again changes nothing."""
    for _ in range(ATTEMPTS):
        note = find_note(event_id)
        if note is None:
            return None
        if int(note.done) == int(note.wanted):
            _clear_lines(world, event_id, note)
            return note
        try:
            _bring_about(world, event_id, note)
        except _Moved:
            continue
    raise Busy


def _bring_about(world: World, event_id: str, note: Note) -> None:
    # The note first: whatever happens after it was read makes the transaction below fail.
    header = find_event(event_id, deleted=True)
    before = posted_of(note)
    goal, refused = ({}, {}) if header is None else _goal(world, header, before)
    after: dict[str, Posted] = {}
    generations = {ladder_id: _generation(note, facts, before.get(ladder_id)) for ladder_id, (_, facts) in goal.items()}
    anew = [
        (ladder_id, season)
        for ladder_id, (season, _) in goal.items()
        if ladder_id not in before or before[ladder_id].generation != generations[ladder_id]
    ]
    touched = dict.fromkeys([*touched_of(note), *anew])
    if anew:
        # Before anything lies there, so that it is found whatever happens.
        _say_where(world, event_id, note, list(touched))
    change = transaction(world)
    for ladder_id, (season, facts) in goal.items():
        assert header is not None
        old = before.get(ladder_id)
        after[ladder_id] = _write_lines(world, event_id, ladder_id, season, facts, generations[ladder_id], old)
        _put(change, header, ladder_id, after[ladder_id])
    for ladder_id, old in before.items():
        if ladder_id not in after:
            change.delete(Posting(season_key(ladder_id, old.season), f"{POSTING}{event_id}"))
            touched[ladder_id, old.season] = None
    for ladder_id, season in touched:
        change.update(Table(season_key(ladder_id, season), TABLE_KEY), [Table.wanted.add(1)])
    _note_down(change, world, event_id, note, after, refused, list(touched))
    _log(change, world, event_id, "ladder.post", {each: after[each] for each in after.keys() - before.keys()})
    _log(change, world, event_id, "ladder.take_back", {each: before[each] for each in before.keys() - after.keys()})
    change.commit()


def _generation(note: Note, facts: Facts, old: Posted | None) -> str:
    """The name of the lines: that of the old ones, if they say the same."""
    digest = facts.digest()
    if old is not None and old.generation.partition(".")[2] == digest:
        return old.generation
    return f"{int(note.wanted):08d}.{digest}"


def _say_where(world: World, event_id: str, note: Note, touched: list[tuple[str, int]]) -> None:
    change = transaction(world)
    change.update(
        Note(event_id, LADDERS),
        [Note.touched.set([list(each) for each in touched])],
        Note.wanted == note.wanted,
        lambda _: _Moved(),
    )
    change.commit()


def _log(change: Transaction, world: World, event_id: str, action: str, places: dict[str, Posted]) -> None:
    if not places:
        return
    audit.record(
        change,
        world,
        event_id=event_id,
        actor="system",
        action=action,
        subject=f"event:{event_id}",
        details={ladder: {"season": each.season, "players": each.players} for ladder, each in sorted(places.items())},
    )


def _goal(
    world: World, header: EventHeader, before: dict[str, Posted]
) -> tuple[dict[str, tuple[int, Facts]], dict[str, str]]:
    """The season of each ladder for which the event counts now with what it gives there, and why not for others."""
    settings = settings_of(header)
    if not settings.ladders:
        return {}, {}
    why = _not_now(header, settings)
    if why is not None:
        return {}, dict.fromkeys(settings.ladders, why)
    facts = facts_of(world, header, settings)
    ladders = {ladder.sk: ladder for ladder in all_ladders()}
    goal: dict[str, tuple[int, Facts]] = {}
    refused: dict[str, str] = {}
    for ladder_id in settings.ladders:
        ladder = ladders.get(ladder_id)
        season = None if ladder is None else _season(ladder, before.get(ladder_id))
        if facts is None:
            refused[ladder_id] = "no_results"
        elif ladder is None or season is None:
            refused[ladder_id] = "archived" if ladder is None or ladder.archived_at is not None else "no_season"
        elif ladder.restricted:
            listed = [member.person for member in members_of(ladder_id, season)]
            goal[ladder_id] = season, facts.shown_only(listed)
        else:
            goal[ladder_id] = season, facts
    return goal, refused


def _not_now(header: EventHeader, settings: Settings) -> str | None:
    """Why an event counts for no ladder at all as it is."""
    if whole(header.deleted_at) is not None:
        return "deleted"
    if settings.test:
        return "test"
    if header.sealing is not None:
        return "encrypted"
    if header.phase != "ended":
        return "open"
    pointer = find_pointer(header.event_id)
    return "frozen" if pointer is not None and whole(pointer.frozen_from) is not None else None


def _season(ladder: Ladder, posted: Posted | None) -> int | None:
    """The season in which the event stands already, else the one that counts now."""
    if posted is not None and posted.season <= len(seasons_of(ladder)):
        return posted.season
    season = open_season(ladder)
    return None if season is None or ladder.archived_at is not None else season.number


def _write_lines(
    world: World, event_id: str, ladder_id: str, season: int, facts: Facts, generation: str, old: Posted | None
) -> Posted:
    parts = in_parts(facts)
    if old is None or old.generation != generation:
        keys = [_lines_key(event_id, generation, number) for number in range(len(parts))]
        pk = season_key(ladder_id, season)
        put_bodies(pk, zip(keys, parts, strict=True), world.sleep, world.random.fraction)
    at = world.now() if old is None else old.at
    tables = sum(map(len, facts.rounds))
    return Posted(season, at, generation, len(parts), facts.known(), facts.unknown(), tables)


def _lines_key(event_id: str, generation: str, number: int) -> str:
    return f"LINES#{event_id}#{generation}#{number:03d}"


def lines_keys(posting: Posting) -> list[str]:
    """Sort keys of a posting's lines."""
    event_id = posting.sk.removeprefix(POSTING)
    return [_lines_key(event_id, posting.generation, number) for number in range(int(posting.parts))]


def _put(change: Transaction, header: EventHeader, ladder_id: str, posted: Posted) -> None:
    settings = settings_of(header)
    change.put(
        Posting(
            season_key(ladder_id, posted.season),
            f"{POSTING}{header.event_id}",
            at=posted.at,
            generation=posted.generation,
            parts=posted.parts,
            name="" if settings.private else settings.name,
            starts_at=settings.starts_at,
            time_zone=settings.time_zone,
        )
    )


def _note_down(
    change: Transaction,
    world: World,
    event_id: str,
    note: Note,
    posted: dict[str, Posted],
    refused: dict[str, str],
    touched: list[tuple[str, int]],
) -> None:
    wanted = int(note.wanted)
    actions: list[Action] = [
        Note.done.set(wanted),
        Note.posted.set(msgspec.to_builtins(posted)),
        Note.refused.set(refused),
        Note.touched.set([list(each) for each in touched]),
    ]
    # Of two who look at the same state one is enough.
    first = Note.done.does_not_exist() | (Note.done < wanted)
    change.update(Note(event_id, LADDERS), actions, (Note.wanted == wanted) & first, lambda _: _Moved())


def _clear_lines(world: World, event_id: str, note: Note) -> None:
    """Delete lines that hold no longer, or never did; what somebody is writing for a later state stays."""
    posted = posted_of(note)
    for ladder_id, season in touched_of(note):
        pk = season_key(ladder_id, season)
        place = posted.get(ladder_id)
        holds = None if place is None or place.season != season else place.generation
        keys = sort_keys(pk, f"LINES#{event_id}#")
        gone = [key for key in keys if (made := key.split("#")[2]) != holds and made_for(made) <= int(note.done)]
        bulk.delete_items(TABLE, [(pk, key) for key in gone], world.sleep, world.random.fraction)


def finish(world: World, event_id: str, note: Note) -> bool:
    """Say that all tables show what ``note`` says; False if something happened meanwhile."""
    change = transaction(world)
    change.update(
        Note(event_id, LADDERS),
        [Note.touched.remove()],
        (Note.wanted == note.wanted) & (Note.done == note.done),
        lambda _: _Moved(),
    )
    change.delete(due(event_id, BUCKET))
    try:
        change.commit()
    except _Moved:
        return False
    return True
