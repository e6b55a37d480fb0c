"""Random documents of every kind: odd fields, late and early leavers, forfeits, byes, adjustments, odd settings.

They are sound documents, not plausible tournaments: whoever happens to be free is seated anywhere, so that every rule
meets every other. Numbers are kept small so that ties are common.
"""

from __future__ import annotations

from random import Random
from typing import Any

from chalicelib.rules.kinds import KINDS, Scoring
from chalicelib.rules.levels import LEVELS

OUTCOMES = ["played"] * 9 + ["ns_forfeit", "ew_forfeit", "double_forfeit", "unplayed"]
RESULTS = [3, 2, 1, -1, -2, -3]


def maybe(random: Random, chance: float) -> bool:
    return random.random() < chance


def half(random: Random, low: int, high: int) -> float | int:
    value = random.randint(2 * low, 2 * high) / 2
    return int(value) if value == int(value) else value


def document(random: Random, kind: str | None = None) -> dict[str, Any]:
    """One sound document; the same random state gives the same document."""
    code = kind or random.choice(list(KINDS))
    row = KINDS[code]
    by_persons = code == "individual" or (code == "rotation" and maybe(random, 0.5))
    knockout = row.knockout and maybe(random, 0.2)
    event: dict[str, Any] = {"name": "赛事", "kind": code, "rounds": random.randint(1, 6)}
    if knockout:
        event["knockout"] = True
        if maybe(random, 0.3):
            event["third_place_match"] = True
    if maybe(random, 0.8):
        event["criteria"] = criteria(random, code, knockout)
    settings(random, code, event)
    size = random.randint(0, 13)
    clubs = random.sample(["市南", "崂山", "城阳", "黄岛"], random.randint(0, 4))
    numbers = random.sample(range(1, 40), size)
    entries = [entry(random, code, number, clubs, event["rounds"]) for number in numbers]
    drawn = random.randint(0, event["rounds"] + 1)
    sets: dict[Any, int] = {}
    rounds = [one_round(random, code, number, entries, by_persons, knockout, sets) for number in range(1, drawn + 1)]
    found = {
        "format": "guanjun-event/1",
        "event": event,
        "clubs": clubs,
        "entries": entries,
        "rounds": rounds,
        "adjustments": adjustments(random, code, numbers, drawn),
    }
    for name in ("clubs", "rounds", "adjustments"):
        if not found[name] and maybe(random, 0.5):
            del found[name]
    return found


def criteria(random: Random, code: str, knockout: bool) -> list[str]:
    offered = list(KINDS[code].criteria)
    chosen = random.sample(offered, random.randint(1, len(offered)))
    last = {"high_rounds", "lot", "head_to_head", "head_to_head_two"}
    if chosen[0] in last and not knockout:
        able = [criterion for criterion in offered if criterion not in last]
        first = random.choice(able)
        chosen = [first] + [criterion for criterion in chosen if criterion != first]
    if "lot" in chosen and maybe(random, 0.7):
        chosen.remove("lot")
    return chosen or ["match_points"]


def settings(random: Random, code: str, event: dict[str, Any]) -> None:
    if maybe(random, 0.3):
        points = {"win": 3, "draw": 1.5, "loss": 0.5, "no_show": -1}
        event["points"] = {name: value for name, value in points.items() if maybe(random, 0.7)}
    for name in ("bye", "walkover", "absent"):
        if maybe(random, 0.3):
            numbers = {
                "match_points": half(random, 0, 2),
                "level_points": half(random, 0, 26),
                "upgrades": half(random, 0, 3),
                "board_points": random.choice(["par", half(random, -2, 9)]),
            }
            event[name] = {field: value for field, value in numbers.items() if maybe(random, 0.6)}
    if maybe(random, 0.5):
        event["pairing"] = {"seed": str(random.randint(0, 99))}
    if maybe(random, 0.5):
        event["duplicate_scale"] = random.choice([5, 6])
    if maybe(random, 0.3):
        event["rotation_points"] = [half(random, 2, 4), half(random, 1, 3), half(random, 0, 2)]
    if maybe(random, 0.5):
        event["mitchell_ranking"] = random.choice(["together", "apart"])
    if maybe(random, 0.5):
        event["median_field"] = random.choice(["direction", "all"])
    if maybe(random, 0.5):
        event["club_ranking"] = {"on": maybe(random, 0.8), "best": random.randint(1, 4)}
    if code == "team_of_four" and maybe(random, 0.3):
        event["meets_by"] = "round_robin"


def entry(random: Random, code: str, number: int, clubs: list[str], rounds: int) -> dict[str, Any]:
    found: dict[str, Any] = {"no": number, "name": f"队{number:03d}"}
    if maybe(random, 0.7):
        found["club"] = random.choice([*clubs, "外地", None])
    if KINDS[code].meeting == "round_robin" and maybe(random, 0.7):
        found["group"] = random.choice(["甲", "乙"])
    if maybe(random, 0.2):
        found["joined_round"] = random.randint(1, rounds + 1)
    if maybe(random, 0.15):
        found["left_after_round"] = random.randint(found.get("joined_round", 1) - 1, rounds + 1)
    if maybe(random, 0.3):
        found["players"] = [{"name": "甲", "phone": "13800138000"}, {"name": "乙"}]
    if maybe(random, 0.3):
        found["seed"] = random.randint(1, 9)
    return found


def one_round(
    random: Random,
    code: str,
    number: int,
    entries: list[dict[str, Any]],
    by_persons: bool,
    knockout: bool,
    sets: dict[Any, int],
) -> dict[str, Any]:
    free = [
        entry["no"]
        for entry in entries
        if entry.get("joined_round", 1) <= number
        and (entry.get("left_after_round") is None or number <= entry["left_after_round"])
    ]
    random.shuffle(free)
    seats = 4 if by_persons else 2
    tables: list[dict[str, Any]] = []
    shared = random.randint(1, 4)
    names = random.sample(["红", "蓝", 0, 7], 2) if maybe(random, 0.5) else [None]
    table = 0
    while len(free) >= seats and not maybe(random, 0.1):
        table += 1
        ns: Any = [free.pop(), free.pop()] if by_persons else free.pop()
        ew: Any = [free.pop(), free.pop()] if by_persons else free.pop()
        tables.extend(records(random, code, table, ns, ew, knockout, random.choice(names), shared, sets))
    found: dict[str, Any] = {"no": number, "tables": tables}
    byes = [free.pop() for _ in range(len(free)) if maybe(random, 0.6)]
    if byes or maybe(random, 0.5):
        found["byes"] = byes
    if KINDS[code].sit_outs:
        found["sit_outs"] = [free.pop() for _ in range(len(free)) if maybe(random, 0.6)]
    random.shuffle(tables)
    return found


def records(
    random: Random,
    code: str,
    table: int,
    ns: Any,
    ew: Any,
    knockout: bool,
    name: Any,
    shared: int,
    sets: dict[Any, int],
) -> list[dict[str, Any]]:
    scoring = KINDS[code].scoring
    record: dict[str, Any] = {"table": table, "ns": ns, "ew": ew}
    outcome = random.choice(OUTCOMES)
    if outcome != "played" or maybe(random, 0.5):
        record["outcome"] = outcome
    if outcome == "unplayed" and maybe(random, 0.5):
        record["postponed"] = True
    if knockout and maybe(random, 0.1):
        record["third_place"] = True
    if scoring is Scoring.LEVELS:
        if outcome == "played" or maybe(random, 0.3):
            record["ns_level"], record["ew_level"] = level(random, code), level(random, code)
        if outcome == "played" and (maybe(random, 0.1) or knockout):
            record["winner"] = random.choice(["ns", "ew"])
        return [record]
    if outcome != "played":
        return [record]
    if name is not None:
        record["set"] = name
    key = shared if name is None else sets.setdefault(name, random.randint(1, 4))
    if scoring is not Scoring.TEAM_BOARDS:
        return [record | {"boards": boards(random, key)}]
    rooms = [record | {"room": room, "boards": boards(random, key)} for room in ("open", "closed")]
    random.shuffle(rooms)
    return rooms


def level(random: Random, code: str) -> Any:
    name = random.choice(LEVELS[:4] if maybe(random, 0.5) else LEVELS)
    if code == "open_ended" and maybe(random, 0.3):
        return {"lap": random.randint(1, 3), "level": name}
    return name


def boards(random: Random, count: int) -> list[dict[str, int]]:
    found = [{"board": number, "result": random.choice(RESULTS)} for number in range(1, count + 1)]
    random.shuffle(found)
    return found


def adjustments(random: Random, code: str, numbers: list[int], drawn: int) -> list[dict[str, Any]]:
    if not numbers or not drawn:
        return []
    return [
        {
            "entry": random.choice(numbers),
            "round": random.randint(1, drawn),
            "criterion": random.choice(KINDS[code].adjustable),
            "amount": half(random, -3, 3),
            "reason": "迟到",
        }
        for _ in range(random.choice([0, 0, 1, 2, 3]))
    ]
