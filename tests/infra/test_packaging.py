"""The package: complete, small, the same from the same sources, and importable on its own."""

import gzip
import json
import marshal
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.launcher.lock import only_one
from infra.launcher.paths import BUILD, ROOT
from infra.launcher.python_packages import requirement_files
from infra.packaging import archive
from infra.packaging.build import Package, build
from infra.packaging.compiling import belongs_to_the_start, compiled, interpreter
from infra.packaging.contents import AWS_SERVICES, belongs
from infra.packaging.dependencies import VENDORED
from infra.packaging.models import trimmed
from infra.packaging.target import LAMBDA, Target, this_machine

MOST_BYTES = 4_000_000
# Machine code that cannot be made smaller: the matching of rustworkx, libsodium, and the signatures of payments.
COMPILED_VENDORS = ("rustworkx", "nacl", "cryptography")
# WeChat Pay's library and what it needs beside that; imported with the first payment.
PAYMENT_VENDORS = ("wechatpayv3", "requests", "idna", "certifi")
MOST_PAYMENT_BYTES = 300_000
MOST_BYTES_UNZIPPED = 250_000_000


@pytest.fixture(scope="module")
def sizes(package: Package) -> dict[str, tuple[int, int]]:
    """Compressed and plain bytes of each file in the zip."""
    with zipfile.ZipFile(package.archive) as opened:
        return {entry.filename: (entry.compress_size, entry.file_size) for entry in opened.infolist()}


def test_the_whole_program_is_in_it(sizes: dict[str, tuple[int, int]]) -> None:
    suffix = ".pyc" if interpreter(LAMBDA) else ".py"
    modules = [file.relative_to(ROOT).with_suffix(suffix).as_posix() for file in (ROOT / "chalicelib").rglob("*.py")]
    assert {*modules, "app.py"} <= set(sizes)


def test_every_pinned_dependency_is_in_it(sizes: dict[str, tuple[int, int]]) -> None:
    """Chalice leaves out what has no wheel for the target, says so in passing, and ends with success."""
    pinned = {
        line.lower().replace("_", "-")
        for file in [*requirement_files("requirements.txt"), VENDORED]
        for line in file.read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    packed = {
        f"{match[1]}=={match[2]}".lower().replace("_", "-")
        for name in sizes
        if (match := re.fullmatch(r"([^/]+)-([^-/]+)\.dist-info/METADATA", name))
    }
    assert packed == pinned


def test_nothing_of_the_workshop_is_in_it(sizes: dict[str, tuple[int, int]]) -> None:
    tops = {name.split("/")[0] for name in sizes}
    assert not tops & {"infra", "tests", "web", "docs", "numpy", "moto", "pytest", "lark", "guanjun", "bin"}
    assert not [name for name in sizes if name.endswith(".pyi") or "__pycache__" in name]
    # A module stands there once: compiled if it is imported at the start, else as its source.
    assert not [name for name in sizes if f"{name}c" in sizes]
    assert all(belongs_to_the_start(name.removesuffix("c")) for name in sizes if name.endswith(".pyc"))


def test_machine_code_is_for_the_target(sizes: dict[str, tuple[int, int]]) -> None:
    compiled = [name for name in sizes if name.endswith(".so")]
    assert compiled
    for name in compiled:
        assert re.search(r"\.(abi3|cpython-313-x86_64-linux-gnu)\.so$", name), name


def test_it_is_small_enough(sizes: dict[str, tuple[int, int]]) -> None:
    packed: Counter[str] = Counter()
    for name, (compressed, _plain) in sizes.items():
        packed[name.split("/")[0].split("-")[0]] += compressed
    payments = sum(size for top, size in packed.items() if top in PAYMENT_VENDORS)
    assert payments <= MOST_PAYMENT_BYTES, packed
    ours = sum(size for top, size in packed.items() if top not in COMPILED_VENDORS + PAYMENT_VENDORS)
    assert ours <= MOST_BYTES, packed.most_common(12)
    assert sum(plain for _compressed, plain in sizes.values()) <= MOST_BYTES_UNZIPPED


def test_the_zip_is_named_by_its_contents_and_nothing_else(tmp_path: Path) -> None:
    files = {"b.py": b"two", "a/c.py": b"one"}
    first = archive.write(files, tmp_path / "first")
    again = archive.write(dict(reversed(files.items())), tmp_path / "again")
    other = archive.write({**files, "b.py": b"three"}, tmp_path / "first")
    assert first.name == again.name != other.name
    assert archive.read(first) == files


def test_the_services_kept_are_those_that_the_program_calls() -> None:
    """Another client would fail in Lambda only: its description is not in the zip."""
    called = {"dynamodb"}  # PynamoDB makes that one
    for file in (ROOT / "chalicelib").rglob("*.py"):
        called |= set(re.findall(r"boto3\.(?:client|resource)\(\s*\"([\w-]+)\"", file.read_text(encoding="utf-8")))
    assert called == set(AWS_SERVICES)
    assert belongs("botocore/data/dynamodb/2012-08-10/service-2.json.gz")
    assert not belongs("botocore/data/ec2/2016-11-15/service-2.json.gz")
    assert not belongs("botocore/data/s3/2006-03-01/examples-1.json")
    assert not belongs("botocore/data/cloudfront/2014-05-31/service-2.json.gz")


def test_a_package_for_this_machine_imports_with_nothing_else_on_the_path(tmp_path: Path) -> None:
    """What is left out is not missed: every module of ours, and a client of every service, from the zip alone."""
    with only_one(BUILD / "package.lock"), zipfile.ZipFile(build(this_machine()).archive) as opened:
        opened.extractall(tmp_path)
    modules = [
        file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for file in sorted((ROOT / "chalicelib").rglob("*.py"))
    ]
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from importlib import import_module\n"
        f"for name in {['app', *modules]!r}: import_module(name)\n"
        "import boto3, openpyxl, qrcode, png, rustworkx, wechatpayv3.core\n"
        f"for name in {AWS_SERVICES!r}: boto3.client(name, region_name='us-east-1')\n"
        "from chalicelib.gateways import logs, metrics\n"
        "logs.configure()\n"
        "metrics.EmbeddedMetrics().add('Submissions')\n"
        "outside = [n for n, m in sys.modules.items() if 'site-packages' in (getattr(m, '__file__', None) or '')]\n"
        "assert not outside, outside\n"
    )
    done = subprocess.run(
        # -S: no site-packages; -E: no environment of Python's own.
        [sys.executable, "-S", "-E", "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=clean(),
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_module_is_compiled_to_the_same_bytes_each_time_and_behaves_as_its_source() -> None:
    """Else the zip's name would change without a reason, or a function would do something else than the tests saw."""
    source = b'''"""Words."""
from __future__ import annotations

NAMES = {"b", "a", "c"}


def halved(number: int) -> float:
    """Half of it."""
    assert number % 2 == 0, "odd"
    return number / 2


class Empty(Exception):
    """Nothing but words."""
'''
    files = {"chalicelib/__init__.py": b"", "chalicelib/x.py": source, "openpyxl/y.py": b"1\n", "z.json": b"{}"}
    first, again = (compiled(files, sys.executable) for _ in range(2))
    assert first == again
    assert set(first) == {"chalicelib/__init__.pyc", "chalicelib/x.pyc", "openpyxl/y.py", "z.json"}
    namespace: dict[str, object] = {"__name__": "x"}
    exec(marshal.loads(first["chalicelib/x.pyc"][16:]), namespace)
    halved, empty = namespace["halved"], namespace["Empty"]
    assert callable(halved)
    assert halved(4) == 2
    with pytest.raises(AssertionError, match="odd"):
        halved(3)
    assert (halved.__doc__, empty.__doc__, namespace.get("__doc__")) == (None, None, None)
    assert halved.__code__.co_filename == "/var/task/chalicelib/x.py"


def test_without_the_targets_python_sources_go_into_the_zip() -> None:
    files = {"chalicelib/x.py": b"1\n"}
    assert interpreter(Target("2.99", ())) is None
    assert compiled(files, None) == files


def test_a_module_that_cannot_be_compiled_stops_the_packaging() -> None:
    with pytest.raises(SetupError, match=r"chalicelib/x\.py"):
        compiled({"chalicelib/x.py": b"def\n"}, sys.executable)


def test_service_models_lose_their_prose_and_nothing_else() -> None:
    shapes = {"documentation": {"type": "string", "documentation": "<p>words</p>"}, "B": {"members": [{"shape": "C"}]}}
    # Without these words botocore finds no address for a request to S3.
    asked = {"Accelerate": {"type": "boolean", "documentation": "words that are asked for"}}
    model = {"metadata": {}, "documentation": "<p>words</p>", "shapes": shapes, "clientContextParams": asked}
    name = "botocore/data/s3/2006-03-01/service-2.json.gz"
    found = trimmed(name, gzip.compress(json.dumps(model).encode()))
    shapes["documentation"] = {"type": "string"}
    assert json.loads(gzip.decompress(found)) == {"metadata": {}, "shapes": shapes, "clientContextParams": asked}
    assert found == trimmed(name, found)
    assert trimmed("botocore/data/endpoints.json", b"as it is") == b"as it is"


def test_nothing_is_built_twice_from_the_same_sources(package: Package) -> None:
    made = package.archive.stat().st_mtime_ns
    assert build() == package
    assert package.archive.stat().st_mtime_ns == made
