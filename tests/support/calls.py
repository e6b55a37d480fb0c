"""Identities of requests, for tests that call services without HTTP."""

from __future__ import annotations

from chalicelib.services.once import Once, once
from tests.support.client import new_key


def a_call(caller: str = "account:test", key: str | None = None, body: bytes = b"") -> Once:
    """A state-changing request of ``caller``, new unless ``key`` says otherwise."""
    return once(caller, key or new_key(), "POST", "/", body, 200)
