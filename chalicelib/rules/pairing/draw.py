"""Draw the next round of an event: who may be drawn, which refusals come first, which design the event has."""

from __future__ import annotations

from chalicelib.rules.kinds import Entrants, Meeting, kind_of, meeting_of
from chalicelib.rules.model import Event, Outcome, Partners
from chalicelib.rules.pairing.contenders import field_of
from chalicelib.rules.pairing.couples import couples_of
from chalicelib.rules.pairing.history import History, history_of
from chalicelib.rules.pairing.knockout import draw_knockout
from chalicelib.rules.pairing.mitchell import draw_mitchell
from chalicelib.rules.pairing.result import NO_PARTNER, Drawn, Proposal, Refusal, RefusalCode
from chalicelib.rules.pairing.rotation import by_persons, draw_new_partners, draw_rotation_of_pairs
from chalicelib.rules.pairing.round_robin import draw_round_robin
from chalicelib.rules.pairing.swiss import draw_swiss

Contender = tuple[int, ...]


def draw(event: Event) -> Drawn | Refusal:
    """The next round of a sound event, or why there is none (rules of the game, section 7).

    Same event, same answer, on every machine; the order of entries and tables in the event plays no part.
    """
    if len(event.drawn) >= event.rounds:
        message = f"已定义的 {event.rounds} 轮都已编排。All {event.rounds} defined rounds are drawn."
        return Refusal(RefusalCode.ALL_ROUNDS_DRAWN, message)
    open_tables = _open_tables(event)
    if open_tables:
        named = ", ".join(map(str, open_tables))
        message = f"这些桌还没有成绩，也未延期：{named}。These tables have no result and are not postponed: {named}."
        return Refusal(RefusalCode.OPEN_TABLES, message, tables=open_tables)
    return _draw(event, history_of(event.drawn), len(event.drawn) + 1)


def _open_tables(event: Event) -> tuple[int, ...]:
    numbers = {
        table.number
        for drawn in event.counted()
        for table in drawn.tables
        if table.outcome is Outcome.UNPLAYED and not table.postponed
    }
    return tuple(sorted(numbers))


def _draw(event: Event, history: History, number: int) -> Drawn | Refusal:
    sides, waiting = contenders(event, number)
    if len(sides) < 2:
        return _too_few(len(sides))
    match meeting_of(event):
        case Meeting.KNOCKOUT:
            return _knockout(event, history, number, sides)
        case Meeting.ROUND_ROBIN:
            return draw_round_robin(event, history, number) or _design_is_over()
        case Meeting.MITCHELL:
            return draw_mitchell(event, number) or _design_is_over()
        case Meeting.ROTATION if by_persons(event):
            return draw_new_partners(event, history, number, sit_out=True) or _too_few(len(sides))
        case Meeting.ROTATION:
            return draw_rotation_of_pairs(event, history, number) or _too_few(len(sides))
        case Meeting.SWISS if _new_each_round(event):
            return draw_new_partners(event, history, number, sit_out=False) or _too_few(len(sides))
        case Meeting.SWISS:
            return _swiss(event, history, number, sides, waiting)


def contenders(event: Event, number: int) -> tuple[list[Contender], Contender]:
    """The sides that may be drawn in a round, and the person who waits for a partner."""
    if kind_of(event).entrants is Entrants.PERSON and (event.knockout or not _new_each_round(event)):
        couples = couples_of(event.entries, event.pairing.seed, number)
        return list(couples.couples), () if couples.waiting is None else (couples.waiting,)
    return [(entry.number,) for entry in event.entries if entry.entered(number)], ()


def _new_each_round(event: Event) -> bool:
    return kind_of(event).entrants is Entrants.PERSON and event.partners is Partners.NEW_EACH_ROUND


def _swiss(event: Event, history: History, number: int, sides: list[Contender], waiting: Contender) -> Drawn | Refusal:
    result = draw_swiss(field_of(event, sides, history, number), event.pairing, event.rounds)
    byes = tuple(sorted((*result.byes, *waiting)))
    if isinstance(result, Proposal):
        message = (
            "没有合规的编排；建议方案标出了重复相遇的桌。"
            "No legal pairing exists; the proposal marks the tables that meet again."
        )
        return Refusal(RefusalCode.NO_LEGAL_PAIRING, message, proposal=Proposal(result.tables, byes))
    reasons = result.bye_reasons | dict.fromkeys(waiting, NO_PARTNER)
    return Drawn(result.round, result.tables, byes, result.sit_outs, result.report, reasons)


def _knockout(event: Event, history: History, number: int, sides: list[Contender]) -> Drawn | Refusal:
    result = draw_knockout(event, history, number, sides, contenders(event, 1)[0])
    if isinstance(result, int):
        return _too_few(result)
    if isinstance(result, Proposal):
        message = (
            "延期的桌还没有胜者，后面的对阵无法确定；其余对阵见建议方案。"
            "A postponed table has no winner yet; the proposal holds the matches that do not wait for it."
        )
        return Refusal(RefusalCode.NO_LEGAL_PAIRING, message, proposal=result)
    return result


def _too_few(sides: int) -> Refusal:
    message = f"可编排的只有 {sides} 方，至少要 2 方。At least two are needed to draw a round; there are {sides}."
    return Refusal(RefusalCode.TOO_FEW_ENTRIES, message)


def _design_is_over() -> Refusal:
    message = "本赛制的移动已全部完成，没有新的一轮。The movement is complete: there is no further round in it."
    return Refusal(RefusalCode.NO_LEGAL_PAIRING, message, proposal=Proposal(()))
