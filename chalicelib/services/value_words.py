"""What is wrong with a value, in words for people: msgspec's messages are for programmers and English only."""

from __future__ import annotations

import re
from typing import Final

Words = tuple[str, str]
"""Chinese and English."""

_KINDS: Final[dict[str, Words]] = {
    "str": ("文字", "text"),
    "int": ("整数", "a whole number"),
    "float": ("数字", "a number"),
    "bool": ("是或否", "true or false"),
    "array": ("列表", "a list"),
    "object": ("一组值", "a group of values"),
    "null": ("空", "empty"),
}
_LENGTH = re.compile(r"^Expected `(str|array)[^`]*` of length (>=|<=) (\d+)$")
_BOUND = re.compile(r"^Expected `(?:int|float)[^`]*` (>=|<=|>|<) (-?[\d.]+)$")
_MULTIPLE = re.compile(r"multiple of ([\d.]+)$")
_KIND = re.compile(r"^Expected `([^`]+)`, got `[^`]+`$")
_FIELD = re.compile(r"^Object (missing required|contains unknown) field `([^`]+)`$")
_BOUNDS: Final[dict[str, Words]] = {
    ">=": ("不能小于 {limit}", "must not be less than {limit}"),
    ">": ("须大于 {limit}", "must be more than {limit}"),
    "<=": ("不能大于 {limit}", "must not be more than {limit}"),
    "<": ("须小于 {limit}", "must be less than {limit}"),
}
_LENGTHS: Final[dict[tuple[str, str], Words]] = {
    ("str", ">="): ("至少要 {limit} 个字", "needs at least {limit} characters"),
    ("str", "<="): ("最多 {limit} 个字", "must not have more than {limit} characters"),
    ("array", ">="): ("至少要有 {limit} 项", "needs at least {limit} items"),
    ("array", "<="): ("最多 {limit} 项", "must not have more than {limit} items"),
}
_ONE_LINE: Final[Words] = ("须是一行文字，不能只有空格", "must be one line of text, not only spaces")
_FORM: Final[Words] = ("格式不正确", "has the wrong form")
_CHOICE: Final[Words] = ("没有这个选项", "is none of the choices")


def value_words(message: str) -> Words:
    """The message of a msgspec.ValidationError (without its place) in both languages.

    >>> value_words("Expected `int` >= 1")
    ('不能小于 1', 'must not be less than 1')
    >>> value_words("Expected `int | null`, got `str`")
    ('须是整数或空', 'must be a whole number or empty')
    """
    if found := _LENGTH.match(message):
        return _filled(_LENGTHS[found[1], found[2]], found[3])
    if found := _BOUND.match(message):
        return _filled(_BOUNDS[found[1]], found[2].removesuffix(".0"))
    if found := _MULTIPLE.search(message):
        return _filled(("须是 {limit} 的倍数", "must be a multiple of {limit}"), found[1])
    if found := _KIND.match(message):
        kinds = [_KINDS.get(kind, (kind, kind)) for kind in found[1].split(" | ")]
        return "须是" + "或".join(zh for zh, _ in kinds), "must be " + " or ".join(en for _, en in kinds)
    if found := _FIELD.match(message):
        missing = found[1] == "missing required"
        return (
            (f"缺少“{found[2]}”", f"'{found[2]}' is missing")
            if missing
            else (f"没有“{found[2]}”这一项", f"'{found[2]}' is unknown")
        )
    if "matching regex" in message:
        return _ONE_LINE if "x00-" in message else _FORM
    if message.startswith("Invalid enum value"):
        return _CHOICE
    return message, message


def _filled(words: Words, limit: str) -> Words:
    return words[0].format(limit=limit), words[1].format(limit=limit)
