"""``standings``, ``pair`` and ``check`` of one document, ``replay`` of one audit log (``event-json.md``).

No server, no network, only this package. Exit status: 0 when answered, 1 when a round is refused or nothing legal
exists, 2 for a file that is not sound (one line per fault on standard error: ``POINTER CODE sentence``) or a command
that makes no sense.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from chalicelib.rules.document import parse
from chalicelib.rules.faults import DocumentFaults, Fault, FaultCode, pointer
from chalicelib.rules.model import Event
from chalicelib.rules.replay import replay
from chalicelib.rules.standings import standings, to_json

ANSWERED: Final = 0
REFUSED: Final = 1
UNSOUND: Final = 2
STANDARD_INPUT: Final = "-"


class Input(Protocol):
    """Where a document comes from: bytes are best, since only they can tell what is no UTF-8."""

    def read(self) -> str | bytes:
        """The whole document."""


class Output(Protocol):
    """Where an answer goes."""

    def write(self, text: str, /) -> object:
        """Take some text."""


Answer = tuple[int, dict[str, Any]]


def _standings(event: Event) -> Answer:
    return ANSWERED, to_json(standings(event))


def _check(event: Event) -> Answer:
    # Reading has judged everything already: an event that could be read is sound.
    return ANSWERED, {"ok": True}


def _pair(event: Event) -> Answer:
    # Imported here because the other commands need none of it and should start at once.
    from chalicelib.rules.pairing import Refusal, draw
    from chalicelib.rules.pairing import to_json as round_to_json

    drawn = draw(event)
    return REFUSED if isinstance(drawn, Refusal) else ANSWERED, round_to_json(drawn)


COMMANDS: Final[Mapping[str, Callable[[Event], Answer]]] = {
    "standings": _standings,
    "pair": _pair,
    "check": _check,
    "replay": _standings,
}
READERS: Final[Mapping[str, Callable[[str | bytes], Event]]] = {"replay": replay}
"""How a command reads its file, if that is no document."""


def run(arguments: Sequence[str], stdin: Input, stdout: Output, stderr: Output) -> int:
    """Answer ``[command, FILE]`` (``-`` is standard input) as JSON on ``stdout``; returns the exit status."""
    if len(arguments) != 2 or arguments[0] not in COMMANDS:
        stderr.write(f"usage: {'|'.join(COMMANDS)} FILE (- is standard input)\n")
        return UNSOUND
    command, name = arguments
    try:
        document = stdin.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as error:
        # What cannot be read is a fault of the whole document; the name may hold anything, so it is quoted.
        fault = Fault(pointer(()), FaultCode.NOT_JSON, f"the file {name!r} cannot be read: {error.strerror}")
        stderr.write(f"{fault.line()}\n")
        return UNSOUND
    with _uncollected():
        try:
            event = READERS.get(command, parse)(document)
        except DocumentFaults as found:
            stderr.write("".join(f"{fault.line()}\n" for fault in found.faults))
            return UNSOUND
        status, answer = COMMANDS[command](event)
        stdout.write(json.dumps(answer, ensure_ascii=False))
        stdout.write("\n")
        return status


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the search for garbage cycles: a large document makes millions of values and no cycles, and looking
    through them again and again takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
