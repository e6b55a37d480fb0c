"""A stage's life in an emulated cloud: brought up, brought up again, updated, looked after, taken down, adopted.

Runs the code that `guanjun deploy`, `status`, `admin`, `restore` and `destroy` run; only addresses are the emulator's.
"""

from __future__ import annotations

import dataclasses
import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from infra.deploy import adoption
from infra.deploy.account import Account
from infra.deploy.destroying import destroy
from infra.deploy.preflight import Level, preflight
from infra.launcher.errors import SetupError
from infra.local.ministack import running
from infra.local.runner import running as running_locally
from infra.packaging import archive
from tests.support.cloud import OPTIONS, STAGE, Cloud, CloudBrowser, packaged, text_messages
from tests.support.cloud import environment as environment_of
from tests.support.pages import PATHS, small_pages

pytestmark = [pytest.mark.cloud, pytest.mark.xdist_group("cloud")]

PHONE = "13800130001"
ADMINISTRATOR = "13800130002"
TABLES = ("Accounts", "Events", "Entries", "Matches", "Standings", "Jobs", "Idempotency", "Audit")


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """A stage that is up; the tests below run in order and bring it through its life."""
    package = packaged(tmp_path_factory.mktemp("package"))
    with running(tmp_path_factory.mktemp("ministack")) as ministack, pytest.MonkeyPatch.context() as environment:
        for name, value in environment_of(ministack).items():
            environment.setenv(name, value)
        cloud = Cloud(ministack, package, small_pages(tmp_path_factory.mktemp("pages")))
        first = cloud.deploy()
        assert [line for line in first if line.startswith("secret ")] != []
        assert first[-1] == "smoke test: passed"
        yield cloud


def sign_in(cloud: Cloud, phone: str) -> CloudBrowser:
    browser = CloudBrowser(cloud)
    browser.ask("POST", "/auth/codes", {"phone": phone})
    code = "".join(letter for letter in text_messages(cloud.ministack, f"+86{phone}")[-1] if letter.isdigit())[:6]
    browser.csrf = browser.ask("POST", "/auth/session", {"phone": phone, "code": code})["csrf"]
    return browser


@pytest.fixture(scope="module")
def organizer(cloud: Cloud) -> CloudBrowser:
    """Somebody who is signed in, and must stay so through everything that is done to the stage."""
    return sign_in(cloud, PHONE)


@pytest.fixture(scope="module")
def event(organizer: CloudBrowser) -> str:
    """An event that has to outlive all of it."""
    created = organizer.ask("POST", "/events", {"name": "长存之夜", "kind": "pairs", "rounds": 3})
    return str(created["event_id"])


def is_there(event: str, organizer: CloudBrowser) -> bool:
    return event in {line["event_id"] for line in organizer.ask("GET", "/events")["events"]}


def pages_of(cloud: Cloud) -> int:
    return len([file for file in cloud.pages.rglob("*") if file.is_file()])


def table_names(cloud: Cloud) -> set[str]:
    return {cloud.outputs[f"Table{table}"] for table in TABLES}


def test_a_second_deployment_changes_nothing(cloud: Cloud) -> None:
    said = cloud.deploy()
    assert [line for line in said if "nothing to change" in line] == [
        f"{STAGE.stack(part)}: nothing to change" for part in ("data", "app", "edge", "watch")
    ]
    assert f"pages: 0 of {pages_of(cloud)} files uploaded, 0 paths forgotten by the edge" in said
    assert not [line for line in said if line.startswith(("secret ", "code "))]


def test_preflight_finds_everything_in_order(cloud: Cloud) -> None:
    findings = preflight(Account(), STAGE)
    assert not [finding for finding in findings if finding.level is Level.STOP]
    told = "\n".join(finding.text for finding in findings)
    assert "account 123456789012, region us-east-1" in told
    # The emulator's own quota depends on the machine.
    assert re.search(r"^\d+ Lambda functions may run at once", told, re.MULTILINE)
    for part in ("data", "app", "edge", "watch"):
        assert f"{STAGE.stack(part)} is there" in told


def test_the_edge_answers_for_files_as_the_runner_does(cloud: Cloud, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The emulated edge runs the very function and policies of the template, the runner reads the same data."""
    differences = []
    with running_locally(tmp_path_factory.mktemp("data"), pages=cloud.pages, show=lambda line: None) as server:
        for path in PATHS:
            if ".." in path or "//" in path:
                continue
            there = cloud.ask(cloud.address + path)
            status, headers, body = ask(server.url + path)
            # The emulator answers 403 for what is not in a bucket, whatever the bucket's policy says.
            found = 404 if there.status == 403 else there.status
            if found != status or (status == 200 and there.body != body):
                differences.append((path, there.status, status))
            if status == 200:
                same = (
                    "content-type",
                    "cache-control",
                    "content-security-policy",
                    "referrer-policy",
                    "x-frame-options",
                )
                differences += [
                    (path, name, there.headers.get(name), headers[name])
                    for name in same
                    if there.headers.get(name) != headers[name]
                ]
                assert there.headers["strict-transport-security"]
    assert differences == []


def ask(url: str) -> tuple[int, Message, bytes]:
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def test_nobody_gets_past_the_edge(cloud: Cloud) -> None:
    api = cloud.outputs["EndpointURL"].rstrip("/")
    for headers in ({}, {"X-Origin-Secret": ""}, {"X-Origin-Secret": "a" * 64}):
        refused = cloud.send("GET", f"{api}/time", headers)
        assert (refused.status, json.loads(refused.body)["code"]) == (403, "forbidden")
    # Nor can a browser speak for the edge: what it sends under that name is replaced.
    assert cloud.send("GET", f"{cloud.address}/api/time", {"X-Origin-Secret": "a" * 64}).status == 200


def test_a_new_edge_secret_interrupts_nobody(cloud: Cloud) -> None:
    ssm, name = cloud.client("ssm"), cloud.outputs["EdgeSecretParameter"]
    before = ssm.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"]
    said = cloud.deploy(dataclasses.replace(OPTIONS, new_edge_secret=True))
    assert said[-1] == "smoke test: passed"
    new, old = ssm.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"].split()
    assert (old, new != old) == (before, True)
    assert not [line for line in said if new in line or old in line], "a secret was printed"
    api = cloud.outputs["EndpointURL"].rstrip("/")
    assert {cloud.send("GET", f"{api}/time", {"X-Origin-Secret": word}).status for word in (new, old)} == {200}


def test_a_dry_run_tells_and_changes_nothing(cloud: Cloud, tmp_path: Path) -> None:
    changed = updated(cloud, tmp_path)
    before = cloud.client("cloudformation").describe_stacks(StackName=STAGE.stack("app"))["Stacks"][0]
    changed.deployment().plan(offline=False)
    assert f"{STAGE.stack('data')}: nothing to change" in changed.said
    assert [line for line in changed.said if re.fullmatch(r"  Modify  APIHandler \(.*\)", line)]
    assert not [line for line in changed.said if "REPLACED" in line]
    after = cloud.client("cloudformation").describe_stacks(StackName=STAGE.stack("app"))["Stacks"][0]
    assert before == after


def updated(cloud: Cloud, directory: Path) -> Cloud:
    """The same stage with a newer program and newer pages."""
    files = archive.read(cloud.package.archive) | {"newer.txt": b"a newer version"}
    zipped = archive.write(files, directory / "package")
    template = directory / "app.json"
    text = cloud.package.template.read_text(encoding="utf-8").replace(cloud.package.key, zipped.name)
    template.write_text(text, encoding="utf-8")
    pages = small_pages(directory / "pages")
    (pages / "play.html").write_text("a newer play.html", encoding="utf-8")
    return dataclasses.replace(
        cloud, package=dataclasses.replace(cloud.package, archive=zipped, template=template), pages=pages, said=[]
    )


def test_an_update_brings_program_and_pages_and_keeps_the_data(
    cloud: Cloud, event: str, organizer: CloudBrowser, tmp_path: Path
) -> None:
    names = table_names(cloud)
    changed = updated(cloud, tmp_path)
    said = changed.deploy()
    assert f"{STAGE.stack('data')}: nothing to change" in said
    assert f"code {changed.package.key[:12]}: uploaded" in said
    assert f"pages: 1 of {pages_of(changed)} files uploaded, 1 paths forgotten by the edge" in said
    assert changed.ask(f"{changed.address}/p/x").body == b"a newer play.html"
    assert table_names(cloud) == names
    assert is_there(event, organizer)


def test_a_change_that_fails_goes_back_and_says_why(cloud: Cloud, tmp_path: Path) -> None:
    template = json.loads(cloud.package.template.read_text(encoding="utf-8"))
    template["Resources"]["Standings"]["Properties"]["CodeUri"]["Key"] = "no-such-package.zip"
    broken = tmp_path / "app.json"
    broken.write_text(json.dumps(template), encoding="utf-8")
    bad = dataclasses.replace(cloud, package=dataclasses.replace(cloud.package, template=broken), said=[])
    with pytest.raises(SetupError, match=r"(?s)app could not be changed.*To go back to an earlier version"):
        bad.deploy()
    assert not [line for line in bad.said if line.startswith("pages")], "pages changed although the program did not"
    assert cloud.ask(f"{cloud.address}/api/time").status == 200
    assert cloud.deploy()[-1] == "smoke test: passed"


def test_the_commands_tell_how_it_is_and_make_an_administrator(cloud: Cloud) -> None:
    status = cloud.command("status", "dev")
    assert status.returncode == 0, status.stderr
    assert cloud.address in status.stdout
    assert re.search(r"alarms +\d+ of 12 ring", status.stdout)
    assert re.search(r"batches given up +0 ", status.stdout)
    made = cloud.command("admin", ADMINISTRATOR, "--stage", "dev")
    assert made.returncode == 0, made.stderr
    session = sign_in(cloud, ADMINISTRATOR).ask("GET", "/auth/session")
    assert session["account"]["platform_administrator"] is True


def test_an_event_is_restored_into_the_stage(cloud: Cloud, organizer: CloudBrowser, tmp_path: Path) -> None:
    document = {
        "format": "guanjun-event/1",
        "event": {"name": "恢复之夜", "kind": "pairs", "rounds": 3},
        "entries": [
            {"no": number, "players": [{"name": f"选手{number}1"}, {"name": f"选手{number}2"}]}
            for number in (1, 2, 3, 4)
        ],
        "rounds": [
            {
                "no": 1,
                "tables": [
                    {"table": 1, "ns": 1, "ew": 2, "ns_level": "A", "ew_level": "9"},
                    {"table": 2, "ns": 3, "ew": 4, "ns_level": "5", "ew_level": "A"},
                ],
            }
        ],
    }
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    done = cloud.command("restore", str(file), "--owner", PHONE, "--stage", "dev")
    assert done.returncode == 0, done.stderr
    event_id = done.stdout.split()[3].rstrip(";")
    rows = organizer.ask("GET", f"/events/{event_id}/standings")["rows"]
    assert [row["number"] for row in sorted(rows, key=lambda row: row["rank"])][:2] == [4, 1]
    pulse = json.loads(cloud.ask(f"{cloud.address}/pub/{event_id}/pulse.json").body)
    assert (pulse["round"], pulse["phase"], pulse["name"]) == (1, "settled", "恢复之夜")


def test_destroying_needs_the_name_twice(cloud: Cloud) -> None:
    refused = cloud.command("destroy", "dev")
    assert refused.returncode == 1
    assert "--confirm dev" in refused.stderr
    assert cloud.ask(f"{cloud.address}/api/time").status == 200


def test_what_is_destroyed_keeps_its_tables_and_comes_up_again(
    cloud: Cloud, event: str, organizer: CloudBrowser
) -> None:
    names = table_names(cloud)
    done = cloud.command("destroy", "dev", "--confirm", "dev")
    assert done.returncode == 0, done.stderr
    assert f"{STAGE.stack('data')}: kept" in done.stdout
    assert names <= set(cloud.client("dynamodb").list_tables()["TableNames"])
    assert cloud.deploy()[-1] == "smoke test: passed"
    assert table_names(cloud) == names
    assert is_there(event, organizer)


def test_even_without_its_data_stack_it_adopts_the_same_tables(
    cloud: Cloud, event: str, organizer: CloudBrowser
) -> None:
    names, bucket = table_names(cloud), cloud.outputs["SiteBucket"]
    said: list[str] = []
    destroy(Account(), STAGE, data_stack=True, say=said.append, pause=0.1)
    assert {f"  kept: {name}" for name in (*names, bucket)} <= set(said)
    assert names <= set(cloud.client("dynamodb").list_tables()["TableNames"])
    kept = cloud.client("ssm").get_parameter(Name=adoption.parameter_of(STAGE))["Parameter"]["Value"]
    assert len(json.loads(kept)) == len(TABLES) + 4
    again = cloud.deploy()
    assert f"{STAGE.stack('data')}: 12 tables and buckets of an earlier deployment adopted" in again
    assert (table_names(cloud), cloud.outputs["SiteBucket"]) == (names, bucket)
    assert is_there(event, organizer)
    assert cloud.deploy()[-1] == "smoke test: passed"
