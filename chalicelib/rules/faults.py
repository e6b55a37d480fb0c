"""What can be wrong with a document: a code, the JSON pointer of the value, and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

Path = tuple[str | int, ...]
"""Where a value stands in a document: field names and positions, from the top."""


class FaultCode(StrEnum):
    """The codes of ``event-json``: what kind of fault it is."""

    NOT_JSON = "not_json"
    UNKNOWN_FIELD = "unknown_field"
    MISSING = "missing"
    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    DUPLICATE = "duplicate"
    UNKNOWN_REFERENCE = "unknown_reference"
    NOT_OFFERED = "not_offered"
    INCONSISTENT = "inconsistent"


class Fault(NamedTuple):
    """One fault; as text it is exactly one line, whatever the document holds."""

    pointer: str
    code: FaultCode
    message: str

    def line(self) -> str:
        """``POINTER CODE sentence``."""
        return f"{self.pointer} {self.code} {self.message}"


class DocumentFaults(ValueError):
    """Raised for a document that is not sound; ``faults`` holds at least one."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.line() for fault in self.faults[:5]))


def pointer(path: Path) -> str:
    """The JSON pointer of a path; ``/`` stands for the whole document.

    Characters that would break a line or cannot be written (controls, lone surrogates) are escaped as in JSON.
    """
    return "".join(f"/{_step(step)}" for step in path) or "/"


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return str(step)
    escaped = step.replace("~", "~0").replace("/", "~1")
    if escaped.isprintable():
        return escaped
    return "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in escaped)
