"""Both sides' words: states, versions, time limits, retries; three requests to the store for each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from chalicelib.services import players, scoring, submissions
from chalicelib.services.device_tokens import DeviceToken
from chalicelib.services.once import AlreadyDone
from chalicelib.services.problems import Problem
from chalicelib.services.views.scoring import Score
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.entries import Device
from infra.local.engine import Engine
from tests.support.hall import Hall, Keys, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld

MINUTE = 60_000


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four pairs playing round 1 for 40 minutes."""
    hall = open_hall(world, 4, minutes_per_round=40)
    hall.play(1)
    return hall


class TestStates:
    def test_two_equal_words_confirm(self, hall: Hall) -> None:
        first = hall.submit(1, 1, "ns", "A", "9")
        assert (first.state, first.result) == ("one_sided", None)
        second = hall.submit(1, 1, "ew", "A", "9")
        assert (second.state, second.result) == ("confirmed", Score("played", "A", "9"))
        assert hall.table(1, 1) == second

    def test_two_different_words_are_a_dispute_until_one_gives_in(self, hall: Hall) -> None:
        hall.submit(1, 1, "ns", "A", "9")
        disputed = hall.submit(1, 1, "ew", "A", "10")
        assert (disputed.state, disputed.result) == ("disputed", None)
        assert disputed.word_ns is not None
        assert disputed.word_ew is not None
        assert (disputed.word_ns.score.ew_level, disputed.word_ew.score.ew_level) == ("9", "10")
        corrected = hall.submit(1, 1, "ns", "A", "10")
        assert corrected.state == "confirmed"
        assert corrected.word_ns is not None
        assert corrected.word_ns.version == 2

    def test_partners_are_one_side(self, hall: Hall) -> None:
        hall.submit(1, 1, "ns", "A", "9")
        partner = DeviceToken(hall.event_id, hall.table(1, 1).ns.number, 1, "the-partners-phone")
        _, pk, sk = partner.keys
        Device(pk, sk, number=partner.number, player=1, created_at=0).save()
        again = submissions.submit(
            hall.world,
            hall.event_id,
            1,
            1,
            partner,
            Score("played", "A", "9"),
            1,
            hall.world.now(),
            hall.keys.fresh("p", 201),
        )
        assert again.state == "one_sided"

    def test_with_single_submission_the_first_word_counts_and_the_other_side_may_object(self, hall: Hall) -> None:
        hall.configure(double_submission=False)
        assert hall.submit(1, 1, "ns", "A", "9").state == "confirmed"
        assert hall.submit(1, 1, "ew", "A", "10").state == "disputed"

    def test_nothing_said_is_ever_lost(self, hall: Hall) -> None:
        for level in ("9", "10", "J"):
            hall.submit(1, 1, "ns", "A", level)
            hall.world.time.advance(seconds=1)
        hall.rule(1, 1, "A", "K", "核对记分纸")
        lines = scoring.history(hall.world, hall.event_id, 1, 1).lines
        assert [(line.act, line.score.ew_level) for line in lines] == [
            ("word", "9"),
            ("word", "10"),
            ("word", "J"),
            ("ruling", "K"),
        ]
        acts = [entry for entry in audit_entries(hall.event_id) if entry.action == "table.submit"]
        assert [entry.details["values"]["ew_level"] for entry in acts] == [7, 8, 9]


class TestRefusals:
    @pytest.mark.parametrize(
        ("levels", "code"), [(("A+", "A+"), "levels_impossible"), (("1", "9"), "bad_value"), (("9", ""), "bad_value")]
    )
    def test_impossible_levels(self, hall: Hall, levels: tuple[str, str], code: str) -> None:
        assert refused(hall.submit, 1, 1, "ns", *levels).code == code

    def test_another_table(self, hall: Hall) -> None:
        stranger = hall.device(hall.table(1, 2).ns.number)
        problem = refused(self.submit_as, hall, stranger)
        assert problem.code == "not_your_table"

    def test_a_revoked_device(self, hall: Hall) -> None:
        device = hall.device(hall.table(1, 1).ns.number)
        _, pk, sk = device.keys
        Device(pk, sk).update([Device.revoked_at.set(1)])
        assert refused(self.submit_as, hall, device).code == "identify_first"

    def test_a_table_or_round_that_is_not_there(self, hall: Hall) -> None:
        device = hall.device(1)
        assert refused(self.submit_as, hall, device, table=9).code == "table_not_found"
        assert refused(self.submit_as, hall, device, number=2).code == "round_not_found"

    def test_a_ruling_stands_above_both_sides(self, hall: Hall) -> None:
        hall.rule(1, 1, "A", "9")
        assert refused(hall.submit, 1, 1, "ns", "A", "10").code == "table_ruled"

    @staticmethod
    def submit_as(hall: Hall, device: DeviceToken, number: int = 1, table: int = 1) -> Any:
        return submissions.submit(
            hall.world,
            hall.event_id,
            number,
            table,
            device,
            Score("played", "A", "9"),
            0,
            hall.world.now(),
            hall.keys.fresh("d", 201),
        )


class TestTime:
    def test_before_the_start(self, world: TestWorld) -> None:
        hall = open_hall(world, 2, minutes_per_round=40)
        hall.draw()
        hall.publish(1)
        assert refused(hall.submit, 1, 1, "ns", "A", "9").code == "not_started"
        hall.command("start", starts_in=60)
        assert refused(hall.submit, 1, 1, "ns", "A", "9").code == "not_started"
        world.time.advance(seconds=60)
        assert hall.submit(1, 1, "ns", "A", "9").state == "one_sided"

    def test_tapped_in_time_but_late_on_the_way(self, hall: Hall) -> None:
        end = hall.world.now() + 40 * MINUTE
        hall.world.time.advance(minutes=50)
        word = hall.submit(1, 1, "ns", "A", "9", tapped_at=end).word_ns
        assert word is not None
        assert word.late
        assert refused(hall.submit, 1, 1, "ew", "A", "9", tapped_at=end + 1).code == "round_closed"
        hall.world.time.advance(seconds=1)
        assert refused(hall.submit, 1, 1, "ew", "A", "9", tapped_at=end).code == "round_closed"

    def test_a_table_with_extra_minutes(self, hall: Hall) -> None:
        version = hall.table(1, 1).version
        scoring.give_extra_time(hall.world, hall.event_id, 1, 1, version, 5, "referee", hall.keys.fresh())
        hall.world.time.advance(minutes=45)
        word = hall.submit(1, 1, "ns", "A", "9").word_ns
        assert word is not None
        assert not word.late
        assert refused(hall.submit, 1, 2, "ns", "A", "9").code == "round_closed"

    def test_without_regard_to_time(self, world: TestWorld) -> None:
        hall = open_hall(world, 2, score_any_time=True)
        hall.draw()
        hall.publish(1)
        hall.submit(1, 1, "ns", "A", "9")
        hall.command("start")
        world.time.advance(days=1)
        assert hall.submit(1, 1, "ew", "A", "9").state == "confirmed"

    def test_a_pause_takes_scores(self, hall: Hall) -> None:
        hall.command("pause")
        hall.world.time.advance(minutes=90)
        assert hall.submit(1, 1, "ns", "A", "9").state == "one_sided"


class TestTogether:
    def test_fifty_clients_of_one_side_on_one_version(self, hall: Hall) -> None:
        view = hall.table(1, 1)
        device = hall.device(view.ns.number)
        keys = [Keys(f"client-{client}").fresh(status=201) for client in range(50)]

        def say(client: int) -> Any:
            try:
                return submissions.submit(
                    hall.world,
                    hall.event_id,
                    1,
                    1,
                    device,
                    Score("played", "A", str(2 + client % 9)),
                    0,
                    hall.world.now(),
                    keys[client],
                )
            except Problem as problem:
                return problem

        with ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(say, range(50)))
        winners = [outcome for outcome in outcomes if not isinstance(outcome, Problem)]
        losers = [outcome for outcome in outcomes if isinstance(outcome, Problem)]
        assert len(winners) == 1
        assert {problem.code for problem in losers} == {"stale_version"}
        now = hall.table(1, 1)
        assert now.word_ns == winners[0].word_ns
        assert now.word_ns is not None
        for problem in losers:
            assert problem.current["word_ns"]["score"]["ew_level"] == now.word_ns.score.ew_level
            assert problem.current["word_ns"]["version"] == 1

    @pytest.mark.parametrize(("ew_level", "state"), [("9", "confirmed"), ("10", "disputed")])
    def test_both_sides_at_the_same_moment(self, hall: Hall, ew_level: str, state: str) -> None:
        for table in (1, 2):
            view = hall.table(1, table)
            devices = {"ns": hall.device(view.ns.number), "ew": hall.device(view.ew.number)}
            keys = {side: Keys(f"{side}-{table}").fresh(status=201) for side in devices}

            def say(side: str, table: int = table, devices: Any = devices, keys: Any = keys) -> None:
                submissions.submit(
                    hall.world,
                    hall.event_id,
                    1,
                    table,
                    devices[side],
                    Score("played", "A", "9" if side == "ns" else ew_level),
                    0,
                    hall.world.now(),
                    keys[side],
                )

            with ThreadPoolExecutor(2) as pool:
                list(pool.map(say, ["ns", "ew"]))
            now = hall.table(1, table)
            assert now.state == state
            assert now.word_ns is not None
            assert now.word_ew is not None
            assert (now.word_ns.version, now.word_ew.version) == (1, 1)

    def test_two_hundred_posts_with_one_key(self, hall: Hall) -> None:
        view = hall.table(1, 1)
        device = hall.device(view.ns.number)
        key = Keys("phone").fresh(status=201)

        def post(_: int) -> Any:
            try:
                return msgspec.to_builtins(
                    submissions.submit(
                        hall.world, hall.event_id, 1, 1, device, Score("played", "A", "9"), 0, hall.world.now(), key
                    )
                )
            except AlreadyDone as done:
                return done.given.body
            except Problem:
                given = key.earlier_reply()
                assert given is not None
                return given.body

        with ThreadPoolExecutor(16) as pool:
            replies = list(pool.map(post, range(200)))
        assert all(reply == replies[0] for reply in replies)
        now = hall.table(1, 1)
        assert now.word_ns is not None
        assert now.word_ns.version == 1
        assert len(scoring.history(hall.world, hall.event_id, 1, 1).lines) == 1

    def test_a_key_with_another_body_is_refused(self, hall: Hall) -> None:
        key = hall.keys.fresh("phone", 201)
        hall.submit(1, 1, "ns", "A", "9", key=key)
        other = type(key)(key.caller, key.key, "another body", 201)
        assert refused(hall.submit, 1, 2, "ns", "A", "9", key=other).code == "key_reused"


def test_a_submission_takes_three_requests(hall: Hall, engine: Engine) -> None:
    hall.submit(1, 1, "ns", "A", "9")
    view = hall.table(1, 1)
    device = hall.device(view.ew.number)
    key = hall.keys.fresh("phone", 201)
    engine.recorder.clear()
    submissions.submit(hall.world, hall.event_id, 1, 1, device, Score("played", "A", "9"), 0, hall.world.now(), key)
    assert sum(engine.recorder.requests().values()) <= 3, engine.recorder.requests()


def test_a_phone_is_told_everything_in_four_requests(hall: Hall, engine: Engine) -> None:
    """Three looks at what can be named by its key, and the queue of calls, whose keys nobody knows beforehand."""
    hall.submit(1, 1, "ns", "A", "9")
    view = hall.table(1, 1)
    device = hall.device(view.ew.number)
    engine.recorder.clear()
    me = players.me(hall.world, hall.event_id, device, "token")
    assert sum(engine.recorder.requests().values()) <= 4, engine.recorder.requests()
    assert me.table == view
    assert (me.my_side, me.may_score, me.why_not, me.bye) == ("ew", True, None, False)


def test_a_running_score_is_seen_but_says_nothing(hall: Hall) -> None:
    view = hall.table(1, 1)
    submissions.save_running(
        hall.world,
        hall.event_id,
        1,
        1,
        hall.device(view.ew.number),
        Score("played", "5", "9"),
        hall.keys.fresh("phone"),
    )
    now = hall.table(1, 1)
    assert now.state == "open"
    assert now.running is not None
    assert (now.running.side, now.running.score) == ("ew", Score("played", "5", "9"))
