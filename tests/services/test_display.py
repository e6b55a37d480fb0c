"""The projection's remote control and its pictures."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.store.accounts import Account
from tests.gateways.test_pictures import SECRET, chunk, png
from tests.support.people import OWNER_PHONE, Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def upload(hall: Hall, content: bytes) -> str:
    """What a browser does with the leave to upload."""
    ticket = hall.owner.post(hall.path("/picture-uploads"))
    assert (ticket.status, ticket.json["max_bytes"]) == (201, 5 * 1024 * 1024)
    key: str = ticket.json["key"]
    hall.world.files.put(key, content, "image/png", "no-store")
    return key


def show(hall: Hall, view: str, **more: Any) -> Any:
    return hall.owner.put(hall.path("/display"), {"view": view, **more})


def shown(hall: Hall) -> Any:
    file = hall.world.files.get(f"pub/{hall.event_id}/pulse.json")
    assert file is not None
    return msgspec.json.decode(file.body)["display"]


def test_every_view_reaches_the_pulse(hall: Hall) -> None:
    assert shown(hall) == {"view": "clock", "page": None, "paused": False, "step": 0, "picture": None}
    for view in ("clock", "pairings", "names", "standings", "clubs", "winners", "rules", "qr", "chart", "bracket"):
        command = {"view": view, "page": 2, "paused": True, "step": 3, "picture": None}
        assert show(hall, **command).json == command
        assert shown(hall) == command
        assert hall.owner.get(hall.path()).json["display"] == command
    assert show(hall, "party").code == "bad_value"


def test_the_platforms_code_is_named_unless_the_event_is_without_advertisement(world: TestWorld, hall: Hall) -> None:
    def told() -> Any:
        file = world.files.get(f"pub/{hall.event_id}/pulse.json")
        assert file is not None
        return msgspec.json.decode(file.body)["advertisement"]

    assert told() == "home"
    code = hall.owner.get(hall.path("/qr/home?origin=https://example.org"))
    assert (code.status, code.headers["content-type"]) == (200, "image/svg+xml")
    # 去除广告 needs a VIP level.
    owner = next(each for each in Account.scan(Account.sk == "PROFILE") if each.phone == OWNER_PHONE)
    owner.update([Account.vip_level.set(1)])
    hall.configure(no_advertisement=True)
    assert told() is None
    hall.configure(no_advertisement=False)
    assert told() == "home"


def test_a_picture_is_uploaded_cleaned_shown_and_removed(world: TestWorld, hall: Hall) -> None:
    key = upload(hall, png(chunk(b"tEXt", SECRET)))
    added = hall.owner.post(hall.path("/pictures"), {"key": key}, key="picture-key-1")
    assert added.status == 201, added.json
    (address,) = added.json["pictures"]
    assert hall.owner.post(hall.path("/pictures"), {"key": key}, key="picture-key-1").json == added.json
    public = world.files.get(address.lstrip("/"))
    assert public is not None
    assert (public.body, public.content_type) == (png(), "image/png")
    assert hall.owner.get(hall.path("/pictures")).json["pictures"] == [address]

    assert show(hall, "picture").code == "picture_missing"
    assert show(hall, "picture", picture="/pub/other/pictures/x.png").code == "picture_missing"
    assert show(hall, "picture", picture=address).status == 200
    name = address.rpartition("/")[2].partition(".")[0]
    assert hall.owner.delete(hall.path(f"/pictures/{name}")).code == "picture_shown"
    show(hall, "clock")
    assert hall.owner.delete(hall.path(f"/pictures/{name}")).json["pictures"] == []
    assert world.files.get(address.lstrip("/")) is None
    assert hall.owner.delete(hall.path(f"/pictures/{name}")).code == "picture_missing"


def test_what_is_no_picture_stays_outside(world: TestWorld, hall: Hall) -> None:
    key = upload(hall, b"<svg onload='alert(1)'/>")
    assert hall.owner.post(hall.path("/pictures"), {"key": key}).code == "not_a_picture"
    other = open_hall(world, "13800130009")
    for wrong in (f"uploads/{hall.event_id}/nothing", upload(other, png()), "backups/x", "pub/x/pulse.json"):
        assert hall.owner.post(hall.path("/pictures"), {"key": wrong}).code == "upload_missing"
    assert world.files.list_prefix(f"pub/{hall.event_id}/pictures/") == []


def test_the_same_picture_twice_is_one_and_twenty_are_enough(hall: Hall) -> None:
    for number in range(20):
        key = upload(hall, png(width=number + 1))
        assert hall.owner.post(hall.path("/pictures"), {"key": key}).status == 201
    again = hall.owner.post(hall.path("/pictures"), {"key": upload(hall, png(width=1))})
    assert (again.status, len(again.json["pictures"])) == (201, 20)
    assert hall.owner.post(hall.path("/pictures"), {"key": upload(hall, png(width=50))}).code == "too_many_pictures"
