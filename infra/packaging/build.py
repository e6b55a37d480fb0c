"""The whole way: dependencies, Chalice's own packaging, the zip without what nobody uses, the finished template."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from infra.commands.steps import program
from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.launcher.paths import BUILD, ROOT
from infra.packaging import archive
from infra.packaging.contents import belongs
from infra.packaging.dependencies import collect
from infra.packaging.target import LAMBDA, Target

MERGE_TEMPLATE = ROOT / "infra" / "merge.yaml"
CHALICE_STAGE = "cloud"
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


def build(target: Target = LAMBDA, source: Path = ROOT) -> Package:
    """Package the program in `source` for `target` into build/package.

    Equal sources give an equal zip. Raises SetupError when a dependency or a part of the program is missing.
    """
    directory = BUILD / "package" / target.name
    shutil.rmtree(directory, ignore_errors=True)
    project = _stage(source, directory / "project", collect(target))
    _run_chalice(project, directory / "chalice")
    files = archive.read(directory / "chalice" / "deployment.zip")
    zipped = archive.write({name: content for name, content in files.items() if belongs(name)}, directory)
    template = directory / "app.json"
    document = yaml.safe_load((directory / "chalice" / "sam.yaml").read_text(encoding="utf-8"))
    template.write_text(json.dumps(_finish(document, zipped.name, target)), encoding="utf-8")
    shutil.rmtree(project)
    shutil.rmtree(directory / "chalice")
    return Package(zipped, template)


def _stage(source: Path, project: Path, dependencies: Path) -> Path:
    """A copy of the program as Chalice wants it, with the dependencies as `vendor` and nothing left to install."""
    if not (source / "app.py").is_file():
        raise SetupError(f"there is no app.py in {source}")
    unwanted = shutil.ignore_patterns("__pycache__", "deployed", "deployments", "venv")
    for name in ("chalicelib", ".chalice"):
        shutil.copytree(source / name, project / name, ignore=unwanted)
    shutil.copy2(source / "app.py", project / "app.py")
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
