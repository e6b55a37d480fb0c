"""People and events for tests, made as people make them: through the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.support.client import Browser
from tests.support.world import TestWorld

OWNER_PHONE = "13800130001"


def phone(number: int) -> str:
    """An invented phone."""
    return f"1380013{number:04d}"


def sign_in(world: TestWorld, number: str) -> Browser:
    """A browser in which the owner of a phone is signed in."""
    browser = Browser()
    sent = browser.post("/auth/codes", {"phone": number})
    assert sent.status == 202, sent.json
    reply = browser.post("/auth/session", {"phone": number, "code": world.outbox.last_code(number)})
    assert reply.status == 201, reply.json
    browser.csrf = reply.json["csrf"]
    return browser


@dataclass
class Hall:
    """An event with its people: the owner's browser, and others as they are asked for."""

    world: TestWorld
    owner: Browser
    event_id: str
    _links: dict[str, str] = field(default_factory=dict)

    def path(self, rest: str = "") -> str:
        """A path below the event."""
        return f"/events/{self.event_id}{rest}"

    def version(self) -> int:
        """The settings' version now."""
        found: int = self.owner.get(self.path()).json["version"]
        return found

    def configure(self, **changes: Any) -> None:
        """Change settings as the owner."""
        event = self.owner.get(self.path()).json
        reply = self.owner.put(
            self.path("/settings"),
            {"version": event["version"], "settings": {**event["settings"], **changes}, "confirmed": True},
        )
        assert reply.status == 200, reply.json

    def enter(self, count: int, first: int = 100, club: str = "") -> list[int]:
        """Enter pairs with names 选手001... and phones; returns their numbers."""
        numbers = []
        for index in range(count):
            one, two = first + 2 * index, first + 2 * index + 1
            body = {
                "club": club,
                "players": [
                    {"name": f"选手{one:03d}", "phone": phone(one)},
                    {"name": f"选手{two:03d}", "phone": phone(two)},
                ],
            }
            reply = self.owner.post(self.path("/entries"), body)
            assert reply.status == 201, reply.json
            numbers.append(reply.json["number"])
        return numbers

    def start_round(self) -> int:
        """Draw, publish and start the next round; returns its number."""
        drawn = self.owner.post(self.path("/rounds"), {})
        assert drawn.status == 201, drawn.json
        number: int = drawn.json["number"]
        published = self.owner.post(self.path(f"/rounds/{number}/publication"), {"version": drawn.json["version"]})
        assert published.status == 200, published.json
        start = {"action": "start", "version": published.json["clock"]["version"]}
        started = self.owner.post(self.path(f"/rounds/{number}/clock"), start)
        assert started.status == 200, started.json
        return number

    def administrator(self, number: str) -> Browser:
        """The browser of an account that is an administrator of the event."""
        reply = self.owner.post(self.path("/members"), {"phone": number})
        assert reply.status == 201, reply.json
        return sign_in(self.world, number)

    def by_link(self, role: str) -> Browser:
        """A browser that came by the link of ``role``."""
        links = self.owner.get(self.path("/links")).json["links"]
        path = next(link["path"] for link in links if link["role"] == role)
        browser = Browser(speaks_as="link")
        reply = browser.post("/links/exchange", {"event_id": self.event_id, "token": path.partition("#")[2]})
        assert reply.status == 200, reply.json
        browser.csrf = reply.json["csrf"]
        return browser

    def player(self, number: int, player: int = 0, text: str | None = None) -> Browser:
        """The phone of a player of entry ``number``, identified by ``text`` (default: the player's phone)."""
        if text is None:
            entries = self.owner.get(self.path("/entries")).json["entries"]
            entry = next(entry for entry in entries if entry["number"] == number)
            text = entry["players"][player]["phone"]
        browser = Browser(speaks_as="player")
        reply = browser.post(self.path("/devices"), {"number": number, "player": player, "text": text})
        assert reply.status == 201, reply.json
        browser.csrf = reply.json["csrf"]
        return browser


def open_hall(world: TestWorld, number: str = OWNER_PHONE, **draft: Any) -> Hall:
    """A new event of pairs, owned by the owner of a phone."""
    owner = sign_in(world, number)
    reply = owner.post("/events", {"name": "周三夜赛", "kind": "pairs", **draft})
    assert reply.status == 201, reply.json
    return Hall(world, owner, reply.json["event_id"])
