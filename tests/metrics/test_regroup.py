"""Right rows and the best regrouping, against trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import Case, Layouts, make_case
from docassay.metrics import vrdu_rows as regroup
from docassay.metrics.vrdu_rows import best_regrouping, right_rows
from docassay.schema.source import load_schema

TOLERANT = {"groups": {"r": {"fields": {"a": "exact", "b": {"type": "number", "absolute": "1"}}}}}
PLAIN = {"groups": {"r": {"fields": {"a": "exact", "b": "exact"}}}}
CELL = st.sampled_from("12345")
ROW = st.fixed_dictionaries({}, optional={"a": CELL, "b": CELL, "c": CELL}).filter(bool)
ROWS = st.lists(ROW, max_size=4)
SCHEMAS = pytest.mark.parametrize("schema", [PLAIN, TOLERANT], ids=["keys", "a tolerance"])


def case_of(golds: list[dict], preds: list[dict], schema: dict) -> Case:
    counted = {**schema, "extra": "count"}
    return make_case("x", {"r": golds}, {"r": preds}, Layouts(load_schema(counted)))


def sides(case: Case) -> tuple[object, Sequence, Sequence]:
    gold, pred = case.gold.root.groups.get("r", []), case.pred.root.groups.get("r", [])
    return case.matching().matcher, gold, pred


def equal(field: str, gold: str, pred: str, schema: dict) -> bool:
    if schema is TOLERANT and field == "b":
        return abs(int(gold) - int(pred)) <= 1
    return gold == pred


def same(gold: dict, pred: dict, schema: dict) -> bool:
    return gold.keys() == pred.keys() and all(
        equal(field, gold[field], pred[field], schema) for field in gold
    )


def most_right(golds: list[dict], preds: list[dict], schema: dict) -> int:
    short, long = sorted((golds, preds), key=len)
    flip = short is not golds
    return max(
        sum(same(*((b, a) if flip else (a, b)), schema) for a, b in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )


def makes(rows: Sequence[dict], preds: list[dict], schema: dict) -> bool:
    """Whether the values of all rows find distinct equal values, field by field."""
    for field in "abc":
        asked = [row[field] for row in rows if field in row]
        offered = [row[field] for row in preds if field in row]
        if len(asked) > len(offered) or not any(
            all(equal(field, gold, pred, schema) for gold, pred in zip(asked, chosen, strict=True))
            for chosen in permutations(offered, len(asked))
        ):
            return False
    return True


@SCHEMAS
@given(golds=ROWS, preds=ROWS)
def test_right_rows_are_as_many_as_any_pairing_gives(
    schema: dict, golds: list[dict], preds: list[dict]
) -> None:
    assert right_rows(*sides(case_of(golds, preds, schema))) == most_right(golds, preds, schema)


@SCHEMAS
@given(golds=ROWS, preds=ROWS)
def test_the_best_regrouping_makes_as_many_rows_as_any_choice(
    schema: dict, golds: list[dict], preds: list[dict]
) -> None:
    most = max(
        size
        for size in range(len(golds) + 1)
        for rows in combinations(golds, size)
        if makes(rows, preds, schema)
    )
    found = best_regrouping(*sides(case_of(golds, preds, schema)))
    assert found.right == most
    assert found.rows >= found.right


@given(golds=ROWS, preds=ROWS)
def test_regrouping_loses_no_right_row(golds: list[dict], preds: list[dict]) -> None:
    matched = sides(case_of(golds, preds, PLAIN))
    assert best_regrouping(*matched).right >= right_rows(*matched)


def test_what_is_left_over_stands_in_as_few_rows_as_can_hold_it() -> None:
    golds = [{"a": "1", "b": "1"}]
    preds = [{"a": "1"}, {"b": "1"}, {"a": "2"}, {"b": "3"}]
    assert best_regrouping(*sides(case_of(golds, preds, PLAIN))) == (1, 2)


def test_rows_inside_rows_must_be_right_as_well() -> None:
    schema = {"groups": {"r": {"fields": {"a": "exact"}}}}
    gold = [{"a": "1", "s": [{"x": "1"}, {"x": "2"}]}]
    right, wrong = [{"a": "1", "s": [{"x": "2"}, {"x": "1"}]}], [{"a": "1", "s": [{"x": "1"}]}]
    assert right_rows(*sides(case_of(gold, right, schema))) == 1
    assert right_rows(*sides(case_of(gold, wrong, schema))) == 0


def test_many_rows_that_compete_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regroup, "LIMIT", 200)
    golds = [{"a": str(i % 7), "b": str(i % 5), "c": str(i % 3)} for i in range(60)]
    found = best_regrouping(*sides(case_of(golds, golds[:30], PLAIN)))
    assert 0 < found.right <= 30


def test_a_large_document_of_equal_rows_is_no_burden() -> None:
    rows = [{"a": "1", "b": "1", "c": str(i % 2)} for i in range(3000)]
    assert best_regrouping(*sides(case_of(rows, rows[:2999], PLAIN))).right == 2999
