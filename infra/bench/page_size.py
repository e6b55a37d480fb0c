"""Q6: what a phone pulls over the wire on its first visit to the player page."""

import re
import subprocess
from pathlib import Path

from infra.bench.row import BenchRow
from infra.launcher.node import Node, ensure_node
from infra.launcher.paths import WEB_PAGES

MOST_BYTES = 40_000
_REFERS = re.compile(r"""(?:src|href)=["']\.?/?([^"':#?]+\.(?:js|css|svg|png|ico|webmanifest))["']""")


def rows() -> list[BenchRow]:
    """Bytes of play.html and of everything it refers to, after brotli as CloudFront compresses for phones.

    Pages that the phone fetches later (its table, standings) are files of their own and not part of a cold load.
    """
    page = WEB_PAGES / "play.html"
    files = [page, *(_referred(page.read_text(encoding="utf-8")))]
    node = ensure_node()
    sizes = {file.name: _brotli(node, file) for file in files}
    return [
        BenchRow(
            id="Q6",
            what="player page over the wire, everything of a cold load",
            value=sum(sizes.values()),
            unit="bytes brotli",
            target=MOST_BYTES,
            note=", ".join(f"{name} {size}" for name, size in sizes.items()),
        )
    ]


def _brotli(node: Node, file: Path) -> int:
    """The length of a file after brotli; Python's standard library has none, Node's has."""
    script = "console.log(require('zlib').brotliCompressSync(require('fs').readFileSync(process.argv[1])).length)"
    command = ["node", "-e", script, str(file)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, env=node.environment())
    return int(answer.stdout)


def _referred(html: str) -> list[Path]:
    """Scripts, styles and pictures that the browser fetches because the page names them."""
    return [WEB_PAGES / name for name in dict.fromkeys(_REFERS.findall(html)) if (WEB_PAGES / name).is_file()]
