"""The next round of a knock-out (淘汰赛): winners meet winners along the bracket.

Source: rules of the game, sections 4 and 6. The loser of a table is out; a third-place match, where wanted, is
played beside the final by those who lost the semifinals. A match without a result (postponed) has no winner yet,
so nothing that follows from it can be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import ClubRule, Event, Outcome
from chalicelib.rules.pairing.bracket import bracket
from chalicelib.rules.pairing.contenders import Field, field_of, seeded_order
from chalicelib.rules.pairing.history import History
from chalicelib.rules.pairing.result import Drawn, DrawnTable, Proposal, Report, Why
from chalicelib.rules.pairing.tables import ns_first
from chalicelib.rules.scoresheet import LOST

DESIGN = "knockout"
Contender = tuple[int, ...]


def draw_knockout(
    event: Event, history: History, round_number: int, sides: Sequence[Contender], starters: Sequence[Contender]
) -> Drawn | Proposal | int:
    """The next round; a proposal of what can be drawn when a match it needs is postponed; the number of those still
    in when fewer than two are.

    ``sides`` are entered in this round, ``starters`` in the first one.
    """
    losers = _losers(event)
    places = places_of(event, starters)
    still_in = [side for side in sides if side in places and not any(entry in losers for entry in side)]
    if len(still_in) < 2:
        return len(still_in)
    field = field_of(event, sides, history, round_number)
    position = {side: index for index, side in enumerate(field.entries)}
    waiting = _waiting(event)
    pairs, byes = _next_matches(places, still_in, round_number)
    drawn = [pair for pair in pairs if not any(entry in waiting for side in pair for entry in side)]
    tables = [
        _table(field, position[one], position[other], number) for number, (one, other) in enumerate(drawn, start=1)
    ]
    through = tuple(sorted(entry for side in byes for entry in side if entry not in waiting))
    if any(entry in waiting for side in still_in for entry in side):
        return Proposal(tuple(tables), through)
    if event.third_place_match and len(still_in) == 2 and len(tables) == 1:
        beaten = [side for side in sides if side in places and _lost_in(losers, side, round_number - 1)]
        if len(beaten) == 2:
            one, other = (position[side] for side in beaten)
            tables.append(_table(field, min(one, other), max(one, other), 2, third_place=True))
    rematches = sum(table.why.rematch for table in tables)
    same_club = sum(table.why.same_club for table in tables)
    return Drawn(round_number, tuple(tables), through, report=Report(rematches, same_club))


def _losers(event: Event) -> dict[int, int]:
    """Entry number -> round of the first loss; a third-place match eliminates nobody."""
    sheet = scoresheet(event)
    losers: dict[int, int] = {}
    for number, lines in zip(sheet.numbers, sheet.lines, strict=True):
        lost = [
            line.round
            for line in lines.each()
            if line.score.happening in LOST and (line.round, number) not in sheet.third_place
        ]
        if lost:
            losers[number] = lost[0]
    return losers


def _lost_in(losers: dict[int, int], side: Contender, round_number: int) -> bool:
    """Whether the side went out in that round; who has lost nothing yet went out in none."""
    lost = [losers[entry] for entry in side if entry in losers]
    return bool(lost) and min(lost) == round_number


def _waiting(event: Event) -> set[int]:
    """Entries at a match that has no result yet."""
    return {
        entry
        for drawn in event.drawn
        for table in drawn.tables
        if table.outcome is Outcome.UNPLAYED and not table.third_place
        for entry in (*table.ns, *table.ew)
    }


def places_of(event: Event, starters: Sequence[Contender]) -> dict[Contender, int]:
    """Where in the bracket everybody started."""
    order = seeded_order(event, starters)
    clubs = {entry.number: entry.club for entry in event.entries}
    names = sorted({name for name in clubs.values() if name})
    bit = {name: 1 << index for index, name in enumerate(names)}
    masks = [sum({bit[name] for entry in side if (name := clubs[entry])}) for side in order]
    if event.pairing.club_rule is ClubRule.IGNORE:
        masks = [0] * len(masks)
    return {order[start]: index for index, start in enumerate(bracket(masks)) if start is not None}


def _next_matches(
    places: dict[Contender, int], still_in: Sequence[Contender], round_number: int
) -> tuple[list[tuple[Contender, Contender]], list[Contender]]:
    """Matches in the order of the bracket, and who goes on without one."""
    blocks: dict[int, list[Contender]] = {}
    for side in sorted(still_in, key=lambda one: places[one]):
        blocks.setdefault(places[side] >> round_number, []).append(side)
    if any(len(block) > 2 for block in blocks.values()):
        # Matches were changed by hand: neighbours meet, and the best places go on until a power of two is left.
        return _neighbours(sorted(still_in, key=lambda one: places[one]))
    pairs = [(block[0], block[1]) for block in blocks.values() if len(block) == 2]
    return pairs, [block[0] for block in blocks.values() if len(block) == 1]


def _neighbours(line: list[Contender]) -> tuple[list[tuple[Contender, Contender]], list[Contender]]:
    resting = (1 << (len(line) - 1).bit_length()) - len(line)
    byes, rest = line[:resting], line[resting:]
    return list(zip(rest[::2], rest[1::2], strict=True)), byes


def _table(field: Field, one: int, other: int, number: int, *, third_place: bool = False) -> DrawnTable:
    ns, ew, seat = ns_first(field, one, other)
    why = Why(
        DESIGN,
        rematch=other in field.met[one],
        same_club=field.same_club(one, other),
        ranks=(ns + 1, ew + 1),
        seat=seat,
    )
    return DrawnTable(number, field.entries[ns], field.entries[ew], why, third_place=third_place)
