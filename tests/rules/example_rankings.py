"""The examples of ranks, ties, knock-outs, clubs and prizes."""

from __future__ import annotations

from collections.abc import Iterable

from chalicelib.rules.criteria import CRITERIA
from chalicelib.rules.prizes import Prize, awards
from chalicelib.rules.standings import Row, standings
from tests.rules.building import document, event, played
from tests.rules.example_writing import Examples, Words, table

RANKINGS = Examples()


def ranking(say: Words, found: Iterable[Row]) -> list[str]:
    rows_found = list(found)
    codes = list(rows_found[0].values)
    heading = [say("rank", "名次"), say("entry", "编号")]
    names = [say.criterion(code) if code in CRITERIA else say("Rounds survived", "晋级轮次") for code in codes]
    tie = say(" tied", " 并列")
    return table(
        [*heading, *names],
        [
            [
                f"{row.rank}{tie if row.tied else ''}",
                row.entry,
                *(
                    "-" if value is None else value if isinstance(value, str) else ", ".join(value)
                    for value in row.values.values()
                ),
            ]
            for row in rows_found
        ],
    )


@RANKINGS
def ties(say: Words) -> list[str]:
    tables = [played(1, 1, 4, "A", "2"), played(2, 2, 3, "6", "6")]
    return ranking(say, standings(event(document(entries=4, rounds=[tables]))).rows)


@RANKINGS
def head_to_head(say: Words) -> list[str]:
    rounds = [
        {"tables": [played(1, 1, 2, "5", "4")], "byes": [3]},
        {"tables": [played(1, 1, 3, "5", "2")], "byes": [2]},
        {"tables": [played(1, 2, 3, "6", "6")], "byes": [1]},
    ]
    of = document(entries=3, rounds=rounds, criteria=["level_points", "head_to_head", "upgrades"])
    of["adjustments"] = [
        {"entry": entry, "round": 1, "criterion": "level_points", "amount": amount, "reason": "x"}
        for entry, amount in ((1, -4), (2, 1), (3, 3))
    ]
    return ranking(say, standings(event(of)).rows)


@RANKINGS
def lots(say: Words) -> list[str]:
    of = document(entries=3, criteria=["match_points", "lot"], pairing={"seed": "2026"})
    found = standings(event(of)).rows
    lines = [[row.rank, row.entry, f"`{str(row.values['lot'])[:16]}...`"] for row in found]
    return table([say("rank", "名次"), say("entry", "编号"), "SHA-256"], lines)


@RANKINGS
def knockout(say: Words) -> list[str]:
    rounds = [
        [played(1, 1, 4, "A", "2"), played(2, 2, 3, "6", "6", winner="ns")],
        [played(1, 1, 2, "3", "4"), played(2, 3, 4, "2", "3", third_place=True)],
    ]
    of = document(entries=4, rounds=rounds, knockout=True, criteria=["level_points"])
    return ranking(say, standings(event(of)).rows)


@RANKINGS
def clubs(say: Words) -> list[str]:
    tables = [played(1, 1, 2, "A", "2"), played(2, 3, 4, "K", "2"), played(3, 5, 6, "6", "6")]
    of = document("clubs", 6, [tables], club_ranking={"best": 2})
    of["clubs"] = ["市南", "崂山", "城阳"]
    for entry, club in zip(of["entries"], ["市南", "崂山", "崂山", "市南", "市南", "城阳"], strict=True):
        entry["club"] = club
    found = standings(event(of)).clubs
    lines = [
        [
            row.rank,
            row.club,
            ", ".join(map(str, row.entries)),
            say("yes", "是") if row.complete else say("no", "否"),
            row.values["match_points"],
            row.values["level_points"],
        ]
        for row in found
    ]
    heading = say("rank|club|entries counted|complete", "名次|团体|计入编号|人数足够").split("|")
    return table([*heading, say.criterion("match_points"), say.criterion("level_points")], lines)


@RANKINGS
def prizes(say: Words) -> list[str]:
    ranked = [(1, 4), (2, 9), (3, 2), (3, 7), (3, 8), (6, 3)]
    rows_found = [Row(rank, rank == 3, entry, None, {}, {}) for rank, entry in ranked]
    names = [Prize(say("gold", "金奖"), 1), Prize(say("silver", "银奖"), 2), Prize(say("bronze", "铜奖"), 3)]
    lines = [
        [
            award.prize.name,
            award.prize.count,
            ", ".join(map(str, award.winners)),
            award.open_places or "",
            ", ".join(map(str, award.contested)),
        ]
        for award in awards(rows_found, names)
    ]
    heading = say("prize|count|winners|places to decide|among", "奖项|数量|得奖|待定名额|待定编号")
    return table(heading.split("|"), lines)
