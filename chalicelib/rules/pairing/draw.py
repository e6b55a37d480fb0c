"""Draw the next round of an event: who may be drawn, which refusals come first, which design the event has."""

from __future__ import annotations

from collections.abc import Sequence

from chalicelib.rules.kinds import Entrants, kind_of
from chalicelib.rules.model import Event, Outcome
from chalicelib.rules.pairing.contenders import field_of
from chalicelib.rules.pairing.couples import couples_of
from chalicelib.rules.pairing.history import history_of
from chalicelib.rules.pairing.result import Drawn, Proposal, Refusal, RefusalCode
from chalicelib.rules.pairing.swiss import draw_swiss


def draw(event: Event) -> Drawn | Refusal:
    """The next round of a sound event, or why there is none (rules of the game, section 7).

    Same event, same answer, on every machine; the order of entries and tables in the event plays no part.
    """
    if len(event.drawn) >= event.rounds:
        message = f"已定义的 {event.rounds} 轮都已编排。All {event.rounds} defined rounds are drawn."
        return Refusal(RefusalCode.ALL_ROUNDS_DRAWN, message)
    open_tables = sorted(
        {
            table.number
            for drawn in event.counted()
            for table in drawn.tables
            if table.outcome is Outcome.UNPLAYED and not table.postponed
        }
    )
    if open_tables:
        named = ", ".join(map(str, open_tables))
        message = f"还有桌没有成绩：{named}。These tables have no result and are not postponed: {named}."
        return Refusal(RefusalCode.OPEN_TABLES, message, tables=tuple(open_tables))
    return _swiss(event)


def _swiss(event: Event) -> Drawn | Refusal:
    number = len(event.drawn) + 1
    waiting: tuple[int, ...] = ()
    sides: Sequence[tuple[int, ...]]
    if kind_of(event).entrants is Entrants.PERSON:
        couples = couples_of(event.entries, event.pairing.seed, number)
        sides = couples.couples
        waiting = () if couples.waiting is None else (couples.waiting,)
    else:
        sides = [(entry.number,) for entry in event.entries if entry.entered(number)]
    if len(sides) < 2:
        return too_few(len(sides))
    result = draw_swiss(field_of(event, sides, history_of(event.drawn), number), event.pairing, event.rounds)
    byes = tuple(sorted((*result.byes, *waiting)))
    if isinstance(result, Proposal):
        message = "没有合规的编排：只能重复相遇，建议如下。No legal pairing exists; the proposal marks the rematches."
        return Refusal(RefusalCode.NO_LEGAL_PAIRING, message, proposal=Proposal(result.tables, byes))
    return Drawn(result.round, result.tables, byes, result.sit_outs, result.report)


def too_few(sides: int) -> Refusal:
    return Refusal(
        RefusalCode.TOO_FEW_ENTRIES,
        f"可编排的只有 {sides} 方，至少要 2 方。Fewer than two can be drawn: {sides}.",
    )
