"""Format json: a folder with one object a file, or one file with many documents."""

from __future__ import annotations

from pathlib import Path

from docassay.load.format import format
from docassay.load.formats.service import annotated
from docassay.load.naming import schema_shape
from docassay.load.records import (
    Records,
    from_file,
    from_folder,
    from_lines,
    id_keys,
    is_document,
    looks_like_lines,
    with_ids,
)
from docassay.model.schema import Schema


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text begins as a JSON object or list does."""
    lines = path.suffix.lower() in (".jsonl", ".ndjson")
    return head.lstrip().startswith((b"{", b"[")) and not lines


def _implied(schema: Schema, source: object) -> dict[str, object]:
    """Return the keys that are fields or groups of the schema, so they name no document."""
    return {"fields": tuple(sorted(schema_shape(schema)))}


@format("json", sniff=looks_like, implied=_implied)
def load(
    path: Path,
    *,
    id_key: str | None = None,
    root: str | None = None,
    fields: tuple[str, ...] = (),
) -> Records:
    """Read a folder of ID.json, or one file: {id: tree}, a list of objects with ids, one document.

    `root` is where the record stands in an object; a key among `fields` is never an id.
    """
    if path.is_dir():
        records = annotated(from_folder(path, (".json",)))
        if id_key is None and root is None:
            return records
        return with_ids(records, ids=id_keys(id_key), root=root)
    records = from_file(
        path, lambda key, value: key not in fields and is_document(key, value), root
    )
    return with_ids(annotated(records), ids=id_keys(id_key), root=root)


@format("jsonl", sniff=looks_like_lines)
def load_lines(path: Path, *, id_key: str | None = None, root: str | None = None) -> Records:
    """Read one JSON object a line, with its id beside the fields; a folder is read file by file.

    `root` is where the record stands in an object.
    """
    ids = id_keys(id_key)
    return with_ids(annotated(from_lines(path, ids)), ids=ids, root=root, lines=path)
