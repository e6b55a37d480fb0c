"""What a bound expression says about an item: conditions, updates, projections."""

from __future__ import annotations

import copy
from typing import Any

from infra.local.engine.errors import invalid
from infra.local.engine.expressions.binding import ORDERED_TYPES
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
    Size,
    Sum,
    Update,
)
from infra.local.engine.values import AttributeValue, Item, add_numbers, comparable, sorted_members

_SETS = ("SS", "NS", "BS")


def look_up(item: Item, path: Path) -> AttributeValue | None:
    """The value at a path, None where there is none."""
    head, *rest = path.parts
    value = item.get(str(head))
    for part in rest:
        if value is None:
            return None
        if isinstance(part, int):
            members = value.get("L")
            value = members[part] if members is not None and part < len(members) else None
        else:
            value = value.get("M", {}).get(part)
    return value


def _value_of(operand: Operand, item: Item) -> AttributeValue | None:
    match operand:
        case Literal(value):
            return value
        case Path():
            return look_up(item, operand)
        case Size(path):
            return _size(look_up(item, path))
    raise AssertionError("conditions are bound before they are evaluated")


def _size(value: AttributeValue | None) -> AttributeValue | None:
    if value is None:
        return None
    ((kind, content),) = value.items()
    if kind == "S":
        return {"N": str(len(content.encode()))}
    if kind == "B":
        return {"N": str(len(comparable(value)[1]))}
    if kind in (*_SETS, "L", "M"):
        return {"N": str(len(content))}
    return None


def holds(condition: Condition, item: Item) -> bool:
    """Whether a bound condition is true for an item (an absent item is the empty one)."""
    match condition:
        case AllOf(parts):
            return all(holds(part, item) for part in parts)
        case AnyOf(parts):
            return any(holds(part, item) for part in parts)
        case Negated(part):
            return not holds(part, item)
        case Comparison(operator, left, right):
            return _compare(operator, _value_of(left, item), _value_of(right, item))
        case Between(operand, low, high):
            value = _value_of(operand, item)
            return _compare(">=", value, _value_of(low, item)) and _compare("<=", value, _value_of(high, item))
        case Membership(operand, options):
            value = _value_of(operand, item)
            return value is not None and any(value == _value_of(option, item) for option in options)
        case Function(name, arguments):
            return _function(name, [_value_of(argument, item) for argument in arguments])


def _compare(operator: str, left: AttributeValue | None, right: AttributeValue | None) -> bool:
    if operator == "<>":
        return left != right
    if left is None or right is None:
        return False
    if operator == "=":
        return left == right
    (left_type, left_value), (right_type, right_value) = comparable(left), comparable(right)
    if left_type != right_type or left_type not in ORDERED_TYPES:
        return False
    match operator:
        case "<":
            return bool(left_value < right_value)
        case "<=":
            return bool(left_value <= right_value)
        case ">":
            return bool(left_value > right_value)
    return bool(left_value >= right_value)


def _function(name: str, arguments: list[AttributeValue | None]) -> bool:
    first = arguments[0]
    if name == "attribute_exists":
        return first is not None
    if name == "attribute_not_exists":
        return first is None
    second = arguments[1]
    if first is None or second is None:
        return False
    if name == "attribute_type":
        return second["S"] in first
    if name == "contains":
        return _contains(first, second)
    (left_type, left), (right_type, right) = comparable(first), comparable(second)
    return left_type == right_type and left_type in ("S", "B") and bool(left.startswith(right))


def _contains(container: AttributeValue, sought: AttributeValue) -> bool:
    (kind, content), (sought_kind, sought_content) = comparable(container), comparable(sought)
    if kind in ("S", "B"):
        return kind == sought_kind and sought_content in content
    if kind in _SETS:
        return kind[0] == sought_kind and sought[sought_kind] in content
    return kind == "L" and sought in content


def updated(update: Update, item: Item) -> Item:
    """Return the item after a bound update; every new value is computed from the item before it."""
    new = copy.deepcopy(item)
    for path, value in update.set:
        container, last = _container(new, path)
        computed = copy.deepcopy(_new_value(value, item))
        if isinstance(last, int):
            container["L"][last : last + 1] = [computed]
        else:
            container["M"][last] = computed
    for path, value in update.add:
        _add(new, path, _new_value(value, item))
    for path, value in update.delete:
        _delete(new, path, _new_value(value, item))
    # From the highest list position down, so that one removal does not move the next one's element.
    for path in sorted(update.remove, key=_positions, reverse=True):
        container, last = _container(new, path)
        if isinstance(last, int):
            del container["L"][last : last + 1]
        else:
            container["M"].pop(last, None)
    return new


def _positions(path: Path) -> list[int]:
    return [part if isinstance(part, int) else -1 for part in path.parts]


def _container(item: Item, path: Path) -> tuple[dict[str, Any], str | int]:
    """The map or list value that holds the last part of a path, and that part."""
    container: AttributeValue | None = {"M": item}
    for part in path.parts[:-1]:
        if container is None:
            break
        if isinstance(part, int):
            members = container.get("L", [])
            container = members[part] if part < len(members) else None
        else:
            container = container.get("M", {}).get(part)
    last = path.parts[-1]
    if container is None or ("L" if isinstance(last, int) else "M") not in container:
        raise invalid("The document path provided in the update expression is invalid for update")
    return container, last


def _new_value(value: NewValue, item: Item) -> AttributeValue:
    match value:
        case Literal(content):
            return content
        case Path():
            found = look_up(item, value)
            if found is None:
                raise invalid("The provided expression refers to an attribute that does not exist in the item")
            return found
        case IfNotExists(path, default):
            found = look_up(item, path)
            return _new_value(default, item) if found is None else found
        case Sum(operator, left, right):
            first, second = _new_value(left, item), _new_value(right, item)
            if "N" not in first or "N" not in second:
                raise _wrong_type()
            return {"N": add_numbers(first["N"], second["N"], 1 if operator == "+" else -1)}
        case ListAppend(front, back):
            head, tail = _new_value(front, item), _new_value(back, item)
            if "L" not in head or "L" not in tail:
                raise _wrong_type()
            return {"L": [*head["L"], *tail["L"]]}
    raise AssertionError("updates are bound before they are evaluated")


def _wrong_type() -> Exception:
    return invalid("An operand in the update expression has an incorrect data type")


def _add(item: Item, path: Path, value: AttributeValue) -> None:
    container, last = _container(item, path)
    old = look_up(item, path)
    ((kind, content),) = value.items()
    if old is not None and kind not in old:
        raise _wrong_type()
    new: AttributeValue
    if kind == "N":
        new = {"N": add_numbers(old["N"] if old else "0", content, 1)}
    else:
        new = {kind: sorted_members(kind, list({*(old[kind] if old else ()), *content}))}
    if isinstance(last, int):
        container["L"][last : last + 1] = [new]
    else:
        container["M"][last] = new


def _delete(item: Item, path: Path, value: AttributeValue) -> None:
    old = look_up(item, path)
    if old is None:
        return
    ((kind, content),) = value.items()
    if kind not in old:
        raise _wrong_type()
    left = [member for member in old[kind] if member not in content]
    container, last = _container(item, path)
    if left:
        old[kind] = left
    elif isinstance(last, int):
        del container["L"][last]
    else:
        container["M"].pop(last)


_Wanted = dict[Any, Any]


def projected(item: Item, paths: tuple[Path, ...]) -> Item:
    """Return only the named parts of an item; elements of a list close up in their order."""
    wanted: _Wanted = {}
    for path in paths:
        branch = wanted
        for part in path.parts:
            branch = branch.setdefault(part, {})
    picked = _pick({"M": item}, wanted)
    return {} if picked is None else picked["M"]


def _pick(value: AttributeValue, wanted: _Wanted) -> dict[str, Any] | None:
    if not wanted:
        return value
    if "M" in value:
        names = {part for part in wanted if isinstance(part, str)}
        members = {name: _pick(member, wanted[name]) for name, member in value["M"].items() if name in names}
        kept = {name: member for name, member in members.items() if member is not None}
        return {"M": kept} if kept else None
    if "L" in value:
        positions = sorted(part for part in wanted if isinstance(part, int) and part < len(value["L"]))
        picked = [_pick(value["L"][position], wanted[position]) for position in positions]
        elements = [element for element in picked if element is not None]
        return {"L": elements} if elements else None
    return None
