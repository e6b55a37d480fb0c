"""What happens by the clock: registrations close, idle events end, standings are compared and healed."""

from __future__ import annotations

import logging

from chalice.app import Blueprint, CloudWatchEvent, Rate

from chalicelib.services import deadlines, idle_events, standings
from chalicelib.services.world import current

logger = logging.getLogger("guanjun.schedules")
blueprint = Blueprint(__name__)


@blueprint.schedule(Rate(1, unit=Rate.MINUTES), name="close_registrations")
def close_registrations(event: CloudWatchEvent) -> int:
    """Each minute; returns how many registrations were closed."""
    world = current()
    closed = deadlines.close_registrations(world)
    if closed:
        world.metrics.add("RegistrationsClosed", closed)
        logger.info("%d registrations closed", closed)
    return closed


@blueprint.schedule(Rate(1, unit=Rate.HOURS), name="end_idle_events")
def end_idle_events(event: CloudWatchEvent) -> int:
    """Each hour: events in which nothing was drawn or settled for a week are ended; how many."""
    world = current()
    ended = idle_events.end_idle_events(world)
    if ended:
        world.metrics.add("IdleEventsEnded", ended)
        logger.info("%d idle events ended", ended)
    return ended


@blueprint.schedule(Rate(1, unit=Rate.HOURS), name="sweep")
def sweep(event: CloudWatchEvent) -> int:
    """Each hour: active events whose stored standings differ from the pure function are computed anew; how many."""
    world = current()
    healed = standings.heal(world)
    if healed:
        world.metrics.add("StandingsHealed", healed)
        logger.warning("%d standings healed", healed)
    return healed
