"""赛事列表: which events anybody may find, upcoming, running and finished. Private events are not in it.

Each listed event has one line (``store.listings``) that is put anew in the transaction of every change it shows, so the
list is never searched together: a page is one query of one part of a sparse index.
"""

from __future__ import annotations

import re
from typing import Any

from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.views.public_list import ListedEvent, PublicList
from chalicelib.store.events import EventHeader
from chalicelib.store.listings import LISTING, Listing, lines
from chalicelib.store.standings import Pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

UPCOMING, RUNNING, FINISHED = "upcoming", "running", "finished"
STATES = (UPCOMING, RUNNING, FINISHED)
PAGE = 50
MOST_READ = 500
"""Lines that one request looks at in search of a name; the reply says from where to go on."""
_PLACE = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9_-]{1,64})")


def state_of(phase: str, pointer: Pointer | None) -> str:
    """The part of the list: upcoming until a round is published, finished once the event has ended."""
    if phase == "ended":
        return FINISHED
    return RUNNING if pointer is not None and int(pointer.round) > 0 else UPCOMING


def follow(change: Transaction, header: EventHeader, settings: Settings, state: str) -> None:
    """Let the list show the event as it will be after ``change``; a private event leaves it."""
    if settings.private:
        leave(change, header.event_id)
    else:
        change.put(line_of(header, settings, state))


def line_of(header: EventHeader, settings: Settings, state: str) -> Listing:
    """The line of an event that is not private."""
    line = Listing(header.event_id, LISTING)
    line.listed_in = state
    # What comes next stands first among the upcoming, what was last played first among the finished.
    line.listed_at = header.last_act_at if state == FINISHED else settings.starts_at or header.created_at
    line.name, line.wanted_by = settings.name, comparable(settings.name)
    line.kind, line.rounds = settings.kind, settings.rounds
    line.starts_at, line.time_zone = settings.starts_at, settings.time_zone
    return line


def leave(change: Transaction, event_id: str) -> None:
    """Take the event off the list."""
    change.delete(Listing(event_id, LISTING))


def page(state: str, text: str, after: str | None) -> PublicList:
    """Up to 50 events of one part of the list whose name holds ``text`` (empty: all), from ``after`` on.

    ``after`` is the ``next`` of the page before. A page may hold fewer than there are while ``next`` goes on: a search
    looks at 500 lines at a time. Raises bad_value for an unknown part or place.
    """
    if state not in STATES:
        raise Problem("bad_value", "state", why=" | ".join(STATES))
    place = None if after is None else _place(state, after)
    wanted = comparable(text)
    condition = Listing.wanted_by.contains(wanted) if wanted else None
    most = MOST_READ if wanted else PAGE
    found = lines(state, newest_first=state != UPCOMING, after=place, most=most, condition=condition)
    listed: list[ListedEvent] = []
    following: str | None = None
    for line in found:
        listed.append(_listed(line))
        if len(listed) == PAGE:
            following = f"{int(line.listed_at)}.{line.pk}"
            break
    else:
        following = _next(found)
    return PublicList(listed, following)


def _next(found: Any) -> str | None:
    key = found.last_evaluated_key
    return None if key is None else f"{key['listed_at']['N']}.{key['pk']['S']}"


def _place(state: str, text: str) -> dict[str, Any]:
    place = _PLACE.fullmatch(text)
    if place is None:
        raise Problem("bad_value", "after", why="next")
    return {
        "pk": {"S": place[2]},
        "sk": {"S": LISTING},
        "listed_in": {"S": state},
        "listed_at": {"N": place[1]},
    }


def _listed(line: Listing) -> ListedEvent:
    kind = kind_of(line.kind)
    return ListedEvent(
        event_id=line.pk,
        name=line.name,
        kind_zh=kind.chinese,
        kind_en=kind.english,
        starts_at=whole(line.starts_at),
        time_zone=line.time_zone,
        rounds=int(line.rounds),
        at=int(line.listed_at),
    )
