"""The safe YAML reader keeps texts and lines, and refuses what would surprise."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docassay.schema.nodes import Mistakes, plain, read_json, read_yaml


def read(text, reader=read_yaml):
    mistakes = Mistakes()
    node = reader(text, mistakes, file="s.yaml")
    return node, [str(error) for error in mistakes.found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: NO", {"a": "NO"}, id="NO is not false"),
        pytest.param("a: 0123", {"a": "0123"}, id="0123 is not 83"),
        pytest.param("a: 1_000", {"a": "1_000"}, id="underscores stay"),
        pytest.param("a: 2025-07-16", {"a": "2025-07-16"}, id="a date is text"),
        pytest.param("a: null", {"a": "null"}, id="null is a word"),
        pytest.param("a:", {"a": None}, id="nothing is nothing"),
        pytest.param('a: ""', {"a": ""}, id="the empty text is text"),
        pytest.param("1: x", {"1": "x"}, id="a number as key is text"),
        pytest.param("a: [1, {b: c}]", {"a": ("1", {"b": "c"})}, id="lists and mappings"),
        pytest.param("<<: {a: b}", {"<<": {"a": "b"}}, id="a merge key is a key like any other"),
        pytest.param("", None, id="an empty file"),
        pytest.param("\ufeffa: b", {"a": "b"}, id="a byte order mark"),
    ],
)
def test_texts_stay_texts(text, value):
    node, mistakes = read(text)
    assert plain(node) == value
    assert mistakes == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: 1\nb: 2\na: 3", "s.yaml:3: the key 'a' stands twice", id="duplicate key"),
        pytest.param("a: 1\nb: &x 2", "s.yaml:2: b: the anchor &x", id="anchor"),
        pytest.param("a: [1]\nb:\n  c: *x", "s.yaml:3: b.c: the alias *x", id="alias"),
        pytest.param("a: !!python/name:os.system x", "s.yaml:1: a: the tag", id="tag"),
        pytest.param("a: !mine {b: c}", "s.yaml:1: a: the tag !mine", id="tagged mapping"),
        pytest.param("a: 1\n---\nb: 2", "s.yaml:2: a second document", id="two documents"),
        pytest.param("---\n---\nb: 2", "s.yaml:2: a second document", id="empty first document"),
        pytest.param("a: 1\n? [b]\n: c", "s.yaml:2: a key that is not text", id="list as key"),
        pytest.param("? \n: c", "s.yaml:1: a key that is not text", id="empty key"),
        pytest.param("a: [1,\nb: {", "s.yaml:", id="broken syntax"),
        pytest.param("a: \x01", "s.yaml: not YAML", id="control character"),
        pytest.param("[" * 60 + "]" * 60, "s.yaml:1: nested more than 50", id="too deep"),
        pytest.param("[" * 100_000, "s.yaml:1: nested more than 50", id="absurdly deep"),
    ],
)
def test_what_would_surprise_is_refused_with_its_line(text, message):
    _, mistakes = read(text)
    assert mistakes[0].startswith(message)


def test_a_value_knows_the_line_of_its_key():
    node, _ = read("a:\n  b:\n    - c\n    - d\n")
    inner = node.value["a"].value["b"]
    assert inner.where == "s.yaml:2"
    assert [item.where for item in inner.value] == ["s.yaml:3", "s.yaml:4"]


def test_every_mistake_is_found_not_only_the_first():
    _, mistakes = read("a: &x 1\nb: *x\na: !t 2\n")
    assert [text.split(": ")[0] for text in mistakes] == [
        "s.yaml:1",
        "s.yaml:2",
        "s.yaml:3",
        "s.yaml:3",
    ]


def test_json_is_read_with_lines_tabs_and_null():
    node, mistakes = read('{\n\t"a": null,\n\t"b": [true, 1.50, "\\ud83d\\ude00\\/"]}', read_json)
    assert plain(node) == {"a": None, "b": ("true", "1.50", "😀/")}
    assert node.value["b"].where == "s.yaml:3"
    assert mistakes == []


@pytest.mark.parametrize("text", ['{"a": 1,}', "{a: 1}", "", "[" * 100_000])
def test_what_is_not_json_is_refused_in_a_json_file(text):
    _, mistakes = read(text, read_json)
    assert "not JSON" in mistakes[0]


def test_a_duplicate_key_in_json_is_a_mistake():
    _, mistakes = read('{"a": 1,\n"a": 2}', read_json)
    assert mistakes[0].startswith("s.yaml:2: the key 'a' stands twice")


def both(text, reader):
    """What the compiled parser and the other one make of a text."""
    with pytest.MonkeyPatch.context() as patch:
        compiled = read(text, reader)
        patch.setattr(yaml, "__with_libyaml__", False)
        return compiled, read(text, reader)


@pytest.mark.parametrize("reader", [read_yaml, read_json])
@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb:\n  - x\n  - {c: d, e: }\n",
        "# first\n\na: |\n  two\n  lines\nb: >-\n  folded\n  text\n? c\n: d\n",
        "a: 'it''s'\nb: \"tab\\t and \\u00e9\"\n",
        "a: &x 1\nb: *x\nc: !!int 3\n",
        "a: 1\n---\nb: 2\n",
        "a: [1, 2\nb: 3\n",
        "a:\tb\n",
        "a: \x01\n",
        "a: \ud800\n",
        '{"a": null, "b": "null", "c": [true, 1.50, -2e5], "d": {"e": ""}}',
        '{"a": "\\ud83d\\ude00", "b": "\\ud83d"}',
        '{\n "a":\t{"b":1},\n "a": 2\n}',
        '{"a": 1,}',
        "[" * 60 + "]" * 60,
        "\ufeff{}",
    ],
)
def test_both_parsers_of_yaml_say_the_same(text, reader):
    compiled, other = both(text, reader)
    assert compiled == other


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=12,
    ),
    st.sampled_from([None, 1, 3]),
    st.booleans(),
)
def test_both_parsers_of_yaml_say_the_same_of_any_json(value, indent, ascii):
    text = json.dumps({"a": value}, indent=indent, ensure_ascii=ascii)
    compiled, other = both(text, read_json)
    assert compiled == other
