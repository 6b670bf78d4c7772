"""extractions.csv holds what was predicted, and scores the same when it is read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docassay
from docassay import Report
from docassay.api.score import score_run
from docassay.load.kept import tree_of
from docassay.matching.case import Layouts, make_case
from docassay.metrics.fields.metric import fields
from docassay.model.document import Number
from docassay.model.words import unguarded
from docassay.run.extractions import EXTRACTIONS, CellMaker, any_cells
from docassay.run.output import csv_cell
from docassay.schema.source import load_schema
from docassay.synth.corpus import write_corpus

SCHEMA = {
    "types": {
        "invoice": {"fields": ["DOCUMENT_TYPE", "TOTAL", "NOTES", "items"]},
        "letter": {"fields": ["DOCUMENT_TYPE", "NOTES"]},
    },
    "fields": {
        "DOCUMENT_TYPE": "choice",
        "TOTAL": "money",
        "NOTES": {"type": "text", "list": False},
        "TAGS": "text",
    },
    "groups": {
        "items": {
            "fields": {"name": "text", "price": "money"},
            "columns": {"price": "ITEM_PRICES"},
        },
        "deep": {"fields": {"a": "text"}, "groups": {"rows": {"fields": {"b": "number"}}}},
    },
}
GOLD = {
    "a": {
        "DOCUMENT_TYPE": "invoice",
        "TOTAL": "-5.00",
        "NOTES": "first | second",
        "items": [{"name": "Cake", "price": "4.50"}, {"name": "Tea", "price": "3.00"}],
    },
    "b": {"DOCUMENT_TYPE": "letter", "NOTES": "=1+1"},
}


def fields_of(report: Report) -> dict[str, tuple[object, int]]:
    return {one.address: (one.value, one.support) for one in report.of("fields")}


def kept(tmp_path: Path, gold: object, pred: object, schema: object = None) -> Path:
    score_run(gold, pred, schema=schema, metrics=["fields"], out=tmp_path / "run")  # type: ignore[arg-type]
    return tmp_path / "run" / EXTRACTIONS


PREDICTIONS: dict[str, Mapping[str, object]] = {
    "as gold": GOLD,
    "nothing at all": {"a": {}},
    "a negative amount": {"a": {"DOCUMENT_TYPE": "invoice", "TOTAL": "-5.00"}},
    "a formula": {"b": {"DOCUMENT_TYPE": "letter", "NOTES": "=1+1"}},
    "an apostrophe before a formula": {"b": {"NOTES": "'=1+1"}},
    "a wrong type": {"a": {"DOCUMENT_TYPE": "letter", "TOTAL": "5"}, "b": {"DOCUMENT_TYPE": "?"}},
    "values with confidence": {"a": {"TOTAL": {"value": "-5.00", "confidence": 0.4, "page": 1}}},
    "a list with a placeholder": {"a": {"TAGS": ["x", None, "y"], "NOTES": ["first", "second"]}},
    "a text that is not split": {"a": {"NOTES": "first | second"}},
    "a list whose items hold the separator": {"a": {"TAGS": ["x | y", "z"]}},
    "columns of a group": {"a": {"ITEM_PRICES": "4.50 | 3.00", "items": [{"name": "Cake"}]}},
    "rows with several values": {"a": {"items": [{"name": ["Cake", "Tea"]}, {"price": 3}]}},
    "an empty row between": {"a": {"items": [{"name": "Cake"}, {}, {"name": "Tea"}]}},
    "an object for a row": {"a": {"items": {"name": "Cake", "price": "4.50"}}},
    "rows within rows": {"a": {"deep": [{"a": "x", "rows": [{"b": 1}, {"b": 2}]}]}},
    "numbers and truth": {"a": {"TOTAL": Number("60.125"), "NOTES": True, "TAGS": 3}},
    "control characters": {"a": {"NOTES": "bell\x07\x9b31m", "\x1b[31m": "red", "x\ny": "z"}},
    "line breaks": {"a": {"NOTES": "first\r\nsecond\n"}},
    "names that mean something": {"a": {"NOTES": "y", "score:TOTAL": "1", "a[].b": "2"}},
    "a name of semicolons": {"a": {"a;b;c;d;e;f": "1;2;3", "NOTES": "x"}},
}


@pytest.mark.parametrize("pred", PREDICTIONS.values(), ids=PREDICTIONS.keys())
def test_what_was_predicted_scores_the_same_when_read_back(
    pred: Mapping[str, object], tmp_path: Path
) -> None:
    file = kept(tmp_path, GOLD, pred, SCHEMA)
    before = docassay.score(GOLD, pred, schema=SCHEMA, metrics=["fields"])
    after = docassay.score(GOLD, file, schema=SCHEMA, metrics=["fields"])
    assert fields_of(after) == fields_of(before)


def test_a_generated_corpus_scores_the_same_when_read_back(tmp_path: Path) -> None:
    gold, pred, _, schema = write_corpus(tmp_path, docs=20, seed=5, models=("hasty",))
    file = kept(tmp_path, gold, pred, schema)
    before = docassay.score(gold, pred, schema=schema, metrics=["fields"])
    after = docassay.score(gold, file, schema=schema, metrics=["fields"])
    assert after.scores == before.scores


BUSINESS = """\
image_name,DOCUMENT_TYPE,TOTAL_AMOUNT,LINE_ITEM_DESCRIPTIONS,LINE_ITEM_PRICES
a,INVOICE,-$60.00,Chair | Lamp | Table,$10.00 | NOT_FOUND | $30.00
b,BANK_STATEMENT,NOT_FOUND,Rent | Food,NOT_FOUND
"""


def test_columns_keep_their_names_and_placeholders_their_slots(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    gold.write_text(BUSINESS)
    pred.write_text(BUSINESS.replace("Lamp | Table", "Table | Lamp"))
    file = kept(tmp_path, gold, pred, "business")
    row = next(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert row["LINE_ITEM_PRICES"] == "$10.00 | NOT_FOUND | $30.00"
    before, after = (
        docassay.score(gold, one, schema="business", metrics=["fields"]) for one in (pred, file)
    )
    assert after.scores == before.scores


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.text(st.sampled_from("a |'=-\t\n\x07é日"), max_size=5),
    st.sampled_from(["60.125", "NOT_FOUND", "x | y"]),
    st.decimals(0, 99, places=3).map(lambda one: Number(str(one))),
)
CELLS = st.one_of(LEAVES, st.lists(LEAVES, max_size=3), st.fixed_dictionaries({"value": LEAVES}))
NAMES = st.sampled_from(["TOTAL", "NOTES", "TAGS", "name", "price", "b", "=x", "'", "json:rest"])
ROWS = st.dictionaries(NAMES, CELLS, max_size=3)
TREES = st.dictionaries(
    NAMES | st.sampled_from(["items", "deep", "ITEM_PRICES"]),
    st.one_of(CELLS, ROWS, st.lists(ROWS, max_size=3)),
    max_size=4,
)
LAYOUTS = Layouts(load_schema({key: SCHEMA[key] for key in ("fields", "groups")}))
TRUTH = {"TOTAL": "60.125", "NOTES": "a", "items": [{"name": "a", "price": "1"}]}


@given(TREES)
def test_any_tree_comes_back_as_one_that_counts_the_same(tree: dict[str, object]) -> None:
    cells = CellMaker().cells_of(tree, LAYOUTS.plain)
    lines = io.StringIO(f"{','.join(cells)}\n{','.join(cells.values())}\n", newline="")
    texts = next(csv.DictReader(lines), {})
    again = tree_of({name: unguarded(text) for name, text in texts.items()}, "here")
    one, other = (make_case("d", TRUTH, pred, LAYOUTS) for pred in (tree, again))
    assert fields(one) == fields(other)


PLAIN_LEAVES = st.sampled_from(["", "a", "x y ", None, 3, Number("1.5"), Number("1e400"), True])
PLAIN_ROWS = st.lists(st.dictionaries(NAMES, PLAIN_LEAVES, max_size=3), max_size=4)


@given(st.lists(TREES | st.fixed_dictionaries({"items": PLAIN_ROWS}), min_size=1, max_size=3))
def test_plain_values_are_the_same_cells_as_any_others(trees: list[dict[str, object]]) -> None:
    maker = CellMaker()
    for tree in trees:
        texts = any_cells(tree, LAYOUTS.plain)
        expected = {column: csv_cell(text) for column, text in texts.items()}
        assert maker.cells_of(tree, LAYOUTS.plain) == expected


SIGNS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'"
UNSEEN = " \xa0\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\x07"
HOSTILE = st.text(st.sampled_from(f'{SIGNS}{UNSEEN}a5,"\\'), max_size=6)
IDS = HOSTILE.map(lambda text: f"{text}d")
# numbered, because names that differ in signs alone are one field
TREE = st.lists(st.tuples(HOSTILE, HOSTILE | st.lists(HOSTILE, max_size=2)), max_size=3).map(
    lambda members: {f"{name}f{at}": value for at, (name, value) in enumerate(members)}
)
DOCUMENTS = st.dictionaries(IDS, TREE, min_size=1, max_size=3)


@given(DOCUMENTS)
@settings(max_examples=20, deadline=None)
def test_any_text_scored_against_its_own_table_is_right(
    documents: dict[str, dict[str, object]],
) -> None:
    with TemporaryDirectory() as folder:
        out = Path(folder)
        run = score_run(documents, documents, metrics=["fields"], out=out)
        report = docassay.score(documents, out / EXTRACTIONS, metrics=["fields"])
    assert fields_of(report) == fields_of(run.report)
    assert {line.id for line in report.lines} == {*documents}
    assert not [problem for problem in report.problems if problem.side == "pred"]


def test_an_id_that_does_not_print_is_shown_with_escapes_and_kept_exactly(tmp_path: Path) -> None:
    documents = {"a\rb": {"x": "1"}, "c": {"x": "2"}}
    text = kept(tmp_path, documents, documents).read_bytes().decode()
    rows = [*csv.DictReader(io.StringIO(text, newline=""))]
    assert [(row["image_name"], row["json:id"]) for row in rows] == [
        ("a\\rb", '"a\\rb"'),
        ("c", ""),
    ]


@pytest.mark.parametrize("exact", ["[1]", "{", "5"])
def test_a_damaged_id_is_a_problem(exact: str, tmp_path: Path) -> None:
    file = tmp_path / EXTRACTIONS
    file.write_text(f'image_name,json:id,score:overall\na,"{exact}",1\n')
    with file.open("a") as rows:
        rows.write("b,,1\n")
    report = docassay.score({"a": {"x": "1"}, "b": {"x": "1"}}, file, metrics=["fields"])
    assert [problem.document for problem in report.problems if problem.side == "pred"] == ["a"]


def test_the_table_has_values_then_scores(tmp_path: Path) -> None:
    file = kept(tmp_path, GOLD, {"a": GOLD["a"]}, SCHEMA)
    rows = [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))]
    assert [row["image_name"] for row in rows] == ["a", "b"]
    assert rows[0]["items[].name"] == "Cake | Tea"
    assert rows[0]["TOTAL"] == "'-5.00"
    assert (rows[0]["score:overall"], rows[0]["score:TOTAL"]) == ("1.0", "1.0")
    assert (rows[1]["score:overall"], rows[1]["score:TOTAL"]) == ("0.0", "")
    assert [*rows[0]].index("score:overall") > [*rows[0]].index("items[].name")


def test_documents_stand_in_the_order_of_gold_and_are_the_same_in_any(tmp_path: Path) -> None:
    pred = {"b": {"x": "1"}, "a": {"y": "2"}}
    turned = dict(reversed(pred.items()))
    files = [
        kept(tmp_path / name, trees, trees).read_text().splitlines()
        for name, trees in (("plain", pred), ("turned", turned))
    ]
    assert files[0] == [files[1][0], *reversed(files[1][1:])]
    assert [line.partition(",")[0] for line in files[0][1:]] == ["b", "a"]


def test_a_run_without_fields_keeps_no_extractions_of_an_earlier_one(tmp_path: Path) -> None:
    file = kept(tmp_path, GOLD, GOLD)
    docassay.score(GOLD, GOLD, metrics=["entity"], out=file.parent)
    assert not file.exists()


def test_nothing_is_left_aside(tmp_path: Path) -> None:
    folder = kept(tmp_path, GOLD, GOLD).parent
    assert [path.name for path in folder.iterdir() if path.suffix in (".part", ".new")] == []


def test_a_table_of_scores_that_no_run_wrote_is_read_as_fields(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("image_name,score:home\na,3\n")
    report = docassay.score({"a": {"score:home": "3"}}, file, metrics=["fields"])
    assert report["fields.accuracy@score:home"].value == 1.0


def test_damaged_json_is_a_problem_of_its_document(tmp_path: Path) -> None:
    file = tmp_path / EXTRACTIONS
    file.write_text('image_name,json:rest,score:overall\na,{"x": \nb,[],1\nc,,1,2\n')
    report = docassay.score({"a": {"x": "1"}, "b": {}, "c": {}}, file, metrics=["fields"])
    assert {one.document for one in report.problems if one.side == "pred"} == {"a", "b", "c"}
