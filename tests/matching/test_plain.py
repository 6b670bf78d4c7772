"""Plain documents are matched and counted in one go, to the same as any other document is."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from docassay.kernel import plain
from docassay.matching.case import (
    Case,
    GivenTrees,
    Layouts,
    _way,
    _ways,
    make_case,
    make_cases,
)
from docassay.model.document import Group, Number, Reading
from docassay.model.schema import DocumentType, Schema
from docassay.run.open import prepare

NEAR = {"type": "number", "absolute": "1"}
SCHEMAS = {
    "no schema": None,
    "types": {
        "extra": "count",
        "currency": "EUR",
        "fields": {"total": "money", "day": "date", "note": "text"},
        "groups": {"items": {"fields": {"p": "money", "q": "number"}}},
    },
    "open currency": {"extra": "count", "groups": {"items": {"fields": {"p": "money"}}}},
    "values that are compared": {
        "extra": "count",
        "fields": {"total": NEAR, "note": {"type": "text", "accept": 0.5}},
        "groups": {"items": {"fields": {"p": NEAR, "q": "money"}}},
    },
    "names": {
        "extra": "count",
        "fields": {"total": {"type": "number", "aliases": ["sum"]}},
        "groups": {"items": {"aliases": ["rows"], "fields": {"p": {"aliases": ["price"]}}}},
    },
    "columns": {"extra": "count", "groups": {"items": {"fields": {"p": "number", "q": "exact"}}}},
    "a section": {"extra": "count", "groups": {"items": {"section": True}}},
    "rows in order": {"extra": "count", "groups": {"items": {"match": "order"}}},
    "sets": {"extra": "count", "groups": {"items": {"match": "set"}}},
    "places": {"extra": "count", "fields": {"total": {"type": "exact", "match": "order"}}},
    "a closed schema": {
        "fields": {"total": "number"},
        "groups": {"items": {"fields": {"p": "id"}}},
    },
    "a gold that is labelled in part": {
        "extra": "count",
        "missing": "unlabelled",
        "fields": {"total": "number"},
    },
}
TEXTS = (
    "1",
    "1.0",
    "2",
    "€ 1",
    "$1",
    "$ 2.00",
    "$2.00",
    "2.00",
    "a",
    "A",
    "ab",
    "a | b",
    "N/A",
    "",
    "2024-01-02",
)
PLAIN = st.one_of(
    st.sampled_from(TEXTS),
    st.sampled_from(["1", "1.0", "2"]).map(Number),
    st.sampled_from([1, 2]),
    st.none(),
)
LEAF = st.one_of(PLAIN, PLAIN, PLAIN, st.sampled_from([True, ["a", "b"], {"value": "a"}, {}, 1.5]))
ROW = st.dictionaries(st.sampled_from(["p", "q", "n", "price"]), LEAF, max_size=3)
PLAIN_ROW = st.dictionaries(st.sampled_from(["p", "q", "n"]), PLAIN, max_size=3)
ROWS = st.one_of(
    st.lists(PLAIN_ROW, max_size=5),
    st.lists(PLAIN_ROW, max_size=5),
    st.lists(st.one_of(ROW, PLAIN_ROW, st.just("a"), st.just({"value": "a"})), max_size=3),
)
FIELDS = st.dictionaries(st.sampled_from(["total", "sum", "day", "note", "x"]), PLAIN, max_size=4)
ODD_FIELDS = st.dictionaries(st.sampled_from(["total", "note", "items.p"]), LEAF, max_size=2)
TREE = st.one_of(
    st.builds(lambda own, rows: {**own, "items": rows}, FIELDS, ROWS),
    st.builds(lambda own, odd, rows: {**own, "rows": rows, **odd}, FIELDS, ODD_FIELDS, ROWS),
    st.builds(lambda own, more, rows: {**own, "items": rows, "more": more}, FIELDS, ROWS, ROWS),
    st.none(),
)


def with_mistakes(draw: st.DrawFn, tree: object) -> object:
    """Return a tree with values and rows changed, lost, added and in another order."""
    if isinstance(tree, list):
        items = [with_mistakes(draw, item) for item in tree if draw(st.integers(0, 4))]
        return draw(st.permutations(items)) if draw(st.booleans()) else items
    if isinstance(tree, dict):
        kept = {
            key: with_mistakes(draw, child)
            for key, child in tree.items()
            if draw(st.integers(0, 7))
        }
        return {**kept, "x": "1"} if draw(st.integers(0, 5)) == 0 else kept
    return draw(PLAIN) if draw(st.integers(0, 3)) == 0 else tree


@st.composite
def documents(draw: st.DrawFn) -> tuple[object, object]:
    gold = draw(TREE)
    return gold, with_mistakes(draw, gold) if draw(st.integers(0, 3)) else draw(TREE)


def told(case: Case) -> dict[str, object]:
    """Return all that a case comes to, as plain data."""

    def texts(left: dict[str, list[Reading]]) -> dict[str, list[str]]:
        return {path: [reading.text for reading in readings] for path, readings in left.items()}

    def indexes(pairs: object) -> list[object]:
        return [tuple(row and row.index for row in pair) for pair in pairs]  # type: ignore[attr-defined]

    def values(group: Group) -> object:
        own = [(path, [each.text for each in every]) for path, every in group.values.items()]
        return own, [(path, [*map(values, rows)]) for path, rows in group.groups.items()]

    tally, matching = case.tally(), case.matching()
    return {
        "fields": [*tally.fields.items()],
        "groups": [*tally.groups.items()],
        "missed": texts(tally.missed),
        "spurious": texts(tally.spurious),
        "exact": tally.exact,
        "ungrouped": [*case.ungrouped.items()],
        "problems": case.problems,
        "aside": case.aside,
        "expected": case.expected,
        "trees": (case.gold.tree, case.pred.tree),
        "pairwise": case.pairwise,
        "rows": [
            (path, indexes(matched.settled.pairs), indexes(matched.others))
            for path, matched in matching.inside(matching.gold, matching.pred)
        ],
        "gold": values(case.gold.root),
        "pred": values(case.pred.root),
    }


def told_as_any_other(gold: object, pred: object, schema: object) -> dict[str, object]:
    layouts = prepare(schema=schema).layouts
    layouts.plain.simple = False
    return told(make_case("x", gold, pred, layouts))


@pytest.mark.parametrize("name", [*SCHEMAS])
@given(pair=documents())
@hypothesis_settings(max_examples=120)
def test_plain_documents_come_to_the_same_as_any_other(
    name: str, pair: tuple[object, object]
) -> None:
    layouts = prepare(schema=SCHEMAS[name]).layouts
    assert told(make_case("x", *pair, layouts)) == told_as_any_other(*pair, SCHEMAS[name])


@pytest.mark.parametrize("name", [*SCHEMAS])
@given(pairs=st.lists(documents(), max_size=4))
@hypothesis_settings(max_examples=40)
def test_documents_that_are_read_together_come_to_the_same_as_alone(
    name: str, pairs: list[tuple[object, object]]
) -> None:
    layouts = prepare(schema=SCHEMAS[name]).layouts
    cases = make_cases([GivenTrees("x", *pair) for pair in pairs], layouts)
    assert [told(case) for case in cases] == [told(make_case("x", *p, layouts)) for p in pairs]
    assert [case.given for case in cases] == pairs


@pytest.mark.parametrize(
    ("layouts", "alike"),
    [
        (Layouts(Schema()), True),
        (Layouts(Schema(types=(DocumentType("a"), DocumentType("b")))), False),
        (Layouts(Schema(), {"a": Schema(), "b": Schema(), "": Schema()}), False),
    ],
    ids=["one layout", "types", "schemas"],
)
def test_documents_are_read_in_the_same_way_together_as_alone(
    layouts: Layouts, alike: bool
) -> None:
    trees = [{"DOCUMENT_TYPE": name} for name in "abc"]
    documents = [GivenTrees(name, tree, tree) for name, tree in zip("abc", trees, strict=True)]
    ways = _ways(documents, layouts)
    assert ways == [_way(document, layouts) for document in documents]
    assert layouts.one_for_all is alike
    assert (len({way.layout for way in ways}) == 1) is alike


COMMA = {"extra": "count", "fields": {"total": {"type": "number", "decimal": ","}}}
COMPARED = SCHEMAS["values that are compared"]
OPEN = SCHEMAS["open currency"]


@pytest.mark.parametrize(
    ("gold", "pred", "schema"),
    [
        ({"total": "1.234"}, {"total": Number("1.234")}, COMMA),
        ({"total": "1"}, {"total": "5"}, COMPARED),
        ({"total": "1"}, {"total": "2"}, COMPARED),
        (
            {"items": [{"p": "1", "n": "a"}, {"n": "b"}]},
            {"items": [{"p": "1", "n": "a"}, {"n": "c"}]},
            COMPARED,
        ),
        (
            {"items.p": "$1", "items": [{"p": "1", "n": "a"}, {"p": "$1", "n": "b"}]},
            {"items.p": "€1", "items": [{"p": "€1", "n": "b"}, {"p": "1", "n": "a"}]},
            OPEN,
        ),
        (
            {"items.p": "$1.00", "items": [{"p": "€2.00", "n": "a"}]},
            {"items.p": "1.00", "items": [{"p": "2.00", "n": "a"}]},
            OPEN,
        ),
        (
            {"items": [{"p": "$1.00", "n": "a"}, {"p": "2.00", "n": "b"}]},
            {"items": [{"p": "1.00", "n": "a"}, {"p": "€2.00", "n": "b"}]},
            OPEN,
        ),
    ],
    ids=[
        "a number and its text",
        "too far",
        "near",
        "twins",
        "a field of rows beside them",
        "a field that is the same at sight beside them",
        "rows that are the same but for what they are stated in",
    ],
)
def test_what_keys_do_not_settle_comes_to_the_same_as_in_any_other(
    gold: object, pred: object, schema: object
) -> None:
    case = make_case("x", gold, pred, prepare(schema=schema).layouts)
    assert told(case) == told_as_any_other(gold, pred, schema)


def one_go(gold: object, pred: object, schema: object = None) -> bool:
    """Whether two documents are matched and counted in one go."""
    case = make_case("x", gold, pred, prepare(schema=schema).layouts)
    return False in case._tallies


ROW_OF_TWO = {"p": "1", "q": "2"}


@pytest.mark.parametrize(
    ("gold", "pred", "schema", "expected"),
    [
        ({"total": "1", "x": None}, {"total": "2"}, "no schema", True),
        ({"items": [ROW_OF_TWO]}, {"items": []}, "no schema", True),
        ({"items": [{**ROW_OF_TWO, "n": None}]}, {"items": [{}]}, "no schema", True),
        ({"total": "1"}, {"total": "5"}, "values that are compared", True),
        ({"items": [{"p": "1"}]}, {"items": [{"p": "2"}]}, "values that are compared", False),
        ({"items": [{"q": "$1"}]}, {"items": [{"q": "€1"}]}, "types", True),
        ({"items": [{"p": "$1"}]}, {"items": [{"p": "€1"}]}, "types", True),
        ({"items": [{"p": "$1"}, {"p": "1"}]}, {"items": [{"p": "€1"}]}, "open currency", False),
        ({"items": [{"p": "$1"}, {"p": "€1"}]}, {"items": [{"p": "1"}]}, "open currency", False),
        ({"total": "$1"}, {"total": "€1"}, "types", True),
        ({"note": "a | b"}, {"note": "a"}, "types", False),
        ({"total": True}, {"total": "a"}, "no schema", False),
        ({"total": ["a"]}, {"total": "a"}, "no schema", False),
        ({"total": "1", "sum": "1"}, {"total": "1"}, "names", False),
        (None, {"total": "1"}, "no schema", False),
    ],
)
def test_what_is_plain(gold: object, pred: object, schema: str, expected: bool) -> None:
    assert one_go(gold, pred, SCHEMAS[schema]) is expected


AMOUNTS = st.sampled_from(["1", "$1", "$1.00", "1.00", "€1", "$2", "2", "CHF 1"])
AMOUNT_ROWS = st.lists(
    st.fixed_dictionaries({"p": AMOUNTS}, optional={"n": st.sampled_from("ab")}), max_size=4
)


@given(AMOUNT_ROWS, AMOUNT_ROWS)
@example([{"p": "1"}, {"p": "1"}], [{"p": "$1"}, {"p": "€1"}])
@example([{"p": "$1"}], [{"p": "€1"}, {"p": "1"}])
@example([{"p": "$1"}, {"p": "$2"}], [{"p": "€1"}, {"p": "$2"}])
def test_rows_with_several_currencies_have_as_many_equal_values_as_can_be(
    golds: list[dict[str, str]], preds: list[dict[str, str]]
) -> None:
    layouts = prepare(schema=SCHEMAS["open currency"]).layouts
    case = make_case("x", {"items": golds}, {"items": preds}, layouts)
    money = layouts.plain.field("items.p")

    def equal(gold: dict[str, str], pred: dict[str, str] | None) -> int:
        if pred is None:
            return 0
        left, right = money.readings[gold["p"]], money.readings[pred["p"]]
        assert left is not None
        assert right is not None
        return money.equal(left, right) + ("n" in gold and gold["n"] == pred.get("n"))

    partners = [*preds, *[None] * len(golds)]
    best = max(sum(map(equal, golds, chosen)) for chosen in permutations(partners, len(golds)))
    assert sum(counts[0] for counts in case.tally().fields.values()) == best


def test_a_currency_of_its_own_stands_for_itself_also_outside_rows() -> None:
    gold = {"items.p": "$1", "items": [{"p": "$2", "n": "a"}]}
    pred = {"items.p": "€1", "items": [{"p": "€2", "n": "a"}]}
    case = make_case("x", gold, pred, prepare(schema=OPEN).layouts)
    assert case.tally().fields == {"items.p": [0, 2, 0, 0], "items.n": [1, 0, 0, 0]}
    assert case.ungrouped == {"items.p": 0, "items.n": 1}


def test_an_amount_that_its_leaf_states_is_compared_beside_other_currencies() -> None:
    stated = {"value": "1.234", "normalised": 1234}
    gold = {"items": [{"p": "$1234"}, {"p": "$5"}]}
    pred = {"items": [{"p": stated}, {"p": "€5"}]}
    case = make_case("x", gold, pred, prepare(schema=OPEN).layouts)
    assert case.tally().fields == {"items.p": [1, 1, 0, 0]}


def test_equal_values_are_not_read() -> None:
    layouts = prepare(schema=None).layouts
    tree = {"total": "1", "items": [{"p": "a", "q": "b"}, {"p": "c", "q": "d"}]}
    case = make_case("x", tree, {**tree, "items": tree["items"][::-1]}, layouts)
    assert case.tally().exact
    assert case.ungrouped == {"total": 1, "items.p": 2, "items.q": 2}
    fields = (layouts.plain.field(path) for path in ("total", "items.p", "items.q"))
    assert not any(field.readings.known for field in fields)


def test_values_with_one_key_at_sight_are_not_read() -> None:
    layouts = prepare(schema=SCHEMAS["types"]).layouts
    gold = {"total": "1000.50", "day": "2019-10-07"}
    pred = {"total": "$1,000.50", "day": "7.10.2019"}
    golds = [{"p": "1.50", "q": "2"}, {"p": "3.50", "q": "4", "n": "a"}]
    preds = [{"p": "$1.50", "q": "2.0"}, {"p": "$3.50", "q": "4.0", "n": "b"}]
    case = make_case("x", {**gold, "items": golds}, {**pred, "items": preds}, layouts)
    counts = case.tally().fields
    assert counts.pop("items.n") == [0, 1, 0, 0]
    assert all(own[1:] == [0, 0, 0] for own in counts.values())
    fields = (layouts.plain.field(path) for path in ("total", "day", "items.p", "items.q"))
    assert not any(field.readings.known for field in fields)


def test_a_document_that_is_no_object_is_not_plain() -> None:
    layout = prepare(schema=None).layouts.plain
    assert plain.read_plain(["a"], layout.root.shapes) is None
    assert plain.read_plain({"a": "b"}, layout.root.shapes) is not None
