"""Format jsonl: one JSON object a line."""

from __future__ import annotations

from pathlib import Path

from docassay.load import format
from docassay.load.records import Records, from_lines, id_keys, looks_like_lines, with_ids


@format("jsonl", sniff=looks_like_lines)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read one JSON object a line, with its id beside the fields; a folder is read file by file."""
    return with_ids(from_lines(path), ids=id_keys(id_key))
