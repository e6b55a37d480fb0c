"""Random events for the pairing tests: odd fields, late entries, withdrawals, clubs, postponed tables, penalties."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.model import (
    Adjustment,
    Board,
    CandidateOrder,
    ClubRule,
    Entry,
    Event,
    FirstRound,
    KindCode,
    Outcome,
    PairingMethod,
    PairingSettings,
    Room,
    Round,
    Side,
    Table,
)
from chalicelib.rules.pairing.result import Drawn

CLUB_LAYOUTS: tuple[tuple[str | None, ...], ...] = (
    (None,),
    ("甲", "乙"),
    ("甲", "甲", "乙", None),
    ("甲", "乙", "丙", "丁"),
    tuple("甲乙丙丁戊己庚辛壬癸"),
)


def new_event(
    random: Random,
    size: int,
    rounds: int,
    kind: KindCode = KindCode.PAIRS,
    settings: PairingSettings | None = None,
    late: float = 0.0,
) -> Event:
    """An event without rounds; ``late``: share of entries that join in round 2 or 3."""
    layout = random.choice(CLUB_LAYOUTS)
    entries = tuple(
        Entry(
            number,
            f"队{number:03}",
            random.choice(layout),
            seed=random.choice((None, random.randrange(1, 30))),
            joined_round=random.choice((2, 3)) if random.random() < late else 1,
        )
        for number in sorted(random.sample(range(1, 4 * size + 1), size))
    )
    return Event(
        "杯赛",
        kind,
        rounds,
        KINDS[kind].default_criteria,
        entries=entries,
        pairing=settings or random_settings(random),
    )


def random_settings(random: Random) -> PairingSettings:
    return PairingSettings(
        method=random.choice((PairingMethod.RANK_FIRST,) * 4 + (PairingMethod.MIN_TOTAL_GAP,)),
        order=random.choice(list(CandidateOrder)),
        first_round=random.choice(list(FirstRound)),
        club_rule=random.choice(list(ClubRule)),
        club_until_round=random.choice((None, None, 1, 3)),
        seed=str(random.randrange(10**6)),
    )


def played(event: Event, drawn: Drawn, random: Random, accidents: float = 0.0) -> Event:
    """The event with the drawn round played; ``accidents``: share of tables forfeited or postponed."""
    tables: list[Table] = []
    for table in drawn.tables:
        accident = random.random() < accidents
        tables += (
            _accident(table.number, table.ns, table.ew, random)
            if accident
            else _result(event, table.number, table.ns, table.ew, random)
        )
    record = Round(drawn.round, tuple(tables), drawn.byes, drawn.sit_outs)
    return replace(event, drawn=(*event.drawn, record))


def _accident(number: int, ns: tuple[int, ...], ew: tuple[int, ...], random: Random) -> list[Table]:
    outcome = random.choice((Outcome.NS_FORFEIT, Outcome.EW_FORFEIT, Outcome.DOUBLE_FORFEIT, Outcome.UNPLAYED))
    return [Table(number, ns, ew, outcome, postponed=outcome is Outcome.UNPLAYED)]


def _result(event: Event, number: int, ns: tuple[int, ...], ew: tuple[int, ...], random: Random) -> list[Table]:
    if KINDS[event.kind].scored_by_levels:
        ns_level, ew_level = random.randrange(14), random.randrange(13)
        winner = None
        if event.knockout:
            winner = Side.NS if (ns_level, random.random()) > (ew_level, 0.5) else Side.EW
        return [Table(number, ns, ew, ns_level=ns_level, ew_level=ew_level, winner=winner)]
    rooms = (Room.OPEN, Room.CLOSED) if event.kind is KindCode.TEAM_OF_FOUR else (None,)
    return [
        Table(
            number,
            ns,
            ew,
            boards=tuple(Board(board, random.choice((3, 2, 1, -1, -2, -3))) for board in (1, 2, 3)),
            room=room,
        )
        for room in rooms
    ]


def disturbed(event: Event, random: Random, withdrawals: float = 0.03, penalties: float = 0.1) -> Event:
    """The event after a round: somebody leaves, somebody is fined."""
    last = len(event.drawn)
    entries = tuple(
        replace(entry, left_after_round=last)
        if entry.left_after_round is None and entry.joined_round <= last and random.random() < withdrawals
        else entry
        for entry in event.entries
    )
    adjustments = event.adjustments
    if random.random() < penalties and last:
        adjustment = Adjustment(random.choice(entries).number, last, "match_points", Fraction(-1, 2), "迟到")
        adjustments = (*adjustments, adjustment)
    return replace(event, entries=entries, adjustments=adjustments)
