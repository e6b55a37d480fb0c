"""Section 6: prizes go down the ranking, and a tie over the end of a prize is the organizer's to decide."""

from chalicelib.rules.prizes import Prize, awards
from chalicelib.rules.standings import Row

GOLD, SILVER, BRONZE = Prize("金奖", 1), Prize("银奖", 2), Prize("铜奖", 3)


def ranking(*blocks):
    rows, rank = [], 1
    for block in blocks:
        rows += [Row(rank, len(block) > 1, entry, None, {}, {}) for entry in block]
        rank += len(block)
    return rows


def test_prizes_down_a_ranking_without_ties():
    given = awards(ranking([4], [9], [2], [7], [1], [3], [8]), [GOLD, SILVER, BRONZE])
    assert [award.winners for award in given] == [(4,), (9, 2), (7, 1, 3)]
    assert not any(award.contested or award.open_places for award in given)


def test_a_tie_inside_a_prize_decides_nothing():
    given = awards(ranking([4], [2, 9], [7]), [GOLD, SILVER])
    assert given[1].winners == (2, 9)


def test_a_tie_over_the_end_of_a_prize_is_contested():
    given = awards(ranking([4], [9], [2, 7, 8], [3], [5]), [GOLD, SILVER, BRONZE])
    assert given[1].winners == (9,)
    assert (given[1].open_places, given[1].contested) == (1, (2, 7, 8))
    assert (given[2].winners, given[2].open_places, given[2].contested) == ((3,), 2, (2, 7, 8))


def test_one_tie_may_reach_over_three_prizes():
    given = awards(ranking([1, 2, 3, 4]), [GOLD, SILVER, BRONZE])
    assert [(award.winners, award.open_places) for award in given] == [((), 1), ((), 2), ((), 1)]


def test_the_organizer_decides_all_or_part_of_a_tie():
    rows = ranking([4], [9], [2, 7, 8], [3])
    given = awards(rows, [GOLD, SILVER, BRONZE], decided=[8, 2, 7])
    assert [award.winners for award in given] == [(4,), (9, 8), (2, 7, 3)]
    assert awards(rows, [GOLD, SILVER], decided=[7])[1].winners == (9, 7)


def test_a_short_ranking_leaves_prizes_over():
    given = awards(ranking([4]), [GOLD, SILVER])
    assert [award.winners for award in given] == [(4,), ()]
    assert awards([], [GOLD])[0].winners == ()


def test_a_prize_may_be_contested_at_both_its_ends():
    given = awards(ranking([1, 2], [3, 4]), [GOLD, SILVER, BRONZE])
    assert [award.prize for award in given] == [GOLD, SILVER, BRONZE]
    assert (given[1].winners, given[1].open_places, given[1].contested) == ((), 2, (1, 2, 3, 4))
    assert (given[2].winners, given[2].open_places, given[2].contested) == ((), 1, (3, 4))
