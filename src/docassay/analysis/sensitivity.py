"""Sensitivity: the same answers under other reasonable settings, and whether another run wins then.

Every setting is one change from what each run was scored by. A change of the schema or of what is
counted takes scoring the recorded inputs again; another average or another measure is made of what
the ledgers hold. For every setting the best run is compared with its rival by the paired test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docassay.analysis.aggregate import build
from docassay.analysis.draw import shuffled, stream
from docassay.analysis.ranking import (
    AVERAGING,
    MEAN,
    MEASURE,
    DecidingScore,
    RunRows,
    SettingLine,
    document_means,
    field_mean,
    line_of,
)
from docassay.analysis.variations import Variation, variations
from docassay.errors import ConfigurationError, DataError
from docassay.load.pairing import Paired
from docassay.model.report import HIGHER, LOWER, SHARE, Report
from docassay.model.words import count, number, visible
from docassay.run.engines.serial import run as score_pairs
from docassay.run.guessing import MOST_GUESSED, chosen_records
from docassay.run.ledger import Ledger
from docassay.run.plan import Bound, bind
from docassay.run.reopen import NamedRun, named_runs, open_stored, stored_inputs
from docassay.run.rows import by_id
from docassay.version import VERSION

AS_SCORED = "as scored"
IN_FULL = {"documents": "documents fully correct"}
"""Labels of the first screen that need the words which stand beside them there."""
AVERAGED = (SHARE, "rate")
"""Units of scores that can be averaged."""
MEANS = ("mean of documents", "mean of fields")


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """What other settings would make of the same answers."""

    runs: tuple[str, ...]
    signatures: tuple[str, ...]
    documents: int
    address: str
    """Of the score that decides."""
    lower_is_better: bool
    lines: tuple[SettingLine, ...]
    """The first is as scored."""
    rescorings: int
    """How many times a run was scored again."""
    alpha: float = 0.05
    notes: tuple[str, ...] = ()
    version: str = VERSION

    @property
    def usual(self) -> SettingLine:
        """The runs as they were scored."""
        return self.lines[0]

    @property
    def overturned(self) -> tuple[SettingLine, ...]:
        """The settings under which another run wins, or none does."""
        return tuple(line for line in self.lines[1:] if line.winner != self.usual.winner)

    @property
    def reordered(self) -> tuple[SettingLine, ...]:
        """The settings under which the winner is the same and the order of the others is not."""
        same = (line for line in self.lines[1:] if line.winner == self.usual.winner)
        return tuple(line for line in same if line.ranks != self.usual.ranks)

    def is_sure(self, line: SettingLine) -> bool:
        """Whether the lead of the winner under a setting is beyond chance."""
        return line.p is not None and line.p <= self.alpha

    def __repr__(self) -> str:
        """Return who leads as scored, and the settings under which that changes."""
        settings = count(len(self.lines) - 1, "other setting")
        lines = [f"{self.address} over {count(self.documents, 'document')}, {settings}"]
        usual = self.usual
        for name, value in zip(self.runs, usual.values, strict=True):
            lines.append(f"  {name}: {number(value)}")
        if len(self.runs) > 1:
            lines.append(f"{self._leader(usual)} as scored")
            changes = [
                f"  {line.kind}: {line.label}: {self._leader(line)}" for line in self.overturned
            ]
            lines += changes or ["  no other setting changes that"]
        return "\n".join(map(visible, lines))

    def _leader(self, line: SettingLine) -> str:
        return "no run leads" if line.winner is None else f"{self.runs[line.winner]} leads"


def find_sensitivity(
    folders: Sequence[str | Path],
    *,
    score: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    gold: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sensitivity:
    """Return what other settings would make of stored runs over the same gold.

    `score` is an address, by default that of the headline. With a `limit` so many documents are
    drawn by the `seed`. `gold` says where gold is now. `progress` hears how many documents have
    been scored again, and how many there are to be.
    """
    if not folders:
        raise ConfigurationError("no run is named", hint="docassay sensitivity RUN [RUN ...]")
    if limit is not None and limit < 1:
        raise ConfigurationError(f"limit is {limit}", hint="a sample has a document or more")
    runs = named_runs(folders)
    reports = [build(run.ledger) for run in runs]
    wanted = _wanted(reports, score)
    ids, notes = _shared(runs, limit, seed)
    base = [_restricted(run.ledger, wanted.metric, ids) for run in runs]
    bench = _Bench(wanted, [*map(_pairs_of(ids, gold), runs)], base, seed, progress)
    lines = [
        bench.usual(),
        *bench.averages(),
        *_measures(reports, [_whole(run.ledger, ids) for run in runs], wanted, bench),
        *bench.varied(),
    ]
    return Sensitivity(
        tuple(run.name for run in runs),
        tuple(run.ledger.header.signature for run in runs),
        len(ids),
        wanted.address,
        wanted.lower,
        tuple(lines),
        bench.rescorings,
        alpha,
        notes,
    )


def _wanted(reports: Sequence[Report], asked: str | None) -> DecidingScore:
    """Return the score that decides, which every run must have."""
    first = reports[0]
    if asked is None:
        lines = [line.readout for line in first.first_lines if line.label]
        better = (
            score.address
            for score in first.scores
            if not score.key and first.specs[score.name].better is not None
        )
        asked = next(iter(lines), None) or next(better, None)
        if asked is None:
            raise DataError("the run has no score that says what is better")
    score = first[asked]
    for report in reports[1:]:
        if asked not in report:
            raise DataError(
                f"not every run has {asked}", hint="name another with --score, or score again"
            )
    spec = first.specs[score.name]
    if spec.better is None:
        raise ConfigurationError(f"{asked} is neither better when higher nor when lower")
    return DecidingScore(
        score.metric,
        score.readout,
        score.key,
        score.address,
        lower=spec.better == LOWER,
        mean=not score.key and spec.unit in AVERAGED,
    )


def _shared(
    runs: Sequence[NamedRun], limit: int | None, seed: int
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the documents that all runs have scored against the same gold, or a sample of them."""
    golds = [{row.id: row.digest.partition("-")[0] for row in run.ledger.rows} for run in runs]
    ids = [id for id in sorted(golds[0]) if all(own.get(id) == golds[0][id] for own in golds)]
    if not ids:
        raise DataError(
            "the runs share no document with the same gold",
            hint="compare runs that were scored against one gold",
        )
    notes = []
    most = max(map(len, golds))
    if len(ids) < most:
        notes.append(
            f"{count(most - len(ids), 'document')} left out: not in all runs with the same gold"
        )
    if limit is not None and limit < len(ids):
        notes.append(f"a sample of {limit:,} of {count(len(ids), 'document')}")
        ids = shuffled(stream(seed, 0), ids)[:limit]
    if len({run.ledger.header.plan.to_json() for run in runs}) > 1:
        notes.append("the runs were scored by different settings; each is changed from its own")
    return frozenset(ids), tuple(notes)


def _restricted(ledger: Ledger, metric: str, ids: frozenset[str]) -> RunRows:
    """Return a run with one metric and some documents."""
    plan = ledger.header.plan
    kept = replace(
        plan,
        metrics=tuple(call for call in plan.metrics if call.name == metric),
        display=tuple(call for call in plan.display if call.name == metric),
    )
    rows = tuple(
        row._replace(stats={metric: row.stats[metric]})
        for row in by_id(ledger.rows)
        if row.id in ids
    )
    return RunRows(bind(kept), rows)


def _whole(ledger: Ledger, ids: frozenset[str]) -> Ledger:
    return ledger._replace(rows=tuple(row for row in by_id(ledger.rows) if row.id in ids))


def _pairs_of(
    ids: frozenset[str], gold: str | Path | None
) -> Callable[[NamedRun], Callable[[], list[Paired]]]:
    """Return what gives a function that reads the documents of a run."""

    def reader(run: NamedRun) -> Callable[[], list[Paired]]:
        def read() -> list[Paired]:
            assert run.folder is not None  # runs are named by their folders
            stored = stored_inputs(run.folder, gold=gold)
            if stored.notes:
                raise DataError(stored.notes[0], where=run.name, hint="score it again")
            return [pair for pair in open_stored(stored).pairing if pair.id in ids]

        return read

    return reader


class _Bench:
    """Tries settings on the runs."""

    def __init__(
        self,
        wanted: DecidingScore,
        readers: Sequence[Callable[[], list[Paired]]],
        base: Sequence[RunRows],
        seed: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._wanted = wanted
        self._readers = readers
        self._base = base
        self._seed = seed
        self._progress = progress
        self._usual = line_of(AS_SCORED, "", wanted, base, None, seed)
        self.rescorings = 0

    def usual(self) -> SettingLine:
        """Return the runs as they were scored."""
        return self._usual

    def averages(self) -> Iterator[SettingLine]:
        """Yield other ways to make one number of many documents and fields."""
        wanted = self._wanted
        if not wanted.mean:
            return
        means = [document_means(each, wanted) for each in self._base]
        fields = [field_mean(each, wanted) for each in self._base]
        for label, runs in zip(MEANS, (means, fields), strict=True):
            line = self.try_runs(
                AVERAGING, label, runs, DecidingScore(MEAN, MEAN, "", "", wanted.lower)
            )
            if any(value is not None for value in line.values):
                yield line._replace(address=wanted.address)

    def try_runs(
        self, kind: str, label: str, runs: Sequence[RunRows], score: DecidingScore | None = None
    ) -> SettingLine:
        """Return the line of a setting."""
        return line_of(kind, label, score or self._wanted, runs, self._usual, self._seed)

    def varied(self) -> Iterator[SettingLine]:
        """Yield the settings that take scoring again."""
        pairs = [read() for read in self._readers]

        def golds() -> Iterable[object]:
            records = [pair.gold for pair in pairs[0] if pair.gold is not None]
            return [record.tree for record in chosen_records(records, MOST_GUESSED)]

        settings = [
            (variation, bounds)
            for variation in variations(self._wanted.metric, golds)
            if (bounds := self._changed(variation)) is not None
        ]
        again = sum(
            _counts_otherwise(bound, each)
            for _, bounds in settings
            for bound, each in zip(bounds, self._base, strict=True)
        )
        total = again * len(pairs[0])
        for variation, bounds in settings:
            runs = [
                self._scored(bound, each, own, total)
                for bound, each, own in zip(bounds, self._base, pairs, strict=True)
            ]
            yield self.try_runs(variation.kind, variation.label, runs)

    def _changed(self, variation: Variation) -> list[Bound] | None:
        """Return the runs' plans with a change, None where it changes none or cannot work."""
        plans = [each.bound.plan for each in self._base]
        try:
            changed = [variation.change(plan) for plan in plans]
            if changed == plans:
                return None
            return [*map(bind, changed)]
        except ConfigurationError:
            return None

    def _scored(self, bound: Bound, base: RunRows, pairs: Sequence[Paired], total: int) -> RunRows:
        """Return a run under a setting, scored again where something else is counted."""
        if not _counts_otherwise(bound, base):
            return RunRows(bound, base.rows)
        done = self.rescorings * len(pairs)
        self.rescorings += 1
        tell = self._progress
        heard = None if tell is None else lambda number: tell(done + number, total)
        return RunRows(bound, by_id(score_pairs(pairs, bound, progress=heard).rows))


def _counts_otherwise(bound: Bound, base: RunRows) -> bool:
    return bound.plan.to_json() != base.bound.plan.to_json()


def _measures(
    reports: Sequence[Report], ledgers: Sequence[Ledger], wanted: DecidingScore, bench: _Bench
) -> Iterator[SettingLine]:
    """Yield other scores that say how good a run is, as far as all runs have them."""
    first = reports[0]
    if wanted.key:
        return
    for line in first.headline:
        spec = first.specs[line.readout]
        if not line.label or not spec.short or spec.better != HIGHER:
            continue
        if line.readout == wanted.address or any(line.readout not in each for each in reports):
            continue
        metric, _, readout = line.readout.partition(".")
        score = DecidingScore(metric, readout, "", line.readout, lower=False)
        ids = frozenset(row.id for row in ledgers[0].rows)
        runs = [_restricted(ledger, metric, ids) for ledger in ledgers]
        yield bench.try_runs(MEASURE, IN_FULL.get(line.label, line.label), runs, score)
