"""Privacy: encryption of an event, and one person's data to take along or to erase.

Digits come in the headers X-Guanjun-Digits and X-Guanjun-New-Digits: of bodies a hash is kept.
"""

from __future__ import annotations

import msgspec
from chalice.app import Blueprint

from chalicelib.api.framework import Call, File, route
from chalicelib.services.privacy import encrypting, persons
from chalicelib.services.settings import Line
from chalicelib.services.views.privacy import Encryption, Erased

blueprint = Blueprint(__name__)


class Encrypting(msgspec.Struct, forbid_unknown_fields=True):
    """Encrypt the event under the digits of the header X-Guanjun-New-Digits. It is not undone."""


class NewDigits(msgspec.Struct, forbid_unknown_fields=True):
    """The digits of X-Guanjun-New-Digits take the place of those of X-Guanjun-Digits. Without the old ones every entry
    so far becomes unreadable: then ``name`` is the event's name as it was typed."""

    name: Line = ""


class Erasure(msgspec.Struct, forbid_unknown_fields=True):
    """Erase a person; results and standings stay."""


@route(
    blueprint,
    "GET",
    "/events/{event_id}/encryption",
    action="event.read",
    summary="Whether the event is encrypted",
    reply=Encryption,
)
def read_encryption(call: Call, event_id: str) -> Encryption:
    """With X-Guanjun-Digits also whether these are the digits: 403 digits_wrong."""
    return encrypting.state(call.world, event_id, call.digits)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/encryption",
    action="event.encrypt",
    summary="Encrypt the event",
    body=Encrypting,
    reply=Encryption,
)
def encrypt_event(call: Call, event_id: str) -> Encryption:
    """是否加密: seals what is there, rewrites what is public."""
    return encrypting.switch_on(call.world, event_id, call.new_digits, call.caller.actor, call.once)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/encryption/digits",
    action="event.encrypt",
    summary="Change the digits",
    body=NewDigits,
    reply=Encryption,
)
def change_digits(call: Call, event_id: str) -> Encryption:
    """With the old digits no entry is lost."""
    return encrypting.change_digits(
        call.world, event_id, call.new_digits, call.digits, call.body.name, call.caller.actor, call.once
    )


@route(
    blueprint,
    "GET",
    "/events/{event_id}/entries/{number}/players/{player}/data",
    action="person.export",
    summary="Everything stored of one person",
    reply=File,
)
def export_person(call: Call, event_id: str, number: int, player: int) -> File:
    """``player`` counts from 1."""
    body, filename = persons.export(call.world, event_id, number, player, call.digits)
    return File(body, "application/json", filename)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/entries/{number}/players/{player}/erasure",
    action="person.erase",
    summary="Erase one person's data",
    body=Erasure,
    reply=Erased,
)
def erase_person(call: Call, event_id: str, number: int, player: int) -> Erased:
    """The number takes the name's place, in public files too."""
    return persons.erase(call.world, event_id, number, player, call.caller.actor, call.once)
