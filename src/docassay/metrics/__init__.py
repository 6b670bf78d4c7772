"""Metrics: pure functions from one case to statistics, and from summed statistics to readouts.

A metric states the tables it keeps with the names of their columns, and a `readouts` function that
turns the sum over any set of documents into named numbers, the overall ones first. Corpus scores,
single documents, slices and resamples are the same two functions with a different sum between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from docassay.model.schema import Schema
from docassay.model.stats import Counts, Stats
from docassay.registry import Registry

Totals = Mapping[str, Mapping[str, Counts]]
"""Table name -> key -> counts, summed over documents."""


class Readout(NamedTuple):
    """One named number of a metric."""

    name: str
    key: str
    """"" for overall, else a field path, a group type or a category."""
    value: float | int | None
    """A whole number for counts, None where undefined."""
    support: int
    """What the number rests on: the gold values, groups or documents behind it."""


class Context(NamedTuple):
    """What readouts may know besides the sums: how many documents, the schema, the options."""

    documents: int
    schema: Schema | None
    options: Mapping[str, object]


MetricFunction = Callable[..., Stats]
Readouts = Callable[[Totals, Context], Iterator[Readout]]


class Flaw(NamedTuple):
    """What a metric could not do for a document, and on whose account."""

    message: str
    side: str = "pred"


Flaws = Callable[[Stats], Iterator[Flaw]]
"""A document's statistics -> what the metric could not do for it, to be counted as problems."""
M = TypeVar("M", bound=MetricFunction)

METRICS: Registry[MetricFunction] = Registry(
    "metric",
    "docassay.metrics",
    {
        "causes": "docassay.metrics.causes",
        "confidence": "docassay.metrics.confidence",
        "effort": "docassay.metrics.effort",
        "entity": "docassay.metrics.entity",
        "fields": "docassay.metrics.fields",
        "hybrid": "docassay.metrics.hybrid",
        "kieval": "docassay.metrics.kieval",
        "kieval_official": "docassay.compat.kieval_official",
        "ner": "docassay.metrics.ner",
        "rules": "docassay.metrics.rules",
        "tree": "docassay.metrics.tree",
        "vrdu": "docassay.metrics.vrdu",
        "vrdu_official": "docassay.compat.vrdu_official",
    },
)


def metric(
    name: str,
    *,
    version: int,
    tables: Mapping[str, tuple[str, ...]],
    readouts: Readouts,
    flaws: Flaws | None = None,
    check: Callable[..., object] | None = None,
    means: Mapping[str, tuple[str, str, str]] | None = None,
    follows: Sequence[str] = (),
) -> Callable[[M], M]:
    """Register a metric: `def score(case: Case, *, option=default) -> Stats`.

    `check` is called with the options before a document is read, to refuse what cannot work.
    `means` names the readouts that are means over documents, and so have intervals: the table, its
    column of sums in parts per billion, its column of counts. `follows` names metrics whose options
    go for this one too where it has the same and is not told otherwise.
    """

    def register(function: M) -> M:
        METRICS.add(
            name,
            function,
            version=version,
            tables=tables,
            readouts=readouts,
            flaws=flaws,
            check=check,
            means=means or {},
            follows=follows,
        )
        return function

    return register
