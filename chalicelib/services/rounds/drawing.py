"""编排: draw the next round, rearrange its draft. Drawing settles the round before it in the same act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from chalicelib.rules import pairing
from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.model import Outcome
from chalicelib.rules.pairing import Refusal
from chalicelib.services import adjustments, audit, audit_facts, pulse
from chalicelib.services.documents import event_of
from chalicelib.services.finding import IN_PLAY, drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rank_changes import ROSTER
from chalicelib.services.rounds import drafts, large, redrawing, settling, under_way
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.holding import Hold, released_when_refused, stale_round
from chalicelib.services.rounds.viewing import proposal_view, round_view
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import packs
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_round, round_key
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.transaction import Transaction

BY_HAND = "by_hand"
"""The reason of what an organizer arranged."""
MOVEMENTS = (Meeting.ROUND_ROBIN, Meeting.MITCHELL)
"""Designs that are over at some time, whatever the number of rounds."""


def draw(
    world: World,
    event_id: str,
    accept_proposal: bool,
    actor: str,
    once: Once,
    *,
    expected: int | None = None,
    reply: Any = None,
    held: Hold | None = None,
    paired: Callable[[], None] = lambda: None,
    within: Callable[[Transaction], None] = lambda work: None,
) -> RoundView:
    """Draw the next round as a draft; ``accept_proposal`` takes the proposal with its rematches if nothing is legal.

    ``expected``: the round that is meant, where that was said some time ago; ``reply``: what a repeated request is
    answered, if not the round; ``held``: the last round, if it is held already; ``paired`` is called once the tables
    are known, ``within`` adds what is to happen with the round or not at all. What either raises ends the drawing.

    Raises open_tables (with their numbers in ``current``), all_rounds_drawn, too_few_entries, no_legal_pairing (with
    the proposal), round_phase while the last round is a draft, stale_version when settings or entries changed
    meanwhile or another round is next, results_changed when a result was corrected meanwhile, round_under_way while a
    job settles the last round, and round_large where a job has to settle it and draw.
    """
    event, settings = open_event(world, event_id)
    number = int(event.last_round) + 1
    if expected not in (None, number):
        raise Problem("stale_version")
    # Until the first round registrations do not tell anybody that they came (they would all write one item), so
    # whoever packed the roster before has packed too few.
    entries_seen = packs.outdate_now(world, event_id, ROSTER) if number == 1 else packs.wanted(event_id, ROSTER)
    last = find_round(event_id, number - 1) if number > 1 else None
    if last is not None and last.phase == "draft":
        raise Problem("round_phase", phase="draft")
    _refuse_if_not_drawable(settings, number)
    if last is not None and last.phase in IN_PLAY:
        under_way.refuse(last)
        held = _held(world, last, settings, held)
    with released_when_refused(held):
        tables, byes, sit_outs, report, bye_reasons = _drawn(world, event, settings, number, accept_proposal)
        paired()
        generation, chunks = drafts.write(world, event_id, number, tables)
        header = RoundHeader(
            event_id,
            round_key(number),
            number=number,
            phase="draft",
            version=1,
            generation=generation,
            chunks=chunks,
            tables=len(tables),
            byes=byes,
            bye_reasons=bye_reasons,
            sit_outs=sit_outs,
            report=report,
            corrections=int(event.corrections),
            drawn_at=world.now(),
        )
        view = round_view(world, settings, header, tables, find_pointer(event_id))
        work = transaction(world)
        once.record(work, msgspec.to_builtins(view) if reply is None else reply, world)
        work.put(header, RoundHeader.pk.does_not_exist(), stale_round)
        work.update(
            event,
            [EventHeader.last_round.set(number), EventHeader.last_act_at.set(world.now())],
            condition=(EventHeader.phase == "open")
            & (EventHeader.last_round == number - 1)
            & (EventHeader.version == event.version)
            & adjustments.unchanged(event)
            & redrawing.uncorrected(event),
            otherwise=lambda old: redrawing.refusal(event, old),
        )
        packs.demand_unchanged(work, event_id, ROSTER, entries_seen, stale_round)
        if held is not None:
            settling.add_settlement(work, held, settings)
            pulse.change(work, event_id, Pointer.phase.set("settled"))
            audit.record(
                work,
                world,
                event_id=event_id,
                actor=actor,
                action="round.settle",
                subject=f"round:{number - 1}",
                details={"double_submission": settings.double_submission},
            )
        audit.record(
            work,
            world,
            event_id=event_id,
            actor=actor,
            action="round.draw",
            subject=f"round:{number}",
            details={
                "tables": audit_facts.of_tables(tables),
                "byes": byes,
                "sit_outs": sit_outs,
            },
        )
        within(work)
        if held is not None and not held.still_good():
            raise Problem("busy")
        work.commit()
    pulse.publish(world, event_id)
    return view


def _held(world: World, last: RoundHeader, settings: Settings, held: Hold | None) -> Hold:
    if held is None:
        large.refuse(world, settings, last)
        return settling.held_and_finished(world, last, settings)
    settling.look_again(held, settings)
    return held


def _refuse_if_not_drawable(settings: Settings, number: int) -> None:
    if number > settings.rounds:
        raise Problem("all_rounds_drawn", rounds=settings.rounds)


def _drawn(
    world: World, event: EventHeader, settings: Settings, number: int, accept_proposal: bool
) -> tuple[list[DraftTable], list[int], list[int], dict[str, Any], list[str]]:
    """Tables, byes, sit-outs and report of the next round, and the reason of each bye; or the refusal."""
    model = event_of(world, event, settings)
    result = pairing.draw(model)
    if not isinstance(result, Refusal):
        document = pairing.to_json(result)
        reasons = [result.bye_reasons.get(bye, "") for bye in result.byes]
        return _draft_tables(document["tables"]), list(result.byes), list(result.sit_outs), document["report"], reasons
    if result.code == "open_tables":
        settling.refuse_open(list(result.tables))
    if result.code == "all_rounds_drawn":
        raise Problem("all_rounds_drawn", rounds=settings.rounds)
    if settings.knockout and model.drawn:
        # Nobody can be put in the place of whoever wins a table that was put off.
        settling.refuse_open([table.number for table in model.drawn[-1].tables if table.outcome is Outcome.UNPLAYED])
    if result.code == "too_few_entries" or result.proposal is None:
        raise Problem(result.code.value)
    if not result.proposal.tables:
        raise Problem("movement_over" if meeting_of(model) in MOVEMENTS else result.code.value)
    proposal = pairing.to_json(result)["proposal"]
    tables, byes = _draft_tables(proposal["tables"]), list(result.proposal.byes)
    if not accept_proposal:
        view = proposal_view(world, event.event_id, number, tables, byes)
        raise Problem("no_legal_pairing", current=msgspec.to_builtins(view))
    report = {
        "rematches": sum(table.why.rematch for table in result.proposal.tables),
        "same_club": sum(table.why.same_club for table in result.proposal.tables),
        "gaps": {},
        "look_ahead": "failed",
    }
    return tables, byes, [], report, ["proposal"] * len(byes)


def _draft_tables(documents: list[dict[str, Any]]) -> list[DraftTable]:
    return [
        DraftTable(
            document["table"],
            _side(document["ns"]),
            _side(document["ew"]),
            document.get("why") or {"rematch": document.get("rematch", False), "design": "proposal"},
            document.get("set"),
            document.get("third_place", False),
        )
        for document in documents
    ]


def _side(document: int | list[int]) -> tuple[int, ...]:
    return (document,) if isinstance(document, int) else tuple(document)


def rearrange(
    world: World,
    event_id: str,
    number: int,
    version: int,
    seats: Sequence[DraftTable],
    byes: list[int],
    sit_outs: list[int],
    actor: str,
    once: Once,
) -> RoundView:
    """Replace a draft's tables; the reply marks rematches and club-mates. Who sits where may change, not which boards
    a table plays, nor which match is the one for the third place.

    Raises draft_invalid unless every drawn entry has exactly one place and the tables are numbered as they were;
    round_phase once it is published; stale_version (with the draft as it is).
    """
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase != "draft":
        raise Problem("round_phase", phase=header.phase)
    (before,) = drafts.read(world, [header])
    pointer = find_pointer(event_id)
    if header.version != version:
        current = round_view(world, settings, header, before, pointer, event)
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    tables = _rearranged(before, [*(header.byes or ()), *(header.sit_outs or ())], seats, [*byes, *sit_outs])
    if sit_outs and not kind_of(settings.kind).sit_outs:
        raise _invalid("本赛制没有轮休", "nobody sits out in this kind of event")
    generation, chunks = drafts.write(world, event_id, number, tables)
    after = RoundHeader(**header.attribute_values)
    after.generation, after.chunks, after.version = generation, chunks, version + 1
    after.byes, after.sit_outs = sorted(byes), sorted(sit_outs)
    after.bye_reasons = _bye_reasons(header, after.byes)
    reply = round_view(world, settings, after, tables, pointer, event)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        header,
        [
            RoundHeader.generation.set(generation),
            RoundHeader.chunks.set(chunks),
            RoundHeader.byes.set(after.byes),
            RoundHeader.bye_reasons.set(after.bye_reasons),
            RoundHeader.sit_outs.set(after.sit_outs),
            RoundHeader.version.set(version + 1),
        ],
        condition=(RoundHeader.version == version)
        & (RoundHeader.phase == "draft")
        & (RoundHeader.generation == header.generation),
        otherwise=stale_round,
    )
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="round.rearrange",
        subject=f"round:{number}",
        details={
            "tables": audit_facts.of_tables(tables),
            "byes": sorted(byes),
            "sit_outs": sorted(sit_outs),
        },
    )
    work.commit()
    drafts.discard(world, header)
    return reply


def _invalid(why_zh: str, why_en: str) -> Problem:
    return Problem("draft_invalid", "tables", why_zh=why_zh, why_en=why_en)


def _rearranged(
    before: Sequence[DraftTable], resting_before: list[int], seats: Sequence[DraftTable], resting: list[int]
) -> list[DraftTable]:
    drawn = Counter(number for table in before for number in (*table.ns, *table.ew))
    drawn.update(resting_before)
    given = Counter(number for seat in seats for number in (*seat.ns, *seat.ew))
    given.update(resting)
    for number in sorted(drawn.keys() | given.keys()):
        if drawn[number] == 0:
            raise _invalid(f"{number} 号队伍不在本轮编排中", f"entry {number} was not drawn in this round")
        if given[number] != 1:
            count = given[number]
            raise _invalid(f"{number} 号队伍出现了 {count} 次", f"entry {number} stands there {count} times")
    by_number = {table.table: table for table in before}
    if sorted(seat.table for seat in seats) != sorted(by_number):
        raise _invalid("桌号须与原编排相同，各一次", "the tables must be numbered as in the draft")
    sizes = {len(side) for table in before for side in (table.ns, table.ew)}
    if any(len(side) not in sizes for seat in seats for side in (seat.ns, seat.ew)):
        raise _invalid("每一方的人数须与原编排相同", "each side must have as many entries as in the draft")
    drawn_as = {_sides(table): table for table in before}
    return [
        DraftTable(
            seat.table,
            seat.ns,
            seat.ew,
            _reason(seat, drawn_as.get(_sides(seat))),
            by_number[seat.table].board_set,
            by_number[seat.table].third_place,
        )
        for seat in sorted(seats, key=lambda seat: seat.table)
    ]


def _reason(seat: DraftTable, drawn: DraftTable | None) -> Any:
    """Why two sides meet that were ``drawn`` together (None: they were not), if somebody has put them there."""
    if drawn is None:
        return {"design": BY_HAND}
    if frozenset(seat.ns) == frozenset(drawn.ns) or drawn.why is None:
        return drawn.why
    # They meet for the reason they were drawn for, but sit the other way round for none that the drawing had.
    ranks = drawn.why.get("ranks")
    return drawn.why | {"seat": BY_HAND} | ({} if ranks is None else {"ranks": ranks[::-1]})


def _bye_reasons(before: RoundHeader, byes: list[int]) -> list[str]:
    """Why each of ``byes`` has it: as it was drawn, or because somebody wanted it so."""
    known = before.byes or []
    reasons = dict(zip(known, before.bye_reasons or [""] * len(known), strict=True))
    return [reasons.get(bye, BY_HAND) for bye in byes]


def _sides(table: DraftTable) -> frozenset[frozenset[int]]:
    return frozenset((frozenset(table.ns), frozenset(table.ew)))
