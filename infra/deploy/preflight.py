"""What has to be right before anything is touched: credentials, region, quotas, stacks that can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from infra.deploy.account import AWS_ERRORS, Account
from infra.deploy.stacks import Stacks
from infra.deploy.stages import Stage
from infra.launcher.errors import SetupError

# A national event's final whistle: some 2,500 tables in a few seconds, each request some 50 ms.
ENOUGH_FUNCTIONS = 200
PARTS = ("data", "app", "edge", "watch")


class Level(StrEnum):
    """How bad a finding is: ``stop`` forbids to deploy, ``warning`` should be known."""

    OK = "ok"
    WARNING = "warning"
    STOP = "stop"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    level: Level
    text: str

    def __str__(self) -> str:
        return f"{self.level.upper():<8} {self.text}"


def preflight(account: Account, stage: Stage) -> list[Finding]:
    """Everything worth knowing, in order; nothing is changed. Without credentials the rest cannot be asked."""
    findings = list(_place(account))
    if any(finding.level is Level.STOP for finding in findings):
        return findings
    return [*findings, *_functions(account), *_messages(account), *_stacks(account, stage)]


def _place(account: Account) -> Iterator[Finding]:
    try:
        region = account.region
        if account.partition == "aws-cn":
            yield Finding(
                Level.STOP,
                f"{region} is in China: an own domain with an ICP filing and a certificate uploaded to IAM are needed "
                "there, which this tool does not do; see docs/deploy.md, Regions",
            )
            return
        yield Finding(Level.OK, f"account {account.number}, region {region}")
    except SetupError as error:
        yield Finding(Level.STOP, str(error))


def _functions(account: Account) -> Iterator[Finding]:
    try:
        most = int(account.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"])
    except AWS_ERRORS as error:
        yield Finding(Level.WARNING, f"the quota of concurrent Lambda functions cannot be read: {error}")
        return
    level = Level.OK if most >= ENOUGH_FUNCTIONS else Level.WARNING
    more = (
        "" if level is Level.OK else f"; a national event wants {ENOUGH_FUNCTIONS}, ask for more under Service Quotas"
    )
    yield Finding(level, f"{most} Lambda functions may run at once{more}")


def _messages(account: Account) -> Iterator[Finding]:
    try:
        sandboxed = bool(account.client("sns").get_sms_sandbox_account_status()["IsInSandbox"])
    except AWS_ERRORS as error:
        yield Finding(Level.WARNING, f"whether text messages may be sent cannot be read: {error}")
        return
    if sandboxed:
        yield Finding(
            Level.WARNING,
            "text messages reach verified numbers only (SMS sandbox): ask AWS Support to leave it, and for a sender "
            "registered for mainland China",
        )
    else:
        yield Finding(Level.OK, "text messages may be sent to anybody")


def _stacks(account: Account, stage: Stage) -> Iterator[Finding]:
    stacks = Stacks(account.client("cloudformation"))
    for part in PARTS:
        name = stage.stack(part)
        found = stacks.find(name)
        if found is None:
            yield Finding(Level.OK, f"{name} will be made")
        elif found.usable or found.status == "ROLLBACK_COMPLETE":
            yield Finding(Level.OK, f"{name} is there ({found.status})")
        else:
            yield Finding(
                Level.STOP,
                f"{name} is {found.status}: wait, or continue its rollback in the console of CloudFormation",
            )
