"""天梯管理: the platform's administrators make ladders, open and close seasons, archive. All of it is in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from chalicelib.services import audit
from chalicelib.services.ladders.following import outdate
from chalicelib.services.ladders.known import Parameters, Season, known_ladder, open_season, seasons_of
from chalicelib.services.ladders.reading import view
from chalicelib.services.names import cleaned, neat
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.ladders import LadderView
from chalicelib.services.world import World
from chalicelib.store.ladders import LADDERS, MEMBERS, Ladder, members_of, packed, season_key
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

MOST_SEASONS = 200


def create(
    world: World, name: str, name_en: str, season: str, parameters: Parameters, actor: str, call_once: Once
) -> LadderView:
    """A new ladder with its first season open. Raises bad_value for an empty name."""
    now = world.now()
    ladder = Ladder(
        LADDERS,
        world.random.token(9),
        name=cleaned(name, "name"),
        name_en=neat(name_en),
        seasons=[msgspec.to_builtins(Season(1, cleaned(season, "season"), parameters, now))],
        created_at=now,
        version=0,
    )
    return save(world, ladder, "ladder.create", actor, call_once, details={"parameters": parameters})


def change(
    world: World,
    ladder_id: str,
    version: int,
    name: str,
    name_en: str,
    parameters: Parameters | None,
    actor: str,
    call_once: Once,
) -> LadderView:
    """Rename a ladder; with ``parameters`` the season that is open counts anew by them, from its first event on.

    Raises ladder_not_found, stale_version, bad_value, season_closed.
    """
    ladder = _read_at(ladder_id, version)
    ladder.name, ladder.name_en = cleaned(name, "name"), neat(name_en)
    season = open_season(ladder)
    if parameters is not None and season is None:
        raise Problem("season_closed")
    if parameters is None or season is None or parameters == season.parameters:
        return save(world, ladder, "ladder.rename", actor, call_once)
    _put_season(ladder, msgspec.structs.replace(season, parameters=parameters))

    def anew(work: Transaction) -> None:
        outdate(work, world, ladder_id, season.number, actor)

    return save(world, ladder, "ladder.change", actor, call_once, also=anew, details={"parameters": parameters})


def archive(world: World, ladder_id: str, version: int, archived: bool, actor: str, call_once: Once) -> LadderView:
    """Archive a ladder: it stays to be read, and no event can begin to count for it; or bring it back.

    Raises ladder_not_found, stale_version.
    """
    ladder = _read_at(ladder_id, version)
    ladder.archived_at = world.now() if archived else None
    return save(world, ladder, "ladder.archive" if archived else "ladder.bring_back", actor, call_once)


def begin_season(
    world: World, ladder_id: str, version: int, name: str, parameters: Parameters, actor: str, call_once: Once
) -> LadderView:
    """Open the next season, in which everybody begins anew; it takes over the member list.

    Raises ladder_not_found, stale_version, season_open, ladder_archived, too_large.
    """
    ladder = _read_at(ladder_id, version)
    if whole(ladder.archived_at) is not None:
        raise Problem("ladder_archived")
    if open_season(ladder) is not None:
        raise Problem("season_open")
    seasons = seasons_of(ladder)
    if len(seasons) >= MOST_SEASONS:
        raise Problem("too_large", limit=str(MOST_SEASONS))
    season = Season(len(seasons) + 1, cleaned(name, "name"), parameters, world.now())
    ladder.seasons = msgspec.to_builtins([*seasons, season])
    list_ = members_of(ladder_id, seasons[-1].number) if seasons and ladder.restricted else []

    def take_over(work: Transaction) -> None:
        if list_:
            work.put(packed(season_key(ladder_id, season.number), MEMBERS, list_))
        outdate(work, world, ladder_id, season.number, actor)

    details = {"season": season.number, "parameters": parameters}
    return save(world, ladder, "ladder.open_season", actor, call_once, also=take_over, details=details)


def close_season(world: World, ladder_id: str, version: int, actor: str, call_once: Once) -> LadderView:
    """Close the season: what ends from now on does not count in it. Raises season_closed and as above."""
    ladder = _read_at(ladder_id, version)
    season = open_season(ladder)
    if season is None:
        raise Problem("season_closed")
    _put_season(ladder, msgspec.structs.replace(season, closed_at=world.now()))
    return save(world, ladder, "ladder.close_season", actor, call_once, details={"season": season.number})


def save(
    world: World,
    ladder: Ladder,
    action: str,
    actor: str,
    call_once: Once,
    *,
    also: Callable[[Transaction], None] | None = None,
    details: dict[str, Any] | None = None,
    reply: Callable[[LadderView], Any] | None = None,
) -> LadderView:
    """Write the ladder as it was changed since it was read, with the log's line; ``reply``: what a repeated request
    is told. Raises stale_version when somebody else changed it."""
    seen = int(ladder.version)
    ladder.version = seen + 1
    after = view(ladder)
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(after if reply is None else reply(after)), world)
    unchanged = Ladder.version == seen if seen else Ladder.pk.does_not_exist()
    work.put(ladder, unchanged, lambda _: Problem("stale_version"))
    if also is not None:
        also(work)
    audit.record(
        work,
        world,
        event_id=None,
        actor=actor,
        action=action,
        subject=f"ladder:{ladder.sk}",
        details=msgspec.to_builtins({"version": seen + 1, **(details or {})}),
    )
    work.commit()
    return after


def _read_at(ladder_id: str, version: int) -> Ladder:
    ladder = known_ladder(ladder_id)
    if int(ladder.version) != version:
        raise Problem("stale_version", current=msgspec.to_builtins(view(ladder)))
    return ladder


def _put_season(ladder: Ladder, season: Season) -> None:
    ladder.seasons = msgspec.to_builtins([*seasons_of(ladder)[:-1], season])
