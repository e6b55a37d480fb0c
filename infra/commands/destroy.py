"""`guanjun destroy STAGE --confirm STAGE [--data-stack]`: take a stage down; tables and files stay."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from infra.deploy.account import Account, asking_aws
from infra.deploy.destroying import destroy
from infra.deploy.stages import STAGES, stage_named
from infra.launcher.errors import SetupError


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when it is down. Raises SetupError when the stage's name was not repeated."""
    parser = argparse.ArgumentParser(prog="guanjun destroy", description="Take a stage down; tables and files stay.")
    parser.add_argument("stage", help=" or ".join(STAGES))
    parser.add_argument("--confirm", metavar="STAGE", help="the stage's name once more")
    parser.add_argument("--data-stack", action="store_true", help="the stack of the tables too; the tables stay")
    parser.add_argument("--region", help="instead of AWS_REGION")
    given = parser.parse_args(arguments)
    stage, account = stage_named(given.stage), Account(given.region)
    if given.confirm != stage.name:
        raise SetupError(
            f"this takes {stage.name} off the air (region {account.region}); to do so add --confirm {stage.name}"
        )
    print(f"account {account.number}, region {account.region}")
    with asking_aws():
        destroy(account, stage, data_stack=given.data_stack)
    return 0
