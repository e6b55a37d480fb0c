"""Ladders at their largest: a national event of 10,000 people is posted, and a season of 5,000 events is made anew.

Everything runs through the services and the jobs worker on the local store. CPU time with all that the store itself
takes, which in the cloud is elsewhere: an upper bound, as no other process counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec

from chalicelib.services.jobs import advancing, queueing
from chalicelib.services.ladders.facts import Facts, Person
from chalicelib.services.ladders.following import KIND, follow
from chalicelib.services.ladders.reading import member
from chalicelib.services.ladders.reading import table as read_table
from chalicelib.services.once import transaction
from chalicelib.services.world import World, use
from chalicelib.store import ladders as store
from chalicelib.store.bulk import Item, put_items
from chalicelib.store.events import EventHeader
from chalicelib.store.jobs import Job, find_job
from chalicelib.store.tables import table_name
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine

MOST_STEP_SECONDS = 60.0
"""A step of a job: it takes on no more after 20 seconds, and its function has 240."""
MOST_ANSWER_SECONDS = 1.0
MOST_ITEM_KILOBYTES = 400.0
"""What DynamoDB holds in one item."""
EVENTS = 5000
"""Of a season."""
PAIRS = 100
"""Of each of them."""
PEOPLE = 20_000
REGULARS = 1000
"""Of these: they come to a third of all events that their club holds, the others to whatever is left."""
LADDER, SEASON = "platform", 1
KEY = store.season_key(LADDER, SEASON)


def rows() -> list[BenchRow]:
    """A posting of 10,000 people, then a season."""
    return [*_national(), *_season()]


def _national() -> list[BenchRow]:
    what = f"{4 * national.TABLE_COUNT:,} people"
    with national.store(Engine) as (engine, still):
        world = _by_cpu_time(still)
        settings = msgspec.structs.replace(national.national_settings(), ladders=[LADDER, "qingdao"])
        national.write_event(world, national.ROUNDS, playing=False, settings=settings, phones=True)
        header = EventHeader(national.EVENT, "EVENT")
        header.update(actions=[EventHeader.phase.set("ended")])
        steps = _follow(world)
        found = read_table(world, LADDER, None, "", None)
        if found.listed != 4 * national.TABLE_COUNT:
            raise RuntimeError(f"{found.listed} are listed")
        rows = [
            _steps(f"an event of {what} is posted to two ladders", steps),
            _largest_item(engine, f"an event of {what}"),
        ]
        header.update(actions=[EventHeader.phase.set("open")])
        rows.append(_steps(f"an event of {what} is taken back from two ladders", _follow(world)))
        return rows


def _season() -> list[BenchRow]:
    what = f"a season of {EVENTS:,} events and {PEOPLE:,} people"
    with national.store(Engine) as (engine, still):
        world = _by_cpu_time(still)
        _write_season(world, EVENTS - 1)
        rows = [_steps(f"{what} is made anew", _outdate(world))]
        _write_posting(world, EVENTS - 1, random.Random(EVENTS))
        rows.append(_steps(f"{what} gets one more", _outdate(world)))
        # Another event is posted on its own: its changes stand under the runs of both.
        store.Posting(KEY, f"{store.POSTING}{_name(0)}").update(
            actions=[store.Posting.at.set(national.NOW + EVENTS + 1)]
        )
        rows.append(_steps(f"{what} moves its first event to the end", _outdate(world)))
        rows.append(_largest_item(engine, what))
        begun = time.process_time()
        page = read_table(world, LADDER, None, "", None)
        rows.append(_answer(f"{what}: its first page", begun))
        begun = time.process_time()
        last = read_table(world, LADDER, None, "", str(PEOPLE - 1)).rows[0]
        member(world, LADDER, last.person, None)
        rows.append(_answer(f"{what}: the last row and its history", begun))
        if page.events != EVENTS:
            raise RuntimeError(f"{page.events} events count")
        return rows


def _by_cpu_time(world: World) -> World:
    """The same world, whose time passes as this process works: steps end where they would in the cloud."""
    begun = time.process_time()
    made = replace(world, clock=lambda: national.NOW + round(1000 * (time.process_time() - begun)))
    use(made)
    return made


def _follow(world: World) -> list[float]:
    work = transaction(world)
    follow(work, world, national.EVENT, "system")
    work.commit()
    return _carried_out(world)


def _outdate(world: World) -> list[float]:
    store.Table(KEY, store.TABLE_KEY).update(actions=[store.Table.wanted.add(1)])
    return _carried_out(world, KEY)


def _carried_out(world: World, key: str = national.EVENT) -> list[float]:
    """CPU seconds of each step of a job that looks at the event or the season."""
    job_id = world.random.token(12)
    job: Job = queueing.new_job(world, job_id, kind=KIND, event_id=key, actor="system", order={})
    job.save()
    steps = []
    while (now := find_job(job_id)) is not None and now.phase not in ("done", "failed"):
        begun = time.process_time()
        advancing.advance(world, job_id)
        steps.append(time.process_time() - begun)
    if now is None or now.phase != "done":
        raise RuntimeError("the job failed")
    return steps


def _steps(what: str, steps: list[float]) -> BenchRow:
    note = f"{len(steps)} steps, {sum(steps):.1f} CPU s"
    return BenchRow("ladders", f"{what}: slowest step", max(steps), "CPU s", target=MOST_STEP_SECONDS, note=note)


def _answer(what: str, begun: float) -> BenchRow:
    return BenchRow("ladders", what, time.process_time() - begun, "CPU s", target=MOST_ANSWER_SECONDS)


def _largest_item(engine: Engine, what: str) -> BenchRow:
    """The largest item of the ladders' partitions."""
    size, name, count = 0, "", 0
    for item in _items(engine):
        count += 1
        found = len(msgspec.json.encode(item))
        if found > size:
            size, name = found, item["sk"]["S"].partition("#")[0]
    return BenchRow(
        "ladders", f"{what}: largest item", size / 1000, "KB", target=MOST_ITEM_KILOBYTES, note=f"{name} of {count:,}"
    )


def _items(engine: Engine) -> Iterator[Item]:
    from chalicelib.store.bulk import query_partition

    for ladder in (LADDER, "qingdao"):
        for item in query_partition(table_name("events"), store.season_key(ladder, SEASON)):
            # As bytes are counted, not as they travel.
            yield {name: {kind: _size(value)} for name, of in item.items() for kind, value in of.items()} | {
                "sk": item["sk"]
            }


def _size(value: Any) -> str:
    return "x" * len(value) if isinstance(value, str | bytes) else str(value)


def _write_season(world: World, count: int) -> None:
    chance = random.Random(1)
    for place in range(count):
        _write_posting(world, place, chance)


def _write_posting(world: World, place: int, chance: random.Random) -> None:
    """One event of the season, as a job would post it: a quarter of its people are regulars of its club."""
    event_id = _name(place)
    clubs = 40
    regulars = [number for number in range(REGULARS) if number % clubs == place % clubs]
    others = chance.sample(range(REGULARS, PEOPLE), 2 * PAIRS - len(regulars))
    people = [_person(number) for number in (*regulars, *others)]
    order = list(range(2 * PAIRS))
    chance.shuffle(order)
    pairs = [order[first : first + 2] for first in range(0, 2 * PAIRS, 2)]
    field = [(rank, pair) for rank, pair in enumerate(pairs, 1)]
    rounds = []
    for _ in range(8):
        chance.shuffle(pairs)
        rounds.append([(pairs[at], pairs[at + 1], chance.randrange(27)) for at in range(0, len(pairs), 2)])
    facts = Facts(people, [field], rounds)
    generation = f"{place + 1:08d}.{facts.digest()}"
    parts = store.in_parts(facts)
    keys = (f"LINES#{event_id}#{generation}#{number:03d}" for number in range(len(parts)))
    store.put_bodies(KEY, zip(keys, parts, strict=True), world.sleep, world.random.fraction)
    posting: dict[str, Any] = {
        "pk": {"S": KEY},
        "sk": {"S": f"{store.POSTING}{event_id}"},
        "at": {"N": str(national.NOW + place)},
        "generation": {"S": generation},
        "parts": {"N": str(len(parts))},
        "name": {"S": f"俱乐部之夜{place}"},
    }
    put_items(table_name("events"), [posting], world.sleep, world.random.fraction)


def _name(place: int) -> str:
    """As random as ids of events are."""
    return f"{random.Random(place).getrandbits(72):018x}"[:12]


def _person(number: int) -> Person:
    return Person(f"{random.Random(-1 - number).getrandbits(96):024x}", f"选手{number:05d}", f"团体{number % 300}")
