"""The stored standings and the pure function's, as bytes to compare."""

from __future__ import annotations

from chalicelib.rules.document import parse
from chalicelib.services import documents
from chalicelib.services.standings import pages
from chalicelib.services.standings.content import Content, content_of
from tests.support.hall import Hall


def stored_bytes(hall: Hall) -> bytes:
    """The stored standings as bytes."""
    pointer = hall.pointer()
    assert pointer.standings is not None
    whole = pages.read(hall.world, hall.event_id, pointer.standings, int(pointer.standings_pages))
    assert whole is not None
    clubs = pages.read_clubs(hall.world, hall.event_id, pointer.standings)
    assert clubs is not None
    return Content(int(pointer.standings_round), whole.counts, whole.criteria, whole.rows, clubs, False).encoded()


def pure_bytes(hall: Hall) -> bytes:
    """What the rules make of the exported document, as bytes."""
    exported, _ = documents.export(hall.world, hall.event_id)
    return content_of(parse(exported)).encoded()
