"""The rules are standard library: what they import, a fresh interpreter must have by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
CODE = """
import importlib, pkgutil, sys
before = set(sys.modules)
import chalicelib.rules
for module in pkgutil.walk_packages(chalicelib.rules.__path__, "chalicelib.rules."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(loaded - set(sys.stdlib_module_names) - {"chalicelib"}))
"""


def test_importing_the_rules_loads_nothing_but_the_standard_library() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
