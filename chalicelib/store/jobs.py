"""Table ``jobs``: long work in steps. pk ``JOB#<id>``, sk ``STEP``; its stream wakes the next step.

``phase``: queued | running | done | failed | cancelled. A write with ``wakes`` = 1 asks for a step; progress has 0.
"""

from __future__ import annotations

from pynamodb.attributes import BinaryAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

STEP = "STEP"
FINAL = ("done", "failed", "cancelled")
LIFE_SECONDS = 86_400
"""A job is forgotten with the file it was made for: both hold what people wrote about themselves."""


class Job(Record):
    """One job. ``version`` guards every write, ``step`` is whose it was; ``cursor``: where the next step begins;
    ``done`` of ``total``."""

    class Meta(Place):
        table_name = table_name("jobs")

    event_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    actor = UnicodeAttribute()
    phase = UnicodeAttribute(default="queued")
    wakes = NumberAttribute(default=1)
    version = NumberAttribute(default=1)
    step = UnicodeAttribute(null=True)
    order = JSONAttribute()
    cursor = JSONAttribute(null=True)
    done = NumberAttribute(default=0)
    total = NumberAttribute(default=0)
    report = BinaryAttribute(legacy_encoding=False, null=True)
    problem = JSONAttribute(null=True)
    created_at = NumberAttribute()
    expires_at = NumberAttribute()


def job_key(job_id: str) -> str:
    """Partition key of a job."""
    return f"JOB#{job_id}"


def find_job(job_id: str) -> Job | None:
    """The job, strongly consistent, or None."""
    try:
        return Job.get(job_key(job_id), STEP, consistent_read=True)
    except Job.DoesNotExist:
        return None
