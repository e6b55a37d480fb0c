"""Tables in play: the grid for referees and organizers, rulings, and what organizers enter from paper slips."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import changed_tables, scoring
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Place, Reason, Version
from chalicelib.services.views.changed_tables import ChangedTables
from chalicelib.services.views.scoring import BoardResult, Score, TableGrid, TableHistory, TableView

blueprint = Blueprint(__name__)
MOST_DIGITS = 15
Level = Annotated[str, Meta(max_length=3)]
Lap = Annotated[int, Meta(ge=1, le=99)]
Outcome = Literal["played", "ns_forfeit", "ew_forfeit", "double_forfeit", "unplayed"]


class BoardSaid(msgspec.Struct, forbid_unknown_fields=True):
    """One board: its number, and its result as the pair that sits NS sees it."""

    board: Annotated[int, Meta(ge=1, le=100_000)]
    result: Literal[3, 2, 1, -1, -2, -3]


class Said(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What somebody says of a table. Kinds scored by levels: final levels (with their lap in 超分赛), or ``boards``
    alone, of which the server makes the levels. Kinds scored by boards: ``boards``, exactly those to be played.

    ``winner``: in a knock-out on equal levels, and where a side lost by its failures at A.
    """

    ns_level: Level | None = None
    ew_level: Level | None = None
    ns_lap: Lap = 1
    ew_lap: Lap = 1
    winner: Literal["ns", "ew"] | None = None
    boards: Annotated[list[BoardSaid], Meta(max_length=100)] = []

    def score(self, outcome: str = "played") -> Score:
        """The same as the services take it."""
        return Score(
            outcome,
            self.ns_level,
            self.ew_level,
            self.ns_lap,
            self.ew_lap,
            self.winner,
            [BoardResult(each.board, each.result) for each in self.boards],
        )


class Ruling(Said, kw_only=True):
    """The referee's (or the desk's, from a paper slip) result. ``version``: the table's, as seen.

    ``reason`` is required when it overrules what a side submitted or changes a ruling or a settled round.
    """

    version: Version
    outcome: Outcome = "played"
    reason: Reason = ""


class LineUpBody(msgspec.Struct, forbid_unknown_fields=True):
    """Who of each team sits at the table: places within the team, from 0; both empty takes the line-up back."""

    version: Version
    ns: Annotated[list[Place], Meta(max_length=2)]
    ew: Annotated[list[Place], Meta(max_length=2)]


class Lifting(msgspec.Struct, forbid_unknown_fields=True):
    """Take a ruling back; the sides' words count again."""

    version: Version
    reason: Reason = ""


class Postponement(msgspec.Struct, forbid_unknown_fields=True):
    """Put a table off (``reason``), or take that back (``postponed`` false)."""

    version: Version
    postponed: bool
    reason: Reason = ""


class ExtraTime(msgspec.Struct, forbid_unknown_fields=True):
    """Minutes that this table has beyond the round's end."""

    version: Version
    minutes: Annotated[int, Meta(ge=0, le=120)]


@route(
    blueprint,
    "GET",
    "/events/{event_id}/rounds/{number}/tables",
    action="table.read",
    summary="All tables of a round",
    reply=TableGrid,
)
def read_grid(call: Call, event_id: str, number: int) -> TableGrid:
    """State, words, ruling of every table; asked every second or two with If-None-Match."""
    return scoring.grid(call.world, event_id, number)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/current-tables",
    action="table.read",
    summary="All tables of the newest published round",
    reply=TableGrid,
)
def read_current_grid(call: Call, event_id: str) -> TableGrid:
    """As above, for whatever round is published last."""
    return scoring.current_grid(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/rounds/{number}/changed-tables",
    action="table.read",
    summary="Tables of a round that changed since",
    reply=ChangedTables,
    query=("since",),
)
def read_changed_tables(call: Call, event_id: str, number: int) -> ChangedTables:
    """``since``: ``changes`` of the answer that is known. Asked when the pulse's ``changes`` or ``calls`` has moved."""
    since = call.query.get("since", "0")
    if not (since.isascii() and since.isdigit() and len(since) <= MOST_DIGITS):
        raise Problem("bad_value", "since", why_zh="必须是不小于 0 的整数", why_en="must be a number from 0")
    return changed_tables.changed(call.world, event_id, number, int(since))


@route(
    blueprint,
    "GET",
    "/events/{event_id}/rounds/{number}/tables/{table}/history",
    action="table.read",
    summary="Everything that was said about a table",
    reply=TableHistory,
)
def read_history(call: Call, event_id: str, number: int, table: int) -> TableHistory:
    """Oldest first; nothing is ever overwritten."""
    return scoring.history(call.world, event_id, number, table)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/ruling",
    action="table.rule",
    summary="Settle one table",
    body=Ruling,
    reply=TableView,
)
def rule_table(call: Call, event_id: str, number: int, table: int) -> TableView:
    """The ruling stands above both sides' words and locks the table for them."""
    body: Ruling = call.body
    return scoring.rule(
        call.world,
        event_id,
        number,
        table,
        body.version,
        body.score(body.outcome),
        body.reason,
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/lifting",
    action="table.rule",
    summary="Take a ruling back",
    body=Lifting,
    reply=TableView,
)
def lift_ruling(call: Call, event_id: str, number: int, table: int) -> TableView:
    """Undo of a ruling."""
    return scoring.lift(
        call.world, event_id, number, table, call.body.version, call.body.reason, call.caller.actor, call.once
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/postponement",
    action="table.rule",
    summary="Postpone a table",
    body=Postponement,
    reply=TableView,
)
def postpone_table(call: Call, event_id: str, number: int, table: int) -> TableView:
    """A postponed table does not hold up the next round."""
    return scoring.postpone(
        call.world,
        event_id,
        number,
        table,
        call.body.version,
        call.body.postponed,
        call.body.reason,
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/extra-time",
    action="table.rule",
    summary="Give a table more time",
    body=ExtraTime,
    reply=TableView,
)
def give_extra_time(call: Call, event_id: str, number: int, table: int) -> TableView:
    """加时."""
    return scoring.give_extra_time(
        call.world, event_id, number, table, call.body.version, call.body.minutes, call.caller.actor, call.once
    )


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/rounds/{number}/tables/{table}/line-up",
    action="table.rule",
    summary="Say who of a team sits there",
    body=LineUpBody,
    reply=TableView,
)
def set_line_up(call: Call, event_id: str, number: int, table: int) -> TableView:
    """上场名单 of a room of teams of four, or of a table of a league."""
    body: LineUpBody = call.body
    return scoring.set_line_up(
        call.world, event_id, number, table, body.version, body.ns, body.ew, call.caller.actor, call.once
    )
