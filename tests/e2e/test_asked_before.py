"""What the console asks before it does it, and finds among many: boards once rounds are out, events to be linked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.organizing import Organizer, pairs

pytestmark = pytest.mark.browser

say = words_of("console-boards", "console-desk", "console-options", "console-settings", "console", "shared")
MANY = 34
"""More than are shown at a time."""


def settings_of(organizer: Organizer) -> dict[str, object]:
    found: dict[str, object] = organizer.get(organizer.path())["settings"]
    return found


def in_play(organizer: Organizer) -> None:
    """An event of duplicate boards whose first round is out."""
    organizer.event_id = organizer.post("/events", {"name": "复式移位赛", "kind": "swiss_deviation"})["event_id"]
    event = organizer.get(organizer.path())
    wanted = {**event["settings"], "preset_seed": "20261130", "rounds": 3}
    organizer.put(organizer.path("/settings"), {"version": event["version"], "settings": wanted})
    for pair in pairs(4):
        players = [{"name": name, "phone": ""} for name in pair.players]
        organizer.post(organizer.path("/entries"), {"name": "", "club": "", "players": players})
    organizer.publish(organizer.draw())


def confirm(page: Page) -> None:
    """Type the round and save."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(say("rulesChangeTitle"))
    save = dialog.get_by_role("button", name=say("save"), exact=True)
    expect(save).to_be_disabled()
    dialog.get_by_role("textbox").fill(say("round", round=1))
    save.click()


def test_new_levels_of_boards_are_asked_about_once_a_round_is_out(organizer: Organizer) -> None:
    in_play(organizer)
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/boards")
    again = page.get_by_role("button", name=say("generateAgain"))
    again.click()
    page.get_by_role("dialog").get_by_role("button", name=say("cancel"), exact=True).click()
    expect(page.get_by_text(say("seedIs", seed="20261130"))).to_be_visible()
    assert settings_of(organizer)["preset_seed"] == "20261130"
    again.click()
    confirm(page)
    expect(page.get_by_text(say("saved"), exact=True)).to_be_visible()
    assert settings_of(organizer)["preset_seed"] != "20261130"


def test_another_scale_is_asked_about_once_a_round_is_out(organizer: Organizer) -> None:
    in_play(organizer)
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/boards")
    scale = page.get_by_label(say("setScale"))
    scale.select_option("5")
    # Until it is saved the list says what holds.
    expect(scale).to_have_value("6")
    confirm(page)
    expect(scale).to_have_value("5")
    assert settings_of(organizer)["duplicate_scale"] == 5


def test_an_event_is_found_among_many_and_linked(organizer: Organizer) -> None:
    for number in range(MANY):
        organizer.post("/events", {"name": f"周赛第{number:02d}场", "kind": "pairs", "test": True})
    organizer.create(pairs(2), name="总决赛")
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/settings/advanced")
    card = page.get_by_role("region", name=say("linkedTitle"))
    expect(card.get_by_role("checkbox")).to_have_count(30)
    card.get_by_role("button", name=say("linkedMore", n=MANY - 30)).click()
    expect(card.get_by_role("checkbox")).to_have_count(MANY)
    search = card.get_by_label(say("linkedSearch"))
    search.fill("第03场")
    expect(card.get_by_role("checkbox")).to_have_count(1)
    card.get_by_role("checkbox", name="周赛第03场").check()
    search.fill("没有这场")
    expect(card.get_by_text(say("nothingFound"))).to_be_visible()
    card.get_by_role("button", name=say("linkedSave"), exact=True).click()
    expect(page.get_by_text(say("linkedSaved", n=1))).to_be_visible()
    linked = organizer.get(organizer.path("/linked-events"))["events"]
    assert [event["name"] for event in linked] == ["周赛第03场"]
    # Linked ones stand first, however far back they are.
    page.reload()
    expect(card.get_by_role("checkbox").first).to_be_checked()
