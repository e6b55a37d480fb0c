"""The registration page: register, invite a partner, change and withdraw; what organizers do about it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.api.players import browser_of
from chalicelib.services import fees
from chalicelib.services.problems import Problem
from chalicelib.services.registration import own, page, partners, registering, waiting_list
from chalicelib.services.registration.forms import Partner, RegistrationForm
from chalicelib.services.settings import Line, Name, Version
from chalicelib.services.views.entries import EntryView, PlayerView
from chalicelib.services.views.registration import (
    MovedUp,
    PartnerInvitation,
    RegistrationPage,
    RegistrationView,
)

blueprint = Blueprint(__name__)
Phone = Annotated[str, Meta(max_length=30)]
Token = Annotated[str, Meta(min_length=1, max_length=60)]
Number = Annotated[int, Meta(ge=1, le=100_000)]


class Registrand(msgspec.Struct, forbid_unknown_fields=True):
    """A player who registers. In a change an empty phone keeps the one that is known."""

    name: Name
    phone: Phone = ""


class RegistrationBody(msgspec.Struct, forbid_unknown_fields=True):
    """A registration. ``partner``: typed, or of one player who will invite somebody (invited) or be matched (matched).

    ``consent``: the text on the use of personal data was ticked.
    """

    players: Annotated[list[Registrand], Meta(min_length=1, max_length=8)]
    consent: bool
    name: Line = ""
    club: Line = ""
    partner: Partner = "typed"


class RegistrationChange(msgspec.Struct, forbid_unknown_fields=True):
    """One's own registration as it shall be, read at ``version``."""

    players: Annotated[list[Registrand], Meta(min_length=1, max_length=8)]
    version: Version
    name: Line = ""
    club: Line = ""


class InvitationBody(msgspec.Struct, forbid_unknown_fields=True):
    """The token of an invitation. A POST because it must not stand in an address."""

    token: Token


class PartnerBody(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody joins who was invited."""

    token: Token
    name: Name
    phone: Phone
    consent: bool


class MatchBody(msgspec.Struct, forbid_unknown_fields=True):
    """Two singles who shall be a team."""

    one: Number
    two: Number


class PaymentBody(msgspec.Struct, forbid_unknown_fields=True):
    """线下收费: paid or not."""

    paid: bool


@route(
    blueprint,
    "GET",
    "/events/{event_id}/registration",
    action="registration.use",
    summary="The registration page",
    reply=RegistrationPage,
)
def read_registration(call: Call, event_id: str) -> RegistrationPage:
    """The event, its prompt, fee and deadline, how many are in, and one's own registrations."""
    return page.page(call.world, event_id, whose(call))


@route(
    blueprint,
    "POST",
    "/events/{event_id}/registrations",
    action="registration.use",
    summary="Register",
    body=RegistrationBody,
    reply=RegistrationView,
    status=201,
)
def register(call: Call, event_id: str) -> RegistrationView:
    """A team gets a place or a rank on the waiting list; a phone plays once per event."""
    body: RegistrationBody = call.body
    _demand_consent(body.consent)
    form = RegistrationForm(_typed(body.players), body.name, body.club, body.partner)
    return registering.register(call.world, event_id, _who(call), form, call.once)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/registrations/{number}",
    action="registration.use",
    summary="Change my registration",
    body=RegistrationChange,
    reply=RegistrationView,
)
def change_registration(call: Call, event_id: str, number: int) -> RegistrationView:
    """Until the deadline."""
    body: RegistrationChange = call.body
    form = RegistrationForm(_typed(body.players), body.name, body.club)
    return own.change(call.world, event_id, whose(call), number, form, body.version, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/registrations/{number}/withdrawal",
    action="registration.use",
    summary="Withdraw my registration",
    reply=RegistrationView,
)
def withdraw_registration(call: Call, event_id: str, number: int) -> RegistrationView:
    """Until the deadline; the place goes to the first team that waits."""
    return own.withdraw(call.world, event_id, whose(call), number, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/partner-invitations",
    action="registration.use",
    summary="Look at an invitation",
    body=InvitationBody,
    reply=PartnerInvitation,
    keyed=False,
)
def read_invitation(call: Call, event_id: str) -> PartnerInvitation:
    """Who invites, and to what."""
    return partners.invitation(call.world, event_id, call.body.token)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/partners",
    action="registration.use",
    summary="Accept an invitation",
    body=PartnerBody,
    reply=RegistrationView,
    status=201,
)
def join_partner(call: Call, event_id: str) -> RegistrationView:
    """The team is complete and takes its place."""
    body: PartnerBody = call.body
    _demand_consent(body.consent)
    partner = PlayerView(body.name, body.phone)
    return partners.join(call.world, event_id, _who(call), body.token, partner, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/matches-of-singles",
    action="registration.manage",
    summary="Make a team of two singles",
    body=MatchBody,
    reply=EntryView,
    status=201,
)
def match_singles(call: Call, event_id: str) -> EntryView:
    """The team goes on under the lower number."""
    return partners.match(call.world, event_id, call.body.one, call.body.two, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/waiting-list/admission",
    action="registration.manage",
    summary="Let the waiting list move up",
    reply=MovedUp,
    keyed=False,
)
def move_up(call: Call, event_id: str) -> MovedUp:
    """After a larger capacity, and for tickets that nobody used; doing so again changes nothing."""
    unused = waiting_list.reclaim(call.world, event_id)
    return MovedUp(waiting_list.admit(call.world, event_id), unused)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/entries/{number}/payment",
    action="registration.manage",
    summary="Tick a fee as paid",
    body=PaymentBody,
    reply=EntryView,
)
def tick_fee(call: Call, event_id: str, number: int) -> EntryView:
    """线下收费."""
    return fees.tick(call.world, event_id, number, call.body.paid, call.caller.actor, call.once)


def _typed(players: list[Registrand]) -> list[PlayerView]:
    return [PlayerView(player.name, player.phone) for player in players]


def _demand_consent(given: bool) -> None:
    if not given:
        raise Problem("consent_missing", "consent")


def _who(call: Call) -> str:
    """Who registers: the account that is signed in, else this browser."""
    return whose(call)[0]


def whose(call: Call) -> list[str]:
    """Everything this visitor is known as; what was registered before signing in stays theirs."""
    browser = f"browser:{browser_of(call)}"
    return [browser] if call.caller.account_id is None else [f"account:{call.caller.account_id}", browser]
