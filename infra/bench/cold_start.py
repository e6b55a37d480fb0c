"""Q4: what a new Lambda process pays before it can answer, against the bare libraries it cannot do without."""

import subprocess
import sys
from statistics import median

from infra.bench.row import BenchRow
from infra.launcher.environment import clean
from infra.launcher.paths import ROOT

RUNS = 7
MOST_TIMES_THE_BARE_IMPORT = 1.4
BARE = "import chalice, boto3"
PROGRAM = "import app"
SUBMISSION = "import app, chalicelib.api.players"
# Each costs tens of milliseconds and is loaded inside the function that uses it.
# What the cloud sets: there the API's features come with the requests for them.
_AS_LAMBDA = {"AWS_LAMBDA_FUNCTION_NAME": "guanjun-api"}
LAZY = ("openpyxl", "qrcode", "PIL", "cryptography", "rustworkx", "numpy", "nacl")


def rows() -> list[BenchRow]:
    """CPU milliseconds of the import, median of several fresh processes, and what it must not have loaded."""
    _milliseconds(PROGRAM)  # compiles what has changed
    times: dict[str, list[float]] = {BARE: [], PROGRAM: [], SUBMISSION: []}
    for _ in range(RUNS):
        for statement, measured in times.items():
            measured.append(_milliseconds(statement))
    loaded = _output(f"{PROGRAM}; import sys; print(' '.join(n for n in {LAZY!r} if n in sys.modules))").split()
    return [
        BenchRow(
            id="Q4",
            what="cold start: import of app, CPU",
            value=median(times[PROGRAM]),
            unit="ms",
            reference=median(times[BARE]),
            reference_name="import of chalice and boto3",
            ratio_target=MOST_TIMES_THE_BARE_IMPORT,
        ),
        BenchRow(
            id="Q4",
            what="the same with what a phone's first request imports",
            value=median(times[SUBMISSION]),
            unit="ms",
            reference=median(times[BARE]),
            reference_name="import of chalice and boto3",
        ),
        BenchRow(
            id="Q4",
            what="libraries loaded before they are needed",
            value=len(loaded),
            unit="libraries",
            target=0,
            note=" ".join(loaded),
        ),
    ]


def _milliseconds(statement: str) -> float:
    program = f"import time; begun = time.process_time()\n{statement}\nprint((time.process_time() - begun) * 1000)"
    return float(_output(program))


def _output(program: str) -> str:
    environment = clean({"AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true", **_AS_LAMBDA})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
