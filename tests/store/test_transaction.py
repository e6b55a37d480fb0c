"""Transactions: all or nothing, the right refusal, retries that neither lose nor double anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pynamodb.exceptions import UpdateError

from chalicelib.store.events import Counter
from chalicelib.store.transaction import ATTEMPTS, MOST_STEPS, Busy, Transaction, patiently
from infra.local.engine import Engine, Fault, Faults


class Refused(Exception):
    """A refusal that says which step it came from."""


def refusal(name: str) -> Any:
    return lambda old: Refused(name, None if old is None else old["value"]["N"])


@pytest.fixture
def tokens() -> Iterator[str]:
    return (f"token-of-a-transaction-{number:06d}" for number in range(1_000_000))


@pytest.fixture
def pauses() -> list[float]:
    return []


def begin(tokens: Iterator[str], pauses: list[float]) -> Transaction:
    return Transaction(next(tokens), pauses.append, lambda: 0.5)


def counter(name: str, value: int = 0) -> Counter:
    return Counter("event", f"COUNTER#{name}", value=value)


def value(name: str) -> int | None:
    try:
        return int(Counter.get("event", f"COUNTER#{name}", consistent_read=True).value)
    except Counter.DoesNotExist:
        return None


def test_everything_or_nothing(engine: Engine, tokens: Iterator[str], pauses: list[float]) -> None:
    counter("there", 5).save()
    work = begin(tokens, pauses)
    work.put(counter("new", 1), Counter.pk.does_not_exist(), refusal("new"))
    work.update(counter("there"), [Counter.value.add(1)], Counter.value == 6, refusal("there"))
    with pytest.raises(Refused) as refused:
        work.commit()
    assert refused.value.args == ("there", "5")
    assert (value("new"), value("there")) == (None, 5)


@pytest.mark.parametrize("order", [("put", "update", "check", "delete"), ("delete", "check", "update", "put")])
def test_the_first_step_that_was_added_decides_the_refusal(
    engine: Engine, tokens: Iterator[str], pauses: list[float], order: tuple[str, ...]
) -> None:
    for name in ("put", "update", "check", "delete"):
        counter(name, 1).save()
    no = Counter.value == 2
    work = begin(tokens, pauses)
    for kind in order:
        if kind == "put":
            work.put(counter("put", 3), no, refusal("put"))
        elif kind == "update":
            work.update(counter("update"), [Counter.value.add(1)], no, refusal("update"))
        elif kind == "check":
            work.check(counter("check"), no, refusal("check"))
        else:
            work.delete(counter("delete"), no, refusal("delete"))
    with pytest.raises(Refused) as refused:
        work.commit()
    assert refused.value.args[0] == order[0]


def test_a_refusal_sees_that_nothing_was_there(engine: Engine, tokens: Iterator[str], pauses: list[float]) -> None:
    work = begin(tokens, pauses)
    work.update(counter("none"), [Counter.value.add(1)], Counter.pk.exists(), refusal("none"))
    with pytest.raises(Refused) as refused:
        work.commit()
    assert refused.value.args == ("none", None)


@pytest.mark.parametrize("fault", [Fault.TRANSACTION_CONFLICT, Fault.LOST_REPLY, Fault.THROTTLING])
def test_conflicts_throttling_and_lost_replies_have_one_effect(
    engine: Engine, tokens: Iterator[str], pauses: list[float], fault: Fault
) -> None:
    engine.faults = Faults(3, {fault: 0.3})
    for _ in range(20):
        work = begin(tokens, pauses)
        work.update(counter("sum"), [Counter.value.add(1)])
        work.commit()
    injected = engine.faults.injected[fault]
    engine.faults = None
    assert injected > 2
    assert value("sum") == 20


def test_pauses_grow_and_have_an_end(engine: Engine, tokens: Iterator[str], pauses: list[float]) -> None:
    engine.faults = Faults(1, {Fault.TRANSACTION_CONFLICT: 1})
    work = begin(tokens, pauses)
    work.update(counter("sum"), [Counter.value.add(1)])
    with pytest.raises(Busy):
        work.commit()
    engine.faults = None
    assert value("sum") is None
    assert len(pauses) == ATTEMPTS
    assert pauses == sorted(pauses)
    assert pauses[-1] <= 1


def test_a_transaction_without_steps_does_nothing(engine: Engine, tokens: Iterator[str], pauses: list[float]) -> None:
    engine.recorder.clear()
    begin(tokens, pauses).commit()
    assert engine.recorder.requests() == {}


def test_more_steps_than_the_store_takes_are_a_mistake_of_ours(
    engine: Engine, tokens: Iterator[str], pauses: list[float]
) -> None:
    work = begin(tokens, pauses)
    for number in range(MOST_STEPS + 1):
        work.put(counter(str(number)))
    with pytest.raises(ValueError, match="at most 100"):
        work.commit()
    assert value("0") is None


def test_a_single_write_waits_for_a_transaction_and_keeps_its_condition(engine: Engine, pauses: list[float]) -> None:
    engine.faults = Faults(2, {Fault.WRITE_CONFLICT: 0.5, Fault.THROTTLING: 0.1})
    item = counter("sum")
    for _ in range(20):
        patiently(lambda: item.update(actions=[Counter.value.add(1)]), pauses.append, lambda: 0.5)
    assert engine.faults.injected[Fault.WRITE_CONFLICT] > 3
    assert value("sum") == 20
    with pytest.raises(UpdateError):
        patiently(
            lambda: item.update(actions=[Counter.value.add(1)], condition=Counter.value == 1),
            pauses.append,
            lambda: 0.5,
        )
    engine.faults = Faults(2, {Fault.WRITE_CONFLICT: 1})
    with pytest.raises(Busy):
        patiently(lambda: item.update(actions=[Counter.value.add(1)]), pauses.append, lambda: 0.5)
