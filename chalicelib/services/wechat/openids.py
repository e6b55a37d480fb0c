"""How openids are kept: found by an HMAC, read back from a sealed form. The store alone tells neither.

Payments need the real openid of who pays, so a hash alone would not do. Both keys are derived from the deployment
secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from chalicelib.services.world import World
from chalicelib.store.accounts import Account


def index_of(world: World, openid: str) -> str:
    """The index under which an openid's account is found."""
    return hmac.new(world.secret, f"wechat\n{openid}".encode(), hashlib.sha256).hexdigest()


def sealed(world: World, text: str) -> str:
    """``text`` (an openid, an access token) as it is stored; the same text always looks the same."""
    from nacl.secret import SecretBox

    key = _key(world)
    # A nonce made of the text itself needs no randomness and never serves two texts.
    nonce = hmac.new(key, text.encode(), hashlib.sha256).digest()[: SecretBox.NONCE_SIZE]
    return base64.b64encode(bytes(SecretBox(key).encrypt(text.encode(), nonce))).decode()


def opened(world: World, kept: str) -> str:
    """What :func:`sealed` was given."""
    from nacl.secret import SecretBox

    return bytes(SecretBox(_key(world)).decrypt(base64.b64decode(kept))).decode()


def of_account(world: World, account: Account) -> str | None:
    """The openid bound to an account, for who asks WeChat about it or takes its money; None if there is none."""
    return None if account.wechat_openid is None else opened(world, account.wechat_openid)


def _key(world: World) -> bytes:
    return hmac.new(world.secret, b"wechat seal", hashlib.sha256).digest()
