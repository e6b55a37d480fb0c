"""复式设置 and 复式派牌: levels and leaders of every board from a stored seed, and the record of the hands.

Neither changes a result: presets are shown where a board is played, hands are recorded, checked and printed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.rules.duplicate.hands import HandFault, HandFaultCode, Hands, deal, hand_faults, sorted_hand
from chalicelib.rules.duplicate.presets import Seat, presets
from chalicelib.rules.kinds import Meeting
from chalicelib.services import audit
from chalicelib.services.event_frames import Frame
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.views.duplicate import BoardPlan, HandsView, PresetView
from chalicelib.services.world import World
from chalicelib.store.events import HandRecord, hands_key

_SEATS = {
    Seat.NORTH: ("北", "North"),
    Seat.EAST: ("东", "East"),
    Seat.SOUTH: ("南", "South"),
    Seat.WEST: ("西", "West"),
}


def plan(world: World, event_id: str) -> BoardPlan:
    """Level and leader of every board, once 一键生成 has set a seed. Raises event_not_found, setting_not_offered."""
    _, settings = known_event(event_id)
    _demand_duplicate(settings)
    sets = _sets(world, event_id, settings)
    if not settings.preset_seed:
        return BoardPlan("", [], sets)
    found = presets(settings.preset_seed, sets, settings.boards_per_round)
    return BoardPlan(
        settings.preset_seed,
        [PresetView(each.round, each.board, each.level, each.leader.value) for each in found],
        sets,
    )


def _sets(world: World, event_id: str, settings: Settings) -> int:
    """How many sets of boards there are: one for each round, but in a Mitchell one for each table and one more for a
    relay, of which every round plays most."""
    if kind_of(settings.kind).meeting is not Meeting.MITCHELL:
        return settings.rounds
    entries = Frame.read(world, event_id, with_rounds=False).entries
    return max(settings.rounds, (entries + 1) // 2 + 1)


def hands(world: World, event_id: str, number: int, board: int) -> HandsView:
    """The hands of one board: as recorded, else as they would be dealt from the seed.

    Raises event_not_found, setting_not_offered, board_not_found.
    """
    header, settings = known_event(event_id)
    _demand_board(world, event_id, settings, number, board)
    try:
        kept = HandRecord.get(event_id, hands_key(number, board), consistent_read=True)
    except HandRecord.DoesNotExist:
        seed = settings.preset_seed or settings.pairing.seed
        return _view(number, board, False, deal(f"{header.event_id}:{seed}", number, board))
    return _view(number, board, True, {Seat(seat): cards for seat, cards in kept.hands.items()})


def record(
    world: World, event_id: str, number: int, board: int, dealt: dict[str, list[str]], actor: str, call_once: Once
) -> HandsView:
    """Record the four hands of a board, in the place of an earlier record.

    Raises event_not_found, event_ended, setting_not_offered, board_not_found, hands_wrong.
    """
    _, settings = open_event(world, event_id)
    _demand_board(world, event_id, settings, number, board)
    given: dict[Seat, list[str]] = {Seat(seat): dealt[seat] for seat in dealt}
    faults = hand_faults(given)
    if faults:
        raise _wrong(faults)
    in_order: dict[Seat, tuple[str, ...]] = {seat: sorted_hand(cards) for seat, cards in given.items()}
    reply = _view(number, board, True, in_order)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.put(
        HandRecord(
            event_id,
            hands_key(number, board),
            hands={seat.value: list(cards) for seat, cards in in_order.items()},
            recorded_at=world.now(),
        )
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="board.record_hands",
        subject=f"board:{number}/{board}",
    )
    change.commit()
    return reply


def _demand_duplicate(settings: Settings) -> None:
    kind = kind_of(settings.kind)
    if not kind.duplicate:
        raise Problem(
            "setting_not_offered",
            kind_zh=kind.chinese,
            kind_en=kind.english,
            setting_zh="复式设置",
            setting_en="duplicate boards",
        )


def _demand_board(world: World, event_id: str, settings: Settings, number: int, board: int) -> None:
    _demand_duplicate(settings)
    if not (1 <= number <= _sets(world, event_id, settings) and 1 <= board <= settings.boards_per_round):
        raise Problem("board_not_found")


def _view(number: int, board: int, recorded: bool, dealt: Hands) -> HandsView:
    return HandsView(number, board, recorded, {seat.value: list(dealt[seat]) for seat in Seat})


def _wrong(faults: list[HandFault]) -> Problem:
    """The first fault in words; there may be many, and mending one often mends others."""
    fault = faults[0]
    zh, en = _SEATS[fault.seat] if fault.seat is not None else ("", "")
    words: dict[HandFaultCode, tuple[Any, Any]] = {
        HandFaultCode.NO_SUCH_CARD: (f"{zh}家的 {fault.card} 不是一张牌", f"{fault.card} of {en} is no card"),
        HandFaultCode.WRONG_SIZE: (f"{zh}家有 {fault.times} 张，应为 27 张", f"{en} has {fault.times} cards, not 27"),
        HandFaultCode.TOO_OFTEN: (
            f"{fault.card} 出现了 {fault.times} 次",
            f"{fault.card} is there {fault.times} times",
        ),
        HandFaultCode.MISSING: (
            f"{fault.card} 只有 {fault.times} 张",
            f"{fault.card} is there only {fault.times} times",
        ),
    }
    why_zh, why_en = words[fault.code]
    return Problem("hands_wrong", "hands", why_zh=why_zh, why_en=why_en)
