"""Who came from WeChat: signed in if their WeChat is bound, else asked for their phone once and bound.

Binding takes a fresh code of the phone, also from somebody who is signed in: a phone left on a table must not become
somebody else's way in. One WeChat belongs to one account, one account has one WeChat.
"""

from __future__ import annotations

import msgspec

from chalicelib.services import accounts, audit
from chalicelib.services.accounts import WeChatBinding
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import AccountView, SignedIn
from chalicelib.services.views.wechat import Arrival
from chalicelib.services.wechat import visits
from chalicelib.services.wechat.openids import index_of, sealed
from chalicelib.services.world import World
from chalicelib.store.accounts import Account
from chalicelib.store.wechat import WeChatOwner


def arrive(
    world: World, token: str, state: str, code: str, device: str, account_id: str | None
) -> tuple[Arrival, str | None]:
    """Take up somebody who came back from WeChat; ``account_id``: who is signed in, if anybody is.

    Returns what the page does next, and the value of the session's cookie if a session was opened. Raises what
    ``visits.arrive`` raises, and wechat_taken when a WeChat to be bound belongs to another account.
    """
    visit, openid = visits.arrive(world, token, state, code)
    if visit.purpose == "follow":
        return Arrival("done", visit.return_path), None
    owner = _owner(world, openid)
    if owner is None:
        return Arrival("phone", visit.return_path), None
    if visit.purpose == "bind" and owner.account_id != account_id:
        raise Problem("wechat_taken")
    if owner.account_id == account_id:
        return Arrival("done", visit.return_path), None
    change = transaction(world)
    # Writes what is there: a session opens only while this WeChat still is the account's.
    change.update(
        Account(owner.pk, owner.sk),
        [Account.wechat_index.set(owner.wechat_index)],
        Account.wechat_index == owner.wechat_index,
        lambda _: Problem("wechat_state"),
    )
    signed_in, session = accounts.commit_session(change, world, accounts.phone_key(world, owner.phone), owner, device)
    return Arrival("signed_in", visit.return_path, signed_in), session


def bind(world: World, token: str, phone: str, code: str, device: str) -> tuple[SignedIn, str]:
    """Bind the WeChat of this browser's visit to the account of ``phone``, and open a session of it.

    Returns what the page shows and the session cookie's value. Raises wechat_state, wechat_taken (this WeChat has
    another account), wechat_other (the account has another WeChat), and what ``accounts.sign_in`` raises.
    """
    found = visits.arrived(world, token)
    if found is None:
        raise Problem("wechat_state")
    _, openid = found
    proof = accounts.prove(world, phone, code)
    binding = WeChatBinding(index_of(world, openid), sealed(world, openid))
    change = transaction(world)
    account = accounts.enter(change, world, proof, binding)
    change.put(
        WeChatOwner(_key(binding.index), "ACCOUNT", account_id=account.account_id),
        WeChatOwner.pk.does_not_exist() | (WeChatOwner.account_id == account.account_id),
        lambda _: Problem("wechat_taken"),
    )
    actor = f"account:{account.account_id}"
    audit.record(change, world, event_id=None, actor=actor, action="account.wechat_bound")
    return accounts.commit_session(change, world, proof.pk, account, device)


def unbind(world: World, account_id: str, call_once: Once) -> AccountView:
    """The account has no WeChat any more; without one nothing changes."""
    account = accounts.known_account(account_id)
    index = account.wechat_index
    account.wechat_index = account.wechat_openid = None
    view = accounts.account_view(account, world.now())
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(view), world)
    if index is not None:
        change.update(
            Account(account.pk, account.sk),
            [Account.wechat_index.remove(), Account.wechat_openid.remove()],
            Account.wechat_index == index,
            lambda _: Problem("stale_version"),
        )
        change.delete(WeChatOwner(_key(index), "ACCOUNT"))
        audit.record(change, world, event_id=None, actor=f"account:{account_id}", action="account.wechat_unbound")
    change.commit()
    return view


def _owner(world: World, openid: str) -> Account | None:
    try:
        owner = WeChatOwner.get(_key(index_of(world, openid)), "ACCOUNT", consistent_read=True)
    except WeChatOwner.DoesNotExist:
        return None
    return accounts.known_account(owner.account_id)


def _key(index: str) -> str:
    return f"WECHAT#{index}"
