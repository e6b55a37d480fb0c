"""Rows of a roster that would not come in are saved as a workbook, of plain and of encrypted events."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from chalicelib.gateways.spreadsheets import read_sheets
from tests.e2e.catalogue import words_of
from tests.e2e.organizing import Organizer, pairs

pytestmark = pytest.mark.browser

say = words_of("console-entries", "console-privacy", "console", "shared")
DIGITS = "201938475610"
FILE = "选手1,手机1,选手2,手机2\n甲,13800130001,乙,13800137001\n丙,1.38E+10,丁,13800137002\n戊,13800137003,己,\n"


@pytest.mark.parametrize("encrypted", [False, True])
def test_rejected_rows_of_a_small_file_are_saved(organizer: Organizer, tmp_path: Path, *, encrypted: bool) -> None:
    organizer.create(pairs(2), name="周六夜赛")
    page = organizer.page
    if encrypted:
        organizer.post(organizer.path("/encryption"), {}, {"X-Guanjun-New-Digits": DIGITS})
    page.goto(f"/c/{organizer.event_id}/entries/import")
    if encrypted:
        page.get_by_label(say("digits")).fill(DIGITS)
        page.get_by_role("button", name=say("unlockNames")).click()
        expect(page.get_by_label(say("digits"))).to_have_count(0)
    file: FilePayload = {"name": "名单.csv", "mimeType": "text/csv", "buffer": FILE.encode("gb18030")}
    page.get_by_label(say("chooseFile")).set_input_files(file)
    with page.expect_download() as download:
        page.get_by_role("button", name=say("downloadRejected")).click()
    saved = tmp_path / "rejected.xlsx"
    download.value.save_as(saved)
    sheets = read_sheets(saved.read_bytes())
    assert isinstance(sheets, tuple)
    # One plays already, of one the phone lost its digits; the third is sound.
    assert [row.cells[0] for row in sheets[0].rows[1:]] == [2, 3]
    expect(page.get_by_test_id("commit-import")).to_be_disabled()
