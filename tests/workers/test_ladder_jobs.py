"""Ladder jobs die at every write, are repeated, overtake each other and stop half-way: nothing is doubled or lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app import app
from chalicelib.rules.ladders import event_changes
from chalicelib.services import events, freezing
from chalicelib.services.finding import known_event
from chalicelib.services.jobs import advancing
from chalicelib.services.ladders import tables
from chalicelib.services.ladders.facts import facts_of
from chalicelib.services.ladders.known import Parameters, known_ladder
from chalicelib.services.ladders.managing import create
from chalicelib.services.ladders.posting import settle
from chalicelib.services.ladders.reading import member, table
from chalicelib.services.world import use
from chalicelib.store.accounts import Account
from chalicelib.store.jobs import Job
from chalicelib.store.ladders import find_table, postings, season_key, sort_keys
from infra.local.engine import Engine, Fault, Faults
from infra.local.engine.hook import plugged_in
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support import ladders as people
from tests.support.hall import ORGANIZER, OWNER, Hall, Keys, Pump, levels_between, open_hall
from tests.support.interruptions import Killed, Stage
from tests.support.people import phone
from tests.support.world import TestWorld

LADDER = "platform"


@pytest.fixture
def stages(tmp_path: Path) -> Iterator[Callable[[], Stage]]:
    """Makes one fresh stage after the other."""
    made: list[Stage] = []

    def make() -> Stage:
        path = tmp_path / str(len(made))
        path.mkdir()
        made.append(Stage(path))
        return made[-1]

    yield make
    for stage in made:
        stage.engine.close()
    use(None)


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
    from chalicelib.services import entries
    from chalicelib.services.views.entries import PlayerView

    players = [PlayerView(f"选手{first + each}", phone(first + each)) for each in (0, 1)]
    entries.add(hall.world, hall.event_id, entries.TypedEntry("", "", players), ORGANIZER, hall.keys.fresh())


def end(hall: Hall, *, ended: bool = True) -> None:
    events.set_ended(hall.world, hall.event_id, ended, "", ORGANIZER, OWNER, hall.keys.fresh())


def elo(world: TestWorld) -> str:
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
    return {row.person: row.points for row in table(world, ladder, None, "", None).rows}


def leftovers(ladder: str) -> list[str]:
    """Items of the season that nothing refers to."""
    found = find_table(ladder, 1)
    key = season_key(ladder, 1)
    rows = [each for each in sort_keys(key, "ROWS#") if not each.startswith(f"ROWS#{found.run}#")]
    posted = {posting.sk.removeprefix("POSTING#"): posting.generation for posting in postings(ladder, 1)}
    lines = [each for each in sort_keys(key, "LINES#") if posted.get(each.split("#")[1]) != each.split("#")[2]]
    runs = {each[0]: each[2] for each in found.included or ()}
    changes = [each for each in sort_keys(key, "CHANGES#") if runs.get(each.split("#")[1]) != each.split("#")[2]]
    return [*rows, *lines, *changes]


def carry_out(stage: Stage, pump: Pump) -> None:
    while waiting := pump.waiting("jobs"):
        for record in waiting:
            assert pump.hand("jobs", [record]) == []


def scenario(stage: Stage, method: str, act: str) -> tuple[Hall, Hall, str]:
    """One event is posted; a second one ends, or the first is opened again: its job waits."""
    use(stage.world)
    ladder = LADDER if method == "additive" else elo(stage.world)
    first = played(stage.world, ladder, pairs=2)
    second = played(stage.world, ladder, pairs=2, first=102)
    end(first)
    carry_out(stage, Pump(stage.engine))
    stage.world.time.advance(seconds=60)
    if act == "end":
        end(second)
    else:
        end(second)
        carry_out(stage, Pump(stage.engine))
        stage.world.time.advance(seconds=60)
        end(first, ended=False)
    return first, second, ladder


@pytest.mark.parametrize("act", ["end", "undo"])
@pytest.mark.parametrize("method", ["additive", "elo"])
def test_a_job_that_dies_at_any_write_and_is_repeated_leaves_what_one_without_accident_leaves(
    stages: Callable[[], Stage], method: str, act: str
) -> None:
    stage = stages()
    with plugged_in(stage.engine):
        _, _, ladder = scenario(stage, method, act)
        stage.executioner.kill_at(None)
        job = last_job(stage)
        advancing.advance(stage.world, job)
        writes = stage.executioner.writes
        whole = everything(stage.world, ladder)
        assert len(whole) == (6 if act == "end" else 4)
        assert writes > 5
    # To die after a write is to die before the next one, but for the last.
    for write, after in [*((each, False) for each in range(writes)), (writes - 1, True)]:
        stage = stages()
        with plugged_in(stage.engine):
            _, _, ladder = scenario(stage, method, act)
            job = last_job(stage)
            stage.executioner.kill_at(write, after=after)
            with pytest.raises(Killed):
                advancing.advance(stage.world, job)
            stage.executioner.kill_at(None)
            # The stream brings the same record again, whatever the step had come to.
            advancing.advance(stage.world, job)
            assert _nameless(everything(stage.world, ladder)) == _nameless(whole), (write, after)
            assert totals(stage.world, ladder) == expected(stage.world, ladder)
            assert leftovers(ladder) == []


def _nameless(found: Any) -> Any:
    """Without the ids of events, which differ from stage to stage."""
    return [[row, [each[1:] for each in history]] for row, history in found]


def last_job(stage: Stage) -> str:
    """The newest job that waits."""
    records = Pump(stage.engine).waiting("jobs")
    waiting = [record["dynamodb"]["Keys"]["pk"]["S"].removeprefix("JOB#") for record in records]
    return str([each for each in waiting if Job.get(f"JOB#{each}", "STEP").phase == "queued"][-1])


def test_what_a_dead_job_left_is_taken_up_by_the_schedule(world: TestWorld, engine: Engine) -> None:
    hall = people.laddered(world, LADDER, pairs=2)
    people.play(hall)
    people.end(hall)
    Pump(engine).waiting("jobs")  # nobody ever sees the records
    world.time.advance(seconds=599)
    purge = lambda: invoke(app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))  # noqa: E731
    purge()
    pump = Pump(engine)
    pump.waiting("jobs")
    assert people.points(LADDER) == {}
    world.time.advance(seconds=1)
    purge()
    for record in pump.waiting("jobs"):
        assert pump.hand("jobs", [record]) == []
    assert len(people.points(LADDER)) == 4
    world.time.advance(seconds=700)
    purge()
    assert pump.waiting("jobs") == []


@pytest.mark.parametrize("seed", range(6))
def test_ends_undos_repetitions_and_late_jobs_in_any_order_come_to_the_same(
    world: TestWorld, engine: Engine, seed: int
) -> None:
    """Jobs of several events of two ladders, carried out late, twice and in any order."""
    chance = Random(seed)
    second = elo(world)
    halls = [played(world, LADDER, pairs=2, first=100 + 2 * each) for each in range(3)]
    for hall in halls:
        hall.configure(ladders=[LADDER, second])
    pump, waiting = Pump(engine), []
    state = [False] * len(halls)
    for _ in range(14):
        world.time.advance(seconds=1)
        which = chance.randrange(len(halls))
        state[which] = not state[which]
        end(halls[which], ended=state[which])
        waiting += pump.waiting("jobs")
        for _ in range(chance.randrange(3)):
            if waiting:
                record = chance.choice(waiting)
                if chance.random() < 0.6:
                    waiting.remove(record)
                pump.hand("jobs", [record])
    while waiting:
        for record in waiting:
            pump.hand("jobs", [record])
        waiting = pump.waiting("jobs")
    for ladder in (LADDER, second):
        assert {posting.sk.removeprefix("POSTING#") for posting in postings(ladder, 1)} == {
            hall.event_id for hall, ended in zip(halls, state, strict=True) if ended
        }
        assert totals(world, ladder) == expected(world, ladder)
        assert leftovers(ladder) == []
        assert table(world, ladder, None, "", None).complete


@pytest.mark.parametrize("write", range(10))
def test_an_undo_that_overtakes_the_posting_wins(stages: Callable[[], Stage], write: int) -> None:
    """The event is opened again just before any write of the job that posts it."""
    stage = stages()
    with plugged_in(stage.engine):
        use(stage.world)
        hall = played(stage.world, LADDER, pairs=2)
        end(hall)
        job = last_job(stage)
        undone: list[bool] = []

        def undo() -> None:
            stage.world.time.advance(seconds=1)
            end(hall, ended=False)
            undone.append(True)

        stage.executioner.call_at(write, undo)
        advancing.advance(stage.world, job)
        stage.executioner.kill_at(None)
        if not undone:
            undo()
        carry_out(stage, Pump(stage.engine))
        assert totals(stage.world, LADDER) == {}
        assert postings(LADDER, 1) == []
        assert leftovers(LADDER) == []


def test_a_table_in_many_steps_is_the_same_as_in_one(world: TestWorld, engine: Engine) -> None:
    """Time is over after every event; between two steps another event ends."""
    ladder = elo(world)
    halls = [played(world, ladder, pairs=2, first=100 + 2 * each) for each in range(5)]
    for hall in halls[:4]:
        world.time.advance(seconds=1)
        end(hall)
        assert settle(world, hall.event_id) is not None
    cursor: Any = None
    steps = 0
    while (cursor := tables.refresh(world, ladder, 1, "job", cursor, lambda: False)) is not None:
        steps += 1
        if steps == 2:
            world.time.advance(seconds=1)
            end(halls[4])
            settle(world, halls[4].event_id)
        assert steps < 20
    assert steps >= 5
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    Pump(engine).run()
    assert totals(world, ladder) == expected(world, ladder)


def test_ten_thousand_players_fit(world: TestWorld, engine: Engine) -> None:
    """A posting of 10,000 people: its lines in several items, its changes in sixteen, its table in twenty pages."""
    from chalicelib.services.ladders.facts import Facts, Person
    from chalicelib.services.ladders.posting import Posted
    from chalicelib.store import ladders as store

    people_ = [
        Person(f"{number * (2654435761 << 64) % 2**96:024x}", f"选手{number:05d}", "市南") for number in range(10_000)
    ]
    field = [(rank, [2 * rank - 2, 2 * rank - 1]) for rank in range(1, 5_001)]
    rounds = [
        [([each, each + 1], [each + 2, each + 3], (each + number) % 27) for each in range(0, 10_000, 4)]
        for number in range(8)
    ]
    facts = Facts(people_, [field], rounds)
    parts = store.in_parts(facts)
    key = season_key(LADDER, 1)
    posted = Posted(1, 1, "00000001.x", len(parts), 0, 0, 0)
    keys = [f"LINES#event#{posted.generation}#{number:03d}" for number in range(len(parts))]
    store.put_bodies(key, zip(keys, parts, strict=True), world.sleep, world.random.fraction)
    store.Posting(key, "POSTING#event", at=1, generation=posted.generation, parts=len(parts)).save()
    store.Table(key, store.TABLE_KEY).update(actions=[store.Table.wanted.add(1)])
    assert tables.refresh(world, LADDER, 1, "job", None, lambda: True) is None
    found = find_table(LADDER, 1)
    assert (int(found.listed), int(found.pages)) == (10_000, 20)
    assert len(sort_keys(key, "CHANGES#event#")) == 16
    last = table(world, LADDER, None, "选手09999", None)
    assert [row.name for row in last.rows] == ["选手09999"]
    assert member(world, LADDER, last.rows[0].person, None).events[0].place == 5000


@pytest.mark.parametrize("seed", range(4))
def test_jobs_side_by_side_over_a_store_that_misbehaves_come_to_the_same(
    world: TestWorld, engine: Engine, seed: int
) -> None:
    """Conflicts, lost replies and unprocessed items, four jobs at a time, each handed over twice."""
    ladder = elo(world)
    halls = [played(world, ladder, pairs=2, first=100 + 2 * each) for each in range(4)]
    pump = Pump(engine)
    for hall in halls:
        end(hall)
    end(halls[seed], ended=False)
    waiting = [record for record in pump.waiting("jobs") for _ in range(2)]
    faults = {Fault.TRANSACTION_CONFLICT: 0.1, Fault.WRITE_CONFLICT: 0.1, Fault.LOST_REPLY: 0.1, Fault.UNPROCESSED: 0.3}
    engine.faults = Faults(seed, faults)
    for _ in range(20):
        with ThreadPoolExecutor(4) as pool:
            failed = [record for record, again in zip(waiting, pool.map(hand_over, waiting), strict=True) if again]
        waiting = failed + pump.waiting("jobs")
        if not waiting:
            break
    assert sum(engine.faults.injected.values()) > 5
    engine.faults = None
    assert len(postings(ladder, 1)) == 3
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    assert table(world, ladder, None, "", None).complete


def hand_over(record: dict[str, Any]) -> bool:
    """Hand a record to the jobs function; whether it must come again."""
    return bool(invoke(app, "jobs", {"Records": [record]})["batchItemFailures"])


@pytest.mark.parametrize("write", range(6))
def test_what_is_frozen_while_a_job_is_at_it_is_not_posted_even_for_a_moment(
    stages: Callable[[], Stage], write: int
) -> None:
    """The standings are frozen just before any write of the job, which dies right after that write."""
    stage = stages()
    with plugged_in(stage.engine):
        use(stage.world)
        hall = played(stage.world, LADDER, pairs=2)
        end(hall)
        job = last_job(stage)
        before: list[bool] = []

        def freeze_and_die_next() -> None:
            before.append(bool(postings(LADDER, 1)))
            version = int(known_event(hall.event_id)[0].version)
            freezing.freeze(stage.world, hall.event_id, version, 1, ORGANIZER, OWNER, hall.keys.fresh())
            stage.executioner.kill_at(0, after=True)

        stage.executioner.call_at(write, freeze_and_die_next)
        with suppress(Killed):
            advancing.advance(stage.world, job)
        stage.executioner.kill_at(None)
        assert before, "the job has fewer writes"
        # Before the freeze it may have been there already; it is not put there after it.
        assert bool(postings(LADDER, 1)) is before[0]
        carry_out(stage, Pump(stage.engine))
        assert postings(LADDER, 1) == []
        assert totals(stage.world, LADDER) == {}
