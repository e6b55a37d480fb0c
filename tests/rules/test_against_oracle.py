"""The ranking equals a second implementation, value by value, on random events of all ten kinds."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from chalicelib.rules.document import parse, to_document
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.standings import standings, to_json
from tests.rules.oracle import Oracle, show
from tests.rules.random_events import document

EVENTS_OF_EACH_KIND = 100


def without_addends(answer):
    return {
        "rows": [{name: row[name] for name in row if name != "addends"} for row in answer["rows"]],
        "clubs": answer["clubs"],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_standings_equal_the_oracle(kind):
    for seed in range(EVENTS_OF_EACH_KIND):
        found = document(Random(f"{kind}{seed}"), kind)
        answer = json.loads(json.dumps(to_json(standings(parse(json.dumps(found))))))
        oracle = Oracle(found)
        assert without_addends(answer) == oracle.standings(), seed
        for row in answer["rows"]:
            for code, parts in row["addends"].items():
                if code in ("head_to_head", "head_to_head_two"):
                    total = sum(Fraction(part["value"]) for part in parts)
                    assert row["values"][code] in (None, show(total))
                elif code == "high_rounds":
                    listed = sorted((Fraction(part["value"]) for part in parts), reverse=True)
                    assert [show(value) for value in listed] == row["values"][code]
                elif code != "lot":
                    expected = [(number, show(value)) for number, value in oracle.addends(row["entry"], code)]
                    assert sorted((part["round"], part["value"]) for part in parts) == sorted(expected), seed


@pytest.mark.parametrize("kind", KINDS)
def test_documents_survive_writing_and_reading(kind):
    for seed in range(EVENTS_OF_EACH_KIND // 3):
        event = parse(json.dumps(document(Random(f"{kind}-{seed}"), kind)))
        assert parse(json.dumps(to_document(event))) == event


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_input_changes_nothing(kind):
    for seed in range(EVENTS_OF_EACH_KIND // 3):
        random = Random(f"{kind}/{seed}")
        found = document(random, kind)
        before = parse(json.dumps(found))
        for items in (found["entries"], found.get("rounds", []), found.get("adjustments", [])):
            random.shuffle(items)
        for drawn in found.get("rounds", []):
            for items in (drawn["tables"], drawn.get("byes", []), drawn.get("sit_outs", [])):
                random.shuffle(items)
        after = parse(json.dumps(found))
        assert after == before
        assert to_json(standings(after)) == to_json(standings(before))
