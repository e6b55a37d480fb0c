"""分组: the groups of a round robin, by lot with club-mates spread or like a snake by seed, before the first round."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final, Literal

import msgspec

from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.model import Event
from chalicelib.rules.pairing.contenders import seeded_order
from chalicelib.rules.stages import drawn_groups, snake
from chalicelib.services import audit, audit_facts
from chalicelib.services.documents import entry_of, model_of
from chalicelib.services.entry_changes import Moved, touch
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import roster
from chalicelib.services.stored.roster import RosterRow
from chalicelib.services.views.groups import Group, Groups
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, partition, sort_key
from chalicelib.store.events import EventHeader

Method = Literal["lot", "snake"]
MOST_GROUPS: Final = len(ascii_uppercase)
MOST_ENTRIES: Final = 1000
"""Nobody plays a round robin of more; larger events are drawn in stages."""
SLICE: Final = 90
"""Entries in one transaction."""


def read(world: World, event_id: str) -> Groups:
    """The groups as they are; none for an event that has none. Raises event_not_found."""
    header, _ = known_event(event_id)
    return _view(roster.stored(header))


def assign(world: World, event_id: str, count: int, method: Method, actor: str, once: Once) -> Groups:
    """Put everybody who takes part into ``count`` groups named A, B, ...; one group takes the groups away.

    By lot: from the event's seed, so that the same entries give the same groups again. Raises setting_not_offered for
    an event that is no round robin, groups_fixed once a round is drawn, groups_too_many unless each has two entries.
    """
    header, settings = open_event(world, event_id)
    rows = [row for row in roster.stored(header) if row.left_after_round is None]
    model = model_of(settings, [entry_of(row) for row in rows], [])
    _demand_round_robin(model, settings)
    if header.last_round:
        raise Problem("groups_fixed")
    if (count > 1 and count > len(rows) // 2) or len(rows) > MOST_ENTRIES:
        raise Problem("groups_too_many", "groups", most=len(rows) // 2)
    group_of = _groups(model, rows, count, method)
    after = [msgspec.structs.replace(row, group=group_of.get(row.number)) for row in rows]
    reply = _view(after)
    changed = [row for row, before in zip(after, rows, strict=True) if row.group != before.group]
    slices = [changed[first : first + SLICE] for first in range(0, len(changed), SLICE)] or [[]]
    for index, part in enumerate(slices):
        work = transaction(world)
        for row in part:
            group = EntryRecord.group.remove() if row.group is None else EntryRecord.group.set(row.group)
            work.update(
                EntryRecord(partition(event_id, row.number), sort_key(row.number)),
                [group, EntryRecord.version.add(1)],
                EntryRecord.pk.exists(),
                lambda old: Problem("stale_version"),
            )
        if index + 1 < len(slices):
            work.check(header, EventHeader.last_round == 0, lambda old: Problem("groups_fixed"))
        else:
            once.record(work, msgspec.to_builtins(reply), world)
            touch(work, header, "groups.assign")
            audit.record(
                work,
                world,
                event_id=event_id,
                actor=actor,
                action="groups.assign",
                subject=f"event:{event_id}",
                details={"groups": len(reply.groups), **audit_facts.of_roster(after)},
            )
        try:
            work.commit()
        except Moved as moved:
            raise Problem("stale_version") from moved
    return reply


def _demand_round_robin(model: Event, settings: Settings) -> None:
    kind = kind_of(settings.kind)
    if meeting_of(model) is not Meeting.ROUND_ROBIN:
        raise Problem(
            "setting_not_offered", kind_zh=kind.chinese, kind_en=kind.english, setting_zh="分组", setting_en="groups"
        )


def _groups(model: Event, rows: list[RosterRow], count: int, method: Method) -> dict[int, str]:
    if count == 1:
        return {}
    numbers = [row.number for row in rows]
    if method == "snake":
        ranked = [side[0] for side in seeded_order(model, [(number,) for number in numbers])]
        filled = snake(ranked, count)
    else:
        filled = drawn_groups(numbers, count, model.pairing.seed, {row.number: row.club or None for row in rows})
    return {number: ascii_uppercase[index] for index, group in enumerate(filled) for number in group}


def _view(rows: list[RosterRow]) -> Groups:
    names = sorted({row.group for row in rows if row.group is not None})
    return Groups([Group(name, [row.seated() for row in rows if row.group == name]) for name in names])
