"""What registrants type, and what they see of it again."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal

import msgspec

from chalicelib.services import phones
from chalicelib.services.names import comparable
from chalicelib.services.settings import Settings
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.registration import RegisteredPlayer, RegistrationView
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry

Partner = Literal["typed", "invited", "matched"]
"""How a player who registers alone gets a partner: by an invitation, or matched by the organizer."""


class RegistrationForm(msgspec.Struct, frozen=True):
    """A registration as typed. An empty phone of a player who stays the same keeps the one that is known."""

    players: list[PlayerView]
    name: str = ""
    club: str = ""
    partner: Partner = "typed"


def halves(players: int) -> int:
    """What a registration counts on its registrant's cap: the unit is a team of two, two singles make one."""
    return 1 if players == 1 else 2


def own_view(
    world: World, event_id: str, settings: Settings, entry: StoredEntry, ahead: int | None = None
) -> RegistrationView:
    """The registration as who made it sees it."""
    known = {comparable(club) for club in settings.clubs}
    return RegistrationView(
        number=entry.number,
        state=entry.state,
        name=entry.name,
        club=entry.club,
        club_counts=comparable(entry.club) in known,
        players=[RegisteredPlayer(player.name, phones.mask(player.phone)) for player in entry.players],
        ahead=ahead,
        paid_at=entry.paid_at,
        invitation=f"/e/{event_id}#{invitation_of(world, event_id, entry)}" if entry.state == "single" else None,
        version=entry.version,
        pay_by=entry.pay_by,
        ordered=entry.order is not None,
    )


def invitation_of(world: World, event_id: str, entry: StoredEntry) -> str:
    """The token with which a partner joins a single. It opens nothing once the team is complete."""
    text = f"partner\n{event_id}\n{entry.number}\n{entry.created_at}"
    digest = hmac.new(world.secret, text.encode(), hashlib.sha256).digest()[:18]
    return f"{entry.number}.{base64.urlsafe_b64encode(digest).decode()}"
