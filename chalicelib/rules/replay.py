"""Rebuilds an event from its audit log (JSON lines, oldest first), so that anybody can check a ranking from the acts.

Each line is one act: ``{"at", "actor", "action", "subject", "reason", "details"}``. Acts that move no rank are passed
over; the others are folded into a document (``event-json``) without names, which is then read like any other. A table
counts what its sides said last, or what a referee ruled last, by the versions that the lines carry.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from chalicelib.rules.document import parse
from chalicelib.rules.document.writer import FORMAT
from chalicelib.rules.faults import DocumentFaults, Fault, FaultCode, pointer
from chalicelib.rules.model import Event
from chalicelib.rules.replay_tables import ReplayedRound

MOST_BYTES: Final = 512 * 1024 * 1024
OUTSIDE: Final = ("waiting", "single")
"""States of entries that have no place in the event yet."""
_SUBJECT: Final = re.compile(r"(table|round|entry):([0-9]{1,6})(?:\.([0-9]{1,6}))?")

Line = Mapping[str, Any]


def club_mark(name: str) -> str:
    """What the log calls a 团体: 16 hexadecimal digits of the SHA-256 of its name in UTF-8."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def replay(content: bytes | str) -> Event:
    """The event that a log tells of, without names. ``content`` may be compressed (gzip).

    Raises :class:`DocumentFaults`; a pointer is the number of the line, from 1, or ``/`` for the whole.
    """
    log = _Log()
    faults: list[Fault] = []
    for number, text in enumerate(_lines(content), 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            faults.append(Fault(pointer((number,)), FaultCode.NOT_JSON, "the line is no JSON"))
            continue
        fault = log.take(line)
        if fault is not None:
            faults.append(Fault(pointer((number, *fault[0])), fault[1], fault[2]))
    if not faults and log.settings is None:
        faults.append(Fault(pointer(()), FaultCode.MISSING, "no line tells how the event was made"))
    if faults:
        raise DocumentFaults(faults)
    try:
        return parse(json.dumps(log.document()))
    except DocumentFaults as found:
        # Where it stands in the document says little to who has the log; the sentence keeps it.
        raise DocumentFaults(
            [Fault(pointer(()), fault.code, f"{fault.pointer}: {fault.message}") for fault in found.faults]
        ) from None


def _lines(content: bytes | str) -> list[str]:
    if isinstance(content, str):
        return content.split("\n")
    if content[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as opened:
                content = opened.read(MOST_BYTES)
        except (OSError, EOFError, zlib.error):
            raise DocumentFaults([Fault(pointer(()), FaultCode.NOT_JSON, "the file is broken")]) from None
    try:
        return content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DocumentFaults([Fault(pointer(()), FaultCode.NOT_JSON, "the file is not UTF-8")]) from None


class _Log:
    """What the lines so far tell."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] | None = None
        self._double = True
        self._version = 0
        self._parts: set[int] = set()
        self._clubs: list[str] = []
        self._renamed: dict[str, str] = {}
        self._entries: dict[int, list[Any]] = {}
        self._rounds: dict[int, ReplayedRound] = {}
        self._adjustments: dict[str, dict[str, Any]] = {}

    def take(self, line: Any) -> tuple[tuple[str, ...], FaultCode, str] | None:
        """Take one line; what is wrong with it, if anything is: the place within it, code and sentence."""
        if not isinstance(line, dict):
            return (), FaultCode.WRONG_TYPE, "a line must be an object"
        action = line.get("action")
        if not isinstance(action, str):
            return ("action",), FaultCode.MISSING, "the line does not say what was done"
        act = _ACTS.get(action)
        if act is None:
            return None
        try:
            act(self, line)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, ArithmeticError):
            return ("details",), FaultCode.INCONSISTENT, f"this cannot have been done here: {action}"
        return None

    def document(self) -> dict[str, Any]:
        """The event as a document, without names."""
        known = {club_mark(name): name for name in self._clubs}

        def club(mark: str | None) -> str | None:
            # A 团体 that is not on the event's list counts for nothing but being somebody's own.
            now = self._renamed.get(mark, mark) if mark is not None else None
            return None if now is None else known.get(now, now)

        entries = [
            {
                "no": number,
                "club": club(mark),
                "group": group,
                "seed": seed,
                "joined_round": joined,
                "left_after_round": left,
            }
            for number, (state, mark, seed, group, joined, left) in sorted(self._entries.items())
            if state not in OUTSIDE
        ]
        published = [number for number in sorted(self._rounds) if self._rounds[number].published]
        return {
            "format": FORMAT,
            "event": self.settings,
            "clubs": self._clubs,
            "entries": entries,
            "rounds": [self._rounds[number].document(self._double) for number in published],
            "adjustments": [each for each in self._adjustments.values() if each["round"] in published],
        }

    def configure(self, line: Line) -> None:
        """The settings, when the event was made or changed."""
        details = line["details"]
        if "document" not in details:
            if self.settings is None:
                raise KeyError("document")
            return
        version = int(details.get("version", 0))
        if version < self._version:
            # Written in the same moment as a newer one, and listed behind it.
            return
        self._version = version
        event, clubs = dict(details["document"]["event"]), list(details["document"]["clubs"])
        self._double = bool(details.get("double_submission", True))
        self.settings, self._clubs = event, [str(club) for club in clubs]

    def take_clubs(self, line: Line) -> None:
        """A new list of 团体, and (when an event is encrypted) what each of them is called from now on."""
        details = line["details"]
        self._clubs = [str(club) for club in details["names"]]
        self._renamed |= {str(old): str(new) for old, new in details.get("renamed", {}).items()}

    def take_entries(self, line: Line) -> None:
        """Entries as they are from now on, and numbers that are free again."""
        details = line.get("details") or {}
        marks = [str(mark) for mark in details.get("clubs", ())]
        for number, state, club, seed, group, joined, left in details.get("entries", ()):
            mark = None if club is None else marks[club]
            self._entries[int(number)] = [str(state), mark, seed, group, int(joined), left]
        for number in details.get("gone", ()):
            self._entries.pop(int(number), None)
        for number, joined in details.get("admitted", ()):
            self._entries[number][0] = "in"
            self._entries[number][4] = int(joined)
        if "event_clubs" in details:
            self._clubs = [str(club) for club in details["event_clubs"]]

    def draw(self, line: Line) -> None:
        """A draft, drawn or rearranged."""
        details = line["details"]
        number = _numbers(line, "round")[0]
        self._rounds[number] = ReplayedRound.drawn(number, details)

    def publish(self, line: Line) -> None:
        """A draft that players see from now on."""
        self._rounds[_numbers(line, "round")[0]].published = True

    def settle(self, line: Line) -> None:
        """A round that counts by the setting of this moment from now on."""
        double = (line.get("details") or {}).get("double_submission", self._double)
        self._rounds[_numbers(line, "round")[0]].double_submission = bool(double)

    def reopen(self, line: Line) -> None:
        """A round in play again."""
        self._rounds[_numbers(line, "round")[0]].double_submission = None

    def delete_round(self, line: Line) -> None:
        """A round that was never played, with its adjustments."""
        number = _numbers(line, "round")[0]
        del self._rounds[number]
        self._adjustments = {name: each for name, each in self._adjustments.items() if each["round"] != number}

    def at_table(self, line: Line) -> None:
        """A word, a ruling, its lifting, or a postponement."""
        number, address = _numbers(line, "table")
        table = self._rounds[number].table(address, line["details"])
        if line["action"] == "table.submit":
            table.say(line["details"])
        elif line["action"] in ("table.rule", "table.forfeit"):
            table.rule(line["details"])
        elif line["action"] == "table.lift":
            table.lift(line["details"])
        else:
            table.postpone(line["details"])

    def adjust(self, line: Line) -> None:
        """Points given or taken."""
        details = line["details"]
        amount = float(details["amount"])
        self._adjustments[str(details["id"])] = {
            "entry": _numbers(line, "entry")[0],
            "round": int(details["round"]),
            "criterion": str(details["criterion"]),
            "amount": int(amount) if amount.is_integer() else amount,
            "reason": str(line.get("reason") or ""),
        }

    def unadjust(self, line: Line) -> None:
        """An adjustment taken back."""
        del self._adjustments[str(line["details"]["id"])]

    def restored(self, line: Line) -> None:
        """A part of the document that the event was restored from."""
        details = line["details"]
        if (part := int(details["part"])) in self._parts:
            # Told twice by a restoration that was interrupted and begun again.
            return
        self._parts.add(part)
        self.take_entries(line)
        if "round" in details:
            drawn = details["round"]
            number = int(drawn["no"])
            self._rounds.setdefault(number, ReplayedRound(number)).restore(drawn)
        given = details.get("adjustments", ())
        # A log from before they had ids: nobody could tell which of them was taken back later.
        ids = details.get("ids") or [f"restored-{len(self._adjustments) + place}" for place in range(len(given))]
        for name, each in zip(ids, given, strict=True):
            self._adjustments[str(name)] = dict(each)
            _ = each["round"]


def _numbers(line: Line, what: str) -> list[int]:
    found = _SUBJECT.fullmatch(line["subject"])
    if found is None or found[1] != what or (found[3] is None) is (what == "table"):
        raise ValueError(line["subject"])
    return [int(number) for number in found.groups()[1:] if number is not None]


_ACTS: Final[dict[str, Callable[[_Log, Line], None]]] = {
    "event.create": _Log.configure,
    "event.configure": _Log.configure,
    "event.restore": _Log.configure,
    "event.import_clubs": _Log.take_clubs,
    "event.encrypt": _Log.take_clubs,
    "event.restored_part": _Log.restored,
    "groups.assign": _Log.take_entries,
    "series.form": _Log.take_entries,
    "series.undo": _Log.take_entries,
    "entry.add": _Log.take_entries,
    "entry.change": _Log.take_entries,
    "entry.import": _Log.take_entries,
    "entry.withdraw": _Log.take_entries,
    "entry.return": _Log.take_entries,
    "registration.register": _Log.take_entries,
    "registration.change": _Log.take_entries,
    "registration.join": _Log.take_entries,
    "registration.match": _Log.take_entries,
    "registration.admit": _Log.take_entries,
    "round.draw": _Log.draw,
    "round.rearrange": _Log.draw,
    "round.publish": _Log.publish,
    "round.settle": _Log.settle,
    "round.reopen": _Log.reopen,
    "round.delete": _Log.delete_round,
    "table.submit": _Log.at_table,
    "table.rule": _Log.at_table,
    "table.forfeit": _Log.at_table,
    "table.lift": _Log.at_table,
    "table.postpone": _Log.at_table,
    "entry.adjust": _Log.adjust,
    "entry.unadjust": _Log.unadjust,
}
