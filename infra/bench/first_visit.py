"""Q6: the first visit to the player page in a real Chromium: bytes over the wire, and seconds on slow 3G."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from infra.bench.row import BenchRow
from infra.launcher.browser import find_browser
from infra.launcher.node import ensure_node
from infra.launcher.paths import WEB_PAGES

MOST_BYTES = 40_000
MOST_SECONDS = 4.2
SPIKE_BYTES, SPIKE_SECONDS = 24_900, 4.1
RUNS = 3
SLOW_3G = {"offline": False, "latency": 2000, "downloadThroughput": 51_200, "uploadThroughput": 51_200}
"""The DevTools preset: 2 s to the first byte of every answer, 400 kbit/s both ways."""
SLOWER_CPU = 4
NAME = "海滨俱乐部周三夜赛"
LONGEST_MS = 60_000
STEP_MS = 50

FRONT = """
const http = require('http'), zlib = require('zlib'), [host, port] = process.argv[1].split(':')
const server = http.createServer((request, response) => {
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const asked = http.request({ host, port, path: request.url, method: request.method, headers }, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => {
      let body = Buffer.concat(parts)
      const out = { ...answer.headers }
      delete out['content-length']
      delete out['transfer-encoding']
      if (body.length > 0) {
        body = zlib.brotliCompressSync(body)
        out['content-encoding'] = 'br'
      }
      response.writeHead(answer.statusCode, out)
      response.end(body)
    })
  })
  request.pipe(asked)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
"""
"""What CloudFront does before the product: brotli on everything. The local server itself has only gzip."""

WATCH = """
(([selector, words]) => {
  const look = () => {
    const found = document.querySelector(selector)
    const mark = (name) => {
      if (window[name]) return
      window[name] = -1
      requestAnimationFrame(() => requestAnimationFrame(() => { window[name] = performance.now() }))
    }
    if (!found) return
    mark('usableAt')
    if (document.body.innerText.includes(words)) mark('completeAt')
  }
  document.addEventListener('DOMContentLoaded', look)
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
})
"""


@dataclass(frozen=True)
class Visit:
    """One cold visit: bytes of every answer that had come when the page was complete, when it could be used (its
    field or buttons are painted and live), and when it was complete (the event's name from the server is painted)."""

    size: int
    files: dict[str, int]
    usable: float
    complete: float


def rows() -> list[BenchRow]:
    """Bytes and seconds of somebody unknown who scans the code; and, for comparison, of a known player.

    Without a Chromium: the bytes of the one file alone.
    """
    browser = find_browser()
    if browser is None:
        print("no Chromium on PATH: the first visit is not measured", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        return _measured(browser, Path(folder))


def _measured(program: Path, folder: Path) -> list[BenchRow]:
    from playwright.sync_api import sync_playwright

    from infra.local.runner import running

    with (
        running(folder / "data", show=lambda text: None, pages=WEB_PAGES) as server,
        _front(server.url) as url,
        sync_playwright() as playwright,
    ):
        link, cookies = _event(playwright, server.url)
        browser = playwright.chromium.launch(executable_path=str(program), args=["--no-sandbox"])
        first = [_visit(browser, url + link, "form button[type=submit]", {}) for _ in range(RUNS)]
        known = [_visit(browser, url + link, "[role=radio]", cookies) for _ in range(RUNS)]
        browser.close()
    sizes = first[0].files
    complete = statistics.median(one.complete for one in first)
    parts = ", ".join(f"{name} {size}" for name, size in sizes.items())
    return [
        BenchRow(
            "Q6", "player page over the wire, everything until it is complete", max(one.size for one in first),
            "bytes brotli", MOST_BYTES, reference=SPIKE_BYTES, reference_name="the spike", note=parts,
        ),
        BenchRow(
            "Q6", "player page usable on slow 3G, 4x slower CPU", statistics.median(one.usable for one in first),
            "s", MOST_SECONDS, reference=SPIKE_SECONDS, reference_name="the spike",
            note=f"first visit, median of {RUNS}; the event's name after {complete:.1f} s",
        ),
        BenchRow(
            "Q6", "own table usable on slow 3G, 4x slower CPU", statistics.median(one.usable for one in known), "s",
            note=f"known player, nothing cached, {known[0].size} bytes",
        ),
    ]  # fmt: skip


@contextmanager
def _front(behind: str) -> Iterator[str]:
    """The compressing front of a server, for a block; gives its address."""
    node = ensure_node()
    process = subprocess.Popen(
        ["node", "-e", FRONT, behind.removeprefix("http://")], stdout=subprocess.PIPE, env=node.environment()
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.wait()


def _event(playwright: Any, url: str) -> tuple[str, dict[str, Any]]:
    """An event whose first round is on: the address its code leads to, and what a player's browser stores."""
    organizer = playwright.request.new_context(base_url=url)
    csrf = ""

    def send(context: Any, path: str, body: object, speaker: str = "account", method: str = "POST") -> Any:
        headers = {"X-Guanjun-As": speaker, "X-CSRF-Token": csrf, "Idempotency-Key": uuid4().hex}
        reply = context.fetch(f"/api{path}", method=method, headers=headers, data=None if method == "GET" else body)
        if not reply.ok:
            raise RuntimeError(f"{path}: {reply.status} {reply.text()}")
        return reply.json()

    phone = "13800139999"
    send(organizer, "/auth/codes", {"phone": phone})
    (message,) = send(organizer, "/local/outbox", None, method="GET")["messages"]
    found = re.search(r"\d{6}", message["text"])
    assert found is not None
    csrf = send(organizer, "/auth/session", {"phone": phone, "code": found[0]})["csrf"]
    event = send(organizer, "/events", {"name": NAME, "kind": "pairs"})["event_id"]
    for number in range(1, 9):
        players = [{"name": f"选手{2 * number - 1 + one:03d}", "phone": ""} for one in range(2)]
        send(organizer, f"/events/{event}/entries", {"name": f"队{number}", "club": "", "players": players})
    draft = send(organizer, f"/events/{event}/rounds", {})
    send(organizer, f"/events/{event}/rounds/1/publication", {"version": draft["version"]})
    clock = send(organizer, f"/events/{event}", None, method="GET")["clock"]["version"]
    send(organizer, f"/events/{event}/rounds/1/clock", {"action": "start", "version": clock})
    links = send(organizer, f"/events/{event}/links", None, method="GET")["links"]
    player = playwright.request.new_context(base_url=url)
    body = {"number": 1, "player": 0, "text": "选手001"}
    me = send(player, f"/events/{event}/devices", body, "player")
    stored = {"event": event, "me": me, "cookies": player.storage_state()["cookies"]}
    return next(link["path"] for link in links if link["role"] == "play"), stored


def _visit(browser: Any, address: str, selector: str, known: dict[str, Any]) -> Visit:
    """A visit with nothing cached; `known`: what the phone of a player has stored."""
    import json

    context = browser.new_context(locale="zh-CN", viewport={"width": 390, "height": 844}, is_mobile=True)
    page = context.new_page()
    page.add_init_script(f"{WATCH}({json.dumps([selector, NAME])})")
    if known:
        context.add_cookies(known["cookies"])
        kept = json.dumps({"me": known["me"], "at": 1})
        page.add_init_script(f"localStorage.setItem('guanjun:me:{known['event']}', {json.dumps(kept)})")
    tools = context.new_cdp_session(page)
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}
    tools.on("Network.requestWillBeSent", lambda said: names.update({said["requestId"]: said["request"]["url"]}))

    def finished(said: dict[str, Any]) -> None:
        name = names.get(said["requestId"], "").split("?")[0].rstrip("/").rsplit("/", 1)[-1]
        sizes[name] = sizes.get(name, 0) + int(said["encodedDataLength"])

    tools.on("Network.loadingFinished", finished)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_3G)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_CPU})
    page.goto(address, wait_until="commit", timeout=LONGEST_MS)
    seen: dict[str, int] = {}
    usable = complete = 0
    # The page's own policy lets no waiting function in, so it is asked again and again.
    for _ in range(LONGEST_MS // STEP_MS):
        usable, complete = page.evaluate("[window.usableAt || 0, window.completeAt || 0]")
        seen = dict(sizes)
        if min(usable, complete) > 0:
            break
        page.wait_for_timeout(STEP_MS)
    context.close()
    if min(usable, complete) <= 0:
        raise RuntimeError(f"{address} could not be used within {LONGEST_MS} ms")
    return Visit(sum(seen.values()), seen, usable / 1000, complete / 1000)
