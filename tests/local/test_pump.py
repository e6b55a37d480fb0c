"""Streams to functions: order, retries, partial failures, bisecting, dead letters, restarts."""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest

from infra.local import delivery
from infra.local import pump as pump_module
from infra.local.delivery import Stopped
from infra.local.engine import Engine
from infra.local.event_filters import read_patterns
from infra.local.event_sources import StreamSource
from infra.local.pump import Lane, Pump, lanes
from tests.local.writer import TABLE


class Worker:
    """A function that notes what it was handed and fails as told: by raising, or by reporting."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.raises: dict[str, int] = {}
        self.reports: dict[str, int] = {}
        self.done: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, function: str, event: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            names = [record["dynamodb"]["NewImage"]["step"]["S"] for record in event["Records"]]
            self.batches.append(names)
            for name in names:
                if self.raises.get(name, 0):
                    self.raises[name] -= 1
                    raise RuntimeError(name)
            for record, name in zip(event["Records"], names, strict=True):
                if self.reports.get(name, 0):
                    self.reports[name] -= 1
                    return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
                self.done.append(name)
        return {"batchItemFailures": []}


@pytest.fixture
def table(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Engine:
    engine.call("CreateTable", TABLE)
    # Retries without their pauses; the pauses are not what is tested.
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.0)
    return engine


def source(**changes: Any) -> StreamSource:
    settings: dict[str, Any] = {
        "function": "standings",
        "table": "t",
        "batch_size": 5,
        "lanes": 1,
        "max_retries": 3,
        "bisects": True,
        "reports_failures": True,
        "patterns": (),
    }
    return StreamSource(**{**settings, **changes})


def put(engine: Engine, key: str, step: str, **more: Any) -> None:
    engine.call("PutItem", {"TableName": "t", "Item": {"pk": {"S": key}, "step": {"S": step}, **more}})


def fill(engine: Engine, count: int) -> list[str]:
    steps = [f"{position:02d}" for position in range(count)]
    for step in steps:
        put(engine, f"key {step}", step)
    return steps


def lane(engine: Engine, worker: Worker, letters: Path, **changes: Any) -> Lane:
    (only,) = lanes(engine, source(**changes), worker, letters, threading.Event())
    return only


def drain(consumer: Lane) -> None:
    while consumer.step():
        pass


def test_records_come_in_order_and_in_batches(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 12)
    worker = Worker()
    drain(lane(table, worker, tmp_path))
    assert worker.batches == [steps[:5], steps[5:10], steps[10:]]


def test_a_restart_goes_on_where_it_stopped(table: Engine, tmp_path: Path) -> None:
    worker = Worker()
    fill(table, 3)
    drain(lane(table, worker, tmp_path))
    put(table, "later", "later")
    drain(lane(table, worker, tmp_path))
    assert worker.done == ["00", "01", "02", "later"]


def test_a_filtered_record_is_passed_over(table: Engine, tmp_path: Path) -> None:
    pattern = '{"dynamodb": {"NewImage": {"wakes": {"N": ["1"]}}}}'
    patterns = read_patterns({"Filters": [{"Pattern": pattern}]})
    put(table, "a", "quiet", wakes={"N": "0"})
    put(table, "b", "loud", wakes={"N": "1"})
    put(table, "c", "without")
    worker = Worker()
    drain(lane(table, worker, tmp_path, patterns=patterns))
    assert worker.batches == [["loud"]]


def test_a_passing_error_is_retried(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 3)
    worker = Worker()
    worker.raises["01"] = 2
    drain(lane(table, worker, tmp_path, bisects=False))
    assert worker.batches == [steps] * 3
    assert worker.done == steps


def test_a_reported_failure_is_retried_from_there(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 5)
    worker = Worker()
    worker.reports["02"] = 1
    drain(lane(table, worker, tmp_path))
    assert worker.batches == [steps, steps[2:]]
    assert worker.done == steps


def test_a_poison_record_is_put_aside_and_blocks_nobody(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 5)
    worker = Worker()
    worker.raises["03"] = 1_000
    drain(lane(table, worker, tmp_path))
    assert worker.done == [step for step in steps if step != "03"]
    # One attempt and three retries of the record alone, after the batch was halved around it.
    assert worker.batches.count(["03"]) == 4
    (letter,) = (tmp_path / "standings").glob("*.json")
    written = msgspec.json.decode(letter.read_bytes())
    assert [record["dynamodb"]["NewImage"]["step"]["S"] for record in written["records"]] == ["03"]
    assert "RuntimeError" in written["error"]


def test_without_bisecting_the_whole_batch_is_put_aside(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 7)
    worker = Worker()
    worker.raises["03"] = 1_000
    drain(lane(table, worker, tmp_path, bisects=False))
    assert worker.done == steps[5:]
    (letter,) = (tmp_path / "standings").glob("*.json")
    assert len(msgspec.json.decode(letter.read_bytes())["records"]) == 5


@pytest.mark.parametrize("failure", [{"itemIdentifier": ""}, {"itemIdentifier": None}, {}])
def test_a_failure_that_names_no_record_means_the_whole_batch(table: Engine, tmp_path: Path, failure: Any) -> None:
    fill(table, 3)
    sizes: list[int] = []

    def invoke(function: str, event: dict[str, Any]) -> dict[str, Any]:
        sizes.append(len(event["Records"]))
        return {"batchItemFailures": [failure] if len(sizes) == 1 else []}

    (consumer,) = lanes(table, source(bisects=False), invoke, tmp_path, threading.Event())
    drain(consumer)
    assert sizes == [3, 3]


def test_a_stop_leaves_the_batch_for_the_next_start(table: Engine, tmp_path: Path) -> None:
    steps = fill(table, 2)
    worker = Worker()
    stop = threading.Event()
    worker.raises["00"] = 1_000

    def invoke(function: str, event: dict[str, Any]) -> dict[str, Any]:
        stop.set()
        return worker(function, event)

    with pytest.raises(Stopped):
        lanes(table, source(), invoke, tmp_path, stop)[0].step()
    worker.raises.clear()
    drain(lane(table, worker, tmp_path))
    assert worker.done == steps


def test_a_function_that_is_switched_off_gets_all_of_it_later(table: Engine, tmp_path: Path) -> None:
    """Whoever writes while it is off knows that nothing is handed over, even if the records were read before."""
    switches, worker, stop = tmp_path / "off", Worker(), threading.Event()
    switches.mkdir()
    (consumer,) = lanes(table, source(), worker, tmp_path, stop, switches)
    (switches / "others").touch()
    steps = fill(table, 2)
    drain(consumer)
    assert worker.done == steps

    (switches / "standings").touch()
    later = ["a", "b", "c"]
    for step in later:
        put(table, "later", step)
    stop.set()
    with pytest.raises(Stopped):
        consumer.step()
    assert worker.done == steps
    stop.clear()
    waiting = threading.Thread(target=drain, args=(consumer,))
    waiting.start()
    (switches / "standings").unlink()
    waiting.join()
    assert worker.done == [*steps, *later]


def test_parallel_lanes_keep_the_order_of_every_key(table: Engine, tmp_path: Path) -> None:
    generator = random.Random(7)
    expected: dict[str, list[str]] = defaultdict(list)
    worker = Worker()
    finished = threading.Event()

    def invoke(function: str, event: dict[str, Any]) -> dict[str, Any]:
        answer = worker(function, event)
        if len(worker.done) >= 200:
            finished.set()
        return answer

    running = Pump(table, [source(lanes=4)], invoke, tmp_path)
    running.start()
    for position in range(200):
        key = f"key {generator.randrange(10)}"
        step = f"{key}/{position}"
        if position % 17 == 0:
            worker.raises[step] = 1
        expected[key].append(step)
        put(table, key, step)
    assert finished.wait(20)
    running.stop()
    seen: dict[str, list[str]] = defaultdict(list)
    for step in worker.done:
        seen[step.split("/")[0]].append(step)
    # Handed over at least once and, first times taken, in order.
    assert {key: list(dict.fromkeys(steps)) for key, steps in seen.items()} == expected


def test_another_number_of_lanes_misses_nothing(table: Engine, tmp_path: Path) -> None:
    fill(table, 6)
    worker = Worker()
    for consumer in lanes(table, source(lanes=2), worker, tmp_path, threading.Event()):
        drain(consumer)
    before = set(worker.done)
    put(table, "later", "later")
    for consumer in lanes(table, source(lanes=3), worker, tmp_path, threading.Event()):
        drain(consumer)
    assert before == {f"{position:02d}" for position in range(6)}
    assert worker.done.count("later") == 1


def test_a_reader_of_a_quiet_stream_does_not_hold_up_trimming(
    table: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.call("CreateTable", {**TABLE, "TableName": "quiet"})
    quiet = lane(table, Worker(), tmp_path, table="quiet", function="jobs")
    fill(table, 10)
    drain(lane(table, Worker(), tmp_path))
    assert table.trim_streams(-1) == 0
    monkeypatch.setattr(pump_module, "READ_AHEAD", 1)
    quiet.step()
    assert table.trim_streams(-1) == 10
