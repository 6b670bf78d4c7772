"""The one way into a run: from what a user gives to a checked plan and pairs of documents.

`open_run` is used by every verb and by Python alike, so that the same paths and options give the
same documents everywhere. What a format brings (a schema beside the data, a split that a file is
named after) comes in through the hooks of its `Format`; no format is known here by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, DocassayError, UnknownName
from docassay.load.beside import LABELLED, Bookkeeping, field_trees, look_ahead, root_names
from docassay.load.files import (
    Feed,
    feeding,
    hold,
    is_small,
    is_stream,
    look_again,
    sampling,
)
from docassay.load.format import (
    FORMATS,
    Format,
    Record,
    described_records,
    schema_beside,
    undescribed_records,
)
from docassay.load.pairing import PROTOCOLS, Pairing, names_in, pair
from docassay.load.remote import as_path, is_remote, use_storage_options
from docassay.load.source import SUFFIXES, Ahead, Source, guess, open_records
from docassay.metrics.metric import ORIGINALS
from docassay.model.problem import Problem
from docassay.model.schema import EMPTY, EXTRAS, Schema
from docassay.run.guessing import (
    MOST_GUESSED,
    TYPES,
    chosen_records,
    first_items,
    with_guessed_types,
)
from docassay.run.ledger import LEDGER
from docassay.run.options import Data, Options, renamings, storage_given
from docassay.run.plan import Bound, Plan, bind, make_plan
from docassay.run.score import collector_paused

if TYPE_CHECKING:
    from docassay.load.patch import GoldPatch
    from docassay.load.python import HandedPair
    from docassay.load.renames import Renames
    from docassay.schema.source import SchemaSet


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


class Feeds(NamedTuple):
    """What hands in the documents of both sides."""

    gold: Feed
    pred: Feed


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
        return as_path(self.data) if isinstance(self.data, str | Path) else None

    @property
    def keeps_text(self) -> bool:
        """Whether values of this side count as text unless a schema is given."""
        path = self.path
        return path is not None and (self.format is None or self.format.keeps_text(path))


@collector_paused()
def open_run(
    gold: Data,
    pred: Data,
    options: Options = Options(),  # noqa: B008
    *,
    plan: Plan | None = None,
    feeds: Feeds | None = None,
) -> Prepared:
    """Check everything that the options name, open both sides and pair them.

    `plan` is that of an earlier run, to be followed instead of making one from the options.
    `feeds` hand in the texts of documents, so that the paths only name them.
    """
    use_storage_options(storage_given(options))
    look_again()
    patch = None if options.gold_patch is None else _gold_patch(options.gold_patch)
    options = replace(options, gold_patch=patch)  # read once, because a file may grow or be a pipe
    if gold is None:
        return _with_originals(_open_alone(pred, options, plan))
    handed = _handed(gold, pred, options.schema)
    if handed is not None:  # looked at once, because an iterator can be read once
        gold, pred = handed.gold, handed.pred
    planned = plan_run(gold, pred, options) if plan is None else _again(gold, pred, options, plan)
    bound, notes = planned.bound, planned.notes
    with feeding(feeds and feeds.gold):
        gold_source = _open_gold(planned, options)
    with feeding(feeds and feeds.pred):
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
    schema = _given_schema(bound.plan)
    pairing = pair(gold_source, pred_source, schema=schema, id_pattern=options.id_pattern)
    pairing.notes += notes
    if patch is not None:
        from docassay.load.patching import PatchUse

        pairing.patch = PatchUse(patch)
    prepared = Prepared(options, bound, gold_source, pred_source, pairing, renames)
    return _with_originals(prepared)


def more_records(prepared: Prepared, feeds: Feeds) -> Pairing:
    """Return a pairing of further documents, read by what those of a run have settled."""
    options, plan = prepared.options, prepared.bound.plan
    sides = (
        (prepared.gold, feeds.gold, _gold_place(options)),
        (prepared.pred, feeds.pred, _pred_place(options)),
    )
    sources = []
    for source, feed, place in sides:
        with feeding(feed):
            more = _open(_input(source.name, source.format), plan, place)
        for step in source.steps:
            more = more.then(step)
        sources.append(more)
    return pair(sources[0], sources[1], schema=_given_schema(plan))


def _with_originals(prepared: Prepared) -> Prepared:
    """Let pairs know where the text of their document is, if there is any use for it."""
    source = prepared.options.source
    if source is not None or prepared.bound.needs(ORIGINALS):
        from docassay.load.originals import Originals

        prepared.pairing.beside = Originals(source, prepared.options.id_pattern).of_all
    return prepared


def _open_alone(pred: Data, options: Options, plan: Plan | None) -> Prepared:
    """Open predictions that are measured without gold; types are guessed from themselves."""
    from docassay.load.alone import Alone, no_gold

    if options.types not in TYPES:
        raise UnknownName("way to compare without a schema", options.types, TYPES)
    handed = _handed((), pred, options.schema)
    if handed is not None:
        pred = handed.pred
    side = _input(pred, options.pred_format)
    notes: list[str] = []
    schema = options.schema
    if handed is not None and schema is None and plan is None and options.types == "auto":
        from docassay.run.brought import declared_by

        schema = declared_by(handed, "pred", notes)
    bound = _bound(options, schema, options.settings, gold=False) if plan is None else None
    bound = bind(plan) if bound is None and plan is not None else bound
    assert bound is not None
    source = _open(side, bound.plan, _pred_place(options), schema=options.schema)
    _check_formats(bound, (source,))
    if not bound.plan.guessed and options.pred_root is None:
        from docassay.load.envelopes import open_by_names

        names = {*names_in(bound.plan.schema), *renamings(options)}
        source = open_by_names(source, names if bound.plan.schema is not None else ())
    if bound.plan.schema is None and options.types == "auto" and not side.keeps_text:
        held, records = first_items(source.records, MOST_GUESSED)
        source = replace(source, records=records)
        sample = chosen_records(Bookkeeping(None).preds(iter(held)), MOST_GUESSED)
        bound, remarks = with_guessed_types(bound, [record.tree for record in sample])
        notes += remarks
    source = replace(source, records=undescribed_records(source.records))
    gold, source, renames = _taken_apart(no_gold(), source, bound.plan, options)
    pairing = Alone(gold, source, _given_schema(bound.plan), None)
    pairing.notes += notes
    return Prepared(options, bound, gold, source, pairing, renames)


def _given_schema(plan: Plan) -> Schema | None:
    """Return the schema that somebody gave: one that was guessed says nothing about reading."""
    return None if plan.guessed else plan.schema


def _gold_patch(given: object) -> GoldPatch:
    from docassay.load.patch import load_patch

    return load_patch(given)


def _pred_place(options: Options) -> SidePlace:
    return SidePlace(options.pred_id or options.id_key, options.pred_root)


def _open_gold(planned: Planned, options: Options) -> Source:
    """Open gold; it is opened again, in the same way, to look at a part of it."""
    place = _gold_place(options)
    return _open(planned.gold, planned.bound.plan, place, schema=options.schema)


def _gold_place(options: Options) -> SidePlace:
    return SidePlace(options.gold_id or options.id_key, options.gold_root)


class _Taken(NamedTuple):
    gold: Source
    pred: Source
    renames: Renames | None


def _taken_apart(gold: Source, pred: Source, plan: Plan, options: Options) -> _Taken:
    """Return the sources with pred's fields renamed and what is no value kept beside the trees."""
    renames = None
    names = renamings(options)
    if names:
        from docassay.load.renames import Renames

        golds = look_ahead(gold.records)
        gold = replace(gold, records=golds.records)
        renames = Renames(names, golds.names)
        pred = pred.then(renames)
    # a guessed schema has the name only because gold has such lists
    given = _given_schema(plan)
    labels = given is not None and LABELLED in root_names(given)
    bookkeeping = Bookkeeping(plan.schema, labelled_is_field=labels)
    gold = replace(gold, records=bookkeeping.learn(gold.records)).then(bookkeeping.more_golds)
    return _Taken(gold, pred.then(bookkeeping.preds), renames)


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

    names = {*names_in(_given_schema(plan)), *renamings(options)}
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

    What is small is read once and held. Of what is larger and can be read again some documents are
    read by themselves, from all places; of a stream the first ones are held.
    """
    side = planned.gold
    if most > 1 and again and _can_be_read_again(side):
        if side.path is None or not is_small(side.path, SUFFIXES, most):
            with sampling(most):
                return chosen_records(_open_gold(planned, options).records, most), source
        held = [*source.records]
        return chosen_records(held, most), replace(source, records=iter(held), held=True)
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
    from docassay.run.brought import schemas_beside

    if _can_be_read_again(planned.gold):
        records = _open_gold(planned, options).records
    else:
        held = [*source.records]
        records, source = iter(held), replace(source, records=iter(held))
    schemas = schemas_beside(records, planned.bound.plan, planned.gold.path)
    return schemas, replace(source, records=described_records(source.records))


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
        from docassay.run.brought import declared_by

        schema = declared_by(handed, "gold", notes)
    bound = _bound(options, schema if own is None else own, settings)
    return Planned(bound, gold_side, pred_side, tuple(notes))


def _bound(
    options: Options, schema: object, settings: Mapping[str, object] | None, *, gold: bool = True
) -> Bound:
    return prepare(
        schema=schema,
        metrics=options.metrics,
        settings=settings,
        ignore=options.ignore,
        extra=options.extra,
        without_gold=not gold,
        originals=options.source is not None,
    )


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


def prepare(
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    ignore: Sequence[str] | None = None,
    extra: str | None = None,
    without_gold: bool = False,
    originals: bool = False,
) -> Bound:
    """Return a checked plan from a schema in any form, metric names and settings.

    `ignore` names fields to leave out; `extra` goes before what the schema says of other fields.
    `without_gold` measures predictions alone; `originals` says that the text of documents is there.
    """
    if extra is not None and extra not in EXTRAS:
        raise UnknownName("value of extra", extra, EXTRAS)
    names = _named(ignore)
    make = partial(
        make_plan,
        metrics=metrics,
        settings=settings,
        ignore=names,
        without_gold=without_gold,
        originals=originals,
    )
    if schema is None:
        return bind(make())
    from docassay.schema.source import SchemaSet, load_schemas

    joined, schemas = schema if isinstance(schema, SchemaSet) else load_schemas(schema)
    if extra is not None:
        joined = replace(joined, extra=extra)
        schemas = {name: replace(each, extra=extra) for name, each in schemas.items()}
    return bind(make(schema=joined, schemas=schemas))


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
    if not is_remote(data) and Path(data, LEDGER).is_file():
        raise ConfigurationError(
            "is a run folder, not a folder of documents",
            where=str(data),
            hint="docassay score RUN scores its inputs again, docassay compare compares runs",
        )
    try:
        return _Input(data, FORMATS.get(guess(hold(as_path(data)))), guessed=True)
    except DocassayError:
        # opening it says so, once the rest of the configuration is checked
        return _Input(data, None, guessed=True)


def _open(side: _Input, plan: Plan | None, place: SidePlace, *, schema: object = None) -> Source:
    places = {"id_key": place.id, "root": place.root}
    options: dict[str, object] = {name: path for name, path in places.items() if path is not None}
    if side.format is None:
        return open_records(side.data, options=options)
    entry = side.format
    own: dict[str, object] = {}
    given = None if plan is None else _given_schema(plan)
    if given is not None and entry.implied is not None:
        own.update(entry.implied(given, schema))
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
