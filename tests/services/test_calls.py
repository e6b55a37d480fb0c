"""Calls for a referee and requests to correct a result: made on phones, taken and closed by referees."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.client import Browser
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world, rounds=3)
    hall.enter(6)
    hall.start_round()
    return hall


def grid(hall: Hall) -> dict[str, Any]:
    found: dict[str, Any] = hall.owner.get(hall.path("/current-tables")).json
    return found


def phone_at(hall: Hall, table: int, side: str = "ns", player: int = 0) -> Browser:
    row = next(row for row in grid(hall)["tables"] if row["table"] == table)
    return hall.player(row[side]["number"], player)


def call(hall: Hall, phone: Browser, table: int, **body: Any) -> Any:
    reply = phone.post(hall.path(f"/rounds/1/tables/{table}/calls"), body)
    assert reply.status == 201, reply.json
    return reply.json


def test_calls_queue_by_time_and_say_their_place(world: TestWorld, hall: Hall) -> None:
    third, first = phone_at(hall, 3), phone_at(hall, 1)
    assert call(hall, third, 3, kind="call")["place"] == 1
    world.time.advance(seconds=5)
    made = call(hall, first, 1, kind="call", message="有争议")
    assert (made["place"], made["match"], made["room"], made["side"]) == (2, 1, None, "ns")
    seen = grid(hall)["calls"]
    assert [(line["table"], line["place"], line["message"]) for line in seen] == [(3, 1, ""), (1, 2, "有争议")]
    assert seen[1]["name"] == grid(hall)["tables"][0]["ns"]["name"]

    referee = hall.by_link("referee")
    taken = referee.post(hall.path(f"/calls/{seen[0]['call']}/taking"), {"by": " A "})
    assert (taken.status, taken.json["place"], taken.json["taken_by"]) == (200, 0, "referee")
    # A link says only that it is a referee.
    assert [line["taken_name"] for line in grid(hall)["calls"]] == ["A", None]
    assert [line["taken_name"] for line in third.get(hall.path("/me")).json["calls"]] == ["A"]
    mine = first.get(hall.path("/me")).json["calls"]
    assert [(line["call"], line["place"]) for line in mine] == [(made["call"], 1)]
    assert referee.post(hall.path(f"/calls/{seen[0]['call']}/closing")).status == 200
    assert [line["table"] for line in grid(hall)["calls"]] == [1]
    again = referee.post(hall.path(f"/calls/{seen[0]['call']}/closing"))
    assert (again.status, again.code) == (404, "call_not_found")


def test_both_phones_of_a_table_see_its_calls_and_other_tables_do_not(hall: Hall) -> None:
    made = call(hall, phone_at(hall, 2), 2)
    assert [line["call"] for line in phone_at(hall, 2, "ew").get(hall.path("/me")).json["calls"]] == [made["call"]]
    assert phone_at(hall, 1).get(hall.path("/me")).json["calls"] == []


def test_a_side_has_one_open_call_however_often_it_is_tapped(hall: Hall) -> None:
    phones = [phone_at(hall, 1, player=0), phone_at(hall, 1, player=1)]
    path = hall.path("/rounds/1/tables/1/calls")
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda index: phones[index % 2].post(path, {}), range(20)))
    assert [reply.status for reply in replies].count(201) == 1
    refused = [reply for reply in replies if reply.status != 201]
    assert {(reply.status, reply.code) for reply in refused} == {(409, "call_open")}
    (open_one,) = grid(hall)["calls"]
    assert {reply.json["current"]["call"] for reply in refused} == {open_one["call"]}


def test_who_calls_again_is_told_the_true_place_in_the_queue(world: TestWorld, hall: Hall) -> None:
    call(hall, phone_at(hall, 3), 3)
    world.time.advance(seconds=5)
    phone = phone_at(hall, 1)
    made = call(hall, phone, 1)
    again = phone.post(hall.path("/rounds/1/tables/1/calls"), {})
    assert (again.code, again.json["current"]["place"]) == ("call_open", 2)
    hall.by_link("referee").post(hall.path(f"/calls/{made['call']}/taking"), {})
    assert phone.post(hall.path("/rounds/1/tables/1/calls"), {}).json["current"]["place"] == 0


@pytest.mark.parametrize("name", ["\u200b", "\u202e \u2060", ""])
def test_a_name_that_nobody_sees_is_none(hall: Hall, name: str) -> None:
    made = call(hall, phone_at(hall, 1), 1)
    taken = hall.by_link("referee").post(hall.path(f"/calls/{made['call']}/taking"), {"by": name})
    assert (taken.status, taken.json["taken_name"]) == (200, None)


def test_one_key_makes_one_call_even_after_it_was_closed(hall: Hall) -> None:
    phone, path = phone_at(hall, 1), hall.path("/rounds/1/tables/1/calls")
    first = phone.post(path, {"message": "看牌"}, key="call-key-01")
    hall.by_link("referee").post(hall.path(f"/calls/{first.json['call']}/closing"))
    again = phone.post(path, {"message": "看牌"}, key="call-key-01")
    assert (again.status, again.json) == (201, first.json)
    assert grid(hall)["calls"] == []
    assert call(hall, phone, 1)["call"] != first.json["call"]


def test_two_referees_take_one_call(hall: Hall) -> None:
    made = call(hall, phone_at(hall, 1), 1)
    referees = [hall.by_link("referee"), hall.administrator("13800130803")]
    path = hall.path(f"/calls/{made['call']}/taking")
    with ThreadPoolExecutor(2) as threads:
        replies = list(threads.map(lambda referee: referee.post(path, {}), referees))
    assert sorted(reply.status for reply in replies) == [200, 409]
    refused = next(reply for reply in replies if reply.status == 409)
    assert (refused.code, refused.json["current"]["taken_at"] is not None) == ("call_taken", True)


def test_a_referee_takes_the_last_act_on_a_call_back(world: TestWorld, hall: Hall) -> None:
    first = call(hall, phone_at(hall, 2), 2)
    world.time.advance(seconds=5)
    made = call(hall, phone_at(hall, 1), 1, message="看牌")
    referee = hall.by_link("referee")

    def act(name: str) -> Any:
        return referee.post(hall.path(f"/calls/{made['call']}/{name}"), {})

    act("taking")
    returned = act("returning")
    assert (returned.status, returned.json["taken_at"], returned.json["place"]) == (200, None, 2)
    act("taking")
    act("closing")
    assert [line["call"] for line in grid(hall)["calls"]] == [first["call"]]
    reopened = act("returning")
    assert (reopened.json["taken_by"], reopened.json["place"], reopened.json["message"]) == ("referee", 0, "看牌")
    assert [line["call"] for line in grid(hall)["calls"]] == [first["call"], made["call"]]
    assert act("closing").status == 200


def test_a_call_does_not_come_back_over_a_newer_one_or_after_it_was_withdrawn(hall: Hall) -> None:
    phone, referee = phone_at(hall, 1), hall.by_link("referee")
    closed = call(hall, phone, 1)
    referee.post(hall.path(f"/calls/{closed['call']}/closing"))
    newer = call(hall, phone, 1)
    assert referee.post(hall.path(f"/calls/{closed['call']}/returning")).code == "call_open"
    assert phone.post(hall.path(f"/calls/{newer['call']}/withdrawal")).status == 200
    assert referee.post(hall.path(f"/calls/{newer['call']}/returning")).code == "call_not_found"
    assert grid(hall)["calls"] == []


def test_a_side_withdraws_its_own_call_only(hall: Hall) -> None:
    made = call(hall, phone_at(hall, 1, "ns"), 1)
    path = hall.path(f"/calls/{made['call']}/withdrawal")
    assert phone_at(hall, 1, "ew").post(path).code == "call_not_found"
    assert phone_at(hall, 2).post(path).code == "call_not_found"
    assert phone_at(hall, 1, "ns", player=1).post(path).status == 200
    assert grid(hall)["calls"] == []


@pytest.mark.parametrize("name", ["x", "1-1-ns-", "1-1-xx-abc", "9-9-ns-abcdefgh", "1-1-ns-abcdefghijkl", "a-b-ns-c"])
def test_a_call_that_is_not_there(hall: Hall, name: str) -> None:
    call(hall, phone_at(hall, 1), 1)
    for act in ("taking", "closing", "returning"):
        assert hall.owner.post(hall.path(f"/calls/{name}/{act}"), {}).code == "call_not_found"


def test_a_correction_is_asked_for_a_settled_round_and_stays_with_who_asked(world: TestWorld, hall: Hall) -> None:
    phone = phone_at(hall, 2)
    for row in grid(hall)["tables"]:
        ruling = {"version": row["version"], "ns_level": "A", "ew_level": "9"}
        assert hall.owner.post(hall.path(f"/rounds/1/tables/{row['table']}/ruling"), ruling).status == 200
    hall.start_round()
    path = hall.path("/rounds/1/tables/2/calls")
    assert phone.post(path, {"kind": "call"}).code == "table_locked"
    assert phone.post(path, {"kind": "correction", "message": " "}).code == "message_missing"
    asked = phone.post(path, {"kind": "correction", "message": "应为 10 比 9"})
    assert asked.status == 201, asked.json
    mine = phone.get(hall.path("/me")).json["calls"]
    assert [(line["round"], line["kind"], line["place"]) for line in mine] == [(1, "correction", 1)]
    assert [line["message"] for line in grid(hall)["calls"]] == ["应为 10 比 9"]
    assert "应为" not in hall.owner.get(hall.path("/audit")).body.decode()


def test_only_players_of_the_table_call_and_only_while_the_event_goes_on(hall: Hall) -> None:
    assert phone_at(hall, 1).post(hall.path("/rounds/1/tables/2/calls"), {}).code == "not_your_table"
    phone = phone_at(hall, 1)
    made = call(hall, phone, 1)
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert phone.post(hall.path("/rounds/1/tables/1/calls"), {}).code == "event_ended"
    assert hall.owner.post(hall.path(f"/calls/{made['call']}/taking"), {}).code == "event_ended"
