"""What organizers do beside an event: one made again of its document, a picture for the hall, a rehearsal."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import app as application
from chalicelib.gateways.payments import NoPayments, Provider
from chalicelib.services import public_folder
from chalicelib.services.world import use
from chalicelib.store.standings import POINTER, Pointer
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.gateways.test_pictures import png
from tests.support import ladders
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld


def act_beside(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """All of it."""
    bring_back(world, hall, engine)
    show_a_picture(world, hall)
    take_home(hall, engine)
    delete_and_bring_back(world, hall)
    rehearse(world, hall, engine)
    count_for_a_ladder(world, engine)


def let_an_order_lapse(world: TestWorld) -> None:
    """A team that is in play does not pay in time: the schedule withdraws it, and the first that waits moves up."""
    changed = dataclasses.replace(world, payments=ThisCashier())
    use(changed)
    other = open_hall(changed, name="周日夜赛", kind="pairs", test=True)
    other.enter(4, first=7400)
    other.start_round()
    other.configure(fees={"entry": 6000, "extra": 0, "online": True}, capacity=5)
    for first in (7500, 7510):
        people = [{"name": f"选手{each}", "phone": phone(each)} for each in (first, first + 1)]
        made = Browser().post(other.path("/registrations"), {"players": people, "consent": True})
        assert made.status == 201, made.json
    world.time.advance(minutes=31)
    invoke(application.app, "close_registrations", scheduled_event("close_registrations", datetime.now(UTC)))
    states = {each["number"]: each["state"] for each in other.owner.get(other.path("/entries")).json["entries"]}
    assert (states[5], states[6]) == ("withdrawn", "in")
    use(world)


class ThisCashier(NoPayments):
    """There is a provider, and nobody pays."""

    def provider(self) -> Provider:
        """The demonstration."""
        return "cashier"


def count_for_a_ladder(world: TestWorld, engine: Engine) -> None:
    """Another event is posted to a ladder and opened again; nobody hears of that until the schedule looks, and in the
    end it ends by itself."""
    other = ladders.laddered(world, "platform", pairs=2, first=7000)
    ladders.play(other)
    ladders.end(other)
    Pump(engine).run()
    assert len(ladders.points("platform")) == 4
    ladders.end(other, ended=False)
    for _ in range(2):
        _some_minutes_later(world)
    Pump(engine).run()
    assert ladders.points("platform") == {}


def bring_back(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """A new event of what was exported, by the job that large documents take."""
    document = hall.owner.get(hall.path("/document")).body
    ticket = hall.owner.post("/event-documents/uploads").json
    world.files.put(ticket["key"], document, "application/json", "no-store")
    job = hall.owner.post("/event-documents/jobs", {"key": ticket["key"]}).json["job_id"]
    Pump(engine).run()
    assert hall.owner.get(f"/event-documents/jobs/{job}").json["phase"] == "done"


def add_a_picture(world: TestWorld, hall: Hall) -> str:
    """Upload the event's only picture; its address."""
    ticket = hall.owner.post(hall.path("/picture-uploads")).json
    world.files.put(ticket["key"], png(), "image/png", "no-store")
    (address,) = hall.owner.post(hall.path("/pictures"), {"key": ticket["key"]}).json["pictures"]
    return str(address)


def show_a_picture(world: TestWorld, hall: Hall) -> None:
    """Upload a picture and take it away again."""
    name = add_a_picture(world, hall).rpartition("/")[2].partition(".")[0]
    assert hall.owner.delete(hall.path(f"/pictures/{name}")).status == 200


def delete_and_bring_back(world: TestWorld, hall: Hall) -> None:
    """A second event with a picture, deleted while another is on its way, and brought back by a request that dies
    before it has written the files."""
    made = hall.owner.post("/events", {"name": "周六夜赛", "kind": "pairs", "test": True})
    other = Hall(world, hall.owner, made.json["event_id"])
    picture = add_a_picture(world, other).lstrip("/")
    assert other.owner.post(other.path("/deletion"), {"deleted": True, "name": "周六夜赛"}).status == 200
    late = picture.replace(".png", "-late.png")
    world.files.put(late, png(), "image/png", "no-store")
    _some_minutes_later(world)
    assert world.files.list_prefix(f"pub/{other.event_id}/") == []
    assert other.owner.post(other.path("/deletion"), {"deleted": False}).status == 200
    assert {picture, late} < set(world.files.list_prefix(f"pub/{other.event_id}/"))
    public_folder.take_away(world, other.event_id)
    Pointer(other.event_id, POINTER).update([Pointer.withdrawn_at.set(world.now())])
    _some_minutes_later(world)
    assert {picture, late} < set(world.files.list_prefix(f"pub/{other.event_id}/"))


def _some_minutes_later(world: TestWorld) -> None:
    world.time.advance(minutes=6)
    invoke(application.app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))


def take_home(hall: Hall, engine: Engine) -> None:
    """Files as those of a large event are made: by jobs."""
    for name in ("workbook", "document", "log"):
        job = hall.owner.post(hall.path("/export-jobs"), {"name": name}).json["job_id"]
        Pump(engine).run()
        assert hall.owner.get(hall.path(f"/export-jobs/{job}")).json["link"]


def rehearse(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """Robots play one round of an event of their own."""
    use(dataclasses.replace(world, sleep=lambda seconds: world.time.advance(seconds=seconds) and None))
    order = {"name": "演练", "kind": "pairs", "entries": 4, "rounds": 1, "seconds": 20}
    event_id = hall.owner.post("/rehearsals", order).json["event_id"]
    Pump(engine).run()
    assert hall.owner.get(f"/events/{event_id}/rehearsal").json == {"running": False, "round": 1, "rounds": 1}
    use(world)


def settle_and_publish_as_jobs(hall: Hall, pump: Pump) -> None:
    """A large round is settled, the next one published and deleted twice: the first drawing leaves a bye's seat."""
    assert hall.owner.post(hall.path("/rounds/1/reopening"), {"reason": "再次更正"}).status == 200
    use(dataclasses.replace(hall.world, tables_at_once=0))
    try:
        _as_a_job(hall, pump, 1, "settling")
        for withdrawn in (False, True):
            moved = {"withdrawn": withdrawn, "reason": "改变主意"}
            assert hall.owner.post(hall.path("/entries/5/withdrawal"), moved).status == 200
            assert hall.owner.post(hall.path("/rounds"), {}).status == 201
            _as_a_job(hall, pump, 2, "publishing")
            assert hall.owner.delete(hall.path("/rounds/2?reason=%E9%87%8D%E6%8E%92")).status == 200
    finally:
        use(hall.world)


def _as_a_job(hall: Hall, pump: Pump, number: int, act: str) -> None:
    version = hall.owner.get(hall.path(f"/rounds/{number}")).json["version"]
    job = hall.owner.post(hall.path(f"/rounds/{number}/{act}"), {"version": version}).json["job_id"]
    pump.run()
    assert hall.owner.get(hall.path(f"/round-jobs/{job}")).json["phase"] == "done"
    assert hall.owner.post(hall.path(f"/round-jobs/{job}/cancellation"), {}).json["phase"] == "done"
