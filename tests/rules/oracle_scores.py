"""The scores of a second, slow implementation of the ranking, written from the rules and reading raw documents.

It shares no code with ``chalicelib.rules``: plain dictionaries, Fractions, and one loop for each sentence of the rules.
"""

from __future__ import annotations

from fractions import Fraction
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


def people(side):
    return list(side) if isinstance(side, list) else [side]


class ScoreOracle:
    """What every entry of one document got in every round: ``log[entry][round]`` is a dictionary of numbers."""

    def __init__(self, document):
        self.document = document
        self.settings = document["event"]
        self.kind = self.settings["kind"]
        self.criteria = self.settings.get("criteria", DEFAULTS[self.kind])
        self.entries = {entry["no"]: entry for entry in document["entries"]}
        self.points = {"win": 2, "draw": 1, "loss": 0, "no_show": 0} | self.settings.get("points", {})
        self.points = {name: Fraction(str(value)) for name, value in self.points.items()}
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
        return value if value == "par" else Fraction(str(value))

    def without_play(self, what, par):
        line = {
            "what": what,
            "met": [],
            "net_levels": Fraction(0),
            "datum_deviation": Fraction(0),
            "median_deviation": Fraction(0),
        }
        if what in ("bye", "walkover", "absent"):
            line["match_points"] = self.setting(what, "match_points")
            line["level_points"] = self.setting(what, "level_points")
            line["upgrades"] = self.setting(what, "upgrades")
            board = self.setting(what, "board_points")
            line["board_points"] = par if board == "par" else board
        elif what == "forfeit":
            line["match_points"] = self.points["no_show"]
            line["level_points"] = line["upgrades"] = line["board_points"] = Fraction(0)
        else:
            line["match_points"] = self.points["draw"]
            line["level_points"] = line["upgrades"] = Fraction(0)
            line["board_points"] = par
        line["rounds_won"] = Fraction(0)
        if what == "walkover" or (what == "bye" and line["match_points"] == self.points["win"]):
            line["rounds_won"] = Fraction(1)
        decided = Fraction(0) if what == "absent" else line["match_points"]
        for name in ("datum_match_points", "median_match_points", "median_band_points"):
            line[name] = decided
        return line

    # tables

    def board_sums(self, table):
        ns = ew = Fraction(0)
        for board in table["boards"]:
            result = board["result"]
            if self.kind == "rotation":
                rises = dict(zip((3, 2, 1), self.settings.get("rotation_points", [3, 2, 1]), strict=True))
                if result > 0:
                    ns += Fraction(str(rises[result]))
                else:
                    ew += Fraction(str(rises[-result]))
            else:
                points = {6: [6, 5, 4, 2, 1, 0], 5: [5, 4, 3, 2, 1, 0]}[self.scale]
                ns += points[[3, 2, 1, -1, -2, -3].index(result)]
                ew += points[[3, 2, 1, -1, -2, -3].index(-result)]
        return ns, ew

    def par(self, drawn):
        played = [table for table in drawn["tables"] if table.get("outcome", "played") == "played"]
        if not played or self.kind in LEVEL_KINDS:
            return Fraction(0)
        if self.kind == "rotation":
            sides = [points for table in played for points in self.board_sums(table)]
            return sum(sides) / len(sides)
        longest = max(len(table["boards"]) for table in played)
        held = 2 * self.scale if self.kind == "team_of_four" else self.scale
        return Fraction(held * longest, 2)

    def index(self, level):
        if isinstance(level, dict):
            return (level["lap"] - 1) * 14 + LEVELS.index(level["level"])
        return LEVELS.index(level)

    def decided(self, difference):
        if difference > 0:
            return "win", self.points["win"], Fraction(1)
        if difference < 0:
            return "loss", self.points["loss"], Fraction(0)
        return "draw", self.points["draw"], Fraction(0)

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
            "level_points": Fraction(level_points),
            "upgrades": Fraction(mine),
            "net_levels": Fraction(d),
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
        from_median = x - Fraction(median(ordered))

        def at(place):
            low = int(place)
            high = min(low + 1, len(ordered) - 1)
            return ordered[low] + (place - low) * (ordered[high] - ordered[low])

        n = len(ordered)
        q1, q2, q3 = at(Fraction(n - 1, 4)), at(Fraction(n - 1, 2)), at(Fraction(3 * (n - 1), 4))
        assert q2 == Fraction(median(ordered))
        if x == q2:
            band = Fraction(1)
        elif x < q1:
            band = Fraction(0)
        elif x < q2:
            band = Fraction(1, 2)
        elif x <= q3:
            band = Fraction(3, 2)
        else:
            band = Fraction(2)
        return {
            "datum_deviation": deviation,
            "datum_match_points": Fraction(2 if deviation > 0 else 1 if deviation == 0 else 0),
            "median_deviation": from_median,
            "median_match_points": Fraction(2 if from_median > 0 else 1 if from_median == 0 else 0),
            "median_band_points": band,
        }

    def by_boards(self, drawn, table):
        if self.kind == "team_of_four":
            home = away = Fraction(0)
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
