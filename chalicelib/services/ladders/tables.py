"""The table of a season: what all its postings, in the order in which they were posted, make of everybody.

It is made by whoever meets one that is out of date, and holds if nobody has made one for the same or a later state
meanwhile. A posting that comes behind all others goes on from the rows there are; anything else begins anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.rules.ladders import LadderRules, event_changes, ladder
from chalicelib.services.ladders.facts import NOBODY, Facts
from chalicelib.services.ladders.kept import (
    BUCKETS,
    DROPPED,
    HALF,
    INCLUDED,
    LISTED,
    REST,
    Change,
    Included,
    Row,
    all_changes,
    bucket_of,
    changes_key,
    dropped_by,
    get_parts,
    in_one,
    included_in,
    keys,
    put_pages,
    put_parts,
)
from chalicelib.services.ladders.known import known_ladder, season_of
from chalicelib.services.ladders.posting import lines_keys
from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.due import LADDERS, due
from chalicelib.store.ladders import (
    POSTING,
    TABLE,
    Member,
    Posting,
    Table,
    bodies,
    changes_made_for,
    find_table,
    ladder_of,
    made_for,
    members_of,
    opened,
    postings,
    put_bodies,
    season_key,
    sort_keys,
)
from chalicelib.store.transaction import Busy, patiently

SMALL = 400
"""People up to which an event's changes are one item."""
ATTEMPTS = 8
CONDITION_FAILED = "ConditionalCheckFailedException"


class _State(msgspec.Struct):
    """How far the making of a table is; ``base``: the run from whose rows it goes on."""

    people: dict[str, Row]
    included: list[Included]
    base: str | None = None


class _Moved(Exception):
    """The ledger changed while it was read."""


def refresh(world: World, ladder_id: str, season: int, job_id: str, cursor: Any, has_time: Callable[[], bool]) -> Any:
    """Bring a season's table up to date. Returns None when it is, else the cursor from which to go on."""
    for _ in range(ATTEMPTS):
        table = find_table(ladder_id, season)
        if int(table.built) >= int(table.wanted):
            _clean(world, table)
            return None
        making = _Making(world, ladder_id, season, table, f"{int(table.wanted):08d}.{job_id}")
        try:
            half = making.go_on(cursor, has_time)
        except _Moved:
            cursor = None
            continue
        if half is not None:
            return half
        cursor = None
    raise Busy


class _Making:
    """One table in the making."""

    def __init__(self, world: World, ladder_id: str, season: int, table: Table, run: str) -> None:
        self.world = world
        self.pk = season_key(ladder_id, season)
        self.table = table
        self.run = run
        # Everything below is read after the table's number, so it is at least as new.
        ladder_item = known_ladder(ladder_id)
        found = season_of(ladder_item, season)
        assert found is not None
        self.rules: LadderRules = found.parameters.rules()
        self.members: list[Member] | None = members_of(ladder_id, season) if ladder_item.restricted else None
        # Another list or another method: nothing of the old rows can stay.
        self.parameters = {**msgspec.to_builtins(found.parameters), "members": _digest(self.members)}
        self.heads = postings(ladder_id, season)

    def go_on(self, cursor: Any, has_time: Callable[[], bool]) -> Any:
        """Work through the postings; None when the table is made, or somebody else made it."""
        state = self._resumed(cursor) or self._begun()
        for place, head in enumerate(self.heads[len(state.included) :]):
            # One at least in each step, or there would be no end of steps.
            if place and not has_time():
                return self._put_aside(state)
            self._add(state, head)
        self._publish(state)
        return None

    def _begun(self) -> _State:
        included = _there(included_in(self.world, self.table))
        now = [(head.sk.removeprefix(POSTING), head.generation) for head in self.heads[: len(included)]]
        goes_on = [(each.event_id, each.generation) for each in included] == now
        if self.table.run is None or self.table.rules != self.parameters or not goes_on:
            return _State({}, [])
        pages = [*keys(self.table.run, LISTED, self.table.pages), *keys(self.table.run, REST, self.table.rest)]
        rows = [row for page in self._read(pages, list[Row]) for row in page]
        return _State({row.person: row for row in rows}, included, self.table.run)

    def _resumed(self, cursor: Any) -> _State | None:
        if cursor is None or cursor["run"] != self.run:
            return None
        state: _State | None = get_parts(self.world, self.pk, self.run, HALF, cursor["parts"], _State)
        if state is None or (state.base is not None and state.base != self.table.run):
            return None
        return state

    def _put_aside(self, state: _State) -> Any:
        return {"run": self.run, "parts": put_parts(self.world, self.pk, self.run, HALF, state)}

    def _add(self, state: _State, head: Posting) -> None:
        """One more event."""
        facts = self._facts(head)
        values = {each.id: state.people[each.id].value for each in facts.people if each.id in state.people}
        changes = event_changes(facts.played(), self.rules, values)
        places = {
            facts.people[index].id: (rank, len(field)) for field in facts.fields for rank, who in field for index in who
        }
        called = {person.id: person for person in facts.people}
        told: dict[str, Change] = {}
        for person, change in changes.items():
            if person.startswith(NOBODY):
                continue
            row = state.people.setdefault(person, Row(0, person, "", "", self.rules.start, []))
            row.value += change
            row.events.append(len(state.included))
            if called[person].name:
                row.name, row.club = called[person].name, called[person].club
            told[person] = (*places.get(person, (0, 0)), change, row.value)
        event_id = head.sk.removeprefix(POSTING)
        buckets = 1 if len(told) <= SMALL else len(BUCKETS)
        by_bucket: dict[str, dict[str, Change]] = {}
        for person, change_ in told.items():
            by_bucket.setdefault(bucket_of(person, buckets), {})[person] = change_
        put_bodies(
            self.pk,
            ((changes_key(event_id, self.run, name), in_one(part)) for name, part in by_bucket.items()),
            self.world.sleep,
            self.world.random.fraction,
        )
        state.included.append(Included(event_id, head.generation, self.run, buckets))

    def _facts(self, head: Posting) -> Facts:
        parts = bodies(self.pk, lines_keys(head), self.world.sleep, self.world.random.fraction)
        if None in parts:
            raise _Moved
        return opened(b"".join(part or b"" for part in parts), Facts)

    def _publish(self, state: _State) -> None:
        listed, rest = self._listed(state)
        size, pages = put_pages(self.world, self.pk, self.run, LISTED, listed)
        _, others = put_pages(self.world, self.pk, self.run, REST, rest)
        now = {(each.event_id, each.run) for each in state.included}
        before = [*_there(dropped_by(self.world, self.table)), *_there(included_in(self.world, self.table))]
        dropped = [each for each in before if (each.event_id, each.run) not in now]
        included_parts = put_parts(self.world, self.pk, self.run, INCLUDED, state.included)
        dropped_parts = put_parts(self.world, self.pk, self.run, DROPPED, dropped) if dropped else 0
        actions: list[Action] = [
            Table.built.set(int(self.table.wanted)),
            Table.run.set(self.run),
            Table.pages.set(pages),
            Table.rows_of_a_page.set(size),
            Table.rest.set(others),
            Table.listed.set(len(listed)),
            Table.events.set(len(state.included)),
            Table.included_parts.set(included_parts),
            Table.dropped_parts.set(dropped_parts),
            Table.included.remove(),
            Table.dropped.remove(),
            Table.rules.set(self.parameters),
            Table.at.set(self.world.now()),
        ]
        newer = Table.built.does_not_exist() | (Table.built < int(self.table.wanted))
        if state.base is not None:
            # Its changes are part of ours: whoever took its place may have deleted them.
            newer = newer & (Table.run == state.base)
        target = Table(self.table.pk, self.table.sk)
        try:
            patiently(
                lambda: target.update(actions=actions, condition=newer), self.world.sleep, self.world.random.fraction
            )
        except UpdateError as error:
            if error.cause_response_code != CONDITION_FAILED:
                raise
            # Somebody else made it meanwhile, or this very run did and its answer was lost: the caller looks again.
            self._take_away(state)

    def _take_away(self, state: _State) -> None:
        """Delete the changes of a run that does not hold, unless a later one has taken them over."""
        now = find_table(*ladder_of(self.pk))
        holds = {(each.event_id, each.run) for each in _there(included_in(self.world, now))}
        mine = [each for each in state.included if each.run == self.run and (each.event_id, each.run) not in holds]
        gone = [(self.pk, key) for each in mine for key in all_changes(each)]
        bulk.delete_items(TABLE, gone, self.world.sleep, self.world.random.fraction)

    def _listed(self, state: _State) -> tuple[list[Row], list[Row]]:
        """The rows of the table in its order, and all others."""
        people = state.people
        if self.members is None:
            shown = {person for person, row in people.items() if row.name}
        else:
            shown = {member.person for member in self.members}
            for member in self.members:
                row = people.setdefault(member.person, Row(0, member.person, "", "", self.rules.start, []))
                row.name = member.name
        values = {person: float(people[person].value) for person in shown}
        listed = []
        for place in ladder(values):
            row = people[place.member]
            row.rank = place.rank
            listed.append(row)
        rest = [row for person, row in sorted(people.items()) if person not in shown and row.events]
        for row in rest:
            row.rank = 0
        return listed, rest

    def _read(self, wanted_keys: list[str], wanted: type[Any]) -> list[Any]:
        found = bodies(self.pk, wanted_keys, self.world.sleep, self.world.random.fraction)
        if None in found:
            raise _Moved
        return [opened(body or b"", wanted) for body in found]


def _there(found: list[Included] | None) -> list[Included]:
    """Raises :class:`_Moved` where a table was made anew while it was read."""
    if found is None:
        raise _Moved
    return found


def _digest(members: list[Member] | None) -> str | None:
    return None if members is None else hashlib.sha256(msgspec.json.encode(members)).hexdigest()[:16]


def shown(world: World, ladder_id: str, season: int, job_key: str) -> None:
    """The table shows everything: the schedule need not look after it any more, unless it is out of date again."""
    table = find_table(ladder_id, season)
    if int(table.built) < int(table.wanted):
        return
    change = transaction(world)
    change.check(table, Table.wanted == int(table.wanted), lambda _: _Moved())
    change.delete(due(job_key, LADDERS))
    try:
        change.commit()
    except _Moved:
        return


def _clean(world: World, table: Table) -> None:
    """Delete rows and changes that no table refers to any more; what is being made for a later state stays.

    Besides what the last tables dropped these are the changes of runs for a number since the last cleaning: whoever
    died over one, or came too late with it, left them.
    """
    if not int(table.built):
        return
    included, dropped = included_in(world, table), dropped_by(world, table)
    if included is None or dropped is None:
        # A newer table is there: whoever made it cleans up.
        return
    holds = {(each.event_id, each.run) for each in included}
    gone = [key for key in _other_rows(table) if made_for(key.split("#")[1]) <= int(table.built)]
    gone += [key for each in dropped if (each.event_id, each.run) not in holds for key in all_changes(each)]
    for key in changes_made_for(table.pk, int(table.cleaned), int(table.built)):
        _, run, event_id, _ = key.split("#")
        if (event_id, run) not in holds:
            gone.append(key)
    bulk.delete_items(TABLE, [(table.pk, key) for key in dict.fromkeys(gone)], world.sleep, world.random.fraction)
    if dropped or int(table.cleaned) < int(table.built):
        _say_clean(world, table)
        told = keys(table.run or "", DROPPED, table.dropped_parts)
        bulk.delete_items(TABLE, [(table.pk, key) for key in told], world.sleep, world.random.fraction)


def _other_rows(table: Table) -> list[str]:
    run = table.run or ""
    held = {*keys(run, LISTED, table.pages), *keys(run, REST, table.rest), *keys(run, INCLUDED, table.included_parts)}
    held.update(keys(run, DROPPED, table.dropped_parts))
    return [key for key in sort_keys(table.pk, "ROWS#") if key not in held]


def _say_clean(world: World, table: Table) -> None:
    target = Table(table.pk, table.sk)
    actions: list[Action] = [Table.dropped.remove(), Table.dropped_parts.set(0), Table.cleaned.set(int(table.built))]
    try:
        patiently(
            lambda: target.update(actions=actions, condition=Table.run == table.run),
            world.sleep,
            world.random.fraction,
        )
    except UpdateError as error:
        if error.cause_response_code != CONDITION_FAILED:
            raise
        # A newer table has all this on its own list.
