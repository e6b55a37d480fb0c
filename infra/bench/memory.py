"""Peak memory of each function: a fresh process that handles the function's worst case at national size, and no more.

The process holds the local store as well, which in the cloud is elsewhere; what it takes before it does anything is
shown apart. ``python -m infra.bench.memory CASE DIRECTORY`` is such a process; it prints both in megabytes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.bench.row import BenchRow
from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from infra.simulate.settings import habits
from infra.simulate.stage import Stage, memory_of_functions, set_up

if TYPE_CHECKING:
    from chalicelib.services.jobs.exporting import FileName

MOST_SHARE = 0.6
"""So much of a function's memory may be in use: beyond it a larger event or library would end it."""
IMPORT = "import-target"
UPLOAD = f"uploads/{IMPORT}/a-national-roster"


def rows() -> list[BenchRow]:
    """Megabytes of each case against the memory that its function has."""
    memory = memory_of_functions()
    found = []
    with tempfile.TemporaryDirectory() as directory:
        template = Path(directory) / "written"
        _write(template)
        for case, (function, what, _) in CASES.items():
            here = Path(directory) / case
            shutil.copytree(template, here)
            before, peak, seconds = _measured(case, here)
            shutil.rmtree(here)
            found.append(
                BenchRow(
                    "memory",
                    f"{function}: {what}",
                    peak,
                    "MB",
                    target=MOST_SHARE * memory[function],
                    note=f"{before:.0f} MB before it began, {seconds:.1f} CPU s",
                )
            )
    return found


def _measured(case: str, directory: Path) -> tuple[float, float, float]:
    done = subprocess.run(
        [sys.executable, "-m", "infra.bench.memory", case, str(directory)],
        cwd=ROOT,
        env=clean({}),
        capture_output=True,
        text=True,
        check=True,
    )
    before, peak, seconds = map(float, done.stdout.split())
    return before, peak, seconds


def _write(directory: Path) -> None:
    """A national event in its last round, and an empty one into which a roster of 10,000 pairs is imported."""
    from msgspec import structs, to_builtins

    from chalicelib.services.once import transaction
    from chalicelib.services.privacy import purge
    from chalicelib.services.settings import defaults, kind_of
    from chalicelib.store.events import EventHeader
    from chalicelib.store.standings import ACTIVE, Active
    from infra.bench import national
    from infra.bench.roster import _roster_file

    with set_up(directory, habits(), seed=1) as stage:
        due = structs.replace(national.national_settings(), purge_at=national.NOW - 1)
        national.write_event(stage.world, settled=national.ROUNDS - 1, settings=due)
        Active(ACTIVE, national.EVENT, since=national.NOW).save()
        settings = defaults("导入", kind_of("pairs"), "1")
        EventHeader(
            IMPORT,
            "EVENT",
            event_id=IMPORT,
            owner="bench",
            settings=to_builtins(settings),
            created_at=national.NOW,
            last_act_at=national.NOW,
        ).save()
        work = transaction(stage.world)
        purge.wait(work, national.EVENT, due)
        work.commit()
        stage.files.put(UPLOAD, _roster_file(), "application/octet-stream", "no-store")


def _records(stage: Stage, table: str, key: str, count: int = 1) -> dict[str, Any]:
    record = {
        "eventID": "1",
        "eventName": "MODIFY",
        "awsRegion": "us-east-1",
        "eventSourceARN": "arn",
        "dynamodb": {"Keys": {"pk": {"S": key}}, "SequenceNumber": "1"},
    }
    return {"Records": [record] * count}


def _standings(stage: Stage) -> None:
    from infra.bench.national import EVENT, ROUNDS

    stage.invoke("standings", _records(stage, "matches", f"{EVENT}#{ROUNDS:03d}", 100), 0.0)


def _club_ranks(stage: Stage) -> None:
    from infra.bench.national import EVENT

    stage.invoke("club_ranks", _records(stage, "standings", EVENT, 100), 0.0)


def _import(stage: Stage) -> None:
    from chalicelib.services.jobs import importing
    from chalicelib.services.once import once
    from chalicelib.store.jobs import job_key

    call = once("bench", "bench-key-1", "POST", "/", b"", 202)
    job = importing.start(stage.world, IMPORT, UPLOAD, True, None, "zh", "bench", call)
    while not importing.read(stage.world, IMPORT, job.job_id).over:
        stage.invoke("jobs", _records(stage, "jobs", job_key(job.job_id)), 0.0)


def _export(name: FileName) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        from chalicelib.services.jobs import exporting
        from chalicelib.services.once import once
        from chalicelib.store.jobs import job_key
        from infra.bench.national import EVENT

        call = once("bench", f"bench-key-{name}", "POST", "/", b"", 202)
        job = exporting.start(stage.world, EVENT, name, "zh", "bench", call)
        while not (now := exporting.read(stage.world, EVENT, job.job_id)).over:
            stage.invoke("jobs", _records(stage, "jobs", job_key(job.job_id)), 0.0)
        if now.phase != "done":
            raise RuntimeError(f"the export ended as {now}")

    return act


def _roster(stage: Stage) -> None:
    import msgspec

    from chalicelib.services import entries
    from infra.bench.national import EVENT

    msgspec.json.encode(entries.roster(stage.world, EVENT, ""))


def _grid(stage: Stage) -> None:
    import msgspec

    from chalicelib.services import scoring
    from infra.bench.national import EVENT

    msgspec.json.encode(scoring.current_grid(stage.world, EVENT))


def _by_the_clock(function: str) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        from datetime import UTC, datetime

        from infra.local.ticker import scheduled_event

        stage.invoke(function, scheduled_event(function, datetime.fromtimestamp(stage.time.now / 1000, UTC)), 0.0)

    return act


CASES: dict[str, tuple[str, str, Callable[[Stage], None]]] = {
    "roster": ("api_handler", "the roster of 5,000 pairs", _roster),
    "grid": ("api_handler", "the grid of 2,500 tables", _grid),
    "standings": ("standings", "a batch of 100, round 8, no round packed", _standings),
    "club_ranks": ("club_ranks", "the pointer of a national event", _club_ranks),
    "workbook": ("jobs", "the workbook of a whole event", _export("workbook")),
    "document": ("jobs", "the event as a document", _export("document")),
    "import": ("jobs", "an import of 10,000 pairs", _import),
    "close_registrations": ("close_registrations", "one minute", _by_the_clock("close_registrations")),
    "end_idle_events": ("end_idle_events", "one hour", _by_the_clock("end_idle_events")),
    "purge_personal_data": ("purge_personal_data", "the names of 5,000 pairs", _by_the_clock("purge_personal_data")),
    "sweep": ("sweep", "compare and heal a national event", _by_the_clock("sweep")),
}
"""Function, what it does there, and how, by the case's word."""


def _megabytes() -> float:
    """The most that this process ever held. (getrusage would count what its parent held before it began.)"""
    status = Path("/proc/self/status").read_text("utf-8")
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmHWM:"))


def main() -> int:
    """Handle one case and print megabytes before and at the peak, and CPU seconds."""
    case, directory = sys.argv[1:]
    with set_up(Path(directory), habits(), seed=2) as stage:
        before, began = _megabytes(), time.process_time()
        CASES[case][2](stage)
        print(before, _megabytes(), time.process_time() - began)
    return 0


if __name__ == "__main__":
    sys.exit(main())
