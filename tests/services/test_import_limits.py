"""Files and lists at the edge of what is taken: refused in a sentence, answered in one reply, stored in one item."""

from __future__ import annotations

import base64
import io
import random
from typing import Any

import pytest

from chalicelib.gateways.spreadsheets import CellValue, MergedCells, Sheet, SheetRow, read_sheets
from chalicelib.services.roster import needs_of, read_clubs, read_roster
from chalicelib.store import audit
from tests.support.client import Reply
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld

SAMPLE = random.Random(5)
ROSTER_HEADING = ("团体", "选手1", "手机1", "选手2", "手机2")


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def words(length: int) -> str:
    """Chinese text that hardly compresses."""
    return "".join(chr(SAMPLE.randrange(0x4E00, 0x9FA0)) for _ in range(length))


def lines(*rows: tuple[str, ...]) -> str:
    return base64.b64encode("\n".join(",".join(row) for row in rows).encode()).decode()


def roster(hall: Hall, *rows: tuple[str, ...], commit: bool = False) -> Reply:
    return hall.owner.post(
        hall.path("/imports"), {"filename": "a.csv", "content": lines(ROSTER_HEADING, *rows), "commit": commit}
    )


def clubs(hall: Hall, *names: str) -> Reply:
    body = {"filename": "a.csv", "content": lines(("团体名称",), *((name,) for name in names)), "commit": True}
    return hall.owner.post(hall.path("/club-imports"), {**body, "version": hall.version()})


def sheet(*rows: tuple[CellValue, ...], merged: tuple[MergedCells, ...] = ()) -> tuple[Sheet]:
    return (Sheet("", tuple(SheetRow(number, cells) for number, cells in enumerate(rows, start=1)), merged),)


def test_twenty_thousand_rows_of_one_club_are_told_in_short_sentences() -> None:
    report = read_clubs(sheet(("团体名称",), *[("市南",)] * 19_999))
    assert len(report.faults) == 19_999
    assert max(len(fault.message_zh) for fault in report.faults) < 200
    assert "3, 4, 5, 6, 7" in report.faults[0].message_zh


def test_a_phone_in_every_row_is_told_in_short_sentences() -> None:
    row = ("市南", "甲", phone(1), "乙", phone(1))
    report = read_roster(sheet(ROSTER_HEADING, *[row] * 3_000), needs_of("pairs"))
    twice = [fault for fault in report.faults if fault.code == "phone_duplicate"]
    assert len(twice) == 6_000
    assert max(len(fault.message_zh) for fault in twice) < 200
    # The row itself is named too: the phone stands in it twice.
    assert "2, 3, 4, 5, 6" in twice[0].message_zh


def test_merged_blocks_that_lie_over_each_other_fill_each_row_once() -> None:
    heading = ("团体", "队名", "姓名")
    rows = [("市南", "一队", "甲"), ("", "", "乙"), ("崂山", "二队", "丙"), ("", "", "丁")]
    filled: list[tuple[CellValue, ...]] = [tuple(cell or None for cell in row) for row in rows]
    blocks = tuple(MergedCells(first, column, last, column) for column in (1, 2) for first, last in ((2, 3), (4, 90)))
    over = tuple(MergedCells(2, 1, 1_048_576 - number, 1) for number in range(3))
    plain = read_roster(sheet(heading, *filled, merged=blocks), needs_of("pairs"))
    assert [(entry.name, entry.club) for entry in plain.entries] == [("一队", "市南"), ("二队", "崂山")]
    crowded = read_roster(sheet(heading, *filled, merged=(*blocks, *over)), needs_of("pairs"))
    assert [entry.name for entry in crowded.entries] == ["一队"]
    assert [(fault.row, fault.code) for fault in crowded.faults] == [(5, "club_differs")]


def test_a_report_of_many_faults_tells_the_first_and_counts_all(hall: Hall) -> None:
    rows = [("长" * 70, f"甲{number}", "12", "乙", "3") for number in range(15_000)]
    reply = roster(hall, *rows)
    assert reply.status == 200, reply.json
    assert (reply.json["rows_seen"], len(reply.json["faults"])) == (15_000, 500)
    assert reply.json["wrong"] == 30_000
    refused = roster(hall, *rows, commit=True)
    assert (refused.status, refused.code) == (422, "roster_faults")
    assert (len(refused.json["current"]["faults"]), refused.json["current"]["wrong"]) == (500, 30_000)


def test_a_report_of_many_entries_tells_the_first_and_counts_all(hall: Hall) -> None:
    rows = [("市南", f"选手{number}", "", f"选手{number + 1}", "") for number in range(0, 4_000, 2)]
    reply = roster(hall, *rows)
    assert (reply.status, len(reply.json["entries"]), reply.json["found"]) == (200, 20, 2_000)


def test_a_row_whose_phone_plays_already_is_not_among_those_that_would_come_in(hall: Hall) -> None:
    hall.enter(1)
    rows = [("市南", "甲", phone(100), "乙", phone(201)), ("市南", "丙", "", "丁", ""), ("长" * 61, "戊", "", "己", "")]
    reply = roster(hall, *rows)
    assert [entry["row"] for entry in reply.json["entries"]] == [3]
    assert (reply.json["found"], reply.json["wrong"]) == (1, 2)


def test_a_list_of_clubs_reports_the_first_faults_and_counts_all(hall: Hall) -> None:
    reply = clubs(hall, *["市南"] * 3_000)
    assert (reply.status, reply.code) == (422, "roster_faults")
    assert (len(reply.json["current"]["faults"]), reply.json["current"]["wrong"]) == (500, 3_000)


def test_clubs_too_long_for_the_events_item_are_refused_wherever_they_come_from(hall: Hall) -> None:
    names = [words(58) for _ in range(1_300)]
    event = hall.owner.get(hall.path()).json
    typed = hall.owner.put(
        hall.path("/settings"), {"version": event["version"], "settings": {**event["settings"], "clubs": names}}
    )
    assert (typed.status, typed.code, typed.json["field"]) == (400, "settings_inconsistent", "settings.clubs")
    listed = clubs(hall, *names)
    assert (listed.status, listed.json["current"]["faults"][0]["code"]) == (422, "too_many_clubs")
    rows = [(name, f"甲{number}", "", f"乙{number}", "") for number, name in enumerate(names)]
    entered = roster(hall, *rows, commit=True)
    assert (entered.status, entered.json["current"]["faults"][0]["code"]) == (422, "too_many_clubs")


def test_a_national_roster_with_long_clubs_comes_in_and_its_log_can_be_read(hall: Hall, world: TestWorld) -> None:
    event = hall.owner.get(hall.path()).json
    texts = {"rules_text": words(20_000), "consent_text": words(4_000), "registration_prompt": words(2_000)}
    names = [words(32) for _ in range(2_000)]
    saved = hall.owner.put(
        hall.path("/settings"),
        {"version": event["version"], "settings": {**event["settings"], **texts, "clubs": names}},
    )
    assert saved.status == 200, saved.json
    rows = [(names[number % 2_000], f"甲{number}", "", f"乙{number}", "") for number in range(3_000)]
    reply = roster(hall, *rows, commit=True)
    assert (reply.status, reply.json["imported"]) == (200, 3_000)
    (imported,) = [entry for entry in audit.entries(f"{hall.event_id}") if entry.action == "entry.import"]
    assert imported.details["event_clubs"] == names
    assert (len(imported.details["entries"]), len(imported.details["clubs"])) == (3_000, 2_000)


def test_an_item_that_would_outgrow_the_store_is_refused_not_an_error(hall: Hall, world: TestWorld) -> None:
    """Whatever a setting may come to hold: too large is a refusal."""
    from chalicelib.services.once import transaction
    from chalicelib.store.audit import AuditEntry
    from chalicelib.store.transaction import TooLarge

    change = transaction(world)
    change.put(AuditEntry("EVENT#x", "1", at=1, actor="system", action="x", reason="长" * 150_000))
    with pytest.raises(TooLarge):
        change.commit()


def upload(hall: Hall, content: str) -> str:
    ticket = hall.owner.post(hall.path("/uploads"), {}).json
    hall.world.files.put(ticket["key"], base64.b64decode(content), "text/csv", "no-store")
    key: str = ticket["key"]
    return key


def job(hall: Hall, engine: Any, key: str, commit: bool, columns: dict[str, str] | None = None) -> dict[str, Any]:
    order = {"key": key, "commit": commit, "columns": columns}
    started = hall.owner.post(hall.path("/import-jobs"), order)
    assert started.status == 202, started.json
    Pump(engine).run()
    found: dict[str, Any] = hall.owner.get(hall.path(f"/import-jobs/{started.json['job_id']}")).json
    return found


def test_a_job_whose_cells_are_full_of_text_ends_with_a_report(hall: Hall, engine: Any) -> None:
    columns = ("团体", "队名", "选手1", "手机1", "选手2", "手机2", "简称", "领队", "领队手机")
    rows = [tuple(words(200) for _ in columns) for _ in range(120)]
    done = job(hall, engine, upload(hall, lines(columns, *rows)), commit=True)
    assert (done["phase"], done["faults"] > 200) == ("failed", True)
    assert 0 < len(done["report"]["rows"]) <= 100


def rejected(hall: Hall, content: str, **more: Any) -> Reply:
    return hall.owner.post(hall.path("/rejected-rows"), {"content": content, **more})


def cells(data: bytes) -> list[tuple[Any, ...]]:
    sheets = read_sheets(data)
    assert isinstance(sheets, tuple)
    return [row.cells for row in sheets[0].rows]


def test_rejected_rows_of_a_small_file_can_be_downloaded_with_those_that_play_already(hall: Hall) -> None:
    hall.enter(1)
    rows = [("市南", "甲", phone(100), "乙", phone(201)), ("市南", "丙", "12", "丁", ""), ("市南", "戊", "", "己", "")]
    content = lines(ROSTER_HEADING, *rows)
    reply = rejected(hall, content)
    assert reply.status == 200, reply.body
    found = cells(reply.body)
    assert [row[0] for row in found[1:]] == [2, 3]
    assert "第 1 号队伍" in found[1][1]
    assert found[1][2:] == rows[0]
    put_right = rejected(hall, content, corrections=[{"row": 3, "column": 3, "text": phone(301)}])
    assert [row[0] for row in cells(put_right.body)[1:]] == [2]
    sound = rejected(hall, lines(ROSTER_HEADING, rows[2]))
    assert (sound.status, sound.code) == (409, "nothing_rejected")


def test_rejected_rows_of_a_job_hold_those_that_play_already(hall: Hall, engine: Any) -> None:
    hall.enter(1)
    content = lines(ROSTER_HEADING, ("市南", "甲", phone(100), "乙", phone(201)), ("市南", "丙", "", "丁", ""))
    done = job(hall, engine, upload(hall, content), commit=False)
    key = f"downloads/{hall.event_id}/{done['job_id']}-rejected.xlsx"
    file = hall.world.files.get(key)
    assert file is not None
    assert [row[0] for row in cells(io.BytesIO(file.body).getvalue())[1:]] == [2]


def test_rejected_rows_of_an_encrypted_event_need_the_digits_and_stay_nowhere(hall: Hall) -> None:
    digits = "492817365028"
    assert hall.owner.post(hall.path("/encryption"), {}, headers={"X-Guanjun-New-Digits": digits}).status == 200
    content = lines(ROSTER_HEADING, ("市南", "丙", "12", "丁", ""))
    body = {"content": content}
    assert hall.owner.post(hall.path("/rejected-rows"), body).code == "digits_needed"
    reply = hall.owner.post(hall.path("/rejected-rows"), body, headers={"x-guanjun-digits": digits})
    assert [row[0] for row in cells(reply.body)[1:]] == [2]


def test_a_job_from_before_encryption_tells_names_only_with_the_digits(hall: Hall, engine: Any) -> None:
    digits = "492817365028"
    done = job(hall, engine, upload(hall, lines(ROSTER_HEADING, ("市南", "甲", "", "乙", ""))), commit=False)
    assert done["report"]["entries"][0]["players"][0]["name"] == "甲"
    assert hall.owner.post(hall.path("/encryption"), {}, headers={"X-Guanjun-New-Digits": digits}).status == 200
    path = hall.path(f"/import-jobs/{done['job_id']}")
    assert hall.owner.get(path).json["report"] is None
    assert hall.owner.get(path, headers={"x-guanjun-digits": digits}).json["report"] is not None


def test_leaders_do_not_come_back_into_a_purged_event(hall: Hall, world: TestWorld) -> None:
    from chalicelib.services.finding import known_event
    from chalicelib.services.privacy import purge

    purge.purge(world, known_event(hall.event_id)[0])
    content = lines(("团体名称", "领队", "领队手机"), ("市南", "领队甲", phone(777)))
    body = {"filename": "a.csv", "content": content, "commit": True, "version": hall.version()}
    reply = hall.owner.post(hall.path("/club-imports"), body)
    assert (reply.status, reply.json["names_only"]) == (200, True)
    assert [club["leader_phone"] for club in hall.owner.get(hall.path("/clubs")).json["clubs"]] == [""]
