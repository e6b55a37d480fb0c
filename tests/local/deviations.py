"""Where the other stores are known to differ from AWS, by backend and test. The engine has no entry.

Each entry is a strict expected failure: when a newer version gets it right, the test run says so.
"""

_MOTO = {
    "test_conditions[label < :five-False]": "comparing text with a number ends in a TypeError",
    "test_numbers_are_stored_in_one_form": "numbers come back as they were written",
    "test_wrong_items_are_refused[set with duplicates]": "members of a set are not compared",
    "test_wrong_items_are_refused[39 digits]": "the precision of numbers is not checked",
    "test_wrong_items_are_refused[too large a number]": "the magnitude of numbers is not checked",
    "test_wrong_items_are_refused[index key of wrong type]": "types of index keys are not checked",
    "test_an_item_may_weigh_just_400_kb": "counts more bytes than AWS's published rules",
    "test_a_projection_returns_only_the_named_parts": "an alias followed by [index] is not seen as used",
    "test_wrong_queries_are_refused[or]": "ends in an AssertionError",
    "test_wrong_queries_are_refused[not equal]": "ends in an AssertionError",
    "test_wrong_queries_are_refused[wrong type]": "types of key conditions are not checked",
    "test_wrong_queries_are_refused[unused value]": "unused values are accepted in queries",
    "test_wrong_queries_are_refused[filter on a key]": "key attributes are accepted in filters",
    "test_wrong_queries_are_refused[no such index]": "answers ResourceNotFoundException",
    "test_wrong_queries_are_refused[limit 0]": "a limit of 0 is taken for none",
    "test_an_index_is_sparse_and_sorts_numbers": "numbers come back as they were written",
    "test_batches_have_their_limits": "more than 25 writes are accepted",
    "test_a_token_makes_a_transaction_repeatable": "ClientRequestToken is ignored",
    "test_a_token_is_not_for_another_transaction": "ClientRequestToken is ignored",
    "test_a_transaction_weighs_at_most_4_mb": "the size of a transaction is not checked",
    "test_writes_cost_by_started_kilobyte": "every write costs one unit",
    "test_transactions_cost_twice": "transactions report no capacity",
    "test_reads_cost_by_started_four_kilobytes": "every read costs half a unit",
    "test_a_stream_tells_every_change_and_only_changes": "a write that changes nothing leaves a record",
}

_MINISTACK = {
    "test_list_elements_are_removed_together": "one removal moves the next one's element",
    "test_numbers_keep_38_digits": "sums are cut to 28 digits",
    "test_wrong_updates_are_refused[clause twice]": "a clause may be repeated",
    "test_wrong_updates_are_refused[text plus number]": "types of operands are not checked",
    "test_wrong_updates_are_refused[syntax]": "a missing operand is accepted",
    "test_wrong_queries_are_refused[or]": "OR is accepted in key conditions",
    "test_wrong_queries_are_refused[not equal]": "<> is accepted in key conditions",
    "test_wrong_queries_are_refused[filter on a key]": "key attributes are accepted in filters",
    "test_reads_cost_by_started_four_kilobytes": "reads cost by item, not by 4 KB",
}

DEVIATIONS = {"moto": _MOTO, "ministack": _MINISTACK}
