"""Whatever a document is, it is read or its faults are named, one line each: never a traceback."""

import io
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.rules.command_line import run
from chalicelib.rules.document import parse
from chalicelib.rules.faults import DocumentFaults, Fault, FaultCode, pointer
from tests.rules.building import document, faults, played

NOT_JSON = {("/", "not_json")}


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "掼蛋",
        '{"format": "guanjun-event/1",}',
        '{"event": NaN}',
        '{"event": [Infinity, -Infinity]}',
        '{"event": "a\nb"}',
        "[" * 100_000,
        '{"event":' * 50_000,
        b"\xff\xfe{\x00",
        '{"event": {"name": "周三夜赛"}}'.encode("gb18030"),
        "\ufeff\ufeff{}",
    ],
)
def test_what_is_not_json(text):
    assert faults(text) == NOT_JSON


def test_words_that_python_takes_for_numbers_are_named():
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(DocumentFaults, match=f"{word} is no number"):
            parse(f'{{"event": {word}, "clubs": {"1" * 5000}}}')


@pytest.mark.parametrize("text", ["[]", "null", "1", '"a"', "1e999", "1" * 5000])
def test_json_that_is_no_document(text):
    assert faults(text) == {("/", "wrong_type")}


def test_an_empty_object_misses_everything():
    assert faults("{}") == {("/format", "missing"), ("/event", "missing"), ("/entries", "missing")}


def test_numbers_without_end():
    def with_rounds(number):
        return json.dumps(document(entries=1)).replace('"rounds": 1', f'"rounds": {number}')

    for number in ("1" * 5000, "-" + "1" * 5000):
        assert faults(with_rounds(number)) == {("/event/rounds", "out_of_range")}
    for number in ("1e999", "1.0", "1e-99999999999999999999"):
        assert faults(with_rounds(number)) == {("/event/rounds", "wrong_type")}


@pytest.mark.parametrize(
    "amount",
    ["1e999999999", "1e-999999999", "0." + "5" * 10_000, "2.0000000000000000000000001", "1e99999999999999999999"],
)
def test_amounts_without_end(amount):
    of = document(entries=1, rounds=[[]])
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "match_points", "amount": "?", "reason": ""}]
    text = json.dumps(of).replace('"?"', amount)
    assert faults(text) == {("/adjustments/0/amount", "out_of_range")}


def test_an_amount_may_be_written_in_many_ways():
    of = document(entries=1, rounds=[[]])
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "match_points", "amount": "?", "reason": ""}]
    for amount in ("2.5", "25e-1", "2.50000", "0.25e1"):
        assert parse(json.dumps(of).replace('"?"', amount)).adjustments[0].amount == 2.5


def test_duplicate_keys_are_named_where_they_stand():
    text = json.dumps(document(entries=2, rounds=[[played(1, 1, 2, "5", "2")]]))
    text = text.replace('"ns": 1', '"ns": 1, "ns": 1, "ns": 1').replace('"format"', '"format": "x", "format"')
    assert faults(text) == {("/format", "duplicate"), ("/rounds/0/tables/0/ns", "duplicate")}


def test_pointers_escape_what_would_break_them():
    assert pointer(("a/b", "c~d", 3)) == "/a~1b/c~0d/3"
    assert pointer(("a\nb\u2028",)) == "/a\\u000ab\\u2028"
    of = document(entries=1)
    of["a/b\n"] = 1
    assert faults(of) == {("/a~1b\\u000a", "unknown_field")}
    half = json.dumps(document(entries=1)).replace('"clubs"', '"\\udc80": 1, "clubs"')
    assert faults(half) == {("/\\udc80", "unknown_field")}


def test_a_fault_is_one_line():
    assert Fault("/event", FaultCode.MISSING, "this field is required").line() == (
        "/event missing this field is required"
    )
    with pytest.raises(DocumentFaults, match="/ not_json"):
        parse("{")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 200_000)
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["pairs", "mitchell", "played", "A+", "ns", "open", "par", "match_points"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def wild_documents(draw):
    """A sound document in which a few values anywhere were replaced by anything."""
    kind = draw(st.sampled_from(["pairs", "individual", "rotation", "team_of_four", "mitchell", "open_ended"]))
    sides = ([1, 2], [3, 4]) if kind == "individual" else (1, 2)
    table = played(1, *sides, "5", "2") | {"boards": [{"board": 1, "result": 3}], "room": "open", "set": 1}
    of = document(kind, 4, [{"tables": [table], "byes": [], "sit_outs": []}], points={"win": 2}, bye={}, pairing={})
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "match_points", "amount": 1, "reason": "x"}]
    for _ in range(draw(st.integers(1, 3))):
        place = of
        for _ in range(draw(st.integers(0, 5))):
            steps = list(place) if isinstance(place, dict) else list(range(len(place)))
            below = [step for step in steps if isinstance(place[step], dict | list) and place[step]]
            if not below:
                break
            place = place[draw(st.sampled_from(below))]
        steps = list(place) if isinstance(place, dict) else list(range(len(place)))
        place[draw(st.sampled_from(steps))] = draw(JSON)
    return json.dumps(of)


@settings(max_examples=400, deadline=None)
@given(wild_documents())
def test_wild_documents_never_raise(text):
    for command in ("standings", "check"):
        output, errors = io.StringIO(), io.StringIO()
        status = run([command, "-"], io.BytesIO(text.encode()), output, errors)
        lines = errors.getvalue().splitlines()
        if status == 0:
            assert json.loads(output.getvalue())
            assert not lines
        else:
            assert status == 2
            assert not output.getvalue()
            assert lines
            for line in lines:
                # A field's name may hold anything, spaces too, so the code is looked for behind it.
                assert re.fullmatch(rf"/.* ({'|'.join(FaultCode)}) \w.*", line)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_never_raise(data):
    errors = io.StringIO()
    assert run(["check", "-"], io.BytesIO(data), io.StringIO(), errors) == 2
    assert errors.getvalue().startswith("/ ") or "missing" in errors.getvalue()
