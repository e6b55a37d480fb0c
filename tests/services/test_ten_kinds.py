"""An event of every kind from first draw to last: byes, forfeits, disputes, corrections, people who come late and
people who leave. What is stored at the end is what the rules make of the exported document."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import openpyxl
import pytest

from chalicelib.rules.check import faults
from chalicelib.rules.document import parse, to_document
from chalicelib.rules.exact import shown
from chalicelib.rules.kinds import KINDS
from chalicelib.services import (
    documents,
    duplicate,
    entries,
    my_rounds,
    players,
    rounds,
    scoring,
    standings,
    submissions,
    workbooks,
)
from chalicelib.services.restoration import restore
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.standings.content import content_of
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.views.scoring import BoardResult, Score, TableView
from chalicelib.store.accounts import Account
from chalicelib.store.matches import items_of_round, table_key
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump
from tests.support.kinds import WAYS, Way, confirm, enter, made_up, open_way, rule, say, tables_of
from tests.support.refusals import refused
from tests.support.world import TestWorld

EVERY_WAY = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)


def first_round(hall: Hall) -> None:
    """A forfeit, a dispute that a referee settles, and all others confirmed."""
    hall.play(1)
    given_up, disputed, *others = tables_of(hall, 1)
    rule(hall, given_up, Score("ew_forfeit"))
    right = made_up(hall, disputed)
    say(hall, disputed, "ns", right)
    assert say(hall, disputed, "ew", made_up(hall, disputed, 1)).state == "disputed"
    assert refused(hall.settle, 1).code == "open_tables"
    assert rule(hall, disputed, right, "核对记分纸").result == right
    for table in others:
        # The other room of the match that was given up needs no result.
        if table.match != given_up.match:
            confirm(hall, table)


def whole_event(hall: Hall, way: Way) -> None:
    """Three rounds of four: somebody comes late, somebody leaves, a settled table is corrected."""
    first_round(hall)
    knockout = hall.settings().knockout
    if not knockout:
        enter(hall, way, way.entries + 1)
        entries.withdraw(hall.world, hall.event_id, 2, True, "有事", ORGANIZER, hall.keys.fresh())
    for table in play_and_list(hall, 2):
        confirm(hall, table)
    drawn = hall.draw()
    if not knockout:
        corrected = tables_of(hall, 1)[1]
        rule(hall, corrected, made_up(hall, corrected, 2), "录错了")
    assert drawn.number == 3
    hall.publish(3)
    hall.command("start")
    for table in tables_of(hall, 3):
        confirm(hall, table)
    hall.settle(3)


def play_and_list(hall: Hall, number: int) -> list[TableView]:
    hall.play(number)
    return tables_of(hall, number)


@EVERY_WAY
def test_a_whole_event_ranks_as_its_document_says(world: TestWorld, engine: Engine, way: Way) -> None:
    hall = open_way(world, way)
    whole_event(hall, way)
    Pump(engine).run()
    assert standings.compare(world, hall.event_id).equal

    text = documents.export(world, hall.event_id)[0]
    event = parse(text)
    assert faults(event) == []
    stored = standings.read(world, hall.event_id)
    ranked = content_of(event)
    assert [(row.rank, row.number, row.values) for row in stored.rows] == [
        (row["rank"], row["no"], row["values"]) for row in ranked.rows
    ]

    copy = restore(world, Account.get("ACCOUNT#organizer", "PROFILE"), text)
    again = parse(documents.export(world, copy)[0])
    assert to_document(again) == to_document(event)
    assert standings.compare(world, copy).equal


@EVERY_WAY
def test_every_number_shown_is_the_sum_of_the_addends_shown(world: TestWorld, engine: Engine, way: Way) -> None:
    """Also where boards give thirds: an addend is a fraction where two decimals would not be all of it."""
    hall = open_way(world, way)
    hall.configure(criteria=list(KINDS[way.kind].criteria))
    whole_event(hall, way)
    Pump(engine).run()
    found = standings.read(world, hall.event_id)
    codes = [label.code for label in found.criteria]
    assert set(codes) >= set(KINDS[way.kind].criteria)
    for row in found.rows:
        opened = standings.addends(world, hall.event_id, row.number).addends
        for code, value in zip(codes, row.values, strict=True):
            parts = [Fraction(part.value) for part in opened[code]]
            if code == "high_rounds":
                expected = " ".join(shown(str(part)) for part in sorted(parts, reverse=True))
            elif code == "lot" or not parts:
                continue
            else:
                expected = shown(str(sum(parts, Fraction(0))))
            assert value == expected, (code, row.number)


@EVERY_WAY
def test_the_next_round_of_a_restored_event_is_the_same(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    first_round(hall)
    copy = Hall(world, restore(world, Account.get("ACCOUNT#organizer", "PROFILE"), exported(hall)))
    copy.configure(boards_per_round=hall.settings().boards_per_round)
    ours, theirs = hall.draw(), copy.draw()
    assert [(table.table, table.ns.numbers, table.ew.numbers, table.why) for table in ours.tables] == [
        (table.table, table.ns.numbers, table.ew.numbers, table.why) for table in theirs.tables
    ]
    hall.publish(2)
    copy.publish(2)
    assert [(table.table, table.to_play) for table in tables_of(hall, 2)] == [
        (table.table, table.to_play) for table in tables_of(copy, 2)
    ]


def exported(hall: Hall) -> bytes:
    return documents.export(hall.world, hall.event_id)[0]


@EVERY_WAY
def test_everybody_sees_on_the_phone_where_to_sit(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    hall.play(1)
    grid = scoring.grid(world, hall.event_id, 1)
    seated = {number: table for table in grid.tables for side in (table.ns, table.ew) for number in side.numbers}
    for number in range(1, way.entries + 1):
        me = players.me(world, hall.event_id, hall.device(number), "token")
        (mine,) = my_rounds.my_rounds(world, hall.event_id, hall.device(number)).rounds
        assert (mine.tables, mine.bye, mine.sit_out) == (me.tables, me.bye, me.sit_out)
        if number in seated:
            assert [table.match for table in me.tables] == [seated[number].match] * (2 if me.scoring.rooms else 1)
            assert me.may_score
            assert number in (me.table.ns if me.my_side == "ns" else me.table.ew).numbers
        else:
            assert (me.tables, me.bye + me.sit_out) == ([], 1)
            assert me.sit_out == KINDS[way.kind].sit_outs


@EVERY_WAY
def test_the_workbook_has_every_table_and_board(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    hall.play(1)
    for table in tables_of(hall, 1):
        confirm(hall, table)
    content = workbooks.download(world, hall.event_id, "workbook", "en")[0]
    book = openpyxl.load_workbook(io.BytesIO(content))
    grid = scoring.grid(world, hall.event_id, 1)
    results = list(book["Round 1 results"].iter_rows(min_row=2, values_only=True))
    assert len(results) == len({table.match for table in grid.tables}) + len(grid.byes) + len(grid.sit_outs)
    boards = sum(len(table.to_play) for table in grid.tables)
    assert ("Round 1 boards" in book.sheetnames) == bool(boards)
    if boards:
        sheet = list(book["Round 1 boards"].iter_rows(min_row=2, values_only=True))
        assert len(sheet) == boards
        assert sorted(row[-1] for row in sheet) == sorted(
            board.result for table in grid.tables for board in table.result.boards
        )


def test_a_match_item_with_a_ruling_stays_small(world: TestWorld) -> None:
    hall = open_way(world, Way("team_of_four", 4, 8, {"boards_per_round": 40, "meets_by": "round_robin"}))
    hall.play(1)
    table = confirm(hall, tables_of(hall, 1)[-1])
    rule(hall, table, made_up(hall, table, 1), "核对记分纸，双方签字")
    sizes = {item["sk"]["S"]: len(json.dumps(item, ensure_ascii=False)) for item in items_of_round(hall.event_id, 1)}
    assert sizes[table_key(table.table)] <= 1024


@pytest.mark.parametrize("way", [way for way in WAYS if way.players == 1], ids=lambda way: way.name)
def test_only_a_partner_again_is_a_conflict_where_partners_change(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    hall.play(1)
    for table in tables_of(hall, 1):
        confirm(hall, table)
    draft = hall.draw()
    assert [table.rematch_of for table in draft.tables] == [None] * len(draft.tables)
    first = {frozenset(side.numbers) for table in tables_of(hall, 1) for side in (table.ns, table.ew)}
    again = any(frozenset(side.numbers) in first for table in draft.tables for side in (table.ns, table.ew))
    assert again == (way.kind == "individual" and not way.settings)


def test_a_draft_of_persons_is_rearranged_by_lists(world: TestWorld) -> None:
    hall = open_way(world, Way("rotation", 9, 1))
    draft = hall.draw()
    one, two = draft.tables
    (out,) = (entry.number for entry in draft.sit_outs)
    kept, left = one.ns.numbers
    seats = [
        DraftTable(1, (kept, out), tuple(two.ew.numbers)),
        DraftTable(2, tuple(two.ns.numbers), tuple(one.ew.numbers)),
    ]

    def rearrange(tables: list[DraftTable], byes: list[int], sit_outs: list[int]) -> RoundView:
        return rounds.rearrange(
            world, hall.event_id, 1, draft.version, tables, byes, sit_outs, ORGANIZER, hall.keys.fresh()
        )

    assert refused(rearrange, seats, [], []).code == "draft_invalid"
    short = [DraftTable(1, (kept,), tuple(two.ew.numbers)), seats[1]]
    assert refused(rearrange, short, [], [left, out]).code == "draft_invalid"
    view = rearrange(seats, [], [left])
    assert [entry.number for entry in view.sit_outs] == [left]
    assert [(table.ns.numbers, table.why["design"]) for table in view.tables] == [
        ([kept, out], "by_hand"),
        (two.ns.numbers, "by_hand"),
    ]
    hall.publish(1)
    assert players.me(world, hall.event_id, hall.device(left), "").sit_out


def test_nobody_sits_out_where_the_kind_knows_no_sit_outs(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 5))
    draft = hall.draw()
    tables = [DraftTable(table.table, tuple(table.ns.numbers), tuple(table.ew.numbers)) for table in draft.tables]
    byes = [entry.number for entry in draft.byes]
    problem = refused(rounds.rearrange, world, hall.event_id, 1, 1, tables, [], byes, ORGANIZER, hall.keys.fresh())
    assert problem.code == "draft_invalid"


def test_boards_of_a_mitchell_keep_their_presets_wherever_they_are_played(world: TestWorld) -> None:
    hall = open_way(world, Way("mitchell", 8, settings={"preset_seed": "2026"}))
    seen: dict[int, tuple[str | None, str | None]] = {}
    for number in (1, 2):
        hall.play(number)
        for table in tables_of(hall, number):
            assert table.board_set is not None
            first = (int(table.board_set) - 1) * 4
            assert [each.board for each in table.to_play] == list(range(first + 1, first + 5))
            for each in table.to_play:
                assert seen.setdefault(each.board, (each.level, each.leader)) == (each.level, each.leader)
                assert each.level is not None
            confirm(hall, table)
    # Leaders go round: N, E, S, W.
    assert [seen[board][1] for board in (1, 2, 3, 4)] == ["N", "E", "S", "W"]
    plan = {(each.round, each.board): each.level for each in duplicate.plan(world, hall.event_id).boards}
    assert seen[5][0] == plan[2, 1]


def test_a_changed_number_of_boards_leaves_sets_that_were_played_alone(world: TestWorld) -> None:
    hall = open_way(world, Way("mitchell", 8))
    hall.play(1)
    for table in tables_of(hall, 1):
        confirm(hall, table)
    hall.configure(boards_per_round=6)
    hall.play(2)
    assert {len(table.to_play) for table in tables_of(hall, 2)} == {4}


def test_what_is_entered_board_by_board_moves_the_live_ranking_of_a_rotation_only(
    world: TestWorld, engine: Engine
) -> None:
    for kind, moves in (("rotation", True), ("swiss_deviation", False)):
        hall = open_way(world, Way(kind, 4, settings={"ranking_after_submission_only": False}))
        hall.play(1)
        table = tables_of(hall, 1)[0]
        device = hall.device(table.ns.number)
        part = Score("played", boards=[BoardResult(table.to_play[0].board, 3)])
        submissions.save_running(world, hall.event_id, 1, table.table, device, part, hall.keys.fresh())
        assert hall.table(1, table.table).running.score == part
        Pump(engine).run()
        assert standings.compare(world, hall.event_id).equal
        leading = standings.read(world, hall.event_id).rows[0]
        assert (leading.number == table.ns.number and not leading.tied) == moves


def test_parallel_words_on_boards_confirm_once(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("team_of_four", 4, 4))
    hall.play(1)
    scores = {table.table: made_up(hall, table) for table in tables_of(hall, 1)}

    def speak(table: TableView, side: str) -> str:
        return say(hall, table, side, scores[table.table]).state

    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(speak, table, side) for table in tables_of(hall, 1) for side in ("ns", "ew")]
        states = [job.result() for job in jobs]
    assert len(states) == 8
    assert {table.state for table in tables_of(hall, 1)} == {"confirmed"}
    assert {table.table: table.result for table in tables_of(hall, 1)} == scores
    Pump(engine).run()
    assert standings.compare(world, hall.event_id).equal


@pytest.mark.parametrize("kind", ["pairs", "team_of_four", "mitchell"])
def test_a_word_costs_three_requests_whatever_it_says(world: TestWorld, engine: Engine, kind: str) -> None:
    hall = open_way(world, Way(kind, 4, KINDS[kind].players[0]))
    hall.play(1)
    table = tables_of(hall, 1)[-1]
    device, score, key = hall.device(table.ns.number), made_up(hall, table), hall.keys.fresh()
    engine.recorder.clear()
    submissions.submit(world, hall.event_id, 1, table.table, device, score, 0, world.now(), key)
    assert sum(engine.recorder.requests().values()) <= 3, engine.recorder.requests()


def test_sets_of_any_name_come_back_from_a_document(world: TestWorld, engine: Engine) -> None:
    open_way(world, Way("mitchell", 0))

    def table(number: int, board_set: int | str, *results: int) -> dict[str, object]:
        record: dict[str, object] = {"table": number, "ns": 2 * number - 1, "ew": 2 * number, "set": board_set}
        if not results:
            return {**record, "outcome": "unplayed"}
        boards = [{"board": 7 + place, "result": result} for place, result in enumerate(results)]
        return {**record, "boards": boards}

    document = {
        "format": "guanjun-event/1",
        "event": {"name": "米切尔", "kind": "mitchell", "rounds": 3},
        "entries": [{"no": number} for number in range(1, 9)],
        "rounds": [{"no": 1, "tables": [table(1, 0, 3, -1), table(2, "", 1, 2), table(3, 0, -3, 2), table(4, 0)]}],
    }
    text = json.dumps(document).encode()
    copy = Hall(world, restore(world, Account.get("ACCOUNT#organizer", "PROFILE"), text))
    assert [each.board for each in hall_table(copy, 4).to_play] == [7, 8]
    for number in (2, 4):
        rule(copy, hall_table(copy, number), made_up(copy, hall_table(copy, number)), "核对")
    copy.settle(1)
    Pump(engine).run()
    # Settled rounds are read from their pack, where no set may lose its name.
    event = parse(exported(copy))
    assert [drawn.board_set for drawn in event.drawn[0].tables] == [0, "", 0, 0]
    assert standings.compare(world, copy.event_id).equal


def hall_table(hall: Hall, table: int) -> TableView:
    return hall.table(1, table)
