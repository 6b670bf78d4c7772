"""Plain documents: single values and rows of them, read, matched and counted in one go.

Most documents hold nothing else, and most of their values are equal to the letter on both sides.
Such values are counted as they stand, unread. What is unusual (several values of a field, marks
beside a value, rows inside rows, values that no key settles) is left to the callers, which hear of
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from docassay.kernel.alike import pair_identical
from docassay.kernel.readings import (
    Group,
    Reading,
    Shapes,
    Step,
    key_of,
    presence,
    read_rows,
    reading_at,
    same_leaf,
    unread_group,
)
from docassay.kernel.rows import (
    GroupPairs,
    Pairs,
    Row,
    count_pairs,
    count_rows,
    equal_keys,
    hold_any,
    is_whole,
    pair_twins,
    plain_rows,
    take_obvious,
    with_the_rest,
)
from docassay.kernel.survey import Survey, Unsettled

NO_FIELDS: frozenset[str] = frozenset()
Counts = tuple[int, ...]
ONE, ZERO = 1, 0
"""Numbers that Python has once, so that it takes a glance to see them."""
ONE_RIGHT, ONE_FOUND, NONE_WRONG = (1, 0, 0, 0, 1), (1, 0, 0), (0, 0, 0)
"""The rows of a field with one value, which is right: most fields of most documents have these."""


class Choices(Protocol):
    """Decides where keys alone do not."""

    def choose(self, golds: list[Row], preds: list[Row], path: str) -> GroupPairs:
        """Pair rows that share values with several others."""

    def are_equal(self, path: str, gold: Reading, pred: Reading) -> bool:
        """Whether two values of a field are equal that have to be compared."""


class CaseCounts:
    """What the values and rows of two documents come to."""

    __slots__ = ("exact", "fields", "groups", "missed", "spurious")

    def __init__(self) -> None:
        self.fields: dict[str, list[int]] = {}
        """Right, substituted, added, deleted, by field."""
        self.groups: dict[str, list[int]] = {}
        """Right, wrong in pred, wrong in gold, and the larger of these by parent, by group type."""
        self.missed: dict[str, list[Reading]] = {}
        """Gold's values that found no equal one in their group."""
        self.spurious: dict[str, list[Reading]] = {}
        self.exact = True
        """Whether the whole document is right."""


class RowPairs:
    """The rows of a type: those that are identical on both sides, the others paired or alone."""

    __slots__ = ("golds", "identical", "others", "path", "preds", "twins", "values")

    def __init__(self, path: str, golds: Sequence[Group], preds: Sequence[Group]) -> None:
        self.path = path
        self.golds = golds
        self.preds = preds
        self.identical: GroupPairs = []
        self.twins = 0
        """How many of these, the first, have the same texts."""
        self.others: Pairs = []
        self.values: dict[str, int] = {}
        """The number of values in identical rows, by field."""


class Compared:
    """Two plain documents: how their rows go together, and what they come to."""

    __slots__ = ("counted", "flawed", "pairwise", "rows")

    def __init__(self, counted: CaseCounts, rows: list[RowPairs], survey: Survey) -> None:
        self.counted = counted
        self.rows = rows
        self.flawed: list[Unsettled] = survey.flawed
        """Values that cannot be read."""
        self.pairwise: frozenset[str] = frozenset(survey.pairwise)
        """Fields whose values had to be compared, none of them in a row."""


def read_plain(tree: object, shapes: Shapes) -> Group | None:
    """Return the root of a document of plain values and rows of them; None if it holds others."""
    if type(tree) is not dict:
        return None
    steps = shapes[tuple(tree)]
    if steps is None:
        return None
    leaves = list(tree.values())
    root = unread_group("", None, leaves, steps, 0)
    for place in range(len(leaves)):
        leaf = leaves[place]
        if type(leaf) is list:
            if leaf:
                shape = steps[place][4].group  # type: ignore[attr-defined]
                rows = read_rows(leaf, shape.path, shape.shapes) if shape.pairs_freely else None
                if rows is None:
                    return None
                root.add_rows(shape.path, rows)
            leaves[place] = None
            continue
        here = presence(steps[place], leaf)
        if here < 0:
            return None
        if here == 0:
            leaves[place] = None
    return root


class PlainPair:
    """Two documents that `read_plain` has read, while they are matched and counted.

    Of `keyless` fields keys never settle which values are equal.
    """

    __slots__ = (
        "apart",
        "choices",
        "counted",
        "doubtful",
        "gold",
        "keyed",
        "keyless",
        "pred",
        "rows",
        "survey",
    )

    def __init__(self, gold: Group, pred: Group, keyless: set[str], choices: Choices) -> None:
        self.gold = gold
        self.pred = pred
        self.keyless = keyless
        self.keyed = True
        """Whether no row holds a value of such a field."""
        self.choices = choices
        self.counted = CaseCounts()
        self.survey = Survey()
        self.doubtful: set[str] | None = None
        """Fields of their own whose values had to be compared; None: none."""
        self.rows: list[RowPairs] = []
        self.apart: list[tuple[list[Row], list[Row]]] = []
        """The rows without a twin; twins are right whatever else the documents hold."""


def compare(pairs: list[PlainPair]) -> list[Compared | None]:
    """Match and count documents: all of them take a step before any takes the next.

    None where keys do not settle which values of rows are equal.
    """
    for pair in pairs:
        pair.keyed = not pair.keyless or not _rows_hold_any(pair.gold, pair.pred, pair.keyless)
        if pair.keyed:
            _count_own(pair)
    for pair in pairs:
        if pair.keyed:
            _pair_twins(pair)
    return [_match_and_count(pair) if pair.keyed else None for pair in pairs]


def _count_own(pair: PlainPair) -> None:
    """Count the documents' own values."""
    survey = pair.survey
    pair.counted.exact = _count_leaves(pair.counted, survey, pair.choices, pair.gold, pair.pred)
    if survey.pairwise:
        pair.doubtful = set(survey.pairwise)


def _pair_twins(pair: PlainPair) -> None:
    """Pair the rows that are the same, and read the others."""
    gold, pred, survey = pair.gold, pair.pred, pair.survey
    for path in {**gold.groups, **pred.groups}:
        rows = RowPairs(path, gold.groups.get(path, ()), pred.groups.get(path, ()))
        golds, preds = rows.golds, rows.preds
        if golds and preds:
            rows.identical, golds, preds = pair_twins(golds, preds)
            rows.twins = len(rows.identical)
        pair.apart.append((survey.add_plain(golds, True), survey.add_plain(preds, False)))
        pair.rows.append(rows)


def _match_and_count(pair: PlainPair) -> Compared | None:
    """Match and count the rows; None if keys do not settle which of their values are equal."""
    gold, pred, survey, doubtful = pair.gold, pair.pred, pair.survey, pair.doubtful
    apart = pair.apart
    if survey.pairwise and (doubtful is None or len(doubtful) < len(survey.pairwise)):
        survey.settle_scopes(gold, pred)
        apart = [(_with_tokens(golds), _with_tokens(preds)) for golds, preds in apart]
    if survey.pairwise and (
        doubtful is None
        or len(doubtful) < len(survey.pairwise)
        or _rows_hold_any(gold, pred, doubtful)
    ):
        return None
    for place in range(len(pair.rows)):
        rows = pair.rows[place]
        left, right = apart[place]
        _match_rows(rows, left, right, pair.choices)
        _add_counts(pair.counted, rows)
    return Compared(pair.counted, pair.rows, survey)


def _rows_hold_any(gold: Group, pred: Group, paths: set[str]) -> bool:
    """Whether any row of two documents holds a value of one of the fields."""
    for root in (gold, pred):
        for rows in root.groups.values():
            if hold_any(rows, paths):
                return True
    return False


def _count_leaves(
    counted: CaseCounts, survey: Survey, choices: Choices, gold: Group, pred: Group
) -> bool:
    """Count the values of two groups that are unread; return whether all are right."""
    exact = True
    golds, preds = gold._leaves, pred._leaves
    steps, others = gold._steps, pred._steps
    same = steps is others
    where = {} if same else {others[place][0]: place for place in range(len(others))}
    for place in range(len(golds)):
        leaf = golds[place]
        if leaf is None:
            continue
        step = steps[place]
        path = step[0]
        at = place if same else where.get(path, -1)
        other = None if at < 0 else preds[at]
        if other is None:
            _count_alone(counted, survey, True, path, reading_at(step, leaf))
            exact = False
        elif same_leaf(leaf, other) or _are_alike(survey, step, leaf, others[at], other):
            counted.fields[path] = [1, 0, 0, 0]
        else:
            left, right = reading_at(step, leaf), reading_at(others[at], other)
            if _count_two(counted, survey, choices, path, left, right):
                continue
            exact = False
    for place in range(len(preds)):
        leaf = preds[place]
        if leaf is not None:
            path = others[place][0]
            if path not in counted.fields:
                _count_alone(counted, survey, False, path, reading_at(others[place], leaf))
                exact = False
    return exact


def _are_alike(survey: Survey, step: Step, leaf: object, its_step: Step, other: object) -> bool:
    """Whether two leaves of a field have one key at sight."""
    key = survey.add_usual(step, leaf)
    return key is not None and key == survey.add_usual(its_step, other)


def _count_two(
    counted: CaseCounts,
    survey: Survey,
    choices: Choices,
    path: str,
    gold: Reading | None,
    pred: Reading | None,
) -> bool:
    """Count two values of a field that are not the same leaf; return whether pred's is right."""
    assert gold is not None
    assert pred is not None
    if gold is not pred:
        survey.add_value(True, path, gold)
        survey.add_value(False, path, pred)
        if path in survey.pairwise:
            right = choices.are_equal(path, gold, pred)
        else:
            right = key_of(gold) == key_of(pred)
        if not right:
            counted.fields[path] = [0, 1, 0, 0]
            counted.missed[path] = [gold]
            counted.spurious[path] = [pred]
            return False
    counted.fields[path] = [1, 0, 0, 0]
    return True


def _count_alone(
    counted: CaseCounts, survey: Survey, of_gold: bool, path: str, reading: Reading | None
) -> None:
    """Count a value that the other side does not have."""
    assert reading is not None
    survey.add_value(of_gold, path, reading)
    counted.fields[path] = [0, 0, 1, 0] if of_gold else [0, 0, 0, 1]
    (counted.missed if of_gold else counted.spurious)[path] = [reading]


def _with_tokens(rows: list[Row]) -> list[Row]:
    """Return plain rows with the tokens that they have now."""
    again = plain_rows([row[1] for row in rows], NO_FIELDS)
    assert again is not None
    return again


def _match_rows(rows: RowPairs, left: list[Row], right: list[Row], choices: Choices) -> None:
    """Pair the rows that are not twins: identical ones, clear ones, then the best choice."""
    if left and right:
        identical, left, right = pair_identical(left, right)
        rows.identical.extend(identical)
    rows.values = _values_in(rows.identical)
    golds, preds = [row[1] for row in left], [row[1] for row in right]
    pairs: GroupPairs = []
    if len(left) > 1 or len(right) > 1:
        pairs = take_obvious(left, right)
    if left and right:
        if len(left) == 1 and len(right) == 1:
            pairs.append((left[0][1], right[0][1]))
        else:
            pairs.extend(choices.choose(left, right, rows.path))
    rows.others = with_the_rest(pairs, golds, preds)


def _values_in(pairs: GroupPairs) -> dict[str, int]:
    """Return the number of values of gold's rows by field; most have all of the same fields."""
    values: dict[str, int] = {}
    if not pairs:
        return values
    first = pairs[0][0]
    steps = first._steps
    for pair in pairs:
        row = pair[0]
        if row._steps is not steps or not is_whole(row):
            return count_rows([each[0] for each in pairs])[0]
    for step in steps:
        values[step[0]] = values.get(step[0], 0) + len(pairs)
    return values


def _add_counts(counted: CaseCounts, rows: RowPairs) -> None:
    """Count the values of rows, and the rows."""
    fields = counted.fields
    for path, count in rows.values.items():
        own = fields.get(path)
        if own is None:
            fields[path] = [count, 0, 0, 0]
        else:
            own[0] += count
    lefts = (counted.missed, counted.spurious)
    right, extra, missing = count_pairs(fields, lefts, rows.others, NO_FIELDS)  # type: ignore[misc]
    right += len(rows.identical)
    counted.groups[rows.path] = [right, extra, missing, max(extra, missing)]
    if extra or missing:
        counted.exact = False


def with_equal(fields: dict[str, list[int]], equal: Mapping[str, int]) -> dict[str, Counts]:
    """Return the counts of fields, each followed by how many values are equal in any group."""
    table: dict[str, Counts] = {}
    for path, counts in fields.items():
        if _is_one_right(counts) and equal[path] is ONE:
            table[path] = ONE_RIGHT
        else:
            table[path] = (counts[0], counts[1], counts[2], counts[3], equal[path])
    return table


def without_groups(fields: dict[str, list[int]], equal: Mapping[str, int]) -> dict[str, Counts]:
    """Return how many values of fields are equal in any group, only in pred, and only in gold."""
    table: dict[str, Counts] = {}
    for path, counts in fields.items():
        if _is_one_right(counts) and equal[path] is ONE:
            table[path] = ONE_FOUND
            continue
        right = equal[path]
        found = counts[0] + counts[1] - right
        table[path] = (right, found + counts[3], found + counts[2])
    return table


def corrections_by_field(fields: dict[str, list[int]]) -> dict[str, Counts]:
    """Return how many values of fields are substituted, added and deleted."""
    table: dict[str, Counts] = {}
    for path, counts in fields.items():
        right = _is_one_right(counts)
        table[path] = NONE_WRONG if right else (counts[1], counts[2], counts[3])
    return table


def _is_one_right(counts: list[int]) -> bool:
    """Whether a field has one value, which is right."""
    return counts[0] is ONE and counts[1] is ZERO and counts[2] is ZERO and counts[3] is ZERO


def most_pairs(fields: dict[str, list[int]]) -> int:
    """Return of how many pairs of values the field with most of them has to choose."""
    most = 0
    for counts in fields.values():
        both = counts[0] + counts[1]
        pairs = (both + counts[2]) * (both + counts[3])
        if pairs > most:
            most = pairs
    return most


def equal_anywhere(counted: CaseCounts) -> dict[str, int]:
    """Return how many values are equal whatever group they stand in, by field."""
    equal: dict[str, int] = {}
    for path, counts in counted.fields.items():
        equal[path] = equal_values(counted, path) if path in counted.missed else counts[0]
    return equal


def equal_values(counted: CaseCounts, path: str) -> int:
    """Return how many values of a field are equal by their keys, whatever group they stand in.

    What is right in rows, and what is equal among the values left over, are as many as can be.
    """
    counts = counted.fields[path]
    right = counts[0]
    missed = counted.missed.get(path)
    if missed is not None:
        spurious = counted.spurious.get(path)
        if spurious is not None:
            right += equal_keys(missed, spurious)
    return right
