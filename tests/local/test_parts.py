"""The stack's small parts: templates, tables, filters, edge data, event sources, secret, addresses, outbox."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import boto3
import pytest
from chalice import Chalice

from infra.local.addresses import banner, qr_code, url
from infra.local.edge import DIRECTORY, read_edge
from infra.local.engine import Engine
from infra.local.engine.hook import connect
from infra.local.event_filters import passes, read_patterns
from infra.local.event_sources import schedules, stream_sources
from infra.local.outbox import Outbox
from infra.local.runner import read_settings
from infra.local.secret import deployment_secret
from infra.local.tables import ensure_tables, environment
from infra.local.templates import DATA_TEMPLATE, MERGE_TEMPLATE, read_template
from tests.local.backends import CREDENTIALS
from tests.local.toy_app import MERGE, TEMPLATE

ALL_TABLES = ("ACCOUNTS", "EVENTS", "ENTRIES", "MATCHES", "STANDINGS", "JOBS", "IDEMPOTENCY", "AUDIT")


def template(text: str, directory: Path) -> dict[str, Any]:
    (directory / "template.yaml").write_text(text, "utf-8")
    return read_template(directory / "template.yaml")


def test_short_tags_become_functions(tmp_path: Path) -> None:
    read = template(
        "a: !Ref X\nb: !GetAtt X.Y.Z\nc: !Sub 'n-${X}'\nd: !If [C, 1, !Ref Y]\ne: !Condition C\nf: !Cidr {a: 1}",
        tmp_path,
    )
    assert read == {
        "a": {"Ref": "X"},
        "b": {"Fn::GetAtt": ["X", "Y.Z"]},
        "c": {"Fn::Sub": "n-${X}"},
        "d": {"Fn::If": ["C", 1, {"Ref": "Y"}]},
        "e": {"Condition": "C"},
        "f": {"Fn::Cidr": {"a": 1}},
    }
    assert read_template(tmp_path / "absent.yaml") == {}


def test_the_data_template_makes_all_tables_once(engine: Engine) -> None:
    client = boto3.client("dynamodb", **CREDENTIALS)
    connect(client, engine)
    data = read_template(DATA_TEMPLATE)
    names = environment(data)
    assert set(names) == {f"TABLE_{name}" for name in ALL_TABLES}
    assert names["TABLE_MATCHES"] == "guanjun-local-matches"
    assert sorted(ensure_tables(client, data, names)) == sorted(names.values())
    assert ensure_tables(client, data, names) == []
    streams = {name for name in names if engine.table(names[name]).has_stream}
    assert streams == {"TABLE_MATCHES", "TABLE_STANDINGS", "TABLE_JOBS"}
    assert engine.table(names["TABLE_IDEMPOTENCY"]).ttl_attribute is not None


def test_the_toy_template_is_read_like_the_real_one(tmp_path: Path) -> None:
    assert environment(template(TEMPLATE, tmp_path)) == {
        "TABLE_MATCHES": "guanjun-local-matches",
        "TABLE_STANDINGS": "guanjun-local-standings",
    }


@pytest.mark.parametrize(
    ("pattern", "record", "passed"),
    [
        ('{"a": ["x", "y"]}', {"a": "y"}, True),
        ('{"a": ["x"]}', {"a": "z"}, False),
        ('{"a": [1]}', {"a": True}, False),
        ('{"a": {"b": ["x"]}, "c": ["z"]}', {"a": {"b": "x"}, "c": "z"}, True),
        ('{"a": {"b": ["x"]}}', {"a": "x"}, False),
        ('{"a": ["x"]}', {"a": ["w", "x"]}, True),
        ('{"a": [null]}', {"a": None}, True),
        ('{"a": [{"exists": false}]}', {}, True),
        ('{"a": [{"exists": true}]}', {}, False),
        ('{"a": [{"prefix": "ab"}]}', {"a": "abc"}, True),
        ('{"a": [{"anything-but": ["x"]}]}', {"a": "y"}, True),
        ('{"a": [{"anything-but": ["x"]}]}', {"a": "x"}, False),
    ],
)
def test_filters(pattern: str, record: dict[str, Any], passed: bool) -> None:
    assert passes(read_patterns({"Filters": [{"Pattern": pattern}]}), record) is passed


def test_filters_are_alternatives_and_none_lets_everything_pass() -> None:
    either = read_patterns({"Filters": [{"Pattern": '{"a": ["x"]}'}, {"Pattern": '{"a": ["y"]}'}]})
    assert [passes(either, {"a": letter}) for letter in "xyz"] == [True, True, False]
    assert passes(read_patterns(None), {"a": "z"})


def test_an_unknown_filter_is_found_when_it_is_read() -> None:
    with pytest.raises(ValueError, match="numeric"):
        read_patterns({"Filters": [{"Pattern": '{"b": ["x"], "a": [{"numeric": [">", 1]}]}'}]})


def application() -> Chalice:
    app = Chalice(app_name="parts")
    arn = "arn:aws:dynamodb:us-east-1:123456789012:table/matches/stream/x"

    @app.on_dynamodb_record(stream_arn=arn, batch_size=7)
    def standings(event: Any) -> None:
        """Reads a stream."""

    @app.schedule("rate(5 minutes)")
    def sweep(event: Any) -> None:
        """Runs by the clock."""

    return app


def test_event_sources_come_from_the_merge_template(tmp_path: Path) -> None:
    (found,) = stream_sources(application(), template(MERGE, tmp_path), {"TABLE_MATCHES": "m"})
    assert (found.function, found.table, found.batch_size, found.lanes) == ("standings", "m", 10, 2)
    assert (found.max_retries, found.bisects, found.reports_failures) == (2, True, True)
    assert len(found.patterns) == 1


def test_event_sources_without_a_template_use_the_code() -> None:
    (found,) = stream_sources(application(), {}, {"TABLE_MATCHES": "m"})
    assert (found.table, found.batch_size, found.lanes, found.bisects) == ("m", 7, 1, False)
    assert schedules(application()) == {"sweep": "rate(5 minutes)"}


def test_the_real_merge_template_has_filters_the_pump_understands() -> None:
    resources = read_template(MERGE_TEMPLATE)["Resources"]
    criteria = [
        source["Properties"].get("FilterCriteria")
        for resource in resources.values()
        for source in resource.get("Properties", {}).get("Events", {}).values()
    ]
    assert criteria
    for filters in criteria:
        assert read_patterns(filters)


def test_pretty_paths() -> None:
    edge = read_edge()
    pages = {path: edge.page_of(path) for path in ("/", "/p", "/p/e1", "/pub/x", "/play.html", "/c/", "/s/e/1")}
    assert pages == {
        "/": "/index.html",
        "/p": "/play.html",
        "/p/e1": "/play.html",
        "/pub/x": "/pub/x",
        "/play.html": "/play.html",
        "/c/": "/console.html",
        "/s/e/1": "/screen.html",
    }
    assert "immutable" in edge.cache_control("/assets/x.js")
    assert edge.cache_control("/sw.js") == "no-cache"


def test_edge_data_has_nothing_unknown(tmp_path: Path) -> None:
    for name in ("routes.json", "headers.json"):
        (tmp_path / name).write_bytes((DIRECTORY / name).read_bytes())
    (tmp_path / "routes.json").write_text('{"pages": [], "caching": [], "typo": 1}', "utf-8")
    with pytest.raises(ValueError, match="typo"):
        read_edge(tmp_path)


def test_the_secret_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    first = deployment_secret(tmp_path / "data" / "secret")
    assert len(first) == 64
    assert deployment_secret(tmp_path / "data" / "secret") == first
    assert deployment_secret(tmp_path / "other" / "secret") != first
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "data" / "secret").stat().st_mode) == 0o600
    (tmp_path / "broken").write_bytes(b"\n")
    with pytest.raises(ValueError, match="does not hold a secret"):
        deployment_secret(tmp_path / "broken")


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    settings = read_settings({"HOST": "0.0.0.0", "PORT": "9000", "DATA": str(tmp_path)})
    assert (settings.host, settings.port, settings.data) == ("0.0.0.0", 9000, tmp_path)
    assert read_settings({}).host == "127.0.0.1"
    assert read_settings({}).faults is None
    assert read_settings({"FAULTS": "7:0.05"}).faults is not None
    with pytest.raises(ValueError):
        read_settings({"FAULTS": "much"})
    for wrong in ("x", "-1", "70000"):
        with pytest.raises(ValueError, match="PORT"):
            read_settings({"PORT": wrong})


def test_the_banner_names_the_address() -> None:
    assert banner("127.0.0.1", 8000) == "掼军 Guanjun: http://127.0.0.1:8000/"
    assert url("::1", 80) == "http://[::1]:80/"
    assert banner("0.0.0.0", 8000).startswith("掼军 Guanjun: http://127.0.0.1:8000/")
    assert qr_code("http://192.0.2.7:8000/").count("\n") > 10


def test_the_outbox_keeps_the_newest_and_masks_the_console() -> None:
    shown: list[str] = []
    outbox = Outbox(shown.append, lambda: 12.5)
    for position in range(101):
        outbox.send("13800138000", f"验证码 {position:06d}")
    messages = outbox.messages()
    assert len(messages) == 100
    assert (messages[0].text, messages[0].sent_at) == ("验证码 000100", 12_500)
    assert shown[0] == "短信 SMS 138****8000: 验证码 000000"
