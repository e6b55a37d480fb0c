"""A hall in which an event is played: organizer, phones and referee as direct calls of the services.

Everything is real: settings, entries, devices, transactions on the local engine, the stream and its filters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

import app as application
from chalicelib.rules.levels import LEVELS
from chalicelib.services import clock, configuring, entries, events, rounds, scoring, submissions
from chalicelib.services.device_tokens import DeviceToken
from chalicelib.services.finding import settings_of
from chalicelib.services.once import AlreadyDone, Once, once
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.views.scoring import Score, TableView
from chalicelib.store.accounts import Account
from chalicelib.store.entries import Device
from chalicelib.store.events import find_event
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.tables import TABLES, table_name
from chalicelib.store.transaction import patiently
from infra.local.engine import Engine
from infra.local.event_filters import passes
from infra.local.event_sources import StreamSource, stream_sources
from infra.local.functions import invoke
from infra.local.templates import MERGE_TEMPLATE, read_template
from tests.support.world import TestWorld

Reply = TypeVar("Reply")
ORGANIZER = "account:organizer"
OWNER = frozenset({Role.OWNER, Role.ACCOUNT})


class Keys:
    """Idempotency keys of one caller."""

    def __init__(self, caller: str = ORGANIZER) -> None:
        self._caller = caller
        self._numbers = itertools.count(1)

    def fresh(self, caller: str | None = None, status: int = 200) -> Once:
        """The identity of a new request."""
        key = f"key-{next(self._numbers):08d}"
        return once(caller or self._caller, key, "POST", f"/{key}", b"", status)


@dataclass
class Hall:
    """One event and the people in it."""

    world: TestWorld
    event_id: str
    keys: Keys = field(default_factory=Keys)

    def settings(self) -> Settings:
        """The event's settings now."""
        header = find_event(self.event_id)
        assert header is not None
        return settings_of(header)

    def configure(self, **changes: Any) -> None:
        """Change some settings."""
        header = find_event(self.event_id)
        assert header is not None
        settings = msgspec.structs.replace(settings_of(header), **changes)
        configuring.change_settings(
            self.world,
            self.event_id,
            int(header.version),
            settings,
            ORGANIZER,
            OWNER,
            self.keys.fresh(),
            confirmed=True,
        )

    def enter(self, number: int, club: str = "") -> None:
        """One more pair, its two players without phones."""
        players = [PlayerView(f"选手{2 * number - 1:03d}", ""), PlayerView(f"选手{2 * number:03d}", "")]
        typed = entries.TypedEntry("", club, players)
        entries.add(self.world, self.event_id, typed, ORGANIZER, self.keys.fresh())

    def draw(self, accept_proposal: bool = False) -> RoundView:
        """Draw the next round."""
        return rounds.draw(self.world, self.event_id, accept_proposal, ORGANIZER, self.keys.fresh())

    def publish(self, number: int) -> RoundView:
        """Publish a draft as it is."""
        version = rounds.read(self.world, self.event_id, number).version
        return rounds.publish(self.world, self.event_id, number, version, ORGANIZER, self.keys.fresh())

    def command(self, action: str, minutes: int = 0, starts_in: int = 0) -> Any:
        """A clock command for the round in play."""
        pointer = self.pointer()
        return clock.command(
            self.world,
            self.event_id,
            int(pointer.round),
            action,
            int(pointer.clock_version),
            minutes,
            starts_in,
            ORGANIZER,
            self.keys.fresh(),
        )

    def pointer(self) -> Pointer:
        """What is published."""
        pointer = find_pointer(self.event_id)
        assert pointer is not None
        return pointer

    def play(self, number: int) -> RoundView:
        """Draw, publish and start a round."""
        self.draw()
        published = self.publish(number)
        self.command("start")
        return published

    def settle(self, number: int) -> RoundView:
        """Settle a round as it is."""
        version = rounds.read(self.world, self.event_id, number).version
        return rounds.settle(self.world, self.event_id, number, version, ORGANIZER, self.keys.fresh())

    def device(self, entry: int, player: int = 0) -> DeviceToken:
        """A phone that has identified as a player."""
        device = DeviceToken(self.event_id, entry, player, f"phone-{entry:05d}-{player}")
        _, pk, sk = device.keys
        item = Device(pk, sk, number=entry, player=player, created_at=self.world.now())
        patiently(item.save, self.world.sleep, self.world.random.fraction)
        return device

    def table(self, number: int, table: int) -> TableView:
        """A table as the referee sees it."""
        return next(view for view in scoring.grid(self.world, self.event_id, number).tables if view.table == table)

    def submit(
        self,
        number: int,
        table: int,
        side: str,
        ns_level: str,
        ew_level: str,
        *,
        base: int | None = None,
        key: Once | None = None,
        tapped_at: int | None = None,
    ) -> TableView:
        """One side's word from its own phone; ``base`` None: the version as it is."""
        seen = self.table(number, table)
        entry = (seen.ns if side == "ns" else seen.ew).number
        word = seen.word_ns if side == "ns" else seen.word_ew
        return submissions.submit(
            self.world,
            self.event_id,
            number,
            table,
            self.device(entry),
            Score("played", ns_level, ew_level),
            (0 if word is None else word.version) if base is None else base,
            self.world.now() if tapped_at is None else tapped_at,
            key or self.keys.fresh(f"device:{entry}", 201),
        )

    def confirm(self, number: int, table: int, ns_level: str, ew_level: str) -> TableView:
        """Both sides say the same."""
        self.submit(number, table, "ns", ns_level, ew_level)
        return self.submit(number, table, "ew", ns_level, ew_level)

    def rule(
        self, number: int, table: int, ns_level: str, ew_level: str, reason: str = "", outcome: str = "played"
    ) -> TableView:
        """The referee's word."""
        version = self.table(number, table).version
        score = Score(outcome, ns_level, ew_level) if outcome == "played" else Score(outcome, None, None)
        return scoring.rule(
            self.world, self.event_id, number, table, version, score, reason, "referee", self.keys.fresh()
        )

    def play_out(self, number: int) -> None:
        """Play a whole round: every table confirmed with levels that depend on who sits there."""
        for table in self.play(number).tables:
            levels = levels_between(table.ns.number, table.ew.number, number)
            self.confirm(number, table.table, *levels)


def levels_between(ns: int, ew: int, number: int) -> tuple[str, str]:
    """Levels of a made-up but repeatable result; one of them is always A or A+."""
    lower = LEVELS[(ns * 7 + ew * 5 + number * 3) % 12]
    return ("A", lower) if (ns * 31 + ew * 17 + number) % 2 else (lower, "A+")


def open_hall(world: TestWorld, pairs: int, **changes: Any) -> Hall:
    """An event of pairs with ``pairs`` entries and these settings."""
    account = "organizer"
    Account(f"ACCOUNT#{account}", "PROFILE", account_id=account, phone="13800138000", created_at=0).save()
    keys = Keys(f"{ORGANIZER}-{world.random.token(6)}")
    draft = events.Draft("周三夜赛", "pairs", rounds=4, minutes_per_round=40)
    view = events.create(world, account, draft, keys.fresh(status=201))
    hall = Hall(world, view.event_id, keys)
    if changes:
        hall.configure(**changes)
    for number in range(1, pairs + 1):
        hall.enter(number)
    return hall


def sources() -> dict[str, StreamSource]:
    """The stream functions by name, with the filters of ``infra/merge.yaml``."""
    names = {f"TABLE_{table.upper()}": table_name(table) for table in TABLES}
    return {source.function: source for source in stream_sources(application.app, read_template(MERGE_TEMPLATE), names)}


class Pump:
    """Hands stream records to the functions that their filters let them reach, batch by batch."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sources = sources()
        self._after: dict[str, int] = {}

    def waiting(self, function: str) -> list[dict[str, Any]]:
        """Take all records that the function's filter lets through since the last time."""
        source = self._sources[function]
        table = self._engine.table(source.table)
        after = self._after.get(function, 0)
        found = []
        while records := self._engine.records(table, after, 1000):
            after = records[-1][0]
            found += [record for _, record in records if passes(source.patterns, record)]
        self._after[function] = after
        return found

    def hand(self, function: str, records: list[dict[str, Any]]) -> list[str]:
        """Call a function with a batch; the sequence numbers it wants again."""
        answer = invoke(application.app, function, {"Records": records})
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def run(self) -> None:
        """Until nothing waits: jobs step by step, standings, then what follows the pointer."""
        while waiting := self.waiting("jobs"):
            for record in waiting:
                assert self.hand("jobs", [record]) == []
        for function in ("standings", "club_ranks"):
            for batch in batches(self.waiting(function), 100):
                assert self.hand(function, batch) == []


def batches(records: list[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    """Cut records into batches."""
    for first in range(0, len(records), size):
        yield records[first : first + size]


def persistently(act: Callable[[], Reply], key: Once) -> Any:
    """The reply of a request as a client with retries gets it: the stored one if it took effect before."""
    try:
        return msgspec.to_builtins(act())
    except AlreadyDone as done:
        return done.given.body
    except Problem:
        given = key.earlier_reply()
        if given is None:
            raise
        return given.body
