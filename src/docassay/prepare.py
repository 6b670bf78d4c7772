"""Before a run: checked plans from what a user gives, and sources of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docassay.errors import DataError
from docassay.load.source import Source, open_records
from docassay.model.schema import Schema
from docassay.model.vrdu import FUNCTIONS_KEY
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


def schema_of(schema: object, gold: Data, *, format: str | None = None) -> tuple[object, list[str]]:
    """Return the schema as given, else the one that gold brings along, and what to say about it."""
    if schema is not None or format not in (None, "vrdu") or not isinstance(gold, str | Path):
        return schema, []
    from docassay.load.vrdu import meta_file, read_meta

    found = meta_file(Path(gold))
    if found is None:
        return None, []
    from docassay.schema import load_schema
    from docassay.schema.vrdu_meta import explain_meta, known_functions

    try:
        meta = read_meta(found)
    except DataError:
        return None, []  # where gold is of VRDU, reading it says so
    if FUNCTIONS_KEY not in meta:
        return None, []
    functions, told = known_functions(meta)
    # the file itself where it can be taken as it is, so that mistakes have their lines
    known = load_schema({**meta, FUNCTIONS_KEY: functions} if told else found)
    return known, [*told, explain_meta(known, functions)]


def with_split(
    settings: Mapping[str, object] | None, gold: Data, pred: Data
) -> tuple[dict[str, object], list[str]]:
    """Return the settings, with the split that a file of VRDU predictions is named after."""
    given = dict(settings or {})
    if "vrdu.split" in given or not all(isinstance(one, str | Path) for one in (gold, pred)):
        return given, []
    from docassay.load.vrdu import PREDICTIONS, SPLITS

    folder, file = Path(str(gold)), Path(str(pred)).name
    split = file.removesuffix(PREDICTIONS)
    if split == file or not (folder / SPLITS / f"{split}.json").is_file():
        return given, []
    said = f"scored are the test documents of split {split}, which the predictions are named after"
    return {**given, "vrdu.split": split}, [said]


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
        ways = {one.path: one.grouping for one in plan.schema.groups if one.grouping is not None}
        by_format["vrdu"] = {"groups": _components(plan.schema), "groupings": ways}
    for call in () if plan is None else plan.formats:
        by_format[call.name] = {**by_format.get(call.name, {}), **call.options}
    return open_records(data, format=format, options=options, by_format=by_format)


def _components(schema: Schema) -> dict[str, str]:
    """Return the group of every field of one, by the last part of its path."""
    return {
        field.path.removeprefix(f"{group.path}."): group.path
        for group in schema.groups
        if not group.section
        for field in group.fields
    }
