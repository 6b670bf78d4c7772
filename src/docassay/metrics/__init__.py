"""Metrics: pure functions from one case to statistics, and from summed statistics to readouts.

A metric states the tables it keeps with the names of their columns, and a `readouts` function that
turns the sum over any set of documents into named numbers, the overall ones first. Corpus scores,
single documents, slices and resamples are the same two functions with a different sum between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
Flaws = Callable[[Stats], Iterator[str]]
"""A document's statistics -> what the metric could not do for it, to be counted as problems."""
M = TypeVar("M", bound=MetricFunction)

METRICS: Registry[MetricFunction] = Registry(
    "metric",
    "docassay.metrics",
    {
        "entity": "docassay.metrics.entity",
        "kieval": "docassay.metrics.kieval",
        "kieval_official": "docassay.compat.kieval_official",
        "ner": "docassay.metrics.ner",
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
) -> Callable[[M], M]:
    """Register a metric: `def score(case: Case, *, option=default) -> Stats`.

    `check` is called with the options before a document is read, to refuse what cannot work.
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
        )
        return function

    return register
