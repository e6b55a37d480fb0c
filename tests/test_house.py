"""The house: where things stand and what never enters the repository. Read from what Git tracks."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from infra.commands.steps import program
from infra.launcher.paths import ROOT

MOST_LINES = 400
WRITTEN_BY_TOOLS = {"web/src/shared/schema.d.ts", "web/package-lock.json", "web/openapi.json"}
SOURCE = {".py", ".ts", ".vue", ".css", ".js", ".mjs", ".html", ".yaml", ".yml", ".sh"}
TEXT = SOURCE | {".md", ".json", ".toml", ".txt", ".cfg", ""}


def tracked() -> list[Path]:
    """Files under version control, and new ones that are not ignored; deleted ones left out."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = listed.stdout.decode().split("\0")
    return sorted(ROOT / name for name in set(names) if name and (ROOT / name).is_file())


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def texts() -> dict[str, str]:
    """Every text file by name, but those that tools write."""
    return {
        name_of(file): file.read_text(encoding="utf-8")
        for file in tracked()
        if file.suffix in TEXT and name_of(file) not in WRITTEN_BY_TOOLS
    }


def found(pattern: str, *, but_not_in: tuple[str, ...] = ()) -> list[str]:
    """`file:line: text` for every line that matches."""
    search = re.compile(pattern)
    this_file = name_of(Path(__file__))
    return [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts().items()
        if name != this_file and not name.startswith(but_not_in)
        for number, line in enumerate(text.splitlines(), 1)
        if search.search(line)
    ]


def test_arrows_point_downwards() -> None:
    """The contracts of pyproject.toml: api, workers -> services -> store, gateways -> rules."""
    done = subprocess.run([program("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_file_holds_more_than_one_idea_can_fill() -> None:
    long = {
        name: text.count("\n")
        for name, text in texts().items()
        if Path(name).suffix in SOURCE and text.count("\n") > MOST_LINES
    }
    assert long == {}


def test_nothing_is_left_for_later() -> None:
    assert found(r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError") == []


def test_no_excuse_without_a_reason() -> None:
    """A silenced checker names its rule, in the product the reason as well; a skipped test does not exist."""
    silenced = found(r"# type: ignore|# noqa|eslint-disable|@ts-ignore|@ts-expect-error|# pragma: no cover")
    assert [line for line in silenced if not re.search(r"ignore\[[\w-]+\]|noqa: [A-Z]+\d+", line)] == []
    in_product = [line for line in silenced if not line.startswith("tests/")]
    assert [line for line in in_product if not re.search(r"(\]|noqa: \w+) +(#|--?) .{10,}", line)] == []
    assert (
        found(r"pytest\.mark\.(skip\b|xfail\((?!reason=.*strict=True))|\b(it|test|describe)\.(skip|only|todo)\b") == []
    )


def test_no_machine_and_no_registry_is_named() -> None:
    """The repository builds anywhere: no path of somebody's machine, no download address."""
    assert found(r"(^|[\s\"'(=`])/(root|work|home/\w+|Users/\w+)/") == []
    assert found(r"index-url|registry\.npmjs|files\.pythonhosted|pypi\.org/simple|npmmirror|pypi\.tuna") == []
    locked = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved": "http' not in locked


def test_no_secret_and_no_real_phone_is_in_it() -> None:
    assert found(r"AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY|\bsk_live_") == []
    # Invented phones all begin with 1380013 (or end in six noughts), so that nobody's number slips in.
    assert found(r"(?<![\d.])(?!1380013)(?!1\d{4}0{6})1[3-9]\d{9}(?![\d.])") == []


def test_the_application_only_registers() -> None:
    """app.py: imports, one application, registrations; no function, class or condition."""
    body = ast.parse((ROOT / "app.py").read_text(encoding="utf-8")).body
    allowed = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.For)
    assert [type(statement).__name__ for statement in body if not isinstance(statement, allowed)] == []
    calls = {
        node.func.attr
        for node in ast.walk(ast.Module(body, []))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert calls == {"register_blueprint"}


def test_the_rules_are_plain_python() -> None:
    """`./guanjun standings FILE` runs without anything installed: only rustworkx, and that inside a function."""
    from sys import stdlib_module_names

    outside = set()
    for file in (ROOT / "chalicelib" / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom) and node.level == 0
                else []
            )
            outside |= {name for name in names if name.split(".")[0] not in {*stdlib_module_names, "chalicelib"}}
            top = {name.split(".")[0] for name in names}
            assert not (top & {"random", "time", "secrets", "os", "socket"}), (file.name, names)
            if "rustworkx" in top:
                assert node.col_offset > 0, f"{file.name}: rustworkx is imported inside the function that uses it"
    assert outside <= {"rustworkx"}


LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
DOCUMENTS = [name_of(file) for file in tracked() if file.suffix == ".md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(document: str) -> None:
    file = ROOT / document
    for target in LINK.findall(file.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            path, _, _anchor = target.partition("#")
            assert (file.parent / path).exists() if path else True, target


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_a_document_names_is_there(document: str) -> None:
    """Paths in backquotes below one of our rooms; patterns and places that are made later aside."""
    rooms = ("chalicelib/", "infra/", "tests/", "docs/", "web/src/", ".chalice/", ".ci/")
    text = (ROOT / document).read_text(encoding="utf-8")
    for path in re.findall(r"`([\w./-]+/[\w./-]*)`", text):
        if path.startswith(rooms):
            assert (ROOT / path).exists(), path
