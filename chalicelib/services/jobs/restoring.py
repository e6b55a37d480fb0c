"""An event from an exported document, in the console: upload the file, a job makes the event, or says what is wrong.

The new event's id is chosen when the job is ordered, so a step that died and is repeated makes the same event.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, Final

import msgspec

from chalicelib.rules.faults import DocumentFaults
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.steps import Work
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.restoration import NotRestorable, restore
from chalicelib.services.views.jobs import DocumentFault, DocumentJob, JobProblem, UploadView
from chalicelib.services.world import World
from chalicelib.store.accounts import Account
from chalicelib.store.events import find_event
from chalicelib.store.jobs import FINAL, Job, find_job

KIND: Final = "document"
MAX_BYTES: Final = 20 * 1024 * 1024
"""A national event of 10,000 players has some 8 MB."""
MOST_FAULTS: Final = 500
LONGEST_MESSAGE: Final = 300
STAGES: Final = 2


def upload(world: World, account_id: str) -> UploadView:
    """Leave to upload one event document (.json, or a kept copy, .json.gz)."""
    ticket = world.files.upload_ticket(f"uploads/{account_id}/{world.random.token(12)}", MAX_BYTES)
    return UploadView(ticket.key, ticket.url, ticket.fields, ticket.max_bytes)


def start(world: World, account_id: str, key: str, call_once: Once) -> DocumentJob:
    """Queue the making of an event, owned by the account, of an uploaded document. Raises upload_missing."""
    if not re.fullmatch(rf"uploads/{re.escape(account_id)}/[A-Za-z0-9_-]+", key):
        raise Problem("upload_missing", "key")
    job_id = world.random.token(12)
    event_id, actor = world.random.token(9), f"account:{account_id}"
    order = {"key": key, "account": account_id}
    job = new_job(world, job_id, kind=KIND, event_id=event_id, actor=actor, order=order, total=STAGES)
    return queue(world, job, call_once, lambda queued: _view(job_id, queued))


def read(account_id: str, job_id: str) -> DocumentJob:
    """How far it is, then the event's id or what is wrong with the document. Raises not_found."""
    job = find_job(job_id)
    if job is None or job.kind != KIND or dict(job.order)["account"] != account_id:
        raise Problem("not_found")
    return _view(job_id, job)


def carry_on(work: Work) -> None:
    """The whole restoration in one step."""
    world, job = work.world, work.job
    order: dict[str, Any] = dict(job.order)
    if find_event(job.event_id, deleted=True) is None:
        file = world.files.get(order["key"])
        if file is None:
            raise Problem("upload_missing", "key")
        account = Account.get(f"ACCOUNT#{order['account']}", "PROFILE", consistent_read=True)
        work.progress(1, STAGES, None)
        try:
            restore(world, account, file.body, event_id=job.event_id, in_quota=True)
        except DocumentFaults as found:
            work.finish("failed", _packed(found), Problem("document_faults", count=len(found.faults)))
            return
        except NotRestorable as reason:
            raise Problem("not_restorable", why=str(reason)) from reason
    work.progress(STAGES, STAGES, None)
    work.finish("done")


def _packed(found: DocumentFaults) -> bytes:
    rows = [
        DocumentFault(fault.pointer[:LONGEST_MESSAGE], fault.code.value, fault.message[:LONGEST_MESSAGE])
        for fault in found.faults[:MOST_FAULTS]
    ]
    return zlib.compress(msgspec.json.encode({"faults": rows, "count": len(found.faults)}))


def _view(job_id: str, job: Job) -> DocumentJob:
    kept = {"faults": [], "count": 0} if job.report is None else msgspec.json.decode(zlib.decompress(job.report))
    problem = job.problem
    return DocumentJob(
        job_id=job_id,
        phase=job.phase,
        over=job.phase in FINAL,
        event_id=job.event_id if job.phase == "done" else None,
        faults=msgspec.convert(kept["faults"], list[DocumentFault]),
        fault_count=kept["count"],
        problem=None if problem is None else JobProblem(problem["code"], problem["detail_zh"], problem["detail_en"]),
    )
