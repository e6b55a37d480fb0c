"""What comes out of sound files: values, row numbers, encodings, delimiters, the visible sheets."""

from datetime import datetime

import pytest
from openpyxl import Workbook

from chalicelib.gateways.spreadsheets import BrokenCell, FileFault, MergedCells, Sheet, read_sheets
from tests.support.spreadsheets import (
    NAMESPACE,
    SHEET_PART,
    STRINGS_PART,
    saved,
    sheet_part,
    strings_part,
    with_parts,
    with_sheet,
    xlsx,
)

MAY_DAY = datetime.fromisoformat("2026-05-01")


def only_sheet(data: bytes) -> Sheet:
    sheets = read_sheets(data)
    assert not isinstance(sheets, FileFault), sheets
    (sheet,) = sheets
    return sheet


def cells(data: bytes) -> list[tuple[object, ...]]:
    return [row.cells for row in only_sheet(data).rows]


def test_values_keep_their_kind_and_rows_their_numbers() -> None:
    sheet = only_sheet(xlsx([["姓名", None, 13800130001], [], ["甲", True, 2.5, MAY_DAY, None]]))
    assert [row.number for row in sheet.rows] == [1, 3]
    assert sheet.rows[0].cells == ("姓名", None, 13800130001)
    assert sheet.rows[1].cells == ("甲", True, 2.5, MAY_DAY)


def test_text_that_looks_like_a_formula_stays_text() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet["A1"] = '=HYPERLINK("x")'
    sheet["A1"].data_type = "s"
    assert cells(saved(workbook)) == [('=HYPERLINK("x")',)]


def test_formula_gives_its_stored_result_and_is_broken_without_one() -> None:
    first = '<c r="A1"><f>1+1</f><v>2</v></c>'
    rows = f'<row r="1">{first}<c r="B1"><f>1+1</f></c><c r="C1" t="str"><f>"a"</f><v>a</v></c></row>'
    assert cells(with_sheet(rows)) == [(2, BrokenCell("", "formula"), "a")]


def test_formula_without_result_in_a_row_of_its_own_is_not_blank() -> None:
    assert cells(with_sheet('<row r="2"><c r="B2"><f>A1</f></c></row>')) == [(None, BrokenCell("", "formula"))]


def test_shared_strings_as_excel_writes_them() -> None:
    row = '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>0</v></c></row>'
    assert cells(with_parts({SHEET_PART: sheet_part(row), STRINGS_PART: strings_part("乙", "甲")})) == [("甲", "乙")]


def test_rich_text_is_joined_and_pinyin_left_out() -> None:
    texts = f"<sst {NAMESPACE}><si><r><t>选</t></r><r><t>手</t></r><rPh sb='0' eb='1'><t>xuan</t></rPh></si></sst>"
    row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    assert cells(with_parts({SHEET_PART: sheet_part(row), STRINGS_PART: texts.encode()})) == [("选手",)]


def test_escaped_characters_are_unescaped() -> None:
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>甲_x000A_乙</t></is></c></row>'
    assert cells(with_sheet(row)) == [("甲\n乙",)]


def test_error_cells_say_which_error() -> None:
    rows = '<row r="1"><c r="A1" t="e"><v>#N/A</v></c></row>'
    assert cells(with_sheet(rows)) == [(BrokenCell("#N/A", "error"),)]


@pytest.mark.parametrize(
    ("number", "number_format", "read"),
    [
        (13800000000, "0.00E+00", "1.38E+10"),
        (13800130001, "0.00E+00", 13800130001),
        (13800000000, "General", 13800000000),
        (13812000000, "0.0000E+00", "1.3812E+10"),
        (13812000000, "##0.0E+0", 13812000000),
    ],
)
def test_number_shown_in_scientific_notation_is_whole_only_if_it_has_more_digits_than_shown(
    number: int, number_format: str, read: object
) -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet["A1"] = number
    sheet["A1"].number_format = number_format
    assert cells(saved(workbook)) == [(read,)]


def test_phone_number_in_a_date_format_is_an_error_cell() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet["A1"] = 13800130001
    sheet["A1"].number_format = "yyyy-mm-dd"
    assert cells(saved(workbook)) == [(BrokenCell("#VALUE!", "error"),)]


def test_hidden_rows_are_marked_and_merged_blocks_reported() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in (["队名", "姓名"], ["甲队", "甲"], [None, "乙"]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.row_dimensions[3].hidden = True
    read = only_sheet(saved(workbook))
    assert read.merged == (MergedCells(2, 1, 3, 1),)
    assert [row.hidden for row in read.rows] == [False, False, True]
    assert read.rows[2].cells == (None, "乙")


def test_hidden_and_empty_sheets_are_left_out() -> None:
    workbook = Workbook()
    first = workbook.active
    assert first is not None
    first["A1"] = "secret"
    first.sheet_state = "veryHidden"
    workbook.create_sheet("空")
    workbook.create_sheet("名单")["B2"] = "甲"
    sheet = only_sheet(saved(workbook))
    assert (sheet.name, sheet.rows[0].cells) == ("名单", (None, "甲"))


def test_wrong_dimension_does_not_hide_cells() -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>'
    data = with_sheet(rows, before='<dimension ref="A1"/>')
    assert cells(data) == [(1, 2), (3,)]


def test_cells_without_references_stand_one_after_the_other() -> None:
    assert cells(with_sheet("<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>")) == [(1, 2), (3,)]


TEXT = "姓名,单位\r\n甲,市南棋牌协会\r\n"
TABLE = [("姓名", "单位"), ("甲", "市南棋牌协会")]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode("utf-8"),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("gb18030"),
        TEXT.replace(",", "\t").encode("utf-16"),
        b"\xfe\xff" + TEXT.replace(",", "\t").encode("utf-16-be"),
        TEXT.replace(",", ";").encode(),
        TEXT.replace(",", "\t").encode("gb18030"),
        TEXT.replace(",", "|").encode(),
        TEXT.replace("\r\n", "\r").encode(),
        TEXT.replace("\r\n", "\n").encode(),
        TEXT.replace("甲", '"甲"').encode(),
    ],
)
def test_csv_in_every_usual_dress(data: bytes) -> None:
    assert cells(data) == TABLE


def test_delimiter_is_the_one_that_cuts_rows_alike() -> None:
    text = "姓名;备注\n甲;一,二,三\n乙;四\n"
    assert cells(text.encode()) == [("姓名", "备注"), ("甲", "一,二,三"), ("乙", "四")]


def test_separator_hint_of_excel_is_followed_and_counts_as_a_row() -> None:
    sheet = only_sheet("sep=;\n姓名;单位\n甲;a,b\n".encode())
    assert [(row.number, row.cells) for row in sheet.rows] == [(2, ("姓名", "单位")), (3, ("甲", "a,b"))]


def test_csv_rows_are_numbered_as_a_spreadsheet_shows_them() -> None:
    sheet = only_sheet('姓名,备注\n\n甲,"两\n行"\n乙,\n'.encode())
    assert [row.number for row in sheet.rows] == [1, 3, 4]
    assert sheet.rows[1].cells == ("甲", "两\n行")


def test_content_decides_not_the_name() -> None:
    # read_sheets is never told a name: a workbook called .csv and a list called .xlsx are read for what they are.
    assert cells(xlsx([["姓名"], ["甲"]])) == [("姓名",), ("甲",)]
