"""The roster: a phone plays once, numbers have no gaps, what changes wakes the standings."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from chalicelib.services import entries, events
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.problems import Problem
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import EntryView, PlayerView
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.matches import Dirty
from infra.local.engine import Engine, Fault, Faults
from tests.support.calls import a_call
from tests.support.people import open_hall, phone
from tests.support.world import TestWorld


def pair(one: str, two: str = "", name: str = "", club: str = "", names: tuple[str, str] = ("甲", "乙")) -> TypedEntry:
    return TypedEntry(name, club, [PlayerView(names[0], one), PlayerView(names[1], two)])


@pytest.fixture
def event_id(world: TestWorld) -> str:
    return open_hall(world).event_id


def add(world: TestWorld, event_id: str, typed: TypedEntry, call: Once | None = None) -> EntryView:
    return entries.add(world, event_id, typed, "account:x", call or a_call())


def change(world: TestWorld, event_id: str, number: int, typed: TypedEntry, version: int) -> EntryView:
    return entries.change(world, event_id, number, typed, version, "account:x", a_call())


def withdraw(world: TestWorld, event_id: str, number: int, withdrawn: bool = True) -> EntryView:
    return entries.withdraw(world, event_id, number, withdrawn, "", "account:x", a_call())


def refused(act: Any, *arguments: Any) -> Problem:
    with pytest.raises(Problem) as refusal:
        act(*arguments)
    return refusal.value


def drawn(event_id: str, number: int, phase: str) -> None:
    """As if a round had been drawn."""
    RoundHeader(event_id, round_key(number), number=number, phase=phase, generation="g", drawn_at=1).save()
    EventHeader(event_id, "EVENT").update(actions=[EventHeader.last_round.set(number)])


def test_entries_are_numbered_in_order_and_kept_as_typed(world: TestWorld, event_id: str) -> None:
    first = add(world, event_id, pair("138 0013 0101", phone(102), name=" 海风 ", club=" 市南 "))
    second = add(world, event_id, pair("", ""))
    assert (first.number, second.number) == (1, 2)
    assert (first.name, first.club, first.state, first.joined_round) == ("海风", "市南", "in", 1)
    assert [player.phone for player in first.players] == [phone(101), phone(102)]
    assert entries.roster(world, event_id).entries == [first, second]


def test_the_desk_sees_masked_phones_only(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101), ""))
    shown = entries.names(world, event_id)
    assert shown.entries[0].phones_masked == ["138****0101", ""]
    assert phone(101) not in msgspec.json.encode(shown).decode()


@pytest.mark.parametrize("count", [0, 1, 3, 8])
def test_a_pair_has_two_players(world: TestWorld, event_id: str, count: int) -> None:
    typed = TypedEntry("", "", [PlayerView(f"选手{index}", "") for index in range(count)])
    assert refused(add, world, event_id, typed).code == "players_wrong"


def test_a_phone_plays_once(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101), phone(102)))
    for typed in (pair(phone(101), ""), pair("", phone(101)), pair(phone(103), phone(102))):
        problem = refused(add, world, event_id, typed)
        assert problem.code == "phone_taken"
    assert refused(add, world, event_id, pair(phone(105), phone(105))).code == "phone_twice"
    assert refused(add, world, event_id, pair(phone(105), "1380013")).field == "players[1].phone"
    assert [entry.number for entry in entries.roster(world, event_id).entries] == [1]
    # Nothing of a refusal remains: the other phone of the last one is free, and no number is lost.
    assert add(world, event_id, pair(phone(103), phone(105))).number == 2


def test_the_same_phone_may_play_in_another_event(world: TestWorld, event_id: str) -> None:
    other = open_hall(world, "13800130002").event_id
    add(world, event_id, pair(phone(101)))
    assert add(world, other, pair(phone(101))).number == 1


def test_of_many_who_enter_one_phone_at_once_one_is_in(world: TestWorld, event_id: str) -> None:
    def enter(index: int) -> str:
        try:
            add(world, event_id, pair(phone(101), phone(200 + index)))
        except Problem as problem:
            return problem.code
        return "in"

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(enter, range(16)))
    assert (outcomes.count("in"), outcomes.count("phone_taken")) == (1, 15)


def test_parallel_entries_get_different_numbers_without_gaps(world: TestWorld, event_id: str) -> None:
    def enter(index: int) -> int:
        while True:
            try:
                return add(world, event_id, pair(phone(200 + index))).number
            except entries.Busy:
                continue

    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(enter, range(24)))
    assert sorted(numbers) == list(range(1, 25))


def test_one_call_repeated_in_parallel_enters_once(world: TestWorld, event_id: str) -> None:
    call = a_call(key="the-same-key-1")

    def enter(_: int) -> Any:
        try:
            return msgspec.to_builtins(add(world, event_id, pair(phone(101)), call))
        except AlreadyDone as done:
            return done.given.body

    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(enter, range(20)))
    assert all(reply == replies[0] for reply in replies)
    assert len(entries.roster(world, event_id).entries) == 1
    assert add(world, event_id, pair(phone(102))).number == 2


def test_a_changed_entry_frees_its_old_phones(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101), phone(102)))
    changed = change(world, event_id, 1, pair(phone(102), phone(103), name="海风"), 1)
    assert (changed.version, changed.name) == (2, "海风")
    assert add(world, event_id, pair(phone(101))).number == 2
    assert refused(change, world, event_id, 2, pair(phone(103)), 1).code == "phone_taken"
    assert entries.roster(world, event_id).entries[0] == changed


def test_an_older_version_is_refused_with_the_entry_as_it_is(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101)))
    now = change(world, event_id, 1, pair(phone(102)), 1)
    problem = refused(change, world, event_id, 1, pair(phone(103)), 1)
    assert problem.code == "stale_version"
    assert msgspec.convert(problem.current, EntryView) == now


def test_of_two_who_change_an_entry_at_once_one_wins(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101)))

    def save(index: int) -> str:
        try:
            change(world, event_id, 1, pair(phone(200 + index)), 1)
        except Problem as problem:
            return problem.code
        return "saved"

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(save, range(8)))
    assert (outcomes.count("saved"), outcomes.count("stale_version")) == (1, 7)
    (entry,) = entries.roster(world, event_id).entries
    winner = entry.players[0].phone
    for index in range(8):
        if phone(200 + index) != winner:
            add(world, event_id, pair(phone(200 + index)))


def test_a_person_stays_the_same_under_a_new_phone_or_name_but_not_both(world: TestWorld, event_id: str) -> None:
    from chalicelib.store.entries import find_entry

    def persons() -> list[str]:
        entry = find_entry(event_id, 1, ())
        assert entry is not None
        return [player.person for player in entry.players]

    add(world, event_id, pair(phone(101), phone(102)))
    before = persons()
    change(world, event_id, 1, pair(phone(103), phone(102), names=("甲", "丁")), 1)
    assert persons() == before
    change(world, event_id, 1, pair(phone(104), phone(102), names=("戊", "丁")), 2)
    after = persons()
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_clubs_need_a_club(world: TestWorld) -> None:
    event_id = open_hall(world, kind="clubs").event_id
    assert refused(add, world, event_id, pair(phone(101))).code == "club_missing"
    assert add(world, event_id, pair(phone(101), club="市南")).club == "市南"


def test_an_ended_event_takes_no_entries(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101)))
    events.set_ended(world, event_id, True, "", "account:x", frozenset(), a_call())
    for act, arguments in (
        (add, (pair(phone(102)),)),
        (change, (1, pair(phone(102)), 1)),
        (withdraw, (1,)),
    ):
        assert refused(act, world, event_id, *arguments).code == "event_ended"


def test_withdrawing_and_coming_back(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101)))
    add(world, event_id, pair(phone(102)))
    gone = withdraw(world, event_id, 1)
    assert (gone.state, gone.left_after_round, gone.version) == ("withdrawn", 0, 2)
    assert withdraw(world, event_id, 1) == gone
    assert events.read_public(world, event_id).entries == 1
    back = withdraw(world, event_id, 1, withdrawn=False)
    assert (back.state, back.left_after_round) == ("in", None)
    assert events.read_public(world, event_id).entries == 2


def test_who_leaves_after_a_round_keeps_it_and_a_draft_comes_first(world: TestWorld, event_id: str) -> None:
    add(world, event_id, pair(phone(101)))
    drawn(event_id, 1, "draft")
    problem = refused(withdraw, world, event_id, 1)
    assert (problem.code, problem.words) == ("entry_seated", {"round": 1})
    drawn(event_id, 1, "playing")
    assert withdraw(world, event_id, 1).left_after_round == 1


def test_a_late_entry_joins_the_next_drawing(world: TestWorld, event_id: str) -> None:
    drawn(event_id, 2, "playing")
    assert add(world, event_id, pair(phone(101))).joined_round == 3
    drawn(event_id, 3, "draft")
    assert add(world, event_id, pair(phone(102))).joined_round == 3
    late = withdraw_late(world, event_id)
    assert late.left_after_round is not None
    assert late.left_after_round >= late.joined_round - 1


def withdraw_late(world: TestWorld, event_id: str) -> EntryView:
    drawn(event_id, 3, "published")
    number = add(world, event_id, pair(phone(103))).number
    return withdraw(world, event_id, number)


def test_every_change_of_an_entry_wakes_the_standings(world: TestWorld, event_id: str) -> None:
    def touched() -> int:
        return int(Dirty.get(event_id, "DIRTY").touched)

    add(world, event_id, pair(phone(101)))
    counts = [touched()]
    change(world, event_id, 1, pair(phone(101), name="海风"), 1)
    counts.append(touched())
    withdraw(world, event_id, 1)
    counts.append(touched())
    assert counts == [1, 2, 3]


def test_the_log_names_numbers_and_no_person(world: TestWorld, event_id: str, engine: Engine) -> None:
    add(world, event_id, pair(phone(101), name="海风", names=("张三", "李四")))
    change(world, event_id, 1, pair(phone(102), names=("王五", "李四")), 1)
    withdraw(world, event_id, 1)
    log = str(engine.call("Scan", {"TableName": "guanjun-local-audit"}))
    for secret in ("张三", "李四", "王五", "海风", phone(101), phone(102)):
        assert secret not in log
    assert "entry:1" in log


def test_entries_survive_what_a_store_does_under_load(world: TestWorld, event_id: str, engine: Engine) -> None:
    engine.faults = Faults(11, {Fault.TRANSACTION_CONFLICT: 0.3, Fault.LOST_REPLY: 0.3, Fault.UNPROCESSED: 0.3})
    for index in range(10):
        add(world, event_id, pair(phone(101 + index)))
        change(world, event_id, index + 1, pair(phone(101 + index), name=f"第{index}队"), 1)
    injected = engine.faults.injected
    engine.faults = None
    assert injected[Fault.LOST_REPLY] > 0
    assert [entry.number for entry in entries.roster(world, event_id).entries] == list(range(1, 11))
    assert events.read_public(world, event_id).entries == 10
