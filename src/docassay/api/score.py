"""Scoring: two sources, or document by document; explaining a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypedDict, Unpack, cast

from docassay.analysis.aggregate import build
from docassay.errors import (
    ConfigurationError,
    DataError,
    RequirementError,
    SchemaError,
    UnknownName,
    UnknownOption,
)
from docassay.matching.case import Case
from docassay.model.report import DocumentLine
from docassay.model.report import Report as ReportData
from docassay.model.words import explain_command
from docassay.run.engines.runner import ScoredRun, Telling, run_prepared
from docassay.run.engines.serial import header_of, ledger_of
from docassay.run.guessing import TYPES, LateNotes, LateRows
from docassay.run.ledger import Header, InputRecord, Ledger
from docassay.run.open import Prepared, open_run, prepare
from docassay.run.options import Data, Options, ReadingArgs, RunArgs, check_engine
from docassay.run.parts import RunSink, Wanted
from docassay.run.rows import ids_of
from docassay.run.score import digest_of_pair, is_wrong, without_beside

if TYPE_CHECKING:
    from docassay.model.comparison import Comparison
    from docassay.run.find import FoundDocument


class Run(NamedTuple):
    """A finished run: its ledger, its report and what should be said about it."""

    ledger: Ledger
    report: ReportData
    known: tuple[str, ...]
    late: Iterable[str] = ()
    """Notes that are worked out when they are read."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be said about the run."""
        return (*self.known, *self.late)


class Diff(str):
    """One document beside its prediction, as text that is shown as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class ScoredInputs(NamedTuple):
    """What was scored, so that a report can be asked about its documents."""

    gold: Data
    pred: Data
    options: Options


class KeptArgs(TypedDict, total=False):
    """What a run that is kept wants of each document besides, or one that is not kept does not."""

    verdicts: str
    tables: bool
    pages: bool
    digests: bool
    unseen: tuple[str, ...]
    behind: tuple[tuple[str, str], ...]


class CompareArgs(TypedDict, total=False):
    """Options of comparing reports."""

    names: Sequence[str] | None
    metrics: Sequence[str] | None
    by: str | Sequence[str] | None
    alpha: float
    margin: float
    seed: int
    draws: int
    cluster: str | None
    rescore: bool
    schema: object
    gold: object


@dataclass(frozen=True, repr=False)
class ScoredReport(ReportData):
    """A report that can be asked about the documents it was made of."""

    inputs: ScoredInputs | None = field(default=None, compare=False)
    ledger: Ledger | None = field(default=None, compare=False)
    """What the report was made of, for comparisons with other reports."""
    _notes: ClassVar[Iterable[str]] = ()
    """Notes that may have to be worked out, each report its own."""

    @cached_property  # type: ignore[misc] # one that was given stands before it
    def notes(self) -> tuple[str, ...]:
        """How the inputs were read, and what a reader of the numbers must know."""
        return tuple(dict.fromkeys(self._notes))

    def __repr__(self) -> str:
        from docassay.report.notebook import brief

        return brief(self) if self._can_explain else brief(self, explain=self.explaining)

    @property
    def _can_explain(self) -> bool:
        """Whether the documents are still there."""
        inputs = self.inputs
        return inputs is not None and not any(isinstance(data, Iterator) for data in inputs[:2])

    def _repr_html_(self) -> str:
        from docassay.report.notebook import html

        return html(self)

    def require(self, *requirements: str | Sequence[str]) -> ScoredReport:
        """Raise RequirementError unless each holds, such as "aligned >= 0.9"; return the report."""
        __tracebackhide__ = True  # of pytest: a failure is shown at the line that asks for it
        from docassay.report.notebook import failure_of

        texts = [text for given in requirements for text in _texts(given)]
        failure = failure_of(self, texts, explain=self.explaining)
        if failure:
            raise RequirementError(failure)
        return self

    def explaining(self, id: str) -> str:
        """Return the command, or the call, that shows a document."""
        inputs = self.inputs
        if inputs is None:
            return "docassay.explain(gold, pred)"
        gold, pred, options = inputs
        if options.out is not None:
            return explain_command([str(options.out)], id)
        words = _words(options)
        if gold is None and words is not None and isinstance(pred, str | Path):
            return explain_command([str(pred)], id, words, without_gold=True)
        if words is None or not all(isinstance(data, str | Path) for data in (gold, pred)):
            return f"docassay.explain({'None' if gold is None else 'gold'}, pred, {id!r})"
        return explain_command([str(gold), str(pred)], id, words)

    def compare(
        self, *others: ScoredReport | str | Path, **options: Unpack[CompareArgs]
    ) -> Comparison:
        """Return how other reports, or runs on disk, compare with this one."""
        from docassay.api.decide import compare

        return compare(self, *others, **options)

    def worst(self, most: int = 5) -> list[DocumentLine]:
        """Return the documents that need most, the worst first."""
        from docassay.report.notebook import worst

        return worst(self, most)

    def explain(self, id: str | int | None = None) -> Diff:
        """Return one document as a diff, the worst where none is named."""
        if self.inputs is None:
            raise ConfigurationError(
                "this report does not know its documents", hint="da.explain(gold, pred) shows one"
            )
        lines = self.worst(1)
        if id is None and not lines:
            raise ConfigurationError("no document has a score", hint="name one by its id")
        wanted = lines[0].id if id is None else str(id)
        gold, pred, options = self.inputs
        for side, data in (("gold", gold), ("pred", pred)):
            if isinstance(data, Iterator):
                raise ConfigurationError(
                    f"{side} was an iterator, which can be read once",
                    hint="score a list or a dict to have its documents explained",
                )
        from docassay.run.find import find_document

        match = find_document(gold, pred, wanted, **_reading(options))
        rows = () if self.ledger is None else self.ledger.rows
        row = next((row for row in rows if row.id == match.case.id), None)
        if row is not None and without_beside(row.digest) != _digest(match.case):
            raise DataError(
                f"document {match.case.id!r} has changed since it was scored", hint="score it again"
            )
        return _diff(match)


Report = ScoredReport
"""The name that users know."""


def _scored(
    report: ReportData,
    ledger: Ledger,
    notes: Iterable[str] = (),
    inputs: ScoredInputs | None = None,
) -> ScoredReport:
    """Return a report together with its ledger, inputs and the notes on how they were read."""
    own = object.__new__(ScoredReport)
    facts = {name: fact for name, fact in vars(report).items() if name != "notes"}
    every = LateNotes(lambda: (*notes, *report.notes))
    vars(own).update(facts, _notes=every, inputs=inputs, ledger=ledger)
    return own


def _reading(options: Options) -> ReadingArgs:
    """Return the options that say how gold and pred are read."""
    names = ReadingArgs.__annotations__
    return cast(ReadingArgs, {name: getattr(options, name) for name in names})


def _words(options: Options) -> list[str] | None:
    """Return options of reading as a command takes them, None where it cannot."""
    default = Options()
    words = []
    for name in ReadingArgs.__annotations__:
        value = getattr(options, name)
        if value == getattr(default, name):
            continue
        if isinstance(value, Mapping) and name == "map":
            texts = [f"{old}={new}" for old, new in value.items()]
        elif isinstance(value, list | tuple) and name == "ignore":
            texts = [",".join(value)]
        elif isinstance(value, str | Path):
            texts = [str(value)]
        else:
            return None  # a schema in memory
        words += [word for text in texts for word in (f"--{name.replace('_', '-')}", text)]
    return words


def _texts(given: str | Sequence[str]) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given


def _digest(case: Case) -> str:
    return digest_of_pair(*case.given)


def _diff(match: FoundDocument) -> Diff:
    from docassay.report.explain import render

    return Diff(render(match))


def explain(
    gold: Data, pred: Data, id: str | int | None = None, **options: Unpack[ReadingArgs]
) -> Diff:
    """Return one document as a diff: which values are correct, and which need correcting.

    Without an id, gold and pred are one document each: a tree or an instance.
    """
    _check_names(options, ReadingArgs.__annotations__)
    from docassay.run.find import find_document

    if id is not None:
        return _diff(find_document(gold, pred, str(id), **options))
    from docassay.load.plain import is_record

    for side, data in (("gold", gold), ("pred", pred)):
        if not is_record(data) and not (side == "gold" and data is None):
            raise ConfigurationError(
                f"{side} is no document", hint="say id= to choose one of several"
            )
    name = "document"
    golds = None if gold is None else [(name, gold)]
    return _diff(find_document(golds, [(name, pred)], name, **options))


def score(
    gold: Data,
    pred: Data = None,
    *,
    no_gold: bool = False,
    require: str | Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
    **options: Unpack[RunArgs],
) -> ScoredReport:
    """Score predictions against gold and return the report.

    Without gold, `score(None, pred)` or `score(pred, no_gold=True)`, predictions are measured
    alone, by the metrics that need no gold: `valid`, `rules`, and `grounded` with `source`.

    The options are those of `docassay score`: schema, types, metrics, settings, require,
    gold_format, pred_format, id_key, gold_id, pred_id, id_pattern, gold_root, pred_root, map,
    ignore, extra, gold_patch, source, by, cluster, seed, draws, strict, out, verdicts, keep_inputs,
    resume, checklist, charts, tag, workers, engine, storage_options.
    """
    texts = tuple(_texts(require))
    __tracebackhide__ = True
    _check_names(options, (*RunArgs.__annotations__, "no_gold", "require", "progress"))
    if no_gold:
        if gold is not None and pred is not None:
            raise ConfigurationError(
                "no_gold=True measures pred alone, and gold is given as well",
                hint="leave gold out: score(pred, no_gold=True)",
            )
        gold, pred = None, gold if pred is None else pred
    elif pred is None:
        raise ConfigurationError(
            "pred is not given", hint="name gold and pred, or say no_gold=True for pred alone"
        )
    _check_requirements(texts)
    run = score_run(gold, pred, progress=progress, **options)
    inputs = ScoredInputs(gold, pred, Options(**options))
    notes = LateNotes(lambda: run.notes)
    return _scored(run.report, run.ledger, notes, inputs).require(*texts)


def _check_names(options: Mapping[str, object], names: Iterable[str]) -> None:
    """Refuse an option that does not exist, with the nearest that does."""
    for name in options:
        if name not in names:
            raise UnknownOption("option", name, names)


def _check_requirements(texts: Sequence[str]) -> None:
    """Refuse a text that states no requirement before a document is read."""
    if texts:
        from docassay.analysis.require import requirement

        for text in texts:
            requirement(text)


def score_run(
    gold: Data,
    pred: Data,
    *,
    progress: Callable[[int], None] | None = None,
    total: Callable[[int], None] | None = None,
    pages: bool = False,
    first_screen: bool = False,
    **options: Unpack[RunArgs],
) -> Run:
    """Score predictions against gold and return the run; `out` keeps it in a folder.

    `progress` hears how many documents are scored, `total` of how many, where that is known. With
    `pages` the report has its documents as pages show them, as every run in a folder has. Of a run
    that is not kept the `first_screen` may be all that is wanted: then digests of documents are not
    worked out, and of the metrics that nobody has asked for those are left out that it shows
    nothing of, or whose sums follow from those of others.
    """
    asked = Options(**options)
    _check_folder(asked)
    for side, data in (("gold", gold), ("pred", pred)):
        alone = side == "gold" and data is None
        if asked.keep_inputs and not alone and not isinstance(data, str | Path):
            raise ConfigurationError(
                f"{side} is in memory, and keep_inputs copies files",
                hint="write it to a file and score that, or leave keep_inputs out",
            )
    check_engine(asked)
    prepared = open_run(gold, pred, asked)
    telling = Telling(progress, total)
    if asked.out is not None:
        return _kept_run(prepared, Path(asked.out), telling)
    usual = asked.metrics is None and not asked.settings and not asked.by
    brief = first_screen and usual
    unseen = prepared.bound.unseen if brief else ()
    implied = prepared.bound.implied if brief else {}
    behind = prepared.bound.behind if brief else {}
    wanted = _wanted(
        asked,
        pages=pages,
        digests=not first_screen,
        unseen=tuple(sorted({*unseen, *implied})),
        behind=tuple(behind.items()),
    )
    scored = run_prepared(prepared, wanted=wanted, telling=telling)
    totals = scored.outcome.totals
    for name, (other, sums) in implied.items():
        totals.imply(name, sums(totals.stats(other)))
    gone = {name for name, by in behind.items() if is_wrong(by, totals.stats(by))}
    shown = prepared.bound.without({*unseen, *gone})
    return _finished(prepared._replace(bound=shown), scored)


def _wanted(options: Options, **more: Unpack[KeptArgs]) -> Wanted:
    """Return what is wanted of each document; `more` is what a run that is kept needs."""
    return Wanted(
        by=tuple(_texts(options.by or ())), cluster=options.cluster, strict=options.strict, **more
    )


def _check_folder(options: Options) -> None:
    """Refuse what needs a folder without one, and charts that cannot be drawn."""
    needs = (
        *(options.resume, options.keep_inputs, options.checklist, options.charts),
        *(options.verdicts is not None, bool(options.tag)),
    )
    if options.out is None and any(needs):
        what = "resume, keep-inputs, verdicts, checklist, charts and tag need a folder"
        raise ConfigurationError(what, hint="say --out DIR")
    if options.charts:
        from docassay.report.charts.canvas import check_drawing

        check_drawing()


def _kept_run(prepared: Prepared, folder: Path, telling: Telling) -> Run:
    """Score into a folder: ledger, verdicts, extractions, and the report in all its forms."""
    from docassay.report.folder import write_folder
    from docassay.run.document_tables import keeping_tables
    from docassay.run.ledger_writer import writing
    from docassay.run.made import RunFacts
    from docassay.run.reopen import record_inputs
    from docassay.run.verdict_file import NONE, WRONG, keeping_values

    bound, options = prepared.bound, prepared.options
    # without gold no value is right or wrong
    verdicts = NONE if bound.plan.without_gold else options.verdicts or WRONG
    wanted = _wanted(options, verdicts=verdicts, tables=True, pages=True)
    facts = RunFacts(folder, options.tag)
    with keeping_tables(folder, bound) as tables:
        with (
            writing(folder, bound.plan, resume=options.resume) as writer,
            keeping_values(folder, verdicts) as values,
        ):
            inputs = record_inputs(prepared, folder, keep=options.keep_inputs)
            writer.begin(header_of(prepared, inputs=inputs), wanted)
            scored = run_prepared(
                prepared,
                wanted=wanted,
                sink=RunSink(wanted, writer, values, tables),
                kept=writer.kept,
                parts=writer.parts,
                folder=folder,
                telling=telling,
            )
            finished = _finished(prepared, scored, inputs)
            writer.finish(finished.ledger.header)
            dropped = facts.record(finished.ledger.header.signature, resumed=options.resume)
        tables.count_also(scored.unpaired, ids_of(finished.ledger.rows))
        write_folder(
            folder,
            finished.report,
            tables=tables,
            checklist=options.checklist,
            charts=options.charts,
        )
    return finished._replace(known=(*finished.notes, *writer.notes, *dropped), late=())


def _finished(
    prepared: Prepared, scored: ScoredRun, inputs: Mapping[str, InputRecord] | None = None
) -> Run:
    outcome, options = scored.outcome, prepared.options
    ledger = ledger_of(prepared, outcome, inputs=inputs)
    prepared.pairing.notes += scored.notes
    report = build(
        ledger,
        totals=outcome.totals,
        values=outcome.values,
        every_problem=outcome.problems,
        by=options.by,
        seed=options.seed,
        cluster=options.cluster,
        draws=options.draws,
        together=options.out is not None,
    )
    notes = (*prepared.pairing.remarks, *report.notes)
    report = replace(report, notes=notes, diffs=outcome.diffs)
    return Run(ledger, report, prepared.notes, scored.late)


class Scorer:
    """Scores document by document, for training and evaluation loops.

    With a schema, or with `types="text"`, a document is scored when it is added. Without one its
    types are those that the class of gold's instances declares, else they are guessed, when a
    report is asked for, from all documents added so far, which are kept until then; after the first
    2,000 the guess stands and documents are scored at once.
    """

    def __init__(
        self,
        *,
        schema: object = None,
        types: str = "auto",
        metrics: Sequence[str] | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        if types not in TYPES:
            raise UnknownName("way to compare without a schema", types, TYPES)
        bound = prepare(schema=schema, metrics=metrics, settings=settings)
        self._schema = bound.plan.schema
        self._documents = LateRows(bound, guess=schema is None and types == "auto")

    def add(
        self,
        id: str | int,
        gold: object,
        pred: object,
        *,
        tags: Mapping[str, str] | None = None,
        labelled: Sequence[str] | None = None,
    ) -> None:
        """Take one document; the same id again must have the same content.

        `labelled` names the fields that somebody has labelled in gold, where these are not all.
        None in the place of a prediction counts as missed.
        """
        from docassay.load.beside import meta_of, taken_apart
        from docassay.load.format import Record
        from docassay.load.python import go_by_aliases, plain_tree
        from docassay.schema.selection import PartialTree
        from docassay.schema.source import names_of

        name, where = str(id), f"document {id!r}"
        names = () if self._schema is None else names_of(self._schema)
        by_alias = go_by_aliases(gold, pred, names)
        if self._documents.wants_types:
            self._declare(gold, pred, by_alias=by_alias)
        gold_tree = plain_tree(gold, where=f"gold {where}", by_alias=by_alias)
        if labelled is not None and isinstance(gold_tree, dict):
            gold_tree = PartialTree(gold_tree, _texts(labelled))
        pred_tree = plain_tree(pred, where=f"pred {where}", by_alias=by_alias)
        pair = taken_apart(
            Record(name, gold_tree, where), Record(name, pred_tree, where), self._schema
        )
        meta = meta_of(pair.pred)
        self._documents.add(name, pair.gold.tree, pair.pred.tree, dict(tags or {}), meta)

    def _declare(self, gold: object, pred: object, *, by_alias: bool) -> None:
        """Take the types that the class of an instance declares, where it can say them."""
        from docassay.load.python import declaring_class
        from docassay.schema.source import declared_schema

        kind = declaring_class(gold) or declaring_class(pred)
        if kind is not None:
            with suppress(SchemaError):
                self._documents.declare(declared_schema(kind, by_alias=by_alias))

    def merge(self, other: Scorer) -> None:
        """Take over the documents of another scorer of the same plan."""
        self._documents.merge(other._documents)

    def reset(self) -> None:
        """Forget all documents."""
        self._documents.clear()

    def __len__(self) -> int:
        return len(self._documents)

    def ledger(self) -> Ledger:
        """Return the rows so far as a ledger."""
        bound, rows = self._documents.scored()
        return Ledger(Header(bound.signature, bound.plan, {}), rows)

    def report(self, *, by: str | None = None, cluster: str | None = None) -> ScoredReport:
        """Return the report of the documents so far; `by` and `cluster` are tags."""
        ledger = self.ledger()
        return _scored(build(ledger, by=by, cluster=cluster), ledger)
