"""Making a series of events, changing its stages, and taking events out of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from chalicelib.services import audit, linked_events
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.series.known import MOST_EVENTS, MOST_TARGETS, StageOf, demand_all, frames, known
from chalicelib.services.series.reading import view
from chalicelib.services.views.series import SeriesView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.series import SERIES, SeriesRecord, find_series
from chalicelib.store.transaction import Transaction


def arrange(
    world: World,
    event_id: str,
    name: str,
    stages: Sequence[StageOf],
    token: str,
    account_id: str,
    actor: str,
    once: Once,
) -> SeriesView:
    """Make these the stages of the event's series, in order; none: the series is dissolved. Its open events share
    their QR from then on, beside what they shared it with before.

    The account must administer every event that is in it or was. Raises stale_version when the series is not as at
    ``token``, bad_value for an event named twice, for too many, or without ``event_id`` among them; series_elsewhere,
    series_foreign.
    """
    before = known(event_id)
    if before.token != token:
        raise Problem("stale_version")
    wanted = [each for stage in stages for each in stage.events]
    if len(set(wanted)) < len(wanted):
        raise Problem("bad_value", "stages", why_zh="赛事重复", why_en="an event is named twice")
    if len(wanted) > MOST_EVENTS:
        raise Problem("bad_value", "stages", why=f"<= {MOST_EVENTS}")
    if any(not 0 < len(stage.events) <= MOST_TARGETS for stage in stages):
        raise Problem("bad_value", "stages", why=f"1 - {MOST_TARGETS}")
    if wanted and event_id not in wanted:
        raise Problem("bad_value", "stages", why_zh="须包含本赛事", why_en="this event must be in it")
    alive = frames(world, {*wanted, *before.events})
    demand_all(world, account_id, [each for each in alive if each != event_id])
    missing = next((each for each in wanted if each not in alive), None)
    if missing is not None:
        # The same whether it is not there or somebody else's.
        raise Problem("series_foreign")
    for each in wanted:
        found = known(each)
        if each not in before.events and found.token:
            raise Problem("series_elsewhere", name=alive[each].settings.name)
    new = world.random.token(9) if wanted else ""
    change = transaction(world)
    held = [msgspec.to_builtins(stage) for stage in stages]
    for each in dict.fromkeys([*wanted, *before.events]):
        seen = find_series(each)
        condition = SeriesRecord.token.does_not_exist() if seen is None else SeriesRecord.token == seen.token
        if each in wanted:
            change.put(
                SeriesRecord(each, SERIES, name=name, stages=held, token=new),
                condition,
                lambda _: Problem("stale_version"),
            )
        elif seen is not None:
            change.delete(SeriesRecord(each, SERIES), condition, lambda _: Problem("stale_version"))
    gone = set(before.events) - set(wanted)
    if wanted:
        # Of a series that is dissolved the events go on sharing their QR, until somebody unlinks them.
        _link(change, world, wanted, gone)
    for each in wanted:
        change.check(
            EventHeader(each, "EVENT"), EventHeader.deleted_at.does_not_exist(), lambda _: Problem("stale_version")
        )
    reply = view(world, account_id, name, list(stages), new, alive)
    once.record(change, msgspec.to_builtins(reply), world)
    for each in dict.fromkeys([event_id, *wanted, *gone]):
        if each in alive:
            audit.record(
                change,
                world,
                event_id=each,
                actor=actor,
                action="series.arrange",
                subject=f"event:{each}",
                details={"stages": [stage.events for stage in stages]},
            )
    change.commit()
    return reply


def _link(change: Transaction, world: World, wanted: Sequence[str], gone: set[str]) -> None:
    """One QR for all: who was linked with one of them stays linked, who left the series does not."""
    together = sorted({*wanted, *linked_events.set_of(world, wanted)} - gone)
    if len(together) > linked_events.MOST_LINKED:
        raise Problem("bad_value", "stages", why=f"<= {linked_events.MOST_LINKED}")
    linked_events.regroup(change, world, together)
