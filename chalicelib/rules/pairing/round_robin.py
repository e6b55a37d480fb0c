"""Round robin and league (循环赛, 联赛): everybody meets everybody, in one field or in groups, once or more.

Source: rules of the game, section 4; the order of rounds is ours to choose and is Berger's. Groups play side by
side, ascending by name. With more rounds than one cycle of the largest group the sides change in the second.
Who has left keeps the slot, and the opponent of that round has a bye. When the rounds played so far do not follow
the design (late entries, tables changed by hand), those who have not met are paired so that the rest stays possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from chalicelib.rules.model import ClubRule, Event, PairingMethod
from chalicelib.rules.pairing.berger import berger_round, club_mates_early, cycle_length
from chalicelib.rules.pairing.contenders import Field, field_of, first_round_order
from chalicelib.rules.pairing.history import History
from chalicelib.rules.pairing.result import Drawn, DrawnTable, Report, Why
from chalicelib.rules.pairing.swiss import draw_swiss

DESIGN = "round_robin"
_EARLY_UP_TO = 32
"""Largest group for which club-mates are brought together early; the search grows with the fourth power."""


def draw_round_robin(event: Event, history: History, round_number: int) -> Drawn | None:
    """The next round of all groups; None when every group has finished."""
    groups = groups_of(event)
    longest = max((cycle_length(len(group)) for group in groups), default=1)
    cycles = max(1, ceil(event.rounds / max(longest, 1)))
    tables: list[DrawnTable] = []
    byes: list[int] = []
    for group in groups:
        if len(group) < 2 or round_number > cycles * cycle_length(len(group)):
            continue
        pairs, resting = _group_round(event, history, group, round_number)
        byes += resting
        tables += [_table(history, ns, ew, len(tables) + index) for index, (ns, ew) in enumerate(pairs, start=1)]
    if not tables:
        return None
    rematches = sum(table.why.rematch for table in tables)
    return Drawn(round_number, tuple(tables), tuple(sorted(byes)), report=Report(rematches=rematches))


def groups_of(event: Event) -> list[list[int]]:
    """The entry numbers of each group in slot order, groups ascending by name; those without a group come first.

    Who left before having been there has no slot.
    """
    came = [entry for entry in event.entries if entry.entered(entry.joined_round)]
    order = first_round_order(event, [(entry.number,) for entry in came])
    group_of = {entry.number: entry.group or "" for entry in event.entries}
    groups: dict[str, list[int]] = {}
    for (entry,) in order:
        groups.setdefault(group_of[entry], []).append(entry)
    return [_slots(event, groups[name]) for name in sorted(groups)]


def _slots(event: Event, group: list[int]) -> list[int]:
    if event.pairing.club_rule is ClubRule.IGNORE or len(group) > _EARLY_UP_TO:
        return group
    names = sorted({entry.club for entry in event.entries if entry.club})
    bit = {name: 1 << index for index, name in enumerate(names)}
    mask = {entry.number: bit.get(entry.club or "", 0) for entry in event.entries}
    arranged = club_mates_early(range(len(group)), [mask[entry] for entry in group])
    return [group[slot] for slot in arranged]


def _group_round(
    event: Event, history: History, group: Sequence[int], round_number: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs (NS, EW) of entry numbers of one group, and who has a bye."""
    entered = {entry.number for entry in event.entries if entry.entered(round_number)}
    if not _follows_design(event, group, round_number):
        return _pair_the_rest(event, history, [entry for entry in group if entry in entered], round_number)
    pairs: list[tuple[int, int]] = []
    byes: list[int] = []
    for slots in berger_round(len(group), round_number - 1):
        present = [group[slot] for slot in slots if slot < len(group) and group[slot] in entered]
        if len(present) == 2:
            pairs.append((present[0], present[1]))
        else:
            byes += present
    return pairs, byes


def _follows_design(event: Event, group: Sequence[int], round_number: int) -> bool:
    """Whether every table drawn so far is one of the design's for its round."""
    members = set(group)
    for drawn in event.drawn[: round_number - 1]:
        designed = {
            frozenset(group[slot] for slot in slots if slot < len(group))
            for slots in berger_round(len(group), drawn.number - 1)
        }
        pairs = {frozenset((*table.ns, *table.ew)) for table in drawn.tables}
        if any(pair & members and pair not in designed for pair in pairs):
            return False
        seated = {entry for pair in pairs for entry in pair} | set(drawn.byes)
        entered = {entry.number for entry in event.entries if entry.entered(drawn.number)}
        if any(entry in entered and entry not in seated for entry in members):
            return False
    return True


def _pair_the_rest(
    event: Event, history: History, present: Sequence[int], round_number: int
) -> tuple[list[tuple[int, int]], list[int]]:
    if len(present) < 2:
        return [], list(present)
    field: Field = field_of(event, [(entry,) for entry in present], history, round_number)
    settings = replace(event.pairing, method=PairingMethod.RANK_FIRST, club_rule=ClubRule.IGNORE)
    result = draw_swiss(field, settings, max(event.rounds, cycle_length(len(present))))
    return [(table.ns[0], table.ew[0]) for table in result.tables], list(result.byes)


def _table(history: History, ns: int, ew: int, number: int) -> DrawnTable:
    met = ew in history.opponents.get(ns, ())
    return DrawnTable(number, (ns,), (ew,), Why(DESIGN, rematch=met))
