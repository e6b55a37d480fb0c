"""Log lines and figures: enough to find a fault by, and nothing about anybody."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from chalicelib.gateways import logs
from chalicelib.gateways.metrics import EmbeddedMetrics
from chalicelib.services.world import use
from infra.local.engine import Engine
from infra.local.files import LocalFiles
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import OWNER_PHONE, open_hall, phone
from tests.support.world import SECRET, TestWorld

NAMES = [f"选手{number}" for number in range(100, 108)]
PHONES = [OWNER_PHONE, *(phone(number) for number in range(100, 108))]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What the process logs, through the handler that it has in AWS and with the same levels."""
    written = io.StringIO()
    handler, root, ours = logs.handler(written), logging.getLogger(), logging.getLogger(logs.OURS)
    levels, kept, propagate = (root.level, ours.level), ours.handlers, ours.propagate
    root.addHandler(handler)
    # Chalice gives the application's logger a handler of its own.
    ours.handlers, ours.propagate = [], True
    root.setLevel(logging.WARNING)
    ours.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(levels[0])
    ours.setLevel(levels[1])
    ours.handlers, ours.propagate = kept, propagate


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_where_and_what_kind_but_never_the_message(stream: io.StringIO) -> None:
    try:
        try:
            raise ValueError("选手001 13800130001")
        except ValueError as inner:
            raise RuntimeError("选手002") from inner
    except RuntimeError:
        logging.getLogger("guanjun.test").exception("event %s", "e-1")
    (line,) = lines(stream)
    assert line["message"] == "event e-1"
    assert line["level"] == "ERROR"
    assert line["exception"] == ["builtins.RuntimeError", "builtins.ValueError"]
    assert [frame.split()[-1] for frame in line["frames"]] == [
        test_a_line_says_where_and_what_kind_but_never_the_message.__name__
    ] * 2
    assert {"service", "stage", "function", "timestamp", "location"} <= set(line)
    assert "选手" not in stream.getvalue()
    assert "1380013" not in stream.getvalue()


def test_an_error_of_aws_is_known_by_its_code(stream: io.StringIO) -> None:
    try:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "选手001"}}, "PutItem")
    except ClientError:
        logging.getLogger("guanjun.test").exception("a write failed")
    (line,) = lines(stream)
    assert line["exception"] == ["botocore.exceptions.ClientError AccessDeniedException PutItem"]


def test_other_libraries_values_are_left_out(stream: io.StringIO) -> None:
    logging.getLogger("somebody.else").warning("cannot parse %s", "选手001")
    (line,) = lines(stream)
    assert line["message"] == "cannot parse %s"


class TalkativeDisk(LocalFiles):
    """Files that fail at the worst moment, quoting everybody."""

    failing = False

    def put_if_match(self, key: str, *given: Any) -> str:
        if self.failing:
            raise OSError(f"cannot write {key} for {' '.join(NAMES + PHONES)}")
        return super().put_if_match(key, *given)


def play(owner_world: TestWorld, engine: Engine, files: TalkativeDisk) -> None:
    """A round from registration to settlement, with everything going wrong that can."""
    hall = open_hall(owner_world)
    numbers = hall.enter(4, first=100)
    for number in numbers:
        hall.owner.put(hall.path(f"/entries/{number}/check-in"), {"checked_in": True})
    hall.start_round()
    Browser().post(hall.path("/searches"), {"text": NAMES[0]})
    grid = hall.owner.get(hall.path("/current-tables")).json["tables"]
    pump = Pump(engine)
    for table in grid:
        for side in ("ns", "ew"):
            player = hall.player(table[side]["number"])
            word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": owner_world.now()}
            sent = player.post(hall.path(f"/rounds/1/tables/{table['table']}/submissions"), word)
            assert sent.status == 201, sent.json
    files.failing = True
    assert pump.hand("standings", pump.waiting("standings")) != []
    version = hall.owner.get(hall.path("/rounds/1")).json["version"]
    failed = hall.owner.post(hall.path("/rounds/1/settlement"), {"version": version})
    assert failed.status == 500
    files.failing = False
    hall.owner.post(hall.path("/entries"), {"players": [{"name": NAMES[0], "phone": PHONES[1]}]})
    pump.run()


def test_the_log_of_a_whole_round_names_nobody(
    world: TestWorld, engine: Engine, stream: io.StringIO, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = TalkativeDisk(tmp_path / "talkative", SECRET)
    talking = replace(world, files=files, metrics=EmbeddedMetrics())
    use(talking)
    play(talking, engine, files)
    written = stream.getvalue()
    figures = capsys.readouterr().out
    # It did log: each failure above, and figures of what went well.
    messages = [line["message"] for line in lines(stream)]
    assert [each for each in messages if "could not be copied" in each]
    assert [each for each in messages if each.startswith("unexpected error in POST")]
    assert [each for each in messages if each.startswith("event ")]
    for text in (written, figures):
        for word in (*NAMES, *PHONES, "选手", "1380013"):
            assert word not in text


def test_figures_are_metrics_of_the_stage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("STAGE", "dev")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "guanjun")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Guanjun")
    metrics = EmbeddedMetrics()
    metrics.add("Submissions")
    metrics.add("StandingsMilliseconds", 120)
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    for line, name, unit in ((first, "Submissions", "Count"), (second, "StandingsMilliseconds", "Milliseconds")):
        (directive,) = line["_aws"]["CloudWatchMetrics"]
        assert directive["Namespace"] == "Guanjun"
        assert sorted(directive["Dimensions"][0]) == ["service", "stage"]
        assert directive["Metrics"] == [{"Name": name, "Unit": unit}]
    assert (first["stage"], first["service"]) == ("dev", "guanjun")


def test_configuring_leaves_no_way_around(monkeypatch: pytest.MonkeyPatch) -> None:
    root, chatty = logging.getLogger(), logging.getLogger("guanjun-test-chatty")
    before = root.handlers, root.level, logging.getLogger(logs.OURS).level
    kept = {name: logging.getLogger(name).handlers for name in list(logging.Logger.manager.loggerDict)}
    chatty.addHandler(logging.StreamHandler(io.StringIO()))
    try:
        logs.configure()
        assert len(root.handlers) == 1
        assert chatty.handlers == []
        assert all(logging.getLogger(name).propagate for name in kept)
    finally:
        root.handlers, level, ours = before
        root.setLevel(level)
        logging.getLogger(logs.OURS).setLevel(ours)
        for name, handlers in kept.items():
            logging.getLogger(name).handlers = handlers
