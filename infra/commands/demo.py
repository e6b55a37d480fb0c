"""`guanjun demo`: serve the product with an event that robot players are playing. HOST, PORT and DATA as for `run`."""

from __future__ import annotations

import argparse
import os
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path

from infra.local.runner import read_settings, serve

ORGANIZER = "13800130000"
"""The phone that owns the demonstration; its code is shown on the sign-in page of this machine."""


def run(arguments: Sequence[str]) -> int:
    """Serves until interrupted; returns the exit status. Without DATA everything is gone afterwards."""
    parser = argparse.ArgumentParser(prog="guanjun demo", description="Robots play an event in the real product.")
    parser.add_argument("--kind", default="pairs", help="kind of event, as in the exported document (pairs)")
    parser.add_argument("--entries", type=int, default=16, help="how many entries, 4 to 120 (16)")
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds, 1 to 8 (3)")
    parser.add_argument("--seconds", type=int, default=90, help="how long the robots take for a round (90)")
    wanted = parser.parse_args(arguments)
    from chalicelib.rules.kinds import KINDS

    if wanted.kind not in KINDS:
        parser.error(f"--kind must be one of {', '.join(KINDS)}")
    for name, value, least, most in (
        ("entries", wanted.entries, 4, 120),
        ("rounds", wanted.rounds, 1, 8),
        ("seconds", wanted.seconds, 20, 1800),
    ):
        if not least <= value <= most:
            parser.error(f"--{name} must be from {least} to {most}")
    if os.environ.get("DATA"):
        return _serve(wanted)
    with tempfile.TemporaryDirectory(prefix="guanjun-demo-") as data:
        os.environ["DATA"] = data
        return _serve(wanted)


def _serve(wanted: argparse.Namespace) -> int:
    settings = read_settings(os.environ)
    return serve(settings.host, settings.port, Path(settings.data), greet=lambda url: _begin(url, wanted))


def _begin(url: str, wanted: argparse.Namespace) -> str:
    """Start the rehearsal; what people should open."""
    # The program reads the names of its tables when it is imported: not before the stack is there.
    from chalicelib.services import accounts, links, rehearsal
    from chalicelib.services.once import Once
    from chalicelib.services.world import current

    world = current()
    accounts.make_administrator(world, ORGANIZER)
    owner = accounts.owner_of(world, ORGANIZER)
    assert owner is not None
    order = rehearsal.Rehearsal("演示赛 Demo", wanted.kind, wanted.entries, wanted.rounds, wanted.seconds)
    once = Once("demo", secrets.token_hex(16), "demo", 201)
    event_id = rehearsal.start(world, owner.account_id, order, once).event_id
    shown = {link.role: url + link.path.lstrip("/") for link in links.listed(world, event_id).links}
    return "\n".join(
        [
            f"  演示赛已开始：{wanted.entries} 队，{wanted.rounds} 轮。 Robots are playing.",
            f"  控制台 console:   {url}  (手机号 phone {ORGANIZER}，验证码显示在页面上 the code is shown there)",
            *(f"  {label} {shown[role]}" for role, label in _LABELS.items() if role in shown),
        ]
    )


_LABELS = {
    "display": "投屏 projection:",
    "referee": "裁判 referee:   ",
    "play": "选手 players:   ",
}
