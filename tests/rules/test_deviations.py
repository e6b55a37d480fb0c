"""Section 5: the table of known answers, and which results make a field."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.deviations import Field, points_by_sign
from chalicelib.rules.exact import shown
from tests.rules.building import boards, document, rows, unplayed, values

KNOWN = [
    ([7], "7", [7, 7, 7], [1], [1], [1]),
    ([3, 9], "6", [4.5, 6, 7.5], [0, 2], [0, 2], [0, 2]),
    ([2, 5, 9], "16/3", [3.5, 5, 7], [0, 1, 2], [0, 1, 2], [0, 0, 2]),
    ([1, 4, 6, 9], "5", [3.25, 5, 6.75], [0, 0.5, 1.5, 2], [0, 0, 2, 2], [0, 0, 2, 2]),
    ([1, 4, 6, 9, 12], "32/5", [4, 6, 9], [0, 0.5, 1, 1.5, 2], [0, 0, 1, 2, 2], [0, 0, 0, 2, 2]),
    ([3, 3, 3, 6], "3.75", [3, 3, 3.75], [1, 1, 1, 2], [1, 1, 1, 2], [0, 0, 0, 2]),
    (
        [10, 14, 14, 18, 20, 22],
        "49/3",
        [14, 16, 19.5],
        [0, 0.5, 0.5, 1.5, 2, 2],
        [0, 0, 0, 2, 2, 2],
        [0, 0, 0, 2, 2, 2],
    ),
]


@pytest.mark.parametrize(("results", "mean", "quartiles", "bands", "by_median", "by_mean"), KNOWN)
def test_known_answers(results, mean, quartiles, bands, by_median, by_mean):
    field = Field(results)
    assert Fraction(field.sum, field.size) == Fraction(mean)
    assert [field.quartile(quarters) / 4 for quarters in (1, 2, 3)] == quartiles
    assert [field.band_points(x) / 2 for x in results] == bands
    assert [points_by_sign(field.median_deviation(x)) for x in results] == by_median
    assert [points_by_sign(field.deviation(x)) for x in results] == by_mean


@given(st.lists(st.integers(0, 24), min_size=1, max_size=15), st.integers(1, 24))
def test_the_two_sides_of_a_table_share_two_points(ns, most):
    ns = [min(x, most) for x in ns]
    ew = [most - x for x in ns]
    own, other = Field(ns), Field(ew)
    assert sum(own.deviation(x) for x in ns) == 0
    for x, y in zip(ns, ew, strict=True):
        assert own.band_points(x) + other.band_points(y) == 4
        assert points_by_sign(own.deviation(x)) + points_by_sign(other.deviation(y)) == 2
        assert points_by_sign(own.median_deviation(x)) + points_by_sign(other.median_deviation(y)) == 2
        assert own.median_deviation(x) == -other.median_deviation(y)


DEVIATIONS = ["datum_deviation", "datum_match_points", "median_deviation", "median_match_points"]
DEVIATIONS += ["median_band_points", "duplicate_points"]


def test_a_field_is_one_direction_of_one_set():
    """NS 6, 4, 2 on three boards of 6分制: mean 4; EW the rest of 6."""
    tables = [boards(1, 1, 2, 3), boards(2, 3, 4, 1), boards(3, 5, 6, -1)]
    of = document("swiss_deviation", 6, [tables], criteria=DEVIATIONS)
    assert values(of, "datum_deviation") == {1: "2", 2: "-2", 3: "0", 4: "0", 5: "-2", 6: "2"}
    assert values(of, "median_band_points") == {1: "2", 2: "0", 3: "1", 4: "1", 5: "0", 6: "2"}


def test_thirds_are_exact_and_rounded_only_to_be_shown():
    tables = [boards(1, 1, 2, -1), boards(2, 3, 4, -2), boards(3, 5, 6, 2)]
    found = values(document("swiss_deviation", 6, [tables], criteria=DEVIATIONS), "datum_deviation")
    assert found == {1: "-2/3", 2: "2/3", 3: "-5/3", 4: "5/3", 5: "7/3", 6: "-7/3"}
    assert [shown(found[entry]) for entry in (1, 3, 5)] == ["-0.67", "-1.67", "2.33"]


def test_sets_by_name_are_fields_of_their_own_over_all_rounds():
    rounds = [
        [boards(1, 1, 2, 3, set=1), boards(2, 3, 4, -3, set="1")],
        [boards(1, 3, 4, -3, set=1), boards(2, 1, 2, 3, set="1")],
    ]
    of = document("mitchell", 4, rounds, criteria=DEVIATIONS)
    # Set 1 has NS results 6 and 0 in two rounds, and so has set "1", which is another set.
    assert values(of, "datum_deviation") == {1: "6", 2: "-6", 3: "-6", 4: "6"}


def test_without_names_the_tables_of_a_round_share_a_set():
    rounds = [[boards(1, 1, 2, 3), boards(2, 3, 4, -3)], [boards(1, 1, 2, 3), boards(2, 3, 4, 3)]]
    of = document("mitchell", 4, rounds, criteria=DEVIATIONS)
    assert values(of, "datum_deviation") == {1: "3", 2: "-3", 3: "-3", 4: "3"}


@pytest.mark.parametrize(
    ("median_field", "expected"),
    [
        ("direction", {1: "0", 2: "0", 3: "0", 4: "0", 5: "-4", 6: "4"}),
        ("all", {1: "3", 2: "-3", 3: "3", 4: "-3", 5: "-1", 6: "1"}),
    ],
)
def test_the_median_may_be_taken_of_the_direction_or_of_all(median_field, expected):
    """NS 6, 6, 2 and EW 0, 0, 4: median 6 in NS, 0 in EW, and 3 of all six."""
    tables = [boards(1, 1, 2, 3), boards(2, 3, 4, 3), boards(3, 5, 6, -1)]
    of = document("swiss_deviation", 6, [tables], criteria=DEVIATIONS, median_field=median_field)
    assert values(of, "median_deviation") == expected
    assert values(of, "datum_deviation")[1] == "4/3"


def test_who_did_not_play_has_no_deviation_and_is_no_part_of_a_field():
    tables = [boards(1, 1, 2, 3), unplayed(2, 3, 4, "ns_forfeit"), unplayed(3, 5, 6, "double_forfeit")]
    of = document(
        "swiss_deviation",
        8,
        [{"tables": tables, "byes": [7]}],
        criteria=DEVIATIONS,
        points={"win": 3, "no_show": 0.5},
        absent={"match_points": 1},
    )
    found = {entry: [row.values[name] for name in DEVIATIONS] for entry, row in rows(of).items()}
    assert found[1] == ["0", "1", "0", "1", "1", "6"]
    assert found[4] == found[7] == ["0", "3", "0", "3", "3", "3"]
    assert found[3] == found[5] == found[6] == ["0", "0.5", "0", "0.5", "0.5", "0"]
    assert found[8] == ["0", "0", "0", "0", "0", "0"]


def test_a_sit_out_has_a_draws_points_and_par():
    of = document("mitchell", 3, [{"tables": [boards(1, 1, 2, 3)], "sit_outs": [3]}], criteria=DEVIATIONS)
    assert [rows(of)[3].values[name] for name in DEVIATIONS] == ["0", "1", "0", "1", "1", "3"]


def test_the_result_of_a_table_by_board_points():
    tables = [boards(1, 1, 2, 3, -1), boards(2, 3, 4, 1, -1)]
    criteria = ["match_points", "rounds_won", "opponents_match_points"]
    found = rows(document("swiss_deviation", 4, [tables], criteria=criteria))
    assert [found[entry].values["match_points"] for entry in (1, 2, 3, 4)] == ["2", "0", "1", "1"]
    assert [found[entry].values["rounds_won"] for entry in (1, 2, 3, 4)] == ["1", "0", "0", "0"]
    assert [found[entry].values["opponents_match_points"] for entry in (1, 2, 3, 4)] == ["0", "2", "1", "1"]
