"""允许微信公众号报名: whether who opened the page follows the official account; else its QR code.

The access token is kept, sealed, for all processes; one of them renews it, by a lease, while the others go on with what
is still good or wait a moment.
"""

from __future__ import annotations

from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.gateways.qrcodes import qr_png
from chalicelib.gateways.wechat import TokenRefused, WeChatDown
from chalicelib.services import accounts
from chalicelib.services.problems import Problem
from chalicelib.services.views.wechat import Follower
from chalicelib.services.wechat import openids, visits
from chalicelib.services.world import World
from chalicelib.store import limits
from chalicelib.store.transaction import patiently
from chalicelib.store.wechat import Token

EARLY_SECONDS = 300
"""So long before its end a token is renewed, while it still is good."""
LEASE_SECONDS = 12
"""Longer than WeChat is waited for: whoever renews and dies keeps the others waiting no longer."""
WAITS = 8
WAIT_SECONDS = 0.25
WINDOW_SECONDS = 600
MOST_QUESTIONS = 60
"""How often one person may ask within the window; WeChat counts the account's questions by the day."""


def follower(world: World, visit_token: str | None, account_id: str | None) -> Follower:
    """Whether whoever opened the page follows the account, as far as this browser (or its account) is known to WeChat.

    Raises wechat_off, too_many_tries, wechat_down.
    """
    papers = world.wechat.papers()
    if papers is None:
        raise Problem("wechat_off")
    openid = _openid(world, visit_token, account_id)
    if openid is None:
        return Follower(known=False, follows=None, picture=None, name=papers.name)
    _limit(world, openid)
    try:
        follows = _ask(world, openid)
    except WeChatDown:
        raise Problem("wechat_down") from None
    picture = qr_png(papers.follow) if papers.follow and not follows else None
    return Follower(known=True, follows=follows, picture=picture, name=papers.name)


def _openid(world: World, visit_token: str | None, account_id: str | None) -> str | None:
    found = visits.arrived(world, visit_token)
    if found is not None:
        return found[1]
    return None if account_id is None else openids.of_account(world, accounts.known_account(account_id))


def _limit(world: World, openid: str) -> None:
    now, what = world.now(), f"FOLLOWER#{openids.index_of(world, openid)}"
    asked = patiently(lambda: limits.add(what, WINDOW_SECONDS, now), world.sleep, world.random.fraction)
    if asked > MOST_QUESTIONS:
        raise Problem("too_many_tries", seconds=limits.seconds_left(WINDOW_SECONDS, now))


def _ask(world: World, openid: str) -> bool:
    token = access_token(world)
    try:
        return world.wechat.follows(token, openid)
    except TokenRefused:
        pass
    try:
        return world.wechat.follows(access_token(world, refused=token), openid)
    except TokenRefused as error:
        raise WeChatDown("the new token too") from error


def access_token(world: World, refused: str | None = None) -> str:
    """A good access token; not ``refused``, which WeChat did not take. Raises WeChatDown."""
    for _ in range(WAITS):
        kept, now = _read(), world.now()
        token = None if kept is None or kept.token is None else openids.opened(world, kept.token)
        left = 0 if kept is None or token in (None, refused) else int(kept.good_until) - now
        if token is not None and left > EARLY_SECONDS * 1000:
            return token
        if _take_lease(world, kept, now):
            return _renew(world, force=token is not None and token == refused)
        if token is not None and left > 0:
            return token
        world.sleep(WAIT_SECONDS)
    raise WeChatDown("the token is being renewed")


def _renew(world: World, force: bool) -> str:
    try:
        fresh = world.wechat.access_token(force)
    except WeChatDown:
        _save(world, None, 0)
        raise
    _save(world, openids.sealed(world, fresh.token), world.now() + fresh.seconds * 1000)
    return fresh.token


def _save(world: World, token: str | None, good_until: int) -> None:
    """Keep a new token and give the lease back; None gives back the lease alone."""
    actions: list[Action] = [Token.lease_until.set(0)]
    if token is not None:
        actions += [Token.token.set(token), Token.good_until.set(good_until)]
    patiently(lambda: _item().update(actions=actions), world.sleep, world.random.fraction)


def _take_lease(world: World, kept: Token | None, now: int) -> bool:
    """Whether this process is to renew: nobody else is at it, and nobody has been since ``kept`` was read."""
    as_read = Token.token.does_not_exist() if kept is None or kept.token is None else Token.token == kept.token
    free = as_read & (Token.lease_until.does_not_exist() | (Token.lease_until <= now))
    until = Token.lease_until.set(now + LEASE_SECONDS * 1000)
    try:
        patiently(lambda: _item().update(actions=[until], condition=free), world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _read() -> Token | None:
    try:
        return Token.get("WECHAT", "TOKEN", consistent_read=True)
    except Token.DoesNotExist:
        return None


def _item() -> Token:
    return Token("WECHAT", "TOKEN")
