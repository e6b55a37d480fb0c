"""Large imports: upload a file, have it checked and imported as a job, watch and cancel it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.entries import Column, Corrections, Role, corrections
from chalicelib.api.framework import Call, route
from chalicelib.services import imports
from chalicelib.services.exports import Language
from chalicelib.services.jobs import importing
from chalicelib.services.views.jobs import ImportJob, SealedUpload, UploadView

blueprint = Blueprint(__name__)


class ImportOrder(msgspec.Struct, forbid_unknown_fields=True):
    """An uploaded file to check and, with ``commit``, to import. ``columns``: number from 1 -> role;
    ``corrections``: cells put right in the preview."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]
    commit: bool
    columns: Annotated[dict[Column, Role], Meta(max_length=200)] | None = None
    corrections: Corrections = []


@route(
    blueprint,
    "POST",
    "/events/{event_id}/uploads",
    action="entry.import",
    summary="Leave to upload a roster file",
    reply=UploadView,
    status=201,
    keyed=False,
)
def begin_upload(call: Call, event_id: str) -> UploadView:
    """The browser posts the file by itself; it is kept for a day."""
    return importing.upload(call.world, event_id)


class SealedFile(msgspec.Struct, forbid_unknown_fields=True):
    """A roster file in base64, of an encrypted event."""

    content: Annotated[str, Meta(max_length=5_500_000)]


@route(
    blueprint,
    "POST",
    "/events/{event_id}/sealed-uploads",
    action="entry.import",
    summary="Keep a roster file of an encrypted event, sealed",
    body=SealedFile,
    reply=SealedUpload,
    status=201,
    keyed=False,
)
def seal_upload(call: Call, event_id: str) -> SealedUpload:
    """It is sealed before it is written anywhere, and kept for a day. What is kept twice is imported once."""
    body: SealedFile = call.body
    return importing.seal_upload(call.world, event_id, imports.decoded(body.content))


@route(
    blueprint,
    "POST",
    "/events/{event_id}/import-jobs",
    action="entry.import",
    summary="Check or import an uploaded file",
    body=ImportOrder,
    reply=ImportJob,
    status=202,
)
def start_import(call: Call, event_id: str) -> ImportJob:
    """All or nothing, in steps with progress."""
    body: ImportOrder = call.body
    language: Language = "en" if call.language == "en" else "zh"
    return importing.start(
        call.world,
        event_id,
        body.key,
        body.commit,
        body.columns,
        language,
        call.caller.actor,
        call.once,
        corrections(body.corrections),
        call.digits,
    )


@route(
    blueprint,
    "GET",
    "/events/{event_id}/import-jobs/{job_id}",
    action="entry.import",
    summary="How far an import is",
    reply=ImportJob,
)
def read_import(call: Call, event_id: str, job_id: str) -> ImportJob:
    """Progress, then the report."""
    return importing.read(call.world, event_id, job_id, call.digits)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/import-jobs/{job_id}/cancellation",
    action="entry.import",
    summary="Cancel an import",
    reply=ImportJob,
    keyed=False,
)
def cancel_import(call: Call, event_id: str, job_id: str) -> ImportJob:
    """Nothing of it stays; doing so again, or when it is over, changes nothing."""
    return importing.stop(call.world, event_id, job_id, call.digits)
