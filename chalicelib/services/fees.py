"""线下收费: who has paid at the organizer's desk, also where others pay online."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from chalicelib.services import audit
from chalicelib.services.entries import view
from chalicelib.services.entry_changes import persistently
from chalicelib.services.finding import open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.payments import orders, progress
from chalicelib.services.problems import Problem
from chalicelib.services.views.entries import EntryView
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, find_entry, partition, sort_key
from chalicelib.store.orders import find_order


def tick(world: World, event_id: str, number: int, paid: bool, actor: str, call_once: Once) -> EntryView:
    """Note that an entry's fee was paid, or that it was not. Doing so again changes nothing.

    An order that waits for the money ends with it; what was paid online can only be refunded. Raises event_ended,
    entry_not_found, stale_version, paid_online.
    """
    ticked, closed = persistently(lambda: _tick(world, event_id, number, paid, actor, call_once))
    progress.after_leaving(world, event_id, closed)
    return ticked


def _tick(
    world: World, event_id: str, number: int, paid: bool, actor: str, call_once: Once
) -> tuple[EntryView, str | None]:
    """The entry afterwards, and the order that ended with this."""
    header, _ = open_event(world, event_id)
    entry = find_entry(event_id, number, header.imports or ())
    if entry is None:
        raise Problem("entry_not_found")
    repeated = paid is (entry.paid_at is not None)
    order = None if repeated or entry.order is None else find_order(event_id, entry.order)
    if not paid and order is not None and order.state == "paid":
        raise Problem("paid_online")
    after = entry if repeated else replace(entry, paid_at=world.now() if paid else None)
    closed = None
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(view(after)), world)
    if not repeated:
        work.update(
            EntryRecord(partition(event_id, number), sort_key(number)),
            [EntryRecord.paid_at.set(world.now()), EntryRecord.pay_by.remove()]
            if paid
            else [EntryRecord.paid_at.remove()],
            EntryRecord.paid_at.does_not_exist() if paid else EntryRecord.paid_at == entry.paid_at,
            lambda _: Problem("stale_version"),
        )
        if order is not None and order.state == "unpaid":
            orders.close(work, world, order, told=False)
            closed = order.sk
        audit.record(
            work,
            world,
            event_id=event_id,
            actor=actor,
            action="fee.paid" if paid else "fee.unpaid",
            subject=f"entry:{number}",
        )
    work.commit()
    return view(after), closed
