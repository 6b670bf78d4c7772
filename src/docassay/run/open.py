"""The one way into a run: from what a user gives to a checked plan and pairs of documents.

`open_run` is used by every verb and by Python alike, so that the same paths and options give the
same documents everywhere. What a format brings (a schema beside the data, a split that a file is
named after) comes in through the hooks of its `Format`; no format is known here by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

from docassay.errors import ConfigurationError, DocassayError
from docassay.load.files import hold
from docassay.load.format import FORMATS, Format
from docassay.load.pairing import Paired, Pairing, pair, stem
from docassay.load.source import Source, guess, open_records
from docassay.matching.case import Case, make_case
from docassay.model.problem import Problem
from docassay.model.schema import EMPTY, Schema
from docassay.run.plan import Bound, Plan, bind, make_plan

NEAREST = 5

Data = str | Path | Mapping[str, object] | Iterable[tuple[str, object]]
"""A file or folder, a dict id -> tree, or an iterable of (id, tree)."""


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
    map: Mapping[str, str] | None
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
    resume: bool
    checklist: bool
    charts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that may be said about a run besides its gold and pred."""

    schema: object = None
    """In any form that `load_schema` takes; None: the one that gold brings, else all is text."""
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
    map: Mapping[str, str] | None = None
    """Names of fields and groups in pred -> their names in gold."""
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

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be said about the run; whole once all pairs are read."""
        return tuple(self.pairing.notes)


class _Input(NamedTuple):
    """One side of a run: what was given, and its format when it is a path that can be read."""

    data: Data
    format: Format | None
    guessed: bool

    @property
    def path(self) -> Path | None:
        return Path(self.data) if isinstance(self.data, str | Path) else None


def open_run(gold: Data, pred: Data, options: Options = Options()) -> Prepared:  # noqa: B008
    """Check everything that the options name, open both sides and pair them."""
    planned = plan_run(gold, pred, options)
    plan = planned.bound.plan
    gold_source = _open(planned.gold, plan, id_key=options.id_key, schema=options.schema)
    pred_source = _open(planned.pred, plan, id_key=options.id_key, schema=options.schema)
    _check_formats(planned.bound, (gold_source, pred_source))
    pairing = pair(gold_source, pred_source)
    pairing.notes += planned.notes
    return Prepared(options, planned.bound, gold_source, pred_source, pairing)


def plan_run(gold: Data, pred: Data, options: Options) -> Planned:
    """Return the checked plan of a run, with what gold's format brings to it."""
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
    bound = prepare(schema=schema, metrics=options.metrics, settings=settings)
    return Planned(bound, gold_side, pred_side, tuple(notes))


def prepare(
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Bound:
    """Return a checked plan from a schema in any form, metric names and settings."""
    loaded: Schema | None = None
    if schema is not None:
        from docassay.schema.source import load_schema

        loaded = load_schema(schema)
    return bind(make_plan(schema=loaded, metrics=metrics, settings=settings))


def open_source(
    data: Data,
    *,
    format: str | None = None,
    plan: Plan | None = None,
    id_key: str | None = None,
) -> Source:
    """Return the records of a path or of trees in memory, read as the plan says."""
    return _open(_input(data, format), plan, id_key=id_key)


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


def _open(
    side: _Input, plan: Plan | None, *, id_key: str | None = None, schema: object = None
) -> Source:
    options: dict[str, object] = {} if id_key is None else {"id_key": id_key}
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
    return Source(source.records, source.format, side.guessed, source.name)


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


def find_document(gold: Data, pred: Data, id: str, **options: Unpack[ReadingArgs]) -> FoundDocument:
    """Return the case of an id, or of a file name's stem; an unknown one names the nearest."""
    prepared = open_run(gold, pred, Options(**options))
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
    case = make_case(
        match.id,
        None if gold_record is None else gold_record.tree,
        None if pred_record is None else pred_record.tree,
        prepared.bound.layouts,
    )
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
    from rapidfuzz import fuzz, process

    near = [name for name, *_ in process.extract(wanted, ids, scorer=fuzz.ratio, limit=NEAREST)]
    hint = f"the nearest of {len(ids):,}: {', '.join(near)}" if near else "gold has no documents"
    return ConfigurationError(f"there is no document {wanted!r}", where=where, hint=hint)
