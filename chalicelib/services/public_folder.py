"""The public folder of an event as a whole: taken away when the event is deleted, and what cannot be made anew of the
tables (pictures, which tables changed) kept aside until it comes back.

Everything else in the folder is written anew from the tables (``services.privacy.public_files``).
"""

from __future__ import annotations

from chalicelib.services import edge_copies
from chalicelib.services.world import World

ASIDE = "aside"
"""The private folder of what is kept of events that may come back."""
KEPT = ("pictures", "changes")


def take_away(world: World, event_id: str) -> None:
    """Let nothing public be left of the event: no file, and no copy at the edge. Can be repeated at will."""
    _move(world, f"pub/{event_id}/", f"{ASIDE}/{event_id}/")
    world.files.delete_prefix(f"pub/{event_id}/")
    edge_copies.forget(world, event_id)


def put_back(world: World, event_id: str) -> None:
    """Publish again what was kept aside. Can be repeated at will."""
    _move(world, f"{ASIDE}/{event_id}/", f"pub/{event_id}/")
    world.files.delete_prefix(f"{ASIDE}/{event_id}/")


def _move(world: World, source: str, target: str) -> None:
    for folder in KEPT:
        for key in world.files.list_prefix(f"{source}{folder}/"):
            stored = world.files.get(key)
            if stored is not None:
                moved = target + key.removeprefix(source)
                world.files.put(moved, stored.body, stored.content_type, stored.cache_control)
