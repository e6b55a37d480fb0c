"""Whist designs: 4n or 4n+1 persons, four at a table, everybody's partner once and everybody's opponent twice.

Source: whist tournaments Wh(4n) over Z(4n-1) with a fixed person, Wh(4n+1) over Z(4n+1) (E. H. Moore 1896; for
primes 4n+1 the construction of R. D. Baker 1975; nine persons over the field of nine elements). Only the first
round is kept; every other is the one before with 1 added. The other first rounds were found by search; a test
checks every design completely.
"""

from __future__ import annotations

from typing import Final

Foursome = tuple[tuple[int, int], tuple[int, int]]
"""(partner, partner), (partner, partner), as numbers of persons from 0."""

_FIXED: Final = -1
_FIRST_ROUNDS: Final[dict[int, tuple[tuple[int, int, int, int], ...]]] = {
    4: ((-1, 0, 2, 1),),
    8: ((-1, 0, 2, 6), (3, 1, 4, 5)),
    12: ((-1, 0, 10, 3), (2, 5, 1, 7), (4, 6, 8, 9)),
    16: ((-1, 0, 10, 5), (2, 4, 1, 8), (13, 9, 7, 6), (3, 12, 14, 11)),
    20: ((-1, 0, 14, 17), (4, 12, 16, 1), (15, 6, 5, 18), (13, 11, 2, 7), (9, 8, 3, 10)),
    21: ((17, 19, 9, 14), (5, 2, 1, 16), (4, 13, 6, 7), (11, 15, 3, 10), (12, 20, 8, 18)),
    24: ((-1, 0, 10, 20), (15, 14, 22, 18), (6, 21, 7, 16), (12, 9, 11, 4), (17, 5, 1, 3), (2, 19, 8, 13)),
    25: ((22, 9, 17, 24), (6, 15, 12, 1), (3, 4, 13, 10), (5, 7, 18, 8), (23, 2, 11, 19), (20, 14, 21, 16)),
    28: (
        (-1, 0, 10, 7),
        (6, 17, 25, 12),
        (22, 2, 18, 9),
        (21, 19, 16, 20),
        (4, 26, 13, 1),
        (24, 23, 8, 14),
        (11, 3, 5, 15),
    ),
    33: (
        (2, 31, 20, 15),
        (18, 1, 32, 10),
        (4, 3, 6, 30),
        (14, 8, 21, 13),
        (12, 27, 17, 24),
        (7, 5, 28, 16),
        (22, 9, 23, 26),
        (25, 11, 19, 29),
    ),
}
_PRIMITIVE_ROOTS: Final = {5: 2, 13: 2, 17: 3, 29: 2, 37: 2, 41: 6}
"""Primes 4n+1 with the smallest primitive root."""

DESIGNED: Final = tuple(sorted({*_FIRST_ROUNDS, *_PRIMITIVE_ROOTS, 9}))


def whist_rounds(persons: int) -> list[list[Foursome]] | None:
    """All rounds of the design; None: there is none here.

    For 4n persons there are 4n - 1 rounds, for 4n + 1 as many as persons, and each sits out once.
    """
    if persons == 9:
        return _nine()
    if persons in _PRIMITIVE_ROOTS:
        return _developed(_baker(persons, _PRIMITIVE_ROOTS[persons]), persons, persons)
    if persons not in _FIRST_ROUNDS:
        return None
    modulus = persons - 1 if persons % 4 == 0 else persons
    return _developed(_FIRST_ROUNDS[persons], modulus, persons)


def _developed(first: tuple[tuple[int, int, int, int], ...], modulus: int, persons: int) -> list[list[Foursome]]:
    def person(base: int, step: int) -> int:
        return persons - 1 if base == _FIXED else (base + step) % modulus

    return [
        [((person(a, step), person(b, step)), (person(c, step), person(d, step))) for a, b, c, d in first]
        for step in range(modulus)
    ]


def _baker(prime: int, root: int) -> tuple[tuple[int, int, int, int], ...]:
    quarter = (prime - 1) // 4
    powers = [pow(root, exponent, prime) for exponent in range(prime - 1)]
    return tuple(
        (powers[i], powers[i + 2 * quarter], powers[i + quarter], powers[i + 3 * quarter]) for i in range(quarter)
    )


def _nine() -> list[list[Foursome]]:
    """Baker's construction over the nine numbers a + bi with i*i = -1 counted modulo 3; 1 + i generates them."""
    powers: list[tuple[int, int]] = [(1, 0)]
    while len(powers) < 8:
        real, imaginary = powers[-1]
        powers.append(((real - imaginary) % 3, (real + imaginary) % 3))

    def person(power: int, real: int, imaginary: int) -> int:
        return (powers[power][0] + real) % 3 + 3 * ((powers[power][1] + imaginary) % 3)

    return [
        [
            (
                (person(i, real, imaginary), person(i + 4, real, imaginary)),
                (person(i + 2, real, imaginary), person(i + 6, real, imaginary)),
            )
            for i in range(2)
        ]
        for real in range(3)
        for imaginary in range(3)
    ]
