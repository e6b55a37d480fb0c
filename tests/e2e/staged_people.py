"""Events before their first round, with people in every state: what the pages are looked at with."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, StorageState

from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from tests.e2e.organizing import Organizer, Pair, sign_in
from tests.e2e.product import Product

NAME = "秋季城市公开赛暨俱乐部联队资格赛"
CLUBS = ["滨海新区老年大学棋牌协会", "Riverside Card Club", "北山"]
PROMPT = "请自带身份证，提前二十分钟到场签到。\n迟到十分钟按弃权处理。"
RULES = "# 比赛方法\n每轮五十分钟，双方轮流坐庄。\n# 记分\n级差按二十六分制，过A为满级。"
DIGITS = "201938475610"
DAY = 86_400_000
ADMINISTRATOR = "13800137801"


@dataclass(frozen=True)
class People:
    """Three events of one organizer, who also administers the platform.

    `taking` is full, with a waiting list and a single who waits for a partner; `sealed` is encrypted; `duplicate` is
    played by the board.
    """

    taking: str
    sealed: str
    duplicate: str
    organizer: StorageState
    registrants: StorageState
    """Who registered a team, one that waits, and a single."""
    desk: str
    invitation: str


def stage_people(browser: Browser, product: Product) -> People:
    """Have these events, through the API."""
    context = browser.new_context(base_url=product.url)
    make_administrator(product, ADMINISTRATOR)
    organizer = sign_in(context.new_page(), ADMINISTRATOR)
    registrants = browser.new_context(base_url=product.url)
    invitation = _registrations(organizer, registrants)
    taking, desk = organizer.event_id, organizer.link("desk")
    _linked(organizer)
    sealed = _sealed(organizer)
    organizer.event_id = organizer.post("/events", {"name": "复式移位赛", "kind": "mitchell"})["event_id"]
    settings = organizer.get(organizer.path())
    wanted = {**settings["settings"], "preset_seed": "20261130", "rounds": 4}
    organizer.put(organizer.path("/settings"), {"version": settings["version"], "settings": wanted})
    people = People(
        taking,
        sealed,
        organizer.event_id,
        context.storage_state(),
        registrants.storage_state(),
        desk,
        invitation,
    )
    context.close()
    registrants.close()
    return people


def make_administrator(product: Product, phone: str) -> None:
    """`guanjun admin PHONE` beside the running server."""
    words = [sys.executable, str(ROOT / "guanjun"), "admin", phone]
    done = subprocess.run(words, env=clean({"DATA": str(product.data)}), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def _registrations(organizer: Organizer, registrants: BrowserContext) -> str:
    """An event of which every setting that players meet is in use; returns the path of an invitation."""
    now = int(time.time() * 1000)
    organizer.create(
        [
            Pair("东海之滨听潮观云联队", ("选手101", "选手102"), ("13800136101", "13800136102"), CLUBS[0]),
            Pair("Northern Lights Partners", ("Alexandrina Featherstonehaugh", "Bo Li"), club=CLUBS[1]),
            Pair("", ("欧阳选手零零六", "选手106"), ("13800136105", "13800136106")),
            Pair("晨钟", ("选手107", "选手108")),
        ],
        name=NAME,
        starts_at=now + 2 * DAY,
        registration_deadline=now + DAY,
        registration_prompt=PROMPT,
        rules_text=RULES,
        fees={"entry": 12_000, "extra": 2_000},
        clubs=CLUBS,
        club_ranking={"on": True, "best": 4},
        prizes=[{"name": "一等奖", "count": 1}, {"name": "二等奖", "count": 3}],
        allow_single=True,
        capacity=5,
    )
    organizer.put(organizer.path("/entries/1/check-in"), {"checked_in": True})
    organizer.put(organizer.path("/entries/3/payment"), {"paid": True})
    _register(registrants, organizer.event_id, ("选手201", "选手202"), club=CLUBS[2])
    _register(
        registrants,
        organizer.event_id,
        ("阿卜杜拉选手零零九", "选手204"),
        name="荷塘月色诗词雅集掼蛋小队",
        club="名单以外",
    )
    single = _register(registrants, organizer.event_id, ("选手205",), partner="invited")
    _register(registrants, organizer.event_id, ("选手206",), partner="matched")
    invitation: str = single["invitation"]
    return invitation


def _register(
    context: BrowserContext,
    event_id: str,
    names: tuple[str, ...],
    *,
    name: str = "",
    club: str = "",
    partner: str = "typed",
) -> Any:
    """Register as this browser; returns the registration."""
    phones = [f"1380013{6000 + int(uuid4().int % 1000):04d}" for _ in names]
    players = [{"name": who, "phone": phone} for who, phone in zip(names, phones, strict=True)]
    reply = context.request.post(
        f"/api/events/{event_id}/registrations",
        headers={"Idempotency-Key": uuid4().hex},
        data={"players": players, "consent": True, "name": name, "club": club, "partner": partner},
    )
    assert reply.ok, reply.text()
    return reply.json()


def _linked(organizer: Organizer) -> None:
    """A second event that the first one is linked with."""
    first = organizer.event_id
    other = organizer.post("/events", {"name": "同场老年组", "kind": "pairs"})["event_id"]
    organizer.put(f"/events/{first}/linked-events", {"events": [other]})


def _sealed(organizer: Organizer) -> str:
    """An encrypted event with three pairs; returns its id."""
    entries = [
        Pair("听潮", ("选手301", "选手302"), ("13800136301", "13800136302"), CLUBS[0]),
        Pair("观云", ("选手303", "选手304"), ("13800136303", "13800136304")),
        Pair("", ("选手305", "选手306"), ("13800136305", "13800136306"), CLUBS[2]),
    ]
    organizer.create(entries, name="城市精英邀请赛", private=True)
    organizer.post(organizer.path("/encryption"), {}, headers={"X-Guanjun-New-Digits": DIGITS})
    return organizer.event_id
