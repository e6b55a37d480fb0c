"""Large files of an event as a job: too long in the making, or too large, for the answer to one request.

What a workbook shows is read once and put aside, each sheet is then written by itself, and the last act puts them
together; so a step that died is repeated from its cursor, and all sheets tell of one moment. The document and the log
are written in one go.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from chalicelib.gateways.spreadsheets import WrittenSheet, put_together, write_sheet
from chalicelib.services import audit_lines, documents, workbooks
from chalicelib.services.exports import EventFacts, Language, sheet_makers
from chalicelib.services.finding import known_event
from chalicelib.services.jobs.kept_parts import FACTS, FILE, MARK, Parts, delete, key_of, piece_part, sheet_part
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.steps import Stopped, Work, cancel
from chalicelib.services.once import Once
from chalicelib.services.privacy.keys import sealed_for_job, unlock, unlocked
from chalicelib.services.privacy.sealing import opened_bytes
from chalicelib.services.problems import Problem
from chalicelib.services.views.jobs import ExportJob, JobProblem
from chalicelib.services.world import World
from chalicelib.store.jobs import FINAL, Job, find_job

KIND: Final = "export"
FileName = Literal["workbook", "results", "standings", "entries", "document", "log"]
"""What may grow with an event: four workbooks, the event's document, its log."""
PIECE_BYTES: Final = 3 * 1024 * 1024
"""A sealed file is given out in pieces of so many bytes: an answer holds 4.5 MB."""
MOST_TIMES_ANEW: Final = 5
"""So often a job begins again because names were taken out of the event meanwhile."""
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class _File(msgspec.Struct, frozen=True):
    """What a job made; kept as its report. ``pieces``: 0 where a link leads to it."""

    filename: str
    pieces: int


class _Cursor(msgspec.Struct):
    """How far a job is: ``next`` sheet of ``sheets`` (-1: nothing was read yet), in how many ``pieces`` its file is,
    and how often it began ``anew``."""

    next: int = -1
    sheets: int = 0
    pieces: int = 0
    anew: int = 0


class _Gone(Exception):
    """A part that should lie there does not: names were taken out of the event."""


def start(
    world: World, event_id: str, name: FileName, language: Language, actor: str, call_once: Once, digits: str = ""
) -> ExportJob:
    """Queue the making of a file. An encrypted event names people in it only with its ``digits``.

    Raises event_not_found, digits_wrong, too_many_tries.
    """
    header, _ = known_event(event_id)
    key = unlocked(world, header, digits)
    job_id = world.random.token(12)
    order: dict[str, Any] = {"name": name, "language": language}
    if key is not None:
        order |= {"sealed": True, "lent": sealed_for_job(world, event_id, job_id, key)}
    job = new_job(world, job_id, kind=KIND, event_id=event_id, actor=actor, order=order)
    return queue(world, job, call_once, lambda queued: _view(world, queued))


def read(world: World, event_id: str, job_id: str) -> ExportJob:
    """How far it is, and where its file is once it is there. Raises not_found."""
    return _view(world, _of_event(event_id, job_id))


def stop(world: World, event_id: str, job_id: str) -> ExportJob:
    """Cancel it; nothing of it stays. One that is over stays as it is. Raises not_found."""
    _of_event(event_id, job_id)
    cancel(world, job_id)
    return read(world, event_id, job_id)


def piece(world: World, event_id: str, job_id: str, number: int, digits: str) -> bytes:
    """Piece ``number``, from 1, of a sealed file, opened.

    Raises not_found, also when the event has another key by now; digits_needed, digits_wrong, too_many_tries.
    """
    job = _of_event(event_id, job_id)
    made = _made(job)
    if made is None or not 1 <= number <= made.pieces:
        raise Problem("not_found")
    key = unlock(world, known_event(event_id)[0], digits)
    found = world.files.get(key_of(job, piece_part(number)))
    opened = None if found is None else opened_bytes(found.body, key)
    if opened is None:
        raise Problem("not_found")
    return opened


def carry_on(work: Work) -> None:
    """One step: as much as there is time for. A key that was lent too long ago ends it: key_expired."""
    job = work.job
    cursor = msgspec.convert(job.cursor or {}, _Cursor)
    parts = Parts(work.world, job)
    try:
        _carry_on(work, parts, cursor)
    except _Gone:
        if cursor.anew >= MOST_TIMES_ANEW:
            raise Problem("busy") from None
        _save(work, _Cursor(anew=cursor.anew + 1))
        work.again()
    except Stopped:
        found = find_job(job.pk.partition("#")[2])
        if found is None or found.phase == "cancelled":
            # What this very step put there after the cancellation had cleared away.
            delete(work.world, job, _all_parts(cursor))
        raise


def undo(world: World, job: Job) -> None:
    """Nothing of a cancelled job stays."""
    delete(world, job, _all_parts(msgspec.convert(job.cursor or {}, _Cursor)))


def _carry_on(work: Work, parts: Parts, cursor: _Cursor) -> None:
    order = dict(work.job.order)
    name: FileName = order["name"]
    if cursor.next < 0:
        # Saved before anything lies in the bucket, so that a cancellation knows what to clear away.
        _save(work, cursor)
        parts.put(MARK, b"")
    if name == "document" or name == "log":
        body, filename, media_type = _written_at_once(work.world, work.job.event_id, name, parts)
        _finish(work, parts, cursor, body, filename, media_type)
        return
    facts = _facts(work, parts, cursor)
    makers = sheet_makers(name, facts, order["language"])
    if cursor.next < 0:
        cursor.next, cursor.sheets = 0, len(makers)
        _save(work, cursor)
    while cursor.next < len(makers):
        if not work.has_time():
            work.again()
            return
        parts.put(sheet_part(cursor.next), msgspec.msgpack.encode(write_sheet(makers[cursor.next]())))
        cursor.next += 1
        _save(work, cursor)
    if not work.has_time():
        work.again()
        return
    sheets = [
        msgspec.msgpack.decode(_there(parts.get(sheet_part(number))), type=WrittenSheet)
        for number in range(cursor.sheets)
    ]
    filename = workbooks.filename(known_event(work.job.event_id)[1], name, order["language"])
    _finish(work, parts, cursor, put_together(sheets), filename, XLSX)


def _facts(work: Work, parts: Parts, cursor: _Cursor) -> EventFacts:
    """What the workbook shows, read in the first step and put aside for the others."""
    if cursor.next >= 0:
        return msgspec.msgpack.decode(_there(parts.get(FACTS)), type=EventFacts)
    facts = workbooks.facts_of(work.world, work.job.event_id, dict(work.job.order)["name"], parts.key)
    parts.put(FACTS, msgspec.msgpack.encode(facts))
    return facts


def _written_at_once(world: World, event_id: str, name: FileName, parts: Parts) -> tuple[bytes, str, str]:
    header, settings = known_event(event_id)
    if name == "document":
        return documents.written(world, header, settings, parts.key), f"{settings.name}.json", "application/json"
    body, filename, packed = audit_lines.download(event_id)
    return body, filename, "application/gzip" if packed else "text/plain; charset=utf-8"


def _finish(work: Work, parts: Parts, cursor: _Cursor, body: bytes, filename: str, media_type: str) -> None:
    """Put the file where it is fetched, unless names were taken out of the event since its facts were read."""
    if parts.sealed:
        cursor.pieces = -(-len(body) // PIECE_BYTES)
        for number in range(cursor.pieces):
            parts.put(piece_part(number + 1), body[number * PIECE_BYTES : (number + 1) * PIECE_BYTES])
    else:
        parts.put(FILE, body, media_type)
    if parts.get(MARK) is None:
        parts.delete(_all_parts(cursor))
        raise _Gone
    total = cursor.sheets + 2
    work.progress(total, total, msgspec.to_builtins(cursor))
    work.finish("done", msgspec.json.encode(_File(filename, cursor.pieces)))
    parts.delete((MARK, FACTS, *(sheet_part(number) for number in range(cursor.sheets))))


def _save(work: Work, cursor: _Cursor) -> None:
    """Say how far it is: reading, each sheet, and putting together count one each."""
    work.progress(cursor.next + 1, cursor.sheets + 2, msgspec.to_builtins(cursor))


def _there(part: bytes | None) -> bytes:
    if part is None:
        raise _Gone
    return part


def _all_parts(cursor: _Cursor) -> list[str]:
    """Every part that an unfinished job may have put somewhere."""
    sheets = [sheet_part(number) for number in range(cursor.sheets)]
    return [MARK, FACTS, *sheets, FILE, *(piece_part(number + 1) for number in range(cursor.pieces))]


def _of_event(event_id: str, job_id: str) -> Job:
    job = find_job(job_id)
    if job is None or job.event_id != event_id or job.kind != KIND:
        raise Problem("not_found")
    return job


def _made(job: Job) -> _File | None:
    return None if job.report is None else msgspec.json.decode(job.report, type=_File)


def _link(world: World, job: Job, made: _File) -> str | None:
    """Where the file is fetched; None once it is gone, for names were taken out of the event."""
    key = key_of(job, FILE)
    return world.files.download_link(key, made.filename) if key in world.files.list_prefix(key) else None


def _view(world: World, job: Job) -> ExportJob:
    made, problem = _made(job), job.problem
    link = _link(world, job, made) if made and not made.pieces else None
    return ExportJob(
        job_id=job.pk.partition("#")[2],
        name=dict(job.order)["name"],
        phase=job.phase,
        over=job.phase in FINAL,
        done=int(job.done),
        total=int(job.total),
        filename=made.filename if made else "",
        link=link,
        pieces=made.pieces if made else 0,
        problem=None if problem is None else JobProblem(problem["code"], problem["detail_zh"], problem["detail_en"]),
    )
