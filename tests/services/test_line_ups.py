"""上场名单 from a team's own phones: ahead of the round, or once before it begins; officials overrule it."""

from __future__ import annotations

import pytest

from chalicelib.services import entries, my_rounds, players, scoring, team_line_ups
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.players import Me
from chalicelib.services.views.scoring import TableView
from chalicelib.services.views.substitutes import MyLineUp
from tests.support.hall import ORGANIZER, Hall
from tests.support.kinds import Way, confirm, open_way, tables_of
from tests.support.refusals import refused, refused_as
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four teams of five."""
    return open_way(world, Way("team_of_four", 4, 5))


def me(hall: Hall, team: int) -> Me:
    return players.me(hall.world, hall.event_id, hall.device(team), "")


def give(hall: Hall, team: int, number: int, rooms: list[list[int]], version: int = 0) -> MyLineUp:
    device = hall.device(team)
    key = hall.keys.fresh(f"device:{team}")
    return team_line_ups.give(hall.world, hall.event_id, number, rooms, version, device, key)


def match_of(hall: Hall, number: int, team: int) -> tuple[list[TableView], str]:
    rooms = [view for view in tables_of(hall, number) if team in (view.ns.number, view.ew.number)]
    return rooms, "ns" if rooms[0].ns.number == team else "ew"


def sent(hall: Hall, number: int, team: int) -> list[list[str]]:
    rooms, side = match_of(hall, number, team)
    return [[] if view.line_up is None else getattr(view.line_up, side) for view in rooms]


def names(team: int, rooms: list[list[int]]) -> list[list[str]]:
    return [[f"选手{team:03d}{place + 1}" for place in pair] for pair in rooms]


def test_given_ahead_it_stands_at_the_tables_when_the_round_is_published(hall: Hall) -> None:
    assert me(hall, 1).line_up == MyLineUp(1, [[], []], 0, None)
    given = give(hall, 1, 1, [[4, 0], [1, 2]])
    assert given == MyLineUp(1, [[0, 4], [1, 2]], 1, None)
    assert me(hall, 1).line_up == given
    changed = give(hall, 1, 1, [[0, 1], [2, 4]], 1)
    hall.draw()
    assert give(hall, 1, 1, [[0, 1], [2, 3]], changed.version).version == 3
    hall.publish(1)
    assert sent(hall, 1, 1) == names(1, [[0, 1], [2, 3]])
    rooms, side = match_of(hall, 1, 1)
    other = (rooms[0].ew if side == "ns" else rooms[0].ns).number
    assert sent(hall, 1, other) == [[], []]
    refused_as("line_up_given", give, hall, 1, 1, [[0, 1], [2, 4]])


def test_taken_back_ahead_there_is_none(hall: Hall) -> None:
    give(hall, 1, 1, [[0, 1], [2, 3]])
    assert give(hall, 1, 1, [[], []], 1).rooms == [[], []]
    hall.draw()
    hall.publish(1)
    assert sent(hall, 1, 1) == [[], []]


def test_who_has_said_nothing_may_say_it_once_until_the_round_begins(hall: Hall) -> None:
    hall.draw()
    hall.publish(1)
    assert give(hall, 2, 1, [[0, 1], [2, 3]]).why_not == "line_up_given"
    assert sent(hall, 1, 2) == names(2, [[0, 1], [2, 3]])
    refused_as("line_up_given", give, hall, 2, 1, [[0, 1], [2, 4]])
    refused_as("line_up_given", give, hall, 2, 1, [[0, 1], [2, 4]], 1)
    hall.command("start")
    assert refused(give, hall, 3, 1, [[0, 1], [2, 3]]).code == "line_up_closed"
    assert me(hall, 3).line_up == MyLineUp(2, [[], []], 0, None)
    assert give(hall, 3, 2, [[0, 1], [2, 3]]).version == 1


def test_whom_the_others_send_is_seen_once_the_own_is_given_or_the_round_begins(hall: Hall) -> None:
    hall.draw()
    hall.publish(1)
    give(hall, 1, 1, [[0, 1], [2, 3]])
    rooms, side = match_of(hall, 1, 1)
    other = (rooms[0].ew if side == "ns" else rooms[0].ns).number

    def seen() -> list[list[str]]:
        mine = me(hall, other).tables
        again = my_rounds.my_rounds(hall.world, hall.event_id, hall.device(other)).rounds[-1].tables
        shown = [[] if view.line_up is None else getattr(view.line_up, side) for view in mine]
        assert shown == [[] if view.line_up is None else getattr(view.line_up, side) for view in again]
        return shown

    assert seen() == [[], []]
    give(hall, other, 1, [[0, 1], [2, 3]])
    assert seen() == names(1, [[0, 1], [2, 3]])


def test_it_is_seen_from_the_beginning_of_the_round(hall: Hall) -> None:
    give(hall, 1, 1, [[0, 1], [2, 3]])
    hall.play(1)
    rooms, side = match_of(hall, 1, 1)
    other = (rooms[0].ew if side == "ns" else rooms[0].ns).number
    shown = [getattr(view.line_up, side) for view in me(hall, other).tables]
    assert shown == names(1, [[0, 1], [2, 3]])


def test_an_official_overrules_it_and_may_name_one_team_alone(hall: Hall) -> None:
    give(hall, 1, 1, [[0, 1], [2, 3]])
    hall.draw()
    hall.publish(1)
    (open_room, _), side = match_of(hall, 1, 1)
    places = {"ns": [], "ew": [], side: [0, 4]}
    scoring.set_line_up(
        hall.world,
        hall.event_id,
        1,
        open_room.table,
        open_room.version,
        places["ns"],
        places["ew"],
        "referee",
        hall.keys.fresh(),
    )
    assert sent(hall, 1, 1)[0] == names(1, [[0, 4]])[0]


def test_two_of_one_name_are_told_apart_by_their_places(hall: Hall) -> None:
    people = [PlayerView(name, "") for name in ("甲", "甲", "乙", "丙", "丁")]
    entries.change(hall.world, hall.event_id, 1, TypedEntry("队", "", people), 1, ORGANIZER, hall.keys.fresh())
    give(hall, 1, 1, [[1, 2], [3, 4]])
    hall.draw()
    hall.publish(1)
    (open_room, closed), side = match_of(hall, 1, 1)
    assert [getattr(room.line_up, f"{side}_places") for room in (open_room, closed)] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("now", "rooms"),
    [
        ([1, 0, 2, 3, 4], [[0, 1], [2, 3]]),
        ([0, 1, 2, 3], [[0, 1], [2, 3]]),
        ([4, 0, 1, 2, 3], [[1, 2], [3, 4]]),
        ([1, 2, 3, 4], None),
        ([0, 1, 2, 7, 4], [[0, 1], [2, 3]]),
        ([0, 2, 3, 4], None),
    ],
)
def test_a_changed_list_of_players_keeps_those_who_were_to_play(
    hall: Hall, now: list[int], rooms: list[list[int]] | None
) -> None:
    """The places of a list that was shortened or put into another order belong to others now."""
    give(hall, 1, 1, [[0, 1], [2, 3]])
    people = [PlayerView(f"选手001{place + 1}", "") for place in now]
    entries.change(hall.world, hall.event_id, 1, TypedEntry("队", "", people), 2, ORGANIZER, hall.keys.fresh())
    asked = me(hall, 1).line_up
    assert asked is not None
    assert asked.rooms == (rooms or [[], []])


def test_what_is_no_line_up(hall: Hall) -> None:
    for rooms in ([[0, 1]], [[0, 1], [1, 2]], [[0, 0], [1, 2]], [[0, 1], [2, 5]], [[0], [1, 2]], [[0, 1], []]):
        refused_as("line_up_wrong", give, hall, 1, 1, rooms)
    refused_as("stale_version", give, hall, 1, 1, [[0, 1], [2, 3]], 1)
    refused_as("stale_version", give, hall, 1, 2, [[0, 1], [2, 3]])
    give(hall, 1, 1, [[0, 1], [2, 3]])
    refused_as("stale_version", give, hall, 1, 1, [[0, 1], [2, 4]])
    hall.configure(rounds=1)
    hall.play(1)
    for view in tables_of(hall, 1):
        confirm(hall, view)
    assert me(hall, 1).line_up is None
    refused_as("line_up_closed", give, hall, 1, 2, [[0, 1], [2, 3]])


def test_pairs_give_none(world: TestWorld) -> None:
    pairs = open_way(world, Way("pairs", 4))
    assert me(pairs, 1).line_up is None
    refused_as("line_up_not_offered", give, pairs, 1, 1, [[0, 1]])


def test_a_team_of_a_league_names_its_pair(world: TestWorld) -> None:
    league = open_way(world, Way("league", 4, 3))
    give(league, 1, 1, [[0, 2]])
    league.draw()
    league.publish(1)
    assert sent(league, 1, 1) == names(1, [[0, 2]])
