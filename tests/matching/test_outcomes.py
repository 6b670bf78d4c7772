"""What becomes of values: tallies, confidences and verdicts tell one story, in one order."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import Case, Layouts, flattened, make_case
from docassay.matching.confidences import tally_confidences
from docassay.matching.verdicts import VerdictBlock, blocks, blocks_of, fates, verdicts
from docassay.run.open import prepare
from tests.matching.test_groups import NUMBER_TREE, TOLERANT
from tests.strategies import TREE

NAMES = ("right", "substitution", "addition", "deletion")


def case_of(gold: object, pred: object, schema: object = None) -> Case:
    return make_case("x", gold, pred, prepare(schema=schema).layouts)


def check_one_story(case: Case) -> None:
    listed = [*verdicts(case)]
    by_field: dict[str, list[int]] = {}
    for verdict in listed:
        by_field.setdefault(verdict.field, [0] * 4)[NAMES.index(verdict.verdict)] += 1
    assert by_field == case.tally().fields
    for side, root in (("gold", case.gold.root), ("pred", case.pred.root)):
        shown = Counter((v.field, getattr(v, f"{side}_path")) for v in listed)
        shown = Counter({key: times for key, times in shown.items() if key[1] is not None})
        assert shown == Counter((entity.field, entity.path) for entity in root.entities())
    matching = case.matching()
    confidences = tally_confidences(matching.matcher, matching.gold, matching.pred)
    outcome = {"right": 0, "substitution": 1, "deletion": 2}
    expected: dict[tuple[str, float], list[int]] = {}
    for verdict in listed:
        if verdict.pred is not None and verdict.confidence is not None:
            at = expected.setdefault((verdict.field, verdict.confidence), [0, 0, 0])
            at[outcome[verdict.verdict]] += 1
    assert confidences == expected


@given(gold=TREE, pred=TREE)
def test_verdicts_confidences_and_counts_tell_one_story(gold: dict, pred: dict) -> None:
    check_one_story(case_of(gold, pred))


@given(gold=NUMBER_TREE, pred=NUMBER_TREE)
def test_they_do_with_a_tolerance_too(gold: dict, pred: dict) -> None:
    check_one_story(case_of(gold, pred, TOLERANT))


def rows_of(block: VerdictBlock) -> tuple[str | None, ...]:
    return block.type, block.gold, block.pred


def test_rows_that_are_identical_but_for_their_spelling_show_both_texts() -> None:
    schema = {"groups": {"items": {"fields": {"n": {"type": "text"}}}}}
    rows = [{"n": "Red pen"}, {"n": "Ink"}], [{"n": "Ink"}, {"n": "RED PEN"}]
    shown = blocks(case_of({"items": rows[0]}, {"items": rows[1]}, schema), same=False)
    told = [(one.verdict, one.gold, one.pred) for block in shown for one in block.verdicts]
    assert told == [("right", "Red pen", "RED PEN")]


@given(trees=st.lists(st.tuples(TREE, TREE), max_size=3))
def test_cases_that_are_judged_together_come_to_what_each_does_alone(
    trees: list[tuple[dict, dict]],
) -> None:
    cases = [case_of(*both) for both in trees]
    together = blocks_of(cases, same=False)
    for case, made in zip(cases, together, strict=True):
        alone = [*blocks(case, same=False)]
        assert [rows_of(block) for block in made] == [rows_of(block) for block in alone]
        assert [block.verdicts for block in made] == [block.verdicts for block in alone]


@given(gold=TREE, pred=TREE)
def test_what_is_the_same_text_is_left_out_and_all_else_is_there(gold: dict, pred: dict) -> None:
    case = case_of(gold, pred)
    whole, some = ([*blocks(case, same=same)] for same in (True, False))
    assert [(rows_of(block), block.groups) for block in some] == [
        (rows_of(block), block.groups) for block in whole
    ]
    for every, left in zip(whole, some, strict=True):
        golds, preds = ({} if group is None else group.values for group in every.groups)
        one = {path for path, own in golds.items() if len(own) == 1 and preds.get(path) == own}
        shown = [verdict for verdict in every.verdicts if verdict.field not in one]
        assert [verdict[:7] for verdict in left.verdicts] == [verdict[:7] for verdict in shown]
        assert [verdict.similarity for verdict in left.verdicts] == [
            verdict.similarity for verdict in shown
        ]


def test_a_block_says_whether_one_of_its_values_has_marks_of_its_own() -> None:
    marked = {"value": "7", "page": 2, "box": [0, 0, 1, 1]}
    gold = {"a": "1", "items": [{"n": "b", "p": marked}, {"n": "c", "p": "8"}]}
    pred = {"a": "2", "items": [{"n": "b", "p": "9"}, {"n": "c", "p": "6"}]}
    for trees in ((gold, pred), (pred, gold)):
        shown = [*blocks(case_of(*trees), same=False)]
        assert [block.marked for block in shown] == [False, True, False]


def test_verdicts_come_field_by_field_and_row_by_row_in_golds_order() -> None:
    gold = {
        "total": ["1", "2", "9"],
        "date": "d",
        "items": [{"n": "a", "p": "1"}, {"n": "b"}, {"n": "c", "q": "7", "r": "8"}],
    }
    pred = {
        "total": ["2", "3", "7", "8"],
        "items": [
            {"n": "z"},
            {"n": "c", "q": "6", "r": "8"},
            {"n": "y"},
            {"n": "a", "p": "2"},
            {"n": "x"},
        ],
    }
    case = case_of(gold, pred)
    listed = [(v.verdict, v.gold_path, v.pred_path) for v in verdicts(case)]
    assert [line for line in listed if line[1] is None or not line[1].startswith("items")][:5] == [
        ("addition", "date", None),
        ("right", "total[1]", "total[0]"),
        ("substitution", "total[0]", "total[1]"),
        ("substitution", "total[2]", "total[2]"),
        ("deletion", None, "total[3]"),
    ]
    rows = [(block.type, block.gold, block.pred) for block in blocks(case)]
    assert rows == [
        ("", "", ""),
        ("items", "items[0]", "items[3]"),
        ("items", "items[1]", "items[4]"),
        ("items", "items[2]", "items[1]"),
        ("items", None, "items[0]"),
        ("items", None, "items[2]"),
    ]
    shown = [block.verdicts for block in blocks(case)]
    assert [v for block in shown for v in block] == [*verdicts(case)]


def test_a_document_without_own_values_has_no_verdicts_of_its_own() -> None:
    kinds = [block.type for block in blocks(case_of({"items": [{"n": "a"}]}, {}))]
    assert kinds == ["items"]


def test_parents_come_before_their_rows() -> None:
    gold = {"items": [{"n": "a", "sub": [{"x": "1"}, {"x": "2"}]}, {"n": "b", "sub": [{"x": "3"}]}]}
    places = [(block.gold, block.pred) for block in blocks(case_of(gold, gold))]
    assert places[0] == ("items[0]", "items[0]")
    assert places[1:3] == [(f"items[0].sub[{i}]", f"items[0].sub[{i}]") for i in (0, 1)]
    assert places[3:] == [("items[1]", "items[1]"), ("items[1].sub[0]", "items[1].sub[0]")]


def test_a_verdict_shows_both_sides_as_found_and_as_read_with_the_reason() -> None:
    fields = {"total": "money", "date": "date", "note": "text"}
    schema = {"extra": "count", "fields": fields}
    gold = {"total": "$5.00", "date": "1 May 2025", "note": {"any_of": ["cat", "dog"]}}
    pred = {"total": {"value": "7", "confidence": 0.5}, "note": "dogs", "extra": "x"}
    lines = {line.field: line for line in verdicts(case_of(gold, pred, schema))}
    total = lines["total"]
    assert total == (
        *("x", "total", "substitution", "total", "total", "$5.00", "7", "5 USD", "7"),
        *(0.0, "amounts differ: 5 and 7", 0.5),
    )
    assert lines["date"] == (
        *("x", "date", "addition", "date", None, "1 May 2025", None, "2025-05-01", None),
        *(None, "missing from the prediction", None),
    )
    note = lines["note"]
    assert (note.gold, note.pred, note.similarity) == ("dog", "dogs", 0.75)
    assert lines["extra"].reason == "not in gold"
    assert (lines["extra"].gold, lines["extra"].pred) == (None, "x")


def test_fates_of_a_row_without_a_partner_are_all_additions_or_all_deletions() -> None:
    case = case_of({"items": [{"n": ["a", "b"], "p": "1"}]}, {})
    matching = case.matching()
    (row,) = case.gold.root.groups["items"]
    lost = [*fates(matching.matcher, row, None)]
    assert [(f.field.path, f.verdict, f.gold, f.pred) for f in lost] == [
        ("items.n", "addition", 0, None),
        ("items.n", "addition", 1, None),
        ("items.p", "addition", 0, None),
    ]
    assert [(f.verdict, f.gold, f.pred) for f in fates(matching.matcher, None, row)] == [
        ("deletion", None, 0),
        ("deletion", None, 1),
        ("deletion", None, 0),
    ]


def test_counts_by_field_and_by_group_type() -> None:
    gold = {
        "total": ["1", "2"],
        "items": [{"n": "a", "sub": [{"x": "1"}]}, {"n": "b"}, {"n": "c", "sub": [{"x": "2"}]}],
    }
    pred = {"total": ["1", "3", "4"], "date": "d", "items": [{"n": "a", "sub": [{"x": "1"}]}]}
    tally = case_of(gold, pred).tally()
    assert tally.fields == {
        "total": [1, 1, 0, 1],
        "date": [0, 0, 0, 1],
        "items.n": [1, 0, 2, 0],
        "items.sub.x": [1, 0, 1, 0],
    }
    assert tally.groups == {"items": [1, 0, 2, 2], "items.sub": [1, 0, 1, 1]}
    assert not tally.exact
    back = case_of(pred, gold).tally()
    assert back.groups == {"items": [1, 2, 0, 2], "items.sub": [1, 1, 0, 1]}


@pytest.mark.parametrize(
    ("gold", "pred", "exact"),
    [
        ({"a": "1"}, {"a": "1"}, True),
        ({"a": "1"}, {"a": "2"}, False),
        ({"a": "1"}, {}, False),
        ({}, {"a": "1"}, False),
        ({"a": ["1", "2"]}, {"a": ["2", "1"]}, True),
        ({"a": ["1", "2"]}, {"a": ["1"]}, False),
        ({"a": ["1"]}, {"a": ["1", "1"]}, False),
        ({"r": [{"n": "1"}]}, {"r": [{"n": "1"}]}, True),
        ({"r": [{"n": "1"}]}, {}, False),
        ({}, {"r": [{"n": "1"}]}, False),
        ({"a": "1", "r": [{"n": "1"}]}, {"a": "2", "r": [{"n": "1"}]}, False),
        ({"r": [{"n": "1", "s": [{"m": "1"}]}]}, {"r": [{"n": "1", "s": [{"m": "2"}]}]}, False),
    ],
)
def test_a_document_is_exact_when_everything_in_it_is_right(
    gold: dict, pred: dict, exact: bool
) -> None:
    assert case_of(gold, pred).tally().exact is exact


def test_values_equal_in_other_rows_are_found_whatever_their_group() -> None:
    gold = {"items": [{"n": "a", "p": "1"}, {"n": "b", "p": "2"}], "p": "9"}
    pred = {"items": [{"n": "a", "p": "2"}, {"n": "b", "p": "1"}, {"n": "q", "p": "2"}]}
    assert case_of(gold, pred).ungrouped == {"items.n": 2, "items.p": 2, "p": 0}
    schema = {"groups": {"items": {"fields": {"p": {"type": "number", "absolute": "0.5"}}}}}
    assert case_of(gold, pred, schema).ungrouped["items.p"] == 2
    assert case_of(gold, {"items": [{"n": "a"}]}, schema).ungrouped["items.p"] == 0


def test_flattening_folds_the_values_of_rows_inside_into_their_row() -> None:
    gold = {
        "total": "1",
        "items": [{"n": "a", "sub": [{"x": "1", "deep": [{"z": "3"}]}, {"x": "2"}]}, {"n": "b"}],
    }
    case = case_of(gold, gold)
    flat = flattened(case.gold.root)
    first, second = flat.groups["items"]
    assert [reading.text for reading in first.values["items.sub.x"]] == ["1", "2"]
    assert [reading.text for reading in first.values["items.sub.deep.z"]] == ["3"]
    assert (first.groups, first.single, first.index) == ({}, False, 0)
    assert second is case.gold.root.groups["items"][1]
    assert flat.values is case.gold.root.values
    assert case.tally(flatten=True) is case.tally(flatten=True)
    assert case.tally(flatten=True) is not case.tally()
    assert case.matching(flatten=True).gold.groups["items"][0].groups == {}
    assert case.matching().gold is case.gold.root
    assert case.tally(flatten=True).groups == {"items": [2, 0, 0, 0]}


TYPED = {
    "type_field": "kind",
    "fields": {"kind": "exact", "total": "exact", "paid": "exact"},
    "types": {"invoice": {"fields": ["kind", "total"]}, "receipt": {"fields": ["kind", "paid"]}},
}


@pytest.mark.parametrize(
    ("gold", "pred", "type", "gold_type", "pred_type", "messages"),
    [
        ({"kind": "invoice"}, {"kind": "receipt"}, "invoice", "invoice", "receipt", []),
        ({"kind": "invoice"}, {"kind": "letter"}, "invoice", "invoice", "(other)", []),
        (
            {"total": "1"},
            {},
            "",
            "(none)",
            "(none)",
            ["gold has no kind: all fields count"],
        ),
        (
            {"kind": "Letter"},
            {},
            "",
            "(other)",
            "(none)",
            ["document type 'Letter' is not in the schema: all fields count"],
        ),
    ],
)
def test_a_document_is_read_by_the_type_that_gold_states(
    gold: dict, pred: dict, type: str, gold_type: str, pred_type: str, messages: list[str]
) -> None:
    case = case_of(gold, pred, TYPED)
    assert (case.type, case.gold_type, case.pred_type) == (type, gold_type, pred_type)
    assert [problem.message for problem in case.problems] == messages


def test_a_schema_without_types_has_one_layout_and_no_problem() -> None:
    layouts: Layouts = prepare().layouts
    assert layouts.of({"kind": "invoice"}) == (layouts.plain, None)
    assert layouts.rules is None
    case = case_of({"a": "1"}, {"a": "1"})
    assert (case.type, case.pred_type, case.problems) == ("", "(none)", ())
    assert case.rule_outcomes == {}


def test_rules_are_checked_in_the_documents_that_are_there() -> None:
    schema = {"fields": {"a": "number", "b": "number"}, "rules": [{"check": "a == b", "name": "r"}]}
    case = case_of({"a": "1", "b": "2"}, None, schema)
    assert [outcome.broken for outcome in case.rule_outcomes["gold"]] == [True]
    assert case.rule_outcomes["pred"].states == ()
    assert case.rule_outcomes is case.rule_outcomes
