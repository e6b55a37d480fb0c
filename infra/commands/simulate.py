"""`guanjun simulate [--players N] [--rounds R]`: an event in virtual time on the real handlers, and what it costs."""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from infra.launcher.paths import BUILD, ROOT
from infra.simulate import bill, report
from infra.simulate.checking import check
from infra.simulate.day import Day, Plan, Show, played
from infra.simulate.idle import idle_after
from infra.simulate.settings import habits, price_list

REFERENCE_PLAYERS = 1000
MOST_IDLE = 1.0


def run(arguments: Sequence[str]) -> int:
    """Returns 0, 1 when something was lost, doubled or wrong, 2 for numbers that cannot be played.

    A missed figure is marked in the report and no error, as with `guanjun bench`.
    """
    parser = argparse.ArgumentParser(prog="guanjun simulate", description=__doc__)
    parser.add_argument("--players", type=int, default=10_000, help="a multiple of 4 (default 10000)")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1, help="equal seeds give equal days")
    parser.add_argument("--every-batch", action="store_true", help="carry out every stream batch (slow)")
    parser.add_argument("--within", type=float, default=float("inf"), metavar="MINUTES", help="begin no round later")
    parser.add_argument("--idle-month", action="store_true", help="show the month after the day, too")
    parser.add_argument("--alone", action="store_true", help=f"without {REFERENCE_PLAYERS:,} players beside it")
    given = parser.parse_args(arguments)
    try:
        plan = Plan(given.players, given.rounds, given.seed, given.every_batch, within=given.within)
    except ValueError as error:
        print(f"guanjun simulate: {error}")
        return 2
    # The first requests of a process import and compile; that is a cold start and not a handler's time.
    _play(Plan(8, 1), lambda line: None, None)
    smaller = None
    if plan.players > REFERENCE_PLAYERS and not given.alone:
        small = Plan(REFERENCE_PLAYERS, plan.rounds, plan.seed)
        smaller = _kept(small) or _played(small, None)[0]
    _, sound = _played(plan, smaller, idle=given.idle_month)
    return 0 if sound else 1


def _played(plan: Plan, smaller: report.Document | None, *, idle: bool = False) -> tuple[report.Document, bool]:
    """Play a day, print what there is to say, keep it; its document, and whether nothing was lost."""
    began = time.monotonic()

    def show(line: str) -> None:
        print(f"[{plan.players:,} players, {time.monotonic() - began:5.0f} s] {line}", flush=True)

    document, lines, sound = _play(plan, show, smaller, idle=idle)
    print("", *lines, sep="\n")
    result = _result(plan)
    result.parent.mkdir(parents=True, exist_ok=True)
    result.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"written to {result.relative_to(ROOT)}", flush=True)
    return document, sound


def _play(
    plan: Plan, show: Show, smaller: report.Document | None, *, idle: bool = False
) -> tuple[report.Document, list[str], bool]:
    with tempfile.TemporaryDirectory() as directory, played(plan, Path(directory), show) as day:
        show("looking for what was lost or doubled")
        findings = check(day)
        lines = list(report.text(day, findings, smaller))
        document = report.document(day, findings, smaller)
        if idle:
            lines += _idle(day)
        return document, lines, findings.sound


def _result(plan: Plan) -> Path:
    return BUILD / f"simulate-{plan.players}-{plan.rounds}-{plan.seed}.json"


def _kept(plan: Plan) -> report.Document | None:
    """The document of such a day, if one was played on this machine with this program and these data."""
    file = _result(plan)
    if not file.is_file():
        return None
    found: report.Document = json.loads(file.read_text(encoding="utf-8"))
    return found if found["sources"] == report.sources() else None


def _idle(day: Day) -> Iterator[str]:
    ledger, kept = idle_after(day)
    used = bill.usage_of(ledger, day.stage.memory, habits().cloud)
    listed = price_list()
    for region, prices in listed.regions.items():
        lines = bill.sheet(used, prices, streams_free=listed.stream_reads_by_lambda_are_free)
        lines += bill.month(kept, prices, listed)
        yield ""
        yield f"an idle month after this day, {region}:"
        yield from bill.shown([line for line in lines if line.amount])
        yield f"below {MOST_IDLE:g} US dollar: {'yes' if bill.total(lines) < MOST_IDLE else 'NO'}"
