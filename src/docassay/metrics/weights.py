"""Weighted readouts: the same formula on counts that each field's weight has multiplied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from docassay.metrics.metric import Context, Readout
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.model.stats import Counts


def weights_of(schema: Schema | None) -> Mapping[str, float]:
    """Return the weights that a schema states, by field path; unstated ones are 1."""
    if schema is None:
        return {}
    return {
        field.path: field.weight
        for field in _fields(schema.fields, schema.groups)
        if field.weight != 1
    }


def _fields(fields: tuple[Field, ...], groups: tuple[GroupSpec, ...]) -> Iterator[Field]:
    yield from fields
    for group in groups:
        yield from _fields(group.fields, group.groups)


def weighted(
    name: str,
    fields: Mapping[str, Counts],
    formula: Callable[..., float | None],
    context: Context,
) -> Iterator[Readout]:
    """Yield `weighted_<name>`, if the schema weighs fields: the formula on weighted counts."""
    weights = weights_of(context.schema)
    if not weights:
        return
    columns = zip(
        *(
            [Fraction(weights.get(path, 1)) * count for count in counts]
            for path, counts in fields.items()
        ),
        strict=True,
    )
    sums = [sum(column, Fraction(0)) for column in columns]
    value = formula(*sums) if sums else None
    yield Readout(f"weighted_{name}", "", None if value is None else float(value), len(fields))
