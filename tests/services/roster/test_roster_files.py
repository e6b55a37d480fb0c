"""The three rosters that came with the product, on the reader and on the command line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from chalicelib.gateways.spreadsheets import FileFault, read_sheets, write_workbook
from chalicelib.gateways.spreadsheets.workbook import Column, OutSheet, Workbook
from chalicelib.services.roster import needs_of, read_roster
from infra.commands.roster import run

DATA = Path(__file__).parent / "data"
FILES = {
    "roster-48-pairs.xlsx": 0,
    "roster-20-other-system-gb18030.csv": 0,
    "roster-with-faults.xlsx": 2,
}


def expected(name: str) -> dict[str, Any]:
    return dict(json.loads((DATA / f"{Path(name).stem}.expected.json").read_text(encoding="utf-8")))


def command(*arguments: str) -> tuple[int, dict[str, Any], str]:
    out, errors = io.StringIO(), io.StringIO()
    status = run(list(arguments), out, errors)
    return status, json.loads(out.getvalue() or "{}"), errors.getvalue()


@pytest.mark.parametrize("name", FILES)
def test_file_comes_in_as_expected(name: str) -> None:
    status, document, _ = command(str(DATA / name))
    assert status == FILES[name]
    assert list(document) == ["entries", "clubs", "faults"]
    wanted = expected(name)
    for key in ("entries", "clubs"):
        if key in wanted:
            assert document[key] == wanted[key]
    places = [(fault["row"], fault["column"]) for fault in document["faults"]]
    assert sorted(places) == sorted((fault["row"], fault["column"]) for fault in wanted["faults"])


def test_only_rows_without_fault_become_entries() -> None:
    report = read_roster(read_sheets((DATA / "roster-with-faults.xlsx").read_bytes()), needs_of("pairs"))
    wanted = expected("roster-with-faults.xlsx")
    assert [list(entry.rows) for entry in report.entries] == [[row] for row in wanted["entries_ok_rows"]]
    assert report.entries[0].players[0].name == '=HYPERLINK("x")'
    assert report.heading_row == 3
    assert report.rows_seen == 6
    codes = {fault.row: fault.code for fault in report.faults}
    assert codes == {
        4: "digits_lost",
        5: "phone_duplicate",
        6: "phone_duplicate",
        9: "player_missing",
        10: "phone_length",
    }


def test_faults_name_the_cell_in_both_languages() -> None:
    report = read_roster(read_sheets((DATA / "roster-with-faults.xlsx").read_bytes()), needs_of("pairs"))
    for fault, cell in zip(report.faults, ["D4", "D5", "D6", "C9", "D10"], strict=True):
        assert fault.message_zh.startswith(f"{cell}：")
        assert fault.message_en.startswith(f"{cell}: ")


def test_name_that_looks_like_a_formula_survives_import_and_export() -> None:
    report = read_roster(read_sheets((DATA / "roster-with-faults.xlsx").read_bytes()), needs_of("pairs"))
    name = report.entries[0].players[0].name
    again = read_sheets(write_workbook(Workbook((OutSheet("名单", (Column("姓名"),), ((name,),)),))))
    assert not isinstance(again, FileFault)
    assert [row.cells for row in again[0].rows] == [("姓名",), (name,)]


def test_command_prints_one_line_per_fault() -> None:
    _, document, errors = command(str(DATA / "roster-with-faults.xlsx"))
    lines = errors.splitlines()
    assert len(lines) == len(document["faults"]) == 5
    assert lines[0].startswith("/4/手机号 digits_lost D4：")


def test_pointer_escapes_a_slash_in_the_heading(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("姓名,手机/电话\n甲,1\n", encoding="utf-8")
    _, _, errors = command(str(file), "--kind", "individual")
    assert errors.startswith("/2/手机~1电话 phone_length ")


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "file_empty"), (b"PK\x03\x04", "broken_workbook"), (b"a,b\n1,2\n", "no_heading")]
)
def test_unreadable_file_is_one_fault_of_the_whole_file(tmp_path: Path, content: bytes, code: str) -> None:
    file = tmp_path / "a.xlsx"
    file.write_bytes(content)
    status, document, errors = command(str(file))
    assert status == 2
    assert [(fault["row"], fault["column"], fault["code"]) for fault in document["faults"]] == [(None, "", code)]
    assert errors.startswith(f"/ {code} ")


def test_missing_file_and_directory_are_faults_without_traceback(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.xlsx", "a\0b"):
        status, document, _ = command(str(path))
        assert (status, document["faults"][0]["code"]) == (2, "not_found")


@pytest.mark.parametrize("arguments", [[], ["-"], ["a.csv", "--kind", "chess"], ["a.csv", "b.csv"], ["--what"]])
def test_misused_command_says_how_to_use_it(arguments: list[str]) -> None:
    status, document, errors = command(*arguments)
    assert (status, document) == (2, {})
    assert "usage" in errors
