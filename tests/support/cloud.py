"""Deploy the two stacks into an emulated cloud and speak to what runs there."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import boto3

from infra.launcher.paths import ROOT
from infra.local.ministack import Ministack
from infra.packaging.build import Package

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

STAGE = "test"
DATA_STACK = "guanjun-data"
APP_STACK = "guanjun-app"
SECRET = "a-secret-of-the-test-deployment-only"
MOST_SECONDS = 60.0


@dataclass(frozen=True)
class Cloud:
    """A deployed program: the emulator, the outputs of the data stack, the id of the API."""

    ministack: Ministack
    outputs: dict[str, str]
    api: str

    def client(self, service: str) -> Any:
        """A boto3 client of the emulated account."""
        return account(self.ministack, service)

    def function(self, logical_name: str) -> str:
        """The deployed name of a function of the app stack."""
        found = self.client("cloudformation").describe_stack_resource(
            StackName=APP_STACK, LogicalResourceId=logical_name
        )
        return str(found["StackResourceDetail"]["PhysicalResourceId"])


@dataclass(frozen=True)
class Reply:
    """Status, headers (names in lower case) and JSON body of an answer."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class CloudBrowser:
    """Somebody's browser on the deployed API: keeps cookies, sends its CSRF token and a new key with every change."""

    cloud: Cloud
    csrf: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    _keys: Iterator[int] = field(default_factory=lambda: count(1))

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> Reply:
        """One request below `/api`; `key` is the idempotency key, a new one if not given."""
        address = self.cloud.ministack.url.removeprefix("http://")
        headers = {
            "Host": f"{self.cloud.api}.execute-api.localhost:{address.rpartition(':')[2]}",
            "Content-Type": "application/json",
            "X-CSRF-Token": self.csrf,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if method != "GET":
            headers["Idempotency-Key"] = key or f"cloud-{id(self)}-{next(self._keys):06d}"
        connection = http.client.HTTPConnection(address, timeout=MOST_SECONDS)
        content = None if body is None else json.dumps(body).encode()
        connection.request(method, f"/api{path}", body=content, headers=headers)
        answer = connection.getresponse()
        received = answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, word = value.partition(";")[0].partition("=")
                self.cookies[cookie] = word
        lower = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, lower, json.loads(received) if received else None)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The body of a request that must succeed."""
        reply = self.send(method, path, body)
        assert reply.status < 300, (method, path, reply.status, reply.body)
        return reply.body


def account(ministack: Ministack, service: str) -> Any:
    """A boto3 client of the emulated account."""
    session: Any = boto3.session.Session()
    return session.client(service, **ministack.client_settings())


def deploy(ministack: Ministack, package: Package) -> Cloud:
    """Data stack, secret, code, app stack; returns when the API can be called.

    Raises AssertionError with the reasons when a stack fails.
    """
    stacks: CloudFormationClient = account(ministack, "cloudformation")
    data = (ROOT / "infra" / "data.yaml").read_text(encoding="utf-8")
    stacks.create_stack(
        StackName=DATA_STACK,
        TemplateBody=data,
        Parameters=_parameters({"Stage": STAGE, "Protect": "false"}),
    )
    outputs = _wait(stacks, DATA_STACK)
    account(ministack, "ssm").put_parameter(Name=outputs["SecretParameter"], Value=SECRET, Type="SecureString")
    code = outputs["CodeBucket"]
    files = account(ministack, "s3")
    files.upload_file(str(package.archive), code, package.key)
    files.upload_file(str(package.template), code, package.template.name)
    stacks.create_stack(
        StackName=APP_STACK,
        TemplateURL=f"{ministack.url}/{code}/{package.template.name}",
        Parameters=_parameters({"Stage": STAGE, **outputs}),
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    return Cloud(ministack, outputs, _wait(stacks, APP_STACK)["RestAPIId"])


def text_messages(ministack: Ministack, phone: str) -> list[str]:
    """The text messages that were sent to a phone (`+86...`), oldest first."""
    connection = http.client.HTTPConnection(ministack.url.removeprefix("http://"), timeout=MOST_SECONDS)
    connection.request("GET", "/_ministack/sns/sms-messages")
    sent = json.loads(connection.getresponse().read())["sms_messages"]
    return [message["Message"] for message in sent.get(phone, [])]


def _parameters(values: dict[str, str]) -> Any:
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in values.items()]


def _wait(stacks: CloudFormationClient, name: str) -> dict[str, str]:
    """The outputs of a stack, once it is there."""
    deadline = time.monotonic() + MOST_SECONDS
    while time.monotonic() < deadline:
        (stack,) = stacks.describe_stacks(StackName=name)["Stacks"]
        if not stack["StackStatus"].endswith("IN_PROGRESS"):
            break
        time.sleep(0.1)
    reasons = [
        (event["LogicalResourceId"], event.get("ResourceStatusReason"))
        for event in stacks.describe_stack_events(StackName=name)["StackEvents"]
        if "FAILED" in event["ResourceStatus"]
    ]
    assert stack["StackStatus"] == "CREATE_COMPLETE", (stack["StackStatus"], reasons)
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
