"""The record of a request: a reply is given again, another request under the same key is refused."""

from __future__ import annotations

import pytest

from chalicelib.services.once import AlreadyDone, Once, once, transaction
from chalicelib.services.problems import Problem
from chalicelib.store.events import Counter
from tests.support.world import TestWorld


def count(world: TestWorld, call: Once, reply: object = None) -> None:
    work = transaction(world)
    call.record(work, reply, world)
    work.update(Counter("event", "COUNTER#x"), [Counter.value.add(1)])
    work.commit()


def counted() -> int:
    return int(Counter.get("event", "COUNTER#x").value)


def call(key: str = "key-number-1", path: str = "/", body: bytes = b"{}", caller: str = "account:a") -> Once:
    return once(caller, key, "POST", path, body, 201)


def test_the_reply_is_given_again_as_it_was(world: TestWorld) -> None:
    reply = {"名": ["甲", 1, None, 1.5, True]}
    count(world, call(), reply)
    with pytest.raises(AlreadyDone) as done:
        count(world, call(), {"another": "reply"})
    assert (done.value.given.status, done.value.given.body) == (201, reply)
    assert call().earlier_reply() == done.value.given
    assert counted() == 1


@pytest.mark.parametrize("other", [call(path="/other"), call(body=b"{ }")])
def test_the_key_of_another_request(world: TestWorld, other: Once) -> None:
    count(world, call())
    for act in (lambda: count(world, other), other.earlier_reply):
        with pytest.raises(Problem) as refusal:
            act()
        assert refusal.value.code == "key_reused"
    assert counted() == 1


def test_keys_of_other_callers_and_new_keys_are_free(world: TestWorld) -> None:
    count(world, call())
    count(world, call(caller="account:b"))
    count(world, call(key="key-number-2"))
    assert counted() == 3
    assert call(key="key-number-3").earlier_reply() is None


@pytest.mark.parametrize("key", ["", None])
def test_a_missing_key(key: str | None) -> None:
    with pytest.raises(Problem) as refusal:
        once("account:a", key, "POST", "/", b"", 200)
    assert refusal.value.code == "key_missing"


@pytest.mark.parametrize("key", ["short", "x" * 65, "with space", "ключ-ключ", "semi;colon", "new\nline-x"])
def test_a_key_of_the_wrong_shape(key: str) -> None:
    with pytest.raises(Problem) as refusal:
        once("account:a", key, "POST", "/", b"", 200)
    assert refusal.value.code == "key_invalid"
