"""Likeness of ids: affixes that all of a side share, patterns, places of ids, and what is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError
from docassay.load.likeness import (
    LONGEST_ID,
    PATTERNS,
    Affix,
    compiled,
    id_candidate,
    list_candidate,
    most_alike,
    option,
    paired_ids,
    part_of,
    shared_affixes,
    side_by_side,
    suggested_pattern,
)

SAFE = [
    pytest.param(["a_1", "a_2"], ["a_1_x", "a_2_x"], ("", ""), ("", "_x"), id="after"),
    pytest.param(["a_1", "b_2"], ["p-a_1", "p-b_2"], ("", ""), ("p-", ""), id="before"),
    pytest.param(["a1"], ["p a1.x"], ("", ""), ("p ", ".x"), id="both, of one document"),
    pytest.param(["gt a", "gt b"], ["a", "b"], ("gt ", ""), ("", ""), id="of gold"),
    pytest.param(["a_gt", "b_gt"], ["pred_a", "pred_b"], ("", "_gt"), ("pred_", ""), id="roles"),
    pytest.param(["a", "b", "c"], ["a_7", "b_7", "c_7"], ("", ""), ("", "_7"), id="digits"),
    pytest.param(["i_1", "r_1", "r_2"], ["p_i_1", "p_i_2"], ("", ""), ("p_", ""), id="some only"),
]
UNSAFE = [
    pytest.param(["inv_1", "inv_2"], ["rec_1", "rec_2"], id="another kind of document"),
    pytest.param(["a"], ["a_2"], id="digits, of one document"),
    pytest.param(["a1", "a2"], ["a1x", "a2x"], id="no mark"),
    pytest.param(["a", "b", "c", "d"], ["a_x", "y_x", "z_x", "w_x"], id="too few pair"),
    pytest.param(["a", "b"], ["a_x", "b_y"], id="not all share it"),
]


@pytest.mark.parametrize(("gold", "pred", "gold_affix", "pred_affix"), SAFE)
def test_an_affix_that_all_ids_share_is_found(
    gold: list[str], pred: list[str], gold_affix: tuple[str, str], pred_affix: tuple[str, str]
) -> None:
    affixes = shared_affixes(gold, pred)
    assert affixes is not None
    assert (affixes.gold, affixes.pred) == (Affix(*gold_affix), Affix(*pred_affix))


@pytest.mark.parametrize(("gold", "pred"), UNSAFE)
def test_what_could_be_another_document_is_no_affix(gold: list[str], pred: list[str]) -> None:
    assert shared_affixes(gold, pred) is None


NAMES = st.text("ab1_-", min_size=1, max_size=5)


@given(st.sets(NAMES, min_size=1, max_size=6), st.sets(NAMES, min_size=1, max_size=6))
def test_ids_without_their_affixes_pair_one_to_one(gold: set[str], pred: set[str]) -> None:
    choice = paired_ids({name: name for name in gold}, {name: name for name in pred})
    if choice is not None:
        assert choice.ids
        assert gold.issuperset(choice.ids)
        assert pred.issuperset(choice.ids.values())
        assert len({*choice.ids.values()}) == len(choice.ids)


@given(st.sets(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=8))
def test_any_ids_are_found_again_under_an_affix(names: set[str]) -> None:
    pred = {f"scan_{name}-out": name for name in names}
    choice = paired_ids({name: name for name in names}, pred)
    assert choice is not None
    assert choice.ids == {name: name for name in names}


def test_case_and_forms_of_accents_do_not_matter() -> None:
    gold, pred = {"Inv-É": "1", "b": "2"}, {"inv-E\u0301": "x", "c": "y"}
    choice = paired_ids(gold, pred)
    assert choice is not None
    assert choice.ids == {"1": "x"}
    assert paired_ids({"a": "1", "A": "2"}, {"á": "x"}) is None


SUGGESTED = [
    (["inv_1", "inv_2"], ["2-x", "1-x"], r"(\d+)"),
    (["inv_001", "inv_012"], ["1", "12"], r"0*(\d+)"),
    (["2024-7", "2024-8"], ["a7", "a8"], r"(\d+)\D*$"),
    (["alpha_3", "beta_3"], ["alpha-9", "beta-9"], None),
    (["alpha_x", "beta_y"], ["alpha", "beta"], r"^([^_]+)"),
    (["23/inv_001", "24/inv_002"], ["r7/INV-001_v4", "r7/INV-002_v4"], r"(\d+)[^/]*$"),
    (["23/inv_001", "24/inv_002"], ["r7/INV-1_v4", "r7/INV-2_v4"], r"0*(\d+)[^/]*$"),
    (["23/inv_001", "24/inv_002"], ["r7/v4-INV-001b4", "r7/v4-INV-002b4"], r"(\d{3,})[^/]*$"),
    (["one", "two"], ["three", "four"], None),
    (["a1", "b1"], ["x1", "y1"], None),
]


@pytest.mark.parametrize(("gold", "pred", "expected"), SUGGESTED)
def test_a_pattern_is_suggested_that_tells_documents_apart(
    gold: list[str], pred: list[str], expected: str | None
) -> None:
    assert suggested_pattern(gold, pred) == expected


@pytest.mark.parametrize("text", PATTERNS)
def test_every_suggested_pattern_is_accepted_by_the_option(text: str) -> None:
    assert compiled(text, "--id-pattern").groups == 1


@pytest.mark.parametrize("text", ["(", "(a+)+$", "(ab|c)*", "*"])
def test_a_pattern_that_cannot_work_is_a_mistake_of_the_user(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^--id-pattern: "):
        compiled(text, "--id-pattern")


PARTS = [
    (r"(\d+)", "a12b3", "12"),
    (r"\d", "a12", "1"),
    (r"x(y)?", "x", ""),
    (r"z", "a", ""),
    (r"a$", "a" * LONGEST_ID, "a"),
    (r"a$", "a" * (LONGEST_ID + 1), ""),
]


@pytest.mark.parametrize(("pattern", "id", "part"), PARTS)
def test_the_part_of_an_id_is_the_first_group_or_the_match(
    pattern: str, id: str, part: str
) -> None:
    assert part_of(compiled(pattern, ""), id) == part


def test_the_place_of_ids_needs_half_of_them_and_different_ones() -> None:
    trees = [{"a": {"b": name}, "same": "x", "n": 5} for name in ("x", "y", "q", "r")]
    assert id_candidate(trees, {"x", "y"}.__contains__, 4) == "a.b"
    assert id_candidate(trees, {"x"}.__contains__, 4) == ""
    assert id_candidate(trees, {"5"}.__contains__, 1) == ""


def test_a_list_that_holds_ids_is_found_at_any_depth() -> None:
    tree = {"n": [{"id": "z"}], "a": {"b": [{"id": "q"}, {"id": "x"}]}}
    assert list_candidate(tree, {"x"}.__contains__) == "a.b"
    assert list_candidate(tree, {"w"}.__contains__) == ""


def test_names_stand_beside_each_other_and_hostile_ones_do_no_harm() -> None:
    lines = side_by_side({"gold": ["a\x1b[1m\n", "b" * 99], "pred": [*"cdefgh"]})
    assert lines[1] == "  a\\x1b[1m\\n" + " " * 30 + "c"
    assert len(lines[2]) == 2 + 38 + 2 + 1
    assert lines[-1].strip() == "… 1 more"


def test_an_option_is_quoted_for_the_shell() -> None:
    assert option("--map", "a b=c") == "--map 'a b=c'"


ALIKE = [
    (["inv_001", "inv_002"], ["scan-001-final"], ["  most alike: inv_001 and scan-001-final"]),
    (["total", "date"], ["grand_total"], ["  most alike: total and grand_total"]),
    (["total", "date"], ["a", "te"], []),
    (["A/1"], ["b/1"], ["  most alike: A/1 and b/1"]),
    (["A/inv_001"], ["b/INV_001"], ["  most alike: A/inv_001 and b/INV_001"]),
    (["inv_001"], ["request-1"], []),
    (["INV_001"], ["resp_81"], []),
    ([], ["a"], []),
]


@pytest.mark.parametrize(("golds", "preds", "lines"), ALIKE)
def test_the_two_most_alike_names_are_shown_only_when_they_have_something_in_common(
    golds: list[str], preds: list[str], lines: list[str]
) -> None:
    assert most_alike(golds, preds) == lines
