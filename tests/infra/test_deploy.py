"""The deploy tool's own decisions, those that need no cloud."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from infra.deploy import smoke
from infra.deploy.account import Account
from infra.deploy.deploying import Options
from infra.deploy.preflight import Level, preflight
from infra.deploy.site import site_files
from infra.deploy.smoke import Seen
from infra.deploy.stacks import Change, Found, _parameters, summary
from infra.deploy.stages import STAGES, stage_named
from infra.launcher.errors import SetupError
from infra.launcher.main import run_command
from infra.local.edge import read_edge
from tests.support.pages import small_pages

EDGE = read_edge()


def test_only_prod_refuses_to_lose_its_tables() -> None:
    assert {name: stage.protect for name, stage in STAGES.items()} == {"dev": False, "prod": True}
    with pytest.raises(SetupError, match="dev, prod"):
        stage_named("produ")


def test_what_is_not_named_keeps_what_it_had() -> None:
    template = {"Parameters": {"Stage": {}, "AlarmEmail": {}, "HostName": {}, "New": {}}}
    before = Found("UPDATE_COMPLETE", {"Stage": "dev", "AlarmEmail": "a@example.org", "HostName": "x"}, {})
    assert _parameters(template, {"Stage": "dev", "HostName": ""}, before) == [
        {"ParameterKey": "Stage", "ParameterValue": "dev"},
        {"ParameterKey": "AlarmEmail", "UsePreviousValue": True},
        # Empty is a value: the host name is taken away.
        {"ParameterKey": "HostName", "ParameterValue": ""},
    ]


def test_switching_the_firewall_off_takes_it_from_the_edge() -> None:
    assert Options(waf=False).parameters() == {"WebAclArn": ""}
    assert Options(waf=None).parameters() == Options(waf=True).parameters() == {}


def test_changes_are_counted_by_kind() -> None:
    changes = [Change("Add", "A", "X", replaced=False), Change("Modify", "B", "X", replaced=True)]
    assert summary([]) == "nothing to change"
    assert summary([*changes, changes[0]]) == "2 to add, 1 to modify"
    assert str(changes[1]) == "Modify  B (X) - REPLACED"


def test_pages_are_uploaded_after_what_they_refer_to(tmp_path: Path) -> None:
    pages = small_pages(tmp_path / "pages")
    (pages / ".guanjun-stamp").write_text("not a page")
    keys = [file.key for file in site_files(pages, EDGE)]
    assert keys[0] == "assets/app.js"
    assert set(keys[1:]) == {page.removeprefix("/") for _, page in EDGE.pages} | {"sw.js"}
    by_key = {file.key: file for file in site_files(pages, EDGE)}
    assert "immutable" in by_key["assets/app.js"].cache_control
    assert by_key["play.html"].cache_control == "no-cache"
    assert by_key["play.html"].media_type == "text/html; charset=utf-8"


def test_pages_that_are_incomplete_or_strange_are_not_deployed(tmp_path: Path) -> None:
    pages = small_pages(tmp_path / "pages")
    (pages / "play.html").unlink()
    with pytest.raises(SetupError, match=r"lack play\.html"):
        site_files(pages, EDGE)
    (pages / "notes.docx").write_bytes(b"")
    with pytest.raises(SetupError, match=r"notes\.docx"):
        site_files(pages, EDGE)


def healthy(address: str) -> Seen:
    """A stage in which everything is right."""
    path = address.removeprefix("https://edge")
    headers = {name.lower(): value for name, value in {**EDGE.headers, **EDGE.cloud_headers}.items()}
    if address.startswith("https://api"):
        return Seen(403, {}, b"")
    if path == "/api/time":
        return Seen(200, headers, json.dumps({"now": int(time.time() * 1000)}).encode())
    if path == "/api/events":
        return Seen(401, {"content-type": "application/problem+json"}, b"{}")
    if path.startswith("/pub/"):
        return Seen(404, headers, b"")
    return Seen(200, headers, EDGE.page_of(path).encode())


@pytest.mark.parametrize(
    ("broken", "seen", "told"),
    [
        ("https://edge/api/time", Seen(502, {}, b""), "/api/time: 502"),
        ("https://edge/api/time", Seen(200, {}, b'{"now": 1}'), "clock"),
        ("https://edge/p/smoke-test", Seen(404, {}, b""), "/p/smoke-test: 404"),
        ("https://edge/", Seen(200, {}, b"/index.html"), "headers"),
        ("https://edge/api/events", Seen(200, {}, b"[]"), "no refusal"),
        ("https://edge/pub/no-such-event/pulse.json", Seen(200, {}, b""), "/pub"),
        ("https://api/time", Seen(200, {}, b""), "by way of the edge"),
    ],
)
def test_the_smoke_test_sees_what_is_broken(broken: str, seen: Seen, told: str) -> None:
    assert smoke.faults("https://edge", "https://api", EDGE, healthy) == []
    (fault,) = smoke.faults("https://edge", "https://api", EDGE, lambda at: seen if at == broken else healthy(at))
    assert told in fault


def test_a_new_edge_is_given_time() -> None:
    asked = 0

    def slow(address: str) -> Seen:
        nonlocal asked
        asked += 1
        if asked < 3:
            raise OSError("no such host")
        return healthy(address)

    slept: list[float] = []
    smoke.check("https://edge", "https://api", EDGE, slow, sleep=slept.append)
    assert slept == [smoke.PAUSE_SECONDS] * 2
    with pytest.raises(SetupError, match="nobody answers"):
        smoke.check(
            "https://edge", "https://api", EDGE, lambda at: (_ for _ in ()).throw(OSError()), sleep=slept.append
        )


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Somebody without credentials."""
    for name in (
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_PROFILE",
        "AWS_DEFAULT_REGION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.mark.usefixtures("stranger")
@pytest.mark.parametrize(
    ("region", "told"), [(None, "AWS_REGION"), ("cn-north-1", "ICP"), ("ap-east-1", "credentials")]
)
def test_preflight_stops_before_anything_is_touched(
    monkeypatch: pytest.MonkeyPatch, region: str | None, told: str
) -> None:
    monkeypatch.delenv("AWS_REGION", raising=False)
    (finding,) = preflight(Account(region), STAGES["dev"])
    assert finding.level is Level.STOP
    assert told in finding.text


@pytest.mark.usefixtures("stranger")
@pytest.mark.parametrize("words", [["status", "dev"], ["destroy", "dev", "--confirm", "dev"], ["status", "nothing"]])
def test_a_command_that_cannot_ask_aws_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.setenv("AWS_REGION", "ap-east-1")
    assert run_command(words) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("guanjun: ")
    assert "Traceback" not in errors


def test_destroying_without_the_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWS_REGION", "ap-east-1")
    assert run_command(["destroy", "prod", "--confirm", "dev"]) == 1
    assert "--confirm prod" in capsys.readouterr().err
