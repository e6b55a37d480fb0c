"""Start ministack, an emulated cloud, on a free loopback port: for the conformance suite and the deployment tests.

It lives in its own environment (``.venv-ministack``), because it pins another botocore than the product.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.launcher.lock import only_one

REPOSITORY = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(__file__).with_name("ministack-requirements.txt")
ENVIRONMENT = REPOSITORY / ".venv-ministack"
ACCOUNT = "123456789012"
REGION = "us-east-1"
START_SECONDS = 30.0
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Ministack:
    """A running emulator: its address, and the file its output goes to."""

    url: str
    log: Path

    def client_settings(self) -> dict[str, str]:
        """Keyword arguments for ``boto3.client``."""
        return {
            "endpoint_url": self.url,
            "region_name": REGION,
            "aws_access_key_id": ACCOUNT,
            "aws_secret_access_key": "local",
        }


def program(environment: Path = ENVIRONMENT) -> Path:
    """The Python of ministack's environment (which may not exist yet)."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def prepare(environment: Path = ENVIRONMENT) -> Path:
    """Make the environment where it is missing or its requirements changed; returns its Python.

    One process at a time: the workers of a test run all come here at once.
    """
    wanted = REQUIREMENTS.read_text("utf-8")
    stamp = environment / "requirements.installed"
    with only_one(REPOSITORY / "build" / f"{environment.name.lstrip('.')}.lock"):
        if not stamp.is_file() or stamp.read_text("utf-8") != wanted:
            if not program(environment).is_file():
                venv.create(environment, with_pip=True)
            install = [str(program(environment)), "-m", "pip", "install", "--quiet", "-r", str(REQUIREMENTS)]
            subprocess.run(install, check=True)
            stamp.write_text(wanted, "utf-8")
    return program(environment)


def free_port() -> int:
    """A loopback port nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(work: Path, environment: Path = ENVIRONMENT) -> Iterator[Ministack]:
    """Run an empty emulator for a block; ``work`` takes its files and its log. Prepares the environment first."""
    python = prepare(environment)
    work.mkdir(parents=True, exist_ok=True)
    port = free_port()
    settings = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LAMBDA_EXECUTOR": "local",
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "MINISTACK_REGION": REGION,
        "TMPDIR": str(work),
        "S3_DATA_DIR": str(work / "s3"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    log = work / "ministack.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(python), "-m", "ministack"], env=settings, cwd=work, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_up(port, process, log)
            yield Ministack(f"http://127.0.0.1:{port}", log)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_up(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"ministack ended with {process.returncode}:\n{log.read_text('utf-8', 'replace')}")
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/_ministack/health")
            connection.getresponse().close()
            return
        except (http.client.HTTPException, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"ministack did not answer within {START_SECONDS:.0f} s; see {log}")
