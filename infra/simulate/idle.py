"""A month in which nobody plays: schedules, alarms, and what lies there."""

from __future__ import annotations

from datetime import timedelta

from infra.deploy.templates import WATCH_TEMPLATE
from infra.local.event_sources import schedules
from infra.local.schedule import Rate, parse_schedule
from infra.local.templates import read_template
from infra.simulate.bill import Kept
from infra.simulate.day import Day
from infra.simulate.ledger import Ledger
from infra.simulate.settings import habits
from infra.simulate.stage import Stage
from infra.simulate.streams import Clockwork

MONTH = timedelta(days=30)
SAMPLES = 20
PER_ITEM = 100
"""Bytes that DynamoDB bills beside an item's own."""


def idle_month(stage: Stage) -> Ledger:
    """The books of thirty days of schedules: some runs are carried out, the others counted like them."""
    ledger = Ledger()
    before, stage.ledger = stage.ledger, ledger
    try:
        clockwork = Clockwork(stage, lambda: 0.0)
        for _ in range(SAMPLES):
            stage.time.wait(3600)
            clockwork.once()
    finally:
        stage.ledger = before
    used = {(function, table) for function, table, _ in ledger.keys}
    ledger.keys.clear()
    for function, expression in schedules(stage.app).items():
        schedule = parse_schedule(expression)
        if not isinstance(schedule, Rate):
            raise ValueError(f"{function} runs by {expression}: how often in a month?")
        _repeat(ledger, function, schedule, [table for name, table in used if name == function])
    return ledger


def _repeat(ledger: Ledger, function: str, schedule: Rate, tables: list[str]) -> None:
    """Count a month of runs of a function that uses these tables."""
    runs = int(MONTH / schedule.every)
    kind = ledger.kind(function, function)
    mean = sum(kind.samples_ms) / len(kind.samples_ms)
    ledger.count(function, runs - kind.done.calls, function)
    ledger.at_once[function].clear()
    window = 60 * habits().cloud.key_minutes
    for run in range(runs):
        second = run * schedule.every.total_seconds()
        ledger.busy(function, 1000 * second, mean)
        for table in tables:
            ledger.keys.add((function, table, int(second // window)))


def kept_by(stage: Stage) -> Kept:
    """What the stage's tables and files hold, and what watches them."""
    connection = stage.engine.context.storage.connection
    size, count = connection.execute("SELECT coalesce(sum(size), 0), count(*) FROM items").fetchone()
    files = sum(file.stat().st_size for file in stage.files.root.rglob("*") if file.is_file())
    watch = read_template(WATCH_TEMPLATE)["Resources"].values()
    alarms = sum(resource["Type"] == "AWS::CloudWatch::Alarm" for resource in watch)
    return Kept(size + PER_ITEM * count, files, alarms, len(stage.figures.sums))


def idle_after(day: Day) -> tuple[Ledger, Kept]:
    """The month after a day."""
    return idle_month(day.stage), kept_by(day.stage)
