"""Every way to play from the first draw to the winners on the screen: three rounds in the real product.

A late entry, a bye or somebody who sits out, a dispute that the referee settles, a forfeit and a correction of a
settled round come in each, and the exported document is asked for every one of them; at the end workbook, pages and
projection say what that document gives. What a way cannot have stands in `CANNOT` with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from openpyxl import load_workbook
from playwright.sync_api import BrowserContext, Page, expect

from chalicelib.rules.criteria import CRITERIA
from chalicelib.rules.exact import shown as shown_number
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.model import KindCode
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
from tests.support.kinds import WAYS, Way

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
NewContext = Callable[..., BrowserContext]
ROUNDS = 3
MINUTES = 40
CLUB = "海风俱乐部"
RESULTS = (3, -1, 2, 1, -3, -2)
LEVELS = ("5", "A", "8", "J", "10", "K")
PRIZES = [{"name": "冠军", "count": 1}, {"name": "亚军", "count": 1}]

BOARDS = 2
"""Where boards are scored, so many a round."""
EVERY_TIME: Final = "team_of_four"
"""Beside the pairs of `test_whole_event.py`: two rooms, boards, and a match in two records."""
CANNOT: Final = {
    ("pairs-knockout-third_place_match", "late entry"): "the bracket is drawn once; who comes later has no place in it",
}
"""(way, promise) -> why this way cannot keep it; what happens instead is asserted too."""


@dataclass
class Story:
    """What happened to whom in the first round, to be found in the document at the end."""

    forfeited: Any
    disputed: Any
    ruled: list[Any]
    late: int = 0
    corrected: Any = None
    before: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)


def promises(way: Way) -> list[str]:
    """What has to come in this way to play."""
    every = ("rest", "forfeit", "dispute", "correction", "late entry")
    return [promise for promise in every if (way.name, promise) not in CANNOT]


def test_what_a_way_cannot_have_is_said_of_ways_there_are() -> None:
    assert {name for name, _ in CANNOT} <= {way.name for way in WAYS}
    assert {way.kind for way in WAYS} == set(KINDS)
    assert sum(way.name == EVERY_TIME for way in WAYS) == 1


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, id=way.name, marks=() if way.name == EVERY_TIME else pytest.mark.full) for way in WAYS],
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
    story = None
    for number in range(1, ROUNDS + 1):
        console.draw(number)
        console.publish(number)
        console.start_clock(MINUTES)
        if number == 1:
            referee.open(organizer.link("referee"))
            story = play_first_round(organizer, referee, open_page, new_context)
            late = teams(way.entries + 1, way.players)[-1]
            story.late = organizer.post(organizer.path("/entries"), {**late, "club": CLUB})["number"]
        if number == 2:
            assert story is not None
            # Before the next match has a result: a knock-out would refuse the correction afterwards.
            correct(organizer, 1, story)
        rule_the_rest(organizer)
        settle(organizer, number)
        organizer.page.goto(f"/c/{organizer.event_id}/rounds")
    assert story is not None
    keeps(compare_everything(organizer, console, screen, ranking, tmp_path), way, story)
    add_up(organizer)
    reveal_winners(organizer, screen)


def keeps(event: Any, way: Way, story: Story) -> None:
    """The document has everything that was promised of this way."""
    seated = [list(seats_of(one)) for one in event["rounds"]]
    resting = [[*one.get("byes", ()), *one.get("sit_outs", ())] for one in event["rounds"]]
    first = event["rounds"][0]["tables"]
    found = {
        "rest": any(resting),
        "forfeit": [one["outcome"] for one in records_of(first, story.forfeited)] == ["ns_forfeit"],
        "dispute": [numbers(one) for one in records_of(first, story.disputed)] == [story.ruled],
        "correction": story.before != story.after == numbers(records_of(first, story.corrected)[0]),
        "late entry": all(story.late in (*seats, *rest) for seats, rest in zip(seated[1:], resting[1:], strict=True)),
    }
    assert [promise for promise, kept in found.items() if kept] == promises(way)
    assert story.late not in (*seated[0], *resting[0])
    if "late entry" not in promises(way):
        assert story.late not in [
            number for seats, rest in zip(seated, resting, strict=True) for number in seats + rest
        ]


def records_of(tables: list[Any], table: Any) -> list[Any]:
    """What the document holds of a table, or of its room; a match that was given up is one record without a room."""
    match = [one for one in tables if one["table"] == table["match"]]
    return [one for one in match if one.get("room") in (None, table["room"])]


def numbers(score: Any) -> list[Any]:
    """The levels, or the results of the boards, of a score as API or document has it."""
    if score.get("boards"):
        return [(one["board"], one["result"]) for one in score["boards"]]
    levels = score["ns_level"], score["ew_level"]
    return [level["level"] if isinstance(level, dict) else level for level in levels]


def seats_of(one: Any) -> Iterator[int]:
    """Everybody who sits at a table of a round of the document."""
    for table in one["tables"]:
        for side in ("ns", "ew"):
            yield from table[side] if isinstance(table[side], list) else [table[side]]


def open_event(organizer: Organizer, way: Way) -> None:
    """The event with its entries, checked in."""
    organizer.event_id = organizer.post("/events", {"name": "各种赛制", "kind": way.kind})["event_id"]
    event = organizer.get(organizer.path())
    boards = {} if KINDS[KindCode(way.kind)].scored_by_levels else {"boards_per_round": BOARDS}
    settings = {"rounds": ROUNDS, "minutes_per_round": MINUTES, "prizes": PRIZES, **boards, **way.settings}
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


def play_first_round(organizer: Organizer, referee: Referee, open_page: OpenPage, new_context: NewContext) -> Story:
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
    assert len({table["match"] for table in (disputed, forfeited)}) == 2
    rule(organizer, forfeited, {"outcome": "ns_forfeit"})
    expect(referee.page.get_by_test_id(f"table-{forfeited['table']}")).to_contain_text(words("groupRuled"))
    return Story(forfeited, disputed, numbers(score_for(disputed, scoring)))


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


def correct(organizer: Organizer, number: int, story: Story) -> None:
    """A mistake of a settled round is found; in a knock-out the winner stays, since the next match is played."""
    grid = organizer.get(organizer.path(f"/rounds/{number}/tables"))
    table = story.corrected = grid["tables"][0]
    story.before = numbers(table["result"])
    if grid["scoring"]["by"] == "boards":
        boards = table["result"]["boards"]
        boards[0]["result"] = -boards[0]["result"]
        rule(organizer, table, {"boards": boards}, number)
    else:
        score = score_for(table, grid["scoring"])
        higher = "ns_level" if LEVELS.index(score["ns_level"]) in (1, 3, 5) else "ew_level"
        score[higher] = "A+"
        rule(organizer, table, score, number)
    now = next(one for one in organizer.get(organizer.path(f"/rounds/{number}/tables"))["tables"] if same(one, table))
    story.after = numbers(now["result"])


def same(one: Any, other: Any) -> bool:
    """Whether both are the same table."""
    return bool(one["table"] == other["table"])


def settle(organizer: Organizer, number: int) -> None:
    """Settle the round as it stands."""
    version = organizer.get(organizer.path(f"/rounds/{number}"))["version"]
    organizer.post(organizer.path(f"/rounds/{number}/settlement"), {"version": version})


def compare_everything(
    organizer: Organizer, console: Console, screen: Screen, ranking: Callable[[Path], Any], directory: Path
) -> Any:
    """Workbook, console and projection show what `./guanjun standings` computes from the exported document.

    Returns the document.
    """
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
    return event


def add_up(organizer: Organizer) -> None:
    """The page of the team in front: every round, and every number above is what the rounds below bring together."""
    standings = organizer.get(organizer.path("/standings"))
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/standings/{standings['rows'][0]['number']}")
    rows = page.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(ROUNDS)
    shown = page.locator("dl.numbers dd").all_inner_texts()[1:]
    for column, (criterion, value) in enumerate(zip(standings["criteria"], shown, strict=True)):
        cells = [row.locator("td.number").nth(column) for row in rows.all()]
        texts = [
            part.evaluate("part => part.firstChild.textContent") for cell in cells for part in cell.locator("p").all()
        ]
        parts = [Fraction(text.strip()) for text in texts]
        if criterion["code"] == "high_rounds":
            assert [shown_number(str(part)) for part in sorted(parts, reverse=True)] == value.split()
        elif parts:
            assert shown_number(str(sum(parts, Fraction(0)))) == value, criterion["code"]


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
    prizes = decided(organizer)
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


def decided(organizer: Organizer) -> list[Any]:
    """The prizes; where a tie reaches over the end of one (partners for a whole event tie), the organizer decides."""
    found = organizer.get(organizer.path("/winners"))
    contested = [winner["entry"]["number"] for prize in found["prizes"] for winner in prize["contested"]]
    if contested:
        order = list(dict.fromkeys(contested))
        body = {"version": found["version"], "entries": order}
        found = organizer.put(organizer.path("/winners/decision"), body)
    prizes: list[Any] = found["prizes"]
    assert [len(prize["winners"]) for prize in prizes] == [1, 1]
    return prizes
