"""Both ways: what functions do, their policies allow; and what the policies allow is done.

The first is checked after every test (tests/conftest.py). For the second one event is played here through the routes
and all workers: a right that nothing uses is one too many.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

import app as application
from chalicelib.gateways.edge import CloudFront
from chalicelib.gateways.files import S3Files
from chalicelib.gateways.parameters import MissingParameters, read_secrets
from chalicelib.gateways.sms import SnsSms
from chalicelib.services.jobs import drawing
from chalicelib.store.jobs import STEP, Job, job_key
from chalicelib.store.listings import LISTING, Listing
from chalicelib.store.standings import POINTER, Pointer
from infra.launcher.paths import ROOT
from infra.local.engine import Engine
from infra.local.event_sources import schedules
from infra.local.functions import invoke
from tests.api.routes import all_routes, concrete
from tests.infra.other_acts import act_beside, let_an_order_lapse, settle_and_publish_as_jobs
from tests.infra.test_app_template import FUNCTIONS
from tests.support.client import Browser
from tests.support.file_rights import ACTS, FileRight, WatchedFiles, file_rights, files_not_allowed, grant_of
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, sign_in
from tests.support.permissions import Right, rights
from tests.support.world import TestWorld

# Rights that only an interruption uses, with the test that interrupts.
RARE: dict[tuple[str, str], str] = {}
TICK = {"source": "aws.events", "detail-type": "Scheduled Event", "time": "", "detail": {}, "resources": []}
SCHEDULED = {**TICK, "version": "0", "id": "1", "account": "000000000000", "region": "us-east-1"}


def administer(hall: Hall, engine: Engine) -> None:
    """What organizers do before and beside the rounds."""
    owner = hall.owner
    for path in ("/auth/session", "/auth/sessions", "/events", "/kinds", "/openapi.json", "/time"):
        assert owner.get(path).status == 200, path
    owner.put("/auth/profile", {"name": "甲"})
    hall.configure(name="改名", registration_deadline=hall.world.now() + 60_000, club_ranking={"on": True, "best": 2})
    hall.enter(5, club="市南")
    entry = {"players": [{"name": "丙", "phone": "13800130777"}, {"name": "丁", "phone": ""}], "version": 1}
    assert owner.put(hall.path("/entries/1"), {**entry, "name": "", "club": "", "seed": None}).status == 200
    assert owner.put(hall.path("/entries/2/check-in"), {"checked_in": True}).status == 200
    assert owner.post(hall.path("/entries/5/withdrawal"), {"withdrawn": True, "reason": "有事"}).status == 200
    roster = "队名,姓名1,手机1,姓名2,手机2\n海风,戊,13800130601,己,13800130602\n"
    for commit in (False, True):
        body = {"filename": "名单.csv", "content": _base64(roster), "commit": commit, "columns": None}
        assert owner.post(hall.path("/imports"), body).status in (200, 201)
    import_files(hall, engine)
    member = owner.post(hall.path("/members"), {"phone": "13800130888"})
    assert member.status == 201, member.json
    sign_in(hall.world, "13800130888").post("/auth/session", {})
    for each in owner.get(hall.path("/members")).json["members"]:
        if each["role"] != "owner":
            assert owner.delete(hall.path(f"/members/{each['member_id']}")).status == 200
    for path in (
        "",
        "/entries",
        "/entry-names",
        "/audit",
        "/document",
        "/public",
        "/links",
        "/members",
        "/qr/play?origin=https://example.org",
    ):
        assert owner.get(hall.path(path)).status == 200, path


def import_files(hall: Hall, engine: Engine) -> None:
    """Large files as jobs: one comes in, one has faults, one meets a phone that plays already, one is cancelled."""
    good, bad = "队名,姓名1,手机1,姓名2,手机2\n{0},庚,{1},辛,\n", "队名,姓名1\n"
    for text, cancelled in (
        (good.format("海风", "13800130611"), False),
        (bad, False),
        (good.format("海浪", "13800130612"), True),
    ):
        key = hall.owner.post(hall.path("/uploads")).json["key"]
        hall.world.files.put(key, text.encode(), "text/csv", "no-store")
        job = hall.owner.post(hall.path("/import-jobs"), {"key": key, "commit": True, "columns": None}).json["job_id"]
        if cancelled:
            # Its first entry is written when the organizer thinks better of it.
            stopped_after_a_slice(hall, engine, job)
        Pump(engine).run()
        assert hall.owner.get(hall.path(f"/import-jobs/{job}")).json["over"]


def stopped_after_a_slice(hall: Hall, engine: Engine, job_id: str) -> None:
    """Cancel a job as a step of it has saved that it wrote something."""
    cursor = {"import_id": "an-import", "first": 900, "joined": 1, "next": 1}
    Job(job_key(job_id), STEP).update(actions=[Job.cursor.set(cursor)])
    assert hall.owner.post(hall.path(f"/import-jobs/{job_id}/cancellation"), {}).json["phase"] == "cancelled"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def play(hall: Hall, engine: Engine) -> None:
    """Two rounds with everything that may happen to a table, workers running behind."""
    owner, pump = hall.owner, Pump(engine)
    drawn = owner.post(hall.path("/rounds"), {}).json
    tables = [
        {"table": each["table"], "ns": each["ns"]["numbers"], "ew": each["ew"]["numbers"]} for each in drawn["tables"]
    ]
    body = {"version": drawn["version"], "tables": tables, "byes": [each["number"] for each in drawn["byes"]]}
    assert owner.put(hall.path("/rounds/1/draft"), body).status == 200
    assert owner.delete(hall.path("/rounds/1")).status == 200
    hall.start_round()
    referee, display = hall.by_link("referee"), hall.by_link("display")
    assert display.get(hall.path("/link-session")).status == 200
    assert owner.put(hall.path("/display"), {"view": "clock", "page": None, "paused": False}).status == 200
    grid = referee.get(hall.path("/current-tables")).json["tables"]
    assert Browser().post(hall.path("/searches"), {"text": "无此人"}).status == 404
    for table in grid:
        _score(hall, table)
    officiate(hall, referee, grid[0]["table"])
    pump.run()
    for path in ("/standings", "/standings/1", "/comparison", "/rounds/1", "/rounds/1/tables"):
        assert owner.get(hall.path(path)).status == 200, path
    version = owner.get(hall.path("/rounds/1")).json["version"]
    assert owner.post(hall.path("/rounds/1/settlement"), {"version": version}).status == 200
    assert owner.post(hall.path("/rounds/1/reopening"), {"reason": "更正"}).status == 200
    draw_as_a_job(hall, pump)
    settle_and_publish_as_jobs(hall, pump)
    hall.start_round()
    pump.run()
    # Many versions of the standings, so that old ones are cleared away; the roster changes, and nobody reads it before
    # the standings do.
    for number in range(8):
        _rename(hall, f"第{number}版")
        pump.run()


def draw_as_a_job(hall: Hall, pump: Pump) -> None:
    """The next round as a large field is drawn, after names have changed that nobody has read yet; then it goes."""
    _rename(hall, "新名")
    few, drawing.AT_ONCE = drawing.AT_ONCE, 0
    try:
        job = hall.owner.post(hall.path("/drawing"), {}).json["job_id"]
    finally:
        drawing.AT_ONCE = few
    pump.run()
    assert hall.owner.get(hall.path(f"/drawing/{job}")).json["phase"] == "done"
    assert hall.owner.delete(hall.path("/rounds/2")).status == 200


def _rename(hall: Hall, name: str) -> None:
    (entry,) = (each for each in hall.owner.get(hall.path("/entries")).json["entries"] if each["number"] == 2)
    body = {"players": entry["players"], "version": entry["version"], "name": name, "club": "市南", "seed": None}
    assert hall.owner.put(hall.path("/entries/2"), body).status == 200


def _score(hall: Hall, table: dict[str, Any]) -> None:
    number = table["table"]
    for side in ("ns", "ew"):
        player = hall.player(table[side]["number"])
        assert player.get(hall.path("/me")).status == 200
        player.post(hall.path("/me/check-in"), {})
        assert (
            player.put(hall.path(f"/rounds/1/tables/{number}/running"), {"ns_level": "A", "ew_level": "9"}).status
            == 200
        )
        word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": hall.world.now()}
        assert player.post(hall.path(f"/rounds/1/tables/{number}/submissions"), word).status == 201
    player.delete(hall.path("/devices/mine"))


def officiate(hall: Hall, referee: Browser, table: int) -> None:
    """Everything that a referee does to one table."""

    def version() -> int:
        seen = referee.get(hall.path("/current-tables")).json["tables"]
        found: int = next(each["version"] for each in seen if each["table"] == table)
        return found

    here = f"/rounds/1/tables/{table}"
    ruling = {"ns_level": "A", "ew_level": "8", "outcome": "played", "winner": None, "reason": "看错"}
    assert referee.post(hall.path(f"{here}/ruling"), {**ruling, "version": version()}).status == 200
    assert referee.post(hall.path(f"{here}/lifting"), {"version": version(), "reason": "裁判"}).status == 200
    extra = {"version": version(), "minutes": 5}
    assert referee.post(hall.path(f"{here}/extra-time"), extra).status == 200
    for put_off in (True, False):
        postponed = {"version": version(), "postponed": put_off, "reason": "有事"}
        assert referee.post(hall.path(f"{here}/postponement"), postponed).status == 200
    assert referee.get(hall.path(f"{here}/history")).status == 200


def finish(world: TestWorld, hall: Hall, engine: Engine) -> None:
    """What the clock does, and the end."""
    world.time.advance(hours=2)
    assert invoke(application.app, "close_registrations", SCHEDULED) == 1
    # A line that two changes left wrong, and one of an event that is private by now.
    wrong_line = Listing.get(hall.event_id, LISTING)
    wrong_line.update([Listing.name.set("别的名称")])
    hidden = hall.owner.post("/events", {"name": "周五夜赛", "kind": "pairs", "test": True}).json["event_id"]
    line = Listing.get(hidden, LISTING)
    Hall(world, hall.owner, hidden).configure(private=True)
    line.save()
    for _ in range(6):
        # Standings that say something else than the results: the sweep has something to heal.
        wrong = [Pointer.standings_round.set(99), Pointer.fingerprint.set("none")]
        Pointer(hall.event_id, POINTER).update([*wrong, Pointer.pulse.add(1)])
        assert invoke(application.app, "sweep", SCHEDULED) == 1
    assert hall.owner.delete(hall.path("/rounds/2?reason=%E9%87%8D%E6%8E%92")).status == 200
    hall.owner.post(hall.path("/links/renewal"), {"role": "referee"})
    for route in all_routes():
        if route.method == "GET":
            assert hall.owner.get(concrete(route, hall.event_id)).status < 500, route.path
    keep_private(hall)
    for ended in (True, False):
        assert hall.owner.post(hall.path("/ending"), {"ended": ended, "reason": "散场"}).status == 200
    Pump(engine).run()
    delete_another(hall)
    world.time.advance(days=40)
    for function in schedules(application.app):
        invoke(application.app, function, SCHEDULED)


def delete_another(hall: Hall) -> None:
    """A second event with a drawn round, deleted: the schedule erases it once its thirty days are over."""
    made = hall.owner.post("/events", {"name": "周四夜赛", "kind": "pairs", "test": True})
    other = Hall(hall.world, hall.owner, made.json["event_id"])
    other.enter(4, first=800)
    other.start_round()
    assert other.owner.post(other.path("/deletion"), {"deleted": True, "name": "周四夜赛"}).status == 200


def keep_private(hall: Hall) -> None:
    """While a round is open: erase one person, encrypt the event, and set the date on which everybody's data go."""
    hall.start_round()
    assert hall.owner.post(hall.path("/entries/1/players/1/erasure"), {}).status == 200
    digits = {"x-guanjun-new-digits": "201938475610"}
    assert hall.owner.post(hall.path("/encryption"), {}, headers=digits).status == 200
    hall.configure(purge_at=hall.world.now() + 3_600_000)


@pytest.fixture
def used(world: TestWorld, engine: Engine) -> tuple[set[tuple[str, Right]], set[FileRight]]:
    """Every right that one whole event used: on tables, and on files."""
    hall = open_hall(world)
    administer(hall, engine)
    play(hall, engine)
    act_beside(world, hall, engine)
    finish(world, hall, engine)
    let_an_order_lapse(world)
    tables = {
        (access.caller.partition(" ")[0], (f"dynamodb:{access.action}", access.table, access.index))
        for access in engine.recorder.usage()
    }
    assert isinstance(world.files, WatchedFiles)
    return tables, {grant for access in world.files.seen if (grant := grant_of(access)) is not None}


def test_every_right_is_used(used: tuple[set[tuple[str, Right]], set[FileRight]]) -> None:
    tables, files = used
    unused = [
        f"{function}: {action} on {table}{'/' + index if index else ''}"
        for function, allowed in rights().items()
        for action, table, index in allowed
        if (function, (action, table, index)) not in tables
    ]
    unused += [f"{right.function}: {right.action} on {right.bucket}/{right.key}" for right in file_rights() - files]
    assert sorted(each for each in unused if each not in RARE) == []


def test_an_act_on_a_file_without_a_right_is_noticed() -> None:
    """The check that runs after every test with a world (tests/conftest.py) can fail."""
    seen = [
        FileRight("api_handler", "s3:PutObject", "FilesBucket", "backups/e/1.json.gz"),
        FileRight("api_handler", "s3:GetObject", "FilesBucket", "backups/e/1.json.gz"),
        FileRight("close_registrations", "s3:PutObject", "SiteBucket", "pub/e/pulse.json"),
        FileRight("unlabelled", "s3:DeleteObject", "SiteBucket", "pub/e/pulse.json"),
    ]
    assert files_not_allowed(seen) == [
        "api_handler: s3:GetObject on FilesBucket/backups/e/1.json.gz",
        "close_registrations: s3:PutObject on SiteBucket/pub/e/pulse.json",
    ]


@pytest.fixture
def sent() -> Iterator[list[str]]:
    """Operations that boto3 sends to an emulated AWS, as `service:Operation`, in order."""
    operations: list[str] = []

    def note(model: Any, **_: Any) -> None:
        operations.append(f"{model.service_model.service_name}:{model.name}")

    with mock_aws():
        boto3.setup_default_session()
        boto3.DEFAULT_SESSION.events.register("before-call", note)  # type: ignore[union-attr]
        yield operations
    boto3.DEFAULT_SESSION = None


# The action that IAM asks for where it is not named like the operation.
ACTION = {"s3:ListObjectsV2": "s3:ListBucket", "s3:DeleteObjects": "s3:DeleteObject"}


def test_the_gateway_to_s3_does_what_the_tests_files_say(sent: list[str]) -> None:
    """Else a right could be missing in AWS that no test on a disk would miss."""
    boto3.client("s3").create_bucket(Bucket="files")
    files = S3Files("files")
    calls = {
        "put": lambda: files.put("a/1", b"1", "text/plain", "no-store"),
        "put_if_match": lambda: files.put_if_match("a/2", b"2", None, "text/plain", "no-store"),
        "get": lambda: files.get("a/1"),
        "delete": lambda: files.delete("a/2"),
        "list_prefix": lambda: files.list_prefix("a/"),
        "delete_prefix": lambda: files.delete_prefix("a/"),
    }
    for act, call in calls.items():
        sent.clear()
        call()
        done = {ACTION.get(operation, operation) for operation in sent}
        assert done, act
        assert done <= set(ACTS[act]), act
    # Signed links ask nothing; whoever follows one does it with the function's own rights.
    sent.clear()
    files.upload_ticket("a/3", 100)
    files.download_link("a/1", "a.txt")
    assert sent == []


def statement(function: str, sid: str) -> list[dict[str, Any]]:
    document = json.loads((ROOT / ".chalice" / f"policy-{function}.json").read_text(encoding="utf-8"))
    return [each for each in document["Statement"] if each["Sid"] == sid]


def parameters(function: str) -> list[str]:
    (found,) = statement(function, "Secret")
    assert found["Action"] == ["ssm:GetParameters"]
    return sorted(resource["Fn::Sub"].partition(":parameter${")[2].rstrip("}") for resource in found["Resource"])


def test_secrets_are_read_in_one_request_that_every_function_may_make(sent: list[str]) -> None:
    store = boto3.client("ssm")
    kept = {"/guanjun/dev/secret": "one", "/guanjun/dev/edge-secret": "two"}
    for name, value in kept.items():
        store.put_parameter(Name=name, Value=value, Type="SecureString")
    sent.clear()
    assert (read_secrets(list(kept)), sent) == (kept, ["ssm:GetParameters"])
    edge = ["EdgeSecretParameter", "PaymentsParameter", "WeChatParameter"]
    for function in FUNCTIONS:
        more = {"api_handler": edge, "close_registrations": ["PaymentsParameter"]}.get(function, [])
        assert parameters(function) == sorted([*more, "SecretParameter"])
    with pytest.raises(MissingParameters, match="/guanjun/dev/none"):
        read_secrets(["/guanjun/dev/none"])


def test_only_the_api_sends_text_messages(sent: list[str]) -> None:
    SnsSms().send("13800130001", "123456")
    assert sent == ["sns:Publish"]
    for function in FUNCTIONS:
        allowed = statement(function, "TextMessages")
        assert (len(allowed) == 1) is (function == "api_handler")
        # A topic has an ARN, a phone has none: nothing but phones can be written to.
        assert all("NotResource" in each and each["Action"] == ["sns:Publish"] for each in allowed)


def test_who_hides_something_may_let_the_edge_forget_it(sent: list[str]) -> None:
    boto3.client("ssm").put_parameter(Name="/guanjun/dev/distribution", Value="E1", Type="String")
    sent.clear()
    with pytest.raises(ClientError, match="NoSuchDistribution"):
        CloudFront("/guanjun/dev/distribution").forget(["/pub/e/*"], "once")
    assert sent == ["ssm:GetParameter", "cloudfront:CreateInvalidation"]
    for function in FUNCTIONS:
        may = [each["Action"] for sid in ("FindEdge", "ForgetCopies") for each in statement(function, sid)]
        hides = function in ("api_handler", "purge_personal_data")
        assert may == ([["ssm:GetParameter"], ["cloudfront:CreateInvalidation"]] if hides else [])


def test_the_program_makes_no_other_client(tmp_path: Path) -> None:
    """CloudFront, DynamoDB, S3, SNS and SSM are all that is recorded above; another service would go unnoticed."""
    assert os.environ["AWS_DEFAULT_REGION"]
    made = {
        word
        for file in (ROOT / "chalicelib").rglob("*.py")
        for word in ("dynamodb", "s3", "sns", "ssm", "sqs", "events", "lambda", "kms", "ses", "logs", "cloudfront")
        if f'boto3.client("{word}"' in file.read_text(encoding="utf-8")
        or f'client(\n        "{word}"' in file.read_text(encoding="utf-8")
    }
    assert made == {"cloudfront", "dynamodb", "s3", "sns", "ssm"}
