"""Statistics: whole numbers that add. A metric states them for a document, a fold sums them.

A metric keeps one or more tables; a table has a row of counts for each key: a text (a field path, a
group type, or "" for the document), or several texts in a tuple (a field and a cause). Fractions
are kept as whole parts per billion (`PARTS`), so that no sum depends on the order in which
documents were scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import cast

PARTS = 1_000_000_000

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


def fold(parts: Iterable[Stats]) -> Stats:
    """Return the sum of many documents' statistics, keys sorted."""
    tables: dict[str, list[Table]] = {}
    for part in parts:
        for name, table in part.items():
            tables.setdefault(name, []).append(table)
    totals: dict[str, Table] = {}
    for name, same in tables.items():
        sums: dict[Key, list[int]] = {}
        # most documents repeat a few rows such as ("total", (1, 0, 0)): count those, then multiply
        rows: Counter[tuple[Key, Counts]] = Counter(
            chain.from_iterable([table.items() for table in same])
        )
        for (key, counts), times in rows.items():
            row = sums.setdefault(key, [0] * len(counts))
            for i, count in enumerate(counts):
                row[i] += count * times
        ordered = {key: tuple(sums[key]) for key in sorted(sums, key=key_order)}
        totals[name] = cast("Table", ordered)
    return totals


def total(rows: Iterable[Counts], width: int) -> Counts:
    """Return the sum of rows of counts that are all this wide; zeros when there are none."""
    return tuple(map(sum, zip(*rows, strict=True))) or (0,) * width


def ratio(part: int, whole: int) -> float | None:
    """Return part / whole, undefined (None) where there is nothing to count."""
    return part / whole if whole else None


def f1(tp: int, fp: int, fn: int) -> float | None:
    """Return F1 from counts, undefined only where there is neither gold nor pred."""
    return ratio(2 * tp, 2 * tp + fp + fn)


def mean(values: Iterable[float | None]) -> float | None:
    """Return the plain mean of the defined values, undefined when there are none."""
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    # numbers that remember how they were made also remember which of them a mean is made of
    own: Callable[[list[float]], float] | None = getattr(defined[0], "mean_of", None)
    return sum(defined) / len(defined) if own is None else own(defined)
