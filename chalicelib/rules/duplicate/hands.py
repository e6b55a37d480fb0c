"""The record of the hands (复式派牌): four hands of 27 cards from two packs.

Source: rules of the game, section 5: recorded, checked to be the 108 cards of two packs, shown and printed; it
changes no result. A card is a suit and a rank (``S10``, ``HA``, ``DQ``, ``C2``; S 黑桃, H 红桃, D 方块, C 梅花), the
jokers are ``B*`` (大王) and ``L*`` (小王). Every card is there twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple

from chalicelib.rules.duplicate.presets import Seat

SUITS: Final = "SHDC"
RANKS: Final = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
BIG_JOKER: Final = "B*"
SMALL_JOKER: Final = "L*"
CARDS: Final = (BIG_JOKER, SMALL_JOKER, *(suit + rank for suit in SUITS for rank in RANKS))
"""The 54 different cards in the order in which a hand is shown."""
PACKS: Final = 2
HAND_SIZE: Final = 27

Hands = Mapping[Seat, Sequence[str]]


class HandFaultCode(StrEnum):
    NO_SUCH_CARD = "no_such_card"
    WRONG_SIZE = "wrong_size"
    TOO_OFTEN = "too_often"
    MISSING = "missing"


class HandFault(NamedTuple):
    """What is wrong: ``seat`` where one hand is meant, ``card`` where one card is, ``times`` how many there are."""

    code: HandFaultCode
    seat: Seat | None
    card: str | None
    times: int


def hand_faults(hands: Hands) -> list[HandFault]:
    """Everything that keeps these from being the four hands of one deal; an empty list when nothing does."""
    faults: list[HandFault] = []
    dealt: Counter[str] = Counter()
    for seat in Seat:
        hand = hands.get(seat, ())
        unknown = Counter(card for card in hand if card not in CARDS)
        faults += [HandFault(HandFaultCode.NO_SUCH_CARD, seat, card, count) for card, count in sorted(unknown.items())]
        if len(hand) != HAND_SIZE:
            faults.append(HandFault(HandFaultCode.WRONG_SIZE, seat, None, len(hand)))
        dealt.update(hand)
    for card in CARDS:
        if dealt[card] > PACKS:
            faults.append(HandFault(HandFaultCode.TOO_OFTEN, None, card, dealt[card]))
        elif dealt[card] < PACKS:
            faults.append(HandFault(HandFaultCode.MISSING, None, card, dealt[card]))
    return faults


def deal(seed: str, round_number: int, board: int) -> dict[Seat, tuple[str, ...]]:
    """The hands of one board, each sorted as it is shown: a shuffle by SHA-256 that anybody can repeat.

    The cards of both packs are put in ascending order of the SHA-256 of ``seed:deal:round:board:card:pack`` and
    dealt in four blocks of 27 to N, E, S, W.
    """
    cards = [(card, pack) for card in CARDS for pack in range(1, PACKS + 1)]
    cards.sort(key=lambda one: sha256(f"{seed}:deal:{round_number}:{board}:{one[0]}:{one[1]}".encode()).digest())
    return {
        seat: sorted_hand([card for card, _ in cards[index * HAND_SIZE : (index + 1) * HAND_SIZE]])
        for index, seat in enumerate(Seat)
    }


def sorted_hand(cards: Sequence[str]) -> tuple[str, ...]:
    """Jokers first, then by suit, high cards first; ValueError for what is no card."""
    return tuple(sorted(cards, key=CARDS.index))
