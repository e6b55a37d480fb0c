"""是否加密: whoever has no digits finds numbers only, in the store's own file and in every public one."""

from __future__ import annotations

import base64
import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chalicelib.services.privacy import encrypting, keys
from chalicelib.services.privacy.purge import purge_due
from chalicelib.services.problems import Problem
from chalicelib.store.events import find_event
from infra.local.engine import Engine
from tests.support.client import Browser, Reply
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.traces import found
from tests.support.world import TestWorld

DIGITS, OTHERS = "201938475610", "998877665544"
UNLOCKED = {"x-guanjun-digits": DIGITS}
GONE_IN_TIME = {"stream", "guanjun-local-idempotency"}
"""Streams forget after a day, replies kept for retries after two: what was answered before cannot be found by event."""


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def encrypt(hall: Hall, digits: str = DIGITS) -> Reply:
    return hall.owner.post(hall.path("/encryption"), {}, headers={"x-guanjun-new-digits": digits})


def players(hall: Hall, digits: str | None = DIGITS) -> list[list[dict[str, str]]]:
    reply = hall.owner.get(hall.path("/entries"), headers={"x-guanjun-digits": digits})
    assert reply.status == 200, reply.json
    return [entry["players"] for entry in reply.json["entries"]]


def typed(first: int) -> list[dict[str, str]]:
    return [{"name": f"选手{one:03d}", "phone": phone(one)} for one in (first, first + 1)]


def play_a_round(hall: Hall, engine: Engine) -> None:
    hall.start_round()
    for table in hall.owner.get(hall.path("/current-tables")).json["tables"]:
        ruled = {"version": table["version"], "ns_level": "A", "ew_level": "9", "reason": "裁判"}
        assert hall.owner.post(hall.path(f"/rounds/1/tables/{table['table']}/ruling"), ruled).status == 200
    Pump(engine).run()


def everybody(*firsts: int) -> list[str]:
    return [text for first in firsts for player in typed(first) for text in player.values()]


def test_nothing_that_is_written_down_names_anybody(hall: Hall, engine: Engine, tmp_path: Path) -> None:
    assert encrypt(hall).json == {
        "on": True,
        "since": hall.world.now(),
        "pending": False,
        "generation": 1,
        "unlocked": True,
    }
    hall.enter(3, club="海风俱乐部")
    registered = Browser().post(
        hall.path("/registrations"),
        {"players": typed(300), "consent": True, "name": "潮汐队", "club": "海风俱乐部", "partner": "typed"},
    )
    assert registered.status == 201, registered.json
    rows = "队伍名称,选手1姓名,选手1手机号,选手2姓名,选手2手机号,团体\n"
    rows += f"灯塔队,选手400,{phone(400)},选手401,{phone(401)},礁石俱乐部\n"
    file = {
        "filename": "名单.csv",
        "content": base64.b64encode(rows.encode()).decode(),
        "commit": True,
        "columns": None,
    }
    assert hall.owner.post(hall.path("/imports"), file).code == "digits_needed"
    imported = hall.owner.post(hall.path("/imports"), file, headers=UNLOCKED)
    assert (imported.status, imported.json["imported"]) == (200, 1)
    changed = {"version": 1, "players": [{"name": "选手500", "phone": phone(500)}, {"name": "#1-2", "phone": ""}]}
    assert hall.owner.put(hall.path("/entries/1"), {**changed, "club": "海风俱乐部"}).status == 200
    hall.player(4, text=phone(300))
    play_a_round(hall, engine)
    for name in ("entries", "workbook"):
        assert hall.owner.get(hall.path(f"/files/{name}"), headers=UNLOCKED).status == 200
    assert hall.owner.get(hall.path("/document"), headers=UNLOCKED).status == 200

    names = everybody(100, 102, 104, 300, 400, 500)
    assert found(tmp_path, *names, "海风俱乐部", "礁石俱乐部", "潮汐队", "灯塔队", DIGITS) == []
    opened = players(hall)
    assert opened[0] == [typed(500)[0], typed(100)[1]]
    assert opened[1:] == [typed(102), typed(104), typed(300), typed(400)]
    assert players(hall, None)[4] == [{"name": "#5-1", "phone": ""}, {"name": "#5-2", "phone": ""}]


def test_the_same_search_finds_what_is_in_the_clear(hall: Hall, engine: Engine, tmp_path: Path) -> None:
    """Or the test above would find nothing wherever it looked."""
    hall.enter(4, club="海风俱乐部")
    play_a_round(hall, engine)
    places = {Path(where).parts[0] for where, _ in found(tmp_path, "选手100", phone(100), "海风俱乐部")}
    assert {"guanjun-local-entries", "guanjun-local-standings", "stream", "files"} <= places


def test_encrypting_later_seals_what_is_there_and_rewrites_what_is_public(
    hall: Hall, engine: Engine, world: TestWorld, tmp_path: Path
) -> None:
    hall.enter(4, club="海风俱乐部")
    hall.configure(clubs=["海风俱乐部"])
    play_a_round(hall, engine)
    before = [row["values"] for row in hall.owner.get(hall.path("/standings")).json["rows"]]
    old = {key for key in world.files.list_prefix("pub/") if "/standings/" in key or "/pairings/" in key}
    assert encrypt(hall).status == 200
    Pump(engine).run()
    assert old & set(world.files.list_prefix("pub/")) == set()
    left = {where for where, _ in found(tmp_path, *everybody(100, 102, 104, 106), "海风俱乐部")}
    assert left <= GONE_IN_TIME
    assert players(hall) == [typed(100), typed(102), typed(104), typed(106)]
    rows = hall.owner.get(hall.path("/standings")).json["rows"]
    assert [row["values"] for row in rows] == before
    assert {row["name"] for row in rows} == {"#1", "#2", "#3", "#4"}
    assert encrypt(hall).code == "encrypted_already"


def test_players_find_themselves_by_their_exact_phone_only(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(2)
    phone_page = Browser()
    hit = phone_page.post(hall.path("/searches"), {"text": " 138-0013 0102 "}).json["candidates"]
    assert [(one["number"], one["player"], one["phone_masked"]) for one in hit] == [(2, 0, "138****0102")]
    assert hit[0]["name"] == "#2-1"
    assert phone_page.post(hall.path("/searches"), {"text": "选手102"}).code == "search_by_phone_only"
    assert phone_page.get(hall.path("/public")).json["search_by_phone_only"] is True
    me = hall.player(2, text=phone(102)).get(hall.path("/me"))
    assert (me.status, me.json["entry"]["name"]) == (200, "#2")
    again = {"players": [typed(102)[0], {"name": "丙", "phone": ""}]}
    assert hall.owner.post(hall.path("/entries"), again).code == "phone_taken"


def test_the_desk_sees_numbers_and_with_the_digits_names(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(1)
    desk = hall.by_link("desk")
    assert desk.get(hall.path("/entry-names")).json["entries"][0]["players"] == ["#1-1", "#1-2"]
    shown = desk.get(hall.path("/entry-names"), headers=UNLOCKED).json["entries"][0]
    assert (shown["players"], shown["phones_masked"]) == (["选手100", "选手101"], ["138****0100", "138****0101"])


def test_wrong_digits_are_refused_and_counted(hall: Hall, world: TestWorld) -> None:
    encrypt(hall)
    hall.enter(1)
    wrong = {"x-guanjun-digits": OTHERS}
    assert {hall.owner.get(hall.path(path), headers=wrong).code for path in ("/entries", "/encryption")} == {
        "digits_wrong"
    }
    for _ in range(keys.MOST_MISSES - 2):
        hall.owner.get(hall.path("/encryption"), headers={"x-guanjun-digits": "12"})
    assert hall.owner.get(hall.path("/encryption"), headers=UNLOCKED).code == "too_many_tries"
    world.time.advance(minutes=1)
    assert hall.owner.get(hall.path("/encryption"), headers=UNLOCKED).json["unlocked"] is True


@pytest.mark.parametrize("digits", ["", "12345678901", "000000000000", "1234567890ab", "12345678901２"])
def test_plain_digits_are_refused(hall: Hall, digits: str) -> None:
    with pytest.raises(Problem) as refusal:
        keys.check_digits(digits)
    assert refusal.value.code == "digits_weak"


def test_new_digits_with_the_old_ones_lose_nothing(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(2)
    changing = {"x-guanjun-digits": DIGITS, "x-guanjun-new-digits": OTHERS}
    assert hall.owner.put(hall.path("/encryption/digits"), {}, headers=changing).json["generation"] == 1
    assert players(hall, OTHERS) == [typed(100), typed(102)]
    assert hall.owner.get(hall.path("/entries"), headers=UNLOCKED).code == "digits_wrong"


def test_new_digits_without_the_old_ones_ask_for_the_events_name(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(1)

    def change(body: dict[str, Any]) -> Reply:
        return hall.owner.put(hall.path("/encryption/digits"), body, headers={"x-guanjun-new-digits": OTHERS})

    assert change({}).code == "digits_needed"
    assert change({"name": "别的比赛"}).code == "name_differs"
    assert change({"name": "周三夜赛"}).json["generation"] == 2
    hall.enter(1, first=200)
    assert players(hall, OTHERS) == [[{"name": "#1-1", "phone": ""}, {"name": "#1-2", "phone": ""}], typed(200)]
    # Who was entered before is still found by phone.
    hall.player(1, text=phone(100))


def test_only_the_owner_encrypts(hall: Hall) -> None:
    other = hall.administrator(phone(700))
    asked = {"x-guanjun-new-digits": DIGITS}
    assert other.post(hall.path("/encryption"), {}, headers=asked).status == 403
    assert other.put(hall.path("/encryption/digits"), {"name": "周三夜赛"}, headers=asked).status == 403


def test_a_partner_joins_and_singles_are_matched_without_the_digits(hall: Hall) -> None:
    hall.configure(allow_single=True)
    encrypt(hall)
    for number in (300, 301, 302):
        body = {"players": [typed(number)[0]], "consent": True, "name": "", "club": "", "partner": "matched"}
        made = Browser().post(hall.path("/registrations"), body)
        assert made.status == 201, made.json
        invitation = made.json["invitation"].partition("#")[2]
    joining = {"token": invitation, **typed(400)[0], "consent": True}
    joined = Browser().post(hall.path("/partners"), joining)
    assert joined.status in (200, 201), joined.json
    matched = hall.owner.post(hall.path("/matches-of-singles"), {"one": 1, "two": 2})
    assert matched.status in (200, 201), matched.json
    assert players(hall) == [typed(300), [typed(302)[0], typed(400)[0]]]
    hall.player(1, player=1, text=phone(301))


def test_an_interrupted_sealing_is_finished(hall: Hall, world: TestWorld) -> None:
    hall.enter(5)
    header = find_event(hall.event_id)
    assert header is not None
    # The deciding transaction took effect, and the process ended there.
    header.sealing = _pending(world)
    header.save()
    assert encrypting.state(world, hall.event_id, "").pending is True
    assert players(hall, None)[0] == typed(100)
    assert encrypt(hall).code == "encrypted_already"
    assert encrypting.state(world, hall.event_id, "").pending is False
    assert players(hall) == [typed(100 + 2 * index) for index in range(5)]


def _pending(world: TestWorld) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(keys.make(DIGITS, world.now(), pending=True))
    return plain


def test_what_a_slow_request_wrote_in_the_clear_is_sealed_two_minutes_later(
    hall: Hall, world: TestWorld, engine: Engine
) -> None:
    encrypt(hall)
    header = find_event(hall.event_id)
    assert header is not None
    kept, header.sealing = header.sealing, None
    header.save()
    hall.enter(1)
    header = find_event(hall.event_id)
    assert header is not None
    header.sealing = kept
    header.save()
    world.time.advance(minutes=1)
    purge_due(world)
    assert players(hall, None) == [typed(100)]
    world.time.advance(minutes=2)
    purge_due(world)
    assert players(hall, None) == [[{"name": "#1-1", "phone": ""}, {"name": "#1-2", "phone": ""}]]
    assert players(hall) == [typed(100)]


def test_a_job_gets_the_key_for_fifteen_minutes_and_no_other_job_does(hall: Hall, world: TestWorld) -> None:
    encrypt(hall)
    header = find_event(hall.event_id)
    assert header is not None
    opened = keys.unlock(world, header, DIGITS)
    lent = keys.sealed_for_job(world, hall.event_id, "job-1", opened)
    assert bytes(keys.opened_for_job(world, hall.event_id, "job-1", lent).private) == bytes(opened.private)
    for event, job in ((hall.event_id, "job-2"), ("another", "job-1")):
        with pytest.raises(Problem, match="key_expired"):
            keys.opened_for_job(world, event, job, lent)
    world.time.advance(minutes=15)
    with pytest.raises(Problem, match="key_expired"):
        keys.opened_for_job(world, hall.event_id, "job-1", lent)


def test_a_whole_evening_names_nobody_in_store_copies_files_or_logs(
    hall: Hall, engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Waiting list, partners, desk, phones, refusals, settling, copies, exports and the end of it."""
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "guanjun")
    encrypt(hall)
    hall.configure(allow_single=True, capacity=6, clubs=["海风俱乐部"], club_ranking={"on": True, "best": 2})
    hall.enter(4, club="海风俱乐部")
    registrants = {}
    for first, partner in ((300, "typed"), (302, "invited"), (303, "matched"), (304, "matched"), (306, "typed")):
        count = 2 if partner == "typed" else 1
        body = {"players": typed(first)[:count], "consent": True, "name": f"潮汐{first}队", "club": "礁石俱乐部"}
        made = (browser := Browser()).post(hall.path("/registrations"), {**body, "partner": partner})
        assert made.status == 201, made.json
        registrants[first] = browser, made.json
    invitation = registrants[302][1]["invitation"].partition("#")[2]
    joining = {"token": invitation, **typed(400)[0], "consent": True}
    assert Browser().post(hall.path("/partners"), joining).status == 201
    singles = {"one": registrants[303][1]["number"], "two": registrants[304][1]["number"]}
    assert hall.owner.post(hall.path("/matches-of-singles"), singles).status == 201
    # Refused for a phone that plays already, changed, withdrawn, and who waited moves in.
    again = {"players": typed(300), "consent": True, "name": "灯塔队", "club": "礁石俱乐部", "partner": "typed"}
    assert Browser().post(hall.path("/registrations"), again).code == "phone_taken"
    browser, made = registrants[306]
    change = {"players": typed(500), "version": made["version"], "name": "岸边队", "club": "海风俱乐部"}
    assert browser.put(hall.path(f"/registrations/{made['number']}"), change).status == 200
    first, mine = registrants[300]
    assert first.post(hall.path(f"/registrations/{mine['number']}/withdrawal"), {}).status == 200
    desk = hall.by_link("desk")
    assert desk.get(hall.path("/entry-names"), headers=UNLOCKED).status == 200
    assert desk.put(hall.path("/entries/1/check-in"), {"checked_in": True}).status == 200
    player = hall.player(2, text=phone(102))
    assert player.put(hall.path("/me/check-in"), {}).status == 200
    assert Browser().post(hall.path("/searches"), {"text": phone(399)}).status in (200, 404)
    exported = hall.owner.get(hall.path("/entries/1/players/1/data"), headers=UNLOCKED)
    assert exported.status == 200, exported.json
    assert "选手100" in exported.body.decode()

    play_a_round(hall, engine)
    version = hall.owner.get(hall.path("/rounds/1")).json["version"]
    settled = hall.owner.post(hall.path("/rounds/1/settlement"), {"version": version})
    assert settled.status == 200, settled.json
    assert hall.owner.post(hall.path("/rounds/1/reopening"), {"reason": "更正"}).status == 200
    for name in ("entries", "standings", "results", "workbook"):
        assert hall.owner.get(hall.path(f"/files/{name}"), headers=UNLOCKED).status == 200
    for path in ("/audit", "/document", "/standings", "/members", "/links"):
        assert hall.owner.get(hall.path(path), headers=UNLOCKED).status == 200
    assert hall.owner.post(hall.path("/ending"), {"ended": True, "reason": "散场"}).status == 200
    Pump(engine).run()

    world = hall.world
    assert world.files.list_prefix(f"backups/{hall.event_id}/"), "a copy was put aside before the settlement"
    assert world.files.list_prefix(f"pub/{hall.event_id}/")
    names = everybody(100, 102, 104, 106, 300, 306, 500)
    names += [text for each in (302, 303, 304, 400) for text in typed(each)[0].values()]
    clubs = ["海风俱乐部", "礁石俱乐部", "潮汐300队", "潮汐303队", "潮汐306队", "灯塔队", "岸边队", DIGITS]
    assert found(tmp_path, *names, *clubs) == []
    assert [text for text in (*names, *clubs) if text in caplog.text] == []
    opened = [player for entry in players(hall) for player in entry]
    assert {"name": "选手400", "phone": phone(400)} in opened
