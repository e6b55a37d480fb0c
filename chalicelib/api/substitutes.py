"""Substitutes by officials, and the line-ups that teams give from their phones."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import substitutes, team_line_ups
from chalicelib.services.settings import Name, Place, Reason, VersionOrZero
from chalicelib.services.views.substitutes import MyLineUp, Substitutions, SubstitutionView

blueprint = Blueprint(__name__)
Person = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class SubstituteBody(msgspec.Struct, forbid_unknown_fields=True):
    """Who goes out (the place within the entry, from 0, and the ``person`` that was seen there), who comes in, and
    why."""

    player: Place
    leaves: Person
    name: Name
    reason: Reason
    phone: Annotated[str, Meta(max_length=30)] = ""

    def wanted(self) -> substitutes.Substitute:
        """The same as the services take it."""
        return substitutes.Substitute(self.player, self.leaves, self.name, self.phone, self.reason)


class TakingBack(msgspec.Struct, forbid_unknown_fields=True):
    """Undo of a substitution."""

    reason: Reason = ""


class TeamLineUpBody(msgspec.Struct, forbid_unknown_fields=True):
    """Who of my team plays in ``round``: places within the team, from 0, for the open and the closed room (one list
    where a match is one table). ``version``: of the line-up as the phone knew it."""

    round: Annotated[int, Meta(ge=1, le=100)]
    rooms: Annotated[list[Annotated[list[Place], Meta(max_length=2)]], Meta(min_length=1, max_length=2)]
    version: VersionOrZero


@route(
    blueprint,
    "GET",
    "/events/{event_id}/entries/{number}/substitutions",
    action="entry.substitute",
    summary="The players of an entry and who was substituted",
    reply=Substitutions,
)
def list_substitutions(call: Call, event_id: str, number: int) -> Substitutions:
    """Without phones; oldest first."""
    return substitutes.listed(call.world, event_id, number, call.digits)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/entries/{number}/substitutions",
    action="entry.substitute",
    summary="Substitute a player",
    body=SubstituteBody,
    reply=SubstitutionView,
    status=201,
)
def substitute_player(call: Call, event_id: str, number: int) -> SubstitutionView:
    """换人, between rounds: results and place stay with the entry; the phones of who left lose their right."""
    return substitutes.substitute(call.world, event_id, number, call.body.wanted(), call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/entries/{number}/substitutions/{substitution_id}/removal",
    action="entry.substitute",
    summary="Take a substitution back",
    body=TakingBack,
    reply=SubstitutionView,
)
def take_back_substitution(call: Call, event_id: str, number: int, substitution_id: str) -> SubstitutionView:
    """Who left is back as they were, phones included."""
    return substitutes.take_back(
        call.world, event_id, number, substitution_id, call.body.reason, call.caller.actor, call.once
    )


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/me/line-up",
    action="player.line_up",
    summary="Say who of my team plays",
    body=TeamLineUpBody,
    reply=MyLineUp,
)
def give_line_up(call: Call, event_id: str) -> MyLineUp:
    """上场名单 for the coming round, by any player of the team; officials overrule it at the table."""
    assert call.caller.device is not None
    body: TeamLineUpBody = call.body
    return team_line_ups.give(call.world, event_id, body.round, body.rooms, body.version, call.caller.device, call.once)
