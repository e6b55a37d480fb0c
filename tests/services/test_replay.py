"""The audit log tells enough: the ranking that ``replay`` rebuilds from it is the one of the exported document.

Random events of every kind are played through the real services, with everything that happens in a hall.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.rules.document import parse
from chalicelib.rules.model import Event
from chalicelib.rules.replay import replay
from chalicelib.rules.standings import standings, to_json
from chalicelib.services import (
    adjustments,
    audit_lines,
    documents,
    entries,
    forfeits,
    groups,
    players,
    rounds,
    scoring,
    substitutes,
    team_line_ups,
)
from chalicelib.services.problems import Problem
from chalicelib.services.restoration import restore
from chalicelib.services.settings import ClubRanking
from chalicelib.services.views.scoring import BoardResult, Score, TableView
from chalicelib.store.accounts import Account
from chalicelib.store.events import rounds as drawn_rounds
from tests.support.hall import ORGANIZER, Hall
from tests.support.kinds import WAYS, Way, confirm, enter, made_up, open_way, rule, say, tables_of
from tests.support.people import open_hall as open_by_browser
from tests.support.world import TestWorld


def log_of(event_id: str) -> bytes:
    return audit_lines.download(event_id)[0]


def ranking(event: Event) -> Any:
    return to_json(standings(event))


def demand_same(hall: Hall) -> None:
    """What the log rebuilds and what the document says are one ranking, to the last addend."""
    document, _ = documents.export(hall.world, hall.event_id)
    assert ranking(replay(log_of(hall.event_id))) == ranking(parse(document))


class Chance:
    """Whatever can happen in a hall, picked at random; each act a moment after the one before."""

    def __init__(self, hall: Hall, way: Way, seed: int) -> None:
        self.hall, self.way, self.random = hall, way, random.Random(seed)
        self.entered = way.entries
        self.done: dict[str, int] = {}

    def happen(self, times: int) -> None:
        """That many acts, some of which are refused."""
        acts: list[Callable[[], object]] = [
            *[self.finish] * 6,
            *[self.say] * 4,
            *[self.next_round] * 4,
            self.rule,
            self.rule,
            self.lift,
            self.give_up,
            self.postpone,
            self.penalty,
            self.penalty,
            self.take_back,
            self.withdraw,
            self.come_late,
            self.rename,
            self.settle,
            self.reopen,
            self.delete,
            self.configure,
            self.group,
            self.substitute,
            self.bring_back,
            self.line_up,
            self.rule_boards,
        ]
        for _ in range(times):
            act = self.random.choice(acts)
            self.hall.world.time.advance(seconds=1)
            try:
                act()
            except Problem:
                continue
            self.done[act.__name__] = self.done.get(act.__name__, 0) + 1

    def round(self) -> int:
        return len(list(self.drawn()))

    def drawn(self) -> list[Any]:
        return list(drawn_rounds(self.hall.event_id))

    def table(self, *, any_round: bool = False) -> TableView:
        number = self.random.randint(1, self.round()) if any_round and self.round() else self.round()
        if not number:
            raise Problem("round_not_found")
        return self.random.choice(tables_of(self.hall, number))

    def next_round(self) -> None:
        drawn = self.hall.draw(accept_proposal=True)
        self.hall.world.time.advance(seconds=1)
        self.hall.publish(drawn.number)
        self.hall.world.time.advance(seconds=1)
        self.hall.command("start")

    def finish(self) -> None:
        for table in tables_of(self.hall, self.round()):
            self.hall.world.time.advance(seconds=1)
            if table.state == "open":
                try:
                    confirm(self.hall, table)
                except Problem:
                    continue

    def say(self) -> None:
        table = self.table()
        say(self.hall, table, self.random.choice(("ns", "ew")), made_up(self.hall, table, self.random.randint(0, 2)))

    def rule(self) -> None:
        table = self.table(any_round=True)
        outcome = self.random.choice(("played", "played", "ns_forfeit", "ew_forfeit", "double_forfeit", "unplayed"))
        score = made_up(self.hall, table, self.random.randint(0, 3)) if outcome == "played" else Score(outcome)
        rule(self.hall, table, score, "裁判")

    def lift(self) -> None:
        table = self.table()
        scoring.lift(
            self.hall.world,
            self.hall.event_id,
            table.round,
            table.table,
            table.version,
            "",
            "referee",
            self.hall.keys.fresh(),
        )

    def give_up(self) -> None:
        table = self.table()
        device = self.hall.device(table.ns.numbers[0])
        known = 0 if table.word_ns is None else table.word_ns.version
        now = self.hall.world.now()
        forfeits.give_up(
            self.hall.world,
            self.hall.event_id,
            table.round,
            table.table,
            device,
            known,
            now,
            self.hall.keys.fresh(),
        )

    def postpone(self) -> None:
        table = self.table()
        scoring.postpone(
            self.hall.world,
            self.hall.event_id,
            table.round,
            table.table,
            table.version,
            self.random.random() < 0.8,
            "改期",
            "referee",
            self.hall.keys.fresh(),
        )

    def penalty(self) -> None:
        codes = [row.code for row in adjustments.listed(self.hall.world, self.hall.event_id).criteria]
        given = adjustments.Given(
            self.random.randint(1, self.entered),
            self.random.randint(1, max(1, self.round())),
            self.random.choice(codes),
            self.random.choice((-2, -0.5, 1, 3.5)),
            "迟到",
        )
        adjustments.give(
            self.hall.world,
            self.hall.event_id,
            given,
            "referee",
            self.hall.keys.fresh(f"referee:{self.hall.event_id}", 201),
        )

    def take_back(self) -> None:
        given = adjustments.listed(self.hall.world, self.hall.event_id).adjustments
        if not given:
            raise Problem("adjustment_not_found")
        adjustments.remove(
            self.hall.world,
            self.hall.event_id,
            self.random.choice(given).id,
            "误判",
            "referee",
            self.hall.keys.fresh(),
        )

    def withdraw(self) -> None:
        number = self.random.randint(1, self.entered)
        gone = self.random.random() < 0.6
        entries.withdraw(self.hall.world, self.hall.event_id, number, gone, "", ORGANIZER, self.hall.keys.fresh())

    def come_late(self) -> None:
        if self.entered >= self.way.entries + 3:
            raise Problem("too_many_entries", limit=3)
        enter(self.hall, self.way, self.entered + 1)
        self.entered += 1

    def rename(self) -> None:
        """Another club, another seed."""
        number = self.random.randint(1, self.entered)
        found = entries.roster(self.hall.world, self.hall.event_id).entries
        seen = next(entry for entry in found if entry.number == number)
        typed = entries.TypedEntry(
            seen.name, f"团体{self.random.randint(0, 3)}", list(seen.players), self.random.randint(1, 9)
        )
        entries.change(
            self.hall.world, self.hall.event_id, number, typed, seen.version, ORGANIZER, self.hall.keys.fresh()
        )

    def group(self) -> None:
        count = self.random.randint(1, 3)
        groups.assign(self.hall.world, self.hall.event_id, count, "lot", ORGANIZER, self.hall.keys.fresh())

    def substitute(self) -> None:
        number = self.random.randint(1, self.entered)
        places = substitutes.listed(self.hall.world, self.hall.event_id, number).players
        gone = self.random.choice(places)
        wanted = substitutes.Substitute(gone.player, gone.person, f"替补{self.random.randint(1, 99):02d}", "", "伤病")
        key = self.hall.keys.fresh(status=201)
        substitutes.substitute(self.hall.world, self.hall.event_id, number, wanted, "referee", key)

    def bring_back(self) -> None:
        """The newest substitution of an entry is taken back."""
        listed = (substitutes.listed(self.hall.world, self.hall.event_id, n) for n in range(1, self.entered + 1))
        made = [each.substitutions[-1] for each in listed if each.substitutions]
        if not made:
            raise Problem("substitution_not_found")
        one = self.random.choice(made)
        key = self.hall.keys.fresh()
        substitutes.take_back(self.hall.world, self.hall.event_id, one.entry, one.id, "", "referee", key)

    def line_up(self) -> None:
        number = self.random.randint(1, self.entered)
        device = self.hall.device(number)
        me = players.me(self.hall.world, self.hall.event_id, device, "")
        if me.line_up is None:
            raise Problem("line_up_closed", round=1)
        seats = self.random.sample(range(len(me.entry.players)), 2 * len(me.line_up.rooms))
        rooms = [seats[2 * room : 2 * room + 2] for room in range(len(me.line_up.rooms))]
        asked, key = me.line_up, self.hall.keys.fresh(f"device:{number}")
        team_line_ups.give(self.hall.world, self.hall.event_id, asked.round, rooms, asked.version, device, key)

    def rule_boards(self) -> None:
        """Levels by the boards behind them."""
        table = self.table(any_round=True)
        results = self.random.choices((3, 2, 1, -1, -2, -3), k=self.random.randint(1, 12))
        boards = [BoardResult(board, result) for board, result in enumerate(results, 1)]
        winner = self.random.choice((None, "ns", "ew"))
        rule(self.hall, table, Score("played", boards=boards, winner=winner), "裁判")

    def settle(self) -> None:
        self.hall.settle(self.round())

    def reopen(self) -> None:
        rounds.reopen(self.hall.world, self.hall.event_id, self.round(), "更正", ORGANIZER, self.hall.keys.fresh())

    def delete(self) -> None:
        if self.random.random() < 0.5:
            raise Problem("not_last_round")
        rounds.delete(self.hall.world, self.hall.event_id, self.round(), "重排", ORGANIZER, self.hall.keys.fresh())

    def configure(self) -> None:
        self.hall.configure(
            double_submission=self.random.random() < 0.5,
            club_ranking=ClubRanking(on=True, best=self.random.randint(1, 4)),
            clubs=[f"团体{number}" for number in range(self.random.randint(1, 4))],
            score_any_time=True,
            self_forfeit=True,
        )


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_random_event_is_rebuilt_from_its_log(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    world.time.advance(seconds=1)
    chance = Chance(hall, way, seed=len(way.name))
    chance.configure()
    demand_same(hall)
    world.time.advance(seconds=1)
    if way.kind == "round_robin":
        chance.group()
        world.time.advance(seconds=1)
        demand_same(hall)
    chance.next_round()
    for _ in range(4):
        chance.happen(12)
        demand_same(hall)
    assert len(chance.done) >= 5, chance.done


@pytest.mark.parametrize("kind", ["pairs", "team_of_four", "open_ended"])
def test_a_restored_event_and_what_comes_after(world: TestWorld, kind: str) -> None:
    way = next(way for way in WAYS if way.kind == kind)
    hall = open_way(world, way)
    chance = Chance(hall, way, seed=7)
    chance.configure()
    chance.next_round()
    chance.happen(20)
    chance.finish()
    account = Account.get("ACCOUNT#organizer", "PROFILE")
    world.time.advance(minutes=1)
    again = Hall(world, restore(world, account, documents.export(world, hall.event_id)[0]), hall.keys)
    demand_same(again)
    later = Chance(again, way, seed=8)
    later.entered = chance.entered
    later.happen(25)
    demand_same(again)


def test_imported_and_registered_entries_are_in_it(world: TestWorld) -> None:
    people = open_by_browser(world, rounds=3)
    people.configure(capacity=4, allow_single=True, clubs=["市南"], club_ranking={"on": True, "best": 2})
    csv = "队名,姓名1,姓名2,团体\n甲队,甲,乙,市南\n乙队,丙,丁,崂山\n"
    body = {"filename": "名单.csv", "content": base64.b64encode(csv.encode()).decode(), "commit": True}
    world.time.advance(seconds=1)
    done = people.owner.post(people.path("/imports"), body)
    assert done.status in (200, 201), done.json
    for index, numbers in enumerate(([900, 901], [902], [903], [904, 905])):
        world.time.advance(seconds=1)
        form = {
            "players": [{"name": f"选手{number}", "phone": f"1380013{number:04d}"} for number in numbers],
            "consent": True,
            "partner": "typed" if len(numbers) == 2 else "matched",
        }
        reply = people.owner.post(people.path("/registrations"), form)
        assert reply.status == 201, (index, reply.json)
    world.time.advance(seconds=1)
    people.owner.post(people.path("/matches-of-singles"), {"one": 4, "two": 5})
    hall = Hall(world, people.event_id)
    demand_same(hall)
    world.time.advance(seconds=1)
    people.start_round()
    demand_same(hall)


def test_the_log_names_nobody(world: TestWorld) -> None:
    people = open_by_browser(world)
    people.enter(4, club="崂山")
    people.start_round()
    reply = people.owner.get(people.path("/audit-lines"))
    assert (reply.status, reply.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    text = reply.body.decode()
    assert len(text.splitlines()) >= 7
    for word in ("选手", "1380013", "崂山"):
        assert word not in text
    acts = [json.loads(line)["action"] for line in text.splitlines()]
    assert acts.count("entry.add") == 4


def test_a_long_log_comes_packed(world: TestWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = open_way(world, WAYS[0])
    # One act after the other: within a millisecond nothing says which was first.
    for act in (hall.draw, lambda: hall.publish(1), lambda: hall.command("start")):
        world.time.advance(seconds=1)
        act()
    plain = log_of(hall.event_id)
    monkeypatch.setattr(audit_lines, "LONGEST_TEXT", 10)
    packed, name, is_packed = audit_lines.download(hall.event_id)
    assert (is_packed, name) == (True, "周三夜赛-log.jsonl.gz")
    assert len(packed) < len(plain)
    assert ranking(replay(packed)) == ranking(replay(plain))
