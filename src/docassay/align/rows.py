"""Rows with their tokens: which are identical, which clearly belong together, and their order.

A row becomes a set of tokens, one for each value (its key, numbered when it repeats), so that the
number of equal values of two rows is the number of tokens they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docassay.model.document import Group

Row = tuple[frozenset[str], Group]
"""A group with its tokens."""
GroupPairs = list[tuple[Group, Group]]


def counts(groups: Sequence[Group]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of values by field and of rows by type in groups, at any depth."""
    shapes: dict[tuple[str, ...], int] = {}
    values: dict[str, int] = {}
    rows: dict[str, int] = {}
    for group in groups:
        if group.single and not group.groups:
            shape = tuple(group.values)  # most rows have the same fields: count those once
            shapes[shape] = shapes.get(shape, 0) + 1
        else:
            _count(group, values, rows)
    for shape, times in shapes.items():
        for path in shape:
            values[path] = values.get(path, 0) + times
    return values, rows


def _count(group: Group, values: dict[str, int], rows: dict[str, int]) -> None:
    for path, readings in group.values.items():
        values[path] = values.get(path, 0) + len(readings)
    for path, inner in group.groups.items():
        rows[path] = rows.get(path, 0) + len(inner)
        for row in inner:
            _count(row, values, rows)


def nested(rows: list[Row]) -> bool:
    """Whether any of the rows has rows inside."""
    return any(row.groups for _, row in rows)


def pair_identical(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    """Return the pairs of identical rows, and the rows that remain of either side."""
    if nested(golds) or nested(preds):
        return _pair_repeated(golds, preds)
    repeated = _repeated(golds) | _repeated(preds)
    pairs: GroupPairs = []
    left: list[Row] = []
    right: list[Row] = []
    if repeated:
        pairs, left, right = _pair_repeated(
            [row for row in golds if row[0] in repeated],
            [row for row in preds if row[0] in repeated],
        )
    # of rows that stand once on either side, which is most, there is no choice
    theirs = {tokens: pred for tokens, pred in preds if tokens not in repeated}
    for row in golds:
        if row[0] not in repeated:
            pred = theirs.pop(row[0], None)
            if pred is None:
                left.append(row)
            else:
                pairs.append((row[1], pred))
    right += theirs.items()
    return pairs, left, right


def _repeated(rows: list[Row]) -> set[frozenset[str]]:
    """Return the tokens of rows that stand several times."""
    tokens = [row[0] for row in rows]
    if len({*tokens}) == len(tokens):
        return set()
    return {one for one, times in Counter(tokens).items() if times > 1}


def _pair_repeated(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    left = _by_identity(golds)
    right = _by_identity(preds)
    pairs: GroupPairs = []
    rest: list[Row] = []
    for identity, ours in left.items():
        theirs = right.get(identity)
        if theirs is None:
            rest += ours
        elif len(ours) == 1 and len(theirs) == 1:
            pairs.append((ours[0][1], theirs[0][1]))
            del right[identity]
        else:
            sort_by_content(ours)
            sort_by_content(theirs)
            same = min(len(ours), len(theirs))
            pairs += ((ours[i][1], theirs[i][1]) for i in range(same))
            rest += ours[same:]
            del theirs[:same]
    return pairs, rest, [row for rows in right.values() for row in rows]


def _by_identity(rows: list[Row]) -> dict[object, list[Row]]:
    found: dict[object, list[Row]] = {}
    for row in rows:
        tokens, group = row
        identity = (tokens, group.content()[1]) if group.groups else tokens
        found.setdefault(identity, []).append(row)
    return found


def take_obvious(left: list[Row], right: list[Row]) -> GroupPairs:
    """Take out and return the pairs of rows that share values with each other and no one else.

    Every best matching has such a pair: to part the two loses their equal values and wins none.
    """
    where: dict[str, list[int]] = {}
    for j, (tokens, _) in enumerate(right):
        for token in tokens:
            where.setdefault(token, []).append(j)
    met = [{j for token in tokens if token in where for j in where[token]} for tokens, _ in left]
    suitors = [0] * len(right)
    for found in met:
        for j in found:
            suitors[j] += 1
    pairs = {
        i: j for i, found in enumerate(met) if len(found) == 1 for j in found if suitors[j] == 1
    }
    groups = [(left[i][1], right[j][1]) for i, j in pairs.items()]
    taken = {*pairs.values()}
    left[:] = [row for i, row in enumerate(left) if i not in pairs]
    right[:] = [row for j, row in enumerate(right) if j not in taken]
    return groups


def sort_by_content(rows: list[Row]) -> None:
    """Sort rows by content, so that ties do not depend on their order in the file."""
    alike: dict[frozenset[str], list[Row]] = {}
    for row in rows:
        alike.setdefault(row[0], []).append(row)
    rows.clear()
    for tokens in sorted(alike, key=sorted):
        same = alike[tokens]
        if len(same) > 1:
            same.sort(key=_content)
        rows += same


def _content(row: Row) -> tuple[object, ...]:
    """Sort key: canonical forms, then texts, then the more confident first."""
    entities = sorted(
        (one.field, one.reading.canonical, one.reading.text, -(one.reading.confidence or 0.0))
        for one in row[1].entities()
    )
    return (
        tuple(one[:2] for one in entities),
        tuple(one[2] for one in entities),
        tuple(one[3] for one in entities),
    )
