"""What a run says of one document: its overall readouts, and what was predicted.

Tables of documents have columns that are known only when all documents are: so their lines lie
aside, in gold order, until then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

import msgspec

from docassay.load.kept import EXACT_ID
from docassay.matching.case import Case
from docassay.metrics.metric import Context, DocumentFacts, Readout, values_of
from docassay.model.report import DocumentLine
from docassay.model.schema import Schema
from docassay.model.stats import in_order
from docassay.run.extractions import Cells, cells_of
from docassay.run.output import unwritable
from docassay.run.plan import Bound
from docassay.run.rows import lines_of
from docassay.run.score import Row
from docassay.run.totals import RecordColumns


class DocumentRecord(msgspec.Struct, array_like=True):
    """The line of a document, with the cells of what was predicted, if fields are scored."""

    line: DocumentLine
    cells: Cells


_decoder = msgspec.json.Decoder(DocumentRecord)
_encoder = msgspec.json.Encoder(enc_hook=dict)  # a mapping that is not a dict


class RecordLines:
    """Makes the records of one document after the other."""

    def __init__(self, bound: Bound) -> None:
        self._maker = LineMaker(bound)
        self._with_cells = _scores_fields(bound)
        self._lines: list[bytes] = []
        self._columns = RecordColumns()

    def add(self, row: Row, case: Case, problems: int) -> None:
        """Add a document that has so many problems."""
        cells: Cells = {}
        if self._with_cells:
            cells = cells_of(case.given[1], case.layout)
            if not case.id.isprintable():
                cells[EXACT_ID] = json.dumps(case.id)
        line = self._maker.line(row, problems)
        self._columns.add(line, cells)
        self._lines.append(_encoder.encode(DocumentRecord(line, cells)))

    def take(self) -> tuple[bytes, RecordColumns]:
        """Return the lines so far and their columns, and begin anew."""
        lines = b"".join([line + b"\n" for line in self._lines])
        columns, self._columns, self._lines = self._columns, RecordColumns(), []
        return lines, columns


class RecordFile:
    """Keeps records of documents aside while a run goes on."""

    def __init__(self, file: BinaryIO, schema: Schema | None) -> None:
        """Take a file, and the schema of the fields that are scored; None where none are."""
        self._file = file
        self.schema = schema
        self.columns = RecordColumns()
        self._more: Mapping[str, int] = {}

    def write(self, lines: bytes, columns: RecordColumns) -> None:
        """Append lines of records, which have these columns."""
        self._file.write(lines)
        self.columns.merge(columns)

    def count_also(self, problems: Mapping[str, int]) -> None:
        """Take how many problems documents have besides those that their records know of."""
        self._more = problems

    def __iter__(self) -> Iterator[DocumentRecord]:
        self._file.flush()
        for line in lines_of(self._file, 0, self._file.tell()):
            record = _decoder.decode(line)
            more = self._more.get(record.line.id)
            if more:
                problems = record.line.problems + more
                record.line = record.line._replace(problems=problems)
            yield record


@contextmanager
def keeping_records(folder: Path, bound: Bound) -> Iterator[RecordFile]:
    """Give a file of records in a folder, which is made if need be; it is gone afterwards."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = TemporaryFile(dir=folder, prefix=".documents.")  # noqa: SIM115 - closed below
    except OSError as error:
        raise unwritable(folder, error) from None
    with file:
        schema = bound.layouts.schema if _scores_fields(bound) else None
        yield RecordFile(cast("BinaryIO", file), schema)


def _scores_fields(bound: Bound) -> bool:
    return any(metric.metric.documents is not None for metric in bound.metrics)


class LineMaker:
    """Makes the lines of documents that were scored by one plan."""

    def __init__(self, bound: Bound) -> None:
        self._metrics = [
            (
                metric.name,
                metric.metric,
                Context(1, bound.plan.schema, metric.options),
                metric.display,
                _Addresses(metric.name),
            )
            for metric in bound.metrics
        ]

    def line(self, row: Row, problems: int) -> DocumentLine:
        """Return the line of a document with so many problems."""
        scores: dict[str, float | int | None] = {}
        values: Mapping[str, float | int | None]
        facts: list[DocumentFacts] = []
        for name, metric, context, display, addresses in self._metrics:
            stats = row.stats[name]
            if metric.overall is None or metric.documents is not None:
                # sorted, so that a row says the same when it was just scored and when it was read
                stats = in_order(stats)
            if metric.overall is None:
                every = metric.readouts(stats, context, **display)
                values = values_of(takewhile(_is_overall, every))
            else:
                values = metric.overall(stats, context, **display)
            for readout, value in values.items():
                scores[addresses[readout]] = value
            if metric.documents is not None:
                facts.append(metric.documents(stats))
        facts.sort(key=lambda own: own.place)
        return DocumentLine(
            row.id,
            row.type,
            scores,
            problems,
            row.outcome,
            fields=next((own.fields for own in facts if own.fields), {}),
            pred_type=next((own.pred_type for own in facts if own.pred_type), ""),
            score=next((own.score for own in facts if own.score is not None), None),
            exact=next((own.exact for own in facts if own.exact is not None), None),
            meta=row.meta,
        )


def _is_overall(readout: Readout) -> bool:
    return not readout.key  # which come first


class _Addresses(dict[str, str]):
    """The address of each readout of a metric, by its name."""

    def __init__(self, metric: str) -> None:
        self._metric = metric

    def __missing__(self, name: str) -> str:
        self[name] = address = f"{self._metric}.{name}"
        return address
