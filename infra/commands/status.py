"""`guanjun status STAGE`: how a deployed stage is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from infra.deploy.account import Account, asking_aws
from infra.deploy.stages import STAGES, stage_named
from infra.deploy.status import status


def run(arguments: Sequence[str]) -> int:
    """Returns 0. Raises SetupError when AWS cannot be asked."""
    parser = argparse.ArgumentParser(prog="guanjun status", description="How a deployed stage is.")
    parser.add_argument("stage", help=" or ".join(STAGES))
    parser.add_argument("--region", help="instead of AWS_REGION")
    given = parser.parse_args(arguments)
    stage, account = stage_named(given.stage), Account(given.region)
    print(f"account {account.number}, region {account.region}")
    with asking_aws():
        for line in status(account, stage):
            print(line)
    return 0
