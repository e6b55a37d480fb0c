"""Fixtures of the local stack's tests, and the known deviations as strict expected failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.engine import Engine
from tests.local.backends import NAMES, Store, clients, fresh_store
from tests.local.deviations import DEVIATIONS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        backend = getattr(getattr(item, "callspec", None), "params", {}).get("backend")
        if backend:
            # pytest names a case test[backend-case] or test[backend]; the data names it without the backend.
            name = item.name.replace(f"[{backend}-", "[").removesuffix(f"[{backend}]")
            reason = DEVIATIONS.get(backend, {}).get(name)
            if reason:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(scope="session", params=NAMES)
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A backend's name and clients; started once."""
    with clients(request.param, tmp_path_factory.mktemp(request.param)) as pair:
        yield request.param, pair


@pytest.fixture
def store(backend: Any) -> Iterator[Store]:
    """A fresh table on each backend in turn."""
    name, (dynamodb, streams) = backend
    fresh = fresh_store(name, dynamodb, streams)
    yield fresh
    dynamodb.delete_table(TableName=fresh.table)


@pytest.fixture
def engine(tmp_path: Any) -> Iterator[Engine]:
    """An engine on a file of its own."""
    opened = Engine(tmp_path / "store.sqlite")
    yield opened
    opened.close()
