"""Attribute values as they travel in DynamoDB's JSON: canonical form, size in bytes, order-preserving keys.

An attribute value is a dict with one member, its type: ``{"S": "text"}``, ``{"N": "12"}``, ``{"B": base64}``,
``{"BOOL": true}``, ``{"NULL": true}``, ``{"L": [...]}``, ``{"M": {...}}`` or a set ``SS``, ``NS``, ``BS``.
Values are kept in canonical form (numbers written one way, sets sorted), so equality is plain ``==``.
"""

from __future__ import annotations

import base64
import binascii
from decimal import Context, Decimal, InvalidOperation
from typing import Any

from infra.local.engine.errors import ServiceError, invalid, invalid_parameter

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]

MAX_ITEM_BYTES = 400 * 1024
MAX_DEPTH = 32
DIGITS = 38
LARGEST_EXPONENT = 125
SMALLEST_EXPONENT = -130

_EXACT = Context(prec=200)
_STORED = Context(prec=DIGITS)
_EXPONENT_BIAS = 1000


def canonical_number(text: object) -> str:
    """Return the one way a number is written: plain decimal, no needless zeros.

    Refuses what DynamoDB cannot hold exactly: more than 38 significant digits or a magnitude outside
    1E-130 .. 9.99...E+125.
    """
    if not isinstance(text, str):
        raise ServiceError("SerializationException", "NUMBER_VALUE cannot be converted to String")
    if text.isascii() and text.isdigit() and len(text) <= DIGITS and (text[0] != "0" or text == "0"):
        return text
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise invalid(f"The parameter cannot be converted to a numeric value: {text}") from None
    if not number.is_finite():
        raise invalid(f"The parameter cannot be converted to a numeric value: {text}")
    return write_number(number, rounded=False)


def write_number(number: Decimal, *, rounded: bool) -> str:
    """Write a decimal in canonical form; ``rounded`` cuts the result of a sum to 38 digits instead of refusing."""
    if not number:
        return "0"
    number = number.normalize(_STORED if rounded else _EXACT)
    if len(number.as_tuple().digits) > DIGITS:
        raise invalid(f"Attempting to store more than {DIGITS} significant digits in a Number")
    if number.adjusted() > LARGEST_EXPONENT:
        raise invalid("Number overflow. Attempting to store a number with magnitude larger than supported range")
    if number.adjusted() < SMALLEST_EXPONENT:
        raise invalid("Number underflow. Attempting to store a number with magnitude smaller than supported range")
    return format(number, "f")


def add_numbers(left: str, right: str, sign: int) -> str:
    """Return left + sign * right with DynamoDB's 38 digits."""
    exact = _EXACT.add(Decimal(left), sign * Decimal(right))
    return write_number(exact, rounded=True)


def _binary(content: object) -> bytes:
    try:
        return base64.b64decode(str(content), validate=True)
    except (binascii.Error, ValueError):
        raise ServiceError("SerializationException", "Binary content is not valid base64") from None


def canonical(value: object, depth: int = 1) -> AttributeValue:
    """Check one attribute value from a request and return it in canonical form."""
    if not isinstance(value, dict) or len(value) != 1:
        raise invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    if depth > MAX_DEPTH:
        raise invalid("Nesting Levels have exceeded supported limits")
    ((kind, content),) = value.items()
    match kind:
        case "S" if isinstance(content, str):
            return value
        case "N":
            return {"N": canonical_number(content)}
        case "BOOL" if isinstance(content, bool):
            return value
        case "M" if isinstance(content, dict):
            return {"M": {name: canonical(member, depth + 1) for name, member in content.items()}}
        case "L" if isinstance(content, list):
            return {"L": [canonical(member, depth + 1) for member in content]}
        case "NULL":
            if content is not True:
                raise invalid_parameter("Null attribute value types must have the value of true")
            return value
        case "B":
            return {"B": base64.b64encode(_binary(content)).decode()}
        case "SS" | "NS" | "BS" if isinstance(content, list):
            return {kind: _canonical_set(kind, content)}
    raise ServiceError("SerializationException", f"Unexpected content of attribute value type {kind}")


def _canonical_set(kind: str, content: list[Any]) -> list[str]:
    if not content:
        raise invalid_parameter("An set may not be empty")
    members = [canonical({kind[0]: member})[kind[0]] for member in content]
    if len(set(members)) != len(members):
        raise invalid_parameter("Input collection contains duplicates.")
    return sorted_members(kind, members)


def sorted_members(kind: str, members: list[str]) -> list[str]:
    """The members of a set in the one order this store keeps them."""
    return sorted(members, key=Decimal) if kind == "NS" else sorted(members)


def canonical_item(item: object) -> Item:
    """Check all attributes of an item from a request and return them in canonical form."""
    if not isinstance(item, dict):
        raise ServiceError("SerializationException", "Item must be a map")
    # Text, which most attributes are, stays as it is: a large import asks this a million times.
    return {name: value if _is_text(value) else canonical(value) for name, value in item.items()}


def _is_text(value: object) -> bool:
    return type(value) is dict and len(value) == 1 and type(value.get("S")) is str


def value_size(value: AttributeValue) -> int:
    """Size in bytes by AWS's published rules (names and UTF-8 text count in full, lists and maps cost 3 more)."""
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return _number_size(content)
        case "B":
            return len(_binary(content))
        case "SS":
            return sum(len(member.encode()) for member in content)
        case "NS":
            return sum(_number_size(member) for member in content)
        case "BS":
            return sum(len(_binary(member)) for member in content)
        case "L":
            return 3 + sum(1 + value_size(member) for member in content)
        case "M":
            return 3 + sum(1 + len(name.encode()) + value_size(member) for name, member in content.items())
    return 1


def _number_size(text: str) -> int:
    digits = text.lstrip("-").replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")


def item_size(item: Item) -> int:
    """Size of an item in bytes, the figure the 400 KB limit and the capacity units are counted from."""
    size = 0
    for name, value in item.items():
        # Most attributes are text or numbers, most names and much text are ASCII; asked as often as the above.
        size += len(name) if name.isascii() else len(name.encode())
        if (text := value.get("S")) is not None:
            size += len(text) if text.isascii() else len(text.encode())
        elif (number := value.get("N")) is not None:
            size += _number_size(number)
        else:
            size += value_size(value)
    return size


def comparable(value: AttributeValue) -> tuple[str, Any]:
    """The type of a value and something Python orders the way DynamoDB does (UTF-8 order equals code point order)."""
    ((kind, content),) = value.items()
    if kind == "N":
        return kind, Decimal(content)
    if kind == "B":
        return kind, _binary(content)
    return kind, content


def key_bytes(value: AttributeValue) -> bytes:
    """Bytes whose order is the order of the keys: S and B as they are, N by sign, exponent and digits."""
    ((kind, content),) = value.items()
    if kind == "S":
        return str(content).encode()
    if kind == "B":
        return _binary(content)
    number = Decimal(content)
    if not number:
        return b"\x80"
    magnitude = (number.adjusted() + _EXPONENT_BIAS).to_bytes(2, "big")
    magnitude += bytes(digit + 1 for digit in number.normalize(_EXACT).as_tuple().digits) + b"\0"
    return b"\x81" + magnitude if number > 0 else b"\x7f" + bytes(255 - byte for byte in magnitude)
