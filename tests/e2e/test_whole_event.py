"""A club's evening from the roster to the final ranking, played by everybody on the pages they use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from chalicelib.rules.criteria import CRITERIA
from tests.e2e import club_evening
from tests.e2e.pages import console as console_page
from tests.e2e.pages import phone as phone_page
from tests.e2e.pages import referee as referee_page
from tests.e2e.pages import screen as screen_page
from tests.e2e.pages.console import Console, Seat, Tables
from tests.e2e.pages.phone import PHONE, Phone
from tests.e2e.pages.referee import Referee
from tests.e2e.pages.screen import PROJECTOR, Screen

pytestmark = pytest.mark.browser

OFFLINE, DISPUTED, CORRECTED = 2, 3, 4
"""Tables of the first round: one phone loses its network; both sides differ; an old mistake is found later."""
REASON = "计分表抄错"


@dataclass
class Evening:
    """Everybody who is there."""

    console: Console
    referee: Referee
    screen: Screen
    phones: dict[int, Phone] = field(default_factory=dict)
    """By the number of the entry that the phone speaks for."""

    def side_phones(self, seats: tuple[Seat, Seat]) -> list[Phone]:
        """The phones at a table, 南北 first."""
        return [self.phones[seat.number] for seat in seats if seat.number in self.phones]


@pytest.fixture
def evening(open_page: Callable[..., Page], tmp_path: Path) -> Evening:
    """An organizer signed in, whose event has its nine pairs; referee and screen are there."""
    console = Console(open_page(viewport={"width": 1440, "height": 900}, accept_downloads=True))
    console.sign_in("13800138000")
    console.create_event(club_evening.EVENT, club_evening.ROUNDS)
    roster = tmp_path / "名单.xlsx"
    club_evening.write_roster(roster)
    console.import_roster(roster, len(club_evening.TEAMS))
    screen = Screen(open_page(**PROJECTOR))
    screen.open(console.page.url.split("/c/")[1].split("/")[0])
    return Evening(console, Referee(open_page()), screen)


def test_an_evening_from_the_roster_to_the_final_ranking(
    evening: Evening, open_page: Callable[..., Page], ranking: Callable[[Path], Any], tmp_path: Path
) -> None:
    console = evening.console
    first = start_round(evening, 1, swap=(1, 2))
    evening.referee.open(console.link("linkReferee"))
    hand_out_phones(evening, first, open_page, console.link("linkPlay"))
    play_first_round(evening, first)
    console.go_to("menuScoring")
    console.settle(1)

    for number in range(2, club_evening.ROUNDS + 1):
        tables = start_round(evening, number)
        play_later_round(evening, number, tables)
        if number == 2:
            # The mistake of the first round is found while the second is played.
            console.correct(1, CORRECTED, "10", "A", REASON)
            console.go_to("menuScoring")
        console.settle(number)

    console.show_on_screens("viewStandings")
    compare_everything(evening, ranking, tmp_path)
    assert first.byes, "nine pairs: somebody has a bye"


def start_round(evening: Evening, number: int, swap: tuple[int, int] | None = None) -> Tables:
    """Draw, look at the draft, publish, start the clock; the screen shows all of it."""
    console, screen = evening.console, evening.screen
    console.show_on_screens("viewPairings")
    console.draw(number)
    # A draft is nobody's business yet.
    expect(screen.page.get_by_text(screen_page.say("pairingsTitle", round=number))).to_have_count(0)
    if swap is not None:
        console.swap_in_draft(*swap)
    console.publish(number)
    tables = console.published_tables()
    screen.shows_pairings(number)
    for table, seats in tables.tables.items():
        for seat in seats:
            expect(screen.table_row(table)).to_contain_text(seat.name)
    console.start_clock(club_evening.MINUTES)
    expect(screen.clock).to_contain_text(re.compile(r"49:\d\d|50:00"))
    if number == 1:
        console.show_on_screens("viewClock")
        expect(screen.page.get_by_role("heading", name=screen_page.say("roundRunning", round=1))).to_be_visible()
    return tables


def hand_out_phones(evening: Evening, round_one: Tables, open_page: Callable[..., Page], link: str) -> None:
    """Six pairs, at the first three tables, each find themselves on a phone and check in."""
    for table in (1, OFFLINE, DISPUTED):
        for seat in round_one.tables[table]:
            phone = Phone(open_page(**PHONE))
            phone.open(link)
            one, two = club_evening.players(seat.number)
            # Some search by name, some by phone.
            text = one if seat.number % 2 else club_evening.phones(seat.number)[1]
            phone.find_myself(text, one if seat.number % 2 else two)
            phone.check_in()
            expect(phone.table_number).to_have_text(str(table))
            evening.phones[seat.number] = phone


def play_first_round(evening: Evening, tables: Tables) -> None:
    """Both sides agree; one phone is offline for a while; a dispute; a slip of paper."""
    console, referee = evening.console, evening.referee
    ns, ew = evening.side_phones(tables.tables[1])
    result = club_evening.levels(1, 1)
    ns.submit(*result)
    expect(ns.fate("submitted")).to_be_visible()
    expect(referee.card(1)).to_contain_text(referee_page.say("groupOneSided"))
    ew.submit(*result)
    expect(ew.fate("confirmed")).to_be_visible()
    expect(ns.fate("confirmed")).to_be_visible()
    expect(referee.card(1)).to_contain_text(referee_page.say("groupConfirmed"))

    submit_without_network(evening, tables)

    ns, ew = evening.side_phones(tables.tables[DISPUTED])
    ns_level, ew_level = club_evening.levels(1, DISPUTED)
    ns.submit(ns_level, ew_level)
    ew.submit(ew_level, ns_level)
    expect(ew.fate("disputed")).to_be_visible()
    expect(ns.fate("disputed")).to_be_visible()
    expect(referee.card(DISPUTED)).to_contain_text(referee_page.say("groupDisputed"))
    referee.adopt(DISPUTED, "northSouth", "reasonSwapped")
    for phone in (ns, ew):
        expect(phone.fate("ruled")).to_be_visible()

    console.go_to("menuScoring")
    console.type_slip(CORRECTED, *club_evening.levels(1, CORRECTED))
    expect(console.table_card(CORRECTED)).to_contain_text(console_page.say("groupRuled"))


def submit_without_network(evening: Evening, tables: Tables) -> None:
    """What is submitted without a network stays on the phone, and arrives once."""
    lost, other = evening.side_phones(tables.tables[OFFLINE])
    result = club_evening.levels(1, OFFLINE)
    lost.context.set_offline(True)
    lost.submit(*result)
    expect(lost.fate("saved")).to_contain_text(phone_page.say("outboxSaved"))
    expect(lost.sync).to_contain_text(phone_page.say("outboxOfflineWaiting", n=1))
    other.submit(*result)
    expect(other.fate("submitted")).to_be_visible()
    lost.context.set_offline(False)
    expect(lost.fate("confirmed")).to_be_visible()
    expect(lost.sync).to_contain_text(phone_page.say("outboxSynced"))
    sheet = evening.referee.open_table(OFFLINE)
    submitted = sheet.get_by_text(referee_page.say("didWord", side=referee_page.say("northSouth")))
    expect(submitted).to_have_count(1)
    evening.referee.page.keyboard.press("Escape")


def play_later_round(evening: Evening, number: int, tables: Tables) -> None:
    """Each table in the way its people can: two phones, one phone and the referee, or a slip of paper."""
    console, referee = evening.console, evening.referee
    expect(referee.page.get_by_text(referee_page.say("roundOf", round=number, rounds=4))).to_be_visible()
    console.go_to("menuScoring")
    for table, seats in tables.tables.items():
        result = club_evening.levels(number, table)
        phones = evening.side_phones(seats)
        for phone in phones:
            # Taking the phone out of the pocket.
            phone.page.reload()
            expect(phone.table_number).to_have_text(str(table))
            phone.submit(*result)
            expect(phone.fate("submitted").or_(phone.fate("confirmed"))).to_be_visible()
        if len(phones) == 1:
            side = "northSouth" if seats[0].number in evening.phones else "eastWest"
            expect(referee.card(table)).to_contain_text(referee_page.say("groupOneSided"))
            referee.adopt(table, side, None)
        elif not phones and table % 2:
            referee.rule(table, *result)
        elif not phones:
            console.type_slip(table, *result)
    for table in tables.tables:
        done = console_page.say("groupRuled"), console_page.say("groupConfirmed")
        expect(console.table_card(table)).to_contain_text(re.compile("|".join(done)))


def compare_everything(evening: Evening, ranking: Callable[[Path], Any], directory: Path) -> None:
    """Workbook, pages and phones show what anybody computes from the exported document."""
    console = evening.console
    console.compare()
    workbook = console.download("downloadStandings", directory)
    document = console.download("downloadJson", directory)
    event = json.loads(document.read_bytes())
    assert [len(one["tables"]) for one in event["rounds"]] == [4] * club_evening.ROUNDS
    assert [len(one["byes"]) for one in event["rounds"]] == [1] * club_evening.ROUNDS
    corrected = next(table for table in event["rounds"][0]["tables"] if table["table"] == CORRECTED)
    assert (corrected["ns_level"], corrected["ew_level"]) == ("10", "A")

    computed = ranking(document)["rows"]
    names = {entry["no"]: entry["name"] for entry in event["entries"]}
    assert len(computed) == len(club_evening.TEAMS)
    assert list(rows_of(workbook, event)) == [
        (row["rank"], row["tied"], row["entry"], names[row["entry"]], exact(row["values"])) for row in computed
    ]

    assert console.standings() == [(row["rank"], row["entry"], list(row["values"].values())) for row in computed]
    ranks = [(row["rank"], names[row["entry"]]) for row in computed]
    assert evening.screen.standings() == ranks
    phone = next(iter(evening.phones.values()))
    phone.page.reload()
    assert phone.standings() == ranks


def exact(values: dict[str, str | None]) -> dict[str, Fraction | None]:
    """The computed values as numbers."""
    return {code: None if text is None else Fraction(text) for code, text in values.items()}


def rows_of(workbook: Path, event: Any) -> Iterator[tuple[int, bool, int, str, dict[str, Fraction | None]]]:
    """Rank, tied, number, name and all values of every row of the exported workbook."""
    sheet = load_workbook(workbook)["排名"]
    lines = list(sheet.iter_rows(values_only=True))
    heading = next(index for index, line in enumerate(lines) if "名次" in line)
    columns = {str(name): index for index, name in enumerate(lines[heading])}
    criteria = {code: columns[CRITERIA[code].chinese] for code in event["event"]["criteria"]}
    for line in lines[heading + 1 :]:
        values = {code: number(line[column]) for code, column in criteria.items()}
        yield line[columns["名次"]], bool(line[columns["并列"]]), line[columns["编号"]], line[columns["队伍"]], values


def number(cell: Any) -> Fraction | None:
    """A cell's number; workbooks keep the nearest binary fraction."""
    return None if cell is None else Fraction(cell).limit_denominator(10_000)
