"""Layouts of rosters, needs of the kinds, and what is wrong with rows."""

import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue, FileFault, MergedCells, Sheet, SheetRow, read_sheets
from chalicelib.services.roster import (
    KINDS,
    ColumnMapping,
    Note,
    RosterReport,
    needs_of,
    read_roster,
)
from tests.support.spreadsheets import xlsx


def sheet_of(*rows: tuple[CellValue, ...], name: str = "", merged: tuple[MergedCells, ...] = ()) -> Sheet:
    numbered = (
        SheetRow(number, cells) for number, cells in enumerate(rows, start=1) if any(c is not None for c in cells)
    )
    return Sheet(name, tuple(numbered), merged)


def read(*rows: tuple[CellValue, ...], kind: str = "pairs", merged: tuple[MergedCells, ...] = ()) -> RosterReport:
    return read_roster((sheet_of(*rows, merged=merged),), needs_of(kind))


def teams(report: RosterReport) -> list[tuple[str, str, str]]:
    """Name, players joined by "+", club; with the faults beside them so that a surprise is seen."""
    assert report.faults == ()
    return [(entry.name, "+".join(player.name for player in entry.players), entry.club) for entry in report.entries]


def faults(report: RosterReport) -> list[tuple[int | None, str, str]]:
    return [(fault.row, fault.column, fault.code) for fault in report.faults]


PAIR = ("姓名", "搭档")
WITH_PHONES = ("姓名", "手机号", "搭档", "搭档手机")


def test_title_lines_repeated_headings_totals_and_remarks_are_no_entries() -> None:
    report = read(
        ("某某杯报名表",),
        (None, None),
        PAIR,
        ("甲", "乙"),
        ("第二页",),
        PAIR,
        ("丙", "丁"),
        ("合计：", "4 人"),
        ("备注：自带水杯",),
    )
    assert teams(report) == [("甲/乙", "甲+乙", ""), ("丙/丁", "丙+丁", "")]
    assert report.notes == (Note("title", 5), Note("heading", 6), Note("total", 8), Note("remark", 9))
    assert (report.heading_row, report.rows_seen) == (3, 2)


def test_person_called_like_a_total_is_kept_when_a_partner_or_a_phone_says_so() -> None:
    assert teams(read(PAIR, ("总计", "乙"))) == [("总计/乙", "总计+乙", "")]
    report = read(WITH_PHONES, ("合计", 13800130001, None, None))
    assert faults(report) == [(2, "搭档", "player_missing")]


def test_two_heading_rows_are_read_together() -> None:
    report = read(
        ("队名", "队员1", None, "队员2", None),
        (None, "姓名", "手机", "姓名", "手机"),
        ("甲队", "甲", 13800130001, "乙", "13800130002"),
    )
    assert teams(report) == [("甲队", "甲+乙", "")]
    assert [column.heading for column in report.columns] == ["队名", "队员1姓名", "队员1手机", "队员2姓名", "队员2手机"]
    assert [player.phone for player in report.entries[0].players] == ["13800130001", "13800130002"]
    assert report.heading_row == 2


def test_heading_with_one_known_column_is_enough_for_persons() -> None:
    assert teams(read(("姓名", "喜好"), ("甲", "茶"), kind="individual")) == [("甲", "甲", "")]


def test_line_about_the_club_above_the_heading_is_no_heading() -> None:
    report = read(("单位", "市南", "领队", "辛", "电话", 13800130009), PAIR, ("甲", "乙"))
    assert (report.heading_row, teams(report)) == (2, [("甲/乙", "甲+乙", "")])


def test_rows_with_nothing_but_a_number_are_blank() -> None:
    report = read(("序号", *PAIR), (1, "甲", "乙"), (2, None, None), (3, None, None))
    assert teams(report) == [("甲/乙", "甲+乙", "")]
    assert teams(read(("队号", *PAIR), (1, "甲", "乙"), (2, None, None))) == [("甲/乙", "甲+乙", "")]


def test_one_player_per_row_by_team_name() -> None:
    rows = (
        ("队名", "姓名", "单位"),
        ("甲队", "甲", "市南"),
        ("甲队", "乙", None),
        ("乙队", "丙", None),
        ("乙队", "丁", "崂山"),
    )
    assert teams(read(*rows)) == [("甲队", "甲+乙", "市南"), ("乙队", "丙+丁", "崂山")]


def test_one_player_per_row_by_team_number_wherever_the_rows_stand() -> None:
    rows = (("队号", "队名", "姓名"), (7, None, "甲"), (8, "乙队", "丙"), (7, "甲队", "乙"), (8, None, "丁"))
    assert teams(read(*rows)) == [("甲队", "甲+乙", ""), ("乙队", "丙+丁", "")]


def test_merged_or_blank_team_cells_continue_the_team_above() -> None:
    rows = (
        ("队名", "姓名", "单位"),
        ("甲队", "甲", "市南"),
        (None, "乙", None),
        ("乙队", "丙", None),
        (None, "丁", None),
    )
    assert teams(read(*rows)) == [("甲队", "甲+乙", "市南"), ("乙队", "丙+丁", "")]
    merged = (MergedCells(2, 3, 5, 3), MergedCells(2, 1, 3, 1), MergedCells(4, 1, 5, 1))
    assert teams(read(*rows, merged=merged)) == [("甲队", "甲+乙", "市南"), ("乙队", "丙+丁", "市南")]


def test_merged_club_holds_for_all_its_rows_and_no_further() -> None:
    rows = ((*PAIR, "单位"), ("甲", "乙", "市南"), ("丙", "丁", None), ("戊", "己", None))
    report = read(*rows, merged=(MergedCells(2, 3, 3, 3),))
    assert [entry.club for entry in report.entries] == ["市南", "市南", ""]
    endless = read(*rows, merged=(MergedCells(2, 3, 1_048_576, 3),))
    assert [entry.club for entry in endless.entries] == ["市南"] * 3


def test_real_workbook_with_merged_team_cells() -> None:
    data = xlsx(
        [["报名表"], ["队名", "姓名"], ["甲队", "甲"], [None, "乙"], ["乙队", "丙"], [None, "丁"]], ["A3:A4", "A5:A6"]
    )
    assert teams(read_roster(read_sheets(data), needs_of("pairs"))) == [("甲队", "甲+乙", ""), ("乙队", "丙+丁", "")]


def test_same_team_name_twice_is_two_teams_when_each_block_is_whole() -> None:
    rows = (
        ("队名", "姓名"),
        ("甲队", "甲"),
        ("甲队", "乙"),
        ("乙队", "丙"),
        ("乙队", "丁"),
        ("甲队", "戊"),
        ("甲队", "己"),
    )
    assert teams(read(*rows)) == [("甲队", "甲+乙", ""), ("乙队", "丙+丁", ""), ("甲队", "戊+己", "")]


def test_same_team_name_with_a_block_that_is_not_whole_is_one_team_too_large() -> None:
    rows = (("队名", "姓名"), ("甲队", "甲"), ("甲队", "乙"), ("乙队", "丙"), ("乙队", "丁"), ("甲队", "戊"))
    assert faults(read(*rows)) == [(6, "姓名", "too_many_players")]


def test_too_few_and_too_many_players_of_a_shared_team() -> None:
    rows = (("队名", "姓名"), ("甲队", "甲"), ("乙队", "乙"), ("乙队", "丙"), ("乙队", "丁"), (None, "戊"))
    assert faults(read(*rows)) == [
        (2, "姓名", "player_missing"),
        (5, "姓名", "too_many_players"),
        (6, "队名", "team_missing"),
    ]


def test_clubs_of_one_team_may_not_differ() -> None:
    rows = (("队名", "姓名", "单位"), ("甲队", "甲", "市南"), ("甲队", "乙", "崂山"))
    assert faults(read(*rows)) == [(3, "单位", "club_differs")]


def test_persons_of_an_individual_event() -> None:
    report = read(("姓名", "电话"), ("甲", 13800130001), ("乙", None), kind="individual")
    assert teams(report) == [("甲", "甲", ""), ("乙", "乙", "")]


def test_pairs_file_for_an_individual_event_gives_every_person() -> None:
    report = read((*PAIR, "单位"), ("甲", "乙", "市南"), ("丙", None, None), kind="individual")
    assert teams(report) == [("甲", "甲", "市南"), ("乙", "乙", "市南"), ("丙", "丙", "")]


def test_phone_without_a_name_is_a_missing_person() -> None:
    assert faults(read(("姓名", "电话"), (None, 13800130001), kind="individual")) == [(2, "姓名", "player_missing")]
    assert faults(read(WITH_PHONES, ("甲", None, None, 13800130001))) == [(2, "搭档", "player_missing")]


def test_rotation_takes_pairs_or_persons() -> None:
    assert teams(read(PAIR, ("甲", "乙"), kind="rotation")) == [("甲/乙", "甲+乙", "")]
    assert teams(read(("姓名",), ("甲",), kind="rotation")) == [("甲", "甲", "")]


def test_clubs_event_needs_the_club() -> None:
    report = read((*PAIR, "单位"), ("甲", "乙", "市南"), ("丙", "丁", None), kind="clubs")
    assert faults(report) == [(3, "单位", "club_missing")]
    assert [entry.rows for entry in report.entries] == [(2,)]
    assert faults(read(PAIR, ("甲", "乙"), kind="clubs")) == [(2, "", "club_missing")]


def test_team_of_four_takes_four_to_eight() -> None:
    heading = ("队名", *(f"队员{number}" for number in range(1, 9)))
    full, four = ("甲队", *"甲乙丙丁戊己庚辛"), ("乙队", "子", "丑", "寅", "卯")
    three, gap = ("丙队", "辰", "巳", "午"), ("丁队", "申", None, "酉", "戌", "亥")
    late_gap = ("戊队", "寅", "卯", "辰", "巳", None, "午")
    report = read(heading, full, four, three, gap, late_gap, kind="team_of_four")
    assert [len(entry.players) for entry in report.entries] == [8, 4]
    assert faults(report) == [
        (4, "队员4", "player_missing"),
        (5, "队员2", "player_missing"),
        (6, "队员5", "player_missing"),
    ]


def test_team_of_four_with_one_player_per_row() -> None:
    rows = (("队名", "姓名"), *(("甲队", name) for name in "甲乙丙丁戊"), *(("乙队", name) for name in "子丑寅"))
    report = read(*rows, kind="team_of_four")
    assert [len(entry.players) for entry in report.entries] == [5]
    assert faults(report) == [(9, "姓名", "player_missing")]


def test_three_names_in_a_pairs_event_are_too_many() -> None:
    assert faults(read(("选手1", "选手2", "选手3"), ("甲", "乙", "丙"))) == [(2, "选手3", "too_many_players")]


def test_phone_twice_in_the_file_is_reported_at_every_place() -> None:
    phone = 13800130001
    report = read(WITH_PHONES, ("甲", phone, "乙", None), ("丙", None, "丁", phone), ("戊", phone, "己", phone))
    assert faults(report) == [
        (2, "手机号", "phone_duplicate"),
        (3, "搭档手机", "phone_duplicate"),
        (4, "手机号", "phone_duplicate"),
        (4, "搭档手机", "phone_duplicate"),
    ]
    assert "3, 4" in report.faults[0].message_zh
    assert str(phone) not in json.dumps([fault.message_zh + fault.message_en for fault in report.faults])


def test_same_phone_of_both_partners_is_reported_too() -> None:
    report = read(WITH_PHONES, ("甲", 13800130001, "乙", "13800130001"))
    assert faults(report) == [(2, "手机号", "phone_duplicate"), (2, "搭档手机", "phone_duplicate")]
    assert "第 2 行" in report.faults[0].message_zh


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (BrokenCell("#N/A", "error"), "cell_error"),
        (BrokenCell("", "formula"), "formula_without_value"),
        (date.fromisoformat("2026-08-01"), "date_instead_of_text"),
        ("甲\x07", "control_characters"),
        ("甲" * 201, "too_long"),
        ("无", "player_missing"),
        (" \u200b ", "player_missing"),
    ],
)
def test_names_that_cannot_be_taken(value: CellValue, code: str) -> None:
    assert faults(read(PAIR, ("甲", value))) == [(2, "搭档", code)]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("  王 五\u3000", "王 五"),
        ("甲\n乙", "甲 乙"),
        ("\u202a甲\u202c", "甲"),
        ("=1+1", "=1+1"),
        ("+甲", "+甲"),
        ("Ａ队", "Ａ队"),
        (12, "12"),
        (12.0, "12"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("e\u0301", "é"),
        ("甲" * 200, "甲" * 200),
    ],
)
def test_names_are_trimmed_and_otherwise_kept(value: CellValue, name: str) -> None:
    report = read(("队名", *PAIR), ("x", value, "乙"))
    assert report.entries[0].players[0].name == name


def test_clubs_spelled_with_other_width_or_spaces_are_one() -> None:
    report = read((*PAIR, "单位"), ("甲", "乙", "市南（一）"), ("丙", "丁", "市南(一) "), ("戊", "己", "-"))
    assert [entry.club for entry in report.entries] == ["市南（一）", "市南（一）", ""]
    assert [club.name for club in report.clubs] == ["市南（一）"]


def test_leader_of_a_club_comes_along() -> None:
    report = read(
        (*PAIR, "单位", "领队", "领队手机"), ("甲", "乙", "市南", None, None), ("丙", "丁", "市南", "辛", 13800130009)
    )
    (club,) = report.clubs
    assert (club.name, club.leader, club.leader_phone) == ("市南", "辛", "13800130009")


def test_clubs_of_faulty_rows_are_not_taken() -> None:
    report = read((*PAIR, "单位"), ("甲", None, "市南"), ("丙", "丁", "崂山"))
    assert [club.name for club in report.clubs] == ["崂山"]


def test_columns_chosen_by_hand_overrule_the_guess() -> None:
    sheet = sheet_of(("甲", "x", "乙", "市南"), ("丙", "y", "丁", "崂山"))
    mapping = ColumnMapping(0, {1: "player_1_name", 3: "player_2_name", 4: "club"})
    assert teams(read_roster((sheet,), needs_of("pairs"), mapping)) == [
        ("甲/乙", "甲+乙", "市南"),
        ("丙/丁", "丙+丁", "崂山"),
    ]
    with_heading = sheet_of(("a", "b"), ("甲", None))
    report = read_roster((with_heading,), needs_of("pairs"), ColumnMapping(1, {1: "player_1_name", 2: "player_2_name"}))
    assert faults(report) == [(2, "b", "player_missing")]


@pytest.mark.parametrize(
    "mapping",
    [
        ColumnMapping(0, {9: "team"}),
        ColumnMapping(0, {0: "team"}),
        ColumnMapping(0, {1: "nonsense"}),
        ColumnMapping(0, {1: "team", 2: "team"}),
        ColumnMapping(0, {1: "player_1_name"}, sheet="none"),
    ],
)
def test_impossible_choice_of_columns_is_a_fault(mapping: ColumnMapping) -> None:
    report = read_roster((sheet_of(("甲", "乙")),), needs_of("pairs"), mapping)
    assert [fault.code for fault in report.faults] == ["bad_mapping"]


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([("甲", "乙")], (None, "", "no_heading")),
        ([("姓名", "手机号"), ("甲", 13800130001)], (1, "", "no_partner_column")),
        ([("队名", "单位"), ("甲队", "市南")], (1, "", "no_player_column")),
        ([("姓名", "搭档")], (1, "", "no_rows")),
    ],
)
def test_file_that_lacks_what_a_pair_needs(
    rows: list[tuple[CellValue, ...]], fault: tuple[int | None, str, str]
) -> None:
    assert faults(read(*rows)) == [fault]


def test_unreadable_file_is_handed_on_as_its_fault() -> None:
    report = read_roster(FileFault("macros", "宏", "macros"), needs_of("pairs"))
    assert [(fault.row, fault.code, fault.message_zh) for fault in report.faults] == [(None, "macros", "宏")]


def test_first_sheet_with_players_is_read_and_the_others_are_named() -> None:
    how_to = sheet_of(("填写说明",), ("每队两人",), name="说明")
    clubs = sheet_of(("团体名称", "领队"), ("市南", "辛"), name="团体")
    report = read_roster((how_to, clubs, sheet_of(PAIR, ("甲", "乙"), name="名单")), needs_of("pairs"))
    assert (report.sheet, len(report.entries)) == ("名单", 1)
    assert report.notes == (Note("other_sheet", detail="说明"), Note("other_sheet", detail="团体"))


def test_hidden_rows_are_read_and_named() -> None:
    sheet = Sheet("", (SheetRow(1, PAIR), SheetRow(2, ("甲", "乙"), hidden=True)))
    report = read_roster((sheet,), needs_of("pairs"))
    assert len(report.entries) == 1
    assert report.notes == (Note("hidden_row", 2),)


TEXTS = [*"甲乙无\x07", "姓名", "搭档", "手机号", "队名", "队号", "单位", "领队", "合计", "备注：", "1.38E+10"]
BROKEN = (BrokenCell("#N/A", "error"), BrokenCell("", "formula"))
CELL = st.sampled_from([*TEXTS, *BROKEN, "", 1, 13800130001, 1.5, None, True, date.fromisoformat("2026-08-01")])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(CELL, max_size=6), max_size=8), st.sampled_from(sorted(KINDS)))
def test_any_sheet_gives_a_report_in_which_no_entry_has_a_fault(rows: list[list[CellValue]], kind: str) -> None:
    sheet = sheet_of(*(tuple(row) for row in rows))
    needs = needs_of(kind)
    report = read_roster((sheet,) if sheet.rows else FileFault("no_rows", "空", "empty"), needs)
    assert report.entries or report.faults
    faulty = {fault.row for fault in report.faults}
    for entry in report.entries:
        assert faulty.isdisjoint(entry.rows)
        assert entry.name
        assert all(player.name for player in entry.players)
        assert needs.fewest <= len(entry.players) <= needs.most or needs.persons_too
