"""The metric `fields`, line by line: what each method says of values, lists, rows and documents."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import docassay as da
from docassay.analysis.aggregate import build
from docassay.api.score import Scorer
from docassay.metrics.fields.methods import STRICT, Judge
from docassay.metrics.metric import METRICS
from docassay.model.document import Reading, Sense
from docassay.model.report import Report
from docassay.model.schema import METHODS, Field, Schema
from docassay.run.ledger import join
from docassay.values.field import BoundField

INVOICE = {"DOCUMENT_TYPE": "INVOICE"}
STATEMENT = {"DOCUMENT_TYPE": "BANK_STATEMENT"}
COLUMNS = ("exact", "anls", "f1", "order_aware_f1", "kieval_cost")


def corpus(
    pairs: dict[str, tuple], schema: object = None, metrics=("fields",), **options
) -> Report:
    scorer = Scorer(
        schema=schema,
        metrics=list(metrics),
        settings={f"fields.{name}": value for name, value in options.items()},
    )
    for name, (gold, pred) in pairs.items():
        scorer.add(name, gold, pred)
    return scorer.report()


def document(gold: object, pred: object, schema: object = None, **options) -> Report:
    return corpus({"d": (gold, pred)}, schema, **options)


def field(gold: object, pred: object, kind: object = "exact", **options) -> dict[str, float | None]:
    """The readouts of one field of a given type."""
    report = document({"f": gold}, {"f": pred}, {"fields": {"f": kind}}, **options)
    return {one.readout: one.value for one in report.of("fields", key="f")}


def methods(gold: object, pred: object, kind: object = "exact", **options) -> list[float | None]:
    """The five methods of one field: exact, anls, f1, order_aware_f1, kieval_cost."""
    found = field(gold, pred, kind, **options)
    return [None if found[name] is None else round(found[name], 6) for name in COLUMNS]


def value(report: Report, readout: str) -> float | int | None:
    return report[f"fields.{readout}"].value


# one value on each side


@pytest.mark.parametrize(
    ("kind", "gold", "pred", "wanted"),
    [
        pytest.param("text", "Acme Ltd", "acme  ltd", [1, 1, 1, 1, 1], id="case is no difference"),
        pytest.param("text", "abcdefgh", "abcdefgx", [0, 0.875, 0.875, 0.875, 0], id="likeness"),
        pytest.param("text", "abcdefgh", "abcdexyz", [0, 0.625, 0.625, 0.625, 0], id="no item"),
        pytest.param("text", "abcdefgh", "abcdwxyz", [0, 0.5, 0.5, 0.5, 0], id="at the floor"),
        pytest.param("text", "abcdefgh", "abcvwxyz", [0, 0, 0, 0, 0], id="below the floor"),
        pytest.param(
            "exact", "abcdefgh", "abcdefgx", [0, 0.875, 0, 0, 0], id="anls reads any text"
        ),
        pytest.param("money", "$1,234.56", "1234.56", [1, 1, 1, 1, 1], id="money, two notations"),
        pytest.param("money", "100.00", "100.50", [0, 0, 0, 0, 0], id="money, to the cent"),
        pytest.param("date", "16/07/2025", "16-Jul-25", [1, 1, 1, 1, 1], id="date, two notations"),
        pytest.param(
            "date", "16/07/2025", "17/07/2025", [0, 0, 0, 0, 0], id="date, no part credit"
        ),
        pytest.param("boolean", "True", "1", [1, 1, 1, 1, 1], id="boolean"),
        pytest.param("id", "ABN 12 345", "12345", [1, 1, 1, 1, 1], id="label of an id"),
        pytest.param("quantity", "2.0", "2", [1, 1, 1, 1, 1], id="quantity"),
        pytest.param(
            "phone", "0299876543", "0299876544", [0, 0.9, 0.8, 0.8, 0], id="phone, one digit"
        ),
        pytest.param("phone", "0299876543", "0299876111", [0, 0.7, 0.5, 0.5, 0], id="phone, three"),
    ],
)
def test_a_single_value_is_scored_by_its_type(
    kind: str, gold: str, pred: str, wanted: list[float]
) -> None:
    assert methods(gold, pred, kind) == wanted


def test_a_tolerance_is_forgiven_by_all_methods_but_exact() -> None:
    kind = {"type": "money", "relative": 0.01}
    assert methods("100.00", "100.50", kind) == [0, 1, 1, 1, 1]


def test_the_floor_of_a_field_replaces_the_usual_one() -> None:
    kind = {"type": "text", "floor": 0.7}
    assert methods("abcdefgh", "abcdexyz", kind) == [0, 0, 0, 0, 0]


def test_anls_of_a_text_sees_what_the_field_strips() -> None:
    stripped = {"type": "text", "strip": ",$%() "}
    assert field("ACME CORPORATION", "Acme Corp", stripped)["anls"] == pytest.approx(8 / 15)
    assert field("ACME CORPORATION", "Acme Corp", "text")["anls"] == pytest.approx(9 / 16)


# lists


@pytest.mark.parametrize(
    ("gold", "pred", "wanted"),
    [
        pytest.param("a | b | c", "a | b | c", [1, 1, 1, 1, 1], id="the same"),
        pytest.param("a | b | c", "b | a | c", [0, 1, 1, 1 / 3, 1], id="two swapped"),
        pytest.param("a | b | c", "a | b", [0, 2 / 3, 0.8, 0.8, 2 / 3], id="one missing"),
        pytest.param("a | b | c", "a | b | c | d", [0, 0.75, 6 / 7, 6 / 7, 0.75], id="one extra"),
        pytest.param("a | b | c", "b | c", [0, 2 / 3, 0.8, 0, 2 / 3], id="shifted by one"),
        pytest.param("a | a | b", "a | b | b", [0, 2 / 3, 2 / 3, 2 / 3, 2 / 3], id="one to one"),
        pytest.param("a | b", "c | d", [0, 0, 0, 0, 0], id="nothing right"),
        pytest.param("a", "a | a", [0, 0.5, 2 / 3, 2 / 3, 0.5], id="one value given twice"),
    ],
)
def test_a_list_is_scored_by_its_items(gold: str, pred: str, wanted: list[float]) -> None:
    assert methods(gold, pred) == pytest.approx(wanted, abs=1e-6)
    assert methods(gold.split(" | "), pred.split(" | ")) == pytest.approx(wanted, abs=1e-6)


def test_a_wrong_item_in_its_place_costs_once_under_the_other_convention() -> None:
    given = ("a | b | c", "b | a | c")
    assert field(*given)["order_aware_f1"] == pytest.approx(1 / 3)
    assert field(*given, substitution="fn")["order_aware_f1"] == pytest.approx(1 / 2)
    extra = ("a | b", "x | b | c")
    assert field(*extra, substitution="fn")["order_aware_f1"] == pytest.approx(2 / (2 + 1 + 1))


@pytest.mark.parametrize(
    ("gold", "pred", "matches"),
    [
        pytest.param("abcdefgh", "abcdefxy", True, id="similarity of 0.75"),
        pytest.param("abcdefgh", "abcdexyz", False, id="similarity of 0.625"),
        pytest.param("red green blue pink", "pink blue green red", True, id="the same words"),
        pytest.param("one two three", "three two one four", True, id="three of four words"),
        pytest.param("one two six", "six two four nine", False, id="two of five words"),
    ],
)
def test_texts_that_are_alike_match_as_items_only_when_options_say_so(
    gold: str, pred: str, matches: bool
) -> None:
    alike = {"item_similarity": 0.75, "item_words": 0.75}
    found = field([gold, "zzzz"], [pred, "zzzz"], "text", **alike)
    assert found["f1"] == (1.0 if matches else 0.5)
    assert field(gold, pred, "text", **alike)["kieval_cost"] == float(matches)
    # without the options the comparator alone decides
    assert field([gold, "zzzz"], [pred, "zzzz"], "text")["f1"] == 0.5


def test_the_likeness_of_items_is_a_setting() -> None:
    lists = (["abcdefgh", "zz"], ["abcdefxy", "zz"])
    assert field(*lists, "text", item_similarity=0.75)["f1"] == 1.0
    assert field(*lists, "text", item_similarity=0.8)["f1"] == 0.5
    words = (["one two three", "zz"], ["three two one four", "zz"])
    assert field(*words, "text", item_words=0.75)["f1"] == 1.0
    assert field(*words, "text", item_words=0.8)["f1"] == 0.5


ITEMS = st.lists(st.sampled_from(["a", "b", "ab", "abc", "abcd", "abce", "xbcd"]), max_size=4)


@given(gold=ITEMS, pred=ITEMS)
def test_of_exact_values_cost_is_aligned_and_f1_is_the_f1_of_entities(
    gold: list[str], pred: list[str]
) -> None:
    report = corpus(
        {"d": ({"f": gold}, {"f": pred})},
        {"fields": {"f": "exact"}},
        metrics=["fields", "kieval", "entity"],
    )
    if not gold and not pred:
        return
    assert value(report, "kieval_cost@f") == pytest.approx(report["kieval.aligned@f"].value)
    assert value(report, "f1@f") == pytest.approx(report["entity.f1@f"].value)


def likeness(gold: str, pred: str) -> float:
    return 1 - Levenshtein.distance(gold, pred) / max(len(gold), len(pred))


def best(golds: list[str], preds: list[str], worth) -> float:
    """The most that a one-to-one pairing is worth, by trying them all."""
    short, long = sorted((golds, preds), key=len)
    return max(
        sum(worth(one, other) for one, other in zip(short, order, strict=True))
        for order in permutations(long, len(short))
    )


@given(gold=ITEMS.filter(bool), pred=ITEMS.filter(bool))
def test_anls_of_lists_is_the_best_assignment(gold: list[str], pred: list[str]) -> None:
    def credit(one: str, other: str) -> float:
        return likeness(one, other) if likeness(one, other) >= 0.5 else 0.0

    wanted = best(gold, pred, credit) / max(len(gold), len(pred))
    assert field(gold, pred, "text")["anls"] == pytest.approx(wanted, abs=1e-8)


@given(gold=ITEMS.filter(lambda one: len(one) > 1), pred=ITEMS.filter(bool))
def test_items_match_one_to_one_and_as_many_as_possible(gold: list[str], pred: list[str]) -> None:
    most = best(gold, pred, lambda one, other: likeness(one, other) >= 0.75)
    found = field(gold, pred, "text", item_similarity=0.75)
    assert found["f1"] == pytest.approx(2 * most / (len(gold) + len(pred)), abs=1e-8)
    assert found["kieval_cost"] == pytest.approx(most / max(len(gold), len(pred)), abs=1e-8)


@given(gold=ITEMS.filter(bool), pred=ITEMS.filter(bool))
def test_order_and_cost_never_score_above_the_order_free_f1(
    gold: list[str], pred: list[str]
) -> None:
    exact, _, free, in_order, cost = methods(gold, pred)
    assert in_order <= free
    assert cost <= free
    assert (exact == 1.0) == (in_order == 1.0) == (gold == pred)


@given(items=ITEMS)
def test_a_list_against_itself_is_perfect_by_every_method(items: list[str]) -> None:
    assert methods(items, items, "text") in ([1.0] * 5, [None] * 5)


def test_a_text_with_a_bar_is_one_value_where_the_schema_says_so() -> None:
    kind = {"type": "text", "list": False}
    assert field("a | b", "b | a", kind)["f1"] == pytest.approx(likeness("a | b", "b | a"))


# absent values and placeholders


@pytest.mark.parametrize(
    ("gold", "pred", "invented", "missed"),
    [
        pytest.param("NOT_FOUND", "a | b", 2, 0, id="every invented item is one too many"),
        pytest.param("a | b | c", "not_found", 0, 3, id="every gold item is missed"),
        pytest.param(None, "a", 1, 0, id="null is absent"),
        pytest.param("", "a", 1, 0, id="the empty text is absent"),
        pytest.param("NOT_FOUND | NOT_FOUND", "a", 1, 0, id="placeholders only are absent"),
    ],
)
def test_a_value_on_one_side_only_scores_nothing(
    gold: object, pred: object, invented: int, missed: int
) -> None:
    report = document({"f": gold}, {"f": pred}, {"fields": {"f": "exact"}})
    assert methods(gold, pred) == [0.0] * 5
    precision, recall = report["fields.precision@f"], report["fields.recall@f"]
    assert (precision.value, precision.support) == (0.0 if invented else None, invented)
    assert (recall.value, recall.support) == (0.0 if missed else None, missed)


@pytest.mark.parametrize("given_", [None, "", "NOT_FOUND", "not_found", "NOT_FOUND | NOT_FOUND"])
def test_what_is_absent_on_both_sides_is_not_scored(given_: object) -> None:
    report = document(
        {"f": given_, "g": "x"},
        {"f": "NOT_FOUND", "g": "x"},
        {"fields": {"f": "text", "g": "text"}},
    )
    assert value(report, "accuracy@f") is None
    assert value(report, "fields_evaluated") == 1
    assert value(report, "absent_agreed") == 1


def test_counting_the_absent_scores_what_both_sides_leave_out() -> None:
    schema = {"fields": {"f": "text", "g": "text"}}
    report = document({"g": "x"}, {"g": "y"}, schema, count_absent=True)
    assert value(report, "accuracy@f") == 1.0
    assert value(report, "overall_accuracy") == 0.5
    assert value(report, "fields_evaluated") == 1


@pytest.mark.parametrize("zero", ["0", "false", "0.00"])
def test_zero_and_false_are_values(zero: str) -> None:
    assert field(zero, "NOT_FOUND")["accuracy"] == 0.0
    assert field(zero, zero)["accuracy"] == 1.0


@pytest.mark.parametrize(
    "items",
    [
        pytest.param("NOT_FOUND | $111.69 | NOT_FOUND", id="around"),
        pytest.param("NOT_FOUND | NOT_FOUND | 5", id="leading"),
        pytest.param("5 | NOT_FOUND | 7", id="inner"),
        pytest.param("5 | NOT_FOUND", id="trailing"),
    ],
)
def test_placeholders_hold_their_slots_and_are_no_items(items: str) -> None:
    assert methods(items, items, "money") == [1.0] * 5
    assert field(items, items, "money")["precision"] == 1.0


@pytest.mark.parametrize(
    ("gold", "pred", "in_order"),
    [
        pytest.param("a | NOT_FOUND | b", "a | b", 0.5, id="inner"),
        pytest.param("NOT_FOUND | a | b", "a | b", 0.0, id="leading"),
        pytest.param("a | b | NOT_FOUND", "a | b", 1.0, id="trailing"),
    ],
)
def test_a_lost_placeholder_moves_what_follows(gold: str, pred: str, in_order: float) -> None:
    found = field(gold, pred)
    assert found["f1"] == found["kieval_cost"] == 1.0
    assert found["order_aware_f1"] == in_order


# several right values, methods of fields, settings


def test_any_of_several_right_values_will_do() -> None:
    gold = {"any_of": ["Acme Ltd", "Acme Limited"]}
    assert methods(gold, "ACME LIMITED", "text") == [1.0] * 5
    assert field(gold, "Acme Limitex", "text")["f1"] == pytest.approx(11 / 12)
    assert field([gold, "zz"], ["zz", "acme ltd"], "text")["f1"] == 1.0


def test_a_field_may_have_a_method_of_its_own() -> None:
    schema = {"fields": {"f": {"type": "exact", "method": "f1"}, "g": "exact"}}
    swapped = ("a | b", "b | a")
    report = document(
        {"f": swapped[0], "g": swapped[0]},
        {"f": swapped[1], "g": swapped[1]},
        schema,
        method="order_aware_f1",
    )
    assert value(report, "accuracy@f") == 1.0
    assert value(report, "accuracy@g") == 0.0
    assert value(report, "overall_accuracy") == 0.5


@pytest.mark.parametrize("method", METHODS)
def test_the_chosen_method_makes_the_accuracies(method: str) -> None:
    pair = ({"f": "abcdefgh", "g": ["a", "b", "c"]}, {"f": "abcdefgx", "g": ["b", "a", "c"]})
    report = document(*pair, {"fields": {"f": "text", "g": "text"}}, method=method)
    assert value(report, "overall_accuracy") == value(report, method)
    assert value(report, "mean_field_accuracy") == pytest.approx(value(report, method))


@pytest.mark.parametrize(
    ("setting", "given_"),
    [
        ("method", "f2"),
        ("substitution", "none"),
        ("matched_above", 1.5),
        ("item_similarity", -0.1),
        ("pilot_ready", 0.95),
        ("good_field", 0.4),
    ],
)
def test_a_setting_that_cannot_work_is_refused(setting: str, given_: object) -> None:
    with pytest.raises(da.ConfigurationError, match="fields"):
        document({}, {}, **{setting: given_})


def test_a_method_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(da.UnknownName, match="kieval_cost") as caught:
        document({}, {}, method="kieval")
    assert "order_aware_f1" in str(caught.value)


def test_matched_means_strictly_more_than_the_threshold() -> None:
    ten = ("abcdefghij", "abcdefghix")
    assert field(*ten, "text")["fields_matched"] == 0
    assert field(*ten, "text", matched_above=0.89)["fields_matched"] == 1
    assert field("a", "a", "text", matched_above=1.0)["fields_matched"] == 0


# documents: types, coverage, inventions


@pytest.mark.parametrize(
    ("kind", "total"), [("INVOICE", 14), ("receipt", 14), ("Bank Statement", 5), ("estimate", 14)]
)
def test_the_type_of_gold_says_how_many_fields_there_are(kind: str, total: int) -> None:
    report = document({"DOCUMENT_TYPE": kind}, {}, "business")
    assert value(report, "total_fields") == total


def test_a_statement_taken_for_an_invoice_does_not_gain() -> None:
    gold = {
        **STATEMENT,
        "STATEMENT_DATE_RANGE": "01/07/2025 - 31/07/2025",
        "TRANSACTION_DATES": "16/07/2025 | 17/07/2025",
        "LINE_ITEM_DESCRIPTIONS": "Coffee | Lunch",
        "TRANSACTION_AMOUNTS_PAID": "5.00 | 7.00",
    }
    wrong = {name: "wrong" for name in gold}
    right_but_type = {**gold, "DOCUMENT_TYPE": "INVOICE"}
    assert value(document(gold, {**wrong, **STATEMENT}, "business"), "overall_accuracy") == 0.2
    assert value(document(gold, {**wrong, **INVOICE}, "business"), "overall_accuracy") == 0.0
    assert value(document(gold, right_but_type, "business"), "overall_accuracy") == 0.8
    assert (
        value(document(gold, {**INVOICE, "TOTAL_AMOUNT": "5"}, "business"), "overall_accuracy") == 0
    )


def test_an_unscored_field_counts_nowhere() -> None:
    gold = {**STATEMENT, "ACCOUNT_BALANCE": "1 | 2", "TRANSACTION_AMOUNTS_PAID": "5 | 6"}
    report = document(gold, {**gold, "ACCOUNT_BALANCE": "8 | 9"}, "business")
    assert value(report, "overall_accuracy") == 1.0
    assert value(report, "fields_extracted") == 2
    assert report.problems == ()


def test_a_predicted_field_that_the_type_does_not_list_is_a_problem_and_no_more() -> None:
    gold = {**STATEMENT, "STATEMENT_DATE_RANGE": "01/07/2025 - 31/07/2025"}
    report = document(gold, {**gold, "TOTAL_AMOUNT": "5", "BUSINESS_ABN": "7"}, "business")
    assert value(report, "overall_accuracy") == 1.0
    assert value(report, "hallucination_rate") == 0.0
    assert [one.message for one in report.problems] == [
        "fields: predicted 2 fields that are not listed for the document type: not scored"
    ]


def test_coverage_and_inventions_are_shares_of_what_gold_has_and_lacks() -> None:
    schema = {"fields": dict.fromkeys("abcdef", "text")}
    gold = {"a": "x", "b": "x", "c": "x", "d": "NOT_FOUND"}
    pred = {"a": "x", "b": "wrong", "d": "invented"}
    report = document(gold, pred, schema)
    assert value(report, "coverage") == pytest.approx(2 / 3)
    assert value(report, "hallucination_rate") == pytest.approx(1 / 3)
    assert value(report, "fields_extracted") == 3
    assert value(report, "fields_evaluated") == 4
    assert value(report, "absent_agreed") == 2


def test_the_three_accuracies_differ_as_their_names_say() -> None:
    pairs = {
        "one": ({"a": "x"}, {"a": "x"}),
        "two": ({"a": "x", "b": "x", "c": "x"}, {"a": "wrong", "b": "wrong", "c": "x"}),
    }
    report = corpus(pairs)
    assert value(report, "overall_accuracy") == pytest.approx((1 + 1 / 3) / 2)
    assert value(report, "mean_field_accuracy") == pytest.approx((1 / 2 + 0 + 1) / 3)
    assert value(report, "pooled_accuracy") == pytest.approx(2 / 4)


ROWS_IN_ORDER = {"groups": {"g": {"match": "order", "fields": {"n": "text", "p": "money"}}}}


@pytest.mark.parametrize(
    ("gold", "pred", "schema", "perfect"),
    [
        ({"a": "Acme Ltd"}, {"a": "acme ltd"}, {"fields": {"a": "text"}}, True),
        ({"a": "a" * 100}, {"a": "a" * 99 + "b"}, {"fields": {"a": "text"}}, False),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, {"fields": {"a": "text"}}, True),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, {"fields": {"a": {"match": "order"}}}, False),
        ({"a": "x"}, {"a": "x", "b": "y"}, None, False),
        ({"a": "x", "b": "y"}, {"a": "x"}, None, False),
        (
            {"g": [{"n": "Tea", "p": "3"}, {"n": "Rye", "p": "7"}]},
            {"g": [{"n": "Rye", "p": "3"}, {"n": "Tea", "p": "7"}]},
            None,
            False,
        ),
        (
            {"g": [{"n": "Tea", "p": "3"}, {"n": "Rye", "p": "7"}]},
            {"g": [{"n": "Rye", "p": "7"}, {"n": "Tea", "p": "3"}]},
            ROWS_IN_ORDER,
            False,
        ),
        (
            {"g": [{"n": "Tea", "p": "3"}, {"n": "Rye", "p": "7"}]},
            {"g": [{"n": "Rye", "p": "7"}, {"n": "Tea", "p": "3"}]},
            None,
            True,
        ),
    ],
)
def test_a_document_is_perfect_when_every_evaluated_field_is_equal(
    gold: dict[str, object], pred: dict[str, object], schema: object, perfect: bool
) -> None:
    report = da.score({"d": gold}, {"d": pred}, schema=schema)
    assert report["fields.perfect_documents"].value == report["documents"].value == int(perfect)


@pytest.mark.parametrize(
    ("schema", "method"),
    [
        (None, "f1"),
        ({"fields": {"f": {"match": "order"}}, **ROWS_IN_ORDER}, "order_aware_f1"),
        ({"fields": {"f": {"match": "set"}}, "groups": {"g": {"match": "best"}}}, "f1"),
        # a column stands in the order of its rows, whatever is said of several values in a cell
        ({"fields": {"f": "text"}, "groups": {"g": {"fields": {"n": {"match": "order"}}}}}, "f1"),
    ],
)
def test_order_counts_for_a_list_whose_schema_says_so_and_for_no_other(
    schema: object, method: str
) -> None:
    gold = {"f": ["a", "b", "c"], "g": [{"n": "x"}, {"n": "y"}, {"n": "z"}]}
    pred = {"f": ["b", "a", "c"], "g": [{"n": "y"}, {"n": "x"}, {"n": "z"}]}
    report = da.score({"d": gold}, {"d": pred}, schema=schema)
    for path in ("f", "g.n"):
        expected = report[f"fields.{method}@{path}"].value
        assert report[f"fields.accuracy@{path}"].value == expected
        assert report[f"fields.order_aware_f1@{path}"].value == pytest.approx(1 / 3)
        assert report[f"aligned@{path}"].value == pytest.approx(1.0 if method == "f1" else 1 / 3)


def test_weights_act_in_the_weighted_accuracy_alone() -> None:
    schema = {"fields": {"a": {"type": "text", "weight": 3}, "b": "text"}}
    report = document({"a": "x", "b": "x"}, {"a": "x", "b": "wrong"}, schema)
    assert value(report, "weighted_accuracy") == 0.75
    assert value(report, "overall_accuracy") == value(report, "pooled_accuracy") == 0.5


def test_a_field_has_the_spread_of_its_scores_over_documents() -> None:
    pairs = {str(n): ({"a": "x"}, {"a": "x" if n else "wrong"}) for n in range(4)}
    report = corpus(pairs)
    assert value(report, "accuracy@a") == 0.75
    assert value(report, "deviation@a") == pytest.approx(0.5)


# groups


def rows(*cells: tuple[str, ...]) -> dict[str, str]:
    """An invoice with line items as columns: description, quantity, price."""
    names = ("LINE_ITEM_DESCRIPTIONS", "LINE_ITEM_QUANTITIES", "LINE_ITEM_PRICES")
    columns = zip(*cells, strict=True)
    return {**INVOICE, **dict(zip(names, map(" | ".join, columns), strict=True))}


GOLD_ROWS = (("chair", "2", "10.00"), ("lamp", "1", "20.00"), ("table", "3", "30.00"))


def test_whole_rows_in_another_order_still_go_together() -> None:
    report = document(rows(*GOLD_ROWS), rows(*reversed(GOLD_ROWS)), "business")
    assert value(report, "correlation_f1@line_items") == 1.0
    assert value(report, "correlation_f1") == 1.0
    assert value(report, "f1@line_items.price") == 1.0
    assert value(report, "order_aware_f1@line_items.price") == pytest.approx(1 / 3)


def test_values_swapped_between_rows_lose() -> None:
    swapped = (("chair", "2", "20.00"), ("lamp", "1", "10.00"), ("table", "3", "30.00"))
    report = document(rows(*GOLD_ROWS), rows(*swapped), "business")
    assert value(report, "f1@line_items.price") == 1.0
    assert value(report, "correlation_f1@line_items") == pytest.approx((1 + 1 / 3) / 2)


def test_a_row_too_many_lowers_columns_and_rows() -> None:
    report = document(rows(*GOLD_ROWS), rows(*GOLD_ROWS, ("stool", "1", "5")), "business")
    assert value(report, "correlation_f1@line_items") == pytest.approx(6 / 7)


def test_a_column_on_one_side_only_counts_in_the_correlation() -> None:
    gold = {**INVOICE, "LINE_ITEM_DESCRIPTIONS": "chair | lamp"}
    report = document(gold, {**gold, "LINE_ITEM_PRICES": "1 | 2"}, "business")
    assert value(report, "correlation_f1@line_items") == pytest.approx((1 / 2 + 0) / 2)


def test_a_field_outside_groups_contributes_its_f1_to_the_correlation() -> None:
    gold = {**rows(*GOLD_ROWS), "TOTAL_AMOUNT": "60"}
    report = document(gold, {**gold, "TOTAL_AMOUNT": "61"}, "business")
    # type, total and the group: three equal parts
    assert value(report, "correlation_f1") == pytest.approx(2 / 3)


def test_rows_as_objects_score_as_columns_do() -> None:
    names = ("description", "quantity", "price")
    pred_rows = (("lamp", "1", "20.00"), ("chair", "NOT_FOUND", "10.00"))

    def nested(cells: tuple) -> dict[str, object]:
        return {**INVOICE, "line_items": [dict(zip(names, row, strict=True)) for row in cells]}

    as_columns = document(rows(*GOLD_ROWS), rows(*pred_rows), "business")
    as_objects = document(nested(GOLD_ROWS), nested(pred_rows), "business")
    mixed = document(rows(*GOLD_ROWS), nested(pred_rows), "business")
    told = [
        [(one.address, one.value) for one in report.scores]
        for report in (as_columns, as_objects, mixed)
    ]
    assert told[0] == told[1] == told[2]


ORDER = {
    "types": {"order": {"fields": ["total", "items"]}},
    "fields": {"total": "money"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
}


def test_a_group_named_in_a_type_stands_for_its_columns() -> None:
    gold = {"DOCUMENT_TYPE": "order", "total": "5", "items": [{"name": "pear", "price": "5"}]}
    report = document(gold, {**gold, "items": [{"name": "pear", "price": "6"}]}, ORDER)
    assert value(report, "total_fields") == 3
    assert value(report, "accuracy@items.price") == 0.0
    assert value(report, "accuracy@items.name") == 1.0


def test_a_shared_column_belongs_to_the_group_that_the_type_of_gold_lists() -> None:
    for kind, path in ((INVOICE, "line_items"), (STATEMENT, "transactions")):
        tree = {**kind, "LINE_ITEM_DESCRIPTIONS": "a | b"}
        assert value(document(tree, tree, "business"), f"accuracy@{path}.description") == 1.0


def test_rows_inside_rows_have_columns_and_rows_of_their_own() -> None:
    gold = {"menu": [{"nm": "tea", "sub": [{"nm": "milk"}, {"nm": "lemon"}]}, {"nm": "cake"}]}
    pred = {
        "menu": [{"nm": "tea", "sub": [{"nm": "milk"}]}, {"nm": "cake", "sub": [{"nm": "lemon"}]}]
    }
    report = document(gold, pred)
    assert value(report, "f1@menu.sub.nm") == 1.0
    assert value(report, "order_aware_f1@menu.sub.nm") == pytest.approx(0.5)
    # lemon stands in another parent: one of two rows is right on either side
    assert value(report, "correlation_f1@menu.sub") == pytest.approx((1 + 0.5) / 2)
    assert value(report, "correlation_f1@menu") == 1.0


# the whole


@given(parts=st.lists(st.tuples(ITEMS, ITEMS), min_size=2, max_size=4), cut=st.integers(1, 3))
def test_splitting_and_joining_changes_no_digit(parts: list, cut: int) -> None:
    def scorer(numbers: range) -> Scorer:
        one = Scorer(metrics=["fields"], types="text")
        for number in numbers:
            one.add(str(number), {"f": parts[number][0]}, {"f": parts[number][1]})
        return one

    size = len(parts)
    whole = scorer(range(size)).ledger()
    halves = join(
        [scorer(range(min(cut, size))).ledger(), scorer(range(min(cut, size), size)).ledger()]
    )
    assert build(halves).scores == build(whole).scores


def test_without_a_schema_values_are_equal_or_not_except_for_anls() -> None:
    gold, pred = {"f": "abcdefgh", "g": ["ab cd", "x"]}, {"f": "abcdefgx", "g": ["ab ce", "x"]}
    report = da.score({"d": gold}, {"d": pred}, metrics=["fields"], types="text")
    found = {name: value(report, f"{name}@f") for name in COLUMNS}
    assert found == {"exact": 0, "anls": 0.875, "f1": 0, "order_aware_f1": 0, "kieval_cost": 0}
    assert value(report, "f1@g") == 0.5
    assert value(report, "anls@g") == pytest.approx((0.8 + 1) / 2)


def test_a_missing_prediction_scores_nothing() -> None:
    gold = {"f": "x", "g": ["a", "b"]}
    report = da.score({"d": gold, "e": gold}, {"e": gold}, metrics=["fields"])
    assert value(report, "overall_accuracy") == 0.5
    assert value(report, "coverage") == 0.5


def test_the_reference_names_every_readout_and_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "fields.md").read_text("utf-8")
    weighed = {**ORDER, "fields": {"total": {"type": "money", "weight": 2, "category": "c"}}}
    tree = {"DOCUMENT_TYPE": "order", "total": "5", "items": [{"price": "5"}]}
    names = {one.readout for one in document(tree, tree, weighed).scores}
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {word for row in rows for word in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert names | METRICS.get("fields").options.keys() <= told


TEXTS = st.lists(st.sampled_from(["ab", "cd", "ef"]), min_size=1, max_size=4).map(" ".join)


@given(golds=st.lists(st.lists(TEXTS, min_size=1, max_size=2), max_size=4), preds=st.lists(TEXTS))
def test_items_of_lists_match_exactly_where_two_of_them_would(
    golds: list[list[str]], preds: list[str]
) -> None:
    judge = Judge(BoundField(Field("f", "text"), Schema()), STRICT)
    texts = judge.field.readings
    ours = tuple(
        texts[first].located(alternatives=tuple(texts[one] for one in (first, *more)))
        for first, *more in golds
    )
    theirs = tuple(texts[pred] for pred in preds)
    expected = [[judge.item_matches(gold, pred) for pred in theirs] for gold in ours]
    assert judge._item_matrix(ours, theirs).tolist() == expected


def test_lists_beyond_the_limit_are_compared_in_parts_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = {"d": {"tags": [f"tag {i}" for i in range(30)]}}
    pred = {"d": {"tags": [f"tag {i}" if i % 3 else f"tog {i}" for i in range(30)]}}
    whole = da.score(gold, pred, metrics=["fields"], types="text")
    monkeypatch.setattr("docassay.metrics.fields.methods.MAX_CELLS", 100)
    monkeypatch.setattr("docassay.metrics.fields.methods.BLOCK_CELLS", 16)
    parted = da.score(gold, pred, metrics=["fields"], types="text")
    assert not whole.problems
    assert [(one.code, one.document) for one in parted.problems] == [("metric-limit", "d")]
    assert "1 list is too long" in parted.problems[0].message
    # equal texts are settled before anything is cut: 20 of 30 items match either way
    assert parted["fields.f1"].value == pytest.approx(whole["fields.f1"].value) == 20 / 30
    assert 20 / 30 < parted["fields.anls"].value <= whole["fields.anls"].value


def only_texts_matter(text: str) -> Sense:
    raise AssertionError(text)


@given(
    sizes=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    seed=st.integers(0, 99),
    limit=st.integers(1, 50),
)
def test_parts_hold_every_item_once_and_few_pairs(
    sizes: tuple[int, int], seed: int, limit: int
) -> None:
    from docassay.metrics.fields import methods

    dice = random.Random(seed)
    golds, preds = (
        tuple(Reading(str(dice.randrange(9)), only_texts_matter) for _ in range(n)) for n in sizes
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(methods, "MAX_CELLS", 0)
        patch.setattr(methods, "BLOCK_CELLS", limit)
        equal, blocks = methods.parted(golds, preds)
    assert equal == (Counter(g.text for g in golds) & Counter(p.text for p in preds)).total()
    for side, all_items in enumerate((golds, preds)):
        held = [reading.text for block in blocks for reading in block[side]]
        assert Counter(held) <= Counter(reading.text for reading in all_items)
        assert len(held) <= len(all_items) - equal
    assert all(len(g) * len(p) <= 4 * limit + max(sizes) for g, p in blocks)
