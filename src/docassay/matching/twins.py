"""Twins: rows that are equal as text on both sides, paired before anything is read.

Most rows of a good prediction are right to the letter. Where values count as texts, such a pair is
right whatever else the document holds (see `groups`), so its rows are counted and not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from docassay.model.document import NOTHING, Number
from docassay.schema.layout import BoundGroup, Layout

PLAIN = frozenset({str, Number, int, type(None)})
"""Leaves that are equal only if they are written alike (True equals 1, and so does 1.0)."""

MANY = 32
"""In shorter lists, looking for equal rows takes as long as reading them."""

Content = tuple[object, ...]
"""The keys of a row and then its leaves; () for a row that has anything but plain leaves."""


class Twins(NamedTuple):
    """Two trees without the rows that are equal, and how much these hold."""

    gold: object
    pred: object
    rows: Mapping[str, int] = NOTHING
    """The number of pairs by group type."""
    values: Mapping[str, int] = NOTHING
    """The number of values in the pairs by field."""


def set_aside(gold: object, pred: object, layout: Layout) -> Twins:
    """Take equal rows out of two trees; trees without any come back as they are."""
    if type(gold) is not dict or type(pred) is not dict:
        return Twins(gold, pred)
    rows: dict[str, int] = {}
    values: dict[str, int] = {}
    for key, gold_rows in [*gold.items()]:
        if type(gold_rows) is not list or len(gold_rows) < MANY:
            continue
        pred_rows = pred.get(key)
        if type(pred_rows) is not list or len(pred_rows) < MANY:
            continue
        member = layout.root.members[key]
        if not member.counts or not member.group.as_text:
            continue
        left, right, twins = _part(gold_rows, pred_rows, member.group)
        if twins:
            gold, pred = {**gold, key: left}, {**pred, key: right}
            _count(twins, member.group, rows, values)
    return Twins(gold, pred, rows, values)


def _part(
    golds: list[object], preds: list[object], shape: BoundGroup
) -> tuple[list[object], list[object], set[Content]]:
    """Return what remains of either side, and the content of each pair."""
    if {*map(type, golds), *map(type, preds)} != {dict}:
        return golds, preds, set()  # where a value stands in such a list may matter
    contents = [*map(_content, golds)], [*map(_content, preds)]  # type: ignore[arg-type]
    twins = _once(contents[0]) & _once(contents[1])
    twins -= {content for content in twins if not shape.texts(content[: len(content) // 2])}
    left = [row for row, content in zip(golds, contents[0], strict=True) if content not in twins]
    right = [row for row, content in zip(preds, contents[1], strict=True) if content not in twins]
    return left, right, twins


def _once(contents: list[Content]) -> set[Content]:
    """Return the contents that stand once: which of several equal rows to take is not said here."""
    single = {*contents}
    if len(single) < len(contents):
        single = {content for content, times in Counter(contents).items() if times == 1}
    single.discard(())
    return single


def _content(row: dict[str, object]) -> Content:
    leaves = row.values()
    if PLAIN.issuperset(map(type, leaves)):
        return (*row, *leaves)
    bare = [_bare(leaf) if type(leaf) is dict else leaf for leaf in leaves]
    return (*row, *bare) if PLAIN.issuperset(map(type, bare)) else ()


def _bare(leaf: dict[str, object]) -> object:
    """Return the value of a leaf that has a confidence besides, and any other leaf as it is."""
    confidence = leaf.get("confidence")
    # one outside its range is to be read, because reading reports it
    if len(leaf) == 2 and type(confidence) is Number and 0.0 <= float(confidence) <= 1.0:
        return leaf.get("value", leaf)
    return leaf


def _count(
    twins: set[Content], shape: BoundGroup, rows: dict[str, int], values: dict[str, int]
) -> None:
    """Count pairs and their values; a row of nothing but placeholders is no row."""
    absent = shape.layout.absent_among(
        {leaf for content in twins for leaf in content[len(content) // 2 :]}
    )
    fields: Counter[tuple[str, ...]] = Counter()
    for content in twins:
        half = len(content) // 2
        paths = shape.texts(content[:half])
        if absent and not absent.isdisjoint(content[half:]):
            leaves = zip(paths, content[half:], strict=True)
            paths = tuple(path for path, leaf in leaves if leaf not in absent)
        fields[paths] += 1
    for paths, times in fields.items():
        for path in paths:
            values[path] = values.get(path, 0) + times
    pairs = len(twins) - fields[()]
    if pairs:
        rows[shape.path] = rows.get(shape.path, 0) + pairs
