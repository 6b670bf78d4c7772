"""Documents for studies, and a metric that minds the order of values, which entity F1 does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docassay.matching.case import Case
from docassay.metrics.metric import Context, Readout, Totals, metric
from docassay.model.stats import Stats, ratio
from docassay.synth.corpus import write_corpus

GOLD: dict[str, object] = {
    "a": {
        "date": "2025-01-01",
        "total": "7.50",
        "notes": ["one", "two", "three", "four"],
        "items": [
            {"name": "cake", "price": "4.50"},
            {"name": "tea", "price": "3.00"},
            {"name": "bag", "price": "0.10"},
        ],
    },
    "b": {"date": "2025-01-02", "total": "1.00"},
    "c": {"total": "2.00"},
}
PRED: dict[str, object] = {
    "a": {
        "date": "2025-01-01",
        "total": "7.5",
        "notes": ["one", "two", "tree", "four"],
        "items": [{"name": "cake", "price": "4.50"}, {"name": "tee", "price": "3.00"}],
    },
    "b": {"date": "2025-01-02", "total": "1.00"},
}


def in_order(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the share and the number of values at the place where gold has them."""
    same, gold = totals["places"][""]
    yield Readout("share", "", ratio(same, gold), gold)
    yield Readout("right", "", same, gold)
    yield Readout("nothing", "", None, 0)


def places(case: Case) -> Stats:
    """Values at the place where gold has them."""
    gold, pred = (
        [one.reading.canonical for one in side.root.entities()] for side in (case.gold, case.pred)
    )
    same = sum(one == other for one, other in zip(gold, pred, strict=False))
    return {"places": {"": (same, len(gold))}}


def register_places() -> None:
    """Register the metric `places`."""
    metric("places", version=1, tables={"places": ("same", "gold")}, readouts=in_order)(places)


def write_synth(folder: Path) -> tuple[str, list[str], str]:
    """Write a generated corpus; return its gold, its predictions and its schema."""
    gold, *preds, _, schema = write_corpus(folder, docs=20, seed=3, models=("careful", "hasty"))
    return str(gold), [*map(str, preds)], str(schema)
