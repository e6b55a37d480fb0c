"""A team gives its line-up from a phone, for the coming round or for the one that is published and has not begun."""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.services import audit, line_ups, players
from chalicelib.services.device_tokens import DeviceToken
from chalicelib.services.entry_changes import Moved, persistently
from chalicelib.services.finding import free_at
from chalicelib.services.once import Once, transaction
from chalicelib.services.players import Team
from chalicelib.services.problems import Problem
from chalicelib.services.settings import kind_of
from chalicelib.services.views.substitutes import MyLineUp
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, TeamLineUp, partition, sort_key
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.matches import SHOWN, Match, table_key
from chalicelib.store.matches import partition as matches_partition
from chalicelib.store.transaction import Transaction


def give(
    world: World, event_id: str, round_: int, rooms: list[list[int]], version: int, device: DeviceToken, once: Once
) -> MyLineUp:
    """Say who of the device's team plays in round ``round_``: for each room two places within the team; all empty takes
    it back while the round is not published. ``version``: of the line-up as the phone knew it.

    Raises line_up_not_offered, line_up_wrong, stale_version (with the line-up as it is), line_up_given and
    line_up_closed where the round is published, event_ended, entry_not_in, identify_first, sign_in_required.
    """
    return persistently(
        lambda: _give(world, players.team(world, event_id, device), round_, rooms, version, device, once)
    )


def _give(
    world: World, team: Team, round_: int, rooms: list[list[int]], version: int, device: DeviceToken, once: Once
) -> MyLineUp:
    now_asked = _asked(team, round_, version)
    clear = not any(rooms)
    if len(rooms) != len(now_asked.rooms) or not (clear or line_ups.sound(rooms, len(team.entry.players))):
        raise Problem("line_up_wrong", "rooms")
    rooms = [sorted(pair) for pair in rooms]
    event_id, number = team.event.event_id, team.entry.number
    work = transaction(world)
    published = team.round is not None and int(team.round.number) == round_
    if published and clear:
        raise Problem("line_up_wrong", "rooms")
    reply = MyLineUp(round_, rooms, 0 if published else version + 1, "line_up_given" if published else None)
    once.record(work, msgspec.to_builtins(reply), world)
    if published:
        _at_the_tables(work, world, team, rooms)
    else:
        _ahead(work, team, TeamLineUp(round_, rooms, version + 1))
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=f"device:{device.device_id}",
        action="entry.line_up",
        subject=f"entry:{number}",
        details={"round": round_, "rooms": rooms},
    )
    work.commit()
    return reply


def _asked(team: Team, round_: int, version: int) -> MyLineUp:
    """The line-up that may be given now, or the refusal that says why not."""
    kind = kind_of(team.settings.kind)
    if team.event.phase == "ended":
        raise Problem("event_ended")
    if not line_ups.rooms_of(team.settings) or len(team.entry.players) <= line_ups.PAIR:
        raise Problem("line_up_not_offered", kind_zh=kind.chinese, kind_en=kind.english)
    if team.entry.state != "in":
        raise Problem("entry_not_in")
    asked = team.line_up
    if asked is None or round_ < asked.round:
        raise Problem("line_up_closed", round=round_)
    if asked.round != round_ or (asked.why_not is None and asked.version != version):
        raise Problem("stale_version", current=msgspec.to_builtins(asked))
    if asked.why_not is not None:
        raise Problem(asked.why_not, current=msgspec.to_builtins(asked))
    return asked


def _ahead(work: Transaction, team: Team, given: TeamLineUp) -> None:
    """Kept with the entry until the round is published, which notices one that comes at the same moment."""
    event_id, number = team.event.event_id, team.entry.number
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [EntryRecord.line_up.set(line_ups.kept_form(given)), EntryRecord.version.set(team.entry.version + 1)],
        EntryRecord.version == team.entry.version,
        lambda _: Moved(),
    )
    work.check(
        RoundHeader(event_id, round_key(given.round)),
        RoundHeader.pk.does_not_exist() | (RoundHeader.phase == "draft"),
        lambda _: Moved(),
    )
    work.update(
        EventHeader(team.event.pk, team.event.sk),
        [EventHeader.entries_version.add(1)],
        EventHeader.phase == "open",
        lambda _: Problem("event_ended"),
    )


def _at_the_tables(work: Transaction, world: World, team: Team, rooms: list[list[int]]) -> None:
    """Beside what the other team has given there, as long as the round has not begun."""
    if team.round is not None:
        waits = (RoundHeader.phase == "published") & (RoundHeader.generation == team.round.generation)
        work.check(RoundHeader(team.round.pk, team.round.sk), waits, lambda _: Moved())
    free = world.now() if team.round is None else free_at(team.round, world.now())
    for table, pair in zip(team.found, rooms, strict=True):
        both: dict[str, Any] = {"ns": [], "ew": [], **(table.line_up or {}), team.side or "": pair}
        work.update(
            Match(matches_partition(team.event.event_id, table.round), table_key(table.table)),
            # Who sits there moves no rank.
            [Match.line_up.set(both), Match.version.set(table.version + 1), Match.wakes.set(SHOWN)],
            (Match.version == table.version) & (Match.generation == table.generation) & (Match.held_until <= free),
            lambda _: Moved(),
        )
