"""The audit log: every change writes its entry in its own transaction."""

from __future__ import annotations

from typing import Any

from chalicelib.services.world import World
from chalicelib.store.audit import AuditEntry, partition
from chalicelib.store.transaction import Transaction


def record(
    transaction: Transaction,
    world: World,
    *,
    event_id: str | None,
    actor: str,
    action: str,
    subject: str | None = None,
    reason: str | None = None,
    details: Any = None,
) -> None:
    """Add an audit entry to ``transaction``. ``details`` must hold no name and no phone: ids and numbers only."""
    now = world.now()
    transaction.put(
        AuditEntry(
            partition(event_id),
            f"{now:013d}#{world.random.token(6)}",
            at=now,
            actor=actor,
            action=action,
            subject=subject,
            reason=reason,
            details=details,
        )
    )
