"""The metric vrdu: each kind of name, and side by side where the released toolkit differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.api.score import Scorer
from docassay.errors import SchemaError
from docassay.model.report import Report
from docassay.run.open import open_run
from docassay.schema.source import load_schema

META = {
    "dataset_name": "ads",
    "entity_name_to_match_func": {
        "advertiser": "GeneralStringMatch",
        "contract": "NumericalStringMatch",
        "flight": "DateMatch",
        "address": "AddressMatch",
        "gross": "PriceMatch",
        "staff": "NameMatch",
        "channel": "GeneralStringMatch",
        "program": "GeneralStringMatch",
        "amount": "PriceMatch",
    },
    "entity_appearance_pattern": {
        "advertiser": "unrepeated",
        "contract": "unrepeated",
        "flight": "unrepeated",
        "address": "unrepeated",
        "gross": "unrepeated",
        "staff": "repeated",
        "channel": "line_item",
        "program": "line_item",
        "amount": "line_item",
    },
}
BOX = [0, 0.1, 0.1, 0.2, 0.2]


def entity(text: str, start: int = 0) -> list:
    return [text, BOX, [[start, start + 1]]]


def simple(name: str, *texts: str) -> list:
    return [name, [entity(text) for text in texts]]


def row(**components: str) -> list:
    return [[*components], [[entity(text) for text in components.values()]]]


def flat(*pairs: tuple[str, str], starts: list[int] | None = None) -> list:
    places = starts or [*range(len(pairs))]
    return [[name, entity(text, at)] for (name, text), at in zip(pairs, places, strict=True)]


@pytest.fixture
def score(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(annotations: list, results: list, meta: dict = META) -> Report:
        (tmp_path / "main").mkdir()
        (tmp_path / "main" / "meta.json").write_text(json.dumps(meta))
        line = {"filename": "a.pdf", "annotations": annotations}
        (tmp_path / "main" / "dataset.jsonl").write_text(json.dumps(line) + "\n")
        pred = tmp_path / "x-test_predictions.json"
        pred.write_text(json.dumps({"meta": {}, "results": {"a.pdf": results}}))
        return da.score(tmp_path, pred, metrics=["vrdu", "vrdu_official"])

    return run


def both(report: Report, readout: str) -> tuple[object, object]:
    return report[f"vrdu.{readout}"].value, report[f"vrdu_official.{readout}"].value


NEWS = row(channel="W", program="News", amount="10")
DIFFERENCES = {
    "component order": (
        [NEWS],
        flat(("amount", "10"), ("channel", "W"), ("program", "News")),
        "micro_f1",
        (1.0, 0.0),
    ),
    "components listed out of reading order": (
        [NEWS, row(channel="K", program="Golf", amount="20")],
        flat(
            *[("channel", "W"), ("channel", "K"), ("program", "News"), ("program", "Golf")],
            *[("amount", "10"), ("amount", "20")],
            starts=[0, 3, 1, 4, 2, 5],
        ),
        "hierarchical_f1",
        (1.0, 0.0),
    ),
    "one extraction for two gold items": (
        [simple("staff", "Ann"), simple("staff", "Ann")],
        flat(("staff", "Ann")),
        "micro_recall",
        (0.5, 1.0),
    ),
    "the same extraction twice": (
        [simple("staff", "Ann")],
        flat(("staff", "Ann"), ("staff", "Ann"), starts=[0, 0]),
        "micro_precision",
        (0.5, 1.0),
    ),
    "undefined names in macro": (
        [simple("advertiser", "Acme")],
        flat(("advertiser", "Acme")),
        "macro_f1",
        (1.0, pytest.approx(1 / 7)),
    ),
    "three edits in an address": (
        [simple("address", "123 Main St")],
        flat(("address", "456 Main St")),
        "micro_f1",
        (0.0, 1.0),
    ),
    "day and month swapped": (
        [simple("flight", "03/04/2020")],
        flat(("flight", "04/03/2020")),
        "micro_f1",
        (0.0, 1.0),
    ),
    "a number without digits": (
        [simple("contract", "none")],
        flat(("contract", "see above")),
        "micro_f1",
        (0.0, 1.0),
    ),
    "letters outside ASCII": (
        [simple("advertiser", "東京")],
        flat(("advertiser", "大阪")),
        "micro_f1",
        (0.0, 1.0),
    ),
    "the sign of an amount": (
        [simple("gross", "5.00")],
        flat(("gross", "-5.00")),
        "micro_f1",
        (0.0, 1.0),
    ),
    "an empty text": (
        [simple("advertiser", "Acme")],
        flat(("advertiser", "Acme"), ("contract", "")),
        "micro_precision",
        (1.0, 0.5),
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_it_differs_from_the_released_toolkit(score, name: str) -> None:  # type: ignore[no-untyped-def]
    annotations, results, readout, expected = DIFFERENCES[name]
    assert both(score(annotations, results), readout) == expected


def test_a_row_of_the_models_own_is_taken_as_it_is(score) -> None:  # type: ignore[no-untyped-def]
    results = [[["channel", "program", "amount"], [["W"], ["News"], ["10"]]]]
    assert score([NEWS], results)["vrdu.hierarchical_f1"].value == 1.0


def test_the_last_row_counts(score) -> None:  # type: ignore[no-untyped-def]
    results = flat(("channel", "W"), ("program", "News"), ("amount", "10"))
    assert both(score([NEWS], results), "hierarchical_f1") == (1.0, 1.0)


def test_any_candidate_of_gold_will_do(score) -> None:  # type: ignore[no-untyped-def]
    annotations = [simple("advertiser", "Acme", "Acme Corp")]
    assert both(score(annotations, flat(("advertiser", "Acme Corp"))), "micro_f1") == (1.0, 1.0)


@pytest.mark.parametrize("function", ["NumericalMatch", None, 5, ["DateMatch"]])
def test_an_unknown_match_function_of_a_data_set_is_read_as_default_match_and_said(
    score,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    function: object,
) -> None:
    meta = {"entity_name_to_match_func": {"advertiser": function}}
    report = score([simple("advertiser", "4")], flat(("advertiser", "4.0")), meta)
    assert both(report, "micro_f1") == (0.0, 0.0)
    assert f"advertiser ({function})" in " ".join(open_run(tmp_path, {}).notes)


def test_a_component_without_a_match_function_is_read_by_default_match_and_said(
    score,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    meta = {
        "entity_name_to_match_func": {"channel": "GeneralStringMatch"},
        "entity_appearance_pattern": {"channel": "line_item", "program": "line_item"},
    }
    report = score(
        [row(channel="W.", program="News")], flat(("channel", "W"), ("program", "News")), meta
    )
    assert both(report, "hierarchical_f1") == (1.0, 1.0)
    assert "program (none)" in " ".join(open_run(tmp_path, {}).notes)


def test_an_unknown_match_function_of_a_given_schema_lists_the_seven() -> None:
    with pytest.raises(SchemaError) as caught:
        load_schema({"entity_name_to_match_func": {"advertiser": "NumericalMatch"}})
    for name in ("NumericalStringMatch", "DateMatch", "PriceMatch", "NameMatch"):
        assert name in str(caught.value)


@pytest.mark.parametrize("content", ["[1]", "{broken", "{}", "null"])
def test_a_foreign_meta_json_beside_lines_is_no_matter(tmp_path: Path, content: str) -> None:
    (tmp_path / "meta.json").write_text(content)
    (tmp_path / "gold.jsonl").write_text('{"id": "a", "x": "1"}\n')
    report = da.score(tmp_path / "gold.jsonl", tmp_path / "gold.jsonl", metrics=["vrdu"])
    assert report["vrdu.micro_f1"].value == 1.0


UNREPEATED = {"fields": {"x": {"type": "exact", "repeated": False}}}
REPEATED = {"fields": {"x": {"type": "exact", "repeated": True}}}
ROWS = {"extra": "count", "groups": {"r": {"fields": {"a": "exact", "b": "exact"}}}}


def readouts(gold: object, pred: object, schema: object = None) -> dict[str, object]:
    scorer = Scorer(schema=schema, metrics=["vrdu"])
    scorer.add("x", gold, pred)
    return {one.address.removeprefix("vrdu."): one.value for one in scorer.report().scores}


@pytest.mark.parametrize(
    ("gold", "pred", "precision", "recall"),
    [
        ("a", "a", 1.0, 1.0),
        ("a", None, None, 0.0),
        (None, "a", 0.0, None),
        ("a", "b", 0.0, 0.0),
        (["a", "b"], "b", 1.0, 1.0),
        ({"any_of": ["a", "b"]}, "b", 1.0, 1.0),
        ("a", ["b", "a"], 0.0, 0.0),
        ("a", ["a", "b"], 1.0, 1.0),
        ("a", [{"value": "b", "confidence": 0.2}, {"value": "a", "confidence": 0.9}], 1.0, 1.0),
        ("a", ["b", {"value": "a", "confidence": 0.1}], 1.0, 1.0),
    ],
    ids=[
        *("right", "missed", "too much", "wrong", "any instance", "any alternative"),
        *("the first", "the rest does not count", "the most confident", "none is least confident"),
    ],
)
def test_an_unrepeated_name_is_one_item(
    gold: object, pred: object, precision: object, recall: object
) -> None:
    found = readouts({"x": gold}, {"x": pred}, UNREPEATED)
    assert (found["unrepeated_precision"], found["unrepeated_recall"]) == (precision, recall)


@pytest.mark.parametrize(
    ("gold", "pred", "precision", "recall"),
    [
        (["a", "b"], ["b", "a"], 1.0, 1.0),
        (["a", "a"], ["a"], 1.0, 0.5),
        (["a"], ["a", "a"], 0.5, 1.0),
        (["a", "b"], ["a", "c"], 0.5, 0.5),
    ],
    ids=["in any order", "one for two", "two for one", "one wrong"],
)
def test_repeated_values_pair_one_to_one(
    gold: object, pred: object, precision: object, recall: object
) -> None:
    found = readouts({"x": gold}, {"x": pred}, REPEATED)
    assert (found["precision@x"], found["recall@x"]) == (precision, recall)
    assert found["unrepeated_f1"] is None


@pytest.mark.parametrize(
    ("pred", "right"),
    [
        ([{"a": "1", "b": "2"}], 1),
        ([{"b": "2", "a": "1"}], 1),
        ([{"a": "1"}], 0),
        ([{"a": "1", "b": "2", "c": "3"}], 0),
        ([{"a": "1", "b": ["2", "2"]}], 0),
        ([{"a": "1", "b": "3"}], 0),
        ([{"a": "1", "b": "3"}, {"a": "1", "b": "2"}], 1),
    ],
    ids=["same", "other order", "one missing", "one extra", "one twice", "one wrong", "the second"],
)
def test_a_row_is_right_when_all_of_it_is(pred: list, right: int) -> None:
    found = readouts({"r": [{"a": "1", "b": "2"}]}, {"r": pred}, ROWS)
    assert found["hierarchical_recall"] == right
    assert found["hierarchical_precision"] == right / len(pred)


def test_without_a_schema_the_document_decides() -> None:
    gold = {"one": "a", "many": ["a", "b"], "row": {"k": "a"}, "rows": [{"k": "a"}, {"k": "b"}]}
    found = readouts(gold, {"one": "a", "many": ["b"], "row": {"k": "a"}, "rows": [{"k": "b"}]})
    assert found["unrepeated_recall"] == 1.0
    assert found["recall@many"] == 0.5
    assert found["hierarchical_recall"] == pytest.approx(2 / 3)
    assert found["micro_recall"] == pytest.approx(4 / 6)
    assert found["names_undefined"] == 0


def test_macro_is_a_mean_over_names_and_says_what_it_leaves_out() -> None:
    schema = {"fields": {name: "exact" for name in "xyz"}}
    found = readouts({"x": "a", "y": "b"}, {"x": "a", "y": "c"}, schema)
    assert (found["macro_f1"], found["names_undefined"]) == (0.5, 1)


GOLD = [{"a": "1", "b": "1"}, {"a": "2", "b": "2"}]


@pytest.mark.parametrize(
    ("pred", "loss"),
    [
        (GOLD, None),
        ([{"a": "1", "b": "2"}, {"a": "2", "b": "1"}], 1.0),
        ([{"a": "1", "b": "1"}, {"a": "2", "b": "9"}], 0.0),
        ([{"a": "1"}, {"b": "1"}, {"a": "2"}, {"b": "2"}], 1.0),
        ([{"a": "1", "b": "9"}, {"a": "2", "b": "1"}], 0.5),
        ([], 0.0),
    ],
    ids=["nothing lost", "all by grouping", "none by grouping", "split", "half", "nothing there"],
)
def test_the_loss_due_to_grouping(pred: list, loss: float | None) -> None:
    assert readouts({"r": GOLD}, {"r": pred}, ROWS)["grouping_loss"] == loss


VALUES = st.sampled_from("12")
SOME = st.lists(st.fixed_dictionaries({}, optional={"a": VALUES, "b": VALUES, "c": VALUES}))


@given(st.lists(st.tuples(SOME, SOME), min_size=1, max_size=3))
def test_regrouping_never_makes_a_corpus_worse(pairs: list) -> None:
    scorer = Scorer(schema=ROWS, metrics=["vrdu"])
    for number, (gold, pred) in enumerate(pairs):
        scorer.add(str(number), {"r": gold}, {"r": pred})
    loss = scorer.report()["vrdu.grouping_loss"].value
    assert loss is None or 0 <= loss <= 1
