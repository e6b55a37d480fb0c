"""The worked examples of ``docs/rules-pairing.md`` and ``docs/规则说明-编排.md``, computed by the code they explain.

Each stands between ``<!-- example: NAME -->`` and ``<!-- end -->``. A test compares; this writes them anew:

    python -m tests.rules.pairing.page_examples
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from chalicelib.rules.duplicate.presets import presets
from chalicelib.rules.ladders import RatedTable, additive_points, elo_changes
from chalicelib.rules.model import (
    CandidateOrder,
    ClubRule,
    Entry,
    Event,
    FirstRound,
    KindCode,
    PairingMethod,
    PairingSettings,
    Round,
    Table,
)
from chalicelib.rules.pairing import Drawn, draw, to_json
from chalicelib.rules.pairing.berger import berger_round, cycle_length
from chalicelib.rules.pairing.bracket import bracket
from chalicelib.rules.pairing.couples import couples_of
from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.pairing.mitchell import EvenTables, mitchell_round, most_rounds
from chalicelib.rules.pairing.whist import whist_rounds
from chalicelib.rules.stages import drawn_groups, snake
from chalicelib.rules.standings import ranking_for_pairing
from tests.rules.example_writing import Examples, Words, table

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {"en": DOCS / "rules-pairing.md", "zh": DOCS / "规则说明-编排.md"}
PLACE = re.compile(r"(<!-- example: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
example = Examples()


def event(size: int, rounds: int, *played: list[tuple[int, int, int, int]], **settings: object) -> Event:
    """Pairs 1..size; each round a list of (NS, EW, NS level index, EW level index), the rest having a bye."""
    drawn = []
    for number, tables in enumerate(played, start=1):
        seated = {pair for ns, ew, *_ in tables for pair in (ns, ew)}
        records = tuple(
            Table(place, (ns,), (ew,), ns_level=own, ew_level=other)
            for place, (ns, ew, own, other) in enumerate(tables, start=1)
        )
        byes = tuple(pair for pair in range(1, size + 1) if pair not in seated)
        drawn.append(Round(number, records, byes))
    return Event(
        "x",
        KindCode.PAIRS,
        rounds,
        ("match_points", "level_points"),
        entries=tuple(Entry(number) for number in range(1, size + 1)),
        drawn=tuple(drawn),
        pairing=PairingSettings(**settings),  # type: ignore[arg-type]
    )


def in_clubs(of: Event, **clubs: str) -> Event:
    """The event with clubs: ``in_clubs(event, 甲="1 3")``."""
    club_of = {int(number): club for club, numbers in clubs.items() for number in numbers.split()}
    return replace(of, entries=tuple(replace(entry, club=club_of.get(entry.number)) for entry in of.entries))


def meetings(of: Event) -> str:
    """What is drawn, in short: better side first, the bye at the end, or the code of the refusal."""
    drawn = draw(of)
    if not isinstance(drawn, Drawn):
        return f"`{drawn.code}`"
    tables = [
        "-".join(
            str(entry)
            for entry, _ in sorted(
                zip((*one.ns, *one.ew), one.why.ranks or (1, 2), strict=True), key=lambda side: side[1]
            )
        )
        for one in drawn.tables
    ]
    return ", ".join(tables) + "".join(f"; {bye}" for bye in drawn.byes)


SIX = [(1, 2, 9, 1), (3, 4, 9, 2), (5, 6, 9, 3)]


@example
def ranking(say: Words) -> list[str]:
    order = sorted(range(1, 7), key=lambda entry: lot("2026", 1, entry))
    lines = [
        (place, entry, f"`2026:1:{entry}`", f"`{lot('2026', 1, entry)[:12]}…`") for place, entry in enumerate(order, 1)
    ]
    return table((say("place", "名次"), say("entry", "队"), say("text", "文本"), "SHA-256"), lines)


@example
def orders(say: Words) -> list[str]:
    lines = [
        (f"`{order}`", meetings(event(8, 3, first_round=FirstRound.ENTRY_ORDER, order=order)))
        for order in CandidateOrder
    ]
    return table(("order", say("tables of eight equal pairs ranked 1-8", "8 队同分、名次 1-8 时的对阵")), lines)


@example
def greedy(say: Words) -> list[str]:
    after = event(4, 9, [(1, 2, 9, 1), (3, 4, 5, 1)], [(1, 3, 9, 1), (2, 4, 5, 1)])
    return table((say("rounds played", "已打"), say("round 3", "第 3 轮")), [("1-2, 3-4 / 1-3, 2-4", meetings(after))])


@example
def byes(say: Words) -> list[str]:
    first = [(1, 2, 9, 1), (3, 4, 9, 2)]
    second = [(1, 3, 9, 2), (5, 2, 9, 3)]
    lines = [
        (1, meetings(event(5, 2, first_round=FirstRound.ENTRY_ORDER))),
        (2, meetings(event(5, 2, first))),
        (3, meetings(event(5, 3, first, second))),
    ]
    return table((say("round", "轮"), say("tables; bye", "对阵；轮空")), lines)


@example
def clubs(say: Words) -> list[str]:
    base = in_clubs(event(6, 3, SIX), 甲="1 3", 乙="5 4")
    heavy = in_clubs(event(4, 2, first_round=FirstRound.ENTRY_ORDER), 甲="1 2 3")
    lines = [
        (f"`{rule}`", *(meetings(replace(of, pairing=replace(of.pairing, club_rule=rule))) for of in (base, heavy)))
        for rule in ClubRule
    ]
    heading = (
        "club_rule",
        say("甲: 1, 3; 乙: 4, 5; ranking 1 3 5 6 4 2", "甲：1、3；乙：4、5；名次 1 3 5 6 4 2"),
        say("甲: 1, 2, 3 of four", "4 队中甲占 1、2、3"),
    )
    return table(heading, lines)


@example
def methods(say: Words) -> list[str]:
    first = [(1, 2, 4, 5), (3, 4, 6, 9), (5, 6, 4, 7)]
    after = event(6, 3, first, [(4, 6, 9, 9), (2, 3, 6, 3), (1, 5, 6, 8)])
    points = {row.entry: row.first for row in ranking_for_pairing(after)}
    lines = []
    for method in PairingMethod:
        of = replace(after, pairing=replace(after.pairing, method=method))
        drawn = draw(of)
        assert isinstance(drawn, Drawn)
        gaps = " ".join(str(one.why.gap) for one in drawn.tables)
        squares = sum(one.why.gap**2 for one in drawn.tables if one.why.gap is not None)
        lines.append((f"`{method}`", meetings(of), gaps, squares))
    order = " ".join(f"{entry} ({value})" for entry, value in points.items())
    return [
        say(
            f"Ranking (points): {order}; met: 1-2, 3-4, 5-6, 4-6, 2-3, 1-5.",
            f"名次（场分）：{order}；已相遇：1-2、3-4、5-6、4-6、2-3、1-5。",
        ),
        "",
        *table(("method", say("round 3", "第 3 轮"), say("gaps", "分差"), say("sum of squares", "平方和")), lines),
    ]


@example
def look_ahead(say: Words) -> list[str]:
    first = [(1, 2, 9, 7), (3, 4, 6, 4), (5, 6, 4, 2)]
    second = [(1, 3, 7, 9), (2, 5, 3, 7), (4, 6, 2, 8)]
    lines = []
    for rounds in (3, 5):
        of = event(6, rounds, first, second)
        drawn = draw(of)
        report = drawn.report.look_ahead if isinstance(drawn, Drawn) else ""
        lines.append((rounds, meetings(of), f"`{report}`"))
    return table((say("rounds defined", "定义轮数"), say("round 3", "第 3 轮"), "look_ahead"), lines)


@example
def why(say: Words) -> list[str]:
    drawn = to_json(draw(in_clubs(event(6, 3, SIX), 甲="1 3")))
    return ["```json", json.dumps(drawn["tables"][0], ensure_ascii=False), json.dumps(drawn["report"]), "```"]


@example
def refusal(say: Words) -> list[str]:
    after = event(4, 4, [(1, 2, 9, 1), (3, 4, 9, 2)], [(1, 3, 9, 2), (2, 4, 9, 3)], [(1, 4, 9, 2), (2, 3, 9, 3)])
    refused = to_json(draw(after))
    del refused["error"]["message"]
    return ["```json", json.dumps(refused), "```"]


@example
def partners(say: Words) -> list[str]:
    entries = [Entry(number) for number in range(1, 8)]
    late = [*entries, Entry(8, joined_round=2)]
    lines = [
        (number, " ".join(f"{one}+{other}" for one, other in drawn.couples), drawn.waiting or "-")
        for number, drawn in ((1, couples_of(entries, "2026", 1)), (2, couples_of(late, "2026", 2)))
    ]
    return table((say("round", "轮"), say("couples", "搭档"), say("waits", "等待")), lines)


@example
def circle(say: Words) -> list[str]:
    lines = [
        (index + 1, ", ".join(f"{ns + 1}-{ew + 1}" for ns, ew in berger_round(6, index)))
        for index in range(cycle_length(6))
    ]
    return table((say("round", "轮"), say("NS-EW, six pairs", "南北-东西，6 队")), lines)


@example
def knockout(say: Words) -> list[str]:
    lines = []
    for heading, masks in (
        (say("no clubs", "无团体"), [0] * 6),
        (say("3 and 6 club-mates", "3、6 同团体"), [0, 0, 1, 0, 0, 1]),
    ):
        places = [str(start + 1) if start is not None else "-" for start in bracket(masks)]
        lines.append((heading, *places))
    return table(("", *map(str, range(1, 9))), lines)


@example
def mitchell(say: Words) -> list[str]:
    lines = []
    for even in EvenTables:
        for index in range(most_rounds(4, even)):
            seats = mitchell_round(4, index, even)
            tables = " ".join(f"{seat.ns + 1}-{seat.ew + 1}/{seat.board_set + 1}" for seat in seats)
            lines.append((even, index + 1, tables))
    heading = say("four tables", "4 桌"), say("round", "轮"), say("NS-EW/set by table", "各桌 南北-东西/牌组")
    return table(heading, lines)


@example
def whist(say: Words) -> list[str]:
    lines = [
        (number, ", ".join(f"{a + 1}+{b + 1} v {c + 1}+{d + 1}" for (a, b), (c, d) in tables))
        for number, tables in enumerate(whist_rounds(8) or [], start=1)
    ]
    return table((say("round", "轮"), say("eight persons", "8 人")), lines)


@example
def groups(say: Words) -> list[str]:
    of = {number: "甲" if number <= 3 else None for number in range(1, 10)}
    lines = [
        (say("snake", "蛇形"), *snake(list(of), 3)),
        (
            say("by lot, 甲: 1, 2, 3", "抽签，甲：1、2、3"),
            *(sorted(group) for group in drawn_groups(list(of), 3, "2026", of)),
        ),
    ]
    return table(("", "A", "B", "C"), lines)


@example
def levels_and_leaders(say: Words) -> list[str]:
    lines = [(one.board, one.level, one.leader) for one in presets("2026", 1, 6)]
    return table((say("board", "副"), say("level", "级牌"), say("leader", "首领出牌者")), lines)


@example
def ladders(say: Words) -> list[str]:
    additive = ", ".join(map(str, additive_points([1, 2, 2, 4, 5, 6])))
    changes = elo_changes(
        [RatedTable(("甲", "乙"), ("丙", "丁"), 17)], {"甲": 1600, "乙": 1500, "丙": 1500, "丁": 1500}
    )
    elo = ", ".join(f"{member} {change:+.2f}" for member, change in changes.items())
    lines = [
        (say("additive, ranks 1 2 2 4 5 6", "累加，名次 1 2 2 4 5 6"), additive),
        (say("Elo, 17:9, ratings 1600+1500 v 1500+1500", "Elo，17:9，1600+1500 对 1500+1500"), elo),
    ]
    return table(("", say("points", "分")), lines)


def filled(page: str, language: str) -> str:
    """The page with every example computed anew; KeyError for an example that does not exist."""
    say = Words(language)

    def one(found: re.Match[str]) -> str:
        return found[1] + "\n" + "\n".join(example.examples[found[2]](say)) + "\n\n" + found[3]

    return PLACE.sub(one, page)


if __name__ == "__main__":
    for language, path in PAGES.items():
        path.write_text(filled(path.read_text("utf-8"), language), "utf-8")
