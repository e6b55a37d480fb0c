"""Deploy the two stacks into an emulated cloud and speak to what runs there."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import boto3

from infra.launcher.paths import ROOT
from infra.local.ministack import Ministack
from infra.packaging.build import Package

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

STAGE = "test"
SECRET = "a-secret-of-the-test-deployment"
MOST_SECONDS = 60.0


@dataclass
class Reply:
    """Status, headers (lower case) and JSON body of an answer."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class Cloud:
    """A deployed program: the emulator, the outputs of the data stack, the address of the API."""

    ministack: Ministack
    outputs: dict[str, str]
    api: str
    cookies: dict[str, str] = field(default_factory=dict)

    def client(self, service: str) -> Any:
        """A boto3 client of the emulated account."""
        session: Any = boto3.session.Session()
        return session.client(service, **self.ministack.client_settings())


def deploy(ministack: Ministack, package: Package) -> Cloud:
    """Data stack, secret, code, app stack; returns when the API can be called.

    Raises AssertionError with the reasons when a stack fails.
    """
    cloud = Cloud(ministack, {}, "")
    stacks: CloudFormationClient = cloud.client("cloudformation")
    data = (ROOT / "infra" / "data.yaml").read_text(encoding="utf-8")
    stacks.create_stack(
        StackName="guanjun-data",
        TemplateBody=data,
        Parameters=_parameters({"Stage": STAGE, "Protect": "false"}),
    )
    cloud.outputs = _wait(stacks, "guanjun-data")
    cloud.client("ssm").put_parameter(Name=cloud.outputs["SecretParameter"], Value=SECRET, Type="SecureString")
    code = cloud.outputs["CodeBucket"]
    files = cloud.client("s3")
    files.upload_file(str(package.archive), code, package.key)
    files.upload_file(str(package.template), code, package.template.name)
    stacks.create_stack(
        StackName="guanjun-app",
        TemplateURL=f"{ministack.url}/{code}/{package.template.name}",
        Parameters=_parameters({"Stage": STAGE, **cloud.outputs}),
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    cloud.api = _wait(stacks, "guanjun-app")["RestAPIId"]
    return cloud


def call(cloud: Cloud, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Reply:
    """One request to the deployed API, below its stage `api`; cookies are kept as a browser keeps them."""
    address = cloud.ministack.url.removeprefix("http://")
    port = address.rpartition(":")[2]
    sent = {"Host": f"{cloud.api}.execute-api.localhost:{port}", "Content-Type": "application/json", **(headers or {})}
    if cloud.cookies:
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in cloud.cookies.items())
    connection = http.client.HTTPConnection(address, timeout=MOST_SECONDS)
    connection.request(method, f"/api{path}", body=None if body is None else json.dumps(body).encode(), headers=sent)
    answer = connection.getresponse()
    content = answer.read()
    for name, value in answer.getheaders():
        if name.lower() == "set-cookie":
            cookie, _, word = value.partition(";")[0].partition("=")
            cloud.cookies[cookie] = word
    return Reply(
        answer.status,
        {name.lower(): value for name, value in answer.getheaders()},
        json.loads(content) if content else None,
    )


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
