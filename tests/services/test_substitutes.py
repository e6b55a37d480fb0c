"""换人: who comes in plays from the first round not begun yet; who left loses the phones; all of it can be undone."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest
from openpyxl import load_workbook

from chalicelib.rules.document import parse
from chalicelib.rules.replay import replay
from chalicelib.rules.standings import standings, to_json
from chalicelib.services import (
    audit_lines,
    check_in,
    devices,
    documents,
    entries,
    players,
    scoring,
    searches,
    substitutes,
    workbooks,
)
from chalicelib.services.device_tokens import DeviceToken
from chalicelib.services.place_phones import MOST_AT_ONCE
from chalicelib.services.privacy import encrypting, persons, purge
from chalicelib.services.substitutes import Substitute
from chalicelib.services.views.entries import EntryView, PlayerView
from chalicelib.services.views.scoring import Score
from chalicelib.services.views.substitutes import SubstitutionView
from chalicelib.store.entries import Device
from chalicelib.store.events import find_event
from tests.support.hall import ORGANIZER, Hall
from tests.support.kinds import Way, confirm, open_way, rule, tables_of
from tests.support.refusals import refused, refused_as
from tests.support.world import TestWorld

PHONE = "13800138009"
DIGITS = "294857301846"


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four pairs; 选手0011 and 选手0012 are entry 1."""
    return open_way(world, Way("pairs", 4))


def entry(hall: Hall, number: int = 1, digits: str = "") -> EntryView:
    found = entries.roster(hall.world, hall.event_id, digits).entries
    return next(each for each in found if each.number == number)


def put_in(
    hall: Hall,
    name: str = "丙",
    number: int = 1,
    player: int = 0,
    phone: str = "",
    leaves: str = "",
    reason: str = "伤病",
) -> SubstitutionView:
    wanted = Substitute(player, leaves or person(hall, number, player), name, phone, reason)
    key = hall.keys.fresh(status=201)
    return substitutes.substitute(hall.world, hall.event_id, number, wanted, "referee", key)


def person(hall: Hall, number: int = 1, player: int = 0) -> str:
    """Who plays there now, by the opaque id."""
    return substitutes.listed(hall.world, hall.event_id, number).players[player].person


def take_back(hall: Hall, made: SubstitutionView) -> SubstitutionView:
    return substitutes.take_back(hall.world, hall.event_id, made.entry, made.id, "记错", "referee", hall.keys.fresh())


def live(hall: Hall, device: DeviceToken) -> bool:
    listed = devices.listed(hall.world, hall.event_id, device.number).devices
    return next(each.revoked_at is None for each in listed if each.device_id == device.device_id)


def test_before_the_first_round_a_substitute_plays_from_it(hall: Hall) -> None:
    made = put_in(hall)
    assert (made.round, made.gone, made.came, made.reason) == (1, "选手0011", "丙", "伤病")
    assert [player.name for player in entry(hall).players] == ["丙", "选手0012"]


def test_a_published_table_that_nobody_touched_is_played_by_the_substitute(hall: Hall) -> None:
    hall.play(1)
    assert put_in(hall).round == 1
    seated = next(side for table in tables_of(hall, 1) for side in (table.ns, table.ew) if side.number == 1)
    assert seated.players[0] == "丙"
    files = [hall.world.files.get(key) for key in hall.world.files.list_prefix(f"pub/{hall.event_id}/pairings/")]
    pairings = b"".join(file.body for file in files if file is not None).decode()
    assert "丙" in pairings
    assert "选手0011" not in pairings


def test_a_table_under_way_is_finished_by_those_who_began_it(hall: Hall) -> None:
    hall.configure(double_submission=True)
    hall.play(1)
    table = next(table for table in tables_of(hall, 1) if 1 in (table.ns.number, table.ew.number))
    hall.submit(1, table.table, "ns", "A", "9")
    refusal = refused(put_in, hall)
    assert (refusal.code, refusal.words) == ("table_under_way", {"round": 1, "table": table.table})
    assert substitutes.listed(hall.world, hall.event_id, 1).why_not == "table_under_way"
    rule(hall, table, Score("played", "A", "9"))
    assert put_in(hall).round == 2


def test_who_left_loses_the_phone_and_who_came_finds_themselves(hall: Hall) -> None:
    gone, partner = hall.device(1, 0), hall.device(1, 1)
    put_in(hall, phone=PHONE)
    refused_as("identify_first", players.me, hall.world, hall.event_id, gone, "")
    assert players.me(hall.world, hall.event_id, partner, "").entry.players == ["丙", "选手0012"]
    for text in ("丙", PHONE):
        found = searches.find(hall.world, hall.event_id, text, "browser").candidates
        assert [(one.number, one.player) for one in found] == [(1, 0)]
    refused_as("nobody_found", searches.find, hall.world, hall.event_id, "选手0011", "browser")


def test_taken_back_everything_is_as_it_was(hall: Hall) -> None:
    before = entries.change(
        hall.world,
        hall.event_id,
        1,
        entries.TypedEntry("", "", [PlayerView("选手0011", "13800138001"), PlayerView("选手0012", "")]),
        1,
        ORGANIZER,
        hall.keys.fresh(),
    )
    device = hall.device(1, 0)
    made = put_in(hall, phone=PHONE)
    _, token = devices.identify(hall.world, hall.event_id, 1, 0, "丙", "手机", "browser")
    newcomer = devices.read_token(hall.world, hall.event_id, token)
    assert newcomer is not None
    assert not live(hall, device)
    take_back(hall, made)
    assert not live(hall, newcomer)
    assert entry(hall).players == before.players
    assert live(hall, device)
    assert [one.number for one in searches.find(hall.world, hall.event_id, "13800138001", "b").candidates] == [1]
    refused_as("substitution_not_found", take_back, hall, made)
    assert substitutes.listed(hall.world, hall.event_id, 1).substitutions == []


def test_only_the_newest_of_a_place_is_taken_back(hall: Hall) -> None:
    first, second = put_in(hall), put_in(hall, "丁")
    refused_as("substitution_not_found", take_back, hall, first)
    take_back(hall, second)
    assert entry(hall).players[0].name == "丙"
    take_back(hall, first)
    assert entry(hall).players[0].name == "选手0011"


def test_what_cannot_be(hall: Hall) -> None:
    refused_as("reason_missing", put_in, hall, reason=" ")
    refused_as("stale_version", put_in, hall, leaves="别人")
    refused_as("stale_version", put_in, hall, player=1, leaves=person(hall))
    put_in(hall, phone=PHONE)
    refusal = refused(put_in, hall, "丁", 2, 0, PHONE)
    assert (refusal.code, refusal.field) == ("phone_taken", "phone")
    assert entry(hall, 2).players[0].name == "选手0021"
    refusal = refused(put_in, hall, "丁", 1, 1, PHONE)
    assert (refusal.code, refusal.field) == ("phone_twice", "phone")
    assert refused(put_in, hall, "丁", 2, 0, "138").field == "phone"
    entries.withdraw(hall.world, hall.event_id, 3, True, "", ORGANIZER, hall.keys.fresh())
    refused_as("entry_withdrawn", put_in, hall, number=3)
    refused_as("entry_not_found", substitutes.listed, hall.world, hall.event_id, 9)


def test_a_single_person_hands_over_number_and_points(world: TestWorld) -> None:
    hall = open_way(world, Way("individual", 4, 1))
    put_in(hall)
    assert [player.name for player in entry(hall).players] == ["丙"]


def test_history_log_and_files_tell_of_it_and_the_replay_is_the_same(hall: Hall) -> None:
    def then() -> None:
        hall.world.time.advance(seconds=1)

    then()
    hall.draw()
    then()
    hall.publish(1)
    hall.command("start")
    for table in tables_of(hall, 1):
        then()
        confirm(hall, table)
    then()
    made = put_in(hall)
    table = next(table for table in tables_of(hall, 1) if 1 in (table.ns.number, table.ew.number))
    told = scoring.history(hall.world, hall.event_id, 1, table.table).substitutions
    assert [(one.id, one.round, one.gone, one.came) for one in told] == [(made.id, 2, "选手0011", "丙")]
    log, *_ = audit_lines.download(hall.event_id)
    text = log.decode() if not log.startswith(b"\x1f\x8b") else gzip.decompress(log).decode()
    assert '"entry.substitute"' in text
    assert "伤病" in text
    assert "选手0011" not in text
    document = parse(documents.export(hall.world, hall.event_id)[0])
    assert [player.name for player in document.entries[0].players] == ["丙", "选手0012"]
    assert to_json(standings(replay(log))) == to_json(standings(document))
    for name in ("entries", "workbook"):
        body, _ = workbooks.download(hall.world, hall.event_id, name, "zh")
        rows = list(load_workbook(BytesIO(body))["换人"].iter_rows(values_only=True))
        assert rows[-1][:7] == (1, "丙/选手0012", 2, "选手0011", "丙", "伤病", "裁判")


def test_names_of_an_encrypted_event_are_sealed_without_digits(hall: Hall) -> None:
    encrypting.switch_on(hall.world, hall.event_id, DIGITS, ORGANIZER, hall.keys.fresh())
    made = put_in(hall, phone=PHONE)
    assert made.came == "丙"
    listed = substitutes.listed(hall.world, hall.event_id, 1)
    assert [one.name for one in listed.players] == ["#1-1", "#1-2"]
    assert [(one.gone, one.came) for one in listed.substitutions] == [("#1-1", "#1-1")]
    opened = substitutes.listed(hall.world, hall.event_id, 1, DIGITS)
    assert [(one.gone, one.came) for one in opened.substitutions] == [("选手0011", "丙")]
    assert entry(hall, 1, DIGITS).players[0] == PlayerView("丙", PHONE)
    assert [one.number for one in searches.find(hall.world, hall.event_id, PHONE, "b").candidates] == [1]
    take_back(hall, made)
    assert entry(hall, 1, DIGITS).players[0].name == "选手0011"


def test_two_referees_at_the_same_place_of_an_encrypted_event(hall: Hall) -> None:
    encrypting.switch_on(hall.world, hall.event_id, DIGITS, ORGANIZER, hall.keys.fresh())
    seen = person(hall)
    put_in(hall, "丙", leaves=seen)
    refusal = refused(put_in, hall, "丁", leaves=seen)
    assert refusal.code == "stale_version"
    assert refusal.current["players"][0]["person"] == person(hall)
    assert entry(hall, 1, DIGITS).players[0].name == "丙"


def test_of_two_players_with_one_name_the_one_who_was_meant_goes(hall: Hall) -> None:
    put_in(hall, "选手0012")
    meant = person(hall, 1, 1)
    refused_as("stale_version", put_in, hall, player=0, leaves=meant)
    put_in(hall, "丙", player=1, leaves=meant)
    assert [player.name for player in entry(hall).players] == ["选手0012", "丙"]


def test_however_many_phones_spoke_for_who_left_none_does_any_more(hall: Hall) -> None:
    for place in range(MOST_AT_ONCE + 5):
        device = DeviceToken(hall.event_id, 1, 0, f"phone-00001-{place:02d}")
        _, pk, sk = device.keys
        Device(pk, sk, number=1, player=0, created_at=hall.world.now() + place).save()
    made = put_in(hall)
    assert all(one.revoked_at is not None for one in devices.listed(hall.world, hall.event_id, 1).devices)
    take_back(hall, made)
    back = [one for one in devices.listed(hall.world, hall.event_id, 1).devices if one.revoked_at is None]
    assert len(back) == MOST_AT_ONCE


def test_a_phone_put_away_since_or_gone_does_not_come_back(hall: Hall) -> None:
    kept, away = hall.device(1, 0), DeviceToken(hall.event_id, 1, 0, "phone-put-away")
    gone = DeviceToken(hall.event_id, 1, 0, "phone-that-is-gone")
    for device in (away, gone):
        _, pk, sk = device.keys
        Device(pk, sk, number=1, player=0, created_at=hall.world.now()).save()
    made = put_in(hall)
    hall.world.time.advance(minutes=1)
    devices.forget(hall.world, hall.event_id, away)
    _, pk, sk = gone.keys
    Device(pk, sk).delete()
    take_back(hall, made)
    assert live(hall, kept)
    assert not live(hall, away)


def test_an_entry_called_after_who_left_is_so_again_when_it_is_taken_back(hall: Hall) -> None:
    before = entries.TypedEntry("选手0011", "", [PlayerView("选手0011", ""), PlayerView("选手0012", "")])
    entries.change(hall.world, hall.event_id, 1, before, 1, ORGANIZER, hall.keys.fresh())
    made = put_in(hall)
    assert entry(hall).name == ""
    take_back(hall, made)
    assert entry(hall).name == "选手0011"


def test_who_came_is_told_rightly_after_a_spelling_and_another_substitution(hall: Hall) -> None:
    put_in(hall, "丙")
    now = entry(hall)
    spelled = entries.TypedEntry(now.name, now.club, [PlayerView("饼", ""), now.players[1]])
    entries.change(hall.world, hall.event_id, 1, spelled, now.version, ORGANIZER, hall.keys.fresh())
    put_in(hall, "丁")
    told = substitutes.listed(hall.world, hall.event_id, 1).substitutions
    assert [(one.gone, one.came) for one in told] == [("选手0011", "饼"), ("饼", "丁")]


def test_who_left_is_sealed_when_the_event_is_encrypted_later(hall: Hall) -> None:
    put_in(hall)
    encrypting.switch_on(hall.world, hall.event_id, DIGITS, ORGANIZER, hall.keys.fresh())
    assert "选手0011" not in str(substitutes.listed(hall.world, hall.event_id, 1))
    assert substitutes.listed(hall.world, hall.event_id, 1, DIGITS).substitutions[0].gone == "选手0011"


def test_who_left_is_exported_erased_and_purged_like_any_person(hall: Hall) -> None:
    device = hall.device(1, 0)
    made = put_in(hall)
    body, _ = persons.export(hall.world, hall.event_id, 1, made.person, "")
    assert "选手0011" in body.decode()
    assert device.device_id in body.decode()
    persons.erase(hall.world, hall.event_id, 1, made.person, ORGANIZER, hall.keys.fresh())
    told = substitutes.listed(hall.world, hall.event_id, 1).substitutions[0]
    assert (told.gone, told.came) == ("#1-1", "丙")
    assert devices.listed(hall.world, hall.event_id, 1).devices == []
    put_in(hall, "丁")
    header = find_event(hall.event_id)
    assert header is not None
    purge.purge(hall.world, header)
    purged = substitutes.listed(hall.world, hall.event_id, 1).substitutions
    assert {one.gone for one in purged} == {"#1-1"}
    assert {one.came for one in purged} == {"#1-1"}


def test_a_checked_in_entry_stays_so(hall: Hall) -> None:
    check_in.at_desk(hall.world, hall.event_id, 1, True, "desk", hall.keys.fresh())
    put_in(hall)
    assert entry(hall).checked_in_at is not None
