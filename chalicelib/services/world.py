"""The world a use case acts in: clock, randomness, files, SMS and secrets, passed in and never reached for.

The cloud builds its world lazily from the environment (:func:`current`); the local runner and the tests set
their own with :func:`use`. Nothing in ``services`` calls ``time``, ``secrets`` or a gateway's constructor itself.
"""

from __future__ import annotations

import os
import secrets as system_randomness
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from chalicelib.gateways.edge import NoEdge
from chalicelib.gateways.metrics import NoMetrics
from chalicelib.gateways.payments import NoPayments
from chalicelib.gateways.wechat import NoWeChat

if TYPE_CHECKING:
    from chalicelib.gateways.edge import Edge
    from chalicelib.gateways.files import Files
    from chalicelib.gateways.metrics import Metrics
    from chalicelib.gateways.payments import Payments
    from chalicelib.gateways.sms import Sms
    from chalicelib.gateways.wechat import WeChat


TABLES_AT_ONCE = 200
"""Up to so many tables a round is published and settled within the request itself: with the pauses that its partition
key wants that takes the API a second and two and a half, and a job would not answer sooner. (Of 2,500 tables it would
be 13 and 24 seconds of the 28 that a request may take.) It is what a field of 400 entries has, which is drawn at once,
too."""


class Randomness(Protocol):
    """Where unguessable values come from."""

    def token(self, length: int = 16) -> str:
        """URL-safe text holding ``length`` random bytes."""
        ...

    def digits(self, length: int) -> str:
        """``length`` random decimal digits."""
        ...

    def fraction(self) -> float:
        """A number in [0, 1); only for jitter, never for secrets."""
        ...


class SystemRandomness:
    """Randomness of the operating system."""

    def token(self, length: int = 16) -> str:
        """URL-safe text holding ``length`` random bytes."""
        return system_randomness.token_urlsafe(length)

    def digits(self, length: int) -> str:
        """``length`` random decimal digits, leading zeros kept."""
        return str(system_randomness.randbelow(10**length)).zfill(length)

    def fraction(self) -> float:
        """A number in [0, 1) for jitter."""
        return system_randomness.randbelow(1 << 30) / (1 << 30)


def system_clock() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class World:
    """Everything a use case needs from outside.

    ``clock`` gives milliseconds since the epoch (UTC); ``secret`` is the deployment secret from which link tokens,
    device tokens and phone indexes are derived; ``sleep`` takes seconds and is used between retries only.
    ``edge_secrets``: what the edge shows to prove that a request came through it; empty where there is no edge.
    ``edge``: what keeps copies of public files. ``tables_at_once``: rounds of more tables are published and settled by
    a job. ``payments``: who takes entry fees online; ``wechat``: the official account, if the stage has one.
    """

    secret: bytes
    files: Files
    sms: Sms
    clock: Callable[[], int] = system_clock
    random: Randomness = field(default_factory=SystemRandomness)
    sleep: Callable[[float], None] = time.sleep
    secure_cookies: bool = True
    metrics: Metrics = field(default_factory=NoMetrics)
    edge_secrets: tuple[bytes, ...] = ()
    edge: Edge = field(default_factory=NoEdge)
    tables_at_once: int = TABLES_AT_ONCE
    payments: Payments = field(default_factory=NoPayments)
    wechat: WeChat = field(default_factory=NoWeChat)

    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""
        return self.clock()


_current: World | None = None


def use(world: World | None) -> None:
    """Make ``world`` the one that :func:`current` returns in this process (``None``: forget it)."""
    global _current
    _current = world


def current() -> World:
    """The world of this process; in Lambda it is built on first use from the environment.

    Reads FILES_BUCKET and SITE_BUCKET (S3 buckets, the latter for what is public), SECRET_PARAMETER (name of the SSM
    SecureString holding the deployment secret) and, in the function that the edge calls, EDGE_SECRET_PARAMETER (one or
    more words: while the edge changes to a new one, the old one is still good). Functions that may let the edge forget
    read DISTRIBUTION_PARAMETER, the name of the SSM parameter holding the distribution's id; those that take payments
    PAYMENTS_PARAMETER, and the one that the edge calls WECHAT_PARAMETER: the names of the SecureStrings with the papers
    of a merchant and of an official account, which need not be there.
    """
    if _current is None:
        use(_cloud_world())
    assert _current is not None
    return _current


def _cloud_world() -> World:
    from chalicelib.gateways import logs
    from chalicelib.gateways.edge import CloudFront
    from chalicelib.gateways.files import S3Files
    from chalicelib.gateways.metrics import EmbeddedMetrics
    from chalicelib.gateways.parameters import read_secrets
    from chalicelib.gateways.sms import SnsSms

    logs.configure()
    secret, edge = os.environ["SECRET_PARAMETER"], os.environ.get("EDGE_SECRET_PARAMETER")
    distribution = os.environ.get("DISTRIBUTION_PARAMETER")
    values = read_secrets([secret] if edge is None else [secret, edge])
    merchant = os.environ.get("PAYMENTS_PARAMETER")
    return World(
        secret=values[secret].encode(),
        files=S3Files(bucket=os.environ["FILES_BUCKET"], public_bucket=os.environ["SITE_BUCKET"]),
        sms=SnsSms(),
        metrics=EmbeddedMetrics(),
        edge_secrets=tuple(word.encode() for word in values[edge].split()) if edge is not None else (),
        edge=NoEdge() if distribution is None else CloudFront(distribution),
        payments=NoPayments() if merchant is None else _merchant_of(merchant),
        wechat=_official_account(),
    )


def _merchant_of(parameter: str) -> Payments:
    from chalicelib.gateways.payments.wechat import StageMerchant

    return StageMerchant(parameter)


def _official_account() -> WeChat:
    from chalicelib.gateways.wechat import StageAccount

    parameter = os.environ.get("WECHAT_PARAMETER")
    return NoWeChat() if parameter is None else StageAccount(parameter)
