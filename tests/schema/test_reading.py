"""From a tree to a document: the rules for leaves, lists, groups, sections, columns and types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.case import Case, make_case
from docassay.model.document import Number
from docassay.model.schema import DocumentType, Field, Schema
from docassay.run.open import prepare
from docassay.schema.layout import Layout
from docassay.schema.reading import TreeReader
from tests.counted import calls, growth

BUSINESS = {
    "types": {
        "invoice": {
            "aliases": ["tax invoice"],
            "fields": ["DOCUMENT_TYPE", "TOTAL", "line_items"],
        },
        "statement": {
            "fields": ["DOCUMENT_TYPE", "DESCRIPTIONS", "DATES"],
            "unscored": ["BALANCE"],
        },
    },
    "fields": {"TOTAL": "money", "NOTES": {"type": "text", "list": False}, "BALANCE": "money"},
    "groups": {
        "line_items": {
            "fields": {"description": "text", "price": "money"},
            "columns": {"description": "DESCRIPTIONS", "price": "PRICES"},
        },
        "transactions": {
            "fields": {"date": "date", "description": "text"},
            "columns": {"date": "DATES", "description": "DESCRIPTIONS"},
        },
        "header": {"section": True, "fields": {"number": "id"}},
    },
}


def read(gold: object, pred: object = None, schema: object = None) -> Case:
    return make_case("x", gold, pred, prepare(schema=schema).layouts)


def entities(case: Case) -> list[tuple[str, str, str]]:
    return [(one.field, one.path, one.reading.canonical) for one in case.gold.root.entities()]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        pytest.param({"a": "x"}, [("a", "a", "x")], id="a text"),
        pytest.param({"a": 5}, [("a", "a", "5")], id="a whole number"),
        pytest.param({"a": Number("1.50")}, [("a", "a", "1.50")], id="digits as written"),
        pytest.param(
            {"a": True, "b": False}, [("a", "a", "true"), ("b", "b", "false")], id="truth"
        ),
        pytest.param({"a": 0}, [("a", "a", "0")], id="zero is a value"),
        pytest.param({"a": None, "b": "", "c": " ", "d": "Not_Found"}, [], id="absent"),
        pytest.param({"a": ["x", "y"]}, [("a", "a[0]", "x"), ("a", "a[1]", "y")], id="a list"),
        pytest.param(
            {"a": ["x", None, "y"]}, [("a", "a[0]", "x"), ("a", "a[2]", "y")], id="kept slots"
        ),
        pytest.param({"a": "x | y"}, [("a", "a", "x | y")], id="no splitting without schema"),
        pytest.param({"a": {"value": "x", "confidence": 0.5}}, [("a", "a", "x")], id="a leaf"),
        pytest.param({"a": {"b": "x"}}, [("a.b", "a.b", "x")], id="an object is a group"),
        pytest.param(
            {"a": [{"b": "x"}, {"b": "y"}]},
            [("a.b", "a[0].b", "x"), ("a.b", "a[1].b", "y")],
            id="rows",
        ),
        pytest.param(
            {"menu": [{"menu.nm": "x", "menu.sub": {"menu.sub_nm": "y"}}]},
            [("menu.nm", "menu[0].nm", "x"), ("menu.sub_nm", "menu[0].sub.menu.sub_nm", "y")],
            id="names that carry their group's path are not prefixed again",
        ),
        pytest.param({"a": [{}, {"b": ""}, {"b": "x"}]}, [("a.b", "a[2].b", "x")], id="empty rows"),
        pytest.param({"a": {"any_of": ["x", "y"]}}, [("a", "a", "x")], id="alternatives"),
        pytest.param({"a": [["x"], ["y"]]}, [("a", "a[0]", "x"), ("a", "a[1]", "y")], id="lists"),
    ],
)
def test_a_tree_without_schema_reads_as_stated(tree: dict, expected: list) -> None:
    assert entities(read(tree)) == expected


def test_a_leaf_keeps_confidence_page_and_box() -> None:
    leaf = {"value": "x", "confidence": Number("0.93"), "page": 1, "box": [0, 1, 2, Number("3.5")]}
    (entity,) = read({"a": leaf}).gold.root.entities()
    assert entity.reading.confidence == 0.93
    assert entity.reading.page == 1
    assert entity.reading.box == (0.0, 1.0, 2.0, 3.5)


TEXTS = st.sampled_from(["x", "y z", "a | b", "", "NOT_FOUND", "12.50", "|", " "])
VALUES = TEXTS | st.sampled_from([None, 5, True, Number("1.50"), ["x", "y"]])
CONFIDENCES = st.sampled_from(
    [Number("0.5"), Number("0"), Number("1.0"), Number("1.5"), Number("-0.1"), 1, "high", None]
)
SURE_LEAVES = st.fixed_dictionaries({"value": VALUES, "confidence": CONFIDENCES})
MEMBERS = st.dictionaries(
    st.sampled_from(["a", "A", "TOTAL", "NOTES", "header"]), SURE_LEAVES | TEXTS
)
SURE_TREES = st.builds(lambda own, rows: {**own, "items": rows}, MEMBERS, st.lists(MEMBERS))


def with_pages(tree: object) -> object:
    """Return a tree whose leaves state a page that is not known: those are looked at closely."""
    if isinstance(tree, list):
        return [*map(with_pages, tree)]
    if not isinstance(tree, dict):
        return tree
    members = {key: with_pages(child) for key, child in tree.items()}
    return {**members, "page": None} if "value" in tree else members


@pytest.mark.parametrize("schema", [None, BUSINESS], ids=["no schema", "schema"])
@given(tree=SURE_TREES)
def test_a_text_with_its_confidence_is_read_as_leaves_that_say_more_are(
    tree: dict[str, object], schema: object
) -> None:
    layout = prepare(schema=schema).layouts.of(tree)[0]
    documents = [
        TreeReader(layout, "x", gold=False).read(given) for given in (tree, with_pages(tree))
    ]
    short, long = (
        [
            (*entity[:2], entity.reading.text, entity.reading.canonical, entity.reading.confidence)
            for entity in document.root.entities()
        ]
        for document in documents
    )
    assert short == long
    assert documents[0].confident == documents[1].confident
    assert documents[0].problems == documents[1].problems


@pytest.mark.parametrize(
    ("leaf", "message"),
    [
        ({"value": "x", "confidence": "high"}, "confidence 'high' is not a number"),
        ({"value": "x", "page": Number("1e400")}, "page '1e400' is not a number"),
        ({"value": "x", "box": [1, 2]}, "box is not a list of four numbers"),
        ({"any_of": ["x", {"y": 1}]}, "any_of may list plain values only"),
    ],
)
def test_a_flawed_leaf_is_a_problem_and_its_value_stays(leaf: dict, message: str) -> None:
    case = read({"a": leaf})
    assert [one.reading.text for one in case.gold.root.entities()] == ["x"]
    assert message in case.problems[0].message


def test_any_of_the_alternatives_is_right_and_in_pred_the_first_is_taken() -> None:
    case = read({"a": {"any_of": ["x", "y"]}}, {"a": "y"})
    assert case.tally().exact
    case = read({"a": "x"}, {"a": {"any_of": ["x", "y"]}})
    assert case.tally().exact
    assert "belongs in gold" in case.problems[0].message


def test_parallel_columns_are_the_rows_of_the_group_that_the_gold_type_lists() -> None:
    tree = {"DOCUMENT_TYPE": "Tax Invoice", "DESCRIPTIONS": "tea | cake", "PRICES": "$1 | $2"}
    rows = read(tree, schema=BUSINESS).gold.root.groups
    assert [[one.field for one in row.entities()] for row in rows["line_items"]] == [
        ["line_items.description", "line_items.price"]
    ] * 2
    tree = {
        "DOCUMENT_TYPE": "statement",
        "DESCRIPTIONS": "tea | cake",
        "DATES": "1/2/2025 | 2/2/2025",
    }
    assert list(read(tree, schema=BUSINESS).gold.root.groups) == ["transactions"]


def test_a_placeholder_in_a_column_keeps_its_row() -> None:
    tree = {"DOCUMENT_TYPE": "invoice", "DESCRIPTIONS": "tea | cake", "PRICES": "NOT_FOUND | $2"}
    rows = read(tree, schema=BUSINESS).gold.root.groups["line_items"]
    assert [sorted(row.values) for row in rows] == [
        ["line_items.description"],
        ["line_items.description", "line_items.price"],
    ]


def test_list_false_keeps_a_text_with_bars_whole() -> None:
    case = read({"NOTES": "a | b"}, schema={"fields": {"NOTES": {"type": "text", "list": False}}})
    assert entities(case) == [("NOTES", "NOTES", "a | b")]
    case = read({"NOTES": "a | b"}, schema={"fields": {"NOTES": "text"}})
    assert len(entities(case)) == 2


def test_fields_of_a_section_belong_to_the_root() -> None:
    tree = {"DOCUMENT_TYPE": "other kind", "header": {"number": "No. 7"}}
    root = read(tree, schema=BUSINESS).gold.root
    assert "header.number" in root.values
    assert not root.groups


def test_unlisted_fields_of_gold_are_left_out_on_both_sides_and_said() -> None:
    case = read(
        {"DOCUMENT_TYPE": "invoice", "TOTAL": "$5", "BALANCE": "$9"},
        {"DOCUMENT_TYPE": "invoice", "TOTAL": "5.00", "BALANCE": "$1"},
        BUSINESS,
    )
    assert "BALANCE" not in case.tally().fields
    assert "not listed for document type 'invoice'" in case.problems[0].message


@pytest.mark.parametrize("gold", [{}, {"BALANCE": "NOT_FOUND"}], ids=["no field", "placeholder"])
def test_unlisted_fields_that_only_pred_has_are_deletions(gold: dict) -> None:
    case = read(
        {"DOCUMENT_TYPE": "invoice", "TOTAL": "$5", **gold},
        {"DOCUMENT_TYPE": "invoice", "TOTAL": "5.00", "BALANCE": "$9"},
        BUSINESS,
    )
    assert case.tally().fields["BALANCE"] == [0, 0, 0, 1]


def test_unscored_fields_leave_all_metrics() -> None:
    case = read(
        {"DOCUMENT_TYPE": "statement", "BALANCE": "$9"},
        {"DOCUMENT_TYPE": "statement", "BALANCE": "$1"},
        BUSINESS,
    )
    assert set(case.tally().fields) == {"DOCUMENT_TYPE"}
    assert not case.problems


def test_the_gold_type_decides_and_a_wrong_predicted_type_costs_its_own_field() -> None:
    gold = {"DOCUMENT_TYPE": "statement", "DESCRIPTIONS": "tea"}
    case = read(gold, {**gold, "DOCUMENT_TYPE": "invoice"}, BUSINESS)
    assert case.type == "statement"
    assert case.tally().fields["DOCUMENT_TYPE"] == [0, 1, 0, 0]
    assert case.tally().fields["transactions.description"] == [1, 0, 0, 0]


@pytest.mark.parametrize("kind", [None, "postcard"])
def test_a_document_of_unknown_type_is_scored_on_all_fields_and_said(kind: str | None) -> None:
    case = read({"DOCUMENT_TYPE": kind, "TOTAL": "5"}, {"TOTAL": "$5.00"}, BUSINESS)
    assert case.tally().fields["TOTAL"] == [1, 0, 0, 0]
    assert "all fields count" in case.problems[0].message


def test_an_unreadable_value_is_a_problem_with_its_reason() -> None:
    case = read({"TOTAL": "12.50"}, {"TOTAL": "12.5O"}, {"fields": {"TOTAL": "money"}})
    (problem,) = case.problems
    assert problem.side == "pred"
    assert problem.message == "'12.5O' is not an amount of money"
    assert case.tally().fields["TOTAL"] == [0, 1, 0, 0]


def test_amounts_of_two_currencies_are_told_apart_and_an_open_one_agrees_with_both() -> None:
    schema = {"groups": {"items": {"fields": {"p": "money"}}}}
    gold = {"items": [{"p": "USD 5"}, {"p": "EUR 5"}]}
    assert read(gold, {"items": [{"p": "EUR 5"}, {"p": "5"}]}, schema).tally().exact
    assert not read(gold, {"items": [{"p": "EUR 5"}, {"p": "EUR 5"}]}, schema).tally().exact


def test_a_set_field_counts_repeated_values_once() -> None:
    schema = {"fields": {"tags": {"type": "exact", "match": "set"}}}
    assert read({"tags": ["a", "b"]}, {"tags": ["b", "a", "a"]}, schema).tally().exact


def test_an_ordered_field_compares_position_by_position() -> None:
    schema = {"fields": {"steps": {"type": "exact", "match": "order"}}}
    case = read({"steps": ["a", "b"]}, {"steps": ["b", "a"]}, schema)
    assert case.tally().fields["steps"] == [0, 2, 0, 0]
    case = read({"steps": ["NOT_FOUND", "b"]}, {"steps": ["b"]}, schema)
    assert case.tally().fields["steps"] == [0, 1, 0, 0]


def test_aliases_of_fields_and_groups_are_the_same_field() -> None:
    schema = {
        "fields": {"total": {"type": "money", "aliases": ["amount"]}},
        "groups": {
            "items": {"aliases": ["lines"], "fields": {"n": {"type": "text", "aliases": ["name"]}}}
        },
    }
    gold = {"total": "5", "items": [{"n": "tea"}]}
    assert read(gold, {"amount": "$5", "lines": [{"name": "Tea"}]}, schema).tally().exact


def test_a_json_number_has_a_decimal_point_whatever_texts_of_its_field_mean() -> None:
    schema = {"fields": {"total": "money"}}
    case = read({"total": Number("60.125")}, {"total": "60.125"}, schema)
    assert entities(case) == [("total", "total", "60.125")]
    assert not case.tally().exact
    assert read({"total": 60.125}, {"total": Number("60.125")}, schema).tally().exact
    assert read({"total": {"value": Number("60.5")}}, {"total": "60.50"}, schema).tally().exact


def test_a_document_type_is_found_by_its_aliases_whatever_type_its_field_has() -> None:
    schema = {**BUSINESS, "fields": {**BUSINESS["fields"], "DOCUMENT_TYPE": "text"}}
    assert read({"DOCUMENT_TYPE": "TAX INVOICE", "TOTAL": "5"}, schema=schema).type == "invoice"


def test_a_nameless_field_does_not_stand_for_the_whole_document() -> None:
    case = read({"": "1", "x": "2"}, {"": "1", "x": "3"})
    assert set(case.tally().fields) == {'""', "x"}


def test_two_keys_of_one_path_go_on_with_each_other_behind_a_placeholder() -> None:
    tree = {"items": [{"p": ["NOT_FOUND", "b"], "items.p": "c"}]}
    case = read(tree, tree)
    assert [one.path for one in case.gold.root.entities()] == ["items[0].p[1]", "items[0].p[2]"]
    assert case.tally().exact


def test_a_set_with_placeholders_and_repeats_has_no_positions() -> None:
    schema = {"fields": {"tags": {"type": "exact", "match": "set"}}}
    case = read({"tags": ["a", "NOT_FOUND", "b", "a"]}, {"tags": ["b", "a"]}, schema)
    assert [one.path for one in case.gold.root.entities()] == ["tags[0]", "tags[1]"]
    assert case.tally().exact


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(lambda n: {"a": ["x"] * n}, id="texts"),
        pytest.param(lambda n: {"a": [{"value": "x", "page": 1}] * n}, id="leaves"),
        pytest.param(lambda n: {"a": {"value": ["x"] * n}}, id="one leaf with a list"),
        pytest.param(lambda n: {"a": [["x"] * n]}, id="a list in a list"),
    ],
)
def test_the_values_of_a_list_are_added_at_once_however_many(tree, monkeypatch):
    # every addition copies what is there, so one for each value would be quadratic work
    extend, additions = TreeReader._extend, []

    def counted(self, group, path, readings):
        additions.append(len(readings))
        extend(self, group, path, readings)

    monkeypatch.setattr(TreeReader, "_extend", counted)
    document = TreeReader(Layout(Schema(), None), "", gold=True).read(tree(1000))
    assert len(document.root.values["a"]) == 1000
    assert [count for count in additions if count] == [1000]


def test_values_between_lists_and_objects_keep_their_order():
    tree = {"a": ["1", {"value": "2"}, ["3", "4"], {"any_of": ["5"]}, {"value": ["6", "7"]}, "8"]}
    document = TreeReader(Layout(Schema(), None), "", gold=True).read(tree)
    assert [reading.canonical for reading in document.root.values["a"]] == [*"12345678"]


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(lambda n: {f"a{i}": "x" for i in range(n)}, id="fields"),
        pytest.param(lambda n: {"g": [{f"a{i}": "x" for i in range(n)}]}, id="columns"),
    ],
)
def test_the_work_of_reading_grows_with_the_number_of_fields(tree):
    def work(size):
        wide = tree(size)
        kind = DocumentType("k", (), tuple(f"a{i}" for i in range(size)), ())
        layout = Layout(Schema(types=(kind,)), kind)
        return calls(lambda: TreeReader(layout, "", gold=True).read(wide))

    assert growth(work, 300) < 1.2


def test_a_leaf_of_a_tree_states_its_normalised_value() -> None:
    schema = Schema(fields=(Field(path="due", type="date"), Field(path="sum", type="money")))
    tree = {
        "due": {"value": "03/04/2025", "normalised": "2025-03-04", "confidence": Number("0.5")},
        "sum": [{"value": "60.125", "normalised": Number("60.125")}, {"value": "5"}],
    }
    document = TreeReader(Layout(schema, None), "x", gold=False).read(tree)
    due, sums = document.root.values["due"], document.root.values["sum"]
    assert [(reading.canonical, reading.confidence) for reading in due] == [("2025-03-04", 0.5)]
    assert [reading.canonical for reading in sums] == ["60.125", "5"]
