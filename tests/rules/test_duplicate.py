"""Presets of levels and leaders, and the record of the hands."""

from __future__ import annotations

from collections import Counter

import pytest

from chalicelib.rules.duplicate.hands import CARDS, HandFaultCode, deal, hand_faults, sorted_hand
from chalicelib.rules.duplicate.presets import Seat, presets


def test_leaders_take_turns_and_levels_come_from_the_seed() -> None:
    drawn = presets("2026", 3, 6)
    assert [(one.round, one.board) for one in drawn] == [(r, b) for r in (1, 2, 3) for b in range(1, 7)]
    assert "".join(one.leader for one in drawn) == "NESWNE" * 3
    assert drawn == presets("2026", 3, 6)
    assert [one.level for one in drawn] != [one.level for one in presets("2027", 3, 6)]


def test_every_level_but_a_plus_is_drawn_about_equally_often() -> None:
    levels = Counter(one.level for one in presets("x", 26, 50))
    assert set(levels) == {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}
    assert 65 < min(levels.values()) <= max(levels.values()) < 140


def test_no_presets_without_a_board() -> None:
    with pytest.raises(ValueError):
        presets("x", 1, 0)


def test_a_deal_is_the_108_cards_of_two_packs_and_can_be_repeated() -> None:
    hands = deal("2026", 1, 1)
    assert hand_faults(hands) == []
    assert Counter(card for hand in hands.values() for card in hand) == dict.fromkeys(CARDS, 2)
    assert hands == deal("2026", 1, 1)
    assert hands != deal("2026", 1, 2)


def test_faults_of_hands_are_named() -> None:
    hands = {seat: list(hand) for seat, hand in deal("2026", 1, 1).items()}
    moved = hands[Seat.NORTH].pop()
    hands[Seat.EAST].append("S1")
    codes = {(fault.code, fault.seat, fault.card, fault.times) for fault in hand_faults(hands)}
    assert codes == {
        (HandFaultCode.WRONG_SIZE, Seat.NORTH, None, 26),
        (HandFaultCode.WRONG_SIZE, Seat.EAST, None, 28),
        (HandFaultCode.NO_SUCH_CARD, Seat.EAST, "S1", 1),
        (HandFaultCode.MISSING, None, moved, 1),
    }
    hands[Seat.EAST][-1] = "B*" if moved != "B*" else "L*"
    codes_now = {fault.code for fault in hand_faults(hands)}
    assert HandFaultCode.TOO_OFTEN in codes_now


def test_a_hand_is_shown_jokers_first() -> None:
    assert sorted_hand(["C2", "SA", "L*", "B*", "H10"]) == ("B*", "L*", "SA", "H10", "C2")
