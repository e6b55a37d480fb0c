"""The ranking of the second implementation (``oracle_scores.py``): criteria, order, groups, clubs."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import combinations

from tests.rules.oracle_scores import LEVEL_KINDS, ScoreOracle

HEAD = {"head_to_head", "head_to_head_two"}


def show(value):
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator == 2:
        return ("-" if value < 0 else "") + str(abs(value.numerator) // 2) + ".5"
    return f"{value.numerator}/{value.denominator}"


def sha(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Oracle(ScoreOracle):
    """All numbers of one document; ``standings()`` gives what the command prints, without the reasons of addends."""

    def adjustments(self, no, criterion):
        counted = {drawn["no"] for drawn in self.rounds}
        return [
            (adjustment["round"], Fraction(str(adjustment["amount"])))
            for adjustment in self.document.get("adjustments", [])
            if adjustment["entry"] == no and adjustment["criterion"] == criterion and adjustment["round"] in counted
        ]

    def measure(self, criterion):
        return "board_points" if criterion in ("rotation_points", "duplicate_points") else criterion

    def addends(self, no, criterion):
        """(round, value) of everything a criterion is summed from."""
        if criterion == "rounds_survived":
            return [(number, Fraction(1)) for number in self.survived(no)]
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
        return sum((value for _, value in self.addends(no, criterion)), Fraction(0))

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
        met = dict.fromkeys(combinations(sorted(tied), 2), 0)
        points = dict.fromkeys(tied, Fraction(0))
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
                blocks = split(lambda no, values=values: Fraction(0) if values[no] is None else values[no])
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
                    rows.append({"rank": rank, "tied": len(block) > 1, "entry": no, "group": name, "values": values})
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
                    total = sum((self.total(no, code) for no in chosen), Fraction(0))
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
