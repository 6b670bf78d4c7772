"""One field at a time: the documented `calculate_*` functions over the metric `fields`.

A field's type comes from a schema, `business` unless another one is named; a field that the schema
does not know is compared as text. Absent on both sides is right here, because a function of one
field has no way to leave it out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from docassay.api.score import Scorer
from docassay.errors import ConfigurationError, UnknownName
from docassay.kernel.marks import Marks
from docassay.metrics.fields.contrast import ABSENT, Items, contrast, items_of
from docassay.metrics.fields.methods import Judge, Rules
from docassay.metrics.fields.summary import column_names
from docassay.model.document import Reading
from docassay.model.report import Report
from docassay.model.schema import Field, Schema
from docassay.model.stats import mean, ratio
from docassay.schema.layout import Layout
from docassay.schema.reading import TreeReader
from docassay.schema.source import load_schema
from docassay.values.similarity import similarity

SCHEMA = "business"
VARIABLE = "EVALUATION_METHOD"
METHODS = {
    "order_aware_f1": "order_aware_f1",
    "f1": "f1",
    "position_agnostic_f1": "f1",
    "kieval": "kieval_cost",
    "correlation": "correlation_f1",
    "correlation_aware_f1": "correlation_f1",
}
"""The documented name of a method -> the readout of `fields`."""
RULES = Rules(item_similarity=0.75, item_words=0.75)
"""Items of a list already match when they are this much alike, in characters or in words."""
SETTINGS = {
    "fields.item_similarity": RULES.item_similarity,
    "fields.item_words": RULES.item_words,
}

Metrics = dict[str, float]


def method_named(name: str | None) -> str:
    """Return the readout of a method, by default of the one that the environment names."""
    # a notebook sets the variable after it has imported this module, so it is read at each call
    chosen = os.environ.get(VARIABLE, "order_aware_f1") if name is None else name
    if chosen not in METHODS:
        raise UnknownName("method", chosen, METHODS, where=VARIABLE if name is None else None)
    return METHODS[chosen]


def calculate_field_accuracy(
    extracted: object,
    ground_truth: object,
    field_name: str,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> float:
    """Return the score of one field, from 0 to 1, by the method that the environment names."""
    name = method_named(None)
    # one field alone has no other column to go with
    plain = "f1" if name == "correlation_f1" else name
    return _scored(extracted, ground_truth, field_name, plain, debug, schema)["f1_score"]


def calculate_field_accuracy_f1(
    extracted_value: object,
    ground_truth_value: object,
    field_name: str,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> Metrics:
    """Return the order-aware scores of one field: an item must stand at its place."""
    return _scored(extracted_value, ground_truth_value, field_name, "order_aware_f1", debug, schema)


def calculate_field_accuracy_f1_position_agnostic(
    extracted_value: object,
    ground_truth_value: object,
    field_name: str,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> Metrics:
    """Return the order-free scores of one field: an item may stand anywhere."""
    return _scored(extracted_value, ground_truth_value, field_name, "f1", debug, schema)


def calculate_field_accuracy_kieval(
    extracted_value: object,
    ground_truth_value: object,
    field_name: str,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> Metrics:
    """Return what one field costs to correct: right items / (right items + corrections)."""
    metrics = _scored(extracted_value, ground_truth_value, field_name, "kieval_cost", debug, schema)
    substitution = min(metrics["fp"], metrics["fn"])
    return {
        **metrics,
        "score": metrics["f1_score"],
        "substitution": substitution,
        "addition": metrics["fn"] - substitution,
        "deletion": metrics["fp"] - substitution,
        "total_error": max(metrics["fp"], metrics["fn"]),
    }


def _scored(
    extracted: object, ground_truth: object, name: str, method: str, debug: bool, schema: str
) -> Metrics:
    layout, judge = _judge(name, schema)
    gold = _items(layout, ground_truth, name, gold=True)
    pred = _items(layout, extracted, name, gold=False)
    if not gold.readings and not pred.readings:
        metrics = _metrics(1.0, 1.0, 1.0, 0, 0, 0)
    else:
        metrics = _told(judge.judge(contrast(gold, pred)), method, gold, pred)
    if debug:
        shown = ", ".join(f"{key} {value:g}" for key, value in metrics.items())
        print(f"{name}: {ground_truth!r} and {extracted!r}: {shown}")
    return metrics


def _told(marks: Marks, method: str, gold: Items, pred: Items) -> Metrics:
    score = float(getattr(marks, method))
    golds, preds = len(gold.readings), len(pred.readings)
    if golds == preds == 1 and gold.positions == pred.positions:
        # a single value is scored by likeness: no share of items says more
        return _metrics(score, score, score, marks.tp, marks.fp, marks.fn)
    # F1 is 2 tp / (golds + preds), so that the score itself tells how many items stood in place
    tp = round(score * (golds + preds) / 2) if method == "order_aware_f1" else marks.tp
    return _metrics(
        score, ratio(tp, preds) or 0.0, ratio(tp, golds) or 0.0, tp, preds - tp, golds - tp
    )


def _metrics(score: float, precision: float, recall: float, tp: int, fp: int, fn: int) -> Metrics:
    return {
        "f1_score": score,
        "precision": precision,
        "recall": recall,
        "tp": tp,
        "fp": fp,
        "fn": fn,
    }


def _items(layout: Layout, value: object, name: str, *, gold: bool) -> Items:
    root = TreeReader(layout, "", gold=gold).read({name: value}).root
    return next(iter(items_of(root).values()), ABSENT)


@lru_cache(maxsize=8)
def schema_named(name: str) -> Schema:
    """Return a schema by the name or the path of its file, read once."""
    return load_schema(name)


@lru_cache(maxsize=1024)
def _judge(name: str, schema: str) -> tuple[Layout, Judge]:
    """Return the layout of a document that has this field only, and who judges its values."""
    whole = schema_named(schema)
    layout = Layout(whole, None)
    _, path = layout.listing.columns.get(name, ("", layout.root.path_of(name)))
    spec = layout.field(path).spec if layout.knows(path) else Field(name, "text")
    alone = replace(whole, fields=(replace(spec, path=name, aliases=()),), groups=(), types=())
    only = Layout(alone, None)
    return only, Judge(only.field(name), RULES)


def _matches(extracted: object, ground_truth: object, judge: Judge) -> bool:
    def reading(value: object) -> Reading | None:
        own: Reading | None = judge.field.readings[str(value)]
        return own

    gold, pred = reading(ground_truth), reading(extracted)
    if gold is None or pred is None:
        return gold is pred
    return judge.item_matches(gold, pred)


def _transaction_item_matches(
    extracted_item: object, ground_truth_item: object, field_name: str
) -> bool:
    """Whether two items of a list are the same, by the type of its field."""
    return _matches(extracted_item, ground_truth_item, _judge(field_name, SCHEMA)[1])


def _fuzzy_text_match(
    text1: object, text2: object, threshold: float = RULES.item_similarity
) -> bool:
    """Whether two texts are alike, in characters or in words."""
    rules = RULES._replace(item_similarity=threshold, item_words=threshold)
    field = Layout(Schema(fields=(Field("text", "text"),)), None).field("text")
    return _matches(text1, text2, Judge(field, rules))


def _compare_dates_fuzzy(extracted_date: object, ground_truth_date: object) -> bool:
    """Whether two texts name the same day, in whatever notation."""
    return similarity(ground_truth_date, extracted_date, type="date").value == 1.0


def _parse_boolean_value(value: object) -> bool | None:
    """Return the yes or no that a value says, None when it says neither."""
    reading = similarity("true", str(value), type="boolean").pred
    return {"true": True, "false": False}.get(reading)


Fields = Mapping[str, object]
ALONE = {
    "f1": calculate_field_accuracy_f1_position_agnostic,
    "kieval_cost": calculate_field_accuracy_kieval,
    "order_aware_f1": calculate_field_accuracy_f1,
}
"""Methods that score one field alone."""


def calculate_field_accuracy_with_method(
    extracted_value: object,
    ground_truth_value: object,
    field_name: str,
    method: str | None = None,
    debug: bool = False,
    extracted_data: Fields | None = None,
    ground_truth_data: Fields | None = None,
    document_type: str | None = None,
    *,
    schema: str = SCHEMA,
) -> dict[str, object]:
    """Return the scores of one field by a method, by default the one that the environment names.

    `correlation` asks whether columns go together: it needs the documents of the values.
    """
    name = method_named(method)
    if name in ALONE:
        return {
            **ALONE[name](extracted_value, ground_truth_value, field_name, debug, schema=schema)
        }
    if extracted_data is None or ground_truth_data is None:
        raise ConfigurationError(
            "correlation compares whole documents", hint="give extracted_data and ground_truth_data"
        )
    return calculate_correlation_aware_f1(
        extracted_data, ground_truth_data, document_type, debug, schema=schema
    )


def calculate_correlation_aware_f1(
    extracted_data: Fields,
    ground_truth_data: Fields,
    document_type: str | None = None,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> dict[str, object]:
    """Return how well the columns of a document are found and go together row by row.

    The ground truth's own DOCUMENT_TYPE decides which fields count, `document_type` where it
    states none.
    """
    spec = schema_named(schema)
    gold = dict(ground_truth_data)
    if document_type is not None and Layout(spec, None).stated_type(gold) is None:
        spec, gold = _typed(spec), {**gold, spec.type_field: document_type}
    scorer = Scorer(schema=spec, metrics=["fields"], settings=SETTINGS)
    scorer.add("", gold, dict(extracted_data))
    report = scorer.report()
    names = column_names(spec)
    f1s = _keyed(report, "f1")
    rows = {
        # a group's correlation is the mean of the F1 of its columns and of its rows
        group: round(2 * value - (mean(f1s[path] for path in f1s if _inside(path, group)) or 0), 9)
        for group, value in _keyed(report, "correlation_f1").items()
    }
    combined = _or_one(report["fields.correlation_f1"].value)
    metrics: dict[str, object] = {
        "f1_score": combined,
        "precision": combined,
        "recall": combined,
        "tp": 0,
        "fp": 0,
        "fn": 0,
        "combined_f1": combined,
        "standard_f1": _or_one(report["fields.f1"].value),
        "alignment_score": _or_one(mean(rows.values())),
        "field_f1_scores": {names.get(path, path): value for path, value in f1s.items()},
        "alignment_details": rows,
    }
    if debug:
        print(", ".join(f"{name} {value}" for name, value in metrics.items()))
    return metrics


def _keyed(report: Report, readout: str) -> dict[str, float]:
    return {
        score.key: score.value
        for score in report.of("fields")
        if score.key and score.readout == readout and score.value is not None
    }


def _typed(schema: Schema) -> Schema:
    """Return the schema with a document type that is given from outside and so earns nothing."""
    kinds = tuple(
        replace(type_, unscored=(*type_.unscored, schema.type_field)) for type_ in schema.types
    )
    return replace(schema, types=kinds)


def _inside(path: str, group: str) -> bool:
    return path.rpartition(".")[0] == group


def _or_one(value: float | None) -> float:
    """Return a score, 1 where there is nothing on either side."""
    return 1.0 if value is None else value
