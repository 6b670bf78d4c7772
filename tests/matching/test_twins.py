"""Rows of the same texts, and rows that clearly belong together, against the plain road."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from docassay.matching import groups
from docassay.matching.case import Case, make_case
from docassay.matching.groups import TwinRows, twin_rows
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
    )


def made(gold: dict, pred: dict, schema: object, *, by_text: bool) -> Case:
    """Return a case, and without `by_text` one in which every value is read."""
    with pytest.MonkeyPatch.context() as patch:
        if not by_text:
            patch.setattr(groups, "twin_rows", lambda golds, preds: TwinRows((), golds, preds))
        case = make_case("x", gold, pred, prepare(schema=schema).layouts)
        counts(case)
        return case


SCOPED = {
    "extra": "count",
    "groups": {"items": {"fields": {"n": "money", "p": {"type": "text", "accept": 0.5}}}},
}


@pytest.mark.parametrize(
    "schema", [*SCHEMAS, pytest.param(SCOPED, id="currencies beside a text that may be alike")]
)
@hypothesis_settings(max_examples=100)
@given(pair=trees())
def test_pairing_rows_of_the_same_texts_unread_changes_no_count(
    schema: object, pair: tuple[dict, dict]
) -> None:
    short, plain = (made(*pair, schema, by_text=by_text) for by_text in (True, False))
    assert counts(short) == counts(plain)
    assert {*short.problems} <= {*plain.problems}


def test_values_that_are_the_same_on_both_sides_are_not_read() -> None:
    rows = [{"n": f"item {number}", "p": str(number)} for number in range(5)]
    gold = {"day": "2024-01-02", "items": rows}
    pred = {"day": "2024-01-02", "items": [*rows[::-1], {"n": "x"}]}
    schema = {"fields": {"day": "date"}, "groups": {"items": {"fields": {"n": "text"}}}}
    case = make_case("x", gold, pred, prepare(schema=schema).layouts)
    assert case.tally().fields["day"] == [1, 0, 0, 0]
    assert case.tally().groups == {"items": [5, 1, 0, 1]}
    readings = [entity.reading for entity in case.gold.root.entities()]
    assert [reading.made for reading in readings] == [None] * len(readings)


def test_a_value_that_cannot_be_read_is_a_problem_where_it_makes_a_difference() -> None:
    layouts = prepare(schema={"fields": {"day": "date"}}).layouts
    same = make_case("x", {"day": "soon"}, {"day": "soon"}, layouts)
    assert same.tally().exact
    assert same.problems == ()
    other = make_case("x", {"day": "soon"}, {"day": "2024-01-02"}, layouts)
    assert [(problem.side, problem.field) for problem in other.problems] == [("gold", "day")]


def test_rows_in_order_are_compared_where_they_stand_by_currency_as_well() -> None:
    schema = {"groups": {"items": {"match": "order", "fields": {"n": "money"}}}}
    layouts = prepare(schema=schema).layouts
    gold, pred = (
        {"items": [{"n": text} for text in texts]} for texts in (("$8", "€8"), ("€8", "$8"))
    )
    assert make_case("x", gold, pred, layouts).tally().fields == {"items.n": [0, 2, 0, 0]}


@pytest.mark.parametrize(
    ("golds", "preds", "pairs"),
    [
        pytest.param(["a", "b"], ["a", "b"], [(0, 0), (1, 1)], id="in their places"),
        pytest.param(["a", "b"], ["b", "c", "a"], [(0, 2), (1, 0)], id="in other places"),
        pytest.param(["a", "a"], ["b", "a"], [(1, 1)], id="one of two, where it stands"),
        pytest.param(["a", "a", "b"], ["b", "a"], [(1, 1), (2, 0)], id="each once"),
        pytest.param(["a"], ["b"], [], id="none"),
        pytest.param([], ["b"], [], id="no rows"),
    ],
)
def test_rows_of_the_same_texts_are_twins(
    golds: list[str], preds: list[str], pairs: list[tuple[int, int]]
) -> None:
    case = make_case(
        "x",
        {"items": [{"n": text} for text in golds]},
        {"items": [{"n": text} for text in preds]},
        prepare().layouts,
    )
    left, right = (document.root.groups.get("items", []) for document in (case.gold, case.pred))
    twins = twin_rows(left, right)
    assert sorted((gold.index, pred.index) for gold, pred in twins.pairs) == pairs
    taken = ({gold for gold, _ in pairs}, {pred for _, pred in pairs})
    assert [row.index for row in twins.golds] == [i for i in range(len(golds)) if i not in taken[0]]
    assert [row.index for row in twins.preds] == [i for i in range(len(preds)) if i not in taken[1]]


@given(pair=trees())
def test_taking_the_obvious_pairs_first_changes_no_count(pair: tuple[dict, dict]) -> None:
    plain = prepare().layouts
    short = counts(make_case("x", *pair, plain))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "take_obvious", lambda left, right: [])
        assert short == counts(make_case("x", *pair, plain))


def test_rows_that_differ_only_in_rows_inside_are_no_twins() -> None:
    gold, pred = ({"items": [{"n": "a", "sub": [{"z": text}]}]} for text in ("1", "2"))
    case = make_case("x", gold, pred, prepare().layouts)
    assert case.tally().fields == {"items.n": [1, 0, 0, 0], "items.sub.z": [0, 1, 0, 0]}
    assert case.tally().groups["items"] == [0, 1, 1, 1]
