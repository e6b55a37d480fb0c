"""Events that count for ladders as direct calls of the services, and what a ladder must be by the rules alone."""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.rules.ladders import event_changes
from chalicelib.services import entries, events
from chalicelib.services.finding import known_event
from chalicelib.services.ladders.facts import facts_of
from chalicelib.services.ladders.kept import included_in
from chalicelib.services.ladders.known import Parameters, known_ladder
from chalicelib.services.ladders.managing import create
from chalicelib.services.ladders.reading import member, table
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.world import current
from chalicelib.store.accounts import Account
from chalicelib.store.jobs import Job
from chalicelib.store.ladders import find_table, postings, season_key, sort_keys
from tests.support.hall import ORGANIZER, OWNER, Hall, Keys, Pump, levels_between, open_hall
from tests.support.interruptions import Stage
from tests.support.people import phone
from tests.support.world import TestWorld

LADDER = "platform"


def played(world: TestWorld, ladder: str, *, pairs: int = 4, first: int = 100) -> Hall:
    """An event of pairs with phones that counts for a ladder and has one round of results."""
    hall = open_hall(world, 0)
    Account("ACCOUNT#organizer", "PROFILE").update(actions=[Account.vip_level.set(1)])
    hall.configure(ladders=[ladder])
    for number in range(1, pairs + 1):
        enter(hall, first + 2 * number)
    for table_ in hall.play(1).tables:
        hall.rule(1, table_.table, *levels_between(table_.ns.number, table_.ew.number, 1), reason="裁判")
    return hall


def enter(hall: Hall, first: int) -> None:
    """One more pair, both with phones."""
    players = [PlayerView(f"选手{first + each}", phone(first + each)) for each in (0, 1)]
    entries.add(hall.world, hall.event_id, entries.TypedEntry("", "", players), ORGANIZER, hall.keys.fresh())


def end(hall: Hall, *, ended: bool = True) -> None:
    """比赛结束 or its undo; its job waits."""
    events.set_ended(hall.world, hall.event_id, ended, "", ORGANIZER, OWNER, hall.keys.fresh())


def elo(world: TestWorld) -> str:
    """A new ladder that counts by Elo."""
    return create(world, "高手", "", "2026", Parameters("elo"), ORGANIZER, Keys().fresh()).ladder_id


def everything(world: TestWorld, ladder: str) -> Any:
    """The whole ladder as anybody sees it, every history included."""
    shown = table(world, ladder, None, "", None)
    assert shown.complete
    return [
        [
            (row.rank, row.name, row.points),
            [
                (each.event_id, each.place, each.entries, each.change, each.points)
                for each in member(world, ladder, row.person, None).events
            ],
        ]
        for row in shown.rows
    ]


def expected(world: TestWorld, ladder: str) -> dict[str, int]:
    """The ladder's totals from the events themselves, in the order of posting, by the rules alone."""
    season = known_ladder(ladder)
    rules = msgspec.convert(season.seasons, list[Any])[-1]["parameters"]
    parameters = msgspec.convert(rules, Parameters).rules()
    values: dict[str, int] = {}
    for posting in postings(ladder, 1):
        header, settings = known_event(posting.sk.removeprefix("POSTING#"))
        facts = facts_of(world, header, settings)
        assert facts is not None
        for person, change in event_changes(facts.played(), parameters, values).items():
            values[person] = values.get(person, parameters.start) + change
    return values


def totals(world: TestWorld, ladder: str) -> dict[str, int]:
    """Hundredths by person, as the table shows them."""
    return {row.person: row.points for row in table(world, ladder, None, "", None).rows}


def leftovers(ladder: str) -> list[str]:
    """Items of the season that nothing refers to."""
    found = find_table(ladder, 1)
    key = season_key(ladder, 1)
    rows = [each for each in sort_keys(key, "ROWS#") if not each.startswith(f"ROWS#{found.run}#")]
    posted = {posting.sk.removeprefix("POSTING#"): posting.generation for posting in postings(ladder, 1)}
    lines = [each for each in sort_keys(key, "LINES#") if posted.get(each.split("#")[1]) != each.split("#")[2]]
    runs = {each.event_id: each.run for each in included_in(current(), found) or ()}
    changes = [each for each in sort_keys(key, "CHANGES#") if runs.get(each.split("#")[2]) != each.split("#")[1]]
    return [*rows, *lines, *changes]


def carry_out(stage: Stage, pump: Pump) -> None:
    """Carry out jobs until none waits."""
    while waiting := pump.waiting("jobs"):
        for record in waiting:
            assert pump.hand("jobs", [record]) == []


def nameless(found: Any) -> Any:
    """Without the ids of events, which differ from stage to stage."""
    return [[row, [each[1:] for each in history]] for row, history in found]


def last_job(stage: Stage) -> str:
    """The newest job that waits."""
    records = Pump(stage.engine).waiting("jobs")
    waiting = [record["dynamodb"]["Keys"]["pk"]["S"].removeprefix("JOB#") for record in records]
    return str([each for each in waiting if Job.get(f"JOB#{each}", "STEP").phase == "queued"][-1])
