"""The data that a command works on: those of this machine, or of a stage in AWS."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from chalicelib.services.world import World, current
from infra.deploy.account import Account, asking_aws
from infra.deploy.program import use_stage
from infra.deploy.stages import stage_named
from infra.launcher.paths import ROOT


@contextmanager
def world_of(stage: str | None) -> Iterator[World]:
    """The world of a deployed stage, or (None) of DATA on this machine, ready to use for a block.

    The program reads the names of its tables when its store is imported: import use cases within the block only.
    """
    if stage is not None:
        with asking_aws():
            use_stage(Account(), stage_named(stage))
            yield current()
        return
    from infra.local.runner import read_settings
    from infra.local.stack import build_stack

    os.environ.setdefault("DATA", str(ROOT / "data"))
    stack = build_stack(read_settings(os.environ).data)
    try:
        yield current()
    finally:
        stack.stop()
