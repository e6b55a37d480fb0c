"""The three commands as functions: exit status, standard output, standard error."""

import io
import json
import subprocess
import sys

import pytest

from chalicelib.rules.command_line import run
from chalicelib.rules.standings import standings, to_json
from tests.rules.building import document, event, played, unplayed


def answer(command, of, *, as_text=False):
    text = json.dumps(of, ensure_ascii=False)
    stdin = io.StringIO(text) if as_text else io.BytesIO(text.encode())
    output, errors = io.StringIO(), io.StringIO()
    status = run([command, "-"], stdin, output, errors)
    return status, output.getvalue(), errors.getvalue()


OF = document(entries=4, rounds=[[played(1, 1, 2, "10", "6"), played(2, 3, 4, "5", "5")]])


def test_standings_of_standard_input():
    for as_text in (False, True):
        status, output, errors = answer("standings", OF, as_text=as_text)
        assert (status, errors) == (0, "")
        assert output.count("\n") == 1
        assert json.loads(output) == json.loads(json.dumps(to_json(standings(event(OF)))))


def test_a_file(tmp_path):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(OF), encoding="utf-8")
    output = io.StringIO()
    assert run(["check", str(path)], io.BytesIO(), output, io.StringIO()) == 0
    assert json.loads(output.getvalue()) == {"ok": True}


def test_a_bad_document_names_its_faults_on_standard_error():
    of = document(entries=2, rounds=[[played(1, 1, 7, "10", "1")]])
    for command in ("standings", "pair", "check"):
        status, output, errors = answer(command, of)
        assert (status, output) == (2, "")
        assert sorted(line.split(" ")[:2] for line in errors.splitlines()) == [
            ["/rounds/0/tables/0/ew", "unknown_reference"],
            ["/rounds/0/tables/0/ew_level", "out_of_range"],
        ]


def test_pair_answers_or_refuses():
    of = document(entries=4, rounds=[OF["rounds"][0]["tables"]])
    of["event"]["rounds"] = 3
    status, output, _ = answer("pair", of)
    assert status == 0
    found = json.loads(output)
    assert found["round"] == 2
    assert len(found["tables"]) == 2
    of["rounds"][0]["tables"][1] = unplayed(2, 3, 4, "unplayed")
    status, output, _ = answer("pair", of)
    assert status == 1
    assert json.loads(output)["error"]["code"] == "open_tables"


@pytest.mark.parametrize("arguments", [[], ["standings"], ["rank", "-"], ["check", "a", "b"]])
def test_a_command_that_makes_no_sense(arguments):
    errors = io.StringIO()
    assert run(arguments, io.BytesIO(), io.StringIO(), errors) == 2
    assert errors.getvalue().startswith("usage:")


def test_a_file_that_cannot_be_read(tmp_path):
    errors = io.StringIO()
    assert run(["check", str(tmp_path)], io.BytesIO(), io.StringIO(), errors) == 2
    assert run(["check", str(tmp_path / "none.json")], io.BytesIO(), io.StringIO(), errors) == 2
    lines = errors.getvalue().splitlines()
    assert len(lines) == 2
    assert all(line.startswith("/ not_json the file ") for line in lines)


def test_a_name_that_is_no_text_is_quoted():
    errors = io.StringIO()
    assert run(["check", "none\n\udcff.json"], io.BytesIO(), io.StringIO(), errors) == 2
    assert errors.getvalue().count("\n") == 1
    assert errors.getvalue().encode().startswith(rb"/ not_json the file 'none\n\udcff.json' cannot be read")


def test_the_rules_pull_in_nothing_but_the_standard_library():
    script = (
        "import sys, pkgutil, importlib, chalicelib.rules as rules\n"
        "for module in pkgutil.walk_packages(rules.__path__, 'chalicelib.rules.'):\n"
        "    importlib.import_module(module.name)\n"
        "names = {name.split('.')[0] for name in sys.modules}\n"
        "print(sorted(names - set(sys.stdlib_module_names) - {'chalicelib', '__main__'}))\n"
    )
    # -S: without site-packages and what they load at the start of the interpreter.
    found = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_standings_need_nothing_of_the_pairing():
    script = "import sys, chalicelib.rules.command_line\nprint('chalicelib.rules.pairing' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
