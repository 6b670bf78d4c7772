"""Columns of two documents: which cells are the same in their places, which items equal by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docassay.kernel.plain import CaseCounts, equal_values
from docassay.kernel.readings import (
    NOTHING,
    Group,
    Reading,
    Steps,
    Values,
    by_keys,
    reading_at,
    sense_of,
    surely_differ,
    values_of,
)
from docassay.kernel.rows import (
    are_twins,
    are_unread,
    count_rows,
    fields_of,
    is_whole,
    place_of,
)

BothSides = tuple[Values, Values]
"""Items of gold and of pred."""
UNKNOWN = -1
"""In the place of a number that keys do not tell."""


class FacingRows:
    """The rows of gold and of pred by their places."""

    __slots__ = ("golds", "others", "preds")

    def __init__(self, golds: Sequence[Group], preds: Sequence[Group]) -> None:
        self.golds = golds
        self.preds = preds
        self.others: list[int] = []
        """The places that both sides have and whose rows are not the same."""


class Contrast:
    """How the items of a field differ between gold and pred.

    Items are looked up in their rows when somebody asks for them: mostly their numbers will do.
    """

    __slots__ = (
        "_cells",
        "_counted",
        "_items",
        "_path",
        "_rows",
        "golds",
        "group",
        "in_place",
        "matched",
        "preds",
        "same",
        "shared",
    )

    def __init__(self, group: str) -> None:
        self.group = group
        """The group whose column the field is, "" for a field of the document itself."""
        self.golds = 0
        """How many items gold has."""
        self.preds = 0
        self.shared = 0
        """How many places hold an item on both sides."""
        self.same = 0
        """How many hold the same one, which for most fields are all."""
        self.in_place = 0
        """How many hold equal ones, or UNKNOWN."""
        self.matched = UNKNOWN
        """How many items of gold find an equal one, wherever it stands, or UNKNOWN."""
        self._path = ""
        self._counted: CaseCounts | None = None
        """What knows the items that keys tell to be equal."""
        self._rows = NO_ROWS
        self._cells: BothSides | None = None
        self._items: BothSides | None = None

    @property
    def same_places(self) -> bool:
        """Whether both sides have their items in the same places."""
        return self.shared == self.golds == self.preds

    @property
    def all_same(self) -> bool:
        """Whether both sides are the same, place by place."""
        return self.same == self.golds == self.preds

    @property
    def cells(self) -> BothSides:
        """The items in shared places, of those where pred's is not the same."""
        if self._cells is None:
            self._cells = _cells_of(self._rows, self._path)
        return self._cells

    @property
    def items(self) -> BothSides:
        """All items of gold and of pred."""
        if self._items is None:
            rows = self._rows
            self._items = (column_of(rows.golds, self._path), column_of(rows.preds, self._path))
        return self._items

    def rests(self) -> BothSides:
        """Return the items of either side without those that both have.

        Of several that are the same it does not matter which are left, so rows that are the same
        stay out.
        """
        items = _items_apart(self._rows, self._path) if self._items is None else self._items
        golds, preds, _ = part_items(items[0], items[1])
        return golds, preds

    def unequal(self) -> BothSides:
        """Return what `rests` does without some items that are equal by their keys.

        Where keys tell how many of them are equal, those of rows that go together are known.
        """
        counted = self._counted
        if counted is None:
            return self.rests()
        golds, preds = counted.missed.get(self._path), counted.spurious.get(self._path)
        if golds is None or preds is None:
            return tuple(golds or ()), tuple(preds or ())
        left, right, _ = part_items(tuple(golds), tuple(preds))
        return left, right

    def settled(self, rest: Values) -> set[Reading]:
        """Return the items of gold without this rest of them, each once."""
        golds, _, _ = part_items(self.items[0], rest)
        return set(golds)


NO_ROWS = FacingRows((), ())
"""Of a field whose items are given."""


def _unread_column(group: str, path: str, rows: FacingRows) -> Contrast:
    """Return a column of rows of which nothing is counted yet, made in few steps."""
    contrast = Contrast.__new__(Contrast)
    contrast.group = group
    contrast.golds = contrast.preds = contrast.shared = contrast.same = contrast.in_place = 0
    contrast.matched = UNKNOWN
    contrast._path = path
    contrast._counted = None
    contrast._rows = rows
    contrast._cells = contrast._items = None
    return contrast


def contrast_items(group: str, items: BothSides, pairs: list[tuple[Reading, Reading]]) -> Contrast:
    """Return how items differ of which these are pairs that share a place."""
    contrast = Contrast(group)
    golds, preds = items
    contrast.golds, contrast.preds, contrast.shared = len(golds), len(preds), len(pairs)
    others = [pair for pair in pairs if pair[0] is not pair[1]]
    contrast.same = len(pairs) - len(others)
    contrast.in_place = UNKNOWN if others else contrast.same
    contrast._items = items
    contrast._cells = (tuple([pair[0] for pair in others]), tuple([pair[1] for pair in others]))
    return contrast


def contrast_documents(
    gold: Group, pred: Group, counted: CaseCounts, pairwise: frozenset[str]
) -> tuple[list[str], dict[str, Contrast]] | None:
    """Return the fields of two documents that are the same on both sides, and the others.

    None where any has several values but for those of plain rows, or stands in several places.
    """
    if not gold.single or not pred.single:
        return None
    columns = contrast_columns(gold, pred, counted, pairwise)
    if columns is None:
        return None
    right, others = contrast_values(gold, pred, counted, pairwise)
    for path in right:
        if path in columns:
            return None
    for path, contrast in columns.items():
        if path in others:
            return None
        others[path] = contrast
    return right, others


def contrast_columns(
    gold: Group, pred: Group, counted: CaseCounts, pairwise: frozenset[str]
) -> dict[str, Contrast] | None:
    """Return the columns of all rows of two documents; None where any is more than plain.

    Fields that are compared `pairwise` have no keys that could tell how many values match.
    """
    if not _has_plain_rows(gold) or not _has_plain_rows(pred):
        return None
    every: dict[str, Contrast] = {}
    for group in {**gold.groups, **pred.groups}:
        columns = contrast_rows(gold.groups.get(group, ()), pred.groups.get(group, ()), group)
        for path, contrast in columns.items():
            if path in every:
                return None
            if path not in pairwise:
                contrast.matched = equal_values(counted, path)
                contrast._counted = counted
            every[path] = contrast
    return every


def _has_plain_rows(root: Group) -> bool:
    """Whether rows hold at most one value a field and no rows, and none is missing between them."""
    for rows in root.groups.values():
        last: int | None = rows[len(rows) - 1].index
        if last != len(rows) - 1 and (last is not None or len(rows) > 1):
            return False
        for row in rows:
            if not row.single or (row.groups is not NOTHING and row.groups):
                return False
    return True


def contrast_values(
    gold: Group, pred: Group, counted: CaseCounts, pairwise: frozenset[str]
) -> tuple[list[str], dict[str, Contrast]]:
    """Return the fields of two groups of one value a field: those that are the same, and others."""
    counter = ColumnCounter("", FacingRows((gold,), (pred,)), gold._steps)
    counter.rows.others.append(0)
    right: list[str] = []
    others: dict[str, Contrast] = {}
    if are_unread(gold, pred):
        steps = gold._steps
        for place in range(len(steps)):
            own, other = gold._leaves[place], pred._leaves[place]
            if own is not None and type(own) is type(other) and own == other:  # which is most
                right.append(steps[place][0])
            else:
                counter.add_leaves(steps, place, own, other)
    else:
        counter.add_pair(gold, pred)
    for path, contrast in counter.columns.items():
        if contrast.same:
            right.append(path)
        else:
            contrast.matched = contrast.in_place
            if path not in pairwise:
                contrast._counted = counted
            others[path] = contrast
    return right, others


def contrast_rows(
    golds: Sequence[Group], preds: Sequence[Group], group: str
) -> dict[str, Contrast]:
    """Return the columns of plain rows."""
    rows = FacingRows(golds, preds)
    counter = ColumnCounter(group, rows, _first_steps(golds or preds))
    both = min(len(golds), len(preds))
    twins: list[Group] = []
    others = rows.others
    for place in range(both):
        if are_twins(golds[place], preds[place]):
            twins.append(golds[place])
        else:
            others.append(place)
    counter.add_twins(twins)
    for place in others:
        counter.add_pair(golds[place], preds[place])
    for place in range(both, len(golds)):
        counter.add_alone(golds[place], 1, 0)
    for place in range(both, len(preds)):
        counter.add_alone(preds[place], 0, 1)
    return counter.columns


def _first_steps(rows: Sequence[Group]) -> Steps:
    """Return the steps of the first row, if there is one."""
    if not rows:
        return ()
    row = rows[0]
    return row._steps


class ColumnCounter:
    """Counts the items of columns place by place; what need not be read for it stays unread.

    Most rows have the fields of the first in their order, so their columns are known by number.
    """

    def __init__(self, group: str, rows: FacingRows, steps: Steps) -> None:
        self.columns: dict[str, Contrast] = {}
        self.rows = rows
        self._group = group
        self._steps = steps
        self._usual: list[Contrast | None] = [None] * len(steps)

    def _column(self, path: str) -> Contrast:
        """Return the column of a field, a new one where there is none yet."""
        contrast = self.columns.get(path)
        if contrast is None:
            contrast = self.columns[path] = _unread_column(self._group, path, self.rows)
        return contrast

    def _column_at(self, steps: Steps, place: int) -> Contrast:
        """Return the column of the field that a step leads to."""
        if steps is not self._steps:
            return self._column(steps[place][0])
        contrast = self._usual[place]
        if contrast is None:
            contrast = self._usual[place] = self._column(steps[place][0])
        return contrast

    def add_twins(self, rows: list[Group]) -> None:
        """Count rows that are the same on both sides."""
        usual = 0
        for row in rows:
            if row._values is not None or row._steps is not self._steps or not is_whole(row):
                break
            usual += 1
        if usual:
            for place in range(len(self._steps)):
                self.add_same(self._column_at(self._steps, place), usual)
        if usual < len(rows):
            for path, count in count_rows(rows[usual:])[0].items():
                self.add_same(self._column(path), count)

    def add_alone(self, row: Group, golds: int, preds: int) -> None:
        """Count a row that only one side has."""
        for path in fields_of(row):
            contrast = self._column(path)
            contrast.golds += golds
            contrast.preds += preds

    def add_same(self, contrast: Contrast, count: int) -> None:
        """Count places that hold the same item on both sides."""
        contrast.golds += count
        contrast.preds += count
        contrast.shared += count
        contrast.same += count
        if contrast.in_place >= 0:
            contrast.in_place += count

    def add_pair(self, gold: Group, pred: Group) -> None:
        """Count the cells of two rows that stand in the same place."""
        if are_unread(gold, pred):
            steps = gold._steps
            for place in range(len(steps)):
                self.add_leaves(steps, place, gold._leaves[place], pred._leaves[place])
            return
        gold_values, pred_values = values_of(gold), values_of(pred)
        for path, values in gold_values.items():
            contrast = self._column(path)
            partners = pred_values.get(path)
            if partners is None:
                contrast.golds += 1
            else:
                self._add_readings(contrast, values[0], partners[0])
        for path in pred_values:
            if path not in gold_values:
                contrast = self._column(path)
                contrast.preds += 1

    def add_leaves(self, steps: Steps, place: int, gold: object, pred: object) -> None:
        """Count a place that holds these leaves, which are read only if that is needed."""
        if gold is None and pred is None:
            return
        contrast = self._column_at(steps, place)
        if pred is None:
            contrast.golds += 1
        elif gold is None:
            contrast.preds += 1
        elif type(gold) is type(pred) and gold == pred:
            self.add_same(contrast, 1)
        else:
            step = steps[place]
            if surely_differ(step, gold, pred):
                self._add_shared(contrast, 0)
            else:
                self._add_readings(contrast, reading_at(step, gold), reading_at(step, pred))

    def _add_readings(self, contrast: Contrast, gold: Reading | None, pred: Reading | None) -> None:
        """Count a place that holds these items."""
        assert gold is not None
        assert pred is not None
        if gold is pred:
            self.add_same(contrast, 1)
        else:
            self._add_shared(contrast, by_keys(gold, pred))

    def _add_shared(self, contrast: Contrast, equal: int) -> None:
        """Count a place that holds two items, which are `equal` by their keys or not, or −1."""
        contrast.golds += 1
        contrast.preds += 1
        contrast.shared += 1
        if equal < 0:
            contrast.in_place = UNKNOWN
        elif contrast.in_place >= 0:
            contrast.in_place += equal


def _cells_of(rows: FacingRows, path: str) -> BothSides:
    """Return the cells of a column that both sides have and that are not the same."""
    gold_cells: list[Reading] = []
    pred_cells: list[Reading] = []
    for place in rows.others:
        gold = _cell(rows.golds[place], path)
        pred = _cell(rows.preds[place], path)
        if gold is not None and pred is not None and gold is not pred:
            gold_cells.append(gold)
            pred_cells.append(pred)
    return tuple(gold_cells), tuple(pred_cells)


def _items_apart(rows: FacingRows, path: str) -> BothSides:
    """Return the items of a column in rows that are not the same in their places."""
    both = min(len(rows.golds), len(rows.preds))
    golds = [rows.golds[place] for place in rows.others]
    preds = [rows.preds[place] for place in rows.others]
    golds.extend(rows.golds[both:])
    preds.extend(rows.preds[both:])
    return column_of(golds, path), column_of(preds, path)


def column_of(rows: Sequence[Group], path: str) -> Values:
    """Return the values of a column of plain rows; what is unread stays so."""
    items: list[Reading] = []
    for row in rows:
        item = _cell(row, path)
        if item is not None:
            items.append(item)
    return tuple(items)


def _cell(row: Group, path: str) -> Reading | None:
    """Return the value of a field in a row that has one at most; one that is unread stays so."""
    if row._values is None:
        place = place_of(path, row._steps, 0)
        leaf = None if place < 0 else row._leaves[place]
        return None if leaf is None else reading_at(row._steps[place], leaf)
    values = row._values.get(path)
    return None if values is None else values[0]


def part_items(golds: Values, preds: Values) -> tuple[Values, Values, set[Reading]]:
    """Return the items of either side without those that both have, and these, each once."""
    waiting: dict[Reading, int] = {}
    for pred in preds:
        waiting[pred] = waiting.get(pred, 0) + 1
    both: set[Reading] = set()
    gold_rest: list[Reading] = []
    for gold in golds:
        free = waiting.get(gold, 0)
        if free:
            waiting[gold] = free - 1
            both.add(gold)
        else:
            gold_rest.append(gold)
    if not both:
        return golds, preds, both
    pred_rest: list[Reading] = []
    for pred in preds:
        free = waiting[pred]
        if free:
            waiting[pred] = free - 1
            pred_rest.append(pred)
    return tuple(gold_rest), tuple(pred_rest), both


def count_equal(
    golds: Sequence[Reading], preds: Sequence[Reading], equal: Callable[[Reading, Reading], bool]
) -> int:
    """Return how many places hold equal items; `equal` tells where keys do not."""
    count = 0
    for place in range(len(golds)):
        gold = golds[place]
        pred = preds[place]
        settled = by_keys(gold, pred)
        if settled > 0 or (settled < 0 and equal(gold, pred)):
            count += 1
    return count


def have_keys(items: Values) -> bool:
    """Whether items are equal exactly where their keys are: none is stated in another scope."""
    stated: object = None
    for item in items:
        sense = sense_of(item)
        if sense.key is None or len(item.alternatives) > 1:
            return False
        scope = sense.scope
        if scope is not None:
            if stated is None:
                stated = scope
            elif scope != stated:
                return False
    return True
