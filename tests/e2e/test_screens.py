"""The projection: winners step by step, one clock for all, freezing, brackets, pictures; large enough to read."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from infra.launcher.paths import ROOT
from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, words_too_small
from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages.control import PHONE_CONSOLE, Control
from tests.e2e.pages.screen import PROJECTOR, Screen
from tests.e2e.staged import Staged

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
say = words_of("screen", "matches", "shared")
of_counted = words_of("counted")
public = words_of("home", "matches", "shared")
PRIZES = [{"name": "冠军", "count": 1}, {"name": "优胜奖", "count": 2}]


def played(organizer: Organizer, rounds: int = 1, **settings: Any) -> None:
    """An event of four pairs with so many rounds played and settled; the lower table number wins higher."""
    organizer.create(pairs(4), rounds=3, prizes=PRIZES, **settings)
    for _ in range(rounds):
        for table in organizer.play_round()["tables"]:
            organizer.rule(table["table"], "A+", str(2 + table["table"]))
        organizer.settle()


def projection(organizer: Organizer, open_page: OpenPage, **options: Any) -> Screen:
    """A projection that knows nothing but its link."""
    page = open_page(**{**PROJECTOR, **options})
    page.goto(organizer.link("display"))
    return Screen(page)


def test_winners_are_revealed_from_a_phone_last_place_first(organizer: Organizer, open_page: OpenPage) -> None:
    played(organizer)
    expect_ranked(organizer, 4)
    winners = [one for prize in organizer.get(organizer.path("/winners"))["prizes"] for one in prize["winners"]]
    names = [" / ".join(winner["entry"]["players"]) for winner in winners]
    organizer.page.set_viewport_size(PHONE_CONSOLE["viewport"])
    control = Control(organizer.page, organizer.event_id)
    control.open()
    control.show("viewWinners")
    screen = projection(organizer, open_page)
    expect(screen.page.get_by_text(say("winnersSoon"))).to_be_visible()
    for step, name in enumerate(reversed(names), start=1):
        told = screen.page.request.get(f"/api/events/{organizer.event_id}/winners/revealed").json()
        hidden = set(names[: len(names) - step + 1])
        assert not any(name in json.dumps(told, ensure_ascii=False) for name in hidden)
        control.reveal(step, len(names))
        expect(screen.page.locator(".award .name")).to_have_text(name)
    control.press("winnersAll")
    for name in names:
        expect(screen.page.get_by_role("cell", name=name, exact=True)).to_be_visible()
    # Nothing moves on by itself, and a step back hides the last one again.
    control.press("winnersAll")
    control.press("winnersBack")
    expect(screen.page.locator(".award .name")).to_have_text(names[1])


def test_a_key_reveals_only_where_an_organizer_is_signed_in(organizer: Organizer, open_page: OpenPage) -> None:
    played(organizer)
    expect_ranked(organizer, 4)
    organizer.show("winners")
    stranger = projection(organizer, open_page)
    expect(stranger.page.get_by_text(say("winnersSoon"))).to_be_visible()
    stranger.page.keyboard.press("ArrowRight")
    expect(stranger.page.get_by_text(say("keyRefused"))).to_be_visible()
    own = organizer.page.context.new_page()
    own.set_viewport_size(PROJECTOR["viewport"])
    own.goto(f"/s/{organizer.event_id}")
    expect(own.get_by_text(say("winnersSoon"))).to_be_visible()
    own.keyboard.press("ArrowRight")
    expect(own.locator(".award .name")).to_be_visible()
    expect(stranger.page.locator(".award .name")).to_be_visible()
    own.keyboard.press("ArrowLeft")
    expect(own.get_by_text(say("winnersSoon"))).to_be_visible()


def test_every_screen_shows_the_same_second_whatever_its_own_clock_says(
    organizer: Organizer, open_page: OpenPage
) -> None:
    organizer.create(pairs(2))
    organizer.play_round()
    screens = []
    for minutes in (-7, 0, 7):
        page = open_page(**PROJECTOR)
        if minutes:
            page.clock.install(time=dt.datetime.now(dt.UTC) + dt.timedelta(minutes=minutes))
        page.goto(f"/s/{organizer.event_id}")
        expect(page.get_by_role("timer")).to_contain_text(re.compile(r"(49|50):\d\d"))
        screens.append(page)
    # One is read before and after the others, so that what they show must lie between (a second for each reading).
    first, *others = screens
    before = seconds_shown(first)
    shown = [seconds_shown(page) for page in others]
    after = seconds_shown(first)
    assert all(after - 1 <= seconds <= before + 1 for seconds in shown), (before, shown, after)
    command(organizer, "extend", minutes=5)
    for page in screens:
        expect(page.get_by_role("timer")).to_contain_text(re.compile(r"5[45]:\d\d"))
    command(organizer, "pause")
    for page in screens:
        expect(page.get_by_text(say("roundPaused", round=1))).to_be_visible()
    assert len({seconds_shown(page) for page in screens}) == 1


def test_frozen_standings_stay_on_the_screen_and_say_so(organizer: Organizer, open_page: OpenPage) -> None:
    played(organizer)
    expect_ranked(organizer, 4)
    page = organizer.page
    console = words_of("console-standings", "console", "shared")
    page.goto(f"/c/{organizer.event_id}/standings")
    freeze = page.get_by_role("region", name=console("freeze"))
    freeze.get_by_role("combobox").select_option("2")
    freeze.get_by_role("button", name=console("freezeApply")).click()
    expect(freeze).to_contain_text(console("freezeFrom", round=2, last=1))
    organizer.show("standings")
    screen = projection(organizer, open_page)
    expect(screen.page.get_by_text(say("standingsFrozen"))).to_be_visible()
    before = screen.standings()
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], "3", "A+")
    organizer.settle()
    # The organizers see the second round, the hall does not.
    expect(page.get_by_text(re.compile(r"截至第 2 轮，共 3 轮 · 版本"))).to_be_visible()
    expect(screen.page.get_by_text(of_counted("countedAll", round=1))).to_be_visible()
    assert screen.standings() == before


def test_a_bracket_is_the_same_tree_in_console_hall_and_event_page(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.create(pairs(5), rounds=3, knockout=True)
    first = organizer.play_round()
    for table in first["tables"]:
        organizer.rule(table["table"], "A+", "9")
    organizer.settle()
    organizer.publish(organizer.draw())
    tree = organizer.get(organizer.path("/bracket"))
    matches = [len([one for one in part["tables"] if not one["third_place"]]) for part in tree["rounds"]]
    organizer.show("bracket")
    screen = projection(organizer, open_page).page
    guest = open_page(viewport={"width": 390, "height": 844})
    guest.goto(f"/v/{organizer.event_id}")
    organizer.page.goto(f"/c/{organizer.event_id}/bracket")
    for page in (organizer.page, screen, guest):
        rounds = page.locator(".bracket .round")
        expect(rounds).to_have_count(len(matches))
        for place, count in enumerate(matches):
            expect(rounds.nth(place).get_by_role("listitem")).to_have_count(count)
        expect(rounds.first).to_contain_text(say("bracketBye"))
        expect(rounds.last).to_contain_text(say("bracketOpen"))
        expect(rounds.first.locator(".won")).to_have_count(len(first["tables"]))


def test_a_calendar_names_every_meeting_of_a_league(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.event_id = organizer.post("/events", {"name": "周末联赛", "kind": "league"})["event_id"]
    for pair in pairs(4):
        players = [{"name": who, "phone": phone} for who, phone in zip(pair.players, pair.phones, strict=True)]
        organizer.post(organizer.path("/entries"), {"name": pair.name, "club": "", "players": players})
    organizer.play_round()
    organizer.page.goto(f"/c/{organizer.event_id}/rounds")
    organizer.page.get_by_role("link", name=say("calendarTitle")).click()
    guest = open_page(viewport={"width": 320, "height": 568})
    guest.goto(f"/v/{organizer.event_id}")
    for page in (organizer.page, guest):
        days = page.locator(".day")
        expect(days).to_have_count(5)
        expect(page.locator(".meeting")).to_have_count(10)
        expect(days.first).to_contain_text(public("dayDrawn"))
        expect(days.last).to_contain_text(public("dayPlanned"))
    assert guest.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_charts_are_drawn_with_their_numbers_behind(organizer: Organizer, open_page: OpenPage) -> None:
    played(organizer, rounds=2)
    expect_ranked(organizer, 4)
    wait_for(organizer, lambda: pulse_of(organizer)["charts"] is not None)
    organizer.show("chart")
    screen = projection(organizer, open_page).page
    expect(screen.get_by_text(say("chartRanks"))).to_be_visible()
    expect(screen.locator("svg.ranks .line")).to_have_count(4)
    assert words_too_small(screen) == []
    known = organizer.page.context.storage_state()
    page = open_page(bypass_csp=True, storage_state=known, viewport={"width": 390, "height": 844})
    for address in (f"/c/{organizer.event_id}/charts", f"/v/{organizer.event_id}"):
        page.goto(address)
        chart = page.get_by_role("figure", name=re.compile(say("chartRanks")))
        expect(chart.locator("svg .line")).to_have_count(4)
        chart.get_by_text(say("chartAsTable")).click()
        expect(chart.get_by_role("row")).to_have_count(5)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert axe_faults(page) == []


def test_axe_finds_nothing_serious_in_brackets(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.create(pairs(5), rounds=3, knockout=True, third_place_match=True)
    organizer.play_round()
    known = organizer.page.context.storage_state()
    page = open_page(bypass_csp=True, storage_state=known, viewport={"width": 390, "height": 844})
    for address in (f"/c/{organizer.event_id}/bracket", f"/v/{organizer.event_id}"):
        page.goto(address)
        expect(page.locator(".bracket")).to_be_visible()
        assert axe_faults(page) == []


def test_a_picture_goes_from_the_console_to_the_hall(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.create(pairs(2))
    control = Control(organizer.page, organizer.event_id)
    control.open()
    organizer.page.get_by_role("button", name="图片", exact=True).click()
    picture = next((ROOT / "docs" / "images").glob("*.png"))
    organizer.page.locator("input[type=file]").set_input_files(picture)
    screen = projection(organizer, open_page)
    shown = screen.page.get_by_role("img", name=say("pictureAlt"))
    expect(shown).to_be_visible()
    assert shown.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0


@pytest.mark.parametrize(
    "view", ["clock", "pairings", "names", "standings", "rules", "qr", "chart", "winners", "blank"]
)
@pytest.mark.parametrize("locale", ["zh-CN", "en-GB"])
def test_words_in_the_hall_are_large_and_hold_no_phone(
    staged: Staged, open_page: OpenPage, view: str, locale: str
) -> None:
    staged.organizing.show(view)
    page = open_page(**PROJECTOR, locale=locale)
    page.goto(f"/s/{staged.event_id}")
    expect(page.locator("main")).to_be_visible()
    page.wait_for_timeout(1500)
    assert words_too_small(page) == []
    assert not re.search(r"1\d{10}", page.locator("body").inner_text())


def expect_ranked(organizer: Organizer, entries: int) -> None:
    """Wait until the standings hold everybody."""
    wait_for(organizer, lambda: len(organizer.get(organizer.path("/standings"))["rows"]) == entries)


def wait_for(organizer: Organizer, there: Callable[[], bool]) -> None:
    """Ask again until it is there."""
    for _ in range(120):
        if there():
            return
        organizer.page.wait_for_timeout(250)
    raise AssertionError("it never came")


def pulse_of(organizer: Organizer) -> Any:
    """The event's pulse, as everybody reads it."""
    return organizer.page.request.get(f"/pub/{organizer.event_id}/pulse.json").json()


def command(organizer: Organizer, action: str, minutes: int = 0) -> None:
    """A command to the round's clock."""
    event = organizer.get(organizer.path())
    body = {"action": action, "version": event["clock"]["version"], "minutes": minutes}
    organizer.post(organizer.path(f"/rounds/{event['last_round']}/clock"), body)


def seconds_shown(page: Page) -> int:
    """What the clock of a page shows."""
    digits = re.search(r"(\d+):(\d\d)", page.get_by_role("timer").inner_text())
    assert digits is not None
    return 60 * int(digits[1]) + int(digits[2])
