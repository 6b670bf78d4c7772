"""Rows by their tokens: which are identical, what they share, and an order whatever files say.

A row becomes a set of tokens, one for each value (its key, numbered when it repeats), so that the
number of equal values of two rows is the number of tokens they share.
"""

from __future__ import annotations

from collections.abc import Sequence

from docassay.kernel.readings import Group, values_of
from docassay.kernel.rows import (
    GroupPairs,
    Row,
    are_twins,
    fields_of,
    pair_unrepeated,
    places,
    token_length,
)


def nested(rows: Sequence[Row]) -> bool:
    """Whether any of the rows has rows inside."""
    for row in rows:
        group = row[1]
        if group.groups:
            return True
    return False


def pair_identical(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    """Return the pairs of identical rows, and the rows that remain of either side."""
    if nested(golds) or nested(preds):
        return _pair_repeated(golds, preds)
    # of rows that stand once on either side, which is most, there is no choice
    paired = pair_unrepeated(golds, preds)
    if paired is not None:
        return paired
    repeated: set[frozenset[str]] = set()
    _add_repeated(golds, repeated)
    _add_repeated(preds, repeated)
    pairs, left, right = _pair_repeated(
        [row for row in golds if row[0] in repeated],
        [row for row in preds if row[0] in repeated],
    )
    paired = pair_unrepeated(
        [row for row in golds if row[0] not in repeated],
        [row for row in preds if row[0] not in repeated],
    )
    assert paired is not None
    return pairs + paired[0], left + paired[1], right + paired[2]


def _add_repeated(rows: list[Row], repeated: set[frozenset[str]]) -> None:
    """Add the tokens of rows that stand several times."""
    seen: set[frozenset[str]] = set()
    for row in rows:
        tokens = row[0]
        if tokens in seen:
            repeated.add(tokens)
        else:
            seen.add(tokens)


def _pair_repeated(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    left = _by_identity(golds)
    right = _by_identity(preds)
    pairs: GroupPairs = []
    rest: list[Row] = []
    for identity, gold_rows in left.items():
        pred_rows = right.get(identity)
        if pred_rows is None:
            pred_rows = []
        if len(gold_rows) > 1 or len(pred_rows) > 1:
            sort_by_content(gold_rows)
            sort_by_content(pred_rows)
        same = min(len(gold_rows), len(pred_rows))
        for place in range(same):
            pairs.append((gold_rows[place][1], pred_rows[place][1]))
        rest.extend(gold_rows[same:])
        del pred_rows[:same]
    return pairs, rest, [row for rows in right.values() for row in rows]


def _by_identity(rows: list[Row]) -> dict[object, list[Row]]:
    alike: dict[object, list[Row]] = {}
    for row in rows:
        group = row[1]
        identity = (row[0], group.content()[1]) if group.groups else row[0]
        same = alike.get(identity)
        if same is None:
            alike[identity] = [row]
        else:
            same.append(row)
    return alike


def sort_by_content(rows: list[Row]) -> None:
    """Sort rows by content, so that ties do not depend on their order in the file."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        tokens = tuple(sorted(row[0]))
        same = alike.get(tokens)
        if same is None:
            alike[tokens] = [row]
        else:
            same.append(row)
    rows.clear()
    for tokens in sorted(alike):
        same = alike[tokens]
        # rows that hold the same readings stay as they stand
        if len(same) > 1 and not _all_twins(same):
            same.sort(key=_content)
        rows.extend(same)


def _all_twins(rows: list[Row]) -> bool:
    first = rows[0]
    for place in range(1, len(rows)):
        row = rows[place]
        if not are_twins(first[1], row[1]):
            return False
    return True


def _content(row: Row) -> tuple[object, ...]:
    """Sort key: canonical forms, then texts, then the more confident first."""
    entities = sorted(
        [
            (field, reading.canonical, reading.text, -(reading.confidence or 0.0))
            for field, _, reading in row[1].entities()
        ]
    )
    return (
        tuple([entity[:2] for entity in entities]),
        tuple([entity[2] for entity in entities]),
        tuple([entity[3] for entity in entities]),
    )


def kinds(rows: Sequence[Row]) -> tuple[list[int], list[Group]]:
    """Return the kind of each row, which is its fields and how many, and a row of each kind."""
    numbers: dict[tuple[object, ...], int] = {}
    models: list[Group] = []
    each: list[int] = []
    for row in rows:
        group = row[1]
        kind: tuple[object, ...] = fields_of(group)
        if not group.single:
            kind += tuple([len(readings) for readings in values_of(group).values()])
        number = numbers.get(kind)
        if number is None:
            number = numbers[kind] = len(numbers)
            models.append(group)
        each.append(number)
    return each, models


def add_shared(
    equal: memoryview[int],
    length: memoryview[int],
    golds: Sequence[Row],
    preds: Sequence[Row],
    most: int,
) -> list[tuple[list[int], list[int], int]]:
    """Add how many tokens each pair of rows shares, and how long these are, to cells row by row.

    A token that more than the most pairs share is left out: returns in which rows of gold and of
    pred such tokens stand, and their lengths.
    """
    width = len(preds)
    there = places(preds)
    common: list[tuple[list[int], list[int], int]] = []
    for token, left in places(golds).items():
        right = there.get(token)
        if right is None:
            continue
        size = token_length(token)
        if len(left) * len(right) > most:
            common.append((left, right, size))
            continue
        for gold in left:
            for pred in right:
                at = gold * width + pred
                equal[at] += 1
                length[at] += size
    return common
