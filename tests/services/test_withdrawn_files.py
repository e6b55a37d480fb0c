"""The public files of a deleted event: nobody reads them while it is deleted, and they are there again afterwards."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chalicelib.services import deletion, display, pulse
from chalicelib.services.once import once
from chalicelib.services.privacy import public_files
from chalicelib.services.privacy.purge import purge_due
from chalicelib.services.problems import Problem
from chalicelib.services.standings import public_clubs
from chalicelib.services.standings.comparing import heal
from chalicelib.services.standings.refreshing import make, publish, take_ticket
from chalicelib.store.standings import ACTIVE, Active
from chalicelib.workers import standings as worker
from infra.local.engine import Engine
from tests.gateways.test_pictures import png
from tests.support.file_rights import WatchedFiles
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import SECRET, TestWorld

NAME = "周三夜赛"
MADE_ANEW = ("standings", "standings_pages", "pairings", "changes", "recent", "v")
"""What the pulse says otherwise of an event that came back: names of files written anew, what changed, its number."""


class Edge:
    """An edge that notes what it was told to forget."""

    def __init__(self) -> None:
        self.forgotten: list[str] = []

    def forget(self, paths: Any, reference: str) -> None:
        """Note the paths."""
        self.forgotten += paths


class MeanwhileFiles(WatchedFiles):
    """Files in which something happens just before a file whose key holds ``at`` is written."""

    def __init__(self, root: Path, at: str, act: Callable[[], object]) -> None:
        super().__init__(root, SECRET)
        self._at, self._act = at, act

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        if self._at in key:
            self._at = "/never/"
            self._act()
        return super().put(key, body, content_type, cache_control)


def played(world: TestWorld, engine: Engine, **draft: Any) -> Hall:
    """An event after its first round, with a club ranking and a picture."""
    knockout = draft.pop("knockout", False)
    hall = open_hall(world, **{"rounds": 3, **draft})
    hall.configure(club_ranking={"on": True, "best": 2}, knockout=knockout)
    hall.enter(2, club="市南")
    hall.enter(2, first=300, club="崂山")
    play(hall, 1)
    add_picture(hall)
    Pump(engine).run()
    return hall


def play(hall: Hall, number: int, lower: str = "9") -> None:
    assert hall.start_round() == number
    for table in hall.owner.get(hall.path("/current-tables")).json["tables"]:
        ruling = {"version": table["version"], "ns_level": "A", "ew_level": lower}
        assert hall.owner.post(hall.path(f"/rounds/{number}/tables/{table['table']}/ruling"), ruling).status == 200


def add_picture(hall: Hall) -> None:
    ticket = hall.owner.post(hall.path("/picture-uploads")).json
    hall.world.files.put(ticket["key"], png(), "image/png", "no-store")
    assert hall.owner.post(hall.path("/pictures"), {"key": ticket["key"]}).status == 201


def delete(hall: Hall) -> None:
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": NAME}).status == 200


def bring_back(hall: Hall, engine: Engine) -> None:
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False}).status == 200
    Pump(engine).run()


def keys(hall: Hall) -> list[str]:
    return hall.world.files.list_prefix(f"pub/{hall.event_id}/")


def body(hall: Hall, key: str) -> Any:
    file = hall.world.files.get(f"pub/{hall.event_id}/{key}")
    assert file is not None, key
    return msgspec.json.decode(file.body)


def shown(hall: Hall, *, clubs: bool = True) -> dict[str, Any]:
    """What the public reads, found as a phone finds it: from the pulse on."""
    told = body(hall, "pulse.json")
    seen: dict[str, Any] = {"pulse": {name: value for name, value in told.items() if name not in MADE_ANEW}}
    for page in range(1, told["standings_pages"] + 1):
        seen[f"standings {page}"] = {**body(hall, f"standings/{told['standings']}/{page}.json"), "v": 0}
    if told["pairings"] is not None:
        seen["pairings"] = body(hall, f"pairings/{told['pairings']}/1.json")
    if clubs:
        seen["clubs"] = {**body(hall, f"clubs/{told['standings']}/1.json"), "v": 0}
    for what in ("bracket", "calendar", "charts"):
        if told[what] is not None:
            seen[what] = body(hall, f"{what}/{told[what]}/1.json")
    seen["pictures"] = [key for key in keys(hall) if "/pictures/" in key]
    return seen


def after_minutes(world: TestWorld) -> None:
    """What the schedule does when nobody can be at work any more who saw the event before it was deleted."""
    world.time.advance(minutes=6)
    purge_due(world)


@pytest.mark.parametrize("draft", [{}, {"knockout": True}, {"kind": "round_robin"}])
def test_nothing_is_public_of_a_deleted_event_and_everything_again_when_it_is_back(
    world: TestWorld, engine: Engine, draft: dict[str, Any]
) -> None:
    hall = played(world, engine, **draft)
    before = shown(hall)
    delete(hall)
    assert keys(hall) == []
    bring_back(hall, engine)
    assert shown(hall) == before
    # No older version came back that somebody may know of from a cached pulse.
    told = body(hall, "pulse.json")
    versions = {key.split("/")[3] for key in keys(hall) if key.split("/")[2] in ("standings", "clubs", "pairings")}
    assert versions == {told["standings"], told["pairings"]}
    play(hall, 2, lower="5")
    Pump(engine).run()
    assert shown(hall)["standings 1"]["round"] == 2


def test_the_edge_forgets_it_at_once(world: TestWorld, engine: Engine) -> None:
    hall, edge = played(world, engine), Edge()
    deletion.delete(dataclasses.replace(world, edge=edge), hall.event_id, NAME, "account:x", _once())
    assert edge.forgotten == [f"/pub/{hall.event_id}/*"]


def test_a_frozen_event_stays_frozen(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    assert hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": 2}).status == 200
    play(hall, 2, lower="5")
    Pump(engine).run()
    before, inside = shown(hall), hall.owner.get(hall.path("/standings")).json["rows"]
    delete(hall)
    bring_back(hall, engine)
    assert shown(hall) == before
    assert before["standings 1"]["round"] == 1
    assert hall.owner.get(hall.path("/standings")).json["rows"] == inside
    versions = {key.split("/")[3] for key in keys(hall) if "/standings/" in key}
    assert versions == {body(hall, "pulse.json")["standings"]}


def test_an_encrypted_event_stays_encrypted(world: TestWorld, engine: Engine, tmp_path: Path) -> None:
    hall = played(world, engine)
    digits = {"x-guanjun-new-digits": "201938475610"}
    assert hall.owner.post(hall.path("/encryption"), {}, headers=digits).status == 200
    Pump(engine).run()
    before = shown(hall)
    delete(hall)
    bring_back(hall, engine)
    assert shown(hall) == before
    assert not [text for text in ("选手", "市南") for key in keys(hall) if text in _text(hall, key)]


def test_a_private_event_stays_private(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    hall.configure(private=True)
    Pump(engine).run()
    before = shown(hall)
    delete(hall)
    bring_back(hall, engine)
    assert shown(hall) == before
    assert hall.owner.get("/public-events").json.get("events", []) == []


def test_a_late_stream_batch_writes_nothing(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    play(hall, 2, lower="5")
    delete(hall)
    Pump(engine).run()
    assert keys(hall) == []
    pulse.publish(world, hall.event_id)
    heal(world)
    assert keys(hall) == []
    bring_back(hall, engine)
    assert shown(hall)["standings 1"]["round"] == 2


@pytest.mark.parametrize("draft", [{}, {"knockout": True}])
def test_a_run_that_began_before_the_deletion_publishes_nothing(
    world: TestWorld, engine: Engine, draft: dict[str, Any]
) -> None:
    hall = played(world, engine, **draft)
    play(hall, 2, lower="5")
    ticket = take_ticket(world, hall.event_id)
    made = make(world, hall.event_id)
    delete(hall)
    assert publish(world, hall.event_id, ticket, made) is False
    assert keys(hall) == []
    bring_back(hall, engine)
    ours = shown(hall)
    assert publish(world, hall.event_id, ticket, made) is False
    assert shown(hall) == ours


def test_a_result_that_comes_in_while_the_event_comes_back_is_not_lost(
    world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    hall = played(world, engine)
    play(hall, 2, lower="5")
    delete(hall)
    runs: list[Callable[[], bool]] = []

    def begin() -> None:
        ticket = take_ticket(world, hall.event_id)
        made = make(world, hall.event_id)
        runs.append(lambda: publish(world, hall.event_id, ticket, made))

    slow = dataclasses.replace(world, files=MeanwhileFiles(tmp_path / "files", "/pairings/", begin))
    deletion.restore(slow, hall.event_id, "account:x", _once())
    before = body(hall, "pulse.json")["standings"]
    (publish_late,) = runs
    assert publish_late() is True
    assert body(hall, "pulse.json")["standings"] != before
    assert shown(hall, clubs=False)["standings 1"]["round"] == 2


@pytest.mark.parametrize("at", ["/standings/", "/charts/", "/clubs/"])
def test_a_deletion_while_a_worker_writes_leaves_nothing(
    world: TestWorld, engine: Engine, tmp_path: Path, at: str
) -> None:
    hall = played(world, engine)
    play(hall, 2, lower="5")
    files = MeanwhileFiles(tmp_path / "files", at, lambda: delete(hall))
    slow = dataclasses.replace(world, files=files)
    if at == "/clubs/":
        worker.refresh(slow, hall.event_id)
        public_clubs(slow, hall.event_id)
    else:
        worker.refresh(slow, hall.event_id)
    assert keys(hall) == []


def test_a_picture_that_comes_too_late_is_refused(world: TestWorld, engine: Engine, tmp_path: Path) -> None:
    hall = open_hall(world)
    key = hall.owner.post(hall.path("/picture-uploads")).json["key"]
    world.files.put(key, png(), "image/png", "no-store")
    slow = dataclasses.replace(world, files=MeanwhileFiles(tmp_path / "files", "/pictures/", lambda: delete(hall)))
    with pytest.raises(Problem) as refused:
        display.add_picture(slow, hall.event_id, key, "account:x", _once())
    assert refused.value.code == "event_not_found"
    assert keys(hall) == []


def test_what_a_deletion_or_a_late_writer_left_goes_some_minutes_later(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    delete(hall)
    world.files.put(f"pub/{hall.event_id}/standings/9-late/1.json", b"{}", "application/json", "no-store")
    after_minutes(world)
    assert keys(hall) == []


def test_an_undo_that_was_interrupted_is_finished_some_minutes_later(
    world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    class PowerCut(Exception):
        pass

    def cut() -> None:
        raise PowerCut

    hall = played(world, engine)
    before = shown(hall)
    delete(hall)
    cut_off = dataclasses.replace(world, files=MeanwhileFiles(tmp_path / "files", "/pairings/", cut))
    with pytest.raises(PowerCut):
        deletion.restore(cut_off, hall.event_id, "account:x", _once())
    # Until everything is written nobody is told of anything.
    assert not [key for key in keys(hall) if key.endswith("pulse.json")]
    after_minutes(world)
    Pump(engine).run()
    assert shown(hall) == before


def test_what_is_purged_while_it_is_deleted_does_not_come_back(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    hall.configure(purge_at=world.now() + 60_000)
    delete(hall)
    after_minutes(world)
    assert keys(hall) == []
    bring_back(hall, engine)
    assert not [key for key in keys(hall) if "选手" in _text(hall, key)]
    assert {row["name"] for row in shown(hall)["standings 1"]["rows"]} == {"#1", "#2", "#3", "#4"}


def test_an_erasure_that_writes_while_the_event_is_deleted_leaves_nothing(
    world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    hall = played(world, engine)
    slow = dataclasses.replace(world, files=MeanwhileFiles(tmp_path / "files", "/pairings/", lambda: delete(hall)))
    public_files.rewrite(slow, hall.event_id)
    assert keys(hall) == []


def test_the_sweep_looks_after_an_event_that_came_back(world: TestWorld, engine: Engine) -> None:
    hall = played(world, engine)
    delete(hall)
    heal(world)
    assert list(Active.query(ACTIVE)) == []
    bring_back(hall, engine)
    assert [active.sk for active in Active.query(ACTIVE)] == [hall.event_id]


def _once() -> Any:
    return once("account:x", "a-key-of-this-test", "POST", "/deletion", b"", 200)


def _text(hall: Hall, key: str) -> str:
    file = hall.world.files.get(key)
    return "" if file is None else file.body.decode("utf-8", "replace")
