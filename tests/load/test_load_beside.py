"""Bookkeeping beside predictions is never scored; `labelled` beside gold says what counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.load.beside import LOOKED_AT, Bookkeeping, read_meta
from docassay.load.format import Record
from docassay.model.document import Number
from docassay.model.problem import Problem, ProblemCode
from docassay.model.schema import Schema
from docassay.schema.selection import PartialTree
from docassay.schema.source import load_schema

TOTAL = load_schema({"fields": {"total": "money"}})


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        ({"processing_time": 1.5}, {"processing_time": 1.5}),
        ({"processing_time": "1.23s"}, {"processing_time": 1.23}),
        ({"processing_time": "850 ms"}, {"processing_time": 0.85}),
        ({"latency": "1m 20s"}, {"processing_time": 80}),
        ({"latency": "0:01:20.5"}, {"processing_time": 80.5}),
        ({"latency": "2 min"}, {"processing_time": 120}),
        ({"latency": "1,5 sec"}, {"processing_time": 1.5}),
        ({"latency_ms": "1,234"}, {"processing_time": 1.234}),
        ({"latencyMs": Number("250.0")}, {"processing_time": 0.25}),
        ({"processing_seconds": "3"}, {"processing_time": 3}),
        ({"Processing Time": "3"}, {"processing_time": 3}),
        ({"duration": 2}, {"processing_time": 2}),
        (
            {"started": "2025-01-01T00:00:00Z", "ended": "2025-01-01T01:00:02.5+01:00"},
            {"processing_time": 2.5},
        ),
        ({"started": "2025-01-01T00:00:00"}, {}),
        ({"tokens": 12}, {"tokens": 12}),
        ({"tokens": "1,200"}, {"tokens": 1200}),
        (
            {"tokens": {"prompt": 10, "completion": 5}},
            {"prompt_tokens": 10, "completion_tokens": 5, "tokens": 15},
        ),
        (
            {"usage": {"input_tokens": 7, "output_tokens": 2, "cache": 4}},
            {"prompt_tokens": 7, "completion_tokens": 2, "tokens": 9},
        ),
        (
            {"usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 9}},
            {"prompt_tokens": 3, "tokens": 9},
        ),
        ({"cost": "$0.0012"}, {"cost": 0.0012}),
        ({"cost_usd": Number("1e-3")}, {"cost": 0.001}),
        ({"price": "0.5 EUR"}, {"cost": 0.5}),
        ({"model": " m-1 "}, {"model": "m-1"}),
        (
            {"meta": {"latency": 1, "model": "m", "colour": "red"}},
            {"processing_time": 1, "model": "m"},
        ),
        ({"latency": 1, "processing_time": 2}, {"processing_time": 1}),
        ({"cost": None, "model": " ", "latency": ""}, {}),
        ({"id": "a", "raw": "text", "processing": "yes", "times": 3}, {}),
    ],
)
def test_times_tokens_costs_and_models_are_read(
    raw: dict[str, object], values: dict[str, object]
) -> None:
    assert read_meta(raw) == (values, [])


@pytest.mark.parametrize(
    "raw",
    [
        {"latency": "soon"},
        {"latency": "5 parsecs"},
        {"latency": -1},
        {"latency": "NaN"},
        {"latency": True},
        {"latency": [1]},
        {"latency": "1 2"},
        {"tokens": 1.5},
        {"tokens": {"prompt": "many"}},
        {"cost": "cheap"},
        {"cost": "-1"},
        {"model": 7},
        {"started": "noon", "ended": "2025-01-01"},
        {"started": "2025-01-02", "ended": "2025-01-01"},
    ],
)
def test_nonsense_is_one_problem_and_no_value(raw: dict[str, object]) -> None:
    reading = read_meta(raw)
    assert reading.values == {}
    assert len(reading.problems) == 1


@given(st.dictionaries(st.sampled_from(["latency", "cost", "tokens", "started"]), st.text()))
def test_no_text_breaks_it(raw: dict[str, object]) -> None:
    read_meta(raw)


def preds(*records: Record, schema: Schema | None = TOTAL, golds: object = ()) -> list[object]:
    bookkeeping = Bookkeeping(schema)
    [*bookkeeping.golds(iter([Record(f"{at}", tree, "g") for at, tree in enumerate(golds)]))]  # type: ignore[var-annotated, arg-type]
    return [*bookkeeping.preds(iter(records))]


def test_known_names_leave_a_flat_record() -> None:
    tree = {"total": "5", "latency": "1 s", "tokens": {"prompt": 1}, "meta": {"cost": 2}, "why": 1}
    (record,) = preds(Record("x", tree, "p:1"))
    assert isinstance(record, Record)
    assert record.tree == {"total": "5", "why": 1}
    assert record.meta == {"processing_time": 1, "prompt_tokens": 1, "tokens": 1, "cost": 2}


def test_names_that_may_be_fields_stay_in_a_flat_record() -> None:
    tree = {"price": "5", "duration": "1", "started": "x", "metadata": {"a": 1}, "tokens": ["a"]}
    record = Record("x", tree, "p:1")
    assert preds(record) == [record]


@pytest.mark.parametrize("name", ["latency", "model", "meta", "cost"])
def test_a_name_that_gold_or_the_schema_has_is_a_field(name: str) -> None:
    record = Record("x", {name: {"a": 1} if name == "meta" else "5"}, "p:1")
    schema = load_schema({"fields": {name: "text"}})
    assert preds(record, schema=schema) == [record]
    assert preds(record, schema=None, golds=[{}, {name: None}]) == [record]
    open_schema = load_schema({"extra": "count", "fields": {"total": "money"}})
    assert preds(record, schema=open_schema, golds=[{name: "1"}]) == [record]
    assert preds(record, golds=[{name: "1"}]) != [record]
    assert preds(record, schema=None, golds=[{"total": "1"}]) != [record]


def test_what_stands_around_a_record_is_read_though_the_record_has_such_a_field() -> None:
    whole = {"id": "x", "record": {"model": "car"}, "model": "m", "latency": "soon"}
    schema = load_schema({"fields": {"model": "text"}})
    problem, record = preds(Record("x", {"model": "car"}, "p:1", whole=whole), schema=schema)
    assert isinstance(record, Record)
    assert (record.tree, record.meta) == ({"model": "car"}, {"model": "m"})
    assert isinstance(problem, Problem)
    assert (problem.code, problem.document, problem.where) == (ProblemCode.META, "x", "p:1")


def test_problems_and_unread_records_pass() -> None:
    items = [Problem(ProblemCode.NO_ID, "", "", "", ""), Record("x", None, "p:1")]
    assert preds(*items) == items  # type: ignore[arg-type]


def gold(
    tree: object, *, schema: Schema | None = None, field: bool = False, whole: object = None
) -> object:
    bookkeeping = Bookkeeping(schema, labelled_is_field=field)
    ((record),) = bookkeeping.golds(iter([Record("x", tree, "g:1", whole=whole)]))
    assert isinstance(record, Record)
    return record.tree


@pytest.mark.parametrize(
    ("labelled", "names"),
    [
        (["total", "date"], ("date", "total")),
        (["total", " ", "total"], ("total",)),
        ([], ()),
        ("total, date", ("date", "total")),
        ("total | items.price", ("items.price", "total")),
        ("date,total|zip", ("date", "total", "zip")),
    ],
)
def test_labels_are_a_list_or_a_text_of_names(labelled: object, names: tuple[str, ...]) -> None:
    for tree in (
        gold({"total": "5", "labelled": labelled}),
        gold({"total": "5"}, whole={"labelled": labelled, "record": {"total": "5"}}),
    ):
        assert isinstance(tree, PartialTree)
        assert tree == {"total": "5"}
        assert tree.labelled == names


@pytest.mark.parametrize("blank", [None, ""])
def test_a_blank_cell_says_nothing_about_labels(blank: object) -> None:
    tree = gold({"total": "5", "labelled": blank})
    assert type(tree) is dict
    assert tree == {"total": "5"}


@pytest.mark.parametrize(
    "labelled", ["yes", True, 7, [1, 2], {"a": 1}, "by Ann, on Monday"], ids=repr
)
def test_other_values_are_those_of_a_field_named_labelled(labelled: object) -> None:
    tree = {"total": "5", "labelled": labelled}
    assert gold(tree) is tree


def test_a_field_of_the_schema_is_no_list_of_labels() -> None:
    tree = {"total": "5", "labelled": ["total"]}
    assert gold(tree, field=True) is tree


def test_a_text_may_name_a_field_of_the_schema_that_the_document_lacks() -> None:
    assert isinstance(gold({"a": "1", "labelled": "total"}, schema=TOTAL), PartialTree)


def test_gold_is_streamed_beyond_the_documents_that_are_looked_at() -> None:
    read: list[int] = []

    def records() -> object:
        for number in range(3 * LOOKED_AT):
            read.append(number)
            yield Record(f"{number}", {"a": "1"}, "g")

    golds = Bookkeeping(None).golds(records())  # type: ignore[arg-type]
    assert len(read) == LOOKED_AT
    assert len([*golds]) == 3 * LOOKED_AT
