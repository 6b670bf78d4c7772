"""Documents that were handed over in Python: mappings, instances, tables, and lists of these.

A tree may be a mapping, a Pydantic, dataclass, msgspec or attrs instance, a named tuple, or what
`parse_response` returns. Documents may come as `{id: tree}`, as `(id, tree)`, as a list of trees,
as a table with one row a document, or as one tree. Whatever cannot be read is an error that names
its position and its type: an instance never becomes an empty document.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

from docassay.errors import ConfigurationError, DataError, DocassayError
from docassay.load.format import Record
from docassay.load.plain import (
    KINDS,
    OWN,
    NoValueError,
    can_be_asked,
    hint_for,
    id_of_key,
    is_circular,
    is_instance,
    is_record,
    members,
    name_of,
    plain,
)
from docassay.load.records import ID_KEYS, Records, flaw, unreadable
from docassay.model.problem import Problem, ProblemCode, Remark, ResponseOutcome

ID_COLUMNS = ("image_file", "image_name", "filename", "file", "id", *ID_KEYS)
"""Columns that may hold the id of a row, as in CSV files; the first that is there is taken."""
SAMPLE = 2_000
"""Documents that are looked at before the first is read."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Documents in memory, and how they are meant."""

    data: object
    side: str = ""
    """`gold` or `pred`, for messages."""
    lone: bool = False
    """Whether the data are one document."""
    by_alias: bool = False
    """Whether the fields of Pydantic instances go by their aliases."""
    declared: type | None = None
    """The class of the first instance; None when there are no instances."""
    by_number: bool = False
    """Whether the rows of a table are named by the numbers of its index."""

    @property
    def again(self) -> bool:
        """Whether the documents can be read more than once."""
        return not isinstance(self.data, Peeked)


class HandedPair(NamedTuple):
    """Both sides of a run, and the class that declares the types of their fields."""

    gold: object
    pred: object
    declared: type | None
    """The class of gold's first instance, else of pred's; None when there are no instances."""
    by_alias: bool


@runtime_checkable
class _Rows(Protocol):
    """A polars data frame."""

    columns: list[str]

    def iter_rows(self, *, named: bool) -> Iterator[Mapping[str, object]]: ...


@runtime_checkable
class _Tuples(Protocol):
    """A pandas data frame."""

    columns: Iterable[object]
    index: Iterable[object]

    def itertuples(self, *, index: bool, name: None) -> Iterator[tuple[object, ...]]: ...


@runtime_checkable
class _Batches(Protocol):
    """An Arrow table or batch."""

    column_names: list[str]

    def to_pylist(self) -> list[dict[str, object]]: ...


@runtime_checkable
class _Capsule(Protocol):
    """A table, or a column, of any library that speaks Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@runtime_checkable
class _Dataset(Protocol):
    """A Hugging Face data set."""

    column_names: list[str]
    features: Mapping[str, object]

    def __iter__(self) -> Iterator[Mapping[str, object]]: ...


@runtime_checkable
class _Lazy(Protocol):
    """A polars query that has not run, or another source of a table."""

    def collect(self) -> object: ...

    def collect_schema(self) -> object: ...


@runtime_checkable
class _Reader(Protocol):
    """A stream of Arrow batches, which can be read once."""

    def read_all(self) -> object: ...

    def read_next_batch(self) -> object: ...


def hand_over(gold: object, pred: object, names: Collection[str] = ()) -> HandedPair:
    """Return both sides as they are meant, a path as it is; `names` are those of the schema.

    A mapping is `{id: tree}` only if every value is a record and the schema names none of its keys;
    otherwise it is one document, unless its keys are ids of the other side.
    """
    sides = [data if _is_settled(data) else _held(data) for data in (gold, pred)]
    classes = [_declared(data) for data in sides]
    declared = next((kind for kind in classes if kind is not None), None)
    by_alias = any(isinstance(data, Handed) and data.by_alias for data in sides)
    if declared is not None and not by_alias:
        by_alias = _prefers_aliases(declared, names, sides)
    numbered = all(_is_numbered(data) for data in sides)
    left, right = (
        data
        if _is_settled(data)
        else Handed(data, side, _is_lone(data, other, names), by_alias, own, numbered)
        for data, other, side, own in zip(
            sides, reversed(sides), ("gold", "pred"), classes, strict=True
        )
    )
    return HandedPair(left, right, declared, by_alias)


def _is_settled(data: object) -> bool:
    """Say whether data are a path, or were looked at before."""
    return isinstance(data, str | PathLike | Handed)


def _declared(data: object) -> type | None:
    if isinstance(data, Handed):
        return data.declared
    first = None if _is_settled(data) else _first_instance(data)
    return None if first is None else type(first)


def _held(data: object) -> object:
    """Return what can be looked at before it is read: of an iterator the beginning is kept."""
    if not _has_attributes(data):
        return data
    if isinstance(data, _Lazy):
        return data.collect()
    if isinstance(data, _Reader):
        return data.read_all()
    return Peeked(data) if isinstance(data, Iterator) else data


def _has_attributes(data: object) -> bool:
    """Say whether an object can be asked for any attribute, which may run code of the user."""
    try:
        return hasattr(data, "__arrow_c_stream__") or True
    except Exception:
        return False


class Peeked:
    """An iterator whose beginning was looked at; it can still be read once."""

    def __init__(self, source: Iterator[object]) -> None:
        self._source = source
        self.head: list[object] = []

    def peek(self, count: int) -> list[object]:
        """Return the first items."""
        self.head += islice(self._source, max(0, count - len(self.head)))
        return self.head[:count]

    def __iter__(self) -> Iterator[object]:
        return chain(self.head, self._source)


def _is_lone(data: object, other: object, names: Collection[str]) -> bool:
    """Say whether the data are one document."""
    if not isinstance(data, Mapping):
        return is_instance(data)
    if _by_id(data, names):
        return False
    if not data:  # two empty mappings hold no documents
        return bool(other) and is_record(other) and not _by_id(other, names)
    ids = other.keys() if _by_id(other, names) and isinstance(other, Mapping) else ()
    return data.keys().isdisjoint(ids)


def _by_id(data: object, names: Collection[str]) -> bool:
    return (
        isinstance(data, Mapping)
        and bool(data)
        and all(is_record(value) and not _is_leaf(value) for value in data.values())
        and not any(str(key) in names for key in data)
    )


def _is_leaf(value: object) -> bool:
    """Say whether a mapping is a value with its confidence or place rather than a document."""
    return isinstance(value, Mapping) and "value" in value and value.keys() <= _LEAF


_LEAF = {"value", "confidence", "page", "box"}


def _first_instance(data: object) -> object | None:
    """Return the first instance among the first documents, None where trees are plain."""
    if is_instance(data):
        return data
    if isinstance(data, Mapping):
        items: Iterable[object] = islice(data.values(), SAMPLE)
    elif isinstance(data, Peeked):
        items = data.peek(1)
    else:
        items = islice(data, SAMPLE) if isinstance(data, list | tuple) else ()
    with suppress(Exception):  # what cannot be read is for the run to report
        trees = (item[1] if _is_pair(item) else item for item in items)
        return next((tree for tree in trees if _declares(tree)), None)
    return None


def _declares(tree: object) -> bool:
    return is_instance(tree) and not isinstance(tree, tuple | SimpleNamespace)


def declaring_class(tree: object) -> type | None:
    """Return the class of an instance that declares the types of its fields, None without one."""
    return type(tree) if _declares(tree) else None


def _is_pair(item: object) -> TypeGuard[Sequence[object]]:
    if not can_be_asked(item) or not isinstance(item, tuple | list):
        return False
    if len(item) != 2 or hasattr(item, "_fields"):
        return False
    head = item[0]
    return not can_be_asked(head) or not (is_record(head) or isinstance(head, list | tuple | float))


def _prefers_aliases(model: type, names: Collection[str], sides: Sequence[object]) -> bool:
    """Say whether a Pydantic class goes by its aliases: as the schema does, else the other side."""
    aliases = [
        (name, str(alias))
        for name, field in dict(getattr(model, "model_fields", {})).items()
        if (alias := field.serialization_alias or field.alias)
    ]
    if not aliases:
        return False
    keys = names or _keys(sides)
    return sum(alias in keys for _, alias in aliases) > sum(name in keys for name, _ in aliases)


def _keys(sides: Sequence[object]) -> Collection[str]:
    """Return the keys of the first plain tree of either side."""
    for data in sides:
        tree = data if isinstance(data, Mapping) and not _by_id(data, ()) else _first_tree(data)
        if isinstance(tree, Mapping):
            return [str(key) for key in tree]
    return ()


def _first_tree(data: object) -> object:
    if isinstance(data, str | Path):
        return _first_in_file(Path(data))
    items = data.values() if isinstance(data, Mapping) else data
    if isinstance(items, Peeked):
        items = items.peek(1)
    first = next(iter(items), None) if isinstance(items, Collection) else None
    tree = first[1] if _is_pair(first) else first
    return tree if is_record(tree) else None


def _first_in_file(path: Path) -> object:
    """Return the first tree of a file; what is wrong with the file is for the run to report."""
    from docassay.load.source import open_records

    if not (path.is_file() or path.is_dir()):
        return None  # a pipe can be read once
    with suppress(DocassayError):
        for item in open_records(path).records:
            if isinstance(item, Record):
                return item.tree
    return None


def records_of(source: object, *, id_key: str | None = None) -> Records:
    """Yield the documents of a source in memory; their ids may still stand inside the trees."""
    handed = source if isinstance(source, Handed) else Handed(source)
    data = handed.data
    _check_splits(data, handed.side)
    if handed.lone:
        yield from _records(None, data, handed, handed.side or "the document")
    elif (rows := _table(data)) is not None:
        if handed.by_number:
            rows = rows._replace(ids=rows.numbers)
        yield from _from_table(rows, id_key, handed.side)
    elif isinstance(data, Mapping):
        for number, (key, tree) in enumerate(data.items(), start=1):
            where = f"item {number}"
            name = _id(key, handed, where)
            place = f"{handed.side} document {name!r}".strip()
            yield from _records(name, tree, handed, where, place)
    elif isinstance(data, Iterable) and not isinstance(data, bytes | bytearray):
        yield from _from_items(data, handed)
    else:
        raise _no_documents(data, handed.side)


def _no_documents(data: object, side: str) -> DataError:
    return DataError(
        f"an object of type {name_of(data)} holds no documents",
        where=side or None,
        hint="hand over a path, a dict {id: tree}, a list of trees or (id, tree), a data frame,"
        f" or one document: {KINDS}",
    )


def _check_splits(data: object, side: str) -> None:
    """Refuse tables by name, such as the splits of a data set."""
    first = next(iter(data.values()), None) if isinstance(data, Mapping) else None
    if first is not None and _table(first) is not None:
        names = ", ".join(map(str, data)) if isinstance(data, Mapping) else ""
        raise DataError(
            f"{name_of(data)} holds tables by name: {names}",
            where=side or None,
            hint="hand over one of them",
        )


def _from_items(items: Iterable[object], handed: Handed) -> Records:
    for number, item in enumerate(items, start=1):
        where = f"item {number}"
        if _is_pair(item):
            yield from _records(_id(item[0], handed, where), item[1], handed, where)
        elif can_be_asked(item) and isinstance(item, Record | Problem):
            yield item
        else:
            yield from _records(None, item, handed, where)


def _id(key: object, handed: Handed, where: str) -> str | None:
    """Return the id that a document was handed over with."""
    try:
        return id_of_key(key)
    except NoValueError as error:
        what = f"an object of type {name_of(key)} cannot be an id"
        place = f"{handed.side} {where}".strip()
        raise DataError(what, where=place, hint="an id is a text or a number") from error


def _records(
    record_id: str | None, item: object, handed: Handed, where: str, place: str = ""
) -> Records:
    """Yield the record of a tree; None stands for a document that nothing came of."""
    place = place or (f"{handed.side} {where}".strip() if where != handed.side else where)
    if item is None:
        yield from _nothing(record_id, handed, where)
        return
    if can_be_asked(item) and isinstance(item, OWN):
        yield Record(record_id, item, where)
        return
    if not is_record(item):
        raise DataError(
            f"an object of type {name_of(item)} is no document", where=place, hint=hint_for(item)
        )
    tree, outcome = _opened(item)
    try:
        yield Record(record_id, plain(tree, handed.by_alias), where, outcome=outcome)
    except NoValueError as error:
        raise _no_value(error, place) from None
    except DataError as error:
        raise DataError(error.what, where=place, hint=error.hint) from error
    except RecursionError:
        if is_circular(tree):
            raise _circular(place) from None
        yield from unreadable(record_id, "is nested too deeply", where)


def _nothing(record_id: str | None, handed: Handed, where: str) -> Records:
    """Yield a document that nothing came of: in pred all its values count as missed."""
    if handed.side != "pred":
        yield from unreadable(record_id, "is None", where)
        return
    remark = Remark(ProblemCode.NO_PREDICTION, "is None; all its values count as missed")
    yield flaw(record_id, remark, where)
    yield Record(record_id, None, where)


def _opened(item: object) -> tuple[object, ResponseOutcome | None]:
    """Return a tree, and what became of the response that it was read from, if it was one."""
    if isinstance(item, tuple):
        from docassay.load.response.answer import Response

        if isinstance(item, Response):
            return item.tree, item.result
    return item, None


def _circular(place: str) -> DataError:
    return DataError("the document holds itself", where=place, hint=f"a tree is {KINDS}")


def _no_value(error: NoValueError, place: str) -> DataError:
    keys = "".join(f"[{key!r}]" for key in reversed(error.keys))
    at = f" at {keys}" if keys else ""
    what = f"a value of type {name_of(error.value)}{at} cannot be compared"
    return DataError(what, where=place, hint=hint_for(error.value))


def sample(handed: Handed) -> list[object]:
    """Return the first trees; what cannot be read is left for the run to report."""
    data = handed.data
    if isinstance(data, Peeked):
        data = data.peek(SAMPLE)
    items = islice(records_of(replace(handed, data=data)), SAMPLE)
    trees: list[object] = []
    with suppress(DataError):
        trees.extend(item.tree for item in items if isinstance(item, Record))
    return trees


def go_by_aliases(gold: object, pred: object, names: Collection[str] = ()) -> bool:
    """Say whether Pydantic instances of one document go by their aliases."""
    return hand_over([gold], [pred], names).by_alias


def plain_tree(item: object, *, where: str, by_alias: bool = False) -> object:
    """Return one tree as plain JSON; what JSON has but is no object is left to be counted."""
    if isinstance(item, OWN):
        return item
    tree = _opened(item)[0]
    try:
        return plain(tree, by_alias)
    except NoValueError as error:
        raise _no_value(error, where) from None
    except RecursionError:
        if is_circular(tree):
            raise _circular(where) from None
        return tree  # which reading cuts off, and reports


EMPTY_CLASSES: Mapping[str, Sequence[str]] = MappingProxyType({})


class _Table(NamedTuple):
    columns: list[str]
    rows: Iterator[Mapping[str, object]]
    ids: list[object] | None = None
    """Names of the rows beside the columns."""
    numbers: list[object] | None = None
    """Numbers of the rows that are not just their positions; they may be names of the rows."""
    classes: Mapping[str, Sequence[str]] = EMPTY_CLASSES
    """The names of the classes of columns that hold their numbers."""


def _table(data: object) -> _Table | None:
    """Return the rows of a data frame, an Arrow table or a data set; None for anything else."""
    if isinstance(data, str | Path | list | tuple | Mapping | Peeked) or is_instance(data):
        return None
    if not _has_attributes(data):
        return None
    if isinstance(data, _Rows):
        return _Table([*data.columns], data.iter_rows(named=True))
    if isinstance(data, _Tuples):
        return _from_pandas(data)
    if isinstance(data, _Batches):
        _check_names(data.column_names)
        return _Table([*data.column_names], iter(data.to_pylist()))
    if isinstance(data, _Dataset):
        return _from_dataset(data)
    return _from_capsule(data) if isinstance(data, _Capsule) else None


def _from_capsule(data: object) -> _Table | None:
    """Return the rows of another library's table; None for one column, whose items are listed."""
    if isinstance(data, Iterable) and not hasattr(data, "columns"):
        return None
    try:
        import pyarrow
    except ImportError:
        raise ConfigurationError(
            f"{name_of(data)} is read with pyarrow, which is not installed",
            hint="pip install 'docassay[parquet]'",
        ) from None
    return _table(pyarrow.table(data))


def _check_names(names: Iterable[str]) -> None:
    """Refuse a table with two columns of one name, of which one would be lost."""
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        listed = ", ".join(twice)
        raise DataError(f"several columns have one name: {listed}", hint="rename them")


def _from_dataset(data: _Dataset) -> _Table:
    """Return the rows of a data set without its pictures, which are never decoded."""
    kept = [name for name in data.column_names if not _is_picture(data.features.get(name))]
    select = getattr(data, "select_columns", None)
    chosen = select(kept) if callable(select) and len(kept) < len(data.column_names) else data
    rows = ({name: row[name] for name in kept} for row in chosen)
    classes = {name: _classes(data.features.get(name)) for name in kept}
    return _Table(kept, rows, classes={name: names for name, names in classes.items() if names})


def _is_picture(feature: object) -> bool:
    return type(feature).__name__ in ("Image", "Audio", "Video")


def _classes(feature: object) -> list[str]:
    """Return the names of a column's classes; those of a list are inside its feature."""
    inner = feature[0] if isinstance(feature, list) and feature else feature
    inner = getattr(inner, "feature", inner)
    names = getattr(inner, "names", None)
    return [str(name) for name in names] if isinstance(names, list) else []


def _from_pandas(frame: _Tuples) -> _Table:
    """Return the rows of a frame, whose index names them, or is a column more."""
    columns = [str(name) for name in frame.columns]
    _check_names(columns)
    names = [*frame.index]
    if _is_field(frame.index, columns, names):
        reset = getattr(frame, "reset_index", None)
        if callable(reset):
            return _from_pandas(reset())
    cells = [*zip(*frame.itertuples(index=False, name=None), strict=True)]
    whole = [_without_gaps(column) for column in cells] or [()] * len(columns)
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*whole, strict=True))
    texts = bool(names) and all(isinstance(name, str) for name in names)
    named = texts or getattr(frame.index, "name", None) is not None
    return _Table(columns, rows, names if named else None, None if named else _numbers(names))


def _is_field(index: object, columns: Collection[str], names: Sequence[object]) -> bool:
    """Say whether the index of a frame holds values rather than the ids of its rows."""
    if getattr(index, "nlevels", 1) > 1:
        return True
    head = getattr(index, "name", None)
    if head is None or head in columns:
        return False
    has_ids = any(column in ID_COLUMNS for column in columns)
    return has_ids or (head not in ID_COLUMNS and len({*names}) < len(names))


def _numbers(names: list[object]) -> list[object] | None:
    """Return the numbers of rows that were chosen or moved, None for mere positions."""
    numbers = all(isinstance(name, int) for name in names) and len({*names}) == len(names)
    return names if numbers and names != [*range(len(names))] else None


def _is_numbered(data: object) -> bool:
    """Say whether rows of a pandas frame have no other names than the numbers of its index."""
    if _is_settled(data) or not _has_attributes(data) or not isinstance(data, _Tuples):
        return False
    if any(str(name) in ID_COLUMNS for name in data.columns):
        return False
    return getattr(data.index, "name", None) is None and _numbers([*data.index]) is not None


def _without_gaps(column: tuple[object, ...]) -> tuple[object, ...]:
    """Return whole numbers that pandas made fractions of because one of them is missing."""
    floats = [cell for cell in column if isinstance(cell, float)]
    there = [cell for cell in floats if not math.isnan(cell)]
    if len(floats) < len(column) or len(there) == len(floats):
        return column
    if not all(cell.is_integer() for cell in there):
        return column
    return tuple(None if math.isnan(cell) else int(cell) for cell in floats)


def _from_table(table: _Table, id_key: str | None, side: str = "") -> Records:
    column = next((name for name in ID_COLUMNS if name in table.columns), None)
    if id_key is not None:
        column = None  # it is looked for in the rows, as a dotted path perhaps
    names = iter(table.ids if table.ids is not None and column is None and id_key is None else ())
    for number, row in enumerate(table.rows, start=1):
        where = f"row {number}"
        tree = _row(row, where, side)
        benchmark = _of_benchmark(tree, table, where)
        if benchmark is not None:
            yield from benchmark
            continue
        name = next(names, None) if column is None else tree.pop(column, None)
        if isinstance(name, float) and name.is_integer():
            name = int(name)  # as the other side may have it
        if column is not None and (name is None or not str(name).strip()):
            yield flaw(None, Remark(ProblemCode.NO_ID, f"has no {column!r}; left out"), where)
        else:
            yield Record(None if name is None else str(name).strip(), tree, where)


def _row(row: Mapping[str, object], where: str, side: str) -> dict[str, object]:
    try:
        return members(dict(row), by_alias=False)
    except NoValueError as error:
        column = ", ".join(reversed(error.keys))
        what = f"a value of type {name_of(error.value)} in column {column} cannot be compared"
        place = f"{side} {where}".strip()
        raise DataError(what, where=place, hint=hint_for(error.value)) from None


def _of_benchmark(tree: dict[str, object], table: _Table, where: str) -> Records | None:
    """Return the document of a row as CORD and data sets of tagged words lay it out."""
    if _BENCHMARK.isdisjoint(tree):
        return None
    from docassay.load.formats.parquet import TableLayout, documents

    layout = TableLayout(None, frozenset(), table.classes)
    return documents(tree, layout, ID_COLUMNS, where)


_BENCHMARK = frozenset({"ground_truth", "ner_tags"})
