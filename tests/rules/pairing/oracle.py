"""The Swiss drawing a second time, by plain enumeration: slow, short, and written from the text of section 7 only.

It shares the model and the standings with the product, nothing of ``chalicelib.rules.pairing``. For small fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from chalicelib.rules.model import Entry, Event
from chalicelib.rules.standings import ranking_for_pairing

Unit = tuple[int, ...]
Pairs = list[tuple[Unit, Unit]]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass
class Answer:
    """``code`` of a refusal, or tables as (ns, ew) in order; ``handed_over``: found by the smallest total gap."""

    code: str | None = None
    tables: Pairs = field(default_factory=list)
    byes: list[int] = field(default_factory=list)
    look_ahead: str = "not_needed"
    handed_over: bool = False
    cost: tuple[object, ...] = ()


def active(entry: Entry, number: int) -> bool:
    return entry.joined_round <= number and (entry.left_after_round is None or entry.left_after_round >= number)


def oracle(event: Event) -> Answer:
    number = len(event.drawn) + 1
    if number > event.rounds:
        return Answer("all_rounds_drawn")
    if any(t.outcome == "unplayed" and not t.postponed for r in event.drawn for t in r.tables):
        return Answer("open_tables")
    units, alone = everybody(event, number)
    if len(units) < 2:
        return Answer("too_few_entries")
    answer = Swiss(event, units, number).answer()
    answer.byes = sorted(answer.byes + alone)
    return answer


def everybody(event: Event, number: int) -> tuple[list[Unit], list[int]]:
    if event.kind != "individual":
        return [(e.number,) for e in event.entries if active(e, number)], []
    couples: list[tuple[Entry, Entry]] = []
    odd: list[Entry] = []
    for joined in range(1, number + 1):
        odd = [e for e in odd if active(e, joined)]
        new = [e for e in event.entries if e.joined_round == joined and active(e, joined)]
        line = odd + sorted(new, key=lambda e: sha(f"{event.pairing.seed}:partners:{e.number}"))
        if not new:
            continue
        while len(line) >= 2:
            couples.append((line.pop(0), line.pop(0)))
        odd = line
    units = [tuple(sorted((a.number, b.number))) for a, b in couples if active(a, number) and active(b, number)]
    return units, [e.number for e in odd if active(e, number)]


class Swiss:
    def __init__(self, event: Event, units: list[Unit], number: int) -> None:
        self.event, self.number = event, number
        self.settings = event.pairing
        seed = self.settings.seed
        ties = {p.entry: p.tie for p in ranking_for_pairing(event)}
        firsts = {p.entry: p.first for p in ranking_for_pairing(event)}
        seeds = {e.number: e.seed if e.seed is not None else 10**9 for e in event.entries}
        lots = {u: sha(f"{seed}:{number}:{min(u)}") for u in units}
        self.order = str(self.settings.order)
        if number > 1:
            self.ranking = sorted(units, key=lambda u: (min(ties[e] for e in u), lots[u]))
        elif self.settings.first_round == "random":
            self.ranking = sorted(units, key=lambda u: lots[u])
        elif self.settings.first_round == "entry_order":
            self.ranking = sorted(units, key=min)
        else:
            self.ranking = sorted(units, key=lambda u: (min(seeds[e] for e in u), lots[u]))
            self.order = "slide"
        self.place = {u: i for i, u in enumerate(self.ranking)}
        self.value = {u: firsts[min(u, key=lambda e: ties[e])] for u in units}
        clubs = {e.number: e.club for e in event.entries}
        self.met = {
            frozenset((a, b))
            for a in units
            for b in units
            if a != b
            and any(
                x in t.ns + t.ew and y in t.ns + t.ew and (x in t.ns) != (y in t.ns)
                for r in event.drawn
                for t in r.tables
                for x, y in product(a, b)
            )
        }
        self.mates = {
            frozenset((a, b))
            for a in units
            for b in units
            if a != b and any(clubs[x] and clubs[x] == clubs[y] for x, y in product(a, b))
        }
        self.byes = {u: max(sum(e in r.byes for r in event.drawn) for e in u) for u in units}
        limit = self.settings.club_until_round
        self.rule = "ignore" if limit is not None and number > limit else str(self.settings.club_rule)

    # -- what may be

    def candidates(self, left: Sequence[Unit]) -> list[Unit]:
        first = left[0]
        group = [u for u in left if self.value[u] == self.value[first]]
        begin = {"adjacent": 1, "slide": len(group) // 2, "fold": len(group) - 1}[self.order]
        others = sorted(range(1, len(group)), key=lambda i: (abs(i - begin), i))
        return [group[i] for i in others] + [u for u in left if self.value[u] != self.value[first]]

    def pairings(self, left: Sequence[Unit], barred: set[frozenset[Unit]]) -> Iterator[Pairs]:
        """All legal pairings, first in the order of the rule."""
        dead: set[frozenset[Unit]] = set()

        def rest(left: tuple[Unit, ...]) -> Iterator[Pairs]:
            if not left:
                yield []
                return
            if frozenset(left) in dead:
                return
            found = False
            for other in self.candidates(left):
                if frozenset((left[0], other)) in barred:
                    continue
                for more in rest(tuple(u for u in left if u not in (left[0], other))):
                    found = True
                    yield [(left[0], other), *more]
            if not found:
                dead.add(frozenset(left))

        yield from rest(tuple(left))

    def byes_in_order(self) -> list[Unit | None]:
        if len(self.ranking) % 2 == 0:
            return [None]
        without = [u for u in reversed(self.ranking) if self.byes[u] == 0]
        if without:
            return list(without)
        return sorted(self.ranking, key=lambda u: (self.byes[u], -self.place[u]))

    def without(self, bye: Unit | None) -> list[Unit]:
        return [u for u in self.ranking if u != bye]

    # -- the rule

    def answer(self) -> Answer:
        strict = self.met | self.mates
        for_bye = strict if self.rule == "never" else self.met
        byes = self.byes_in_order()
        can_leave = (bye for bye in byes if next(self.pairings(self.without(bye), for_bye), None) is not None)
        none = object()
        bye = next(can_leave, none)
        if bye is none:
            return Answer("no_legal_pairing")
        left = self.without(bye)  # type: ignore[arg-type]
        if self.settings.method == "min_total_gap":
            return self.least(left, bye, self.rule)
        first = next(self.pairings(left, self.met if self.rule == "ignore" else strict), None)
        if first is None:
            return self.least(left, bye, "avoid")
        units = len(self.ranking)
        if units >= 24 or 2 * self.event.rounds <= units:
            return self.made(first, bye)
        steps = {"avoid": [strict, self.met], "never": [strict], "ignore": [self.met]}[self.rule]
        for later_bye in byes:
            for barred in steps:
                for pairs in self.pairings(self.without(later_bye), barred):
                    if self.later_rounds_exist(pairs, later_bye):
                        return self.made(pairs, later_bye, "kept")
        return self.made(first, bye, "failed")

    def later_rounds_exist(self, pairs: Pairs, bye: Unit | None) -> bool:
        everybody = tuple(self.ranking)
        odd = len(everybody) % 2 == 1

        @cache
        def play(open_pairs: frozenset[frozenset[Unit]], owed: frozenset[Unit], rounds: int) -> bool:
            if rounds == 0:
                return True
            for out in (owed or everybody) if odd else (None,):
                left = tuple(u for u in everybody if u != out)
                for chosen in perfect(left, open_pairs):
                    if play(open_pairs - chosen, owed - {out}, rounds - 1):
                        return True
            return False

        everything = {frozenset((a, b)) for a in everybody for b in everybody if a != b}
        made = {frozenset(p) for p in pairs}
        owed = frozenset(u for u in everybody if self.byes[u] == 0 and u != bye) if odd else frozenset()
        return play(frozenset(everything - self.met - made), owed, self.event.rounds - self.number)

    # -- the smallest total gap

    def least(self, left: list[Unit], bye: object, rule: str) -> Answer:
        barred = self.met | self.mates if rule == "never" else self.met
        best = min(self.cost(pairs, left) for pairs in self.pairings(left, barred))
        answer = self.made([], bye)
        answer.handed_over, answer.cost = True, best
        return answer

    def cost(self, pairs: Pairs, left: list[Unit]) -> tuple[object, ...]:
        place = {u: i for i, u in enumerate(left)}
        same_club = 0 if self.rule == "ignore" else sum(frozenset(p) in self.mates for p in pairs)
        return (
            sum(frozenset(p) in self.met for p in pairs),
            same_club,
            sum((self.value[a] - self.value[b]) ** 2 for a, b in pairs),
            sum((place[a] - place[b]) ** 2 for a, b in pairs),
        )

    # -- seats

    def made(self, pairs: Pairs, bye: object, look_ahead: str = "not_needed") -> Answer:
        tables = [self.seated(a, b) for a, b in sorted(pairs, key=lambda p: min(self.place[u] for u in p))]
        return Answer(None, tables, list(bye) if isinstance(bye, tuple) else [], look_ahead)

    def seated(self, a: Unit, b: Unit) -> tuple[Unit, Unit]:
        def seat(u: Unit) -> tuple[int, str]:
            records = [t for r in self.event.drawn for t in r.tables if t.room != "closed"]
            times = sum(e in t.ns for t in records for e in u)
            return times, sha(f"{self.settings.seed}:{self.number}:seat:{min(u)}")

        ns, ew = sorted((a, b), key=seat)
        return ns, ew


def perfect(left: tuple[Unit, ...], open_pairs: frozenset[frozenset[Unit]]) -> Iterator[frozenset[frozenset[Unit]]]:
    if not left:
        yield frozenset()
        return
    for other in left[1:]:
        pair = frozenset((left[0], other))
        if pair in open_pairs:
            for more in perfect(tuple(u for u in left[1:] if u != other), open_pairs):
                yield more | {pair}
