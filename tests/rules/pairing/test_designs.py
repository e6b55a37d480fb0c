"""Whole events of the kinds that are not paired by Swiss, drawn round by round through ``draw``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import combinations
from random import Random

import pytest

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.model import (
    ClubRule,
    Entry,
    Event,
    FirstRound,
    KindCode,
    MeetsBy,
    Outcome,
    PairingSettings,
    Partners,
    Player,
    Side,
)
from chalicelib.rules.pairing import Drawn, Refusal, draw, to_json
from chalicelib.rules.pairing.history import history_of
from chalicelib.rules.pairing.league import calendar, rounds_needed
from chalicelib.rules.pairing.result import RefusalCode

from .tournaments import played


def event_of(kind: KindCode, size: int, rounds: int, **changes: object) -> Event:
    event = Event("x", kind, rounds, KINDS[kind].default_criteria, entries=tuple(map(Entry, range(1, size + 1))))
    return replace(event, **changes)  # type: ignore[arg-type]


def run(event: Event, rounds: int | None = None, seed: int = 1) -> Event:
    """Play that many rounds; every one must be drawable."""
    random = Random(seed)
    for _ in range(rounds or event.rounds):
        drawn = draw(event)
        assert isinstance(drawn, Drawn), drawn
        to_json(drawn)
        assert [table.number for table in drawn.tables] == sorted({table.number for table in drawn.tables})
        event = played(event, drawn, random)
    return event


def meetings(event: Event) -> Counter[frozenset[int]]:
    records = [table for one in event.drawn for table in one.tables if table.room != "closed"]
    return Counter(frozenset((*table.ns, *table.ew)) for table in records)


@pytest.mark.parametrize("kind", [KindCode.ROUND_ROBIN, KindCode.LEAGUE])
@pytest.mark.parametrize(("size", "cycles"), [(4, 1), (5, 1), (6, 2), (7, 2), (9, 1)])
def test_round_robin_and_league_meet_once_a_cycle(kind: KindCode, size: int, cycles: int) -> None:
    event = run(event_of(kind, size, rounds_needed(size, cycles)))
    assert meetings(event) == {frozenset(pair): cycles for pair in combinations(range(1, size + 1), 2)}
    byes = Counter(entry for one in event.drawn for entry in one.byes)
    assert byes == (dict.fromkeys(range(1, size + 1), cycles) if size % 2 else {})


def test_teams_of_four_may_meet_in_a_round_robin() -> None:
    event = run(event_of(KindCode.TEAM_OF_FOUR, 6, 5, meets_by=MeetsBy.ROUND_ROBIN))
    assert set(meetings(event).values()) == {1}
    assert len(meetings(event)) == 15


def test_groups_play_side_by_side_and_a_small_group_ends_earlier() -> None:
    entries = tuple(Entry(number, group="B组" if number > 4 else "A组") for number in range(1, 11))
    event = run(event_of(KindCode.ROUND_ROBIN, 10, 5, entries=entries))
    assert len(meetings(event)) == 6 + 15
    assert all(max(pair) <= 4 or min(pair) > 4 for pair in meetings(event))
    assert [len(one.tables) for one in event.drawn] == [5, 5, 5, 3, 3]
    refused = draw(replace(event, rounds=6))
    assert isinstance(refused, Drawn), "a sixth round begins the second cycle"


def test_club_mates_meet_in_the_first_round_when_that_is_wanted() -> None:
    entries = tuple(Entry(number, club="甲" if number in (2, 7) else None) for number in range(1, 9))
    event = event_of(KindCode.ROUND_ROBIN, 8, 7, entries=entries)
    drawn = draw(event)
    assert isinstance(drawn, Drawn)
    assert {2, 7} in [{*table.ns, *table.ew} for table in drawn.tables]
    ignoring = replace(event, pairing=PairingSettings(club_rule=ClubRule.IGNORE, first_round=FirstRound.ENTRY_ORDER))
    drawn = draw(ignoring)
    assert isinstance(drawn, Drawn)
    assert [(*table.ns, *table.ew) for table in drawn.tables] == [(1, 8), (2, 7), (3, 6), (4, 5)]


def test_who_meets_somebody_who_has_left_the_round_robin_has_a_bye() -> None:
    event = run(event_of(KindCode.ROUND_ROBIN, 6, 5), rounds=2)
    gone = replace(event.entries[2], left_after_round=2)
    event = run(replace(event, entries=(*event.entries[:2], gone, *event.entries[3:])), rounds=3)
    assert [len(one.byes) for one in event.drawn] == [0, 0, 1, 1, 1]
    assert set(meetings(event).values()) == {1}


def test_somebody_who_joins_a_round_robin_late_meets_those_he_has_not_met() -> None:
    event = run(event_of(KindCode.ROUND_ROBIN, 6, 5), rounds=1)
    event = replace(event, rounds=7, entries=(*event.entries, Entry(7, joined_round=2), Entry(8, joined_round=2)))
    event = run(event, rounds=6)
    assert set(meetings(event).values()) == {1}
    assert sum(meetings(event).values()) == 3 + 6 * 4


def test_who_never_came_has_no_slot_in_the_round_robin() -> None:
    entries = tuple(Entry(number, left_after_round=0 if number == 5 else None) for number in range(1, 6))
    event = run(event_of(KindCode.ROUND_ROBIN, 5, 3, entries=entries))
    assert len(meetings(event)) == 6
    assert not any(one.byes for one in event.drawn)


def knockout(size: int, rounds: int, **changes: object) -> Event:
    return event_of(KindCode.PAIRS, size, rounds, knockout=True, **changes)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 16])
def test_a_knock_out_ends_with_one_winner(size: int) -> None:
    rounds = (size - 1).bit_length()
    event = run(knockout(size, rounds))
    assert sum(len(one.tables) for one in event.drawn) == size - 1
    assert len(event.drawn[0].byes) == 2**rounds - size
    assert all(not one.byes for one in event.drawn[1:])
    refused = draw(replace(event, rounds=rounds + 1))
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.TOO_FEW_ENTRIES


def test_seeds_have_the_byes_and_meet_last() -> None:
    entries = tuple(Entry(number, seed=number) for number in range(1, 7))
    event = knockout(6, 3, entries=entries)
    first = draw(event)
    assert isinstance(first, Drawn)
    assert first.byes == (1, 2)
    assert [{*table.ns, *table.ew} for table in first.tables] == [{4, 5}, {3, 6}]


def test_the_third_place_is_played_beside_the_final() -> None:
    event = run(knockout(8, 3, third_place_match=True), rounds=2)
    final = draw(event)
    assert isinstance(final, Drawn)
    assert [table.third_place for table in final.tables] == [False, True]
    beaten = {entry for table in event.drawn[1].tables for entry in (table.ew if table.winner is Side.NS else table.ns)}
    assert {*final.tables[1].ns, *final.tables[1].ew} == beaten
    assert to_json(final)["tables"][1]["third_place"] is True


def test_a_final_without_semifinals_has_no_third_place_beside_it() -> None:
    final = draw(knockout(2, 1, third_place_match=True))
    assert isinstance(final, Drawn)
    assert [table.third_place for table in final.tables] == [False]


def test_a_postponed_match_of_a_knock_out_has_no_successor_yet() -> None:
    event = run(knockout(8, 3), rounds=1)
    first = event.drawn[0]
    waiting = first.tables[0]._replace(outcome=Outcome.UNPLAYED, postponed=True)
    event = replace(event, drawn=(replace(first, tables=(waiting, *first.tables[1:])),))
    refused = draw(event)
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.NO_LEGAL_PAIRING
    assert refused.proposal is not None
    proposed = {entry for table in refused.proposal.tables for entry in (*table.ns, *table.ew)}
    assert len(refused.proposal.tables) == 1
    assert not proposed & {*waiting.ns, *waiting.ew}


def test_a_knock_out_goes_on_after_matches_were_changed_by_hand() -> None:
    event = run(knockout(8, 3), rounds=1)
    first = event.drawn[0]
    one, two = first.tables[0], first.tables[2]
    changed = (one._replace(ew=two.ew), first.tables[1], two._replace(ew=one.ew), first.tables[3])
    run(replace(event, drawn=(replace(first, tables=changed),)), rounds=2)


def test_both_lose_by_a_double_forfeit_and_the_neighbour_goes_through() -> None:
    event = run(knockout(4, 2), rounds=1)
    first = event.drawn[0]
    table = first.tables[0]._replace(outcome=Outcome.DOUBLE_FORFEIT, winner=None)
    event = replace(event, drawn=(replace(first, tables=(table, first.tables[1])),))
    refused = draw(event)
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.TOO_FEW_ENTRIES


@pytest.mark.parametrize(("pairs", "rounds"), [(6, 3), (8, 3), (8, 4), (9, 5), (14, 7), (12, 5), (12, 6)])
def test_a_mitchell_is_played_to_its_end(pairs: int, rounds: int) -> None:
    event = event_of(KindCode.MITCHELL, pairs, rounds)
    sets: Counter[tuple[int, int]] = Counter()
    for _ in range(rounds):
        drawn = draw(event)
        assert isinstance(drawn, Drawn)
        for table in drawn.tables:
            assert table.board_set is not None
            sets.update(((*table.ns, table.board_set), (*table.ew, table.board_set)))
        event = played(event, drawn, Random(1))
        event = replace(
            event,
            drawn=(
                *event.drawn[:-1],
                replace(
                    event.drawn[-1],
                    tables=tuple(
                        record._replace(board_set=table.board_set)
                        for record, table in zip(event.drawn[-1].tables, drawn.tables, strict=True)
                    ),
                ),
            ),
        )
    assert set(sets.values()) == {1}
    assert set(meetings(event).values()) == {1}
    sat_out = Counter(entry for one in event.drawn for entry in one.sit_outs)
    assert set(sat_out.values()) <= {1}
    assert sum(sat_out.values()) == (rounds if pairs % 2 else 0)


def test_a_mitchell_that_is_over_says_so() -> None:
    event = run(event_of(KindCode.MITCHELL, 6, 3))
    refused = to_json(draw(replace(event, rounds=4)))
    assert refused["error"]["code"] == "no_legal_pairing"


def test_a_movement_reports_that_nothing_was_relaxed() -> None:
    for kind in (KindCode.MITCHELL, KindCode.ROTATION):
        found = draw(event_of(kind, 6, 3))
        assert isinstance(found, Drawn)
        assert to_json(found)["report"] == {"rematches": 0, "same_club": 0, "gaps": {}, "look_ahead": "not_needed"}


def test_the_opponents_of_a_pair_that_left_the_mitchell_sit_out() -> None:
    event = run(event_of(KindCode.MITCHELL, 10, 5), rounds=2)
    gone = replace(event.entries[0], left_after_round=2)
    event = replace(event, entries=(gone, *event.entries[1:]))
    drawn = draw(event)
    assert isinstance(drawn, Drawn)
    assert len(drawn.sit_outs) == 1
    late = replace(event, entries=(*event.entries, Entry(11, joined_round=3)))
    assert isinstance(draw(late), Drawn)


@pytest.mark.parametrize(("pairs", "rounds"), [(6, 3), (7, 4), (8, 7), (7, 7), (10, 5)])
def test_a_rotation_of_pairs_meets_nobody_twice(pairs: int, rounds: int) -> None:
    event = run(event_of(KindCode.ROTATION, pairs, rounds))
    assert set(meetings(event).values()) == {1}
    assert sum(len(one.sit_outs) for one in event.drawn) == (rounds if pairs % 2 else 0)
    assert not any(one.byes for one in event.drawn)


def persons(size: int) -> tuple[Entry, ...]:
    return tuple(Entry(number, players=(Player(f"选手{number:03}"),)) for number in range(1, size + 1))


@pytest.mark.parametrize(("size", "rounds"), [(4, 3), (5, 5), (8, 7), (9, 9), (12, 11), (13, 13)])
def test_a_full_rotation_of_persons_is_a_whist(size: int, rounds: int) -> None:
    event = run(event_of(KindCode.ROTATION, size, rounds, entries=persons(size)))
    history = history_of(event.drawn)
    for one, other in combinations(range(1, size + 1), 2):
        assert history.partnered(one, other) == 1
        assert history.met(one, other) == 2
    assert max(history.sit_outs.values(), default=0) == size % 2


@pytest.mark.parametrize(("size", "rounds"), [(16, 5), (18, 6), (40, 8), (27, 7)])
def test_new_partners_each_round(size: int, rounds: int) -> None:
    event = run(event_of(KindCode.INDIVIDUAL, size, rounds, partners=Partners.NEW_EACH_ROUND))
    history = history_of(event.drawn)
    pairs = list(combinations(range(1, size + 1), 2))
    assert max(history.partnered(one, other) for one, other in pairs) == 1
    assert max(history.met(one, other) for one, other in pairs) <= 2
    repeated = sum(history.met(one, other) > 1 for one, other in pairs)
    assert repeated <= len(pairs) // 20
    assert max(history.byes.values(), default=0) <= -(-rounds * (size % 4) // size)
    assert all(len(one.byes) == size % 4 for one in event.drawn)


def test_three_persons_are_too_few() -> None:
    refused = draw(event_of(KindCode.INDIVIDUAL, 3, 2, partners=Partners.NEW_EACH_ROUND))
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.TOO_FEW_ENTRIES


def test_the_calendar_of_a_league() -> None:
    days = calendar(7, date(2026, 9, 4), rounds_per_day=2, days_between=14, not_on=[date(2026, 9, 18)])
    assert [(str(one.day), one.rounds) for one in days] == [
        ("2026-09-04", (1, 2)),
        ("2026-10-02", (3, 4)),
        ("2026-10-16", (5, 6)),
        ("2026-10-30", (7,)),
    ]
    with pytest.raises(ValueError):
        calendar(3, date(2026, 9, 4), rounds_per_day=0)
