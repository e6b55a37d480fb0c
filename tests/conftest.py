"""What all tests share: a world whose store is the local engine, fresh for each test.

The engine answers the product's own boto3 and PynamoDB calls (infra/local/engine/hook.py), so services and routes
run unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chalicelib.services.world import use
from infra.local.engine import Engine
from infra.local.engine.hook import plug_in, plugged_in
from tests.support.file_rights import WatchedFiles, files_not_allowed
from tests.support.interruptions import Stage
from tests.support.permissions import not_allowed
from tests.support.tables import create_tables
from tests.support.world import SECRET, FakeClock, Outbox, SeededRandomness, TestWorld

# Asked for when a client is made, never sent anywhere.
os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
os.environ.setdefault("AWS_ACCESS_KEY_ID", "local")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "local")
plug_in(None)  # botocore sessions made before the first call would go to the network


@pytest.fixture
def clock() -> FakeClock:
    """The time of this test, set by hand."""
    return FakeClock()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A fresh store with all tables, answering every DynamoDB call of the process."""
    engine = Engine(tmp_path / "store.sqlite")
    create_tables(engine)
    with plugged_in(engine):
        yield engine
    engine.close()
    # Routes and workers carry their function's name: in AWS its policy would have to let them.
    assert not_allowed(engine.recorder.usage()) == []


@pytest.fixture
def world(engine: Engine, clock: FakeClock, tmp_path: Path) -> Iterator[TestWorld]:
    """The world of this test, also the one that routes and workers find."""
    outbox, files = Outbox(), WatchedFiles(tmp_path / "files", SECRET)
    world = TestWorld(
        secret=SECRET,
        files=files,
        sms=outbox,
        clock=clock,
        random=SeededRandomness(),
        sleep=lambda seconds: None,
        secure_cookies=False,
        time=clock,
        outbox=outbox,
    )
    use(world)
    yield world
    use(None)
    assert files_not_allowed(files.seen) == []


@pytest.fixture
def stages(tmp_path: Path) -> Iterator[Callable[[], Stage]]:
    """Makes one fresh stage after the other."""
    made: list[Stage] = []

    def make() -> Stage:
        path = tmp_path / str(len(made))
        path.mkdir()
        made.append(Stage(path))
        return made[-1]

    yield make
    for stage in made:
        stage.engine.close()
    use(None)
