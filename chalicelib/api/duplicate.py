"""复式设置 and 复式派牌: levels and leaders of the boards, the record of the hands."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import duplicate
from chalicelib.services.views.duplicate import BoardPlan, HandsView

blueprint = Blueprint(__name__)

Card = Annotated[str, Meta(min_length=2, max_length=3)]
Hand = Annotated[list[Card], Meta(max_length=108)]


class Hands(msgspec.Struct, forbid_unknown_fields=True):
    """The four hands of one deal, 27 cards each."""

    hands: dict[Literal["N", "E", "S", "W"], Hand]


@route(
    blueprint,
    "GET",
    "/events/{event_id}/boards",
    action="board.read",
    summary="Levels and leaders of the boards",
    reply=BoardPlan,
)
def read_boards(call: Call, event_id: str) -> BoardPlan:
    """Empty before 一键生成 has set the seed."""
    return duplicate.plan(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/boards/{number}/{board}/hands",
    action="board.read",
    summary="The hands of a board",
    reply=HandsView,
)
def read_hands(call: Call, event_id: str, number: int, board: int) -> HandsView:
    """As recorded, else as the seed would deal them."""
    return duplicate.hands(call.world, event_id, number, board)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/boards/{number}/{board}/hands",
    action="board.record",
    summary="Record the hands of a board",
    body=Hands,
    reply=HandsView,
)
def record_hands(call: Call, event_id: str, number: int, board: int) -> HandsView:
    """Checked to be the 108 cards of two packs; changes no result."""
    return duplicate.record(call.world, event_id, number, board, dict(call.body.hands), call.caller.actor, call.once)
