"""A club's evening of nine pairs: its roster as a file, and what will be played."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook

EVENT = "周三俱乐部夜赛"
ROUNDS = 4
MINUTES = 50

CLUBS = ("海滨俱乐部", "北山棋牌社", "东湖掼友会")
TEAMS = ("海风", "听潮", "白帆", "松涛", "云岭", "晨钟", "荷塘", "晚照", "芦笛")


def players(number: int) -> tuple[str, str]:
    """The two players of an entry, by its number from 1."""
    return f"选手{2 * number - 1:03d}", f"选手{2 * number:03d}"


def phones(number: int) -> tuple[str, str]:
    """Their invented phones."""
    return f"1380013{2 * number - 1:04d}", f"1380013{2 * number:04d}"


def club(number: int) -> str:
    """The club of an entry."""
    return CLUBS[(number - 1) % len(CLUBS)]


def write_roster(file: Path) -> None:
    """The roster as an organizer would have it: with a phone as a number, and one with spaces."""
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.append(["队名", "选手1姓名", "选手1手机", "选手2姓名", "选手2手机", "俱乐部"])
    for number, team in enumerate(TEAMS, start=1):
        one, two = players(number)
        first, second = phones(number)
        spaced = f"{second[:3]} {second[3:7]} {second[7:]}"
        sheet.append([team, one, int(first), two, spaced, club(number)])
    workbook.save(file)


def levels(round_number: int, table: int) -> tuple[str, str]:
    """Which levels 南北 and 东西 reach: wins by much and by little, for both seats, and a draw."""
    results = (
        ("A+", "6"), ("9", "K"), ("J", "10"), ("5", "A+"), ("Q", "2"), ("8", "8"), ("A+", "A"), ("7", "J"), ("K", "3"),
    )  # fmt: skip
    return results[(3 * round_number + 5 * table) % len(results)]
