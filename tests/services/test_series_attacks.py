"""赛事阶段 under attack: foreign hands, private stages, somebody twice, an undo or a dead job under the next one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pynamodb.exceptions import UpdateError

from chalicelib.services.registration import registering
from chalicelib.services.registration.forms import RegistrationForm
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.world import use
from chalicelib.store.jobs import STEP, Job, find_job, job_key
from infra.local.engine import Engine
from infra.local.engine.hook import plugged_in
from tests.support.calls import a_call
from tests.support.client import Browser
from tests.support.interruptions import Killed, Stage
from tests.support.people import Hall, open_hall, phone
from tests.support.series import another, arrange, enter, form, formed, order, play, preview, roster, undo
from tests.support.world import TestWorld
from tests.workers.test_series_jobs import carry_out, everything, find_phase, scenario


def test_a_private_stage_is_named_only_to_who_came_to_a_private_one(world: TestWorld) -> None:
    first = open_hall(world, name="海选")
    first.configure(registration_closed=True)
    final, show = another(first, "秘密决赛", private=True), another(first, "表演赛", private=True)
    half = another(first, "半决赛")
    assert arrange(first, [first], [half, final], [show]).status == 200
    seen = Browser().get(first.path("/series/stages")).json
    assert [[each["name"] for each in stage["events"]] for stage in seen["stages"]] == [["海选"], ["半决赛"]]
    assert final.event_id not in str(seen)
    seen = Browser().get(final.path("/series/stages")).json
    assert [len(stage["events"]) for stage in seen["stages"]] == [1, 2, 1]


def test_nobody_goes_on_into_two_events_of_a_stage(world: TestWorld, engine: Engine) -> None:
    one = open_hall(world, name="海选甲")
    one.configure(registration_closed=True, rounds=1)
    two = another(one, "海选乙")
    for hall in (one, two):
        enter(hall, 2, 100)
        play(hall)
    halves = [another(one, "上半区"), another(one, "下半区")]
    arrange(one, [one, two], halves)
    refused = preview(one, 1, count=1)
    assert refused.code == "series_twice"
    twice = refused.json["current"]
    assert [each["event_id"] for each in twice] == [one.event_id, two.event_id]
    assert "1380" not in str(refused.json)
    # One of the two declines, as the console offers.
    declined = [{"event_id": two.event_id, "number": twice[1]["number"]}]
    assert preview(one, 1, count=1, declined=declined).status == 200


def test_an_event_in_other_hands_is_not_undone_with_the_rest(world: TestWorld, engine: Engine) -> None:
    first = open_hall(world, name="报名")
    first.configure(registration_closed=True)
    enter(first, 4, 100)
    halves = [another(first, "上半区"), another(first, "下半区")]
    arrange(first, [first], halves)
    assert form(first, engine, 1, cut="all")["phase"] == "done"
    arrange(first, [first], halves[:1])
    first.administrator(phone(998))
    world.time.advance(seconds=61)  # one code a minute
    helper = halves[0].administrator(phone(998))
    refused = helper.post(first.path("/series/undoing"), {"stage": 1})
    assert (refused.status, refused.code) == (403, "series_foreign")
    assert [len(roster(hall)) for hall in halves] == [2, 2]
    assert undo(first, engine, 1)["phase"] == "done"
    assert [len(roster(hall)) for hall in halves] == [0, 0]


def test_a_batch_that_is_still_to_come_is_not_taken_for_a_registration(world: TestWorld, engine: Engine) -> None:
    one = open_hall(world, name="海选甲")
    one.configure(registration_closed=True, rounds=1)
    two, middle, final = another(one, "海选乙"), another(one, "半决赛"), another(one, "决赛")
    for place, hall in enumerate((one, two)):
        enter(hall, 2, 100 + 50 * place)
    enter(middle, 4, 300)
    play(one)
    arrange(one, [one, two], [final])
    refused = preview(one, 1, count=1)
    assert (refused.code, "“海选乙”" in refused.json["detail_zh"]) == ("series_unfinished", True)
    # Nor a stage in the middle, whoever has entered its pairs.
    arrange(one, [one], [middle], [final])
    refused = preview(one, 2, count=1)
    assert (refused.code, "“半决赛”" in refused.json["detail_zh"]) == ("series_unfinished", True)


def test_a_source_that_was_deleted_is_not_called_changed(world: TestWorld, engine: Engine) -> None:
    one = open_hall(world, name="海选甲")
    one.configure(registration_closed=True, rounds=1)
    two = another(one, "海选乙")
    for place, hall in enumerate((one, two)):
        enter(hall, 2, 100 + 50 * place)
        play(hall)
    final = another(one, "决赛")
    arrange(one, [one, two], [final])
    form(one, engine, 1, count=1)
    assert two.owner.post(two.path("/deletion"), {"deleted": True, "name": "海选乙"}).status == 200
    # Of two the first has won; that the other withdraws changes nothing, but his event is looked at anew.
    body = {"withdrawn": True, "reason": "有事"}
    assert one.owner.post(one.path("/entries/2/withdrawal"), body).status == 200
    assert formed(final)["changes"] is None


def test_a_stage_is_not_formed_while_it_is_being_undone(stages: Callable[[], Stage]) -> None:
    """The entries are hidden, their rows still there: whoever forms now would leave them, with phones, for ever."""
    hidden = writes_until_hidden(stages)
    stage = stages()
    with plugged_in(stage.engine):
        halls, job = scenario(stage, "undo")
        seen: list[str] = []

        def at_once() -> None:
            seen.append(order(halls[0], 1, cut="all").code)

        stage.executioner.call_at(hidden, at_once)
        carry_out(stage, job)
        assert seen == ["series_forming"]
        assert find_phase(job) == "done"
        assert form(halls[0], stage.engine, 1, cut="all")["phase"] == "done"
        assert [[each[0] for each in roster(hall)] for hall in halls[1:]] == [[1, 2], [1, 2]]
        assert len(everything(halls)[1]) == 8


def writes_until_hidden(stages: Callable[[], Stage]) -> int:
    """After how many writes of the undo nobody sees the entries any more."""
    for write in range(8):
        stage = stages()
        with plugged_in(stage.engine):
            halls, job = scenario(stage, "undo")
            stage.executioner.kill_at(write, after=True)
            with pytest.raises(Killed):
                carry_out(stage, job)
            stage.executioner.kill_at(None)
            if not roster(halls[1]):
                return write + 1
    raise AssertionError("never hidden")


@pytest.mark.parametrize("act", ["form", "undo"])
@pytest.mark.parametrize("how", ["failed", "forgotten"])
def test_what_a_dead_job_left_is_cleared_before_the_next_stage(stages: Callable[[], Stage], act: str, how: str) -> None:
    """A job whose steps were all lost blocks nobody for ever, and leaves no row that nobody reads."""
    probe = stages()
    with plugged_in(probe.engine):
        _, job = scenario(probe, act)
        probe.executioner.kill_at(None)
        carry_out(probe, job)
        writes = probe.executioner.writes
    left = 0
    for write in range(2, writes - 1):
        stage = stages()
        with plugged_in(stage.engine):
            halls, job = scenario(stage, act)
            stage.executioner.kill_at(write)
            with pytest.raises(Killed):
                carry_out(stage, job)
            stage.executioner.kill_at(None)
            if act == "undo" and roster(halls[1]):
                continue
            if how == "failed":
                die(job)
            else:
                stage.world.time.advance(seconds=4 * 60 * 60)
            rows = len(everything(halls)[1])
            left += rows > 4
            following = str(order(halls[0], 1, cut="all").json["job_id"])
            carry_out(stage, following)
            assert find_phase(following) == "done", write
            assert [[each[0] for each in roster(hall)] for hall in halls[1:]] == [[1, 2], [1, 2]], write
            assert len(everything(halls)[1]) == 8, write
    assert left


def die(job: str) -> None:
    """As a job ends that was refused, without having taken anything back."""
    try:
        Job(job_key(job), STEP).update(actions=[Job.phase.set("failed"), Job.wakes.set(0)])
    except UpdateError as error:
        raise AssertionError(job) from error
    assert find_job(job) is not None


def test_who_registers_while_a_stage_is_formed_stops_it(stages: Callable[[], Stage]) -> None:
    """A registration changes nothing of the event but its numbers; the stage must be what the preview showed."""
    probe = stages()
    with plugged_in(probe.engine):
        _, job = scenario(probe, "form")
        probe.executioner.kill_at(None)
        carry_out(probe, job)
        writes = probe.executioner.writes
    stage = stages()
    with plugged_in(stage.engine):
        halls, job = scenario(stage, "form")
        halls[1].configure(registration_closed=False)
        pair = RegistrationForm([PlayerView(f"选手{each}", phone(each)) for each in (901, 902)])

        def register() -> None:
            registering.register(stage.world, halls[1].event_id, "browser:a", pair, a_call("anyone"))

        stage.executioner.call_at(writes - 1, register)
        carry_out(stage, job)
        found = find_job(job)
        assert found is not None
        assert (found.phase, found.problem["code"]) == ("failed", "series_changed")
        assert [len(roster(hall)) for hall in halls[1:]] == [1, 0]
        assert len(everything(halls)[1]) == 5


def test_a_source_that_goes_on_again_stops_the_stage(stages: Callable[[], Stage]) -> None:
    """An event that was ended early is opened again right before the deciding transaction."""
    found: list[int] = []
    for at in (None, "last"):
        stage = stages()
        with plugged_in(stage.engine):
            use(stage.world)
            source = open_hall(stage.world, name="预赛")
            source.configure(registration_closed=True, rounds=2)
            enter(source, 2, 300)
            play(source, 1)
            assert source.owner.post(source.path("/ending"), {"ended": True}).status == 200
            final = another(source, "决赛")
            arrange(source, [source], [final])
            job = order(source, 1, count=1).json["job_id"]

            def resume(hall: Hall = source) -> None:
                assert hall.owner.post(hall.path("/ending"), {"ended": False}).status == 200

            if at is None:
                stage.executioner.kill_at(None)
                carry_out(stage, job)
                found.append(stage.executioner.writes)
                assert len(roster(final)) == 1
            else:
                stage.executioner.call_at(found[0] - 1, resume)
                carry_out(stage, job)
                assert find_phase(job) == "failed"
                assert roster(final) == []
