"""Items written in bulk arrive as they were given: our client sends them without botocore's serializer."""

from __future__ import annotations

from typing import Any

import pytest
from moto import mock_aws

from chalicelib.store import bulk
from chalicelib.store.claims import claim_phones
from infra.local.engine import Engine
from tests.support.world import TestWorld

TABLE = "guanjun-local-entries"
ITEM: dict[str, Any] = {
    "pk": {"S": "event#0"},
    "sk": {"S": "ENTRY#00001"},
    "name": {"S": '海风 "一队" \\ 🀄\n'},
    "number": {"N": "1"},
    "body": {"B": bytes(range(256))},
    "late": {"BOOL": True},
    "club": {"NULL": True},
    "rooms": {"L": [{"N": "2"}, {"M": {"a": {"S": ""}}}]},
}


@pytest.fixture(params=["engine", "moto"])
def store(request: pytest.FixtureRequest) -> Any:
    """The entries table on the local engine, and on moto."""
    bulk.client.cache_clear()
    if request.param == "engine":
        request.getfixturevalue("world")
        yield
    else:
        with mock_aws():
            bulk.client().create_table(
                TableName=TABLE,
                BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            )
            yield
    bulk.client.cache_clear()


def test_items_come_back_as_they_were_given(store: None) -> None:
    others = [{**ITEM, "sk": {"S": f"ENTRY#{number:05d}"}} for number in range(2, 60)]
    bulk.put_items(TABLE, [ITEM, *others], _never, _never)
    assert list(bulk.query_partition(TABLE, "event#0")) == [ITEM, *others]
    bulk.delete_items(TABLE, [("event#0", item["sk"]["S"]) for item in others], _never, _never)
    assert list(bulk.query_partition(TABLE, "event#0")) == [ITEM]


def test_a_claim_is_refused_where_somebody_holds_the_phone(store: None) -> None:
    claims = [(f"index-{number}", number, 0) for number in range(1, 101)]
    assert claim_phones("event", "first", [], claims, "t" * 20, _never, _never) is None
    # An import that is not finished holds nothing; one that is, does.
    assert claim_phones("event", "second", [], claims[:1], "u" * 20, _never, _never) is None
    assert claim_phones("event", "third", ["first"], claims[:2], "v" * 20, _never, _never) == 1


def test_a_lost_reply_does_not_claim_twice(world: TestWorld, engine: Engine) -> None:
    claims = [("index-1", 1, 0)]
    for _ in range(2):
        assert claim_phones("event", "first", ["first"], claims, "t" * 20, world.sleep, world.random.fraction) is None


def _never(*_: Any) -> float:
    raise AssertionError("nothing is to be waited for")
