"""`entity`: conventional entity F1. Equal values of a field count wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docassay.metrics import Context, Readout, Totals, metric
from docassay.metrics.weights import weighted
from docassay.model.stats import Stats, f1, mean, ratio

if TYPE_CHECKING:
    from docassay.case import Case


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield precision, recall, F1 and accuracy, overall and by field."""
    fields = totals.get("fields", {})
    tp, fp, fn = (sum(counts[i] for counts in fields.values()) for i in range(3))
    yield from _of("", tp, fp, fn)
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
    for name, count in (("tp", tp), ("fp", fp), ("fn", fn)):
        yield Readout(name, key, count, tp + fn)


@metric("entity", version=1, tables={"fields": ("tp", "fp", "fn")}, readouts=readouts)
def entity(case: Case) -> Stats:
    """Entity precision, recall and F1: equal (field, value) pairs of a document, groups ignored."""
    ungrouped = case.ungrouped
    fields = {}
    for path, (right, swaps, added, deleted) in case.tally().fields.items():
        equal = ungrouped[path]
        fields[path] = (equal, right + swaps + deleted - equal, right + swaps + added - equal)
    return {"fields": fields}
