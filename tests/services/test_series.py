"""赛事阶段: a series from the first batch to the final, with cuts, ties, withdrawals, refusals and its undo."""

from __future__ import annotations

import pytest

from chalicelib.rules.document import parse
from chalicelib.rules.replay import replay
from chalicelib.services import audit_lines, documents, standings
from chalicelib.services.erasing import erase_due
from chalicelib.store.linked_events import LINKED, LinkedSet
from chalicelib.store.series import find_formed, find_series
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import OWNER_PHONE, Hall, open_hall, phone, sign_in
from tests.support.series import (
    another,
    arrange,
    enter,
    form,
    formed,
    halls,
    order,
    play,
    preview,
    roster,
    series,
    undo,
)
from tests.support.world import TestWorld


@pytest.fixture
def stages(world: TestWorld) -> list[Hall]:
    """Two batches of eight pairs that were played, and three stages behind them."""
    found = halls(world, open_hall(world, name="海选甲"))
    enter(found[0], 8, 100, clubs=4)
    enter(found[1], 8, 200, clubs=4)
    play(found[0])
    play(found[1])
    reply = arrange(found[0], found[:2], *([each] for each in found[2:]))
    assert reply.status == 200, reply.json
    return found


def names(hall: Hall) -> list[str]:
    return [each[4][0] for each in roster(hall)]


def test_an_open_event_is_played_from_two_batches_to_the_final(stages: list[Hall], engine: Engine) -> None:
    one, two, groups, knockout, final = stages
    assert form(one, engine, 1, count=4, groups=2)["phase"] == "done"
    found = roster(groups)
    assert [each[:2] for each in found] == [(number, number) for number in range(1, 9)]
    assert sorted(each[2] for each in found) == ["A"] * 4 + ["B"] * 4
    source = {each[4]: each[3:] for hall in (one, two) for each in roster(hall)}
    assert all(source[each[4]] == each[3:] for each in found)
    assert groups.owner.get(groups.path()).json["entries"] == 8
    play(groups)
    assert form(one, engine, 2, count=2)["phase"] == "done"
    play(knockout)
    assert form(final, engine, 3, count=2)["phase"] == "done"
    play(final)
    assert len(roster(final)) == 2
    states = [[each["state"] for each in stage["events"]] for stage in series(two)["stages"]]
    assert states == [["finished"] * 2, ["finished"], ["finished"], ["finished"]]
    for hall in stages:
        Pump(engine).run()
        assert standings.compare(hall.world, hall.event_id).equal
        whole = parse(documents.export(hall.world, hall.event_id)[0])
        log, _, _ = audit_lines.download(hall.event_id)
        replayed = replay(log)
        assert [(each.number, each.seed, each.group) for each in replayed.entries] == [
            (each.number, each.seed, each.group) for each in whole.entries
        ]


def test_a_stage_goes_out_as_a_document_and_comes_back(stages: list[Hall], engine: Engine) -> None:
    form(stages[0], engine, 1, count=4, groups=2)
    groups = stages[2]
    document = groups.owner.get(groups.path("/document")).body
    ticket = groups.owner.post("/event-documents/uploads").json
    groups.world.files.put(ticket["key"], document, "application/json", "no-store")
    job = groups.owner.post("/event-documents/jobs", {"key": ticket["key"]}).json["job_id"]
    Pump(engine).run()
    made = groups.owner.get(f"/event-documents/jobs/{job}").json
    back = Hall(groups.world, groups.owner, made["event_id"])
    assert [each[:5] for each in roster(back)] == [each[:5] for each in roster(groups)]


def test_one_code_leads_to_the_stage_somebody_plays_now(stages: list[Hall], engine: Engine) -> None:
    form(stages[0], engine, 1, count=4)
    first = roster(stages[2])[0]
    for hall in stages:
        found = Browser(speaks_as="player").post(hall.path("/searches"), {"text": first[5][0]})
        assert found.json["candidates"][0]["event_name"] == "小组赛"
    reply = Browser().get(stages[0].path("/series/stages")).json
    assert [[each["name"] for each in stage["events"]] for stage in reply["stages"]] == [
        ["海选甲", "海选乙"],
        ["小组赛"],
        ["淘汰赛"],
        ["决赛"],
    ]
    assert "phone" not in str(reply)


def test_who_withdrew_is_passed_over_and_the_next_moves_up(stages: list[Hall], engine: Engine) -> None:
    one = stages[0]
    before = preview(one, 1, count=2).json
    gone = before["lines"][0]
    assert gone["event_id"] == one.event_id
    body = {"withdrawn": True, "reason": "有事"}
    assert one.owner.post(one.path(f"/entries/{gone['number']}/withdrawal"), body).status == 200
    shown = preview(one, 1, count=2).json
    assert [each["number"] for each in shown["passed_over"]] == [gone["number"]]
    assert len(shown["lines"]) == 4
    assert [each["moved_up"] for each in shown["lines"] if each["event_id"] == one.event_id] == [False, True]
    declined = [{"event_id": one.event_id, "number": shown["lines"][0]["number"]}]
    assert preview(one, 1, count=2, declined=declined).json["lines"][0]["number"] != shown["lines"][0]["number"]
    # What was agreed to before is not what would be formed now.
    late = {"stage": 1, "plan": {"count": 2}, "fingerprint": before["fingerprint"]}
    assert one.owner.post(one.path("/series/formations"), late).code == "series_changed"


def test_a_tie_at_the_cut_is_decided_by_the_organizer(world: TestWorld, engine: Engine) -> None:
    first = open_hall(world, name="预赛")
    first.configure(registration_closed=True, rounds=1, criteria=["match_points"])
    enter(first, 4, 100)
    play(first, drawn=True)
    final = another(first, "决赛")
    arrange(first, [first], [final])
    shown = preview(first, 1, count=2).json
    assert (shown["undecided"], shown["lines"]) == (1, [])
    (tie,) = shown["ties"]
    assert (tie["places_left"], len(tie["entries"]), tie["rank"]) == (2, 4, 1)
    assert order(first, 1, count=2).code == "series_undecided"
    chosen = [{"event_id": first.event_id, "number": each["number"]} for each in tie["entries"][1:3]]
    assert form(first, engine, 1, count=2, chosen=chosen)["phase"] == "done"
    assert sorted(names(final)) == sorted(each["name"].split(" / ")[0] for each in tie["entries"][1:3])


def test_registrants_are_dealt_to_batches_by_lot_with_clubs_spread(world: TestWorld, engine: Engine) -> None:
    desk = open_hall(world, name="报名")
    desk.configure(registration_closed=True)
    enter(desk, 9, 100, clubs=3)
    batches = [another(desk, f"第{place}批") for place in (1, 2, 3)]
    arrange(desk, [desk], batches)
    assert form(desk, engine, 1, cut="all", method="lot")["phase"] == "done"
    assert [len(roster(batch)) for batch in batches] == [3, 3, 3]
    assert [sorted({each[3] for each in roster(batch)}) for batch in batches] == [["团体0", "团体1", "团体2"]] * 3
    assert sorted(name for batch in batches for name in names(batch)) == sorted(names(desk))
    # Nothing was played, so nobody has a seed; the numbers begin at 1 in each.
    assert [[each[:2] for each in roster(batch)] for batch in batches] == [[(1, None), (2, None), (3, None)]] * 3
    assert all(formed(batch)["count"] == 3 for batch in batches)
    assert undo(desk, engine, 1)["phase"] == "done"
    assert [roster(batch) for batch in batches] == [[], [], []]


def test_a_stage_is_taken_back_and_formed_again_until_a_round_is_drawn(stages: list[Hall], engine: Engine) -> None:
    one, groups = stages[0], stages[2]
    form(one, engine, 1, count=4, groups=2)
    whole = roster(groups)
    assert preview(one, 1, count=4, groups=2).code == "series_not_empty"
    # Whatever was done to the entries goes with them: a new name, a check-in, a phone that identified.
    entry = groups.owner.get(groups.path("/entries")).json["entries"][0]
    players = [{"name": "改名", "phone": phone(900)}, entry["players"][1]]
    body = {**{key: entry[key] for key in ("name", "club", "seed", "version")}, "players": players}
    assert groups.owner.put(groups.path("/entries/1"), body).status == 200
    assert groups.owner.put(groups.path("/entries/2/check-in"), {"checked_in": True}).status == 200
    phone_of_one = groups.player(1)
    assert undo(one, engine, 1)["phase"] == "done"
    assert roster(groups) == []
    frame = groups.owner.get(groups.path()).json
    assert (frame["entries"], frame["checked_in"]) == (0, 0)
    assert formed(groups)["state"] == "undone"
    assert phone_of_one.get(groups.path("/me")).status == 401
    assert one.owner.post(one.path("/series/undoing"), {"stage": 1}).code == "series_not_formed"
    form(one, engine, 1, count=4, groups=2)
    assert roster(groups) == whole
    assert groups.owner.get(groups.path()).json["entries"] == 8
    play(groups, count=1)
    assert one.owner.post(one.path("/series/undoing"), {"stage": 1}).code == "series_drawn"


def test_what_changes_in_a_source_afterwards_is_said(stages: list[Hall], engine: Engine) -> None:
    one, groups = stages[0], stages[2]
    form(one, engine, 1, count=2)
    assert formed(groups)["changes"] is None
    number = preview_line(one)
    last = one.owner.get(one.path()).json["last_round"]
    assert one.owner.post(one.path(f"/rounds/{last}/reopening"), {"reason": "漏记"}).status == 200
    assert formed(groups)["changes"] == {"unfinished": True, "gone": [], "come": [], "moved": 0}
    version = one.owner.get(one.path(f"/rounds/{last}")).json["version"]
    one.owner.post(one.path(f"/rounds/{last}/settlement"), {"version": version})
    one.owner.post(one.path(f"/entries/{number}/withdrawal"), {"withdrawn": True, "reason": "有事"})
    changes = formed(groups)["changes"]
    assert changes["unfinished"] is False
    assert [each["number"] for each in changes["gone"]] == [number]
    assert len(changes["come"]) == 1


def preview_line(hall: Hall) -> int:
    """The best of the first batch."""
    rows = standings.read(hall.world, hall.event_id).rows
    return rows[0].number if rows else 1


@pytest.mark.parametrize(
    ("act", "code"),
    [("unfinished", "series_unfinished"), ("frozen", "series_frozen"), ("registration", "series_registration_open")],
)
def test_a_stage_that_is_not_ready_says_why(world: TestWorld, act: str, code: str) -> None:
    first = open_hall(world, name="预赛")
    first.configure(registration_closed=act != "registration", rounds=2)
    enter(first, 4, 100)
    if act != "registration":
        play(first, count=1 if act == "unfinished" else 2)
    if act == "frozen":
        body = {"version": first.version(), "round": 2}
        assert first.owner.put(first.path("/freeze"), body).status == 200
    final = another(first, "决赛")
    arrange(first, [first], [final])
    refused = preview(first, 1, count=2)
    assert (refused.status, refused.code) == (409, code)
    assert "“预赛”" in refused.json["detail_zh"]
    if act == "unfinished":
        assert first.owner.post(first.path("/ending"), {"ended": True}).status == 200
        assert preview(first, 1, count=2).status == 200


def test_targets_refuse_what_they_cannot_take(stages: list[Hall], engine: Engine) -> None:
    one, two, groups, knockout, _ = stages
    assert preview(one, 9, count=1).code == "series_no_stage"
    assert preview(one, 1, count=2, groups=3).code == "groups_too_many"
    enter(groups, 1, 700)
    assert preview(one, 1, count=2).code == "series_not_empty"
    team = another(one, "团体赛", "team_of_four", boards_per_round=4)
    arrange(one, [one, two], [team])
    assert preview(one, 1, count=2).code == "series_players"
    arrange(one, [one, two], [knockout])
    assert preview(one, 1, count=2, groups=2).code == "setting_not_offered"


def test_names_that_are_sealed_or_gone_are_copied_nowhere(stages: list[Hall]) -> None:
    one, _, groups, *_ = stages
    sealed = {"x-guanjun-new-digits": "739105826417"}
    assert groups.owner.post(groups.path("/encryption"), {}, headers=sealed).status == 200
    refused = preview(one, 1, count=2)
    assert (refused.status, refused.code, "“小组赛”" in refused.json["detail_zh"]) == (409, "series_encrypted", True)
    assert one.owner.post(one.path("/encryption"), {}, headers=sealed).status == 200
    arrange(one, stages[:2], [stages[3]])
    assert "“海选甲”" in preview(one, 1, count=2).json["detail_zh"]


def test_the_same_request_forms_one_stage(stages: list[Hall], engine: Engine) -> None:
    one = stages[0]
    shown = preview(one, 1, count=2).json
    body = {"stage": 1, "plan": {"count": 2}, "fingerprint": shown["fingerprint"]}
    first = one.owner.post(one.path("/series/formations"), body, key="the-one-key-1")
    second = one.owner.post(one.path("/series/formations"), body, key="the-one-key-1")
    assert first.json == second.json
    rival = one.owner.post(one.path("/series/formations"), body)
    Pump(engine).run()
    third = one.owner.post(one.path("/series/formations"), body, key="the-one-key-1")
    assert third.json == first.json
    assert len(roster(stages[2])) == 4
    lost = one.owner.get(one.path(f"/series/jobs/{rival.json['job_id']}")).json
    assert (lost["phase"], lost["problem"]["code"]) == ("failed", "series_not_empty")


def test_only_who_runs_all_of_them_arranges_or_forms(world: TestWorld, stages: list[Hall], engine: Engine) -> None:
    one = stages[0]
    foreign = open_hall(world, phone(999), name="别人的")
    assert arrange(one, stages[:2], [foreign]).code == "series_foreign"
    assert foreign.owner.get(foreign.path("/series")).json["stages"] == []
    helper = one.administrator(phone(998))
    assert helper.get(one.path("/series")).json["stages"][1]["events"][0]["mine"] is False
    assert preview(one, 1, helper, count=2).code == "series_foreign"
    body = {"name": "公开赛", "stages": [], "token": series(one)["token"]}
    assert helper.put(one.path("/series"), body).code == "series_foreign"
    other = another(one, "另一场")
    arrange(other, [other])
    assert arrange(one, [one], [other]).code == "series_elsewhere"
    assert arrange(one, [one], [one]).code == "bad_value"
    stale = one.owner.put(one.path("/series"), {"name": "公开赛", "stages": [], "token": "old"})
    assert stale.code == "stale_version"


def test_a_series_shares_one_code_and_lets_go(stages: list[Hall]) -> None:
    one, two, groups, knockout, final = stages
    linked = [each["name"] for each in one.owner.get(one.path("/linked-events")).json["events"]]
    assert sorted(linked) == sorted(["海选乙", "小组赛", "淘汰赛", "决赛"])
    arrange(one, [one, two], [groups], [knockout])
    assert series(final)["stages"] == []
    assert final.owner.get(final.path("/linked-events")).json["events"] == []
    # A deleted event drops out; it comes back with its place.
    body = {"deleted": True, "name": "小组赛"}
    assert groups.owner.post(groups.path("/deletion"), body).status == 200
    assert [len(stage["events"]) for stage in series(one)["stages"]] == [2, 0, 1]
    assert preview(one, 1, count=2).code == "series_no_stage"
    assert groups.owner.post(groups.path("/deletion"), {"deleted": False}).status == 200
    assert [len(stage["events"]) for stage in series(one)["stages"]] == [2, 1, 1]
    one.owner.put(one.path("/series"), {"name": "公开赛", "stages": [], "token": series(one)["token"]})
    assert [series(hall)["stages"] for hall in stages] == [[]] * 5


def test_an_erased_stage_leaves_the_series_whole(world: TestWorld, stages: list[Hall], engine: Engine) -> None:
    one, _, groups, knockout, _ = stages
    form(one, engine, 1, count=2)
    person = roster(groups)[0][5][0]
    assert groups.owner.post(groups.path("/deletion"), {"deleted": True, "name": "小组赛"}).status == 200
    world.time.advance(days=31)
    assert erase_due(world) == 1
    assert (find_series(groups.event_id), find_formed(groups.event_id)) == (None, None)
    one.owner = knockout.owner = sign_in(world, OWNER_PHONE)
    assert [len(stage["events"]) for stage in series(one)["stages"]] == [2, 0, 1, 1]
    assert [len(stage["events"]) for stage in one.owner.get(one.path("/series/stages")).json["stages"]] == [2, 0, 1, 1]
    assert arrange(one, stages[:2], [knockout]).status == 200
    assert find_linked(groups.event_id) is None
    assert [len(stage["events"]) for stage in series(knockout)["stages"]] == [2, 1]
    found = Browser(speaks_as="player").post(one.path("/searches"), {"text": person})
    assert {each["event_name"] for each in found.json["candidates"]} <= {"海选甲", "海选乙"}


def find_linked(event_id: str) -> LinkedSet | None:
    try:
        return LinkedSet.get(event_id, LINKED)
    except LinkedSet.DoesNotExist:
        return None
