"""WeChat as the API answers it. No view holds an openid."""

from __future__ import annotations

from typing import Literal

import msgspec

from chalicelib.services.views.accounts import SignedIn


class WeChatOffer(msgspec.Struct, frozen=True):
    """Whether this deployment has an official account."""

    configured: bool


class WeChatBeginning(msgspec.Struct, frozen=True):
    """Where the browser goes now: WeChat's own page."""

    address: str


class Arrival(msgspec.Struct, frozen=True):
    """What the page does next: ``signed_in`` and ``done`` go on to ``return_path``, ``phone`` asks for the phone and
    binds."""

    next: Literal["signed_in", "done", "phone"]
    return_path: str
    signed_in: SignedIn | None = None


class Follower(msgspec.Struct, frozen=True):
    """Whether who opened the page follows the official account. ``known``: WeChat has told who this browser is; else
    ``follows`` is None. ``picture``: the account's QR code as a data address, for who does not follow, if there is one;
    ``name``: what the account is called."""

    known: bool
    follows: bool | None
    picture: str | None
    name: str
