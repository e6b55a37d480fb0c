"""获奖名单: the awards given down the ranking as it is, and revealed on the projection step by step.

No public file holds a winner: the projection asks with its link, and is told no more than was revealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from chalicelib.rules.prizes import Award, Prize, awards
from chalicelib.rules.standings import Row
from chalicelib.services import audit
from chalicelib.services.finding import known_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.standings import pages, places
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.winners import ClubWinner, PrizeWinners, Revealed, RevealedPrize, Winner, Winners
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.transaction import Busy

ATTEMPTS = 5


def awarded(rows: Sequence[Row], settings: Settings, decided: Sequence[int]) -> Iterator[tuple[str | None, Award]]:
    """Every award of every ranking (one, or one a group), in the order of the settings within each."""
    prizes = [Prize(prize.name, prize.count) for prize in settings.prizes]
    for group, ranked in groupby(rows, key=lambda row: row.group):
        for award in awards(list(ranked), prizes, decided):
            yield group, award


def read(world: World, event_id: str) -> Winners:
    """Who wins what as things stand, frozen or not. Raises event_not_found."""
    header, settings = known_event(event_id)
    rows, clubs = _ranking(world, event_id, find_pointer(event_id))
    return _winners(header, settings, rows, clubs, list(header.decided or ()))


def _ranking(world: World, event_id: str, pointer: Pointer | None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    for _ in range(ATTEMPTS):
        place = places.inside(pointer)
        if place is None:
            return [], []
        whole = pages.read(world, event_id, place.name, place.pages)
        if whole is not None:
            return whole.rows, pages.read_clubs(world, event_id, place.name) or []
        pointer = find_pointer(event_id)
    # Replaced again each time we looked.
    raise Busy


def _winners(
    header: EventHeader,
    settings: Settings,
    rows: list[dict[str, Any]],
    clubs: list[dict[str, Any]],
    decided: list[int],
) -> Winners:
    of = {row["no"]: _winner(row) for row in rows}
    ranked = [Row(row["rank"], row["tied"], row["no"], row["group"], {}, {}) for row in rows]
    prizes = [
        PrizeWinners(
            name=award.prize.name,
            count=award.prize.count,
            group=group,
            winners=[of[number] for number in award.winners],
            open_places=award.open_places,
            contested=[of[number] for number in award.contested],
            undecided=award.open_places > 0,
        )
        for group, award in awarded(ranked, settings, decided)
    ]
    return Winners(
        prizes=prizes,
        clubs=[ClubWinner(**row) for row in clubs],
        decided=decided,
        total=sum(len(prize.winners) for prize in prizes),
        version=int(header.version),
    )


def _winner(row: dict[str, Any]) -> Winner:
    entry = SeatedEntry(row["no"], row["name"], row["club"], row["players"], [row["no"]])
    return Winner(row["rank"], row["tied"], entry)


def decide(world: World, event_id: str, version: int, order: list[int], actor: str, once: Once) -> Winners:
    """Put tied entries in an order, where one prize must be decided: those named come before the others of their rank.

    It moves no rank. Raises stale_version, bad_value for an entry that is not ranked or named twice.
    """
    header, settings = known_event(event_id)
    if int(header.version) != version:
        raise Problem("stale_version", current={"version": int(header.version)})
    rows, clubs = _ranking(world, event_id, find_pointer(event_id))
    ranked = {row["no"] for row in rows}
    if len(set(order)) != len(order) or not ranked.issuperset(order):
        raise Problem("bad_value", "entries", why="1, 2, 3, …")
    reply = _winners(header, settings, rows, clubs, order)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        EventHeader(header.pk, header.sk),
        [EventHeader.decided.set(order)],
        EventHeader.version == version,
        lambda old: Problem("stale_version"),
    )
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="winners.decide",
        subject=f"event:{event_id}",
        details={"order": order},
    )
    work.commit()
    return reply


def revealed(world: World, event_id: str) -> Revealed:
    """What the projection may show: as many winners as the console has revealed, and none while it shows something
    else (the ranking may have moved on since they were revealed). Raises event_not_found."""
    header, settings = known_event(event_id)
    pointer = find_pointer(event_id)
    rows, clubs = _ranking(world, event_id, pointer)
    found = _winners(header, settings, rows, clubs, list(header.decided or ()))
    asked = (pointer.display if pointer is not None else None) or {}
    step = min(int(asked.get("step", 0)), found.total) if asked.get("view") == "winners" else 0
    left = step
    newest: Winner | None = None
    prizes: list[RevealedPrize] = []
    for prize in reversed(found.prizes):
        shown = prize.winners[max(0, len(prize.winners) - left) :] if left else []
        left -= len(shown)
        if shown:
            newest = shown[0]
        prizes.append(RevealedPrize(prize.name, prize.group, shown, len(prize.winners) - len(shown)))
    return Revealed(step, found.total, newest, prizes[::-1])
