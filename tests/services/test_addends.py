"""Every number of the ranking opened to its addends: they add up to what is shown, and tell nobody more than that."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from chalicelib.rules.command_line import run
from chalicelib.rules.exact import shown
from chalicelib.rules.kinds import KINDS
from chalicelib.services import adjustments, documents, entries, freezing, standings, submissions
from chalicelib.services.standings.content import shown_value
from chalicelib.services.views.scoring import Score
from chalicelib.services.views.standings import AddendView
from chalicelib.store.events import find_event
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import ORGANIZER, OWNER, Hall, Pump, open_hall
from tests.support.kinds import WAYS, Way, confirm, enter, made_up, open_way, rule, say, tables_of
from tests.support.people import Hall as People
from tests.support.people import open_hall as open_people
from tests.support.refusals import refused
from tests.support.world import TestWorld

CRITERIA = ["match_points", "level_points", "opponents_match_points"]


def freeze(hall: Hall, number: int | None) -> None:
    header = find_event(hall.event_id)
    assert header is not None
    freezing.freeze(hall.world, hall.event_id, int(header.version), number, ORGANIZER, OWNER, hall.keys.fresh())


def penalize(hall: Hall, entry: int, number: int) -> None:
    criterion = adjustments.listed(hall.world, hall.event_id).criteria[0].code
    given = adjustments.Given(entry, number, criterion, -1, "迟到，家里有事")
    adjustments.give(hall.world, hall.event_id, given, "referee", hall.keys.fresh())


def public_rows(hall: Hall | People) -> list[dict[str, Any]]:
    """The rows that everybody sees, with the codes of their values."""
    found = []
    for key in hall.world.files.list_prefix(f"pub/{hall.event_id}/standings/"):
        file = hall.world.files.get(key)
        assert file is not None
        page = msgspec.json.decode(file.body)
        found.append((page["v"], page))
    page = max(found, key=lambda pair: pair[0])[1]
    return [{**row, "round": page["round"], "codes": [one["code"] for one in page["criteria"]]} for row in page["rows"]]


def adds_up(code: str, value: str, parts: list[AddendView]) -> bool:
    """Whether a number as it is shown is what its addends make."""
    amounts = [Fraction(part.value) for part in parts]
    if code == "lot":
        return not parts
    if code == "high_rounds":
        return value == (" ".join(shown(str(amount)) for amount in sorted(amounts, reverse=True)) or "–")
    # Head to head applies to some only.
    return not parts if value == "–" else value == shown(str(sum(amounts, Fraction(0))))


def opens_as_shown(hall: Hall) -> None:
    """Every public number is shown the same when it is opened, and is the sum of what it opens to."""
    rows = public_rows(hall)
    assert rows
    hall.world.time.advance(seconds=20)
    for row in rows:
        opened = standings.public_addends(hall.world, hall.event_id, row["no"])
        assert (opened.name, opened.round, opened.provisional) == (row["name"], row["round"], row["provisional"])
        assert [label.code for label in opened.criteria] == row["codes"]
        assert opened.values == row["values"]
        for code, value in zip(row["codes"], row["values"], strict=True):
            assert adds_up(code, value, opened.addends[code]), (code, row["no"])
            assert all(part.round is None or part.round <= row["round"] for part in opened.addends[code])


def play(hall: Hall, number: int, turn: int) -> None:
    hall.play(number)
    for table in tables_of(hall, number):
        confirm(hall, table, turn)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_public_number_is_the_sum_of_its_public_addends(world: TestWorld, engine: Engine, way: Way) -> None:
    """Of every kind by every criterion: with a forfeit, a penalty, somebody who came late and somebody who left; then
    frozen while a round goes on, and shown again."""
    hall = open_way(world, way)
    hall.configure(criteria=list(KINDS[way.kind].criteria))
    hall.play(1)
    given_up, *others = tables_of(hall, 1)
    rule(hall, given_up, Score("ew_forfeit"))
    for table in others:
        if table.match != given_up.match:
            confirm(hall, table)
    penalize(hall, 1, 1)
    if not hall.settings().knockout:
        enter(hall, way, way.entries + 1)
        entries.withdraw(world, hall.event_id, 2, True, "有事", ORGANIZER, hall.keys.fresh())
    Pump(engine).run()
    opens_as_shown(hall)
    freeze(hall, 2)
    play(hall, 2, turn=5)
    penalize(hall, 1, 2)
    Pump(engine).run()
    opens_as_shown(hall)
    assert {row["round"] for row in public_rows(hall)} == {1}
    freeze(hall, None)
    Pump(engine).run()
    opens_as_shown(hall)
    assert {row["round"] for row in public_rows(hall)} == {2}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_page_console_and_command_on_the_exported_file_say_the_same(world: TestWorld, engine: Engine, way: Way) -> None:
    hall = open_way(world, way)
    hall.configure(criteria=list(KINDS[way.kind].criteria))
    play(hall, 1, turn=0)
    penalize(hall, 1, 1)
    play(hall, 2, turn=3)
    Pump(engine).run()
    exported, _ = documents.export(hall.world, hall.event_id)
    output, errors = io.StringIO(), io.StringIO()
    assert run(["standings", "-"], io.BytesIO(exported), output, errors) == 0, errors.getvalue()
    printed = {row["entry"]: row for row in json.loads(output.getvalue())["rows"]}
    page = {row["no"]: row for row in public_rows(hall)}
    console = {row.number: row for row in standings.read(world, hall.event_id).rows}
    assert printed.keys() == page.keys() == console.keys()
    for number, row in printed.items():
        inside = standings.addends(world, hall.event_id, number)
        outside = standings.public_addends(world, hall.event_id, number)
        assert inside.criteria == outside.criteria
        assert inside.values == outside.values == page[number]["values"] == console[number].values
        for label, value in zip(inside.criteria, inside.values, strict=True):
            exact = row["values"].get(label.code)
            assert value == shown_value(label.code, tuple(exact) if isinstance(exact, list) else exact)
            expected = [(part["round"], Fraction(part["value"]), part["why"]) for part in row["addends"][label.code]]
            found = [(part.round, Fraction(part.value), part.why) for part in inside.addends[label.code]]
            assert found == expected
            told = [(part.round, part.value) for part in outside.addends[label.code]]
            assert told == [(part.round, part.value) for part in inside.addends[label.code]]
            assert adds_up(label.code, value, inside.addends[label.code])


@pytest.mark.parametrize("only_submitted", [True, False])
def test_what_one_side_said_is_in_the_addends_where_it_is_in_the_ranking(
    world: TestWorld, engine: Engine, *, only_submitted: bool
) -> None:
    hall = open_hall(world, 4, ranking_after_submission_only=only_submitted, criteria=CRITERIA)
    play(hall, 1, turn=0)
    hall.play(2)
    first, second = tables_of(hall, 2)
    running = Score("played", "5", "9")
    device = hall.device(first.ns.number)
    submissions.save_running(world, hall.event_id, 2, first.table, device, running, hall.keys.fresh())
    say(hall, second, "ns", made_up(hall, second))
    Pump(engine).run()
    opens_as_shown(hall)
    assert {row["provisional"] for row in public_rows(hall)} == {not only_submitted}
    freeze(hall, 2)
    Pump(engine).run()
    opens_as_shown(hall)
    assert {row["provisional"] for row in public_rows(hall)} == {False}


def test_a_list_without_rounds_is_a_dash_and_no_gap(world: TestWorld, engine: Engine) -> None:
    """A heading with nothing behind it looked like a number that had been cut off."""
    hall = open_hall(world, 5, criteria=["match_points", "high_rounds"])
    hall.play(1)
    Pump(engine).run()
    values = [row["values"] for row in public_rows(hall)]
    assert values == [["2", "13"], *[["0", "–"]] * 4]


def test_officials_open_what_one_side_said_too(world: TestWorld, engine: Engine) -> None:
    """The lines left out what the number counted while 仅提交后修改实时排名 was off."""
    hall = open_hall(world, 4, ranking_after_submission_only=False, criteria=CRITERIA)
    hall.play(1)
    table = hall.table(1, 1)
    say(hall, table, "ns", Score("played", "A", "9"))
    Pump(engine).run()
    for row in standings.read(world, hall.event_id).rows:
        opened = standings.addends(world, hall.event_id, row.number).addends
        assert all(adds_up(code, value, opened[code]) for code, value in zip(CRITERIA, row.values, strict=True))
    opened = standings.addends(world, hall.event_id, table.ns.number).addends
    assert [(part.value, part.why) for part in opened["match_points"]] == [("2", f"win over {table.ew.number}")]


def test_the_reason_of_a_penalty_is_told_to_officials_only(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4, criteria=CRITERIA)
    play(hall, 1, turn=0)
    penalize(hall, 1, 1)
    Pump(engine).run()
    inside = standings.addends(world, hall.event_id, 1).addends["match_points"][-1]
    outside = standings.public_addends(world, hall.event_id, 1).addends["match_points"][-1]
    assert (inside.value, inside.why) == ("-1", "adjustment: 迟到，家里有事")
    assert (outside.value, outside.why) == ("-1", "adjustment")


def test_a_draft_is_in_nobody_s_addends(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4, criteria=CRITERIA)
    play(hall, 1, turn=0)
    Pump(engine).run()
    before = [standings.public_addends(world, hall.event_id, number) for number in range(1, 5)]
    hall.draw()
    Pump(engine).run()
    assert [standings.public_addends(world, hall.event_id, number) for number in range(1, 5)] == before


def test_while_results_come_in_they_may_be_twenty_seconds_old_but_a_freeze_and_names_count_at_once(
    world: TestWorld, engine: Engine
) -> None:
    hall = open_hall(world, 4, criteria=CRITERIA)
    play(hall, 1, turn=0)
    Pump(engine).run()
    before = standings.public_addends(world, hall.event_id, 1)
    hall.play(2)
    first, second = tables_of(hall, 2)
    confirm(hall, first)
    confirm(hall, second)
    Pump(engine).run()
    assert standings.public_addends(world, hall.event_id, 1) == before
    world.time.advance(seconds=20)
    after = standings.public_addends(world, hall.event_id, 1)
    assert (before.round, after.round) == (1, 2)
    # Nothing moves any more: what was made is what is shown, however old.
    world.time.advance(minutes=30)
    engine.recorder.clear()
    assert standings.public_addends(world, hall.event_id, 1) == after
    assert sum(engine.recorder.requests().values()) == 3
    freeze(hall, 2)
    assert standings.public_addends(world, hall.event_id, 1) == before
    freeze(hall, None)
    hall.configure(criteria=CRITERIA[:1])
    assert len(standings.public_addends(world, hall.event_id, 1).values) == 1


def test_only_what_public_standings_show_can_be_opened(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4, criteria=CRITERIA)
    assert refused(standings.public_addends, world, hall.event_id, 1).code == "entry_not_found"  # not ranked yet
    Pump(engine).run()
    opened = standings.public_addends(world, hall.event_id, 1)
    assert (opened.round, opened.values, opened.others) == (0, ["0", "0", "0"], [])
    assert refused(standings.public_addends, world, hall.event_id, 5).code == "entry_not_found"
    assert refused(standings.public_addends, world, "nowhere", 1).code == "event_not_found"


def test_others_are_named_and_those_of_an_encrypted_event_by_number(world: TestWorld, engine: Engine) -> None:
    hall = open_people(world)
    hall.enter(2)
    hall.start_round()
    table = hall.owner.get(hall.path("/current-tables")).json["tables"][0]
    ruled = {"version": table["version"], "ns_level": "A", "ew_level": "9", "reason": "裁判"}
    assert hall.owner.post(hall.path("/rounds/1/tables/1/ruling"), ruled).status == 200
    Pump(engine).run()
    address = hall.path("/public-standings/1")
    named = Browser().get(address).json
    assert (named["name"], named["others"]) == ("选手100 / 选手101", [{"number": 2, "name": "选手102 / 选手103"}])
    digits = {"x-guanjun-new-digits": "201938475610"}
    assert hall.owner.post(hall.path("/encryption"), {}, headers=digits).status == 200
    Pump(engine).run()
    numbered = Browser().get(address).json
    assert (numbered["name"], numbered["others"]) == ("#1", [{"number": 2, "name": "#2"}])
    assert numbered["values"] == public_rows(hall)[[row["no"] for row in public_rows(hall)].index(1)]["values"]
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    assert Browser().get(address).code == "event_not_found"
