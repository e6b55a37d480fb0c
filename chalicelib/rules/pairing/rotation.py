"""The rotation (团团转): everybody keeps moving.

Source: rules of the game, section 4 [ours]. Pairs: two lines, the EW line goes up one table each round, as long as
the lines have tables for it; with more rounds everybody meets everybody by the circle method. Persons: a new
partner each round. Who cannot be seated sits out.
"""

from __future__ import annotations

from collections.abc import Sequence

from chalicelib.rules.model import Event
from chalicelib.rules.pairing.berger import berger_round
from chalicelib.rules.pairing.contenders import field_of, first_round_order
from chalicelib.rules.pairing.history import History
from chalicelib.rules.pairing.new_partners import designed_round, matched_round, resting_first
from chalicelib.rules.pairing.result import Drawn, DrawnTable, Report, Why
from chalicelib.rules.pairing.whist import Foursome

TWO_LINES = "two_lines"
CIRCLE = "circle"
NEW_PARTNERS = "new_partners"


def by_persons(event: Event) -> bool:
    """Whether the entries of a rotation are persons: they have sat two to a side, or each names one player."""
    if event.drawn:
        return any(len(table.ns) > 1 for drawn in event.drawn for table in drawn.tables)
    return bool(event.entries) and all(len(entry.players) == 1 for entry in event.entries)


def draw_rotation_of_pairs(event: Event, history: History, round_number: int) -> Drawn | None:
    """The next round of pairs; None when fewer than two are left."""
    slots = _slots(event)
    entered = {entry.number for entry in event.entries if entry.entered(round_number)}
    lines = (len(slots) + 1) // 2
    design = TWO_LINES if event.rounds <= lines else CIRCLE
    tables: list[DrawnTable] = []
    resting: list[int] = []
    for pair in _pairs(slots, design, round_number - 1):
        present = [entry for entry in pair if entry in entered]
        if len(present) < 2:
            resting += present
            continue
        ns, ew = present
        why = Why(design, rematch=ew in history.opponents.get(ns, ()))
        tables.append(DrawnTable(len(tables) + 1, (ns,), (ew,), why))
    if not tables:
        return None
    rematches = sum(table.why.rematch for table in tables)
    return Drawn(round_number, tuple(tables), sit_outs=tuple(sorted(resting)), report=Report(rematches=rematches))


def _slots(event: Event) -> list[int]:
    """Those of the first round in its order, then late ones as they joined: slots once taken stay."""
    sides = [(entry.number,) for entry in event.entries]
    joined = {entry.number: entry.joined_round for entry in event.entries}
    return [side[0] for side in sorted(first_round_order(event, sides), key=lambda side: joined[side[0]])]


def _pairs(slots: Sequence[int], design: str, index: int) -> list[list[int]]:
    """The sides that meet in a round; a single one sits out."""
    if design == CIRCLE:
        return [[slots[slot] for slot in pair if slot < len(slots)] for pair in berger_round(len(slots), index)]
    ns_line, ew_line = slots[::2], slots[1::2]
    lines = len(ns_line)
    pairs = []
    for table, ns in enumerate(ns_line):
        mover = (table - index) % lines
        pairs.append([ns, *ew_line[mover : mover + 1]])
    return pairs


def draw_new_partners(event: Event, history: History, round_number: int, *, sit_out: bool) -> Drawn | None:
    """The next round of persons with new partners; None when there are fewer than four.

    ``sit_out``: who rests sits out (rotation), else has a bye (individual).
    """
    present = [(entry.number,) for entry in event.entries if entry.entered(round_number)]
    if len(present) < 4:
        return None
    slots = [side[0] for side in first_round_order(event, present)]
    tables = _whist(event, slots, round_number)
    if tables is None:
        ranked = [side[0] for side in field_of(event, present, history, round_number).entries]
        rested = history.sit_outs if sit_out else history.byes
        resting = set(resting_first(ranked, lambda person: rested[person]))
        persons = [person for person in ranked if person not in resting]
        tables = matched_round(persons, history, event.pairing.seed, round_number)
    drawn = tuple(_table(history, foursome, number) for number, foursome in enumerate(tables, start=1))
    seated = {person for table in drawn for person in (*table.ns, *table.ew)}
    rest = tuple(sorted(person for (person,) in present if person not in seated))
    report = Report(rematches=sum(table.why.rematch for table in drawn))
    return Drawn(round_number, drawn, () if sit_out else rest, rest if sit_out else (), report)


def _whist(event: Event, slots: Sequence[int], round_number: int) -> list[Foursome] | None:
    """The whist design, while everybody has been there from the start and the rounds so far were its rounds."""
    if any(entry.joined_round > 1 or entry.left_after_round is not None for entry in event.entries):
        return None
    for drawn in event.drawn:
        designed = designed_round(slots, event.rounds, drawn.number - 1)
        if designed is None:
            return None
        sides = {frozenset(side) for table in drawn.tables for side in (table.ns, table.ew)}
        if sides != {frozenset(side) for foursome in designed for side in foursome}:
            return None
    return designed_round(slots, event.rounds, round_number - 1)


def _table(history: History, foursome: Foursome, number: int) -> DrawnTable:
    """The couple whose persons sat NS less often sits NS; partners who are partners again count as a rematch."""
    ordered = sorted(foursome, key=lambda couple: (sum(history.times_ns[one] for one in couple), min(couple)))
    ns, ew = (tuple(sorted(couple)) for couple in ordered)
    again = any(couple[1] in history.partners.get(couple[0], ()) for couple in (ns, ew))
    return DrawnTable(number, ns, ew, Why(NEW_PARTNERS, rematch=again))
