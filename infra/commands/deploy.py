"""`guanjun deploy STAGE [--dry-run] [...]`: bring a stage in AWS to what this working copy is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from infra.deploy.account import Account, asking_aws
from infra.deploy.deploying import Deployment, Options
from infra.deploy.preflight import Level, preflight
from infra.deploy.stages import STAGES, stage_named
from infra.deploy.templates import Templates
from infra.launcher.paths import WEB_PAGES
from infra.packaging.build import NOT_COMPILED, build


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when the stage is up, or a dry run found nothing in the way; 1 when something forbids to deploy."""
    given = _parser().parse_args(arguments)
    stage, account = stage_named(given.stage), Account(given.region)
    options = Options(
        host_name=given.host_name,
        certificate=given.certificate,
        alarm_email=given.alarm_email,
        monthly_budget=given.monthly_budget,
        waf=given.waf,
        new_edge_secret=given.new_edge_secret,
    )
    with asking_aws():
        findings = preflight(account, stage)
    for finding in findings:
        print(finding)
    stopped = any(finding.level is Level.STOP for finding in findings)
    if stopped and not given.dry_run:
        return 1
    package = build()
    if not package.is_compiled:
        print(f"note: {NOT_COMPILED}")
    deployment = Deployment(account, stage, Templates(package), WEB_PAGES, options)
    if not given.dry_run:
        print(f"{stage.name} is up: {deployment.run()}")
        return 0
    if stopped:
        print("A deployment would stop here. What one into an empty account would make:")
    with asking_aws():
        deployment.plan(offline=stopped)
    print("Nothing was changed.")
    return 1 if stopped else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="guanjun deploy", description="Bring a stage in AWS up, or up to date.")
    parser.add_argument("stage", help=" or ".join(STAGES))
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("--region", help="instead of AWS_REGION")
    parser.add_argument("--host-name", help="an own host name for the edge; '' for CloudFront's")
    parser.add_argument("--certificate", help="ARN of the host name's certificate in us-east-1")
    parser.add_argument("--alarm-email", help="who is told when an alarm rings")
    parser.add_argument("--monthly-budget", type=int, help="US dollars; 0 for no budget")
    parser.add_argument("--waf", action=argparse.BooleanOptionalAction, help="a web ACL in front of the edge")
    parser.add_argument("--new-edge-secret", action="store_true", help="renew what the edge shows to the API")
    return parser
