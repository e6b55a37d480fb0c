"""Q6: what a phone pulls over the wire on its first visit to the player page."""

import gzip
import re
from pathlib import Path

from infra.bench.row import BenchRow
from infra.launcher.paths import WEB_PAGES

MOST_BYTES = 40_000
_REFERS = re.compile(r"""(?:src|href)=["']\.?/?([^"':#?]+\.(?:js|css|svg|png|ico|webmanifest))["']""")


def rows() -> list[BenchRow]:
    """Bytes of play.html and of everything it refers to, compressed as CloudFront and the runner compress."""
    page = WEB_PAGES / "play.html"
    files = [page, *(_referred(page.read_text(encoding="utf-8")))]
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in files}
    return [
        BenchRow(
            id="Q6",
            what="player page over the wire, everything of a cold load",
            value=sum(sizes.values()),
            unit="bytes gzip",
            target=MOST_BYTES,
            note=", ".join(f"{name} {size}" for name, size in sizes.items()),
        )
    ]


def _referred(html: str) -> list[Path]:
    """Scripts, styles and pictures that the browser fetches because the page names them."""
    return [WEB_PAGES / name for name in dict.fromkeys(_REFERS.findall(html)) if (WEB_PAGES / name).is_file()]
