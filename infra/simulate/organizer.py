"""The organizer's browser: opens the event, draws, publishes, starts clocks, settles, ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from infra.simulate.browser import Browser, Refused
from infra.simulate.stage import Stage

PHONE = "13800130001"
MINUTE = 60_000
LOOK_AGAIN = 1500
"""Milliseconds between two looks at a job."""


class Organizer:
    """One person with one laptop."""

    def __init__(self, stage: Stage, rounds: int, wait: Callable[[float], None]) -> None:
        """``wait`` lets so many milliseconds pass, with all that happens in them."""
        self._stage = stage
        self._wait = wait
        self._rounds = rounds
        self.owner = Browser(stage)
        self.referee = Browser(stage, speaks_as="link")

    def open_event(self) -> None:
        """Sign in, create the event, set it up, read the links."""
        owner, play = self.owner, self._stage.habits.play
        owner.change("POST", "/auth/codes", body={"phone": PHONE})
        found = re.search(r"\d{6}", self._stage.outbox.messages()[0].text)
        assert found is not None
        signed_in = owner.change("POST", "/auth/session", body={"phone": PHONE, "code": found.group()})
        owner.csrf = signed_in.json["csrf"]
        draft = {"name": "全国赛", "kind": "pairs", "rounds": self._rounds, "minutes_per_round": play.minutes_per_round}
        owner.event_id = self.referee.event_id = owner.change("POST", "/events", body=draft).json["event_id"]
        event = owner.get("/events/{event}").json
        settings = {
            **event["settings"],
            "registration_deadline": int(self._stage.time.now + play.registration_minutes * MINUTE),
            "stop_drawing_minutes": play.stop_drawing_minutes,
            "club_ranking": {"on": True, "best": 4},
        }
        owner.change("PUT", "/events/{event}/settings", body={"version": event["version"], "settings": settings})
        links = owner.get("/events/{event}/links").json["links"]
        token = next(link["path"] for link in links if link["role"] == "referee").partition("#")[2]
        entered = self.referee.change("POST", "/links/exchange", body={"event_id": owner.event_id, "token": token})
        self.referee.csrf = entered.json["csrf"]

    def draw(self) -> dict[str, Any]:
        """Draw the next round, which settles the one before; the draft. A large field is drawn by a job, which the
        console watches."""
        job = self._over(self.owner.change("POST", "/events/{event}/drawing", body={}).json, "drawing")
        drawn: dict[str, Any] = self.owner.get("/events/{event}/rounds/{}", job["round"]).json
        return drawn

    def publish(self, number: int, version: int) -> dict[str, Any]:
        """Publish a draft; the round as it is then. A large one is published by a job, which the console watches."""
        body = {"version": version}
        self._over(
            self.owner.change("POST", "/events/{event}/rounds/{}/publishing", number, body=body).json, "round-jobs"
        )
        published: dict[str, Any] = self.owner.get("/events/{event}/rounds/{}", number).json
        return published

    def start(self, number: int, clock_version: int) -> None:
        """Start the round's clock."""
        body = {"action": "start", "version": clock_version}
        self.owner.change("POST", "/events/{event}/rounds/{}/clock", number, body=body)

    def rule(self, number: int, table: int, version: int, levels: tuple[str, str], reason: str, by: Browser) -> None:
        """A ruling at a table seen at ``version``."""
        body = {"version": version, "outcome": "played", "ns_level": levels[0], "ew_level": levels[1]}
        by.change(
            "POST",
            "/events/{event}/rounds/{}/tables/{}/ruling",
            number,
            table,
            body={**body, "winner": None, "reason": reason},
        )

    def finish(self, last: int) -> None:
        """Settle the last round, take the files, end the event."""
        version = self.owner.get("/events/{event}/rounds/{}", last).json["version"]
        body = {"version": version}
        self._over(self.owner.change("POST", "/events/{event}/rounds/{}/settling", last, body=body).json, "round-jobs")
        self.owner.get("/events/{event}/standings")
        if self.owner.get("/events/{event}").json["large"]:
            for name in ("workbook", "document"):
                self._have_made(name)
        else:
            self.owner.get("/events/{event}/files/{}", "workbook")
            self.owner.get("/events/{event}/document")
        self.owner.change("POST", "/events/{event}/ending", body={"ended": True, "reason": ""})

    def _have_made(self, name: str) -> None:
        """A file that a job makes, which the console watches."""
        self._over(self.owner.change("POST", "/events/{event}/export-jobs", body={"name": name}).json, "export-jobs")

    def _over(self, job: dict[str, Any], path: str) -> dict[str, Any]:
        """Watch a job to its end; it has to be done."""
        while not job["over"]:
            self._wait(LOOK_AGAIN)
            job = self.owner.get(f"/events/{{event}}/{path}/{{}}", job["job_id"]).json
        if job["phase"] != "done":
            raise Refused(f"{path} ended {job}")
        return job
