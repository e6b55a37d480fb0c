"""One deployment, from preflight to smoke test. Every step can be repeated; a second run changes nothing.

data -> secrets -> code -> app -> (waf) -> edge -> watch -> pages -> invalidation -> smoke test. A stack that cannot be
changed goes back by itself, and what comes after it is not touched: the pages change last, when the API is new.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.deploy import adoption, secrets, site, smoke
from infra.deploy.account import GLOBAL_REGION, Account, asking_aws
from infra.deploy.stacks import MOST_INLINE_BYTES, Change, Stacks, summary
from infra.deploy.stages import Stage
from infra.deploy.templates import Template, Templates, parameters_of
from infra.launcher.errors import SetupError
from infra.local.edge import read_edge

PAUSE_SECONDS = 3.0


@dataclass(frozen=True)
class Options:
    """What a stage may have differently; None keeps what it has. ``waf``: a web ACL in front of the edge."""

    host_name: str | None = None
    certificate: str | None = None
    alarm_email: str | None = None
    monthly_budget: int | None = None
    waf: bool | None = None
    new_edge_secret: bool = False

    def parameters(self) -> dict[str, str]:
        """The given ones as parameters of the stacks."""
        given = {
            "HostName": self.host_name,
            "CertificateArn": self.certificate,
            "AlarmEmail": self.alarm_email,
            "MonthlyBudget": None if self.monthly_budget is None else str(self.monthly_budget),
            "WebAclArn": "" if self.waf is False else None,
        }
        return {name: value for name, value in given.items() if value is not None}


class Deployment:
    """Brings one stage to what this working copy is."""

    def __init__(
        self,
        account: Account,
        stage: Stage,
        templates: Templates,
        pages: Path,
        options: Options | None = None,
        *,
        say: Callable[[str], None] = print,
        ask: smoke.Ask = smoke.ask_over_http,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        """``pages``: the built pages; ``say`` tells what happens; ``ask`` looks at the stage from outside."""
        self._account = account
        self._stage = stage
        self._templates = templates
        self._options = options or Options()
        self._say = say
        self._ask = ask
        self._pause = pause
        self._edge = read_edge()
        self._files = site.site_files(pages, self._edge)
        self._values: dict[str, str] = {
            "Stage": stage.name,
            "Protect": "true" if stage.protect else "false",
            **self._options.parameters(),
        }

    def run(self) -> str:
        """Deploy; returns the stage's address. Raises SetupError with the reason, and what to do."""
        try:
            with asking_aws():
                self._steps()
        except SetupError as error:
            raise SetupError(f"{error}\n\n{_WAY_BACK}") from error
        return self._values["Address"]

    def _steps(self) -> None:
        self._data()
        self._secrets()
        self._app()
        self._waf()
        self._apply("edge")
        self._apply("watch")
        self._pages()
        self._look()

    def plan(self, *, offline: bool) -> None:
        """Say what :meth:`run` would do. ``offline``: without asking AWS, as for an empty account."""
        for part in ("data", "app", "edge", "watch"):
            template = self._templates.of(part)
            changes = _all_new(template) if offline else self._changes(part, template)
            self._say(f"{self._stage.stack(part)}: {summary(changes)}")
            for change in changes:
                self._say(f"  {change}")
        self._say(f"pages: {len(self._files)} files to compare with the site bucket, then the smoke test")

    def _changes(self, part: str, template: Template) -> list[Change]:
        stacks = self._stacks()
        name = self._stage.stack(part)
        found = stacks.find(name)
        url = ""
        if found is not None and _is_large(template):
            url = self._put_template(template)
        changes = stacks.changes(name, template, parameters_of(template, self._values), url)
        self._values.update(found.outputs if found is not None else {})
        return changes

    def _stacks(self, region: str | None = None) -> Stacks:
        return Stacks(self._account.client("cloudformation", region), self._pause)

    def _apply(self, part: str, region: str | None = None) -> None:
        template = self._templates.of(part)
        url = self._put_template(template) if _is_large(template) else ""
        name = self._stage.stack(part)
        outputs, changes = self._stacks(region).apply(name, template, parameters_of(template, self._values), url)
        self._say(f"{name}: {summary(changes)}")
        for change in changes:
            if change.replaced:
                self._say(f"  {change}")
        self._values.update(outputs)

    def _put_template(self, template: Template) -> str:
        """Put a large template into the code bucket under its own hash; returns its address."""
        body = json.dumps(template, separators=(",", ":")).encode()
        s3, bucket = self._account.client("s3"), self._values["CodeBucket"]
        key = f"template-{hashlib.sha256(body).hexdigest()}.json"
        s3.put_object(Bucket=bucket, Key=key, Body=body)
        return f"{s3.meta.endpoint_url}/{bucket}/{key}"

    def _data(self) -> None:
        adoption.adopt(self._account, self._stage, self._templates.of("data"), self._values, self._stacks(), self._say)
        self._apply("data")

    def _secrets(self) -> None:
        ssm = self._account.client("ssm")
        deployment, edge = self._values["SecretParameter"], self._values["EdgeSecretParameter"]
        for name in (deployment, edge):
            if secrets.ensure(ssm, name):
                self._say(f"secret {name}: made")
        if self._options.new_edge_secret:
            secrets.renew(ssm, edge)
            self._say(f"secret {edge}: a new one, the one before stays good until the next renewal")
        by_hand = (self._values["PaymentsParameter"], self._values["WeChatParameter"])
        known = (deployment, edge, *(name for name in by_hand if secrets.there(ssm, name)))
        self._values["SecretsVersion"] = secrets.versions(ssm, *known)
        self._values["OriginSecret"] = secrets.words(ssm, edge)[0]

    def _app(self) -> None:
        s3, bucket, package = self._account.client("s3"), self._values["CodeBucket"], self._templates.package
        found = s3.list_objects_v2(Bucket=bucket, Prefix=package.key)
        if not found.get("KeyCount"):
            s3.upload_file(str(package.archive), bucket, package.key)
            self._say(f"code {package.key[:12]}: uploaded")
        self._apply("app")

    def _waf(self) -> None:
        if self._options.waf:
            self._apply("waf", GLOBAL_REGION)

    def _pages(self) -> None:
        ssm = self._account.client("ssm")
        secrets.remember(ssm, self._values["BaseUrlParameter"], self._values["Address"])
        secrets.remember(ssm, self._values["DistributionParameter"], self._values["DistributionId"])
        s3, bucket = self._account.client("s3"), self._values["SiteBucket"]
        new = site.changed(s3, bucket, self._files)
        site.upload(s3, bucket, new)
        reference = f"{self._stage.name}-{time.time_ns()}"
        told = site.invalidate(self._account.client("cloudfront"), self._values["DistributionId"], new, reference)
        self._say(f"pages: {len(new)} of {len(self._files)} files uploaded, {len(told)} paths forgotten by the edge")

    def _look(self) -> None:
        smoke.check(
            self._values["Address"], self._values["EndpointURL"].rstrip("/"), self._edge, self._ask, 2 * self._pause
        )
        self._say("smoke test: passed")


_WAY_BACK = (
    "Nothing after this step was touched. To go back to an earlier version, check it out and deploy it: "
    "git checkout VERSION && python3 guanjun deploy STAGE. The tables keep their data either way."
)


def _is_large(template: Template) -> bool:
    return len(json.dumps(template, separators=(",", ":")).encode()) > MOST_INLINE_BYTES


def _all_new(template: Any) -> list[Change]:
    return [Change("Add", name, each["Type"], replaced=False) for name, each in template["Resources"].items()]
