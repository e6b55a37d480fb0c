"""Making an event again of its exported document: upload the file, order the job, watch it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services.jobs import restoring
from chalicelib.services.views.jobs import DocumentJob, UploadView

blueprint = Blueprint(__name__)


class DocumentOrder(msgspec.Struct, forbid_unknown_fields=True):
    """An uploaded document to make an event of."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]


@route(
    blueprint,
    "POST",
    "/event-documents/uploads",
    action="event.create",
    summary="Leave to upload an event's document",
    reply=UploadView,
    status=201,
    keyed=False,
)
def begin_document(call: Call) -> UploadView:
    """``guanjun-event/1`` as JSON, or packed (gzip); the browser posts the file by itself."""
    assert call.caller.account_id is not None
    return restoring.upload(call.world, call.caller.account_id)


@route(
    blueprint,
    "POST",
    "/event-documents/jobs",
    action="event.create",
    summary="Make an event of a document",
    body=DocumentOrder,
    reply=DocumentJob,
    status=202,
)
def restore_document(call: Call) -> DocumentJob:
    """The same entries, rounds, results and standings, to the last digit, as a new event of the caller."""
    assert call.caller.account_id is not None
    return restoring.start(call.world, call.caller.account_id, call.body.key, call.once)


@route(
    blueprint,
    "GET",
    "/event-documents/jobs/{job_id}",
    action="event.create",
    summary="How far making an event is",
    reply=DocumentJob,
)
def read_document_job(call: Call, job_id: str) -> DocumentJob:
    """The event's id once it is there, or every fault of the document."""
    assert call.caller.account_id is not None
    return restoring.read(call.caller.account_id, job_id)
