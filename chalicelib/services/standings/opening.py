"""Every number of the ranking opened to its addends: for officials as things are, for everybody as far as they may see.

Made when somebody asks: addends of everybody would be ten times the standings, and hardly anybody opens more than one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import NamedTuple

from chalicelib.rules.addends import ADJUSTMENT, Addend, Addends
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import Entry, Event, Round
from chalicelib.rules.ranking import Ranking
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.problems import Problem
from chalicelib.services.rank_changes import ROSTER
from chalicelib.services.standings import places
from chalicelib.services.standings.content import counts_of, exact_part, labels, shown_value
from chalicelib.services.standings.refreshing import live_of
from chalicelib.services.stored import packs
from chalicelib.services.stored.packs import Unsure
from chalicelib.services.views.events import Labelled
from chalicelib.services.views.standings import AddendView, EntryAddends, NumberedName, PublicAddends
from chalicelib.services.world import World
from chalicelib.store.standings import find_pointer
from chalicelib.store.transaction import Busy

ATTEMPTS = 5
AGE = 20_000
"""Milliseconds; the page whose number is opened looks for new standings as often."""
MOST_KEPT = 2


def addends(world: World, event_id: str, number: int) -> EntryAddends:
    """Every addend of one entry's numbers as they are now, frozen or not. Raises event_not_found, entry_not_found."""
    header, settings = known_event(event_id)
    event = event_of(world, header, settings, live=live_of(settings))
    entry = _entry(event, number)
    ranking, named = Ranking(scoresheet(event)), labels(event)
    opened = _opened(ranking, number)
    return EntryAddends(
        number,
        _name(entry),
        named,
        _values(ranking, number, named),
        {code: [_view(part, part.why) for part in parts] for code, parts in opened.items()},
    )


def public_addends(world: World, event_id: str, number: int) -> PublicAddends:
    """One entry's numbers and their addends as the public standings count them: rounds before the freeze, with what
    only one side has said where the event shows it.

    While results come in they may be ``AGE`` old, but a freeze, other settings and other names count at once. What an
    official wrote as the reason of an adjustment was not written for everybody and is left out. Raises event_not_found,
    and entry_not_found where no public standings show the entry.
    """
    return told(_shown(world, event_id), number)


class Shown(NamedTuple):
    """What everybody may see of an event: ranked over ``rounds``, as it was at ``at`` (ms) and after ``ticket``."""

    event: Event
    ranking: Ranking
    labels: list[Labelled]
    rounds: list[Round]
    unsure: Unsure
    ticket: int
    at: int


def shown(event: Event, unsure: Unsure, through: int | None, ticket: int = 0, at: int = 0) -> Shown:
    """An event as everybody may see it whose rounds after ``through`` are frozen (None: nothing is)."""
    rounds = [drawn for drawn in event.counted() if through is None or drawn.number <= through]
    return Shown(event, Ranking(scoresheet(event, through)), labels(event), rounds, unsure, ticket, at)


def told(seen: Shown, number: int) -> PublicAddends:
    """What everybody may know of one entry's numbers. Raises entry_not_found."""
    entry, opened = _entry(seen.event, number), _opened(seen.ranking, number)
    met = {other for parts in opened.values() for part in parts for other in part.opponents}
    return PublicAddends(
        number,
        _name(entry),
        seen.rounds[-1].number if seen.rounds else 0,
        counts_of(seen.rounds[-1] if seen.rounds else None, seen.unsure),
        seen.labels,
        _values(seen.ranking, number, seen.labels),
        {code: [_view(part, _told(part)) for part in parts] for code, parts in opened.items()},
        [NumberedName(other.number, _name(other)) for other in seen.event.entries if other.number in met],
        any(number in seen.unsure.get(each.number, ()) for each in seen.rounds),
    )


class _Recent:
    """What this process made last. A spectator opens one number after the other, and a hall opens them in the same
    minute: reading a national round in play takes more than 200 units of a partition that the players write to."""

    def __init__(self) -> None:
        self._lock = Condition()
        self._making: set[Hashable] = set()
        self._kept: dict[Hashable, tuple[World, Shown]] = {}

    def find(self, world: World, key: Hashable, ticket: int) -> Shown | None:
        """What was made for ``key`` in this world, if no run has ranked the event since or it is not too old."""
        with self._lock:
            maker, found = self._kept.get(key, (None, None))
        if found is None or maker is not world:
            return None
        return found if found.ticket == ticket or 0 <= world.now() - found.at < AGE else None

    @contextmanager
    def alone(self, key: Hashable) -> Iterator[None]:
        """Make what is asked for under ``key`` while nobody else in this process does: in a hall without internet one
        machine answers all phones, and they tap in the same second."""
        with self._lock:
            self._lock.wait_for(lambda: key not in self._making)
            self._making.add(key)
        try:
            yield
        finally:
            with self._lock:
                self._making.discard(key)
                self._lock.notify_all()

    def keep(self, world: World, key: Hashable, made: Shown) -> None:
        """Remember it in the place of the oldest."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = (world, made)
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]


_recent = _Recent()


def _shown(world: World, event_id: str) -> Shown:
    for _ in range(ATTEMPTS):
        # First, as in ranking: what is read of an event before a look at its freeze may be more than anybody may see.
        pointer = find_pointer(event_id)
        header, settings = known_event(event_id)
        if pointer is None or places.public(pointer) is None:
            raise Problem("entry_not_found")
        frozen_from, ticket, now = places.frozen_from_of(pointer), int(pointer.ticket), world.now()
        key = (event_id, frozen_from, int(header.version), packs.wanted(event_id, ROSTER))
        found = _recent.find(world, key, ticket)
        if found is not None:
            return found
        with _recent.alone(key):
            made = _recent.find(world, key, ticket)
            if made is None:
                through = None if frozen_from is None else frozen_from - 1
                live = live_of(settings)
                event = event_of(world, header, settings, live=live, through=through)
                made = shown(event, live or {}, through, ticket, now)
            if places.frozen_from_of(find_pointer(event_id)) == frozen_from:
                _recent.keep(world, key, made)
                return made
    # Frozen and shown again each time we looked.
    raise Busy


def _entry(event: Event, number: int) -> Entry:
    entry = next((entry for entry in event.entries if entry.number == number), None)
    if entry is None:
        raise Problem("entry_not_found")
    return entry


def _name(entry: Entry) -> str:
    return entry.name or " / ".join(player.name for player in entry.players)


def _opened(ranking: Ranking, number: int) -> dict[str, list[Addend]]:
    return Addends(ranking).of(ranking.sheet.numbers.index(number), ranking.value_columns())


def _values(ranking: Ranking, number: int, named: list[Labelled]) -> list[str]:
    columns, index = ranking.value_columns(), ranking.sheet.numbers.index(number)
    return [shown_value(label.code, columns[label.code][index]) for label in named]


def _told(part: Addend) -> str:
    return ADJUSTMENT if part.what == ADJUSTMENT else part.why


def _view(part: Addend, why: str) -> AddendView:
    return AddendView(part.round, exact_part(part.value), why)
