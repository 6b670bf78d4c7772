"""Rows equal as text, and rows that clearly belong together: short roads against the plain one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from docassay.matching import groups, twins
from docassay.matching.case import Case, make_case
from docassay.model.document import Number
from docassay.run.open import prepare

TEXT = st.sampled_from(["a", "b", "c", " a", "NOT_FOUND", "not_found ", "", "a | b", "é", "5"])
LEAF = st.one_of(TEXT, st.none(), st.integers(0, 2), st.booleans(), st.just(Number("5")))
ODD_LEAF = st.one_of(
    st.builds(lambda value: {"value": value, "confidence": Number("0.5")}, LEAF),
    st.just({"value": "a", "confidence": "high"}),
    st.just({"any_of": ["a", "b"]}),
    st.just(["a", "b"]),
    st.just([{"n": "a"}]),
)
KEY = st.sampled_from(["n", "p", "items.p", "value"])
ROW = st.dictionaries(KEY, st.one_of(LEAF, LEAF, LEAF, ODD_LEAF), max_size=3)
ROWS = st.lists(st.one_of(ROW, ROW, ROW, ROW, st.just("a")), max_size=5)
SURE = st.sampled_from([None, "0.9", "0.2"])
SCHEMAS = [
    pytest.param(None, id="no schema"),
    pytest.param(
        {"extra": "count", "groups": {"items": {"fields": {"n": "exact"}}}},
        id="exact fields that split",
    ),
    pytest.param(
        {
            "extra": "count",
            "groups": {"items": {"fields": {"p": {"type": "number", "absolute": "1"}}}},
        },
        id="a tolerance",
    ),
    pytest.param({"extra": "count", "groups": {"items": {"match": "set"}}}, id="a set of rows"),
    pytest.param({"extra": "count", "groups": {"items": {"match": "order"}}}, id="rows in order"),
    pytest.param(
        {"extra": "count", "absent": ["5", "A"], "fields": {"total": "exact"}},
        id="more texts that mean no value",
    ),
]


def located(row: object, confidence: str | None) -> object:
    """Return a row with a confidence beside every plain leaf."""
    if confidence is None or not isinstance(row, dict):
        return row
    return {
        key: {"value": leaf, "confidence": Number(confidence)}
        if not isinstance(leaf, dict | list)
        else leaf
        for key, leaf in row.items()
    }


@st.composite
def trees(draw: st.DrawFn) -> tuple[dict, dict]:
    """Draw a gold tree, and a pred tree that repeats many of its rows."""
    golds = draw(ROWS)
    kept = draw(st.lists(st.sampled_from(golds), max_size=5)) if golds else []
    sure = draw(SURE)
    preds = draw(st.permutations([located(row, sure) for row in kept] + draw(ROWS)))
    return {"total": draw(LEAF), "items": golds}, {"total": draw(LEAF), "items": preds}


def counts(case: Case) -> tuple[object, ...]:
    tally = case.tally()
    return (
        tally.fields,
        tally.groups,
        tally.exact,
        case.ungrouped,
        case.tally(flatten=True).fields,
        sorted(case.problems),
    )


def made(gold: dict, pred: dict, schema: object, *, many: int) -> Case:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "MANY", many)
        return make_case("x", gold, pred, prepare(schema=schema).layouts)


@pytest.mark.parametrize("schema", SCHEMAS)
@hypothesis_settings(max_examples=100)
@given(pair=trees())
def test_setting_equal_rows_aside_changes_no_count_and_no_problem(
    schema: object, pair: tuple[dict, dict]
) -> None:
    assert counts(made(*pair, schema, many=1)) == counts(made(*pair, schema, many=1000))


@given(pair=trees())
def test_a_document_shows_all_its_rows_when_asked(pair: tuple[dict, dict]) -> None:
    short, plain = made(*pair, None, many=1), made(*pair, None, many=1000)
    for one, other in ((short.gold, plain.gold), (short.pred, plain.pred)):
        found = [(entity.path, entity.reading.text) for entity in one.root.entities()]
        assert found == [(entity.path, entity.reading.text) for entity in other.root.entities()]


def test_equal_rows_are_counted_without_being_read() -> None:
    rows = [{"n": f"item {i}", "p": str(i)} for i in range(twins.MANY)]
    case = make_case("x", {"items": rows}, {"items": rows[::-1]}, prepare().layouts)
    assert case.twins.rows == {"items": twins.MANY}
    assert case.gold.rest.groups == {}
    assert case.tally().exact


@given(pair=trees())
def test_taking_the_obvious_pairs_first_changes_no_count(pair: tuple[dict, dict]) -> None:
    plain = prepare().layouts
    short = counts(make_case("x", *pair, plain))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "take_obvious", lambda left, right: [])
        assert short == counts(make_case("x", *pair, plain))
