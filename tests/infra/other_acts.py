"""What organizers do beside an event: one made again of its document, a picture for the hall, a rehearsal."""

from __future__ import annotations

import dataclasses

from chalicelib.services.world import use
from infra.local.engine import Engine
from tests.gateways.test_pictures import png
from tests.support.hall import Pump
from tests.support.people import Hall
from tests.support.world import TestWorld


def act_beside(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """All of it."""
    bring_back(world, hall, engine)
    show_a_picture(world, hall)
    rehearse(world, hall, engine)


def bring_back(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """A new event of what was exported, by the job that large documents take."""
    document = hall.owner.get(hall.path("/document")).body
    ticket = hall.owner.post("/event-documents/uploads").json
    world.files.put(ticket["key"], document, "application/json", "no-store")
    job = hall.owner.post("/event-documents/jobs", {"key": ticket["key"]}).json["job_id"]
    Pump(engine).run()
    assert hall.owner.get(f"/event-documents/jobs/{job}").json["phase"] == "done"


def show_a_picture(world: TestWorld, hall: Hall) -> None:
    """Upload a picture and take it away again."""
    ticket = hall.owner.post(hall.path("/picture-uploads")).json
    world.files.put(ticket["key"], png(), "image/png", "no-store")
    (address,) = hall.owner.post(hall.path("/pictures"), {"key": ticket["key"]}).json["pictures"]
    name = address.rpartition("/")[2].partition(".")[0]
    assert hall.owner.delete(hall.path(f"/pictures/{name}")).status == 200


def rehearse(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """Robots play one round of an event of their own."""
    use(dataclasses.replace(world, sleep=lambda seconds: world.time.advance(seconds=seconds) and None))
    order = {"name": "演练", "kind": "pairs", "entries": 4, "rounds": 1, "seconds": 20}
    event_id = hall.owner.post("/rehearsals", order).json["event_id"]
    Pump(engine).run()
    assert hall.owner.get(f"/events/{event_id}/rehearsal").json == {"running": False, "round": 1, "rounds": 1}
    use(world)
