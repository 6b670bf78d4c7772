"""Entities that a character alignment of whole texts brings together, as teklia-nerval does.

The two texts are written above each other, with gaps. An entity stretches over the gaps that follow
it, up to the next character of its own text. A gold entity is offered the first pred entity of its
category that stands over any of its columns, whole, even where that one begins earlier or ends
later. The columns in which it ends later are spent: no later gold entity may take them, and one
that has nothing but them at its end gets nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from docassay.align.edits import Columns, align_characters
from docassay.model.tagged import Block


class _Span(NamedTuple):
    first: int
    last: int
    entity: Block


def offers(gold: Sequence[Block], pred: Sequence[Block]) -> list[tuple[Block, Block]]:
    """Return gold entities with the pred entity each is offered; others are offered none."""
    shared = {one.category for one in gold} & {one.category for one in pred}
    if not shared - {None}:
        return []
    columns = align_characters(text_of(gold), text_of(pred))
    theirs: dict[str | None, list[_Span]] = {}
    for span in _spans(pred, columns.pred):
        theirs.setdefault(span.entity.category, []).append(span)
    lasts = {category: [one.last for one in spans] for category, spans in theirs.items()}
    spent: dict[str | None, int] = {}
    found = []
    for span in _spans(gold, columns.gold):
        category = span.entity.category
        start = max(span.first, spent.get(category, -1) + 1)
        if category not in theirs or start > span.last:
            continue
        place = bisect_left(lasts[category], start)
        if place == len(theirs[category]) or theirs[category][place].first > span.last:
            continue
        offered = theirs[category][place]
        if offered.last > span.last:
            spent[category] = offered.last
        found.append((span.entity, offered.entity))
    return found


def text_of(blocks: Sequence[Block]) -> str:
    """Return the whole text, one space between blocks."""
    return " ".join([one.text for one in blocks])


def _spans(blocks: Sequence[Block], columns: Columns) -> Iterator[_Span]:
    ends = np.cumsum([len(one.text) + 1 for one in blocks]) - 1
    starts = ends - [len(one.text) for one in blocks]
    firsts = columns[starts]
    # the gaps after an entity belong to it, those after the end of the text to nothing
    lasts = np.append(columns[ends[:-1]] - 1, columns[-1])
    for one, first, last in zip(blocks, firsts.tolist(), lasts.tolist(), strict=True):
        if one.category is not None:
            yield _Span(first, last, one)
