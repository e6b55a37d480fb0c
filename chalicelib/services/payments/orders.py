"""Orders: a team that takes a place owes the fee, and its order holds the place for a while.

The order is written in the transaction that gives the place, and ends in the one that takes it away, so there is never
a place without an order or an order without its place.
"""

from __future__ import annotations

from msgspec.structs import replace
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.services.entry_changes import Moved
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store.due import ORDERS
from chalicelib.store.entries import EntryRecord, StoredEntry
from chalicelib.store.events import EventHeader, find_round
from chalicelib.store.orders import ID_LENGTH, Order, find_order, key_of
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

HOLD = 30 * 60_000
"""Milliseconds for which an order holds the place of who has just registered."""
HOLD_LATER = 24 * 3_600_000
"""The same for a team that moved up or was matched: nobody there looks at the page."""
LOOK_EVERY = 5 * 60_000
"""How often the provider is asked about an unpaid order whose QR code was shown: a callback may get lost."""
CODE_LIFE = 100 * 60_000
"""How long a QR code is shown before the provider is asked for another: WeChat's is good for two hours, an order of
who moved up for a day."""


def total(settings: Settings) -> int:
    """What a team owes, in 分."""
    return settings.fees.entry + settings.fees.extra


def online(world: World, settings: Settings) -> bool:
    """Whether teams pay online: there is a fee, the organizer wants it, and the deployment can."""
    return settings.fees.online and total(settings) > 0 and world.payments.provider() != "none"


def new_id(world: World) -> str:
    """A fresh order's id."""
    return world.random.token(9)[:ID_LENGTH]


def hold(
    work: Transaction, world: World, event_id: str, settings: Settings, entry: StoredEntry, milliseconds: int = HOLD
) -> StoredEntry:
    """The entry as it is once it owes: adds its order to ``work`` if it took a place and has to pay online."""
    if entry.state != "in" or entry.paid_at is not None or not online(world, settings):
        return entry
    order_id, pay_by = new_id(world), world.now() + milliseconds
    work.put(new_order(world, event_id, settings, entry.number, order_id, pay_by))
    return replace(entry, order=order_id, pay_by=pay_by)


def new_order(
    world: World,
    event_id: str,
    settings: Settings,
    number: int,
    order_id: str,
    expires_at: int,
    code: str | None = None,
) -> Order:
    """The item of a fresh order; ``code`` once the provider knows it."""
    return Order(
        f"{event_id}#ORDERS",
        order_id,
        event_id=event_id,
        number=number,
        provider=world.payments.provider(),
        amount=total(settings),
        created_at=world.now(),
        expires_at=expires_at,
        code=code,
        offered_at=None if code is None else world.now(),
        due_bucket=ORDERS,
        due_at=expires_at if code is None else min(expires_at, world.now() + LOOK_EVERY),
    )


def held(entry: StoredEntry) -> list[Action]:
    """What an update of an entry sets after :func:`hold`."""
    if entry.order is None or entry.pay_by is None:
        return []
    return [EntryRecord.order.set(entry.order), EntryRecord.pay_by.set(entry.pay_by)]


def outdated(world: World, order: Order) -> bool:
    """Whether an unpaid order has a QR code that is too old to be paid with."""
    offered = order.state == "unpaid" and order.code is not None
    return offered and world.now() >= int(whole(order.offered_at) or order.created_at) + CODE_LIFE


def same_order(entry: StoredEntry) -> Condition:
    """That the entry's newest order still is the one that was read."""
    return EntryRecord.order.does_not_exist() if entry.order is None else EntryRecord.order == entry.order


def plays(header: EventHeader, entry: StoredEntry) -> bool:
    """Whether a round that the entry has a part in was published: from then on the organizer decides about its place
    and its money."""
    last = int(header.last_round)
    drawn = find_round(header.event_id, last) if last >= entry.joined_round else None
    return drawn is not None and (drawn.phase != "draft" or last > entry.joined_round)


def still_owed(world: World, settings: Settings, header: EventHeader, entry: StoredEntry, order_id: str) -> bool:
    """Whether the entry loses its place if nobody pays this order: it holds the place, nobody paid on site, teams still
    pay online, and the entry does not play yet."""
    holds = entry.order == order_id and entry.pay_by is not None and entry.paid_at is None
    return holds and online(world, settings) and not plays(header, entry)


def leave(
    work: Transaction, world: World, event_id: str, entry: StoredEntry, refund: bool, told: bool
) -> tuple[list[Action], bool]:
    """Add what happens to the order of an entry that gives up its place: unpaid it is closed (``told`` as in
    :func:`close`), paid the money goes back if ``refund``. Returns what changes at the entry, and whether money goes
    back."""
    order = None if entry.order is None else find_order(event_id, entry.order)
    if order is None or order.state not in ("unpaid", "paid"):
        return ([] if entry.pay_by is None else [EntryRecord.pay_by.remove()]), False
    if told and order.state == "paid":
        # Paid since the entry was read: it loses no place.
        raise Moved
    if order.state == "unpaid":
        close(work, world, order, told=told)
        return [EntryRecord.pay_by.remove()], False
    if not refund:
        return [], False
    send_back(work, world, order, "withdrawn")
    return [EntryRecord.paid_at.remove()], True


def close(work: Transaction, world: World, order: Order, *, told: bool) -> None:
    """Add that nobody pays an unpaid order any more; the commit raises :class:`Moved` if somebody just did.

    Unless the provider was ``told`` so before, the schedule sees to it: somebody may be paying this very moment.
    """
    waits = order.code is not None and not told
    work.update(
        key_of(order.event_id, order.sk),
        [
            Order.state.set("closed"),
            Order.due_bucket.set(ORDERS) if waits else Order.due_bucket.remove(),
            Order.due_at.set(world.now()) if waits else Order.due_at.remove(),
        ],
        Order.state == "unpaid",
        lambda _: Moved(),
    )


def send_back(work: Transaction, world: World, order: Order, reason: str) -> None:
    """Add that a paid order's money goes back; the schedule sees to it until it has. Raises :class:`Moved`."""
    work.update(
        key_of(order.event_id, order.sk),
        [
            Order.state.set("refunding"),
            Order.reason.set(reason),
            Order.due_bucket.set(ORDERS),
            Order.due_at.set(world.now()),
        ],
        Order.state == "paid",
        lambda _: Moved(),
    )
