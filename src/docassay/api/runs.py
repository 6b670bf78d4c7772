"""Runs as users hand them over: folders, ledgers and reports in memory; scoring them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from docassay.analysis.compare import CAUSES
from docassay.api.score import ScoredReport
from docassay.errors import ConfigurationError, DataError
from docassay.run.engines.runner import Telling, run_prepared
from docassay.run.engines.serial import ledger_of
from docassay.run.ledger import Ledger
from docassay.run.open import open_run, prepare
from docassay.run.options import Data, Options
from docassay.run.plan import Plan, make_plan
from docassay.run.reopen import NamedRun, named_runs, stored_inputs

GivenRun = str | Path | Ledger | NamedRun | ScoredReport
"""A run folder, a ledger, or a report that `score` or a `Scorer` has given."""


def as_runs(given: Sequence[GivenRun], names: Sequence[str] | None = None) -> tuple[NamedRun, ...]:
    """Return runs with names: those given, else of folders and of files of predictions."""
    if names is not None and len(names) != len(given):
        raise ConfigurationError(
            f"there are {len(given)} runs and {len(names)} names", hint="name every run, in order"
        )
    stored = iter(named_runs([each for each in given if isinstance(each, str | Path)]))
    runs = [
        next(stored) if isinstance(each, str | Path) else _in_memory(each, place)
        for place, each in enumerate(given, start=1)
    ]
    if names is None:
        often = Counter(each.name for each in runs)
        # two reports on files of the same name
        names = [
            f"run {place}" if each.folder is None and often[each.name] > 1 else each.name
            for place, each in enumerate(runs, start=1)
        ]
    return tuple(each._replace(name=name) for each, name in zip(runs, names, strict=True))


def stored_folder(given: object, what: str) -> str | Path:
    """Return where a run is kept, for what is asked of its files; in memory it has none."""
    if isinstance(given, str | Path):
        return given
    inputs = given.inputs if isinstance(given, ScoredReport) else None
    if inputs is not None and inputs.options.out is not None:
        return inputs.options.out
    name = "a report in memory" if inputs is not None else f"a {type(given).__name__}"
    raise ConfigurationError(
        f"{what} needs a run folder, and this is {name}",
        hint="keep the run with docassay.score(gold, pred, out=FOLDER) and name the folder",
    )


def _in_memory(given: Ledger | NamedRun | ScoredReport, place: int) -> NamedRun:
    if isinstance(given, NamedRun):
        return given
    usual = f"run {place}"
    if isinstance(given, Ledger):
        return NamedRun(usual, given)
    ledger = getattr(given, "ledger", None)
    if not isinstance(ledger, Ledger):
        raise ConfigurationError(
            f"run {place} is a {type(given).__name__}",
            hint="give a run folder, or a report of docassay.score",
        )
    inputs = given.inputs
    if inputs is None:
        return NamedRun(usual, ledger)
    if inputs.options.out is not None:
        folder = Path(inputs.options.out)
        return NamedRun(folder.name or usual, ledger, folder)
    pred = inputs.pred
    return NamedRun(Path(pred).stem if isinstance(pred, str | Path) else usual, ledger)


class _Inputs(NamedTuple):
    """What a run was scored from."""

    gold: Data
    pred: Data
    options: Options
    notes: tuple[str, ...] = ()


def rescored(
    runs: Sequence[NamedRun],
    given: Sequence[GivenRun],
    *,
    schema: object = None,
    gold: Data | None = None,
    metrics: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[tuple[NamedRun, ...], tuple[str, ...]]:
    """Return runs scored again from their inputs by one plan, and notes.

    The plan is that of the first run, with another `schema` or other `metrics` if given. `gold` is
    one gold for all of them; else each is scored against the gold that it recorded.
    """
    plan = _plan(runs[0].ledger.header.plan, schema, metrics)
    fresh, notes = [], []
    for each, handed in zip(runs, given, strict=True):
        own_gold, pred, options, remarks = _inputs(each, handed, gold)
        formats = each.ledger.header.plan.formats
        own = replace(plan, formats=formats)
        options = replace(
            options,
            schema=own.schema,
            types="auto" if own.schema is not None else "text",
            ignore=None,
            extra=None,
            # decisions about another gold than the one that is named
            gold_patch=options.gold_patch if gold is None else None,
        )
        prepared = open_run(own_gold, pred, options, plan=own)
        scored = run_prepared(prepared, telling=Telling(progress), with_notes=False)
        fresh.append(each._replace(ledger=ledger_of(prepared, scored.outcome)))
        notes += [f"{each.name}: {remark}" for remark in remarks]
    return tuple(fresh), tuple(notes)


def _plan(first: Plan, schema: object, metrics: Sequence[str] | None) -> Plan:
    plan = first
    if schema is not None:
        loaded = prepare(schema=schema).plan
        plan = replace(plan, schema=loaded.schema, schemas=loaded.schemas, guessed=False)
    if metrics is not None:
        kept = {call.name: call for call in first.metrics}
        calls = {call.name: call for call in make_plan(schema=plan.schema, metrics=metrics).metrics}
        # what explains a difference is measured too, where the first run had it
        calls |= {name: call for name, call in kept.items() if name in calls or name == CAUSES}
        plan = replace(
            plan,
            metrics=tuple(calls.values()),
            display=tuple(call for call in plan.display if call.name in calls),
        )
    return plan


def _inputs(named: NamedRun, given: GivenRun, gold: Data | None) -> _Inputs:
    """Return what a run was scored from; what cannot be read again is an error."""
    if named.folder is not None:
        moved = gold if isinstance(gold, str | Path) else None
        stored = stored_inputs(named.folder, gold=moved)
        options = replace(Options(**stored.args()), settings=stored.settings())
        own, pred = stored.both()
        notes = stored.notes if gold is None else [*_about_pred(stored.notes)]
        return _Inputs(own if gold is None else gold, pred, options, tuple(notes))
    inputs = given.inputs if isinstance(given, ScoredReport) else None
    if inputs is None or isinstance(inputs.pred, Iterator) or isinstance(inputs.gold, Iterator):
        raise DataError(
            f"{named.name} cannot be scored again: its documents are gone",
            hint="score it into a folder, or from files, lists or dicts",
        )
    return _Inputs(inputs.gold if gold is None else gold, inputs.pred, inputs.options)


def _about_pred(notes: Sequence[str]) -> Iterator[str]:
    """Yield what is said of pred: another gold was asked for."""
    return (note for note in notes if note.startswith("pred:"))
