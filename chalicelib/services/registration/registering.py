"""Registering: three requests to the store however many register at once.

One read of everything that may refuse, one plain ADD that hands out the entry's number and its ticket, one
transaction. No item that all registrations would write is in the transaction, so a rush meets no conflicts.
"""

from __future__ import annotations

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.services import audit, audit_facts
from chalicelib.services.entries import MOST_ENTRIES
from chalicelib.services.entry_changes import Moved, joins_round, touch
from chalicelib.services.entry_indexes import reindex
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.names import neat
from chalicelib.services.once import AlreadyDone, Once, transaction
from chalicelib.services.payments import orders
from chalicelib.services.phones import index_in, recognise
from chalicelib.services.privacy.sealing import stored_form
from chalicelib.services.problems import Problem
from chalicelib.services.registration.closing import is_open
from chalicelib.services.registration.forms import RegistrationForm, halves, own_view
from chalicelib.services.registration.places import limit
from chalicelib.services.registration.waiting_list import give_back
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.typed_entries import TypedEntry, checked_players
from chalicelib.services.views.registration import RegistrationView
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import (
    EntryCounts,
    EntryRecord,
    PhoneIndex,
    StoredEntry,
    StoredPlayer,
    counts_of,
    phone_key,
    visible,
)
from chalicelib.store.entry_rows import entry_record
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import (
    COUNT,
    TALLY,
    Registrant,
    Tally,
    Waiting,
    own_entry,
    registrant_key,
    waiting_key,
)
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction, patiently


class Ground(msgspec.Struct, frozen=True):
    """What a registration stands on, of one strongly consistent read: the event, the registrant's count in halves of
    teams, and whether one of the phones belongs to an import that was never finished."""

    header: EventHeader
    settings: Settings
    halves: int
    abandoned_phone: bool

    @property
    def imports(self) -> list[str]:
        """The imports that were finished."""
        return list(self.header.imports or ())


def register(world: World, event_id: str, who: str, form: RegistrationForm, call_once: Once) -> RegistrationView:
    """Enter a team, or a single who looks for a partner. ``who``: ``account:<id>`` or ``browser:<id>``.

    A team gets a place or a rank on the waiting list; a single takes a place once the team is complete. Raises
    event_not_found, event_ended, registration_closed, single_not_allowed, cap_reached, phone_taken, too_many_entries
    and what ``typed_entries.checked_players`` raises.
    """
    phones = [player.phone for player in form.players]
    ground = read_ground(world, event_id, who, phones)
    header, settings = ground.header, ground.settings
    single = _is_single(settings, form)
    typed = TypedEntry(form.name, form.club, form.players)
    players = checked_players(world, settings, typed, (), single)
    demand_phones(players)
    if not settings.allow_empty_club and not form.club.strip():
        raise Problem("club_missing", "club")
    cap = settings.entries_per_account
    if ground.halves + halves(len(players)) > 2 * cap:
        raise Problem("cap_reached", limit=cap)
    tally = take_ticket(world, event_id, ticket=not single)
    number, ticket = int(tally.value), None if single else int(tally.tickets)
    if number > MOST_ENTRIES:
        raise Problem("too_many_entries", limit=MOST_ENTRIES)
    entry = StoredEntry(
        number=number,
        name=neat(form.name),
        club=neat(form.club),
        players=players,
        seed=None,
        group=None,
        state="single" if ticket is None else state_of(tally, settings),
        joined_round=joins_round(header),
        left_after_round=None,
        checked_in_at=None,
        checked_in_by=None,
        import_id=None,
        version=1,
        created_at=world.now(),
        ticket=ticket,
        registrants=(who,) * halves(len(players)),
    )
    entry = stored_form(world, header, entry)
    work = transaction(world)
    entry = orders.hold(work, world, event_id, settings, entry)
    reply = own_view(world, event_id, settings, entry)
    call_once.record(work, msgspec.to_builtins(reply), world)
    _write(work, world, event_id, entry, ground, players)
    count_on(work, event_id, who, number, halves(len(players)), cap)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=who,
        action="registration.register",
        subject=f"entry:{number}",
        details={"ticket": ticket, "consent": True, **audit_facts.of_entries([entry])},
    )
    try:
        work.commit()
    except (Problem, AlreadyDone, Moved, Busy) as refused:
        if ticket is not None:
            give_back(world, event_id, ticket)
        if isinstance(refused, Moved):
            raise Busy from refused
        raise
    return reply


def read_ground(world: World, event_id: str, who: str, phones: list[str]) -> Ground:
    """Read what may refuse a registration. Raises event_not_found, event_ended, registration_closed, phone_taken."""
    known = [phone for text in phones if (phone := recognise(text)) is not None]
    keys = [
        (EventHeader.Meta.table_name, event_id, "EVENT"),
        (Registrant.Meta.table_name, registrant_key(event_id, who), COUNT),
        *(
            (PhoneIndex.Meta.table_name, phone_key(event_id, index_in(world, event_id, phone)), "OWNER")
            for phone in known
        ),
    ]
    raw, registrant, *owners = bulk.get_items(keys, world.sleep, world.random.fraction)
    if raw is None or "deleted_at" in raw:
        raise Problem("event_not_found")
    header = EventHeader.from_raw_data(raw)
    settings = settings_of(header)
    if as_it_is(header, settings, world.now()).phase == "ended":
        raise Problem("event_ended")
    if not is_open(header, settings, world.now()):
        raise Problem("registration_closed")
    abandoned = False
    for phone, owner in zip(known, owners, strict=True):
        if owner is not None and not visible(owner.get("import_id", {}).get("S"), header.imports or ()):
            abandoned = True
        elif owner is not None:
            place = next(index for index, text in enumerate(phones) if recognise(text) == phone)
            raise Problem("phone_taken", f"players[{place}].phone", phone=phone)
    count = 0 if registrant is None else int(registrant["halves"]["N"])
    return Ground(header, settings, count, abandoned)


def take_ticket(world: World, event_id: str, *, number: bool = True, ticket: bool = True) -> Tally:
    """The tally after one more ``number`` and one more ``ticket`` were taken."""
    tally = Tally(event_id, TALLY)
    actions: list[Action] = [Tally.value.add(1 if number else 0)]
    if ticket:
        actions += [Tally.tickets.add(1), Tally.last_at.set(world.now())]
    patiently(lambda: tally.update(actions=actions), world.sleep, world.random.fraction)
    return tally


def state_of(tally: Tally, settings: Settings) -> str:
    """Whether the ticket just taken is in or waits."""
    last = limit(tally, settings.capacity)
    return "in" if last is None or int(tally.tickets) <= last else "waiting"


def demand_phones(players: list[StoredPlayer]) -> None:
    """Who registers gives a phone for everybody: it is how players find themselves. Raises bad_phone."""
    for index, player in enumerate(players):
        if not player.phone and not player.found_by:
            raise Problem("bad_phone", f"players[{index}].phone")


def count_on(work: Transaction, event_id: str, who: str, number: int, more: int, cap: int) -> None:
    """Add that entry ``number`` is theirs and counts ``more`` halves on their cap (teams), which it may not exceed."""
    room = Registrant.halves.does_not_exist() | (Registrant.halves <= 2 * cap - more)
    work.update(
        Registrant(registrant_key(event_id, who), COUNT),
        [Registrant.halves.add(more)],
        room,
        lambda _: Problem("cap_reached", limit=cap),
    )
    work.put(own_entry(event_id, who, number))


def _is_single(settings: Settings, form: RegistrationForm) -> bool:
    """Whether somebody registers alone for a team of two. Raises single_not_allowed."""
    fewest, most = kind_of(settings.kind).players
    if form.partner == "typed" or len(form.players) != 1:
        return False
    if (fewest, most) != (2, 2) or (form.partner == "matched" and not settings.allow_single):
        raise Problem("single_not_allowed", "partner")
    return True


def _write(
    work: Transaction, world: World, event_id: str, entry: StoredEntry, ground: Ground, typed: list[StoredPlayer]
) -> None:
    """Add the entry (in its stored form), its index items and its count."""
    number = entry.number
    work.put(entry_record(event_id, entry), EntryRecord.pk.does_not_exist(), lambda _: Moved())
    # A phone of an unfinished import may be taken only if that import is told, by the header's version.
    slow = ground.abandoned_phone or bool(whole(ground.header.last_round))
    claimed = not ground.abandoned_phone
    reindex(work, world, event_id, number, (), entry.players, ground.imports, claimed=claimed, typed=typed)
    if slow:
        touch(work, ground.header, "registration")
    if entry.state == "in":
        work.update(counts_of(event_id, number), [EntryCounts.entries.add(1)])
    elif entry.state == "waiting":
        work.update(counts_of(event_id, number), [EntryCounts.waiting.add(1)])
        work.put(Waiting(*waiting_key(event_id, entry.ticket or 0), number=number))
