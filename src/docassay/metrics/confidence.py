"""`confidence`: whether confidences mean what they say, and tell right from wrong.

A value is right when `kieval` counts it so. Values that state no confidence are left out here, and
how many they are is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from docassay.metrics.kieval import confidences
from docassay.metrics.metric import Context, Readout, Totals, metric
from docassay.metrics.trade_off import TALLIES, Tally, by_field
from docassay.model.report import LOWER, RATE, ReadoutSpec, hidden
from docassay.model.stats import Stats, parts_table, ratio, text_table

if TYPE_CHECKING:
    from docassay.matching.case import Case

BINS = 10
FIELDS = ("predicted",)


class Bin(NamedTuple):
    """The values of one stretch of confidence: how many, how sure in sum, how many right."""

    values: int
    sure: float
    right: int


def reliability(tallies: Sequence[Tally]) -> list[Bin]:
    """Return ten bins of equal width from 0 to 1."""
    values, right, sure = [0] * BINS, [0] * BINS, [0.0] * BINS
    for confidence, counts in tallies:
        at = min(int(confidence * BINS), BINS - 1)
        values[at] += sum(counts)
        right[at] += counts[0]
        sure[at] += confidence * sum(counts)
    return [*map(Bin, values, sure, right)]


def ece(tallies: Sequence[Tally]) -> float | None:
    """Return the expected calibration error: how far confidence and accuracy lie apart by bin."""
    total = sum(sum(counts) for _, counts in tallies)
    if not total:
        return None
    return sum(abs(bucket.right - bucket.sure) for bucket in reliability(tallies)) / total


def brier(tallies: Sequence[Tally]) -> float | None:
    """Return the mean squared distance between confidence and outcome."""
    total = sum(sum(counts) for _, counts in tallies)
    loss = sum(
        counts[0] * (1 - confidence) ** 2 + (sum(counts) - counts[0]) * confidence**2
        for confidence, counts in tallies
    )
    return loss / total if total else None


def auroc(tallies: Sequence[Tally]) -> float | None:
    """Return how often a right value is surer than a wrong one, ties counting half."""
    at: dict[float, list[int]] = {}
    for confidence, counts in tallies:
        tally = at.setdefault(confidence, [0, 0])
        tally[0] += counts[0]
        tally[1] += sum(counts) - counts[0]
    ahead = wrong_below = 0
    for confidence in sorted(at):
        right, wrong = at[confidence]
        ahead += right * (2 * wrong_below + wrong)
        wrong_below += wrong
    pairs = sum(right for right, _ in at.values()) * wrong_below
    return ratio(ahead, 2 * pairs)


SPECS = (
    ReadoutSpec("ece", unit=RATE, better=LOWER, label="ECE", column=80),
    ReadoutSpec("brier", unit=RATE, better=LOWER, label="Brier", column=81),
    ReadoutSpec("auroc", label="AUROC", column=82),
    *hidden("without_confidence"),
)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield calibration and discrimination, overall and by field."""
    tallies = by_field(parts_table(totals, "confidence"))
    fields = {path: predicted for path, (predicted,) in text_table(totals, "fields").items()}
    yield from _of("", [tally for row in tallies.values() for tally in row], sum(fields.values()))
    for path, predicted in fields.items():
        yield from _of(path, tallies.get(path, ()), predicted)


def _of(key: str, tallies: Sequence[Tally], predicted: int) -> Iterator[Readout]:
    stated = sum(sum(counts) for _, counts in tallies)
    scores: Mapping[str, float | None] = {
        "ece": ece(tallies),
        "brier": brier(tallies),
        "auroc": auroc(tallies),
    }
    for name, value in scores.items():
        yield Readout(name, key, value, stated)
    yield Readout("without_confidence", key, predicted - stated, predicted)


@metric(
    "confidence",
    version=1,
    tables={"fields": FIELDS, "confidence": TALLIES},
    readouts=readouts,
    specs=SPECS,
)
def confidence(case: Case) -> Stats:
    """Calibration error, Brier score and AUROC of the confidences that predicted values state."""
    tally = case.tally()
    predicted = {
        path: (right + swaps + deleted,)
        for path, (right, swaps, _, deleted) in tally.fields.items()
    }
    return {
        "fields": predicted,
        "confidence": confidences(tally) if case.pred.confident else {},
    }
