"""Names of fields: which are alike, which are shared, and where envelopes hide them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import DataError
from docassay.load.envelopes import Closed, open_envelopes
from docassay.load.format import Record
from docassay.load.naming import (
    DEEPEST,
    Shape,
    SharedNames,
    add_shape,
    alike,
    field_paths,
    field_values,
    fold,
    has_value,
    renamed,
    renamings,
    schema_shape,
    shape_of,
)
from docassay.load.pairing import pair
from docassay.load.source import Source, open_records
from docassay.schema.source import load_schema

Trees = dict[str, object]


@pytest.mark.parametrize(
    "name",
    ["invoice_number", "Invoice Number", "invoiceNumber", "INVOICE-NUMBER", "ｉnvoice.number"],
)
def test_case_and_punctuation_do_not_tell_names_apart(name: str) -> None:
    assert fold(name) == "invoicenumber"


def test_a_name_of_punctuation_alone_stays() -> None:
    assert (fold("#"), fold("%")) == ("#", "%")


def shape(*trees: object) -> Shape:
    keys: Shape = {}
    for tree in trees:
        add_shape(keys, tree)
    return keys


LEAVES = st.sampled_from(["1", None, 2, {"value": "1"}, ["1", "2"], {"x": 1}])
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), LEAVES, max_size=3), max_size=3)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), LEAVES | ROWS, max_size=4), max_size=6))
def test_records_that_add_no_key_may_be_passed_over(trees: list[Trees]) -> None:
    assert shape_of(Record(None, tree, "") for tree in trees) == shape(*trees)


RENAMED = [
    pytest.param({"a_b": 1}, {"aB": 1}, ["aB = a_b"], id="camel case"),
    pytest.param({"a": 1, "A": 2}, {"a ": 1}, [], id="two of gold"),
    pytest.param({"a": 1}, {"A": 1, "a.": 2}, [], id="two of pred"),
    pytest.param({"a": 1}, {"a": 1, "A": 2}, [], id="there already"),
    pytest.param(
        {"rows": [{"unit_price": 1}]},
        {"Rows": [{}, {"unitPrice": {"value": 1}}]},
        ["Rows = rows", "Rows.unitPrice = rows.unit_price"],
        id="rows",
    ),
    pytest.param({"a": 1}, {"b": {"A": 1}}, [], id="another depth"),
    pytest.param({"value": 1}, {"a": {"value": 1, "page": 2}}, [], id="leaves have no names"),
]


@pytest.mark.parametrize(("gold", "pred", "changes"), RENAMED)
def test_names_that_are_alike_are_told(gold: Trees, pred: Trees, changes: list[str]) -> None:
    assert [*renamings(alike(shape(gold), shape(pred)))] == changes


@given(st.dictionaries(st.sampled_from(["a", "A", "b_", "B", "c"]), st.integers(), max_size=5))
def test_renaming_loses_no_value(pred: dict[str, int]) -> None:
    tree = renamed(pred, alike(shape({"a": 1, "b": 1, "C": 1}), shape({"A": 1, "b_": 1, "c": 1})))
    assert isinstance(tree, dict)
    assert [*tree.values()] == [*pred.values()]


def test_a_document_that_has_both_names_keeps_both() -> None:
    renaming = alike(shape({"a": 1}), shape({"A": 1}))
    assert renamed({"A": 1, "a": 2}, renaming) == {"A": 1, "a": 2}


def test_names_of_a_schema_go_with_their_aliases_and_columns() -> None:
    schema = load_schema(
        {
            "fields": {"total": {"type": "money", "aliases": ["sum"]}},
            "groups": {"rows": {"fields": {"n": "text"}, "columns": {"n": "ROW_NAMES"}}},
        }
    )
    assert schema_shape(schema) == {"total": {}, "sum": {}, "rows": {"n": {}}, "ROW_NAMES": {}}


PATHS = [
    ({"a": 1, "b": None}, ["a", "b"]),
    ({"m": [{"x": 1}, {"m.y": 2}]}, ["m.x", "m.y"]),
    ({"m": {"value": 1}, "n": {"any_of": [1, 2], "page": 1}}, ["m", "n"]),
    ({"m": ["x", {"y": 1}]}, ["m.y"]),
    ([{"a": 1}], ["a"]),
    (None, []),
]


@pytest.mark.parametrize(("tree", "paths"), PATHS)
def test_fields_are_paths_without_rows(tree: object, paths: list[str]) -> None:
    assert [path for path, _ in field_values(tree)] == paths
    assert field_paths(tree) == {*paths}


FIELDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "a.b", "value", "any_of", "page"]), inner)
    ),
    max_leaves=20,
)


@given(FIELDS, st.integers(0, DEEPEST))
def test_the_paths_of_fields_are_those_of_their_values(tree: object, above: int) -> None:
    for _ in range(above):
        tree = {"a": [tree, {"b": 1}]}
    assert field_paths(tree) == {path for path, _ in field_values(tree)}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [({}, False), ({"a": None, "b": [" "], "c": {}}, False), ({"a": [{"b": 0}]}, True)],
)
def test_nulls_and_blanks_are_no_values(tree: object, expected: bool) -> None:
    assert has_value(tree) is expected


DIFFER = [
    pytest.param([({"a": 1}, {"b": 1})], True, id="other names"),
    pytest.param([({"a": 1}, {"b": 1}), ({"b": 1}, {"c": 1})], False, id="shared by two pairs"),
    pytest.param([({"a": 1}, {"b": None})], False, id="nothing predicted"),
    pytest.param([({}, {"b": 1})], False, id="nothing asked for"),
    pytest.param([({"a": 1}, {"a": None})], False, id="a name without value"),
    pytest.param([({"a": 1}, ["a"])], False, id="no names at all"),
    pytest.param([({"r": [{"a": 1}]}, {"r": [{"b": 1}]})], True, id="a group alone is no field"),
    pytest.param([({"r": []}, {"r": [{"b": 1}]})], False, id="no rows in gold"),
    pytest.param([({"r": {"a": {"b": 1}}}, {"r": None, "c": 1})], False, id="null for an object"),
    pytest.param([({"r": "x"}, {"r": {"b": 1}})], False, id="a text and an object"),
    pytest.param([({"r": ["x", {"b": 1}]}, {"r": ["x"]})], False, id="texts beside objects"),
    pytest.param([({"r": 1}, {"c": 1}), ({"d": 1}, {"r": {"b": 1}})], False, id="of two pairs"),
    pytest.param([({"r": 1}, {"rs": {"r": 1}})], True, id="a name that only begins like it"),
]


@pytest.mark.parametrize(("pairs", "expected"), DIFFER)
def test_sides_differ_when_both_have_fields_and_none_is_shared(
    pairs: list[tuple[object, object]], expected: bool
) -> None:
    shared = SharedNames(None)
    for gold, pred in pairs:
        shared.add(gold, pred)
    assert shared.differ is expected


def test_names_that_the_schema_joins_are_shared() -> None:
    schema = load_schema(
        {"groups": {"rows": {"fields": {"n": "text"}, "columns": {"n": "ROW_NAMES"}}}}
    )
    shared = SharedNames(schema)
    shared.add({"ROW_NAMES": "a | b"}, {"rows": [{"n": "a"}]})
    assert shared.any


def sources(gold: list[object], pred: list[object]) -> tuple[Source, Source]:
    def side(trees: list[object]) -> Source:
        records = (Record(str(at), tree, f"item {at}") for at, tree in enumerate(trees))
        return Source(records, "python", guessed=False, name="python")

    return side(gold), side(pred)


def trees_of(source: Source) -> list[object]:
    return [item.tree for item in source.records if isinstance(item, Record)]


OPENED = [
    pytest.param({"data": {"a": 1}}, "data", id="one"),
    pytest.param({"status": "ok", "result": {"data": {"a": 1}}}, "result.data", id="two"),
    pytest.param({"choices": [{"message": {"a": 1}}]}, "choices.0.message", id="through a list"),
    pytest.param({"output": {"value": {"a": 1}, "metadata": {}}}, "output.value", id="value"),
    pytest.param({"Extracted Data": {"A": 1}}, "Extracted Data", id="alike"),
    pytest.param({"answer": 'So: {"a": 1}'}, "answer", id="text"),
]


@pytest.mark.parametrize(("tree", "path"), OPENED)
@pytest.mark.parametrize("side", ["gold", "pred"])
def test_an_envelope_whose_content_shares_names_is_opened(
    tree: object, path: str, side: str
) -> None:
    plain: list[object] = [{"a": 1, "b": 2}]
    given = sources([tree], plain) if side == "gold" else sources(plain, [tree])
    gold, pred = open_envelopes(*given)
    changed, other = (gold, pred) if side == "gold" else (pred, gold)
    assert [
        fold("".join(map(str, tree))) for tree in trees_of(changed) if isinstance(tree, dict)
    ] == ["a"]
    assert trees_of(other) == plain
    assert changed.notes == (f"{side}: records are read from {path!r} (--{side}-root {path})",)
    assert other.notes == ()


CLOSED = [
    pytest.param({"a": 1, "data": {"a": 1}}, id="a name is shared already"),
    pytest.param({"invoice": {"a": 1}}, id="a name that may be a group"),
    pytest.param({"data": {"z": 1}}, id="content that shares nothing"),
    pytest.param({"data": [{"a": 1}, {"a": 2}]}, id="several rows"),
    pytest.param({}, id="nothing"),
]


@pytest.mark.parametrize("tree", CLOSED)
def test_any_other_object_stays_as_it_is(tree: object) -> None:
    _, pred = open_envelopes(*sources([{"a": 1}], [tree]))
    assert (trees_of(pred), pred.notes) == ([tree], ())


def test_both_sides_may_have_envelopes() -> None:
    gold, pred = open_envelopes(*sources([{"gt": {"a": 1}}], [{"result": {"a": 2}}]))
    assert (trees_of(gold), trees_of(pred)) == ([{"a": 1}], [{"a": 2}])


def test_a_side_whose_root_is_given_stays_closed() -> None:
    _, pred = open_envelopes(*sources([{"a": 1}], [{"data": {"a": 1}}]), closed=Closed(pred=True))
    assert trees_of(pred) == [{"data": {"a": 1}}]


def test_names_of_a_schema_or_a_renaming_count_as_shared() -> None:
    _, pred = open_envelopes(*sources([{"a": 1}], [{"data": {"Sum": 1}}]), names=["a", "Sum"])
    assert trees_of(pred) == [{"Sum": 1}]


def test_a_record_without_the_envelope_is_unreadable_unless_it_shares_names() -> None:
    wrapped = {"data": {"a": 1}}
    given = sources([{"a": 1}], [wrapped, wrapped, {"error": "x"}, {"a": 3}, {"data": None}])
    _, pred = open_envelopes(*given)
    assert trees_of(pred) == [{"a": 1}, {"a": 1}, None, {"a": 3}, {}]


ROOTS = [
    pytest.param("r.0.x", '{"id":"i","r":[{"x":{"t":1}}]}', {"t": 1}, id="list"),
    pytest.param("r.x", '{"id":"i","r.x":{"t":1}}', {"t": 1}, id="a key with a dot"),
    pytest.param("r", '{"id":"i","r":"{\\"t\\": 1}"}', {"t": 1}, id="text"),
    pytest.param("r.x", '{"id":"i","r":"{\\"x\\": {\\"t\\": 1}}"}', {"t": 1}, id="inside a text"),
    pytest.param("r", '{"r":{"id":"i","t":1}}', {"t": 1}, id="with the id inside"),
    pytest.param("r", '{"id":"i","r":null}', {}, id="null"),
    pytest.param("r", '{"id":"i","fields":{"t":2},"r":{"t":1}}', {"t": 1}, id="beside fields"),
]


@pytest.mark.parametrize(("root", "line", "tree"), ROOTS)
def test_a_root_leads_to_the_record(tmp_path: Path, root: str, line: str, tree: object) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{line}\n")
    (record,) = open_records(path, options={"root": root}).records
    assert isinstance(record, Record)
    assert (record.id, record.tree) == ("i", tree)


def test_an_unknown_root_names_the_keys_there_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"i","r":{"x":{},"y":1}}\n' * 2)
    with pytest.raises(DataError, match=r"no document has the root 'r.z' \(there is: x, y\)"):
        [*open_records(path, options={"root": "r.z"}).records]


def test_a_root_that_one_document_lacks_leaves_it_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"i","r":{"t":1}}\n{"id":"j","e":1}\n{"id":"k","r":3}\n')
    items = [*open_records(path, options={"root": "r"}).records]
    assert [item.tree for item in items if isinstance(item, Record)] == [{"t": 1}, None, None]


def test_a_root_of_trees_in_memory_and_of_tables_is_walked_too(tmp_path: Path) -> None:
    given = open_records({"a": {"r": {"t": 1}}}, options={"root": "r"})
    assert trees_of(given) == [{"t": 1}]
    path = tmp_path / "a.csv"
    path.write_text('id,r\ni,"{""t"": ""1""}"\n')
    assert trees_of(open_records(path, options={"root": "r"})) == [{"t": "1"}]


def test_ids_and_roots_inside_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"meta":{"no":7},"r":{"t":1}}')
    (record,) = open_records(tmp_path, options={"id_key": "meta.no", "root": "r"}).records
    assert isinstance(record, Record)
    assert (record.id, record.tree) == ("7", {"t": 1})


def named(*names: str) -> list[tuple[str | None, object]]:
    return [(name, {"t": name}) for name in names]


def test_a_pattern_pairs_by_its_first_group() -> None:
    pairing = pair(
        open_records(named("inv-1", "inv-2", "x")),
        open_records(named("2.b", "1.a")),
        id_pattern=r"(\d)",
    )
    assert [(p.id, p.pred and p.pred.id) for p in pairing] == [("inv-1", "1.a"), ("inv-2", "2.b")]
    assert [(p.document, p.side) for p in pairing.problems] == [("x", "gold")]


@pytest.mark.parametrize(
    ("gold", "pred", "message"),
    [
        (["a1", "b1"], ["c1"], "finds '1' in two ids of gold, a1 and b1"),
        (["a1"], ["b1", "c1"], "finds '1' in two ids of pred, b1 and c1"),
        (["a"], ["b1"], "no id of gold matches"),
        (["a1"], ["b"], "no id of pred matches"),
        (["a1"], ["b2"], "no prediction has the id of a gold document"),
    ],
)
def test_a_pattern_that_does_not_tell_documents_apart_is_an_error(
    gold: list[str], pred: list[str], message: str
) -> None:
    sides = open_records(named(*gold)), open_records(named(*pred))
    with pytest.raises(DataError, match=message):
        [*pair(*sides, id_pattern=r"(\d)")]


def test_problems_of_a_prediction_are_named_by_its_gold_document() -> None:
    pairing = pair(open_records(named("a", "b")), open_records(named("a_x", "a_x", "b_x")))
    assert [p.id for p in pairing] == ["a", "b"]
    assert [(p.document, p.side) for p in pairing.problems] == [("a", "pred")]


ADVICE = [
    pytest.param({"r": [{"a": 1}, {"a": 2}]}, {"a": [1]}, "docassay group", id="no rows"),
    pytest.param({"r": [{"name": 1}]}, {"r": [{"nam": 1}]}, "--map r.nam=r.name", id="in rows"),
    pytest.param({"total": 5}, {"inv": {"total": 5}}, "--pred-root inv", id="inside an object"),
    pytest.param({"inv": {"total": 5}}, {"total": 5}, "--gold-root inv", id="inside of gold"),
    pytest.param({"total": "5.50"}, {"x": "5.50"}, "--map x=total", id="equal values"),
    pytest.param({"on": "2025-03-04"}, {"x": "4 March 2025"}, "--map x=on", id="equal days"),
    pytest.param({"on": "03/04/2025"}, {"x": "2025-03-04"}, "--map x=on", id="month first"),
    pytest.param({"net": "1,250.00"}, {"x": 1250}, "--map x=net", id="equal amounts"),
    pytest.param({"No.": "RE-7"}, {"x": "RE-7"}, "--map x=No.", id="a heading with a dot"),
    pytest.param({"r": [{"a": "7"}]}, {"x": "7"}, "--map PRED=GOLD", id="only in rows"),
    pytest.param({"total": "5"}, {"qq": "7"}, "--map PRED=GOLD", id="nothing alike"),
    pytest.param({"total": "5"}, {"a=b": "5"}, "--map PRED=GOLD", id="a name that no option takes"),
]


@pytest.mark.parametrize(("gold", "pred", "advice"), ADVICE)
def test_pairs_without_a_shared_field_are_an_error_with_advice(
    gold: object, pred: object, advice: str
) -> None:
    with pytest.raises(DataError, match="gold and pred share no field") as error:
        [*pair(open_records([("a", gold)]), open_records([("a", pred)]))]
    assert advice in str(error.value)


def test_values_that_a_schema_groups_may_stand_outside_of_rows() -> None:
    schema = load_schema({"groups": {"r": {"fields": {"a": "text"}, "grouping": "slots"}}})
    sides = open_records([("a", {"r": [{"a": "1"}]})]), open_records([("a", {"a": ["1"]})])
    assert [p.id for p in pair(*sides, schema=schema)] == ["a"]


def test_gold_gets_the_names_of_the_schema_with_or_without_a_prediction() -> None:
    schema = load_schema({"fields": {"net_total": "money"}})
    gold: list[tuple[str | None, object]] = [(id, {"Net Total": id}) for id in ("1", "2")]
    pred: list[tuple[str | None, object]] = [("2", {"netTotal": "2", "id": "x"})]
    pairing = pair(open_records(gold), open_records(pred), schema=schema)
    assert [(p.gold and p.gold.tree, p.pred and p.pred.tree) for p in pairing] == [
        ({"net_total": "1"}, None),
        ({"net_total": "2"}, {"net_total": "2"}),
    ]
    assert pairing.remarks == [
        "pred: left out, as ids that gold does not have: id",
        "gold: fields compared under the schema's or gold's names: Net Total = net_total",
        "pred: fields compared under the schema's or gold's names: netTotal = net_total",
    ]
