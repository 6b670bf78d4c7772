"""Rows inside rows: what matching those of one row with those of another achieves.

Every pair of rows is a matching of the rows inside them, but most of these share no value. Then any
pairing is as good as any other, and what it is worth follows from the fields of the rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from docassay.kernel.alike import nested
from docassay.kernel.rows import Row
from docassay.matching.assignment import Matrix
from docassay.matching.rows import overlaps


class InnerRows(NamedTuple):
    """What rows inside a row are told by before they are compared."""

    rows: Sequence[Row]
    """With their tokens; none where values are compared pair by pair or rows have rows inside."""
    tokens: frozenset[str]
    """Those of all rows."""
    model: Row | None
    """Any of the rows, if all have the same fields and as many values in each."""


def inner_rows(rows: Sequence[Row]) -> InnerRows:
    """Return what rows are told by."""
    if nested(rows):
        return InnerRows((), frozenset(), None)
    tokens = frozenset([token for row in rows for token in row[0]])
    shapes = {
        tuple((path, len(values)) for path, values in sorted(row.values.items())) for _, row in rows
    }
    # an empty row is exactly another empty one, whatever they share
    alike = len(shapes) == 1 and () not in shapes
    return InnerRows(rows, tokens, rows[0] if alike else None)


def spared_apart(golds: Sequence[InnerRows], preds: Sequence[InnerRows]) -> Matrix:
    """Return the corrections that are spared where rows share no value; 0 for those of no model."""
    spared = np.zeros((len(golds), len(preds)), dtype=np.int64)
    usual = [[place for place, rows in enumerate(side) if rows.model] for side in (golds, preds)]
    if all(usual):
        models = [
            [rows.model for rows in side if rows.model is not None] for side in (golds, preds)
        ]
        counts = [
            [len(side[place].rows) for place in places]
            for side, places in zip((golds, preds), usual, strict=True)
        ]
        spared[np.ix_(*usual)] = np.minimum.outer(*counts) * overlaps(*models)
    return spared


def near(golds: Sequence[InnerRows], preds: Sequence[InnerRows]) -> Iterator[list[int]]:
    """Yield for each gold the preds with which it has to be matched to know what that is worth."""
    where: dict[str, list[int]] = {}
    for place, rows in enumerate(preds):
        for token in rows.tokens:
            where.setdefault(token, []).append(place)
    unusual = [place for place, rows in enumerate(preds) if rows.model is None]
    for rows in golds:
        if rows.model is None:
            yield [*range(len(preds))]
        else:
            met = {place for token in rows.tokens for place in where.get(token, ())}
            yield sorted(met.union(unusual))
