"""The projection's remote control: what every screen of the event shows, through the pulse, and its pictures."""

from __future__ import annotations

import hashlib
import re

import msgspec

from chalicelib.gateways.pictures import MAX_BYTES, NoPicture, cleaned
from chalicelib.services import audit, pulse
from chalicelib.services.finding import known_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.events import DisplayView, Pictures
from chalicelib.services.views.jobs import UploadView
from chalicelib.services.world import World
from chalicelib.store.standings import Pointer, find_pointer

MOST_PICTURES = 20


def show(world: World, event_id: str, shown: DisplayView, actor: str, once: Once) -> DisplayView:
    """Let all projections show this from now on; the last command holds.

    Raises event_not_found, picture_missing for a picture that was not uploaded, or a view of one without it.
    """
    known_event(event_id)
    if shown.picture is not None and shown.picture not in _pictures(find_pointer(event_id)):
        raise Problem("picture_missing", "picture")
    if shown.view == "picture" and shown.picture is None:
        raise Problem("picture_missing", "picture")
    value = msgspec.to_builtins(shown)
    work = transaction(world)
    once.record(work, value, world)
    pulse.change(work, event_id, Pointer.display.set(value))
    audit.record(work, world, event_id=event_id, actor=actor, action="display.show", details=value)
    work.commit()
    pulse.publish(world, event_id)
    return shown


def _pictures(pointer: Pointer | None) -> list[str]:
    return [] if pointer is None else list(pointer.pictures or ())


def listed(world: World, event_id: str) -> Pictures:
    """The pictures that can be shown, newest first. Raises event_not_found."""
    known_event(event_id)
    return Pictures(_pictures(find_pointer(event_id))[::-1])


def upload(world: World, event_id: str) -> UploadView:
    """Leave to upload one picture. Raises event_not_found."""
    known_event(event_id)
    ticket = world.files.upload_ticket(f"uploads/{event_id}/{world.random.token(12)}", MAX_BYTES)
    return UploadView(ticket.key, ticket.url, ticket.fields, ticket.max_bytes)


def add_picture(world: World, event_id: str, key: str, actor: str, once: Once) -> Pictures:
    """Make an uploaded file a picture of the event, without what a camera wrote into it.

    The name is made of what it shows, so the same file twice is one picture. Raises upload_missing, not_a_picture,
    too_many_pictures.
    """
    known_event(event_id)
    if not re.fullmatch(rf"uploads/{re.escape(event_id)}/[A-Za-z0-9_-]+", key):
        raise Problem("upload_missing", "key")
    stored = world.files.get(key)
    if stored is None:
        raise Problem("upload_missing", "key")
    try:
        picture = cleaned(stored.body)
    except NoPicture as error:
        raise Problem("not_a_picture", "key") from error
    name = f"/pub/{event_id}/pictures/{hashlib.sha256(picture.body).hexdigest()[:32]}.{picture.ending}"
    before = _pictures(find_pointer(event_id))
    after = [*(each for each in before if each != name), name]
    if len(after) > MOST_PICTURES:
        raise Problem("too_many_pictures", limit=MOST_PICTURES)
    world.files.put(name.lstrip("/"), picture.body, picture.media_type, pulse.CACHE_SNAPSHOT)
    reply = Pictures(after[::-1])
    try:
        _keep(world, event_id, before, after, reply, ("display.picture", actor), once)
    except Problem as refused:
        if refused.code == "event_not_found":
            world.files.delete(name.lstrip("/"))
        raise
    return reply


def remove_picture(world: World, event_id: str, name: str, actor: str, once: Once) -> Pictures:
    """Take a picture away. Raises picture_missing, picture_shown while the projection is set to show it."""
    known_event(event_id)
    pointer = find_pointer(event_id)
    before = _pictures(pointer)
    gone = next((each for each in before if each.rpartition("/")[2].partition(".")[0] == name), None)
    if gone is None:
        raise Problem("picture_missing", "name")
    if pointer is not None and (pointer.display or {}).get("picture") == gone:
        raise Problem("picture_shown")
    after = [each for each in before if each != gone]
    reply = Pictures(after[::-1])
    _keep(world, event_id, before, after, reply, ("display.remove_picture", actor), once)
    world.files.delete(gone.lstrip("/"))
    return reply


def _keep(
    world: World,
    event_id: str,
    before: list[str],
    after: list[str],
    reply: Pictures,
    act: tuple[str, str],
    once: Once,
) -> None:
    action, actor = act
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    same = Pointer.pictures == before
    if not before:
        same = same | Pointer.pictures.does_not_exist()
    pulse.change(
        work,
        event_id,
        Pointer.pictures.set(after),
        condition=same & Pointer.withdrawn_at.does_not_exist(),
        # Deleted while the picture was on its way.
        otherwise=lambda old: Problem("event_not_found" if old and "withdrawn_at" in old else "stale_version"),
    )
    audit.record(work, world, event_id=event_id, actor=actor, action=action, subject=f"event:{event_id}")
    work.commit()
