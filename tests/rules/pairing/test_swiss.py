"""Swiss drawing, table by table and seat by seat, against the plain enumeration of ``oracle.py``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import networkx
import pytest

from chalicelib.rules.model import (
    CandidateOrder,
    ClubRule,
    Entry,
    Event,
    FirstRound,
    KindCode,
    Outcome,
    PairingMethod,
    PairingSettings,
    Round,
    Table,
)
from chalicelib.rules.pairing import Drawn, Refusal, draw, to_json
from chalicelib.rules.pairing.history import history_of
from chalicelib.rules.pairing.result import LookAheadResult, RefusalCode

from .oracle import Pairs, Swiss, everybody, oracle
from .tournaments import disturbed, new_event, played, random_settings

SWISS_KINDS = (
    KindCode.PAIRS,
    KindCode.CLUBS,
    KindCode.OPEN_ENDED,
    KindCode.INDIVIDUAL,
    KindCode.TEAM_OF_FOUR,
    KindCode.SWISS_DEVIATION,
)


def compare_tournament(seed: int, kind: KindCode) -> Counter[str]:
    """Play one small tournament and compare every round; returns what happened in it."""
    random = Random(f"{seed}:{kind}")
    persons = 2 if kind is KindCode.INDIVIDUAL else 1
    size = random.randrange(2, 8 * persons)
    event = new_event(random, size, random.randrange(1, 7), kind, late=random.choice((0, 0.3)))
    seen: Counter[str] = Counter()
    for _ in range(event.rounds + 1):
        drawn, expected = draw(event), oracle(event)
        to_json(drawn)
        if isinstance(drawn, Refusal):
            assert drawn.code == expected.code
            seen[drawn.code] += 1
            break
        assert expected.code is None
        assert list(drawn.byes) == expected.byes
        assert drawn.report.look_ahead == expected.look_ahead
        seen[drawn.report.look_ahead] += 1
        tables = [(table.ns, table.ew) for table in drawn.tables]
        if expected.handed_over:
            seen["min_total_gap"] += 1
            compare_costs(event, tables, expected.cost)
        else:
            assert tables == expected.tables
        event = disturbed(played(event, drawn, random, accidents=0.1), random)
    return seen


def compare_costs(event: Event, tables: Pairs, cost: tuple[object, ...]) -> None:
    number = len(event.drawn) + 1
    swiss = Swiss(event, everybody(event, number)[0], number)
    seated = {unit for table in tables for unit in table}
    assert swiss.cost(tables, [unit for unit in swiss.ranking if unit in seated]) == cost
    assert [swiss.seated(*table) for table in tables] == tables
    better = [min(swiss.place[unit] for unit in table) for table in tables]
    assert better == sorted(better)


@pytest.mark.parametrize("kind", SWISS_KINDS)
def test_small_tournaments_equal_the_enumeration(kind: KindCode) -> None:
    seen = sum((compare_tournament(seed, kind) for seed in range(60)), Counter())
    assert {"not_needed", "kept", "failed", "min_total_gap", "no_legal_pairing", "all_rounds_drawn"} <= set(seen)


@pytest.mark.full
@pytest.mark.parametrize("kind", SWISS_KINDS)
def test_many_small_tournaments_equal_the_enumeration(kind: KindCode) -> None:
    for seed in range(60, 1500):
        compare_tournament(seed, kind)


def play_legally(seed: int, sizes: range) -> Counter[str]:
    """One larger tournament whose rounds are checked against an independent matching."""
    random = Random(seed)
    size = random.choice(sizes)
    rule = random.choice(list(ClubRule))
    settings = replace(random_settings(random), club_rule=rule, method=PairingMethod.RANK_FIRST)
    event = new_event(random, size, random.randrange(3, 13), settings=settings, late=random.choice((0, 0.2)))
    seen: Counter[str] = Counter()
    for number in range(1, event.rounds + 1):
        drawn = draw(event)
        check_legal(event, drawn, number, seen)
        if isinstance(drawn, Refusal):
            break
        event = disturbed(played(event, drawn, random, accidents=0.03), random, withdrawals=0.02)
    return seen


def check_legal(event: Event, drawn: Drawn | Refusal, number: int, seen: Counter[str]) -> None:
    history = history_of(event.drawn)
    active = [entry for entry in event.entries if entry.entered(number)]
    limit = event.pairing.club_until_round
    rule = ClubRule.IGNORE if limit is not None and number > limit else event.pairing.club_rule
    met = {(one, other) for one, others in history.opponents.items() for other in others}
    club = {entry.number: entry.club for entry in event.entries}

    def possible(present: list[int], apart: bool) -> bool:
        graph = networkx.Graph()
        graph.add_nodes_from(present)
        graph.add_edges_from(
            (one, other)
            for one, other in product(present, present)
            if one < other and (one, other) not in met and not (apart and club[one] and club[one] == club[other])
        )
        return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(present)

    numbers = [entry.number for entry in active]
    byes = {one: history.byes[one] for one in numbers}
    may_rest: list[int | None] = [None]
    if len(numbers) % 2:
        may_rest = [one for one in numbers if byes[one] == 0] or list(numbers)
    if isinstance(drawn, Refusal):
        if drawn.code is RefusalCode.NO_LEGAL_PAIRING:
            strict = rule is ClubRule.NEVER
            assert not any(possible([one for one in numbers if one != rest], strict) for rest in may_rest)
            assert drawn.proposal is not None
            proposed = [one for table in drawn.proposal.tables for one in (*table.ns, *table.ew)]
            assert sorted((*proposed, *drawn.proposal.byes)) == sorted(numbers)
        seen[drawn.code] += 1
        return
    seated = [one for table in drawn.tables for one in (*table.ns, *table.ew)]
    assert sorted((*seated, *drawn.byes)) == sorted(numbers)
    assert not any((table.ns[0], table.ew[0]) in met for table in drawn.tables)
    assert set(drawn.byes) <= set(may_rest)
    mates = sum(bool(club[table.ns[0]]) and club[table.ns[0]] == club[table.ew[0]] for table in drawn.tables)
    assert mates == drawn.report.same_club
    if rule is ClubRule.NEVER:
        assert mates == 0
    if rule is ClubRule.AVOID and mates:
        kept = drawn.report.look_ahead is LookAheadResult.KEPT
        assert kept or not possible(seated, True)
    seen["rounds"] += 1


def test_no_illegal_pairing_in_random_tournaments() -> None:
    seen = sum((play_legally(seed, range(4, 30)) for seed in range(120)), Counter())
    assert seen["rounds"] > 500


@pytest.mark.full
def test_no_illegal_pairing_in_three_thousand_random_tournaments() -> None:
    seen = sum((play_legally(seed, range(4, 30)) for seed in range(1000, 4000)), Counter())
    assert seen["rounds"] > 15_000


@pytest.mark.parametrize(
    ("size", "rounds", "events"),
    [(6, 5, 40), (5, 5, 40), (10, 9, 15), (7, 7, 20), (8, 7, 20), (12, 11, 6), (16, 15, 2), (20, 19, 1), (23, 12, 2)],
)
def test_small_fields_with_many_rounds_never_come_to_a_dead_end(size: int, rounds: int, events: int) -> None:
    for seed in range(events):
        random = Random(seed)
        settings = PairingSettings(order=random.choice(list(CandidateOrder)), seed=str(seed))
        event = Event("x", KindCode.PAIRS, rounds, ("match_points",), pairing=settings)
        event = replace(event, entries=tuple(Entry(number) for number in range(1, size + 1)))
        for _ in range(rounds):
            drawn = draw(event)
            assert isinstance(drawn, Drawn)
            assert drawn.report.rematches == 0
            assert drawn.report.look_ahead is LookAheadResult.KEPT
            event = played(event, drawn, random)
        if size % 2:
            assert max(Counter(bye for one in event.drawn for bye in one.byes).values()) == 1


def level_event(results: list[list[tuple[int, int, int, int]]], size: int, **settings: object) -> Event:
    """Rounds of (NS, EW, NS level, EW level); the entries are 1..size, everybody else has a bye."""
    drawn = []
    for number, tables in enumerate(results, start=1):
        seated = {entry for ns, ew, *_ in tables for entry in (ns, ew)}
        records = tuple(
            Table(index, (ns,), (ew,), ns_level=own, ew_level=other)
            for index, (ns, ew, own, other) in enumerate(tables, start=1)
        )
        byes = tuple(entry for entry in range(1, size + 1) if entry not in seated)
        drawn.append(Round(number, records, byes))
    return Event(
        "x",
        KindCode.PAIRS,
        int(str(settings.pop("rounds", 9))),
        ("match_points", "level_points"),
        entries=tuple(Entry(number) for number in range(1, size + 1)),
        drawn=tuple(drawn),
        pairing=PairingSettings(**settings),  # type: ignore[arg-type]
    )


def pairs_of(drawn: Drawn | Refusal) -> set[frozenset[int]]:
    assert isinstance(drawn, Drawn)
    return {frozenset((*table.ns, *table.ew)) for table in drawn.tables}


def test_a_greedy_answer_is_a_fault() -> None:
    """After A-B, C-D and A-C, B-D the third round must be A-D, B-C."""
    event = level_event([[(1, 2, 9, 1), (3, 4, 5, 1)], [(1, 3, 9, 1), (2, 4, 5, 1)]], 4)
    assert pairs_of(draw(event)) == {frozenset((1, 4)), frozenset((2, 3))}


def test_the_order_of_input_changes_nothing() -> None:
    for seed in range(10):
        random = Random(seed)
        event = new_event(random, 15, 5)
        for _ in range(3):
            drawn = draw(event)
            if isinstance(drawn, Refusal):
                break
            event = played(event, drawn, random)
        shuffled = replace(
            event,
            entries=tuple(random.sample(event.entries, len(event.entries))),
            drawn=tuple(replace(one, tables=tuple(random.sample(one.tables, len(one.tables)))) for one in event.drawn),
        )
        assert to_json(draw(event)) == to_json(draw(shuffled)) == to_json(draw(event))


def test_another_seed_gives_another_first_round() -> None:
    events = [level_event([], 16, seed=str(seed)) for seed in range(4)]
    assert len({frozenset(pairs_of(draw(event))) for event in events}) == 4


def test_the_first_round_by_entry_order_and_by_seed() -> None:
    event = level_event([], 6, first_round=FirstRound.ENTRY_ORDER)
    assert pairs_of(draw(event)) == {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}
    seeded = replace(
        event,
        entries=tuple(Entry(number, seed=7 - number) for number in range(1, 7)),
        pairing=PairingSettings(first_round=FirstRound.SEEDED),
    )
    assert pairs_of(draw(seeded)) == {frozenset((6, 3)), frozenset((5, 2)), frozenset((4, 1))}


def test_a_table_says_who_was_passed_over() -> None:
    event = level_event([[(1, 2, 9, 1), (3, 4, 9, 2), (5, 6, 9, 3)]], 6, rounds=3)
    drawn = draw(replace(event, entries=tuple(Entry(n, club="甲" if n in (1, 3) else None) for n in range(1, 7))))
    assert isinstance(drawn, Drawn)
    first = drawn.tables[0]
    assert {*first.ns, *first.ew} == {1, 5}
    assert [(passed.entries, passed.because.value) for passed in first.why.passed_over] == [((3,), "club")]
    assert (first.why.group, first.why.gap) == (Fraction(2), Fraction(0))
    document = to_json(drawn)["tables"][0]["why"]
    assert document["passed_over"] == [{"entry": 3, "because": "club"}]
    assert sorted(document["ranks"]) == [1, 3]


def test_refusals_come_in_their_order() -> None:
    event = level_event([[(1, 2, 3, 3)]], 2, rounds=1)
    assert to_json(draw(event))["error"]["code"] == "all_rounds_drawn"
    table = Table(1, (1,), (2,), Outcome.UNPLAYED)
    still_open = replace(event, rounds=2, drawn=(Round(1, (table,)),))
    refusal = to_json(draw(still_open))["error"]
    assert (refusal["code"], refusal["tables"]) == ("open_tables", [1])
    postponed = replace(event, rounds=2, drawn=(Round(1, (table._replace(postponed=True),)),))
    refused = to_json(draw(postponed))
    assert refused["error"]["code"] == "no_legal_pairing"
    assert [table["rematch"] for table in refused["proposal"]["tables"]] == [True]
    alone = replace(event, rounds=2, entries=(Entry(1), Entry(2, left_after_round=1)))
    assert to_json(draw(alone))["error"]["code"] == "too_few_entries"


def test_never_refuses_rather_than_seat_club_mates_together() -> None:
    event = level_event([], 4, club_rule=ClubRule.NEVER)
    event = replace(event, entries=tuple(Entry(n, club="甲" if n < 4 else None) for n in range(1, 5)))
    refused = to_json(draw(event))
    assert refused["error"]["code"] == "no_legal_pairing"
    assert [table.get("same_club", False) for table in refused["proposal"]["tables"]].count(True) == 1
    limited = replace(event, pairing=replace(event.pairing, club_until_round=0))
    assert isinstance(draw(limited), Drawn)


def test_a_couple_waits_when_one_has_left_and_the_odd_person_has_the_bye() -> None:
    event = Event("x", KindCode.INDIVIDUAL, 3, ("match_points",), entries=tuple(Entry(n) for n in range(1, 10)))
    first = draw(event)
    assert isinstance(first, Drawn)
    assert len(first.tables) == 2
    assert len(first.byes) == 1
    gone, partner = first.tables[0].ns
    event = played(event, first, Random(1))
    entries = tuple(replace(e, left_after_round=1) if e.number == gone else e for e in event.entries)
    left = replace(event, entries=entries)
    second = draw(left)
    assert isinstance(second, Drawn)
    seated = {person for table in second.tables for person in (*table.ns, *table.ew)}
    assert partner not in seated
    assert partner not in second.byes
    assert first.byes[0] in second.byes
    joined = replace(event, entries=(*event.entries, Entry(10, joined_round=2)))
    third = draw(joined)
    assert isinstance(third, Drawn)
    sides = {side for table in third.tables for side in (table.ns, table.ew)} | {third.byes}
    assert tuple(sorted((first.byes[0], 10))) in sides
