"""Modules compiled in advance, because Lambda's disk is read-only and every new process would compile them again.

Measured (docs/functions.md): importing the program from sources takes three times as long. A compiled module stands in
its source's place, which Python imports like a source; both together would not fit. Compiling needs the very version of
Python that will run the program; where a machine has none, the sources go into the zip and all works as well, slower.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.packaging.target import Target

# What a function imports when it starts. Everything else is needed now and then and is smaller as a source.
AT_THE_START = (
    "boto3",
    "botocore",
    "chalice",
    "chalicelib",
    "dateutil",
    "jmespath",
    "msgspec",
    "pynamodb",
    "six.py",
    "typing_extensions.py",
    "urllib3",
)
# Docstrings of ours are for readers, and so are those of libraries that never look at them; botocore and boto3 make
# documentation of theirs.
WITHOUT_DOCSTRINGS = ("chalicelib", "dateutil", "pynamodb", "typing_extensions.py", "urllib3")
CODE_DIRECTORY = "/var/task/"

# Run by the target's own Python: reads sources below a directory and leaves compiled modules beside them.
_PROGRAM = """
import ast, importlib.util, marshal, pathlib, sys
root, code_directory, without_docstrings = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
UNCHECKED_HASH = 1
for source in sorted(root.rglob("*.py")):
    name = source.relative_to(root).as_posix()
    content = source.read_bytes()
    tree = ast.parse(content, name)
    if name.split("/")[0] in without_docstrings:
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    if isinstance(first.value.value, str):
                        node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), first)]
    code = compile(tree, code_directory + name, "exec", dont_inherit=True, optimize=0)
    flags = UNCHECKED_HASH.to_bytes(4, "little")
    head = importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(content)
    source.with_suffix(".pyc").write_bytes(head + marshal.dumps(code))
    source.unlink()
"""


def interpreter(target: Target) -> str | None:
    """A Python of the target's version on this machine, None where there is none.

    Looked for: the running one, ``python3.x`` on PATH, and pyenv's versions.
    """
    for found in _candidates(target.python):
        if version_of(found).startswith(f"{target.python}."):
            return found
    return None


def _candidates(version: str) -> Iterator[str]:
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        yield sys.executable
    for directory in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which(f"python{version}", path=directory)
        if found is not None:
            yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(str(found) for found in pyenv.glob(f"versions/{version}.*/bin/python{version}"))


def version_of(python: str | None) -> str:
    """Such as 3.13.2; empty for None and for what does not run (pyenv leaves words on PATH that only complain)."""
    if python is None:
        return ""
    words = [python, "-c", "import sys; print('.'.join(map(str, sys.version_info[:3])))"]
    done = subprocess.run(words, capture_output=True, text=True, env=clean(), check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def belongs_to_the_start(name: str) -> bool:
    """Whether a file of the zip is a module that every function imports when it starts.

    >>> [belongs_to_the_start(name) for name in ("chalicelib/api/health.py", "openpyxl/__init__.py", "app.py")]
    [True, False, False]
    """
    path = PurePosixPath(name)
    return path.suffix == ".py" and path.parts[0] in AT_THE_START


def compiled(files: Mapping[str, bytes], python: str | None) -> dict[str, bytes]:
    """The files with what is imported at the start compiled by ``python`` (None: as they are).

    The same files and the same Python give the same bytes. Raises SetupError where a module cannot be compiled.
    """
    if python is None:
        return dict(files)
    sources = {name for name in files if belongs_to_the_start(name)}
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name in sources:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(files[name])
        words = [python, "-c", _PROGRAM, directory, CODE_DIRECTORY, *WITHOUT_DOCSTRINGS]
        # A fixed seed: the order in sets of constants would else differ from run to run.
        environment = clean({"PYTHONHASHSEED": "0"})
        done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            raise SetupError(f"the program could not be compiled:\n{done.stderr.strip()}")
        made = {f"{name}c": (root / f"{name}c").read_bytes() for name in sources}
    return {name: content for name, content in files.items() if name not in sources} | made
