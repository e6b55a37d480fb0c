"""One request, one effect: the reply is stored in the transaction of the change it answers.

A use case that changes something gets a :class:`Once`; it adds the record of its reply to its (last, deciding)
transaction. When a retry or a parallel twin arrives, the transaction's condition on that record fails and the
stored reply is given again. Nothing is read beforehand, so the common case costs no extra request; a refusal is
final only after :func:`earlier_reply` found nothing, because a retry may be refused just for its own effect.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import msgspec

from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store import long_text
from chalicelib.store.idempotency import LIFE_SECONDS, Reply, find_reply, from_raw, key_of
from chalicelib.store.transaction import Transaction

_KEY = re.compile(r"[0-9A-Za-z_-]{8,64}")


class Given(msgspec.Struct, frozen=True):
    """A reply that was given before: HTTP status and JSON value."""

    status: int
    body: Any


class AlreadyDone(Exception):
    """The request took effect before; ``given`` is the reply it got."""

    def __init__(self, given: Given) -> None:
        super().__init__("already done")
        self.given = given


class Once(msgspec.Struct, frozen=True):
    """Identity of a state-changing request: its caller, its key, the hash of its method, path and body."""

    caller: str
    key: str
    body_hash: str
    status: int = 200

    def record(self, transaction: Transaction, reply: Any, world: World) -> None:
        """Add the stored reply to ``transaction``; its commit raises :class:`AlreadyDone` or key_reused instead
        of writing when the request has already taken effect."""
        pk, sk = key_of(self.caller, self.key)
        item = Reply(
            pk,
            sk,
            body_hash=self.body_hash,
            status=self.status,
            reply=_kept(reply),
            expires_at=world.now() // 1000 + LIFE_SECONDS,
        )
        transaction.put(item, condition=Reply.pk.does_not_exist(), otherwise=lambda old: self._given(from_raw(old)))

    def _given(self, found: Reply | None) -> Exception:
        if found is None or found.body_hash != self.body_hash:
            return Problem("key_reused")
        return AlreadyDone(Given(int(found.status), _given_again(found.reply)))

    def earlier_reply(self) -> Given | None:
        """The reply given before to this very request, or None. Raises key_reused for another body."""
        found = find_reply(self.caller, self.key)
        if found is None:
            return None
        outcome = self._given(found)
        if isinstance(outcome, AlreadyDone):
            return outcome.given
        raise outcome


def _kept(reply: Any) -> str:
    return long_text.kept(json.dumps(reply, ensure_ascii=False, separators=(",", ":")))


def _given_again(kept: str) -> Any:
    return json.loads(long_text.given_again(kept))


def once(caller: str, key: str | None, method: str, path: str, body: bytes, status: int) -> Once:
    """The identity of a request. Raises key_missing or key_invalid."""
    if not key:
        raise Problem("key_missing")
    if not _KEY.fullmatch(key):
        raise Problem("key_invalid")
    digest = hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).hexdigest()
    return Once(caller, key, digest, status)


def transaction(world: World) -> Transaction:
    """A fresh transaction with this world's randomness and patience."""
    return Transaction(world.random.token(24), world.sleep, world.random.fraction)
