"""Files of large events: have one made, watch it, fetch it."""

from __future__ import annotations

import msgspec
from chalice.app import Blueprint

from chalicelib.api.framework import OCTETS, Call, File, route
from chalicelib.services.exports import Language
from chalicelib.services.jobs import exporting
from chalicelib.services.jobs.exporting import FileName
from chalicelib.services.views.jobs import ExportJob

blueprint = Blueprint(__name__)


class ExportOrder(msgspec.Struct, forbid_unknown_fields=True):
    """Which file is wanted."""

    name: FileName


@route(
    blueprint,
    "POST",
    "/events/{event_id}/export-jobs",
    action="standings.files",
    summary="Have a file of the event made",
    body=ExportOrder,
    reply=ExportJob,
    status=202,
)
def start_export(call: Call, event_id: str) -> ExportJob:
    """For events of any size; small ones answer at once below ``/files``, ``/document`` and ``/audit-lines``."""
    body: ExportOrder = call.body
    language: Language = "en" if call.language == "en" else "zh"
    return exporting.start(call.world, event_id, body.name, language, call.caller.actor, call.once, call.digits)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/export-jobs/{job_id}",
    action="standings.files",
    summary="How far a file is",
    reply=ExportJob,
)
def read_export(call: Call, event_id: str, job_id: str) -> ExportJob:
    """Progress, then where the file is; it stays for a day."""
    return exporting.read(call.world, event_id, job_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/export-jobs/{job_id}/cancellation",
    action="standings.files",
    summary="Cancel the making of a file",
    reply=ExportJob,
    keyed=False,
)
def cancel_export(call: Call, event_id: str, job_id: str) -> ExportJob:
    """Nothing of it stays; doing so again, or when it is over, changes nothing."""
    return exporting.stop(call.world, event_id, job_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/export-jobs/{job_id}/pieces/{number}",
    action="standings.files",
    summary="A piece of a file with the names of an encrypted event",
    reply=File,
)
def read_export_piece(call: Call, event_id: str, job_id: str, number: int) -> File:
    """Only with the digits. Pieces count from 1; joined in order they are the file."""
    return File(exporting.piece(call.world, event_id, job_id, number, call.digits), OCTETS)
