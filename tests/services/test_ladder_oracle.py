"""Ladders against numbers worked out by hand: what a season of odd evenings is worth, by formulas written down anew.

Nothing here is taken from the program but what anybody sees: the final rankings, the tables, and the ladder itself.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.ladders import ELO, PARAMETERS, chief, end, history, laddered, points, run
from tests.support.people import Hall
from tests.support.world import TestWorld

LEVELS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


class Evenings:
    """A ladder worked out by hand: hundredths by name, and what each event changed."""

    def __init__(self, method: str, start: int) -> None:
        self.method, self.start = method, start
        self.values: dict[str, int] = {}
        self.changes: dict[str, list[int]] = defaultdict(list)

    def add(self, hall: Hall) -> None:
        before = dict(self.values)
        told = self._places(hall) if self.method == "additive" else self._tables(hall)
        for name in told:
            self.changes[name].append(self.values[name] - before.get(name, self.start))

    def _places(self, hall: Hall) -> set[str]:
        """Half of the field (rounded up) is paid, the winner a point an entry and at most 200; equal places share."""
        rows = [row for row in hall.owner.get(hall.path("/standings")).json["rows"] if row["number"] in drawn(hall)]
        size = len(rows)
        paid = math.ceil(size / 2)
        share = {place: Fraction(max(paid - place, 0), paid) * min(size, 200) for place in range(size)}
        by_rank: dict[int, list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            by_rank[row["rank"]].append(place)
        told = set()
        for row in rows:
            places = by_rank[row["rank"]]
            earned = sum((share[place] for place in places), Fraction(0)) / len(places)
            for name in members(hall)[row["number"]]:
                self.values[name] = self.values.get(name, 0) + math.floor(earned * 100 + Fraction(1, 2))
                told.add(name)
        return told

    def _tables(self, hall: Hall) -> set[str]:
        """Ratings are those before the round; 24 points are at stake, the score is 级差分 / 26."""
        told: set[str] = set()
        for number in range(1, rounds_of(hall) + 1):
            ratings = {name: value / 100 for name, value in self.values.items()}
            for table in hall.owner.get(hall.path(f"/rounds/{number}/tables")).json["tables"]:
                result = table["result"]
                if result is None or result["outcome"] != "played":
                    continue
                ahead = LEVELS.index(result["ns_level"]) - LEVELS.index(result["ew_level"])
                sides = [
                    [name for entry in table[side]["numbers"] for name in members(hall)[entry]] for side in ("ns", "ew")
                ]
                ns, ew = (sum(ratings.get(name, 1500.0) for name in side) / len(side) for side in sides)
                score = min(26, max(0, 13 + ahead)) / 26
                won = round(2400 * (score - 1 / (1 + 10 ** ((ew - ns) / 400))))
                for side, sign in zip(sides, (1, -1), strict=True):
                    for name in side:
                        self.values[name] = self.values.get(name, 150_000) + sign * won
                        told.add(name)
        return told


def members(hall: Hall) -> dict[int, list[str]]:
    """Names by entry, of those who play for it in the end."""
    entries = hall.owner.get(hall.path("/entries")).json["entries"]
    return {entry["number"]: [player["name"] for player in entry["players"]] for entry in entries}


def rounds_of(hall: Hall) -> int:
    found: int = hall.owner.get(hall.path()).json["last_round"]
    return found


def drawn(hall: Hall) -> set[int]:
    """Entries that came to a table or a bye."""
    found: set[int] = set()
    for number in range(1, rounds_of(hall) + 1):
        seen = hall.owner.get(hall.path(f"/rounds/{number}")).json
        found |= {entry for table in seen["tables"] for side in ("ns", "ew") for entry in table[side]["numbers"]}
        found |= {entry for bye in seen["byes"] for entry in bye["numbers"]}
    return found


def play(hall: Hall, chance: random.Random, forfeit: bool) -> None:
    """One round with any results; at its first table one side does not come, if that is wanted."""
    number = hall.start_round()
    for place, table in enumerate(hall.owner.get(hall.path("/current-tables")).json["tables"]):
        ruled: dict[str, Any] = {"version": table["version"], "reason": "裁判"}
        if forfeit and not place:
            ruled["outcome"] = "ew_forfeit"
        else:
            # Few levels, so that there are draws and equal places.
            ns, ew = (chance.choice(["2", "9", "A"]) for _ in range(2))
            ruled |= {"ns_level": ns, "ew_level": ew}
        reply = hall.owner.post(hall.path(f"/rounds/{number}/tables/{table['table']}/ruling"), ruled)
        assert reply.status == 200, reply.json


def evening(world: TestWorld, ladder: str, place: int, chance: random.Random) -> Hall:
    """Five to seven pairs, some of whom come every time: byes, a forfeit, and one pair that leaves half-way."""
    hall = laddered(world, ladder, pairs=5 + place % 3, first=100 + 2 * place, rounds=3)
    for number in (1, 2, 3):
        play(hall, chance, forfeit=number == 2)
        if number == 1:
            left = hall.owner.post(hall.path("/entries/2/withdrawal"), {"withdrawn": True, "reason": "有事"})
            assert left.status == 200, left.json
    return hall


@pytest.mark.parametrize("method", ["additive", "elo"])
def test_a_season_is_worth_what_it_is_by_hand(world: TestWorld, engine: Engine, method: str) -> None:
    chance = random.Random(method)
    order = {"name": "甲系列", "season": "2026", "parameters": ELO if method == "elo" else PARAMETERS}
    ladder = chief(world).post("/platform/ladders", order).json["ladder_id"]
    by_hand = Evenings(method, 150_000 if method == "elo" else 0)
    for place in range(4):
        hall = evening(world, ladder, place, chance)
        end(hall)
        run(engine)
        by_hand.add(hall)
        world.time.advance(seconds=60)
        assert points(ladder) == by_hand.values
    for name, changes in by_hand.changes.items():
        assert [event["change"] for event in reversed(history(ladder, name))] == changes, name
    # Somebody came every time, somebody once, and equal places were shared.
    assert {len(changes) for changes in by_hand.changes.values()} >= {1, 4}
    assert Browser().get(f"/ladders/{ladder}").json["events"] == 4
