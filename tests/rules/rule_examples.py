"""The worked examples of ``docs/rules.md`` and ``docs/规则说明.md``, computed by the rules they explain.

Each stands between ``<!-- example: NAME -->`` and ``<!-- end -->``. A test compares; this writes them anew:

    python -m tests.rules.rule_examples
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.rules.example_rankings import RANKINGS
from tests.rules.example_tables import TABLES
from tests.rules.example_writing import Words

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "rules.md", "zh": DOCS / "规则说明.md"}
PLACE = re.compile(r"(<!-- example: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
EXAMPLES = TABLES.examples | RANKINGS.examples


def filled(page: str, language: str) -> str:
    """The page with every example computed anew; KeyError for an example that does not exist."""
    say = Words(language)

    def one(found: re.Match[str]) -> str:
        return found[1] + "\n" + "\n".join(EXAMPLES[found[2]](say)) + "\n\n" + found[3]

    return PLACE.sub(one, page)


if __name__ == "__main__":
    for language, path in PAGES.items():
        path.write_text(filled(path.read_text("utf-8"), language), "utf-8")
