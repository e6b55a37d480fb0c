"""Opens a page in the Chromium of QtWebEngine and takes it through steps; run by the interpreter that has PyQt5.

Arguments: address, file for the picture, and steps as a JSON list of JavaScript expressions: each is asked again until
it is true, which means that it did what it is for. Prints one JSON object: ``agent``, ``done`` (how many steps),
``errors`` (what the console said), ``text`` (what the page shows at the end).
"""

from __future__ import annotations

import json
import os
import sys

from PyQt5.QtCore import QTimer, QUrl  # type: ignore[import-not-found]  # only in an environment of its own
from PyQt5.QtWebEngineWidgets import (  # type: ignore[import-not-found]  # as above
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineView,
)
from PyQt5.QtWidgets import QApplication  # type: ignore[import-not-found]  # as above

AGAIN_MS = 300
LONGEST_MS = 120_000


class Page(QWebEnginePage):  # type: ignore[misc]  # its types are not installed here
    """A page that keeps what is said in the console."""

    def __init__(self, profile: object, parent: object) -> None:
        super().__init__(profile, parent)
        self.errors: list[str] = []

    def javaScriptConsoleMessage(self, level: int, text: str, line: int, source: str) -> None:
        """Only errors (level 2) are kept."""
        if int(level) == 2:
            self.errors.append(f"{source.rsplit('/', 1)[-1]}:{line}: {text}")


def main() -> None:
    """As the module says."""
    address, picture, steps = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    application = QApplication([sys.argv[0], "--no-sandbox"])
    view = QWebEngineView()
    profile = QWebEngineProfile()
    page = Page(profile, view)
    view.setPage(page)
    view.resize(390, 844)
    view.show()
    said: dict[str, object] = {"done": 0}

    def finish() -> None:
        def show(found: str) -> None:
            said.update(json.loads(found), errors=page.errors)
            view.grab().save(picture)
            print(json.dumps(said), flush=True)
            # Not the usual end: Qt takes page and profile down in an order of which it warns itself, and may crash.
            os._exit(0)

        page.runJavaScript("JSON.stringify({agent: navigator.userAgent, text: document.body.innerText})", show)

    def attempt() -> None:
        done = said["done"]
        assert isinstance(done, int)
        if done == len(steps):
            QTimer.singleShot(AGAIN_MS, finish)
            return

        def answered(result: object) -> None:
            said["done"] = done + (1 if result else 0)
            QTimer.singleShot(AGAIN_MS, attempt)

        page.runJavaScript(steps[done], answered)

    view.loadFinished.connect(lambda _loaded: attempt())
    view.load(QUrl(address))
    QTimer.singleShot(LONGEST_MS, finish)
    application.exec_()


main()
