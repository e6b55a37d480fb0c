"""Events of several kinds with phones in every state that a round brings: what the phone's pages are looked at with."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, StorageState

from tests.e2e.kinds import Hall, open_hall
from tests.e2e.organizing import Organizer, sign_in

LONG = ("欧阳选手零零一号", "Alexandrina Featherstonehaugh", "阿卜杜拉选手零零三", "选手004", "选手005")
CLUB = "滨海新区老年大学棋牌协会"


@dataclass
class Phones:
    """By scene: the address a phone opens and what its browser stores."""

    links: dict[str, str] = field(default_factory=dict)
    stored: dict[str, StorageState] = field(default_factory=dict)


@dataclass
class _Player:
    """A player's phone, through the API."""

    context: Any
    hall: Hall
    csrf: str = ""

    def send(self, method: str, path: str, body: object) -> Any:
        headers = {"X-Guanjun-As": "player", "X-CSRF-Token": self.csrf, "Idempotency-Key": uuid4().hex}
        address = f"/api{self.hall.organizer.path(path)}"
        reply = self.context.request.fetch(address, method=method, headers=headers, data=body)
        assert reply.ok, f"{path}: {reply.status} {reply.text()}"
        return reply.json()

    def submit(self, table: Any, base: int = 0, **score: Any) -> None:
        body = {**score, "base_version": base, "tapped_at": int(time.time() * 1000)}
        self.send("POST", f"/rounds/{table['round']}/tables/{table['table']}/submissions", body)


def _entries(count: int, size: int) -> list[dict[str, Any]]:
    """Teams whose names and players are as long as they may be, beside short ones."""
    found = []
    for number in range(count):
        players = [LONG[(number + one) % len(LONG)] + (f"{number}" if number else "") for one in range(size)]
        name = "" if size == 1 else ("东海之滨听潮观云联队" if number % 2 == 0 else f"Northern Lights Bridge {number}")
        club = CLUB if number % 2 == 0 else ""
        found.append({"name": name, "club": club, "players": [{"name": each, "phone": ""} for each in players]})
    return found


def _boards(*results: int) -> list[dict[str, int]]:
    return [{"board": board, "result": result} for board, result in enumerate(results, start=1)]


class _Stage:
    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.phones = Phones()
        self.organizer: Organizer = sign_in(browser.new_context(base_url=url).new_page())

    def hall(self, kind: str, entries: list[dict[str, Any]], **settings: Any) -> Hall:
        organizer = Organizer(self.organizer.page, self.organizer.csrf)
        return open_hall(organizer, kind, entries, **settings)

    def player(self, hall: Hall, scene: str, seat: Any) -> _Player:
        """A phone of the first player of a seat (or entry), under the name of a scene."""
        player = _Player(self.browser.new_context(base_url=self.url), hall)
        body = {"number": seat["number"], "player": 0, "text": seat["players"][0]}
        player.csrf = player.send("POST", "/devices", body)["csrf"]
        self.phones.links[scene] = hall.link
        self.phones.stored[scene] = player.context.storage_state()
        return player

    def duplicate(self) -> None:
        hall = self.hall("mitchell", _entries(5, 2), rounds=3, boards_per_round=8, preset_seed="seed")
        first = hall.tables[0]
        ns = self.player(hall, "boards", first["ns"])
        path = f"/rounds/1/tables/{first['table']}/running"
        sets = [one["board"] for one in first["to_play"]]
        ns.send("PUT", path, {"boards": [{"board": sets[0], "result": 3}, {"board": sets[1], "result": -2}]})
        second = hall.tables[1]
        said = [3, -1, 2, 1, -3, -2, 1, 1]
        numbers = [one["board"] for one in second["to_play"]]
        one = self.player(hall, "boards-disputed", second["ns"])
        other = self.player(hall, "", second["ew"])
        one.submit(second, boards=[{"board": n, "result": r} for n, r in zip(numbers, said, strict=True)])
        changed = [*said[:4], 3, *said[5:7], -1]
        other.submit(second, boards=[{"board": n, "result": r} for n, r in zip(numbers, changed, strict=True)])
        grid = hall.organizer.get(hall.organizer.path("/current-tables"))
        if grid["sit_outs"]:
            self.player(hall, "sit-out", grid["sit_outs"][0])

    def teams_of_four(self) -> None:
        hall = self.hall("team_of_four", _entries(2, 4), rounds=2, boards_per_round=4)
        open_room = hall.tables[0]
        self.player(hall, "rooms", open_room["ns"])
        self.player(hall, "closed-room", open_room["ew"])

    def levels(self) -> None:
        hall = self.hall("pairs", _entries(8, 2), knockout=True, self_forfeit=True)
        climbing, equal, called, gone = hall.tables
        self.player(hall, "climb", climbing["ns"])
        self.player(hall, "equal", equal["ns"])
        self.player(hall, "forfeit", equal["ew"])
        caller = self.player(hall, "called", called["ns"])
        waiting = self.player(hall, "", gone["ew"])
        waiting.send("POST", f"/rounds/1/tables/{gone['table']}/calls", {"kind": "call", "message": ""})
        body = {"kind": "call", "message": "对方还没有到，已经等了十分钟"}
        caller.send("POST", f"/rounds/1/tables/{called['table']}/calls", body)
        leaver = self.player(hall, "gave-up", gone["ns"])
        body = {"base_version": 0, "tapped_at": int(time.time() * 1000)}
        leaver.send("POST", f"/rounds/1/tables/{gone['table']}/forfeit", body)

    def others(self) -> None:
        laps = self.hall("open_ended", _entries(2, 2))
        self.player(laps, "laps", laps.tables[0]["ns"])
        persons = self.hall("individual", _entries(8, 1))
        self.player(persons, "persons", persons.tables[0]["ew"])
        played = self.hall("rotation", _entries(8, 1), boards_per_round=4)
        table = played.tables[0]
        one = self.player(played, "my-rounds", table["ns"])
        one.submit(table, boards=_boards(3, -1, 2, 1))
        self.player(played, "", table["ew"]).submit(table, boards=_boards(3, -1, 2, 1))


def stage_phones(browser: Browser, url: str) -> Phones:
    """Make the events, through the API."""
    stage = _Stage(browser, url)
    stage.duplicate()
    stage.teams_of_four()
    stage.levels()
    stage.others()
    return stage.phones
