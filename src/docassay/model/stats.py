"""Statistics: whole numbers that add. A metric states them for a document, a fold sums them.

A metric keeps one or more tables; a table has a row of counts for each key (a field path, a group
type, or "" for the document). Fractions are kept as whole parts per billion (`PARTS`), so that no
sum depends on the order in which documents were scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

PARTS = 1_000_000_000

Counts = tuple[int, ...]
Table = Mapping[str, Counts]
Stats = Mapping[str, Table]
"""Table name -> key -> counts, in the column order that the metric declares."""


def fold(parts: Iterable[Stats]) -> dict[str, dict[str, Counts]]:
    """Return the sum of many documents' statistics, keys sorted."""
    tables: dict[str, list[Table]] = {}
    for part in parts:
        for name, table in part.items():
            tables.setdefault(name, []).append(table)
    totals: dict[str, dict[str, list[int]]] = {}
    for name, found in tables.items():
        total = totals.setdefault(name, {})
        # most documents repeat a few rows such as ("total", (1, 0, 0)): count those, then multiply
        rows = Counter(chain.from_iterable([table.items() for table in found]))
        for (key, counts), times in rows.items():
            known = total.setdefault(key, [0] * len(counts))
            for i, count in enumerate(counts):
                known[i] += count * times
    return {
        name: {key: tuple(table[key]) for key in sorted(table)} for name, table in totals.items()
    }


def total(rows: Iterable[Counts], width: int) -> Counts:
    """Return the sum of rows of counts that are all this wide; noughts when there are none."""
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
    return sum(defined) / len(defined) if defined else None
