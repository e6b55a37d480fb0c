"""换人: between rounds somebody comes in for a player of an entry. The entry keeps its number, results and place.

Who comes in plays from the first round in which the entry's table has heard nothing yet; while a table is under way
nobody is replaced. Who left loses the phones that spoke for them; who came finds themselves like anybody else. It can
be taken back as it was, phones included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from chalicelib.services import audit, phones
from chalicelib.services.entry_changes import Moved, joins_round, touch
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
from chalicelib.services.views.substitutes import Substitutions, SubstitutionView
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
from chalicelib.store.events import EventHeader, find_round
from chalicelib.store.matches import Match, Seat, Word, closed_room, seat_at, table_key, word_key
from chalicelib.store.matches import partition as matches_partition
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction

ATTEMPTS = 8
MOST_SUBSTITUTIONS = 50
"""So many of an entry are kept at once: an item holds 400 KB."""
MOST_DEVICES = 40
OUTSIDE = ("waiting", "single")


class _Time(msgspec.Struct, frozen=True):
    """When a substitute would begin: ``round``, and the tables of a published round at which nothing must be said
    meanwhile."""

    round: int
    untouched: tuple[Surroundings, ...] = ()


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
    return Substitutions(number, [player.name for player in entry.players], begins, why_not, views(entry))


def views(entry: StoredEntry) -> list[SubstitutionView]:
    """An entry's substitutions, oldest first, with names as far as ``entry`` has them."""
    names = {player.person: player.name for player in entry.players}
    names.update({each.gone.person: each.gone.name for each in entry.substitutions})
    return [
        SubstitutionView(
            id=each.id,
            entry=entry.number,
            player=each.player,
            round=each.round,
            gone=each.gone.name,
            came=names.get(each.came) or _at(entry, each.player),
            reason=each.reason,
            actor=each.actor,
            at=each.at,
            person=len(entry.players) + place,
        )
        for place, each in enumerate(entry.substitutions, 1)
    ]


def _at(entry: StoredEntry, player: int) -> str:
    """Who stands at a place now: a spelling put right by the organizer may have made a new person of them."""
    return entry.players[player].name if player < len(entry.players) else ""


def substitute(
    world: World,
    event_id: str,
    number: int,
    player: int,
    leaves: str,
    name: str,
    phone: str,
    reason: str,
    actor: str,
    once: Once,
) -> SubstitutionView:
    """Let ``name`` come in for the player at place ``player``, who must be called ``leaves`` as the caller saw it.

    Raises reason_missing, entry_not_found, entry_not_in, entry_withdrawn, stale_version (somebody else plays there
    meanwhile), table_under_way, bad_value, bad_phone, phone_twice, phone_taken, too_many_substitutions, event_ended.
    """
    if not reason.strip():
        raise Problem("reason_missing", "reason")

    def act() -> _Done:
        return _substitute(world, event_id, number, player, leaves, name, phone, reason.strip(), actor, once)

    return _finished(world, event_id, _persistently(act))


def _substitute(
    world: World,
    event_id: str,
    number: int,
    player: int,
    leaves: str,
    name: str,
    phone: str,
    reason: str,
    actor: str,
    once: Once,
) -> _Done:
    header, settings = open_event(world, event_id)
    old = _found(header, number)
    _ensure_takes_part(old)
    if player >= len(old.players) or comparable(old.players[player].name) != comparable(leaves):
        raise Problem("stale_version", "leaves", current={"players": [one.name for one in old.players]})
    if len(old.substitutions) >= MOST_SUBSTITUTIONS:
        raise Problem("too_many_substitutions", limit=MOST_SUBSTITUTIONS)
    gone = old.players[player]
    came = _newcomer(world, event_id, old, player, name, phone)
    begins = _time(world, header, settings, number)
    devices = _devices(event_id, number, player)
    made = Substitution(
        id=world.random.token(9),
        round=begins.round,
        player=player,
        gone=gone,
        came=came.person,
        reason=reason,
        actor=actor,
        at=world.now(),
        devices=[device.sk.rpartition("#")[2] for device in devices],
    )
    typed = [*old.players]
    typed[player] = came
    # A person that played under the own name alone does not leave it to who comes.
    team = "" if not gone.sealed and comparable(old.name) == comparable(gone.name) else old.name
    changed = replace(old, name=team, players=typed, substitutions=(*old.substitutions, made))
    entry = stored_form(world, header, changed)
    reply = replace(views(entry)[-1], gone=gone.name, came=came.name)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    _write(work, world, header, old, entry, typed, begins)
    for device in devices:
        work.update(device, [Device.revoked_at.set(world.now())], Device.pk.exists())
    _log(work, world, event_id, number, actor, "entry.substitute", reason, made)
    _commit(work)
    return reply, begins


def take_back(
    world: World, event_id: str, number: int, substitution_id: str, reason: str, actor: str, once: Once
) -> SubstitutionView:
    """Undo: who left is back as they were, with their phones; who came is gone. Only the newest one of a place can be
    taken back. Raises substitution_not_found, table_under_way, phone_taken, event_ended, entry_not_found."""

    def act() -> _Done:
        return _take_back(world, event_id, number, substitution_id, reason.strip(), actor, once)

    return _finished(world, event_id, _persistently(act))


def _finished(world: World, event_id: str, done: _Done) -> SubstitutionView:
    """Pairings of a round in which the players changed show who plays."""
    reply, begins = done
    if begins.untouched:
        rewrite_pairings(world, event_id, begins.round)
    return reply


def _take_back(
    world: World, event_id: str, number: int, substitution_id: str, reason: str, actor: str, once: Once
) -> _Done:
    header, settings = open_event(world, event_id)
    old = _found(header, number)
    made = next((each for each in old.substitutions if each.id == substitution_id), None)
    newest = made is not None and [each for each in old.substitutions if each.player == made.player][-1] is made
    if made is None or not newest or made.player >= len(old.players) or old.players[made.player].person != made.came:
        raise Problem("substitution_not_found")
    begins = _time(world, header, settings, number)
    players = [*old.players]
    players[made.player] = made.gone
    left = tuple(each for each in old.substitutions if each is not made)
    entry = stored_form(world, header, replace(old, players=players, substitutions=left))
    reply = next(view for view in views(old) if view.id == substitution_id)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    _write(work, world, header, old, entry, players, begins)
    for device in _devices(event_id, number, made.player):
        work.update(device, [Device.revoked_at.set(world.now())], Device.pk.exists())
    for device_id in made.devices:
        back = Device(partition(event_id, number), f"DEVICE#{number:05d}#{device_id}")
        work.update(back, [Device.revoked_at.remove()], Device.pk.exists(), lambda _: Moved())
    _log(work, world, event_id, number, actor, "entry.substitute_back", reason, made)
    _commit(work)
    return reply, begins


def _newcomer(world: World, event_id: str, old: StoredEntry, player: int, name: str, phone: str) -> StoredPlayer:
    """Who comes in, as typed: always a new person."""
    given = phones.normalise(phone, "phone") if phone.strip() else ""
    came = StoredPlayer(world.random.token(9), cleaned(name, "name"), given)
    others = [one for place, one in enumerate(old.players) if place != player]
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
        return _Time(joins_round(header))
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


def _write(
    work: Transaction,
    world: World,
    header: EventHeader,
    old: StoredEntry,
    entry: StoredEntry,
    typed: Sequence[StoredPlayer],
    begins: _Time,
) -> None:
    event_id, number = header.event_id, old.number
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [*people_actions(entry), EntryRecord.version.set(old.version + 1)],
        (EntryRecord.version == old.version) & (EntryRecord.state == old.state),
        lambda _: Moved(),
    )
    reindex(work, world, event_id, number, old.players, entry.players, header.imports or (), typed=typed)
    for room in begins.untouched:
        table = room.table
        pk = matches_partition(event_id, table.round)
        same = (Match.version == table.version) & (Match.generation == table.generation)
        work.check(Match(pk, table_key(table.table)), same, lambda _: Moved())
        for side in tables.SIDES:
            work.check(Word(pk, word_key(table.table, side)), Word.pk.does_not_exist(), lambda _: Moved())
    touch(work, header, "entry.substitute")


def _log(
    work: Transaction,
    world: World,
    event_id: str,
    number: int,
    actor: str,
    action: str,
    reason: str,
    made: Substitution,
) -> None:
    """The log names opaque persons. No rank moves, so a replay passes these lines over."""
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action=action,
        subject=f"entry:{number}",
        reason=reason or None,
        details={
            "substitution": made.id,
            "player": made.player,
            "round": made.round,
            "gone": made.gone.person,
            "came": made.came,
        },
    )


def _commit(work: Transaction) -> None:
    try:
        work.commit()
    except Problem as refused:
        if refused.code == "phone_taken":
            raise Problem("phone_taken", "phone", **refused.words) from refused
        raise


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


def _devices(event_id: str, number: int, player: int) -> list[Device]:
    """The phones that speak for a player now."""
    found = Device.query(
        partition(event_id, number), Device.sk.startswith(f"DEVICE#{number:05d}#"), consistent_read=True
    )
    return [each for each in found if each.player == player and whole(each.revoked_at) is None][:MOST_DEVICES]


def _persistently(act: Callable[[], _Done]) -> _Done:
    """Read and decide again while others move what was read. Raises :class:`Busy` when that does not end."""
    for _ in range(ATTEMPTS):
        try:
            return act()
        except Moved:
            continue
    raise Busy
