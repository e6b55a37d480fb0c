"""Importing a large roster as a job: upload, check, write in slices, and one transaction that makes all rows count."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES
from chalicelib.services import imports, rejected_rows
from chalicelib.services.exports import Language
from chalicelib.services.finding import open_event
from chalicelib.services.import_rows import Rows, discard, write
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.sealed_files import Opened, lend, opened, readable_report, stored_report
from chalicelib.services.jobs.steps import Work, cancel
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.privacy.keys import keys_of
from chalicelib.services.privacy.sealing import sealed_bytes
from chalicelib.services.problems import Problem
from chalicelib.services.roster import Correction
from chalicelib.services.views.entries import ImportReport
from chalicelib.services.views.jobs import ImportJob, JobProblem, SealedUpload, UploadView
from chalicelib.services.world import World
from chalicelib.store.events import find_event
from chalicelib.store.jobs import FINAL, Job, find_job

SLICE = 500
"""Entries between two reports of progress."""
MOST_REPORT_BYTES = 300_000
"""Of the packed report: an item of the store holds 400 kB."""
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def upload(world: World, event_id: str) -> UploadView:
    """Leave to upload a roster file. Raises event_ended, upload_encrypted (plain names would lie in the bucket)."""
    header, _ = open_event(world, event_id)
    if header.sealing is not None:
        raise Problem("upload_encrypted")
    ticket = world.files.upload_ticket(f"uploads/{event_id}/{world.random.token(12)}", MAX_FILE_BYTES)
    return UploadView(ticket.key, ticket.url, ticket.fields, ticket.max_bytes)


def seal_upload(world: World, event_id: str, data: bytes) -> SealedUpload:
    """Keep the roster file of an encrypted event, sealed before it is written. Raises event_ended, not_encrypted,
    too_large."""
    header, _ = open_event(world, event_id)
    keys = keys_of(header)
    if keys is None:
        raise Problem("not_encrypted")
    if len(data) > MAX_FILE_BYTES:
        raise Problem("too_large", "content", limit=f"{MAX_FILE_BYTES // 1024 // 1024} MB")
    key = f"uploads/{event_id}/{world.random.token(12)}"
    world.files.put(key, sealed_bytes(keys, data), "application/octet-stream", "no-store")
    return SealedUpload(key)


def start(
    world: World,
    event_id: str,
    key: str,
    commit: bool,
    columns: dict[str, str] | None,
    language: Language,
    actor: str,
    call_once: Once,
    corrections: Sequence[Correction] = (),
    digits: str = "",
) -> ImportJob:
    """Queue the check (and with ``commit`` the import) of an uploaded file, in which ``corrections`` were made in the
    preview. Raises event_ended, upload_missing; of an encrypted event digits_needed, digits_wrong, too_many_tries."""
    header, _ = open_event(world, event_id)
    # As ``upload`` makes them, to the letter: what is no key of a file would fail in the worker again and again.
    if not re.fullmatch(rf"uploads/{re.escape(event_id)}/[A-Za-z0-9_-]+", key):
        raise Problem("upload_missing", "key")
    job_id = world.random.token(12)
    order = {"key": key, "commit": commit, "columns": columns, "language": language}
    order |= lend(world, header, job_id, digits, msgspec.to_builtins(list(corrections)))
    job = new_job(world, job_id, kind="import", event_id=event_id, actor=actor, order=order)
    return queue(world, job, call_once, lambda queued: _view(world, job_id, queued, ""))


def read(world: World, event_id: str, job_id: str, digits: str = "") -> ImportJob:
    """How far a job is, and its report once there is one; of an encrypted event only for who has the ``digits``.

    Raises not_found, digits_wrong, too_many_tries.
    """
    return _view(world, job_id, _of_event(event_id, job_id, find_job(job_id)), digits)


def stop(world: World, event_id: str, job_id: str, digits: str = "") -> ImportJob:
    """Cancel a job; nothing of it stays. One that is over stays as it is. Raises as :func:`read`."""
    _of_event(event_id, job_id, find_job(job_id))
    return _view(world, job_id, _of_event(event_id, job_id, cancel(world, job_id)), digits)


def carry_on(work: Work) -> None:
    """One step: check the file, and with ``commit`` write its rows and make them count."""
    world, job = work.world, work.job
    order: dict[str, Any] = dict(job.order)
    if _came_in(job):
        # An earlier step died between its deciding transaction and its last word.
        total = int(job.total)
        work.finish("done", _packed(job, ImportReport(True, total, total, [], [], [], [])))
        return
    file = opened(world, job)
    for _ in range(imports.ATTEMPTS):
        checked = _check(world, job, file)
        report = checked.report
        total = len(checked.read.entries)
        if report.faults and not file.sealed:
            _keep_rejected(world, job, checked, order["language"])
        if not order["commit"]:
            work.progress(total, total, None)
            work.finish("done", _packed(job, report))
            return
        if report.faults:
            work.finish("failed", _packed(job, report), Problem("roster_faults", count=len(report.faults)))
            return
        cursor = job.cursor or imports.reserve(world, checked)
        rows = imports.rows_of(checked, cursor)
        work.progress(int(cursor["next"]), total, cursor)
        try:
            if not _write_slices(work, rows, cursor):
                work.again()
                return
            _flip(work, checked, rows)
        except imports.Moved:
            # Something about the entries changed: look again, and claim again what is ours already.
            job.cursor = {**cursor, "next": 0}
            continue
        except Problem as refused:
            discard(world, rows)
            if file.sealed and refused.code == "phone_taken":
                # What is said of a job lies in the clear, and the phone must not.
                raise Problem("phone_taken_meanwhile") from refused
            raise
        done = msgspec.structs.replace(report, committed=True, imported=total, entries=[])
        work.finish("done", _packed(job, done))
        return
    raise Problem("busy")


def _came_in(job: Job) -> bool:
    """Whether the event's header names the import already."""
    header = find_event(job.event_id)
    return job.cursor is not None and header is not None and job.cursor["import_id"] in (header.imports or ())


def _write_slices(work: Work, rows: Rows, cursor: dict[str, Any]) -> bool:
    """Write from the cursor on; False when the step's time is over first."""
    total = len(rows.entries)
    while (begin := int(cursor["next"])) < total:
        if not work.has_time():
            return False
        part = msgspec.structs.replace(
            rows, first_number=rows.first_number + begin, entries=rows.entries[begin : begin + SLICE]
        )
        write(work.world, part)
        cursor = {**cursor, "next": min(total, begin + SLICE)}
        work.progress(int(cursor["next"]), total, cursor)
    return True


def _flip(work: Work, checked: imports.Checked, rows: Rows) -> None:
    job = work.job
    once = Once(f"job:{job.pk}", "the-one-flip", rows.import_id)
    done = msgspec.structs.replace(checked.report, committed=True, imported=len(rows.entries), entries=[], clubs=[])
    try:
        imports.flip(work.world, checked, rows, done, job.actor, once)
    except AlreadyDone:
        # An earlier step died after its transaction: the entries are in.
        return


def undo(world: World, job: Job) -> None:
    """Take back what a cancelled job had written, unless it had come in before."""
    header = find_event(job.event_id)
    cursor: dict[str, Any] = dict(job.cursor)
    if header is None or cursor["import_id"] in (header.imports or ()):
        return
    try:
        file = opened(world, job)
    except Problem:
        # The file is gone, or its key was lent too long ago. What stays counts as not there.
        return
    discard(world, imports.rows_of(_check(world, job, file), cursor))


def _check(world: World, job: Job, file: Opened) -> imports.Checked:
    corrections = msgspec.convert(file.corrections, list[Correction])
    return imports.check(world, job.event_id, file.body, dict(job.order)["columns"], corrections)


def _keep_rejected(world: World, job: Job, checked: imports.Checked, language: Language) -> None:
    """Put the workbook of rejected rows where the console downloads it."""
    workbook = rejected_rows.workbook(checked, language)
    if workbook is None:
        return
    world.files.put(_rejected_key(job), workbook, XLSX, "no-store")


def _has_rejected(job: Job, report: ImportReport | None) -> bool:
    # Of an encrypted event no such workbook is made: it would hold names and phones for whoever has its address.
    # A fault of the whole file (row 0) rejects no row.
    rows = report is not None and any(fault.row for fault in report.faults)
    return rows and not dict(job.order).get("sealed")


def _rejected_key(job: Job) -> str:
    return f"downloads/{job.event_id}/{job.pk.partition('#')[2]}-rejected.xlsx"


def _packed(job: Job, report: ImportReport) -> bytes:
    short = imports.shortened(report)
    packed = _compressed(short)
    while len(packed) > MOST_REPORT_BYTES and short.rows:
        # Cells full of text: fewer rows to be put right here, and the rejected rows as a file hold all.
        short = msgspec.structs.replace(short, rows=short.rows[: len(short.rows) // 2])
        packed = _compressed(short)
    return stored_report(job, packed)


def _compressed(report: ImportReport) -> bytes:
    counts = {"entries": report.found, "faults": report.wrong}
    return zlib.compress(msgspec.json.encode({"report": report, "counts": counts}))


def _of_event(event_id: str, job_id: str, job: Job | None) -> Job:
    if job is None or job.event_id != event_id or job.kind != "import":
        raise Problem("not_found")
    return job


def _view(world: World, job_id: str, job: Job, digits: str) -> ImportJob:
    packed = readable_report(world, job, digits)
    kept = None if packed is None else msgspec.json.decode(zlib.decompress(packed))
    report = None if kept is None else msgspec.convert(kept["report"], ImportReport)
    problem = job.problem
    name = rejected_rows.FILE_NAMES[dict(job.order)["language"]]
    return ImportJob(
        job_id=job_id,
        phase=job.phase,
        over=job.phase in FINAL,
        done=int(job.done),
        total=int(job.total),
        report=report,
        entries=0 if kept is None else kept["counts"]["entries"],
        faults=0 if kept is None else kept["counts"]["faults"],
        rejected=world.files.download_link(_rejected_key(job), name) if _has_rejected(job, report) else None,
        problem=None if problem is None else JobProblem(problem["code"], problem["detail_zh"], problem["detail_en"]),
    )
