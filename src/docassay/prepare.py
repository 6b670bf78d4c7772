"""Before a run: checked plans from what a user gives, and sources of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docassay.load.source import Source, open_records
from docassay.model.schema import Schema
from docassay.plan import Bound, bind, make_plan

Data = str | Path | Mapping[str, object] | Iterable[tuple[str, object]]
"""A file or folder, a dict id -> tree, or an iterable of (id, tree)."""


def prepare(
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Bound:
    """Return a checked plan from a schema in any form, metric names and settings."""
    known: Schema | None = None
    if schema is not None:
        from docassay.schema import load_schema

        known = load_schema(schema)
    return bind(make_plan(schema=known, metrics=metrics, settings=settings))


def open_source(
    data: Data, *, format: str | None, schema: Schema | None, id_key: str | None  # noqa: A002
) -> Source:
    """Return the records of a path or of trees in memory, split as the schema says."""
    options: dict[str, object] = {} if id_key is None else {"id_key": id_key}
    whole = () if schema is None else tuple(one.path for one in schema.fields if not one.split)
    return open_records(data, format=format, options=options, hints={"whole": whole})
