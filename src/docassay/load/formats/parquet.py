"""Parquet: one row a document, nested or as JSON text, and Hugging Face data sets.

Three layouts hold more than plain columns: CORD's `ground_truth` (JSON with gt_parse), `entities`
beside the words of a page (SROIE), and words with a tag each. Images are never read: their bytes
stay in the file, and only the path beside them may name a document.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from docassay.errors import ConfigurationError, DataError
from docassay.load.files import current_feed, files, opened, read_head
from docassay.load.format import Record, format
from docassay.load.formats.bio import ENDS, STARTS, Row, blocks
from docassay.load.formats.cord import shape as receipt
from docassay.load.records import (
    ID_KEYS,
    Records,
    find_id,
    flaw,
    id_keys,
    parsed,
    unreadable,
    with_ids,
)
from docassay.model.document import Number, TaggedText
from docassay.model.problem import Problem

if TYPE_CHECKING:
    from pyarrow import Table
    from pyarrow.parquet import ParquetFile


WORDS = ("words", "tokens")
TAGS = "ner_tags"
_IDS = ("key", "file_name", "image_path")
_METADATA = b"huggingface"
_TAG = re.compile(r"([BIESLU])-(.+)", re.DOTALL)


class TableLayout(NamedTuple):
    """What the schema of a file says about its columns."""

    columns: list[str] | None
    """The columns to read, in full; None for all of them."""
    images: frozenset[str]
    """Columns that hold images."""
    classes: Mapping[str, Sequence[str]]
    """The names of the classes of columns that hold their numbers."""


def layout_of(file: ParquetFile) -> TableLayout:
    """Return the layout of an open Parquet file."""
    schema = file.schema
    leaves = [schema.column(at) for at in range(len(schema))]
    # an image is a struct of its path and, as bytes that are no text, itself
    skipped = {
        leaf.path
        for leaf in leaves
        if leaf.path.endswith(".bytes")
        and leaf.physical_type == "BYTE_ARRAY"
        and leaf.logical_type.type == "NONE"
    }
    features = _features(file.schema_arrow.metadata or {})
    images = {path.partition(".")[0] for path in skipped}
    images |= {name for name, feature in features.items() if _is_image(feature)}
    kept = [leaf.path for leaf in leaves if leaf.path not in skipped]
    classes = {name: names for name, feature in features.items() if (names := _classes(feature))}
    return TableLayout(kept if skipped else None, frozenset(images), classes)


def _features(metadata: Mapping[bytes, bytes]) -> dict[str, object]:
    """Return the features of a data set by column, as its library writes them into files."""
    try:
        tree: object = json.loads(metadata.get(_METADATA, b"{}"))
    except ValueError:
        return {}
    for name in ("info", "features"):
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree if isinstance(tree, dict) else {}


def _is_image(feature: object) -> bool:
    return isinstance(feature, dict) and feature.get("_type") == "Image"


def _classes(feature: object) -> list[str]:
    """Return the names of a column's classes; those of a list are inside its feature."""
    inner = feature[0] if isinstance(feature, list) and feature else feature
    if not isinstance(inner, dict):
        return []
    names = inner.get("names")
    if inner.get("_type") == "ClassLabel" and isinstance(names, list):
        return [str(name) for name in names]
    return _classes(inner["feature"]) if "feature" in inner else []


def documents(
    row: dict[str, object], layout: TableLayout, ids: tuple[str, ...], where: str
) -> Records | None:
    """Return the document of a row in one of the layouts; None when its columns are its fields."""
    truth, entities = row.get("ground_truth"), row.get("entities")
    words = next((row[name] for name in WORDS if isinstance(row.get(name), list)), None)
    record_id = _id_of(row, layout, ids)
    if isinstance(truth, str | dict) and "gt_parse" in truth:
        return _receipt(truth, record_id, where)
    if isinstance(words, list) and isinstance(row.get(TAGS), list):
        return _tagged(words, row[TAGS], layout.classes.get(TAGS, ()), record_id, where)
    if isinstance(entities, dict) and (layout.images or words is not None):
        return iter([Record(record_id, entities, where)])
    return None


def without_images(
    row: dict[str, object], layout: TableLayout, ids: tuple[str, ...]
) -> dict[str, object]:
    """Return the columns that are no images; the path of one names a row that has no other id."""
    if not layout.images:
        return row
    plain = {name: value for name, value in row.items() if name not in layout.images}
    path = _id_of(row, layout, ids) if find_id(plain, ids) is None else None
    return plain if path is None else {ids[0]: path, **plain}


def _id_of(row: dict[str, object], layout: TableLayout, ids: tuple[str, ...]) -> str | None:
    """Return the id of a row: a column that holds one, else the path of its image."""
    columns = ids if len(ids) == 1 else (*ids, *_IDS)
    name = find_id(row, columns)
    if name is not None:
        return str(row[name])
    images = [row.get(image) for image in sorted(layout.images)] if len(ids) > 1 else []
    paths = [image.get("path") if isinstance(image, dict) else image for image in images]
    return next((path for path in paths if isinstance(path, str) and path.strip()), None)


def _receipt(truth: object, record_id: str | None, where: str) -> Records:
    try:
        tree, remarks = receipt({"ground_truth": truth})
    except DataError as error:
        yield from unreadable(record_id, error.what, where)
        return
    for message in remarks:
        yield flaw(record_id, message, where)
    yield Record(record_id, tree, where)


def _tagged(
    words: list[object], tags: object, names: Sequence[str], record_id: str | None, where: str
) -> Records:
    assert isinstance(tags, list)
    if len(tags) != len(words):
        message = f"has {len(words)} words and {len(tags)} {TAGS}"
        yield from unreadable(record_id, message, where)
        return
    try:
        rows = [*_rows(words, [_name(tag, names) for tag in tags])]
    except DataError as error:
        yield from unreadable(record_id, error.what, where)
        return
    yield Record(record_id, TaggedText(blocks(rows)), where)


def _name(tag: object, names: Sequence[str]) -> str:
    """Return a tag as text; a number is one of the classes that the file names."""
    if isinstance(tag, str):
        return tag
    if not names:
        raise DataError(f"its {TAGS} are numbers, and the file does not name their classes")
    if not isinstance(tag, int) or not 0 <= tag < len(names):
        raise DataError(f"{tag} is none of the {len(names)} classes of {TAGS}")
    return names[tag]


def _rows(words: list[object], tags: list[str]) -> Iterator[Row]:
    """Yield the words as IOB2; a tag without B or I is a category, and lasts while it repeats."""
    running = ""
    for word, tag in zip(words, tags, strict=True):
        match = _TAG.fullmatch(tag)
        kind, category = (match[1], match[2]) if match else ("I", "" if tag == "O" else tag)
        text = " ".join(str(word).split())
        if text:
            begins = kind in STARTS or category != running
            yield text, ("B" if begins else "I") if category else "", category
        running = "" if kind in ENDS else category


MAGIC = b"PAR1"
ROW_IDS = (*ID_KEYS, "file", "image_file")
MOST_GROUPS = 4
"""Row groups of a file that are held at a time, where rows are read by their places."""
_OTHER_LAYOUTS = frozenset({*WORDS, TAGS, "ground_truth", "entities"})
JSON_COLUMNS = ("fields", "prediction", "tree", "json")
ROWS_AT_ONCE = 1024


def looks_like(path: Path, head: bytes) -> bool:
    """Return whether a file begins as Parquet files do."""
    return head.startswith(MAGIC)


def _is_benchmark(path: Path) -> bool:
    """Return whether the first row of a path is a document of a benchmark's data set."""
    for file in files(path, (".parquet",)):
        if not read_head(file, 1):
            continue
        with opened(file) as stream:
            table, layout = _table(stream, file)
            for row in _read(table, layout, file):
                plain = plain_row(row)
                return documents(plain, layout, ID_KEYS, str(file)) is not None
    return False


@format("parquet", sniff=looks_like, protocol=_is_benchmark)
def load(path: Path, *, id_key: str | None = None, root: str | None = None) -> Records:
    """Read one row a document: nested columns, or JSON text in a column such as `fields`.

    `root` is where the record stands in a row.
    """
    ids = id_keys(id_key, ROW_IDS)
    feed = current_feed()
    records = _table_rows(path, ids) if feed is None else _plain_rows(feed.rows(), ids)
    return with_ids(records, ids=ids, root=root)


def _plain_rows(rows: Iterable[tuple[str, dict[str, object]]], ids: tuple[str, ...]) -> Records:
    for where, row in rows:
        yield from _opened(row, ids, where)


def _table_rows(path: Path, ids: tuple[str, ...]) -> Records:
    for file in files(path, (".parquet",)):
        if not read_head(file, 1):
            continue
        with opened(file) as stream:
            table, layout = _table(stream, file)
            for number, row in enumerate(_read(table, layout, file), start=1):
                plain = plain_row(row)
                where = f"{file}: row {number}"
                records = documents(plain, layout, ids, where)
                yield from records or _opened(without_images(plain, layout, ids), ids, where)


def with_pictures(files_of: Sequence[Path]) -> Iterator[tuple[Record | Problem, bytes | None]]:
    """Yield the documents of a benchmark's files, each with its image."""
    for file in files_of:
        with opened(file) as stream:
            table, layout = _table(stream, file)
            rows = _read(table, layout._replace(columns=None), file)
            for number, row in enumerate(rows, start=1):
                cells = (row.get(name) for name in sorted(layout.images))
                images = [cell.get("bytes") for cell in cells if isinstance(cell, dict)]
                image = next((content for content in images if isinstance(content, bytes)), None)
                rest = {name: value for name, value in row.items() if name not in layout.images}
                plain = {name: _plain(value) for name, value in rest.items()}
                where = f"{file}: row {number}"
                for item in documents(plain, layout, id_keys(None), where) or ():
                    yield item, image


def _opened(row: dict[str, object], ids: tuple[str, ...], where: str) -> Records:
    """Yield the row, a column of JSON text replaced by what the text holds."""
    column = next((name for name in JSON_COLUMNS if isinstance(row.get(name), str)), None)
    if column is None:
        yield Record(None, row, where)
        return
    name = find_id(row, ids)
    record_id = None if name is None else str(row[name])
    for item in parsed(str(row[column]).encode(), record_id=record_id, where=where):
        if isinstance(item, Problem) or item.tree is None:
            yield item
        else:
            rest = {key: value for key, value in row.items() if key != column}
            yield Record(None, {**rest, "fields": item.tree}, where)


def _read(table: ParquetFile, layout: TableLayout, file: Path) -> Iterator[dict[str, object]]:
    try:
        for batch in table.iter_batches(batch_size=ROWS_AT_ONCE, columns=layout.columns):
            yield from batch.to_pylist()
    except (OSError, ValueError, NotImplementedError) as error:
        raise _broken(file, error) from None


class RowGroups:
    """The row groups of a Parquet file whose columns are the fields of documents."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stream = opened(file)
        self._table, layout = _table(self._stream, file)
        self._tables: dict[int, Table] = {}
        self.names: list[str] = self._table.schema_arrow.names
        self.plain = not layout.images and _OTHER_LAYOUTS.isdisjoint(self.names)
        groups = [self._table.metadata.row_group(at) for at in range(self._table.num_row_groups)]
        self.rows = [group.num_rows for group in groups]
        """How many rows each group has."""
        self.sizes = [group.total_byte_size for group in groups]

    def ids(self, group: int, ids: tuple[str, ...]) -> list[str | None]:
        """Return the id of each row of a group, None for none."""
        columns = [name for name in ids if name in self.names]
        if not columns:
            return [None] * self.rows[group]
        rows = map(plain_row, self._read(group, columns).to_pylist())
        names = ((row, find_id(row, ids)) for row in rows)
        return [None if name is None else str(row[name]) for row, name in names]

    def take(self, group: int, numbers: Sequence[int]) -> list[dict[str, object]]:
        """Return rows of a group by their numbers in it; a few groups stay in memory."""
        if group not in self._tables:
            if len(self._tables) >= MOST_GROUPS:
                del self._tables[next(iter(self._tables))]
            self._tables[group] = self._read(group, None)
        return [*map(plain_row, self._tables[group].take([*numbers]).to_pylist())]

    def _read(self, group: int, columns: list[str] | None) -> Table:
        try:
            return self._table.read_row_group(group, columns=columns)
        except (OSError, ValueError, NotImplementedError) as error:
            raise _broken(self._file, error) from None

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _table(stream: BinaryIO, file: Path) -> tuple[ParquetFile, TableLayout]:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ConfigurationError(
            "reading Parquet needs pyarrow", hint="pip install 'docassay[parquet]'"
        ) from None
    try:
        table = ParquetFile(stream)
        return table, layout_of(table)
    except (OSError, ValueError, NotImplementedError) as error:
        raise _broken(file, error) from None


def plain_row(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row with its values as plain JSON."""
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: object) -> object:
    """Return a column's value as plain JSON: fractions as their digits, NaN as no value."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else Number(repr(value))
    if isinstance(value, Decimal):
        return Number(value)
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(inner, tuple) and len(inner) == 2 for inner in value):
            return {str(key): _plain(inner) for key, inner in value}  # a column of type map
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None  # an image or another file
    return str(value)


def _broken(file: Path, error: Exception) -> DataError:
    reason = str(error).partition("\n")[0]
    return DataError(f"cannot be read as Parquet: {reason}", where=str(file))
