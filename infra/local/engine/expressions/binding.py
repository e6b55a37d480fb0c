"""Replace aliases and placeholders by what the request says they mean, and find those never used."""

from __future__ import annotations

from typing import Any

from infra.local.engine.errors import invalid
from infra.local.engine.expressions.syntax import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    Condition,
    Function,
    IfNotExists,
    ListAppend,
    Literal,
    Membership,
    Negated,
    NewValue,
    Operand,
    Path,
    Placeholder,
    Size,
    Sum,
    Update,
)
from infra.local.engine.values import AttributeValue, canonical, comparable

ORDERED_TYPES = ("S", "N", "B")
TYPE_NAMES = ("S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M")


class Binder:
    """The names and values of one request. ``finish`` refuses what no expression used, as DynamoDB does."""

    def __init__(self, names: dict[str, str] | None, values: dict[str, Any] | None) -> None:
        self._names = names or {}
        self._values: dict[str, AttributeValue] = {name: canonical(value) for name, value in (values or {}).items()}
        self._unused_names = set(self._names)
        self._unused_values = set(self._values)

    def finish(self) -> None:
        for member, unused in (("Values", self._unused_values), ("Names", self._unused_names)):
            if unused:
                listed = ", ".join(sorted(unused))
                raise invalid(
                    f"Value provided in ExpressionAttribute{member} unused in expressions: keys: {{{listed}}}"
                )

    def path(self, path: Path) -> Path:
        return Path(tuple(self._name(part) if isinstance(part, str) else part for part in path.parts))

    def _name(self, name: str) -> str:
        if not name.startswith("#"):
            return name
        if name not in self._names:
            raise invalid(
                f"An expression attribute name used in the document path is not defined; attribute name: {name}"
            )
        self._unused_names.discard(name)
        return self._names[name]

    def _literal(self, placeholder: Placeholder) -> Literal:
        name = placeholder.name
        if name not in self._values:
            raise invalid(f"An expression attribute value used in expression is not defined; attribute value: {name}")
        self._unused_values.discard(name)
        return Literal(self._values[name])

    def operand(self, operand: Operand) -> Operand:
        match operand:
            case Path():
                return self.path(operand)
            case Size(path):
                return Size(self.path(path))
            case Placeholder():
                return self._literal(operand)
        return operand

    def condition(self, node: Condition) -> Condition:
        """Bind a condition and refuse operands whose type its operator can never take."""
        match node:
            case AllOf(parts):
                return AllOf(tuple(self.condition(part) for part in parts))
            case AnyOf(parts):
                return AnyOf(tuple(self.condition(part) for part in parts))
            case Negated(part):
                return Negated(self.condition(part))
            case Comparison(operator, left, right):
                bound = Comparison(operator, self.operand(left), self.operand(right))
                if operator not in ("=", "<>"):
                    _need_type(operator, ORDERED_TYPES, bound.left, bound.right)
                return bound
            case Between(operand, low, high):
                between = Between(self.operand(operand), self.operand(low), self.operand(high))
                _need_type("BETWEEN", ORDERED_TYPES, between.operand, between.low, between.high)
                _need_order(between.low, between.high)
                return between
            case Membership(operand, options):
                return Membership(self.operand(operand), tuple(self.operand(option) for option in options))
            case Function(name, arguments):
                function = Function(name, tuple(self.operand(argument) for argument in arguments))
                if name == "begins_with":
                    _need_type(name, ("S", "B"), *function.arguments)
                elif name == "attribute_type":
                    _need_type_name(function.arguments[1])
                return function

    def update(self, update: Update) -> Update:
        """Bind an update expression; two paths where one lies inside the other are refused."""
        bound = Update(
            set=tuple((self.path(path), self.new_value(value)) for path, value in update.set),
            remove=tuple(self.path(path) for path in update.remove),
            add=tuple((self.path(path), self.new_value(value)) for path, value in update.add),
            delete=tuple((self.path(path), self.new_value(value)) for path, value in update.delete),
        )
        refuse_overlap(bound.paths(), "UpdateExpression")
        for _, value in bound.add:
            _need_type("ADD", ("N", "SS", "NS", "BS"), value)
        for _, value in bound.delete:
            _need_type("DELETE", ("SS", "NS", "BS"), value)
        return bound

    def new_value(self, value: NewValue) -> NewValue:
        match value:
            case Path():
                return self.path(value)
            case Placeholder():
                return self._literal(value)
            case Sum(operator, left, right):
                bound = Sum(operator, self.new_value(left), self.new_value(right))
                _need_type(operator, ("N",), bound.left, bound.right)
                return bound
            case IfNotExists(path, default):
                return IfNotExists(self.path(path), self.new_value(default))
            case ListAppend(first, second):
                appended = ListAppend(self.new_value(first), self.new_value(second))
                _need_type("list_append", ("L",), appended.first, appended.second)
                return appended
        return value

    def projection(self, paths: tuple[Path, ...]) -> tuple[Path, ...]:
        bound = tuple(self.path(path) for path in paths)
        refuse_overlap(bound, "ProjectionExpression")
        return bound


def _need_type(operator: str, allowed: tuple[str, ...], *operands: Operand | NewValue) -> None:
    for operand in operands:
        if isinstance(operand, Literal):
            (kind,) = operand.value
            if kind not in allowed:
                raise invalid(
                    "Incorrect operand type for operator or function; "
                    f"operator or function: {operator}, operand type: {kind}"
                )


def _need_type_name(operand: Operand) -> None:
    if not isinstance(operand, Literal) or operand.value.get("S") not in TYPE_NAMES:
        raise invalid("Invalid attribute type name found; operator or function: attribute_type")


def _need_order(low: Operand, high: Operand) -> None:
    if not isinstance(low, Literal) or not isinstance(high, Literal):
        return
    (low_type, low_value), (high_type, high_value) = comparable(low.value), comparable(high.value)
    if low_type != high_type:
        raise invalid("The BETWEEN operator requires same data type for lower and upper bounds")
    if low_value > high_value:
        raise invalid("The BETWEEN operator requires upper bound to be greater than or equal to lower bound")


def refuse_overlap(paths: tuple[Path, ...], kind: str) -> None:
    """Refuse two paths of which one is the other or lies inside it."""
    for position, path in enumerate(paths):
        for other in paths[:position]:
            shared = min(len(path.parts), len(other.parts))
            if path.parts[:shared] == other.parts[:shared]:
                raise invalid(
                    f"Invalid {kind}: Two document paths overlap with each other; "
                    f"must remove or rewrite one of these paths; path one: {other}, path two: {path}"
                )
