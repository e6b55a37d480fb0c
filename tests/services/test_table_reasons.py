"""为什么是这一桌: what players read of the reason of their own table, and what they may not."""

from __future__ import annotations

import pytest

from chalicelib.services import documents, my_rounds, rounds
from chalicelib.services.restoration import restore
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.table_reasons import LOWEST_RANK, reason_of
from chalicelib.services.views.players import MyRound, PassedOverView, TableReason
from chalicelib.store.accounts import Account
from infra.local.engine import Engine
from tests.services.test_encryption import encrypt
from tests.services.test_freezing import freeze, play
from tests.services.test_my_rounds import listed
from tests.support.hall import ORGANIZER, Hall, Pump
from tests.support.kinds import WAYS, Way, confirm, open_way, tables_of
from tests.support.people import Hall as People
from tests.support.people import open_hall
from tests.support.world import TestWorld

EVERY_WAY = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
RANKS = {"ranks", "group", "gap", "passed_over", "more_passed_over"}
BY_RANK = {"rank_first", "min_total_gap"}


ODD_PERSON = Way("individual", 13, 1)


def bye_because(design: str) -> TableReason:
    return TableReason(design, None, None, None, None, [], 0, False)


def own(hall: Hall, entry: int) -> list[MyRound]:
    return my_rounds.my_rounds(hall.world, hall.event_id, hall.device(entry)).rounds


@EVERY_WAY
def test_everybody_reads_the_reason_that_the_drawing_gave(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    for number in (1, 2):
        hall.play(number)
        drawn = rounds.read(world, hall.event_id, number)
        assert drawn.tables
        for table in drawn.tables:
            for entry in (*table.ns.numbers, *table.ew.numbers):
                why = own(hall, entry)[-1].why
                assert why is not None
                assert not why.withheld
                stored = table.why
                assert (why.design, why.seat) == (stored["design"], stored["seat"])
                assert why.ranks == stored.get("ranks")
                assert (why.group, why.gap) == (stored.get("group"), stored.get("gap"))
                assert len(why.passed_over) == len(stored["passed_over"])
        for bye in drawn.byes:
            why = own(hall, bye.number)[-1].why
            # The last of persons in couples plays with nobody, whatever the rank.
            design = "no_partner" if way == ODD_PERSON else LOWEST_RANK
            by_rank = drawn.tables[0].why["design"] in BY_RANK
            assert why == (bye_because(design) if by_rank else None)
        for out in drawn.sit_outs:
            assert own(hall, out.number)[-1].why is None
        for view in tables_of(hall, number):
            confirm(hall, view)


@pytest.fixture
def people(world: TestWorld) -> People:
    """Five pairs: each round somebody has the bye."""
    hall = open_hall(world, rounds=4)
    hall.enter(5)
    return hall


def reasons(hall: People) -> dict[int, list[dict[str, object] | None]]:
    """What every phone reads, by its entry: the reasons of its rounds in order."""
    numbers = [entry["number"] for entry in hall.owner.get(hall.path("/entries")).json["entries"]]
    return {number: [each["why"] for each in listed(hall.player(number), hall)] for number in numbers}


def tells_ranks(why: dict[str, object] | None) -> bool:
    return why is not None and (why["design"] == LOWEST_RANK or any(why[name] for name in RANKS))


def test_while_standings_are_frozen_no_reason_tells_a_rank_after_them(engine: Engine, people: People) -> None:
    """Round N is drawn by the ranks after round N - 1: frozen from round 2, round 2 may tell and round 3 may not."""
    play(people, 1, lower="9")
    play(people, 2, lower="5")
    play(people, 3, lower="3")
    Pump(engine).run()
    open_ones = reasons(people)
    for mine in open_ones.values():
        assert all(tells_ranks(why) for why in mine)

    for frozen_from, told in ((1, 1), (2, 2), (3, 3), (4, 3)):
        assert freeze(people, frozen_from).status == 200
        for number, mine in reasons(people).items():
            assert mine[:told] == open_ones[number][:told]
            for why, before in zip(mine[told:], open_ones[number][told:], strict=True):
                assert not tells_ranks(why)
                assert before is not None
                if before["design"] == LOWEST_RANK:
                    assert why is None
                    continue
                kept = {"design": before["design"], "seat": before["seat"], "withheld": True}
                assert (
                    why == {"ranks": None, "group": None, "gap": None, "passed_over": [], "more_passed_over": 0} | kept
                )
    assert freeze(people, None).status == 200
    assert reasons(people) == open_ones


def test_who_may_not_see_the_own_score_reads_no_rank_in_a_reason(people: People) -> None:
    play(people, 1, lower="9")
    people.configure(show_own_score=False)
    for mine in reasons(people).values():
        assert not any(tells_ranks(why) for why in mine)


def test_a_reason_of_a_draft_is_not_there(people: People) -> None:
    play(people, 1, lower="9")
    assert people.owner.post(people.path("/rounds"), {}).status == 201
    assert {len(mine) for mine in reasons(people).values()} == {1}


def test_in_an_encrypted_event_nobody_learns_who_shares_a_club(world: TestWorld) -> None:
    hall = open_hall(world, rounds=3)
    hall.enter(3, club="市南")
    hall.enter(3, first=300, club="崂山")
    phones = [hall.player(number) for number in range(1, 7)]
    play(hall, 1, lower="9")

    def passed() -> tuple[set[str], int]:
        found = [listed(phone, hall)[0]["why"] for phone in phones]
        named = {each["because"] for why in found for each in why["passed_over"]}
        return named, sum(len(why["passed_over"]) + why["more_passed_over"] for why in found)

    names, count = passed()
    assert "club" in names
    assert encrypt(hall).status == 200
    after, counted = passed()
    assert "club" not in after
    assert counted == count


def test_a_table_that_somebody_arranged_has_only_that_for_a_reason(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    draft = hall.draw()
    one, two = draft.tables
    seats = [
        DraftTable(1, tuple(one.ns.numbers), tuple(two.ew.numbers)),
        DraftTable(2, tuple(two.ns.numbers), tuple(one.ew.numbers)),
    ]
    rounds.rearrange(world, hall.event_id, 1, draft.version, seats, [], [], ORGANIZER, hall.keys.fresh())
    hall.publish(1)
    assert own(hall, one.ns.number)[0].why == TableReason("by_hand", None, None, None, None, [], 0, False)


def test_a_bye_has_the_reason_that_it_really_has(world: TestWorld) -> None:
    """Whoever was put on the bye by hand read that the lowest rank had brought it; so did a person without partner."""
    hall = open_way(world, Way("pairs", 7))
    draft = hall.draw()
    (bye,) = draft.byes
    last = draft.tables[-1]
    tables = [DraftTable(table.table, tuple(table.ns.numbers), tuple(table.ew.numbers)) for table in draft.tables]
    swapped = [*tables[:-1], DraftTable(last.table, (bye.number,), tables[-1].ew)]
    moved = rounds.rearrange(
        world, hall.event_id, 1, draft.version, swapped, [last.ns.number], [], ORGANIZER, hall.keys.fresh()
    )
    assert (draft.bye_reasons, moved.bye_reasons) == ([LOWEST_RANK], ["by_hand"])
    again = rounds.rearrange(
        world, hall.event_id, 1, moved.version, swapped, [last.ns.number], [], ORGANIZER, hall.keys.fresh()
    )
    assert again.bye_reasons == ["by_hand"]
    hall.publish(1)
    assert own(hall, last.ns.number)[0].why == bye_because("by_hand")
    hall.configure(show_own_score=False)
    assert own(hall, last.ns.number)[0].why == bye_because("by_hand")

    # Seven couples and one person: one bye by rank for a couple, one for want of a partner.
    persons = open_way(world, Way("individual", 15, 1))
    drawn = persons.play(1)
    assert sorted(drawn.bye_reasons) == [LOWEST_RANK, LOWEST_RANK, "no_partner"]
    for resting, design in zip(drawn.byes, drawn.bye_reasons, strict=True):
        assert own(persons, resting.number)[0].why == bye_because(design)
    persons.configure(show_own_score=False)
    for resting, design in zip(drawn.byes, drawn.bye_reasons, strict=True):
        assert own(persons, resting.number)[0].why == (bye_because(design) if design == "no_partner" else None)


def test_sides_that_somebody_turned_round_do_not_sit_so_by_lot(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    draft = hall.draw()
    one, two = draft.tables
    seats = [
        DraftTable(1, tuple(one.ew.numbers), tuple(one.ns.numbers)),
        DraftTable(2, tuple(two.ns.numbers), tuple(two.ew.numbers)),
    ]
    moved = rounds.rearrange(world, hall.event_id, 1, draft.version, seats, [], [], ORGANIZER, hall.keys.fresh())
    assert moved.tables[0].why == one.why | {"seat": "by_hand", "ranks": one.why["ranks"][::-1]}
    assert moved.tables[1].why == two.why
    hall.publish(1)
    why = own(hall, one.ns.number)[0].why
    assert why is not None
    assert (why.seat, why.ranks) == ("by_hand", one.why["ranks"][::-1])


def test_a_round_from_an_event_document_has_no_reason(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    hall.play(1)
    for view in tables_of(hall, 1):
        confirm(hall, view)
    document, _ = documents.export(world, hall.event_id)
    back = Hall(world, restore(world, Account.get("ACCOUNT#organizer", "PROFILE"), document))
    assert [each.why for each in own(back, 1)] == [None]
    assert own(back, 1)[0].table is not None


def test_who_is_not_seated_has_no_reason(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    hall.play(1)
    hall.enter(5)
    assert [each.why for each in own(hall, 5)] == [None]


def test_both_persons_of_a_side_that_was_passed_over_are_told() -> None:
    why = {
        "design": "rank_first",
        "seat": "lot",
        "passed_over": [{"entry": [4, 7], "because": "met"}, {"entry": 5, "because": "club"}],
    }
    assert reason_of(why, told=True, encrypted=False).passed_over == [
        PassedOverView([4, 7], "met"),
        PassedOverView([5], "club"),
    ]
    sealed = reason_of({**why, "more_passed_over": 2}, told=True, encrypted=True)
    assert (sealed.passed_over, sealed.more_passed_over) == ([PassedOverView([4, 7], "met")], 3)
