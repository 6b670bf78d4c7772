"""Statistics of a data set: how many documents, entities and rows, by field and by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Unpack

from docassay.analysis.study.result import DataStudy, FieldStatistics, GroupStatistics
from docassay.errors import DataError
from docassay.matching.case import make_case
from docassay.model.document import Group
from docassay.run.open import open_run
from docassay.run.options import Data, Options, ReadingArgs
from docassay.schema.listing import Listing


def data_study(
    gold: Data,
    *,
    settings: Mapping[str, object] | None = None,
    **options: Unpack[ReadingArgs],
) -> DataStudy:
    """Count what the documents of a data set hold, read as `score` reads gold."""
    if isinstance(gold, Iterator):
        gold = [*gold]
    # gold on both sides: documents are read, typed and left out as they are when scored
    prepared = open_run(gold, gold, Options(**options, settings=settings, metrics=("entity",)))
    counts = _Counts()
    for pair in prepared.pairing:
        case = make_case(pair.id, *pair.trees, prepared.bound.layouts)
        counts.add(case.gold.root, case.type)
    if not counts.documents:
        raise DataError("there is no document to count", where=prepared.gold.name)
    schema = prepared.bound.plan.schema
    listing = None if schema is None else Listing(schema, None)
    types = {} if listing is None else {path: field.type for path, field in listing.fields.items()}
    return DataStudy(
        name=prepared.gold.name,
        signature=prepared.bound.signature,
        documents=counts.documents,
        pages=counts.pages or None,
        types=dict(sorted(counts.types.items())),
        fields=tuple(counts.fields(types)),
        groups=tuple(counts.groups()),
        problems=tuple(prepared.pairing.problems),
        notes=tuple(note for note in prepared.notes if not note.startswith("pred: ")),
    )


class _Counts:
    """Sums over documents, by field path and by group type."""

    def __init__(self) -> None:
        self.documents = 0
        self.pages = 0
        self.types: Counter[str] = Counter()
        self._fields: dict[str, _Field] = {}
        self._rows: dict[str, list[int]] = {}

    def add(self, root: Group, type: str) -> None:
        self.documents += 1
        if type:
            self.types[type] += 1
        fields: Counter[str] = Counter()
        rows: Counter[str] = Counter()
        last_page = 0
        for group in _groups(root):
            if group is not root:
                rows[group.type] += 1
            for entity in group.own_entities():
                field = self._fields.setdefault(entity.field, _Field(group.type))
                field.texts[entity.reading.canonical] += 1
                fields[entity.field] += 1
                last_page = max(last_page, entity.reading.page or 0)
        self.pages += last_page
        for path, number in fields.items():
            self._fields[path].documents.append(number)
        for name, number in rows.items():
            self._rows.setdefault(name, []).append(number)

    def fields(self, types: dict[str, str]) -> Iterator[FieldStatistics]:
        for path, field in self._fields.items():
            yield FieldStatistics(
                field=path,
                group=field.group,
                type=types.get(path, "text"),
                values=sum(field.documents),
                documents=len(field.documents),
                share=len(field.documents) / self.documents,
                most=max(field.documents),
                distinct=len(field.texts),
            )

    def groups(self) -> Iterator[GroupStatistics]:
        for name, rows in self._rows.items():
            yield GroupStatistics(
                group=name,
                rows=sum(rows),
                documents=len(rows),
                share=len(rows) / self.documents,
                most=max(rows),
            )


class _Field:
    def __init__(self, group: str) -> None:
        self.group = group
        self.documents: list[int] = []
        self.texts: Counter[str] = Counter()


def _groups(group: Group) -> Iterator[Group]:
    yield group
    for rows in group.groups.values():
        for row in rows:
            yield from _groups(row)
