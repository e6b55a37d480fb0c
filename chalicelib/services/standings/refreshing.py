"""The standings function: ticket, read, rank, write, flip the pointer, pulse.

The ticket is taken before anything is read, and the pointer flips only for a higher ticket: of two runs the one that
read later wins, whatever order they finish in. What was written before a ticket is in that ticket's standings.
"""

from __future__ import annotations

from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.services import pulse
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.standings import pages
from chalicelib.services.standings.content import Content, content_of
from chalicelib.services.standings.pages import Version
from chalicelib.services.stored.packs import CONDITION_FAILED
from chalicelib.services.world import World
from chalicelib.store.standings import POINTER, Pointer, Ticket, find_pointer
from chalicelib.store.transaction import patiently

KEPT_VERSIONS = 4
"""Older versions stay readable for those who just learned of them from a cached pulse."""


def take_ticket(world: World, event_id: str) -> int:
    """The next number of this event; every number is given out once."""
    ticket = Ticket(event_id, "TICKET")
    patiently(lambda: ticket.update([Ticket.value.add(1)]), world.sleep, world.random.fraction)
    return int(ticket.value)


def refresh(world: World, event_id: str) -> None:
    """Make the standings of everything written before this call. Raises event_not_found."""
    ticket = take_ticket(world, event_id)
    publish(world, event_id, ticket, current_content(world, event_id))


def current_content(world: World, event_id: str, *, raw: bool = False) -> Content:
    """What the standings have to say now; ``raw``: from every result in the store instead of packs."""
    header, settings = known_event(event_id)
    live = not settings.ranking_after_submission_only
    return content_of(event_of(world, header, settings, raw=raw, live=live), provisional=live)


def publish(world: World, event_id: str, ticket: int, content: Content) -> bool:
    """Make ``content``, read under ``ticket``, the standings; False if a later run was faster."""
    version: Version | None = None
    fingerprint = content.fingerprint()
    while True:
        pointer = find_pointer(event_id)
        if pointer is not None and int(pointer.ticket) >= ticket:
            if version is not None:
                pages.remove(world, event_id, [version])
            return False
        if pointer is not None and pointer.fingerprint == fingerprint:
            # The same as it stands there: only remember that this run stands by it.
            done = _flip(world, event_id, pointer, ticket, [])
            if done and version is not None:
                pages.remove(world, event_id, [version])
        else:
            if version is None:
                version = pages.version_named(f"{ticket}-{world.random.token(9)}", content)
                pages.write(world, event_id, version, content)
            done = _replace(world, event_id, pointer, ticket, version, content)
        if done:
            return True


def _replace(
    world: World, event_id: str, pointer: Pointer | None, ticket: int, version: Version, content: Content
) -> bool:
    kept = _kept(pointer)
    staying, going = kept[-KEPT_VERSIONS:], kept[:-KEPT_VERSIONS]
    actions: list[Action] = [
        Pointer.standings.set(version.name),
        Pointer.standings_pages.set(version.pages),
        Pointer.standings_round.set(content.round),
        Pointer.standings_at.set(world.now()),
        Pointer.fingerprint.set(content.fingerprint()),
        Pointer.kept.set([[old.name, old.pages, old.indexes] for old in (*staying, version)]),
        Pointer.pulse.add(1),
    ]
    if not _flip(world, event_id, pointer, ticket, actions):
        return False
    pulse.publish(world, event_id)
    pages.remove(world, event_id, going)
    return True


def _kept(pointer: Pointer | None) -> list[Version]:
    return [Version(*row) for row in (pointer.kept if pointer is not None else None) or ()]


def _flip(world: World, event_id: str, pointer: Pointer | None, ticket: int, actions: list[Action]) -> bool:
    """Change the pointer if no other run has changed its standings since it was read."""
    seen = 0 if pointer is None else int(pointer.ticket)
    # Our own ticket there means that this very change took effect and its reply was lost on the way.
    condition = (Pointer.ticket == seen) | (Pointer.ticket == ticket)
    if seen == 0:
        condition = condition | Pointer.ticket.does_not_exist()

    def flip() -> None:
        Pointer(event_id, POINTER).update([Pointer.ticket.set(ticket), *actions], condition=condition)

    try:
        patiently(flip, world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code == CONDITION_FAILED:
            return False
        raise
    return True
