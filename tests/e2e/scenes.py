"""Every page in its main states, ready to be looked at: by a person, by axe, by a ruler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.staged import Staged

Say = Callable[..., str]
Show = Callable[[Page, Staged, Say], None]

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE_390 = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
PHONE_320 = {**PHONE_390, "viewport": {"width": 320, "height": 568}}
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}

_CONSOLE = (
    "console", "console-rounds", "console-scoring", "console-standings", "console-entries", "console-display",
    "console-settings", "console-files", "shared",
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """One page in one state. `who`: `organizer`, the state of a player's table, or "" for somebody unknown."""

    name: str
    catalogues: tuple[str, ...]
    sizes: tuple[dict[str, Any], ...]
    who: str
    show: Show

    def options(self, staged: Staged) -> dict[str, Any]:
        """Options of a context in which this person is known."""
        if not self.who:
            return {}
        return {"storage_state": staged.organizer if self.who == "organizer" else staged.players[self.who]}

    def open(self, page: Page, staged: Staged, language: str) -> None:
        """Show the scene and wait until it stands."""
        self.show(page, staged, words_of(*self.catalogues, language=language))


def _console(path: str, waits_for: str) -> Show:
    def show(page: Page, staged: Staged, say: Say) -> None:
        page.goto(f"/c/{staged.event_id}/{path}")
        expect(page.get_by_role("heading", level=1, name=say(waits_for))).to_be_visible()
        # Whatever is still to come is announced by grey bars.
        expect(page.locator(".skeleton")).to_have_count(0)

    return show


def _sign_in(page: Page, staged: Staged, say: Say) -> None:
    page.goto("/c/sign-in")
    expect(page.get_by_label(say("phone"))).to_be_visible()


def _my_events(page: Page, staged: Staged, say: Say) -> None:
    page.goto("/c/")
    expect(page.get_by_role("heading", name=say("myEvents"))).to_be_visible()
    expect(page.get_by_role("link", name=say("cloneEvent"))).to_be_visible()


def _new_event(page: Page, staged: Staged, say: Say) -> None:
    page.goto("/c/new")
    expect(page.get_by_label(say("eventName"))).to_be_visible()


def _console_table(page: Page, staged: Staged, say: Say) -> None:
    _console("scoring", "menuScoring")(page, staged, say)
    page.get_by_test_id("table-2").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _console_team(page: Page, staged: Staged, say: Say) -> None:
    page.goto(f"/c/{staged.event_id}/standings/1")
    expect(page.get_by_role("table", name=say("everyRound"))).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)


def _phone(fate: str) -> Show:
    def show(page: Page, staged: Staged, say: Say) -> None:
        page.goto(staged.links["play"])
        if fate:
            expect(page.get_by_test_id(f"fate-{fate}")).to_be_visible()
        else:
            expect(page.get_by_role("radiogroup").first).to_be_visible()

    return show


def _phone_find(page: Page, staged: Staged, say: Say) -> None:
    page.goto(staged.links["play"])
    page.get_by_label(say("findNameOrPhone")).fill(staged.candidate)
    page.get_by_role("button", name=say("findGo"), exact=True).click()
    expect(page.get_by_role("button", name=say("thisIsMe"))).to_be_visible()


def _phone_confirm(page: Page, staged: Staged, say: Say) -> None:
    _phone("")(page, staged, say)
    for group in page.get_by_role("radiogroup").all():
        group.get_by_role("radio").nth(8).click()
    page.get_by_role("button", name=say("submit"), exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _phone_bye(page: Page, staged: Staged, say: Say) -> None:
    page.goto(staged.links["play"])
    expect(page.get_by_role("heading", name=say("byeRound", round=2))).to_be_visible()


def _phone_tab(key: str, waits_for: str) -> Show:
    def show(page: Page, staged: Staged, say: Say) -> None:
        page.goto(staged.links["play"])
        page.get_by_role("navigation", name=say("tabs")).get_by_role("button", name=say(key)).click()
        expect(page.get_by_role("heading", name=say(waits_for))).to_be_visible()
        expect(page.get_by_role("listitem").first).to_be_visible()

    return show


def _referee(page: Page, staged: Staged, say: Say) -> None:
    page.goto(staged.links["referee"])
    expect(page.get_by_test_id("table-5")).to_be_visible()


def _referee_table(page: Page, staged: Staged, say: Say) -> None:
    _referee(page, staged, say)
    page.get_by_test_id("table-2").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=say("byHand"), exact=True).click()
    expect(sheet.get_by_role("radiogroup").first).to_be_visible()


def _referee_penalties(page: Page, staged: Staged, say: Say) -> None:
    _referee(page, staged, say)
    page.get_by_role("navigation", name=say("views")).get_by_role("button", name=say("penalties")).click()
    expect(page.get_by_text(say("noPenalties"))).to_be_visible()


def _console_penalties(page: Page, staged: Staged, say: Say) -> None:
    page.goto(f"/c/{staged.event_id}/scoring?view=penalties")
    expect(page.get_by_text(say("noPenalties"))).to_be_visible()
    page.get_by_role("button", name=say("penaltyNew"), exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _screen(view: str) -> Show:
    def show(page: Page, staged: Staged, say: Say) -> None:
        staged.organizing.show(view)
        # Winners are shown by the link only, all else to everybody.
        page.goto(staged.links["display"] if view == "winners" else f"/s/{staged.event_id}")
        waits_for = {
            "clock": page.get_by_role("heading", name=say("roundRunning", round=2)),
            "pairings": page.get_by_role("columnheader", name=say("northSouth")),
            "names": page.get_by_role("columnheader", name=say("seat")),
            "standings": page.get_by_role("columnheader", name=say("rank")),
            "winners": page.get_by_text(say("winnersSoon")),
            "rules": page.get_by_text(say("rulesTitle")),
            "qr": page.get_by_role("img", name=say("qrAlt")),
        }
        expect(waits_for[view]).to_be_visible()

    return show


CONSOLE_SIZES = (DESKTOP, PHONE_390)
PHONE_SIZES = (PHONE_320, PHONE_390)

SCENES = [
    Scene("console-sign-in", _CONSOLE, CONSOLE_SIZES, "", _sign_in),
    Scene("console-events", _CONSOLE, CONSOLE_SIZES, "organizer", _my_events),
    Scene("console-new-event", _CONSOLE, CONSOLE_SIZES, "organizer", _new_event),
    Scene("console-overview", _CONSOLE, CONSOLE_SIZES, "organizer", _console("overview", "menuOverview")),
    Scene("console-entries", _CONSOLE, CONSOLE_SIZES, "organizer", _console("entries", "menuEntries")),
    Scene("console-import", _CONSOLE, CONSOLE_SIZES, "organizer", _console("entries/import", "importRoster")),
    Scene("console-rounds", _CONSOLE, CONSOLE_SIZES, "organizer", _console("rounds", "menuRounds")),
    Scene("console-scoring", _CONSOLE, CONSOLE_SIZES, "organizer", _console("scoring", "menuScoring")),
    Scene("console-table", _CONSOLE, CONSOLE_SIZES, "organizer", _console_table),
    Scene("console-penalties", ("officials", *_CONSOLE), CONSOLE_SIZES, "organizer", _console_penalties),
    Scene("console-standings", _CONSOLE, CONSOLE_SIZES, "organizer", _console("standings", "menuStandings")),
    Scene("console-team", _CONSOLE, CONSOLE_SIZES, "organizer", _console_team),
    Scene("console-winners", _CONSOLE, CONSOLE_SIZES, "organizer", _console("winners", "winnersPage")),
    Scene("console-files", _CONSOLE, CONSOLE_SIZES, "organizer", _console("files", "menuFiles")),
    Scene("console-slips", _CONSOLE, CONSOLE_SIZES, "organizer", _console("print/slips", "printSlips")),
    Scene("console-display", _CONSOLE, CONSOLE_SIZES, "organizer", _console("display", "menuDisplay")),
    Scene("console-settings", _CONSOLE, CONSOLE_SIZES, "organizer", _console("settings", "menuSettings")),
    Scene("phone-find", ("play-find", "play", "shared"), PHONE_SIZES, "", _phone_find),
    Scene("phone-table", ("play-table", "play", "shared"), PHONE_SIZES, "open", _phone("")),
    Scene("phone-confirm", ("play-table", "play", "shared"), PHONE_SIZES, "open", _phone_confirm),
    Scene("phone-submitted", ("play-table", "play", "shared"), PHONE_SIZES, "submitted", _phone("submitted")),
    Scene("phone-disputed", ("play-table", "play", "shared"), PHONE_SIZES, "disputed", _phone("disputed")),
    Scene("phone-confirmed", ("play-table", "play", "shared"), PHONE_SIZES, "confirmed", _phone("confirmed")),
    Scene("phone-ruled", ("play-table", "play", "shared"), PHONE_SIZES, "ruled", _phone("ruled")),
    Scene("phone-bye", ("play-table", "play", "shared"), PHONE_SIZES, "bye", _phone_bye),
    Scene(
        "phone-standings", ("play-standings", "play", "shared"), PHONE_SIZES, "submitted",
        _phone_tab("tabStandings", "standingsTitle"),
    ),
    Scene("phone-mine", ("play-mine", "play", "shared"), PHONE_SIZES, "submitted", _phone_tab("tabMine", "myRounds")),
    Scene("referee-hall", ("ref", "officials", "shared"), (PHONE_320, PHONE_390, DESKTOP), "", _referee),
    Scene("referee-table", ("ref", "officials", "shared"), (PHONE_390, DESKTOP), "", _referee_table),
    Scene("referee-penalties", ("ref", "officials", "shared"), (PHONE_320, DESKTOP), "", _referee_penalties),
    *(
        Scene(f"screen-{view}", ("screen", "shared"), (PROJECTOR,), "", _screen(view))
        for view in ("clock", "pairings", "names", "standings", "winners", "rules", "qr")
    ),
]  # fmt: skip
