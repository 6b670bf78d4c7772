"""Predictions kept in a table by an earlier run, `extractions.csv`: what its columns mean.

A field is a column, and the values of a list stand with " | " between them. `group[].field` holds
the cells of a group's rows, row by row. What no such column can hold as it was stands as JSON in
one column. Columns that begin with `score:` hold what the run found, and are no fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docassay.errors import DataError
from docassay.load.wire import decode
from docassay.model.document import SEPARATOR

ID = "image_name"
SCORE = "score:"
OVERALL = f"{SCORE}overall"
"""The column by which such a table is known."""
REST = "json:rest"
ROWS = "[]."
_GUARDED = re.compile("'+[=+\\-@\t\r]")


def is_kept(header: Sequence[str]) -> bool:
    """Say whether a header is that of a table which a run has written."""
    return header[:1] == [ID] and OVERALL in header


def unguarded(text: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if _GUARDED.match(text) else text


def tree_of(cells: Mapping[str, str], where: str) -> dict[str, object]:
    """Return the tree that was predicted; raise DataError for JSON that cannot be read."""
    tree: dict[str, object] = {}
    rows: dict[str, dict[str, list[str]]] = {}
    for name, cell in cells.items():
        group, mark, field = name.partition(ROWS)
        if not cell or name == REST or name.startswith(SCORE):
            continue
        if mark:
            rows.setdefault(group, {})[field] = cell.split(SEPARATOR)
        else:
            tree[name] = cell.split(SEPARATOR) if SEPARATOR in cell else cell
    for group, columns in rows.items():
        tree[group] = [
            {field: items[at] for field, items in columns.items() if at < len(items)}
            for at in range(max(map(len, columns.values())))
        ]
    return {**tree, **_rest(cells.get(REST, ""), where)}


def _rest(cell: str, where: str) -> dict[str, object]:
    if not cell:
        return {}
    tree = decode(cell.encode(), where).tree
    if not isinstance(tree, dict):
        raise DataError(f"column {REST!r} does not hold an object", where=where)
    return tree
