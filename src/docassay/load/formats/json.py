"""Format json: a folder with one object a file, or one file with many documents."""

from __future__ import annotations

from pathlib import Path

from docassay.load.format import format
from docassay.load.records import (
    Records,
    from_file,
    from_folder,
    from_lines,
    id_keys,
    looks_like_lines,
    with_ids,
)


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text begins as a JSON object or list does."""
    lines = path.suffix.lower() in (".jsonl", ".ndjson")
    return head.lstrip().startswith((b"{", b"[")) and not lines


@format("json", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read a folder of ID.json, or one file: {id: tree} or a list of objects with ids."""
    if path.is_dir():
        return from_folder(path, (".json",))
    return with_ids(from_file(path), ids=id_keys(id_key))


@format("jsonl", sniff=looks_like_lines)
def load_lines(path: Path, *, id_key: str | None = None) -> Records:
    """Read one JSON object a line, with its id beside the fields; a folder is read file by file."""
    return with_ids(from_lines(path), ids=id_keys(id_key))
