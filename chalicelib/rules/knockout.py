"""How far an entry came in a knock-out (section 6): the keys that stand before all criteria."""

from __future__ import annotations

from chalicelib.rules.scoresheet import LOST, SURVIVED, Happening, Line, Scoresheet


def survived_lines(sheet: Scoresheet, index: int) -> list[Line]:
    """The rounds before the first loss that were won, by bye or by walkover; the third-place match left out."""
    survived: list[Line] = []
    number = sheet.numbers[index]
    for line in sheet.lines[index].each():
        if (line.round, number) in sheet.third_place:
            continue
        if line.score.happening in LOST:
            break
        if line.score.happening in SURVIVED:
            survived.append(line)
    return survived


def rounds_survived(sheet: Scoresheet) -> list[int]:
    """Rounds survived by every entry."""
    return [len(survived_lines(sheet, index)) for index in range(len(sheet.numbers))]


def third_place_won(sheet: Scoresheet) -> list[int]:
    """1 for who won the third-place match, else 0: it puts its winner before its loser and changes nothing else."""
    won = (Happening.WIN, Happening.WALKOVER)
    return [
        int(any((line.round, number) in sheet.third_place and line.score.happening in won for line in lines.each()))
        for number, lines in zip(sheet.numbers, sheet.lines, strict=True)
    ]
