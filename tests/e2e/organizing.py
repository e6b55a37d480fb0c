"""An organizer who works through the API: events for tests whose subject is another page."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

_phones = itertools.count(1)
_CODE_LENGTH = 6


@dataclass(frozen=True)
class Pair:
    """One entry: the team's name ("" for the players' names), two players with their phones, and their club."""

    name: str
    players: tuple[str, str]
    phones: tuple[str, str] = ("", "")
    club: str = ""


def pairs(count: int, first: int = 1) -> list[Pair]:
    """Pairs of 选手001 and so on, with invented phones."""
    people = range(first, first + 2 * count, 2)
    return [
        Pair("", (f"选手{one:03d}", f"选手{one + 1:03d}"), (f"1380013{one:04d}", f"1380013{one + 1:04d}"))
        for one in people
    ]


@dataclass
class Organizer:
    """Somebody signed in, whose page's cookies the requests carry."""

    page: Page
    csrf: str
    event_id: str = ""

    def get(self, path: str) -> Any:
        """GET a path below /api; returns what came."""
        return self._send("GET", path, None)

    def post(self, path: str, body: object, headers: dict[str, str] | None = None) -> Any:
        """POST to a path below /api; returns what came."""
        return self._send("POST", path, body, headers)

    def put(self, path: str, body: object) -> Any:
        """PUT to a path below /api; returns what came."""
        return self._send("PUT", path, body)

    def path(self, rest: str = "") -> str:
        """A path below the event."""
        return f"/events/{self.event_id}{rest}"

    def create(self, entries: list[Pair], name: str = "周三夜赛", kind: str = "pairs", **settings: Any) -> None:
        """A new event with these entries and settings."""
        self.event_id = self.post("/events", {"name": name, "kind": kind})["event_id"]
        event = self.get(self.path())
        if settings:
            changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
            self.put(self.path("/settings"), changed)
        for pair in entries:
            players = [{"name": who, "phone": phone} for who, phone in zip(pair.players, pair.phones, strict=True)]
            self.post(self.path("/entries"), {"name": pair.name, "club": pair.club, "players": players})

    def draw(self) -> Any:
        """Draw the next round; returns the draft."""
        return self.post(self.path("/rounds"), {})

    def publish(self, draft: Any) -> Any:
        """Publish a draft."""
        return self.post(self.path(f"/rounds/{draft['number']}/publication"), {"version": draft["version"]})

    def start_clock(self) -> None:
        """Start the round's clock."""
        event = self.get(self.path())
        start = {"action": "start", "version": event["clock"]["version"]}
        self.post(self.path(f"/rounds/{event['last_round']}/clock"), start)

    def play_round(self) -> Any:
        """Draw, publish and start the next round; returns it."""
        published = self.publish(self.draw())
        self.start_clock()
        return published

    def tables(self) -> list[Any]:
        """The tables of the current round, with words, rulings and results."""
        found: list[Any] = self.get(self.path("/current-tables"))["tables"]
        return found

    def rule(self, table: int, ns_level: str, ew_level: str) -> None:
        """Rule a table of the current round."""
        grid = self.get(self.path("/current-tables"))
        version = next(one["version"] for one in grid["tables"] if one["table"] == table)
        levels = {"outcome": "played", "ns_level": ns_level, "ew_level": ew_level}
        body = {"version": version, **levels, "winner": None, "reason": "以纸条为准"}
        self.post(self.path(f"/rounds/{grid['round']}/tables/{table}/ruling"), body)

    def settle(self) -> None:
        """Settle the current round."""
        last = self.get(self.path())["rounds"][-1]
        self.post(self.path(f"/rounds/{last['number']}/settlement"), {"version": last["version"]})

    def link(self, role: str) -> str:
        """The address, relative to the server, that opens the event for a role."""
        links = self.get(self.path("/links"))["links"]
        found: str = next(link["path"] for link in links if link["role"] == role)
        return found

    def show(self, view: str) -> None:
        """Put a view on every projection."""
        self.put(self.path("/display"), {"view": view, "page": None, "paused": False})

    def _send(self, method: str, path: str, body: object, more: dict[str, str] | None = None) -> Any:
        headers = {"X-Guanjun-As": "account", "X-CSRF-Token": self.csrf, "Idempotency-Key": uuid4().hex}
        sent = {**headers, **(more or {})}
        reply = self.page.context.request.fetch(f"/api{path}", method=method, headers=sent, data=body)
        assert reply.ok, f"{method} {path}: {reply.status} {reply.text()}"
        return reply.json()


def sign_in(page: Page, phone: str = "") -> Organizer:
    """Sign an account in (a new one unless `phone` says whose) by its one-time code from the loopback outbox."""
    phone = phone or f"1380013{9000 + next(_phones):04d}"
    organizer = Organizer(page, "")
    organizer.post("/auth/codes", {"phone": phone})
    messages = organizer.get("/local/outbox")["messages"]
    text = next(message["text"] for message in messages if message["phone"].endswith(phone))
    code = next(word for word in _digits(text) if len(word) == _CODE_LENGTH)
    organizer.csrf = organizer.post("/auth/session", {"phone": phone, "code": code})["csrf"]
    return organizer


def _digits(text: str) -> list[str]:
    return "".join(letter if letter.isdigit() else " " for letter in text).split()
