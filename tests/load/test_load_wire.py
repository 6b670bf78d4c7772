"""JSON as found in the wild: digits, duplicate keys, encodings and depth."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import DataError
from docassay.load.wire import decode, member_names, to_text
from docassay.model.document import Number
from docassay.model.problem import ProblemCode, Remark

KEYS = st.text(max_size=4)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


@pytest.mark.parametrize("digits", ["1.50", "1e400", "-0.0", "12345678901234567890.123", "1E-7"])
def test_a_number_with_a_fraction_or_exponent_keeps_its_digits(digits: str) -> None:
    value = decode(f'{{"n":{digits}}}'.encode(), "f").tree
    assert value == {"n": digits}
    assert isinstance(value, dict)
    assert isinstance(value["n"], Number)


def test_an_integer_stays_an_integer_of_any_length() -> None:
    assert decode(b"[12345678901234567890123]", "f").tree == [12345678901234567890123]


def test_an_integer_too_long_for_python_keeps_its_digits() -> None:
    digits = "7" * 5000
    assert decode(f"[{digits}]".encode(), "f") == ([Number(digits)], [])


DUPLICATES = [
    pytest.param(b'{"a":1,"a":2}', {"a": 2}, ["a"], id="plain"),
    pytest.param(b'{"a":{"b":1,"b":1}}', {"a": {"b": 1}}, ["b"], id="nested"),
    pytest.param(b'{"a" : 1, "a"\n: 2}', {"a": 2}, ["a"], id="space before the colon"),
    pytest.param(b'{"a":"\\u003a","a":1,"b":2}', {"a": 1, "b": 2}, ["a"], id="escaped colon lost"),
    pytest.param(b'{"b":"\\u003A","a":1,"a":2}', {"b": ":", "a": 2}, ["a"], id="escaped colon"),
    pytest.param(b'{"a":"x:y","a":"z"}', {"a": "z"}, ["a"], id="colon in a text"),
    pytest.param(b'{"\\u0061":1,"a":2}', {"a": 2}, ["a"], id="key written with an escape"),
]


@pytest.mark.parametrize(("data", "tree", "keys"), DUPLICATES)
def test_a_duplicate_key_is_a_problem_and_the_last_value_is_kept(
    data: bytes, tree: object, keys: list[str]
) -> None:
    found, problems = decode(data, "f")
    assert found == tree
    assert [problem.message.split("'")[1] for problem in problems] == keys
    assert {problem.code for problem in problems} <= {ProblemCode.DUPLICATE_KEY}


@pytest.mark.parametrize(
    "data", [b'{"a":"\\u003a:"}', b'{"a:":"\\":","b" :{"c":"a\\\\"}}', b'{"a":1.5,"b":[{"a":1}]}']
)
def test_colons_in_texts_are_no_duplicates(data: bytes) -> None:
    assert decode(data, "f").problems == []


@given(TREES)
def test_what_the_standard_library_writes_reads_back(tree: object) -> None:
    assert decode(json.dumps(tree).encode(), "f") == (tree, [])


@given(st.lists(st.tuples(KEYS, st.text(max_size=6)), max_size=6))
def test_duplicate_keys_are_found_exactly(pairs: list[tuple[str, str]]) -> None:
    text = "{" + ",".join(f"{json.dumps(k)}:{json.dumps(v)}" for k, v in pairs) + "}"
    tree, problems = decode(text.encode(), "f")
    assert tree == dict(pairs)
    assert bool(problems) == (len(dict(pairs)) < len(pairs))


ENCODINGS = [
    pytest.param('{"a":"é"}'.encode("utf-8-sig"), 0, id="utf-8 with mark"),
    pytest.param('{"a":"é"}'.encode("utf-16"), 0, id="utf-16 with mark"),
    pytest.param('{"a":"é"}'.encode("cp1252"), 1, id="windows-1252"),
]


@pytest.mark.parametrize(("data", "count"), ENCODINGS)
def test_other_encodings_are_read_and_guesses_are_said(data: bytes, count: int) -> None:
    tree, problems = decode(data, "f")
    assert (tree, len(problems)) == ({"a": "é"}, count)


def test_the_problem_of_an_encoding_names_the_byte() -> None:
    message = "byte 3 is not UTF-8; read as Windows-1252"
    assert to_text(b"abc\xe9").problems == [Remark(ProblemCode.ENCODING, message)]


def test_bytes_that_windows_does_not_know_are_read_as_latin_1() -> None:
    assert to_text(b"\x81\xe9").text == "\x81é"


def test_half_a_character_is_replaced_and_said() -> None:
    tree, problems = decode(b'{"a":"\\ud800x"}', "f")
    assert tree == {"a": "\ufffdx"}
    assert len(problems) == 1


def test_nan_is_read_as_a_text_and_said() -> None:
    tree, problems = decode(b'{"a":NaN,"b":[-Infinity,NaN]}', "f")
    assert tree == {"a": "NaN", "b": ["-Infinity", "NaN"]}
    assert len(problems) == 2


BROKEN = [
    pytest.param(b"[" * 100_000, "nested too deeply", id="depth"),
    pytest.param(b'{"a":' * 5000 + b"1" + b"}" * 5000, "nested too deeply", id="deep objects"),
    pytest.param(b'{"a":1', "is not JSON", id="cut off"),
    pytest.param(b'{"a":1} {"b":2}', "is not JSON", id="two values"),
    pytest.param(b"", "is not JSON", id="empty"),
    pytest.param(b"\x00\x01\xff", "is not JSON", id="binary"),
]


@pytest.mark.parametrize(("data", "what"), BROKEN)
def test_what_is_not_json_is_an_error_that_says_where(data: bytes, what: str) -> None:
    with pytest.raises(DataError, match=what) as caught:
        decode(data, "pred.jsonl:3")
    assert caught.value.where == "pred.jsonl:3"


@given(st.binary(max_size=200))
def test_random_bytes_decode_or_are_a_data_error(data: bytes) -> None:
    with contextlib.suppress(DataError):
        decode(data, "f")


HEADS = [
    pytest.param(b'{"a":1,"b":{"c":2}}', {"a", "b"}, id="an object"),
    pytest.param(b'[{"a":1}]', {"a"}, id="a list of objects"),
    pytest.param(b'{"a":1}\n{"b":2}', {"a"}, id="lines"),
    pytest.param(b'{"a":1,"b":{"c":"cut', {"a", "b", "c"}, id="cut off"),
    pytest.param(b"a,b\n1,2", set(), id="not JSON"),
]


@pytest.mark.parametrize(("head", "names"), HEADS)
def test_the_members_of_the_first_object_are_named(head: bytes, names: set[str]) -> None:
    assert member_names(head) == names
