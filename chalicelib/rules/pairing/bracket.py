"""The bracket of a knock-out (淘汰赛): where everybody starts.

Source: rules of the game, section 4: by seed (else by the first round's hash order), byes to the best seeds up to
the next power of two, club-mates in different halves where possible. The order of seeds is the usual one: seeds
1..2^j cannot meet before the round of 2^j, and the sum of two seeds that meet is constant while the better win.
Only seeds of one band (3-4, 5-8, 9-16, ...) change places to keep club-mates apart, so that this stays true; nor
does anybody give away a bye.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

_EXCHANGES_UP_TO = 256
_CountIn = Callable[[int, int], None]
_Cost = Callable[[int, int], list[int]]


def seed_positions(size: int) -> list[int]:
    """The seed (from 1) at each position of a bracket whose size is a power of two.

    >>> seed_positions(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    seeds = [1]
    while len(seeds) < size:
        total = 2 * len(seeds) + 1
        seeds = [seed for better in seeds for seed in (better, total - better)]
    return seeds


def bracket(clubs: Sequence[int]) -> list[int | None]:
    """For each position the contender (index in order of seeding) who starts there; None is a bye for the neighbour.

    ``clubs[i]``: bit mask of the clubs of contender i.
    """
    count = len(clubs)
    size = 1 << max(count - 1, 0).bit_length()
    seeds = seed_positions(size)
    position_of = {seed: position for position, seed in enumerate(seeds)}
    places = [position_of[seed] for seed in range(1, count + 1)]
    _spread(places, clubs, size, list(_bands(count, size)))
    starts: list[int | None] = [None] * size
    for contender, position in enumerate(places):
        starts[position] = contender
    return starts


def _bands(count: int, size: int) -> Iterator[range]:
    """Ranges of contenders who may change places: bands of seeds, cut where the byes end."""
    with_bye = size - count
    start, end = 0, 1
    while start < count:
        cuts = sorted({start, min(max(with_bye, start), min(end, count)), min(end, count)})
        for low, high in pairwise(cuts):
            yield range(low, high)
        start, end = end, 2 * end


def _spread(places: list[int], clubs: Sequence[int], size: int, bands: Sequence[range]) -> None:
    """Exchange places inside bands while that keeps more club-mates apart, halves first, then quarters, and so on."""
    levels = range(size.bit_length() - 2, -1, -1)
    if len(places) > _EXCHANGES_UP_TO or not any(clubs):
        return
    blocks: Counter[tuple[int, int, int]] = Counter()

    def count_in(contender: int, amount: int) -> None:
        for level in levels:
            blocks[level, places[contender] >> level, clubs[contender]] += amount

    def cost(contender: int, position: int) -> list[int]:
        return [blocks[level, position >> level, clubs[contender]] for level in levels]

    for contender, mask in enumerate(clubs):
        if mask:
            count_in(contender, 1)
    improved = True
    while improved:
        improved = False
        for band in bands:
            for one in band:
                for other in range(one + 1, band.stop):
                    if clubs[one] != clubs[other] and _exchange(places, clubs, one, other, count_in, cost):
                        improved = True


def _exchange(
    places: list[int],
    clubs: Sequence[int],
    one: int,
    other: int,
    count_in: _CountIn,
    cost: _Cost,
) -> bool:
    """Exchange two if that helps; True when it did."""
    both = [contender for contender in (one, other) if clubs[contender]]
    for contender in both:
        count_in(contender, -1)
    before = [cost(contender, places[contender]) for contender in both]
    swapped = {one: places[other], other: places[one]}
    after = [cost(contender, swapped[contender]) for contender in both]
    better = [sum(level) for level in zip(*after, strict=True)] < [sum(level) for level in zip(*before, strict=True)]
    if better:
        places[one], places[other] = places[other], places[one]
    for contender in both:
        count_in(contender, 1)
    return better
