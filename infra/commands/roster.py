"""`roster FILE [--kind KIND]`: what an import of a roster would take 名单检查, without server and network."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES, FileFault, Sheet, read_sheets
from chalicelib.services.roster import KINDS, Fault, RosterReport, needs_of, read_roster

SOUND, FAULTY = 0, 2


class _UsageError(Exception):
    """The command line cannot be understood."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(message)


def run(arguments: Sequence[str], stdout: TextIO | None = None, stderr: TextIO | None = None) -> int:
    """Print the report as one JSON document; returns 0, or 2 with faults, which also stand line by line on stderr.

    The document has `entries` (name, players with name and phone, club), `clubs` (names) and `faults` (row,
    column, code, message); row is null for a fault of the whole file. Nothing is saved.
    """
    out, errors = stdout or _utf8(sys.stdout), stderr or _utf8(sys.stderr)
    parser = _Parser(prog="guanjun roster", add_help=False, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--kind", default="pairs", choices=sorted(KINDS))
    try:
        options = parser.parse_args(list(arguments))
        if options.file == "-":
            raise _UsageError("a roster is read from a file, not from standard input")
    except _UsageError as error:
        print(f"guanjun roster: {error}\n{parser.format_usage().strip()}", file=errors)
        return FAULTY
    report = read_roster(_sheets(Path(options.file)), needs_of(options.kind))
    json.dump(_document(report), out, ensure_ascii=False, indent=1)
    print(file=out)
    for fault in report.faults:
        print(f"{_pointer(fault)} {fault.code} {fault.message_zh}", file=errors)
    return FAULTY if report.faults else SOUND


def _utf8(stream: TextIO) -> TextIO:
    """Names are Chinese whatever code page the terminal of a Windows machine has."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")
    return stream


def _sheets(path: Path) -> tuple[Sheet, ...] | FileFault:
    try:
        with path.open("rb") as file:
            return read_sheets(file.read(MAX_FILE_BYTES + 1))
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return FileFault("not_found", "打不开这个文件。", "The file cannot be opened.")


def _document(report: RosterReport) -> dict[str, object]:
    return {
        "entries": [
            {
                "name": entry.name,
                "players": [{"name": player.name, "phone": player.phone} for player in entry.players],
                "club": entry.club,
            }
            for entry in report.entries
        ],
        "clubs": [club.name for club in report.clubs],
        "faults": [
            {"row": fault.row, "column": fault.column, "code": fault.code, "message": fault.message_zh}
            for fault in report.faults
        ],
    }


def _pointer(fault: Fault) -> str:
    """Row and heading as a JSON pointer; `/` for the whole file."""
    if fault.row is None:
        return "/"
    return f"/{fault.row}/" + fault.column.replace("~", "~0").replace("/", "~1")
