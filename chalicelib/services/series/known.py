"""A series as its events hold it, and who may act on several of them at once."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chalicelib.services import linked_events
from chalicelib.services.event_frames import Frame
from chalicelib.services.problems import Problem
from chalicelib.services.standings import places
from chalicelib.services.views.series import State
from chalicelib.services.world import World
from chalicelib.store.series import find_series

MOST_EVENTS = linked_events.MOST_LINKED
"""Of a series: its events share one QR."""
MOST_TARGETS = 5
"""Events of one stage: all of them are formed in one transaction."""


class StageOf(msgspec.Struct, frozen=True):
    """A stage as it is stored."""

    name: str
    events: list[str]


class Known(msgspec.Struct, frozen=True):
    """A series as it is stored; ``token`` empty: the event is in none."""

    name: str
    stages: list[StageOf]
    token: str

    @property
    def events(self) -> list[str]:
        """The events of all stages in order."""
        return [event for stage in self.stages for event in stage.events]


def known(event_id: str) -> Known:
    """The series of an event; one without stages if it is in none."""
    found = find_series(event_id)
    if found is None:
        return Known("", [], "")
    return Known(found.name, msgspec.convert(found.stages, list[StageOf]), found.token)


def frames(world: World, events: Iterable[str]) -> dict[str, Frame]:
    """Those of the events that are there; deleted ones have dropped out."""
    found = {}
    for event_id in events:
        try:
            found[event_id] = Frame.read(world, event_id)
        except Problem:
            continue
    return found


def state_of(frame: Frame) -> State:
    """How far an event is."""
    if frame.header.phase == "ended":
        return "ended"
    if not frame.rounds or all(drawn.phase == "draft" for drawn in frame.rounds):
        return "waiting"
    return "finished" if is_finished(frame) else "running"


def is_finished(frame: Frame) -> bool:
    """Whether every round that was to be played is settled; who ends an event early has ended its rounds as well."""
    last = len(frame.rounds)
    settled = last > 0 and all(drawn.phase == "settled" for drawn in frame.rounds)
    return settled and (last >= frame.settings.rounds or frame.header.phase == "ended")


def is_frozen(frame: Frame) -> bool:
    """Whether somebody must not know the ranks yet."""
    return places.frozen_from_of(frame.pointer) is not None


def demand_all(world: World, account_id: str, events: Iterable[str]) -> None:
    """Raise series_foreign unless the account administers each of the events."""
    wanted = list(events)
    mine = linked_events.names_of(world, account_id, wanted)
    if any(each not in mine for each in wanted):
        raise Problem("series_foreign")
