"""The log of an event that is encrypted later: names of 团体 in it give way to their opaque ids.

No line is taken away and nothing else in a line changes, so replaying the log gives the ranking that it gave. Lines
with names are written on condition of the event's version; so after the event was encrypted none is added any more.
"""

from __future__ import annotations

from typing import Any

from chalicelib.services.privacy.sealing import club_id
from chalicelib.services.world import World
from chalicelib.store import audit
from chalicelib.store.audit import AuditEntry
from chalicelib.store.transaction import patiently


def rename_clubs(world: World, event_id: str) -> None:
    """Put ids in the place of names of 团体 in the whole log. Repeatable: an id stays what it is."""
    for line in list(audit.entries(event_id)):
        if (details := _renamed(world, event_id, line.details)) != line.details:
            _write(world, line, details)


def _write(world: World, line: AuditEntry, details: Any) -> None:
    line.details = details
    patiently(line.save, world.sleep, world.random.fraction)


def _renamed(world: World, event_id: str, details: Any) -> Any:
    if not isinstance(details, dict):
        return details
    found = dict(details)
    for key in ("names", "event_clubs"):
        if key in found:
            found[key] = [club_id(world, event_id, name) for name in found[key]]
    if "document" in found:
        clubs = [club_id(world, event_id, name) for name in found["document"]["clubs"]]
        found["document"] = {**found["document"], "clubs": clubs}
    return found
