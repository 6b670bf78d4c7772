"""Details of matching that wider tests pass over, each computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from docassay.errors import DataError
from docassay.kernel.rows import Row
from docassay.load.format import DescribedTree
from docassay.matching import groups, large, values
from docassay.matching.assignment import assign, assign_few
from docassay.matching.case import Case, Layouts, make_case
from docassay.matching.confidences import tally_confidences
from docassay.matching.groups import Matcher
from docassay.matching.large import clusters
from docassay.matching.verdicts import RIGHT, blocks
from docassay.model.document import Group, Number
from docassay.model.problem import ProblemCode
from docassay.run.open import prepare
from docassay.schema.source import join_schemas, load_schema
from tests.analysis.study.test_study_reading_order import Block, TaggedText

NEAR = {"type": "number", "absolute": "1"}


def case_of(gold: object, pred: object, schema: object = None) -> Case:
    return make_case("x", gold, pred, prepare(schema=schema).layouts)


# ---------------------------------------------------------------- Tally


def test_values_of_a_list_that_stand_in_each_others_rows_are_equal_whatever_their_group() -> None:
    gold = {"items": [{"k": "1", "n": ["a", "b"]}, {"k": "2", "n": ["c", "d"]}]}
    pred = {"items": [{"k": "1", "n": ["a", "c"]}, {"k": "2", "n": ["b", "d"]}]}
    case = case_of(gold, pred)
    assert case.tally().fields["items.n"] == [2, 2, 0, 0]
    assert case.ungrouped == {"items.k": 2, "items.n": 4}


# ---------------------------------------------------------------- twins


def test_equal_rows_are_matched_as_any_where_a_column_is_compared_pair_by_pair() -> None:
    rows: list[dict[str, object]] = [{"n": f"{number}"} for number in range(32)]
    golds = [*rows, {"n": {"any_of": ["a", "b"]}}]
    case = case_of({"items": golds}, {"items": [*rows, {"n": "b"}]})
    assert case.pairwise == {"items.n"}
    assert case.matching().matcher.settle(*both_rows(case)).pairs == ()
    assert case.tally().fields == {"items.n": [33, 0, 0, 0]}


def test_equal_rows_are_settled_beside_another_field_that_is_compared_pair_by_pair() -> None:
    schema = {"extra": "count", "fields": {"total": {"type": "number", "absolute": "1"}}}
    rows = [{"n": f"{number}"} for number in range(32)]
    case = case_of({"total": "5", "items": rows}, {"total": "6", "items": rows}, schema)
    assert case.pairwise == {"total"}
    assert len(case.matching().matcher.settle(*both_rows(case)).pairs) == 32
    assert case.tally().fields == {"items.n": [32, 0, 0, 0], "total": [1, 0, 0, 0]}


def both_rows(case: Case) -> tuple[list[Group], list[Group]]:
    return case.gold.root.groups["items"], case.pred.root.groups["items"]


# ---------------------------------------------------------------- rows


def test_matching_nothing_achieves_nothing() -> None:
    case = case_of({}, {})
    assert Matcher(case.layout, case.pairwise)._worth([], [], "items") == (0, 0, 0, 0)


@pytest.mark.parametrize("reverse", [False, True])
def test_of_equal_gold_rows_the_first_by_text_meets_the_first_of_pred(reverse: bool) -> None:
    golds, preds = [{"n": " a"}, {"n": "a"}], [{"n": " a"}, {"n": "a"}]
    case = case_of({"items": golds[::-1] if reverse else golds}, {"items": preds})
    matching = case.matching()
    ((_, matched),) = matching.inside(matching.gold, matching.pred)
    texts = [[row.values["items.n"][0].text for row in pair] for pair in matched.settled.pairs]
    assert sorted(texts) == [[" a", " a"], ["a", "a"]]


# ---------------------------------------------------------------- clusters


def rows_of(*tokens: str) -> list[Row]:
    return [(frozenset(f"f\x1f{value}" for value in row), Group("g", 0, {})) for row in tokens]


@pytest.mark.parametrize(
    ("golds", "preds", "cells", "expected"),
    [
        (("a", "b", "c"), ("c", "b", "a"), 9, [([0], [2]), ([1], [1]), ([2], [0])]),
        (("ac", "b"), ("a", "bc"), 4, [([0, 1], [0, 1])]),
        (("ac", "b"), ("a", "bc"), 3, [([0], [0]), ([1], [1])]),
    ],
)
def test_rows_that_share_values_are_one_cluster_unless_it_grows_too_large(
    golds: tuple[str, ...],
    preds: tuple[str, ...],
    cells: int,
    expected: list[tuple[list[int], list[int]]],
) -> None:
    assert clusters(rows_of(*golds), rows_of(*preds), cells) == expected


# ---------------------------------------------------------------- rows by key, in order, beyond


def test_of_equally_good_partners_of_a_single_row_the_first_is_taken() -> None:
    equal = np.array([[1, 2, 2, 0]])
    assert assign((equal, equal)) == [(0, 1)]
    assert assign((equal.T, equal.T)) == [(1, 0)]
    assert assign_few([[(1, 0), (2, 0), (2, 0)]]) == [(0, 1)]


@pytest.mark.parametrize("reverse", [False, True])
def test_of_matchings_that_are_as_good_the_one_with_more_exact_rows_inside_is_taken(
    reverse: bool,
) -> None:
    golds = [{"k": "a", "sub": [{"x": "1"}]}, {"k": "b", "sub": [{"x": "1", "y": "2"}]}]
    preds = [{"k": "c", "sub": [{"x": "1"}]}, {"k": "d", "sub": [{"x": "1", "z": "3"}]}]
    case = case_of({"items": golds[::-1] if reverse else golds}, {"items": preds})
    assert case.tally().groups["items.sub"] == [1, 1, 1, 1]


def test_a_row_found_by_a_key_within_its_tolerance_is_not_taken_twice() -> None:
    fields = {"k": {"type": "number", "absolute": "1"}, "n": "exact"}
    schema = {"groups": {"items": {"match": {"key": "k"}, "fields": fields}}}
    golds = [{"k": "2", "n": "a"}, {"k": "1", "n": "a"}, {"n": "a"}]
    case = case_of({"items": golds}, {"items": [{"k": "2", "n": "a"}]}, schema)
    assert case.tally().fields == {"items.k": [1, 0, 1, 0], "items.n": [1, 0, 2, 0]}
    listed = [(block.gold, block.pred) for block in blocks(case)]
    assert listed == [("items[0]", None), ("items[1]", "items[0]"), ("items[2]", None)]


def test_a_single_value_that_counts_in_order_is_equal_only_in_its_place() -> None:
    number = {"type": "number", "absolute": "1", "match": "order"}
    schema = {"groups": {"items": {"fields": {"n": number, "p": "exact"}}}}
    golds = [{"n": "4", "p": "a"}, {"n": "7", "p": "b"}]
    preds = [{"n": ["NOT_FOUND", "4"], "p": "c"}, {"n": "4", "p": "c"}]
    case = case_of({"items": golds}, {"items": preds}, schema)
    assert [(block.gold, block.pred) for block in blocks(case)] == [
        ("items[0]", "items[1]"),
        ("items[1]", "items[0]"),
    ]


def test_predicted_rows_without_a_partner_come_in_the_order_of_their_file() -> None:
    preds = [{"n": "b"}, {"n": "a"}, {"n": "a"}, {"n": "a"}]
    places = [
        (block.gold, block.pred)
        for block in blocks(case_of({"items": [{"m": "z"}]}, {"items": preds}))
    ]
    assert [pred for gold, pred in places if gold is None] == sorted(
        pred for gold, pred in places if gold is None and pred is not None
    )
    assert len(places) == 4


@pytest.mark.parametrize(
    ("edges", "cells", "parted"),
    [(4, 0, False), (3, 0, True), (0, 9, False), (0, 8, True)],
)
def test_rows_are_matched_whole_up_to_the_limits_themselves(
    monkeypatch: pytest.MonkeyPatch, edges: int, cells: int, parted: bool
) -> None:
    monkeypatch.setattr(groups, "FEW", 0)
    for name, amount in (("MAX_PLAIN_CELLS", 0), ("MAX_EDGES", edges), ("MAX_CELLS", cells)):
        monkeypatch.setattr(large, name, amount)
    golds = [{"n": "a", "p": "1"}, {"n": "a", "p": "2"}, {"n": "c", "p": "3"}]
    preds = [{"n": "a", "p": "7"}, {"n": "a", "p": "8"}, {"n": "d", "p": "9"}]
    case = case_of({"items": golds}, {"items": preds})
    assert case.tally().fields["items.n"] == [2, 1, 0, 0]
    assert [problem.field for problem in case.problems] == ["items"] * parted


@pytest.mark.parametrize(
    "schema", [None, {"groups": {"items": {"fields": {"n": NEAR, "p": NEAR}}}}]
)
def test_clusters_hold_as_many_pairs_as_a_block_beyond_the_limits(
    monkeypatch: pytest.MonkeyPatch, schema: object
) -> None:
    monkeypatch.setattr(groups, "FEW", 0)
    for name, amount in (("MAX_PLAIN_CELLS", 0), ("MAX_EDGES", -1), ("MAX_CELLS", 0), ("BLOCK", 3)):
        monkeypatch.setattr(large, name, amount)
    asked = []

    def recorded(golds: list[Row], preds: list[Row], cells: int) -> object:
        asked.append(cells)
        return clusters(golds, preds, cells)

    monkeypatch.setattr(large, "clusters", recorded)
    golds = [{"n": "1", "p": "1"}, {"n": "1", "p": "2"}, {"n": "3", "p": "3"}]
    preds = [{"n": "1", "p": "7"}, {"n": "1", "p": "8"}, {"n": "4", "p": "9"}]
    case_of({"items": golds}, {"items": preds}, schema).tally()
    assert asked == [9]


def test_rows_by_key_of_which_one_side_is_identical_throughout_need_no_assignment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "FEW", 0)
    monkeypatch.setattr(large, "MAX_PLAIN_CELLS", 0)
    schema = {"groups": {"items": {"match": {"key": "k"}, "fields": {"k": "exact", "n": "exact"}}}}
    rows = [{"k": "1", "n": "a"}, {"k": "1", "n": "b"}, {"k": "1", "n": "c"}]
    for golds, preds, columns in ((rows[:2], rows, [2, 0, 0, 1]), (rows, rows[1:], [2, 0, 1, 0])):
        case = case_of({"items": golds}, {"items": preds}, schema)
        assert case.tally().fields["items.n"] == columns


def test_what_was_matched_in_parts_is_named_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert values.BLOCK**2 <= values.MAX_VALUE_CELLS  # else blocks would be cut without end
    monkeypatch.setattr(values, "MAX_VALUE_CELLS", 3)
    monkeypatch.setattr(values, "BLOCK", 1)
    schema = {"fields": dict.fromkeys("bca", NEAR)}
    gold, pred = ({key: texts for key in "bca"} for texts in (["1", "2"], ["2", "1"]))
    case = case_of(gold, pred, schema)
    case.tally()
    assert [problem.field for problem in case.problems] == ["a", "b", "c"]
    near = {"groups": {"items": {"fields": {"a": NEAR}}}}
    across = case_of(
        {"items": [{"a": "1"}, {"a": "5"}]}, {"items": [{"a": "1.5"}, {"a": "5"}]}, near
    )
    across.tally()
    assert across.problems == ()
    assert across.ungrouped["items.a"] >= 1
    assert [problem.field for problem in across.problems] == ["items.a"]


# ---------------------------------------------------------------- cases


def test_tagged_text_is_a_case_of_its_entities() -> None:
    gold = TaggedText([Block("name", "Ann"), Block(None, "of"), Block("town", "Rye")])
    pred = TaggedText([Block("name", "Ann"), Block("town", "Ely")])
    case = case_of(gold, pred)
    assert (case.id, case.given, case.gold.tree, case.pred.tree) == ("x", (gold, pred), gold, pred)
    assert case.tally().fields == {"name": [1, 0, 0, 0], "town": [0, 1, 0, 0]}
    assert (case.pairwise, case.problems, case.unlisted) == (frozenset(), (), frozenset())


def test_alternatives_of_a_prediction_are_a_problem_of_its_side() -> None:
    case = case_of({"a": {"any_of": ["1", "2"]}}, {"a": {"any_of": ["1", "2"]}})
    assert [(problem.side, problem.field) for problem in case.problems] == [("pred", "a")]


def test_fields_beside_those_of_the_document_type_count_on_neither_side() -> None:
    schema = {
        "type_field": "kind",
        "fields": {"kind": "exact", "total": "exact", "paid": "exact"},
        "types": {"invoice": {"fields": ["kind", "total"]}},
    }
    case = case_of({"kind": "invoice", "paid": "2"}, {"kind": "invoice", "paid": "3"}, schema)
    assert case.unlisted == {"paid"}
    assert case.tally().fields == {"kind": [1, 0, 0, 0]}
    spurious = case_of({"kind": "invoice"}, {"kind": "invoice", "paid": "3"}, schema)
    assert spurious.unlisted == frozenset()
    assert [problem.side for problem in case.problems] == ["gold"]


# ---------------------------------------------------------------- a schema of its own


def own_layouts() -> Layouts:
    sources = {
        "d1": {"fields": {"a": "exact"}},
        "invoice.YAML": {
            "name": "bill",
            "fields": {"total": "money"},
            "types": {"note": {"aliases": ["Credit-Note"]}},
        },
        "receipt.yml": {"fields": {"paid": "money"}},
    }
    schemas = {name: load_schema(source) for name, source in sources.items()}
    return Layouts(join_schemas(schemas), schemas)


@pytest.mark.parametrize(
    ("id", "gold", "name"),
    [
        ("d1", {}, "d1"),
        ("d1.pdf", {}, "d1"),
        ("scans\\2025/d1", {}, "d1"),
        ("scans/d1.pdf", {"type": "receipt"}, "d1"),
        ("d1.old.pdf", {"type": "receipt"}, "receipt.yml"),
        ("x", {"type": "Invoice"}, "invoice.YAML"),
        ("x", {"doc_type": {"value": "BILL"}}, "invoice.YAML"),
        ("x", {"document_type": " ", "type": "credit note"}, "invoice.YAML"),
        ("x", {"DOCUMENT_TYPE": "note", "type": "receipt"}, "invoice.YAML"),
        ("x", DescribedTree({"type": "receipt"}, "d1"), "d1"),
    ],
)
def test_a_document_has_the_schema_beside_it_or_of_its_id_or_of_its_type(
    id: str, gold: object, name: str
) -> None:
    layouts = own_layouts()
    assert layouts.own(id, gold) is layouts._own[name]


@pytest.mark.parametrize(
    ("gold", "hint"),
    [
        ({"type": "letter"}, "its document type is 'letter'"),
        ({"type": {"words": "note"}}, "it states no document type"),
        ({"type": 5}, "it states no document type"),
        ([], "it states no document type"),
    ],
)
def test_a_document_without_a_schema_is_an_error_that_names_those_there_are(
    gold: object, hint: str
) -> None:
    with pytest.raises(DataError, match="document 'x' has no schema") as caught:
        own_layouts().own("x", gold)
    named = "schemas are named after an id or a document type, and there is"
    assert caught.value.hint == f"{hint}; {named}: d1, invoice.YAML, receipt.yml"


def test_of_many_schemas_an_error_names_eight_and_one_without_a_name_is_for_all_others() -> None:
    schemas = {f"s{number}": load_schema({"fields": {"a": "exact"}}) for number in range(10)}
    with pytest.raises(DataError) as caught:
        Layouts(join_schemas(schemas), schemas).own("x", {})
    assert f"{caught.value.hint}".endswith(": s0, s1, s2, s3, s4, s5, s6, s7")
    schemas[""] = load_schema({"fields": {"b": "exact"}})
    layouts = Layouts(join_schemas(schemas), schemas)
    assert layouts.own("x", {}).schema is schemas[""]
    single = Layouts(schemas[""])
    assert single.own("x", {}) is single


# ---------------------------------------------------------------- other shapes


@pytest.mark.parametrize(
    ("gold", "pred", "messages"),
    [
        pytest.param(
            {"a": "north"},
            {"a": [{"n": "1", "b": "2"}]},
            ["a: gold has texts ('north') where pred has objects with b, n"],
            id="texts in gold",
        ),
        pytest.param(
            {"a": [{"n": "1"}]},
            {"a": ["x", "y"]},
            ["a: gold has objects with n where pred has texts ('x')"],
            id="texts in pred",
        ),
        pytest.param(
            {"r": [{"k": "1", "s": "x"}]},
            {"r": [{"k": "1", "s": [{"n": "1"}]}]},
            ["r.s: gold has texts ('x') where pred has objects with n"],
            id="inside a row",
        ),
        pytest.param(
            {"a": "x", "b": "y"},
            {"b": [dict.fromkeys("edcab", "1")], "a": [dict.fromkeys("dcba", "1")]},
            [
                "a: gold has texts ('x') where pred has objects with a, b, c, d",
                "b: gold has texts ('y') where pred has objects with a, b, c, d, …",
            ],
            id="two names, and many keys",
        ),
        pytest.param({"b": "1"}, {"a": [{"n": "1"}]}, [], id="nothing on the other side"),
        pytest.param({"a": [{"n": "1"}, "x"]}, {"a": "x"}, [], id="a list of both"),
        pytest.param({"a": [{"n": "1"}]}, {"a": [{"n": "2"}]}, [], id="objects on both sides"),
        pytest.param(
            {"a": [{"n": "1"}, "x"]},
            {"a": [{"n": "2"}], "b": [{"m": "1"}]},
            [],
            id="objects on both sides, and texts beside them on one",
        ),
    ],
)
def test_a_name_that_holds_texts_on_one_side_and_objects_on_the_other_is_a_problem(
    gold: dict, pred: dict, messages: list[str]
) -> None:
    shapes = [p for p in case_of(gold, pred).problems if p.code is ProblemCode.OTHER_SHAPE]
    assert [f"{p.field}: {p.message}" for p in shapes] == [
        f"{message}: none of them can be equal" for message in messages
    ]


# ---------------------------------------------------------------- confidences


def test_a_sure_value_in_another_place_of_an_ordered_list_is_not_right() -> None:
    schema = {"groups": {"items": {"fields": {"n": {"type": "exact", "match": "order"}}}}}
    gold = {"items": [{"n": ["NOT_FOUND", "ab"]}]}
    pred = {"items": [{"n": [{"value": "ab", "confidence": Number("0.5")}]}]}
    case = case_of(gold, pred, schema)
    assert case.tally().fields == {"items.n": [0, 1, 0, 0]}
    matching = case.matching()
    tallies = tally_confidences(matching.matcher, matching.gold, matching.pred)
    assert tallies == {("items.n", 0.5): [0, 1, 0]}


# ---------------------------------------------------------------- verdicts


def test_without_the_same_texts_all_pairs_are_there_with_verdicts_on_everything_else() -> None:
    gold = {"a": "1", "b": "2", "c": ["x", "y"], "items": [{"n": "1", "p": "2"}, {"n": "3"}]}
    pred = {"a": "1", "b": "2.0", "c": ["x", "z"], "items": [{"n": "3"}, {"n": "1", "p": "9"}]}
    every = [*blocks(case_of(gold, pred))]
    other = [*blocks(case_of(gold, pred), same=False)]
    assert [(block.type, block.gold, block.pred) for block in other] == [
        (block.type, block.gold, block.pred) for block in every
    ]
    for block, whole in zip(other, every, strict=True):
        fields = {entry.field for entry in block.verdicts}
        left_out = [entry for entry in whole.verdicts if entry.field not in fields]
        assert all(entry.verdict == RIGHT and entry.gold == entry.pred for entry in left_out)
        assert [entry[:7] for entry in block.verdicts] == [
            entry[:7] for entry in whole.verdicts if entry.field in fields
        ]
    assert [len(block.verdicts) for block in other] == [3, 1, 0]


def test_a_root_of_nothing_but_the_same_texts_is_a_pair_without_verdicts() -> None:
    tree = {"a": "1", "items": [{"n": "1"}]}
    shown = [(block.type, block.verdicts) for block in blocks(case_of(tree, tree), same=False)]
    assert shown == [("", ()), ("items", ())]


def test_a_field_too_large_for_a_flattened_matching_is_a_problem_too() -> None:
    tree = {"items": [{"n": "a"}]}
    case = make_case("x", tree, tree, prepare(schema=None).layouts)
    case.matching().matcher.parted.add("one")
    case.matching(flatten=True).matcher.parted.update({"two", "one"})
    assert [problem.field for problem in case.problems] == ["one", "two"]
