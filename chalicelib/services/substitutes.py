"""换人: between rounds somebody comes in for a player of an entry. The entry keeps its number, results and place.

Who comes in plays from the first round in which the entry's table has heard nothing yet; while a table is under way
nobody is replaced. Who left loses the phones that spoke for them; who came finds themselves like anybody else. It can
be taken back as it was, phones included.

Whoever is replaced is named by the opaque id of the person: a name may be another's too, or nobody's to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from chalicelib.services import audit, phones, place_phones
from chalicelib.services.entry_changes import Moved, joins_round, persistently, touch
from chalicelib.services.entry_indexes import found_by, reindex
from chalicelib.services.finding import IN_PLAY, known_event, open_event
from chalicelib.services.names import cleaned, comparable
from chalicelib.services.once import Once, transaction
from chalicelib.services.privacy.keys import unlocked
from chalicelib.services.privacy.public_files import rewrite_pairings
from chalicelib.services.privacy.sealing import readable, stored_form
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.stored import tables
from chalicelib.services.table_views import Surroundings, look, scoring_rules
from chalicelib.services.views.substitutes import PlaceView, Substitutions, SubstitutionView
from chalicelib.services.world import World
from chalicelib.store.bulk import get_items
from chalicelib.store.entries import (
    Device,
    EntryRecord,
    StoredEntry,
    StoredPlayer,
    Substitution,
    find_entry,
    partition,
    sort_key,
)
from chalicelib.store.entry_rows import people_actions
from chalicelib.store.events import EventHeader, RoundHeader, find_round
from chalicelib.store.matches import Match, Seat, Word, closed_room, seat_at, table_key, word_key
from chalicelib.store.matches import partition as matches_partition
from chalicelib.store.transaction import Transaction

MOST_SUBSTITUTIONS = 50
"""So many of an entry are kept at once: an item holds 400 KB."""
OUTSIDE = ("waiting", "single")


class Substitute(msgspec.Struct, frozen=True):
    """Who goes out: the place within the entry (from 0) and the person who was seen there; who comes in, as typed; and
    why."""

    player: int
    leaves: str
    name: str
    phone: str
    reason: str


class _Time(msgspec.Struct, frozen=True):
    """When a substitute would begin: ``round``, and the tables of a published round at which nothing must be said
    meanwhile, or the draft that must not be published meanwhile."""

    round: int
    untouched: tuple[Surroundings, ...] = ()
    draft: RoundHeader | None = None


class _Exchange(msgspec.Struct, frozen=True):
    """``old`` becomes ``entry`` (newcomers as typed) by ``made``, a substitution that is done or taken back.

    ``losing``: the phones of who goes.
    """

    action: str
    made: Substitution
    old: StoredEntry
    entry: StoredEntry
    begins: _Time
    losing: list[Device]
    reason: str
    actor: str


_Done = tuple[SubstitutionView, _Time]


def listed(world: World, event_id: str, number: int, digits: str = "") -> Substitutions:
    """An entry's players and its substitutions. Of an encrypted event names only with its ``digits``.

    Raises event_not_found, entry_not_found, digits_wrong.
    """
    header, settings = known_event(event_id)
    (entry,) = readable([_found(header, number)], unlocked(world, header, digits))
    why_not: str | None = None
    try:
        _ensure_takes_part(entry)
        begins = _time(world, header, settings, number).round
    except Problem as refused:
        why_not, begins = refused.code, int(refused.words.get("round", 0))
    if header.phase == "ended":
        why_not = "event_ended"
    return Substitutions(number, places(entry), begins, why_not, views(entry))


def places(entry: StoredEntry) -> list[PlaceView]:
    """Who plays at each place of an entry now."""
    return [PlaceView(entry.number, place, player.person, player.name) for place, player in enumerate(entry.players)]


def views(entry: StoredEntry) -> list[SubstitutionView]:
    """An entry's substitutions, oldest first, with names as far as ``entry`` has them."""
    return [
        SubstitutionView(
            id=each.id,
            entry=entry.number,
            player=each.player,
            round=each.round,
            gone=each.gone.name,
            came=_came(entry, each, entry.substitutions[place:]),
            reason=each.reason,
            actor=each.actor,
            at=each.at,
            person=len(entry.players) + place,
        )
        for place, each in enumerate(entry.substitutions, 1)
    ]


def _came(entry: StoredEntry, made: Substitution, later: Sequence[Substitution]) -> str:
    """Who came by a substitution is who went next from that place, or plays there still; a spelling put right by the
    organizer may have made a new person of them."""
    for each in later:
        if each.player == made.player:
            return each.gone.name
    return entry.players[made.player].name if made.player < len(entry.players) else ""


def substitute(
    world: World, event_id: str, number: int, wanted: Substitute, actor: str, once: Once
) -> SubstitutionView:
    """Let somebody come in for a player of entry ``number``.

    Raises reason_missing, entry_not_found, entry_not_in, entry_withdrawn, stale_version (somebody else plays there
    meanwhile), table_under_way, bad_value, bad_phone, phone_twice, phone_taken, too_many_substitutions, event_ended.
    """
    if not wanted.reason.strip():
        raise Problem("reason_missing", "reason")
    return _finished(world, event_id, lambda: _substitute(world, event_id, number, wanted, actor, once))


def _substitute(world: World, event_id: str, number: int, wanted: Substitute, actor: str, once: Once) -> _Done:
    header, settings = open_event(world, event_id)
    old = _found(header, number)
    _ensure_takes_part(old)
    player = wanted.player
    if player >= len(old.players) or old.players[player].person != wanted.leaves:
        raise Problem("stale_version", "leaves", current={"players": msgspec.to_builtins(places(old))})
    if len(old.substitutions) >= MOST_SUBSTITUTIONS:
        raise Problem("too_many_substitutions", limit=MOST_SUBSTITUTIONS)
    gone = old.players[player]
    came = _newcomer(world, event_id, old, wanted)
    begins = _time(world, header, settings, number)
    losing = place_phones.live(world, event_id, number, {player})
    # A person that played under the own name alone does not leave it to who comes.
    named = not gone.sealed and comparable(old.name) == comparable(gone.name)
    made = Substitution(
        id=world.random.token(9),
        round=begins.round,
        player=player,
        gone=gone,
        came=came.person,
        reason=wanted.reason.strip(),
        actor=actor,
        at=world.now(),
        devices=[place_phones.id_of(device) for device in losing],
        named=named,
    )
    entry = replace(
        old,
        name="" if named else old.name,
        players=[*old.players[:player], came, *old.players[player + 1 :]],
        substitutions=(*old.substitutions, made),
    )
    exchange = _Exchange("entry.substitute", made, old, entry, begins, losing, made.reason, actor)
    return _carry_out(world, header, exchange, once)


def take_back(
    world: World, event_id: str, number: int, substitution_id: str, reason: str, actor: str, once: Once
) -> SubstitutionView:
    """Undo: who left is back as they were, with their phones; who came is gone. Only the newest one of a place can be
    taken back. Raises substitution_not_found, table_under_way, phone_taken, event_ended, entry_not_found."""
    return _finished(
        world, event_id, lambda: _take_back(world, event_id, number, substitution_id, reason.strip(), actor, once)
    )


def _take_back(
    world: World, event_id: str, number: int, substitution_id: str, reason: str, actor: str, once: Once
) -> _Done:
    header, settings = open_event(world, event_id)
    old = _found(header, number)
    made = next((each for each in old.substitutions if each.id == substitution_id), None)
    newest = made is not None and [each for each in old.substitutions if each.player == made.player][-1] is made
    if made is None or not newest or made.player >= len(old.players) or old.players[made.player].person != made.came:
        raise Problem("substitution_not_found")
    entry = replace(
        old,
        name=made.gone.name if made.named and not old.name else old.name,
        players=[*old.players[: made.player], made.gone, *old.players[made.player + 1 :]],
        substitutions=tuple(each for each in old.substitutions if each is not made),
    )
    begins = _time(world, header, settings, number)
    losing = place_phones.live(world, event_id, number, {made.player})
    exchange = _Exchange("entry.substitute_back", made, old, entry, begins, losing, reason, actor)
    return _carry_out(world, header, exchange, once)


def _finished(world: World, event_id: str, act: Callable[[], _Done]) -> SubstitutionView:
    """Pairings of a round in which the players changed show who plays."""
    reply, begins = persistently(act)
    if begins.untouched:
        rewrite_pairings(world, event_id, begins.round)
    return reply


def _carry_out(world: World, header: EventHeader, exchange: _Exchange, once: Once) -> _Done:
    """One transaction: the entry and what finds it, the phones of who goes, and the log."""
    event_id, number, made = header.event_id, exchange.old.number, exchange.made
    coming = exchange.action == "entry.substitute"
    stored = stored_form(world, header, exchange.entry)
    reply = next(view for view in views(exchange.entry if coming else exchange.old) if view.id == made.id)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    _write(work, world, header, exchange, stored)
    place_phones.revoke(work, exchange.losing, made.at if coming else world.now())
    if not coming:
        place_phones.give_back(work, event_id, number, made.devices, made.at)
    _log(work, world, header, exchange)
    try:
        work.commit()
    except Problem as refused:
        if refused.code == "phone_taken":
            raise Problem("phone_taken", "phone", **refused.words) from refused
        raise
    return reply, exchange.begins


def _newcomer(world: World, event_id: str, old: StoredEntry, wanted: Substitute) -> StoredPlayer:
    """Who comes in, as typed: always a new person."""
    given = phones.normalise(wanted.phone, "phone") if wanted.phone.strip() else ""
    came = StoredPlayer(world.random.token(9), cleaned(wanted.name, "name"), given)
    others = [one for place, one in enumerate(old.players) if place != wanted.player]
    by = found_by(world, event_id, came)
    if by and any(by == found_by(world, event_id, one) for one in others):
        raise Problem("phone_twice", "phone")
    return came


def _time(world: World, header: EventHeader, settings: Settings, number: int) -> _Time:
    """From which round a substitute plays. Raises table_under_way while the entry's table has been begun and has no
    result that counts."""
    event_id, last = header.event_id, int(header.last_round)
    drawn = find_round(event_id, last) if last else None
    if drawn is None or drawn.phase not in IN_PLAY:
        return _Time(joins_round(header), draft=drawn if drawn is not None and drawn.phase == "draft" else None)
    (item,) = get_items([seat_at(event_id, last, number)], world.sleep, world.random.fraction)
    if item is None:
        return _Time(last + 1)
    seat = Seat.from_raw_data(item)
    table = int(seat.table)
    if seat.generation != drawn.generation or not table:
        return _Time(last + 1)
    addresses = [table, closed_room(table)] if scoring_rules(settings).rooms else [table]
    rooms = tuple(look(world, event_id, last, address) for address in addresses)
    if all(tables.state_of(room.table, room.double_submission).effective is not None for room in rooms):
        return _Time(last + 1)
    if any(room.table.words or room.table.running or room.table.ruling for room in rooms):
        raise Problem("table_under_way", round=last, table=table)
    return _Time(last, rooms)


def _write(work: Transaction, world: World, header: EventHeader, exchange: _Exchange, stored: StoredEntry) -> None:
    event_id, old = header.event_id, exchange.old
    work.update(
        EntryRecord(partition(event_id, old.number), sort_key(old.number)),
        [*people_actions(stored), EntryRecord.version.set(old.version + 1)],
        (EntryRecord.version == old.version) & (EntryRecord.state == old.state) & place_phones.none_came(old),
        lambda _: Moved(),
    )
    typed, imports = exchange.entry.players, header.imports or ()
    reindex(work, world, event_id, old.number, old.players, stored.players, imports, typed=typed)
    if (draft := exchange.begins.draft) is not None:
        # Publishing writes down for everybody who plays.
        work.check(RoundHeader(draft.pk, draft.sk), RoundHeader.phase == "draft", lambda _: Moved())
    for room in exchange.begins.untouched:
        table = room.table
        pk = matches_partition(event_id, table.round)
        same = (Match.version == table.version) & (Match.generation == table.generation)
        work.check(Match(pk, table_key(table.table)), same, lambda _: Moved())
        for side in tables.SIDES:
            work.check(Word(pk, word_key(table.table, side)), Word.pk.does_not_exist(), lambda _: Moved())
    touch(work, header, "entry.substitute")


def _log(work: Transaction, world: World, header: EventHeader, exchange: _Exchange) -> None:
    """The log names opaque persons. No rank moves, so a replay passes these lines over."""
    made = exchange.made
    audit.record(
        work,
        world,
        event_id=header.event_id,
        actor=exchange.actor,
        action=exchange.action,
        subject=f"entry:{exchange.old.number}",
        reason=exchange.reason or None,
        details={
            "substitution": made.id,
            "player": made.player,
            "round": made.round,
            "gone": made.gone.person,
            "came": made.came,
        },
    )


def _found(header: EventHeader, number: int) -> StoredEntry:
    entry = find_entry(header.event_id, number, header.imports or ())
    if entry is None:
        raise Problem("entry_not_found")
    return entry


def _ensure_takes_part(entry: StoredEntry) -> None:
    if entry.state in OUTSIDE:
        raise Problem("entry_not_in")
    if entry.state == "withdrawn":
        raise Problem("entry_withdrawn")
