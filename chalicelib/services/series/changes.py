"""What is different in a stage since the next one was formed from it: said plainly, never mended in silence."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec

from chalicelib.services.event_frames import Frame
from chalicelib.services.problems import Problem
from chalicelib.services.series.choosing import Line, marks_of, selected
from chalicelib.services.stored import roster
from chalicelib.services.views.series import FormedState, SeriesEntry, SourceChanges, StagePlan
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry
from chalicelib.store.series import FormedRecord, find_formed


class FormedAs(msgspec.Struct, frozen=True):
    """How an event was formed, unpacked. ``sources`` are the events that the ``lines`` count from 0."""

    state: FormedState
    job: str
    import_id: str
    first: int
    count: int
    plan: StagePlan
    sources: list[str]
    targets: list[str]
    seen: dict[str, dict[str, int]]
    lines: list[Line]
    at: int


def packed(lines: Sequence[Line]) -> bytes:
    """Lines as an item holds them."""
    return zlib.compress(msgspec.json.encode(lines))


def unpacked(found: FormedRecord) -> FormedAs:
    """What an item says."""
    seen: dict[str, dict[str, int]] = dict(found.seen)
    return FormedAs(
        msgspec.convert(found.state, FormedState),
        found.job,
        found.import_id,
        int(found.first),
        int(found.size),
        msgspec.convert(found.plan, StagePlan),
        list(seen),
        list(found.targets),
        seen,
        msgspec.json.decode(zlib.decompress(found.lines), type=list[Line]),
        int(found.at),
    )


def formed_of(frame: Frame) -> FormedAs | None:
    """How the event was formed; None if it was not."""
    found = find_formed(frame.header.event_id)
    return None if found is None else unpacked(found)


def changes_of(world: World, formed: FormedAs, target: Frame, before: Sequence[Frame]) -> SourceChanges | None:
    """What is different now in the events that ``target`` was formed from; None while nothing is.

    Computed anew only when one of them has changed at all. An event that was deleted, or left the stage, is not
    looked at.
    """
    at = {frame.header.event_id: frame for frame in before}
    sources = [at[each] for each in formed.sources if each in at]
    if all(marks_of(frame.header) == formed.seen[frame.header.event_id] for frame in sources):
        return None
    try:
        selection, entries = selected(world, sources, formed.plan, target.settings.pairing.seed)
    except Problem:
        return SourceChanges(True, [], [], 0)
    ids = [frame.header.event_id for frame in sources]
    now = [(ids[one.source], one.entry) for one in selection.going]
    was = [key for key in _keys(formed) if key[0] in at]
    together = set(was)
    for each in formed.targets:
        other = None if each == target.header.event_id else find_formed(each)
        if other is not None and other.job == formed.job:
            together.update(_keys(unpacked(other)))
    named = {(ids[place], number): entry for (place, number), entry in entries.items()}
    return _difference(was, now, together, named)


def _keys(formed: FormedAs) -> list[tuple[str, int]]:
    return [(formed.sources[line.source], line.number) for line in formed.lines]


def _difference(
    was: list[tuple[str, int]],
    now: list[tuple[str, int]],
    together: set[tuple[str, int]],
    entries: dict[tuple[str, int], StoredEntry],
) -> SourceChanges | None:
    """``together``: everybody who went on then, into whichever of the events that were formed at once."""
    here, there = set(was), set(now)
    gone, come = [key for key in was if key not in there], [key for key in now if key not in together]
    stay = [key for key in was if key in there], [key for key in now if key in here]
    moved = sum(one != other for one, other in zip(*stay, strict=True))
    if not gone and not come and not moved:
        return None

    def named(key: tuple[str, int]) -> SeriesEntry:
        entry = entries.get(key)
        shown = roster.nobody(key[1]) if entry is None else roster.seat(entry)
        return SeriesEntry(key[0], key[1], shown.name, shown.club)

    return SourceChanges(False, [named(key) for key in gone], [named(key) for key in come], moved)
