"""Which of several runs wins by a score, and whether that may be chance.

A score may be one that a metric makes, or the mean of what documents or fields have of it: then it
is a metric of its own, made of what was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from docassay.analysis.paired import PairedSample, paired_differences
from docassay.metrics.metric import Context, Metric, Readout, Totals
from docassay.model.report import FIELD
from docassay.model.schema import Schema
from docassay.model.stats import Stats, fold
from docassay.run.plan import Bound, BoundMetric
from docassay.run.score import Row

AVERAGING, MEASURE = "averaging", "measure"
SAME = 1e-9
"""Values that lie no further apart are equal."""
WHOLE = 1_000_000_000
"""Parts of 1 in which means of documents are counted."""
MEAN = "mean"


class SettingLine(NamedTuple):
    """A score of every run under one setting."""

    kind: str
    """What the setting is about: types, tolerance, averaging, …"""
    label: str
    address: str
    """Of the score that is shown."""
    values: tuple[float | int | None, ...]
    ranks: tuple[int | None, ...]
    """1 for the best; equal values share a rank."""
    winner: int | None
    """The run that is better than all others, None for a tie."""
    effect: bool = True
    """Whether it changes any value."""
    rival: int | None = None
    """The run that the winner was tested against: the usual winner where that is another run, else
    the second best."""
    difference: float | None = None
    """Of the winner from its rival; positive where it is better, whichever way the score goes."""
    p: float | None = None
    """Of the paired randomisation test, for this setting alone."""


class RunRows(NamedTuple):
    """One run under one setting."""

    bound: Bound
    rows: Sequence[Row]


class DecidingScore(NamedTuple):
    """The score that decides: where it is in a report, and which way it goes."""

    metric: str
    readout: str
    key: str
    address: str
    lower: bool
    mean: bool = False
    """Whether it can be averaged: not where it is a count."""


def document_means(run: RunRows, wanted: DecidingScore) -> RunRows:
    """Return a run whose score is the mean of what each document has."""
    metric = run.bound.metrics[0]
    rows = []
    for row in run.rows:
        value = _value(metric, [row], run.bound.plan.schema, wanted)
        counts = () if value is None else (round(value * WHOLE), WHOLE)
        table = {"": counts} if counts else {}
        rows.append(row._replace(stats={MEAN: {MEAN: table}}))
    return RunRows(_with_metric(run.bound, _ratio_readouts), tuple(rows))


def _ratio_readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    for parts, whole in totals.get(MEAN, {}).values():
        yield Readout(MEAN, "", parts / whole, context.documents)


def field_mean(run: RunRows, wanted: DecidingScore) -> RunRows:
    """Return a run whose score is the mean of what each field has."""
    metric = run.bound.metrics[0]
    name = metric.name

    def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
        own = context._replace(options=metric.options)
        values = [
            readout.value
            for readout in metric.metric.readouts(totals, own, **metric.display)
            if readout.name == wanted.readout and readout.key and readout.value is not None
            if metric.metric.spec(readout).kind == FIELD
        ]
        if values:
            yield Readout(MEAN, "", sum(values) / len(values), len(values))

    rows = tuple(row._replace(stats={MEAN: row.stats[name]}) for row in run.rows)
    return RunRows(_with_metric(run.bound, readouts), rows)


def _with_metric(bound: Bound, readouts: Callable[..., Iterator[Readout]]) -> Bound:
    """Return a plan of one metric that makes other numbers of what was counted."""
    metric = Metric(MEAN, _not_counted, 1, {}, readouts)
    return bound._replace(metrics=(BoundMetric(metric, {}, {}),))


def _not_counted(case: object) -> Stats:
    """Count nothing: the statistics are there already."""
    raise NotImplementedError(case)


def _value(
    metric: BoundMetric, rows: Sequence[Row], schema: Schema | None, score: DecidingScore
) -> float | int | None:
    totals = fold(row.stats[metric.name] for row in rows)
    context = Context(len(rows), schema, metric.options)
    for readout in metric.metric.readouts(totals, context, **metric.display):
        if (readout.name, readout.key) == (score.readout, score.key):
            return readout.value
    return None


def line_of(
    kind: str,
    label: str,
    score: DecidingScore,
    runs: Sequence[RunRows],
    usual: SettingLine | None,
    seed: int,
) -> SettingLine:
    """Return what a setting makes of the runs, with a test of its winner."""
    values = tuple(
        _value(run.bound.metrics[0], run.rows, run.bound.plan.schema, score) for run in runs
    )
    ranks = rank(values, lower=score.lower)
    first = [index for index, place in enumerate(ranks) if place == 1]
    winner = first[0] if len(first) == 1 else None
    line = SettingLine(kind, label, score.address, values, ranks, winner)
    if usual is not None and kind != MEASURE and _all_same(values, usual.values):
        rest = (usual.rival, usual.difference, usual.p)
        return SettingLine(kind, label, score.address, values, ranks, winner, False, *rest)
    if winner is None:
        return line
    rival = _rival(ranks, winner, usual)
    if rival is None:
        return line
    own, other = values[winner], values[rival]
    assert own is not None  # a winner and its rival have a rank
    assert other is not None
    lead = other - own if score.lower else own - other
    return line._replace(
        rival=rival, difference=lead, p=_p(runs, score, (rival, winner), seed=seed)
    )


def rank(values: Sequence[float | int | None], *, lower: bool) -> tuple[int | None, ...]:
    """Return the place of each value, 1 for the best; equal ones share it, None has none."""
    sign = -1 if lower else 1
    return tuple(
        None
        if value is None
        else 1 + sum(other is not None and sign * (other - value) > SAME for other in values)
        for value in values
    )


def _all_same(values: Sequence[float | int | None], others: Sequence[float | int | None]) -> bool:
    return all(
        value == other if value is None or other is None else abs(value - other) <= SAME
        for value, other in zip(values, others, strict=True)
    )


def _rival(ranks: Sequence[int | None], winner: int, usual: SettingLine | None) -> int | None:
    """Return the run that a winner is tested against: the usual winner, else the second best."""
    before = None if usual is None else usual.winner
    if before is not None and before != winner and ranks[before] is not None:
        return before
    others = [
        (place, index) for index, place in enumerate(ranks) if place is not None and index != winner
    ]
    return min(others)[1] if others else None


def _only(metric: BoundMetric, score: DecidingScore) -> BoundMetric:
    """Return a metric that makes one number and works out none that come after it."""

    def readouts(totals: Totals, context: Context, **display: object) -> Iterator[Readout]:
        for readout in metric.metric.readouts(totals, context, **display):
            if (readout.name, readout.key) == (score.readout, score.key):
                yield readout
                return

    return metric._replace(metric=replace(metric.metric, readouts=readouts))


def _p(
    runs: Sequence[RunRows], score: DecidingScore, pair: tuple[int, int], *, seed: int
) -> float | None:
    """Return how likely chance alone parts two runs as far, None where that has no test."""
    bound = runs[pair[0]].bound
    metric = bound.metrics[0]
    context = Context(len(runs[0].rows), bound.plan.schema, metric.options)
    sample = PairedSample(
        _only(metric, score),
        [runs[index].rows for index in pair],
        context,
    )
    differences = paired_differences([sample], [(0, 1)], seed=seed)[0, 1][0]
    difference = differences.get((score.readout, score.key))
    return None if difference is None else difference.p
