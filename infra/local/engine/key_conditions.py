"""Key condition expressions: one partition and at most one range of sort keys."""

from __future__ import annotations

from dataclasses import dataclass

from infra.local.engine.errors import ServiceError, invalid, invalid_parameter
from infra.local.engine.expressions.syntax import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    Condition,
    Function,
    Literal,
    Membership,
    Negated,
    Operand,
    Path,
    Size,
)
from infra.local.engine.schema import KeyAttribute, KeySchema
from infra.local.engine.values import key_bytes


@dataclass(frozen=True)
class KeyRange:
    """A partition and bounds on the sort key as (SQL operator, key bytes)."""

    partition: bytes
    bounds: tuple[tuple[str, bytes], ...]


def key_range(condition: Condition, keys: KeySchema) -> KeyRange:
    """Read a bound key condition; refuses whatever is not ``partition = value [AND sort range]``."""
    parts = _conjuncts(condition)
    by_name: dict[str, Condition] = {}
    for part in parts:
        name = _attribute(part)
        if name in by_name:
            raise invalid("KeyConditionExpressions must only contain one condition per key")
        by_name[name] = part
    partition = by_name.pop(keys.partition.name, None)
    if partition is None:
        raise invalid(f"Query condition missed key schema element: {keys.partition.name}")
    if not isinstance(partition, Comparison) or partition.operator != "=":
        raise invalid("Query key condition not supported")
    bounds: tuple[tuple[str, bytes], ...] = ()
    if by_name:
        sort = by_name.pop(keys.sort.name, None) if keys.sort else None
        if sort is None or by_name or keys.sort is None:
            expected = keys.sort.name if keys.sort else keys.partition.name
            raise invalid(f"Query condition missed key schema element: {expected}")
        bounds = _bounds(sort, keys.sort)
    return KeyRange(_content(partition.right, keys.partition), bounds)


def _conjuncts(condition: Condition) -> list[Condition]:
    if isinstance(condition, AllOf):
        return [part for inner in condition.parts for part in _conjuncts(inner)]
    return [condition]


def _attribute(part: Condition) -> str:
    match part:
        case Comparison(_, Path((str(name),)), Literal()):
            return name
        case Between(Path((str(name),)), Literal(), Literal()):
            return name
        case Function("begins_with", (Path((str(name),)), Literal())):
            return name
    raise _unsupported(part)


def _unsupported(part: Condition) -> ServiceError:
    operator = {AnyOf: "OR", Negated: "NOT", Membership: "IN"}.get(type(part))
    if operator:
        return invalid(f"Invalid operator used in KeyConditionExpression: {operator}")
    return invalid("Query key condition not supported")


def _bounds(part: Condition, sort: KeyAttribute) -> tuple[tuple[str, bytes], ...]:
    match part:
        case Comparison(operator, _, value) if operator != "<>":
            return ((operator, _content(value, sort)),)
        case Between(_, low, high):
            return ((">=", _content(low, sort)), ("<=", _content(high, sort)))
        case Function("begins_with", (_, prefix)):
            start = _content(prefix, sort)
            end = _after_prefix(start)
            return ((">=", start), ("<", end)) if end else ((">=", start),)
    raise invalid("Query key condition not supported")


def _after_prefix(prefix: bytes) -> bytes:
    """The first key behind all keys with a prefix, empty where there is none."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else b""


def _content(operand: Operand, attribute: KeyAttribute) -> bytes:
    if not isinstance(operand, Literal) or attribute.type not in operand.value:
        raise invalid_parameter("Condition parameter type does not match schema type")
    return key_bytes(operand.value)


def mentions(condition: Condition, name: str) -> bool:
    """Whether a condition looks at a top-level attribute."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            return any(mentions(part, name) for part in parts)
        case Negated(part):
            return mentions(part, name)
        case Comparison(_, left, right):
            return _is(left, name) or _is(right, name)
        case Between(operand, low, high):
            return _is(operand, name) or _is(low, name) or _is(high, name)
        case Membership(operand, options):
            return _is(operand, name) or any(_is(option, name) for option in options)
        case Function(_, arguments):
            return any(_is(argument, name) for argument in arguments)


def _is(operand: Operand, name: str) -> bool:
    path = operand.path if isinstance(operand, Size) else operand
    return isinstance(path, Path) and path.parts[0] == name
