"""Who asks how often (architecture.md, "Reading"), counted by habits.yaml; of each kind a few requests are carried out.

A national day has millions of questions that are alike. So many are counted as the pages would ask, and what one costs
is measured on samples, taken all through the day.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace

import msgspec

from infra.simulate.browser import Browser
from infra.simulate.facts import Facts, PlayedTable
from infra.simulate.stage import Stage, compressed
from infra.simulate.streams import Streams
from infra.simulate.watching import Moments, in_front, log_looks, official, openings, projection

IN_PLAY = " (in play)"
ME = f"GET /events/{{event}}/me{IN_PLAY}"
TIME = "GET /time"
GRID = f"GET /events/{{event}}/current-tables{IN_PLAY}"
CHANGED = "GET /events/{event}/rounds/{}/changed-tables?since={}"
NO_TABLES = "GET /events/{event}/current-tables"
FRAME = f"GET /events/{{event}}{IN_PLAY}"
FRAME_BEFORE = "GET /events/{event}"
LOG = "GET /events/{event}/audit"
DESK = "GET /events/{event}/entry-names"
RUNNING = "PUT /events/{event}/rounds/{}/tables/{}/running"
PULSE, CHANGES, SNAPSHOTS, PAGES = "pulse", "changes", "snapshots", "pages"
MINUTE = 60_000
PULSE_LIFE = 1
"""Seconds for which the edge keeps a pulse."""
CLOCK_PHASES = 3
"""How often the frame of a console is another because of the time: stop drawing, over, ended."""
LOOKS_AT_CHANGES = 5
SAMPLED = (570, 450, 330, 210, 90, 12)
"""Seconds before the end of a round at which an official's looks are carried out."""
VERIFIED = 20
"""At one of so many tables the look of the phone that waits is carried out and must show the other side's word."""
ROWS_PER_PAGE = 200


class Polling:
    """Counts, and plans the samples."""

    def __init__(self, stage: Stage, streams: Streams, players: int, facts: Facts, seed: int) -> None:
        self._stage = stage
        self._streams = streams
        self._words: dict[int, list[tuple[float, float]]] = defaultdict(list)
        """Of each round, when the two sides of each table speak."""
        self._players = players
        self._facts = facts
        self._chance = random.Random(f"polling {seed}")
        self._phones: dict[int, Browser] = {}
        self._owner: Browser | None = None
        self._referee: Browser | None = None
        phones = stage.habits.phones
        self._visible = players * phones.visible
        staff, tables = stage.habits.staff, players // 4
        self._consoles = max(1, round(staff.console_pages * players / 2500))
        self._referees = -(-tables // staff.referees_per_tables) if tables >= 8 else 0
        self._screens = max(1, round(players / staff.screens_per_players))

    def know(self, phones: dict[int, Browser], owner: Browser, referee: Browser) -> None:
        """Whose browsers carry samples out: phones by entry number, the organizer, a referee."""
        self._phones, self._owner, self._referee = phones, owner, referee

    # Before the rounds

    def page_loads(self, phones: int) -> None:
        """Phones that open a page for the first time."""
        cloud = self._stage.habits.cloud
        self._stage.ledger.files[PAGES].add(phones, cloud.page_bytes + cloud.header_bytes, 0, page=True)

    def openings(self, phones: float) -> None:
        """Phones that come to the front: each measures the server's time."""
        self._stage.ledger.count(TIME, phones * self._stage.habits.phones.time_questions)

    def check_in(self, minutes: float) -> None:
        """The pulse of those who have come already (half of them, on average), and the desks' lists."""
        staff, seconds = self._stage.habits.staff, minutes * 60
        self._pulses(self._visible / 2 * seconds / self._stage.habits.phones.pulse, seconds)
        self._pulses(self._screens * seconds / staff.screen_seldom, seconds)
        looks = staff.desk + staff.desk_of_an_entry * self._players / 2
        desks = max(1, round(self._players / staff.desks_per_players))
        self._stage.ledger.count(DESK, desks * staff.visible * seconds / looks)
        consoles = self._consoles * staff.visible
        self._pulses((consoles + self._referees * staff.visible) * seconds / staff.watch_seldom, seconds)
        self._stage.ledger.count(FRAME_BEFORE, consoles * seconds / staff.frame_arriving)
        self._stage.ledger.count(LOG, consoles * seconds / staff.log)
        self._stage.ledger.count(NO_TABLES, (consoles + self._referees * staff.visible) * seconds / staff.full_look)
        for share in (0.1, 0.5, 0.9):
            self._stage.agenda.at(self._stage.time.now + share * 1000 * seconds, self._look_at_desk)
        self._stage.agenda.at(self._stage.time.now + 1000, self._ask_time)

    # In the rounds

    def round(self, number: int, published: float, started: float, ends: float, over: float) -> None:
        """Everything that is asked from one publication to the next. Times in virtual milliseconds."""
        habits = self._stage.habits
        phones, play = habits.phones, habits.play
        whole = (over - published) / 1000 + play.draft_minutes * 60
        pause = (over - ends) / 1000
        near, soon = phones.near_end + min(pause, phones.near_end), phones.soon_after_publish
        looks = near / phones.pulse_near + soon / phones.pulse_soon + (whole - near - soon) / phones.pulse
        self._pulses(self._visible * looks, whole)
        opened = self._players * phones.openings_per_round
        self._pulses(opened * (1 + phones.touched), whole)
        self.openings(opened)
        # A page that stays in front measures again every two hours.
        self.openings(self._visible * whole / 7200)
        self._saves(number)
        self._snapshots(ends, over)
        # Officials ask all through the last ten minutes, in which tables finish one after the other.
        for moment in ((started + ends) / 2, *(ends - 1000 * before for before in SAMPLED)):
            self._stage.agenda.at(moment, lambda: self._samples(number))
        self._stage.agenda.at((started + ends) / 2 + 1000, lambda: self._save_running(number))
        # How often officials and phones ask follows from what will have happened.
        self._stage.agenda.at(over - 1, lambda: self._followed(number, published, started, over))

    def _followed(self, number: int, published: float, started: float, over: float) -> None:
        staff, phones, ledger = self._stage.habits.staff, self._stage.habits.phones, self._stage.ledger
        moments = Moments(sorted(self._stage.files.pulses), sorted(self._streams.told))
        begin = published - self._stage.habits.play.draft_minutes * MINUTE
        consoles, referees = self._consoles * staff.visible, self._referees * staff.visible
        seconds = (over - begin) / 1000
        seen = official(staff, moments, begin, published, over, len(self._facts.of_round(number)))
        # Each publication, start and settlement shows at every table.
        moved = (published, started, over)
        self._pulses(
            (consoles + referees) * seen.looks + self._screens * projection(staff, moments, begin, published, over),
            seconds,
        )
        ledger.count(CHANGED, (consoles + referees) * seen.changes)
        ledger.count(GRID, (consoles + referees) * (seen.whole + len(moved)))
        ledger.count(FRAME, consoles * (seconds / staff.frame + len(moved) + CLOCK_PHASES))
        ledger.count(LOG, consoles * log_looks(staff, moments, begin, over))
        words = self._words.pop(number)
        moments = replace(moments, spoken=sorted(moment for pair in words for moment in pair))
        opened = self._players * phones.openings_per_round
        carried = openings(phones, self._chance, moments, moved, words)
        stays = in_front(phones, self._chance, moments, moved, words)
        ledger.count(ME, opened * carried.me + self._visible * stays.me)
        told = bisect_right(moments.told, over) - bisect_right(moments.told, published)
        size = self._size("changes") + self._stage.habits.cloud.header_bytes
        files = opened * carried.files + self._visible * stays.files
        ledger.files[CHANGES].add(files, size, self._stage.habits.cloud.edge_places * told)

    def own_table(self, table: PlayedTable, first: float, side: str, second: float) -> None:
        """The looks of the phone that waits for the other side's word.

        ``first``: when ``side`` spoke, ``second``: when the other side does.
        """
        habits = self._stage.habits
        phones = habits.phones
        self._words[table.round].append((first, second))
        look, looks = first + habits.cloud.network_ms, 0
        while True:
            wanted = phones.own_table if looks < phones.own_table_looks else phones.own_table_long
            look += 1000 * (wanted + self._chance.uniform(0, phones.tick)) + habits.cloud.network_ms
            looks += 1
            if look > second + habits.cloud.network_ms:
                break
        self._facts.waits.append((look + habits.cloud.network_ms - second) / 1000)
        # The one who entered the score waits with the page in front; partners look as often as everybody.
        self._stage.ledger.count(ME, looks)
        if table.table % VERIFIED == 0:
            number = table.ns if side == "ns" else table.ew
            self._stage.agenda.at(look, lambda: self._verify_look(table, number, side))

    def _verify_look(self, table: PlayedTable, number: int, side: str) -> None:
        other = "ew" if side == "ns" else "ns"
        shown = self._phones[number].get("/events/{event}/me", named=IN_PLAY).json
        self._stage.ledger.count(ME, -1)
        seen = shown["table"][f"word_{other}"]
        if other in table.words and (seen is None or shown["table"]["table"] != table.table):
            raise RuntimeError(f"the phone of entry {number} does not see the other side's word")

    # Samples

    def _samples(self, number: int) -> None:
        for phone in self._chance.sample(sorted(self._phones), min(4, len(self._phones))):
            self._phones[phone].get("/events/{event}/me", named=IN_PLAY)
            self._stage.ledger.count(ME, -1)
        self._ask_time()
        assert self._owner is not None
        assert self._referee is not None
        known = self._referee.get("/events/{event}/current-tables", named=IN_PLAY).json
        self._stage.ledger.count(GRID, -1)
        self._owner.get("/events/{event}", named=IN_PLAY)
        self._owner.get("/events/{event}/audit")
        self._follow(number, known["changes"], LOOKS_AT_CHANGES)

    def _follow(self, number: int, since: int, more: int) -> None:
        """The referee asks for what has changed, a look after the other, as long as something has."""
        pointer = self._stage.files.uncounted.get(f"pub/{self._owner_event}/pulse.json")
        newest = 0 if pointer is None else msgspec.json.decode(pointer.body)["changes"]
        if newest > since or not self._stage.ledger.kind(CHANGED).done.calls:
            assert self._referee is not None
            found = self._referee.get("/events/{event}/rounds/{}/changed-tables?since={}", number, since)
            self._stage.ledger.count(CHANGED, -1)
            since = found.json["changes"]
        if more > 1:
            wait = 1000 * self._stage.habits.staff.watch_often
            self._stage.agenda.at(self._stage.time.now + wait, lambda: self._follow(number, since, more - 1))

    @property
    def _owner_event(self) -> str:
        assert self._owner is not None
        return self._owner.event_id

    def _ask_time(self) -> None:
        Browser(self._stage).get("/time")
        self._stage.ledger.count(TIME, -1)

    def _look_at_desk(self) -> None:
        assert self._owner is not None
        self._owner.get("/events/{event}/entry-names")
        self._owner.get("/events/{event}")
        self._owner.get("/events/{event}/current-tables")
        self._stage.ledger.count(DESK, -1)

    def _save_running(self, number: int) -> None:
        table = self._chance.choice(self._facts.of_round(number))
        self._phones[table.ns].change(
            "PUT",
            "/events/{event}/rounds/{}/tables/{}/running",
            number,
            table.table,
            body={"ns_level": "7", "ew_level": "5"},
        )
        self._stage.ledger.count(RUNNING, -1)

    # Counts

    def _saves(self, number: int) -> None:
        phones = self._stage.habits.phones
        tables = len(self._facts.of_round(number))
        self._stage.ledger.count(RUNNING, max(1.0, tables * phones.share_running * phones.running_saves))

    def _pulses(self, requests: float, seconds: float) -> None:
        cloud = self._stage.habits.cloud
        fetches = cloud.edge_places * seconds / PULSE_LIFE
        self._stage.ledger.files[PULSE].add(requests, self._size("pulse.json") + cloud.header_bytes, fetches)

    def _snapshots(self, ends: float, over: float) -> None:
        """Pages of the standings on phones, whole snapshots on projections, which take new versions as they come."""
        phones, staff, cloud = self._stage.habits.phones, self._stage.habits.staff, self._stage.habits.cloud
        pages = -(-self._players // 2 // ROWS_PER_PAGE)
        files, size = self._stage.ledger.files[SNAPSHOTS], self._size("standings") + cloud.header_bytes
        files.add(self._players * phones.reads_standings, size, cloud.edge_places * pages)
        versions = (over - ends) / 1000 / staff.screen_snapshot
        files.add(self._screens * pages * versions, size, cloud.edge_places * pages * versions)
        # Pairings: about as long as standings.
        files.add(self._screens * pages, size, cloud.edge_places * pages)

    def _size(self, kind: str) -> int:
        """Bytes over the wire of a public file that is there, so far."""
        assert self._owner is not None
        root = f"pub/{self._owner.event_id}/{kind}"
        files = self._stage.files.uncounted
        keys = [root] if kind.endswith(".json") else files.list_prefix(f"{root}/")
        found = files.get(keys[-1]) if keys else None
        return 400 if found is None else len(compressed(found.body))
