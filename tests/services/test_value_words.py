"""What is wrong with a value is said in both languages, for every message that the routes' bodies can give."""

from __future__ import annotations

import copy
import doctest
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from chalicelib.services import value_words as module
from chalicelib.services.settings import Settings
from chalicelib.services.value_words import value_words
from tests.api.routes import BODIES, all_routes

WRONG: list[Any] = [{}, [], 1.5, 0.3, "x" * 100_000, "", " ", -1, 10**18, 1e300, True, None]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from places(inner, (*path, key))


def messages(body: Any, wanted: Any) -> Iterator[str]:
    for path in places(body):
        for value in WRONG:
            changed = copy.deepcopy(body)
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = value
            try:
                msgspec.convert(changed, wanted)
            except msgspec.ValidationError as error:
                yield str(error).partition(" - at `")[0]
    for odd in ({**body, "surprise": 1}, {}):
        try:
            msgspec.convert(odd, wanted)
        except msgspec.ValidationError as error:
            yield str(error).partition(" - at `")[0]


def test_no_programmers_english_reaches_a_reader() -> None:
    seen = {text for route in all_routes() if route.body for text in messages(BODIES[route.name], route.body)}
    seen |= set(messages(msgspec.to_builtins(Settings("周三夜赛", "pairs", criteria=["match_points"])), Settings))
    assert len(seen) > 40
    untold = [text for text in seen if text in value_words(text) or "`" in "".join(value_words(text))]
    assert untold == []


@pytest.mark.parametrize(
    ("message", "chinese", "english"),
    [
        ("Expected `str` of length <= 60", "最多 60 个字", "must not have more than 60 characters"),
        ("Expected `float` <= 1000.0", "不能大于 1000", "must not be more than 1000"),
        ("Expected `float` that's a multiple of 0.5", "须是 0.5 的倍数", "must be a multiple of 0.5"),
        ("Invalid enum value 'x'", "没有这个选项", "is none of the choices"),
        ("Object missing required field `name`", "缺少“name”", "'name' is missing"),
    ],
)
def test_words(message: str, chinese: str, english: str) -> None:
    assert value_words(message) == (chinese, english)


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0
