"""Robots enter, identify and check in: the same acts as people's, under names that nobody bears."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from chalicelib.rules.kinds import Entrants
from chalicelib.services import check_in, configuring, entries
from chalicelib.services.device_tokens import DeviceToken
from chalicelib.services.entry_numbers import last_number
from chalicelib.services.finding import open_event
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.permissions import Role
from chalicelib.services.settings import kind_of
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.world import World
from chalicelib.store.entries import Device

CLUBS = ("市南", "市北", "李沧", "崂山", "城阳", "黄岛", "即墨", "胶州")
DEVICE = "robot"
ORGANIZER = frozenset({Role.OWNER, Role.ACCOUNT})


def robot(event_id: str, number: int) -> DeviceToken:
    """The phone of an entry's robot."""
    return DeviceToken(event_id, number, 0, f"{DEVICE}-{number}")


def once_for(event_id: str, act: str) -> Once:
    """The identity of a robot's act: done again after a crash it has no second effect."""
    return Once(f"rehearsal:{event_id}", act, act)


def prepare(world: World, event_id: str, actor: str) -> None:
    """Give the event its clubs, so that the club ranking has something to rank. Does nothing the second time."""
    header, settings = open_event(world, event_id)
    if settings.clubs:
        return
    changed = msgspec.structs.replace(settings, clubs=list(CLUBS))
    once = once_for(event_id, "clubs")
    with suppress(AlreadyDone):
        configuring.change_settings(world, event_id, int(header.version), changed, actor, ORGANIZER, once)


def enter_next(world: World, event_id: str, wanted: int, actor: str) -> bool:
    """Let one more robots' entry come, find itself and check in; False when there are enough."""
    number = last_number(event_id) + 1
    if number > wanted:
        return False
    _, settings = open_event(world, event_id)
    kind = kind_of(settings.kind)
    size = 2 if kind.entrants is Entrants.PAIR_OR_PERSON else kind.players[0]
    first = (number - 1) * size
    players = [PlayerView(f"选手{first + index + 1:03d}", "") for index in range(size)]
    name = "" if size == 1 else f"{number}号机器人队"
    typed = TypedEntry(name, CLUBS[number % len(CLUBS)], players)
    with suppress(AlreadyDone):
        entries.add(world, event_id, typed, actor, once_for(event_id, f"enter-{number}"))
    return True


def check_in_robot(world: World, event_id: str, number: int) -> None:
    """Let a robot's phone identify itself and check in."""
    device = robot(event_id, number)
    _, pk, sk = device.keys
    Device(pk, sk, number=number, player=0, created_at=world.now(), description="演练机器人 robot").save()
    with suppress(AlreadyDone):
        check_in.myself(world, event_id, device, once_for(event_id, f"check-in-{number}"))
