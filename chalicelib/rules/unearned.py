"""What a round that was not played gives: bye, walkover, forfeit, absence, sit-out (section 3, "Not played")."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from chalicelib.rules.model import PAR, Event, Unearned
from chalicelib.rules.scoresheet import Happening

NOTHING: Final = Fraction(0)


def unearned(event: Event, happening: Happening) -> tuple[Unearned, bool]:
    """The numbers of a round that was not played, and whether it counts as a round won.

    A bye is a round won only when its 场分 equals a win's; a walkover always is. The side that forfeits has the
    no-show 场分 and nothing else; who sits out by the movement has a draw's 场分 and par on the boards.
    KeyError for a happening that is played.
    """
    points = event.points
    return {
        Happening.BYE: (event.bye, event.bye.match_points == points.win),
        Happening.WALKOVER: (event.walkover, True),
        Happening.FORFEIT: (Unearned(points.no_show, NOTHING, NOTHING, NOTHING), False),
        Happening.SIT_OUT: (Unearned(points.draw, NOTHING, NOTHING, PAR), False),
        Happening.ABSENT: (event.absent, False),
    }[happening]
