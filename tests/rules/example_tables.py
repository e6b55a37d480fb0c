"""The examples of levels, states, rounds, kinds, boards and deviations."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from chalicelib.rules.boards import DUPLICATE_POINTS
from chalicelib.rules.deviations import Field, points_by_sign
from chalicelib.rules.exact import shown, text
from chalicelib.rules.kinds import KINDS, Meeting, Scoring
from chalicelib.rules.level_scores import level_scores
from chalicelib.rules.levels import INDEX, FailuresAtA, level_name, levels_after, open_ended_levels_after
from chalicelib.rules.model import MatchPoints, Outcome, Side
from chalicelib.rules.scoresheet import Happening
from chalicelib.rules.settings import SETTINGS
from chalicelib.rules.table_state import State, TableResult, table_state
from tests.rules.building import boards, document, faults, played, rows, unplayed
from tests.rules.example_writing import Examples, Words, table

TABLES = Examples()


def signed(results: Iterable[int]) -> str:
    return " ".join(f"{result:+d}" for result in results)


@TABLES
def levels(say: Words) -> list[str]:
    lines = []
    for results, rule in (
        ([3, -1, 2, -2], FailuresAtA.BACK_TO_2),
        ([3, 3, 3, 2, 3], FailuresAtA.BACK_TO_2),
        ([3, 3, 3, 3, 2], FailuresAtA.BACK_TO_2),
        ([3, 3, 3, 3, -1, 3], FailuresAtA.BACK_TO_2),
        ([3, 3, 3, 3, 1, 1, 1], FailuresAtA.NONE),
        ([3, 3, 3, 3, 1, 1, 1], FailuresAtA.BACK_TO_2),
        ([3, 3, 3, 3, 1, 1, 1], FailuresAtA.LOSE),
    ):
        climb = levels_after(results, rule)
        lost = "" if climb.lost is None else say("NS has lost", "南北负")
        lines.append([signed(results), f"`{rule}`", level_name(climb.ns_level)[0], level_name(climb.ew_level)[0], lost])
    heading = say("boards, NS view|after three failures at A|NS|EW|", "各副（南北方）|打A三次不过|南北|东西|")
    return table(heading.split("|"), lines)


@TABLES
def laps(say: Words) -> list[str]:
    lines = []
    for results in ([3, 3, 3, 3, 2], [3, 3, 3, 3, 2, 1], [3, 3, 3, 3, 2, 3]):
        index = open_ended_levels_after(results)[0]
        name, lap = level_name(index)
        lines.append([signed(results), lap, name, index])
    return table(say("boards|lap|level|index", "各副|圈|级|升级数").split("|"), lines)


@TABLES
def table_states(say: Words) -> list[str]:
    one, two = TableResult(ns_level=8, ew_level=4), TableResult(ns_level=8, ew_level=5)
    names = {None: "-", one: "10:6", two: "10:7"}
    state_words = {
        State.OPEN: "未提交",
        State.ONE_SIDED: "一方已提交",
        State.CONFIRMED: "已确认",
        State.DISPUTED: "不一致",
        State.RULED: "已裁定",
    }
    lines = []
    for ns, ew, ruling, double in (
        (None, None, None, True),
        (one, None, None, True),
        (one, None, None, False),
        (one, one, None, True),
        (one, two, None, True),
        (one, two, None, False),
        (one, two, two, True),
    ):
        found = table_state(ns, ew, ruling=ruling, double_submission=double)
        lines.append(
            [
                names[ns],
                names[ew],
                names[ruling],
                say("on" if double else "off", "开" if double else "关"),
                say(f"`{found.state}`", state_words[found.state]),
                names[found.effective],
            ]
        )
    heading = say(
        "NS says|EW says|referee|double submission|state|counts", "南北提交|东西提交|裁判|需要双提交|状态|有效成绩"
    )
    return table(heading.split("|"), lines)


def decimal(numerator: int, scale: int) -> str:
    return f"{numerator / scale:g}"


def halves(points: int) -> str:
    return text(points, 2)


@TABLES
def level_scored_tables(say: Words) -> list[str]:
    lines = []
    for ns, ew, winner in (
        ("10", "6", None),
        ("K", "8", None),
        ("J", "Q", None),
        ("5", "5", None),
        ("A+", "A", None),
        ("A", "2", None),
        ("A+", "2", None),
        ("5", "5", Side.NS),
        ("2", "A", Side.NS),
    ):
        scores = level_scores(INDEX[ns], INDEX[ew], winner, MatchPoints())
        columns = [":".join(halves(score.points[place]) for score in scores) for place in (0, 1, 2, 3, 4)]
        lines.append([f"{ns} v {ew}", {None: "", Side.NS: say("NS", "南北")}[winner], *columns])
    names = [say.criterion(code) for code in KINDS["pairs"].measures]
    return table([say("levels", "终级"), say("stated winner", "指定胜方"), *names], lines)


HAPPENINGS = {
    Happening.BYE: ("bye", "轮空"),
    Happening.WALKOVER: ("walkover", "不战而胜"),
    Happening.FORFEIT: ("forfeit", "弃权"),
    Happening.ABSENT: ("absent", "缺席"),
}


@TABLES
def not_played(say: Words) -> list[str]:
    of = document(
        entries=5,
        rounds=[{"tables": [unplayed(1, 1, 2, "ns_forfeit"), unplayed(2, 3, 4, "unplayed")], "byes": [5]}],
        criteria=["match_points", "rounds_won", "level_points", "upgrades", "opponents_match_points", "high_rounds"],
    )
    of["entries"].append({"no": 6})
    found = rows(of)
    lines = []
    for entry, name in (
        (5, say(*HAPPENINGS[Happening.BYE])),
        (2, say(*HAPPENINGS[Happening.WALKOVER])),
        (1, say(*HAPPENINGS[Happening.FORFEIT])),
        (6, say(*HAPPENINGS[Happening.ABSENT])),
        (3, say("unplayed table", "未打")),
    ):
        values = [value if isinstance(value, str) else ", ".join(value or ()) for value in found[entry].values.values()]
        lines.append([name, *values])
    return table([say("the round was", "该轮"), *(say.criterion(code) for code in found[1].values)], lines)


@TABLES
def adjustments(say: Words) -> list[str]:
    of = document(
        entries=2,
        rounds=[[played(1, 1, 2, "10", "6")]],
        criteria=["match_points", "level_points", "net_levels", "high_rounds"],
    )
    of["adjustments"] = [
        {"entry": 1, "round": 1, "criterion": "level_points", "amount": -2.5, "reason": say("late", "迟到")}
    ]
    row = rows(of)[1]
    lines = [
        [
            say.criterion(code),
            value if isinstance(value, str) else ", ".join(value or ()),
            "; ".join(f"{part.value} ({part.why})" for part in row.addends[code]),
        ]
        for code, value in row.values.items()
    ]
    return table([say("criterion", "排名依据"), say("value", "数值"), say("addends", "分项")], lines)


SCORING = {
    Scoring.LEVELS: ("levels", "终级"),
    Scoring.ROTATION_BOARDS: ("every board alone", "每副积分"),
    Scoring.TEAM_BOARDS: ("boards in two rooms", "开闭室各副"),
    Scoring.PAIR_BOARDS: ("boards against the field", "与同场各桌比较"),
}
MEETING = {
    Meeting.SWISS: ("Swiss", "积分编排"),
    Meeting.ROUND_ROBIN: ("round robin", "循环"),
    Meeting.ROTATION: ("rotation", "轮转"),
    Meeting.MITCHELL: ("Mitchell movement", "米切尔移位"),
}


@TABLES
def kinds(say: Words) -> list[str]:
    lines = [
        [
            f"{say(kind.english, kind.chinese)} `{kind.code}`",
            say(*MEETING[kind.meeting]),
            say(*SCORING[kind.scoring]),
            say(", ", "、").join(map(say.criterion, kind.default_criteria)),
            say(", ", "、").join(say.criterion(code) for code in kind.criteria if code not in kind.default_criteria),
        ]
        for kind in KINDS.values()
    ]
    heading = say("kind|meets by|scored by|default criteria|also offered", "类型|对阵|计分|默认排名依据|另可选")
    return table(heading.split("|"), lines)


@TABLES
def kind_settings(say: Words) -> list[str]:
    lines = []
    for code, setting in SETTINGS.items():
        having = [say(kind.english, kind.chinese) for kind in KINDS.values() if code in kind.settings]
        where = say("all", "全部") if len(having) == len(KINDS) else say(", ", "、").join(having)
        lines.append([say(setting.english, setting.chinese), f"`{code}`", where])
    return table(say("setting|code|kinds", "设置|代码|适用类型").split("|"), lines)


@TABLES
def board_scales(say: Words) -> list[str]:
    results = (3, 2, 1, -1, -2, -3)
    lines = [
        [say(f"scale of {scale}", f"{scale}分制"), *(points[result] for result in results)]
        for scale, points in DUPLICATE_POINTS.items()
    ]
    return table([say("a side's result", "本方结果"), *(f"{result:+d}" for result in results)], lines)


@TABLES
def team_match(say: Words) -> list[str]:
    lines = []
    rooms = {"open": (3, -1, 2), "closed": (1, -1, -3)}
    for scale in (6, 5):
        tables = [boards(1, 1, 2, *results, room=room) for room, results in rooms.items()]
        found = rows(document("team_of_four", 2, [tables], duplicate_scale=scale))
        columns = [
            ":".join(str(found[entry].values[code]) for entry in (1, 2))
            for code in ("duplicate_points", "match_points")
        ]
        lines.append([scale, *(signed(results) for results in rooms.values()), *columns])
    heading = [say("scale", "分制"), say("open room", "开室"), say("closed room", "闭室")]
    return table([*heading, say.criterion("duplicate_points"), say.criterion("match_points")], lines)


@TABLES
def rotation(say: Words) -> list[str]:
    tables = [boards(1, 1, 2, 3, 2, -1), boards(2, 3, 4, -3, 1)]
    found = rows(document("rotation", 5, [{"tables": tables, "byes": [5]}]))
    names = {1: "+3 +2 -1", 2: "-3 -2 +1", 3: "-3 +1", 4: "+3 -1", 5: say("bye: par", "轮空：平均分")}
    lines = [[names[entry], found[entry].values["rotation_points"]] for entry in names]
    return table([say("boards", "各副"), say.criterion("rotation_points")], lines)


@TABLES
def deviations(say: Words) -> list[str]:
    lines = []
    for results in (
        [7],
        [3, 9],
        [2, 5, 9],
        [1, 4, 6, 9],
        [1, 4, 6, 9, 12],
        [3, 3, 3, 6],
        [10, 14, 14, 18, 20, 22],
    ):
        field = Field(results)
        lines.append(
            [
                ", ".join(map(str, results)),
                text(field.sum, field.size),
                ", ".join(decimal(field.quartile(quarters), 4) for quarters in (1, 2, 3)),
                ", ".join(shown(text(field.deviation(x), field.size)) for x in results),
                ", ".join(str(points_by_sign(field.deviation(x))) for x in results),
                ", ".join(str(points_by_sign(field.median_deviation(x))) for x in results),
                ", ".join(halves(field.band_points(x)) for x in results),
            ]
        )
    heading = [say("field", "同场得分"), say("mean", "平均"), "Q1, Q2, Q3"]
    names = ["datum_deviation", "datum_match_points", "median_match_points", "median_band_points"]
    return table([*heading, *(say.criterion(code) for code in names)], lines)


@TABLES
def document_faults(say: Words) -> list[str]:
    of = document(entries=2, rounds=[[played(1, 1, 7, "10", "1")]], criteria=["lot"], points={"win": 2.25})
    return ["```", *(f"{pointer} {code}" for pointer, code in sorted(faults(of))), "```"]


@TABLES
def outcomes(say: Words) -> list[str]:
    words = {
        Outcome.PLAYED: ("played", "已打"),
        Outcome.NS_FORFEIT: ("NS forfeits", "南北弃权"),
        Outcome.EW_FORFEIT: ("EW forfeits", "东西弃权"),
        Outcome.DOUBLE_FORFEIT: ("both forfeit", "双方弃权"),
        Outcome.UNPLAYED: ("not played (yet)", "未打"),
    }
    lines = []
    for outcome in Outcome:
        record = unplayed(1, 1, 2, outcome.value)
        if outcome is Outcome.PLAYED:
            record = played(1, 1, 2, "10", "6")
        found = rows(document(entries=2, rounds=[[record]]))
        met = [part for row in found.values() for part in row.addends["opponents_match_points"]]
        points = ":".join(str(Fraction(str(found[entry].values["match_points"]))) for entry in (1, 2))
        lines.append([f"`{outcome}`", say(*words[outcome]), points, say("yes", "是") if met else say("no", "否")])
    heading = say("outcome|meaning|match points|a meeting for the opponents' sums", "结果|含义|场分|计入对手分")
    return table(heading.split("|"), lines)
