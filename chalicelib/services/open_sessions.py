"""The browsers in which an account is signed in: listed, and closed."""

from __future__ import annotations

from chalicelib.services import audit
from chalicelib.services.once import transaction
from chalicelib.services.views.accounts import Sessions, SessionView
from chalicelib.services.world import World
from chalicelib.store.accounts import Session


def sessions(world: World, account_id: str, current: str) -> Sessions:
    """All open sessions of an account, the newest first; ``current`` is the one that asks."""
    now = world.now() // 1000
    found = Session.query(f"ACCOUNT#{account_id}", Session.sk.startswith("SESSION#"), consistent_read=True)
    views = [
        SessionView(
            (session_id := session.sk.removeprefix("SESSION#")),
            session.device,
            int(session.created_at),
            int(session.last_seen_at),
            session_id == current,
        )
        for session in found
        if session.expires_at > now
    ]
    return Sessions(sorted(views, key=lambda view: view.created_at, reverse=True))


def close_session(world: World, account_id: str, session_id: str) -> None:
    """Close a session of this account; one that is closed already stays so."""
    change = transaction(world)
    change.delete(Session(f"ACCOUNT#{account_id}", f"SESSION#{session_id}"))
    audit.record(change, world, event_id=None, actor=f"account:{account_id}", action="account.sign_out")
    change.commit()
