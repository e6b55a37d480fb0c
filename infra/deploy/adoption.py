"""Taking a stage down without losing anything, and building the next one around what was kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from infra.deploy.account import Account
from infra.deploy.stacks import Stacks
from infra.deploy.stages import Stage
from infra.deploy.templates import Template, parameters_of

_IDENTIFIERS = {"AWS::DynamoDB::Table": "TableName", "AWS::S3::Bucket": "BucketName"}


def parameter_of(stage: Stage) -> str:
    """Where the names of what was kept stand, between a destruction and the next deployment."""
    return f"/guanjun/{stage.name}/kept"


def remember(account: Account, stage: Stage, template: Template, stacks: Stacks) -> list[str]:
    """Write down what of the data stack will stay when it is deleted; returns the physical names."""
    there = stacks.resources(stage.stack("data"))
    kept: list[dict[str, Any]] = [
        {
            "ResourceType": kind,
            "LogicalResourceId": name,
            "ResourceIdentifier": {_IDENTIFIERS[kind]: physical},
        }
        for name, (kind, physical) in there.items()
        if template["Resources"].get(name, {}).get("DeletionPolicy") == "Retain"
    ]
    account.client("ssm").put_parameter(
        Name=parameter_of(stage), Value=json.dumps(kept), Type="String", Tier="Intelligent-Tiering", Overwrite=True
    )
    return [next(iter(each["ResourceIdentifier"].values())) for each in kept]


def adopt(
    account: Account,
    stage: Stage,
    template: Template,
    values: Mapping[str, str],
    stacks: Stacks,
    say: Callable[[str], None],
) -> None:
    """Make the data stack around what an earlier one left, if it left something. Does nothing otherwise."""
    ssm = account.client("ssm")
    found = ssm.get_parameters(Names=[parameter_of(stage)])["Parameters"]
    if not found or stacks.find(stage.stack("data")) is not None:
        return
    kept: list[dict[str, Any]] = json.loads(found[0]["Value"])
    names = {each["LogicalResourceId"] for each in kept}
    # An import may bring nothing but what is imported; the update that follows adds the rest and the outputs.
    only_kept = {
        **{key: value for key, value in template.items() if key != "Outputs"},
        "Resources": {name: resource for name, resource in template["Resources"].items() if name in names},
    }
    stacks.adopt(stage.stack("data"), only_kept, parameters_of(only_kept, values), kept)
    ssm.delete_parameter(Name=parameter_of(stage))
    say(f"{stage.stack('data')}: {len(kept)} tables and buckets of an earlier deployment adopted")
