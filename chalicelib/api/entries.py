"""Entries: roster, single changes, import from a file, check-in at the desk, exports of the roster."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import XLSX, Call, File, route
from chalicelib.services import check_in, entries, imports, rejected_rows, workbooks
from chalicelib.services.exports import Language
from chalicelib.services.roster import Correction
from chalicelib.services.settings import Line, Name, Version
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import EntryList, EntryName, EntryNames, EntryView, ImportReport, PlayerView

blueprint = Blueprint(__name__)
Column = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$")]
Role = Annotated[str, Meta(max_length=40)]


class PlayerBody(msgspec.Struct, forbid_unknown_fields=True):
    """A player: name, and a phone if known."""

    name: Name
    phone: Annotated[str, Meta(max_length=30)] = ""


class EntryBody(msgspec.Struct, forbid_unknown_fields=True):
    """An entry as typed. ``version`` is needed when an existing entry is changed."""

    players: Annotated[list[PlayerBody], Meta(min_length=1, max_length=8)]
    name: Line = ""
    club: Line = ""
    seed: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    version: Version | None = None


class Withdrawal(msgspec.Struct, forbid_unknown_fields=True):
    """An entry leaves (after the last drawn round) or comes back."""

    withdrawn: bool
    reason: Line = ""


class CheckInBody(msgspec.Struct, forbid_unknown_fields=True):
    """签到 or its undo."""

    checked_in: bool


class CellBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a cell of the file is to say; row and column from 1, as the spreadsheet counts."""

    row: Annotated[int, Meta(ge=1, le=1_048_576)]
    column: Annotated[int, Meta(ge=1, le=1000)]
    text: Line


Corrections = Annotated[list[CellBody], Meta(max_length=500)]


class ImportBody(msgspec.Struct, forbid_unknown_fields=True):
    """A roster file in base64. ``columns`` overrules the guess: number from 1 -> role. ``commit`` false: dry run.
    ``corrections``: cells put right in the preview."""

    filename: Line
    content: Annotated[str, Meta(max_length=5_500_000)]
    commit: bool
    columns: Annotated[dict[Column, Role], Meta(max_length=200)] | None = None
    corrections: Corrections = []


@route(blueprint, "GET", "/events/{event_id}/entries", action="entry.read", summary="The roster", reply=EntryList)
def list_entries(call: Call, event_id: str) -> EntryList:
    """All entries with full phones: organizers only."""
    return entries.roster(call.world, event_id, call.digits)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/entry-names",
    action="entry.list_names",
    summary="Entries without phones",
    reply=EntryNames,
)
def list_entry_names(call: Call, event_id: str) -> EntryNames:
    """For the desk: names, masked phones, check-in state."""
    return entries.names(call.world, event_id, call.digits)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/entries",
    action="entry.write",
    summary="Add an entry",
    body=EntryBody,
    reply=EntryView,
    status=201,
)
def add_entry(call: Call, event_id: str) -> EntryView:
    """A phone plays once per event; a late entry joins the next round."""
    return entries.add(call.world, event_id, _typed(call.body), call.caller.actor, call.once)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/entries/{number}",
    action="entry.write",
    summary="Change an entry",
    body=EntryBody,
    reply=EntryView,
)
def change_entry(call: Call, event_id: str, number: int) -> EntryView:
    """修改队伍信息; 409 stale_version with the current entry."""
    return entries.change(
        call.world,
        event_id,
        number,
        _typed(call.body),
        call.body.version or 0,
        call.caller.actor,
        call.once,
        call.digits,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/entries/{number}/withdrawal",
    action="entry.write",
    summary="Withdraw an entry or bring it back",
    body=Withdrawal,
    reply=EntryView,
)
def withdraw_entry(call: Call, event_id: str, number: int) -> EntryView:
    """退赛: results stay; not paired again."""
    return entries.withdraw(
        call.world, event_id, number, call.body.withdrawn, call.body.reason, call.caller.actor, call.once
    )


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/entries/{number}/check-in",
    action="entry.check_in",
    summary="Check an entry in at the desk",
    body=CheckInBody,
    reply=EntryName,
)
def check_in_entry(call: Call, event_id: str, number: int) -> EntryName:
    """A repeat says who and when."""
    return check_in.at_desk(call.world, event_id, number, call.body.checked_in, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/imports",
    action="entry.import",
    summary="Import a roster file",
    body=ImportBody,
    reply=ImportReport,
)
def import_roster(call: Call, event_id: str) -> ImportReport:
    """Dry run with a report by row; committed all or nothing."""
    body: ImportBody = call.body
    return imports.run(
        call.world,
        event_id,
        body.filename,
        body.content,
        body.commit,
        body.columns,
        call.caller.actor,
        call.once,
        call.digits,
        corrections(body.corrections),
    )


class RejectedBody(msgspec.Struct, forbid_unknown_fields=True):
    """A roster file in base64 with its columns and corrections, as for a dry run."""

    content: Annotated[str, Meta(max_length=5_500_000)]
    columns: Annotated[dict[Column, Role], Meta(max_length=200)] | None = None
    corrections: Corrections = []


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rejected-rows",
    action="entry.import",
    summary="The rows of a roster file that would not come in",
    body=RejectedBody,
    reply=File,
    keyed=False,
)
def rejected(call: Call, event_id: str) -> File:
    """A workbook to correct and import again; nothing is kept."""
    body: RejectedBody = call.body
    language: Language = "en" if call.language == "en" else "zh"
    cells = corrections(body.corrections)
    data = rejected_rows.of_file(call.world, event_id, body.content, body.columns, cells, language, call.digits)
    return File(data, XLSX, rejected_rows.FILE_NAMES[language])


@route(
    blueprint,
    "GET",
    "/events/{event_id}/files/{name}",
    action="standings.files",
    summary="A workbook of the event",
    reply=File,
)
def download(call: Call, event_id: str, name: str) -> File:
    """``name``: template, clubs, entries, standings, results, workbook."""
    body, filename = workbooks.download(call.world, event_id, name, call.language, call.digits)
    return File(body, XLSX, filename)


def corrections(cells: list[CellBody]) -> list[Correction]:
    """The corrections of a request as the services take them."""
    return [Correction(cell.row, cell.column, cell.text) for cell in cells]


def _typed(body: EntryBody) -> TypedEntry:
    return TypedEntry(
        body.name, body.club, [PlayerView(player.name, player.phone) for player in body.players], body.seed
    )
