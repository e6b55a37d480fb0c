"""Files of large events, made by a job: the same bytes' content as at once, from any step on, and nobody else's."""

from __future__ import annotations

import dataclasses
import io
import json
from typing import Any

import msgspec
import pytest
from openpyxl import load_workbook

from chalicelib.services import large_events
from chalicelib.services.jobs import advancing, exporting, kept_parts
from chalicelib.services.privacy import keys
from chalicelib.services.settings import defaults, kind_of
from chalicelib.services.world import use
from chalicelib.store.jobs import find_job
from infra.local.engine import Engine
from tests.services.test_encryption import DIGITS, UNLOCKED, encrypt
from tests.support.client import Reply
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.traces import found
from tests.support.world import TestWorld

BOOKS = ("workbook", "results", "standings", "entries")


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """An event of four pairs in its first round."""
    hall = open_hall(world)
    hall.enter(4)
    hall.start_round()
    return hall


def order(hall: Hall, name: str, headers: dict[str, str] | None = None) -> str:
    reply = hall.owner.post(hall.path("/export-jobs"), {"name": name}, headers=headers or {})
    assert (reply.status, reply.json["phase"], reply.json["link"]) == (202, "queued", None), reply.json
    job_id: str = reply.json["job_id"]
    return job_id


def seen(hall: Hall, job_id: str) -> dict[str, Any]:
    read: dict[str, Any] = hall.owner.get(hall.path(f"/export-jobs/{job_id}")).json
    return read


def made(hall: Hall, engine: Engine, name: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    job_id = order(hall, name, headers)
    Pump(engine).run()
    return seen(hall, job_id)


def kept(hall: Hall) -> list[str]:
    """What lies among the event's downloads, by part."""
    return [key.split("-", 1)[1] for key in hall.world.files.list_prefix(f"downloads/{hall.event_id}/")]


def body(hall: Hall, job: dict[str, Any]) -> bytes:
    file = hall.world.files.get(f"downloads/{hall.event_id}/{job['job_id']}-file")
    assert file is not None
    return file.body


def cells(content: bytes) -> dict[str, list[list[Any]]]:
    book = load_workbook(io.BytesIO(content))
    return {page.title: [[cell.value for cell in row] for row in page] for page in book}


def at_once(hall: Hall, path: str) -> Reply:
    reply = hall.owner.get(hall.path(path))
    assert reply.status == 200
    return reply


@pytest.mark.parametrize("name", BOOKS)
def test_a_workbook_of_a_job_says_what_one_at_once_says(hall: Hall, engine: Engine, name: str) -> None:
    job = made(hall, engine, name)
    assert (job["phase"], job["done"], job["pieces"]) == ("done", job["total"], 0)
    assert cells(body(hall, job)) == cells(at_once(hall, f"/files/{name}").body)
    assert job["filename"].endswith(".xlsx")
    assert job["link"].startswith("/local/download?grant=")


def test_the_document_and_the_log_of_a_job_are_those_at_once(hall: Hall, engine: Engine) -> None:
    document, log = made(hall, engine, "document"), made(hall, engine, "log")
    assert body(hall, document) == at_once(hall, "/document").body
    assert body(hall, log) == at_once(hall, "/audit-lines").body
    assert [job["filename"].rpartition(".")[2] for job in (document, log)] == ["json", "jsonl"]


def test_only_the_file_stays(hall: Hall, engine: Engine) -> None:
    job = made(hall, engine, "workbook")
    assert hall.world.files.list_prefix("downloads/") == [f"downloads/{hall.event_id}/{job['job_id']}-file"]


def test_a_large_event_is_told_and_its_files_are_not_made_at_once(
    hall: Hall, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not hall.owner.get(hall.path("")).json["large"]
    monkeypatch.setattr(large_events, "AT_ONCE_ROWS", 11)
    assert hall.owner.get(hall.path("")).json["large"]
    for path in (*(f"/files/{name}" for name in BOOKS), "/document", "/audit-lines"):
        refused = hall.owner.get(hall.path(path))
        assert (refused.status, refused.code) == (409, "file_large")
    for path in ("/files/template", "/files/clubs"):
        assert at_once(hall, path).body
    assert made(hall, engine, "workbook")["phase"] == "done"


@pytest.mark.parametrize(
    ("kind", "boards", "entries", "rounds", "large"),
    [
        ("pairs", 0, 2000, 8, False),
        ("pairs", 0, 2001, 8, True),
        ("pairs", 0, 20_000, 0, True),
        ("swiss_deviation", 8, 400, 8, False),
        ("team_of_four", 16, 400, 8, True),
    ],
)
def test_rows_of_rosters_rounds_and_boards_make_an_event_large(
    kind: str, boards: int, entries: int, rounds: int, large: bool
) -> None:
    settings = msgspec.structs.replace(defaults("甲", kind_of(kind), "1"), boards_per_round=boards)
    assert large_events.is_large(settings, entries, rounds) == large


def test_each_step_ends_in_time_and_the_next_goes_on_where_it_was(hall: Hall, engine: Engine) -> None:
    """A clock that jumps 15 seconds at each look: there is time for one sheet a step."""
    job_id = order(hall, "workbook")
    expected = cells(at_once(hall, "/files/workbook").body)
    looks = [hall.world.now()]

    def hurried() -> int:
        looks[0] += 15_000
        return looks[0]

    use(dataclasses.replace(hall.world, clock=hurried))
    steps: list[tuple[int, int]] = []
    while not (job := find_job(job_id)) or job.phase not in ("done", "failed"):
        advancing.advance(dataclasses.replace(hall.world, clock=hurried), job_id)
        after = find_job(job_id)
        assert after is not None
        steps.append((int(after.done), int(after.total)))
    use(hall.world)
    assert len(steps) > 3
    assert steps == sorted(steps)
    assert seen(hall, job_id)["phase"] == "done"
    assert cells(body(hall, seen(hall, job_id))) == expected


def test_all_sheets_tell_of_the_moment_in_which_the_first_was_written(hall: Hall) -> None:
    """Somebody changes a name between two steps: one sheet with the old and one with the new would be wrong."""
    job_id = order(hall, "workbook")
    interrupted_after(hall, job_id, sheets=1)
    entry = hall.owner.get(hall.path("/entries")).json["entries"][0]
    renamed = {"players": entry["players"], "version": entry["version"], "name": "改了名", "club": "", "seed": None}
    assert hall.owner.put(hall.path("/entries/1"), renamed).status == 200
    advancing.advance(hall.world, job_id)
    text = str(cells(body(hall, seen(hall, job_id))))
    assert "改了名" not in text


def test_a_person_erased_meanwhile_is_not_in_the_file(hall: Hall) -> None:
    """Erasing deletes what lies in the bucket; a job under way begins anew and reads what is there then."""
    job_id = order(hall, "workbook")
    interrupted_after(hall, job_id, sheets=2)
    entry = hall.owner.get(hall.path("/entries")).json["entries"][0]
    name = entry["players"][0]["name"]
    before = kept(hall)
    gone = hall.owner.post(hall.path("/entries/1/players/1/erasure"), {})
    assert gone.status == 200, gone.json
    assert (len(before), kept(hall)) == (4, [])
    for _ in range(3):
        advancing.advance(hall.world, job_id)
    job = seen(hall, job_id)
    assert (job["phase"], name in str(cells(body(hall, job)))) == ("done", False)


def test_a_file_that_went_with_an_erased_person_has_no_link(hall: Hall, engine: Engine) -> None:
    job = made(hall, engine, "workbook")
    assert job["link"]
    assert hall.owner.post(hall.path("/entries/1/players/1/erasure"), {}).status == 200
    again = seen(hall, job["job_id"])
    assert (again["phase"], again["link"], kept(hall)) == ("done", None, [])
    # The next one is made of what is there now.
    assert made(hall, engine, "workbook")["link"]


class Died(Exception):
    """The function's process ends."""


def interrupted_after(hall: Hall, job_id: str, sheets: int) -> None:
    """A step that dies after so many sheets."""
    put, written = hall.world.files.put, []

    class Files:
        def __getattr__(self, name: str) -> Any:
            return getattr(hall.world.files, name)

        def put(self, key: str, *rest: Any) -> str:
            if "-sheet-" in key:
                if len(written) == sheets:
                    raise Died
                written.append(key)
            return put(key, *rest)

    with pytest.raises(Died):
        advancing.advance(dataclasses.replace(hall.world, files=Files()), job_id)


def test_nothing_stays_of_a_job_that_was_cancelled(hall: Hall, engine: Engine) -> None:
    job_id = order(hall, "workbook")
    interrupted_after(hall, job_id, sheets=2)
    assert "sheet-1" in kept(hall)
    assert hall.owner.post(hall.path(f"/export-jobs/{job_id}/cancellation")).json["phase"] == "cancelled"
    Pump(engine).run()
    assert kept(hall) == []
    assert hall.owner.post(hall.path(f"/export-jobs/{job_id}/cancellation")).json["phase"] == "cancelled"
    assert (seen(hall, job_id)["phase"], seen(hall, job_id)["link"]) == ("cancelled", None)


def test_nothing_stays_either_of_a_step_that_is_cancelled_while_it_writes(hall: Hall, engine: Engine) -> None:
    job_id = order(hall, "workbook")
    put = hall.world.files.put

    class Files:
        def __getattr__(self, name: str) -> Any:
            return getattr(hall.world.files, name)

        def put(self, key: str, *rest: Any) -> str:
            if key.endswith("sheet-1"):
                hall.owner.post(hall.path(f"/export-jobs/{job_id}/cancellation"))
                Pump(engine).run()
            return put(key, *rest)

    advancing.advance(dataclasses.replace(hall.world, files=Files()), job_id)
    assert (seen(hall, job_id)["phase"], kept(hall)) == ("cancelled", [])


def test_an_export_job_is_its_events_alone_and_no_other_kind_of_job(hall: Hall, world: TestWorld) -> None:
    job_id = order(hall, "entries")
    other = open_hall(world, "13800130009")
    assert other.owner.get(other.path(f"/export-jobs/{job_id}")).code == "not_found"
    assert other.owner.post(other.path(f"/export-jobs/{job_id}/cancellation")).code == "not_found"
    assert other.owner.get(hall.path(f"/export-jobs/{job_id}")).status == 403
    assert hall.owner.get(hall.path(f"/import-jobs/{job_id}")).code == "not_found"
    assert hall.owner.post(hall.path(f"/import-jobs/{job_id}/cancellation")).code == "not_found"
    assert hall.owner.post(hall.path("/export-jobs"), {"name": "secrets"}).code == "bad_value"


# Encrypted events


@pytest.fixture
def sealed(world: TestWorld) -> Hall:
    """The same, encrypted before anybody was in it."""
    hall = open_hall(world)
    assert encrypt(hall).status == 200
    hall.enter(4)
    hall.start_round()
    return hall


def names(hall: Hall) -> list[str]:
    read = hall.owner.get(hall.path("/entries"), headers=UNLOCKED).json["entries"]
    return [player["name"] for entry in read for player in entry["players"]]


def pieces(hall: Hall, job: dict[str, Any], headers: dict[str, str]) -> list[Reply]:
    return [
        hall.owner.get(hall.path(f"/export-jobs/{job['job_id']}/pieces/{number}"), headers=headers)
        for number in range(1, job["pieces"] + 1)
    ]


@pytest.mark.parametrize("name", ["workbook", "document"])
def test_a_file_with_sealed_names_is_read_with_the_digits_only_and_lies_sealed(
    sealed: Hall, engine: Engine, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(exporting, "PIECE_BYTES", 1500)
    people = names(sealed)
    job_id = order(sealed, name, dict(UNLOCKED))
    if name == "workbook":
        interrupted_after(sealed, job_id, sheets=2)
        assert found(tmp_path, *people, DIGITS) == []
        assert "facts" in kept(sealed)
    Pump(engine).run()
    advancing.advance(sealed.world, job_id)
    job = seen(sealed, job_id)
    assert (job["phase"], job["link"], job["pieces"] > 1) == ("done", None, True)
    assert found(tmp_path, *people, DIGITS) == []
    whole = b"".join(reply.body for reply in pieces(sealed, job, dict(UNLOCKED)))
    content = str(cells(whole)) if name == "workbook" else json.dumps(json.loads(whole), ensure_ascii=False)
    assert [person for person in people if person not in content] == []
    assert {reply.code for reply in pieces(sealed, job, {})} == {"digits_needed"}
    assert {reply.code for reply in pieces(sealed, job, {"x-guanjun-digits": "9" * 6 + "012345"})} == {"digits_wrong"}
    beyond = sealed.path(f"/export-jobs/{job_id}/pieces/{job['pieces'] + 1}")
    assert sealed.owner.get(beyond, headers=UNLOCKED).code == "not_found"
    kept_job = find_job(job_id)
    assert kept_job is not None
    assert "lent" not in dict(kept_job.order)


def test_without_the_digits_the_file_names_nobody(sealed: Hall, engine: Engine) -> None:
    people = names(sealed)
    job = made(sealed, engine, "workbook")
    content = str(cells(body(sealed, job)))
    assert [person for person in people if person in content] == []


def test_a_wrong_key_orders_nothing_and_a_lent_one_is_good_for_a_quarter_of_an_hour(
    sealed: Hall, engine: Engine
) -> None:
    wrong = sealed.owner.post(
        sealed.path("/export-jobs"), {"name": "entries"}, headers={"x-guanjun-digits": "999999012345"}
    )
    assert wrong.code == "digits_wrong"
    job_id = order(sealed, "entries", dict(UNLOCKED))
    sealed.world.time.advance(seconds=keys.JOB_MILLISECONDS / 1000)
    Pump(engine).run()
    job = seen(sealed, job_id)
    assert (job["phase"], job["problem"]["code"], kept(sealed)) == ("failed", "key_expired", [])


def test_a_job_of_a_plain_event_that_is_encrypted_meanwhile_names_nobody(hall: Hall, engine: Engine) -> None:
    people = [
        player["name"] for entry in hall.owner.get(hall.path("/entries")).json["entries"] for player in entry["players"]
    ]
    job_id = order(hall, "workbook")
    interrupted_after(hall, job_id, sheets=2)
    assert encrypt(hall).status == 200
    Pump(engine).run()
    advancing.advance(hall.world, job_id)
    advancing.advance(hall.world, job_id)
    job = seen(hall, job_id)
    assert job["phase"] == "done"
    assert [person for person in people if person in str(cells(body(hall, job)))] == []
    assert kept_parts.MARK not in kept(hall)
