"""Events of every kind, and made-up but repeatable results for their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.levels import LEVELS
from chalicelib.services import entries, events, scoring, submissions
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.scoring import BoardResult, Score, TableView
from chalicelib.store.accounts import Account
from tests.support.hall import ORGANIZER, Hall, Keys
from tests.support.world import TestWorld

RESULTS = (3, -1, 2, 1, -3, -2, 1, 2)


@dataclass(frozen=True)
class Way:
    """One way in which an event can be played: its kind, settings, and how many enter with how many names each."""

    kind: str
    entries: int
    players: int = 2
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a test is called by."""
        more = [str(value) if not isinstance(value, bool) else code for code, value in self.settings.items()]
        return "-".join([self.kind, *more])


WAYS: Sequence[Way] = (
    Way("pairs", 7),
    Way("pairs", 7, settings={"knockout": True, "third_place_match": True}),
    Way("individual", 13, 1),
    Way("individual", 13, 1, {"partners": "new_each_round"}),
    Way("round_robin", 7),
    Way("rotation", 9),
    Way("rotation", 13, 1),
    Way("open_ended", 7),
    Way("league", 7, 3),
    Way("clubs", 7),
    Way("team_of_four", 7, 5),
    Way("team_of_four", 7, 4, {"meets_by": "round_robin"}),
    Way("mitchell", 11),
    Way("swiss_deviation", 7),
)


def open_way(world: TestWorld, way: Way) -> Hall:
    """An event of that kind with its entries."""
    Account("ACCOUNT#organizer", "PROFILE", account_id="organizer", phone="13800138000", created_at=0).save()
    keys = Keys(f"{ORGANIZER}-{world.random.token(6)}")
    view = events.create(
        world, "organizer", events.Draft("周三夜赛", way.kind, rounds=4, minutes_per_round=40), keys.fresh(status=201)
    )
    hall = Hall(world, view.event_id, keys)
    boards = {} if KINDS[way.kind].scored_by_levels else {"boards_per_round": 4}
    hall.configure(**{"rounds": 4, **boards, **way.settings})
    for number in range(1, way.entries + 1):
        enter(hall, way, number)
    return hall


def enter(hall: Hall, way: Way, number: int) -> None:
    """One more entry, with as many players as it has names."""
    players = [PlayerView(f"选手{number:03d}{place}", "") for place in range(1, way.players + 1)]
    typed = entries.TypedEntry("" if way.players < 3 else f"第{number}队", f"团体{number % 3}", players)
    entries.add(hall.world, hall.event_id, typed, ORGANIZER, hall.keys.fresh())


def made_up(hall: Hall, table: TableView, turn: int = 0) -> Score:
    """A result that the table could have, the same each time for the same table and ``turn``."""
    rules = scoring.scoring_rules(hall.settings())
    place = table.ns.number * 7 + table.ew.number * 5 + table.round * 3 + turn + (table.room == "closed")
    if rules.by == "boards":
        return Score(
            "played",
            boards=[BoardResult(each.board, RESULTS[(place + each.board) % len(RESULTS)]) for each in table.to_play],
        )
    lower = LEVELS[place % 12]
    levels = ("A", lower) if place % 2 else (lower, "A")
    return Score("played", *levels, ns_lap=1 + (place % 3 if rules.laps else 0))


def say(hall: Hall, table: TableView, side: str, score: Score) -> TableView:
    """One side's word, from the phone of one of its players."""
    seen = hall.table(table.round, table.table)
    entry = (seen.ns if side == "ns" else seen.ew).numbers[-1]
    word = seen.word_ns if side == "ns" else seen.word_ew
    return submissions.submit(
        hall.world,
        hall.event_id,
        table.round,
        table.table,
        hall.device(entry),
        score,
        0 if word is None else word.version,
        hall.world.now(),
        hall.keys.fresh(f"device:{entry}", 201),
    )


def confirm(hall: Hall, table: TableView, turn: int = 0) -> TableView:
    """Both sides say the same."""
    score = made_up(hall, table, turn)
    say(hall, table, "ns", score)
    return say(hall, table, "ew", score)


def rule(hall: Hall, table: TableView, score: Score, reason: str = "") -> TableView:
    """The referee's word."""
    version = hall.table(table.round, table.table).version
    return scoring.rule(
        hall.world, hall.event_id, table.round, table.table, version, score, reason, "referee", hall.keys.fresh()
    )


def tables_of(hall: Hall, number: int) -> list[TableView]:
    """All tables of a round, both rooms of a match."""
    return scoring.grid(hall.world, hall.event_id, number).tables
