"""The list of 团体 out of a file."""

import pytest

from chalicelib.gateways.spreadsheets import CellValue, FileFault, Sheet, SheetRow
from chalicelib.services.roster import Club, ClubsReport, read_clubs

HEADING = ("团体名称", "简称", "领队", "领队手机")


def read(*rows: tuple[CellValue, ...]) -> ClubsReport:
    return read_clubs((Sheet("", tuple(SheetRow(number, cells) for number, cells in enumerate(rows, start=1))),))


def test_clubs_come_in_the_order_of_the_file() -> None:
    report = read(HEADING, (" 市南棋牌协会", "市南", "甲", "138 0013 0001"), ("崂山掼蛋俱乐部",), ("合计", "2"))
    assert report.faults == ()
    assert report.clubs == (Club("市南棋牌协会", "市南", "甲", "13800130001"), Club("崂山掼蛋俱乐部"))
    assert report.rows_seen == 2


def test_only_the_name_is_asked_for() -> None:
    assert read(("单位",), ("市南",)).clubs == (Club("市南"),)


def test_faults_name_row_and_column() -> None:
    report = read(HEADING, ("市南", None, None, "1"), (None, "崂", None, None), ("李沧",), ("李沧 ",), ("市北",))
    assert [(fault.row, fault.column, fault.code) for fault in report.faults] == [
        (2, "领队手机", "phone_length"),
        (3, "团体名称", "club_missing"),
        (4, "团体名称", "club_duplicate"),
        (5, "团体名称", "club_duplicate"),
    ]
    assert report.clubs == (Club("市北"),)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("市南",)], "no_heading"),
        ([("姓名", "电话"), ("甲", None)], "no_club_column"),
        ([HEADING], "no_rows"),
    ],
)
def test_files_that_are_no_list_of_clubs(rows: list[tuple[CellValue, ...]], code: str) -> None:
    assert [fault.code for fault in read(*rows).faults] == [code]


def test_unreadable_file_is_handed_on() -> None:
    assert [fault.code for fault in read_clubs(FileFault("macros", "宏", "macros")).faults] == ["macros"]
