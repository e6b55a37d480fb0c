"""Tables in play for referees and organizers: the grid, rulings and their undo, postponing, extra minutes.

A referee's word stands above both sides'. In a settled round it is a correction: it needs a reason and outdates the
round's pack in the same transaction, so the standings follow and published tables stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.rules.model import Outcome
from chalicelib.rules.table_state import State
from chalicelib.services import audit, audit_facts, calls, clock, line_ups, match_rooms, next_match, substitutes
from chalicelib.services.finding import IN_PLAY, free_at, known_event, visible_round
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.results import Speaker, result_from
from chalicelib.services.rounds import redrawing
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import packs, roster, tables
from chalicelib.services.stored.records import FORFEITS
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import history_lines, look, names_at, scoring_rules, table_view
from chalicelib.services.views.scoring import Score, TableGrid, TableHistory, TableView
from chalicelib.services.world import World
from chalicelib.store.entries import find_entry
from chalicelib.store.events import RoundHeader
from chalicelib.store.matches import SHOWN, Match, partition, table_key
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.transaction import Transaction

LOOKS = 4
"""How often a correction looks at the rounds that follow, if these are being drawn and published meanwhile."""


def grid(world: World, event_id: str, number: int) -> TableGrid:
    """All tables of a published round. Raises round_not_found, also for a draft."""
    _, settings = known_event(event_id)
    return _grid(world, settings, visible_round(event_id, number), find_pointer(event_id))


def current_grid(world: World, event_id: str) -> TableGrid:
    """The same for the newest published round; an empty one with round 0 before the first."""
    _, settings = known_event(event_id)
    pointer = find_pointer(event_id)
    if pointer is None or pointer.round == 0:
        now = world.now()
        nothing = dict.fromkeys((state.value for state in State), 0)
        clock_view = clock.view(None, settings.stop_drawing_minutes, now)
        return TableGrid(
            scoring_rules(settings), 0, settings.rounds, "draft", settings.name, clock_view, nothing, [], [], [], [], []
        )
    return _grid(world, settings, visible_round(event_id, int(pointer.round)), pointer)


def _grid(world: World, settings: Settings, header: RoundHeader, pointer: Pointer | None) -> TableGrid:
    event_id, number, now = header.pk, int(header.number), world.now()
    names = roster.seated_entries(world, event_id)
    found = tables.of_round(event_id, number, header.generation)
    views = [table_view(table, header, settings, names, now) for table in found]
    counts = Counter({state.value: 0 for state in State})
    counts.update(view.state for view in views)
    in_play = pointer if pointer is not None and pointer.round == number else None
    return TableGrid(
        scoring=scoring_rules(settings),
        round=number,
        rounds=settings.rounds,
        phase=header.phase,
        name=settings.name,
        clock=clock.view(in_play, settings.stop_drawing_minutes, now),
        counts=dict(counts),
        tables=views,
        byes=[names.get(bye) or roster.nobody(bye) for bye in header.byes or ()],
        sit_outs=[names.get(out) or roster.nobody(out) for out in header.sit_outs or ()],
        calls=calls.queue(event_id, names),
        outdated_by=list(header.outdated_by or ()),
        changes=0 if pointer is None else int(pointer.changes),
    )


def history(world: World, event_id: str, number: int, table: int) -> TableHistory:
    """Every word and ruling of a table, and who was substituted in its entries, oldest first; and who plays now.

    Raises table_not_found, round_not_found.
    """
    seen = look(world, event_id, number, table)
    imports = seen.event.imports or ()
    found = (find_entry(event_id, number, imports) for number in (*seen.table.ns, *seen.table.ew))
    seated = [entry for entry in found if entry is not None]
    replaced = [view for entry in seated for view in substitutes.views(entry)]
    return TableHistory(
        history_lines(seen.table),
        sorted(replaced, key=lambda view: view.at),
        [place for entry in seated for place in substitutes.places(entry)],
    )


class _Act:
    """One act of an official on a table: looks, checks the version, then changes the match and answers its view."""

    def __init__(self, world: World, event_id: str, number: int, table: int, version: int) -> None:
        self.world = world
        self.seen = look(world, event_id, number, table)
        if self.seen.event.phase == "ended":
            raise Problem("event_ended")
        self.now = world.now()
        self.table: StoredTable = self.seen.table
        self.names = names_at(world, event_id, [*self.table.ns, *self.table.ew])
        self.before = self.view()
        self.version = version
        if self.table.version != version:
            raise self._stale()
        if self.held:
            raise Problem("busy")

    @property
    def settled(self) -> bool:
        """Whether the round is settled, so that the act is a correction."""
        return self.seen.round.phase not in IN_PLAY

    @property
    def held(self) -> bool:
        """Whether a settlement is under way, after which an act may need a reason."""
        return not self.settled and self.table.held_until > free_at(self.seen.round, self.now)

    def view(self) -> TableView:
        """The table as it stands in this act's mind."""
        return table_view(self.table, self.seen.round, self.seen.settings, self.names, self.now)

    def _stale(self) -> Problem:
        return Problem("stale_version", current=msgspec.to_builtins(self.before))

    def commit(
        self,
        actions: list[Action],
        action: str,
        actor: str,
        reason: str,
        details: dict[str, Any],
        once: Once,
        also: Callable[[Transaction], None] = lambda work: None,
        redraw: int | None = None,
    ) -> TableView:
        """Write ``actions`` (already carried out on ``self.table``) and answer the new view with the round that has to
        be drawn again; ``also`` adds what goes with them to the transaction."""
        self.table.version += 1
        reply = msgspec.structs.replace(self.view(), redraw=redraw)
        event_id, number, table = self.seen.event.event_id, self.table.round, self.table.table
        work = transaction(self.world)
        once.record(work, msgspec.to_builtins(reply), self.world)
        condition: Condition = (Match.version == self.version) & (Match.generation == self.table.generation)
        if self.settled:
            packs.outdate(work, event_id, number)
        else:
            condition = condition & (Match.held_until <= free_at(self.seen.round, self.now))
        work.update(
            Match(partition(event_id, number), table_key(table)),
            [*actions, Match.version.set(self.version + 1)],
            condition,
            self._refusal,
        )
        audit.record(
            work,
            self.world,
            event_id=event_id,
            actor=actor,
            action=action,
            subject=f"table:{number}.{table}",
            reason=reason or None,
            details={**details, **audit_facts.of_table(self.table), "version": self.table.version},
        )
        also(work)
        work.commit()
        return reply

    def _refusal(self, old: dict[str, Any] | None) -> Problem:
        if old is None:
            return Problem("table_not_found")
        now_standing = tables.read_table(old)
        if now_standing.version == self.version:
            return Problem("busy")
        now_standing.words, now_standing.running = self.table.words, self.table.running
        self.table = now_standing
        return Problem("stale_version", current=msgspec.to_builtins(self.view()))


def rule(
    world: World,
    event_id: str,
    number: int,
    table: int,
    version: int,
    score: Score,
    reason: str,
    actor: str,
    once: Once,
) -> TableView:
    """Settle one table: the ruling stands above both sides' words.

    ``reason`` is needed where it overrules a word or a ruling or corrects a settled round. Raises reason_missing,
    stale_version (with the table as it is), next_match_played in a knock-out, and what ``results.result_from`` raises.
    A forfeit in one room of a match of teams of four holds for both. ``redraw`` in the answer names the round of a
    knock-out that seats who is out now.
    """
    for _ in range(LOOKS):
        try:
            return _rule(_Act(world, event_id, number, table, version), score, reason, actor, once)
        except redrawing.RoundsMoved:
            continue
    raise Problem("busy")


def _rule(act: _Act, score: Score, reason: str, actor: str, once: Once) -> TableView:
    world = act.world
    result = result_from(score, act.table, act.seen.settings, Speaker.OFFICIAL)
    other = match_rooms.other_room(world, act.seen)
    said = [word.values for word in act.table.words.values()]
    if act.table.ruling is not None:
        said.append(act.table.ruling)
    if other is not None and result.outcome in FORFEITS:
        said += match_rooms.said_there(other)
    overrules = any(not result.agrees_with(tables.result_of(values)) for values in said)
    if (overrules or act.settled) and not reason.strip():
        raise Problem("reason_missing", "reason")
    values = tables.values_of(result)
    ruling, before = {**values, "reason": reason, "actor": actor, "at": act.now}, act.table.ruling
    actions: list[Action] = [Match.ruling.set(ruling), Match.wakes.set(1)]
    if act.table.ruling is not None:
        act.table.rulings = [*act.table.rulings, act.table.ruling]
        actions.append(Match.rulings.set(act.table.rulings))
    if act.table.postponed is not None and result.outcome is not Outcome.UNPLAYED:
        act.table.postponed = None
        actions.append(Match.postponed.remove())
    act.table.ruling = ruling
    following = redrawing.following(world, act.seen, act.table) if act.settled else redrawing.Following()

    def also(work: Transaction) -> None:
        if act.settled:
            redrawing.count_correction(work, act.seen.event)
            next_match.demand_without_result(work, world, act.seen)
            following.keep(work)
        if other is not None:
            match_rooms.follow(work, world, act.seen, other, ruling, before, actor)

    return act.commit(actions, "table.rule", actor, reason, {"values": values}, once, also, following.redraw)


def lift(
    world: World, event_id: str, number: int, table: int, version: int, reason: str, actor: str, once: Once
) -> TableView:
    """Take a ruling back; the sides' words count again. Raises not_ruled, table_locked in a settled round."""
    act = _Act(world, event_id, number, table, version)
    ruling = act.table.ruling
    if ruling is None:
        raise Problem("not_ruled")
    if act.settled:
        raise Problem("table_locked")
    lifting = {**ruling, "lifted": True, "reason": reason, "actor": actor, "at": act.now}
    act.table.rulings = [*act.table.rulings, ruling, lifting]
    act.table.ruling = None
    actions: list[Action] = [Match.ruling.remove(), Match.rulings.set(act.table.rulings), Match.wakes.set(1)]
    other = match_rooms.other_room(world, act.seen)

    def also(work: Transaction) -> None:
        if other is not None:
            match_rooms.follow(work, world, act.seen, other, None, ruling, actor)

    return act.commit(actions, "table.lift", actor, reason, {}, once, also)


def postpone(
    world: World,
    event_id: str,
    number: int,
    table: int,
    version: int,
    postponed: bool,
    reason: str,
    actor: str,
    once: Once,
) -> TableView:
    """Put a table off, so that it does not hold up the next round, or take that back. Raises reason_missing,
    table_locked in a settled round."""
    act = _Act(world, event_id, number, table, version)
    if act.settled:
        raise Problem("table_locked")
    if postponed and not reason.strip():
        raise Problem("reason_missing", "reason")
    act.table.postponed = reason if postponed else None
    # An unplayed table adds nothing, put off or not, so no rank moves.
    actions: list[Action] = [
        Match.postponed.set(reason) if postponed else Match.postponed.remove(),
        Match.wakes.set(SHOWN),
    ]
    return act.commit(actions, "table.postpone", actor, reason, {"postponed": postponed}, once)


def give_extra_time(
    world: World, event_id: str, number: int, table: int, version: int, minutes: int, actor: str, once: Once
) -> TableView:
    """加时: minutes that this table has beyond the round's end, instead of those it had. Raises table_locked."""
    act = _Act(world, event_id, number, table, version)
    if act.settled:
        raise Problem("table_locked")
    act.table.extra_minutes = minutes
    actions: list[Action] = [Match.extra_minutes.set(minutes), Match.wakes.set(SHOWN)]
    return act.commit(actions, "table.extra_time", actor, "", {"minutes": minutes}, once)


def set_line_up(
    world: World,
    event_id: str,
    number: int,
    table: int,
    version: int,
    ns: list[int],
    ew: list[int],
    actor: str,
    once: Once,
) -> TableView:
    """Who of each team sits at a table, as places within the team (from 0); two empty lists take it back.

    Raises line_up_not_offered where an entry is its two players, line_up_wrong unless two different players of a team
    are named (or nobody, while it has not said) who do not sit in the other room, stale_version.
    """
    act = _Act(world, event_id, number, table, version)
    kind = kind_of(act.seen.settings.kind)
    if not line_ups.rooms_of(act.seen.settings):
        raise Problem("line_up_not_offered", kind_zh=kind.chinese, kind_en=kind.english)
    elsewhere = match_rooms.other_room(world, act.seen)
    taken = None if elsewhere is None else elsewhere.line_up
    if ns or ew:
        for side, given in (("ns", ns), ("ew", ew)):
            team = roster.side(act.names, act.table.ns if side == "ns" else act.table.ew).players
            if not given:
                continue  # that team has not said yet
            sound = line_ups.sound([given], len(team))
            if not sound or (taken is not None and set(given) & set(taken[side])):
                raise Problem("line_up_wrong", side)
    act.table.line_up = {"ns": ns, "ew": ew} if ns or ew else None
    # Who sits there moves no rank.
    actions: list[Action] = [
        Match.line_up.remove() if act.table.line_up is None else Match.line_up.set(act.table.line_up),
        Match.wakes.set(SHOWN),
    ]
    return act.commit(actions, "table.line_up", actor, "", {"ns": ns, "ew": ew}, once)
