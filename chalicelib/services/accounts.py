"""Accounts: signing in with a phone and a one-time code, sessions, the first administrator.

Whether a phone has an account shows in nothing that a stranger can observe: sending a code does not look for
one, and a wrong code is refused before one is looked for. Codes, session secrets and phone indexes are kept as
hashes only.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.services import audit, invitations, phones, vip
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import AccountView, CodeSent, SignedIn
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store import events as event_store
from chalicelib.store.accounts import Account, PhoneOwner, Session, SignInCode
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction, patiently

CODE_SECONDS = 300
MOST_TRIES = 5
RESEND_SECONDS = 60
WINDOW_SECONDS = 3600
MOST_CODES = 5
"""Codes one phone may be sent within WINDOW_SECONDS."""
SESSION_SECONDS = 30 * 86_400
SEEN_EVERY_SECONDS = 600
"""How exact "last seen" is: an open session is written to only this often."""

_TEXTS = {
    "zh": "【掼军】验证码 {code}，5 分钟内有效。请勿告诉他人。",
    "en": "[Guanjun] Your code is {code}. It is valid for 5 minutes; tell nobody.",
}


class WeChatBinding(msgspec.Struct, frozen=True):
    """Somebody's WeChat as an account keeps it: the index and the sealed form of its openid."""

    index: str
    openid: str


class Proof(msgspec.Struct, frozen=True):
    """Somebody holds the code that was sent to ``phone``; ``pk``: the phone's key, ``code_hash``: of that code."""

    pk: str
    phone: str
    code_hash: str


class OpenSession(msgspec.Struct, frozen=True):
    """A session that is open now: whose it is, its CSRF token, and what the account is (to one event)."""

    account_id: str
    session_id: str
    csrf: str
    roles: frozenset[Role]


def send_code(world: World, phone: str, language: str) -> CodeSent:
    """Send a one-time code to ``phone``; an earlier code stops working.

    Raises bad_phone, or too_many_codes when the phone was sent one within RESEND_SECONDS or MOST_CODES within the
    window. Of parallel requests one sends.
    """
    number = phones.normalise(phone)
    pk = phone_key(world, number)
    now = world.now()
    earlier = _find_code(pk)
    window_from, sent = _window(earlier, now)
    code = world.random.digits(6)
    fresh = SignInCode(
        pk,
        "CODE",
        code_hash=_code_hash(world, number, code),
        sent_at=now,
        tries=0,
        window_from=window_from,
        sent_in_window=sent + 1,
        expires_at=now // 1000 + WINDOW_SECONDS,
    )
    unchanged = (
        SignInCode.pk.does_not_exist()
        if earlier is None
        else (SignInCode.sent_at == earlier.sent_at) & (SignInCode.sent_in_window == earlier.sent_in_window)
    )
    change = transaction(world)
    change.put(fresh, unchanged, lambda _: Problem("too_many_codes", "phone", seconds=RESEND_SECONDS))
    change.commit()
    world.sms.send(number, _TEXTS[language].format(code=code))
    return CodeSent(CODE_SECONDS, RESEND_SECONDS)


def _window(earlier: SignInCode | None, now: int) -> tuple[int, int]:
    """When the phone's rate window began (ms) and how many codes it was sent in it; raises too_many_codes."""
    if earlier is None:
        return now, 0
    waited = (now - int(earlier.sent_at)) // 1000
    if earlier.sent_in_window and waited < RESEND_SECONDS:
        raise Problem("too_many_codes", "phone", seconds=RESEND_SECONDS - waited)
    window_age = (now - int(earlier.window_from)) // 1000
    if window_age >= WINDOW_SECONDS:
        return now, 0
    if earlier.sent_in_window >= MOST_CODES:
        raise Problem("too_many_codes", "phone", seconds=WINDOW_SECONDS - window_age)
    return int(earlier.window_from), int(earlier.sent_in_window)


def sign_in(world: World, phone: str, code: str, device: str) -> tuple[SignedIn, str]:
    """Open a session for whoever holds the code last sent to ``phone``; a new phone gets an account.

    Returns what the page shows and the session cookie's value. Raises bad_phone, bad_code, too_many_tries. Every
    try costs the same two steps (count it, compare) whether or not a code was ever sent.
    """
    proof = prove(world, phone, code)
    change = transaction(world)
    account = enter(change, world, proof)
    return commit_session(change, world, proof.pk, account, device)


def prove(world: World, phone: str, code: str) -> Proof:
    """Compare ``code`` with the one last sent to ``phone``. Raises bad_phone, bad_code, too_many_tries."""
    number = phones.normalise(phone)
    pk = phone_key(world, number)
    now = world.now()
    counted = _count_try(world, pk, now)
    expected = counted.code_hash or _code_hash(world, number, "")
    right = hmac.compare_digest(expected, _code_hash(world, number, code))
    if counted.tries > MOST_TRIES:
        # Always the same number: the time really left would tell that the phone was sent a code, and when.
        raise Problem("too_many_tries", "code", seconds=CODE_SECONDS)
    if not right or now // 1000 >= int(counted.sent_at) // 1000 + CODE_SECONDS:
        raise Problem("bad_code", "code")
    return Proof(pk, number, expected)


def _count_try(world: World, pk: str, now: int) -> SignInCode:
    """The phone's code item after one more try, made if there was none."""
    item = SignInCode(pk, "CODE")
    actions: list[Action] = [
        SignInCode.tries.add(1),
        SignInCode.sent_at.set(SignInCode.sent_at | 0),
        SignInCode.window_from.set(SignInCode.window_from | 0),
        SignInCode.sent_in_window.set(SignInCode.sent_in_window | 0),
        SignInCode.expires_at.set(SignInCode.expires_at | (now // 1000 + CODE_SECONDS)),
    ]
    patiently(lambda: item.update(actions=actions), world.sleep, world.random.fraction)
    return item


def enter(change: Transaction, world: World, proof: Proof, wechat: WeChatBinding | None = None) -> Account:
    """Add to ``change`` that the code is used up; returns the phone's account, a new one if there is none yet.

    ``wechat`` is bound to it. Raises wechat_other (at the latest when ``change`` is committed) if it has another.
    """
    change.update(
        SignInCode(proof.pk, "CODE"),
        # As if nobody had ever tried: a phone that signed in lately answers guesses like any other.
        [SignInCode.code_hash.remove(), SignInCode.tries.set(0)],
        SignInCode.code_hash == proof.code_hash,
        lambda _: Problem("bad_code", "code"),
    )
    account = owner_at(proof.pk)
    if account is None:
        return _create(change, world, proof.pk, proof.phone, wechat=wechat)
    if wechat is not None:
        _bind(change, account, wechat)
    return account


def _bind(change: Transaction, account: Account, wechat: WeChatBinding) -> None:
    change.update(
        Account(account.pk, account.sk),
        [Account.wechat_index.set(wechat.index), Account.wechat_openid.set(wechat.openid)],
        Account.wechat_index.does_not_exist() | (Account.wechat_index == wechat.index),
        lambda _: Problem("wechat_other"),
    )
    account.wechat_index, account.wechat_openid = wechat.index, wechat.openid


def commit_session(change: Transaction, world: World, pk: str, account: Account, device: str) -> tuple[SignedIn, str]:
    """Add a new session of ``account`` (whose phone has the key ``pk``) to ``change`` and carry it out.

    Returns what the page shows and the session cookie's value.
    """
    now = world.now()
    invitations.take_up(change, world, pk.removeprefix("PHONE#"), account)
    session_id, secret, csrf = world.random.token(9), world.random.token(32), world.random.token(24)
    change.put(
        Session(
            f"ACCOUNT#{account.account_id}",
            f"SESSION#{session_id}",
            secret_hash=_secret_hash(secret),
            csrf=csrf,
            created_at=now,
            last_seen_at=now,
            device=device,
            expires_at=now // 1000 + SESSION_SECONDS,
        )
    )
    audit.record(change, world, event_id=None, actor=f"account:{account.account_id}", action="account.sign_in")
    change.commit()
    return SignedIn(account_view(account, now), csrf), f"{account.account_id}.{session_id}.{secret}"


def owner_of(world: World, phone: str) -> Account | None:
    """The account of a phone (normalised), or None."""
    return owner_at(phone_key(world, phone))


def owner_at(pk: str) -> Account | None:
    """The account of the phone with this key, or None."""
    try:
        owner = PhoneOwner.get(pk, "ACCOUNT", consistent_read=True)
    except PhoneOwner.DoesNotExist:
        return None
    return known_account(owner.account_id)


def _create(
    change: Transaction,
    world: World,
    pk: str,
    phone: str,
    platform: bool = False,
    wechat: WeChatBinding | None = None,
) -> Account:
    """Add a new account for ``phone`` to ``change``."""
    account_id = world.random.token(9)
    account = Account(
        f"ACCOUNT#{account_id}",
        "PROFILE",
        account_id=account_id,
        phone=phone,
        platform_administrator=platform,
        created_at=world.now(),
        wechat_index=None if wechat is None else wechat.index,
        wechat_openid=None if wechat is None else wechat.openid,
    )
    change.put(account, Account.pk.does_not_exist())
    change.put(
        PhoneOwner(pk, "ACCOUNT", account_id=account_id),
        PhoneOwner.pk.does_not_exist(),
        lambda _: Problem("busy"),
    )
    return account


def open_session(world: World, token: str, event_id: str | None) -> OpenSession | None:
    """The open session that a cookie's value names, with the account's roles in ``event_id``; None if there is none.

    One BatchGet over session, account and membership.
    """
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        return None
    account_id, session_id, secret = parts
    pk = f"ACCOUNT#{account_id}"
    wanted = [
        (Session.Meta.table_name, pk, f"SESSION#{session_id}"),
        (Account.Meta.table_name, pk, "PROFILE"),
    ]
    if event_id is not None:
        wanted.append((event_store.Member.Meta.table_name, event_id, f"MEMBER#{account_id}"))
    session, account, *members = bulk.get_items(wanted, world.sleep, world.random.fraction)
    now = world.now()
    if session is None or account is None or int(session["expires_at"]["N"]) <= now // 1000:
        return None
    if not hmac.compare_digest(session["secret_hash"]["S"], _secret_hash(secret)):
        return None
    if now - int(session["last_seen_at"]["N"]) >= SEEN_EVERY_SECONDS * 1000:
        _saw(pk, session_id, now)
    roles = {Role.ACCOUNT}
    if account.get("platform_administrator", {}).get("BOOL"):
        roles.add(Role.PLATFORM)
    roles.update(Role(member["role"]["S"]) for member in members if member is not None)
    return OpenSession(account_id, session_id, session["csrf"]["S"], frozenset(roles))


def _saw(pk: str, session_id: str, now: int) -> None:
    try:
        Session(pk, f"SESSION#{session_id}").update(
            actions=[Session.last_seen_at.set(now)], condition=Session.pk.exists()
        )
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Closed this very moment: nothing to note.


def signed_in(world: World, account_id: str, csrf: str) -> SignedIn:
    """The account as its owner sees it, with the session's CSRF token."""
    return SignedIn(account_view(known_account(account_id), world.now()), csrf)


def change_profile(world: World, account_id: str, name: str, call_once: Once) -> AccountView:
    """Change the account's own name."""
    account = known_account(account_id)
    account.name = name.strip()
    view = account_view(account, world.now())
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(view), world)
    change.update(account, [Account.name.set(account.name)], Account.pk.exists(), lambda _: Problem("sign_in_required"))
    audit.record(change, world, event_id=None, actor=f"account:{account_id}", action="account.profile")
    change.commit()
    return view


def make_administrator(world: World, phone: str) -> str:
    """Make the owner of ``phone`` an administrator of the platform (with a new account if there is none yet).

    Returns the account's id. Repeating changes nothing. Raises bad_phone.
    """
    number = phones.normalise(phone)
    pk = phone_key(world, number)
    account = owner_at(pk)
    if account is not None and account.platform_administrator:
        return str(account.account_id)
    change = transaction(world)
    if account is None:
        account = _create(change, world, pk, number, platform=True)
    else:
        change.update(account, [Account.platform_administrator.set(True)], Account.pk.exists())
    audit.record(
        change,
        world,
        event_id=None,
        actor="system",
        action="account.make_administrator",
        subject=f"account:{account.account_id}",
    )
    change.commit()
    return str(account.account_id)


def known_account(account_id: str) -> Account:
    """The account. Raises sign_in_required if there is none."""
    try:
        return Account.get(f"ACCOUNT#{account_id}", "PROFILE", consistent_read=True)
    except Account.DoesNotExist:
        raise Problem("sign_in_required") from None


def _find_code(pk: str) -> SignInCode | None:
    try:
        return SignInCode.get(pk, "CODE", consistent_read=True)
    except SignInCode.DoesNotExist:
        return None


def account_view(account: Account, now: int) -> AccountView:
    """The account as its owner sees it at ``now``."""
    level = vip.level_of(account, now)
    until = whole(account.trial_until)
    return AccountView(
        account.account_id,
        phones.mask(account.phone),
        account.name,
        bool(account.platform_administrator),
        account.password_hash is not None,
        level.number,
        until if until is not None and now < until else None,
        int(account.events_owned or 0),
        level.events,
        level.entries_per_account,
        sorted(level.options),
        account.wechat_index is not None,
    )


def phone_key(world: World, phone: str) -> str:
    """Partition of what is kept under a phone (normalised)."""
    return f"PHONE#{phones.index_of(world, phone)}"


def _code_hash(world: World, phone: str, code: str) -> str:
    return hmac.new(world.secret, f"code\n{phone}\n{code}".encode(), hashlib.sha256).hexdigest()


def _secret_hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
