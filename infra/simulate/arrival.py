"""Before the first round: the registration rush, and everybody finding themselves and checking in."""

from __future__ import annotations

import math
import random

from infra.simulate.browser import Browser
from infra.simulate.facts import Facts, Pair
from infra.simulate.organizer import Organizer
from infra.simulate.polling import Polling
from infra.simulate.stage import Stage

MOST_VISITS = 500
"""So many visits, at most, are carried out in full. Of the others only what they change is; reading is the same for
all, so it is counted."""
_READ_ON_ARRIVAL = ("GET /events/{event}/public", "POST /events/{event}/searches", "GET /events/{event}/me")
MINUTE = 60_000


class Arrival:
    """Registration and check-in of all pairs; ``phones`` are the browsers that will speak for them, by number."""

    def __init__(
        self, stage: Stage, organizer: Organizer, facts: Facts, chance: random.Random, polling: Polling
    ) -> None:
        self._stage = stage
        self._organizer = organizer
        self._facts = facts
        self._chance = chance
        self._polling = polling
        self._every = -(-len(facts.pairs) // MOST_VISITS)
        self.phones: dict[int, Browser] = {}
        self.registration_ends = 0.0
        self.check_in_ends = 0.0

    def register(self) -> None:
        """Plan a rush that falls by e each ``registration_peak`` seconds, over well before the deadline."""
        play, now = self._stage.habits.play, self._stage.time.now
        self.registration_ends = now + (play.registration_minutes + 2) * MINUTE
        longest = 0.8 * play.registration_minutes * 60
        for pair in self._facts.pairs:
            after = min(longest, -play.registration_peak * math.log(1 - self._chance.random()))
            self._plan_registration(pair, now + 1000 * after)

    def _plan_registration(self, pair: Pair, when: float) -> None:
        browser = Browser(self._stage, self._organizer.owner.event_id)
        self._polling.page_loads(1)
        if pair.index % self._every == 0:
            self._stage.agenda.at(when - 20_000, lambda: _read(browser))
        else:
            self._stage.ledger.count("GET /events/{event}/registration", 1)
        players = [{"name": name, "phone": phone} for name, phone in zip(pair.names, pair.phones, strict=True)]
        body = {"players": players, "consent": True, "name": "", "club": pair.club, "partner": "typed"}
        key = browser.new_key()

        def send(again: bool) -> None:
            reply = browser.change("POST", "/events/{event}/registrations", body=body, key=key)
            if again:
                self._facts.replays += 1
                if not reply.replayed:
                    raise RuntimeError("a registration took effect twice")
                return
            pair.number = reply.json["number"]

        self._stage.agenda.at(when, lambda: send(False))
        if self._chance.random() < self._stage.habits.play.retried:
            self._stage.agenda.at(when + 1000 * self._stage.habits.play.retry_after, lambda: send(True))

    def check_in(self) -> None:
        """Plan everybody's way in: open the page, find oneself, say so, check in (one of each pair)."""
        play = self._stage.habits.play
        self.check_in_ends = self._stage.time.now + play.check_in_minutes * MINUTE
        self._polling.check_in(play.check_in_minutes)
        for pair in self._facts.pairs:
            when = self._stage.time.now + 1000 * self._chance.uniform(30, play.check_in_minutes * 60 - 60)
            self._plan_check_in(pair, when)

    def _plan_check_in(self, pair: Pair, when: float) -> None:
        browser = Browser(self._stage, self._organizer.owner.event_id, speaks_as="player")
        # Both players come; what the second phone does is what the first one did.
        self._polling.page_loads(2)
        self._polling.openings(2)
        self._stage.ledger.count("POST /events/{event}/devices", 1)
        in_full = pair.index % self._every == 0
        for name in _READ_ON_ARRIVAL:
            self._stage.ledger.count(name, 1 if in_full else 2)

        def come() -> None:
            if in_full:
                browser.get("/events/{event}/public")
                found = browser.change("POST", "/events/{event}/searches", body={"text": pair.phones[0]})
                (candidate,) = found.json["candidates"]
                if candidate["number"] != pair.number:
                    raise RuntimeError(f"a search for entry {pair.number} found {candidate['number']}")
            body = {"number": pair.number, "player": 0, "text": pair.phones[0], "device": "手机"}
            browser.csrf = browser.change("POST", "/events/{event}/devices", body=body).json["csrf"]
            self.phones[pair.number] = browser
            if in_full:
                browser.get("/events/{event}/me")

        key = browser.new_key()

        def here(again: bool) -> None:
            reply = browser.change("PUT", "/events/{event}/me/check-in", key=key)
            pair.checked_in = True
            if again:
                self._facts.replays += 1
                if not reply.replayed:
                    raise RuntimeError("a check-in took effect twice")

        self._stage.agenda.at(when, come)
        self._stage.agenda.at(when + 15_000, lambda: here(False))
        if self._chance.random() < self._stage.habits.play.retried:
            self._stage.agenda.at(when + 15_000 + 1000 * self._stage.habits.play.retry_after, lambda: here(True))


def _read(browser: Browser) -> None:
    browser.get("/events/{event}/registration")
