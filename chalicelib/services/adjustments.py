"""罚分: points that a referee gives or takes. They count in pairing and in every ranking while their round counts.

Each stands in an item of its own; giving or removing one wakes the standings and lets a drawing under way notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.rules.criteria import CRITERIA
from chalicelib.rules.model import Adjustment
from chalicelib.services import audit, rank_changes
from chalicelib.services.finding import known_event, open_event, visible_round
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import roster
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.adjustments import Adjustments, AdjustmentView
from chalicelib.services.views.events import Labelled
from chalicelib.services.world import World
from chalicelib.store import adjustments as store
from chalicelib.store.adjustments import StoredAdjustment, adjustment_key
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.transaction import Transaction

MOST = 1000
MOST_OF_A_ROUND = 80
"""A round is deleted with its adjustments in one transaction, which holds 100 steps."""


class Given(msgspec.Struct, frozen=True):
    """What a referee gives: ``amount`` is a multiple of 0.5 from -1000 to 1000."""

    entry: int
    round: int
    criterion: str
    amount: float
    reason: str


def listed(world: World, event_id: str) -> Adjustments:
    """All adjustments in force, oldest first. Raises event_not_found."""
    _, settings = known_event(event_id)
    found = list(store.adjustments(event_id))
    names = roster.seated_entries(world, event_id) if found else {}
    return Adjustments(
        _criteria(settings),
        [_view(each, (names.get(int(each.entry)) or roster.nobody(int(each.entry))).name) for each in found],
    )


def _criteria(settings: Settings) -> list[Labelled]:
    rows = (CRITERIA[code] for code in kind_of(settings.kind).adjustable)
    return [Labelled(row.code, row.chinese, row.english) for row in rows]


def _view(stored: StoredAdjustment, name: str) -> AdjustmentView:
    return AdjustmentView(
        id=stored.adjustment_id,
        entry=int(stored.entry),
        name=name,
        round=int(stored.round),
        criterion=stored.criterion,
        amount=float(Fraction(stored.amount)),
        reason=stored.reason,
        actor=stored.actor,
        at=int(stored.at),
    )


def of_rules(event_id: str) -> tuple[Adjustment, ...]:
    """The adjustments as the rules count them."""
    return tuple(
        Adjustment(int(each.entry), int(each.round), each.criterion, Fraction(each.amount), each.reason)
        for each in store.adjustments(event_id)
    )


def stored_from(world: World, event_id: str, given: Iterable[Adjustment], actor: str) -> list[StoredAdjustment]:
    """The items of a restored event's adjustments, in the order in which they stand in its document."""
    return [_item(world, event_id, each, actor, store.restored_id(place)) for place, each in enumerate(given)]


def _item(world: World, event_id: str, given: Adjustment, actor: str, adjustment_id: str) -> StoredAdjustment:
    return StoredAdjustment(
        event_id,
        adjustment_key(adjustment_id),
        adjustment_id=adjustment_id,
        entry=given.entry,
        round=given.round,
        criterion=given.criterion,
        # Halves at most, so it comes out exactly.
        amount=f"{float(given.amount):g}",
        reason=given.reason,
        actor=actor,
        at=world.now(),
    )


def give(world: World, event_id: str, given: Given, actor: str, once: Once) -> AdjustmentView:
    """Give or take points.

    Raises round_not_found (drafts too), entry_not_found, not_adjustable, bad_value, reason_missing,
    too_many_adjustments, event_ended.
    """
    event, settings = open_event(world, event_id)
    header = visible_round(event_id, given.round)
    amount = _checked(settings, given)
    row = next((row for row in roster.packed(world, event_id) if row.number == given.entry), None)
    if row is None:
        raise Problem("entry_not_found", "entry")
    before = list(store.adjustments(event_id))
    if len(before) >= MOST or sum(int(each.round) == given.round for each in before) >= MOST_OF_A_ROUND:
        raise Problem("too_many_adjustments", limit=MOST, round_limit=MOST_OF_A_ROUND)
    made = Adjustment(given.entry, given.round, given.criterion, amount, given.reason.strip())
    item = _item(world, event_id, made, actor, f"{world.now():013d}-{world.random.token(6)}")
    reply = _view(item, row.seated().name)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.put(item, StoredAdjustment.pk.does_not_exist())
    work.check(
        header,
        (RoundHeader.generation == header.generation) & (RoundHeader.phase != "draft"),
        lambda old: Problem("round_not_found"),
    )
    _count_change(work, event)
    rank_changes.mark(work, event_id, f"entry.adjust:{given.entry}")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.adjust",
        subject=f"entry:{given.entry}",
        reason=made.reason,
        details=_details(item),
    )
    work.commit()
    return reply


def _details(item: StoredAdjustment) -> dict[str, object]:
    return {
        "id": item.adjustment_id,
        "round": int(item.round),
        "criterion": item.criterion,
        "amount": item.amount,
    }


def _checked(settings: Settings, given: Given) -> Fraction:
    if not given.reason.strip():
        raise Problem("reason_missing", "reason")
    kind = kind_of(settings.kind)
    if given.criterion not in kind.adjustable:
        offered = [CRITERIA[code] for code in kind.adjustable]
        raise Problem(
            "not_adjustable",
            "criterion",
            offered_zh="、".join(row.chinese for row in offered),
            offered_en=", ".join(row.english for row in offered),
        )
    doubled = Fraction(given.amount) * 2
    if doubled.denominator != 1 or not 0 < abs(doubled) <= 2000:
        raise Problem("bad_value", "amount", why="±0.5, ±1, … ±1000")
    return doubled / 2


def remove(world: World, event_id: str, adjustment_id: str, reason: str, actor: str, once: Once) -> Done:
    """Take an adjustment back. Raises adjustment_not_found, reason_missing, event_ended."""
    if not reason.strip():
        raise Problem("reason_missing", "reason")
    event, _ = open_event(world, event_id)
    item = store.find_adjustment(event_id, adjustment_id)
    if item is None:
        raise Problem("adjustment_not_found")
    work = transaction(world)
    once.record(work, {"done": True}, world)
    work.delete(item, StoredAdjustment.pk.exists(), lambda old: Problem("adjustment_not_found"))
    _count_change(work, event)
    rank_changes.mark(work, event_id, f"entry.unadjust:{int(item.entry)}")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.unadjust",
        subject=f"entry:{int(item.entry)}",
        reason=reason.strip(),
        details=_details(item),
    )
    work.commit()
    return Done()


def _count_change(work: Transaction, event: EventHeader) -> None:
    work.update(
        EventHeader(event.event_id, "EVENT"),
        [EventHeader.adjustments_version.add(1)],
        EventHeader.phase == "open",
        lambda old: Problem("event_ended"),
    )


def unchanged(seen: EventHeader) -> Condition:
    """The condition on an event's header that no adjustment was given or removed since ``seen`` was read."""
    same = EventHeader.adjustments_version == seen.adjustments_version
    return same if seen.adjustments_version else same | EventHeader.adjustments_version.does_not_exist()


def remove_with_round(work: Transaction, event_id: str, number: int) -> list[dict[str, object]]:
    """Let a round's adjustments go with it; what the log says of them."""
    gone = [each for each in store.adjustments(event_id) if int(each.round) == number]
    for each in gone:
        work.delete(each)
    return [_details(each) | {"entry": int(each.entry)} for each in gone]
