"""Gold patches: what a decision does to a tree, which lines state one, and what is refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.load.patch import (
    ACTIONS,
    GoldDecision,
    append_decision,
    decision_of,
    load_patch,
    read_patch,
)
from docassay.load.patching import patched, resolve, same_value, without
from docassay.load.wire import decode
from docassay.model.document import Block, Number, TaggedText
from tests.strategies import TREE

TREE_OF = {
    "total": "$1.00",
    "due": Number("12.50"),
    "paid": False,
    "none": None,
    "tags": ["x", "y", "z"],
    "lone": ["only"],
    "place": {"value": "here", "page": 2, "confidence": 0.5, "normalised": "HERE"},
    "either": {"any_of": ["a", "b"]},
    "vendor": {"name": "Acme"},
    "flat.key": "1",
    "Odd [name]": "2",
    "items": [{"n": "a", "p": "1"}, {"n": "b"}, {"n": "c", "subs": [{"q": "1"}]}],
}


def decide(path: str, action: str, was: object = None, value: object = None) -> GoldDecision:
    return GoldDecision("d", path, action, was, value)


def outcome(decision: GoldDecision, tree: object = TREE_OF) -> object:
    """Return what a decision leaves in its place, or why it does not fit."""
    before = deepcopy(tree)
    result = patched(tree, [decision])
    assert tree == before
    if result.refused:
        return result.refused[0].why
    steps = resolve(result.tree, decision.path)
    value = result.tree
    for step in steps or ():
        value = value[step]  # type: ignore[index]
    return value if steps is not None else "(gone)"


FITTING = [
    (decide("total", "take_pred", "$1.00", "$2.00"), "$2.00"),
    (decide("total", "take_pred", "$1.00"), "(gone)"),
    (decide("total", "remove", "$1.00"), "(gone)"),
    (decide("total", "both_fine", "$1.00", "1"), {"any_of": ["$1.00", "1"]}),
    (decide("due", "set", "12.50", Number("13")), "13"),
    (decide("paid", "set", False, True), True),
    (decide("paid", "set", "false", True), True),
    (decide("none", "set", None, "now"), "now"),
    (decide("fresh", "set", None, "now"), "now"),
    (decide("vendor.abn", "set", None, "51"), "51"),
    (decide("buyer.name", "set", None, "Ann"), "Ann"),
    (decide("flat.other", "set", None, "2"), "2"),
    (decide("flat.key", "set", "1", "2"), "2"),
    (decide("Odd [name]", "set", "2", "3"), "3"),
    (decide("TOTAL", "set", "$1.00", "$2"), "$2"),
    (decide("tags[1]", "set", "y", "w"), "w"),
    (decide("tags[1]", "remove", "y"), None),
    (decide("tags[2]", "remove", "z"), "(gone)"),
    (decide("tags[3]", "set", None, "new"), "new"),
    (decide("lone", "set", "only", "other"), ["other"]),
    (decide("place", "set", "here", "there"), {"value": "there", "page": 2}),
    (decide("place", "both_fine", "here", "hier"), {"any_of": ["here", "hier"], "page": 2}),
    (decide("either", "both_fine", {"any_of": ["a", "b"]}, "c"), {"any_of": ["a", "b", "c"]}),
    (decide("items[0].p", "take_pred", "1", "2"), "2"),
    (decide("items[1].p", "take_pred", None, "2"), "2"),
    (decide("items[2].subs[0].q", "take_pred", "1", "2"), "2"),
    (decide("items[0]", "remove", {"n": "a", "p": "1"}), {}),
    (decide("items[2]", "remove", {"n": "c", "subs": [{"q": "1"}]}), "(gone)"),
    (decide("items[3]", "set", None, {"n": "d"}), {"n": "d"}),
    (decide("rows[0]", "set", None, {"n": "d"}), {"n": "d"}),
    (decide("total", "leave", "anything"), "$1.00"),
]


@pytest.mark.parametrize(("decision", "expected"), FITTING, ids=str)
def test_a_decision_that_fits_is_applied(decision: GoldDecision, expected: object) -> None:
    assert outcome(decision) == expected


REFUSED = [
    (decide("total", "take_pred", "$1.01", "$2.00"), "gold has $1.00, and had $1.01"),
    (decide("total", "take_pred", None, "$2.00"), "gold has $1.00, and had nothing"),
    (decide("fresh", "set", "1", "2"), "gold has nothing, and had 1"),
    (decide("items[9].p", "set", None, "2"), "there is no items[9]"),
    (decide("items[4]", "set", None, {"n": "x"}), "the list has 3 elements"),
    (decide("total[0]", "set", None, "2"), "there is no list at total"),
    (decide("total.more", "set", None, "2"), "there is no object at total"),
    (decide("items[0]", "both_fine", {"n": "a", "p": "1"}, "2"), "only single values have"),
    (decide("items", "set", "many", "2"), "gold has [{"),
]


@pytest.mark.parametrize(("decision", "why"), REFUSED, ids=str)
def test_a_decision_that_does_not_fit_says_why(decision: GoldDecision, why: str) -> None:
    result = patched(TREE_OF, [decision])
    assert result.tree is TREE_OF
    assert [refusal.decision for refusal in result.refused] == [decision]
    assert result.refused[0].why.startswith(why)


def test_a_decision_inside_what_another_one_replaces_is_overruled() -> None:
    row = decide("items[0]", "remove", {"n": "a", "p": "1"})
    inside = decide("items[0].p", "set", "1", "2")
    for decisions in ([row, inside], [inside, row]):
        result = patched(TREE_OF, decisions)
        assert result.applied == (row,)
        assert [refusal.decision for refusal in result.refused] == [inside]


def test_rows_are_added_one_after_the_other_and_removed_from_the_end() -> None:
    tree = {"rows": ["a", "b"]}
    decisions = [
        decide("rows[3]", "set", None, "d"),
        decide("rows[2]", "set", None, "c"),
        decide("rows[0]", "remove", "a"),
    ]
    assert patched(tree, decisions).tree == {"rows": [None, "b", "c", "d"]}
    both = [decide("rows[0]", "remove", "a"), decide("rows[1]", "remove", "b")]
    assert patched(tree, both).tree == {"rows": []}


@pytest.mark.parametrize("tree", [TaggedText([Block("name", "Ann")]), ["a"], None, "text"])
def test_documents_without_paths_are_not_patched(tree: object) -> None:
    result = patched(tree, [decide("name", "set", "Ann", "Anna")])
    assert result.tree is tree
    assert [refusal.why for refusal in result.refused] == ["documents of this format have no paths"]


SAME = [
    ("1.50", Number("1.50"), True),
    ("1.5", Number("1.50"), False),
    (None, "", True),
    ({}, None, True),
    (True, "true", True),
    ({"value": "a", "page": 1}, "a", True),
    (["a", None], ["a", ""], True),
    (["a"], ["a", "b"], False),
    ({"x": "1"}, {"x": 1}, True),
    ({"x": "1"}, {"y": "1"}, False),
    ({"x": "1"}, "1", False),
    (["1"], "1", False),
]


@pytest.mark.parametrize(("left", "right", "same"), SAME)
def test_values_are_the_same_however_json_writes_them(
    left: object, right: object, same: bool
) -> None:
    assert same_value(left, right) is same
    assert same_value(right, left) is same


def test_a_tree_without_some_places_keeps_the_paths_of_the_others() -> None:
    tree = without(TREE_OF, ["items[0]", "tags[0]", "items[1].n", "total", "nowhere"])
    assert isinstance(tree, Mapping)
    assert tree["items"] == [{}, {}, {"n": "c", "subs": [{"q": "1"}]}]
    assert tree["tags"] == [None, "y", "z"]
    assert "total" not in tree
    assert without(TREE_OF, ["nowhere"]) is TREE_OF


# --- laws -----------------------------------------------------------------------------------

PATHS = ["total", "date", "items[0]", "items[1].n", "items[0].p", "items[2]", "extra.n", "date[1]"]


@st.composite
def patches(draw: st.DrawFn) -> tuple[dict[str, object], list[GoldDecision]]:
    """A tree and decisions of which many were made about what it has."""
    tree = draw(TREE)
    decisions = []
    for path in draw(st.lists(st.sampled_from(PATHS), unique=True)):
        steps = resolve(tree, path)
        was: object = tree if steps is not None else None
        for step in steps or ():
            was = was[step]  # type: ignore[index]
        if draw(st.integers(0, 4)) == 0:
            was = "stale"
        value = draw(st.sampled_from(["new", 7, True, {"n": "row"}]))
        decisions.append(decide(path, draw(st.sampled_from(ACTIONS)), deepcopy(was), value))
    return tree, decisions


@given(patches())
def test_applying_a_patch_twice_is_applying_it_once(
    case: tuple[dict[str, object], list[GoldDecision]],
) -> None:
    tree, decisions = case
    once = patched(tree, decisions).tree
    assert patched(once, decisions).tree == once


@given(patches(), st.randoms(use_true_random=False))
def test_the_order_of_decisions_about_different_values_does_not_matter(
    case: tuple[dict[str, object], list[GoldDecision]], random: object
) -> None:
    tree, decisions = case
    other = [*decisions]
    random.shuffle(other)  # type: ignore[attr-defined]
    first, second = patched(tree, decisions), patched(tree, other)
    assert first.tree == second.tree
    assert {*map(str, first.applied)} == {*map(str, second.applied)}
    assert load_patch(decisions).digest == load_patch(other).digest


@given(patches())
def test_every_decision_is_applied_already_so_or_refused(
    case: tuple[dict[str, object], list[GoldDecision]],
) -> None:
    tree, decisions = case
    before = deepcopy(tree)
    result = patched(tree, decisions)
    assert tree == before
    ends = [*result.applied, *result.already, *(each.decision for each in result.refused)]
    assert sorted(map(str, ends)) == sorted(map(str, decisions))
    left = patched(tree, [each._replace(action="leave") for each in decisions])
    assert left.tree is tree
    assert not left.refused


# --- files ----------------------------------------------------------------------------------

LINE = {"document": "a", "path": "total", "action": "set", "was": "1", "value": "2"}


def written(folder: Path, *lines: object) -> Path:
    file = folder / "patch.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


def test_a_later_line_revises_an_earlier_one_of_the_same_value(tmp_path: Path) -> None:
    other = {**LINE, "path": "date"}
    patch = read_patch(written(tmp_path, LINE, other, {**LINE, "action": "leave"}))
    assert [(each.path, each.action) for each in patch.decisions["a"]] == [
        ("date", "set"),
        ("total", "leave"),
    ]
    assert len(patch) == 2


BROKEN = [
    ("{", "is not JSON"),
    ("[1]", "is no object"),
    ({**LINE, "document": ""}, "names no document"),
    ({**LINE, "document": ["a"]}, "names no document"),
    ({**LINE, "path": " "}, "has no path"),
    ({**LINE, "path": "x" * 3000}, "has no path"),
    ({**LINE, "path": 3}, "has no path"),
    ({**LINE, "action": "delete"}, "has no action: it is one of take_pred"),
    ({**LINE, "action": ["set"]}, "has no action"),
    ({**LINE, "value": None}, "sets nothing"),
    ({**LINE, "action": "both_fine", "was": ""}, "both_fine needs two values"),
    ({**LINE, "who": 3}, "who is no text"),
    ({**LINE, "when": "yesterday"}, "'yesterday' is no time of ISO 8601"),
    ({**LINE, "vlaue": "2"}, "has an unknown member 'vlaue'"),
    ("\u0000", "is not JSON"),
    ('{"document": "a", "path": ' + "[" * 5000 + "}", ""),
]


@pytest.mark.parametrize(("line", "message"), BROKEN, ids=[str(at) for at in range(len(BROKEN))])
def test_a_line_that_states_no_decision_is_a_flaw_with_its_place(
    line: object, message: str, tmp_path: Path
) -> None:
    file = written(tmp_path, LINE, line)
    patch = read_patch(file)
    assert len(patch) == 1
    (flaw,) = patch.flaws
    assert flaw.where == f"{file}:2"
    assert flaw.message.startswith(f"the line {message}")
    with pytest.raises(DataError, match="is no gold patch"):
        read_patch(written(tmp_path, line))


def test_what_is_no_patch_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder"):
        load_patch(tmp_path)
    with pytest.raises(FileError, match="no such file"):
        load_patch(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="is a int"):
        load_patch(3)
    with pytest.raises(ConfigurationError, match="decision 2 of the gold patch names no document"):
        load_patch([LINE, {}])
    assert len(read_patch(written(tmp_path, "", ""))) == 0


def test_the_digest_tells_what_is_changed_and_not_who_decided_it() -> None:
    digest = load_patch([LINE]).digest
    assert (
        load_patch([{**LINE, "who": "Ann", "why": "seen", "when": "2026-01-02"}]).digest == digest
    )
    assert load_patch([LINE, {**LINE, "path": "x", "action": "leave"}]).digest == digest
    for change in ({"value": "3"}, {"was": "0"}, {"document": "b"}, {"action": "take_pred"}):
        assert load_patch([{**LINE, **change}]).digest != digest


def test_decisions_are_appended_and_read_back_with_their_digits(tmp_path: Path) -> None:
    file = tmp_path / "gold-patch.jsonl"
    value = decode(b'{"p": 1.50, "n": "\\u00e9\\n"}', "").tree
    first = GoldDecision("a", "items[0]", "set", None, value, "Ann", "2026-01-02T03:04:05Z", "seen")
    append_decision(file, first)
    file.write_text(file.read_text() + '{"document": "torn', encoding="utf-8")
    append_decision(file, decide("x", "remove", "1"))
    patch = read_patch(file)
    assert patch.decisions == {"a": (first,), "d": (decide("x", "remove", "1"),)}
    assert '{"p":1.50' in file.read_text()
    assert load_patch(patch.lines).decisions == patch.decisions
    assert [flaw.where for flaw in patch.flaws] == [f"{file}:2"]


def test_a_text_that_no_encoding_carries_is_written_as_its_escape(tmp_path: Path) -> None:
    file = tmp_path / "patch.jsonl"
    append_decision(file, decide("x", "set", None, "half \ud800"))
    assert b"\\ud800" in file.read_bytes()
    assert len(read_patch(file)) == 1


def test_several_writers_do_not_mix_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "patch.jsonl"

    def write(name: str) -> None:
        for at in range(40):
            append_decision(file, GoldDecision(name, f"items[{at}].n", "set", None, "v" * 200))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    patch = read_patch(file)
    assert {id: len(each) for id, each in patch.decisions.items()} == dict.fromkeys("abc", 40)
    assert not patch.flaws


def test_a_decision_that_no_reader_would_take_is_not_appended(tmp_path: Path) -> None:
    file = tmp_path / "patch.jsonl"
    with pytest.raises(DataError, match="has no action"):
        append_decision(file, decide("x", "no such"))
    target = tmp_path / "target"
    target.write_text("keep")
    file.symlink_to(target)
    with pytest.raises(FileError, match="cannot be written"):
        append_decision(file, decide("x", "leave"))
    assert target.read_text() == "keep"


def test_a_decision_states_who_and_when_and_why() -> None:
    decision = decision_of({**LINE, "document": 7, "who": "Ann", "when": "2026-01-02", "why": "x"})
    assert decision == GoldDecision("7", "total", "set", "1", "2", "Ann", "2026-01-02", "x")
