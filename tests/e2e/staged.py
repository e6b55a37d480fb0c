"""An event in its second round, with a table in every state and long names: what pages are looked at with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, StorageState

from tests.e2e.organizing import Organizer, Pair, sign_in

NAME = "秋季城市公开赛暨俱乐部联队资格赛"
RULES = "# 比赛方法\n每轮五十分钟，双方轮流坐庄。\n# 记分\n级差按二十六分制，过A为满级。\n迟到十分钟按弃权处理。"
PRIZES = [{"name": "冠军", "count": 1}, {"name": "优胜奖暨最佳组合奖", "count": 3}]
CLUB = "滨海新区老年大学棋牌协会"
ENTRIES = [
    Pair("东海之滨听潮观云联队", ("选手001", "选手002"), club=CLUB),
    Pair("Northern Lights Bridge Partners", ("Alexandrina Featherstonehaugh", "Bo Li"), club="Riverside Card Club"),
    Pair("", ("选手005", "欧阳选手零零六"), club=CLUB),
    Pair("晨钟", ("选手007", "选手008")),
    Pair("荷塘月色诗词雅集掼蛋小队", ("阿卜杜拉选手零零九", "选手010"), club="北山"),
    Pair("晚照", ("选手011", "选手012"), club="北山"),
    Pair("芦笛", ("选手013", "选手014")),
    Pair("云岭", ("选手015", "选手016"), club="Riverside Card Club"),
    Pair("松涛", ("选手017", "选手018"), club="北山"),
    Pair("白帆", ("选手019", "选手020")),
    Pair("海风", ("选手021", "选手022")),
]
"""Eleven pairs: five tables and a bye; up to twelve Han characters or thirty Latin letters in a name."""


@dataclass
class Staged:
    """The event, whose pages anybody can open: the organizer's and each player's stored cookies."""

    organizing: Organizer
    organizer: StorageState
    players: dict[str, StorageState]
    """By what the player's table is like: open, submitted, disputed, confirmed, ruled; or bye."""
    candidate: str
    """A name to look for."""
    links: dict[str, str]

    @property
    def event_id(self) -> str:
        """The event's id."""
        return self.organizing.event_id


def stage(browser: Browser, url: str) -> Staged:
    """Play the event up to its second round, through the API."""
    context = browser.new_context(base_url=url)
    organizer = sign_in(context.new_page())
    organizer.create(ENTRIES, name=NAME, rules_text=RULES, rounds=5, search_by_phone_only=False, prizes=PRIZES)
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], *(("A+", "9") if table["table"] % 2 else ("6", "K")))
    organizer.settle()
    second = organizer.play_round()
    tables = second["tables"]
    players: dict[str, StorageState] = {}
    words = {
        "submitted": [("ns", "10", "7")],
        "disputed": [("ns", "10", "7"), ("ew", "7", "10")],
        "confirmed": [("ns", "A+", "K"), ("ew", "A+", "K")],
        "ruled": [("ns", "8", "Q")],
        "open": [("ns", "", "")],
    }
    for table, (state, said) in zip(tables, words.items(), strict=True):
        for side, ns_level, ew_level in said:
            seat = table[side]
            storage = _submit(browser, url, organizer.event_id, table["table"], seat, ns_level, ew_level)
            players.setdefault(state, storage)
        if state == "ruled":
            organizer.rule(table["table"], "8", "J")
    players["bye"] = _submit(browser, url, organizer.event_id, 0, second["byes"][0], "", "")
    links = {role: organizer.link(role) for role in ("referee", "play", "desk", "display")}
    return Staged(organizer, context.storage_state(), players, ENTRIES[3].players[0], links)


def _submit(
    browser: Browser, url: str, event_id: str, table: int, seat: dict[str, Any], ns_level: str, ew_level: str
) -> StorageState:
    """Be a phone of this team, checked in, and submit unless there is nothing to submit; returns its cookies."""
    context = browser.new_context(base_url=url)
    headers = {"X-Guanjun-As": "player"}

    def send(method: str, path: str, body: object) -> Any:
        key = {"Idempotency-Key": uuid4().hex}
        reply = context.request.fetch(
            f"/api/events/{event_id}{path}", method=method, headers={**headers, **key}, data=body
        )
        assert reply.ok, f"{path}: {reply.status} {reply.text()}"
        return reply.json()

    me = send("POST", "/devices", {"number": seat["number"], "player": 0, "text": seat["players"][0]})
    headers["X-CSRF-Token"] = me["csrf"]
    send("PUT", "/me/check-in", {})
    if ns_level:
        word = {"ns_level": ns_level, "ew_level": ew_level, "base_version": 0, "tapped_at": int(time.time() * 1000)}
        send("POST", f"/rounds/2/tables/{table}/submissions", word)
    storage = context.storage_state()
    context.close()
    return storage
