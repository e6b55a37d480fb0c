"""Deploy a stage into an emulated cloud by the real tool, and speak to what runs there through its edge."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import boto3

from infra.deploy.account import Account
from infra.deploy.deploying import Deployment, Options
from infra.deploy.smoke import Seen
from infra.deploy.stages import STAGES
from infra.deploy.templates import Template, Templates
from infra.launcher.environment import clean
from infra.launcher.lock import only_one
from infra.launcher.paths import BUILD, ROOT
from infra.local.ministack import Ministack
from infra.packaging.build import Package, build
from infra.packaging.target import this_machine

STAGE = STAGES["dev"]
MOST_SECONDS = 60.0
# The launcher without its preparations: the environment of the tests has everything.
_LAUNCH = "import sys; from infra.launcher.main import run_command; sys.exit(run_command(sys.argv[1:]))"
# The emulator has no budgets.
OPTIONS = Options(monthly_budget=0)


@dataclass
class Cloud:
    """A deployed stage: the emulator, what the deployments said, and the stage's address."""

    ministack: Ministack
    package: Package
    pages: Path
    said: list[str] = field(default_factory=list)
    address: str = ""

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs of all stacks."""
        found: dict[str, str] = {}
        for part in ("data", "app", "edge", "watch"):
            (stack,) = self.client("cloudformation").describe_stacks(StackName=STAGE.stack(part))["Stacks"]
            found |= {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", ())}
        return found

    def client(self, service: str) -> Any:
        """A boto3 client of the emulated account."""
        return account(self.ministack, service)

    def deployment(self, options: Options = OPTIONS) -> Deployment:
        """The deployment of the package and the pages as they are now."""
        return Deployment(
            Account(),
            STAGE,
            Templates(self.package, self._adapted),
            self.pages,
            options,
            say=self.said.append,
            ask=self.ask,
            pause=0.1,
        )

    def deploy(self, options: Options = OPTIONS) -> list[str]:
        """Deploy; returns what was said meanwhile."""
        self.said.clear()
        self.address = self.deployment(options).run()
        return list(self.said)

    def _adapted(self, part: str, template: Template) -> Template:
        """The emulated edge calls no real address of AWS, so it is told where the emulated API is; and it speaks plain
        HTTP, which the site bucket's policy forbids."""
        if part == "edge":
            policy = template["Resources"]["SiteReader"]["Properties"]["PolicyDocument"]
            policy["Statement"] = [each for each in policy["Statement"] if each["Sid"] != "OnlyEncrypted"]
            where = urlsplit(self.ministack.url)
            config = template["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
            (api,) = [origin for origin in config["Origins"] if origin["Id"] == "api"]
            api["DomainName"] = where.hostname
            api["OriginPath"] = {"Fn::Sub": "/_aws/execute-api/${RestAPIId}"}
            api["CustomOriginConfig"] = {"OriginProtocolPolicy": "http-only", "HTTPPort": where.port}
        return template

    def ask(self, address: str) -> Seen:
        """The answer of the emulator to a GET of an address in AWS."""
        reply = self.send("GET", address)
        return Seen(reply.status, reply.headers, reply.body)

    def send(
        self, method: str, address: str, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> RawReply:
        """One request to an address in AWS, answered by the emulator."""
        parts = urlsplit(address)
        host = parts.netloc
        if ".execute-api." in host:
            host = f"{host.partition('.')[0]}.execute-api.localhost"
        connection = http.client.HTTPConnection(urlsplit(self.ministack.url).netloc, timeout=MOST_SECONDS)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        # The emulator speaks plain HTTP and takes a proxy's word for what the browser spoke.
        connection.request(method, target, body, {"Host": host, "X-Forwarded-Proto": "https", **(headers or {})})
        answer = connection.getresponse()
        cookies = [value for name, value in answer.getheaders() if name.lower() == "set-cookie"]
        lower = {name.lower(): value for name, value in answer.getheaders()}
        return RawReply(answer.status, lower, cookies, answer.read())

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `guanjun` with these words against the emulated account."""
        return subprocess.run(
            [sys.executable, "-c", _LAUNCH, *words],
            cwd=ROOT,
            env=clean({**environment(self.ministack), "PYTHONPATH": str(ROOT)}),
            capture_output=True,
            text=True,
            check=False,
        )


@dataclass(frozen=True)
class RawReply:
    """Status, headers (names in lower case), cookies and body of an answer."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """Status, headers (names in lower case) and JSON body of an answer."""

    status: int
    headers: dict[str, str]
    body: Any


@dataclass
class CloudBrowser:
    """Somebody's browser at the stage: keeps cookies, sends its CSRF token and a new key with every change."""

    cloud: Cloud
    csrf: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    _keys: Iterator[int] = field(default_factory=lambda: count(1))

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> Reply:
        """One request below `/api`; `key` is the idempotency key, a new one if not given."""
        headers = {
            "Content-Type": "application/json",
            "X-CSRF-Token": self.csrf,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if method != "GET":
            headers["Idempotency-Key"] = key or f"cloud-{id(self)}-{next(self._keys):06d}"
        content = None if body is None else json.dumps(body).encode()
        reply = self.cloud.send(method, f"{self.cloud.address}/api{path}", headers, content)
        for kept in reply.cookies:
            cookie, _, word = kept.partition(";")[0].partition("=")
            self.cookies[cookie] = word
        return Reply(reply.status, reply.headers, json.loads(reply.body) if reply.body else None)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The body of a request that must succeed."""
        reply = self.send(method, path, body)
        assert reply.status < 300, (method, path, reply.status, reply.body)
        return reply.body


def packaged(directory: Path) -> Package:
    """The program packaged for this machine, in a directory that no other build clears away."""
    with only_one(BUILD / "package.lock"):
        package = build(this_machine())
        return Package(
            Path(shutil.copy(package.archive, directory)),
            Path(shutil.copy(package.template, directory)),
        )


def account(ministack: Ministack, service: str) -> Any:
    """A boto3 client of the emulated account."""
    session: Any = boto3.session.Session()
    return session.client(service, **ministack.client_settings())


def environment(ministack: Ministack) -> dict[str, str]:
    """What makes every tool of AWS speak to the emulator."""
    settings = ministack.client_settings()
    return {
        "AWS_ENDPOINT_URL": settings["endpoint_url"],
        "AWS_ACCESS_KEY_ID": settings["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": settings["aws_secret_access_key"],
        "AWS_REGION": settings["region_name"],
        "AWS_DEFAULT_REGION": settings["region_name"],
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def text_messages(ministack: Ministack, phone: str) -> list[str]:
    """The text messages that were sent to a phone (`+86...`), oldest first."""
    connection = http.client.HTTPConnection(ministack.url.removeprefix("http://"), timeout=MOST_SECONDS)
    connection.request("GET", "/_ministack/sns/sms-messages")
    sent = json.loads(connection.getresponse().read())["sms_messages"]
    return [message["Message"] for message in sent.get(phone, [])]
