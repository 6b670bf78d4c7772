"""Statistics: whole numbers that add. A metric states them for a document, a fold sums them.

A metric keeps one or more tables; a table has a row of counts for each key: a text (a field path, a
group type, or "" for the document), or several texts in a tuple (a field and a cause). Fractions
are kept as whole parts per billion (`PARTS`), so that no sum depends on the order in which
documents were scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from docassay.kernel.counting import PARTS as PARTS
from docassay.kernel.counting import RowSum, add_tables, with_texts_sorted
from docassay.kernel.counting import f1 as f1
from docassay.kernel.counting import ratio as ratio

Counts = tuple[int, ...]
Parts = tuple[str, ...]
Key = str | Parts
Table = Mapping[str, Counts] | Mapping[Parts, Counts]
Stats = Mapping[str, Table]
"""Table name -> key -> counts, in the column order that the metric declares."""


def text_table(stats: Stats, name: str) -> Mapping[str, Counts]:
    """Return a table whose keys are texts, an empty one when there is none of that name."""
    return cast("Mapping[str, Counts]", stats.get(name, {}))


def parts_table(stats: Stats, name: str) -> Mapping[Parts, Counts]:
    """Return a table whose keys are tuples, an empty one when there is none of that name."""
    return cast("Mapping[Parts, Counts]", stats.get(name, {}))


def key_order(key: Key) -> tuple[Parts, bool]:
    """Return what keys are sorted by: a text goes before the tuples that begin with it."""
    return ((key,), False) if isinstance(key, str) else (key, True)


class Sums:
    """Adds up statistics as they come, in memory that does not grow with their number."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[Key, RowSum]] = {}

    def add(self, stats: Stats) -> None:
        """Add the statistics of a document, or of many."""
        add_tables(self._sums, stats)

    def total(self) -> Stats:
        """Return the sum so far, keys sorted."""
        return {
            name: cast("Table", {key: sums[key].total() for key in sorted(sums, key=key_order)})
            for name, sums in self._sums.items()
        }


def in_order(stats: Stats) -> Stats:
    """Return the statistics of one document with its keys sorted, as a fold has them."""
    return {name: _sorted(table) for name, table in stats.items()}


def _sorted(table: Table) -> Table:
    texts = with_texts_sorted(table)
    if texts is not None:  # which is most tables
        return texts
    keys: list[Key] = [*table]
    # only where texts stand among tuples do keys have to be told how they compare
    order = None if len({*map(type, keys)}) == 1 else key_order
    ordered = sorted(keys, key=order)
    if keys == ordered:
        return table
    return cast("Table", {key: table[key] for key in ordered})  # type: ignore[index]


def fold(parts: Iterable[Stats]) -> Stats:
    """Return the sum of many documents' statistics, keys sorted."""
    sums = Sums()
    for part in parts:
        sums.add(part)
    return sums.total()


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
