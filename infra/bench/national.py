"""A national event in a store of its own, written straight into the tables: 5,000 pairs, some rounds settled, one open.

Playing it through the services would take longer than everything that is measured on it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import ascii_uppercase
from typing import TypeVar

import boto3
import msgspec

from chalicelib.rules.kinds import KINDS
from chalicelib.services.rounds import drafts
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.settings import Settings, defaults
from chalicelib.services.world import World, use
from chalicelib.store import entries, matches
from chalicelib.store.bulk import Item, put_items
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.standings import POINTER, PackHead, Pointer
from chalicelib.store.tables import table_name
from infra.local.engine import Engine
from infra.local.engine.hook import plugged_in
from infra.local.files import LocalFiles
from infra.local.tables import ensure_tables, environment
from infra.local.templates import DATA_TEMPLATE, read_template

EVENT = "national"
TABLE_COUNT = 2500
ROUNDS = 8
NOW = 1_790_000_000_000


class Nobody:
    """An SMS gateway for those who send nothing."""

    def send(self, phone: str, text: str) -> None:
        """Nothing is sent."""


Kind = TypeVar("Kind", bound=Engine)


@contextmanager
def store(kind: type[Kind]) -> Iterator[tuple[Kind, World]]:
    """An empty store with all tables, and a world on it; ``kind``: the engine itself or one that watches it."""
    for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        # Asked for when a client is made, never sent anywhere.
        os.environ.setdefault(name, "us-east-1" if name.endswith("REGION") else "local")
    with tempfile.TemporaryDirectory() as directory:
        engine = kind(Path(directory) / "store.sqlite")
        # As in the cloud and on a laptop: a stream or an index that is not there costs nothing.
        template = read_template(DATA_TEMPLATE)
        with plugged_in(engine):
            ensure_tables(boto3.client("dynamodb"), template, environment(template))
        secret = b"a secret that guards nothing, as long as it must"
        world = World(secret, LocalFiles(Path(directory) / "files", secret), Nobody(), clock=lambda: NOW)
        with plugged_in(engine):
            use(world)
            yield engine, world
        use(None)
        engine.close()


def write_event(
    world: World,
    settled: int,
    *,
    tables: int = TABLE_COUNT,
    playing: bool = True,
    settings: Settings | None = None,
    groups: int = 0,
    phones: bool = False,
) -> None:
    """The event with ``settled`` settled rounds and one in play, in which every second table has said its word.

    ``tables``: in each round, for twice as many entries; without ``playing`` the next round is still to be drawn;
    ``settings`` other than those of eight rounds of pairs; ``groups``: into how many the entries are put in turn;
    ``phones``: everybody has one.
    """
    settings = settings or national_settings()
    last = settled + 1 if playing else settled
    EventHeader(
        EVENT,
        "EVENT",
        event_id=EVENT,
        owner="bench",
        settings=msgspec.to_builtins(settings),
        last_round=last,
        created_at=NOW,
        last_act_at=NOW,
    ).save()
    if last:
        phase = "playing" if playing else "settled"
        Pointer(EVENT, POINTER, pulse=1, round=last, rounds=settings.rounds, phase=phase, name="全国赛").save()
    _put(world, "entries", (_entry(number, groups, phones) for number in range(1, 2 * tables + 1)))
    counts = entries.counts_of(EVENT, 1)
    counts.entries = 2 * tables
    counts.save()
    for number in range(1, last + 1):
        _write_round(world, number, tables, settled=number <= settled)


def national_settings() -> Settings:
    """Eight rounds of pairs, scored at any time."""
    return msgspec.structs.replace(defaults("全国赛", KINDS["pairs"], "2026"), rounds=ROUNDS, score_any_time=True)


def _put(world: World, table: str, items: Iterator[Item]) -> None:
    put_items(table_name(table), items, world.sleep, world.random.fraction)


def _entry(number: int, groups: int, phones: bool) -> Item:
    people = [(seat, 2 * number + seat) for seat in (0, 1)]
    players = [
        {"person": f"p{number}{seat}", "name": f"选手{one:05d}", **({"phone": f"138001{one:05d}"} if phones else {})}
        for seat, one in people
    ]
    group: Item = {"group": {"S": ascii_uppercase[number % groups]}} if groups else {}
    return {
        **group,
        "pk": {"S": entries.partition(EVENT, number)},
        "sk": {"S": entries.sort_key(number)},
        "event_id": {"S": EVENT},
        "number": {"N": str(number)},
        "name": {"S": f"队伍{number:04d}"},
        "club": {"S": f"团体{number % 10}"},
        "players": {"S": json.dumps(players, ensure_ascii=False)},
        "state": {"S": "in"},
        "version": {"N": "1"},
        "created_at": {"N": str(NOW)},
    }


def _write_round(world: World, number: int, count: int, *, settled: bool) -> None:
    """Round ``number`` by the circle method, so that nobody meets twice."""
    wheel = list(range(2, 2 * count + 1))
    wheel = [1, *wheel[number:], *wheel[:number]]
    seats = [(wheel[place], wheel[-1 - place]) for place in range(count)]
    tables = [DraftTable(table, (ns,), (ew,)) for table, (ns, ew) in enumerate(seats, 1)]
    generation, chunks = drafts.write(world, EVENT, number, tables)
    RoundHeader(
        EVENT,
        round_key(number),
        number=number,
        phase="settled" if settled else "playing",
        version=2,
        generation=generation,
        chunks=chunks,
        tables=count,
        byes=[],
        drawn_at=NOW,
        published_at=NOW,
    ).save()
    if settled:
        PackHead(EVENT, f"PACK#{number:03d}", wanted=1).save()
    _put(world, "matches", (_match(number, generation, table) for table in tables))
    said = (
        word(number, table.table, side, table.table % 12)
        for table in tables
        if settled or table.table % 2
        for side in ("ns", "ew")
    )
    _put(world, "matches", said)


def _match(number: int, generation: str, table: DraftTable) -> Item:
    return {
        "pk": {"S": matches.partition(EVENT, number)},
        "sk": {"S": matches.table_key(table.table)},
        "event_id": {"S": EVENT},
        "generation": {"S": generation},
        "round": {"N": str(number)},
        "table": {"N": str(table.table)},
        "ns": {"S": json.dumps(table.ns)},
        "ew": {"S": json.dumps(table.ew)},
        "held_until": {"N": "0"},
        "version": {"N": "1"},
        "wakes": {"N": "0"},
    }


def confirm_all(world: World, number: int, count: int) -> None:
    """Both sides of tables 1 to ``count`` of a round say the same."""
    said = (word(number, table, side, table % 12) for table in range(1, count + 1) for side in ("ns", "ew"))
    _put(world, "matches", said)


def word(number: int, table: int, side: str, level: int) -> Item:
    """One side's word: A for NS, ``level`` for EW."""
    return {
        "pk": {"S": matches.partition(EVENT, number)},
        "sk": {"S": matches.word_key(table, side)},
        "values": {"S": json.dumps({"outcome": "played", "ns_level": 12, "ew_level": level})},
        "version": {"N": "1"},
        "at": {"N": str(NOW)},
        "actor": {"S": "device:bench"},
        "late": {"BOOL": False},
        "wakes": {"N": "1"},
    }
