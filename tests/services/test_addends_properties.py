"""Properties of opened numbers, on random events of every kind by every criterion the kind offers."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.rules.addends import Addends
from chalicelib.rules.command_line import run
from chalicelib.rules.document import parse
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.ranking import Ranking
from chalicelib.services.standings.content import content_of, exact_part
from chalicelib.services.standings.opening import shown, told
from chalicelib.services.views.standings import PublicAddends
from tests.rules.random_events import document
from tests.services.test_addends import adds_up

SEEDS = st.integers(0, 10**9)
KIND_CODES = st.sampled_from(list(KINDS))
FROZEN = st.one_of(st.none(), st.integers(0, 6))
SECRET = "家里有事"


def made(seed: int, kind: str) -> dict[str, Any]:
    """A random event by every criterion of its kind, in some order."""
    random = Random(seed)
    of = document(random, kind)
    offered = list(KINDS[kind].criteria)
    random.shuffle(offered)
    first = next(code for code in offered if code not in ("high_rounds", "lot", "head_to_head", "head_to_head_two"))
    of["event"]["criteria"] = [first, *(code for code in offered if code != first)]
    for adjustment in of.get("adjustments", ()):
        adjustment["reason"] = SECRET
    return of


def opened(of: dict[str, Any], through: int | None) -> list[PublicAddends]:
    event = parse(json.dumps(of))
    seen = shown(event, {}, through)
    return [told(seen, entry.number) for entry in event.entries]


def without_later_rounds(of: dict[str, Any], through: int) -> dict[str, Any]:
    rounds = [drawn for drawn in of.get("rounds", ()) if drawn["no"] <= through]
    given = [each for each in of.get("adjustments", ()) if each["round"] <= len(rounds)]
    return {**of, "rounds": rounds, "adjustments": given}


@settings(max_examples=200, deadline=None)
@given(SEEDS, KIND_CODES, FROZEN)
def test_public_numbers_are_those_of_the_page_and_the_sum_of_what_they_open_to(
    seed: int, kind: str, through: int | None
) -> None:
    of = made(seed, kind)
    page = content_of(parse(json.dumps(of)), through=through)
    rows = {row["no"]: row for row in page.rows}
    numbers = opened(of, through)
    assert {each.number for each in numbers} == set(rows)
    for each in numbers:
        assert (each.round, each.counts, each.criteria) == (page.round, page.counts, page.criteria)
        assert (each.name, each.values) == (rows[each.number]["name"], rows[each.number]["values"])
        for label, value in zip(each.criteria, each.values, strict=True):
            assert adds_up(label.code, value, each.addends[label.code]), (label.code, each.number)
        assert SECRET not in msgspec.json.encode(each).decode()


@settings(max_examples=200, deadline=None)
@given(SEEDS, KIND_CODES, st.integers(0, 6))
def test_a_frozen_round_changes_nothing_that_opens(seed: int, kind: str, through: int) -> None:
    """Neither its results nor its byes, penalties, meetings: as if it had never been drawn."""
    of = made(seed, kind)
    assert opened(of, through) == opened(without_later_rounds(of, through), None)


@settings(max_examples=100, deadline=None)
@given(SEEDS, KIND_CODES)
def test_what_opens_is_what_the_command_prints(seed: int, kind: str) -> None:
    of = made(seed, kind)
    output, errors = io.StringIO(), io.StringIO()
    assert run(["standings", "-"], io.BytesIO(json.dumps(of).encode()), output, errors) == 0, errors.getvalue()
    printed = {row["entry"]: row["addends"] for row in json.loads(output.getvalue())["rows"]}
    event = parse(json.dumps(of))
    ranking = Ranking(scoresheet(event))
    for index, number in enumerate(ranking.sheet.numbers):
        for code, parts in Addends(ranking).of(index, ranking.value_columns()).items():
            # What officials read, number by number: the same rounds and reasons, and not a hundredth rounded away.
            expected = [(part["round"], Fraction(part["value"]), part["why"]) for part in printed[number].get(code, ())]
            assert [(part.round, Fraction(exact_part(part.value)), part.why) for part in parts] == expected, code
