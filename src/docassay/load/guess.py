"""Guessing a format from what a file, or the first document of a folder, holds."""

from __future__ import annotations

import codecs
from pathlib import Path

from docassay.errors import DataError
from docassay.load import FORMATS
from docassay.load.files import files, read_head

HEAD = 1 << 16
SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".parquet", ".bio", ".tags")
GENERAL = ("response", "jsonl", "json", "csv")
"""Formats that fit much; asked last, in this order."""


def guess(path: Path) -> str:
    """Return the name of the format that the content fits; nothing or too much is an error."""
    document, head = _first_document(path)
    special = [name for name in FORMATS.names() if name not in GENERAL]
    fitting = [name for name in special if _fits(name, document, head)]
    if len(fitting) > 1:
        raise DataError(
            f"could be any of the formats {', '.join(fitting)}",
            where=str(path),
            hint="name the format",
        )
    general = (name for name in GENERAL if _fits(name, document, head))
    found = fitting[0] if fitting else next(general, None)
    if found is None:
        raise DataError(
            "is of no known format",
            where=str(document),
            hint=f"name the format: {', '.join(FORMATS.names())}",
        )
    return found


def _first_document(path: Path) -> tuple[Path, bytes]:
    """Return the first file that is not empty, and how it begins (as UTF-8, without mark)."""
    for file in files(path, SUFFIXES):
        head = read_head(file, HEAD)
        if head.strip():
            return file, _as_utf8(head)
    what = "there are no documents in this folder" if path.is_dir() else "the file is empty"
    hint = f"documents end in {', '.join(SUFFIXES)}" if path.is_dir() else "is it the right one?"
    raise DataError(what, where=str(path), hint=hint)


def _as_utf8(head: bytes) -> bytes:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    return head.removeprefix(codecs.BOM_UTF8)


def _fits(name: str, document: Path, head: bytes) -> bool:
    sniff = FORMATS.get(name).facts["sniff"]
    return callable(sniff) and bool(sniff(document, head))
