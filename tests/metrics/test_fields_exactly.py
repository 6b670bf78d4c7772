"""The methods of `fields` on single fields and columns, each number worked out by hand."""

from __future__ import annotations

import pytest

import docassay as da

METHODS = ("exact", "anls", "f1", "order_aware_f1", "kieval_cost")


def marks(gold: object, pred: object, kind: object = "text", **settings: object) -> list[float]:
    schema = {"fields": {"x": kind}}
    told = {f"fields.{name}": value for name, value in settings.items()}
    report = da.score(
        {"d": {"x": gold}}, {"d": {"x": pred}}, schema=schema, metrics=["fields"], settings=told
    )
    return [report[f"fields.{method}@x"].value for method in METHODS]


@pytest.mark.parametrize(
    ("gold", "pred", "kind", "expected"),
    [
        pytest.param("abcd", "abcd", "text", [1, 1, 1, 1, 1], id="equal"),
        pytest.param("abcdefgh", "abcdefgx", "text", [0, 0.875, 0.875, 0.875, 0], id="alike"),
        pytest.param("abcd", "abcx", "text", [0, 0.75, 0.75, 0.75, 0], id="one letter"),
        pytest.param("abc", "abx", "text", [0, 2 / 3, 2 / 3, 2 / 3, 0], id="not alike enough"),
        pytest.param("abcd", "abxy", "text", [0, 0.5, 0.5, 0.5, 0], id="half alike is credit"),
        pytest.param("abcde", "abxyz", "text", [0, 0, 0, 0, 0], id="less than half is none"),
        pytest.param("10.00", "10", "money", [1, 1, 1, 1, 1], id="an amount by its value"),
        pytest.param("10", "11", "money", [0, 0, 0, 0, 0], id="an amount is right or wrong"),
        pytest.param("", "x", "text", [0, 0, 0, 0, 0], id="invented"),
        pytest.param("x", "", "text", [0, 0, 0, 0, 0], id="missed"),
    ],
)
def test_a_single_value_is_scored_by_likeness(
    gold: str, pred: str, kind: str, expected: list[float]
) -> None:
    assert marks(gold, pred, kind) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        pytest.param(["a", "b"], ["a", "b"], [1, 1, 1, 1, 1], id="equal"),
        pytest.param(["a", "b"], ["b", "a"], [0, 1, 1, 0, 1], id="another order"),
        pytest.param(["a", "b"], ["a"], [0, 1 / 2, 2 / 3, 2 / 3, 1 / 2], id="one missed"),
        pytest.param(["a", "b"], ["b"], [0, 1 / 2, 2 / 3, 0, 1 / 2], id="the first missed"),
        pytest.param(
            ["a", "b", "c"],
            ["a", "b", "c", "d"],
            [0, 3 / 4, 6 / 7, 6 / 7, 3 / 4],
            id="one too many",
        ),
        pytest.param(
            ["a", "b", "c"], ["a", "x", "c"], [0, 2 / 3, 2 / 3, 2 / 3, 2 / 3], id="one wrong"
        ),
        pytest.param(
            ["a", "a"], ["a", "b"], [0, 1 / 2, 1 / 2, 1 / 2, 1 / 2], id="each counts once"
        ),
    ],
)
def test_a_list_is_scored_by_its_items(
    gold: list[str], pred: list[str], expected: list[float]
) -> None:
    assert marks(gold, pred, "exact") == pytest.approx(expected)


def test_a_wrong_item_costs_once_where_it_is_only_missed() -> None:
    both = marks(["a", "b", "c"], ["a", "x", "c"], "exact")
    once = marks(["a", "b", "c"], ["a", "x", "c"], "exact", substitution="fn")
    assert both[3] == pytest.approx(2 / 3)
    # two right and one missed, nothing invented
    assert once[3] == pytest.approx(4 / 5)
    assert once[:3] == both[:3]


@pytest.mark.parametrize(
    ("similarity", "words", "right"),
    [(0.75, 0.75, 0), (0.5, 0.75, 1), (0.75, 0.5, 1), (0.75, 0.51, 0)],
)
def test_items_match_by_characters_or_by_words(similarity: float, words: float, right: int) -> None:
    # two of four words are shared, and little more than half of the characters
    gold, pred = ["red apple pie", "q"], ["red apple marmalade", "z"]
    found = marks(gold, pred, "text", item_similarity=similarity, item_words=words)
    assert found[4] == pytest.approx(right / 2)


def report_of(gold: list[dict[str, str]], pred: list[dict[str, str]]) -> da.Report:
    schema = {"groups": {"r": {"fields": {"a": "exact", "b": "exact"}}}}
    return da.score({"d": {"r": gold}}, {"d": {"r": pred}}, schema=schema, metrics=["fields"])


@pytest.mark.parametrize(
    ("pred", "columns", "rows"),
    [
        pytest.param([("1", "x"), ("2", "y")], (1, 1), 1, id="all right"),
        pytest.param([("2", "y"), ("1", "x")], (1, 1), 1, id="rows in another order"),
        pytest.param([("1", "y"), ("2", "x")], (1, 1), 0, id="values in the wrong rows"),
        pytest.param([("1", "x")], (2 / 3, 2 / 3), 2 / 3, id="a row missed"),
        pytest.param([("1", "x"), ("2", "z")], (1, 1 / 2), 1 / 2, id="a value wrong"),
        pytest.param(
            [("1", "x"), ("2", "y"), ("3", "z")], (4 / 5, 4 / 5), 4 / 5, id="a row too many"
        ),
    ],
)
def test_correlation_is_the_mean_of_columns_and_of_rows(
    pred: list[tuple[str, str]], columns: tuple[float, float], rows: float
) -> None:
    gold = [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]
    report = report_of(gold, [dict(zip("ab", row, strict=True)) for row in pred])
    assert [report[f"fields.f1@r.{name}"].value for name in "ab"] == pytest.approx([*columns])
    expected = (sum(columns) / 2 + rows) / 2
    assert report["fields.correlation_f1"].value == pytest.approx(expected)


TYPED = {
    "type_field": "kind",
    "types": {"bill": {"fields": ["kind", "a", "b", "c"]}, "note": {"fields": ["kind", "a"]}},
    "fields": {
        "a": {"type": "text", "category": "who"},
        "b": {"type": "text", "category": "what"},
        "c": {"type": "text", "category": "what"},
        "other": "text",
    },
}
GOLD = {
    "d": {"kind": "bill", "a": "1", "b": "22"},
    "e": {"kind": "bill", "a": "3"},
    "f": {"kind": "note", "a": "5"},
}
PRED = {
    "d": {"kind": "bill", "a": "1", "b": "23", "other": "7"},
    "e": {"kind": "bill", "b": "9"},
    "f": {"kind": "bill", "a": "5"},
}
BY_HAND = {
    # d: kind and a right, b by half; e: kind right, a missed, b invented; f: kind wrong, a right
    "overall_accuracy": ((2.5 / 3 + 1 / 3 + 1 / 2) / 3, 3),
    "mean_field_accuracy": ((2 / 3 + 2 / 3 + 0.5 / 2) / 3, 3),
    "pooled_accuracy": ((2 + 2 + 0.5) / 8, 8),
    # of 7 values of gold 6 have a prediction; of 3 places that gold leaves empty 1 has one
    "coverage": (6 / 7, 7),
    "hallucination_rate": (1 / 3, 3),
    "total_fields": (10, 10),
    "fields_evaluated": (8, 10),
    "fields_extracted": (7, 10),
    "fields_matched": (4, 10),
    "absent_agreed": (2, 10),
    "perfect_documents": (0, 3),
    "accuracy@a": (2 / 3, 3),
    "accuracy@b": (1 / 4, 2),
    "accuracy@c": (None, 0),
    "accuracy@kind": (2 / 3, 3),
    # the scores 1, 0, 1 lie 1/3, 2/3, 1/3 from their mean
    "deviation@a": ((6 / 9 / 2) ** 0.5, 3),
    "deviation@b": ((0.125 / 1) ** 0.5, 2),
    "deviation@c": (None, 0),
    "precision@a": (1, 2),
    "recall@a": (2 / 3, 3),
    "precision@b": (0, 2),
    "recall@b": (0, 1),
    "fields_matched@a": (2, 3),
    "fields_matched@b": (0, 2),
    "category_accuracy@who": (2 / 3, 3),
    "category_accuracy@what": (1 / 4, 2),
    "type_accuracy@bill": ((2.5 / 3 + 1 / 3) / 2, 2),
    "type_accuracy@note": (1 / 2, 1),
    "type_confusion@bill -> bill": (2, 3),
    "type_confusion@note -> bill": (1, 3),
}


def test_every_readout_of_a_typed_corpus_is_that_by_hand() -> None:
    report = da.score(GOLD, PRED, schema=TYPED, metrics=["fields"])
    for address, (value, support) in BY_HAND.items():
        score = report[f"fields.{address}"]
        assert score.value == pytest.approx(value, abs=1e-8), address
        assert score.support == support, address
    assert any("1 field" in one.message for one in report.problems if one.document == "d")


@pytest.mark.parametrize(("bar", "matched"), [(0.5, 4), (0.49, 5), (1.0, 0)])
def test_a_field_is_matched_above_its_bar(bar: float, matched: int) -> None:
    told = {"fields.matched_above": bar}
    report = da.score(GOLD, PRED, schema=TYPED, metrics=["fields"], settings=told)
    assert report["fields.fields_matched"].value == matched


def test_places_empty_on_both_sides_count_as_right_when_asked_for() -> None:
    told = {"fields.count_absent": True}
    report = da.score(GOLD, PRED, schema=TYPED, metrics=["fields"], settings=told)
    assert report["fields.accuracy@c"].value == 1
    assert report["fields.accuracy@c"].support == 2
    expected = (3.5 / 4 + 2 / 4 + 1 / 2) / 3
    assert report["fields.overall_accuracy"].value == pytest.approx(expected, abs=1e-8)
