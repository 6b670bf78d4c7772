"""Names of pred become those of gold: fields, groups, fields of rows, from options or a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.errors import ConfigurationError, FileError
from docassay.load.format import Record
from docassay.load.formats.vrdu import VrduDocument
from docassay.load.renames import Renames, read_renames
from docassay.model.document import Block, TaggedText
from docassay.model.problem import Problem, ProblemCode

TREE = {"a": 1, "items": [{"desc": "x", "n": {"desc": 2}}, "loose"], "one": {"desc": 3}}


def renamed(tree: object, **names: str) -> object:
    return renamed_by({name.replace("__", "."): new for name, new in names.items()}, tree)


def renamed_by(names: dict[str, str], tree: object) -> object:
    ((record),) = Renames(names)(iter([Record("x", tree, "f:1")]))
    assert isinstance(record, Record)
    return record.tree


@pytest.mark.parametrize(
    ("names", "tree", "expected"),
    [
        ({"a": "b"}, {"a": 1, "c": 2}, {"b": 1, "c": 2}),
        ({"a": "b", "b": "a"}, {"a": 1, "b": 2}, {"b": 1, "a": 2}),
        ({"a": "c", "b": "c"}, {"b": 1}, {"c": 1}),
        ({"No.": "Inv. No."}, {"No.": 1}, {"Inv. No.": 1}),
        ({"items": "rows"}, {"items": [{"x": 1}]}, {"rows": [{"x": 1}]}),
        ({"items.x": "items.y"}, {"items": [{"x": 1}], "x": 2}, {"items": [{"y": 1}], "x": 2}),
        ({"items.x": "rows.y"}, {"items": [{"x": 1, "z": 2}]}, {"rows": [{"y": 1, "z": 2}]}),
        ({"items": "rows", "items.x": "rows.y"}, {"items": {"x": 1}}, {"rows": {"y": 1}}),
        ({"items": "rows", "rows.x": "rows.y"}, {"items": {"x": 1}}, {"rows": {"y": 1}}),
        ({"items": "rows", "items.x": "items.y"}, {"items": {"x": 1}}, {"rows": {"y": 1}}),
        ({"a.b.c": "a.b.d"}, {"a": [{"b": {"c": 1}}]}, {"a": [{"b": {"d": 1}}]}),
        ({"menu.nm": "menu.name"}, {"menu": [{"menu.nm": 1}]}, {"menu": [{"name": 1}]}),
        ({"vendor.name": "vendor"}, {"vendor.name": 1}, {"vendor": 1}),
        ({"vendor.name": "seller.name"}, {"vendor.name": 1}, {"seller.name": 1}),
        (
            {"a": "b"},
            {"a": {"value": 1, "confidence": 0.5}},
            {"b": {"value": 1, "confidence": 0.5}},
        ),
        ({"a": "b"}, ["a"], ["a"]),
    ],
)
def test_names_are_changed_at_their_level(
    names: dict[str, str], tree: object, expected: object
) -> None:
    assert renamed_by(names, tree) == expected


def test_a_key_of_gold_may_hold_dots() -> None:
    renames = Renames({"vendor_name": "vendor.name"}, {"vendor.name"})
    ((record),) = renames(iter([Record("x", {"vendor_name": "Acme"}, "f:1")]))
    assert isinstance(record, Record)
    assert record.tree == {"vendor.name": "Acme"}


def test_the_order_of_keys_stays() -> None:
    assert [*renamed({"a": 1, "b": 2}, a="z")] == ["z", "b"]  # type: ignore[misc]


def test_tags_of_a_text_are_renamed() -> None:
    text = TaggedText([Block("a", "x y"), Block(None, "z")])
    tree = renamed(text, a="b")
    assert isinstance(tree, TaggedText)
    assert tree.blocks == (Block("b", "x y"), Block(None, "z"))


@pytest.mark.parametrize(
    ("names", "tree", "words"),
    [
        ({"a": "b"}, {"a": 1, "b": 2}, "f:1: 'a' and 'b' are both 'b' after renaming"),
        ({"a": "b"}, {"b": 1, "a": None}, "'b' and 'a' are both 'b'"),
        ({"a": "c", "b": "c"}, {"a": 1, "b": 2}, "'a' and 'b' are both 'c'"),
        ({"g.a": "g.b"}, {"g": [{"a": 1, "b": 2}]}, "in the rows of g are both 'b'"),
        ({"g.a": "a"}, {"g": [{"a": 1}]}, "g.a=a would move a value between"),
        ({"g.b.c": "g.c"}, {"g": {"b": [{"c": 1}]}}, "g.b.c=g.c would move"),
        ({"a": "g.a"}, {"a": 1}, "a=g.a would move"),
        ({"a.b": "c.d", "a.x": "e.d"}, {}, "rename 'a' to different names"),
        ({"a": "b", "a.x": "c.y"}, {}, "rename 'a' to different names"),
        ({"": "b"}, {}, "has an empty name"),
        ({"a.": "b.c"}, {}, "would move"),
        ({"a": 3}, {}, "'a': 3 are not two names"),
    ],
)
def test_what_cannot_be_done_is_an_error(names: dict[str, str], tree: object, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        renamed_by(names, tree)
    assert words in str(caught.value)


def test_documents_that_say_more_than_a_tree_are_not_renamed() -> None:
    with pytest.raises(ConfigurationError):
        renamed(VrduDocument({"a": 1}, []), a="b")


def test_what_matches_nothing_is_noted_with_the_names_there_are() -> None:
    problem = Problem(ProblemCode.BROKEN_LINE, "", "", "", "broken")
    unread = Record("y", None, "f:2")
    renames = Renames({"a": "b", "tota": "total", "items.x": "items.y", "items.desc": "items.d"})
    items = [*renames(iter([Record("x", TREE, "f:1"), problem, unread]))]
    assert items[1:] == [problem, unread]
    assert renames.notes == [
        "--map tota=total matches nothing: pred has no 'tota', it has items, one",
        "--map items.x=items.y matches nothing: pred has no 'items.x', it has items, one",
    ]


def test_a_file_holds_one_renaming_a_line(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text("# names\ndesc: description\nitems.no : line_items.quantity\n1: '2'\n")
    assert read_renames(file) == {
        "desc": "description",
        "items.no": "line_items.quantity",
        "1": "2",
    }
    (tmp_path / "map.json").write_text('{"a": "b"}')
    assert read_renames(tmp_path / "map.json") == {"a": "b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: b\nc: [d]\n", ":2: "),
        ("a: b\nc: {d: e}\n", ":2: "),
        ("a: b\nc:\n", ":2: "),
        ("a: b\na: c\n", ":2: the key 'a' stands twice"),
        ("a: b\nc: 'd\n", "not YAML"),
        ("- a\n", "a list"),
        ("", "no renamings"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_renames(file)
    assert words in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_bytes(b"\xff\xfe\x00")
    for name in ("none.yaml", "map.yaml"):
        with pytest.raises(FileError):
            read_renames(tmp_path / name)
