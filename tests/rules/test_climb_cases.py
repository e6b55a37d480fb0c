"""The phone counts levels by a port of the rules; the cases it is tested against are the rules' own."""

from __future__ import annotations

from tests.rules.climb_cases import FILE, cases, text


def test_the_cases_of_the_phone_are_what_the_rules_say() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m tests.rules.climb_cases writes them anew"


def test_the_cases_reach_what_is_hard_to_count() -> None:
    seen = cases()
    assert any(case["lose"][2] for case in seen)
    assert any(case["back_to_2"] != case["none"] for case in seen)
    assert any(lap > 1 for case in seen for _, lap in case["laps"])
    assert any("A+" in case["none"] for case in seen)
