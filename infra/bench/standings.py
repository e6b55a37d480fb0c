"""Q2: full standings of 10,000 entries over 12 rounds from raw results, with every criterion of the level kinds."""

import time
from collections.abc import Callable
from random import Random

from chalicelib.rules.criteria import CRITERIA, HeadToHead
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.levels import A_PASSED
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import Entry, Event, KindCode, Round, Table
from chalicelib.rules.ranking import Ranking
from chalicelib.rules.standings import standings
from infra.bench.row import BenchRow

ENTRIES = 10_000
ROUNDS = 12
MOST_SECONDS = 0.3
MOST_TIMES_SORTED = 10.0
REPEATS = 7


def rows() -> list[BenchRow]:
    """Seconds of the whole ranking (best of seven), against sorting the finished keys of the same event."""
    event = _event()
    ranking = Ranking(scoresheet(event))
    codes = [code for code in event.criteria if not isinstance(CRITERIA[code], HeadToHead)]
    keys = list(zip(*(ranking.columns.column(code).keys for code in codes), strict=True))
    return [
        BenchRow(
            id="Q2",
            what=f"standings of {ENTRIES:,} entries x {ROUNDS} rounds, {len(event.criteria)} criteria, pure Python",
            value=_seconds(lambda: standings(event, addends=False)),
            unit="s",
            target=MOST_SECONDS,
            reference=_seconds(lambda: sorted(range(ENTRIES), key=keys.__getitem__, reverse=True)),
            reference_name="plain sorted of the same keys",
            ratio_target=MOST_TIMES_SORTED,
            note="exact values of every criterion as text, ties, head to head; without addends",
        )
    ]


def _event() -> Event:
    """Everybody plays whoever stands near; the stronger side usually climbs higher."""
    random = Random(1)
    strength = {number: random.gauss(0, 1) for number in range(1, ENTRIES + 1)}
    order = list(strength)
    drawn: list[Round] = []
    for round_number in range(1, ROUNDS + 1):
        order.sort(key=lambda number: strength[number] + random.gauss(0, 0.5))
        tables: list[Table] = []
        for place in range(0, ENTRIES, 2):
            ns, ew = order[place], order[place + 1]
            lead = round(4 * (strength[ns] - strength[ew]) + random.gauss(0, 6))
            low = random.randrange(6)
            high = min(A_PASSED, low + abs(lead))
            levels = (high, low) if lead > 0 else (low, high)
            tables.append(Table(place // 2 + 1, (ns,), (ew,), ns_level=levels[0], ew_level=levels[1]))
        drawn.append(Round(round_number, tuple(tables)))
    return Event(
        name="万人赛",
        kind=KindCode.PAIRS,
        rounds=ROUNDS,
        criteria=KINDS[KindCode.PAIRS].criteria,
        entries=tuple(Entry(number) for number in strength),
        drawn=tuple(drawn),
    )


def _seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
