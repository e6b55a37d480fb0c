"""Jobs and uploads as the API answers them."""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.services.views.entries import ImportReport


class UploadView(msgspec.Struct, frozen=True):
    """Leave to upload one file: POST ``fields`` and then the part ``file`` to ``url``."""

    key: str
    url: str
    fields: dict[str, str]
    max_bytes: int


class SealedUpload(msgspec.Struct, frozen=True):
    """Where the roster file of an encrypted event is kept, sealed; ``key`` names it in the order of a job."""

    key: str


class JobProblem(msgspec.Struct, frozen=True):
    """Why a job failed."""

    code: str
    detail_zh: str
    detail_en: str


class DocumentFault(msgspec.Struct, frozen=True):
    """One thing that is wrong with an event's document. ``pointer``: where (JSON pointer, ``/``: the whole); ``code``
    as in event-json; ``message`` in English."""

    pointer: str
    code: str
    message: str


class DocumentJob(msgspec.Struct, frozen=True):
    """An event being made of its document. ``phase``: queued | running | done | failed; ``over``: no more changes.

    ``event_id`` is there once it is done; ``faults`` are the first ones of ``fault_count``.
    """

    job_id: str
    phase: str
    over: bool
    event_id: str | None
    faults: list[DocumentFault]
    fault_count: int
    problem: JobProblem | None


class ImportJob(msgspec.Struct, frozen=True):
    """An import under way. ``phase``: queued | running | done | failed | cancelled; ``over``: no more changes.

    ``report`` shows the first entries and faults; ``entries`` and ``faults`` say how many there are. ``rejected`` is
    the address of a workbook with the rows that have faults.
    """

    job_id: str
    phase: str
    over: bool
    done: int
    total: int
    report: ImportReport | None
    entries: int
    faults: int
    rejected: str | None
    problem: JobProblem | None


class ExportJob(msgspec.Struct, frozen=True):
    """A large file being made. ``phase``: queued | running | done | failed | cancelled; ``over``: no more changes.

    ``name``: which file; ``filename``: what to save it under, "" before it is there; ``link``: where it is fetched, for
    a quarter of an hour, None also when it is gone because names were taken out of the event. A file with names of an
    encrypted event has no link: it comes in ``pieces``, which are fetched one after another with the digits, and
    joined.
    """

    job_id: str
    name: str
    phase: str
    over: bool
    done: int
    total: int
    filename: str
    link: str | None
    pieces: int
    problem: JobProblem | None


class StepProblem(msgspec.Struct, frozen=True):
    """Why a round was not drawn, published or settled; ``current`` as in the problem document (open tables, a
    proposal)."""

    code: str
    detail_zh: str
    detail_en: str
    current: Any

    @classmethod
    def of(cls, document: dict[str, Any]) -> StepProblem:
        """Of a problem document."""
        return cls(document["code"], document["detail_zh"], document["detail_en"], document.get("current"))


class RoundJob(msgspec.Struct, frozen=True):
    """A round being published or settled (``act``: publish | settle). ``phase``: queued | running | done | failed |
    cancelled; ``over``: no more changes; ``done`` of ``total`` tables. ``job_id`` is empty for what was done at once.
    """

    job_id: str
    act: str
    phase: str
    over: bool
    done: int
    total: int
    round: int
    problem: StepProblem | None


class DrawingJob(msgspec.Struct, frozen=True):
    """A drawing under way. ``phase``: queued | running | done | failed | cancelled; ``over``: no more changes.

    ``round``: the draft that was drawn. ``job_id`` is empty for a drawing that was done at once.
    """

    job_id: str
    phase: str
    over: bool
    done: int
    total: int
    round: int | None
    problem: StepProblem | None
