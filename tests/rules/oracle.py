"""A second, slow implementation of the ranking, written from the rules and reading raw documents.

It shares no code with ``chalicelib.rules``: plain dictionaries, Fractions, and one loop for each sentence of the rules.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction as F
from itertools import combinations
from statistics import median

LEVELS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "A+"]
LEVEL_KINDS = {"pairs", "individual", "round_robin", "open_ended", "league", "clubs"}
DEFAULTS = {
    "pairs": ["match_points", "level_points", "opponents_match_points", "upgrades"],
    "individual": ["match_points", "level_points", "opponents_match_points", "upgrades"],
    "clubs": ["match_points", "level_points", "opponents_match_points", "upgrades"],
    "round_robin": ["match_points", "level_points", "upgrades"],
    "league": ["match_points", "level_points", "upgrades"],
    "open_ended": ["upgrades", "match_points", "level_points"],
    "rotation": ["rotation_points", "high_rounds"],
    "team_of_four": ["match_points", "duplicate_points", "opponents_match_points"],
    "mitchell": ["datum_deviation", "duplicate_points"],
    "swiss_deviation": ["datum_match_points", "datum_deviation", "duplicate_points"],
}
HEAD = {"head_to_head", "head_to_head_two"}


def show(value):
    value = F(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator == 2:
        return ("-" if value < 0 else "") + str(abs(value.numerator) // 2) + ".5"
    return f"{value.numerator}/{value.denominator}"


def sha(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def people(side):
    return list(side) if isinstance(side, list) else [side]


class Oracle:
    """All numbers of one document; ``standings()`` gives what the command prints, without the reasons of addends."""

    def __init__(self, document):
        self.document = document
        self.settings = document["event"]
        self.kind = self.settings["kind"]
        self.criteria = self.settings.get("criteria", DEFAULTS[self.kind])
        self.entries = {entry["no"]: entry for entry in document["entries"]}
        self.points = {"win": 2, "draw": 1, "loss": 0, "no_show": 0} | self.settings.get("points", {})
        self.points = {name: F(str(value)) for name, value in self.points.items()}
        self.rounds = sorted(
            (drawn for drawn in document.get("rounds", []) if drawn["no"] <= self.settings["rounds"]),
            key=lambda drawn: drawn["no"],
        )
        self.knockout = self.settings.get("knockout", False)
        self.scale = self.settings.get("duplicate_scale", 6)
        self.log = {no: {} for no in self.entries}  # entry -> round -> dict of numbers
        self.fill()

    # what a round that was not played gives

    def setting(self, name, field):
        defaults = {
            "bye": {"match_points": self.points["win"], "level_points": 13, "upgrades": 0, "board_points": "par"},
            "walkover": {"match_points": self.points["win"], "level_points": 20, "upgrades": 0, "board_points": "par"},
            "absent": {"match_points": 0, "level_points": 0, "upgrades": 0, "board_points": 0},
        }
        value = self.settings.get(name, {}).get(field, defaults[name][field])
        return value if value == "par" else F(str(value))

    def without_play(self, what, par):
        line = {"what": what, "met": [], "net_levels": F(0), "datum_deviation": F(0), "median_deviation": F(0)}
        if what in ("bye", "walkover", "absent"):
            line["match_points"] = self.setting(what, "match_points")
            line["level_points"] = self.setting(what, "level_points")
            line["upgrades"] = self.setting(what, "upgrades")
            board = self.setting(what, "board_points")
            line["board_points"] = par if board == "par" else board
        elif what == "forfeit":
            line["match_points"] = self.points["no_show"]
            line["level_points"] = line["upgrades"] = line["board_points"] = F(0)
        else:
            line["match_points"] = self.points["draw"]
            line["level_points"] = line["upgrades"] = F(0)
            line["board_points"] = par
        line["rounds_won"] = F(0)
        if what == "walkover" or (what == "bye" and line["match_points"] == self.points["win"]):
            line["rounds_won"] = F(1)
        decided = F(0) if what == "absent" else line["match_points"]
        for name in ("datum_match_points", "median_match_points", "median_band_points"):
            line[name] = decided
        return line

    # tables

    def board_sums(self, table):
        ns = ew = F(0)
        for board in table["boards"]:
            result = board["result"]
            if self.kind == "rotation":
                rises = dict(zip((3, 2, 1), self.settings.get("rotation_points", [3, 2, 1]), strict=True))
                if result > 0:
                    ns += F(str(rises[result]))
                else:
                    ew += F(str(rises[-result]))
            else:
                points = {6: [6, 5, 4, 2, 1, 0], 5: [5, 4, 3, 2, 1, 0]}[self.scale]
                ns += points[[3, 2, 1, -1, -2, -3].index(result)]
                ew += points[[3, 2, 1, -1, -2, -3].index(-result)]
        return ns, ew

    def par(self, drawn):
        played = [table for table in drawn["tables"] if table.get("outcome", "played") == "played"]
        if not played or self.kind in LEVEL_KINDS:
            return F(0)
        if self.kind == "rotation":
            sides = [points for table in played for points in self.board_sums(table)]
            return sum(sides) / len(sides)
        longest = max(len(table["boards"]) for table in played)
        held = 2 * self.scale if self.kind == "team_of_four" else self.scale
        return F(held * longest, 2)

    def index(self, level):
        if isinstance(level, dict):
            return (level["lap"] - 1) * 14 + LEVELS.index(level["level"])
        return LEVELS.index(level)

    def decided(self, difference):
        if difference > 0:
            return "win", self.points["win"], F(1)
        if difference < 0:
            return "loss", self.points["loss"], F(0)
        return "draw", self.points["draw"], F(0)

    def by_levels(self, table, own, other):
        mine, theirs = self.index(table[own + "_level"]), self.index(table[other + "_level"])
        d = mine - theirs
        what, match_points, won = self.decided(d)
        level_points = min(26, max(0, 13 + d))
        winner = table.get("winner")
        if winner:
            what, match_points, won = self.decided(1 if winner == own else -1)
            if winner == own and d < 0:
                level_points = 14
            if winner == other and d > 0:
                level_points = 12
        return {
            "what": what,
            "match_points": match_points,
            "rounds_won": won,
            "level_points": F(level_points),
            "upgrades": F(mine),
            "net_levels": F(d),
        }

    def set_name(self, drawn, table):
        return repr(table["set"]) if "set" in table else f"round {drawn['no']}"

    def field(self, name):
        """NS results and EW results of one board set."""
        ns, ew = [], []
        for drawn in self.rounds:
            for table in drawn["tables"]:
                if table.get("outcome", "played") == "played" and self.set_name(drawn, table) == name:
                    sums = self.board_sums(table)
                    ns.append(sums[0])
                    ew.append(sums[1])
        return ns, ew

    def against_field(self, x, field, median_field):
        deviation = x - sum(field) / len(field)
        ordered = sorted(median_field)
        from_median = x - F(median(ordered))

        def at(place):
            low = int(place)
            high = min(low + 1, len(ordered) - 1)
            return ordered[low] + (place - low) * (ordered[high] - ordered[low])

        n = len(ordered)
        q1, q2, q3 = at(F(n - 1, 4)), at(F(n - 1, 2)), at(F(3 * (n - 1), 4))
        assert q2 == F(median(ordered))
        if x == q2:
            band = F(1)
        elif x < q1:
            band = F(0)
        elif x < q2:
            band = F(1, 2)
        elif x <= q3:
            band = F(3, 2)
        else:
            band = F(2)
        return {
            "datum_deviation": deviation,
            "datum_match_points": F(2 if deviation > 0 else 1 if deviation == 0 else 0),
            "median_deviation": from_median,
            "median_match_points": F(2 if from_median > 0 else 1 if from_median == 0 else 0),
            "median_band_points": band,
        }

    def by_boards(self, drawn, table):
        if self.kind == "team_of_four":
            home = away = F(0)
            for record in drawn["tables"]:
                if record["table"] == table["table"]:
                    ns, ew = self.board_sums(record)
                    if record["room"] == "closed":
                        ns, ew = ew, ns
                    home, away = home + ns, away + ew
            sums = [home, away]
        else:
            sums = list(self.board_sums(table))
        lines = []
        for own, other in ((0, 1), (1, 0)):
            what, match_points, won = self.decided(sums[own] - sums[other])
            line = {"what": what, "match_points": match_points, "rounds_won": won, "board_points": sums[own]}
            if self.kind in ("mitchell", "swiss_deviation"):
                fields = self.field(self.set_name(drawn, table))
                both = fields[0] + fields[1]
                median_field = both if self.settings.get("median_field") == "all" else fields[own]
                line |= self.against_field(sums[own], fields[own], median_field)
            lines.append(line)
        return lines

    def fill(self):
        lost = set()
        for drawn in self.rounds:
            number, par = drawn["no"], self.par(drawn)
            seated, out = set(), set()
            for table in drawn["tables"]:
                ns, ew = people(table["ns"]), people(table["ew"])
                seated |= set(ns) | set(ew)
                outcome = table.get("outcome", "played")
                if outcome == "unplayed" or table.get("room") == "closed":
                    continue
                if outcome == "played":
                    if self.kind in LEVEL_KINDS:
                        lines = [self.by_levels(table, "ns", "ew"), self.by_levels(table, "ew", "ns")]
                    else:
                        lines = self.by_boards(drawn, table)
                else:
                    whats = {
                        "ns_forfeit": ("forfeit", "walkover"),
                        "ew_forfeit": ("walkover", "forfeit"),
                        "double_forfeit": ("forfeit", "forfeit"),
                    }[outcome]
                    lines = [self.without_play(what, par) for what in whats]
                for line, own, other in ((lines[0], ns, ew), (lines[1], ew, ns)):
                    for no in own:
                        third = bool(table.get("third_place"))
                        self.log[no][number] = line | {"met": other, "third": third}
                        if line["what"] in ("loss", "forfeit") and not third:
                            out.add(no)
            for name, what in (("byes", "bye"), ("sit_outs", "sit_out")):
                for no in drawn.get(name, []):
                    seated.add(no)
                    self.log[no][number] = self.without_play(what, par)
            for no, entry in self.entries.items():
                left = entry.get("left_after_round")
                gone = left is not None and number > left
                if no not in seated and not gone and not (self.knockout and no in lost):
                    self.log[no][number] = self.without_play("absent", par)
            lost |= out

    # criteria

    def adjustments(self, no, criterion):
        counted = {drawn["no"] for drawn in self.rounds}
        return [
            (adjustment["round"], F(str(adjustment["amount"])))
            for adjustment in self.document.get("adjustments", [])
            if adjustment["entry"] == no
            and adjustment["criterion"] == criterion
            and adjustment["round"] in counted
        ]

    def measure(self, criterion):
        return "board_points" if criterion in ("rotation_points", "duplicate_points") else criterion

    def addends(self, no, criterion):
        """(round, value) of everything a criterion is summed from."""
        if criterion == "rounds_survived":
            return [(number, F(1)) for number in self.survived(no)]
        if criterion.startswith("opponents_"):
            total = criterion.removeprefix("opponents_")
            return [
                (number, self.total(opponent, total))
                for number, line in sorted(self.log[no].items())
                for opponent in line["met"]
            ]
        measure = self.measure(criterion)
        played = [(number, line[measure]) for number, line in sorted(self.log[no].items())]
        return played + self.adjustments(no, criterion)

    def total(self, no, criterion):
        return sum((value for _, value in self.addends(no, criterion)), F(0))

    def high_rounds(self, no):
        if self.kind in LEVEL_KINDS:
            criterion = "level_points"
        else:
            criterion = "rotation_points" if self.kind == "rotation" else "duplicate_points"
        scores = {number: line[self.measure(criterion)] for number, line in self.log[no].items()}
        for number, amount in self.adjustments(no, criterion):
            if number in scores:
                scores[number] += amount
        return sorted(scores.values(), reverse=True)

    def survived(self, no):
        rounds = []
        for number, line in sorted(self.log[no].items()):
            if line.get("third"):
                continue
            if line["what"] in ("loss", "forfeit"):
                return rounds
            if line["what"] in ("win", "bye", "walkover"):
                rounds.append(number)
        return rounds

    def third(self, no):
        return int(any(line.get("third") and line["what"] in ("win", "walkover") for line in self.log[no].values()))

    def seed(self):
        return self.settings.get("pairing", {}).get("seed", "0")

    def key(self, no, criterion):
        """A tuple that compares larger for the better."""
        if criterion == "high_rounds":
            return tuple(self.high_rounds(no))
        if criterion == "lot":
            return (-int(sha(f"{self.seed()}:lot:{no}"), 16),)
        return (self.total(no, criterion),)

    def meeting_points(self, tied):
        met = {pair: 0 for pair in combinations(sorted(tied), 2)}
        points = dict.fromkeys(tied, F(0))
        for no in tied:
            for line in self.log[no].values():
                for opponent in line["met"]:
                    if opponent in points:
                        points[no] += line["match_points"]
                        if no < opponent:
                            met[no, opponent] += 1
        counts = set(met.values())
        return points if len(counts) == 1 and 0 not in counts else None

    def rank_group(self, members):
        """Blocks of tied entries, best first; and the head-to-head values found on the way."""
        blocks, found = [sorted(members)], {}

        def split(key):
            after = []
            for block in blocks:
                for value in sorted({key(no) for no in block}, reverse=True):
                    after.append([no for no in block if key(no) == value])
            return after

        if self.knockout:
            blocks = split(lambda no: len(self.survived(no)))
            blocks = split(self.third)
        for criterion in self.criteria:
            if criterion in HEAD:
                values = {}
                for block in blocks:
                    fits = len(block) == 2 if criterion == "head_to_head_two" else len(block) > 1
                    points = self.meeting_points(block) if fits else None
                    for no in block:
                        found[no, criterion] = values[no] = None if points is None else points[no]
                blocks = split(lambda no, values=values: F(0) if values[no] is None else values[no])
            else:
                keys = {no: self.key(no, criterion) for no in members}
                blocks = split(keys.__getitem__)
        return blocks, found

    def groups(self):
        if self.kind == "mitchell" and self.settings.get("mitchell_ranking") == "apart":
            first = {}
            for drawn in self.rounds:
                for table in drawn["tables"]:
                    first.setdefault(table["ns"], "NS")
                    first.setdefault(table["ew"], "EW")
            if first:
                named = [(name, [no for no in self.entries if first.get(no) == name]) for name in ("NS", "EW", None)]
                return [(name, members) for name, members in named if members]
            return [(None, list(self.entries))] if self.entries else []
        names = {entry.get("group") for entry in self.entries.values()}
        ordered = ([None] if None in names else []) + sorted(name for name in names if name is not None)
        return [(name, [no for no, e in self.entries.items() if e.get("group") == name]) for name in ordered]

    def text(self, no, criterion, found):
        if criterion in HEAD:
            value = found[no, criterion]
            return None if value is None else show(value)
        if criterion == "high_rounds":
            return [show(score) for score in self.high_rounds(no)]
        if criterion == "lot":
            return sha(f"{self.seed()}:lot:{no}")
        return show(self.total(no, criterion))

    def standings(self):
        rows, codes = [], (["rounds_survived"] if self.knockout else []) + list(self.criteria)
        for name, members in self.groups():
            blocks, found = self.rank_group(members)
            rank = 1
            for block in blocks:
                for no in block:
                    values = {code: self.text(no, code, found) for code in codes}
                    rows.append(
                        {"rank": rank, "tied": len(block) > 1, "entry": no, "group": name, "values": values}
                    )
                rank += len(block)
        on = self.settings.get("club_ranking", {}).get("on", self.kind == "clubs")
        return {"rows": rows, "clubs": self.clubs(rows) if on else []}

    def clubs(self, rows):
        best = self.settings.get("club_ranking", {}).get("best", 4)
        codes = [code for code in self.criteria if code not in HEAD]
        ranked = []
        for club in sorted(self.document.get("clubs", [])):
            members = [row for row in rows if self.entries[row["entry"]].get("club") == club]
            if not members:
                continue

            def better(row):
                survived = [-len(self.survived(row["entry"]))] if self.knockout else []
                return row["rank"], survived, [Reversed(self.key(row["entry"], code)) for code in codes], row["entry"]

            chosen = [row["entry"] for row in sorted(members, key=better)[:best]]
            key, values = [], {}
            if self.knockout:
                survived = sum(len(self.survived(no)) for no in chosen)
                key.append(survived)
                values["rounds_survived"] = show(survived)
            for code in codes:
                if code == "high_rounds":
                    merged = sorted((score for no in chosen for score in self.high_rounds(no)), reverse=True)
                    key.append(merged)
                    values[code] = [show(score) for score in merged]
                elif code == "lot":
                    drawn = sha(f"{self.seed()}:lot:{club}")
                    key.append(-int(drawn, 16))
                    values[code] = drawn
                else:
                    total = sum((self.total(no, code) for no in chosen), F(0))
                    key.append(total)
                    values[code] = show(total)
            ranked.append((key, club, len(chosen) == best, chosen, values))
        result = []
        for key, club, complete, chosen, values in sorted(ranked, key=lambda item: item[0], reverse=True):
            equal = sum(1 for other in ranked if other[0] == key)
            rank = 1 + sum(1 for other in ranked if other[0] > key)
            result.append(
                {
                    "rank": rank,
                    "tied": equal > 1,
                    "club": club,
                    "complete": complete,
                    "entries": chosen,
                    "values": values,
                }
            )
        return result


class Reversed(tuple):
    """A tuple that sorts the larger first."""

    def __lt__(self, other):
        return tuple(self) > tuple(other)
