"""The circle method in Berger's order (循环赛): who meets whom in which round when everybody meets everybody.

Source: the Berger tables (FIDE handbook C.05, annex 1), in closed form. With n slots (one of them empty for an odd
number) there are n - 1 rounds; sides alternate as evenly as can be; a second cycle is the first with sides changed.
"""

from __future__ import annotations

from collections.abc import Sequence

SlotPair = tuple[int, int]


def cycle_length(size: int) -> int:
    """Rounds of one cycle for that many contenders: n - 1 when even, n when odd."""
    return size - 1 + size % 2


def berger_round(size: int, index: int) -> list[SlotPair]:
    """The pairs (NS slot, EW slot) of round ``index`` (from 0) for ``size`` contenders in slots 0..size-1.

    In an odd field the slot ``size`` is empty: who is paired with it has a bye. Rounds beyond the first cycle are
    the next cycle, with sides changed in every second one.

    >>> berger_round(4, 0), berger_round(4, 1), berger_round(4, 2)
    ([(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)])
    """
    slots = size + size % 2
    length = slots - 1
    cycle, number = divmod(index, length)
    start = number * (slots // 2) % length
    first = (slots - 1, start) if number % 2 else (start, slots - 1)
    pairs = [first, *(((start + step) % length, (start - step) % length) for step in range(1, slots // 2))]
    return [(ew, ns) for ns, ew in pairs] if cycle % 2 else pairs


def club_mates_early(order: Sequence[int], clubs: Sequence[int]) -> list[int]:
    """An arrangement of ``order`` in slots such that club-mates meet as early as a search by exchanges can bring it.

    ``clubs[i]``: bit mask of the clubs of contender i. Early meetings leave nothing to arrange between club-mates
    when places are at stake. The order is kept where it makes no difference.
    """
    size = len(order)
    meets = {frozenset(pair): index for index in range(cycle_length(size)) for pair in berger_round(size, index)}
    slots = list(order)

    def cost() -> tuple[int, int]:
        rounds = [
            meets[frozenset((one, other))]
            for one in range(size)
            for other in range(one)
            if clubs[slots[one]] & clubs[slots[other]]
        ]
        return max(rounds, default=0), sum(rounds)

    best = cost()
    improved = any(clubs)
    while improved:
        improved = False
        for one in range(size):
            for other in range(one):
                if clubs[slots[one]] == clubs[slots[other]]:
                    continue
                slots[one], slots[other] = slots[other], slots[one]
                exchanged = cost()
                if exchanged < best:
                    best, improved = exchanged, True
                else:
                    slots[one], slots[other] = slots[other], slots[one]
    return slots
