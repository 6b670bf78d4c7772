"""Keeping what was predicted: `extractions.csv`, one row a document, values first, then scores.

Which columns there are is known only at the end, so values are kept aside while the run goes on.
The file can be given as predictions to another run (`load/kept.py` says how it is read).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from docassay.load.kept import EXACT_ID, ID, OVERALL, REST, ROWS, SCORE
from docassay.load.pairing import Paired
from docassay.load.wire import encode
from docassay.matching.case import Case
from docassay.model.document import LEAF_KEYS, LEAF_MARKS, SEPARATOR, Number
from docassay.model.report import Report
from docassay.model.schema import Schema
from docassay.model.words import has_control, visible
from docassay.run.output import csv_line, new_file, writing
from docassay.run.plan import Bound
from docassay.schema.layout import BoundGroup, Layout, Member

EXTRACTIONS = "extractions.csv"
Cells = dict[str, str]


class Extractions:
    """Keeps predictions aside, if fields are scored; `finish` writes them with their scores."""

    def __init__(self, folder: Path, bound: Bound, aside: BinaryIO) -> None:
        self._wanted = any(metric.metric.documents is not None for metric in bound.metrics)
        self._path = folder / EXTRACTIONS
        self._schema = bound.layouts.schema
        self._file = aside
        self._places: dict[str, int] = {}
        self._columns: set[str] = set()

    def add(self, case: Case, pair: Paired) -> None:
        """Keep the prediction of a case aside."""
        if not self._wanted:
            return
        cells = cells_of(case.given[1], case.layout)
        if not case.id.isprintable():
            cells[EXACT_ID] = json.dumps(case.id)
        self._columns.update(cells)
        self._places[case.id] = self._file.tell()
        self._file.write(json.dumps(cells).encode() + b"\n")

    def finish(self, report: Report) -> None:
        """Write the table in the order of gold, or take away that of an earlier run."""
        if not self._wanted:
            self._path.unlink(missing_ok=True)
            return
        columns = sorted(self._columns, key=_order(self._schema))
        lines = {line.id: line for line in report.lines}
        fields = sorted({path for line in report.lines for path in line.fields})
        scores = (f"{SCORE}{visible(path)}" for path in fields)
        with writing(self._path), new_file(self._path) as file:
            file.write(csv_line((ID, *columns, OVERALL, *scores)).encode())
            for id, place in self._places.items():
                self._file.seek(place)
                cells = json.loads(self._file.readline())
                texts = (cells.get(column, "") for column in columns)
                line = lines[id]
                values = (line.fields.get(path) for path in fields)
                file.write(csv_line((visible(id), *texts, line.score, *values)).encode())


@contextmanager
def keeping_extractions(folder: Path, bound: Bound) -> Iterator[Extractions]:
    """Give what keeps predictions; what it keeps aside is gone afterwards."""
    with ExitStack() as stack:
        with writing(folder):
            aside = stack.enter_context(TemporaryFile(dir=folder, prefix=f".{EXTRACTIONS}."))
        yield Extractions(folder, bound, aside)


def cells_of(tree: object, layout: Layout) -> Cells:
    """Return a tree as cells by column, those that are empty left out."""
    cells: Cells = {}
    rest: dict[str, object] = {}
    for key, raw in tree.items() if isinstance(tree, Mapping) else ():
        name = str(key)
        columns = _cells(name, raw, layout.root.members[name]) if _can_head(name) else None
        if columns is None:
            rest[name] = raw
        else:
            cells |= {column: text for column, text in columns.items() if text}
    if rest:
        cells[REST] = _json(rest)
    return cells


def _can_head(name: str) -> bool:
    reserved = name in (ID, REST, EXACT_ID) or name.startswith(SCORE) or ROWS in name
    return bool(name.strip()) and name.isprintable() and not reserved


def _cells(name: str, raw: object, member: Member) -> Cells | None:
    """Return the cells of one member, None when they would not come back as it was."""
    if member.column is not None and isinstance(raw, Mapping):
        return None
    items = _leaves(raw, member)
    if items is not None:
        text = SEPARATOR.join(items)
        # a text that is split when it is read need not be kept whole
        whole = text.split(SEPARATOR) == items or (len(items) == 1 and _splits(member, raw))
        return {name: text} if whole else None
    if member.column is not None:
        return None
    if isinstance(raw, Mapping):
        raw = [raw]
    return _columns(name, raw, member.group) if isinstance(raw, list | tuple) else None


def _splits(member: Member, raw: object) -> bool:
    return isinstance(raw, str) and (member.splits or member.column is not None)


def _columns(name: str, rows: Sequence[object], group: BoundGroup) -> Cells | None:
    """Return the cells of rows by column, None when they hold more than a text each."""
    objects = [row for row in rows if isinstance(row, Mapping) and LEAF_MARKS.isdisjoint(row)]
    if len(objects) < len(rows):
        return None
    cells: Cells = {}
    for key in dict.fromkeys(chain.from_iterable(objects)):
        items: list[str] = []
        for row in objects:
            texts = _leaves(row.get(key), group.members[str(key)])
            if texts is None or len(texts) > 1:
                return None
            items += texts
        text = SEPARATOR.join(items)
        if text.split(SEPARATOR) != items or not _can_head(str(key)):
            return None
        cells[f"{name}{ROWS}{key}"] = text if any(items) else ""
    return cells


def _leaves(raw: object, member: Member) -> list[str] | None:
    """Return the texts of a leaf or of a list of leaves, None for anything else."""
    if isinstance(raw, Mapping):
        grouped = any(group.grouping is not None for group in member.owner.layout.schema.groups)
        plain = "value" in raw and LEAF_KEYS.issuperset(raw) and not member.is_group
        # where its place or a name beside it says which row a value belongs to, both are kept
        return _leaves(raw["value"], member) if plain and not grouped else None
    items = raw if isinstance(raw, list | tuple) else [raw]
    texts = [_text(item, member) for item in items]
    leaves = [text for text in texts if text is not None]
    return (leaves or [""]) if len(leaves) == len(texts) else None


def _text(raw: object, member: Member) -> str | None:
    """Return the text that reads as a leaf does, None when there is none."""
    if raw is None:
        return ""
    if isinstance(raw, Mapping | list | tuple):
        return None
    if isinstance(raw, bool):
        return str(raw).lower()
    text = str(raw)
    if isinstance(raw, Number | float):
        field = member.field if member.column is None else member.column[1]
        number, reading = field.numbers[text], field.readings[text]
        if (number and number.canonical) != (reading and reading.canonical):
            return None
    return None if has_control(text) else text


def _json(rest: Mapping[str, object]) -> str:
    try:
        text = encode(rest)
    except UnicodeEncodeError:
        text = json.dumps(rest, default=str)
    # JSON has escapes of its own for what does not print
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _order(schema: Schema) -> Callable[[str], tuple[bool, int, str]]:
    """Return the place of a column: in the order of the schema, then by name, JSON last."""
    places = {name: at for at, name in enumerate(_names(schema))}
    return lambda column: (column in (REST, EXACT_ID), places.get(column, len(places)), column)


def _names(schema: Schema) -> Iterator[str]:
    for field in schema.fields:
        yield from (field.path, *field.aliases)
    for group in schema.groups:
        for field in group.fields:
            own = field.path.removeprefix(f"{group.path}.")
            yield from (group.columns.get(field.path, ""), f"{group.path}{ROWS}{own}")
