"""Events that count for ladders, played in few requests, and the people who look after ladders."""

from __future__ import annotations

import itertools
from typing import Any

from chalicelib.store.accounts import Account
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone, sign_in
from tests.support.world import TestWorld

CHIEF_PHONE = "13800130900"
PARAMETERS = {"method": "additive", "per_entry": 1, "most": 200, "paid_percent": 50, "factor": 24}
_owners = itertools.count()
ELO = {**PARAMETERS, "method": "elo"}


def chief(world: TestWorld) -> Browser:
    """The browser of an administrator of the platform."""
    browser = sign_in(world, CHIEF_PHONE)
    account_id = browser.get("/auth/session").json["account"]["account_id"]
    Account(f"ACCOUNT#{account_id}", "PROFILE").update(actions=[Account.platform_administrator.set(True)])
    return browser


def vip(browser: Browser) -> None:
    """Give the owner of a browser the level that opens ladders."""
    account_id = browser.get("/auth/session").json["account"]["account_id"]
    Account(f"ACCOUNT#{account_id}", "PROFILE").update(actions=[Account.vip_level.set(1)])


def laddered(world: TestWorld, *ladders: str, pairs: int = 4, first: int = 100, **settings: Any) -> Hall:
    """An event of ``pairs`` pairs, with an owner of its own, that counts for ``ladders`` once it has ended."""
    hall = open_hall(world, phone(6000 + next(_owners) % 3000))
    vip(hall.owner)
    hall.configure(ladders=list(ladders), **settings)
    hall.enter(pairs, first)
    return hall


def play(hall: Hall, *levels: tuple[str, str]) -> None:
    """One round, ruled table by table; the last of ``levels`` for all others."""
    number = hall.start_round()
    found = hall.owner.get(hall.path("/current-tables")).json["tables"]
    for place, table in enumerate(found):
        ns, ew = (levels or (("A", "9"),))[min(place, max(len(levels) - 1, 0))]
        ruled = {"version": table["version"], "ns_level": ns, "ew_level": ew, "reason": "裁判"}
        path = hall.path(f"/rounds/{number}/tables/{table['table']}/ruling")
        assert hall.owner.post(path, ruled).status == 200


def end(hall: Hall, *, ended: bool = True) -> None:
    """比赛结束 or its undo; nothing is carried out yet."""
    reply = hall.owner.post(hall.path("/ending"), {"ended": ended})
    assert reply.status == 200, reply.json


def run(engine: Engine) -> None:
    """Let the workers work until nothing waits."""
    Pump(engine).run()


def table(ladder: str, **query: Any) -> dict[str, Any]:
    """A ladder as anybody sees it."""
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    reply = Browser().get(f"/ladders/{ladder}?{asked}")
    assert reply.status == 200, reply.json
    found: dict[str, Any] = reply.json
    return found


def points(ladder: str, **query: Any) -> dict[str, int]:
    """Hundredths by name."""
    return {row["name"]: row["points"] for row in table(ladder, **query)["rows"]}


def history(ladder: str, name: str) -> list[dict[str, Any]]:
    """The events of whoever is called so."""
    (person,) = [row["person"] for row in table(ladder)["rows"] if row["name"] == name]
    reply = Browser().get(f"/ladders/{ladder}/people/{person}")
    assert reply.status == 200, reply.json
    found: list[dict[str, Any]] = reply.json["events"]
    return found


def of_event(hall: Hall) -> dict[str, dict[str, Any]]:
    """What the organizer sees, by ladder."""
    return {line["ladder_id"]: line for line in hall.owner.get(hall.path("/ladders")).json["ladders"]}
