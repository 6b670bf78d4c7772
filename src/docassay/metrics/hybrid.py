"""`hybrid`: F1 of values and nearness of their texts in one number, by a weight.

F1 is that of `entity`, by type. Nearness is 1 less the normalised edit distance (NED) of the texts
as found: within a field of a document values are paired as cheaply as possible, a pair costs its
edits divided by the length of the longer text, and an unmatched value costs 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docassay.errors import ConfigurationError
from docassay.metrics.entity import entity
from docassay.metrics.metric import Context, Flaw, Readout, Totals, View, metric
from docassay.model.document import Group, Reading
from docassay.model.report import LOWER, RATE, HeadlineLine, ReadoutSpec, hidden
from docassay.model.stats import PARTS, Counts, Stats, f1, ratio, text_table, total
from docassay.model.words import number

if TYPE_CHECKING:
    from docassay.matching.case import Case

FIELDS = ("tp", "fp", "fn", "distance", "values", "too_many")
"""The distance is in parts per billion; `too_many` counts documents whose values are not paired."""


SPECS = (
    ReadoutSpec("score", label="hybrid", column=45),
    *hidden("f1", unit="share"),
    ReadoutSpec("ned", unit=RATE, better=LOWER, label="NED", column=46),
)


def readouts(totals: Totals, context: Context, *, weight: float = 0.5) -> Iterator[Readout]:
    """Yield the score with what it is made of, overall and by field."""
    fields = text_table(totals, "fields")
    whole = total(fields.values(), len(FIELDS))
    for key, counts in {"": whole, **fields}.items():
        yield from _of(key, counts, weight)


def _of(key: str, counts: Counts, weight: float) -> Iterator[Readout]:
    tp, fp, fn, distance, values, _ = counts
    right, apart = f1(tp, fp, fn), ratio(distance, values * PARTS)
    score = None
    if right is not None and apart is not None:
        score = weight * right + (1 - weight) * (1 - apart)
    yield Readout("score", key, score, values)
    yield Readout("f1", key, right, tp + fn)
    yield Readout("ned", key, apart, values)


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield the score with what it is made of."""
    scores, weight = view.overall(), view.number("weight")
    right, apart = number(scores["f1"].value), number(scores["ned"].value)
    made_of = f"{weight:g} × F1 {right} + {1 - weight:g} × (1 − NED {apart})"
    yield HeadlineLine("hybrid", "score", made_of, 300)


def _check(*, weight: float, **_: object) -> None:
    if not 0 <= weight <= 1:
        raise ConfigurationError(
            f"{weight} is no weight", where="hybrid.weight", hint="of F1, from 0 to 1"
        )


def _flaws(stats: Stats) -> Iterator[Flaw]:
    for path, counts in text_table(stats, "fields").items():
        if counts[-1]:
            yield Flaw(f"{path} has too many values for hybrid.max_pairs; it counts only in f1")


@metric(
    "hybrid",
    version=1,
    tables={"fields": FIELDS},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    flaws=_flaws,
    check=_check,
    alternatives={"weight": (0.25, 0.75)},
)
def hybrid(case: Case, *, max_pairs: int = 10_000_000) -> Stats:
    """F1 of values and nearness of their texts (1 - NED), weighted: the hybrid metric."""
    gold, pred = _by_field(case.gold.root), _by_field(case.pred.root)
    fields = {}
    for path, counts in text_table(entity(case), "fields").items():
        golds, preds = gold.get(path, []), pred.get(path, [])
        if len(golds) * len(preds) > max_pairs:
            fields[path] = (*counts, 0, 0, 1)
        else:
            fields[path] = (*counts, _distance(golds, preds), max(len(golds), len(preds)), 0)
    return {"fields": fields}


def _by_field(root: Group) -> dict[str, list[Reading]]:
    fields: dict[str, list[Reading]] = {}
    for field, _, reading in root.entities():
        fields.setdefault(field, []).append(reading)
    return fields


def _distance(golds: Sequence[Reading], preds: Sequence[Reading]) -> int:
    """Return what the cheapest pairing costs, in parts, unmatched values included."""
    alone = abs(len(golds) - len(preds)) * PARTS
    if not golds or not preds or Counter(_texts(golds)) == Counter(_texts(preds)):
        return alone
    texts = [[reading.text for reading in gold.accepted] for gold in golds]
    distances = cdist(
        [text for own in texts for text in own],
        _texts(preds),
        scorer=Levenshtein.normalized_distance,
        dtype=np.float64,
    )
    costs = np.rint(distances * PARTS).astype(np.int64)
    if len(costs) > len(texts):
        starts = np.cumsum([0, *map(len, texts[:-1])])
        costs = np.minimum.reduceat(costs, starts, axis=0)
    if min(costs.shape) == 1:
        return alone + int(costs.min())
    from scipy.optimize import linear_sum_assignment

    return alone + int(costs[linear_sum_assignment(costs)].sum())


def _texts(readings: Sequence[Reading]) -> list[str]:
    return [reading.text for reading in readings]
