"""团体列表 from a file: what the template holds comes back, edited; with a fault nothing is saved."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from chalicelib.gateways.spreadsheets import read_sheets
from chalicelib.services.finding import known_event
from chalicelib.services.privacy import purge
from infra.local.engine import Engine
from tests.support.client import Reply
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

HEADING = "团体名称,简称,领队,领队手机"
LEADER_PHONE = "13800130777"


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def send(hall: Hall, data: bytes, *, commit: bool, version: int | None = None) -> Reply:
    body = {
        "filename": "团体.xlsx",
        "content": base64.b64encode(data).decode(),
        "commit": commit,
        "version": hall.version() if version is None else version,
    }
    return hall.owner.post(hall.path("/club-imports"), body)


def lines(*rows: str) -> bytes:
    return "\n".join([HEADING, *rows]).encode()


def clubs(hall: Hall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hall.owner.get(hall.path("/clubs")).json["clubs"]
    return found


def stored(engine: Engine) -> str:
    return str(engine.call("Scan", {"TableName": "guanjun-local-events"}))


def test_a_dry_run_says_what_comes_and_goes_and_saves_nothing(hall: Hall, engine: Engine) -> None:
    hall.configure(clubs=["市南", "崂山"])
    before = stored(engine)
    reply = send(hall, lines(f"市南,南,领队甲,{LEADER_PHONE}", "黄岛,,,"), commit=False)
    assert reply.status == 200, reply.json
    assert [(club["name"], club["known"]) for club in reply.json["clubs"]] == [("市南", True), ("黄岛", False)]
    assert (reply.json["gone"], reply.json["faults"], reply.json["committed"]) == (["崂山"], [], False)
    assert stored(engine) == before


def test_a_commit_takes_the_place_of_the_list(hall: Hall) -> None:
    hall.configure(clubs=["市南", "崂山"])
    version = hall.version()
    reply = send(hall, lines(f"黄岛,黄,领队甲,{LEADER_PHONE}", "市南,,,"), commit=True)
    assert reply.status == 200, reply.json
    assert (reply.json["version"], hall.version()) == (version + 1, version + 1)
    assert hall.owner.get(hall.path()).json["settings"]["clubs"] == ["黄岛", "市南"]
    assert clubs(hall)[0] == {
        "name": "黄岛",
        "short": "黄",
        "leader": "领队甲",
        "leader_phone": LEADER_PHONE,
        "known": True,
    }


def test_the_template_holds_the_list_and_can_be_imported_again(hall: Hall) -> None:
    send(hall, lines(f"黄岛,黄,领队甲,{LEADER_PHONE}", "市南,,领队乙,"), commit=True)
    before = clubs(hall)
    template = hall.owner.get(hall.path("/files/clubs"))
    assert template.status == 200
    sheets = read_sheets(template.body)
    assert isinstance(sheets, tuple)
    assert sheets[0].rows[0].cells[:4] == ("团体名称", "简称", "领队", "领队手机")
    assert send(hall, template.body, commit=True).status == 200
    assert clubs(hall) == before


def test_with_a_fault_nothing_is_saved(hall: Hall, engine: Engine) -> None:
    hall.configure(clubs=["市南"])
    before = stored(engine)
    reply = send(hall, lines("黄岛,,,", "黄 岛,,,", "崂山,,,123"), commit=True)
    assert (reply.status, reply.json["code"]) == (422, "roster_faults")
    faults = reply.json["current"]["faults"]
    assert {(fault["row"], fault["code"]) for fault in faults} >= {(2, "club_duplicate"), (3, "club_duplicate")}
    assert any(fault["row"] == 4 for fault in faults)
    assert stored(engine) == before


def test_a_list_that_somebody_changed_meanwhile_is_not_overwritten(hall: Hall) -> None:
    seen = hall.version()
    hall.configure(clubs=["崂山"])
    reply = send(hall, lines("黄岛,,,"), commit=True, version=seen)
    assert (reply.status, reply.json["code"]) == (409, "stale_version")
    assert reply.json["current"]["settings"]["clubs"] == ["崂山"]
    assert hall.owner.get(hall.path()).json["settings"]["clubs"] == ["崂山"]


def test_a_name_longer_than_the_list_takes_is_a_fault(hall: Hall) -> None:
    reply = send(hall, lines("长" * 61 + ",,,"), commit=True)
    assert (reply.status, reply.json["current"]["faults"][0]["code"]) == (422, "club_too_long")


def test_leaders_of_an_encrypted_event_are_not_kept(hall: Hall, engine: Engine) -> None:
    send(hall, lines(f"黄岛,黄,领队甲,{LEADER_PHONE}"), commit=True)
    digits = {"X-Guanjun-New-Digits": "492817365028"}
    assert hall.owner.post(hall.path("/encryption"), {}, headers=digits).status == 200
    reply = send(hall, lines(f"市北,北,领队乙,{LEADER_PHONE}"), commit=True)
    assert (reply.status, reply.json["names_only"]) == (200, True)
    for table in ("events", "idempotency", "audit"):
        kept = engine.call("Scan", {"TableName": f"guanjun-local-{table}"})["Items"]
        after = [item for item in kept if "BODY" not in item]
        assert "市北" not in str(after), table
    assert "CLUBS" not in stored(engine)
    assert known_event(hall.event_id)[1].clubs[0].startswith("T-")


def test_leaders_go_when_personal_data_is_purged(hall: Hall, world: TestWorld, engine: Engine) -> None:
    send(hall, lines(f"黄岛,黄,领队甲,{LEADER_PHONE}"), commit=True)
    assert "CLUBS" in stored(engine)
    purge.purge(world, known_event(hall.event_id)[0])
    assert "CLUBS" not in stored(engine)
    assert clubs(hall) == [{"name": "黄岛", "short": "", "leader": "", "leader_phone": "", "known": True}]
