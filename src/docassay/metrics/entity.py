"""`entity`: conventional entity F1. Equal values of a field count in any row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from docassay.kernel.counting import column_sums, mean_f1
from docassay.kernel.plain import without_groups
from docassay.metrics.metric import (
    Context,
    Implied,
    OverallOf,
    Readout,
    Totals,
    Unseen,
    Value,
    View,
    metric,
    weighted,
    weighted_values,
)
from docassay.model.report import COUNT, CsvColumn, HeadlineLine, ReadoutSpec, SupportColumn, hidden
from docassay.model.schema import Schema
from docassay.model.stats import Stats, f1, mean, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case


NAMES = ("precision", "recall", "f1", "accuracy", "tp", "fp", "fn")
SPECS = (
    ReadoutSpec(
        "f1",
        label="entity F1",
        column=40,
        unless=("F1 in its row",),
        short="f1_any_row",
        meaning="F1 of values, each in any row",
    ),
    ReadoutSpec(
        "recall",
        column=None,
        support=SupportColumn(51, "gold"),
        csv=(CsvColumn(9, "gold_values", "support"),),
    ),
    ReadoutSpec("tp", unit=COUNT, label="right", column=53, unless=("field acc.",)),
    *hidden("precision", "accuracy", "macro_f1", "weighted_f1", unit="share"),
    *hidden("fp", "fn"),
)


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield F1, and precision and recall where no metric says more."""
    scores = view.overall()
    right, predicted = scores["tp"].value, scores["precision"].support
    note = f"{number(right)} of {count(scores['recall'].support, 'gold value')} found"
    yield HeadlineLine("entity F1", "f1", f"{note}, in any row", 30)
    correct = f"{number(right)} of {count(predicted, 'predicted value')} correct"
    yield HeadlineLine("precision", "precision", correct, 31, unless=("aligned",))
    yield HeadlineLine("recall", "recall", note, 32, unless=("aligned",))


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield precision, recall, F1 and accuracy, overall and by field."""
    fields = text_table(totals, "fields")
    yield from _of("", *total(fields.values(), 3))
    by_field = {path: f1(*counts) for path, counts in fields.items()}
    yield Readout("macro_f1", "", mean(by_field.values()), len(by_field))
    yield from weighted("f1", fields, f1, context)
    for path, counts in fields.items():
        yield from _of(path, *counts)


def overall(context: Context) -> OverallOf:
    """Return what gives the values of a document's overall readouts."""
    weighs = bool(context.weights)

    def values_of(stats: Stats) -> list[Value]:
        fields = text_table(stats, "fields")
        values = [*_kept_values(*column_sums(fields, 3)), mean_f1(fields)]
        return values + weighted_values(fields, (0, 1, 2), f1, context) if weighs else values

    return values_of


def _of(key: str, tp: int, fp: int, fn: int) -> Iterator[Readout]:
    gold = tp + fn
    supports = (tp + fp, gold, gold, tp + fp + fn, gold, gold, gold)
    for name, value, support in zip(NAMES, _values(tp, fp, fn), supports, strict=True):
        yield Readout(name, key, value, support)


def _values(tp: int, fp: int, fn: int) -> tuple[Value, ...]:
    shares = (ratio(tp, tp + fp), ratio(tp, tp + fn), f1(tp, fp, fn), ratio(tp, tp + fp + fn))
    return (*shares, tp, fp, fn)


_kept_values = lru_cache(maxsize=4096)(_values)
"""Kept, because a few counts make up most of a run."""


def _unseen(schema: Schema | None, metrics: Collection[str]) -> bool:
    """Whether its headline and columns stand behind those of `kieval`."""
    return "kieval" in metrics


def _in_any_row(totals: Stats) -> Stats:
    """Return the counts of each field, which `kieval` counts by row and in any row."""
    fields = text_table(totals, "fields")
    return {
        "fields": {
            path: (loose, tp + subs + dels - loose, tp + subs + adds - loose)
            for path, (tp, subs, adds, dels, loose) in fields.items()
        }
    }


@metric(
    "entity",
    version=1,
    tables={"fields": ("tp", "fp", "fn")},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    overall=overall,
    unseen=Unseen(_unseen, lambda case: True),
    implied=Implied("kieval", _in_any_row),
)
def entity(case: Case) -> Stats:
    """Entity precision, recall and F1: equal (field, value) pairs of a document, groups ignored."""
    return {"fields": without_groups(case.tally().fields, case.ungrouped)}
