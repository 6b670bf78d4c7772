"""Format parquet: one row a document, its fields in (nested) columns or as JSON in one column."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError, DataError
from docassay.load import Record, format
from docassay.load.files import files, read_head
from docassay.load.records import ID_KEYS, Records, find_id, id_keys, parsed, with_ids
from docassay.model.document import Number, Problem

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

MAGIC = b"PAR1"
JSON_COLUMNS = ("fields", "prediction", "tree", "json")
ROWS_AT_ONCE = 1024


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a file begins as Parquet files do."""
    return head.startswith(MAGIC)


@format("parquet", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read one row a document: nested columns, or JSON text in a column such as `fields`."""
    ids = id_keys(id_key, (*ID_KEYS, "file", "image_file"))
    return with_ids(_rows(path, ids), ids=ids)


def _rows(path: Path, ids: tuple[str, ...]) -> Records:
    for file in files(path, (".parquet",)):
        if not read_head(file, 1):
            continue
        for number, row in enumerate(_read(file), start=1):
            plain = {name: _plain(value) for name, value in row.items()}
            yield from _opened(plain, ids, f"{file}: row {number}")


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


def _read(file: Path) -> Iterator[dict[str, object]]:
    opened = _open(file)
    try:
        for batch in opened.iter_batches(batch_size=ROWS_AT_ONCE):
            yield from batch.to_pylist()
    except (OSError, ValueError, NotImplementedError) as error:
        raise _broken(file, error) from None


def _open(file: Path) -> ParquetFile:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ConfigurationError(
            "reading Parquet needs pyarrow", hint="pip install 'docassay[parquet]'"
        ) from None
    try:
        return ParquetFile(file)
    except (OSError, ValueError, NotImplementedError) as error:
        raise _broken(file, error) from None


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
        return value.decode("utf-8", "replace")
    return str(value)


def _broken(file: Path, error: Exception) -> DataError:
    reason = str(error).partition("\n")[0]
    return DataError(f"cannot be read as Parquet: {reason}", where=str(file))
