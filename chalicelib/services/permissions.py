"""Who may do what: roles x actions as one table. Everything that asks for permission asks here.

Roles within an event: owner, administrator, referee, desk, display (links), player (an identified device);
beside events: account (signed in), anyone. Platform administrators may do what ``platform`` lists.
"""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a caller is, to one event or to the platform."""

    ANYONE = "anyone"
    ACCOUNT = "account"
    PLATFORM = "platform"
    OWNER = "owner"
    ADMINISTRATOR = "administrator"
    REFEREE = "referee"
    DESK = "desk"
    DISPLAY = "display"
    PLAYER = "player"


LINK_ROLES = (Role.REFEREE, Role.DESK, Role.DISPLAY)
"""Roles that a link gives."""

_EVERYBODY = frozenset(Role)
_SIGNED_IN = frozenset({Role.ACCOUNT, Role.PLATFORM, Role.OWNER, Role.ADMINISTRATOR})
_OWNER = frozenset({Role.OWNER})
_ORGANIZERS = frozenset({Role.OWNER, Role.ADMINISTRATOR})
_OFFICIALS = _ORGANIZERS | {Role.REFEREE}
_HALL = _OFFICIALS | {Role.DESK}
_WATCHERS = _HALL | {Role.DISPLAY}

ACTIONS: dict[str, frozenset[Role]] = {
    "service.read": _EVERYBODY,
    "account.sign_in": _EVERYBODY,
    "account.self": _SIGNED_IN,
    "platform.manage": frozenset({Role.PLATFORM}),
    "ladder.read": _EVERYBODY,
    "event.create": _SIGNED_IN,
    "event.list_own": _SIGNED_IN,
    "event.read": _ORGANIZERS,
    "event.read_public": _EVERYBODY,
    "event.list_public": _EVERYBODY,
    "event.configure": _ORGANIZERS,
    "event.link": _ORGANIZERS,
    "series.manage": _ORGANIZERS,
    "event.end": _ORGANIZERS,
    "event.rehearse": _ORGANIZERS,
    "event.delete": _OWNER,
    "event.encrypt": _OWNER,
    "event.audit": _ORGANIZERS,
    "event.document": _ORGANIZERS,
    "member.manage": _OWNER,
    "link.manage": _ORGANIZERS,
    "link.exchange": _EVERYBODY,
    "registration.use": _EVERYBODY,
    "registration.manage": _ORGANIZERS,
    "payment.read": _ORGANIZERS,
    "payment.refund": _OWNER,
    "payment.notify": _EVERYBODY,
    "entry.read": _ORGANIZERS,
    "entry.write": _ORGANIZERS,
    "entry.import": _ORGANIZERS,
    "person.export": _ORGANIZERS,
    "person.erase": _ORGANIZERS,
    "entry.check_in": _HALL - {Role.REFEREE},
    "entry.list_names": _HALL,
    "board.read": _ORGANIZERS,
    "board.record": _ORGANIZERS,
    "round.draw": _ORGANIZERS,
    "round.read_draft": _ORGANIZERS,
    "round.read": _WATCHERS,
    "round.publish": _ORGANIZERS,
    "round.clock": _OFFICIALS,
    "round.settle": _ORGANIZERS,
    "table.read": _OFFICIALS,
    "table.rule": _OFFICIALS,
    "call.answer": _OFFICIALS,
    "entry.adjust": _OFFICIALS,
    "entry.substitute": _OFFICIALS,
    "display.control": _ORGANIZERS,
    "display.read": _WATCHERS,
    "standings.read": _OFFICIALS,
    "standings.files": _ORGANIZERS,
    "standings.freeze": _ORGANIZERS,
    "device.manage": _ORGANIZERS,
    "player.identify": _EVERYBODY,
    "player.self": frozenset({Role.PLAYER}),
    "player.score": frozenset({Role.PLAYER}),
    "player.line_up": frozenset({Role.PLAYER}),
}


def allowed(action: str, roles: frozenset[Role]) -> bool:
    """Whether any of ``roles`` may do ``action``; an action that is not in the table is a KeyError, never a yes."""
    return bool(ACTIONS[action] & (roles | {Role.ANYONE}))
