"""搭档: a single becomes a team, by an invitation or because the organizer matches two singles.

The team keeps the number of the one who was there first and takes its place, or its rank on the waiting list, at the
moment it is complete.
"""

from __future__ import annotations

import hmac

import msgspec
from msgspec.structs import replace

from chalicelib.services import audit, audit_facts, entries
from chalicelib.services.entry_changes import Moved, joins_round, touch
from chalicelib.services.entry_indexes import found_by, found_name, reindex
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.once import AlreadyDone, Once, transaction
from chalicelib.services.payments import orders
from chalicelib.services.phones import index_in, recognise
from chalicelib.services.privacy.sealing import stored_form
from chalicelib.services.problems import Problem
from chalicelib.services.registration.closing import is_open
from chalicelib.services.registration.forms import invitation_of, own_view
from chalicelib.services.registration.registering import (
    count_on,
    demand_phones,
    read_ground,
    state_of,
    take_ticket,
)
from chalicelib.services.registration.waiting_list import give_back
from chalicelib.services.settings import Settings
from chalicelib.services.typed_entries import TypedEntry, checked_players
from chalicelib.services.views.entries import EntryView, PlayerView
from chalicelib.services.views.registration import PartnerInvitation, RegistrationView
from chalicelib.services.world import World
from chalicelib.store.entries import (
    EntryCounts,
    EntryRecord,
    NameIndex,
    PhoneIndex,
    StoredEntry,
    counts_of,
    find_entry,
    name_key,
    partition,
    phone_key,
    sort_key,
)
from chalicelib.store.entry_rows import people_actions
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import Waiting, own_entry, waiting_key
from chalicelib.store.transaction import Busy, Transaction

_AFTER_JOINING = ("invitation_invalid", "phone_taken", "cap_reached", "registration_closed")
"""What is said to somebody who has joined and asks again: the own phone is taken, the own team complete."""


def invitation(world: World, event_id: str, token: str) -> PartnerInvitation:
    """What an invitation says. Raises event_not_found, event_ended, invitation_invalid."""
    header, settings = open_event(world, event_id)
    single = _invited(world, header, token)
    name = single.players[0].name
    return PartnerInvitation(settings.name, name, single.club, is_open(header, settings, world.now()))


def join(world: World, event_id: str, who: str, token: str, partner: PlayerView, call_once: Once) -> RegistrationView:
    """Join the single who sent ``token``; the team counts on both caps, half each.

    Somebody who taps twice, at once or much later, is told the same both times. Raises invitation_invalid,
    partner_joined, registration_closed, cap_reached, phone_taken, bad_phone.
    """
    try:
        return _join(world, event_id, who, token, partner, call_once)
    except Problem as refused:
        told = _joined_before(world, event_id, who, token, partner) if refused.code in _AFTER_JOINING else None
        if told is None:
            raise
        return told


def _joined_before(world: World, event_id: str, who: str, token: str, partner: PlayerView) -> RegistrationView | None:
    """The team of ``token`` as its partner sees it, if ``who`` joined it with this phone before."""
    header, settings = known_event(event_id)
    team = _named(world, header, token)
    if team is None or team.state not in ("in", "waiting") or who not in team.registrants:
        return None
    phone = recognise(partner.phone)
    if phone is None or index_in(world, event_id, phone) != found_by(world, event_id, team.players[-1]):
        return None
    return own_view(world, event_id, settings, team)


def _join(world: World, event_id: str, who: str, token: str, partner: PlayerView, call_once: Once) -> RegistrationView:
    ground = read_ground(world, event_id, who, [partner.phone])
    header, settings = ground.header, ground.settings
    single = _invited(world, header, token)
    cap = settings.entries_per_account
    if ground.halves + 1 > 2 * cap:
        raise Problem("cap_reached", limit=cap)
    both = [*(PlayerView(player.name, player.phone) for player in single.players), partner]
    players = checked_players(world, settings, TypedEntry(single.name, single.club, both), single.players)
    demand_phones(players)
    whole = stored_form(world, header, replace(single, players=players))
    team = _team(world, event_id, settings, header, single, whole, (who,))
    work = transaction(world)
    team = orders.hold(work, world, event_id, settings, team)
    reply = own_view(world, event_id, settings, team)
    call_once.record(work, msgspec.to_builtins(reply), world)
    _complete(work, event_id, header, single, team)
    reindex(work, world, event_id, team.number, single.players, team.players, header.imports or (), typed=players)
    count_on(work, event_id, who, team.number, 1, cap)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=who,
        action="registration.join",
        subject=f"entry:{team.number}",
        details={"ticket": team.ticket, "consent": True, **audit_facts.of_entries([team])},
    )
    try:
        _commit(world, event_id, work, team)
    except (Busy, Problem):
        joined = find_entry(event_id, team.number, header.imports or ())
        if joined is None or joined.state == "single":
            raise
        return _told_again(world, event_id, settings, who, team, joined)
    return reply


def _told_again(
    world: World, event_id: str, settings: Settings, who: str, team: StoredEntry, joined: StoredEntry
) -> RegistrationView:
    """What ``who``, that wanted to make ``team``, is told of the team that another request made meanwhile: the same
    as the other if it was the same person with the same phone. Raises partner_joined."""
    mine, theirs = (found_by(world, event_id, entry.players[-1]) for entry in (team, joined))
    if who not in joined.registrants or not mine or mine != theirs:
        raise Problem("partner_joined")
    return own_view(world, event_id, settings, joined)


def match(world: World, event_id: str, one: int, two: int, actor: str, call_once: Once) -> EntryView:
    """Make a team of two singles; it goes on under the lower number, the other number stays free.

    Raises entry_not_found, not_single, players_wrong.
    """
    header, settings = open_event(world, event_id)
    first, second = (_single(header, number) for number in sorted((one, two)))
    if first.number == second.number:
        raise Problem("not_single", number=first.number)
    players = [*first.players, *second.players]
    sealed_club = first.sealed_club if first.club else second.sealed_club
    club = first.club or second.club
    merged = stored_form(world, header, replace(first, players=players, club=club, sealed_club=sealed_club))
    team = _team(world, event_id, settings, header, first, merged, second.registrants)
    if first.paid_at is None:
        # One of them has paid at the desk: that is not lost with the number.
        team = replace(team, paid_at=second.paid_at)
    work = transaction(world)
    team = orders.hold(work, world, event_id, settings, team, orders.HOLD_LATER)
    reply = entries.view(team)
    call_once.record(work, msgspec.to_builtins(reply), world)
    _complete(work, event_id, header, first, team)
    work.delete(
        EntryRecord(partition(event_id, second.number), sort_key(second.number)),
        (EntryRecord.state == "single") & (EntryRecord.version == second.version),
        lambda _: Moved(),
    )
    move_indexes(work, world, event_id, second, team)
    for who in second.registrants:
        work.delete(own_entry(event_id, who, second.number))
        work.put(own_entry(event_id, who, team.number))
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="registration.match",
        subject=f"entry:{team.number}",
        details={"gone": [second.number], "ticket": team.ticket, **audit_facts.of_entries([team])},
    )
    _commit(world, event_id, work, team)
    return reply


def move_indexes(work: Transaction, world: World, event_id: str, single: StoredEntry, team: StoredEntry) -> None:
    """Add that the second player of ``team`` is found there, and no longer as ``single``."""
    (player,) = single.players
    if index := found_by(world, event_id, player):
        work.put(
            PhoneIndex(phone_key(event_id, index), "OWNER", number=team.number, player=1),
            PhoneIndex.number == single.number,
            lambda _: Moved(),
        )
    if name := found_name(single.number, 0, player):
        work.delete(NameIndex(name_key(event_id, name), f"{single.number:05d}#0"))
        work.put(NameIndex(name_key(event_id, name), f"{team.number:05d}#1", number=team.number, player=1))


def _invited(world: World, header: EventHeader, token: str) -> StoredEntry:
    single = _named(world, header, token)
    if single is None or single.state != "single":
        raise Problem("invitation_invalid", "token")
    return single


def _named(world: World, header: EventHeader, token: str) -> StoredEntry | None:
    """The entry that an invitation is for, complete or not; None if it is none of ours."""
    number, _, _ = token.partition(".")
    if not (number.isascii() and number.isdigit() and len(number) <= 6):
        return None
    entry = find_entry(header.event_id, int(number), header.imports or ())
    if entry is None:
        return None
    return entry if hmac.compare_digest(invitation_of(world, header.event_id, entry).encode(), token.encode()) else None


def _single(header: EventHeader, number: int) -> StoredEntry:
    entry = find_entry(header.event_id, number, header.imports or ())
    if entry is None:
        raise Problem("entry_not_found")
    if entry.state != "single":
        raise Problem("not_single", number=number)
    return entry


def _team(
    world: World,
    event_id: str,
    settings: Settings,
    header: EventHeader,
    single: StoredEntry,
    team: StoredEntry,
    more: tuple[str, ...],
) -> StoredEntry:
    """The team that ``single`` becomes, with the ticket it takes now."""
    tally = take_ticket(world, event_id, number=False)
    return replace(
        team,
        state=state_of(tally, settings),
        ticket=int(tally.tickets),
        joined_round=joins_round(header),
        registrants=(*single.registrants, *more),
        version=single.version + 1,
    )


def _complete(work: Transaction, event_id: str, header: EventHeader, single: StoredEntry, team: StoredEntry) -> None:
    number = team.number
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [
            *people_actions(team),
            EntryRecord.state.set(team.state),
            EntryRecord.ticket.set(team.ticket or 0),
            EntryRecord.joined_round.set(team.joined_round),
            EntryRecord.registrants.set(list(team.registrants)),
            *([EntryRecord.paid_at.set(team.paid_at)] if team.paid_at and not single.paid_at else []),
            *orders.held(team),
            EntryRecord.version.set(team.version),
        ],
        (EntryRecord.state == "single") & (EntryRecord.version == single.version),
        lambda _: Moved(),
    )
    waits = team.state == "waiting"
    work.update(counts_of(event_id, number), [EntryCounts.waiting.add(1) if waits else EntryCounts.entries.add(1)])
    if waits:
        work.put(Waiting(*waiting_key(event_id, team.ticket or 0), number=number))
    touch(work, header, "registration.team")


def _commit(world: World, event_id: str, work: Transaction, team: StoredEntry) -> None:
    try:
        work.commit()
    except (Problem, AlreadyDone, Moved, Busy) as refused:
        give_back(world, event_id, team.ticket or 0)
        if isinstance(refused, Moved):
            raise Busy from refused
        raise
