"""Jobs of users in Python: instances in a test, lists of dicts, data frames: right at once."""

from __future__ import annotations

import datetime
import enum
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

import polars
import pyarrow
import pytest
from pydantic import BaseModel, Field

import docassay as da

pytest_plugins = ("pytester",)


class Kind(enum.Enum):
    INVOICE = "invoice"
    RECEIPT = "receipt"


class Line(BaseModel):
    description: str
    amount: Decimal


class Invoice(BaseModel, populate_by_name=True):
    number: str = Field(alias="invoiceNumber")
    issued: datetime.date
    total: Decimal
    kind: Kind = Kind.INVOICE
    currency: Literal["EUR", "USD"] = "EUR"
    paid: bool = False
    note: str | None = None
    lines: list[Line] = []


def invoice(number: str, total: str, *lines: tuple[str, str]) -> Invoice:
    return Invoice(
        number=number,
        issued=datetime.date(2025, 3, 4),
        total=Decimal(total),
        lines=[Line(description=text, amount=Decimal(amount)) for text, amount in lines],
    )


GOLD = [
    invoice("INV-001", "12.50", ("tea", "3.20"), ("cake", "9.30")),
    invoice("INV-002", "20.00", ("lunch", "20.00")),
]
PRED = [
    invoice("INV-001", "12.50", ("cake", "9.30"), ("tea", "3.20")),
    invoice("INV-002", "21.00", ("lunch", "20.00")),
]
"""Of 18 values one is wrong; a row stands elsewhere, which costs nothing."""
DICTS = [json.loads(item.model_dump_json()) for item in GOLD]
ALIASED = [json.loads(item.model_dump_json(by_alias=True)) for item in GOLD]
GENERAL = [
    {"number": "INV-001", "issued": "4 March 2025", "total": "12.5", "kind": "invoice"},
    {"number": "INV-002", "issued": "4 March 2025", "total": "20", "kind": "invoice"},
]


def aligned(gold: object, pred: object, **options: object) -> float:
    value = da.score(gold, pred, **options)["kieval.aligned"].value  # type: ignore[arg-type]
    assert isinstance(value, float)
    return value


WRONG = [
    (GOLD, [PRED[0], object()], r"pred item 2: .*object is no document \(a tree is a dict"),
    (GOLD, ["{}", "{}"], r"pred item 1: .*str is no document .*parse_response"),
    (Invoice, Invoice, r"holds no documents"),
    ({"train": polars.DataFrame({"id": ["a"]})}, DICTS, r"tables by name: train .*one of them"),
    (DICTS, DICTS[:1], r"position.*2 of gold and 1 of pred"),
    ([], [], "holds no documents"),
]


@pytest.mark.parametrize(("gold", "pred", "message"), WRONG)
def test_what_cannot_be_scored_is_an_error_with_its_place_and_the_remedy(
    gold: object, pred: object, message: str
) -> None:
    with pytest.raises(da.DataError, match=message):
        da.score(gold, pred)


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        (GOLD, PRED),
        (tuple(GOLD), iter(PRED)),
        ({"a": GOLD[0], "b": GOLD[1]}, {"b": PRED[1], "a": PRED[0]}),
        ([("a", GOLD[0]), ("b", GOLD[1])], {"b": PRED[1], "a": PRED[0]}),
        (DICTS, PRED),
        (ALIASED, PRED),
        ({"a": ALIASED[0], "b": ALIASED[1]}, {"a": PRED[0], "b": PRED[1]}),
        (iter(GOLD), [item.model_dump(mode="json") for item in PRED]),
        (GOLD, [item.model_dump(mode="json", by_alias=True) for item in PRED]),
    ],
)
def test_pydantic_instances_are_scored_in_any_collection(gold: object, pred: object) -> None:
    assert aligned(gold, pred) == 17 / 18


def test_gold_in_a_file_decides_whether_instances_go_by_their_aliases(tmp_path: Path) -> None:
    for trees in (DICTS, ALIASED):
        file = tmp_path / "gold.jsonl"
        file.write_text("".join(json.dumps(tree) + "\n" for tree in trees))
        assert aligned(file, GOLD) == 1.0


def test_one_instance_or_one_flat_dict_is_one_document() -> None:
    assert da.score(GOLD[1], PRED[1]).documents == 1
    assert aligned(GOLD[1], PRED[1]) == 7 / 8
    flat = {"vendor": "Acme", "total": "5.00"}
    report = da.score(flat, {**flat, "total": "6.00"})
    assert (report.documents, report["kieval.aligned"].value) == (1, 0.5)
    assert aligned(flat, {}) == 0.0


def test_dates_of_a_class_are_read_as_dates_and_its_texts_are_guessed_from_gold() -> None:
    class Bill(BaseModel):
        due: str
        total: float

    gold = [Bill(due=f"2025-01-{day:02}", total=2.5) for day in range(13, 20)]
    pred = [{"due": f"{day} January 2025", "total": "2.50"} for day in range(13, 20)]
    assert aligned(gold, pred) == 1.0


def test_lists_of_dicts_pair_by_their_ids_or_by_position() -> None:
    gold = [{"id": "a", "total": "5"}, {"id": "b", "total": "6"}]
    assert aligned(gold, gold[::-1]) == 1.0
    report = da.score([{"total": "5"}, {"total": "6"}], [{"total": "5"}, {"total": "7"}])
    assert (report.documents, report["kieval.aligned"].value) == (2, 0.5)
    assert any("position" in note for note in report.notes)
    keyed = [{"file_no": 7, "total": "5"}]
    assert aligned(keyed, keyed, id_key="file_no") == 1.0


TABLE: Mapping[str, list[object]] = {
    "total": [1.5, None, 3.25],
    "filename": ["a.pdf", "b.pdf", "c.pdf"],
    "day": [datetime.date(2025, 1, 2)] * 3,
    "items": [[{"name": "x"}], [], [{"name": "y"}, {"name": "z"}]],
}
ROWS = [
    {"id": name, "total": total, "day": "2025-01-02", "items": items}
    for name, total, items in zip("cab", [3.25, 1.5, None], [["yz"], ["x"], [""]], strict=True)
    for items in [[{"name": letter} for letter in items[0]]]
]


class FakeDataset:
    """What the library `datasets` has: columns, features, and rows when iterated."""

    def __init__(self, columns: Mapping[str, list[object]], **features: object) -> None:
        self._columns = columns
        self.column_names = [*columns]
        self.features = dict.fromkeys(columns) | features

    def __iter__(self) -> Iterator[dict[str, object]]:
        for row in zip(*self._columns.values(), strict=True):
            yield dict(zip(self._columns, row, strict=True))


class Image:
    """The feature of a column of pictures."""


@pytest.mark.parametrize(
    "table",
    [
        polars.DataFrame(TABLE),
        polars.DataFrame(TABLE).lazy(),
        pyarrow.table(dict(TABLE)),
        FakeDataset({**TABLE, "image": [object()] * 3}, image=Image()),
    ],
    ids=["polars", "lazy", "arrow", "dataset"],
)
def test_a_table_has_one_row_a_document_and_its_id_column_names_it(table: object) -> None:
    report = da.score(table, ROWS)
    assert report.documents == 3
    assert report["kieval.aligned"].value == 1.0
    assert da.score(ROWS, table)["kieval.aligned"].value == 1.0


def test_a_data_set_in_the_layout_of_cord_is_read_as_such() -> None:
    truth = json.dumps({"gt_parse": {"menu": [{"nm": "tea"}]}})
    data = FakeDataset({"id": ["a"], "ground_truth": [truth]})
    assert aligned(data, {"a": {"menu": [{"nm": "tea"}]}}) == 1.0


def test_a_scorer_takes_instances_too() -> None:
    scorer = da.Scorer(metrics=["kieval"])
    for number, (gold, pred) in enumerate(zip(GOLD, PRED, strict=True)):
        scorer.add(str(number), gold, pred)
    assert scorer.report()["kieval.aligned"].value == 17 / 18
    for trees in (DICTS, ALIASED):
        for left, right in ((GOLD[0], trees[0]), (trees[0], GOLD[0])):
            other = da.Scorer(metrics=["kieval"])
            other.add("a", left, right)
            assert other.report()["kieval.aligned"].value == 1.0
    with pytest.raises(da.DataError, match=r"pred document .x.: .*object cannot be compared"):
        scorer.add("x", {}, object())


def test_a_report_explains_its_documents_and_knows_the_worst() -> None:
    report = da.score(GOLD, PRED)
    assert [line.id for line in report.worst(1)] == ["2"]
    assert [line.id for line in report.worst()] == ["2", "1"]
    diff = report.explain()
    assert "≠ total" in diff
    assert repr(diff) == str(diff)
    assert report.explain(2) == report.explain("2") == diff
    assert "≠" not in report.explain("1").rpartition("✓")[0]
    with pytest.raises(da.ConfigurationError, match="no document 'x'"):
        report.explain("x")
    with pytest.raises(da.ConfigurationError, match="gold was an iterator"):
        da.score(iter(GOLD), PRED).explain("2")
    with pytest.raises(da.ConfigurationError, match="does not know its documents"):
        da.Scorer().report().explain("2")


def test_a_document_that_changed_since_it_was_scored_is_not_explained() -> None:
    pred = {"a": {"total": "6"}}
    report = da.score({"a": {"total": "5"}}, pred)
    pred["a"]["total"] = "5"
    with pytest.raises(da.DataError, match="changed since it was scored"):
        report.explain("a")


def test_explain_shows_one_document() -> None:
    assert "≠ total" in da.explain({"total": "5"}, {"total": "6"})
    assert "≠ total" in da.explain(GOLD[1], PRED[1].model_dump(mode="json"))
    assert "≠ total" in da.explain(GOLD, PRED, "2")
    schema = {"fields": {"total": "money"}}
    assert "≠ total" not in da.explain({"total": "$5"}, {"total": "5.00"}, schema=schema)
    with pytest.raises(da.ConfigurationError, match="gold is no document"):
        da.explain(GOLD, PRED)


def test_require_raises_what_a_test_runner_shows_as_a_failed_assertion() -> None:
    report = da.score(GOLD, PRED)
    assert report.require("kieval.aligned >= 0.9", "kieval.corrections <= 1") is report
    with pytest.raises(AssertionError) as caught:
        report.require("kieval.aligned >= 0.95", "kieval.corrections == 0")
    text = str(caught.value)
    assert isinstance(caught.value, da.RequirementError)
    assert "kieval.aligned >= 0.95: it is 0.9444" in text
    assert "kieval.corrections == 0: it is 1" in text
    assert "weakest fields\n  total" in text
    with pytest.raises(da.RequirementError):
        da.score(GOLD, PRED, require="kieval.aligned >= 0.95")
    with pytest.raises(da.ConfigurationError, match="is not a requirement"):
        da.score("there/is/no/such/file", PRED, require=["aligned 0.95"])


def test_the_module_lists_its_public_names_only() -> None:
    assert dir(da) == da.__all__ == sorted(da.__all__)


TEST = """
from pydantic import BaseModel

class Invoice(BaseModel):
    number: str
    total: float

GOLD = [Invoice(number="A-1", total=5), Invoice(number="A-2", total=6)]

def test_extraction(docassay):
    docassay.score(GOLD, GOLD, require="kieval.aligned >= 0.95")
    docassay.check(GOLD, GOLD)
    assert docassay(GOLD, GOLD).documents == 2

def test_worse(docassay):
    pred = [GOLD[0], Invoice(number="A-2", total=7)]
    docassay.score(GOLD, pred, require="kieval.aligned >= 0.95")

def test_files(docassay, tmp_path):
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "a", "total": "5"}')
    pred.write_text('{"id": "a", "total": "6"}')
    docassay.check(gold, pred)

def test_mistakes(docassay):
    assert "all correct" in docassay.explain(GOLD, GOLD, 2)
    docassay.score(GOLD, GOLD[:1])
"""


def test_the_fixture_fails_with_headline_weakest_fields_and_how_to_look(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest("from docassay.compat.pytest_plugin import docassay")
    pytester.makepyfile(TEST)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            '>       docassay.score(GOLD, pred, require="kieval.aligned >= 0.95")',
            "E*requirement not met: kieval.aligned >= 0.95: it is 0.7500",
            "E*aligned*0.7500",
            "E*weakest fields",
            "E*total  0.5000  of 2",
            "E*docassay.explain(gold, pred, '2')",
            "E*docassay explain *gold.jsonl *pred.jsonl a",
            ">       docassay.score(GOLD, GOLD[:1])",
            "E*there are 2 of gold and 1 of pred*",
        ]
    )
    for inside in ("api.py", "pairing.py"):
        assert inside not in result.stdout.str()


def test_the_plugin_costs_nothing_until_it_is_used() -> None:
    code = (
        "import sys; import docassay.compat.pytest_plugin;"
        "print([n for n in sys.modules if n.startswith(('numpy', 'rich', 'docassay.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {"docassay.version", "docassay.compat", "docassay.compat.pytest_plugin"}
    assert {*json.loads(done.stdout.replace("'", '"'))} == loaded


SMALL = [{"id": "a", "total": "$1.00", "name": "x"}, {"id": "b", "total": "$2.00", "name": "y"}]
OTHER = [{"id": "b", "total": "2", "name": "y"}, {"id": "a", "total": "1", "name": "z"}]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: da.score(SMALL, OTHER, metric=["kieval"]), "unknown option 'metric' .*'metrics'"),
        (lambda: da.explain(SMALL, OTHER, "a", seed=1), "unknown option 'seed'"),
        (lambda: da.score(SMALL, OTHER, map=["sum=total"]), "map is a list .*give a dict"),
        (lambda: da.score(SMALL, OTHER, out="x", keep_inputs=True), "gold is in memory"),
        (lambda: da.score(SMALL, OTHER)["f1"], r"there is: entity\.f1, fields\.f1\)"),
        (lambda: da.score(SMALL, OTHER)["aligned@nam"], r"did you mean 'aligned@name'"),
    ],
)
def test_a_mistake_in_a_call_names_what_would_be_right(
    call: Callable[[], object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(da.ConfigurationError, match=message):
        call()
    assert not [*tmp_path.iterdir()]


def test_metrics_and_requirements_may_be_a_text_or_a_list() -> None:
    report = da.score(SMALL, OTHER, metrics="kieval, fields", require=["aligned >= 0.7"])
    assert {score.metric for score in report.scores} == {"kieval", "fields"}
    assert report.require(["aligned >= 0.7", "corrections <= 1"], "documents >= 1") is report
    with pytest.raises(da.RequirementError, match="corrections <= 0"):
        report.require(["aligned >= 0.7", "corrections <= 0"])


def test_a_failure_shows_the_command_with_every_option_of_reading(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text("".join(json.dumps(tree) + "\n" for tree in SMALL))
    trees = [{"doc": tree["id"], "sum": tree["total"], "name": tree["name"]} for tree in OTHER]
    pred.write_text("".join(json.dumps(tree) + "\n" for tree in trees))
    options: dict[str, object] = {"pred_id": "doc", "map": {"sum": "total"}, "ignore": ["a", "b"]}
    report = da.score(gold, str(pred), types="text", **options)  # type: ignore[arg-type]
    command = f"docassay explain {gold} {pred} a --types text --pred-id doc"
    assert report.explaining("a") == f"{command} --map sum=total --ignore a,b"
    schema = {"fields": {"total": "money", "name": "text"}}
    report = da.score(gold, pred, schema=schema, **options)  # type: ignore[arg-type]
    assert report.explaining("a") == "docassay.explain(gold, pred, 'a')"
    report = da.score(SMALL, OTHER, out=tmp_path / "run")
    assert report.explaining("a") == f"docassay explain {tmp_path / 'run'} a"


def test_a_report_names_a_way_to_explain_that_works() -> None:
    assert "report.explain('a')" in repr(da.score(SMALL, OTHER))
    assert "docassay.explain(gold, pred, 'a')" in repr(da.score(iter(SMALL), OTHER))
    scorer = da.Scorer()
    scorer.add("a", {"total": "1"}, {"total": "2"})
    assert repr(scorer.report()).endswith("\n  docassay.explain(gold, pred)")


SCORERS = [{}, {"types": "text"}, {"schema": {"fields": {"t": "text", "u": "text"}}}]


@pytest.mark.parametrize("options", SCORERS)
def test_a_scorer_knows_labels_and_bookkeeping_as_score_does(options: dict[str, object]) -> None:
    gold, pred = {"t": "a", "u": "b"}, {"t": "a", "u": "c", "processing_time": 1.5}
    for tree, labelled in ((gold, ["t"]), (gold, "t"), ({**gold, "labelled": ["t"]}, None)):
        scorer = da.Scorer(**options)  # type: ignore[arg-type]
        scorer.add(1, tree, pred, labelled=labelled)
        report = scorer.report()
        assert report["aligned"].value == 1.0
        assert any("not labelled in gold" in note for note in report.notes)
        assert report.facts["timing"]["total"] == 1.5
        assert [line.id for line in report.lines] == ["1"]
        other = da.Scorer(**options)  # type: ignore[arg-type]
        other.merge(scorer)
        assert other.report().scores == report.scores


@pytest.mark.parametrize("gold", [object(), lambda: None], ids=["object", "call"])
def test_gold_that_json_does_not_have_is_refused_by_a_scorer(gold: object) -> None:
    with pytest.raises(da.DataError, match=r"gold document 'x'"):
        da.Scorer().add("x", gold, {"t": "a"})


def test_a_report_says_at_once_how_many_documents_have_no_prediction() -> None:
    gold = {"a": {"total": "$1.00"}, "b": {"total": "$2.00"}, "c": {"total": "$3.00"}}
    report = da.score(gold, {"a": {"total": "1"}, "d": {"total": "1"}})
    first = "3 documents; 2 without prediction; 1 problem; types guessed from gold: 1 money"
    assert repr(report).splitlines()[0] == first


@dataclass
class Weighed:
    kind: Kind
    grams: float


def test_a_scorer_takes_the_types_that_the_class_of_gold_declares() -> None:
    golds = [Weighed(Kind.INVOICE, number / 2) for number in range(6)]
    preds = [{"kind": "invoic", "grams": f"{number / 2:.2f}"} for number in range(6)]
    scorer, other = da.Scorer(), da.Scorer()
    for number, (gold, pred) in enumerate(zip(golds, preds, strict=True)):
        (scorer if number else other).add(number, gold, pred)
    scorer.merge(other)
    report = scorer.report()
    assert report["fields.anls@kind"].value == 0.0, "a choice is right or wrong"
    whole = da.score([*enumerate(golds)], [*enumerate(preds)])
    assert report.scores == whole.scores
    scorer.reset()
    scorer.add("x", {"kind": "invoice"}, {"kind": "invoic"})
    assert scorer.report()["fields.anls@kind"].value > 0.8, "and its class is forgotten"
