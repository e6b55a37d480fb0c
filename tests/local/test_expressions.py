"""The expression grammar against a brute-force reading of the same expressions, and its error messages."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.engine.errors import ServiceError
from infra.local.engine.expressions.binding import Binder
from infra.local.engine.expressions.evaluation import holds, projected, updated
from infra.local.engine.expressions.syntax import (
    RESERVED_WORDS,
    parse_condition,
    parse_projection,
    parse_update,
)
from infra.local.engine.values import canonical_item, item_size, key_bytes

NAMES = ("alpha", "beta", "gamma", "delta")
OPERATORS = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

numbers = st.integers(-3, 3)
items = st.dictionaries(st.sampled_from(NAMES), numbers, max_size=4)


class Written:
    """A condition as text beside what it means; values are collected as placeholders."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def placeholder(self, value: int) -> str:
        name = f":v{len(self.values)}"
        self.values[name] = {"N": str(value)}
        return name


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> Any:
    """A tree: ("compare", name, operator, number), ("exists", name, bool), ("not", tree), ("and"|"or", tree, tree)."""
    kind = draw(st.sampled_from(["compare", "between", "in", "exists"] + (["not", "and", "or"] * 2 if depth else [])))
    name = draw(st.sampled_from(NAMES))
    match kind:
        case "compare":
            return kind, name, draw(st.sampled_from(sorted(OPERATORS))), draw(numbers)
        case "between":
            return kind, name, *sorted((draw(numbers), draw(numbers)))
        case "in":
            return kind, name, draw(st.lists(numbers, min_size=1, max_size=4))
        case "exists":
            return kind, name, draw(st.booleans())
        case "not":
            return kind, draw(conditions(depth - 1))
    return kind, draw(conditions(depth - 1)), draw(conditions(depth - 1))


def write(tree: Any, written: Written, *, inside: str = "") -> str:
    """The tree as DynamoDB's text with no more parentheses than precedence needs."""
    match tree:
        case ("compare", name, operator, value):
            return f"{name} {operator} {written.placeholder(value)}"
        case ("between", name, low, high):
            return f"{name} BETWEEN {written.placeholder(low)} AND {written.placeholder(high)}"
        case ("in", name, options):
            return f"{name} IN ({', '.join(written.placeholder(option) for option in options)})"
        case ("exists", name, there):
            return f"attribute_{'' if there else 'not_'}exists({name})"
        case ("not", part):
            return f"NOT {write(part, written, inside='not')}"
        case (kind, left, right):
            text = f"{write(left, written, inside=kind)} {kind} {write(right, written, inside=kind)}"
            looser = {"not": True, "and": kind == "or"}.get(inside, False)
            return f"({text})" if looser else text
    raise AssertionError(tree)


def means(tree: Any, item: dict[str, int]) -> bool:
    """What the tree says about an item, by DynamoDB's documented treatment of absent attributes."""
    match tree:
        case ("compare", name, operator, value):
            return OPERATORS[operator](item[name], value) if name in item else operator == "<>"
        case ("between", name, low, high):
            return name in item and low <= item[name] <= high
        case ("in", name, options):
            return name in item and item[name] in options
        case ("exists", name, there):
            return (name in item) == there
        case ("not", part):
            return not means(part, item)
        case ("and", left, right):
            return means(left, item) and means(right, item)
        case ("or", left, right):
            return means(left, item) or means(right, item)
    raise AssertionError(tree)


@settings(max_examples=400)
@given(tree=conditions(), item=items)
def test_conditions_mean_what_they_say(tree: Any, item: dict[str, int]) -> None:
    written = Written()
    text = write(tree, written)
    binder = Binder(None, written.values)
    condition = binder.condition(parse_condition(text, "ConditionExpression"))
    binder.finish()
    stored = {name: {"N": str(value)} for name, value in item.items()}
    assert holds(condition, stored) == means(tree, item), text


@settings(max_examples=300)
@given(
    item=items,
    additions=st.dictionaries(st.sampled_from(NAMES[:2]), numbers, max_size=2),
    removals=st.sets(st.sampled_from(NAMES[2:3])),
    assigned=st.one_of(st.none(), st.tuples(st.sampled_from(NAMES), st.sampled_from("+-"), numbers)),
)
def test_updates_do_what_they_say(
    item: dict[str, int],
    additions: dict[str, int],
    removals: set[str],
    assigned: tuple[str, str, int] | None,
) -> None:
    written = Written()
    clauses = []
    expected = dict(item)
    if assigned:
        source, sign, amount = assigned
        default, change = written.placeholder(0), written.placeholder(amount)
        clauses.append(f"SET delta = if_not_exists({source}, {default}) {sign} {change}")
        expected["delta"] = item.get(source, 0) + (amount if sign == "+" else -amount)
    if additions:
        parts = ", ".join(f"{name} {written.placeholder(value)}" for name, value in additions.items())
        clauses.append(f"ADD {parts}")
        for name, value in additions.items():
            expected[name] = item.get(name, 0) + value
    if removals:
        clauses.append(f"REMOVE {', '.join(removals)}")
        for name in removals:
            expected.pop(name, None)
    if not clauses:
        return
    binder = Binder(None, written.values)
    update = binder.update(parse_update(" ".join(clauses)))
    binder.finish()
    stored = {name: {"N": str(value)} for name, value in item.items()}
    before = {name: dict(value) for name, value in stored.items()}
    assert updated(update, stored) == {name: {"N": str(value)} for name, value in expected.items()}
    assert stored == before


values = st.recursive(
    st.one_of(
        st.builds(lambda text: {"S": text}, st.text(max_size=5)),
        st.builds(lambda value: {"N": str(value)}, st.integers(-(10**20), 10**20)),
        st.builds(lambda value: {"BOOL": value}, st.booleans()),
    ),
    lambda inner: st.one_of(
        st.builds(lambda members: {"L": members}, st.lists(inner, max_size=3)),
        st.builds(lambda members: {"M": members}, st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)),
    ),
    max_leaves=8,
)


@settings(max_examples=200)
@given(item=st.dictionaries(st.sampled_from(NAMES), values, max_size=4))
def test_projecting_every_attribute_is_the_item(item: dict[str, Any]) -> None:
    stored = canonical_item(item)
    paths = Binder(None, None).projection(parse_projection(", ".join(NAMES)))
    assert projected(stored, paths) == stored
    assert item_size(projected(stored, paths[:2])) <= item_size(stored)


@settings(max_examples=500)
@given(
    st.lists(
        st.decimals(allow_nan=False, allow_infinity=False, places=5, min_value=-(10**12), max_value=10**12),
        min_size=2,
        max_size=10,
    )
)
def test_number_keys_sort_like_numbers(numbers_: list[Decimal]) -> None:
    by_bytes = sorted(numbers_, key=lambda value: key_bytes({"N": format(value, "f")}))
    assert by_bytes == sorted(numbers_)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alpha =", 'token: "<EOF>"'),
        ("alpha == :a", 'token: "="'),
        ("alpha = :a AND", "<EOF>"),
        ("name = :a", "reserved keyword: name"),
        ("DATE = :a", "reserved keyword: DATE"),
        ("size(alpha)", "function: size"),
        ("begins_with(alpha)", "number of operands: 1"),
        ("attribute_exists(:a)", "requires a document path"),
        ("unknown(alpha)", "Invalid function name; function: unknown"),
        ("alpha = contains(alpha, :a)", "not allowed to be used this way"),
        ("", "can not be empty"),
        ("alpha = :a " * 500, "maximum allowed size"),
    ],
)
def test_wrong_conditions_say_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ServiceError) as refused:
        parse_condition(text, "ConditionExpression")
    assert refused.value.message.startswith("Invalid ConditionExpression: ")
    assert said in refused.value.message


def test_every_reserved_word_is_refused_bare_and_taken_as_an_alias() -> None:
    assert len(RESERVED_WORDS) == 573
    for word in RESERVED_WORDS:
        with pytest.raises(ServiceError):
            parse_condition(f"{word.lower()} = :a", "ConditionExpression")
        binder = Binder({"#word": word}, {":a": {"S": "x"}})
        condition = binder.condition(parse_condition("#word = :a", "ConditionExpression"))
        binder.finish()
        assert holds(condition, {word: {"S": "x"}})
