"""Copies before settlements, and events made again from them: equal standings, to the byte."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chalicelib.rules.document import parse, to_document
from chalicelib.rules.faults import DocumentFaults
from chalicelib.rules.replay import replay
from chalicelib.rules.standings import standings as ranks
from chalicelib.rules.standings import to_json
from chalicelib.services import adjustments, audit_lines, backups, documents, entries, rounds, scoring, standings
from chalicelib.services.problems import Problem
from chalicelib.services.restoration import NotRestorable, read_copy, restore
from chalicelib.services.settings import ClubRanking
from chalicelib.services.standings.content import content_of
from chalicelib.services.views.entries import PlayerView
from chalicelib.store.accounts import Account
from chalicelib.store.adjustments import adjustments as stored_adjustments
from chalicelib.store.standings import find_pointer
from infra.local.engine import Engine
from infra.local.files import LocalFiles
from tests.support.hall import ORGANIZER, Hall, Keys, Pump, open_hall
from tests.support.world import SECRET, TestWorld


def owner() -> Account:
    return Account.get("ACCOUNT#organizer", "PROFILE")


def copies(world: TestWorld, event_id: str) -> list[str]:
    return world.files.list_prefix(f"backups/{event_id}/")


def body_of(world: TestWorld, key: str) -> bytes:
    stored = world.files.get(key)
    assert stored is not None
    return stored.body


def ranking(document: bytes) -> bytes:
    return content_of(parse(document)).encoded()


def exported(world: TestWorld, event_id: str) -> bytes:
    return documents.export(world, event_id)[0]


def played(world: TestWorld, rounds_played: int, pairs: int = 9) -> Hall:
    """An evening with everything that a document can hold: clubs, phones, a withdrawal, a forfeit, a postponement."""
    hall = open_hall(world, 0, club_ranking=ClubRanking(on=True, best=2))
    for number in range(1, pairs + 1):
        players = [PlayerView(f"选手{number:02d}{side}", f"138001300{number}{side}") for side in (1, 2)]
        typed = entries.TypedEntry(f"第{number}队", "市南" if number % 2 else "市北", players)
        entries.add(world, hall.event_id, typed, ORGANIZER, hall.keys.fresh())
    for number in range(1, rounds_played + 1):
        hall.play_out(number)
        if number == 1:
            hall.rule(1, 1, "", "", "没有到场", "ew_forfeit")
            entries.withdraw(world, hall.event_id, 9, True, "有事", ORGANIZER, hall.keys.fresh())
    return hall


def test_a_copy_is_put_aside_before_each_settlement(world: TestWorld) -> None:
    hall = played(world, 2)
    # Drawing the second round has settled the first.
    assert len(copies(world, hall.event_id)) == 1
    before = exported(world, hall.event_id)
    hall.settle(2)
    kept = copies(world, hall.event_id)
    assert [key.rpartition("/")[2][:3] for key in kept] == ["001", "002"]
    assert parse(gzip.decompress(body_of(world, kept[1]))) == parse(before)


def test_a_settlement_that_is_repeated_leaves_the_first_copy_alone(world: TestWorld) -> None:
    hall = played(world, 1)
    (version,) = {rounds.read(world, hall.event_id, 1).version}
    backups.keep(world, hall.event_id, 1, version)
    first = body_of(world, backups.key_of(hall.event_id, 1, version))
    hall.configure(name="改过的名字")
    backups.keep(world, hall.event_id, 1, version)
    assert body_of(world, backups.key_of(hall.event_id, 1, version)) == first


class FullDisk(LocalFiles):
    """Files of which no copy can be kept."""

    def put_if_match(self, key: str, *given: Any) -> str:
        if key.startswith("backups/"):
            raise OSError("no space left")
        return super().put_if_match(key, *given)


class Counted:
    """Figures in a list."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def add(self, figure: str, value: float = 1) -> None:
        self.seen.append(figure)


def test_a_round_is_settled_even_if_the_copy_fails_and_somebody_hears_of_it(world: TestWorld, tmp_path: Path) -> None:
    hall = played(world, 1)
    counted = Counted()
    hall.world = replace(world, files=FullDisk(tmp_path / "full", SECRET), metrics=counted)
    assert hall.settle(1).phase == "settled"
    assert "BackupsFailed" in counted.seen


def test_an_event_restored_from_its_copy_has_the_same_standings(world: TestWorld, engine: Engine) -> None:
    hall = played(world, 3)
    hall.settle(3)
    Pump(engine).run()
    latest = body_of(world, copies(world, hall.event_id)[-1])
    event_id = restore(world, owner(), latest)
    assert event_id != hall.event_id
    assert ranking(exported(world, event_id)) == ranking(exported(world, hall.event_id)) == ranking(read_copy(latest))
    # What pages show is there at once, and is what the pure function says.
    assert standings.compare(world, event_id).equal
    shown, before = standings.read(world, event_id), standings.read(world, hall.event_id)
    assert [(row.rank, row.number, row.values) for row in shown.rows] == [
        (row.rank, row.number, row.values) for row in before.rows
    ]


def test_the_document_of_a_restored_event_is_the_document(world: TestWorld) -> None:
    hall = played(world, 2)
    text = exported(world, hall.event_id)
    again = exported(world, restore(world, owner(), text))
    assert to_document(parse(again)) == to_document(parse(text))


def test_a_restored_event_goes_on(world: TestWorld, engine: Engine) -> None:
    hall = played(world, 2)
    restored = Hall(world, restore(world, owner(), exported(world, hall.event_id)), Keys("account:organizer-again"))
    met = {
        frozenset((table.ns.number, table.ew.number))
        for number in (1, 2)
        for table in rounds.read(world, restored.event_id, number).tables
    }
    restored.play_out(3)
    third = {frozenset((table.ns.number, table.ew.number)) for table in rounds.read(world, restored.event_id, 3).tables}
    assert met.isdisjoint(third)
    Pump(engine).run()
    assert standings.compare(world, restored.event_id).equal
    # The withdrawn pair stays away, new entries get new numbers, phones are found.
    assert 9 not in {number for pair in third for number in pair}
    typed = entries.TypedEntry("", "", [PlayerView("新人", "13800139001"), PlayerView("新手", "13800139002")])
    assert entries.add(world, restored.event_id, typed, ORGANIZER, restored.keys.fresh()).number == 10
    typed = entries.TypedEntry("", "", [PlayerView("甲", "13800130011"), PlayerView("乙", "")])
    with pytest.raises(Problem, match="phone_taken"):
        entries.add(world, restored.event_id, typed, ORGANIZER, restored.keys.fresh())


def test_a_round_in_play_comes_back_in_play(world: TestWorld) -> None:
    hall = played(world, 1)
    hall.play(2)
    hall.rule(2, 1, "A", "9")
    restored = Hall(world, restore(world, owner(), exported(world, hall.event_id)), Keys("account:organizer-again"))
    grid = scoring.grid(world, restored.event_id, 2)
    assert grid.phase == "published"
    assert {table.state for table in grid.tables} == {"ruled", "open"}
    pointer = find_pointer(restored.event_id)
    assert pointer is not None
    # The public sees its pairings again.
    assert world.files.get(f"pub/{restored.event_id}/pairings/{pointer.pairings}/1.json") is not None
    restored.command("start")
    restored.confirm(2, 2, "A", "9")


def test_an_event_without_rounds_comes_back(world: TestWorld) -> None:
    hall = open_hall(world, 3)
    event_id = restore(world, owner(), exported(world, hall.event_id))
    assert len(entries.roster(world, event_id).entries) == 3
    assert Hall(world, event_id, Keys("account:organizer-again")).draw().number == 1


def test_nothing_is_seen_of_an_interrupted_restoration(world: TestWorld, tmp_path: Path) -> None:
    hall = played(world, 1)
    text = exported(world, hall.event_id)
    interrupted = replace(world, files=FullDisk(tmp_path / "full", SECRET))
    seen = len(world.files.list_prefix("pub/"))

    class Killed(Exception):
        pass

    def die() -> int:
        raise Killed

    with pytest.raises(Killed):
        restore(replace(interrupted, clock=die), owner(), text)
    assert len(world.files.list_prefix("pub/")) == seen


def log_agrees(hall: Hall) -> bool:
    """Whether the log, which names nobody, rebuilds the ranking of the document."""
    log, document = audit_lines.download(hall.event_id)[0], exported(hall.world, hall.event_id)
    return to_json(ranks(replay(log))) == to_json(ranks(parse(document)))


def test_a_penalty_of_the_document_taken_back_after_restoring(world: TestWorld) -> None:
    hall = played(world, 1)
    for amount in (-2, 1):
        given = adjustments.Given(1, 1, "match_points", amount, "迟到")
        adjustments.give(world, hall.event_id, given, "referee", hall.keys.fresh(status=201))
        world.time.advance(seconds=1)
    again = Hall(world, restore(world, owner(), exported(world, hall.event_id)), hall.keys)
    first, second = adjustments.listed(world, again.event_id).adjustments
    assert sorted((first.amount, second.amount)) == [-2, 1]
    world.time.advance(seconds=1)
    adjustments.remove(world, again.event_id, first.id, "误判", "referee", hall.keys.fresh())
    assert log_agrees(again)
    world.time.advance(seconds=1)
    adjustments.remove(world, again.event_id, second.id, "误判", "referee", hall.keys.fresh())
    assert log_agrees(again)


def test_a_restoration_that_is_begun_again_gives_each_penalty_once(world: TestWorld) -> None:
    """The same event is made by doing it again; penalties once had a new id each time."""
    hall = played(world, 1)
    given = adjustments.Given(1, 1, "match_points", -2, "迟到")
    adjustments.give(world, hall.event_id, given, "referee", hall.keys.fresh(status=201))
    text = exported(world, hall.event_id)

    class Killed(Exception):
        pass

    def die() -> int:
        if list(stored_adjustments(again)):
            raise Killed
        return world.now()

    again = "restored-event"
    with pytest.raises(Killed):
        restore(replace(world, clock=die), owner(), text, event_id=again)
    world.time.advance(minutes=1)
    restore(world, owner(), text, event_id=again)
    assert [each.amount for each in adjustments.listed(world, again).adjustments] == [-2]


@pytest.mark.parametrize("text", [b"", b"{}", b"\x1f\x8b", b'{"format": "guanjun-event/1"}'])
def test_what_is_no_document_is_refused(world: TestWorld, engine: Engine, text: bytes) -> None:
    open_hall(world, 0)
    with pytest.raises((DocumentFaults, NotRestorable)):
        restore(world, owner(), text)


def test_a_zip_bomb_is_refused() -> None:
    with pytest.raises(NotRestorable, match="longer"):
        read_copy(gzip.compress(b" " * (65 * 1024 * 1024), 1))
