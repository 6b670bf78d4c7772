"""Details of metrics that wider tests pass over, each computed by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import docassay as da
from docassay.errors import ConfigurationError
from docassay.matching.case import make_case
from docassay.metrics.causes import FACTOR, OTHER
from docassay.metrics.causes.corrections import _lists
from docassay.metrics.causes.losses import fixed
from docassay.metrics.causes.rows import _holds, pairs_of
from docassay.metrics.causes.values import cause_of
from docassay.metrics.fields.display import (
    checklist,
    confusions,
    field_bars,
)
from docassay.metrics.fields.levels import LeadDocument, document_levels, lead, readiness
from docassay.metrics.fields.rows import row_scores
from docassay.metrics.fields.summary import summary
from docassay.metrics.metric import METRICS, Context, Metric, OwnRow, View
from docassay.metrics.ner import alignment
from docassay.metrics.ner.alignment import PAIR, _trace, align_characters, plain_steps
from docassay.metrics.ner.counts import _largest, statistics
from docassay.metrics.ner.metric import settings_of
from docassay.metrics.sides import Side
from docassay.metrics.trade_off import Point, area
from docassay.metrics.tree.anls_rows import Leaf, table_of_rows
from docassay.metrics.tree.anls_star import assign_first_come
from docassay.metrics.tree.metric import plain_tree
from docassay.metrics.tree.nted import nted
from docassay.model.chart import Bar, HeatMap, Stacks
from docassay.model.document import MAX_DEPTH, Block
from docassay.model.problem import Violation
from docassay.model.report import LazyInterval, Score, Section
from docassay.model.schema import Field, Schema
from docassay.run.open import prepare
from docassay.schema.source import load_schema
from docassay.values.field import BoundField

OPTIONS = METRICS.get("fields").options


def view_of(*scores: Score, rows: tuple[OwnRow, ...] = ()) -> View:
    return View(scores, Context(len(rows), None, OPTIONS), lambda: iter(rows))


def own_metrics() -> list[Metric]:
    """The metrics of this room, without those that repeat another program."""
    return [
        one for one in METRICS.entries() if one.function.__module__.startswith("docassay.metrics.")
    ]


# ---------------------------------------------------------------- what metrics declare

COLUMNS = """
field           0  documents      kieval.documents_exact
field           1  documents      fields.overall_accuracy
field          10  aligned        kieval.aligned
field          11  auto rate      kieval.auto_rate
field          12  aligned, τ     kieval.aligned_tau
field          20  field acc.     fields.accuracy
field          21  field acc.     fields.overall_accuracy
field          30  F1 in its row  kieval.entity_f1
field          40  entity F1      entity.f1                 unless F1 in its row
field          45  hybrid         hybrid.score
field          46  NED            hybrid.ned
field          50  gold           kieval.entity_recall
field          51  gold           entity.recall
field          52  right          kieval.tp                 unless field acc.
field          53  right          entity.tp                 unless field acc.
field          60  ≠ subst        kieval.substitutions
field          61  + add          kieval.additions
field          62  − delete       kieval.deletions
field          80  ECE            confidence.ece
field          81  Brier          confidence.brier
field          82  AUROC          confidence.auroc
field          85  ANLS*          tree.anls_star
field          91  ±              fields.deviation          unless aligned
field          92  exact          fields.exact              unless aligned
field          93  F1             fields.f1                 unless aligned
field          94  precision      fields.precision          unless aligned
field          95  recall         fields.recall             unless aligned
field          96  n              fields.accuracy           unless aligned
group          10  group F1       kieval.group_f1
group          20  precision      kieval.group_precision
group          30  recall         kieval.group_recall
group          40  in gold        kieval.group_recall
group          41  in pred        kieval.group_precision
group          50  fully correct  kieval.group_tp
group          70  correlation    fields.correlation_f1
field category 10  accuracy       fields.category_accuracy
field category 20  scores         fields.category_accuracy
document type  10  accuracy       fields.type_accuracy
document type  20  documents      fields.type_accuracy
category        1  gold           ner.oiecer
category        2  gold           ner.be_recall
category       10  CER            ner.cer
category       20  ECER           ner.ecer
category       30  OIECER         ner.oiecer
category       40  Nerval F1      ner.nerval_f1
category       50  OINerval F1    ner.oinerval_f1
category       60  entities F1    ner.be_f1
field          84  in source      grounded.predicted
field          85  predicted      grounded.predicted
field          86  gold in source grounded.gold
field          88  located F1     located.f1
field          89  boxes          located.f1
field          90  in place       located.placed
field          92  typed          valid.typed
field          93  required       valid.required
field          94  documents      valid.typed
field          95  not added      valid.extra
relation       10  link F1        linking.f1
relation       11  precision      linking.precision
relation       12  recall         linking.recall
relation       20  links          linking.f1
relation       21  right          linking.tp
rule           10  gold checked   rules.gold_checked
rule           20  gold broken    rules.gold_broken
rule           30  pred checked   rules.pred_checked
rule           40  pred broken    rules.pred_broken
name           10  vrdu F1        vrdu.f1
name           11  vrdu F1        vrdu.micro_f1
name           20  precision      vrdu.precision
name           30  recall         vrdu.recall
name           40  gold           vrdu.recall
name           50  grouping loss  vrdu.grouping_loss
category 1000.0  oinerval precision  ner.oinerval_precision
category 1000.0  oinerval recall  ner.oinerval_recall
"""
CSV_COLUMNS = """
0 aligned            value   kieval.aligned
1 mean               value   fields.accuracy
2 standard_deviation value   fields.deviation
3 low                low     fields.accuracy
4 high               high    fields.accuracy
5 n                  support fields.accuracy
6 precision          value   fields.precision
7 recall             value   fields.recall
8 gold_values        support kieval.entity_recall
9 gold_values        support entity.recall
"""


def test_columns_stand_where_plugins_may_count_on_them() -> None:
    places = []
    for metric in own_metrics():
        for spec in metric.specs.values():
            name = f"{metric.name}.{spec.name}"
            offers = [] if spec.column is None else [(spec.column, spec.label, spec.unless)]
            for place, label, unless in (*offers, *([spec.support] if spec.support else [])):
                beside = f"unless {', '.join(unless)}" if unless else ""
                places.append(f"{spec.kind} {place} {label} {name} {beside}".split())
    assert sorted(places) == sorted(line.split() for line in COLUMNS.strip().splitlines())


def test_columns_of_csv_files_stand_where_plugins_may_count_on_them() -> None:
    places = [
        [f"{column.place}", column.head, column.attribute, f"{metric.name}.{spec.name}"]
        for metric in own_metrics()
        for spec in metric.specs.values()
        for column in spec.csv
    ]
    assert sorted(places) == [line.split() for line in CSV_COLUMNS.strip().splitlines()]


RULES = {
    "fields": {"a": {"weight": 2}, "b": {}},
    "groups": {"g": {"fields": {"n": {}}}},
    "rules": [{"name": "same", "check": "a == b"}, {"name": "self", "check": "a == a"}],
}


def test_headlines_stand_where_plugins_may_count_on_them() -> None:
    tree = {"a": "1", "b": "2", "g": [{"n": "1"}]}
    metrics = ["entity", "fields", "hybrid", "kieval", "rules"]
    report = da.score({"d": tree}, {"d": tree}, schema=RULES, metrics=metrics)
    assert {line.readout: line.place for line in report.headline} == {
        "kieval.aligned": 10,
        "kieval.corrections": 11,
        "kieval.documents_exact": 13,
        "kieval.weighted_aligned": 20,
        "entity.f1": 30,
        "kieval.entity_f1": 40,
        "kieval.group_f1": 50,
        "kieval.structure_gap": 60,
        "fields.overall_accuracy": 200,
        "fields.mean_field_accuracy": 201,
        "fields.pooled_accuracy": 202,
        "fields.weighted_accuracy": 203,
        "fields.fields_matched": 204,
        "fields.coverage": 205,
        "fields.hallucination_rate": 206,
        "hybrid.score": 300,
        "rules.gold_holds": 400,
        "rules.pred_holds": 401,
    }


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hybrid", {"max_pairs": 10_000_000, "weight": 0.5}),
        ("kieval", {"flatten": False, "tau": None}),
        ("tree", {"only": (), "max_cells": 500_000_000, "max_pairs": 12_000_000}),
        (
            "causes",
            {
                "rescore": True,
                "method": "auto",
                "substitution": "both",
                "item_similarity": 0.0,
                "item_words": 0.0,
                "count_absent": False,
                "flatten": False,
            },
        ),
        (
            "effort",
            {
                "substitution_minutes": 0.5,
                "addition_minutes": 0.75,
                "deletion_minutes": 0.25,
                "review_minutes": 1.0,
                "hourly_rate": 0.0,
                "currency": "",
            },
        ),
        (
            "fields",
            {
                "method": "auto",
                "substitution": "both",
                "matched_above": 0.9,
                "item_similarity": 0.0,
                "item_words": 0.0,
                "count_absent": False,
                "deployment_ready": 0.9,
                "pilot_ready": 0.8,
                "needs_optimization": 0.7,
                "excellent_field": 0.9,
                "good_field": 0.8,
                "poor_field": 0.5,
            },
        ),
        (
            "ner",
            {
                "threshold": 0.3,
                "thresholds": (),
                "only": (),
                "max_chars": 200_000,
                "max_pairs": 50_000_000,
                "macro": False,
            },
        ),
    ],
)
def test_options_have_the_defaults_that_the_documentation_states(
    name: str, options: dict[str, object]
) -> None:
    assert METRICS.get(name).options == options


def test_ner_counts_with_the_default_threshold_when_none_is_given() -> None:
    assert settings_of().thresholds == (300_000_000,)
    assert settings_of()[2:] == (200_000, 50_000_000)


# ---------------------------------------------------------------- fields

OVERALL_SCORES = [
    Score("fields", "overall_accuracy", "", "", 0.85, 2),
    Score("fields", "perfect_documents", "", "", 1, 2),
]
FIELD_SCORES = [
    Score("fields", "accuracy", key, "", value, support)
    for key, value, support in [
        ("a", 1.0, 4),
        ("b", None, 9),
        ("c", 0.5, 2),
        ("d", 0.5, 3),
        ("e", 0.5, 2),
        ("f", 0.0, 1),
        ("g", -0.5, 1),
    ]
]


def test_the_weakest_fields_come_first_then_the_best_supported_and_those_without_value_last() -> (
    None
):
    assert [score.key for score in lead(view_of(*OVERALL_SCORES, *FIELD_SCORES)).fields] == [
        "g",
        "f",
        "d",
        "c",
        "e",
        "a",
        "b",
    ]


def test_confusions_are_sorted_by_the_type_of_gold_and_then_of_pred() -> None:
    scores = [
        Score("fields", "type_confusion", " ".join(parts), "", value, 5, parts=parts)
        for parts, value in [(("b", "a"), 3), (("a", "b"), 1), (("a", "a"), 2)]
    ]
    assert confusions(view_of(*scores)) == [("a", "a", 2), ("a", "b", 1), ("b", "a", 3)]


@pytest.mark.parametrize(
    ("accuracy", "clause"),
    [
        (0.95, "at least deployment_ready (0.90)"),
        (0.9, "at least deployment_ready (0.90)"),
        (0.85, "below deployment_ready (0.90) and at least pilot_ready (0.80)"),
        (0.7, "below pilot_ready (0.80) and at least needs_optimization (0.70)"),
        (0.1, "below needs_optimization (0.70)"),
    ],
)
def test_readiness_names_the_bounds_on_either_side(accuracy: float, clause: str) -> None:
    assert readiness(accuracy, OPTIONS) == clause


def test_a_document_counts_at_the_highest_bound_that_it_reaches() -> None:
    documents = [
        LeadDocument("", "", score, score == 1, {})
        for score in (1.0, 1.0, 0.95, 0.9, 0.85, 0.7, 0.3, 0.2, 0.1)
    ]
    assert document_levels(documents, OPTIONS) == {
        "fully correct": 2,
        "deployment_ready (≥ 0.90)": 2,
        "pilot_ready (≥ 0.80)": 1,
        "needs_optimization (≥ 0.70)": 1,
        "below 0.70": 3,
    }


def test_bars_have_the_level_of_their_field_and_leave_out_those_without_value() -> None:
    scores = [
        Score("fields", "accuracy", "a", "", 0.85, 4, LazyInterval.of(0.8, 0.9)),
        Score("fields", "accuracy", "b", "", None, 0),
    ]
    view = view_of(*OVERALL_SCORES, *scores)
    drawn = field_bars(lead(view), view)
    assert drawn.title == "Accuracy by field, 0 documents"
    assert drawn.bars == (Bar("a", 0.85, 0.8, 0.9, 4, "good"),)
    assert drawn.thresholds == (("excellent", 0.9), ("good", 0.8), ("poor below", 0.5))


def test_a_heat_map_has_the_weakest_field_and_the_worst_document_first() -> None:
    gold = {"x": {"a": "1", "b": "2"}, "y": {"a": "1", "b": "2"}}
    pred = {"x": {"a": "1", "b": "2"}, "y": {"a": "1", "b": "9"}}
    details = da.score(gold, pred, metrics=["fields"]).details
    drawn = {picture.name: picture.drawing for picture in details.pictures}
    assert drawn["field-by-document"] == HeatMap(
        "Accuracy by field and document, 2 documents",
        ("b", "a"),
        ("y", "x"),
        ((0.0, 1.0), (1.0, 1.0)),
    )


def test_the_checklist_holds_fields_against_the_bound_of_excellent_ones() -> None:
    field = Score("fields", "accuracy", "a", "", 0.85, 2)
    assert [*checklist(view_of(*OVERALL_SCORES, field))] == [
        Section(
            "Overall",
            (
                "deployment_ready: not reached, 0.8500 against 0.90",
                "pilot_ready: reached, 0.8500 against 0.80",
                "needs_optimization: reached, 0.8500 against 0.70",
                "documents: 1 of 2 documents fully correct",
            ),
        ),
        Section(
            "Fields, weakest first",
            (("", "a", ": not reached, 0.8500 against 0.90, good (2 documents)"),),
            below=("A field is ready from excellent_field (0.90) on.",),
        ),
    ]


def test_the_summary_ranks_fields_from_either_end_and_keeps_nine_digits() -> None:
    scores = [
        Score("fields", "overall_accuracy", "", "", 0.5, 2),
        Score("fields", "pooled_accuracy", "", "", 1 / 3, 1),
        Score("fields", "perfect_documents", "", "", 0, 2),
        *FIELD_SCORES[:6],
    ]
    facts = summary(scores, [("x", 0.5), ("y", 0.5)], None)
    assert facts["overall_correct"] == 0.333333333
    stats = facts["summary_stats"]
    assert [name for name, _ in stats["best_fields"]] == ["a", "d", "c", "e", "f"]
    assert [name for name, _ in stats["worst_fields"]] == ["f", "d", "c", "e", "a"]
    assert (facts["best_performing_image"], facts["worst_performing_image"]) == ("x", "x")


@pytest.mark.parametrize("name", ["matched_above", "item_words", "poor_field"])
@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_a_bound_that_is_no_share_is_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigurationError, match=f"{value} is not between 0 and 1"):
        da.score(
            {"d": {"a": "1"}}, {"d": {}}, metrics=["fields"], settings={f"fields.{name}": value}
        )


def test_a_cell_that_nobody_judges_leaves_its_row_right() -> None:
    rows = {"g": [{"n": "1"}]}, {"g": [{"n": "2"}]}
    case = make_case("x", *rows, prepare(schema=None).layouts)
    assert row_scores(case, lambda path: None) == {"g": 1.0}


# ---------------------------------------------------------------- rules


def test_the_rules_that_a_side_breaks_are_listed() -> None:
    gold, pred = {"a": "1", "b": "2"}, {"a": "1", "b": "1"}
    report = da.score({"d": gold}, {"d": pred}, schema=RULES, metrics=["rules"])
    assert report.violations == (Violation("d", "gold", "same", "a is '1', b is '2'"),)


# ---------------------------------------------------------------- effort


@pytest.mark.parametrize(
    ("settings", "whole", "saved", "head", "rows"),
    [
        pytest.param(
            {},
            "29.2 hours",
            "8.3 hours",
            ("field, most hours first", "hours", "corrections"),
            (("a", "8.3", "1"), ("c", "4.2", "1")),
            id="no cost without a rate",
        ),
        pytest.param(
            {"effort.hourly_rate": 60, "effort.currency": "EUR"},
            "29.2 hours (EUR 1,750.00)",
            "8.3 hours (EUR 500.00)",
            ("field, most hours first", "hours", "cost", "corrections"),
            (("a", "8.3", "EUR 500.00", "1"), ("c", "4.2", "EUR 250.00", "1")),
            id="with a rate",
        ),
    ],
)
def test_hours_and_cost_are_told_with_what_they_assume(
    settings: dict[str, object],
    whole: str,
    saved: str,
    head: tuple[str, ...],
    rows: tuple[tuple[str, ...], ...],
) -> None:
    # half a minute for a, a quarter for c, a minute to look: 1.75 minutes, 29.2 hours for 1,000
    gold, pred = {"a": "1", "b": "2"}, {"a": "9", "b": "2", "c": "3"}
    report = da.score({"d": gold}, {"d": pred}, metrics=["effort"], settings=settings)
    (section,) = report.details.sections
    assert section.above == (
        f"1,000 documents take {whole} to review and correct",
        "assuming minutes of work: 0.5 a substitution, 0.75 an addition, 0.25 a deletion, "
        "1 to look at a document",
        ("fixing ", "a", f", the worst field (1 correction), would save {saved}"),
    )
    (table,) = section.tables
    assert (table.head, table.rows, table.sides) == (head, rows, "n" + "r" * (len(head) - 1))


# ---------------------------------------------------------------- causes


def test_a_group_is_single_only_when_every_field_has_one_value() -> None:
    for tree, single in (({"a": "1", "b": "2"}, True), ({"a": "1", "b": ["2", "3"]}, False)):
        case = make_case("x", tree, tree, prepare(schema=None).layouts)
        assert fixed(case, pairs_of(case), []).pred.root.single == single


def test_causes_show_five_places_and_draw_twenty_fields() -> None:
    gold, pred = ({f"f{number:02}": text for number in range(25)} for text in "ab")
    details = da.score({"d": gold}, {"d": pred}, metrics=["causes"]).details
    causes, places = details.sections[0].tables
    lost = ("25", "−1.0000", "+1.0000", "−1.0000", "+1.0000")
    assert causes.rows == (("other", *lost, "█" * 6),)
    assert places.rows == tuple(
        (f"f{number:02}", "other", "1", "−0.0400", "−0.0400") for number in range(5)
    )
    stacks = details.pictures[1].drawing
    assert isinstance(stacks, Stacks)
    assert [name for name, _ in stacks.stacks] == [f"f{number:02}" for number in range(20)]


def test_a_share_has_a_sign_for_what_is_lost_and_what_would_be_gained() -> None:
    gold, pred = {"a": "x", "b": "y"}, {"a": "x", "b": "z"}
    details = da.score({"d": gold}, {"d": pred}, metrics=["causes"]).details
    (row,) = details.sections[0].tables[0].rows
    assert row == ("other", "1", "−0.5000", "+0.5000", "−0.5000", "+0.5000", "█" * 6)


@pytest.mark.parametrize(
    ("whole", "one", "other", "holds"),
    [
        ("a b c", "a b", "c", True),
        ("a b c", "b c", "a", True),
        ("a b", "a b", "b", False),
        ("a b c", "a c", "b", False),
        ("a b", "a b", "", False),
    ],
)
def test_a_text_holds_two_others_when_it_has_words_enough_for_both(
    whole: str, one: str, other: str, holds: bool
) -> None:
    assert _holds(whole.split(), one.split(), other.split()) == holds


@pytest.mark.parametrize(("unit", "cause"), [("u" * 12, FACTOR), ("u" * 13, OTHER)])
def test_a_unit_has_at_most_twelve_letters(unit: str, cause: str) -> None:
    field = BoundField(Field("f", "number"), Schema())
    assert cause_of(f"5 {unit}", f"50 {unit}", field) == cause


def test_a_case_without_corrections_keeps_the_places_of_its_values() -> None:
    schema = {"fields": {"a": {"type": "text", "list": True}}}
    case = make_case("x", {"a": ["1", "2"]}, {"a": [None, "2"]}, prepare(schema=schema).layouts)
    same = fixed(case, pairs_of(case), [])
    assert [*case.pred.root.positions("a")] == [1]
    assert [*same.pred.root.positions("a")] == [1]


# ---------------------------------------------------------------- ner


@pytest.mark.parametrize("threshold", ["abc", "-0.1", "1.1", "nan"])
def test_a_threshold_that_is_no_ratio_is_refused(threshold: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{threshold} is no threshold"):
        settings_of(thresholds=(threshold,))


@pytest.mark.parametrize(
    ("bytes_", "pieces"), [(57, [("ab", "xy")]), (56, [("a", "x"), ("b", "y")])]
)
def test_texts_are_cut_in_two_where_their_table_takes_too_many_bytes(
    monkeypatch: pytest.MonkeyPatch, bytes_: int, pieces: list[tuple[str, str]]
) -> None:
    # 20 bytes for each 64 characters of gold and 8 more, for each character of pred
    traced = []

    def trace(gold: str, pred: str) -> object:
        traced.append((gold, pred))
        return _trace(gold, pred)

    monkeypatch.setattr(alignment, "WHOLE", bytes_)
    monkeypatch.setattr(alignment, "_trace", trace)
    assert plain_steps("ab", "xy").tolist() == [PAIR, PAIR]
    assert traced == pieces


@pytest.mark.parametrize(
    ("gold", "pred", "counts"),
    [
        (["a", "b"], ["a"], (2, 1, 1, 1)),
        (["a"], ["a", "b", "c"], (1, 3, 1, 2)),
        (["a", "b"], ["c"], (2, 1, 0, 2)),
    ],
)
def test_the_errors_of_a_bag_are_what_the_larger_side_has_beside_the_equal(
    gold: list[str], pred: list[str], counts: tuple[int, ...]
) -> None:
    sides = ([Block("X", text) for text in side] for side in (gold, pred))
    stats = statistics(*sides, settings_of(only=("be", "bt")))
    assert stats["be"] == stats["bt"] == {"X": counts, "": counts}


def test_characters_that_one_text_alone_has_equal_none_of_the_other() -> None:
    # more symbols than the quick way tells apart: were those of one text alone equal to those of
    # the other, moving the letter a would be cheaper than replacing every character
    gold = "".join(map(chr, range(1000, 1130))) + "a"
    pred = "a" + "".join(map(chr, range(2000, 2130)))
    aligned = align_characters(gold, pred)
    assert aligned.gold.tolist() == aligned.pred.tolist() == [*range(131)]


# ---------------------------------------------------------------- tree


def test_an_object_that_is_nested_too_deeply_is_none() -> None:
    layout = prepare(schema=None).layouts.plain
    for depth, leaf in ((MAX_DEPTH + 1, "x"), (MAX_DEPTH + 2, None)):
        nested: object = "x"
        for _ in range(depth):
            nested = {"a": nested}
        plain = plain_tree(nested, layout, side=Side(gold=True))
        while isinstance(plain, dict):
            plain = plain["a"]
        assert plain == leaf


def test_pairs_of_least_cost_come_in_order_of_rows() -> None:
    costs = np.array([[0.0, 9.0], [9.0, 0.0], [5.0, 5.0]])
    assert assign_first_come(costs) == assign_first_come(costs.T) == [(0, 0), (1, 1)]


def test_rows_are_compared_all_at_once_from_seventeen_pairs_on() -> None:
    leaf = Leaf("a", "a")
    assert table_of_rows([leaf] * 4, [leaf] * 4) is None
    assert table_of_rows([leaf], [leaf] * 17) is not None


def test_a_value_that_is_nested_too_deeply_is_none() -> None:
    layout = prepare(schema=None).layouts.plain
    for depth, leaf in ((MAX_DEPTH, "x"), (MAX_DEPTH + 1, None)):
        nested: object = "x"
        for _ in range(depth):
            nested = {"value": nested}
        assert plain_tree({"a": nested}, layout, side=Side(gold=True)) == {"a": leaf}


def test_each_text_of_hybrid_is_compared_with_its_own_alternatives() -> None:
    gold = {"a": [{"any_of": ["aa", "bb"]}, {"any_of": ["cc", "dd"]}, {"any_of": ["ee", "ff"]}]}
    report = da.score({"d": gold}, {"d": {"a": ["bb", "dd", "ex"]}}, metrics=["hybrid"])
    assert report["hybrid.ned"].value == pytest.approx(1 / 6)


def test_each_leaf_is_compared_with_its_own_alternatives() -> None:
    # ab -> xb is one edit, cd -> qq are two: cd does not profit from the alternatives beside it
    gold = {"a": [("ab", "qqq"), "cd"]}
    assert nted(gold, {"a": ["xb", "qq"]}).distance == 3


# ---------------------------------------------------------------- fields, by place and by column


def test_an_empty_row_holds_its_place_in_the_order_of_a_column() -> None:
    gold = {"items": [{"n": "a"}, {"n": ""}, {"n": "c"}]}
    pred = {"items": [{"n": "a"}, {"n": "b"}, {"n": "c"}]}
    report = da.score({"d": gold}, {"d": pred}, metrics=["fields"], types="text")
    assert report["fields.order_aware_f1@items.n"].value == pytest.approx(0.8)
    one_less = {"items": [{"n": "a"}, {"n": "c"}]}
    report = da.score({"d": gold}, {"d": one_less}, metrics=["fields"], types="text")
    assert report["fields.order_aware_f1@items.n"].value == pytest.approx(0.5)


def test_a_run_without_documents_has_no_accuracy() -> None:
    fields = METRICS.get("fields")
    readouts = {one.name: one for one in fields.readouts({}, Context(0, None, OPTIONS))}
    for name in ("overall_accuracy", "pooled_accuracy", "perfect_documents", "coverage"):
        assert (readouts[name].value or None, readouts[name].support) == (None, 0)


def test_a_column_of_two_fields_is_one_field_of_the_summary() -> None:
    schema = load_schema(
        {
            "type_field": "kind",
            "fields": {"kind": "exact"},
            "groups": {
                "a": {"columns": {"x": "COLUMN"}, "fields": {"x": "exact"}},
                "b": {"columns": {"y": "COLUMN"}, "fields": {"y": "exact"}},
            },
            "types": {"one": {"fields": ["kind", "a"]}, "two": {"fields": ["kind", "b"]}},
        }
    )
    scores = [
        *OVERALL_SCORES,
        Score("fields", "pooled_accuracy", "", "", 0.5, 7),
        Score("fields", "accuracy", "a.x", "", 0.5, 2),
        Score("fields", "accuracy", "b.y", "", 1.0, 3),
        Score("fields", "accuracy", "kind", "", None, 0),
    ]
    facts = summary(scores, [], schema)["field_accuracies"]
    assert facts["COLUMN"] == {"accuracy": 0.8, "correct": 4.0, "total": 5}
    assert facts["kind"] == {"accuracy": None, "correct": 0.0, "total": 0}


def test_a_document_type_that_lists_no_fields_has_all_of_them() -> None:
    fields = dict.fromkeys(("kind", "total", "tax"), "exact")
    types = {"bill": {"fields": ["kind", "total"]}, "slip": {}}
    schema = load_schema({"type_field": "kind", "fields": fields, "types": types})
    bill, slip = schema.types
    assert [_lists(schema, bill, path) for path in ("total", "tax")] == [True, False]
    assert _lists(schema, slip, "tax") is True


# ---------------------------------------------------------------- what cannot be


def test_an_option_is_one_of_counting_or_of_display() -> None:
    def count(case: object, *, level: int = 1) -> dict[str, object]:
        return {}

    def show(totals: object, context: object, *, level: int = 1) -> list[object]:
        return []

    both = replace(METRICS.get("entity"), function=count, readouts=show)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="level cannot be an option of counting"):
        _ = both.options


def test_a_curve_that_is_undefined_somewhere_has_no_area() -> None:
    points = [Point(0.5, 1.0, 0.5), Point(None, 0.0, 1.0)]
    assert area(points) == 0.75
    assert area([*points[:1], Point(None, 0.0, None)]) is None
    assert area([]) is None


@pytest.mark.parametrize(
    ("parts", "counted"), [({}, "nothing"), ({"be": {}, "bow": {}}, "be, bow")]
)
def test_a_document_too_long_for_ner_says_what_it_counts_in(
    parts: dict[str, object], counted: str
) -> None:
    flaws = METRICS.get("ner").flaws
    assert flaws is not None
    (flaw,) = flaws({"documents": {"": (1, 1)}, **parts})  # type: ignore[dict-item]
    assert flaw.message.endswith(f"it counts only in {counted}")
    assert [*flaws({"documents": {"": (1, 0)}})] == []


def test_what_pred_adds_to_the_fields_of_the_type_counts_against_it_in_ner() -> None:
    fields = dict.fromkeys(("kind", "total", "tax"), "exact")
    types = {"bill": {"fields": ["kind", "total"]}}
    schema = {"type_field": "kind", "fields": fields, "types": types}
    gold = {"kind": "bill", "total": "1"}
    report = da.score({"d": gold}, {"d": {**gold, "tax": "2"}}, schema=schema, metrics=["ner"])
    assert report["ner.be_precision"].value == pytest.approx(2 / 3)


@pytest.mark.parametrize("many", [0, 10**6])
def test_a_largest_matching_is_the_same_by_either_way(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], dtype=np.bool_)
    monkeypatch.setattr("docassay.metrics.ner.counts.MANY", many)
    assert _largest(allowed, 1) == _largest(allowed, 2) == 2
