"""管理员列表: who else runs the event, named by phone. A phone without an account is invited until it signs in.

The list shows masked phones and never whether a phone has an account.
"""

from __future__ import annotations

import msgspec

from chalicelib.services import audit, phones
from chalicelib.services.accounts import owner_of
from chalicelib.services.finding import known_event
from chalicelib.services.invitations import membership
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.views.events import Members, MemberView
from chalicelib.services.world import World
from chalicelib.store.accounts import Invitation, Membership
from chalicelib.store.events import Member, invited, members

MOST_MEMBERS = 50


def listed(world: World, event_id: str) -> Members:
    """Owner first, then administrators by the time they were added. Raises event_not_found."""
    known_event(event_id)
    return _view(_all(event_id))


def add(world: World, event_id: str, phone: str, actor: str, call_once: Once) -> Members:
    """Make the owner of ``phone`` an administrator; who is one already stays one.

    Raises event_not_found, bad_phone, too_many_members.
    """
    number = phones.normalise(phone)
    header, _ = known_event(event_id)
    index = phones.index_of(world, number)
    account = owner_of(world, number)
    present = _all(event_id)
    member = Member(
        event_id,
        f"INVITED#{index}" if account is None else f"MEMBER#{account.account_id}",
        member_id=world.random.token(9),
        role=Role.ADMINISTRATOR.value,
        phone_masked=phones.mask(number),
        added_at=world.now(),
    )
    change = transaction(world)
    if any(member.sk == other.sk for other in present):
        reply = _view(present)
        call_once.record(change, msgspec.to_builtins(reply), world)
        change.commit()
        return reply
    if len(present) >= MOST_MEMBERS:
        raise Problem("too_many_members", limit=MOST_MEMBERS)
    reply = _view([*present, member])
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.put(member, Member.pk.does_not_exist(), lambda _: Problem("busy"))
    if account is None:
        change.put(
            Invitation(
                f"PHONE#{index}",
                f"INVITED#{event_id}",
                event_id=event_id,
                member_id=member.member_id,
                role=member.role,
            )
        )
    else:
        change.put(membership(header, account, world.now()))
    audit.record(
        change, world, event_id=event_id, actor=actor, action="member.add", subject=f"member:{member.member_id}"
    )
    change.commit()
    return reply


def remove(world: World, event_id: str, member_id: str, actor: str, call_once: Once) -> Members:
    """Take an administrator's role (or invitation) away; who is none stays none.

    Raises event_not_found, and owner_stays for the owner.
    """
    known_event(event_id)
    present = _all(event_id)
    found = next((member for member in present if member.member_id == member_id), None)
    change = transaction(world)
    if found is None:
        reply = _view(present)
        call_once.record(change, msgspec.to_builtins(reply), world)
        change.commit()
        return reply
    if found.role == Role.OWNER:
        raise Problem("owner_stays")
    reply = _view([member for member in present if member is not found])
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.delete(Member(event_id, found.sk))
    kind, _, whose = found.sk.partition("#")
    if kind == "INVITED":
        change.delete(Invitation(f"PHONE#{whose}", f"INVITED#{event_id}"))
    else:
        change.delete(Membership(f"ACCOUNT#{whose}", f"EVENT#{event_id}"))
    audit.record(change, world, event_id=event_id, actor=actor, action="member.remove", subject=f"member:{member_id}")
    change.commit()
    return reply


def _all(event_id: str) -> list[Member]:
    return [*members(event_id), *invited(event_id)]


def _view(found: list[Member]) -> Members:
    owners_first = sorted(found, key=lambda member: (member.role != Role.OWNER, int(member.added_at), member.sk))
    return Members([MemberView(member.member_id, member.role, member.phone_masked) for member in owners_first])
