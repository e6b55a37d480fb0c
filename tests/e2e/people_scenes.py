"""The pages of an event before its first round: registration, the public pages, desk, settings, account, platform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.scenes import DESKTOP, PHONE_390
from tests.e2e.staged_people import DIGITS, NAME, People

Say = Callable[..., str]
Show = Callable[[Page, People, Say], None]

CONSOLE = (
    "console", "console-entries", "console-settings", "console-options", "console-account", "console-boards",
    "console-desk", "console-privacy", "console-display", "shared",
)  # fmt: skip
REGISTER = ("register", "shared")
HOME = ("home", "shared")

FILE = (
    "队伍名称,选手1姓名,选手1手机号,选手2姓名,选手2手机号,团体\n"
    "灯塔,选手401,13800136401,选手402,13800136402,北山\n"
    "礁石,选手403,1.38E+10,选手404,13800136402,\n"
    ",选手405,1380013,,13800136406,北山\n"
)
"""A roster with a good row and two bad ones."""


@dataclass(frozen=True)
class Scene:
    """One page in one state. `who`: `organizer`, `registrants`, or "" for somebody unknown."""

    name: str
    catalogues: tuple[str, ...]
    who: str
    show: Show
    phone_first: bool = False
    always: bool = True
    """Looked at in every run, not only with `--full`."""

    @property
    def sizes(self) -> tuple[dict[str, Any], ...]:
        """What it is looked at in."""
        return (PHONE_390,) if self.phone_first else (PHONE_390, DESKTOP)

    def options(self, people: People) -> dict[str, Any]:
        """Options of a context in which this person is known."""
        return {"storage_state": getattr(people, self.who)} if self.who else {}

    def open(self, page: Page, people: People, language: str) -> None:
        """Show the scene and wait until it stands."""
        self.show(page, people, words_of(*self.catalogues, language=language))
        # Whatever is still to come is announced by grey bars.
        expect(page.locator(".skeleton")).to_have_count(0)


def _console(path: str, waits_for: str, event: str = "taking") -> Show:
    def show(page: Page, people: People, say: Say) -> None:
        page.goto(f"/c/{getattr(people, event)}/{path}")
        expect(page.get_by_role("heading", level=1, name=say(waits_for))).to_be_visible()

    return show


def _settings(group: str, waits_for: str) -> Show:
    def show(page: Page, people: People, say: Say) -> None:
        _console(f"settings/{group}", "menuSettings")(page, people, say)
        expect(page.get_by_text(say(waits_for), exact=True).first).to_be_visible()

    return show


def _unsaved(page: Page, people: People, say: Say) -> None:
    _settings("checkin", "setPhoneOnly")(page, people, say)
    page.locator(".setting").filter(has=page.get_by_text(say("setAnyTime"), exact=True)).locator(".el-switch").click()
    expect(page.get_by_role("region", name=say("unsaved"))).to_be_visible()


def _delete(page: Page, people: People, say: Say) -> None:
    _settings("basics", "setRounds")(page, people, say)
    page.get_by_role("button", name=say("deleteEvent"), exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _top(path: str, waits_for: str) -> Show:
    def show(page: Page, people: People, say: Say) -> None:
        page.goto(f"/c/{path}")
        expect(page.get_by_role("heading", level=1, name=say(waits_for))).to_be_visible()

    return show


def _platform(page: Page, people: People, say: Say) -> None:
    _top("platform", "platform")(page, people, say)
    page.get_by_label(say("phone")).fill("13800137801")
    page.get_by_role("button", name=say("findAccount")).click()
    expect(page.get_by_label(say("ownLevel"))).to_be_visible()


def _import_faults(page: Page, people: People, say: Say) -> None:
    _console("entries/import", "importRoster")(page, people, say)
    file: FilePayload = {"name": "名单.csv", "mimeType": "text/csv", "buffer": FILE.encode("utf-8-sig")}
    page.get_by_label(say("chooseFile")).set_input_files(file)
    expect(page.get_by_text(say("fixFirst"))).to_be_visible()


def _entry(page: Page, people: People, say: Say) -> None:
    _console("entries", "menuEntries")(page, people, say)
    page.get_by_role("row").nth(1).get_by_role("button", name=say("edit")).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _unlocked(page: Page, people: People, say: Say) -> None:
    _console("entries", "menuEntries", "sealed")(page, people, say)
    page.get_by_label(say("digits")).fill(DIGITS)
    page.get_by_role("button", name=say("unlockNames")).click()
    expect(page.get_by_text("选手301").first).to_be_visible()


def _hands(page: Page, people: People, say: Say) -> None:
    _console("boards", "menuBoards", "duplicate")(page, people, say)
    page.get_by_role("row").nth(1).get_by_role("button").first.click()
    expect(page.get_by_text(say("handsText"))).to_be_visible()


def _desk(page: Page, people: People, say: Say) -> None:
    page.goto(people.desk)
    expect(page.get_by_role("button", name=say("checkOutAct")).first).to_be_visible()


def _register(page: Page, people: People, say: Say) -> None:
    page.goto(f"/e/{people.taking}")
    expect(page.get_by_role("heading", name=say("formTitle"))).to_be_visible()


def _register_faults(page: Page, people: People, say: Say) -> None:
    _register(page, people, say)
    page.get_by_label(say("you"), exact=True).fill("选手501")
    page.get_by_role("button", name=say("submitWaiting")).click()
    expect(page.get_by_text(say("phoneMissing")).first).to_be_visible()


def _own(page: Page, people: People, say: Say) -> None:
    page.goto(f"/e/{people.taking}")
    expect(page.get_by_role("button", name=say("copyInvitation")).first).to_be_visible()


def _own_change(page: Page, people: People, say: Say) -> None:
    _own(page, people, say)
    page.get_by_role("button", name=say("edit")).first.click()
    expect(page.get_by_role("heading", name=say("editTitle"))).to_be_visible()


def _withdraw(page: Page, people: People, say: Say) -> None:
    _own(page, people, say)
    page.get_by_role("button", name=say("withdraw")).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def _invitation(page: Page, people: People, say: Say) -> None:
    page.goto(people.invitation)
    expect(page.get_by_role("button", name=say("join"))).to_be_visible()


def _home(page: Page, people: People, say: Say) -> None:
    page.goto("/")
    page.get_by_role("button", name=say("listUpcoming")).or_(page.get_by_role("tab", name=say("listUpcoming"))).click()
    expect(page.get_by_role("link", name=NAME).first).to_be_visible()


def _event(page: Page, people: People, say: Say) -> None:
    page.goto(f"/v/{people.taking}")
    expect(page.get_by_role("link", name=say("registerGo"))).to_be_visible()
    expect(page.get_by_text("级差按二十六分制")).to_be_visible()


def _find(page: Page, people: People, say: Say) -> None:
    page.goto(f"/p/{people.taking}")
    page.get_by_label(say("findNameOrPhone")).fill("选手107")
    page.get_by_role("button", name=say("findGo"), exact=True).click()
    expect(page.get_by_role("button", name=say("thisIsMe"))).to_be_visible()


PLAY = ("play-find", "play", "shared")
SCENES = [
    Scene("home", HOME, "", _home),
    Scene("event", HOME, "", _event, phone_first=True),
    Scene("register", REGISTER, "", _register, phone_first=True, always=False),
    Scene("register-faults", REGISTER, "", _register_faults, phone_first=True),
    Scene("register-own", REGISTER, "registrants", _own, phone_first=True),
    Scene("register-change", REGISTER, "registrants", _own_change, phone_first=True, always=False),
    Scene("register-withdraw", REGISTER, "registrants", _withdraw, phone_first=True, always=False),
    Scene("register-partner", REGISTER, "", _invitation, phone_first=True),
    Scene("find", PLAY, "", _find, phone_first=True, always=False),
    Scene("desk", CONSOLE, "", _desk),
    Scene("account", CONSOLE, "organizer", _top("account", "myAccount")),
    Scene("platform", CONSOLE, "organizer", _platform),
    Scene("entries", CONSOLE, "organizer", _console("entries", "menuEntries")),
    Scene("entry", CONSOLE, "organizer", _entry, always=False),
    Scene("entries-locked", CONSOLE, "organizer", _console("entries", "menuEntries", "sealed")),
    Scene("entries-unlocked", CONSOLE, "organizer", _unlocked, always=False),
    Scene("import", CONSOLE, "organizer", _console("entries/import", "importRoster"), always=False),
    Scene("import-faults", CONSOLE, "organizer", _import_faults),
    Scene("boards", CONSOLE, "organizer", _hands),
    Scene("links", CONSOLE, "organizer", _console("display", "menuDisplay"), always=False),
    Scene("settings-basics", CONSOLE, "organizer", _settings("basics", "setRounds")),
    Scene("settings-pairing", CONSOLE, "organizer", _settings("pairing", "setMethod"), always=False),
    Scene("settings-points", CONSOLE, "organizer", _settings("points", "setWin"), always=False),
    Scene("settings-checkin", CONSOLE, "organizer", _unsaved, always=False),
    Scene("settings-registration", CONSOLE, "organizer", _settings("registration", "setDeadline")),
    Scene("settings-fees", CONSOLE, "organizer", _settings("fees", "groupFees"), always=False),
    Scene("settings-about", CONSOLE, "organizer", _settings("about", "setName"), always=False),
    Scene("settings-prizes", CONSOLE, "organizer", _settings("prizes", "setClubRanking"), always=False),
    Scene("settings-advanced", CONSOLE, "organizer", _settings("advanced", "setDouble"), always=False),
    Scene("settings-delete", CONSOLE, "organizer", _delete, always=False),
]
