"""``replay``: an audit log folded into an event, and what is said of a log that is none."""

from __future__ import annotations

import gzip
import io
import json
import random
from typing import Any

import pytest

from chalicelib.rules.command_line import run
from chalicelib.rules.replay import club_mark, replay

EVENT = {"name": "周三夜赛", "kind": "pairs", "rounds": 3, "criteria": ["match_points", "level_points"]}


def line(action: str, subject: str | None = None, reason: str | None = None, **details: Any) -> dict[str, Any]:
    return {
        "at": 1,
        "actor": "referee",
        "action": action,
        "subject": subject,
        "reason": reason,
        "details": details,
    }


def entry(number: int, club: int | None = None, state: str = "in") -> list[Any]:
    return [number, state, club, None, None, 1, None]


def log() -> list[dict[str, Any]]:
    """Four pairs, one round of two tables: one confirmed, one ruled after a dispute; a penalty."""
    played = {"outcome": "played", "ns_level": 8, "ew_level": 4}
    return [
        line("event.create", document={"event": EVENT, "clubs": []}, double_submission=True),
        line("entry.import", entries=[entry(1), entry(2, 0), entry(3), entry(4)], clubs=["x"]),
        line("registration.register", "entry:5", entries=[entry(5, None, "waiting")], clubs=[]),
        line("round.draw", "round:1", tables=[[1, [1], [2]], [2, [3], [4]]], byes=[], sit_outs=[]),
        line("round.publish", "round:1"),
        line("table.submit", "table:1.1", side="ns", values=played, version=1),
        line("table.submit", "table:1.1", side="ew", values=played, version=1),
        line("table.submit", "table:1.2", side="ns", values=played, version=1),
        line("table.submit", "table:1.2", side="ew", values={**played, "ew_level": 5}, version=1),
        line("table.rule", "table:1.2", "核对", values={**played, "ns_level": 3}, version=2),
        line("entry.adjust", "entry:1", "迟到", id="a", round=1, criterion="match_points", amount="-0.5"),
    ]


def text(lines: list[Any]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)


def answer(content: str | bytes) -> tuple[int, str, list[str]]:
    out, errors = io.StringIO(), io.StringIO()
    raw = content if isinstance(content, bytes) else content.encode()
    status = run(["replay", "-"], io.BytesIO(raw), out, errors)
    return status, out.getvalue(), errors.getvalue().splitlines()


def ranks(lines: list[Any]) -> dict[int, tuple[int, str]]:
    status, output, errors = answer(text(lines))
    assert (status, errors) == (0, [])
    return {row["entry"]: (row["rank"], row["values"]["match_points"]) for row in json.loads(output)["rows"]}


def test_a_log_gives_the_ranking() -> None:
    assert ranks(log()) == {4: (1, "2"), 1: (2, "1.5"), 3: (3, "0"), 2: (4, "0")}


def test_the_order_of_acts_on_one_table_follows_their_versions() -> None:
    lines = log()
    lines[5:5] = [line("table.lift", "table:1.2", version=3)]
    assert ranks(lines)[4] == (3, "0")
    later = {"outcome": "ew_forfeit"}
    lines[5:5] = [line("table.forfeit", "table:1.2", side="ew", values=later, version=4)]
    assert ranks(lines)[3][1] == "2"


def test_a_deleted_round_goes_with_its_penalties_and_may_be_drawn_anew() -> None:
    lines = [*log(), line("round.delete", "round:1", "重排", phase="published")]
    assert set(ranks(lines).values()) == {(1, "0")}
    again = line("round.draw", "round:1", tables=[[1, [1], [3]], [2, [2], [4]]], byes=[], sit_outs=[])
    assert set(ranks([*lines, again]).values()) == {(1, "0")}
    assert len(replay(text([*lines, again, line("round.publish", "round:1")])).drawn) == 1


def test_a_waiting_team_counts_once_it_is_admitted_and_clubs_are_known_by_their_marks() -> None:
    lines = log()
    lines[1]["details"]["clubs"] = [club_mark("市南")]
    admitted = line("registration.admit", "entry:5", admitted=[[5, 2]])
    event = replay(text([*lines, admitted, line("event.import_clubs", names=["市南"])]))
    assert [each.number for each in event.entries] == [1, 2, 3, 4, 5]
    assert event.entries[1].club == "市南"
    assert event.entries[4].joined_round == 2


def test_it_may_be_packed_and_begin_with_a_byte_order_mark() -> None:
    content = text(log()).encode()
    assert answer(gzip.compress(content)) == answer(content) == answer(b"\xef\xbb\xbf" + content)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], "/ missing"),
        (["not json"], "/1/action missing"),
        ([[]], "/1 wrong_type"),
        ([line("event.create")], "/1/details inconsistent"),
        ([*log()[:3], line("table.rule", "table:9.9", values={}, version=1)], "/4/details inconsistent"),
        ([*log()[:5], line("table.rule", "table:1.9", values={}, version=1)], "/6/details inconsistent"),
        ([*log()[:5], line("table.rule", "round:1", values={}, version=1)], "/6/details inconsistent"),
        ([*log()[:5], line("table.rule", "table:1.1", values={"outcome": "?"}, version=1)], "/6/details inconsistent"),
        ([*log()[:5], line("entry.unadjust", "entry:1", id="none")], "/6/details inconsistent"),
        ([*log()[:5], line("round.delete", "round:7")], "/6/details inconsistent"),
        ([*log()[:4], {**line("round.publish"), "details": None}], "/5/details inconsistent"),
    ],
)
def test_a_bad_log_says_which_line(lines: list[Any], expected: str) -> None:
    if lines == ["not json"]:
        lines = [{}]
    status, output, errors = answer(text(lines))
    assert (status, output) == (2, "")
    assert errors[0].startswith(f"{expected} "), errors


def test_what_is_no_text_no_json_or_broken() -> None:
    assert answer(b"\xff\xfe{}")[2][0].startswith("/ not_json ")
    assert answer(gzip.compress(text(log()).encode())[:-9])[2][0].startswith("/ not_json ")
    assert answer(text(log()) + "{\n")[2][0].startswith("/12 not_json ")


def test_what_the_acts_make_must_be_a_sound_event() -> None:
    lines = log()
    lines[3]["details"]["byes"] = [1]
    status, _, errors = answer(text(lines))
    assert status == 2
    assert errors[0].startswith("/ ")
    assert "rounds" in errors[0]


def test_hostile_logs_are_refused_or_answered_never_a_traceback() -> None:
    chance = random.Random(2026)
    strange: list[Any] = [None, -1, 1e400, "", "x" * 1000, [], {}, [[]], True, 10**30, "\ud800", {"a": {"b": []}}]
    for _ in range(1500):
        lines = json.loads(json.dumps(log()))
        for _ in range(chance.randint(1, 3)):
            here: Any = chance.choice(lines)
            while isinstance(here, (dict, list)) and here:
                key = chance.choice(list(here) if isinstance(here, dict) else range(len(here)))
                if chance.random() < 0.4 or not isinstance(here[key], (dict, list)):
                    here[key] = chance.choice(strange)
                    break
                here = here[key]
        status, output, errors = answer(json.dumps(lines[0]) + "\n" + "\n".join(json.dumps(each) for each in lines[1:]))
        assert (status == 0 and output and not errors) or (status == 2 and not output and errors)
        assert all(" " in error for error in errors)
