"""What runs have in common: the documents that all have scored, by the same gold and rules.

Numbers can be compared where the same documents were scored against the same gold, by the same
schema and with the same options. Everything that differs is named in the error, because a
difference of scores would otherwise be one of settings.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import msgspec

from docassay.errors import DataError, UnknownName
from docassay.model.schema import Schema
from docassay.model.words import count
from docassay.run.ledger import Ledger
from docassay.run.plan import Bound, Plan, bind, signed_versions
from docassay.run.reopen import NamedRun
from docassay.run.rows import by_id
from docassay.run.score import Row
from docassay.schema.listing import Listing

MOST_NAMED = 3
"""How many fields or documents an error names."""
RESCORE = "add --rescore to score all runs by what the first was scored by, or by --schema FILE"


class SharedRuns(NamedTuple):
    """Runs cut down to what they have in common."""

    names: tuple[str, ...]
    bound: Bound
    """The plan of all of them, with the metrics that all have measured."""
    ledgers: tuple[Ledger, ...]
    """One a run, with the rows of the same documents in the same order."""
    notes: tuple[str, ...]

    @property
    def documents(self) -> int:
        """How many documents all runs have."""
        return len(self.ledgers[0].rows)


def shared_runs(
    runs: Sequence[NamedRun],
    *,
    against: int = 0,
    metrics: Sequence[str] | None = None,
    besides: Iterable[str] = (),
) -> SharedRuns:
    """Return what runs have in common; what cannot be compared is a DataError.

    `metrics` are those of interest, `besides` those to be kept where all runs have them. The plan
    of the run that is compared with decides how counts are shown.
    """
    plans = [run.ledger.header.plan for run in runs]
    names = tuple(run.name for run in runs)
    plan = plans[against]
    alone = [name for name, own in zip(names, plans, strict=True) if own.without_gold]
    if 0 < len(alone) < len(runs):
        raise DataError(
            f"the runs cannot be compared: {', '.join(alone)} measured predictions without gold",
            hint="score all of them against gold, or all with --no-gold",
        )
    chosen, notes = _common_metrics(names, plans, against, metrics)
    kept = {*chosen, *besides}
    ids, left_out = _common_ids(runs, against)
    for run in runs:
        reasons = [*_differences(runs[against], run, chosen)]
        other_gold = _other_gold(runs[against], run, ids)
        if reasons or other_gold:
            raise DataError(
                f"{names[against]} and {run.name} cannot be compared: "
                + "; ".join((*other_gold, *reasons)),
                hint=_regold(runs[against]) if other_gold else RESCORE,
            )
    shared_plan = replace(
        plan,
        metrics=tuple(call for call in plan.metrics if call.name in kept and _in_all(call, plans)),
        display=tuple(call for call in plan.display if call.name in kept),
    )
    # what is known of a document besides its scores is what the run compared with has of it
    own_rows = {row.id: row for row in runs[against].ledger.rows}
    ledgers = tuple(
        Ledger(
            run.ledger.header._replace(plan=shared_plan),
            tuple(
                _known_as(row, own_rows[row.id]) for row in by_id(run.ledger.rows) if row.id in ids
            ),
        )
        for run in runs
    )
    return SharedRuns(names, bind(shared_plan), ledgers, (*notes, *left_out))


def _known_as(row: Row, other: Row) -> Row:
    return row._replace(type=other.type, tags=other.tags)


def _in_all(call: object, plans: Iterable[Plan]) -> bool:
    """Return whether all plans measure a metric with the same options of counting."""
    return all(call in plan.metrics for plan in plans)


def _common_metrics(
    names: Sequence[str], plans: Sequence[Plan], against: int, asked: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Return the metrics that all runs have measured, and which are left out."""
    measured = [[call.name for call in plan.metrics] for plan in plans]
    for name in asked or ():
        for run, own in zip(names, measured, strict=True):
            if name not in own:
                error = UnknownName("metric", name, own, where=run)
                raise DataError(
                    f"metric {name!r} was not measured",
                    where=run,
                    hint=f"{error.hint}; --rescore measures what --metrics asks for",
                )
    common = [name for name in measured[against] if all(name in own for own in measured)]
    if not common:
        lists = "; ".join(
            f"{run}: {', '.join(own)}" for run, own in zip(names, measured, strict=True)
        )
        raise DataError(f"the runs have no metric in common: {lists}", hint=RESCORE)
    if asked is not None:
        return [name for name in common if name in asked], []
    missing = dict.fromkeys(name for own in measured for name in own if name not in common)
    return common, [
        f"{name} is not compared: only {', '.join(_having(names, measured, name))} measured it"
        for name in missing
    ]


def _having(runs: Sequence[str], measured: Sequence[Sequence[str]], name: str) -> list[str]:
    return [run for run, own in zip(runs, measured, strict=True) if name in own]


def _differences(first: NamedRun, second: NamedRun, metrics: Sequence[str]) -> Iterator[str]:
    """Yield what is different about how two runs were scored."""
    former, latter = first.ledger.header, second.ledger.header
    yield from _schema_differences(former.plan, latter.plan)
    if {*former.plan.ignore} != {*latter.plan.ignore}:
        lists = [", ".join(plan.ignore) or "nothing" for plan in (former.plan, latter.plan)]
        yield f"fields left out by --ignore are {lists[0]} and {lists[1]}"
    options = [_counting(plan) for plan in (former.plan, latter.plan)]
    for name in metrics:
        for option in sorted({*options[0][name], *options[1][name]}):
            values = [own[name].get(option) for own in options]
            if values[0] != values[1]:
                yield f"{name}.{option} is {values[0]} and {values[1]}"
    versions = [signed_versions(header.signature) for header in (former, latter)]
    for name in metrics:
        before, after = (own.get(name) for own in versions)
        if None not in (before, after) and before != after:
            yield f"metric {name} has version {before} and {after}"


def _counting(plan: Plan) -> dict[str, Mapping[str, object]]:
    return {metric.name: metric.counting for metric in bind(plan).metrics}


def _schema_differences(former: Plan, latter: Plan) -> Iterator[str]:
    """Yield what the schemas of two runs say differently."""
    if _same(former.schema, latter.schema) and _same(former.schemas, latter.schemas):
        return
    if former.schema is None or latter.schema is None:
        yield f"values are compared {_way(former)} and {_way(latter)}"
        return
    if former.guessed != latter.guessed:
        yield f"values are compared {_way(former)} and {_way(latter)}"
    first, second = (Listing(schema, None).fields for schema in (former.schema, latter.schema))
    types = [
        f"{path} is {first[path].type} and {second[path].type}"
        for path in first
        if path in second and first[path].type != second[path].type
    ]
    options = [
        path
        for path in first
        if path in second
        and not _same(first[path], second[path])
        and first[path].type == second[path].type
    ]
    only = [
        f"only {'the first' if path in first else 'the second'} schema names {path}"
        for path in (*first, *second)
        if (path in first) != (path in second)
    ]
    yield from _first_of([*types, *only, *(f"{path} has other options" for path in options)])
    parts = [
        part.name
        for part in fields(Schema)
        if part.name not in ("name", "fields", "groups")
        and not _same(getattr(former.schema, part.name), getattr(latter.schema, part.name))
    ]
    if parts:
        yield f"the schemas differ in {', '.join(parts)}"
    elif not (types or options or only):
        yield "the schemas differ in their groups or names"


def _way(plan: Plan) -> str:
    if plan.schema is None:
        return "as text"
    return "by types guessed from gold" if plan.guessed else "by a schema"


def _first_of(reasons: Sequence[str]) -> Iterator[str]:
    yield from reasons[:MOST_NAMED]
    if len(reasons) > MOST_NAMED:
        yield f"and {count(len(reasons) - MOST_NAMED, 'more field')}"


def _same(former: object, latter: object) -> bool:
    """Return whether two parts of plans say the same."""
    return _encoded(former) == _encoded(latter)


def _encoded(part: object) -> bytes:
    return msgspec.json.encode(part, enc_hook=lambda mapping: dict(mapping), order="deterministic")


def _common_ids(runs: Sequence[NamedRun], against: int) -> tuple[frozenset[str], list[str]]:
    """Return the documents that all runs have, and which are left out."""
    every = [{row.id for row in run.ledger.rows} for run in runs]
    ids = frozenset.intersection(*map(frozenset, every))
    if not ids:
        sizes = ", ".join(
            f"{run.name} has {count(len(own), 'document')}{_such_as(sorted(own)[:1])}"
            for run, own in zip(runs, every, strict=True)
        )
        raise DataError(
            f"the runs have no document in common: {sizes}",
            hint="score them against the same gold",
        )
    notes = [
        f"{count(len(own) - len(ids), 'document')} of {run.name} left out: "
        "not all runs have scored them"
        for run, own in zip(runs, every, strict=True)
        if len(own) > len(ids)
    ]
    if notes:
        notes.append(f"{len(ids):,} of {count(len(set.union(*every)), 'document')} compared")
    return ids, notes


def _such_as(ids: Sequence[str]) -> str:
    return f" (such as {ids[0]!r})" if ids else ""


def _other_gold(first: NamedRun, second: NamedRun, ids: frozenset[str]) -> list[str]:
    """Return in how many documents the gold of two runs differs, nothing for none."""
    golds = {row.id: _gold(row) for row in first.ledger.rows}
    other = [row.id for row in second.ledger.rows if row.id in ids and golds[row.id] != _gold(row)]
    if not other:
        return []
    listed = ", ".join(map(repr, other[:MOST_NAMED])) + (", …" if other[MOST_NAMED:] else "")
    return [f"gold differs in {len(other):,} of {count(len(ids), 'document')} ({listed})"]


def _regold(run: NamedRun) -> str:
    """Return how runs can be scored against one gold."""
    record = run.ledger.header.inputs.get("gold")
    path = shlex.quote(record.given) if record is not None and record.path else "GOLD"
    return f"add --rescore --gold {path} to score all runs against one gold"


def _gold(row: Row) -> str:
    """Return the digest of a document's gold."""
    return row.digest.partition("-")[0]
