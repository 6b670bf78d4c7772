"""Before a run: checked plans from what a user gives, and sources of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docassay.load.source import Source, open_records
from docassay.model.schema import Schema
from docassay.plan import Bound, Plan, bind, make_plan

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
    data: Data,
    *,
    format: str | None = None,
    plan: Plan | None = None,
    id_key: str | None = None,
) -> Source:
    """Return the records of a path or of trees in memory, read as the plan says."""
    options: dict[str, object] = {} if id_key is None else {"id_key": id_key}
    by_format: dict[str, Mapping[str, object]] = {}
    if plan is not None and plan.schema is not None:
        whole = tuple(one.path for one in plan.schema.fields if not one.split)
        by_format["csv"] = {"whole": whole}
    for call in () if plan is None else plan.formats:
        by_format[call.name] = {**by_format.get(call.name, {}), **call.options}
    return open_records(data, format=format, options=options, by_format=by_format)
