"""Files that are broken or made to hurt: always one fault with a code, never an exception."""

import io
import random
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES, FileFault, limits, read_sheets
from chalicelib.gateways.spreadsheets.faults import SENTENCES
from tests.support.spreadsheets import (
    SHEET_PART,
    STRINGS_PART,
    STYLES_PART,
    sheet_part,
    strings_part,
    with_parts,
    with_sheet,
    xlsx,
)

SOUND = xlsx([["姓名", "搭档", "手机号"], ["甲", "乙", 13800130001]] * 30)
SHARED = {
    SHEET_PART: sheet_part('<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'),
    STRINGS_PART: strings_part("姓名", "搭档"),
}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b"<worksheet>&b;</worksheet>"
)


def code_of(data: bytes) -> str:
    read = read_sheets(data)
    assert isinstance(read, FileFault), read
    assert read.message_zh
    assert read.message_en
    assert "{" not in read.message_zh + read.message_en
    return read.code


def zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def cell_rows(count: int) -> str:
    return "".join(f'<row r="{number}"><c><v>1</v></c></row>' for number in range(1, count + 1))


def encrypted_flag(data: bytes) -> bytes:
    """The same archive with the "needs a password" bit set in its directory and its first part."""
    changed = bytearray(data)
    changed[6] |= 1
    directory = data.index(b"PK\x01\x02")
    changed[directory + 8] |= 1
    return bytes(changed)


FILES: dict[str, tuple[str, bytes]] = {
    "nothing": ("file_empty", b""),
    "spaces": ("no_rows", b" \n\n"),
    "ten megabytes of zeros": ("binary_file", b"\0" * MAX_FILE_BYTES),
    "one byte too many": ("file_too_large", b"a" * (MAX_FILE_BYTES + 1)),
    "NUL bytes in text": ("binary_file", "姓名,搭档\n甲\0,乙\n".encode()),
    "NUL in UTF-16": ("binary_file", "姓名\0".encode("utf-16")),
    "odd UTF-16": ("unknown_encoding", b"\xff\xfe" + "姓名".encode("utf-16-le")[:-1]),
    "no encoding at all": ("unknown_encoding", b"\xff\xd9\xff,\x80\x80\n"),
    "mixed encodings": ("mixed_encoding", "姓名,搭档\n".encode() + "选手,乙方\n".encode("gb18030")),
    "quotes that never close": ("broken_csv", '姓名,搭档\n"甲,乙\n丙,丁\n'.encode()),
    "ten megabytes in one field": ("broken_csv", b"a" * MAX_FILE_BYTES),
    "too many rows of text": ("too_many_rows", "甲,乙\n".encode() * (limits.MAX_ROWS + 1)),
    "too many fields": ("too_many_columns", b"a," * limits.MAX_COLUMNS + b"a\n"),
    "old workbook": ("old_xls", OLE + b"\0" * 500 + "Workbook".encode("utf-16-le") + b"\0" * 500),
    "password": ("encrypted", OLE + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 500),
    "old document": ("unsupported_format", OLE + b"\0" * 500 + "WordDocument".encode("utf-16-le")),
    "pdf": ("unsupported_format", b"%PDF-1.7 ..."),
    "picture": ("unsupported_format", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "web page": ("web_page", b"\xef\xbb\xbf\n <HTML><table><tr><td>a"),
    "xml spreadsheet 2003": ("unsupported_format", b'<?xml version="1.0"?><Workbook/>'),
    "empty zip": ("unsupported_format", zipped({})),
    "other zip": ("unsupported_format", zipped({"readme.txt": b"a"})),
    "word document": ("unsupported_format", zipped({"[Content_Types].xml": b"<a/>", "word/document.xml": b"<a/>"})),
    "zip with a password": ("encrypted", encrypted_flag(SOUND)),
    "macros": ("macros", with_parts({"xl/vbaProject.bin": b"\0"})),
    "binary workbook": ("binary_workbook", with_parts({"xl/workbook.bin": b"\0"})),
    "no workbook part": ("broken_workbook", zipped({"[Content_Types].xml": b"<Types/>", "xl/a.xml": b"<a/>"})),
    "half a workbook": ("broken_workbook", SOUND[: len(SOUND) // 2]),
    "zip bomb": ("unpacks_too_large", with_parts({"xl/media/a.bin": b"\0" * (limits.MAX_UNPACKED_BYTES + 1)})),
    "billion laughs": ("forbidden_xml", with_parts({SHEET_PART: LAUGHS})),
    "billion laughs in UTF-16": (
        "forbidden_xml",
        with_parts({SHEET_PART: LAUGHS.decode().replace('<?xml version="1.0"?>', "").encode("utf-16")}),
    ),
    "external entity": (
        "forbidden_xml",
        with_parts({SHEET_PART: b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'}),
    ),
    "code page": ("forbidden_xml", with_parts({SHEET_PART: b'<?xml version="1.0" encoding="cp500"?><a/>'})),
    "not xml": ("broken_workbook", with_parts({SHEET_PART: b"<worksheet><row></worksheet>"})),
    "deep nesting": ("too_complex", with_parts({SHEET_PART: b"<a>" * 100 + b"</a>" * 100})),
    "endless row": ("too_complex", with_sheet("<row>" + "<c/>" * (limits.MAX_CELLS_PER_ROW + 1) + "</row>")),
    "too many strings": (
        "too_complex",
        with_parts({STRINGS_PART: b"<sst>" + b"<si/>" * (limits.MAX_SHARED_STRINGS + 1) + b"</sst>"}),
    ),
    "too many formats": (
        "too_complex",
        with_parts({STYLES_PART: b"<cellXfs>" + b"<xf/>" * (limits.MAX_CELL_FORMATS + 1) + b"</cellXfs>"}),
    ),
    "too many fonts": (
        "too_complex",
        with_parts({STYLES_PART: b"<fonts>" + b"<font/>" * (limits.MAX_OTHER_ELEMENTS + 1) + b"</fonts>"}),
    ),
    "too many merged cells": (
        "too_complex",
        with_sheet("", "<mergeCells>" + '<mergeCell ref="A1:B2"/>' * (limits.MAX_MERGED_CELLS + 1) + "</mergeCells>"),
    ),
    "too many rows": ("too_many_rows", with_sheet(cell_rows(limits.MAX_ROWS + 1))),
    "too far right": ("too_many_columns", with_sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')),
    "row beyond the sheet": ("broken_workbook", with_sheet('<row r="99999999999"><c><v>1</v></c></row>')),
    "row number that is none": ("broken_workbook", with_sheet('<row r="-1"><c><v>1</v></c></row>')),
    "rows that go back": (
        "broken_workbook",
        with_sheet('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'),
    ),
    "row that comes twice": (
        "broken_workbook",
        with_sheet('<row r="1"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>'),
    ),
    "string that is not there": ("broken_workbook", with_sheet('<row r="1"><c t="s"><v>99</v></c></row>')),
    "number that is none": ("broken_workbook", with_sheet('<row r="1"><c><v>abc</v></c></row>')),
    "empty sheet": ("no_rows", with_sheet("")),
    "strict workbook": (
        "strict_workbook",
        with_parts({"xl/workbook.xml": b'<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>'}),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file_is_refused_with_its_code(name: str) -> None:
    code, data = FILES[name]
    assert code_of(data) == code


def test_every_refusal_has_a_file_here() -> None:
    assert {code for code, _ in FILES.values()} == set(SENTENCES)


def test_two_parts_of_one_name_are_refused() -> None:
    out = io.BytesIO(SOUND)
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(SHEET_PART, b"<worksheet/>")
    assert code_of(out.getvalue()) == "broken_workbook"


def test_two_sheets_of_one_name_are_refused() -> None:
    with zipfile.ZipFile(io.BytesIO(SOUND)) as archive:
        book = archive.read("xl/workbook.xml")
    start, end = book.index(b"<sheet "), book.index(b"</sheets>")
    assert code_of(with_parts({"xl/workbook.xml": book[:end] + book[start:end] + book[end:]})) == "broken_workbook"


def test_content_type_with_macros_is_refused_whatever_the_parts_are_called() -> None:
    with zipfile.ZipFile(io.BytesIO(SOUND)) as archive:
        types = archive.read("[Content_Types].xml")
    enabled = types.replace(
        b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        b"application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    )
    assert code_of(with_parts({"[Content_Types].xml": enabled})) == "macros"


def test_word_macro_enabled_in_a_cell_is_no_macro() -> None:
    assert not isinstance(read_sheets(xlsx([["姓名"], ["macroEnabled"]])), FileFault)


def test_last_allowed_row_is_read() -> None:
    sheets = read_sheets(with_sheet(cell_rows(limits.MAX_ROWS)))
    assert not isinstance(sheets, FileFault)
    assert len(sheets[0].rows) == limits.MAX_ROWS


def test_lone_row_at_the_end_of_the_sheet_is_not_lost() -> None:
    last = limits.LAST_ROW_NUMBER
    sheets = read_sheets(with_sheet(f'<row r="1"><c><v>1</v></c></row><row r="{last}"><c><v>2</v></c></row>'))
    assert not isinstance(sheets, FileFault)
    assert [(row.number, row.cells) for row in sheets[0].rows] == [(1, (1,)), (last, (2,))]


def test_pictures_are_not_unpacked_into_what_is_parsed() -> None:
    noise = random.Random(1).randbytes(3_000_000)
    assert not isinstance(read_sheets(with_parts({"xl/media/image1.png": noise})), FileFault)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(SOUND) - 1), st.integers(1, 255), st.booleans())
def test_damaged_workbook_is_read_or_refused(place: int, change: int, cut: bool) -> None:
    damaged = bytearray(SOUND[:place] if cut else SOUND)
    if not cut:
        damaged[place] ^= change
    read = read_sheets(bytes(damaged))
    assert isinstance(read, FileFault) or read[0].rows


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([SHEET_PART, STRINGS_PART, STYLES_PART, "xl/workbook.xml", "[Content_Types].xml"]),
    st.integers(0, 5000),
    st.binary(min_size=1, max_size=6),
)
def test_damaged_part_is_read_or_refused(part: str, place: int, junk: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(with_parts(SHARED))) as archive:
        parts = {name: archive.read(name) for name in (*SHARED, part)}
    at = place % len(parts[part])
    parts[part] = parts[part][:at] + junk + parts[part][at + len(junk) :]
    read = read_sheets(with_parts(parts))
    assert isinstance(read, FileFault) or read[0].rows


CELL_TYPES = st.sampled_from(
    ["", 't="s"', 't="b"', 't="d"', 't="e"', 't="str"', 't="inlineStr"', 't="n" s="1"', 's="99"']
)
CELL_VALUES = st.sampled_from(
    [
        "<v>1</v>",
        "<v>-1</v>",
        "<v>1E400</v>",
        "<v>NaN</v>",
        "<v/>",
        "<v>2026-13-45</v>",
        "<f/>",
        "<is/>",
        "<is><t>甲</t></is>",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CELL_TYPES, CELL_VALUES), max_size=5))
def test_any_mix_of_cell_types_and_values_is_read_or_refused(cells: list[tuple[str, str]]) -> None:
    row = "".join(f"<c {kind}>{value}</c>" for kind, value in cells)
    read = read_sheets(with_sheet(f'<row r="1">{row}</row>'))
    assert isinstance(read, FileFault) or read[0].rows


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read = read_sheets(data)
    assert isinstance(read, FileFault) or read[0].rows


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='姓名,;\t"\n\r|甲 \u2028\x0b=', max_size=200), st.sampled_from(["utf-8", "gb18030", "utf-16"]))
def test_any_text_is_read_or_refused(text: str, encoding: str) -> None:
    read = read_sheets(text.encode(encoding))
    assert isinstance(read, FileFault) or read[0].rows
