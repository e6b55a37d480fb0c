"""Every route with every role: what the permission table says, what a second table written by hand says, what happens.

The table below is written from the product's description, not from the code: a slip in either shows here.
"""

from __future__ import annotations

import pytest

from chalicelib.services import accounts
from chalicelib.services.permissions import ACTIONS, Role, allowed
from tests.api.routes import BODIES, all_routes, concrete
from tests.support.client import Browser
from tests.support.people import Hall, open_hall, sign_in
from tests.support.world import TestWorld

EVERYBODY = "anyone account platform owner administrator referee desk display player"
SIGNED_IN = "account platform owner administrator"
ORGANIZERS = "owner administrator"
OFFICIALS = "owner administrator referee"
HALL = "owner administrator referee desk"
SCREENS = "owner administrator referee desk display"

MAY: dict[str, str] = {
    "send_code": EVERYBODY,
    "sign_in": EVERYBODY,
    "read_session": SIGNED_IN,
    "sign_out": SIGNED_IN,
    "list_sessions": SIGNED_IN,
    "revoke_session": SIGNED_IN,
    "change_profile": SIGNED_IN,
    "sign_in_with_password": EVERYBODY,
    "change_password": SIGNED_IN,
    "read_wechat": EVERYBODY,
    "begin_wechat": EVERYBODY,
    "arrive_from_wechat": EVERYBODY,
    "bind_wechat": EVERYBODY,
    "unbind_wechat": SIGNED_IN,
    "read_follower": EVERYBODY,
    "find_account": "platform",
    "change_account": "platform",
    "list_ladders": EVERYBODY,
    "read_ladder": EVERYBODY,
    "read_ladder_person": EVERYBODY,
    "read_event_ladders": ORGANIZERS,
    "create_ladder": "platform",
    "change_ladder": "platform",
    "archive_ladder": "platform",
    "begin_season": "platform",
    "close_season": "platform",
    "list_ladder_members": "platform",
    "add_ladder_member": "platform",
    "remove_ladder_member": "platform",
    "restrict_ladder": "platform",
    "import_ladder_members": "platform",
    "list_vip_levels": EVERYBODY,
    "read_platform_audit": "platform",
    "list_entries": ORGANIZERS,
    "list_entry_names": HALL,
    "add_entry": ORGANIZERS,
    "change_entry": ORGANIZERS,
    "withdraw_entry": ORGANIZERS,
    "check_in_entry": "owner administrator desk",
    "import_roster": ORGANIZERS,
    "rejected": ORGANIZERS,
    "download": ORGANIZERS,
    "read_registration": EVERYBODY,
    "register": EVERYBODY,
    "change_registration": EVERYBODY,
    "withdraw_registration": EVERYBODY,
    "read_invitation": EVERYBODY,
    "join_partner": EVERYBODY,
    "open_order": EVERYBODY,
    "read_order": EVERYBODY,
    "read_order_qr": EVERYBODY,
    "list_orders": ORGANIZERS,
    "refund_order": "owner",
    "read_statement": ORGANIZERS,
    "take_notice": EVERYBODY,
    "read_cashier": EVERYBODY,
    "pay_at_cashier": EVERYBODY,
    "match_singles": ORGANIZERS,
    "move_up": ORGANIZERS,
    "begin_upload": ORGANIZERS,
    "seal_upload": ORGANIZERS,
    "start_import": ORGANIZERS,
    "read_import": ORGANIZERS,
    "cancel_import": ORGANIZERS,
    "start_export": ORGANIZERS,
    "read_export": ORGANIZERS,
    "cancel_export": ORGANIZERS,
    "read_export_piece": ORGANIZERS,
    "tick_fee": ORGANIZERS,
    "list_kinds": EVERYBODY,
    "list_clubs": ORGANIZERS,
    "import_clubs": ORGANIZERS,
    "read_event_vip": ORGANIZERS,
    "start_rehearsal": SIGNED_IN,
    "read_rehearsal": ORGANIZERS,
    "stop_rehearsal": ORGANIZERS,
    "return_call": OFFICIALS,
    "list_events": SIGNED_IN,
    "create_event": SIGNED_IN,
    "read_event": ORGANIZERS,
    "change_settings": ORGANIZERS,
    "end_event": ORGANIZERS,
    "read_boards": ORGANIZERS,
    "read_hands": ORGANIZERS,
    "record_hands": ORGANIZERS,
    "delete_event": "owner",
    "read_encryption": ORGANIZERS,
    "encrypt_event": "owner",
    "change_digits": "owner",
    "export_person": ORGANIZERS,
    "erase_person": ORGANIZERS,
    "list_public_events": EVERYBODY,
    "list_linked_events": ORGANIZERS,
    "link_events": ORGANIZERS,
    "read_series": ORGANIZERS,
    "read_public_series": EVERYBODY,
    "arrange_series": ORGANIZERS,
    "preview_stage": ORGANIZERS,
    "form_stage": ORGANIZERS,
    "undo_stage": ORGANIZERS,
    "read_series_job": ORGANIZERS,
    "read_my_qr": "player",
    "list_devices": ORGANIZERS,
    "revoke_device": ORGANIZERS,
    "read_public": EVERYBODY,
    "read_public_addends": EVERYBODY,
    "read_audit": ORGANIZERS,
    "begin_document": SIGNED_IN,
    "restore_document": SIGNED_IN,
    "read_document_job": SIGNED_IN,
    "download_audit": ORGANIZERS,
    "export_document": ORGANIZERS,
    "list_members": ORGANIZERS,
    "add_member": "owner",
    "remove_member": "owner",
    "read_time": EVERYBODY,
    "read_openapi": EVERYBODY,
    "exchange_link": EVERYBODY,
    "read_link_session": SCREENS,
    "list_links": ORGANIZERS,
    "renew_link": ORGANIZERS,
    "read_qr": EVERYBODY,
    "read_link_qr": ORGANIZERS,
    "read_grid": OFFICIALS,
    "read_current_grid": OFFICIALS,
    "read_changed_tables": OFFICIALS,
    "read_history": OFFICIALS,
    "rule_table": OFFICIALS,
    "lift_ruling": OFFICIALS,
    "postpone_table": OFFICIALS,
    "give_extra_time": OFFICIALS,
    "set_line_up": OFFICIALS,
    "list_substitutions": OFFICIALS,
    "substitute_player": OFFICIALS,
    "take_back_substitution": OFFICIALS,
    "give_line_up": "player",
    "read_bracket": ORGANIZERS,
    "read_calendar": ORGANIZERS,
    "call_referee": "player",
    "withdraw_call": "player",
    "forfeit_table": "player",
    "take_call": OFFICIALS,
    "close_call": OFFICIALS,
    "list_adjustments": OFFICIALS,
    "adjust_entry": OFFICIALS,
    "remove_adjustment": OFFICIALS,
    "find_players": EVERYBODY,
    "identify_device": EVERYBODY,
    "forget_device": "player",
    "read_my_rounds": "player",
    "read_me": "player",
    "check_myself_in": "player",
    "save_running": "player",
    "submit": "player",
    "draw_round": ORGANIZERS,
    "read_groups": ORGANIZERS,
    "assign_groups": ORGANIZERS,
    "start_drawing": ORGANIZERS,
    "read_drawing": ORGANIZERS,
    "cancel_drawing": ORGANIZERS,
    "start_publishing": ORGANIZERS,
    "start_settling": ORGANIZERS,
    "read_round_job": ORGANIZERS,
    "cancel_round_job": ORGANIZERS,
    "read_round": ORGANIZERS,
    "rearrange_draft": ORGANIZERS,
    "publish_round": ORGANIZERS,
    "delete_round": ORGANIZERS,
    "command_clock": OFFICIALS,
    "settle_round": ORGANIZERS,
    "reopen_round": ORGANIZERS,
    "read_standings": OFFICIALS,
    "read_addends": OFFICIALS,
    "compare_standings": OFFICIALS,
    "read_charts": OFFICIALS,
    "control_display": ORGANIZERS,
    "list_pictures": ORGANIZERS,
    "begin_picture": ORGANIZERS,
    "add_picture": ORGANIZERS,
    "remove_picture": ORGANIZERS,
    "freeze_standings": ORGANIZERS,
    "read_winners": OFFICIALS,
    "decide_winners": ORGANIZERS,
    "read_revealed": SCREENS,
}
"""Who may use a route, by its name."""

REFUSALS = ("sign_in_required", "forbidden", "csrf")
ROLES = EVERYBODY.split()
OUTSIDE_EVENTS = ("referee", "desk", "display", "player")
"""Roles that exist within an event only; elsewhere their holder is anybody."""


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(5)
    hall.start_round()
    return hall


def browser_of(role: str, hall: Hall) -> Browser:
    if role == "anyone":
        return Browser()
    if role == "account":
        return sign_in(hall.world, "13800130801")
    if role == "platform":
        accounts.make_administrator(hall.world, "13800130802")
        return sign_in(hall.world, "13800130802")
    if role == "owner":
        return hall.owner
    if role == "administrator":
        return hall.administrator("13800130803")
    if role == "player":
        return hall.player(1)
    return hall.by_link(role)


def test_the_hand_written_table_names_every_route_once() -> None:
    assert sorted(MAY) == sorted(route.name for route in all_routes())
    assert {route.action for route in all_routes()} <= set(ACTIONS)


@pytest.mark.parametrize("role", ROLES)
def test_the_permission_table_says_the_same_as_the_hand_written_one(role: str) -> None:
    mine = frozenset({Role(role)})
    for route in all_routes():
        assert allowed(route.action, mine) is (role in MAY[route.name].split()), route.name


@pytest.mark.parametrize("role", ROLES)
def test_every_route_lets_this_role_in_or_not(world: TestWorld, hall: Hall, role: str) -> None:
    wrong = []
    browser = browser_of(role, hall)
    kept = dict(browser.cookies)
    for route in all_routes():
        # Bodies are empty, so that what is let in is refused for that and changes nothing for the routes after it.
        reply = browser.send(route.method, concrete(route, hall.event_id), {} if route.body else None)
        browser.cookies = dict(kept)
        here = "anyone" if role in OUTSIDE_EVENTS and "{event_id}" not in route.path else role
        let_in = reply.code not in REFUSALS
        if let_in is not (here in MAY[route.name].split()):
            wrong.append((route.name, reply.status, reply.code))
        if not let_in:
            expected = ("sign_in_required", 401) if here == "anyone" else ("forbidden", 403)
            assert (reply.code, reply.status) == expected, route.name
        if route.name in ("sign_out", "forget_device") and let_in:
            browser = again(role, hall)
            kept = dict(browser.cookies)
    assert wrong == []


def again(role: str, hall: Hall) -> Browser:
    """The same role in a new browser, after signing out or saying "not me"."""
    hall.world.time.advance(minutes=2)
    if role == "owner":
        hall.owner = sign_in(hall.world, "13800130001")
    return browser_of(role, hall)


@pytest.mark.parametrize("role", [role for role in ROLES if role != "anyone"])
def test_no_change_without_the_csrf_token(world: TestWorld, hall: Hall, role: str) -> None:
    browser = browser_of(role, hall)
    for token in (None, "", "wrong", "A" * 32):
        browser.csrf = token
        for route in all_routes():
            here = "anyone" if role in OUTSIDE_EVENTS and "{event_id}" not in route.path else role
            needs_one = MAY[route.name] != EVERYBODY and here in MAY[route.name].split()
            if route.method == "GET" or here == "anyone" or not needs_one:
                continue
            reply = browser.send(route.method, concrete(route, hall.event_id), BODIES.get(route.name))
            assert (reply.status, reply.code) == (403, "csrf"), route.name


@pytest.mark.parametrize("role", ["owner", "administrator", "referee", "desk", "display", "player"])
def test_a_role_in_one_event_is_none_in_another(world: TestWorld, hall: Hall, role: str) -> None:
    other = open_hall(world, "13800130009")
    other.enter(3, first=300)
    browser = browser_of(role, hall)
    if role in OUTSIDE_EVENTS:
        # The cookie's name is no protection: the token itself must be for this event.
        browser.cookies = {
            name.replace(hall.event_id, other.event_id): value for name, value in browser.cookies.items()
        }
    for route in all_routes():
        if "{event_id}" not in route.path or MAY[route.name] == EVERYBODY:
            continue
        reply = browser.send(route.method, concrete(route, other.event_id), BODIES.get(route.name))
        assert reply.code in ("forbidden", "sign_in_required"), (route.name, reply.status, reply.code)


def one_off(event_id: str) -> str:
    last = event_id[-1]
    return event_id[:-1] + ("A" if last != "A" else "B")


@pytest.mark.parametrize("role", ["owner", "referee", "player"])
def test_an_event_whose_id_differs_by_one_letter_is_not_open(world: TestWorld, hall: Hall, role: str) -> None:
    browser = browser_of(role, hall)
    near = one_off(hall.event_id)
    browser.cookies.update({name.replace(hall.event_id, near): value for name, value in browser.cookies.items()})
    for route in all_routes():
        if "{event_id}" not in route.path:
            continue
        reply = browser.send(route.method, concrete(route, near), BODIES.get(route.name))
        if MAY[route.name] == EVERYBODY:
            assert reply.code == "event_not_found", (route.name, reply.status, reply.code)
        else:
            assert reply.code in ("forbidden", "sign_in_required"), (route.name, reply.status, reply.code)


def test_a_player_scores_at_the_own_table_only(world: TestWorld, hall: Hall) -> None:
    grid = hall.owner.get(hall.path("/current-tables")).json
    tables = {side["number"]: table["table"] for table in grid["tables"] for side in (table["ns"], table["ew"])}
    number, mine = next(iter(tables.items()))
    theirs = next(table for table in tables.values() if table != mine)
    player = hall.player(number)
    word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": world.now()}
    for method, rest, body in (
        ("POST", "submissions", word),
        ("PUT", "running", {"ns_level": "A", "ew_level": "9"}),
    ):
        refused = player.send(method, hall.path(f"/rounds/1/tables/{theirs}/{rest}"), body)
        assert refused.code == "not_your_table"
        assert player.send(method, hall.path(f"/rounds/1/tables/{mine}/{rest}"), body).status < 300
    for nowhere in ("/rounds/1/tables/99/submissions", "/rounds/2/tables/1/submissions"):
        assert player.post(hall.path(nowhere), word).status in (403, 404)


def test_a_revoked_link_and_a_closed_session_open_nothing_more(world: TestWorld, hall: Hall) -> None:
    referee = hall.by_link("referee")
    assert referee.get(hall.path("/current-tables")).status == 200
    hall.owner.post(hall.path("/links/renewal"), {"role": "referee"})
    assert referee.get(hall.path("/current-tables")).code == "sign_in_required"
    kept = dict(hall.owner.cookies)
    assert hall.owner.delete("/auth/session").status == 200
    assert hall.owner.cookies == {}
    hall.owner.cookies = kept
    assert hall.owner.get(hall.path()).code == "sign_in_required"


def test_who_holds_several_cookies_says_which_one_speaks(world: TestWorld, hall: Hall) -> None:
    browser = hall.by_link("display")
    browser.cookies.update(hall.owner.cookies)
    browser.cookies.update(hall.player(1).cookies)
    for speaks_as, route, status in (
        ("account", "", 200),
        ("link", "", 403),
        ("player", "", 403),
        ("player", "/me", 200),
        ("link", "/me", 403),
        (None, "", 200),
    ):
        browser.speaks_as = speaks_as
        assert browser.get(hall.path(route)).status == status, (speaks_as, route)
