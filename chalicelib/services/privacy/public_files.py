"""Names in the open are written anew: standings, pairings and everything made of them, and no older version stays."""

from __future__ import annotations

from pynamodb.exceptions import UpdateError

from chalicelib.services import backups, edge_copies, public_folder, pulse, schemes
from chalicelib.services.finding import settings_of
from chalicelib.services.once import transaction
from chalicelib.services.rounds import drafts
from chalicelib.services.rounds.publishing import snapshot_name, write_snapshot
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.settings import Settings
from chalicelib.services.standings import pages, places
from chalicelib.services.standings.pages import Version
from chalicelib.services.standings.refreshing import made_of, publish, take_ticket
from chalicelib.services.stored import roster
from chalicelib.services.stored.packs import CONDITION_FAILED
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_event, rounds
from chalicelib.store.standings import POINTER, Pointer, find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, patiently

ATTEMPTS = 8
PRIVATE_FOLDERS = (backups.FOLDER, "uploads", "downloads")
"""Folders of the private bucket in which names may stand."""


class _Moved(Exception):
    """A round was published, or standings were, while we wrote."""


def _moved(_: object) -> Exception:
    return _Moved()


def rewrite(world: World, event_id: str) -> None:
    """Write every public file and packing of the event from the entries as they are now, and delete what was there.

    Copies put aside before settlements go as well (the next settlement makes a new one), and so do uploaded rosters.
    Can be repeated at will; the caller has marked the roster as changed. Of a deleted event, which may come back, the
    packings are written, and no file.
    """
    if not _write(world, event_id):
        return
    for folder in PRIVATE_FOLDERS:
        world.files.delete_prefix(f"{folder}/{event_id}/")
    edge_copies.forget(world, event_id)


def look_again(world: World, event_id: str) -> None:
    """Make the public folder what it has to be: empty for a deleted event, everything written anew for one that came
    back and has not been shown since. Can be repeated at will."""
    pointer = find_pointer(event_id)
    header = find_event(event_id, deleted=True)
    if header is None:
        return
    if whole(header.deleted_at) is not None:
        public_folder.take_away(world, event_id)
    elif pointer is not None and whole(pointer.withdrawn_at) is not None:
        _write(world, event_id)


def _write(world: World, event_id: str) -> bool:
    """Write the packings and public files of the event; False if there is none."""
    # Before the event: a deletion that comes after this look changes it.
    pointer = find_pointer(event_id)
    header = find_event(event_id, deleted=True)
    if header is None:
        return False
    settings = settings_of(header)
    roster.packed(world, event_id)
    _rewrite_standings(world, header, settings, pointer)
    if whole(header.deleted_at) is not None:
        return True
    for drawn in rounds(event_id):
        if drawn.pairings is not None:
            _rewrite_pairings(world, header, settings, int(drawn.number))
    if pointer is not None and whole(pointer.withdrawn_at) is not None:
        _show_again(world, event_id, pointer)
    pulse.publish(world, event_id)
    schemes.forget_others(world, event_id, find_pointer(event_id))
    if find_event(event_id) is None:
        # Deleted while we wrote.
        public_folder.take_away(world, event_id)
    return True


def _show_again(world: World, event_id: str, withdrawn: Pointer) -> None:
    """Let the pulse speak again of an event that came back, unless it was deleted once more."""
    public_folder.put_back(world, event_id)
    change = transaction(world)
    pulse.change(
        change,
        event_id,
        Pointer.withdrawn_at.remove(),
        condition=Pointer.withdrawn_at == withdrawn.withdrawn_at,
        otherwise=_moved,
    )
    try:
        change.commit()
    except _Moved:
        return


def rewrite_pairings(world: World, event_id: str, number: int) -> None:
    """Write the public pairings of one round from the entries as they are now, and say so in the pulse."""
    header = find_event(event_id)
    if header is None:
        return
    _rewrite_pairings(world, header, settings_of(header), number)
    pulse.publish(world, event_id)


def _rewrite_standings(world: World, header: EventHeader, settings: Settings, pointer: Pointer | None) -> None:
    event_id = header.event_id
    if pointer is None or pointer.standings is None:
        return
    ticket = take_ticket(world, event_id)
    publish(world, event_id, ticket, made_of(world, header, settings, pointer))
    for _ in range(ATTEMPTS):
        pointer = find_pointer(event_id)
        if pointer is None or pointer.standings is None:
            return
        kept = [Version(*row) for row in pointer.kept or ()]
        shown = [place.name for place in (places.public(pointer), places.inside(pointer)) if place is not None]
        old = [version for version in kept if version.name not in shown]
        if _forget(world, pointer, [version for version in kept if version.name in shown]):
            pages.remove(world, event_id, old)
            return
    raise Busy


def _forget(world: World, pointer: Pointer, kept: list[Version]) -> bool:
    """Let the pointer know of ``kept`` only; False if its standings changed meanwhile."""
    rows = [[version.name, version.pages, version.indexes] for version in kept]

    def forget() -> None:
        Pointer(pointer.pk, POINTER).update([Pointer.kept.set(rows)], Pointer.standings == pointer.standings)

    try:
        patiently(forget, world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code == CONDITION_FAILED:
            return False
        raise
    return True


def _rewrite_pairings(world: World, header: EventHeader, settings: Settings, number: int) -> None:
    event_id = header.event_id
    for _ in range(ATTEMPTS):
        drawn = next((each for each in rounds(event_id) if each.number == number), None)
        if drawn is None or drawn.pairings is None:
            return
        (tables,) = drafts.read(world, [drawn])
        pointer = find_pointer(event_id)
        snapshot = snapshot_name(world, number)
        write_snapshot(world, event_id, snapshot, round_view(world, settings, drawn, tables, pointer))
        change = transaction(world)
        change.update(
            RoundHeader(drawn.pk, drawn.sk),
            [RoundHeader.pairings.set(snapshot)],
            RoundHeader.pairings == drawn.pairings,
            _moved,
        )
        if pointer is not None and pointer.pairings == drawn.pairings:
            shown = Pointer.pairings == drawn.pairings
            pulse.change(change, event_id, Pointer.pairings.set(snapshot), condition=shown, otherwise=_moved)
        try:
            change.commit()
        except _Moved:
            world.files.delete_prefix(f"pub/{event_id}/pairings/{snapshot}/")
            continue
        world.files.delete_prefix(f"pub/{event_id}/pairings/{drawn.pairings}/")
        return
    raise Busy
