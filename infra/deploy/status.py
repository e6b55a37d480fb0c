"""How a stage is: its stacks, its address, the program it runs, what rings, what was given up."""

from __future__ import annotations

from collections.abc import Iterator

from infra.deploy.account import GLOBAL_REGION, Account
from infra.deploy.stacks import Stacks
from infra.deploy.stages import Stage


def status(account: Account, stage: Stage) -> Iterator[str]:
    """One line for each thing worth knowing."""
    stacks = Stacks(account.client("cloudformation"))
    values: dict[str, str] = {}
    for part in ("data", "app", "edge", "watch"):
        found = stacks.find(stage.stack(part))
        yield f"{stage.stack(part):<22} {'is not there' if found is None else found.status}"
        values.update(found.outputs if found is not None else {})
    waf = Stacks(account.client("cloudformation", GLOBAL_REGION)).find(stage.stack("waf"))
    yield f"{stage.stack('waf'):<22} {'off' if waf is None else waf.status}"
    if "Address" in values:
        yield f"address                {values['Address']}"
    if "ApiFunction" in values:
        told = account.client("lambda").get_function_configuration(FunctionName=values["ApiFunction"])
        yield f"program                since {told['LastModified']}, {told['Runtime']}, {told['MemorySize']} MB"
    if "FailuresBucket" in values:
        yield f"batches given up       {_count(account, values['FailuresBucket'])}"
    yield from _alarms(account, stage, stacks)


def _count(account: Account, bucket: str) -> str:
    kept = account.client("s3").list_objects_v2(Bucket=bucket)
    return f"{kept.get('KeyCount', 0)}{'+' if kept.get('IsTruncated') else ''} (docs/runbook.md, GaveUp)"


def _alarms(account: Account, stage: Stage, stacks: Stacks) -> Iterator[str]:
    if stacks.find(stage.stack("watch")) is None:
        return
    resources = stacks.resources(stage.stack("watch"))
    names = [physical for kind, physical in resources.values() if kind == "AWS::CloudWatch::Alarm"]
    alarms = account.client("cloudwatch").describe_alarms(AlarmNames=names)["MetricAlarms"]
    ringing = [alarm for alarm in alarms if alarm["StateValue"] == "ALARM"]
    yield f"alarms                 {len(ringing)} of {len(alarms)} ring"
    for alarm in ringing:
        yield f"  {alarm['AlarmName']}: {alarm.get('AlarmDescription', '')}"
