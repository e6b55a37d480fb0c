"""The local stack: store, files, application, workers and schedules on one machine, put together and taken down."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import msgspec

from infra.local.edge import read_edge
from infra.local.engine import Engine, Faults
from infra.local.engine.hook import plug_in
from infra.local.event_sources import schedules, stream_sources
from infra.local.files import LocalFiles
from infra.local.functions import invoke
from infra.local.gateway import Gateway, GatewayResponses
from infra.local.lifecycle import forget_old
from infra.local.outbox import Outbox
from infra.local.pages import Pages
from infra.local.pump import Pump
from infra.local.remote_streams import RemotePump
from infra.local.secret import deployment_secret
from infra.local.site import Site
from infra.local.tables import ENVIRONMENT_PREFIX, ensure_tables
from infra.local.tables import environment as table_environment
from infra.local.templates import DATA_TEMPLATE, MERGE_TEMPLATE, read_template
from infra.local.ticker import Ticker

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = REPOSITORY / "web" / "dist"
STORE_FILE = "store.sqlite"
SWITCHES = "switched-off"
"""In the data directory: a file with a function's name there keeps the records of its stream waiting, as in AWS an
event source mapping that is switched off."""
ENDPOINT_VARIABLE = "DYNAMODB_ENDPOINT_URL"

# Asked for by botocore and never sent anywhere; nobody's credentials are needed on a laptop.
_NOBODY = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@dataclass
class Stack:
    """A stack that is ready to serve; ``engine`` is None where the store is elsewhere."""

    engine: Engine | None
    files: LocalFiles
    outbox: Outbox
    site: Site
    pump: Pump | RemotePump
    ticker: Ticker

    def start_workers(self) -> None:
        """Start reading streams and running schedules."""
        self.pump.start()
        self.ticker.start()

    def stop(self) -> None:
        """Let what is running end, then close the store."""
        self.ticker.stop()
        self.pump.stop()
        if self.engine is not None:
            plug_in(None)
            self.engine.close()


def load_product() -> Any:
    """The product's own application."""
    from app import app

    return app


def prepare_environment(data: Path, template: Mapping[str, Any]) -> dict[str, str]:
    """Set the variables the program reads at import (those already set stay); returns the names of the tables."""
    settings = {**table_environment(template), "FILES_BUCKET": str(data / "files"), "SITE_BUCKET": str(data / "files")}
    endpoint = os.environ.get(ENDPOINT_VARIABLE)
    if endpoint:
        settings["AWS_ENDPOINT_URL_DYNAMODB"] = settings["AWS_ENDPOINT_URL_DYNAMODB_STREAMS"] = endpoint
    for name, value in (settings | _NOBODY).items():
        os.environ.setdefault(name, value)
    return {name: os.environ[name] for name in settings if name.startswith(ENVIRONMENT_PREFIX)}


def build_stack(
    data: Path,
    load_app: Callable[[], Any] = load_product,
    *,
    pages: Path = PAGES,
    data_template: Path = DATA_TEMPLATE,
    merge_template: Path = MERGE_TEMPLATE,
    show: Callable[[str], None] = print,
    faults: Faults | None = None,
    tables_at_once: int | None = None,
) -> Stack:
    """Put a stack together on a data directory.

    ``load_app`` imports the Chalice application; it is called when the environment and the store are ready, because
    the program reads names of tables and makes its clients at import. ``show`` prints to the server's console;
    ``faults`` are injected once everything is put together; ``tables_at_once``: of the world, if not as in the cloud.
    """
    from chalicelib.gateways.payments.cashier import LocalCashier
    from chalicelib.gateways.wechat import NoWeChat, OfficialAccount, Papers
    from chalicelib.services.world import World, use

    data.mkdir(parents=True, exist_ok=True)
    template, merge = read_template(data_template), read_template(merge_template)
    names = prepare_environment(data, template)
    engine = None if os.environ.get(ENDPOINT_VARIABLE) else Engine(data / STORE_FILE)
    if engine is not None:
        plug_in(engine)
    ensure_tables(boto3.client("dynamodb"), template, names)
    secret = deployment_secret(data / "secret")
    files, outbox = LocalFiles(data / "files", secret), Outbox(show)
    cashier = LocalCashier(data / "cashier")
    papers = data / "wechat.json"  # by hand, to try an official account
    account = OfficialAccount(msgspec.json.decode(papers.read_bytes(), type=Papers)) if papers.exists() else NoWeChat()
    world = World(secret=secret, files=files, sms=outbox, secure_cookies=False, payments=cashier, wechat=account)
    use(world if tables_at_once is None else dataclasses.replace(world, tables_at_once=tables_at_once))
    app = load_app()
    edge, responses = read_edge(), GatewayResponses(merge)
    gateway = Gateway(app, responses)

    def call(function: str, event: dict[str, Any]) -> Any:
        return invoke(app, function, event)

    if engine is not None:
        engine.faults = faults
    sources = stream_sources(app, merge, names)
    dead_letters, switches = data / "dead-letters", data / SWITCHES
    return Stack(
        engine=engine,
        files=files,
        outbox=outbox,
        site=Site(gateway, responses, Pages(pages, edge), files, outbox, edge),
        pump=(
            Pump(engine, sources, call, dead_letters, switches)
            if engine
            else RemotePump(sources, call, dead_letters, switches)
        ),
        ticker=Ticker(engine, schedules(app), call, forget_files=lambda: forget_old(files, template)),
    )
