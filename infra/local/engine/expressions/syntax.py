"""What a parsed expression is made of, and the parser (grammar in ``grammar.lark``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, TypeVar, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError

from infra.local.engine.errors import ServiceError, invalid
from infra.local.engine.values import AttributeValue

MAX_EXPRESSION_BYTES = 4096
MAX_OPTIONS = 100

_HERE = FilePath(__file__).parent
RESERVED_WORDS = frozenset(
    word
    for line in (_HERE / "reserved_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
_FUNCTION_ARGUMENTS = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
}


@dataclass(frozen=True, slots=True)
class Path:
    """Where in an item: attribute names and list positions. Before binding a name may be an alias (``#n``)."""

    parts: tuple[str | int, ...]

    def __str__(self) -> str:
        head, *rest = self.parts
        return str(head) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A value still to be looked up (``:v``)."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that was looked up, in canonical form."""

    value: AttributeValue


@dataclass(frozen=True, slots=True)
class Size:
    """``size(path)``, a number."""

    path: Path


Operand = Path | Placeholder | Literal | Size


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Between:
    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class Membership:
    operand: Operand
    options: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """One of the functions that say yes or no (``attribute_exists`` and the like)."""

    name: str
    arguments: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    part: Condition


Condition = Comparison | Between | Membership | Function | AllOf | AnyOf | Negated


@dataclass(frozen=True, slots=True)
class Sum:
    operator: str
    left: NewValue
    right: NewValue


@dataclass(frozen=True, slots=True)
class IfNotExists:
    path: Path
    default: NewValue


@dataclass(frozen=True, slots=True)
class ListAppend:
    first: NewValue
    second: NewValue


NewValue = Path | Placeholder | Literal | Sum | IfNotExists | ListAppend


@dataclass(frozen=True, slots=True)
class Update:
    """The four clauses of an update expression, each a list of (path, value)."""

    set: tuple[tuple[Path, NewValue], ...] = ()
    remove: tuple[Path, ...] = ()
    add: tuple[tuple[Path, NewValue], ...] = ()
    delete: tuple[tuple[Path, NewValue], ...] = ()

    def paths(self) -> tuple[Path, ...]:
        """Every path the update writes to."""
        written = (*self.set, *self.add, *self.delete)
        return (*(path for path, _ in written), *self.remove)


def syntax_error(token: str) -> ServiceError:
    return invalid(f'Syntax error; token: "{token}"')


def _pairs(children: list[Any]) -> tuple[tuple[Any, Any], ...]:
    return tuple(zip(children[::2], children[1::2], strict=True))


class _Builder(Transformer[Token, Any]):
    """Turns the parse tree into the classes above."""

    @v_args(inline=True)
    def name(self, token: Token) -> str:
        if token.type == "NAME" and token.upper() in RESERVED_WORDS:
            raise invalid(f"Attribute name is a reserved keyword; reserved keyword: {token}")
        return str(token)

    @v_args(inline=True)
    def member(self, name: str) -> str:
        return name

    @v_args(inline=True)
    def element(self, index: Token) -> int:
        return int(index)

    def path(self, parts: list[str | int]) -> Path:
        return Path(tuple(parts))

    @v_args(inline=True)
    def placeholder(self, token: Token) -> Placeholder:
        return Placeholder(str(token))

    def call(self, children: list[Any]) -> tuple[str, tuple[Operand, ...]]:
        return str(children[0]), tuple(children[1:])

    @v_args(inline=True)
    def operand_call(self, call: tuple[str, tuple[Operand, ...]]) -> Size:
        name, arguments = call
        if name != "size":
            raise invalid(f"The function is not allowed to be used this way; function: {name}")
        if len(arguments) != 1 or not isinstance(arguments[0], Path):
            raise invalid(f"Incorrect operand for operator or function: {name}")
        return Size(arguments[0])

    @v_args(inline=True)
    def predicate_call(self, call: tuple[str, tuple[Operand, ...]]) -> Function:
        name, arguments = call
        expected = _FUNCTION_ARGUMENTS.get(name)
        if expected is None:
            known = name in ("size", "if_not_exists", "list_append")
            said = "The function is not allowed to be used this way" if known else "Invalid function name"
            raise invalid(f"{said}; function: {name}")
        if len(arguments) != expected:
            raise invalid(
                "Incorrect number of operands for operator or function; "
                f"operator or function: {name}, number of operands: {len(arguments)}"
            )
        if name.startswith("attribute_") and not isinstance(arguments[0], Path):
            raise invalid(f"Operator or function requires a document path; operator or function: {name}")
        return Function(name, arguments)

    @v_args(inline=True)
    def comparison(self, left: Operand, operator: Token, right: Operand) -> Comparison:
        return Comparison(str(operator), left, right)

    @v_args(inline=True)
    def between(self, operand: Operand, low: Operand, high: Operand) -> Between:
        return Between(operand, low, high)

    def membership(self, children: list[Operand]) -> Membership:
        if len(children) > MAX_OPTIONS + 1:
            raise invalid(f"The IN operator is provided with too many operands; limit: {MAX_OPTIONS}")
        return Membership(children[0], tuple(children[1:]))

    def any_of(self, parts: list[Condition]) -> AnyOf:
        return AnyOf(tuple(parts))

    def all_of(self, parts: list[Condition]) -> AllOf:
        return AllOf(tuple(parts))

    @v_args(inline=True)
    def negated(self, part: Condition) -> Negated:
        return Negated(part)

    @v_args(inline=True)
    def assignment(self, path: Path, equals: Token, value: NewValue) -> tuple[Path, NewValue]:
        if equals != "=":
            raise syntax_error(equals)
        return path, value

    @v_args(inline=True)
    def sum(self, left: NewValue, sign: Token, right: NewValue) -> Sum:
        return Sum(str(sign), left, right)

    @v_args(inline=True)
    def update_call(self, name: Token, first: NewValue, second: NewValue) -> NewValue:
        if name == "list_append":
            return ListAppend(first, second)
        if name != "if_not_exists":
            raise invalid(f"Invalid function name; function: {name}")
        if not isinstance(first, Path):
            raise invalid(f"Operator or function requires a document path; operator or function: {name}")
        return IfNotExists(first, second)

    def set_clause(self, assignments: list[tuple[Path, NewValue]]) -> tuple[str, tuple[Any, ...]]:
        return "set", tuple(assignments)

    def remove_clause(self, paths: list[Path]) -> tuple[str, tuple[Any, ...]]:
        return "remove", tuple(paths)

    def add_clause(self, children: list[Any]) -> tuple[str, tuple[Any, ...]]:
        return "add", _pairs(children)

    def delete_clause(self, children: list[Any]) -> tuple[str, tuple[Any, ...]]:
        return "delete", _pairs(children)

    def update(self, clauses: list[tuple[str, tuple[Any, ...]]]) -> Update:
        named = dict(clauses)
        if len(named) != len(clauses):
            raise invalid("The section can only be used once in an update expression")
        return Update(**named)

    def projection(self, paths: list[Path]) -> tuple[Path, ...]:
        return tuple(paths)


_PARSER = Lark(
    (_HERE / "grammar.lark").read_text("utf-8"),
    parser="lalr",
    start=["condition", "update", "projection"],
    maybe_placeholders=False,
)
_BUILDER = _Builder()
_Parsed = TypeVar("_Parsed")


def _token_of(error: UnexpectedInput) -> str:
    """What the parser stumbled over, as DynamoDB names it."""
    if isinstance(error, UnexpectedCharacters):
        return str(error.char)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return str(error.token)
    return "<EOF>"


def _parse(text: str, start: str) -> Any:
    if not isinstance(text, str) or not text.strip():
        raise invalid("The expression can not be empty;")
    if len(text.encode()) > MAX_EXPRESSION_BYTES:
        raise invalid("Expression size has exceeded the maximum allowed size;")
    try:
        return _BUILDER.transform(_PARSER.parse(text, start=start))
    except UnexpectedInput as error:
        raise syntax_error(_token_of(error)) from None
    except VisitError as error:
        raise error.orig_exc from None


def _named(parse: Callable[[str], _Parsed], text: str, kind: str) -> _Parsed:
    try:
        return parse(text)
    except ServiceError as error:
        raise invalid(f"Invalid {kind}: {error.message}") from None


@lru_cache(4096)
def _condition(text: str) -> Condition:
    return cast(Condition, _parse(text, "condition"))


@lru_cache(4096)
def _update(text: str) -> Update:
    return cast(Update, _parse(text, "update"))


@lru_cache(4096)
def _projection(text: str) -> tuple[Path, ...]:
    return cast("tuple[Path, ...]", _parse(text, "projection"))


def parse_condition(text: str, kind: str) -> Condition:
    """Parse a condition, filter or key condition expression; ``kind`` names it in the error."""
    return _named(_condition, text, kind)


def parse_update(text: str) -> Update:
    """Parse an update expression."""
    return _named(_update, text, "UpdateExpression")


def parse_projection(text: str) -> tuple[Path, ...]:
    """Parse a projection expression: the paths to return."""
    return _named(_projection, text, "ProjectionExpression")
