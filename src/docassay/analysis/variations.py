"""Other reasonable settings: ways in which a plan might as well have been made, one change each.

They are found, not listed by metric: attributes of the schema with a few possible values, options
of comparators that forgive a difference, yes-or-no options of metrics, and the values that a metric
itself calls alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from docassay.metrics.metric import METRICS
from docassay.model.schema import DATE_ORDERS, EXTRAS, MATCHES, MISSING, Field, GroupSpec, Schema
from docassay.run.guessing import with_guessed_types
from docassay.run.plan import Call, Plan, bind
from docassay.schema.listing import Listing
from docassay.values.comparator import COMPARATORS
from docassay.values.field import TOLERANCES
from docassay.values.reader import field_type

TYPES, TOLERANCE, ABSENT = "types", "tolerance", "absent values"
ROWS, LISTS, DATES, OPTION = "rows", "lists", "dates", "option"
RELATIVE = "relative"
SHARES = (0.001, 0.01)
"""Of a number by which another may differ and be equal."""
ALIKE = (0.9, 0.8)
"""Similarities from which texts are equal."""
FLOORS = (0.0, 0.5)
"""Similarities below which a text earns nothing."""
PLACEHOLDERS = ("n/a", "na", "nil", "none", "null", "unknown", "-", "–", "—")
"""What people and models write for "no value"."""
_MATCH_WORDS = {"best": "by best match", "order": "in order", "set": "as a set"}
_MISSING_WORDS = {
    "absent": "what gold lacks is not in the document",
    "unlabelled": "what gold lacks is not labelled",
}
_EXTRA_WORDS = {
    "ignore": "fields not in the schema left out",
    "count": "fields not in the schema count",
}

SchemaChange = Callable[[Schema], Schema]
PlanChange = Callable[[Plan], Plan]
Trees = Callable[[], Iterable[object]]


class Variation(NamedTuple):
    """A change to a plan, with the kind of thing it changes and what it comes to, in words."""

    kind: str
    label: str
    change: PlanChange
    """Gives back an equal plan where there is nothing to change."""


def variations(metric: str, golds: Trees) -> Iterator[Variation]:
    """Yield every change that may matter to the scores of a metric.

    `golds` gives trees of gold, for types that are guessed from them.
    """
    for name, label in (("exact", "all values as exact text"), ("text", "all values as text")):
        yield Variation(TYPES, label, _on_schemas(_retyping(_typed(name))))
    yield Variation(TYPES, "guessed from gold", lambda plan: _guessed(plan, golds()))
    for kind, label, change in _schema_changes():
        yield Variation(kind, label, _on_schemas(change))
    yield from _option_changes(metric)


def _on_schemas(change: SchemaChange) -> PlanChange:
    """Return the change of a plan that changes every schema in it."""

    def changed(plan: Plan) -> Plan:
        if plan.schema is None:
            return plan
        schemas = {name: change(schema) for name, schema in plan.schemas.items()}
        return replace(plan, schema=change(plan.schema), schemas=schemas)

    return changed


def _schema_changes() -> Iterator[tuple[str, str, SchemaChange]]:
    for share in SHARES:
        yield TOLERANCE, f"numbers within {share * 100:g} %", _fields_changed(_within(share))
    for least in ALIKE:
        yield TOLERANCE, f"texts alike by {least:g}", _fields_changed(_accepting(least))
    yield TOLERANCE, "none", _fields_changed(_strict)
    for floor in FLOORS:
        yield TOLERANCE, f"no credit below {floor:g}", _fields_changed(_floored(floor))
    yield ABSENT, "n/a, none, - and the like are absent", _placeholders
    yield ABSENT, "only empty values are absent", lambda schema: replace(schema, absent=())
    for missing in MISSING:
        yield ABSENT, _MISSING_WORDS[missing], _attribute("missing", missing)
    for extra in EXTRAS:
        yield ABSENT, _EXTRA_WORDS[extra], _attribute("extra", extra)
    for match in MATCHES:
        yield ROWS, _MATCH_WORDS[match], _groups_changed(match)
    for match in MATCHES:
        yield LISTS, _MATCH_WORDS[match], _fields_changed(_matched(match))
    for order in DATE_ORDERS:
        yield DATES, order, _attribute("dates", order)


def _attribute(name: str, value: str) -> SchemaChange:
    return lambda schema: replace(schema, **{name: value})  # type: ignore[arg-type]


def _placeholders(schema: Schema) -> Schema:
    return replace(schema, absent=tuple(dict.fromkeys((*schema.absent, *PLACEHOLDERS))))


FieldChange = Callable[[Field], Field]


def _fields_changed(change: FieldChange) -> SchemaChange:
    """Return the change of a schema that changes every field, in groups as well."""

    def changed(group: GroupSpec) -> GroupSpec:
        return replace(
            group,
            fields=tuple(map(change, group.fields)),
            groups=tuple(map(changed, group.groups)),
        )

    return lambda schema: replace(
        schema,
        fields=tuple(map(change, schema.fields)),
        groups=tuple(map(changed, schema.groups)),
    )


def _retyping(change: FieldChange) -> SchemaChange:
    """Return the change of a schema that changes types; rules were written for the others."""
    changed = _fields_changed(change)

    def retyped(schema: Schema) -> Schema:
        other = changed(schema)
        return schema if other == schema else replace(other, rules=())

    return retyped


def _groups_changed(match: str) -> SchemaChange:
    """Return the change of a schema that pairs rows of all groups in one way."""

    def changed(group: GroupSpec) -> GroupSpec:
        inner = tuple(map(changed, group.groups))
        if group.section:
            return replace(group, groups=inner)
        return replace(group, match=match, key=None, groups=inner)

    return lambda schema: replace(schema, groups=tuple(map(changed, schema.groups)))


def _typed(name: str) -> FieldChange:
    def changed(field: Field) -> Field:
        # options and a comparator belong to the type that the field had
        return field if field.type == name else _retyped(field, Field(field.path, name))

    return changed


def _retyped(field: Field, other: Field) -> Field:
    return replace(field, type=other.type, options=other.options, compare=other.compare, accept=1.0)


def _comparator(field: Field) -> str:
    return field.compare or field_type(field.type).comparator


def _within(share: float) -> FieldChange:
    def changed(field: Field) -> Field:
        if RELATIVE not in COMPARATORS.get(_comparator(field)).options:
            return field
        return replace(field, options={**field.options, RELATIVE: share})

    return changed


def _accepting(least: float) -> FieldChange:
    def changed(field: Field) -> Field:
        binary = COMPARATORS.get(_comparator(field)).binary
        return field if binary else replace(field, accept=least)

    return changed


def _floored(floor: float) -> FieldChange:
    def changed(field: Field) -> Field:
        binary = COMPARATORS.get(_comparator(field)).binary
        return field if binary else replace(field, floor=floor)

    return changed


def _strict(field: Field) -> Field:
    options = {name: value for name, value in field.options.items() if name not in TOLERANCES}
    same = len(options) == len(field.options) and field.accept >= 1.0
    return field if same else replace(field, options=options, accept=1.0)


def _matched(match: str) -> FieldChange:
    return lambda field: replace(field, match=match)


def _guessed(plan: Plan, golds: Iterable[object]) -> Plan:
    """Return a plan whose types are those that gold's values suggest, all else as it was."""
    if plan.guessed or plan.schemas:
        return plan
    text = bind(replace(plan, schema=None))
    guess = with_guessed_types(text, golds).bound.plan
    if plan.schema is None or guess.schema is None:
        return guess
    types = Listing(guess.schema, None).fields

    def changed(field: Field) -> Field:
        other = types.get(field.path)
        return field if other is None or other.type == field.type else _retyped(field, other)

    return replace(plan, schema=_retyping(changed)(plan.schema))


def _option_changes(metric: str) -> Iterator[Variation]:
    """Yield other values of a metric's options: the other truth, and declared alternatives."""
    entry = METRICS.get(metric)
    for option, default in entry.options.items():
        values: tuple[object, ...] = tuple(entry.alternatives.get(option, ()))
        if isinstance(default, bool):
            values = (True, False)
        elif values:
            values = tuple(dict.fromkeys((default, *values)))
        for value in values:
            words = str(value).lower() if isinstance(value, bool) else str(value)
            yield Variation(
                OPTION, f"{metric}.{option}={words}", _with_option(metric, option, value)
            )


def _with_option(metric: str, option: str, value: object) -> PlanChange:
    display = option in METRICS.get(metric).display_options

    def put(calls: tuple[Call, ...]) -> tuple[Call, ...]:
        options = {call.name: dict(call.options) for call in calls}
        options.setdefault(metric, {})[option] = value
        return tuple(Call(name, own) for name, own in options.items())

    def changed(plan: Plan) -> Plan:
        if _option_of(plan, metric, option) == value:
            return plan
        if display:
            return replace(plan, display=put(plan.display))
        return replace(plan, metrics=put(plan.metrics))

    return changed


def _option_of(plan: Plan, metric: str, option: str) -> object:
    """Return the value of an option that is in force."""
    for bound in bind(plan).metrics:
        if bound.name == metric:
            options: Mapping[str, object] = bound.options
            return options[option]
    return None
