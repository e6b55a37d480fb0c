"""What a job of an encrypted event keeps: the file, the corrections and the report sealed, and the key lent to it.

Nothing that is written down for such a job names anybody: the file lies sealed in the bucket, cells put right in the
preview and the report lie sealed in the jobs table. The key is lent for 15 minutes and forgotten when the job ends.
"""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from chalicelib.services.finding import known_event
from chalicelib.services.privacy.keys import demanded, keys_of, opened_for_job, sealed_for_job, unlocked
from chalicelib.services.privacy.sealing import opened_bytes, sealed_bytes
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.jobs import Job


class Opened(msgspec.Struct, frozen=True):
    """A job's file and corrections as they were given; ``sealed``: what is kept of it must be sealed too."""

    body: bytes
    corrections: list[Any]
    sealed: bool


def lend(world: World, header: EventHeader, job_id: str, digits: str, corrections: list[Any]) -> dict[str, Any]:
    """What the order of a job holds besides the plain: corrections, and of an encrypted event the key.

    Raises digits_needed, digits_wrong, too_many_tries.
    """
    key, keys = demanded(world, header, digits), keys_of(header)
    if key is None or keys is None:
        return {"corrections": corrections}
    sealed = sealed_bytes(keys, msgspec.json.encode(corrections))
    return {
        "sealed": True,
        "corrections": base64.b64encode(sealed).decode(),
        "lent": sealed_for_job(world, header.event_id, job_id, key),
    }


def opened(world: World, job: Job) -> Opened:
    """The file of a job. Raises upload_missing, key_expired; upload_encrypted for a plain file of an event that is
    encrypted by now."""
    order: dict[str, Any] = dict(job.order)
    file = world.files.get(order["key"])
    if file is None:
        raise Problem("upload_missing", "key")
    if not order.get("sealed"):
        if known_event(job.event_id)[0].sealing is not None:
            raise Problem("upload_encrypted")
        return Opened(file.body, order.get("corrections", []), sealed=False)
    key = opened_for_job(world, job.event_id, job.pk.partition("#")[2], order.get("lent", ""))
    body = opened_bytes(file.body, key)
    corrections = opened_bytes(base64.b64decode(order["corrections"]), key)
    if body is None or corrections is None:
        # It was uploaded before the event was encrypted, or sealed to a key that is lost.
        raise Problem("upload_missing", "key")
    return Opened(body, msgspec.json.decode(corrections), sealed=True)


def stored_report(job: Job, report: bytes) -> bytes:
    """A report as the jobs table keeps it."""
    keys = keys_of(known_event(job.event_id)[0]) if dict(job.order).get("sealed") else None
    return report if keys is None else sealed_bytes(keys, report)


def readable_report(world: World, job: Job, digits: str) -> bytes | None:
    """The report of a job; None if there is none, or without the digits of an encrypted event: also one that was made
    before the event was encrypted, and lies in the clear until the job is forgotten.

    Raises digits_wrong, too_many_tries.
    """
    if job.report is None or keys_of(known_event(job.event_id)[0]) is None:
        return job.report
    key = unlocked(world, known_event(job.event_id)[0], digits)
    if key is None:
        return None
    return opened_bytes(job.report, key) if dict(job.order).get("sealed") else job.report
