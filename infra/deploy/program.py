"""Running the program's own use cases against a deployed stage, from this machine and with its operator's rights."""

from __future__ import annotations

import os

from infra.deploy.account import Account
from infra.deploy.stacks import Stacks
from infra.deploy.stages import Stage
from infra.launcher.errors import SetupError

_VARIABLES = {
    "SITE_BUCKET": "SiteBucket",
    "FILES_BUCKET": "FilesBucket",
    "SECRET_PARAMETER": "SecretParameter",
}


def use_stage(account: Account, stage: Stage) -> None:
    """Let the program, which must not be imported yet, work on this stage. Raises SetupError if it is not there."""
    outputs = Stacks(account.client("cloudformation")).outputs(stage.stack("data"))
    settings = {name: outputs[output] for name, output in _VARIABLES.items()}
    for output, value in outputs.items():
        if output.startswith("Table"):
            settings[f"TABLE_{output.removeprefix('Table').upper()}"] = value
    settings |= {"STAGE": stage.name, "AWS_REGION": account.region, "AWS_DEFAULT_REGION": account.region}
    names = account.client("ssm").get_parameters(Names=[outputs["SecretParameter"]])["Parameters"]
    if not names:
        raise SetupError(f"the stage {stage.name} has no secret yet; deploy it first")
    os.environ.update(settings)
