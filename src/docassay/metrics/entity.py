"""`entity`: conventional entity F1. Equal values of a field count in any row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docassay.metrics.metric import Context, Readout, Totals, View, metric, weighted
from docassay.model.report import COUNT, CsvColumn, HeadlineLine, ReadoutSpec, SupportColumn, hidden
from docassay.model.stats import Stats, f1, mean, ratio, text_table, total
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case


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


def _of(key: str, tp: int, fp: int, fn: int) -> Iterator[Readout]:
    yield Readout("precision", key, ratio(tp, tp + fp), tp + fp)
    yield Readout("recall", key, ratio(tp, tp + fn), tp + fn)
    yield Readout("f1", key, f1(tp, fp, fn), tp + fn)
    yield Readout("accuracy", key, ratio(tp, tp + fp + fn), tp + fp + fn)
    for name, amount in (("tp", tp), ("fp", fp), ("fn", fn)):
        yield Readout(name, key, amount, tp + fn)


@metric(
    "entity",
    version=1,
    tables={"fields": ("tp", "fp", "fn")},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
)
def entity(case: Case) -> Stats:
    """Entity precision, recall and F1: equal (field, value) pairs of a document, groups ignored."""
    ungrouped = case.ungrouped
    fields = {}
    for path, (right, swaps, added, deleted) in case.tally().fields.items():
        equal = ungrouped[path]
        fields[path] = (equal, right + swaps + deleted - equal, right + swaps + added - equal)
    return {"fields": fields}
