"""Publishing: from now on players see their tables. Until the round's header flips, nothing of it is visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from chalicelib.services import audit, clock, line_ups, public_list, pulse, rank_changes
from chalicelib.services.finding import drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts, large, redrawing
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.holding import stale_round
from chalicelib.services.rounds.round_items import RoundItems
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.settings import Settings
from chalicelib.services.views.rounds import RoundView, SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, all_entries
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.guarded import Guard
from chalicelib.store.standings import ACTIVE, POINTER, Active, Pointer, find_pointer
from chalicelib.store.transaction import Transaction

TABLES_PER_PAGE = 200


class Draft(msgspec.Struct, frozen=True):
    """A draft that is published, as it was read. ``teams``: the entries where teams say who of them plays."""

    event: EventHeader
    settings: Settings
    header: RoundHeader
    tables: list[DraftTable]
    teams: dict[int, StoredEntry]
    pointer: Pointer | None

    def items(self, world: World, *guards: Guard) -> RoundItems:
        """What has to be written, on these conditions, before it can be shown."""
        return RoundItems(world, self.settings, self.header, self.tables, self.teams, guards)


def publish(
    world: World, event_id: str, number: int, version: int, actor: str, once: Once, *, reply: Any = None
) -> RoundView:
    """Publish a draft that was seen at ``version``; ``reply``: what a repeated request is answered, if not the round.

    Raises round_phase, stale_version, draft_outdated where others go on in a knock-out by now, and round_large where a
    job has to do it.
    """
    draft = read_draft(world, event_id, number, version)
    large.refuse(world, draft.settings, draft.header)
    items = draft.items(world)
    for _ in items.clear():
        pass
    for _ in items.write():
        pass
    return show(world, draft, snapshot_name(world, number), actor, once, reply=reply)


def read_draft(world: World, event_id: str, number: int, version: int) -> Draft:
    """The draft that was seen at ``version``. Raises as :func:`publish`, but for round_large."""
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase != "draft":
        raise Problem("round_phase", phase=header.phase)
    (tables,) = drafts.read(world, [header])
    pointer = find_pointer(event_id)
    if header.version != version:
        current = round_view(world, settings, header, tables, pointer, event)
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    redrawing.refuse_outdated(settings, header)
    return Draft(event, settings, header, tables, _teams(event, settings), pointer)


def show(
    world: World,
    draft: Draft,
    snapshot: str,
    actor: str,
    once: Once,
    *,
    reply: Any = None,
    within: Callable[[Transaction], None] = lambda work: None,
) -> RoundView:
    """Flip a draft whose items are written: everybody sees it from now on, in the public pages ``snapshot``, too.

    ``within`` adds what is to happen with it or not at all. Raises stale_version when it is another by now.
    """
    event, settings, header, tables, pointer = draft.event, draft.settings, draft.header, draft.tables, draft.pointer
    event_id, number, version, now = header.pk, int(header.number), int(header.version), world.now()
    published = RoundHeader(**header.attribute_values)
    published.phase, published.version, published.published_at = "published", version + 1, now
    # The clock of the round before does not belong to this one.
    shown = Pointer(event_id, POINTER, round=number, clock_version=_next_clock_version(pointer))
    view = round_view(world, settings, published, tables, shown)
    write_snapshot(world, event_id, snapshot, view)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(view) if reply is None else reply, world)
    work.update(
        header,
        [
            RoundHeader.phase.set("published"),
            RoundHeader.version.set(version + 1),
            RoundHeader.published_at.set(now),
            RoundHeader.pairings.set(snapshot),
            RoundHeader.job.remove(),
        ],
        condition=(RoundHeader.version == version)
        & (RoundHeader.phase == "draft")
        & (RoundHeader.generation == header.generation),
        otherwise=stale_round,
    )
    as_read = (EventHeader.phase == "open") & (EventHeader.last_round == number)
    if draft.teams:
        # A line-up that came in this very moment would be lost.
        as_read = as_read & (EventHeader.entries_version == event.entries_version)
    work.check(event, as_read, lambda old: Problem("stale_version"))
    pulse.change(
        work,
        event_id,
        Pointer.round.set(number),
        Pointer.rounds.set(settings.rounds),
        Pointer.name.set(settings.name),
        Pointer.phase.set("published"),
        Pointer.pairings.set(snapshot),
        Pointer.clock.set(clock.IDLE),
        Pointer.clock_version.add(1),
    )
    work.put(Active(ACTIVE, event_id, since=now))
    public_list.follow(work, event, settings, public_list.RUNNING)
    # Byes and absences count from now on. Until the first round registrations do not tell anybody that they came.
    rank_changes.mark(work, event_id, f"round.publish:{number}", roster=number == 1)
    audit.record(work, world, event_id=event_id, actor=actor, action="round.publish", subject=f"round:{number}")
    within(work)
    work.commit()
    pulse.publish(world, event_id)
    return view


def _next_clock_version(pointer: Pointer | None) -> int:
    return 1 + (int(pointer.clock_version) if pointer is not None else 0)


def _teams(event: EventHeader, settings: Settings) -> dict[int, StoredEntry]:
    """The entries, where teams say who of them plays."""
    if not line_ups.rooms_of(settings):
        return {}
    return {entry.number: entry for entry in all_entries(event.event_id, event.imports or ())}


def snapshot_name(world: World, number: int) -> str:
    """A name for the public pages of a round's pairings, unguessable until it is published."""
    return f"{number}-{world.random.token(9)}"


def write_snapshot(world: World, event_id: str, snapshot: str, view: RoundView) -> None:
    """Put the public pages of a round's pairings under this name."""
    tables = [
        {
            "table": table.table,
            "ns": _public(table.ns),
            "ew": _public(table.ew),
            "set": table.board_set,
            "third_place": table.third_place,
        }
        for table in view.tables
    ]
    byes, sit_outs = ([_public(entry) for entry in resting] for resting in (view.byes, view.sit_outs))
    pages = [tables[first : first + TABLES_PER_PAGE] for first in range(0, len(tables), TABLES_PER_PAGE)] or [[]]
    for page, shown in enumerate(pages, 1):
        body = {
            "round": view.number,
            "page": page,
            "pages": len(pages),
            "tables": shown,
            "byes": byes,
            "sit_outs": sit_outs,
            "rooms": view.rooms,
        }
        world.files.put(
            f"pub/{event_id}/pairings/{snapshot}/{page}.json",
            msgspec.json.encode(body),
            pulse.JSON_TYPE,
            pulse.CACHE_SNAPSHOT,
        )


def _public(entry: SeatedEntry) -> dict[str, object]:
    return {"no": entry.number, "nos": entry.numbers, "name": entry.name, "players": entry.players}
