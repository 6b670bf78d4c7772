"""Statistics: whole numbers that add. A metric states them for a document, a fold sums them.

A metric keeps one or more tables; a table has a row of counts for each key: a text (a field path, a
group type, or "" for the document), or several texts in a tuple (a field and a cause). Fractions
are kept as whole parts per billion (`PARTS`), so that no sum depends on the order in which
documents were scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from docassay.kernel.counting import PARTS as PARTS
from docassay.kernel.counting import RowSum, add_by_metric, add_tables, key_order
from docassay.kernel.counting import f1 as f1
from docassay.kernel.counting import in_order as in_order
from docassay.kernel.counting import ratio as ratio

Counts = tuple[int, ...]
Parts = tuple[str, ...]
Key = str | Parts
Table = Mapping[str, Counts] | Mapping[Parts, Counts]
Stats = Mapping[str, Table]
"""Table name -> key -> counts, in the column order that the metric declares."""


_NO_TABLE: Table = MappingProxyType({})


def text_table(stats: Stats, name: str) -> Mapping[str, Counts]:
    """Return a table whose keys are texts, an empty one when there is none of that name."""
    return stats.get(name, _NO_TABLE)  # type: ignore[return-value]


def parts_table(stats: Stats, name: str) -> Mapping[Parts, Counts]:
    """Return a table whose keys are tuples, an empty one when there is none of that name."""
    return stats.get(name, _NO_TABLE)  # type: ignore[return-value]


class Sums:
    """Adds up statistics by metric as they come, in memory that does not grow with their number."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, dict[Key, RowSum]]] = {}

    def add(self, documents: Sequence[Mapping[str, Stats]]) -> None:
        """Add the statistics of documents, each of one or of many."""
        add_by_metric(self._sums, documents)

    def total(self, metric: str) -> Stats:
        """Return the sum of a metric so far, keys sorted; nothing of one that never counted."""
        return _total(self._sums.get(metric, {}))

    def totals(self) -> dict[str, Stats]:
        """Return the sums of all metrics so far."""
        return {metric: _total(sums) for metric, sums in self._sums.items()}


def _total(tables: Mapping[str, Mapping[Key, RowSum]]) -> Stats:
    return {
        name: cast("Table", {key: sums[key].total() for key in sorted(sums, key=key_order)})
        for name, sums in tables.items()
    }


def fold(parts: Iterable[Stats]) -> Stats:
    """Return the sum of many documents' statistics, keys sorted."""
    sums: dict[str, dict[Key, RowSum]] = {}
    for part in parts:
        add_tables(sums, part)
    return _total(sums)


def total(rows: Iterable[Counts], width: int) -> Counts:
    """Return the sum of rows of counts that are all this wide; zeros when there are none."""
    return tuple(map(sum, zip(*rows, strict=True))) or (0,) * width


def mean(values: Iterable[float | None]) -> float | None:
    """Return the plain mean of the defined values, undefined when there are none."""
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    # numbers that remember how they were made also remember which of them a mean is made of
    own: Callable[[list[float]], float] | None = getattr(defined[0], "mean_of", None)
    return sum(defined) / len(defined) if own is None else own(defined)
