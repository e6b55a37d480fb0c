"""What happens by the clock: registrations close, idle events end, people's data go at their date, standings heal."""

from __future__ import annotations

import logging

from chalice.app import Blueprint, CloudWatchEvent, Rate

from chalicelib.services import deadlines, erasing, idle_events, list_healing, standings
from chalicelib.services.ladders import healing
from chalicelib.services.payments import expiry
from chalicelib.services.privacy import purge
from chalicelib.services.world import current

logger = logging.getLogger("guanjun.schedules")
blueprint = Blueprint(__name__)


@blueprint.schedule(Rate(1, unit=Rate.MINUTES), name="close_registrations")
def close_registrations(event: CloudWatchEvent) -> int:
    """Each minute; returns how many registrations were closed. Then orders whose time has come are looked at."""
    world = current()
    closed = deadlines.close_registrations(world)
    if closed:
        world.metrics.add("RegistrationsClosed", closed)
        logger.info("%d registrations closed", closed)
    if looked := expiry.look_at_due(world):
        logger.info("%d orders looked at", looked)
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


@blueprint.schedule(Rate(5, unit=Rate.MINUTES), name="purge_personal_data")
def purge_personal_data(event: CloudWatchEvent) -> int:
    """Every five minutes: people's data go at their date, deleted events after thirty days, what erasures and
    encryptions left is finished, so are ladders; how many events were purged."""
    world = current()
    erased = erasing.erase_due(world)
    if erased:
        logger.info("%d deleted events erased", erased)
    purged = purge.purge_due(world)
    if queued := healing.heal(world):
        logger.warning("%d ladder jobs queued again", queued)
    if purged:
        world.metrics.add("EventsPurged", purged)
        logger.info("%d events purged", purged)
    return purged


@blueprint.schedule(Rate(1, unit=Rate.HOURS), name="sweep")
def sweep(event: CloudWatchEvent) -> int:
    """Each hour: active events whose stored standings differ from the pure function are computed anew, lines of the
    public list that differ from their events are put right; how many standings."""
    world = current()
    lines = list_healing.heal(world)
    if lines:
        logger.warning("%d lines of the public list put right", lines)
    healed = standings.heal(world)
    if healed:
        world.metrics.add("StandingsHealed", healed)
        logger.warning("%d standings healed", healed)
    return healed
