"""Counting: what trees hold, and what tables of counts come to.

A table has a row of counts for each key. Every document brings a few small tables, and all that is
said of a run is made of their sums.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from docassay.kernel.readings import Number

PARTS = 1_000_000_000
"""In which fractions are kept as whole numbers."""
PRIME = 4_398_046_511_093
"""Below 2**42."""
OBJECT, LIST = 1_618_033_988_749, 2_718_281_828_459
TEXT, NUMBER, INTEGER = 3_141_592_653_589, 1_414_213_562_373, 1_732_050_807_568
OTHER = 2_236_067_977_499
"""What the hash of each kind of content begins with: large, so that sums of some are no others."""
FEW_KEYS = 128
"""Up to so many, the order of keys is kept."""
EXACT = 1 << 52
"""Whole numbers below it are exact as numbers with decimals, and so is the sum of two."""
FEW_COLUMNS = 8
LARGE = 1 << 62
"""Two whole numbers below it add up to one that a machine word holds."""
NOT_FOUND = "not_found"
"""What models write where there is no value, in small letters."""
LEFT_OUT = -1
"""The place of what has none."""
T = TypeVar("T")
Counts = tuple[int, ...]
Key = str | tuple[str, ...]
Table = Mapping[str, Counts] | Mapping[tuple[str, ...], Counts]


def ratio(part: int, whole: int) -> float | None:
    """Return part / whole, undefined (None) where there is nothing to count."""
    return part / whole if whole else None


def f1(tp: int, fp: int, fn: int) -> float | None:
    """Return F1 from counts, undefined only where there is neither gold nor pred."""
    return ratio(2 * tp, 2 * tp + fp + fn)


def members(tree: object, levels: int) -> int:
    """Return the number of keys in all objects of a tree, −1 for one of more levels than these."""
    if type(tree) is dict:
        return _members_of_object(tree, levels)
    return _members_of_list(tree, levels) if type(tree) is list else 0


def _members_of_object(tree: dict[object, object], levels: int) -> int:
    count = len(tree) if levels else -1
    for child in tree.values():
        if type(child) is dict or type(child) is list:
            inner = members(child, levels - 1) if levels else -1
            if inner < 0:
                return -1
            count += inner
    return count


def _members_of_list(tree: list[object], levels: int) -> int:
    count = 0 if levels else -1
    for child in tree:
        if type(child) is dict or type(child) is list:
            inner = members(child, levels - 1) if levels else -1
            if inner < 0:
                return -1
            count += inner
    return count


def leaves(tree: object, most: int) -> int:
    """Return how many values a tree holds; counting stops beyond the most that are of interest."""
    count = 0
    nodes = [tree]
    while nodes and count <= most:
        node = nodes.pop()
        if type(node) is dict:  # which takes less than asking whether it is any mapping
            for child in node.values():
                if _is_plain(child):
                    count += 1
                else:
                    nodes.append(child)
        elif isinstance(node, (list, tuple)):
            nodes.extend(node)
        elif isinstance(node, Mapping):
            nodes.extend(node.values())
        else:
            count += 1
    return count


def leaves_at_sight(tree: object, levels: int) -> int:
    """Return about how many values a tree holds: all items of a list are taken to be as the first.

    What lies deeper than so many levels is taken for one value.
    """
    if type(tree) is dict and levels > 0:
        count = 0
        for child in tree.values():
            count += 1 if _is_plain(child) else leaves_at_sight(child, levels - 1)
        return count
    if type(tree) is list and levels > 0:
        items = tree
        return len(items) * leaves_at_sight(items[0], levels - 1) if items else 0
    return 1


def holds_object(tree: dict[object, object]) -> bool:
    """Return whether a member of an object is an object."""
    for value in tree.values():  # noqa: SIM110 - a generator takes longer
        if type(value) is dict:
            return True
    return False


def is_within_shape(tree: object, shape: dict[str, Any], rows: int) -> bool:
    """Whether an object certainly adds no key to a shape, as most do not.

    It has plain values under known keys, and lists whose first so many items are such rows of them.
    """
    if type(tree) is not dict:
        return False
    own = tree
    for key, value in own.items():
        below = shape.get(key)
        if below is None:
            return False
        if type(value) is list:
            for row in value[:rows]:
                if not is_within_shape(row, below, 0):
                    return False
            if not rows and value:
                return False
        elif not _is_plain(value):
            return False
    return True


def telling_rows(items: list[object]) -> list[object]:
    """Return the items of a list that may have other fields than those before them.

    Objects of plain values are left out when they have the keys of the one before.
    """
    telling: list[object] = []
    keys: tuple[object, ...] | None = None
    for item in items:
        if type(item) is dict:
            row = item
            if keys is not None and _is_plain_under(keys, row):
                continue
            keys = tuple(row)
            if not _is_plain_under(keys, row):
                keys = None
        telling.append(item)
    return telling


def _is_plain_under(keys: tuple[object, ...], row: dict[object, object]) -> bool:
    """Whether an object has these keys in this order, and neither objects nor lists under them."""
    if len(row) != len(keys):
        return False
    for place, (key, value) in enumerate(row.items()):
        known = keys[place]
        # a decoder gives the same text for equal keys
        if key is not known and key != known:
            return False
        if not _is_plain(value):
            return False
    return True


def _is_plain(value: object) -> bool:
    """Whether a value of JSON is neither an object nor a list."""
    return (
        type(value) is str
        or type(value) is Number
        or type(value) is int
        or value is None
        or type(value) is float
        or type(value) is bool
    )


def content_hash(tree: object, levels: int, other: Callable[[object], Hashable]) -> int:
    """Return a number that is the same for trees of the same content in the same order.

    `other` gives what stands for whatever is no text or number, or lies deeper than these levels.
    """
    if type(tree) is dict and levels > 0:
        value = OBJECT
        for key, child in tree.items():
            value = _mixed(_mixed(value, hash(key)), content_hash(child, levels - 1, other))
        return value
    if type(tree) is list and levels > 0:
        value = LIST
        for child in tree:
            value = _mixed(value, content_hash(child, levels - 1, other))
        return value
    if type(tree) is str:
        return _mixed(TEXT, hash(tree))
    if type(tree) is Number:
        return _mixed(NUMBER, hash(tree))
    if type(tree) is int:
        return _mixed(INTEGER, hash(tree))
    return _mixed(OTHER, hash(other(tree)))


def _mixed(value: int, more: int) -> int:
    # a product of two such numbers stays below 2**63, which is what a machine word holds
    return (value * 1_000_003 + more % PRIME) % PRIME


class WaitingMembers:
    """Where leaves of objects that stand in one place of trees wait, by key; so do rows inside."""

    __slots__ = ("depth", "enclosing", "full", "inner", "lists", "rows")

    def __init__(self, enclosing: tuple[str, ...], depth: int) -> None:
        self.enclosing = enclosing
        """What the objects stand in, and how deep."""
        self.depth = depth
        self.lists: dict[object, list[object]] = {}
        """The plain leaves of each key that is known to have such."""
        self.inner: dict[object, WaitingMembers] = {}
        """The members of rows that stand under a key."""
        self.rows = 0
        """How many rows were gathered under a key of `inner`."""
        self.full: tuple[object, ...] = ()
        """The keys of an object whose lists take no more leaves, if there was one."""

    def forget(self) -> None:
        """Let no key be known to have plain leaves."""
        self.lists.clear()
        self.full = ()


def gather(
    trees: Iterable[Mapping[object, object]],
    members: WaitingMembers,
    marks: frozenset[str],
    other: Callable[[WaitingMembers, object, object], None],
    most: int,
) -> None:
    """Add the plain leaves of objects to the lists of their keys; `other` takes all else, in turn.

    `other` may make more keys known. An object with a key among `marks` may be no row. A list that
    holds the most leaves takes no more.
    """
    lists, inner = members.lists, members.inner
    for tree in trees:
        mapping = tree if type(tree) is dict else dict(tree)
        full = True
        for key, item in mapping.items():
            if type(item) is str or type(item) is Number or type(item) is int or item is None:
                values = lists.get(key)
                if values is not None:
                    if len(values) < most:
                        full = False
                        if item is not None:
                            values.append(item)
                    continue
            full = False
            if type(item) is list:
                below = inner.get(key)
                if below is not None and _gathered(item, below, marks, other, most):
                    continue
            other(members, key, item)
        if full:
            members.full = tuple(mapping)


def _gathered(
    parts: list[Any],
    members: WaitingMembers,
    marks: frozenset[str],
    other: Callable[[WaitingMembers, object, object], None],
    most: int,
) -> bool:
    """Add the plain leaves of the parts of a list, and return True, if these are rows."""
    known = _add_nothing(parts, members.full)
    if not known and not are_rows(parts, marks):
        return False
    members.rows += len(parts)
    if not known:
        gather(parts, members, marks, other, most)
    return True


def _add_nothing(parts: list[Any], keys: tuple[object, ...]) -> bool:
    """Whether all parts of a list are objects of plain leaves under these keys, in this order."""
    if not keys or not parts:
        return False
    for part in parts:
        if type(part) is not dict or len(part) != len(keys):
            return False
        own = part
        for place, (key, item) in enumerate(own.items()):
            known = keys[place]
            # a decoder gives the same text for equal keys
            if key is not known and key != known:
                return False
            if not (type(item) is str or type(item) is Number or type(item) is int or item is None):
                return False
    return True


def are_rows(parts: list[Any], marks: frozenset[str]) -> bool:
    """Whether all parts of a list are objects that have none of some keys; none are no rows."""
    rows = 0
    for part in parts:
        if type(part) is not dict or not marks.isdisjoint(part):
            break
        rows += 1
    return rows > 0 and rows == len(parts)


def are_single_values(values: list[str], longest: int) -> bool:
    """Whether each of some texts certainly is one value as it stands, which most are.

    None is longer than that, blank or NOT_FOUND, or holds what may stand between the values of a
    list: numbers and truths never do.
    """
    for value in values:
        if len(value) > longest or (type(value) is str and not _is_single_value(value)):
            return False
    return True


def _is_single_value(text: str) -> bool:
    if not text or "|" in text or ("_" in text and NOT_FOUND in text.casefold()):
        return False
    return " " < text[0] <= "~" or not text.isspace()


def count_texts(amounts: dict[str, int], texts: list[str], most: int) -> None:
    """Add how often texts occur to their amounts; once there are the most, no further text."""
    for text in texts:
        amount = amounts.get(text)
        if amount is not None:
            amounts[text] = amount + 1
        elif len(amounts) < most:
            amounts[str(text)] = 1


class RowSum:
    """The sum of rows of counts: equal ones in succession are counted first, then multiplied.

    Most documents have the same row for a key, such as one value that is right.
    """

    __slots__ = ("_large", "_last", "_sums", "_times")

    def __init__(self, counts: Counts) -> None:
        """Begin with one row."""
        self._last = counts
        self._times = 1
        self._sums = array("d", bytes(8 * len(counts)))
        """Sums that are exact as numbers with decimals, which a processor adds by itself."""
        self._large = [0] * len(counts)
        """What is added beyond them."""

    def add(self, counts: Counts) -> None:
        """Add a row."""
        if counts is self._last:
            self._times += 1
        else:
            self._settle()
            self._last = counts
            self._times = 1

    def _settle(self) -> None:
        last = self._last if type(self._last) is tuple else tuple(self._last)
        times = self._times
        for at in range(len(last)):
            try:
                number = last[at]
            except OverflowError:  # of what is compiled
                self._large[at] += last[at] * self._times
                continue
            more = number * times
            total = self._sums[at] + more
            if -EXACT < more < EXACT and -EXACT < total < EXACT:
                self._sums[at] = total
            else:
                self._large[at] += last[at] * self._times
        self._times = 0

    def total(self) -> Counts:
        """Return the sum so far."""
        self._settle()
        return tuple([int(self._sums[at]) + self._large[at] for at in range(len(self._large))])


def add_tables(sums: dict[str, dict[Key, RowSum]], tables: Mapping[str, Table]) -> None:
    """Add the rows of tables to the sums of their keys, by name of the table."""
    for name, own in tables.items():
        known = sums.get(name)
        if known is None:
            known = sums[name] = {}
        table = own if type(own) is dict else dict(own)
        for key, counts in table.items():
            row = known.get(key)
            if row is None:
                known[key] = RowSum(counts)
            else:
                row.add(counts)


def add_by_metric(
    sums: dict[str, dict[str, dict[Key, RowSum]]],
    documents: Sequence[Mapping[str, Mapping[str, Table]]],
) -> None:
    """Add what metrics count in documents to the sums of their tables, by name of the metric."""
    for stats in documents:
        for metric, tables in stats.items():
            known = sums.get(metric)
            if known is None:
                known = sums[metric] = {}
            add_tables(known, tables)


def column_sums(
    table: Mapping[str, Sequence[int]] | Mapping[tuple[str, ...], Sequence[int]], width: int
) -> list[int]:
    """Return the sums of the first columns of a table."""
    return sums_of(table, _first(width))


def table_sums(tables: Mapping[str, Table], name: str, width: int) -> list[int]:
    """Return the sums of the first columns of one of some tables, none of which need be there."""
    table: Any = tables.get(name)
    return [0] * width if table is None else column_sums(table, width)


def share_of_sum(tables: Mapping[str, Table], name: str, columns: tuple[int, ...]) -> float | None:
    """Return the share of the first of some columns in the sum of them, None without any."""
    table: Any = tables.get(name)
    if table is None:
        return None
    sums = sums_of(table, columns)
    return ratio(sums[0], sum(sums))


@lru_cache(maxsize=64)
def _first(width: int) -> tuple[int, ...]:
    return tuple(range(width))


def sums_of(
    table: Mapping[str, Sequence[int]] | Mapping[tuple[str, ...], Sequence[int]],
    columns: tuple[int, ...],
) -> list[int]:
    """Return the sums of some columns of a table."""
    rows = table if type(table) is dict else dict(table)
    sums = _small_sums(rows, columns) if len(columns) <= FEW_COLUMNS else None
    if sums is None:
        sums = [sum([row[place] for row in rows.values()]) for place in columns]
    return sums


def _small_sums(rows: dict[Any, Sequence[int]], columns: tuple[int, ...]) -> list[int] | None:
    """Return the sums of a few columns, None where one of them or a number in it is large."""
    width = len(columns)
    # compiled, these are no lists but machine words
    places = [0, 0, 0, 0, 0, 0, 0, 0]
    numbers = [0, 0, 0, 0, 0, 0, 0, 0]
    sums = [0, 0, 0, 0, 0, 0, 0, 0]
    for at in range(width):
        places[at] = columns[at]
    last: object = None
    try:
        for row in rows.values():
            if row is not last:  # most are one and the same: that of a value that is right
                last = row
                counts = row if type(row) is tuple else tuple(row)
                for at in range(width):
                    numbers[at] = counts[places[at]]
            for at in range(width):
                if not (-LARGE < numbers[at] < LARGE and -LARGE < sums[at] < LARGE):
                    return None
                sums[at] += numbers[at]
    except OverflowError:  # a number is more than a machine word holds
        return None
    return [sums[at] for at in range(width)]


def count_right(fields: Mapping[str, Sequence[int]]) -> tuple[int, int]:
    """Return how many values are right, and how many there are, by what became of each field's."""
    all_right = every = 0
    for right, substituted, added, deleted in fields.values():
        all_right += right
        every += right + substituted + added + deleted
    return all_right, every


class Shares:
    """The share that a column has in the sum of some, so many times: of each key, keys sorted.

    They are worked out when they are asked for.
    """

    __slots__ = ("_last", "_part", "_share", "_table", "_times", "_whole")

    def __init__(
        self, table: Mapping[str, Sequence[int]], part: int, whole: tuple[int, ...], times: int
    ) -> None:
        self._table = table if type(table) is dict else dict(table)
        self._part = part
        self._whole = whole
        self._times = times
        self._last: object = None
        """The row that was asked for last, and its share: most are one and the same."""
        self._share: float | None = None

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, key: str) -> float | None:
        if key not in self._table:
            raise KeyError(key)
        return self.get(key)

    def __repr__(self) -> str:
        return repr(dict(self))

    def keys(self) -> Sequence[str]:
        """Return the keys, sorted."""
        return _texts_in_order(self._table)

    def get(self, key: str) -> float | None:
        """Return the share of a key, None where there is none."""
        row = self._table.get(key)
        if row is not self._last:
            self._last = row
            self._share = None if row is None else self._share_of(row)
        return self._share

    def _share_of(self, row: Sequence[int]) -> float | None:
        counts = row if type(row) is tuple else tuple(row)
        count = 0
        for at in self._whole:
            count = count + counts[at]
        return ratio(counts[self._part], count * self._times)


class KeptFormula:
    """What a formula makes of rows, kept because a few rows make up most of a run."""

    def __init__(self, formula: Callable[[Counts], float], most: int) -> None:
        """Take how many results are kept."""
        self._formula = formula
        self._most = most
        self._known: dict[Counts, float] = {}

    def of_rows(self, table: Mapping[str, Sequence[int]]) -> list[float]:
        """Return what the formula makes of the row of each key, keys sorted."""
        values: list[float] = []
        rows = table if type(table) is dict else dict(table)
        last: object = None
        value: Any = None
        for key in _texts_in_order(rows):
            row = rows[key]
            if row is not last:  # most are one and the same
                last = row
                value = self._of(row if type(row) is tuple else tuple(row))
            values.append(value)
        return values

    def _of(self, row: Counts) -> float:
        value = self._known.get(row)
        if value is None:
            if len(self._known) >= self._most:
                self._known.clear()
            value = self._known[row] = self._formula(row)
        return value


def mean_f1(table: Mapping[str, Sequence[int]]) -> float | None:
    """Return the plain mean of F1 over rows of tp, fp and fn, where it is defined, keys sorted."""
    values: list[float] = []
    rows = table if type(table) is dict else dict(table)
    last: object = None
    value: float | None = None
    for key in _texts_in_order(rows):
        row = rows[key]
        if row is not last:  # most are one and the same
            last = row
            counts = row if type(row) is tuple else tuple(row)
            value = f1(counts[0], counts[1], counts[2])
        if value is not None:
            values.append(value)
    return sum(values) / len(values) if values else None


def mean_share(
    table: Mapping[str, Sequence[int]], part: int, whole: int, times: int
) -> float | None:
    """Return the plain mean of the shares that a column has in another one, so many times."""
    values: list[float] = []
    rows = table if type(table) is dict else dict(table)
    last: object = None
    share: float | None = None
    for key in _texts_in_order(rows):
        row = rows[key]
        if row is not last:  # most are one and the same
            last = row
            counts = row if type(row) is tuple else tuple(row)
            share = ratio(counts[part], counts[whole] * times)
        if share is not None:
            values.append(share)
    return sum(values) / len(values) if values else None


def weighted_sums(
    table: Mapping[str, Sequence[int]],
    columns: tuple[int, ...],
    weights: Mapping[str, int],
    other: int,
) -> list[int]:
    """Return the sums of some columns, each row as often as its weight or the `other` one says."""
    rows = table if type(table) is dict else dict(table)
    sums = [total * other for total in sums_of(rows, columns)]
    for key, weight in weights.items():
        row = rows.get(key)
        if row is not None:
            counts = row if type(row) is tuple else tuple(row)
            for at in range(len(columns)):
                count = counts[columns[at]]
                if count:
                    sums[at] += count * (weight - other)
    return sums


def key_order(key: Key) -> tuple[tuple[str, ...], bool]:
    """Return what keys are sorted by: a text goes before the tuples that begin with it."""
    return ((key,), False) if isinstance(key, str) else (key, True)


def in_order(stats: Mapping[str, Table]) -> Mapping[str, Table]:
    """Return tables with their keys sorted, as a fold has them: themselves where they are."""
    changed: dict[str, Table] | None = None
    for name, table in stats.items():
        ordered = _sorted(table)
        if ordered is not table:
            if changed is None:
                changed = dict(stats)
            changed[name] = ordered
    return stats if changed is None else changed


def keys_in_order(table: dict[Any, Counts]) -> tuple[Sequence[Key], bool]:
    """Return the keys of a table sorted, and whether all of them are texts."""
    for key in table:
        if type(key) is not str:
            break
        keys = (*table,)
        order = _kept_order(keys) if len(keys) <= FEW_KEYS else _text_order(keys)
        if order is None:
            break
        return order or keys, True
    else:
        return (), True
    return [key for key, _ in _pairs_sorted(table)], False


def _sorted(table: Table) -> Table:
    texts = _with_texts_sorted(table)
    return _with_parts_sorted(table) if texts is None else texts


def _with_parts_sorted(table: Table) -> Table:
    pairs = _pairs_sorted(table)
    return table if [*table.items()] == pairs else dict(pairs)  # type: ignore[return-value]


def _pairs_sorted(table: Table) -> list[tuple[Key, Counts]]:
    """Return the keys and counts of a table by keys, some of which are tuples."""
    pairs: list[tuple[Key, Counts]] = [*table.items()]
    for key, _ in pairs:
        if type(key) is not tuple:
            pairs.sort(key=_order_of_pair)
            return pairs
    pairs.sort()  # no two have the same key, so counts are not compared
    return pairs


def _order_of_pair(pair: tuple[Key, Counts]) -> tuple[tuple[str, ...], bool]:
    return key_order(pair[0])


class _LatestOrder:
    """How the keys of the table before were sorted: most tables of a run have the same fields."""

    __slots__ = ("keys_and_order",)

    def __init__(self) -> None:
        self.keys_and_order: tuple[tuple[Key, ...], list[str] | None] = ((), [])


_latest = _LatestOrder()


def _with_texts_sorted(table: Table) -> Table | None:
    """Return a table whose keys are all texts with these sorted, itself if they are; else None."""
    own = table if type(table) is dict else dict(table)
    for key in own:
        if type(key) is not str:
            return None
        if len(own) == 1:
            return table
        break
    order = _known_order(own)
    if order is None:
        return None
    return {key: own[key] for key in order} if order else table  # type: ignore[index]


def _has_keys(table: dict[Any, Counts], keys: tuple[Key, ...]) -> bool:
    """Whether a table has the very keys, in their order."""
    if len(table) != len(keys):
        return False
    for at, key in enumerate(table):  # noqa: SIM110 - a generator takes longer
        if key is not keys[at]:
            return False
    return True


def _texts_in_order(table: dict[str, Any]) -> Sequence[str]:
    """Return the keys of a table sorted, all of which are texts."""
    return _known_order(table) or (*table,)


def _known_order(table: dict[Any, Any]) -> list[str] | None:
    """Return the keys of a table as `_text_order` does."""
    keys, order = _latest.keys_and_order
    if not _has_keys(table, keys):
        keys = (*table,)
        order = _kept_order(keys) if len(keys) <= FEW_KEYS else _text_order(keys)
        _latest.keys_and_order = (keys, order)
    return order


def _text_order(keys: tuple[Key, ...]) -> list[str] | None:
    """Return keys that are all texts as they are sorted, none if they are; None for others."""
    texts = [key for key in keys if type(key) is str]
    if len(texts) < len(keys):
        return None
    texts.sort()
    return [] if keys == tuple(texts) else texts


_kept_order = lru_cache(maxsize=1 << 10)(_text_order)
"""Kept, because documents have the same fields in the same order, time and again."""


def place_counts(
    cells: memoryview[float],
    starts: list[int],
    stats: list[Mapping[str, Table]],
    places: Mapping[str, dict[Key, int]],
) -> None:
    """Add the counts of documents to cells.

    Those of a document stand from its own start on, each row of a table at the place of its key;
    rows of other keys, and of those whose place is `LEFT_OUT`, are not added.
    """
    for number in range(len(stats)):
        tables = stats[number]
        start = starts[number]
        for name, own in tables.items():
            known = places[name]
            table = own if type(own) is dict else dict(own)
            for key, row in table.items():
                place = known.get(key, LEFT_OUT)
                if place < 0:
                    continue
                counts = row if type(row) is tuple else tuple(row)
                first = start + place
                for at in range(len(counts)):
                    try:
                        count = counts[at]
                    except OverflowError:  # of what is compiled
                        cells[first + at] += counts[at]
                        continue
                    if count:
                        cells[first + at] += count
