"""A schema as a table, and a schema inferred from a file of examples with what to say about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from docassay.model.document import Problem
from docassay.model.schema import Schema
from docassay.prepare import open_source
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.report.words import count
from docassay.schema import describe, infer_with_notes, to_yaml


class InferredFile(NamedTuple):
    """A schema as commented YAML, and sentences on how the examples were read."""

    yaml: str
    notes: tuple[str, ...]


def infer_file(
    examples: str | Path, *, format: str | None = None, id_key: str | None = None
) -> InferredFile:
    """Return a schema of example documents in any format."""
    source = open_source(examples, format=format, id_key=id_key)
    problems: list[Problem] = []

    def trees() -> Iterator[object]:
        for item in source.records:
            if isinstance(item, Problem):
                problems.append(item)
            else:
                yield item.tree

    inferred = infer_with_notes(trees(), name=Path(examples).stem)
    notes = [f"{source.name} is read as {source.format}"] if source.guessed else []
    if problems:
        first = problems[0]
        said = f"{count(len(problems), 'problem')}, first: {first.where or source.name}"
        notes.append(f"{said}: {first.message}")
    return InferredFile(to_yaml(inferred.schema, notes=inferred.notes), tuple(notes))


def render(schema: Schema, *, screen: Screen = PLAIN) -> str:
    """Return a schema as a table."""
    return draw([*_parts(schema)], screen)


def _parts(schema: Schema) -> Iterator[RenderableType]:
    rows = describe(schema)
    yield words(schema.name or "(no name)", "bold")
    facts = [f"dates {schema.dates}"]
    if schema.currency is not None:
        facts.append(f"currency {schema.currency}")
    if schema.absent:
        facts.append(f"absent {', '.join(schema.absent)}")
    yield words("; ".join(facts), "dim")
    for type_ in schema.types:
        counted = f": {', '.join(type_.fields)}" if type_.fields else ""
        unscored = f" (not scored: {', '.join(type_.unscored)})" if type_.unscored else ""
        yield words(f"type {type_.name}{counted}{unscored}", "dim")
    for rule in schema.rules:
        yield words(f"rule {rule.title}", "dim")
    yield Text()
    table = grid("field", "type", "options", "weight", "match")
    for column in table.columns:
        column.justify = "left"
        column.no_wrap = False
    for row in rows:
        weight = "" if row.weight is None else f"{row.weight:g}"
        style = "bold" if row.weight is None else ""
        table.add_row(
            words(row.path, style), words(row.type), words(row.options), weight, words(row.match)
        )
    yield table
