"""Bytes or text to JSON values, with everything that strict readers refuse: duplicate keys, NaN, broken UTF-8."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NoReturn

from chalicelib.rules.faults import DocumentFaults, Fault, FaultCode

BYTE_ORDER_MARK: Final = "\ufeff"
HUGE: Final = 10**30
"""Stands for an integer with more digits than Python reads: every bound of a document is far below it."""


class Redoubled(dict[str, Any]):
    """A JSON object in which a name stands more than once; the last value wins, ``names`` are the repeated ones."""

    names: tuple[str, ...] = ()


def decode(document: str | bytes) -> Any:
    """The JSON value of a document. Numbers with a fraction or an exponent become ``Decimal``.

    Raises ``DocumentFaults`` with the one fault ``/ not_json`` when the text is not UTF-8 or not JSON, when it holds
    NaN or Infinity, or when it is nested too deeply to be read.
    """
    try:
        text = document if isinstance(document, str) else document.decode("utf-8")
        text = text.removeprefix(BYTE_ORDER_MARK)
        try:
            return _load(text, None)
        except (json.JSONDecodeError, DocumentFaults):
            raise
        except ValueError:
            # int() refuses more than 4300 digits; such a number is JSON, so it has to reach its bound.
            return _load(text, _integer)
    except UnicodeDecodeError:
        raise _not_json("the document is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _not_json(f"the document is not JSON: it breaks off or goes wrong at {where}") from None
    except RecursionError:
        raise _not_json("the document is nested too deeply") from None


def _load(text: str, parse_int: Any) -> Any:
    return json.loads(
        text,
        object_pairs_hook=_object,
        parse_float=_decimal,
        parse_constant=_constant,
        parse_int=parse_int,
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    redoubled = Redoubled(plain)
    seen: set[str] = set()
    repeated: dict[str, None] = {}
    for name, _ in pairs:
        if name in seen:
            repeated[name] = None
        seen.add(name)
    redoubled.names = tuple(repeated)
    return redoubled


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        return Decimal(HUGE)


def _integer(digits: str) -> int:
    if len(digits) <= 30:
        return int(digits)
    return -HUGE if digits.startswith("-") else HUGE


def _constant(name: str) -> NoReturn:
    # Where it stands is not told to us, so the sentence names the word itself.
    raise _not_json(f"the document is not JSON: {name} is no number")


def _not_json(message: str) -> DocumentFaults:
    return DocumentFaults([Fault("/", FaultCode.NOT_JSON, message)])
