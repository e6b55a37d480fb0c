"""A large round that a job is publishing or settling: its header names the job, which may be over by now."""

from __future__ import annotations

from chalicelib.services.problems import Problem
from chalicelib.store.events import RoundHeader
from chalicelib.store.jobs import FINAL, Job, find_job


def job_of(header: RoundHeader) -> Job | None:
    """The job that is under way with the round, or None."""
    found = None if header.job is None else find_job(header.job)
    return None if found is None or found.phase in FINAL else found


def refuse(header: RoundHeader) -> None:
    """Raise round_under_way while a job publishes or settles the round."""
    if job_of(header) is not None:
        raise Problem("round_under_way")
