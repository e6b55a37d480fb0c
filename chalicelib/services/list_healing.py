"""The public list against the events themselves: a line that two changes at once left wrong is put right.

Every change puts the event's line as it saw the event; of two at the same moment the later one may have seen less. The
hourly ``sweep`` looks at what is listed as upcoming or running, and at what is in play.
"""

from __future__ import annotations

from chalicelib.services import public_list
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, find_event
from chalicelib.store.listings import LISTING, Listing, lines
from chalicelib.store.standings import ACTIVE, Active, find_pointer
from chalicelib.store.transaction import Busy

MOST_LOOKED_AT = 500
"""Lines of each part; finished events do not change any more."""


class _Moved(Exception):
    """The event changed this very moment, and its line with it."""


def heal(world: World) -> int:
    """Put the lines right of the events that are listed, and of those in play; how many were wrong."""
    active = [each.sk for each in Active.query(ACTIVE, consistent_read=True)]
    listed = [
        line.pk
        for state in (public_list.UPCOMING, public_list.RUNNING)
        for line in lines(state, newest_first=True, after=None, most=MOST_LOOKED_AT, condition=None)
    ]
    return sum(_heal_one(world, event_id) for event_id in dict.fromkeys([*listed, *active]))


def _heal_one(world: World, event_id: str) -> bool:
    header = find_event(event_id)
    change = transaction(world)
    there = next(iter(Listing.query(event_id, Listing.sk == LISTING, consistent_read=True)), None)
    if header is None:
        if there is None:
            return False
        public_list.leave(change, event_id)
        gone = EventHeader.pk.does_not_exist() | EventHeader.deleted_at.exists()
        change.check(EventHeader(event_id, "EVENT"), gone, lambda _: _Moved())
    else:
        settings = settings_of(header)
        state = public_list.state_of(as_it_is(header, settings, world.now()).phase, find_pointer(event_id))
        wanted = None if settings.private else public_list.line_of(header, settings, state)
        if (None if there is None else there.attribute_values) == (None if wanted is None else wanted.attribute_values):
            return False
        public_list.follow(change, header, settings, state)
        seen = (EventHeader.version == header.version) & (EventHeader.last_act_at == header.last_act_at)
        change.check(EventHeader(event_id, "EVENT"), seen, lambda _: _Moved())
    try:
        change.commit()
    except (_Moved, Busy):
        return False
    return True
