"""The projection's remote control: what every screen of the event shows, through the pulse."""

from __future__ import annotations

import msgspec

from chalicelib.services import audit, pulse
from chalicelib.services.finding import known_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.views.events import DisplayView
from chalicelib.services.world import World
from chalicelib.store.standings import Pointer


def show(world: World, event_id: str, shown: DisplayView, actor: str, once: Once) -> DisplayView:
    """Let all projections show this from now on; the last command holds. Raises event_not_found."""
    known_event(event_id)
    value = msgspec.to_builtins(shown)
    work = transaction(world)
    once.record(work, value, world)
    pulse.change(work, event_id, Pointer.display.set(value))
    audit.record(work, world, event_id=event_id, actor=actor, action="display.show", details=value)
    work.commit()
    pulse.publish(world, event_id)
    return shown
