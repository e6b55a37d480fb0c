"""Workbooks that we write, looked at with openpyxl as a spreadsheet program would see them."""

import io
from decimal import Decimal
from fractions import Fraction

import pytest
from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from chalicelib.gateways.spreadsheets import (
    Column,
    ColumnKind,
    FileFault,
    OutCell,
    OutSheet,
    Workbook,
    put_together,
    read_sheets,
    write_sheet,
    write_workbook,
)


def page_of(sheet: OutSheet) -> Worksheet:
    page = load_workbook(io.BytesIO(write_workbook(Workbook((sheet,))))).active
    assert isinstance(page, Worksheet)
    return page


def one_cell(kind: ColumnKind, value: OutCell) -> Cell:
    column = Column("列", kind)
    cell = page_of(OutSheet("表", (column,), ((value,),)))["A2"]
    assert isinstance(cell, Cell)
    return cell


@pytest.mark.parametrize(
    "text", ["=1+1", '=HYPERLINK("x")', "+1", "-1", "@a", "#N/A", "13800130001", "007", "TRUE", "1E5"]
)
def test_text_stays_text_whatever_it_looks_like(text: str) -> None:
    cell = one_cell("text", text)
    assert (cell.value, cell.data_type, cell.number_format) == (text, "s", "@")
    assert cell.quotePrefix == text.startswith(("=", "+", "-", "@"))


def test_file_has_no_formula_at_all() -> None:
    data = write_workbook(Workbook((OutSheet("=a", (Column("=b"),), (("=c",),), title=("=d",)),)))
    sheets = read_sheets(data)
    assert not isinstance(sheets, FileFault)
    assert [row.cells for row in sheets[0].rows] == [("=d",), ("=b",), ("=c",)]


@pytest.mark.parametrize(
    ("kind", "value", "written", "number_format"),
    [
        ("whole", 12, 12, "0"),
        ("whole", -3, -3, "0"),
        ("decimal", Fraction(12), 12, "0"),
        ("decimal", Fraction(1, 2), 0.5, "0.00"),
        ("decimal", Fraction(16, 3), 16 / 3, "0.00"),
        ("decimal", Fraction(-1, 8), -0.125, "0.00"),
        ("money", Decimal("30"), 30, "0.00"),
        ("money", Decimal("0.05"), 0.05, "0.00"),
    ],
)
def test_numbers_are_numbers_and_exact(kind: ColumnKind, value: OutCell, written: float, number_format: str) -> None:
    cell = one_cell(kind, value)
    assert (cell.value, cell.data_type, cell.number_format) == (written, "n", number_format)


def test_text_in_a_number_column_is_text_and_nothing_is_an_empty_cell() -> None:
    assert one_cell("decimal", "-").data_type == "s"
    assert one_cell("decimal", None).value is None


def test_heading_stays_in_view_below_the_title() -> None:
    page = page_of(
        OutSheet("表", (Column("姓名"), Column("手机号", width=14)), (("甲", "13800130001"),), title=("周三夜赛",))
    )
    assert page.freeze_panes == "A3"
    assert [cell.value for cell in page[2]] == ["姓名", "手机号"]
    assert page["A2"].font.bold
    assert page.column_dimensions["B"].width == 14
    assert page.print_title_rows == "$2:$2"


def test_column_is_as_wide_as_its_widest_text_with_chinese_twice_as_wide() -> None:
    page = page_of(OutSheet("表", (Column("名"), Column("n", "whole")), (("崂山掼蛋俱乐部", 1), ("x" * 100, 2))))
    assert page.column_dimensions["A"].width == 48
    assert page.column_dimensions["B"].width == 6
    assert page_of(OutSheet("表", (Column("名"),), (("崂山掼蛋俱乐部",),))).column_dimensions["A"].width == 16


def test_sheet_names_are_made_acceptable_and_different() -> None:
    names = ["a/b:c", "A b c", "", "x" * 40, "x" * 40, "'q'"]
    data = write_workbook(Workbook(tuple(OutSheet(name, (Column("a"),), ()) for name in names)))
    assert load_workbook(io.BytesIO(data)).sheetnames == ["a b c", "A b c 2", "Sheet", "x" * 31, "x" * 29 + " 2", "q"]


def test_characters_that_xml_cannot_hold_do_not_break_the_file() -> None:
    assert one_cell("text", "甲\x00\x0b\ud800乙").value == "甲\ufffd\ufffd\ufffd乙"
    assert one_cell("text", "甲" * 40_000).value == "甲" * 32_767


def test_empty_rows_of_a_template_are_formatted_as_text() -> None:
    page = page_of(OutSheet("表", (Column("手机号"),), (), text_rows_below=3))
    assert [page.cell(row, 1).number_format for row in (2, 3, 4, 5)] == ["@", "@", "@", "General"]


def test_workbook_without_sheets_is_refused() -> None:
    with pytest.raises(ValueError, match="sheet"):
        write_workbook(Workbook(()))


def test_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        write_workbook(Workbook((OutSheet("a", (Column("a"), Column("b")), (("x",),)),)))


@pytest.mark.parametrize(
    "text", [" 甲 ", "甲\n乙", "甲\r乙", "甲\t乙", "<t>&amp;</t>", "]]>", '"', "'", "甲\u3000乙", "\U0001f0cf", ""]
)
def test_every_character_of_a_text_comes_back(text: str) -> None:
    assert one_cell("text", text).value == (text or None)


def test_cells_beyond_the_26th_column_stand_under_their_headings() -> None:
    columns = tuple(Column(str(number)) for number in range(30))
    page = page_of(OutSheet("表", columns, (tuple(str(number) for number in range(30)),)))
    assert [cell.value for cell in page[1]] == [cell.value for cell in page[2]]


def test_sheets_written_one_by_one_and_put_together_are_the_same_file_as_at_once() -> None:
    columns = (Column("队伍"), Column("级差分", "decimal"))
    sheets = tuple(
        OutSheet(f"第{number}轮", columns, ((f"队伍{number}", Fraction(number, 3)),), title=("全国赛",))
        for number in range(1, 4)
    )
    stepwise = put_together([write_sheet(sheet) for sheet in sheets])
    for book in (load_workbook(io.BytesIO(stepwise)), load_workbook(io.BytesIO(write_workbook(Workbook(sheets))))):
        assert [[cell.value for row in page for cell in row] for page in book] == [
            ["全国赛", None, "队伍", "级差分", f"队伍{number}", number / 3] for number in range(1, 4)
        ]
        assert [page["B3"].number_format for page in book] == ["0.00", "0.00", "0"]
