"""One event as frozen values: what every rule reads, and what a document (``document.py``) is read into.

Nothing here computes. Numbers that may be halves (points, amounts) are ``Fraction``; levels are indices
(``levels.py``: ``2`` = 0 ... ``A`` = 12, ``A+`` = 13, a second lap goes on at 14); entries are named by their number.
Sides are tuples of entry numbers: one number for a pair or a team, two for persons who sit as partners.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final, Literal, NamedTuple


class KindCode(StrEnum):
    """The ten kinds of event; what each means stands in ``kinds.py``."""

    PAIRS = "pairs"
    INDIVIDUAL = "individual"
    ROUND_ROBIN = "round_robin"
    ROTATION = "rotation"
    OPEN_ENDED = "open_ended"
    LEAGUE = "league"
    CLUBS = "clubs"
    TEAM_OF_FOUR = "team_of_four"
    MITCHELL = "mitchell"
    SWISS_DEVIATION = "swiss_deviation"


class Outcome(StrEnum):
    """What happened at a drawn table (a bye is no table; it stands in ``Round.byes``)."""

    PLAYED = "played"
    NS_FORFEIT = "ns_forfeit"
    EW_FORFEIT = "ew_forfeit"
    DOUBLE_FORFEIT = "double_forfeit"
    UNPLAYED = "unplayed"


class Side(StrEnum):
    """The two sides of a table."""

    NS = "ns"
    EW = "ew"


class Room(StrEnum):
    """The two rooms of a team-of-four match; in the closed room the home team (``ns``) sits EW."""

    OPEN = "open"
    CLOSED = "closed"


class PairingMethod(StrEnum):
    RANK_FIRST = "rank_first"
    MIN_TOTAL_GAP = "min_total_gap"


class CandidateOrder(StrEnum):
    ADJACENT = "adjacent"
    SLIDE = "slide"
    FOLD = "fold"


class FirstRound(StrEnum):
    RANDOM = "random"
    ENTRY_ORDER = "entry_order"
    SEEDED = "seeded"


class ClubRule(StrEnum):
    AVOID = "avoid"
    NEVER = "never"
    IGNORE = "ignore"


class Partners(StrEnum):
    DRAWN_ONCE = "drawn_once"
    NEW_EACH_ROUND = "new_each_round"


class MeetsBy(StrEnum):
    """How a team-of-four event is paired (its only kind with a choice)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


class MitchellRanking(StrEnum):
    TOGETHER = "together"
    APART = "apart"


class MedianField(StrEnum):
    DIRECTION = "direction"
    ALL = "all"


PAR: Final = "par"
BoardPoints = Fraction | Literal["par"]


class Board(NamedTuple):
    """One board (副): its number and its result as the NS side of that table sees it, one of +-3, +-2, +-1."""

    number: int
    result: int


class Table(NamedTuple):
    """One record of one table. A team-of-four match that was played is two records, one for each room."""

    number: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    outcome: Outcome = Outcome.PLAYED
    ns_level: int | None = None
    ew_level: int | None = None
    boards: tuple[Board, ...] = ()
    board_set: str | int | None = None
    room: Room | None = None
    winner: Side | None = None
    postponed: bool = False
    third_place: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: tables, entries with a bye (轮空), and entries that sit out by the movement."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    sit_outs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    phone: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part under one number: a person, a pair or a team.

    ``joined_round`` is the first round the entry may be drawn in; ``left_after_round`` the last one (None: stays).
    """

    number: int
    name: str = ""
    club: str | None = None
    players: tuple[Player, ...] = ()
    group: str | None = None
    seed: int | None = None
    joined_round: int = 1
    left_after_round: int | None = None

    def entered(self, round_number: int) -> bool:
        """True when the entry may be drawn in that round."""
        return self.joined_round <= round_number and (
            self.left_after_round is None or round_number <= self.left_after_round
        )


class Adjustment(NamedTuple):
    """A signed correction of one number of one entry; ``criterion`` is a code of ``criteria.ADJUSTABLE``."""

    entry: int
    round: int
    criterion: str
    amount: Fraction
    reason: str


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """场分 of a win, a draw, a loss, and of a side that did not come."""

    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)
    no_show: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Unearned:
    """What an entry gets for a round it did not play: bye, walkover or absence."""

    match_points: Fraction
    level_points: Fraction
    upgrades: Fraction
    board_points: BoardPoints


@dataclass(frozen=True, slots=True)
class PairingSettings:
    method: PairingMethod = PairingMethod.RANK_FIRST
    order: CandidateOrder = CandidateOrder.ADJACENT
    first_round: FirstRound = FirstRound.RANDOM
    club_rule: ClubRule = ClubRule.AVOID
    club_until_round: int | None = None
    seed: str = "0"


@dataclass(frozen=True, slots=True)
class ClubRanking:
    """团体 ranking: shown or not, and how many results of a club count (统计前几名)."""

    on: bool = False
    best: int = 4


DEFAULT_BYE: Final = Unearned(Fraction(2), Fraction(13), Fraction(0), PAR)
DEFAULT_WALKOVER: Final = Unearned(Fraction(2), Fraction(20), Fraction(0), PAR)
DEFAULT_ABSENT: Final = Unearned(Fraction(0), Fraction(0), Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class Event:
    """An event with all its settings, entries, drawn rounds and adjustments.

    ``rounds`` is the number of rounds defined; ``drawn`` holds the rounds drawn so far, ascending from 1.
    Rounds beyond ``rounds`` stay in ``drawn`` and count for nothing (``counted``). ``entries`` ascend by number.
    """

    name: str
    kind: KindCode
    rounds: int
    criteria: tuple[str, ...]
    entries: tuple[Entry, ...] = ()
    drawn: tuple[Round, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    clubs: tuple[str, ...] = ()
    knockout: bool = False
    third_place_match: bool = False
    time_zone: str = "Asia/Shanghai"
    points: MatchPoints = field(default_factory=MatchPoints)
    bye: Unearned = DEFAULT_BYE
    walkover: Unearned = DEFAULT_WALKOVER
    absent: Unearned = DEFAULT_ABSENT
    pairing: PairingSettings = field(default_factory=PairingSettings)
    partners: Partners = Partners.DRAWN_ONCE
    meets_by: MeetsBy = MeetsBy.SWISS
    duplicate_scale: int = 6
    rotation_points: tuple[Fraction, Fraction, Fraction] = (Fraction(3), Fraction(2), Fraction(1))
    mitchell_ranking: MitchellRanking = MitchellRanking.TOGETHER
    median_field: MedianField = MedianField.DIRECTION
    club_ranking: ClubRanking = field(default_factory=ClubRanking)

    def counted(self) -> tuple[Round, ...]:
        """The drawn rounds that count: those within the number of rounds defined."""
        return tuple(drawn for drawn in self.drawn if drawn.number <= self.rounds)
