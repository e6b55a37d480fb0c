"""Rounds from drawing to settlement, and what players see of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.rules.document import parse
from chalicelib.services import documents, entries, players, rounds, scoring, standings
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.standings.content import content_of
from chalicelib.services.views.rounds import RoundView
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


def pairs(view: RoundView) -> set[frozenset[int]]:
    return {frozenset((table.ns.number, table.ew.number)) for table in view.tables}


def public_files(world: TestWorld, event_id: str) -> list[str]:
    return world.files.list_prefix(f"pub/{event_id}/")


def pulse_of(world: TestWorld, event_id: str) -> dict[str, Any]:
    stored = world.files.get(f"pub/{event_id}/pulse.json")
    assert stored is not None
    decoded: dict[str, Any] = msgspec.json.decode(stored.body)
    return decoded


def test_an_evening_is_played_from_draw_to_ranking(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 9)
    pump = Pump(engine)
    met: set[frozenset[int]] = set()
    byes: list[int] = []
    for number in range(1, 5):
        hall.play_out(number)
        pump.run()
        view = rounds.read(world, hall.event_id, number)
        assert met.isdisjoint(pairs(view))
        met |= pairs(view)
        byes += [entry.number for entry in view.byes]
    hall.settle(4)
    pump.run()
    assert len(set(byes)) == 4
    assert standings.compare(world, hall.event_id).equal
    # What anybody makes of the exported file is what the pages show, to the byte.
    exported, _ = documents.export(world, hall.event_id)
    stored = standings.read(world, hall.event_id)
    computed = content_of(parse(exported))
    assert [(row.rank, row.number, row.values) for row in stored.rows] == [
        (row["rank"], row["no"], row["values"]) for row in computed.rows
    ]
    assert stored.round == 4


def test_drawing_settles_the_round_before(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    hall.play_out(1)
    assert rounds.read(world, hall.event_id, 1).phase == "playing"
    assert hall.draw().number == 2
    assert rounds.read(world, hall.event_id, 1).phase == "settled"
    assert pulse_of(world, hall.event_id)["phase"] == "settled"


def test_open_tables_are_named_and_nothing_is_held(world: TestWorld) -> None:
    hall = open_hall(world, 8)
    hall.play(1)
    hall.confirm(1, 1, "A", "9")
    hall.submit(1, 2, "ns", "A", "9")
    problem = refused(hall.draw)
    assert problem.code == "open_tables"
    assert problem.current == {"tables": [2, 3, 4]}
    assert refused(hall.settle, 1).current == {"tables": [2, 3, 4]}
    # Nobody was locked out by the attempt.
    hall.submit(1, 2, "ew", "A", "9")


def test_a_postponed_table_does_not_hold_up_the_next_round(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4)
    hall.play(1)
    hall.confirm(1, 1, "A", "9")
    version = hall.table(1, 2).version
    missing = refused(scoring.postpone, world, hall.event_id, 1, 2, version, True, " ", "referee", hall.keys.fresh())
    assert missing.code == "reason_missing"
    scoring.postpone(world, hall.event_id, 1, 2, version, True, "改期", "referee", hall.keys.fresh())
    hall.draw()
    assert rounds.read(world, hall.event_id, 1).phase == "settled"
    # Its later result is a correction.
    hall.rule(1, 2, "A", "3", "补赛")
    Pump(engine).run()
    assert standings.compare(world, hall.event_id).equal
    assert {row.values[0] for row in standings.read(world, hall.event_id).rows} == {"0", "2"}


def test_refusals_of_drawing(world: TestWorld) -> None:
    hall = open_hall(world, 1)
    assert refused(hall.draw).code == "too_few_entries"
    hall.enter(2)
    hall.configure(rounds=1)
    hall.draw()
    assert refused(hall.draw).code == "round_phase"
    hall.publish(1)
    hall.command("start")
    hall.confirm(1, 1, "A", "3")
    assert refused(hall.draw).code == "all_rounds_drawn"


def test_without_a_legal_pairing_there_is_a_proposal(world: TestWorld) -> None:
    hall = open_hall(world, 2)
    hall.play_out(1)
    problem = refused(hall.draw)
    assert problem.code == "no_legal_pairing"
    assert problem.current["tables"][0]["rematch_of"] == 1
    assert rounds.read(world, hall.event_id, 1).phase == "playing"
    accepted = hall.draw(accept_proposal=True)
    assert pairs(accepted) == {frozenset((1, 2))}
    assert accepted.tables[0].rematch_of == 1


def test_a_draft_shows_nowhere(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 5)
    pump = Pump(engine)
    pump.run()
    before = public_files(world, hall.event_id)
    draft = hall.draw()
    bye = draft.byes[0].number
    phone = hall.device(bye)
    pump.run()
    assert public_files(world, hall.event_id) == before
    assert pulse_of(world, hall.event_id)["round"] == 0
    me = players.me(world, hall.event_id, phone, "")
    assert (me.round, me.table, me.bye, me.round_phase) == (0, None, False, "draft")
    assert refused(scoring.grid, world, hall.event_id, 1).code == "round_not_found"
    assert scoring.current_grid(world, hall.event_id).tables == []
    assert refused(scoring.history, world, hall.event_id, 1, 1).code == "round_not_found"
    assert standings.read(world, hall.event_id).round == 0
    hall.publish(1)
    assert players.me(world, hall.event_id, phone, "").bye


def test_a_second_draft_stays_hidden_while_the_first_round_shows(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    hall.play_out(1)
    first = players.me(world, hall.event_id, hall.device(1), "")
    hall.draw()
    now = players.me(world, hall.event_id, hall.device(1), "")
    assert now.round == 1
    assert now.table is not None
    assert first.table is not None
    assert now.table.ew == first.table.ew
    assert now.why_not == "table_locked"
    pulse = pulse_of(world, hall.event_id)
    assert (pulse["round"], pulse["phase"]) == (1, "settled")


def test_pairings_are_published_as_pages_without_phones(world: TestWorld) -> None:
    hall = open_hall(world, 3)
    hall.draw()
    hall.publish(1)
    name = pulse_of(world, hall.event_id)["pairings"]
    stored = world.files.get(f"pub/{hall.event_id}/pairings/{name}/1.json")
    assert stored is not None
    page = msgspec.json.decode(stored.body)
    assert (page["round"], page["page"], page["pages"]) == (1, 1, 1)
    assert len(page["tables"]) == len(page["byes"]) == 1
    assert set(page["tables"][0]) == {"table", "ns", "ew", "set", "third_place"}
    assert set(page["tables"][0]["ns"]) == {"no", "nos", "name", "players"}


def rearranged(hall: Hall, view: RoundView, seats: list[tuple[int, int, int]], byes: list[int]) -> RoundView:
    tables = [DraftTable(table, (ns,), (ew,)) for table, ns, ew in seats]
    return rounds.rearrange(
        hall.world, hall.event_id, view.number, view.version, tables, byes, [], ORGANIZER, hall.keys.fresh()
    )


def test_a_draft_can_be_rearranged_and_marks_conflicts(world: TestWorld) -> None:
    hall = open_hall(world, 5, rounds=4)
    hall.play_out(1)
    first = rounds.read(world, hall.event_id, 1)
    draft = hall.draw()
    again = [(table.table, table.ns.number, table.ew.number) for table in first.tables]
    bye = [entry.number for entry in first.byes]
    view = rearranged(hall, draft, again, bye)
    assert view.version == draft.version + 1
    assert [table.rematch_of for table in view.tables] == [1, 1]
    assert view == rounds.read(world, hall.event_id, 2)
    stale = refused(rearranged, hall, draft, again, bye)
    assert stale.code == "stale_version"
    assert stale.current["version"] == view.version
    published = hall.publish(2)
    assert pairs(published) == pairs(first)
    assert refused(rearranged, hall, published, again, bye).code == "round_phase"


@pytest.mark.parametrize(
    ("seats", "byes"),
    [
        ([(1, 1, 2), (2, 3, 4)], []),
        ([(1, 1, 2), (2, 3, 3)], [5]),
        ([(1, 1, 2), (2, 3, 4)], [4]),
        ([(1, 1, 2), (2, 3, 6)], [5]),
        ([(1, 1, 2), (3, 3, 4)], [5]),
        ([(1, 1, 2), (1, 3, 4)], [5]),
        ([], [1, 2, 3, 4, 5]),
    ],
)
def test_every_entry_has_exactly_one_place(
    world: TestWorld, seats: list[tuple[int, int, int]], byes: list[int]
) -> None:
    hall = open_hall(world, 5)
    draft = hall.draw()
    assert refused(rearranged, hall, draft, seats, byes).code == "draft_invalid"
    assert rounds.read(world, hall.event_id, 1) == draft


def test_publishing_needs_the_draft_as_seen(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    draft = hall.draw()
    seats = [(table.table, table.ew.number, table.ns.number) for table in draft.tables]
    rearranged(hall, draft, seats, [])
    problem = refused(rounds.publish, world, hall.event_id, 1, draft.version, ORGANIZER, hall.keys.fresh())
    assert problem.code == "stale_version"
    assert refused(hall.command, "start").code == "round_not_found"


def test_only_the_last_round_is_deleted_and_only_with_a_reason(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4)
    pump = Pump(engine)
    hall.play_out(1)
    first = hall.pointer().pairings
    hall.play_out(2)
    pump.run()

    def delete(number: int, reason: str) -> None:
        rounds.delete(world, hall.event_id, number, reason, ORGANIZER, hall.keys.fresh())

    assert refused(delete, 1, "错").code == "not_last_round"
    assert refused(delete, 2, "").code == "reason_missing"
    delete(2, "编排有误")
    pump.run()
    assert hall.pointer().pairings == first
    pulse = pulse_of(world, hall.event_id)
    assert (pulse["round"], pulse["phase"], pulse["clock"]["state"]) == (1, "settled", "idle")
    assert standings.compare(world, hall.event_id).equal
    assert standings.read(world, hall.event_id).round == 1
    # Nothing that was said in the deleted round is heard in the new one.
    hall.play(2)
    assert {table.state for table in scoring.grid(world, hall.event_id, 2).tables} == {"open"}
    pump.run()
    assert standings.compare(world, hall.event_id).equal


def test_a_draft_is_deleted_without_a_reason(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    hall.draw()
    rounds.delete(world, hall.event_id, 1, "", ORGANIZER, hall.keys.fresh())
    assert hall.draw().number == 1


def test_a_settled_round_is_reopened_with_a_reason(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4)
    hall.play_out(1)
    hall.settle(1)
    assert refused(hall.submit, 1, 1, "ns", "A", "5").code == "table_locked"

    def reopen(number: int, reason: str) -> RoundView:
        return rounds.reopen(world, hall.event_id, number, reason, ORGANIZER, hall.keys.fresh())

    assert refused(reopen, 1, " ").code == "reason_missing"
    assert reopen(1, "漏记").phase == "playing"
    hall.confirm(1, 1, "A", "5")
    hall.settle(1)
    Pump(engine).run()
    assert standings.compare(world, hall.event_id).equal
    hall.draw()
    assert refused(reopen, 1, "漏记").code == "later_round"


def test_changes_of_entries_while_drawing_refuse_the_stale_drawing(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    hall.play_out(1)
    hall.settle(1)
    entries.withdraw(world, hall.event_id, 4, True, "", ORGANIZER, hall.keys.fresh())
    draft = hall.draw()
    assert len(draft.byes) == 1
    assert 4 not in {number for pair in pairs(draft) for number in pair}


def test_an_ended_event_takes_nothing(world: TestWorld) -> None:
    from chalicelib.services import events
    from tests.support.hall import OWNER

    hall = open_hall(world, 4)
    hall.play(1)
    events.set_ended(world, hall.event_id, True, "", ORGANIZER, OWNER, hall.keys.fresh())
    for act in (
        hall.draw,
        lambda: hall.settle(1),
        lambda: hall.command("pause"),
        lambda: hall.submit(1, 1, "ns", "A", "3"),
        lambda: hall.rule(1, 1, "A", "3"),
        lambda: rounds.delete(world, hall.event_id, 1, "x", ORGANIZER, hall.keys.fresh()),
        lambda: rounds.reopen(world, hall.event_id, 1, "x", ORGANIZER, hall.keys.fresh()),
    ):
        assert refused(act).code == "event_ended"
    assert pulse_of(world, hall.event_id)["phase"] == "ended"
