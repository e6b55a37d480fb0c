"""Large rounds while others act: nothing that a late step still writes lies over what everybody sees by then."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from chalicelib.services import events, players, rounds, scoring
from chalicelib.services.jobs import advancing, drawing, large_rounds
from chalicelib.services.jobs import steps as job_steps
from chalicelib.services.problems import Problem
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.views.jobs import RoundJob
from chalicelib.services.views.scoring import TableGrid
from chalicelib.store.events import find_round
from tests.support.hall import ORGANIZER, OWNER, Hall
from tests.support.large_rounds import (
    PAIRS,
    cancel,
    cut_small,
    locked,
    named,
    phase,
    played,
    publish_at_once,
    read,
    staged,
    start,
    steps,
)


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def redrawn(hall: Hall) -> None:
    """Round 1 was played, deleted and drawn again: its tables and words still lie there."""
    played(hall)
    rounds.delete(hall.world, hall.event_id, 1, "重排", ORGANIZER, hall.keys.fresh())
    hall.draw()


def swap(hall: Hall) -> None:
    """Other teams meet at every table."""
    seen = rounds.read(hall.world, hall.event_id, 1)
    ew = [tuple(table.ew.numbers) for table in seen.tables]
    seats = [DraftTable(table.table, tuple(table.ns.numbers), ew[place - 1]) for place, table in enumerate(seen.tables)]
    rounds.rearrange(hall.world, hall.event_id, 1, seen.version, seats, [], [], ORGANIZER, hall.keys.fresh())


def play_a_little(hall: Hall) -> None:
    """A word at every table, and the referee's at the first."""
    hall.command("start")
    for table in scoring.grid(hall.world, hall.event_id, 1).tables:
        hall.submit(1, table.table, "ns", "A", "9")
    hall.rule(1, 1, "A", "8", reason="裁判")


def under_way(hall: Hall) -> RoundJob | None:
    """The job of the round."""
    name = named(hall)
    return None if name is None else large_rounds.read(hall.event_id, name)


def seen(hall: Hall) -> tuple[TableGrid, list[int]]:
    """What officials and players see of the round."""
    grid = scoring.grid(hall.world, hall.event_id, 1)
    at_tables = [players.me(hall.world, hall.event_id, hall.device(entry), "").table for entry in range(1, PAIRS + 1)]
    return grid, [0 if table is None else table.table for table in at_tables]


def at_each_write(
    directory: Path,
    ours: Callable[[Hall], None],
    others: Callable[[Hall], None],
    before: Callable[[Hall], None] = redrawn,
) -> int:
    """``others`` act and play right before each write of ``ours`` in turn; what is seen then stays. Returns how many
    writes there were."""
    write = 0
    while True:
        with staged(directory / f"{write}", before) as (stage, hall):
            found: list[tuple[TableGrid, list[int]]] = []

            def act(hall: Hall = hall, found: list[tuple[TableGrid, list[int]]] = found) -> None:
                others(hall)
                header = find_round(hall.event_id, 1)
                if header is not None and header.phase == "published":
                    play_a_little(hall)
                    found.append(seen(hall))

            stage.executioner.call_at(write, act)
            with suppress(Problem):
                ours(hall)
            came = stage.executioner.writes > write
            stage.executioner.kill_at(None)
            if found:
                assert seen(hall) == found[0], write
                assert sorted(found[0][1]) == [1, 1, 2, 2, 3, 3], write
        if not came:
            return write
        write += 1


def test_a_cancelled_publication_that_goes_on_does_not_write_over_the_next_one(tmp_path: Path) -> None:
    """While it clears what an earlier drawing left, a step looks up from its work only at the end of that: whoever
    cancelled, swapped two teams and published again lost the first tables to it."""

    def ours(hall: Hall) -> None:
        steps(hall, start(hall, "publish"))

    def others(hall: Hall) -> None:
        job = under_way(hall)
        if job is None:
            return
        cancel(hall, job)
        if phase(hall) != "draft":
            return
        swap(hall)
        steps(hall, start(hall, "publish"))

    assert at_each_write(tmp_path, ours, others) > 8


def test_a_step_that_is_carried_out_twice_at_once_does_not_write_over_what_was_played(tmp_path: Path) -> None:
    def ours(hall: Hall) -> None:
        advancing.advance(hall.world, start(hall, "publish").job_id)

    def others(hall: Hall) -> None:
        job = under_way(hall)
        if job is not None:
            steps(hall, job)

    assert at_each_write(tmp_path, ours, others) > 8


def test_a_slow_request_does_not_publish_over_another_organizers_draft(tmp_path: Path) -> None:
    """Small rounds are published within a request: one that is slow met the same."""

    def others(hall: Hall) -> None:
        if phase(hall) == "draft":
            swap(hall)
            publish_at_once(hall, 1)

    assert at_each_write(tmp_path, lambda hall: publish_at_once(hall, 1), others) > 8


def test_a_slow_deletion_does_not_take_away_the_next_drawing(tmp_path: Path) -> None:
    """What a small round leaves is deleted after its header is gone: another organizer may draw and publish by then."""

    def ours(hall: Hall) -> None:
        few = dataclasses.replace(hall.world, tables_at_once=200)
        rounds.delete(few, hall.event_id, 1, "重排", ORGANIZER, hall.keys.fresh())

    def others(hall: Hall) -> None:
        if find_round(hall.event_id, 1) is None:
            hall.draw()
            publish_at_once(hall, 1)

    assert at_each_write(tmp_path, ours, others, played) > 2


def held_by_a_step(hall: Hall) -> RoundJob:
    """A settlement that has held all tables and waits for its next step."""
    played(hall)
    job = start(hall, "settle")
    advancing.advance(hall.world, job.job_id)
    assert locked(hall) == [1, 2, 3]
    return job


def test_a_settlement_refused_after_it_held_the_tables_lets_players_go_on(tmp_path: Path) -> None:
    """The event was ended meanwhile: once it is open again nobody waits for the end of a hold of two minutes."""
    with staged(tmp_path / "hall", lambda hall: None) as (_, hall):
        job = held_by_a_step(hall)
        for ended in (True, False):
            events.set_ended(hall.world, hall.event_id, ended, "", ORGANIZER, OWNER, hall.keys.fresh())
            if ended:
                steps(hall, job)
        assert (read(hall, job).phase, locked(hall), named(hall)) == ("failed", [], None)
        assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"


def test_a_drawing_refused_after_it_held_the_tables_lets_players_go_on(tmp_path: Path) -> None:
    with staged(tmp_path / "hall", played) as (_, hall):
        job = drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))
        advancing.advance(hall.world, job.job_id)
        assert locked(hall) == [1, 2, 3]
        hall.configure(rounds=1)
        advancing.advance(hall.world, job.job_id)
        refusal = drawing.read(hall.world, hall.event_id, job.job_id).problem
        assert refusal is not None
        assert (refusal.code, locked(hall)) == ("all_rounds_drawn", [])
        assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"


def test_all_tables_of_a_round_play_the_same_boards_when_their_number_changes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table a step; after each of them the organizer thinks otherwise."""
    monkeypatch.setattr(job_steps, "STEP_MILLISECONDS", 0)
    with staged(tmp_path / "hall", lambda hall: None) as (_, hall):
        order = events.Draft("复式之夜", "swiss_deviation", rounds=2)
        made = events.create(hall.world, "organizer", order, hall.keys.fresh(status=201))
        by_boards = dataclasses.replace(hall, event_id=made.event_id)
        for number in range(1, PAIRS + 1):
            by_boards.enter(number)
        by_boards.configure(boards_per_round=8)
        by_boards.draw()
        job = start(by_boards, "publish")
        for boards in (4, 8, 4):
            advancing.advance(by_boards.world, job.job_id)
            by_boards.configure(boards_per_round=boards)
        steps(by_boards, job)
        assert read(by_boards, job).phase == "done"
        tables = scoring.grid(by_boards.world, by_boards.event_id, 1).tables
        assert [[each.board for each in table.to_play] for table in tables] == [[1, 2, 3, 4]] * 3
