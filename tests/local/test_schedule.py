"""Schedule expressions, and the ticker that runs them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.local.files import LocalFiles
from infra.local.lifecycle import forget_old
from infra.local.schedule import parse_schedule
from infra.local.templates import DATA_TEMPLATE, read_template
from infra.local.ticker import Ticker

START = datetime(2026, 9, 28, 11, 59, 30, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("expression", "moment", "due"),
    [
        ("cron(0 12 * * ? *)", datetime(2026, 9, 28, 12, 0, 40, tzinfo=UTC), True),
        ("cron(0 12 * * ? *)", datetime(2026, 9, 28, 12, 1, tzinfo=UTC), False),
        ("cron(0/15 * * * ? *)", datetime(2026, 9, 28, 3, 45, tzinfo=UTC), True),
        ("cron(0/15 * * * ? *)", datetime(2026, 9, 28, 3, 46, tzinfo=UTC), False),
        ("cron(30 8 ? * MON-FRI *)", datetime(2026, 9, 28, 8, 30, tzinfo=UTC), True),
        ("cron(30 8 ? * MON-FRI *)", datetime(2026, 9, 27, 8, 30, tzinfo=UTC), False),
        ("cron(30 8 ? * 1 *)", datetime(2026, 9, 27, 8, 30, tzinfo=UTC), True),
        ("cron(0 0 1 JAN,JUL ? 2026-2027)", datetime(2027, 7, 1, tzinfo=UTC), True),
        ("cron(0 0 1 JAN,JUL ? 2026-2027)", datetime(2028, 7, 1, tzinfo=UTC), False),
        ("rate(1 minute)", START, True),
    ],
)
def test_expressions(expression: str, moment: datetime, due: bool) -> None:
    assert parse_schedule(expression).is_due(None, moment) is due


def test_a_minute_of_cron_runs_once() -> None:
    noon = datetime(2026, 9, 28, 12, 0, tzinfo=UTC)
    schedule = parse_schedule("cron(0 12 * * ? *)")
    assert schedule.is_due(noon - timedelta(days=1), noon + timedelta(seconds=5))
    assert not schedule.is_due(noon + timedelta(seconds=5), noon + timedelta(seconds=6))


def test_missed_runs_become_one() -> None:
    schedule = parse_schedule("rate(5 minutes)")
    assert not schedule.is_due(START, START + timedelta(minutes=4, seconds=59))
    assert schedule.is_due(START, START + timedelta(hours=9))


@pytest.mark.parametrize(
    "expression",
    ["", "rate(1 week)", "rate(minute)", "cron(* * * *)", "cron(61 * * * ? *)", "cron(0 0 L * ? *)", "every day"],
)
def test_what_is_no_schedule_is_refused(expression: str) -> None:
    with pytest.raises(ValueError):
        parse_schedule(expression)


def test_the_ticker_runs_what_is_due_and_survives_failures() -> None:
    now = [START]
    calls: Counter[str] = Counter()
    events: list[dict[str, Any]] = []

    def invoke(function: str, event: dict[str, Any]) -> None:
        calls[function] += 1
        events.append(event)
        if function == "fails":
            raise RuntimeError("on purpose")

    ticker = Ticker(
        None, {"each": "rate(1 minute)", "fails": "rate(1 hour)", "noon": "cron(0 12 * * ? *)"}, invoke, lambda: now[0]
    )
    started = []
    for seconds in (0, 10, 30, 31, 60):
        now[0] = START + timedelta(seconds=seconds)
        started.append(sorted(ticker.start_due()))
        ticker.wait_for_functions()
    assert started == [["each", "fails"], [], ["noon"], [], ["each"]]
    assert calls == {"each": 2, "fails": 1, "noon": 1}
    assert events[0]["source"] == "aws.events"
    assert events[0]["time"] == "2026-09-28T11:59:30Z"


def test_private_files_live_as_long_as_in_the_cloud(tmp_path: Path) -> None:
    now = [1_790_000_000.0]
    files = LocalFiles(tmp_path, b"a secret", lambda: now[0])
    keys = ["backups/event/001.json.gz", "downloads/event/job-file", "pub/event/pulse.json", "uploads/event/roster"]
    for key in keys:
        files.put(key, b"x", "text/plain", "no-store")
    template = read_template(DATA_TEMPLATE)
    gone = []
    for hours in (23, 2, 33 * 24, 2 * 24):
        now[0] += hours * 3600
        gone.append(forget_old(files, template))
    assert gone == [0, 2, 0, 1]
    assert files.list_prefix("pub/") == ["pub/event/pulse.json"]
