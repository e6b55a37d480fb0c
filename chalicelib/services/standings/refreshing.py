"""The standings function: ticket, read, rank, write, flip the pointer, pulse.

The ticket is taken before anything is read, and the pointer flips only for a higher ticket: of two runs the one that
read later wins, whatever order they finish in. What was written before a ticket is in that ticket's standings.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.services import charts, pulse, schemes
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.settings import Settings
from chalicelib.services.standings import pages
from chalicelib.services.standings.content import Content, content_of
from chalicelib.services.standings.pages import Version
from chalicelib.services.standings.places import frozen_from_of
from chalicelib.services.stored.packs import CONDITION_FAILED, Unsure
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import POINTER, Pointer, Ticket, find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import patiently

SNAPSHOTS = (("bracket", Pointer.bracket), ("calendar", Pointer.calendar), ("charts", Pointer.charts))
"""Public files beside the standings, and where the pointer names them."""
KEPT_VERSIONS = 4
"""Older versions stay readable for those who just learned of them from a cached pulse."""


def take_ticket(world: World, event_id: str) -> int:
    """The next number of this event; every number is given out once."""
    ticket = Ticket(event_id, "TICKET")
    patiently(lambda: ticket.update([Ticket.value.add(1)]), world.sleep, world.random.fraction)
    return int(ticket.value)


class Made(msgspec.Struct, frozen=True):
    """What one run makes: the ranking as it is, and what the public may see of it.

    ``frozen_from``: the first round whose results stay inside (None: not frozen, and both are the same). ``files``:
    the public bracket or calendar. ``withdrawn_at``: of the pointer, as it was when the run began; ``deleted``: the
    event is, so that nothing of it becomes a public file.
    """

    inside: Content
    public: Content
    frozen_from: int | None = None
    files: schemes.Files = {}
    withdrawn_at: int | None = None
    deleted: bool = False


def refresh(world: World, event_id: str) -> None:
    """Make the standings of everything written before this call. Raises event_not_found."""
    ticket = take_ticket(world, event_id)
    publish(world, event_id, ticket, make(world, event_id))


def live_of(settings: Settings) -> Unsure | None:
    """仅提交后修改实时排名 off: where to note what counts provisionally; None: only effective results count."""
    return None if settings.ranking_after_submission_only else {}


def current_content(world: World, event_id: str, *, raw: bool = False) -> Content:
    """What the standings have to say now; ``raw``: from every result in the store instead of packs."""
    header, settings = known_event(event_id)
    live = live_of(settings)
    return content_of(event_of(world, header, settings, raw=raw, live=live), live)


def make(world: World, event_id: str) -> Made:
    """The standings as they are now, for both audiences. Raises event_not_found."""
    # Before everything else: a freeze or a deletion that comes after this look makes the pointer refuse what follows
    # from it.
    pointer = find_pointer(event_id)
    header, settings = known_event(event_id)
    return made_of(world, header, settings, pointer)


def made_of(world: World, header: EventHeader, settings: Settings, pointer: Pointer | None) -> Made:
    """The same for an event (also one that was deleted) that was read after its ``pointer``."""
    frozen_from = frozen_from_of(pointer)
    live = live_of(settings)
    event = event_of(world, header, settings, live=live)
    inside = content_of(event, live)
    last = None if frozen_from is None else frozen_from - 1
    # Who goes on is never provisional, nor is a rank in a chart.
    effective = event if not live else event_of(world, header, settings)
    files: dict[str, bytes] = {}
    if schemes.has_public_files(event):
        files |= schemes.public_files(effective, settings, last)
    if event.drawn:
        shown = charts.public(effective, header.event_id, settings, pointer, last)
        files["charts"] = msgspec.json.encode(shown)
    public = inside if last is None else content_of(event, live, through=last)
    deleted = whole(header.deleted_at) is not None
    return Made(inside, public, frozen_from, {} if deleted else files, _withdrawn_at(pointer), deleted)


def _withdrawn_at(pointer: Pointer | None) -> int | None:
    return None if pointer is None else whole(pointer.withdrawn_at)


def publish(world: World, event_id: str, ticket: int, made: Made | Content) -> bool:
    """Make what was read under ``ticket`` the standings; False if a later run was faster, or a freeze or the event's
    deletion came between."""
    both = made if isinstance(made, Made) else Made(made, made)
    versions = _Versions(world, event_id, ticket, both)
    while True:
        pointer = find_pointer(event_id)
        withdrawn_at = _withdrawn_at(pointer)
        # An event that came back has been shown again meanwhile: what was read of it holds, unless it was deleted then.
        if withdrawn_at != both.withdrawn_at and (withdrawn_at is not None or both.deleted):
            versions.discard(snapshots=withdrawn_at is not None)
            return False
        if pointer is not None and (int(pointer.ticket) >= ticket or frozen_from_of(pointer) != both.frozen_from):
            versions.discard()
            return False
        if versions.put(pointer):
            return True


class _Versions:
    """The versions of one run, each written once however often the pointer changes under it."""

    def __init__(self, world: World, event_id: str, ticket: int, made: Made) -> None:
        self._world, self._event_id, self._ticket, self._made = world, event_id, ticket, made
        self._written: dict[bool, Version] = {}
        self._snapshots: set[str] = set()
        # The event comes back: of what the pointer names no file is there.
        self._anew = made.withdrawn_at is not None and not made.deleted

    def discard(self, *, snapshots: bool = False) -> None:
        """Take away what was written, for it will not be shown; ``snapshots`` too, whose names another run of the same
        event may have given to the same content."""
        pages.remove(self._world, self._event_id, list(self._written.values()))
        self._written.clear()
        for what in self._snapshots if snapshots else ():
            name = schemes.name_of(self._made.files[what])
            self._world.files.delete(schemes.key_of(self._event_id, what, name))

    def put(self, pointer: Pointer | None) -> bool:
        """Flip the pointer as it was read; False if it has moved since."""
        before, actions, gone = _kept(pointer), list[Action](), set[bool]()
        frozen = self._made.frozen_from is not None
        stays: list[str] = []
        same = pointer is not None and pointer.fingerprint == self._made.public.fingerprint() and not self._anew
        if same and pointer is not None and pointer.standings is not None:
            stays.append(pointer.standings)
            gone.add(True)
        else:
            version = self._write(self._made.public, public=True)
            stays.append(version.name)
            actions += [
                Pointer.standings.set(version.name),
                Pointer.standings_pages.set(version.pages),
                Pointer.standings_round.set(self._made.public.round),
                Pointer.standings_at.set(self._world.now()),
                Pointer.fingerprint.set(self._made.public.fingerprint()),
                Pointer.pulse.add(1),
            ]
        inside = None if pointer is None else pointer.inside
        if not frozen:
            gone.add(False)
            if inside is not None:
                actions.append(Pointer.inside.remove())
        elif inside is not None and inside["fingerprint"] == self._made.inside.fingerprint():
            gone.add(False)
            stays.append(inside["name"])
        else:
            version = self._write(self._made.inside, public=False)
            stays.append(version.name)
            actions.append(Pointer.inside.set(_inside(version, self._made.inside, self._world.now())))
        mine = [version for public, version in self._written.items() if public not in gone]
        after, going = _sorted_out([*before, *mine], stays, frozen)
        moved = self._follow(pointer, actions)
        if moved and same:
            actions.append(Pointer.pulse.add(1))
        if actions or going:
            actions.append(Pointer.kept.set([[old.name, old.pages, old.indexes] for old in after]))
        if not _flip(self._world, self._event_id, pointer, self._ticket, actions):
            return False
        if not same or moved:
            pulse.publish(self._world, self._event_id)
        self._forget_charts(pointer)
        if frozen and moved:
            # An older snapshot may know more than may be seen.
            schemes.forget_others(self._world, self._event_id, find_pointer(self._event_id))
        unused = [version for public, version in self._written.items() if public in gone]
        pages.remove(self._world, self._event_id, [*going, *unused])
        return True

    def _forget_charts(self, before: Pointer | None) -> None:
        """Charts change with every result; only the newest are kept."""
        if before is None or before.charts is None or "charts" not in self._snapshots:
            return
        if before.charts != schemes.name_of(self._made.files["charts"]):
            self._world.files.delete(schemes.key_of(self._event_id, "charts", before.charts))

    def _follow(self, pointer: Pointer | None, actions: list[Action]) -> bool:
        """Add what makes the pointer name the snapshots of this run; False if it does so already."""
        moved = False
        for what, attribute in SNAPSHOTS if not self._made.deleted else ():
            content = self._made.files.get(what)
            before = None if pointer is None else getattr(pointer, what)
            name = None if content is None else schemes.name_of(content)
            if name != before or (self._anew and name is not None):
                if content is not None and what not in self._snapshots:
                    schemes.write_snapshot(self._world, self._event_id, what, content)
                    self._snapshots.add(what)
                moved = True
                actions.append(attribute.remove() if name is None else attribute.set(name))
        return moved

    def _write(self, content: Content, *, public: bool) -> Version:
        if public not in self._written:
            name = f"{self._ticket}-{self._world.random.token(9)}"
            version = pages.version_named(name, content)
            pages.write(self._world, self._event_id, version, content, public=public and not self._made.deleted)
            self._written[public] = version
        return self._written[public]


def _inside(version: Version, content: Content, now: int) -> dict[str, Any]:
    return {
        "name": version.name,
        "pages": version.pages,
        "round": content.round,
        "at": now,
        "fingerprint": content.fingerprint(),
    }


def _sorted_out(versions: list[Version], stays: list[str], frozen: bool) -> tuple[list[Version], list[Version]]:
    """Which versions are kept and which go. While the standings are frozen no older one stays, for it may know later
    ranks than may be seen."""
    current = [version for version in versions if version.name in stays]
    older = [version for version in versions if version.name not in stays]
    room = 0 if frozen else KEPT_VERSIONS
    kept = older[-room:] if room else []
    return [*kept, *current], older[: len(older) - len(kept)]


def _kept(pointer: Pointer | None) -> list[Version]:
    return [Version(*row) for row in (pointer.kept if pointer is not None else None) or ()]


def _flip(world: World, event_id: str, pointer: Pointer | None, ticket: int, actions: list[Action]) -> bool:
    """Change the pointer if no other run has changed its standings since it was read, nor was the event deleted."""
    seen = 0 if pointer is None else int(pointer.ticket)
    # Our own ticket there means that this very change took effect and its reply was lost on the way.
    condition = (Pointer.ticket == seen) | (Pointer.ticket == ticket)
    if seen == 0:
        condition = condition | Pointer.ticket.does_not_exist()
    frozen = frozen_from_of(pointer)
    unmoved = Pointer.frozen_from.does_not_exist() if frozen is None else Pointer.frozen_from == frozen
    withdrawn = _withdrawn_at(pointer)
    there = Pointer.withdrawn_at.does_not_exist() if withdrawn is None else Pointer.withdrawn_at == withdrawn
    condition = condition & unmoved & there

    def flip() -> None:
        Pointer(event_id, POINTER).update([Pointer.ticket.set(ticket), *actions], condition=condition)

    try:
        patiently(flip, world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code == CONDITION_FAILED:
            return False
        raise
    return True
