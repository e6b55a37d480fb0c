"""`guanjun bench [WORD]`: run every measurement (or those whose module's name holds WORD), print and keep them."""

import json
import pkgutil
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module

import infra.bench
from infra.bench.row import BenchRow
from infra.launcher.paths import BUILD, ROOT

RESULT = BUILD / "bench.json"


def run(arguments: Sequence[str]) -> int:
    """Returns 0; figures are for reading, so a missed target is marked and not an error."""
    found: list[BenchRow] = []
    for name in _modules():
        if not arguments or arguments[0] in name:
            print(f"measuring {name} ...", flush=True)
            found += import_module(f"infra.bench.{name}").rows()
    print(table(found))
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(document(found), ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"written to {RESULT.relative_to(ROOT)}")
    return 0


def table(rows: Sequence[BenchRow]) -> str:
    """The rows for reading, one line each."""
    head = ("id", "what", "measured", "target", "reference", "ratio", "met")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def document(rows: Sequence[BenchRow]) -> dict[str, object]:
    """The rows for programs, with the machine that measured them."""
    measured = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
    return {"python": platform.python_version(), "machine": platform.machine(), "rows": measured}


def _modules() -> list[str]:
    """The modules of infra.bench that measure something."""
    names = sorted(module.name for module in pkgutil.iter_modules(infra.bench.__path__))
    return [name for name in names if hasattr(import_module(f"infra.bench.{name}"), "rows")]


def _cells(row: BenchRow) -> tuple[str, ...]:
    sign = ">=" if row.at_least else "<="
    targets = [f"{sign} {row.target:,.6g} {row.unit}"] if row.target is not None else []
    if row.ratio_target is not None:
        targets.append(f"{sign} {row.ratio_target:g} x")
    return (
        row.id,
        row.what if not row.note else f"{row.what} ({row.note})",
        f"{row.value:,.6g} {row.unit}",
        ", ".join(targets) or "-",
        f"{row.reference:,.6g} {row.unit} ({row.reference_name})" if row.reference is not None else "-",
        f"{row.ratio:.2f}" if row.ratio is not None else "-",
        {True: "yes", False: "NO", None: "-"}[row.met],
    )
