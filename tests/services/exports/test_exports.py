"""Exported sheets: the right cells under the right headings, in both languages."""

import io
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from msgspec.structs import replace
from openpyxl import load_workbook

from chalicelib.gateways.spreadsheets import FileFault, OutCell, OutSheet, Workbook, read_sheets, write_workbook
from chalicelib.rules.criteria import CRITERIA
from chalicelib.services.exports import (
    BoardFacts,
    CheckInFacts,
    ClubRankFacts,
    EntryFacts,
    EntryLabel,
    EventFacts,
    FeeFacts,
    Language,
    PersonFacts,
    PrizeFacts,
    RoundFacts,
    StandingFacts,
    TableFacts,
    boards_sheet,
    check_in_sheet,
    club_standings_sheet,
    entries_sheet,
    event_workbook,
    fees_sheet,
    pairings_sheet,
    prizes_sheet,
    results_sheet,
    standings_sheet,
)
from chalicelib.services.exports.words import WORDS, word
from chalicelib.services.roster import Club, needs_of, read_roster

ZONE = "Asia/Shanghai"
EVENING = datetime(2026, 5, 1, 11, 2, 33, tzinfo=UTC)
SEA = EntryLabel(1, "海风", "市南")
MOUNTAIN = EntryLabel(2, "=1+1", "")
RIVER = EntryLabel(3, "江", "市南")
PEOPLE = (PersonFacts("甲", "13800130001"), PersonFacts("乙"))
ENTRIES = (EntryFacts(SEA, PEOPLE, registered_at=EVENING), EntryFacts(MOUNTAIN, (PersonFacts("丙"), PersonFacts("丁"))))


def table(sheet: OutSheet) -> list[dict[str, OutCell]]:
    """Rows by heading; fails when a heading occurs twice or a row does not fit."""
    headings = [column.heading for column in sheet.columns]
    assert len(set(headings)) == len(headings)
    return [dict(zip(headings, row, strict=True)) for row in sheet.rows]


def kinds(sheet: OutSheet) -> dict[str, str]:
    return {column.heading: column.kind for column in sheet.columns}


def test_entries_with_phones_as_text() -> None:
    sheet = entries_sheet(ENTRIES, ZONE, "zh")
    first, second = table(sheet)
    assert first == {
        "编号": 1,
        "队伍名称": "海风",
        "队员1姓名": "甲",
        "队员1手机": "13800130001",
        "队员2姓名": "乙",
        "队员2手机": "",
        "团体": "市南",
        "状态": "参赛",
        "报名时间": "2026-05-01 19:02:33",
    }
    assert second["队伍名称"] == "=1+1"
    assert kinds(sheet)["队员1手机"] == "text"


def test_without_phones_no_phone_column_is_left() -> None:
    for sheet in (entries_sheet(ENTRIES, ZONE, "zh", phones=False), check_in_sheet([], ZONE, "zh", phones=False)):
        assert not any("手机" in column.heading for column in sheet.columns)
        assert "13800130001" not in str(sheet.rows)


def test_groups_and_seeds_have_columns_only_where_they_are_used() -> None:
    with_both = (replace(ENTRIES[0], group="A", seed=1), ENTRIES[1])
    assert [(row["组别"], row["种子"]) for row in table(entries_sheet(with_both, ZONE, "zh"))] == [
        ("A", 1),
        (None, None),
    ]
    assert not {"组别", "种子"} & set(kinds(entries_sheet(ENTRIES, ZONE, "zh")))


def test_single_persons_are_called_by_name() -> None:
    sheet = entries_sheet((EntryFacts(SEA, PEOPLE[:1]),), ZONE, "en")
    assert {"Name": "甲", "Phone": "13800130001"}.items() <= table(sheet)[0].items()


def test_exported_entries_come_in_again_as_a_roster() -> None:
    for language in ("zh", "en"):
        data = write_workbook(Workbook((entries_sheet(ENTRIES, ZONE, language),)))
        report = read_roster(read_sheets(data), needs_of("pairs"))
        assert report.faults == ()
        assert [(entry.name, entry.club) for entry in report.entries] == [("海风", "市南"), ("=1+1", "")]
        assert [player.phone for player in report.entries[0].players] == ["13800130001", ""]


def test_check_in_says_who_is_missing() -> None:
    facts = (
        CheckInFacts(SEA, PEOPLE, EVENING, "签到台", 4),
        CheckInFacts(MOUNTAIN, PEOPLE),
    )
    here, missing = table(check_in_sheet(facts, ZONE, "zh"))
    assert (here["已签到"], here["签到时间"], here["签到人"], here["桌号"]) == (
        "是",
        "2026-05-01 19:02:33",
        "签到台",
        4,
    )
    assert (missing["已签到"], missing["签到时间"], missing["桌号"]) == ("否", None, None)


ROUND = RoundFacts(
    4,
    (
        TableFacts(
            1,
            (SEA,),
            (MOUNTAIN,),
            "played",
            "10",
            "A+",
            {"match_points": "2", "level_points": "16/3"},
            {"match_points": "0", "level_points": None},
        ),
        TableFacts(2, (SEA, RIVER), (MOUNTAIN, EntryLabel(4, "湖", "崂山")), "ns_forfeit", note="迟到"),
    ),
    byes=(RIVER,),
    sit_outs=(SEA,),
    points=("match_points", "level_points"),
)


def test_pairings_with_byes_below() -> None:
    one, two, bye, out = table(pairings_sheet(ROUND, "zh"))
    assert (one["桌号"], one["南北编号"], one["南北"], one["南北团体"], one["东西编号"]) == (1, 1, "海风", "市南", 2)
    assert (two["南北编号"], two["南北"], two["南北团体"], two["东西团体"]) == ("1+3", "海风/江", "市南", "崂山")
    assert (bye["桌号"], bye["南北"], bye["备注"]) == (None, "江", "轮空")
    assert (out["南北"], out["备注"]) == ("海风", "本轮休息")
    assert pairings_sheet(ROUND, "zh").name == "第4轮编排"


def test_results_with_levels_and_exact_points() -> None:
    sheet = results_sheet(ROUND, "zh")
    one, two, bye, _ = table(sheet)
    assert (one["南北级数"], one["东西级数"], one["结果"]) == ("10", "A+", "已赛")
    assert (one["南北场分"], one["南北级差分"], one["东西级差分"]) == (2, Fraction(16, 3), None)
    assert (two["结果"], two["南北场分"], two["备注"]) == ("南北弃权", None, "迟到")
    assert bye["结果"] == "轮空"
    assert (kinds(sheet)["南北级数"], kinds(sheet)["南北场分"]) == ("text", "decimal")


def test_results_without_levels_have_no_columns_of_levels() -> None:
    sheet = results_sheet(RoundFacts(1, (TableFacts(1, (SEA,), (RIVER,)),), byes=(MOUNTAIN,)), "zh")
    assert "南北级数" not in kinds(sheet)
    assert [row["结果"] for row in table(sheet)] == ["未赛", "轮空"]


def test_boards_one_row_each_with_rooms_only_for_teams_of_four() -> None:
    boards = (BoardFacts(1, 3), BoardFacts(2, -1))
    plain = table(boards_sheet(RoundFacts(1, (TableFacts(7, (SEA,), (RIVER,), boards=boards),)), "zh"))
    assert [(row["桌号"], row["牌副"], row["南北结果"]) for row in plain] == [(7, 1, 3), (7, 2, -1)]
    assert "房间" not in plain[0]
    rooms = (BoardFacts(1, 3, "open"), BoardFacts(1, -1, "closed"))
    four = table(boards_sheet(RoundFacts(1, (TableFacts(7, (SEA,), (RIVER,), boards=rooms),)), "zh"))
    assert [row["房间"] for row in four] == ["开室", "闭室"]


VALUES = {
    "match_points": "6",
    "datum_deviation": "16/3",
    "opponents_match_points": "-0.5",
    "high_rounds": ("2", "0.5"),
    "head_to_head": None,
    "lot": "0123abcd",
    "rounds_survived": "3",
}
STANDINGS = (
    StandingFacts(1, True, SEA, ("甲", "乙"), VALUES),
    StandingFacts(1, True, MOUNTAIN, ("丙", "丁"), {**VALUES, "head_to_head": "4"}),
)


def test_standings_hold_every_criterion_exactly() -> None:
    sheet = standings_sheet(STANDINGS, tuple(VALUES), "zh")
    first, second = table(sheet)
    assert (first["名次"], first["并列"], first["编号"], first["队伍"], first["队员"]) == (
        1,
        "并列",
        1,
        "海风",
        "甲/乙",
    )
    assert (first["场分"], first["科学偏差分"], first["对手场分"]) == (6, Fraction(16, 3), Fraction(-1, 2))
    assert (first["轮高分"], first["抽签"], first["晋级轮数"]) == ("2 0.5", "0123abcd", 3)
    assert (first["相互胜负"], second["相互胜负"]) == (None, 4)


def test_numbers_of_the_ranking_are_numbers_in_the_file() -> None:
    data = write_workbook(Workbook((standings_sheet(STANDINGS, tuple(VALUES), "zh"),)))
    page = load_workbook(io.BytesIO(data))["排名"]
    cells = dict(zip([cell.value for cell in page[1]], page[2], strict=True))
    assert (cells["场分"].value, cells["场分"].number_format) == (6, "0")
    assert (cells["科学偏差分"].value, cells["科学偏差分"].number_format) == (16 / 3, "0.00")
    assert (cells["抽签"].data_type, cells["队伍"].data_type) == ("s", "s")
    assert page["D3"].value == "=1+1"
    assert page["D3"].data_type == "s"
    assert page.freeze_panes == "A2"


def test_every_criterion_of_the_rules_has_a_column_in_both_languages() -> None:
    for language in ("zh", "en"):
        headings = list(kinds(standings_sheet((), tuple(CRITERIA), language)))
        assert len(headings) == 6 + len(CRITERIA)


def test_groups_of_the_ranking_come_first() -> None:
    grouped = (replace(STANDINGS[0], group="A"),)
    sheet = standings_sheet(grouped, (), "zh")
    assert sheet.columns[0].heading == "组别"
    assert sheet.rows[0][0] == "A"


def test_club_ranking_names_the_entries_that_count() -> None:
    row = ClubRankFacts(1, False, "市南", False, (SEA, RIVER), {"match_points": "9"})
    (cells,) = table(club_standings_sheet((row,), ("match_points",), "zh"))
    assert cells == {"名次": 1, "并列": None, "团体": "市南", "人数足够": "否", "计入队伍": "1 海风, 3 江", "场分": 9}


def test_prizes() -> None:
    (cells,) = table(prizes_sheet((PrizeFacts("一等奖", 1, SEA, ("甲", "乙")),), "zh"))
    assert cells == {"奖项": "一等奖", "名次": 1, "编号": 1, "队伍": "海风", "队员": "甲/乙", "团体": "市南"}


def test_fees_in_yuan_with_totals() -> None:
    fees = (FeeFacts(SEA, "paid", 10001, 50, 10051, 0, "微信", EVENING), FeeFacts(RIVER, "due", 10001))
    paid, due, total = table(fees_sheet(fees, ZONE, "zh"))
    assert (paid["报名费（元）"], paid["已付（元）"], paid["状态"]) == (Decimal("100.01"), Decimal("100.51"), "已付")
    assert paid["付款时间"] == "2026-05-01 19:02:33"
    assert (due["已付（元）"], due["状态"], due["付款时间"]) == (0, "未付", None)
    assert (total["队伍"], total["报名费（元）"], total["已付（元）"]) == ("合计", Decimal("200.02"), Decimal("100.51"))
    assert kinds(fees_sheet(fees, ZONE, "zh"))["已付（元）"] == "money"


WHOLE = EventFacts(
    ZONE,
    ENTRIES,
    check_in=(CheckInFacts(SEA, PEOPLE),),
    rounds=(ROUND, RoundFacts(5, (TableFacts(1, (SEA,), (RIVER,), boards=(BoardFacts(1, 3),)),))),
    standings=STANDINGS,
    criteria=("match_points",),
    clubs=(Club("市南"),),
    club_standings=(ClubRankFacts(1, False, "市南", True, (SEA,), {"match_points": "9"}),),
    club_criteria=("match_points",),
    prizes=(PrizeFacts("一等奖", 1, SEA, ("甲", "乙")),),
    fees=(FeeFacts(SEA, "paid", 100),),
)


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("zh", "报名 签到 团体 第4轮成绩 第5轮成绩 第5轮分副 排名 团体排名 奖项 费用"),
        (
            "en",
            "Entries|Check-in|Clubs|Round 4 results|Round 5 results|Round 5 boards|Standings|Club ranking|Prizes|Fees",
        ),
    ],
)
def test_everything_of_an_event_in_one_workbook(language: Language, names: str) -> None:
    workbook = load_workbook(io.BytesIO(write_workbook(event_workbook(WHOLE, language))))
    assert workbook.sheetnames == names.split("|" if "|" in names else " ")
    assert not any(cell.data_type == "f" for page in workbook for row in page.iter_rows() for cell in row)


def test_event_without_anything_has_its_list_of_entries_only() -> None:
    sheets = read_sheets(write_workbook(event_workbook(EventFacts(ZONE, ()), "zh")))
    assert not isinstance(sheets, FileFault)
    assert [sheet.name for sheet in sheets] == ["报名"]


def test_english_sheets_hold_no_chinese_of_ours() -> None:
    plain = EntryLabel(1, "A", "B")
    facts = EventFacts(
        ZONE,
        (EntryFacts(plain, (PersonFacts("C"),)),),
        check_in=(CheckInFacts(plain, (PersonFacts("C"),)),),
        rounds=(
            RoundFacts(1, (TableFacts(1, (plain,), (plain,), boards=(BoardFacts(1, 1, "open"),)),), byes=(plain,)),
        ),
        standings=(StandingFacts(1, True, plain, ("C",), {}),),
        club_standings=(ClubRankFacts(1, False, "B", True, (plain,), {}),),
        clubs=(Club("B"),),
        prizes=(PrizeFacts("P", 1, plain, ("C",)),),
        fees=(FeeFacts(plain, "due", 100),),
    )
    for sheet in event_workbook(facts, "en").sheets:
        texts = [sheet.name, *kinds(sheet), *(str(cell) for row in sheet.rows for cell in row)]
        assert all(text.isascii() for text in texts), texts


def test_both_languages_fill_in_the_same_values() -> None:
    for code, (chinese, english) in WORDS.items():
        assert chinese.count("{") == english.count("{"), code
    assert word("player", "zh", n=2) == "队员2姓名"
    with pytest.raises(KeyError):
        word("nonsense", "zh")
