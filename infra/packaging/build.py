"""The whole way: dependencies, Chalice's own packaging, the zip without what nobody uses, the finished template."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from infra.commands.steps import program
from infra.launcher import stamps
from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.launcher.lock import only_one
from infra.launcher.paths import BUILD, ROOT
from infra.packaging import archive
from infra.packaging.compiling import compiled, interpreter, version_of
from infra.packaging.contents import belongs
from infra.packaging.dependencies import collect
from infra.packaging.models import trimmed
from infra.packaging.target import LAMBDA, Target

MERGE_TEMPLATE = ROOT / "infra" / "merge.yaml"
CHALICE_STAGE = "cloud"
_KEPT = 4
NOT_COMPILED = (
    f"there is no Python {LAMBDA.python} on this machine, so functions compile the program at each cold start, about a "
    f"second more; with python{LAMBDA.python} on PATH it is compiled here"
)
_CHALICE_LEFT_SOMETHING_OUT = "Could not install dependencies"


@dataclass(frozen=True)
class Package:
    """What `guanjun package` makes: the zip, its key in the code bucket, and the template that names that key."""

    archive: Path
    template: Path

    @property
    def key(self) -> str:
        """The name of the zip in the code bucket."""
        return self.archive.name

    @property
    def is_compiled(self) -> bool:
        """Whether functions start from compiled modules: needs a Python of the target's version to package it."""
        return "chalicelib/__init__.pyc" in archive.names(self.archive)


def build(target: Target = LAMBDA) -> Package:
    """Package the program for `target` into build/package, unless what lies there was made from the same sources.

    Equal sources give an equal zip. Nobody ever finds half a package, and two builds wait for each other.
    Raises SetupError when a dependency or a part of the program is missing.
    """
    python = interpreter(target)
    key = stamps.digest(_sources(), *target.pip_options(), target.name, version_of(python))
    shelf = BUILD / "package" / target.name
    directory = shelf / key[:16]
    stamp, template = directory / "sources.stamp", directory / "app.json"
    with only_one(BUILD / "package" / "building.lock"):
        if stamps.is_fresh(stamp, key):
            (zipped,) = directory.glob("*.zip")
            return Package(zipped, template)
        shutil.rmtree(directory, ignore_errors=True)
        project = _stage(directory / "project", collect(target))
        _run_chalice(project, directory / "chalice")
        files = archive.read(directory / "chalice" / "deployment.zip")
        kept = {name: trimmed(name, content) for name, content in files.items() if belongs(name)}
        zipped = archive.write(compiled(kept, python), directory)
        document = yaml.safe_load((directory / "chalice" / "sam.yaml").read_text(encoding="utf-8"))
        template.write_text(json.dumps(_finish(document, zipped.name, target)), encoding="utf-8")
        shutil.rmtree(project)
        shutil.rmtree(directory / "chalice")
        stamps.write(stamp, key)
        _clear(shelf)
    return Package(zipped, template)


def _clear(shelf: Path) -> None:
    """Throw older packages away, but not the last ones: somebody may be deploying them."""
    newest_first = sorted(shelf.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in newest_first[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _sources() -> list[Path]:
    """Everything that a package is made from: the program, its settings, and the way it is packaged."""
    trees = (("chalicelib", "*.py"), (".chalice", "*.json"), ("infra/packaging", "*.py"))
    files = [file for tree, pattern in trees for file in (ROOT / tree).rglob(pattern)]
    files += [file for file in ROOT.glob("requirements*.txt") if file.name != "requirements-dev.txt"]
    return [*files, ROOT / "app.py", MERGE_TEMPLATE]


def _stage(project: Path, dependencies: Path) -> Path:
    """A copy of the program as Chalice wants it, with the dependencies as `vendor` and nothing left to install."""
    unwanted = shutil.ignore_patterns("__pycache__", "deployed", "deployments", "venv")
    for name in ("chalicelib", ".chalice"):
        shutil.copytree(ROOT / name, project / name, ignore=unwanted)
    shutil.copy2(ROOT / "app.py", project / "app.py")
    (project / "requirements.txt").touch()
    shutil.copytree(dependencies, project / "vendor")
    return project


def _run_chalice(project: Path, output: Path) -> None:
    words = [program("chalice"), "package", "--stage", CHALICE_STAGE, "--template-format", "yaml"]
    words += ["--merge-template", str(MERGE_TEMPLATE), str(output)]
    # Chalice imports app.py, and wants a region to do so; no request is made.
    environment = clean({"AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"})
    done = subprocess.run(
        words,
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0 or _CHALICE_LEFT_SOMETHING_OUT in done.stdout:
        raise SetupError(f"chalice could not package the program:\n{done.stdout.strip()}")


def _finish(template: dict[str, Any], key: str, target: Target) -> dict[str, Any]:
    """Let every function take its code from the code bucket; for another target than Lambda's, name its runtime."""
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = {"Bucket": {"Ref": "CodeBucket"}, "Key": key}
            if target != LAMBDA:
                resource["Properties"]["Runtime"] = f"python{target.python}"
    return template
