"""The laws every metric keeps, over every registered name at once: a failure names the score."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.analysis.aggregate import build
from docassay.api.score import Scorer
from docassay.metrics.metric import METRICS
from docassay.model.report import Report
from docassay.run.ledger import join
from docassay.run.rows import decode_row, encode_row
from docassay.values.reader import type_names
from tests.strategies import CORPUS, TREE, shuffled

ALL = list(METRICS.names())
OURS = [name for name in ALL if not name.endswith("_official")]
COUNTS = {
    "tp",
    "fp",
    "fn",
    "substitutions",
    "additions",
    "deletions",
    "corrections",
    "label",
    "group_tp",
    "group_fp",
    "group_fn",
    "documents_exact",
    "wrong_match",
    "no_match",
    "exact_match",
    "group_label",
    "group_wrong_match",
    "group_no_match",
    "group_exact_match",
    "documents_too_long",
    *("total_fields", "fields_evaluated", "fields_extracted", "fields_matched", "absent_agreed"),
    *("perfect_documents", "type_confusion", "without_confidence"),
    "names_undefined",
    *(f"{side}_{count}" for side in ("gold", "pred") for count in ("checked", "broken", "skipped")),
    "documents_suspicious",
    *("nted_undefined", "documents_too_large"),
}
MAY_BE_NEGATIVE = {"structure_gap", "kieval_gain", "fields_gain"}
REVIEWED = {"hours_per_1000", "cost_per_1000"}
"""What a document costs even if it is perfect, because somebody looks at it."""
MAY_EXCEED_ONE = {
    *("cer", "wer", "ecer", "ewer", "oiecer", "oiewer", "btwer", "beer", "bwer"),
    *REVIEWED,
    *("worst_field_hours_per_1000", "worst_field_cost_per_1000"),
}
KEEPS_ORDER = {
    *("cer", "wer", "ecer", "ewer", "iehhr"),
    *("nerval_precision", "nerval_recall", "nerval_f1"),
    *("exact", "order_aware_f1", "overall_accuracy", "mean_field_accuracy", "pooled_accuracy"),
    *("fields.accuracy", "deviation", "fields_matched", "perfect_documents"),
    *("nted", "anls_star"),
    *("fields_loss", "fields_gain"),
}
NOT_ITSELF = {"vrdu_price"}
"""Types with values that do not match themselves, as the function they reproduce has it."""
ERRORS = {
    "fp",
    "fn",
    "substitutions",
    "additions",
    "deletions",
    "corrections",
    "group_fp",
    "group_fn",
    "deviation",
    "hallucination_rate",
    "structure_gap",
    "cer",
    "wer",
    "ecer",
    "ewer",
    "oiecer",
    "oiewer",
    "btwer",
    "beer",
    "bwer",
    "documents_too_long",
    "ned",
    *("kieval_loss", "fields_loss", "kieval_gain", "fields_gain"),
    *("worst_field_hours_per_1000", "worst_field_cost_per_1000"),
}
TOLERANT = {
    "fields": {
        "total": {"type": "money", "relative": "0.01"},
        "date": {"type": "text", "accept": 0.5},
    },
    "groups": {
        "items": {
            "fields": {"n": {"type": "text", "accept": 0.5}, "p": "money", "q": "quantity"},
            "groups": {"sub": {"fields": {"n": {"type": "money", "absolute": "1"}}}},
        }
    },
}
SCHEMAS = pytest.mark.parametrize("schema", [None, TOLERANT], ids=["no schema", "tolerant schema"])


def report_of(corpus: dict, metrics: list[str], schema: object = None) -> Report:
    scorer = Scorer(metrics=metrics, schema=schema, types="text")
    for name, (gold, pred) in corpus.items():
        scorer.add(name, gold, pred)
    return scorer.report()


def values(report: Report) -> dict[str, object]:
    return {score.address: (score.value, score.support) for score in report.scores}


def free(report: Report) -> dict[str, object]:
    """What must not depend on order: all but the readouts that are there to measure it."""
    ordered = {
        one.address
        for one in report.scores
        if not KEEPS_ORDER.isdisjoint((one.readout, f"{one.metric}.{one.readout}"))
    }
    return {address: one for address, one in values(report).items() if address not in ordered}


@SCHEMAS
@given(tree=TREE)
def test_a_document_scored_against_itself_is_perfect(schema: object, tree: dict) -> None:
    # neither asks whether pred is right
    metrics = [name for name in OURS if name not in ("confidence", "valid")]
    report = report_of({"x": (tree, tree)}, metrics, schema)
    for score in report.scores:
        if score.readout in ERRORS:
            assert score.value in (0, None), score
        elif score.readout not in COUNTS | REVIEWED:
            assert score.value in (1.0, None), score


@SCHEMAS
@given(corpus=CORPUS)
def test_values_lie_in_their_range_and_undefined_is_none(schema: object, corpus: dict) -> None:
    for score in report_of(corpus, ALL, schema).scores:
        if score.value is None:
            continue
        if score.readout in COUNTS:
            assert isinstance(score.value, int)
            assert score.value >= 0
        else:
            most = float("inf") if score.readout in MAY_EXCEED_ONE else 1.0
            assert (-1.0 if score.readout in MAY_BE_NEGATIVE else 0.0) <= score.value <= most, score


@SCHEMAS
@given(corpus=CORPUS, cut=st.integers(0, 4))
def test_splitting_and_joining_changes_no_digit(schema: object, corpus: dict, cut: int) -> None:
    names = list(corpus)
    parts = []
    for part in (names[:cut], names[cut:]):
        scorer = Scorer(metrics=ALL, schema=schema, types="text")
        for name in part:
            scorer.add(name, *corpus[name])
        parts.append(scorer.ledger())
    joined = join(parts)
    assert values(build(joined)) == values(report_of(corpus, ALL, schema))


@given(corpus=CORPUS)
def test_a_row_survives_being_written_and_read(corpus: dict) -> None:
    scorer = Scorer(metrics=ALL, types="text")
    for name, (gold, pred) in corpus.items():
        scorer.add(name, gold, pred)
    for row in scorer.ledger().rows:
        again = decode_row(encode_row(row))
        assert encode_row(again) == encode_row(row)


@SCHEMAS
@given(corpus=CORPUS, seed=st.integers(0, 10_000))
def test_the_order_of_rows_fields_and_documents_changes_nothing(
    schema: object, corpus: dict, seed: int
) -> None:
    dice = random.Random(seed)
    names = list(corpus)
    dice.shuffle(names)
    other = {
        name: (shuffled(corpus[name][0], dice), shuffled(corpus[name][1], dice)) for name in names
    }
    assert free(report_of(other, OURS, schema)) == free(report_of(corpus, OURS, schema))


@given(corpus=CORPUS)
def test_renaming_documents_changes_no_digit(corpus: dict) -> None:
    renamed = {f"other/{name}.pdf": pair for name, pair in corpus.items()}
    assert values(report_of(renamed, ALL)) == values(report_of(corpus, ALL))


@given(corpus=CORPUS)
def test_adding_a_wrong_value_never_raises_precision(corpus: dict) -> None:
    before = report_of(corpus, OURS)
    worse = {
        name: (gold, {**pred, "total": [*as_list(pred.get("total")), "certainly wrong"]})
        for name, (gold, pred) in corpus.items()
    }
    after = report_of(worse, OURS)
    for address in ("entity.precision", "kieval.entity_precision"):
        was = before[address].value
        assert was is None or after[address].value <= was


@given(corpus=CORPUS)
def test_removing_a_right_value_never_raises_recall(corpus: dict) -> None:
    right = {name: (gold, gold) for name, (gold, _) in corpus.items()}
    before = report_of(right, OURS)
    poorer = {
        name: (gold, {key: value for key, value in gold.items() if key != "total"})
        for name, (gold, _) in corpus.items()
    }
    after = report_of(poorer, OURS)
    for address in ("entity.recall", "kieval.entity_recall"):
        was = before[address].value
        assert was is None or after[address].value <= was


def as_list(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize("kind", sorted({*type_names()} - NOT_ITSELF))
@given(text=st.text(max_size=40))
def test_a_field_of_any_type_is_perfect_against_itself(kind: str, text: str) -> None:
    schema = {"fields": {"f": kind}}
    report = report_of({"x": ({"f": text}, {"f": text})}, ["entity", "kieval"], schema)
    assert report["entity.f1"].value in (1.0, None)
    assert report["kieval.aligned"].value in (1.0, None)
    assert da.similarity(text, text, type=kind).value == 1.0


@given(corpus=CORPUS)
def test_overall_readouts_of_a_metric_come_before_those_of_keys(corpus: dict) -> None:
    report = report_of(corpus, ALL)
    for metric in ALL:
        keyed = [bool(score.key) for score in report.of(metric)]
        assert keyed == sorted(keyed), metric


TYPED_BY_KIND = {
    "types": {"bill": {"fields": ["DOCUMENT_TYPE", "total", "rows"]}},
    "fields": {"total": "money", "other": "text"},
    "groups": {"rows": {"fields": {"name": "text"}}},
}
BESIDE_ITS_TYPE = [name for name in OURS if name not in ("confidence", "effort", "valid")]
"""Metrics that count what gold has as well for nothing; `valid` does not look at gold."""
BESIDE = {
    "DOCUMENT_TYPE": "bill",
    "total": "5",
    "other": "not listed",
    "stranger": "NOT_FOUND",
    "another": ["a", "b"],
    "rows": [{"name": "x", "sort": "y"}],
}


@pytest.mark.parametrize("metric", BESIDE_ITS_TYPE)
def test_fields_that_gold_has_beside_its_type_cost_nothing_when_pred_has_them_too(
    metric: str,
) -> None:
    for score in report_of({"x": (BESIDE, BESIDE)}, [metric], TYPED_BY_KIND).scores:
        if score.readout in ERRORS:
            assert score.value in (0, None), score
        elif score.readout not in COUNTS:
            assert score.value in (1.0, None), score


def test_a_field_that_only_pred_has_beside_the_type_is_a_false_positive() -> None:
    gold = {"DOCUMENT_TYPE": "bill", "total": "5", "other": "NOT_FOUND"}
    pred = {"DOCUMENT_TYPE": "bill", "total": "5", "other": "made up"}
    report = report_of({"x": (gold, pred)}, ["entity"], TYPED_BY_KIND)
    assert report["entity.fp"].value == 1


@given(corpus=CORPUS)
def test_the_value_of_a_document_is_the_same_the_short_way(corpus: dict) -> None:
    report = report_of(corpus, ALL)
    for name in {name for line in report.lines for name in line.scores}:
        assert [*report.document_values(name)] == [
            (line.id, line.scores[name]) for line in report.lines
        ]
