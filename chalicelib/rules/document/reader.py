"""Typed access to JSON values that notes a fault instead of raising, so that all faults of a document are named.

Every method takes the object that holds a field, the field's name and the object's path, and returns the value, its
default, or None after a fault. Messages never repeat what the document said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from chalicelib.rules.document.json_text import Redoubled
from chalicelib.rules.faults import Fault, FaultCode, Path, pointer

HIGHEST_NUMBER: Final = 100_000
LONGEST_TEXT: Final = 200
GREATEST_AMOUNT: Final = 1000
PHONE: Final = re.compile(r"|1[0-9]{10}|\+[0-9]{8,15}")

Choice = TypeVar("Choice", bound=StrEnum)


class Reader:
    """Collects the faults found while values are read."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, path: Path, code: FaultCode, message: str) -> None:
        """Note one fault at a path."""
        self.faults.append(Fault(pointer(path), code, message))

    def fields(self, value: Any, path: Path, allowed: frozenset[str]) -> dict[str, Any] | None:
        """The value as an object with no other fields than those allowed (others are noted and left out)."""
        if not isinstance(value, dict):
            self.fault(path, FaultCode.WRONG_TYPE, "must be an object")
            return None
        if isinstance(value, Redoubled):
            for name in value.names:
                self.fault((*path, name), FaultCode.DUPLICATE, "this field stands more than once in its object")
        if not value.keys() <= allowed:
            for name in value:
                if name not in allowed:
                    self.fault((*path, name), FaultCode.UNKNOWN_FIELD, "there is no such field here")
        return value

    def required(self, parent: Mapping[str, Any], name: str, path: Path) -> bool:
        """True when the field is there; else notes that it is missing."""
        if name in parent:
            return True
        self.fault((*path, name), FaultCode.MISSING, "this field is required")
        return False

    def array(self, parent: Mapping[str, Any], name: str, path: Path) -> list[Any]:
        """The field as a list; an empty list when it is missing or wrong."""
        if name not in parent:
            return []
        value = parent[name]
        if isinstance(value, list):
            return value
        self.fault((*path, name), FaultCode.WRONG_TYPE, "must be a list")
        return []

    def whole(self, value: Any, path: Path, low: int = 1, high: int = HIGHEST_NUMBER) -> int | None:
        """A value as an integer within its bounds."""
        if type(value) is int:
            if low <= value <= high:
                return value
            self.fault(path, FaultCode.OUT_OF_RANGE, f"must be an integer from {low} to {high}")
        else:
            self.fault(path, FaultCode.WRONG_TYPE, "must be an integer")
        return None

    def integer(
        self, parent: Mapping[str, Any], name: str, path: Path, low: int = 1, high: int = HIGHEST_NUMBER
    ) -> int | None:
        """A required integer field."""
        return self.whole(parent[name], (*path, name), low, high) if self.required(parent, name, path) else None

    def optional_integer(self, parent: Mapping[str, Any], name: str, path: Path, low: int = 1) -> int | None:
        """An integer field that may be null or missing."""
        value = parent.get(name)
        return None if value is None else self.whole(value, (*path, name), low)

    def words(self, value: Any, path: Path) -> str | None:
        """A value as text that can be stored and shown, of at most 200 characters."""
        if not isinstance(value, str):
            self.fault(path, FaultCode.WRONG_TYPE, "must be text")
            return None
        if len(value) > LONGEST_TEXT:
            self.fault(path, FaultCode.OUT_OF_RANGE, f"must have at most {LONGEST_TEXT} characters")
            return None
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            self.fault(path, FaultCode.OUT_OF_RANGE, "holds half of a surrogate pair, which is no character")
            return None
        return value

    def text(self, parent: Mapping[str, Any], name: str, path: Path, default: str = "") -> str:
        """A text field; its default when missing or wrong."""
        if name not in parent:
            return default
        value = self.words(parent[name], (*path, name))
        return default if value is None else value

    def optional_text(self, parent: Mapping[str, Any], name: str, path: Path) -> str | None:
        """A text field that may be null or missing."""
        value = parent.get(name)
        return None if value is None else self.words(value, (*path, name))

    def phone(self, parent: Mapping[str, Any], name: str, path: Path) -> str:
        """A telephone number: empty, 11 digits beginning with 1, or ``+`` and 8 to 15 digits."""
        value = self.text(parent, name, path)
        if PHONE.fullmatch(value):
            return value
        self.fault(
            (*path, name), FaultCode.OUT_OF_RANGE, "must be empty, 11 digits beginning with 1, or + and 8 to 15 digits"
        )
        return ""

    def switch(self, parent: Mapping[str, Any], name: str, path: Path, default: bool = False) -> bool:
        """A true-or-false field."""
        value = parent.get(name, default)
        if isinstance(value, bool):
            return value
        self.fault((*path, name), FaultCode.WRONG_TYPE, "must be true or false")
        return default

    def amount(self, value: Any, path: Path) -> Fraction | None:
        """A value as a multiple of 0.5 from -1000 to 1000."""
        if type(value) is not int and not isinstance(value, Decimal):
            self.fault(path, FaultCode.WRONG_TYPE, "must be a number")
            return None
        if -GREATEST_AMOUNT <= value <= GREATEST_AMOUNT:
            # Comparing is exact and quick however many digits the number has; a Fraction of it need not be.
            nearest = Fraction(round(float(value) * 2), 2)
            if value == Decimal(nearest.numerator) / nearest.denominator:
                return nearest
        self.fault(
            path,
            FaultCode.OUT_OF_RANGE,
            f"must be a multiple of 0.5 from {-GREATEST_AMOUNT} to {GREATEST_AMOUNT}",
        )
        return None

    def number(self, parent: Mapping[str, Any], name: str, path: Path, default: Fraction) -> Fraction:
        """A field that is a multiple of 0.5; its default when missing or wrong."""
        if name not in parent:
            return default
        value = self.amount(parent[name], (*path, name))
        return default if value is None else value

    def choice(
        self, parent: Mapping[str, Any], name: str, path: Path, choices: type[Choice], default: Choice
    ) -> Choice:
        """A field that is one of a few words; its default when missing or wrong."""
        if name not in parent:
            return default
        value = self.chosen(parent[name], (*path, name), choices)
        return default if value is None else value

    def chosen(self, value: Any, path: Path, choices: type[Choice]) -> Choice | None:
        """A value as one of a few words."""
        if not isinstance(value, str):
            self.fault(path, FaultCode.WRONG_TYPE, "must be text")
            return None
        try:
            return choices(value)
        except ValueError:
            offered = ", ".join(choices)
            self.fault(path, FaultCode.OUT_OF_RANGE, f"must be one of {offered}")
            return None
