"""Predictions kept in a table by an earlier run, `extractions.csv`: what its columns mean.

A field is a column, and the values of a list are joined by " | ". `group[].field` holds the cells
of a group's rows, row by row. What no such column can hold unchanged is JSON in one column, and an
id that cannot be shown unchanged is JSON in another. Columns that begin with `score:` hold scores
of the run, and are not fields.

Text from documents is guarded in every CSV file: a cell that a spreadsheet would evaluate as a
formula begins with an apostrophe. A text that looks like a guarded one gets another apostrophe, so
taking one away always gives the text back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docassay.errors import DataError
from docassay.load.wire import decode
from docassay.model.document import SEPARATOR

ID = "image_name"
SCORE = "score:"
OVERALL = f"{SCORE}overall"
"""The column by which such a table is recognised."""
REST = "json:rest"
EXACT_ID = "json:id"
ROWS = "[]."


def is_kept(header: Sequence[str]) -> bool:
    """Return whether a header is that of a table which a run has written."""
    return header[:1] == [ID] and OVERALL in header


def exact_id(cells: dict[str, str], where: str) -> str:
    """Take the id out of the cells of a row; raise DataError for JSON that cannot be read."""
    shown, exact = cells.pop(ID), cells.pop(EXACT_ID, "")
    if not exact:
        return shown
    id = decode(exact.encode(), where).tree
    if not isinstance(id, str):
        raise DataError(f"column {EXACT_ID!r} does not hold a text", where=where)
    return id


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
