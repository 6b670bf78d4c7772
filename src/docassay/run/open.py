"""The one way into a run: from what a user gives to a checked plan and pairs of documents.

`open_run` is used by every verb and by Python alike, so that the same paths and options give the
same documents everywhere. What a format brings (a schema beside the data, a split that a file is
named after) comes in through the hooks of its `Format`; no format is known here by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from docassay.errors import ConfigurationError, DocassayError, SchemaError, UnknownName
from docassay.load.beside import LABELLED, Bookkeeping, field_trees, look_ahead, root_names
from docassay.load.files import hold, is_stream, sampling, stem
from docassay.load.format import (
    FORMATS,
    Format,
    Record,
    described_records,
    schema_beside,
    schema_name_of,
    undescribed_records,
)
from docassay.load.pairing import PROTOCOLS, Paired, Pairing, names_in, pair
from docassay.load.source import Ahead, Source, guess, open_records
from docassay.matching.case import Case, make_case
from docassay.model.problem import Problem
from docassay.model.schema import EMPTY, EXTRAS, Schema
from docassay.run.guessing import (
    MOST_GUESSED,
    TYPES,
    chosen_records,
    first_items,
    with_guessed_types,
)
from docassay.run.plan import Bound, Plan, bind, make_plan

if TYPE_CHECKING:
    from docassay.load.python import HandedPair
    from docassay.load.renames import Renames
    from docassay.schema.source import SchemaSet

NEAREST = 5

Data = object
"""A file or folder, or documents in memory: `{id: tree}`, trees or `(id, tree)` in a list, a data
frame, an Arrow table, a data set, or one tree; a tree may be a Pydantic or other instance."""


class ReadingArgs(TypedDict, total=False):
    """Options that every call with gold and pred takes."""

    schema: object
    gold_format: str | None
    pred_format: str | None
    types: str
    id_key: str | None
    gold_id: str | None
    pred_id: str | None
    id_pattern: str | None
    gold_root: str | None
    pred_root: str | None
    map: Mapping[str, str] | str | Path | None
    ignore: Sequence[str] | None
    extra: str | None


class StudyArgs(ReadingArgs, total=False):
    """Options of studies that score."""

    metrics: Sequence[str] | None
    settings: Mapping[str, object] | None
    seed: int


class RunArgs(StudyArgs, total=False):
    """Options of a run that is reported and kept: every field of `Options`."""

    by: str | None
    strict: bool
    out: str | Path | None
    verdicts: str | None
    keep_inputs: bool
    resume: bool
    checklist: bool
    charts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that may be said about a run besides its gold and pred."""

    schema: object = None
    """In any form that `load_schema` takes; None: the one that gold brings, else by `types`."""
    gold_format: str | None = None
    pred_format: str | None = None
    """Names of formats; None: guessed from the content."""
    types: str = "auto"
    """Without a schema: `auto` guesses types from gold, `text` compares values as text."""
    id_key: str | None = None
    """The key that holds a document's id, on both sides."""
    gold_id: str | None = None
    pred_id: str | None = None
    """The key of an id on one side, as a dotted path."""
    id_pattern: str | None = None
    """A regular expression whose first group is the id that documents are paired by."""
    gold_root: str | None = None
    pred_root: str | None = None
    """Where the record stands in what a file holds, as a dotted path."""
    map: Mapping[str, str] | str | Path | None = None
    """Names of fields and groups in pred -> their names in gold, or a YAML file of such."""
    ignore: Sequence[str] | None = None
    """Fields that are left out on both sides; `*` stands for any characters."""
    extra: str | None = None
    """What becomes of fields that the schema does not name: `ignore` or `count`."""
    metrics: Sequence[str] | None = None
    settings: Mapping[str, object] | None = None
    """Options of metrics and formats, as `name.option`."""
    seed: int = 0
    by: str | None = None
    """A tag, or `type`: its values are scored apart as well."""
    strict: bool = False
    """Whether the first problem in the data stops the run."""
    out: str | Path | None = None
    """The folder that keeps the run."""
    verdicts: str | None = None
    keep_inputs: bool = False
    """Whether gold and pred are copied into the folder."""
    resume: bool = False
    checklist: bool = False
    charts: bool = False


class Planned(NamedTuple):
    """A checked plan, the formats of both sides as far as they are known, and notes on it."""

    bound: Bound
    gold: _Input
    pred: _Input
    notes: tuple[str, ...]


class Prepared(NamedTuple):
    """A run that is ready: its plan, its sources, and their pairs, which are read once."""

    options: Options
    bound: Bound
    gold: Source
    pred: Source
    pairing: Pairing
    renames: Renames | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be said about the run; whole once all pairs are read."""
        unused = () if self.renames is None else self.renames.notes
        return (*self.pairing.notes, *unused)


class SidePlace(NamedTuple):
    """Where the objects of a side keep the id and the record, as dotted paths."""

    id: str | None = None
    root: str | None = None


class _Input(NamedTuple):
    """One side of a run: what was given, and its format when it is a path that can be read."""

    data: Data
    format: Format | None
    guessed: bool

    @property
    def path(self) -> Path | None:
        return Path(self.data) if isinstance(self.data, str | Path) else None

    @property
    def keeps_text(self) -> bool:
        """Whether values of this side count as text unless a schema is given."""
        path = self.path
        return path is not None and (self.format is None or self.format.keeps_text(path))


def open_run(
    gold: Data,
    pred: Data,
    options: Options = Options(),  # noqa: B008
    *,
    plan: Plan | None = None,
) -> Prepared:
    """Check everything that the options name, open both sides and pair them.

    `plan` is that of an earlier run, to be followed instead of making one from the options.
    """
    handed = _handed(gold, pred, options.schema)
    if handed is not None:  # looked at once, because an iterator can be read once
        gold, pred = handed.gold, handed.pred
    planned = plan_run(gold, pred, options) if plan is None else _again(gold, pred, options, plan)
    bound, notes = planned.bound, planned.notes
    gold_source = _open_gold(planned, options)
    pred_source = _open(planned.pred, bound.plan, _pred_place(options), schema=options.schema)
    _check_formats(bound, (gold_source, pred_source))
    gold_source, pred_source, enveloped = _unwrapped(gold_source, pred_source, bound.plan, options)
    guessing = bound.plan.schema is None and options.types == "auto"
    guessing = guessing and not planned.gold.keeps_text
    most = MOST_GUESSED if guessing else 1
    sample, gold_source = _sampled(planned, gold_source, options, most=most, again=not enveloped)
    described = any(schema_beside(record) is not None for record in sample)
    if described:
        own, gold_source = _own_schemas(planned, gold_source, options)
        if plan is None:
            bound = plan_run(gold, pred, options, own=own).bound
        notes = (*notes, f"the schemas of documents stand beside them: {len(own.schemas):,}")
        pred_source = replace(pred_source, records=undescribed_records(pred_source.records))
    elif guessing:
        bound, remarks = with_guessed_types(bound, field_trees(iter(sample)))
        notes = (*notes, *remarks)
    gold_source, pred_source, renames = _taken_apart(gold_source, pred_source, bound.plan, options)
    schema = None if bound.plan.guessed else bound.plan.schema
    pairing = pair(gold_source, pred_source, schema=schema, id_pattern=options.id_pattern)
    pairing.notes += notes
    return Prepared(options, bound, gold_source, pred_source, pairing, renames)


def _pred_place(options: Options) -> SidePlace:
    return SidePlace(options.pred_id or options.id_key, options.pred_root)


def _open_gold(planned: Planned, options: Options) -> Source:
    """Open gold; it is opened again, in the same way, to look at a part of it."""
    place = SidePlace(options.gold_id or options.id_key, options.gold_root)
    return _open(planned.gold, planned.bound.plan, place, schema=options.schema)


class _Taken(NamedTuple):
    gold: Source
    pred: Source
    renames: Renames | None


def _taken_apart(gold: Source, pred: Source, plan: Plan, options: Options) -> _Taken:
    """Return the sources with pred's fields renamed and what is no value kept beside the trees."""
    renames = None
    names = _renamings(options)
    if names:
        from docassay.load.renames import Renames

        golds = look_ahead(gold.records)
        gold = replace(gold, records=golds.records)
        renames = Renames(names, golds.names)
        pred = replace(pred, records=renames(pred.records))
    # a guessed schema has the name only because gold has such lists
    given = None if plan.guessed else plan.schema
    labels = given is not None and LABELLED in root_names(given)
    bookkeeping = Bookkeeping(plan.schema, labelled_is_field=labels)
    gold = replace(gold, records=bookkeeping.golds(gold.records))
    return _Taken(gold, replace(pred, records=bookkeeping.preds(pred.records)), renames)


def _renamings(options: Options) -> Mapping[str, str]:
    """Return the names that fields of pred get, by the names they have."""
    if options.map is None or isinstance(options.map, Mapping):
        return options.map or {}
    if not isinstance(options.map, str | Path):
        raise ConfigurationError(
            f"map is a {type(options.map).__name__}",
            hint='give a dict {"name in pred": "name in gold"}, or a YAML file',
        )
    from docassay.load.renames import read_renames

    return read_renames(Path(options.map))


class _Unwrapped(NamedTuple):
    gold: Source
    pred: Source
    gold_opened: bool


def _unwrapped(gold: Source, pred: Source, plan: Plan, options: Options) -> _Unwrapped:
    """Return the sources without envelopes that only one side has."""
    golds, preds = Ahead(gold.records), Ahead(pred.records)
    gold, pred = replace(gold, records=golds), replace(pred, records=preds)
    if gold.format in PROTOCOLS or not _first_keys(golds).isdisjoint(_first_keys(preds)):
        return _Unwrapped(gold, pred, gold_opened=False)
    from docassay.load.envelopes import Closed, open_envelopes

    names = {*names_in(plan.schema), *_renamings(options)}
    closed = Closed(gold=options.gold_root is not None, pred=options.pred_root is not None)
    opened_gold, opened_pred = open_envelopes(gold, pred, names, closed)
    return _Unwrapped(opened_gold, opened_pred, gold_opened=opened_gold != gold)


def _first_keys(records: Ahead[Record | Problem]) -> frozenset[object]:
    trees = (item.tree for item in records.peek(1) if isinstance(item, Record))
    return frozenset(key for tree in trees if isinstance(tree, dict) for key in tree)


def _sampled(
    planned: Planned, source: Source, options: Options, *, most: int, again: bool
) -> tuple[list[Record], Source]:
    """Return some documents of gold, and the source with all its records.

    What can be read again is sampled as a whole; of a stream the first documents are held.
    """
    if most > 1 and again and _can_be_read_again(planned.gold):
        with sampling(most):
            return chosen_records(_open_gold(planned, options).records, most), source
    held, records = first_items(source.records, most)
    return chosen_records(held, most), replace(source, records=records)


def _can_be_read_again(side: _Input) -> bool:
    if side.path is not None:
        return not is_stream(side.path)
    from docassay.load.python import Handed

    return isinstance(side.data, Handed) and side.data.again


def _own_schemas(planned: Planned, source: Source, options: Options) -> tuple[SchemaSet, Source]:
    """Return the schemas that stand beside gold's documents, and gold with their names.

    All of gold is read for it, because the plan of a run holds every schema.
    """
    from docassay.schema.source import SchemaSet, join_schemas

    plan = planned.bound.plan
    if _can_be_read_again(planned.gold):
        records = _open_gold(planned, options).records
    else:
        held = [*source.records]
        records, source = iter(held), replace(source, records=iter(held))
    schemas: dict[str, Schema] = {**plan.schemas}
    if plan.schema is not None and not schemas:
        schemas[""] = plan.schema
    for record in records:
        given = schema_beside(record)
        if given is not None and schema_name_of(given) not in schemas:
            assert isinstance(record, Record)
            schemas[schema_name_of(given)] = _load_beside(given, record, planned.gold)
    named = replace(source, records=described_records(source.records))
    return SchemaSet(join_schemas(schemas), schemas), named


def _load_beside(given: object, record: Record, side: _Input) -> Schema:
    from docassay.schema.source import load_schema

    places = [Path(record.where.rpartition(":")[0] or record.where).parent]
    if side.path is not None:
        places.append(side.path if side.path.is_dir() else side.path.parent)
    files = [place / given for place in places] if isinstance(given, str) else []
    beside = next((file for file in files if file.is_file()), given)
    try:
        return load_schema(beside)
    except DocassayError as error:
        what = f"the schema of document {record.id!r}: {error.what}"
        raise ConfigurationError(what, where=error.where, hint=error.hint) from error


def plan_run(gold: Data, pred: Data, options: Options, *, own: SchemaSet | None = None) -> Planned:
    """Return the checked plan of a run, with what gold's format brings to it.

    `own` are the schemas that stand beside documents.
    """
    if options.types not in TYPES:
        raise UnknownName("way to compare without a schema", options.types, TYPES)
    handed = _handed(gold, pred, options.schema)
    if handed is not None:
        gold, pred = handed.gold, handed.pred
    gold_side = _input(gold, options.gold_format)
    pred_side = _input(pred, options.pred_format)
    schema, settings = options.schema, dict(options.settings or EMPTY)
    notes: list[str] = []
    entry, gold_path, pred_path = gold_side.format, gold_side.path, pred_side.path
    if entry is not None and gold_path is not None:
        if schema is None and entry.schema is not None:
            brought = entry.schema(gold_path)
            if brought is not None:
                schema = brought.schema
                notes += brought.notes
        if entry.settings is not None and pred_path is not None:
            implied = entry.settings(gold_path, pred_path)
            if settings.keys().isdisjoint(implied.settings):
                settings.update(implied.settings)
                notes += implied.notes
    if handed is not None and schema is None and options.types == "auto":
        schema = _declared(handed, notes)
    bound = prepare(
        schema=schema if own is None else own,
        metrics=options.metrics,
        settings=settings,
        ignore=options.ignore,
        extra=options.extra,
    )
    return Planned(bound, gold_side, pred_side, tuple(notes))


def _again(gold: Data, pred: Data, options: Options, plan: Plan) -> Planned:
    gold_side, pred_side = _input(gold, options.gold_format), _input(pred, options.pred_format)
    return Planned(bind(plan), gold_side, pred_side, ())


def _handed(gold: Data, pred: Data, schema: object) -> HandedPair | None:
    """Return both sides as they are meant where one of them is in memory, None for two paths."""
    if all(isinstance(data, str | Path) for data in (gold, pred)):
        return None
    from docassay.load.python import hand_over
    from docassay.schema.source import load_schemas, names_of

    return hand_over(gold, pred, () if schema is None else names_of(load_schemas(schema).joined))


def _declared(handed: HandedPair, notes: list[str]) -> Schema | None:
    """Return the schema that the class of gold's or pred's instances declares, None without one.

    A text may hold anything: what the class calls one is guessed from gold's values.
    """
    from docassay.load.python import Handed, sample
    from docassay.schema.source import declared_schema, refine

    if handed.declared is None or not isinstance(handed.gold, Handed):
        return None

    name = handed.declared.__name__
    try:
        declared = declared_schema(handed.declared, by_alias=handed.by_alias)
    except SchemaError as error:
        notes.append(f"the types that {name} declares are not used: {error.what}")
        return None
    notes.append(f"types are those that {name} declares; of its texts they are guessed from gold")
    return refine(declared, sample(handed.gold))


def prepare(
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    ignore: Sequence[str] | None = None,
    extra: str | None = None,
) -> Bound:
    """Return a checked plan from a schema in any form, metric names and settings.

    `ignore` names fields to leave out; `extra` goes before what the schema says of other fields.
    """
    if extra is not None and extra not in EXTRAS:
        raise UnknownName("value of extra", extra, EXTRAS)
    names = _named(ignore)
    if schema is None:
        return bind(make_plan(metrics=metrics, settings=settings, ignore=names))
    from docassay.schema.source import SchemaSet, load_schemas

    joined, schemas = schema if isinstance(schema, SchemaSet) else load_schemas(schema)
    if extra is not None:
        joined = replace(joined, extra=extra)
        schemas = {name: replace(each, extra=extra) for name, each in schemas.items()}
    plan = make_plan(
        schema=joined, schemas=schemas, metrics=metrics, settings=settings, ignore=names
    )
    return bind(plan)


def _named(ignore: Sequence[str] | None) -> Sequence[str]:
    """Return the names to ignore; a lone text is refused, for its letters are no names."""
    if isinstance(ignore, str):
        raise ConfigurationError("ignore is a text", hint=f"give a list: [{ignore!r}]")
    if any(not name.strip() for name in ignore or ()):
        raise ConfigurationError("ignore has an empty name", hint="use * for any characters")
    return ignore or ()


def open_source(
    data: Data,
    *,
    format: str | None = None,
    plan: Plan | None = None,
    id_key: str | None = None,
    root: str | None = None,
) -> Source:
    """Return the records of a path or of trees in memory, read as the plan says."""
    return _open(_input(data, format), plan, SidePlace(id_key, root))


def _input(data: Data, format: str | None) -> _Input:
    if not isinstance(data, str | Path):
        return _Input(data, None, guessed=False)
    if format is not None:
        return _Input(data, FORMATS.get(format), guessed=False)
    try:
        return _Input(data, FORMATS.get(guess(hold(Path(data)))), guessed=True)
    except DocassayError:
        # opening it says so, once the rest of the configuration is checked
        return _Input(data, None, guessed=True)


def _open(side: _Input, plan: Plan | None, place: SidePlace, *, schema: object = None) -> Source:
    given = {"id_key": place.id, "root": place.root}
    options: dict[str, object] = {name: path for name, path in given.items() if path is not None}
    if side.format is None:
        return open_records(side.data, options=options)
    entry = side.format
    own: dict[str, object] = {}
    if plan is not None and plan.schema is not None and entry.implied is not None:
        own.update(entry.implied(plan.schema, schema))
    for call in () if plan is None else plan.formats:
        if call.name == entry.name:
            own.update(call.options)
    source = open_records(side.data, format=entry.name, options={**own, **options})
    return replace(source, guessed=side.guessed)


def _check_formats(bound: Bound, sources: Sequence[Source]) -> None:
    """Refuse settings of a format that none of the sources has."""
    used = {source.format for source in sources}
    for call in bound.plan.formats:
        if call.name not in used:
            raise ConfigurationError(
                f"setting {call.name}.{next(iter(call.options))} is for the format {call.name}",
                hint=f"the files are read as {' and '.join(sorted(used))}",
            )


class FoundDocument(NamedTuple):
    """A document with its places, what is wrong with it, and how the sources were read."""

    case: Case
    gold_where: str | None
    pred_where: str | None
    """None when there is no prediction."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def find_document(
    gold: Data,
    pred: Data,
    id: str,
    *,
    settings: Mapping[str, object] | None = None,
    **options: Unpack[ReadingArgs],
) -> FoundDocument:
    """Return the case of an id, or of a file name's stem; an unknown one names the nearest."""
    return find_in(open_run(gold, pred, Options(**options, settings=settings)), id)


def find_in(prepared: Prepared, id: str) -> FoundDocument:
    """Return the case of an id in a run that is ready, or of a file name's stem."""
    pairing = prepared.pairing
    match: Paired | None = None
    ids = []
    for paired in pairing:
        ids.append(paired.id)
        # an equal id goes before an equal stem, whichever comes first
        if paired.id == id or (match is None and stem(paired.id) == stem(id)):
            match = paired
    if match is None:
        raise _unknown(id, ids, pairing, prepared.gold.name)
    gold_record, pred_record = match.gold, match.pred
    case = make_case(match.id, *match.trees, prepared.bound.layouts)
    case.tally()  # which may find that a document is too large to be matched as a whole
    own = (problem for problem in pairing.problems if problem.document == match.id)
    return FoundDocument(
        case,
        None if gold_record is None else gold_record.where,
        None if pred_record is None else pred_record.where,
        (*own, *case.problems),
        prepared.notes,
    )


def _unknown(wanted: str, ids: Sequence[str], pairing: Pairing, where: str) -> ConfigurationError:
    for problem in pairing.problems:
        if problem.document == wanted:
            return ConfigurationError(f"document {wanted!r} {problem.message}", where=problem.where)
    return unknown_document(wanted, ids, where)


def unknown_document(wanted: str, ids: Sequence[str], where: str) -> ConfigurationError:
    """Return the error of an id that no document has, with the nearest that some have."""
    from rapidfuzz import fuzz, process

    near = [name for name, *_ in process.extract(wanted, ids, scorer=fuzz.ratio, limit=NEAREST)]
    hint = f"the nearest of {len(ids):,}: {', '.join(near)}" if near else "gold has no documents"
    return ConfigurationError(f"there is no document {wanted!r}", where=where, hint=hint)
