"""Events and rounds as services find them, or the refusal that says why not."""

from __future__ import annotations

import msgspec

from chalicelib.services import idle
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_event, find_round

IN_PLAY = ("published", "playing")
"""Phases of a round in which sides may speak (if the clock allows)."""


def settings_of(header: EventHeader) -> Settings:
    """The settings document of an event."""
    return msgspec.convert(header.settings, Settings)


def known_event(event_id: str) -> tuple[EventHeader, Settings]:
    """The event and its settings; raises event_not_found."""
    header = find_event(event_id)
    if header is None:
        raise Problem("event_not_found")
    return header, settings_of(header)


def as_it_is(header: EventHeader, settings: Settings, now: int) -> EventHeader:
    """The header (as it was read) with the phase that holds at ``now``: an idle event is over before the schedule
    has written it down."""
    header.phase = idle.phase_at(header, settings, now)
    return header


def open_event(world: World, event_id: str) -> tuple[EventHeader, Settings]:
    """The same for an event that goes on; raises event_ended for one that has ended or lain idle for a week."""
    header, settings = known_event(event_id)
    if as_it_is(header, settings, world.now()).phase == "ended":
        raise Problem("event_ended")
    return header, settings


def drawn_round(event_id: str, number: int) -> RoundHeader:
    """The header of a round, draft or not; raises round_not_found."""
    header = find_round(event_id, number)
    if header is None:
        raise Problem("round_not_found")
    return header


def free_at(header: RoundHeader, now: int) -> int:
    """A table of the round is free if its hold ends at this moment (ms) or before: its time is over at ``now``, or
    whoever held it gave up."""
    return max(now, int(header.released))


def visible_round(event_id: str, number: int) -> RoundHeader:
    """The header of a published round. A draft is not there for anybody but its organizers: round_not_found."""
    header = drawn_round(event_id, number)
    if header.phase == "draft":
        raise Problem("round_not_found")
    return header
