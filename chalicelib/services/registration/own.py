"""One's own registrations: change and withdraw them until the deadline, whoever has the cookie or the account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from chalicelib.services import entries
from chalicelib.services.finding import open_event
from chalicelib.services.names import comparable
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.registration.closing import is_open
from chalicelib.services.registration.forms import RegistrationForm, own_view
from chalicelib.services.settings import Settings
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import EntryView, PlayerView
from chalicelib.services.views.registration import RegistrationView
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, StoredPlayer, find_entry
from chalicelib.store.transaction import Transaction


def change(
    world: World,
    event_id: str,
    whose: Sequence[str],
    number: int,
    form: RegistrationForm,
    version: int,
    call_once: Once,
) -> RegistrationView:
    """Change one's own registration, read at ``version``. A player whose phone is left empty keeps it.

    Raises entry_not_found for somebody else's, registration_closed, stale_version and what ``entries.change`` raises.
    """
    settings, old = _mine(world, event_id, whose, number)
    if not settings.allow_empty_club and not form.club.strip():
        raise Problem("club_missing", "club")
    players = [PlayerView(player.name, player.phone or _known_phone(old, player.name)) for player in form.players]
    for index, player in enumerate(players):
        if not player.phone:
            raise Problem("bad_phone", f"players[{index}].phone")
    typed = TypedEntry(form.name, form.club, players, old.seed)
    show = _shower(world, event_id, settings, old)
    try:
        changed = entries.change(world, event_id, number, typed, version, whose[0], _Showing.of(call_once, show))
    except Problem as problem:
        # The entry as it is now is for organizers: it has everybody's phones.
        raise Problem(problem.code, problem.field, **problem.words) from problem
    return show(changed)


def withdraw(world: World, event_id: str, whose: Sequence[str], number: int, call_once: Once) -> RegistrationView:
    """Withdraw one's own registration; its place goes to the first team that waits, what was paid online to who paid,
    unless the team has played.

    Raises entry_not_found for somebody else's, registration_closed.
    """
    settings, old = _mine(world, event_id, whose, number)
    show = _shower(world, event_id, settings, old)
    once = _Showing.of(call_once, show)
    return show(entries.withdraw(world, event_id, number, True, "", whose[0], once, refund=True))


class _Showing(Once, frozen=True):
    """A request whose kept reply is what its registrant may see, not what organizers would."""

    show: Callable[[EntryView], RegistrationView] | None = None

    @classmethod
    def of(cls, call_once: Once, show: Callable[[EntryView], RegistrationView]) -> _Showing:
        return cls(call_once.caller, call_once.key, call_once.body_hash, call_once.status, show)

    def record(self, transaction: Transaction, reply: Any, world: World) -> None:
        assert self.show is not None
        super().record(transaction, msgspec.to_builtins(self.show(msgspec.convert(reply, EntryView))), world)


def _shower(
    world: World, event_id: str, settings: Settings, old: StoredEntry
) -> Callable[[EntryView], RegistrationView]:
    def show(changed: EntryView) -> RegistrationView:
        entry = replace(
            old,
            name=changed.name,
            club=changed.club,
            players=[StoredPlayer("", player.name, player.phone) for player in changed.players],
            state=changed.state,
            paid_at=changed.paid_at,
            pay_by=None if changed.state == "withdrawn" else old.pay_by,
            version=changed.version,
        )
        return own_view(world, event_id, settings, entry)

    return show


def _mine(world: World, event_id: str, whose: Sequence[str], number: int) -> tuple[Settings, StoredEntry]:
    header, settings = open_event(world, event_id)
    entry = find_entry(event_id, number, header.imports or ())
    if entry is None or not set(whose) & set(entry.registrants):
        raise Problem("entry_not_found")
    if not is_open(header, settings, world.now()):
        raise Problem("registration_closed")
    return settings, entry


def _known_phone(old: StoredEntry, name: str) -> str:
    found = [player.phone for player in old.players if comparable(player.name) == comparable(name)]
    return found[0] if len(found) == 1 else ""
