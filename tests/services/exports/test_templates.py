"""Templates come back filled in; rejected rows come back corrected."""

import io
from collections.abc import Sequence

import pytest
from openpyxl import load_workbook

from chalicelib.gateways.spreadsheets import BrokenCell, Sheet, SheetRow, Workbook, read_sheets, write_workbook
from chalicelib.services.exports import Language, clubs_template, rejected_sheet, roster_template
from chalicelib.services.roster import KINDS, Club, needs_of, read_clubs, read_roster

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def filled(template: Workbook, rows: Sequence[Sequence[str]]) -> bytes:
    """The template as somebody who types into it would save it."""
    book = load_workbook(io.BytesIO(write_workbook(template)))
    page = book.worksheets[0]
    for number, row in enumerate(rows, start=page.max_row - 500 + 1):
        for column, value in enumerate(row, start=1):
            page.cell(number, column).value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_filled_in_template_comes_in_without_faults(kind: str, language: Language) -> None:
    needs = needs_of(kind)
    people = [text for n in range(1, needs.most + 1) for text in (f"选手{n}", f"1380013000{n}")]
    row = ["海风", *people, "市南"] if needs.most > 1 else [*people, "市南"]
    report = read_roster(read_sheets(filled(roster_template(kind, language), [row])), needs)
    assert report.faults == ()
    (entry,) = report.entries
    assert entry.name == ("海风" if needs.most > 1 else "选手1")
    assert entry.club == "市南"
    assert [(player.name, player.phone) for player in entry.players] == [
        (f"选手{n}", f"1380013000{n}") for n in range(1, needs.most + 1)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_empty_template_has_nothing_to_import(language: Language) -> None:
    report = read_roster(read_sheets(write_workbook(roster_template("pairs", language))), needs_of("pairs"))
    assert [fault.code for fault in report.faults] == ["no_rows"]
    assert report.entries == ()


def test_template_cells_are_text_so_that_typed_phones_keep_their_digits() -> None:
    page = load_workbook(io.BytesIO(write_workbook(roster_template("pairs", "zh")))).worksheets[0]
    assert [cell.value for cell in page[1]] == ["队伍名称", "队员1姓名", "队员1手机", "队员2姓名", "队员2手机", "团体"]
    assert {page.cell(row, column).number_format for row in (2, 501) for column in range(1, 7)} == {"@"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_clubs_template_is_edited_and_comes_back(language: Language) -> None:
    clubs = (Club("市南棋牌协会", "市南", "甲", "13800130001"), Club("=崂山"))
    data = filled(clubs_template(clubs, language), [["李沧老年大学", "李沧", "乙", "13800130002"]])
    report = read_clubs(read_sheets(data))
    assert report.faults == ()
    assert report.clubs == (*clubs, Club("李沧老年大学", "李沧", "乙", "13800130002"))


def test_columns_of_the_clubs_template() -> None:
    headings = [column.heading for column in clubs_template((), "zh").sheets[0].columns]
    assert headings == ["团体名称", "简称", "领队", "领队手机"]


ROSTER = Sheet(
    "",
    (
        SheetRow(3, ("姓名", "手机号", "搭档")),
        SheetRow(4, ("甲", 13800130001, "乙")),
        SheetRow(5, ("=丙", "1.38E+10")),
        SheetRow(6, (BrokenCell("#N/A", "error"), None, "己")),
    ),
)


def test_rejected_rows_carry_their_number_every_problem_and_their_cells() -> None:
    report = read_roster((ROSTER,), needs_of("pairs"))
    sheet = rejected_sheet(ROSTER, report, report.faults, "zh")
    assert [column.heading for column in sheet.columns] == ["原文件行号", "问题", "姓名", "手机号", "搭档"]
    assert [(row[0], *row[2:]) for row in sheet.rows] == [(5, "=丙", "1.38E+10", None), (6, "#N/A", None, "己")]
    first = str(sheet.rows[0][1])
    assert "B5" in first
    assert "C5" in first


def test_corrected_rejected_rows_are_a_roster_again() -> None:
    report = read_roster((ROSTER,), needs_of("pairs"))
    sheet = rejected_sheet(ROSTER, report, report.faults, "en")
    book = load_workbook(io.BytesIO(write_workbook(Workbook((sheet,)))))
    page = book.worksheets[0]
    page["D2"], page["E2"], page["C3"] = "13800130002", "丁", "戊"
    out = io.BytesIO()
    book.save(out)
    report = read_roster(read_sheets(out.getvalue()), needs_of("pairs"))
    assert report.faults == ()
    assert [entry.name for entry in report.entries] == ["=丙/丁", "戊/己"]
