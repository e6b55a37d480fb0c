"""CloudFormation stacks: made and changed by change sets, so that a dry run sees exactly what a real one would do."""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from infra.launcher.errors import SetupError

MOST_SECONDS = 3600.0
# A template up to this size travels in the request; a larger one is read from the code bucket.
MOST_INLINE_BYTES = 51_200
_UNCHANGED = ("didn't contain changes", "No updates are to be performed")
_USABLE = (
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_COMPLETE",
)
_CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]


@dataclass(frozen=True)
class Change:
    """One resource of a change set; ``replaced``: made anew, which loses what was in it."""

    action: str
    name: str
    kind: str
    replaced: bool

    def __str__(self) -> str:
        return f"{self.action:<7} {self.name} ({self.kind})" + (" - REPLACED" if self.replaced else "")


@dataclass(frozen=True)
class Found:
    """A stack as it stands."""

    status: str
    parameters: Mapping[str, str]
    outputs: Mapping[str, str]

    @property
    def usable(self) -> bool:
        """Whether it can be changed."""
        return self.status in _USABLE


class Stacks:
    """The stacks of an account."""

    def __init__(
        self, client: Any, pause: float = 3.0, clock: Callable[[], float] = time.monotonic, sleep: Any = time.sleep
    ) -> None:
        """``client``: CloudFormation's; ``pause``: seconds between two looks at something under way."""
        self._client = client
        self._pause = pause
        self._clock = clock
        self._sleep = sleep

    def find(self, name: str) -> Found | None:
        """The stack, None where there is none (or only the shell that a cancelled change set leaves)."""
        try:
            (stack,) = self._client.describe_stacks(StackName=name)["Stacks"]
        except ClientError as error:
            if "does not exist" in str(error):
                return None
            raise
        if stack["StackStatus"] in ("REVIEW_IN_PROGRESS", "DELETE_COMPLETE"):
            return None
        return Found(
            stack["StackStatus"],
            {each["ParameterKey"]: each.get("ParameterValue", "") for each in stack.get("Parameters", ())},
            {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", ())},
        )

    def outputs(self, name: str) -> dict[str, str]:
        """The outputs of a stack that must be there. Raises SetupError."""
        found = self.find(name)
        if found is None:
            raise SetupError(f"there is no stack {name} in this account and region; deploy first")
        return dict(found.outputs)

    def changes(
        self, name: str, template: Mapping[str, Any], parameters: Mapping[str, str], url: str = ""
    ) -> list[Change]:
        """What :meth:`apply` would do; nothing is done."""
        if self.find(name) is None:
            kinds = [(each, resource["Type"]) for each, resource in template["Resources"].items()]
            return [Change("Add", each, kind, replaced=False) for each, kind in kinds]
        planned, found = self._plan(name, template, parameters, url, "UPDATE")
        if planned is not None:
            self._client.delete_change_set(StackName=name, ChangeSetName=planned)
        return found

    def apply(
        self, name: str, template: Mapping[str, Any], parameters: Mapping[str, str], url: str = ""
    ) -> tuple[dict[str, str], list[Change]]:
        """Make the stack as the template says; returns its outputs and what changed.

        ``parameters`` not named keep what they had. ``url``: where the template lies if it is large. Raises SetupError
        with CloudFormation's reasons; it has then gone back to what there was before.
        """
        before = self.find(name)
        if before is not None and before.status == "ROLLBACK_COMPLETE":
            # What a failed creation leaves: an empty stack that can only be deleted.
            self.delete(name)
            before = None
        kind = "CREATE" if before is None else "UPDATE"
        planned, changed = self._plan(name, template, parameters, url, kind)
        if planned is not None:
            self._execute(name, planned, kind)
        return self.outputs(name), changed

    def adopt(
        self, name: str, template: Mapping[str, Any], parameters: Mapping[str, str], kept: Sequence[Mapping[str, Any]]
    ) -> None:
        """Make the stack around resources that are there already (``ResourcesToImport``)."""
        planned, _ = self._plan(name, template, parameters, "", "IMPORT", kept)
        if planned is None:
            raise SetupError(f"CloudFormation found nothing to adopt for {name}")
        self._execute(name, planned, "IMPORT")

    def delete(self, name: str) -> bool:
        """Delete the stack; False if there was none. What has a DeletionPolicy of Retain stays."""
        if self.find(name) is None:
            return False
        began = self._newest_event(name)
        self._client.delete_stack(StackName=name)
        status = self._wait(name)
        if status is not None and status != "DELETE_COMPLETE":
            raise SetupError(f"{name} could not be deleted ({status}):\n{self._reasons(name, began)}")
        return True

    def resources(self, name: str) -> dict[str, tuple[str, str]]:
        """Logical name -> (type, physical name) of everything in a stack."""
        found: dict[str, tuple[str, str]] = {}
        for page in self._client.get_paginator("list_stack_resources").paginate(StackName=name):
            for each in page["StackResourceSummaries"]:
                found[each["LogicalResourceId"]] = (each["ResourceType"], each.get("PhysicalResourceId", ""))
        return found

    def _plan(
        self,
        name: str,
        template: Mapping[str, Any],
        parameters: Mapping[str, str],
        url: str,
        kind: str,
        kept: Sequence[Mapping[str, Any]] = (),
    ) -> tuple[str | None, list[Change]]:
        """A change set that is ready, and its changes; None where nothing would change."""
        change_set = f"guanjun-{uuid.uuid4().hex[:12]}"
        before = self.find(name)
        request: dict[str, Any] = {
            "StackName": name,
            "ChangeSetName": change_set,
            "ChangeSetType": kind,
            "Parameters": _parameters(template, parameters, before),
            "Capabilities": _CAPABILITIES,
            **({"TemplateURL": url} if url else {"TemplateBody": json.dumps(template, separators=(",", ":"))}),
            **({"ResourcesToImport": list(kept)} if kept else {}),
        }
        try:
            self._client.create_change_set(**request)
        except ClientError as error:
            raise SetupError(f"CloudFormation refuses the template of {name}: {error}") from error
        deadline = self._clock() + MOST_SECONDS
        while True:
            told = self._client.describe_change_set(StackName=name, ChangeSetName=change_set)
            if told["Status"] not in ("CREATE_PENDING", "CREATE_IN_PROGRESS"):
                break
            if self._clock() > deadline:
                raise SetupError(f"the change set of {name} does not become ready")
            self._sleep(self._pause)
        if told["Status"] == "FAILED":
            self._client.delete_change_set(StackName=name, ChangeSetName=change_set)
            reason = told.get("StatusReason", "")
            if any(word in reason for word in _UNCHANGED):
                return None, []
            raise SetupError(f"CloudFormation refuses the change of {name}: {reason}")
        return change_set, [_change(each["ResourceChange"]) for each in told.get("Changes", ())]

    def _execute(self, name: str, change_set: str, kind: str) -> None:
        began = self._newest_event(name)
        self._client.execute_change_set(StackName=name, ChangeSetName=change_set)
        status = self._wait(name)
        if status != f"{kind}_COMPLETE":
            reasons = self._reasons(name, began)
            raise SetupError(f"{name} could not be changed ({status}), and CloudFormation has gone back:\n{reasons}")

    def _wait(self, name: str) -> str | None:
        """The status of a stack once nothing is under way; None when it is gone."""
        deadline = self._clock() + MOST_SECONDS
        while self._clock() < deadline:
            try:
                (stack,) = self._client.describe_stacks(StackName=name)["Stacks"]
            except ClientError as error:
                if "does not exist" in str(error):
                    return None
                raise
            status = str(stack["StackStatus"])
            if not status.endswith("IN_PROGRESS") or status == "REVIEW_IN_PROGRESS":
                return status
            self._sleep(self._pause)
        raise SetupError(f"{name} is not done after an hour; look into the console of CloudFormation")

    def _newest_event(self, name: str) -> str:
        try:
            events = self._client.describe_stack_events(StackName=name)["StackEvents"]
        except ClientError:
            return ""
        return str(events[0]["EventId"]) if events else ""

    def _reasons(self, name: str, since: str) -> str:
        """Why the newest act failed, oldest reason first: the first one is the cause."""
        try:
            events = self._client.describe_stack_events(StackName=name)["StackEvents"]
        except ClientError:
            return ""
        lines = []
        for event in events:
            if event["EventId"] == since:
                break
            if event["ResourceStatus"].endswith("FAILED"):
                lines.append(f"  {event['LogicalResourceId']}: {event.get('ResourceStatusReason', 'no reason given')}")
        return "\n".join(reversed(lines))


def summary(changes: Sequence[Change]) -> str:
    """The changes in one line, by kind of act."""
    if not changes:
        return "nothing to change"
    return ", ".join(
        f"{count} to {action.lower()}" for action, count in Counter(each.action for each in changes).items()
    )


def _change(told: Mapping[str, Any]) -> Change:
    replaced = told.get("Replacement") in ("True", True)
    return Change(told["Action"], told["LogicalResourceId"], told["ResourceType"], replaced)


def _parameters(template: Mapping[str, Any], given: Mapping[str, str], before: Found | None) -> list[dict[str, Any]]:
    wanted: list[dict[str, Any]] = []
    for name in template.get("Parameters", {}):
        if name in given:
            wanted.append({"ParameterKey": name, "ParameterValue": given[name]})
        elif before is not None and name in before.parameters:
            wanted.append({"ParameterKey": name, "UsePreviousValue": True})
    return wanted
