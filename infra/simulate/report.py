"""A simulated day as tables for reading and as JSON for programs."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from infra.launcher import stamps
from infra.launcher.paths import ROOT
from infra.simulate import bill
from infra.simulate.checking import Findings
from infra.simulate.day import Day
from infra.simulate.ledger import Kind, percentile
from infra.simulate.settings import price_list

MOST_WRITES_OF_A_KEY = 300
FRESH_SECONDS = 3.0
NATIONAL_DOLLARS, EVENING_DOLLARS = 12.0, 0.02
EVENING_PLAYERS = 16
TOLERANCE = 1.15
"""A ratio may be so much above that of the sizes before it is called worse than linear: times are measured, and a sort
takes a little more."""
FEW_MS = 1.0
HOT_KEYS = 10
Document = dict[str, Any]
"""A day's :func:`document`."""


def text(day: Day, findings: Findings, smaller: Document | None) -> Iterator[str]:
    """All tables, line by line; ``smaller`` is the day against which growth is shown."""
    yield from _summary(day)
    yield ""
    yield from findings.lines()
    yield ""
    yield from _handlers(day, smaller)
    yield ""
    yield from _streams(day)
    yield ""
    yield from _hot_keys(day)
    yield ""
    yield from _costs(day)
    yield ""
    yield from _verdicts(day, findings)


def usage(day: Day) -> bill.Usage:
    """What the day used."""
    return bill.usage_of(day.stage.ledger, day.stage.memory, day.stage.habits.cloud)


def _summary(day: Day) -> Iterator[str]:
    plan, ledger = day.plan, day.stage.ledger
    used = usage(day)
    done = sum(kind.done.calls for kind in ledger.kinds.values())
    yield (
        f"{plan.players:,} players, {plan.tables:,} tables, {plan.rounds} rounds, {day.hours:.1f} hours, "
        f"seed {plan.seed}"
    )
    yield (
        f"{used.edge_requests:,.0f} requests at the edge, {used.api_requests:,.0f} of them to the API, "
        f"{used.invocations:,.0f} invocations; {done:,.0f} carried out here, the others counted like these"
    )
    if day.rounds < plan.rounds:
        yield f"only {day.rounds} of the {plan.rounds} rounds were played: the time given was over"
    if plan.standings_every > 1:
        yield f"of the stream batches of standings one of {plan.standings_every} is carried out, and always the last"
    healed = day.stage.figures.sums.get("StandingsHealed", 0)
    yield f"{healed:.0f} standings were healed by sweep; each rings an alarm, so there should be none"
    yield f"{day.facts.replays} changes came twice with the same key and got the stored reply"


def _growth(kind: Kind, smaller: Document | None) -> float | None:
    """Median time of a kind against the smaller day's, None where there is none to speak of."""
    before = smaller["handlers"].get(kind.name) if smaller is not None else None
    if before is None or not before["done"] or not kind.samples_ms or before["median_ms"] < FEW_MS:
        return None
    return float(kind.median_ms() / before["median_ms"])


def _handlers(day: Day, smaller: Document | None) -> Iterator[str]:
    sizes = day.plan.players / smaller["players"] if smaller is not None else 1.0
    grows = f"x {smaller['players']:,}" if smaller is not None else ""
    yield (
        f"{'function: route':<64}{'done':>8}{'counted':>11}{'median ms':>11}{'p99 ms':>9}{'reads':>8}{'writes':>8}"
        f"{grows:>9}"
    )
    kinds = sorted(day.stage.ledger.kinds.values(), key=lambda kind: -kind.calls * kind.median_ms())
    for kind in kinds:
        if not kind.done.calls:
            continue
        growth = _growth(kind, smaller)
        mark = "" if growth is None else f"{growth:.1f}" + (" WORSE" if growth > sizes * TOLERANCE else "")
        calls = kind.done.calls
        yield (
            f"{kind.name:<64}{calls:>8,.0f}{kind.counted:>11,.0f}{kind.median_ms():>11.1f}{kind.p99_ms():>9.1f}"
            f"{kind.done.read_units / calls:>8.1f}{kind.done.write_units / calls:>8.1f}{mark:>9}"
        )
    if smaller is not None:
        worse = [kind.name for kind in kinds if (_growth(kind, smaller) or 0) > sizes * TOLERANCE]
        yield f"sizes differ by {sizes:g}; worse than linear: {', '.join(worse) or 'nothing'}"


def _streams(day: Day) -> Iterator[str]:
    yield (
        f"{'stream function':<20}{'batches':>9}{'records':>10}{'a batch':>9}{'p99':>6}"
        f"{'age p50 ms':>12}{'age p99 ms':>12}"
    )
    for function, sizes in day.streams.sizes.items():
        ages = day.streams.ages[function]
        yield (
            f"{function:<20}{len(sizes):>9,}{sum(sizes):>10,}{statistics.median(sizes):>9.0f}"
            f"{percentile([float(size) for size in sizes], 0.99):>6.0f}{statistics.median(ages):>12,.0f}"
            f"{percentile(ages, 0.99):>12,.0f}"
        )
    waits = day.facts.waits
    yield (
        f"own table: the other side's word is seen after {statistics.median(waits):.2f} s (median), "
        f"{percentile(waits, 0.99):.2f} s (p99)"
    )
    ledger = day.stage.ledger
    peaks = {function: ledger.peak(function) for function in sorted(ledger.at_once)}
    yield "processes at once: " + ", ".join(f"{function} {peak}" for function, peak in peaks.items())


def hot_keys(day: Day) -> list[tuple[str, float]]:
    """The highest write rate of each partition key within one second, hottest first; the event's id is left out."""
    rates: dict[str, float] = {}
    for (table, key), seconds in day.stage.meter.hot.items():
        name = f"{table.rpartition('-')[2]} {key.replace(day.owner.event_id, '{event}')}"
        rates[name] = max(rates.get(name, 0.0), max(seconds.values()))
    return sorted(rates.items(), key=lambda item: -item[1])


def _hot_keys(day: Day) -> Iterator[str]:
    yield f"highest write rates of a partition key, units in one second (at most {MOST_WRITES_OF_A_KEY}):"
    for name, rate in hot_keys(day)[:HOT_KEYS]:
        yield f"  {rate:>8.0f}  {name}{'  ABOVE' if rate > MOST_WRITES_OF_A_KEY else ''}"


def costs(day: Day) -> dict[str, list[bill.Line]]:
    """The sheet by region."""
    listed, used = price_list(), usage(day)
    return {
        region: bill.sheet(used, prices, streams_free=listed.stream_reads_by_lambda_are_free)
        for region, prices in listed.regions.items()
    }


def _costs(day: Day) -> Iterator[str]:
    listed = price_list()
    for region, lines in costs(day).items():
        prices = listed.regions[region]
        yield f"{region}, edges in {prices.edge}, list prices of {listed.date}:"
        yield from bill.shown(lines)
        apart = bill.sms_line(usage(day), prices)
        yield f"  {apart.what:<32} {apart.amount:>16,.6g} {apart.unit:<24} {apart.dollars:>10.4f}"


def _verdicts(day: Day, findings: Findings) -> Iterator[str]:
    dollars = min(bill.total(lines) for lines in costs(day).values())
    most = NATIONAL_DOLLARS if day.plan.players > EVENING_PLAYERS else EVENING_DOLLARS
    fresh = percentile(day.facts.waits, 0.99)
    hottest = hot_keys(day)[0][1]
    yield f"nothing lost, doubled or wrong: {_met(findings.sound)}"
    yield f"cheapest list price {dollars:.4f} <= {most:g} US dollars: {_met(dollars <= most)}"
    yield f"own table fresh within {FRESH_SECONDS:g} s (p99): {_met(fresh <= FRESH_SECONDS)}"
    yield f"no key above {MOST_WRITES_OF_A_KEY} writes a second: {_met(hottest <= MOST_WRITES_OF_A_KEY)}"


def _met(fact: bool) -> str:
    return "yes" if fact else "NO"


def document(day: Day, findings: Findings, smaller: Document | None) -> Document:
    """The same for programs, with the machine that measured it."""
    return {
        "players": day.plan.players,
        "rounds": day.rounds,
        "seed": day.plan.seed,
        "sources": sources(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "findings": asdict(findings),
        "usage": asdict(usage(day)),
        "freshness_p99": percentile(day.facts.waits, 0.99),
        "hot_keys": dict(hot_keys(day)[:HOT_KEYS]),
        "dollars": {region: bill.total(lines) for region, lines in costs(day).items()},
        "handlers": {
            kind.name: {
                "done": kind.done.calls,
                "counted": kind.counted,
                "median_ms": kind.median_ms(),
                "p99_ms": kind.p99_ms(),
                "growth": _growth(kind, smaller),
            }
            for kind in day.stage.ledger.kinds.values()
        },
    }


def sources() -> str:
    """A name for the program and the simulation as they are now: figures of other ones cannot be compared."""
    files = [file for tree in ("chalicelib", "infra/simulate") for file in (ROOT / tree).rglob("*.py")]
    files += sorted((ROOT / "infra" / "simulate").glob("*.yaml"))
    return stamps.digest(files, platform.python_version(), platform.machine())[:16]
