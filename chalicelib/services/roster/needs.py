"""What each kind of event needs of an entry."""

from typing import Final

import msgspec


class Needs(msgspec.Struct, frozen=True):
    """Fewest and most players of one entry; whether one person may enter alone; whether a club is a must."""

    fewest: int
    most: int
    persons_too: bool = False
    club: bool = False


PAIR = Needs(2, 2)

# The kinds of the rules, section 4, with "who enters".
KINDS: Final[dict[str, Needs]] = {
    "pairs": PAIR,
    "individual": Needs(1, 1),
    "round_robin": PAIR,
    "rotation": Needs(2, 2, persons_too=True),
    "open_ended": PAIR,
    "league": PAIR,
    "clubs": Needs(2, 2, club=True),
    "team_of_four": Needs(4, 8),
    "mitchell": PAIR,
    "swiss_deviation": PAIR,
}


def needs_of(kind: str) -> Needs:
    """The needs of a kind of event. Raises `KeyError` for an unknown one."""
    return KINDS[kind]
