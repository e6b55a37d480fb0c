"""One event as one JSON document (``event-json.md``): reading with every fault named, and writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from chalicelib.rules.check import Draft, draft_faults
from chalicelib.rules.document.entries import read_adjustments, read_clubs, read_entries
from chalicelib.rules.document.json_text import decode
from chalicelib.rules.document.reader import Reader
from chalicelib.rules.document.rounds import read_rounds
from chalicelib.rules.document.settings import Settings, read_settings
from chalicelib.rules.document.writer import FORMAT, to_document
from chalicelib.rules.faults import DocumentFaults, FaultCode
from chalicelib.rules.model import Event, Round

__all__ = ["FORMAT", "canonical", "parse", "parse_value", "to_document"]

Item = TypeVar("Item")

TOP_FIELDS: Final = frozenset({"format", "event", "clubs", "entries", "rounds", "adjustments"})


def parse(document: str | bytes) -> Event:
    """The event that a document describes, in canonical order (``canonical``).

    Raises ``DocumentFaults`` with every fault that could be found; never anything else, whatever the input.
    """
    return parse_value(decode(document))


def parse_value(value: Any) -> Event:
    """The same for a document that is decoded already (numbers as int, float-like ones as Decimal)."""
    reader = Reader()
    top = reader.fields(value, (), TOP_FIELDS)
    if top is None:
        raise DocumentFaults(reader.faults)
    if reader.required(top, "format", ()):
        stated = top["format"]
        if not isinstance(stated, str):
            reader.fault(("format",), FaultCode.WRONG_TYPE, "must be text")
        elif stated != FORMAT:
            reader.fault(("format",), FaultCode.OUT_OF_RANGE, f"must be {FORMAT}")
    settings = read_settings(reader, top)
    clubs = read_clubs(reader, top)
    entries = read_entries(reader, top, settings.kind)
    if settings.kind is None:
        # Without a kind nothing can be said about tables: they would only add faults that are none.
        raise DocumentFaults(reader.faults)
    event = replace(settings.event, clubs=clubs, entries=_sound(entries))
    return _with_rounds(reader, top, settings, event, Draft(settings.kind, entries, (), (), None not in entries))


def _with_rounds(reader: Reader, top: dict[str, Any], settings: Settings, event: Event, draft: Draft) -> Event:
    rounds = read_rounds(reader, top, event, draft.kind)
    adjustments = read_adjustments(reader, top, draft.kind)
    entries_known = draft.entries_known and isinstance(top.get("entries"), list)
    rounds_known = isinstance(top.get("rounds", []), list) and all(drawn.number is not None for drawn in rounds)
    draft = draft._replace(
        rounds=rounds, adjustments=adjustments, entries_known=entries_known, rounds_known=rounds_known
    )
    faults = [*reader.faults, *draft_faults(draft)]
    if faults:
        raise DocumentFaults(faults)
    return canonical(
        replace(
            event,
            drawn=tuple(
                Round(drawn.number or 0, _sound(drawn.tables), _sound(drawn.byes), _sound(drawn.sit_outs))
                for drawn in rounds
            ),
            adjustments=_sound(adjustments),
        )
    )


def _sound(items: Sequence[Item | None]) -> tuple[Item, ...]:
    return tuple(item for item in items if item is not None)


def canonical(event: Event) -> Event:
    """The same event in the order that does not depend on who wrote it.

    Entries, rounds, byes and sit-outs ascend by number, tables by number and room, adjustments by
    entry, round and criterion. The order of the 团体列表 is the organizer's and stays.
    """
    return replace(
        event,
        entries=tuple(sorted(event.entries, key=lambda entry: entry.number)),
        drawn=tuple(
            Round(
                drawn.number,
                tuple(sorted(drawn.tables, key=lambda table: (table.number, table.room == "closed"))),
                tuple(sorted(drawn.byes)),
                tuple(sorted(drawn.sit_outs)),
            )
            for drawn in sorted(event.drawn, key=lambda drawn: drawn.number)
        ),
        adjustments=tuple(sorted(event.adjustments)),
    )
