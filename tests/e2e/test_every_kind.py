"""Every kind of event from the first draw to the winners on the screen: three rounds in the real product.

A late entry, a bye or somebody who sits out, a dispute that the referee settles, a forfeit and a correction of a
settled round come in each; at the end workbook, pages and projection say what the exported document gives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import BrowserContext, Page, expect

from chalicelib.rules.criteria import CRITERIA
from tests.e2e.devices import device_of
from tests.e2e.kinds import teams
from tests.e2e.organizing import Organizer
from tests.e2e.pages import screen as screen_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.console import say as words
from tests.e2e.pages.control import Control
from tests.e2e.pages.phone import PHONE, Phone
from tests.e2e.pages.referee import Referee
from tests.e2e.pages.screen import PROJECTOR, Screen

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
NewContext = Callable[..., BrowserContext]
ROUNDS = 3
MINUTES = 40
CLUB = "海风俱乐部"
RESULTS = (3, -1, 2, 1, -3, -2)
LEVELS = ("5", "A", "8", "J", "10", "K")
PRIZES = [{"name": "冠军", "count": 1}, {"name": "亚军", "count": 1}]


@dataclass(frozen=True)
class Way:
    """A way to play: kind, entries and names in each, settings."""

    kind: str
    entries: int = 7
    players: int = 2
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.kind, *(code for code in self.settings if code != "boards_per_round")])


BOARDS = {"boards_per_round": 2}
EVERY_TIME = Way("team_of_four", 7, 4, BOARDS)
"""Beside the pairs of `test_whole_event.py`: two rooms, boards, and a match in two records."""
WITH_FULL = (
    Way("pairs"),
    Way("pairs", settings={"knockout": True, "third_place_match": True}),
    Way("individual", 13, 1),
    Way("round_robin"),
    Way("rotation", 7, 2, BOARDS),
    Way("open_ended"),
    Way("league", 7, 3),
    Way("clubs"),
    Way("mitchell", 7, 2, BOARDS),
    Way("swiss_deviation", 7, 2, BOARDS),
)


@pytest.mark.parametrize(
    "way", [EVERY_TIME, *(pytest.param(way, marks=pytest.mark.full) for way in WITH_FULL)], ids=str
)
def test_from_the_first_draw_to_the_winners_on_the_screen(
    way: Way,
    organizer: Organizer,
    open_page: OpenPage,
    new_context: NewContext,
    ranking: Callable[[Path], Any],
    tmp_path: Path,
) -> None:
    open_event(organizer, way)
    console = Console(organizer.page)
    organizer.page.goto(f"/c/{organizer.event_id}/rounds")
    screen, referee = Screen(open_page(**PROJECTOR)), Referee(open_page())
    screen.page.goto(organizer.link("display"))
    rested = False
    for number in range(1, ROUNDS + 1):
        console.draw(number)
        console.publish(number)
        console.start_clock(MINUTES)
        view = organizer.get(organizer.path(f"/rounds/{number}"))
        rested = rested or bool(view["byes"] or view["sit_outs"])
        if number == 1:
            referee.open(organizer.link("referee"))
            play_first_round(organizer, referee, open_page, new_context)
            late = teams(way.entries + 1, way.players)[-1]
            organizer.post(organizer.path("/entries"), {**late, "club": CLUB})
        if number == 2:
            # Before the next match has a result: a knock-out would refuse the correction afterwards.
            correct(organizer, 1)
        rule_the_rest(organizer)
        settle(organizer, number)
        organizer.page.goto(f"/c/{organizer.event_id}/rounds")
    assert rested, "seven entries: somebody has a bye or sits out"
    compare_everything(organizer, console, screen, ranking, tmp_path)
    reveal_winners(organizer, screen)


def open_event(organizer: Organizer, way: Way) -> None:
    """The event with its entries, checked in."""
    organizer.event_id = organizer.post("/events", {"name": "各种赛制", "kind": way.kind})["event_id"]
    event = organizer.get(organizer.path())
    settings = {"rounds": ROUNDS, "minutes_per_round": MINUTES, "prizes": PRIZES, **way.settings}
    changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
    organizer.put(organizer.path("/settings"), changed)
    for entry in teams(way.entries, way.players):
        organizer.post(organizer.path("/entries"), {**entry, "club": CLUB})


def score_for(table: Any, scoring: Any, shift: int = 0) -> dict[str, Any]:
    """A repeatable result of a table, as the API takes it."""
    turn = table["table"] + table["round"] + shift
    if scoring["by"] == "boards":
        boards = enumerate(table["to_play"])
        return {"boards": [{"board": one["board"], "result": RESULTS[(turn + at) % 6]} for at, one in boards]}
    return {"ns_level": LEVELS[turn % 6], "ew_level": LEVELS[(turn + 1) % 6]}


def play_first_round(organizer: Organizer, referee: Referee, open_page: OpenPage, new_context: NewContext) -> None:
    """One table by its phones, one in dispute that the referee settles, one by forfeit, the rest from paper."""
    grid = organizer.get(organizer.path("/current-tables"))
    scoring, tables = grid["scoring"], grid["tables"]
    by_phone(tables[0], scoring, organizer.link("play"), open_page)
    disputed = tables[1]
    ns, ew = (device_of(new_context, organizer.event_id, disputed[side]) for side in ("ns", "ew"))
    ns.submit(disputed, **score_for(disputed, scoring))
    ew.submit(disputed, **score_for(disputed, scoring, shift=1))
    shown = referee.page.get_by_test_id(f"table-{disputed['table']}")
    expect(shown).to_contain_text(words("groupDisputed"))
    shown.click()
    sheet = referee.page.get_by_role("dialog")
    # 南北, or the home team where a match has two rooms.
    sheet.get_by_role("button", name=re.compile(f"^{words('takeSide', side='')}")).first.click()
    sheet.get_by_role("button", name=words("reasonSwapped"), exact=True).click()
    sheet.get_by_role("button", name=words("confirmRuling", score="")).click()
    expect(shown).to_contain_text(words("groupRuled"))
    forfeited = tables[2]
    rule(organizer, forfeited, {"outcome": "ns_forfeit"})


def by_phone(table: Any, scoring: Any, link: str, open_page: OpenPage) -> None:
    """Both sides of a table enter the same on their phones."""
    phones = []
    for side in ("ns", "ew"):
        phone = Phone(open_page(**PHONE))
        phone.open(link)
        name = table[side]["players"][0]
        phone.find_myself(name, name)
        phones.append(phone)
        if table["room"]:
            choice = phone.page.get_by_test_id("room-choice").get_by_role("button").first
            choice.click()
        score = score_for(table, scoring)
        if "boards" in score:
            for one in score["boards"]:
                phone.enter_board(one["board"], one["result"] if side == "ns" else -one["result"])
            phone.submit_entered()
        else:
            phone.submit(score["ns_level"], score["ew_level"])
    for phone in phones:
        expect(phone.fate("confirmed")).to_be_visible()


def rule(organizer: Organizer, table: Any, score: dict[str, Any], number: int | None = None) -> None:
    """The referee's word on a table as it is now."""
    number = table["round"] if number is None else number
    path = organizer.path(f"/rounds/{number}/tables")
    now = next(one for one in organizer.get(path)["tables"] if one["table"] == table["table"])
    body = {"version": now["version"], "reason": "以纸条为准", **score}
    organizer.post(f"{path}/{table['table']}/ruling", body)


def rule_the_rest(organizer: Organizer) -> None:
    """Paper slips of every table that is still open; a forfeit of one room is the whole match's."""
    grid = organizer.get(organizer.path("/current-tables"))
    for table in grid["tables"]:
        if table["state"] in ("open", "one_sided"):
            rule(organizer, table, score_for(table, grid["scoring"]))


def correct(organizer: Organizer, number: int) -> None:
    """A mistake of a settled round is found; in a knock-out the winner stays, since the next match is played."""
    grid = organizer.get(organizer.path(f"/rounds/{number}/tables"))
    table = grid["tables"][0]
    if grid["scoring"]["by"] == "boards":
        boards = table["result"]["boards"]
        boards[0]["result"] = -boards[0]["result"]
        rule(organizer, table, {"boards": boards}, number)
    else:
        score = score_for(table, grid["scoring"])
        higher = "ns_level" if LEVELS.index(score["ns_level"]) in (1, 3, 5) else "ew_level"
        score[higher] = "A+"
        rule(organizer, table, score, number)


def settle(organizer: Organizer, number: int) -> None:
    """Settle the round as it stands."""
    version = organizer.get(organizer.path(f"/rounds/{number}"))["version"]
    organizer.post(organizer.path(f"/rounds/{number}/settlement"), {"version": version})


def compare_everything(
    organizer: Organizer, console: Console, screen: Screen, ranking: Callable[[Path], Any], directory: Path
) -> None:
    """Workbook, console and projection show what `./guanjun standings` computes from the exported document."""
    console.compare()
    workbook = console.download("downloadStandings", directory)
    document = console.download("downloadJson", directory)
    event = json.loads(document.read_bytes())
    assert len(event["rounds"]) == ROUNDS
    rows = ranking(document)["rows"]
    assert [(rank, number) for rank, number, _ in console.standings()] == [(row["rank"], row["entry"]) for row in rows]
    sheet = load_workbook(workbook)["排名"]
    lines = list(sheet.iter_rows(values_only=True))
    heading = next(index for index, line in enumerate(lines) if "名次" in line)
    columns = {str(name): index for index, name in enumerate(lines[heading])}
    body = [line for line in lines[heading + 1 :] if line[columns["编号"]] is not None]
    assert [(line[columns["名次"]], line[columns["编号"]]) for line in body] == [(r["rank"], r["entry"]) for r in rows]
    for code in event["event"]["criteria"]:
        column = columns[CRITERIA[code].chinese]
        for line, row in zip(body, rows, strict=True):
            assert told(line[column]) == told(row["values"][code]), (code, row["entry"])
    organizer.show("standings")
    first = min(len(rows), 11)
    expect(screen.page.get_by_role("columnheader", name=screen_page.say("rank"))).to_be_visible()
    assert [rank for rank, _ in screen.standings()][:first] == [row["rank"] for row in rows][:first]


def told(value: Any) -> list[float]:
    """The numbers of a value, whether a cell, an exact text or a list of them."""
    if value is None:
        return []
    if isinstance(value, (int, float)):
        return [round(float(value), 6)]
    found: list[float] = []
    for part in re.findall(r"-?\d+(?:\.\d+)?(?:/\d+)?", value if isinstance(value, str) else " ".join(value)):
        top, _, bottom = part.partition("/")
        found.append(round(float(top) / float(bottom or 1), 6))
    return found


def reveal_winners(organizer: Organizer, screen: Screen) -> None:
    """From the last award to the first, step by step; nobody is on the screen before his step."""
    prizes = organizer.get(organizer.path("/winners"))["prizes"]
    champion = prizes[0]["winners"][0]["entry"]
    runner_up = prizes[1]["winners"][0]["entry"]
    control = Control(organizer.page, organizer.event_id)
    control.open()
    control.show("viewWinners")
    control.reveal(1, 2)
    expect(screen.page.get_by_text(runner_up["name"]).first).to_be_visible()
    expect(screen.page.get_by_text(champion["name"], exact=True)).to_have_count(0)
    control.reveal(2, 2)
    expect(screen.page.get_by_text(champion["name"]).first).to_be_visible()
