"""A look at the deployed stage from outside: does it answer, with the right headers, and only by way of the edge?"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message

from infra.launcher.errors import SetupError
from infra.local.edge import Edge

TRIES = 20
PAUSE_SECONDS = 6.0
MOST_CLOCK_DIFFERENCE_MS = 120_000


@dataclass(frozen=True)
class Seen:
    """An answer: status, headers with lower-case names, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Ask = Callable[[str], Seen]
"""Asks for an address and returns the answer, whatever its status."""


def ask_over_http(address: str) -> Seen:
    """The answer to a GET request. Raises OSError where nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:  # noqa: S310 - addresses of our own stacks
            return Seen(answer.status, _lower(answer.headers), answer.read())
    except urllib.error.HTTPError as refused:
        return Seen(refused.code, _lower(refused.headers), refused.read())


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def faults(address: str, api_address: str, edge: Edge, ask: Ask) -> list[str]:
    """What is wrong with the stage at ``address``; ``api_address`` is the API's own, behind the edge."""
    found = _time_faults(ask(f"{address}/api/time"))
    for path, page in edge.pages:
        pretty = path if path == "/" else f"{path}/smoke-test"
        found += _page_faults(pretty, ask(f"{address}{pretty}"), ask(f"{address}{page}"), edge)
    refused = ask(f"{address}/api/events")
    if refused.status != 401 or refused.headers.get("content-type") != "application/problem+json":
        found.append(f"/api/events: {refused.status} {refused.headers.get('content-type')}, no refusal of the program")
    if ask(f"{address}/pub/no-such-event/pulse.json").status not in (403, 404):
        found.append("/pub: a file that is not there is answered as if it were")
    if ask(f"{api_address}/time").status != 403:
        found.append("the API answers whoever does not come by way of the edge")
    return found


def _time_faults(told: Seen) -> list[str]:
    if told.status != 200:
        return [f"/api/time: {told.status} {told.body[:200]!r}"]
    off = abs(json.loads(told.body)["now"] - time.time() * 1000)
    return [] if off < MOST_CLOCK_DIFFERENCE_MS else [f"/api/time: {off / 1000:.0f} s away from this machine's clock"]


def _page_faults(pretty: str, shown: Seen, page: Seen, edge: Edge) -> list[str]:
    if shown.status != 200 or shown.body != page.body:
        return [f"{pretty}: {shown.status}, not its page"]
    wanted = {name.lower(): value for name, value in {**edge.headers, **edge.cloud_headers}.items()}
    wrong = [name for name, value in wanted.items() if shown.headers.get(name) != value]
    return [f"{pretty}: the headers {', '.join(wrong)} are missing or others"] if wrong else []


def check(
    address: str,
    api_address: str,
    edge: Edge,
    ask: Ask = ask_over_http,
    pause: float = PAUSE_SECONDS,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Look again and again, as a new edge takes minutes to be everywhere. Raises SetupError with what stays wrong."""
    found = ["nobody answers"]
    for attempt in range(TRIES):
        if attempt:
            sleep(pause)
        try:
            found = faults(address, api_address, edge, ask)
        except OSError as error:
            found = [f"nobody answers at {address}: {error}"]
        if not found:
            return
    raise SetupError("the smoke test found:\n  " + "\n  ".join(found))
