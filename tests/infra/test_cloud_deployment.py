"""A stage deployed into an emulated cloud by the real tool, and an evening's first round played there.

What runs is what AWS gets: the templates, the zip, CloudFront -> API Gateway -> Lambda -> DynamoDB
-> stream -> Lambda -> S3 -> CloudFront.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.ministack import running
from tests.support.cloud import Cloud, CloudBrowser, packaged, text_messages
from tests.support.cloud import environment as environment_of
from tests.support.pages import small_pages

pytestmark = [pytest.mark.cloud, pytest.mark.xdist_group("cloud")]

PHONE = "13800130001"
PAIRS = 4
MOST_SECONDS = 60.0


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """A stage in a new, empty emulated cloud; its functions are processes of this machine."""
    package = packaged(tmp_path_factory.mktemp("package"))
    work: Path = tmp_path_factory.mktemp("ministack")
    with running(work) as ministack, pytest.MonkeyPatch.context() as environment:
        for name, value in environment_of(ministack).items():
            environment.setenv(name, value)
        cloud = Cloud(ministack, package, small_pages(tmp_path_factory.mktemp("pages")))
        cloud.deploy()
        yield cloud


@pytest.fixture(scope="module")
def organizer(cloud: Cloud) -> CloudBrowser:
    """Somebody who signed in with the code of a text message."""
    browser = CloudBrowser(cloud)
    browser.ask("POST", "/auth/codes", {"phone": PHONE})
    (message,) = text_messages(cloud.ministack, f"+86{PHONE}")
    code = "".join(letter for letter in message if letter.isdigit())[:6]
    browser.csrf = browser.ask("POST", "/auth/session", {"phone": PHONE, "code": code})["csrf"]
    return browser


@pytest.fixture(scope="module")
def event(organizer: CloudBrowser) -> str:
    """An event of four pairs, its first round in play; returns the event's id."""
    new = {"name": "云上之夜", "kind": "pairs", "rounds": 3, "minutes_per_round": 40}
    event_id = organizer.ask("POST", "/events", new)["event_id"]
    for number in range(1, PAIRS + 1):
        players = [{"name": f"选手{number}{side}", "phone": f"138001300{number}{side}"} for side in (1, 2)]
        organizer.ask("POST", f"/events/{event_id}/entries", {"players": players})
    drawn = organizer.ask("POST", f"/events/{event_id}/rounds", {})
    at = {"version": drawn["version"]}
    published = organizer.ask("POST", f"/events/{event_id}/rounds/1/publication", at)
    clock = {"action": "start", "version": published["clock"]["version"]}
    organizer.ask("POST", f"/events/{event_id}/rounds/1/clock", clock)
    return str(event_id)


def eventually(look: Callable[[], Any]) -> Any:
    """What `look` finds, once it finds something; streams take their time."""
    deadline = time.monotonic() + MOST_SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline, look
        time.sleep(0.25)
    return found


def phone_of(cloud: Cloud, event_id: str, entry: int) -> CloudBrowser:
    """A player's phone that has found itself by its number."""
    phone = CloudBrowser(cloud)
    text = f"138001300{entry}1"
    (candidate,) = phone.ask("POST", f"/events/{event_id}/searches", {"text": text})["candidates"]
    chosen = {"number": candidate["number"], "player": candidate["player"], "text": text}
    phone.csrf = phone.ask("POST", f"/events/{event_id}/devices", chosen)["csrf"]
    return phone


def test_the_api_tells_the_time_in_milliseconds(cloud: Cloud) -> None:
    told = CloudBrowser(cloud).send("GET", "/time")
    assert told.status == 200
    assert {"no-store", "no-cache"} & set(told.headers["cache-control"].split(", "))
    (now,) = told.body.values()
    assert abs(now - time.time() * 1000) < 60_000


def test_a_refusal_of_the_program_is_a_problem_document(cloud: Cloud) -> None:
    refused = CloudBrowser(cloud).send("GET", "/events")
    assert refused.status == 401
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.body["code"] == "sign_in_required"


def test_scores_become_standings_by_way_of_the_streams(cloud: Cloud, organizer: CloudBrowser, event: str) -> None:
    grid = organizer.ask("GET", f"/events/{event}/rounds/1/tables")["tables"]
    assert len(grid) == PAIRS // 2
    for table in grid:
        levels = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": int(time.time() * 1000)}
        path = f"/events/{event}/rounds/1/tables/{table['table']}/submissions"
        for side in ("ns", "ew"):
            phone = phone_of(cloud, event, table[side]["number"])
            first = phone.send("POST", path, levels, key="one-tap-of-the-button")
            again = phone.send("POST", path, levels, key="one-tap-of-the-button")
            assert (first.status, again.status) == (201, 201), first.body
            assert again.body == first.body
    winners = {table["ns"]["number"] for table in grid}

    def ranked() -> Any:
        standings = organizer.ask("GET", f"/events/{event}/standings")
        counted = {row["number"] for row in standings["rows"] if row["rank"] == 1}
        return standings if counted == winners else None

    standings = eventually(ranked)
    assert [row["rank"] for row in standings["rows"]] == [1, 1, 3, 3]
    assert organizer.ask("GET", f"/events/{event}/comparison")["equal"] is True


def test_the_public_reads_pulse_and_pages_from_the_site_bucket(
    cloud: Cloud, organizer: CloudBrowser, event: str
) -> None:
    site, files = cloud.outputs["SiteBucket"], cloud.client("s3")

    def read(key: str) -> Any:
        return json.loads(files.get_object(Bucket=site, Key=key)["Body"].read())

    def current() -> Any:
        pulse = read(f"pub/{event}/pulse.json")
        return pulse if pulse["standings"] else None

    pulse = eventually(current)
    assert (pulse["round"], pulse["clock"]["state"]) == (1, "running")
    names = [found["Key"] for found in files.list_objects_v2(Bucket=site, Prefix=f"pub/{event}/")["Contents"]]
    assert [name for name in names if f"/{pulse['standings']}/" in name], names
    public = "".join(json.dumps(read(name), ensure_ascii=False) for name in names)
    assert "选手11" in public
    assert "1380013" not in public


def test_the_functions_leave_nothing_in_the_failures_bucket(cloud: Cloud, event: str) -> None:
    kept = cloud.client("s3").list_objects_v2(Bucket=cloud.outputs["FailuresBucket"])
    assert kept["KeyCount"] == 0


@pytest.mark.parametrize("function", ["CloseRegistrationsFunction", "SweepFunction"])
def test_a_scheduled_function_runs(cloud: Cloud, event: str, function: str) -> None:
    tick = {"source": "aws.events", "detail-type": "Scheduled Event", "time": "2026-10-01T12:00:00Z", "detail": {}}
    whole = {**tick, "version": "0", "id": "1", "account": "123456789012", "region": "us-east-1", "resources": []}
    answer = cloud.client("lambda").invoke(FunctionName=cloud.outputs[function], Payload=json.dumps(whole).encode())
    assert "FunctionError" not in answer, answer["Payload"].read()
    assert json.loads(answer["Payload"].read()) == 0
