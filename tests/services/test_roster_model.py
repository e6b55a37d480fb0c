"""The roster against a model: whatever is done in whatever order, phones, names and figures agree with it."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from chalicelib.services import check_in, entries, events, imports, searches
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import PlayerView
from chalicelib.store.accounts import Account
from infra.local.engine import Engine, Fault, Faults
from infra.local.engine.hook import plug_in
from infra.local.files import LocalFiles
from tests.support.calls import a_call
from tests.support.people import phone
from tests.support.tables import create_tables
from tests.support.world import SECRET, FakeClock, Outbox, SeededRandomness, TestWorld

PHONES = st.integers(0, 7)
NAMES = st.sampled_from(["甲", "乙", "丙"])
Team = tuple[tuple[str, int], tuple[str, int]]
TEAMS = st.tuples(st.tuples(NAMES, PHONES), st.tuples(NAMES, PHONES)).filter(lambda team: team[0][1] != team[1][1])


def outcome(act: Callable[[], object]) -> str:
    """``done``, or the code of the refusal."""
    try:
        act()
    except Problem as problem:
        return problem.code
    return "done"


def typed(team: Team) -> TypedEntry:
    return TypedEntry("", "", [PlayerView(name, phone(number)) for name, number in team])


class Roster(RuleBasedStateMachine):
    """Entries in a store that conflicts, throttles and loses replies; ``teams`` is what ought to be there."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        root = Path(self.directory.name)
        self.engine = Engine(root / "store.sqlite")
        create_tables(self.engine)
        plug_in(self.engine)
        clock, outbox = FakeClock(), Outbox()
        self.world = TestWorld(
            secret=SECRET,
            files=LocalFiles(root / "files", SECRET),
            sms=outbox,
            clock=clock,
            time=clock,
            random=SeededRandomness(),
            sleep=lambda seconds: None,
        )
        Account("ACCOUNT#me", "PROFILE", account_id="me", phone="13800130001", created_at=1).save()
        self.event_id = events.create(self.world, "me", events.Draft("周三夜赛", "pairs"), a_call()).event_id
        self.engine.faults = Faults(1, {Fault.TRANSACTION_CONFLICT: 0.1, Fault.LOST_REPLY: 0.1})
        self.teams: dict[int, Team] = {}
        self.withdrawn: set[int] = set()
        self.here: set[int] = set()

    def teardown(self) -> None:
        plug_in(None)
        self.engine.close()
        self.directory.cleanup()

    def free(self, team: Team, but: int | None = None) -> bool:
        taken = {number for entry, other in self.teams.items() if entry != but for _, number in other}
        return taken.isdisjoint(number for _, number in team)

    @rule(team=TEAMS)
    def add(self, team: Team) -> None:
        done = outcome(lambda: entries.add(self.world, self.event_id, typed(team), "account:me", a_call()))
        assert done == ("done" if self.free(team) else "phone_taken")
        if done == "done":
            self.teams[max(self.teams, default=0) + 1] = team

    @precondition(lambda self: self.teams)
    @rule(team=TEAMS, data=st.data())
    def change(self, team: Team, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.teams)))
        roster = entries.roster(self.world, self.event_id).entries
        version = next(entry.version for entry in roster if entry.number == number)
        done = outcome(
            lambda: entries.change(self.world, self.event_id, number, typed(team), version, "account:me", a_call())
        )
        assert done == ("done" if self.free(team, number) else "phone_taken")
        if done == "done":
            self.teams[number] = team

    @rule(teams=st.lists(TEAMS, min_size=1, max_size=3))
    def import_file(self, teams: list[Team]) -> None:
        rows = [f"{one[0]},{phone(one[1])},{two[0]},{phone(two[1])}" for one, two in teams]
        text = "\n".join(["选手1姓名,选手1手机号,选手2姓名,选手2手机号", *rows])
        content = base64.b64encode(text.encode()).decode()
        numbers = [number for team in teams for _, number in team]
        sound = len(numbers) == len(set(numbers)) and all(self.free(team) for team in teams)
        done = outcome(
            lambda: imports.run(self.world, self.event_id, "名单.csv", content, True, None, "account:me", a_call())
        )
        assert done == ("done" if sound else "roster_faults")
        if done == "done":
            for team in teams:
                self.teams[max(self.teams, default=0) + 1] = team

    @precondition(lambda self: self.teams)
    @rule(data=st.data(), leaves=st.booleans())
    def withdraw(self, data: st.DataObject, leaves: bool) -> None:
        number = data.draw(st.sampled_from(sorted(self.teams)))
        entries.withdraw(self.world, self.event_id, number, leaves, "", "account:me", a_call())
        (self.withdrawn.add if leaves else self.withdrawn.discard)(number)

    @precondition(lambda self: set(self.teams) - self.withdrawn)
    @rule(data=st.data(), comes=st.booleans())
    def check(self, data: st.DataObject, comes: bool) -> None:
        number = data.draw(st.sampled_from(sorted(set(self.teams) - self.withdrawn)))
        check_in.at_desk(self.world, self.event_id, number, comes, "desk", a_call())
        (self.here.add if comes else self.here.discard)(number)

    @invariant()
    def everything_agrees(self) -> None:
        roster = entries.roster(self.world, self.event_id).entries
        assert {entry.number: tuple((player.name, player.phone) for player in entry.players) for entry in roster} == {
            number: tuple((name, phone(digits)) for name, digits in team) for number, team in self.teams.items()
        }
        frame = events.read(self.world, self.event_id, frozenset({Role.OWNER}))
        playing = set(self.teams) - self.withdrawn
        assert (frame.entries, frame.checked_in) == (len(playing), len(self.here & playing))
        for digits in range(8):
            owners = [
                (number, index)
                for number, team in self.teams.items()
                for index, (_, own) in enumerate(team)
                if own == digits
            ]
            assert self.found(phone(digits)) == owners
        for name in ("甲", "乙", "丙"):
            bearers = [
                (number, index)
                for number, team in sorted(self.teams.items())
                for index, (own, _) in enumerate(team)
                if own == name
            ]
            assert self.found(name) == bearers

    def found(self, text: str) -> list[tuple[int, int]]:
        try:
            candidates = searches.find(self.world, self.event_id, text, "browser").candidates
        except Problem as problem:
            if problem.code == "nobody_found":
                self.world.time.advance(minutes=2)
                return []
            raise
        return [(candidate.number, candidate.player) for candidate in candidates]


TestRoster = Roster.TestCase
TestRoster.settings = settings(
    max_examples=8, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)
