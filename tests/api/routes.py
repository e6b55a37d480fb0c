"""Every declared route with a body it takes, for tests that walk over all of them."""

from __future__ import annotations

from typing import Any

from chalicelib.api.framework import ROUTES, Route
from tests.support.client import gateway

gateway()  # importing the application declares the routes


def all_routes() -> list[Route]:
    """Every declared route."""
    return list(ROUTES)


def concrete(route: Route, event_id: str, **values: Any) -> str:
    """The route's path with its parameters filled in."""
    filled = {
        "event_id": event_id,
        "number": 1,
        "board": 1,
        "table": 1,
        "player": 1,
        "session_id": "no-session",
        "member_id": "no-member",
        "job_id": "no-job",
        "device_id": "no-device",
        "account_id": "no-account",
        "ladder_id": "no-ladder",
        "person_id": "no-person",
        "call_id": "no-call",
        "picture": "no-picture",
        "adjustment_id": "no-adjustment",
        "substitution_id": "no-substitution",
        "order_id": "no-order",
        "trade": "no-trade",
        "name": "entries",
        "code": "play",
        "role": "referee",
    }
    path = route.path.format(**{**filled, **values})
    return f"{path}?origin=https://example.org" if "origin" in route.query else path


LEVELS = {
    "ns_level": "A",
    "ew_level": "9",
    "ns_lap": 1,
    "ew_lap": 1,
    "winner": None,
    "boards": [{"board": 1, "result": 3}],
}
ENTRY = {
    "players": [{"name": "甲", "phone": "13800130901"}, {"name": "乙", "phone": ""}],
    "name": "海风",
    "club": "市南",
    "seed": None,
    "version": 1,
}
BODIES: dict[str, dict[str, Any]] = {
    "send_code": {"phone": "13800130900"},
    "sign_in": {"phone": "13800130900", "code": "000000", "device": "浏览器"},
    "change_profile": {"name": "甲"},
    "sign_in_with_password": {"phone": "13800130900", "password": "没有人会猜到的词", "device": "浏览器"},
    "change_password": {"password": "没有人会猜到的词", "current": ""},
    "begin_wechat": {"purpose": "sign_in", "return_path": "/c/"},
    "arrive_from_wechat": {"state": "no-state", "code": "no-code", "device": "浏览器"},
    "bind_wechat": {"phone": "13800130900", "code": "000000", "device": "浏览器"},
    "find_account": {"phone": "13800130900"},
    "change_account": {"vip_level": 1, "trial_level": None, "trial_until": None, "platform_administrator": False},
    "create_ladder": {"name": "高手", "season": "2026", "parameters": {"method": "elo"}},
    "change_ladder": {"version": 0, "name": "高手", "name_en": "Masters", "parameters": {"per_entry": 2}},
    "archive_ladder": {"version": 0, "archived": True},
    "begin_season": {"version": 0, "name": "2027", "parameters": {}},
    "close_season": {"version": 0},
    "add_ladder_member": {"name": "甲", "phone": "13800130900"},
    "restrict_ladder": {"version": 0, "restricted": True},
    "import_ladder_members": {"content": "", "commit": False, "version": 0},
    "start_rehearsal": {"name": "演练", "kind": "pairs", "entries": 8, "rounds": 2, "seconds": 30},
    "add_entry": ENTRY,
    "change_entry": ENTRY,
    "withdraw_entry": {"withdrawn": True, "reason": "有事"},
    "check_in_entry": {"checked_in": True},
    "rejected": {"content": "", "columns": None, "corrections": []},
    "import_roster": {
        "filename": "名单.csv",
        "content": "",
        "commit": False,
        "columns": {"1": "team"},
        "corrections": [{"row": 2, "column": 1, "text": "海风"}],
    },
    "import_clubs": {"filename": "团体.csv", "content": "", "commit": False, "version": 1},
    "register": {
        "players": [{"name": "甲", "phone": "13800130903"}, {"name": "乙", "phone": "13800130904"}],
        "consent": True,
        "name": "海风",
        "club": "市南",
        "partner": "typed",
    },
    "change_registration": {
        "players": [{"name": "甲", "phone": "13800130903"}, {"name": "乙", "phone": "13800130904"}],
        "version": 1,
        "name": "海风",
        "club": "市南",
    },
    "read_invitation": {"token": "1.no-token"},
    "join_partner": {"token": "1.no-token", "name": "甲", "phone": "13800130905", "consent": True},
    "match_singles": {"one": 1, "two": 2},
    "refund_order": {"reason": "误收"},
    "tick_fee": {"paid": True},
    "seal_upload": {"content": "AA=="},
    "start_import": {
        "key": "uploads/none/none",
        "commit": False,
        "columns": {"1": "team"},
        "corrections": [{"row": 2, "column": 1, "text": "海风"}],
    },
    "start_export": {"name": "entries"},
    "create_event": {
        "name": "周三夜赛",
        "kind": "pairs",
        "starts_at": 1,
        "time_zone": "Asia/Shanghai",
        "rounds": 5,
        "minutes_per_round": 50,
        "clone_of": None,
        "test": False,
    },
    "change_settings": {"version": 1, "settings": {"name": "周三夜赛", "kind": "pairs"}, "confirmed": False},
    "encrypt_event": {},
    "change_digits": {"name": "周三夜赛"},
    "erase_person": {},
    "link_events": {"events": []},
    "arrange_series": {"name": "公开赛", "stages": [], "token": ""},
    "preview_stage": {"stage": 1, "plan": {"cut": "best", "count": 4}},
    "form_stage": {"stage": 1, "plan": {"cut": "best", "count": 4}, "fingerprint": "0" * 32},
    "undo_stage": {"stage": 1},
    "record_hands": {"hands": {"N": ["S10"], "E": [], "S": [], "W": []}},
    "end_event": {"ended": True, "reason": "散场"},
    "delete_event": {"deleted": True, "name": "周三夜赛"},
    "add_member": {"phone": "13800130990"},
    "exchange_link": {"event_id": "no-event", "token": "no-token"},
    "renew_link": {"role": "desk"},
    "rule_table": {**LEVELS, "version": 1, "outcome": "played", "reason": "裁判"},
    "lift_ruling": {"version": 1, "reason": "裁判"},
    "postpone_table": {"version": 1, "postponed": True, "reason": "有事"},
    "substitute_player": {"player": 1, "leaves": "no-person", "name": "丙", "phone": "13800130907", "reason": "伤病"},
    "take_back_substitution": {"reason": "记错"},
    "give_line_up": {"round": 1, "rooms": [[0, 1], [2, 3]], "version": 0},
    "take_call": {"by": "A"},
    "set_line_up": {"version": 1, "ns": [0, 1], "ew": [2, 3]},
    "give_extra_time": {"version": 1, "minutes": 5},
    "find_players": {"text": "选手100"},
    "identify_device": {"number": 1, "player": 0, "text": "选手100", "device": "手机"},
    "save_running": LEVELS,
    "submit": {**LEVELS, "base_version": 0, "tapped_at": 1},
    "call_referee": {"kind": "correction", "message": "看牌"},
    "forfeit_table": {"base_version": 0, "tapped_at": 1},
    "adjust_entry": {"entry": 1, "round": 1, "criterion": "match_points", "amount": -1.0, "reason": "迟到"},
    "remove_adjustment": {"reason": "误判"},
    "draw_round": {"accept_proposal": False},
    "assign_groups": {"groups": 2, "method": "lot"},
    "start_drawing": {"accept_proposal": False},
    "start_publishing": {"version": 1},
    "start_settling": {"version": 1},
    "rearrange_draft": {"version": 1, "tables": [{"table": 1, "ns": [1], "ew": [2]}], "byes": [], "sit_outs": []},
    "publish_round": {"version": 1},
    "command_clock": {"action": "start", "version": 0, "minutes": 0, "starts_in_seconds": 0},
    "settle_round": {"version": 1},
    "reopen_round": {"reason": "更正"},
    "control_display": {"view": "clock", "page": None, "paused": False, "step": 0, "picture": None},
    "restore_document": {"key": "uploads/none/none"},
    "add_picture": {"key": "uploads/none/none"},
    "freeze_standings": {"version": 1, "round": 1},
    "decide_winners": {"version": 1, "entries": []},
}
"""A body for every route that takes one; each field of the declared type is there."""
