"""Schemas that data bring along: beside documents, or as the class that instances are of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docassay.errors import ConfigurationError, DocassayError, SchemaError
from docassay.load.format import Record, schema_beside, schema_name_of
from docassay.load.python import Handed, HandedPair, sample
from docassay.model.problem import Problem
from docassay.model.schema import Schema
from docassay.run.plan import Plan
from docassay.schema.source import SchemaSet, declared_schema, join_schemas, load_schema, refine


def schemas_beside(records: Iterable[Record | Problem], plan: Plan, path: Path | None) -> SchemaSet:
    """Return the schemas of a plan and those that stand beside documents, which lie at a path."""
    schemas: dict[str, Schema] = {**plan.schemas}
    if plan.schema is not None and not schemas:
        schemas[""] = plan.schema
    for record in records:
        given = schema_beside(record)
        if given is not None and schema_name_of(given) not in schemas:
            assert isinstance(record, Record)
            schemas[schema_name_of(given)] = _load_beside(given, record, path)
    return SchemaSet(join_schemas(schemas), schemas)


def _load_beside(given: object, record: Record, path: Path | None) -> Schema:
    places = [Path(record.where.rpartition(":")[0] or record.where).parent]
    if path is not None:
        places.append(path if path.is_dir() else path.parent)
    files = [place / given for place in places] if isinstance(given, str) else []
    beside = next((file for file in files if file.is_file()), given)
    try:
        return load_schema(beside)
    except DocassayError as error:
        what = f"the schema of document {record.id!r}: {error.what}"
        raise ConfigurationError(what, where=error.where, hint=error.hint) from error


def declared_by(handed: HandedPair, side: str, notes: list[str]) -> Schema | None:
    """Return the schema that the class of gold's or pred's instances declares, None without one.

    A text may hold anything: what the class calls one is guessed from the values of a side.
    """
    data = handed.gold if side == "gold" else handed.pred
    if handed.declared is None or not isinstance(data, Handed):
        return None
    name = handed.declared.__name__
    try:
        declared = declared_schema(handed.declared, by_alias=handed.by_alias)
    except SchemaError as error:
        notes.append(f"the types that {name} declares are not used: {error.what}")
        return None
    notes.append(f"types are those that {name} declares; of its texts they are guessed from {side}")
    return refine(declared, sample(data))
