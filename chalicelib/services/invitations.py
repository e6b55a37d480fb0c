"""Invitations: an administrator named by phone before that phone has an account. Its first sign-in takes them up."""

from __future__ import annotations

from chalicelib.services import phones
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.accounts import Account, Invitation, Membership
from chalicelib.store.events import EventHeader, Member, find_event
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

TAKEN_AT_ONCE = 15
"""Invitations one sign-in takes up (each is four steps of its transaction); the next one takes the rest."""


def take_up(change: Transaction, world: World, index: str, account: Account) -> None:
    """Add to a sign-in's transaction what makes the invitations of its phone (by index) memberships of ``account``."""
    waiting = Invitation.query(
        f"PHONE#{index}", Invitation.sk.startswith("INVITED#"), limit=TAKEN_AT_ONCE, consistent_read=True
    )
    now = world.now()
    for invitation in waiting:
        # Withdrawn at this very moment: signing in once more is all it takes.
        change.delete(invitation, Invitation.pk.exists(), lambda _: Problem("busy"))
        # A deleted event may come back, and then its administrators are who they were.
        header = find_event(invitation.event_id, deleted=True)
        if header is None:
            continue
        change.delete(Member(header.event_id, f"INVITED#{index}"))
        change.put(
            Member(
                header.event_id,
                f"MEMBER#{account.account_id}",
                member_id=invitation.member_id,
                role=invitation.role,
                phone_masked=phones.mask(account.phone),
                added_at=now,
            )
        )
        change.put(membership(header, account, now))


def membership(header: EventHeader, account: Account, now: int) -> Membership:
    """An administrator's line in "my events"."""
    return Membership(
        account.pk,
        f"EVENT#{header.event_id}",
        event_id=header.event_id,
        role=Role.ADMINISTRATOR.value,
        event_name=header.settings["name"],
        kind=header.settings["kind"],
        starts_at=header.settings.get("starts_at"),
        created_at=now,
        deleted_at=whole(header.deleted_at),
    )
