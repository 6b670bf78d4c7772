"""Runs on disk: which there are below a folder, and how a score went from run to run.

What is shown is read from the run folders. Reading a ledger and drawing intervals takes time, so
what they come to is remembered in an index beside them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.analysis.aggregate import build
from docassay.errors import ConfigurationError, DataError, DocassayError, FileError, UnknownName
from docassay.load.files import existing
from docassay.model.report import LOWER, Report
from docassay.model.words import count, listed, number
from docassay.run.index import RunIndex, index_place
from docassay.run.ledger import LEDGER, Ledger, read_ledger
from docassay.run.made import made_of, tags_of
from docassay.run.plan import signed_parts
from docassay.run.reopen import INPUTS
from docassay.version import VERSION

HEADLINE = ""
"""The address that stands for the first line of a run's headline."""
OWN_FOLDERS = (INPUTS, "charts")
"""Folders of a run in which there are no runs."""
SORTS = ("made", "name", "documents", "score")
NO_SCHEMA, GUESSED = "none", "guessed"


class RunScore(NamedTuple):
    """A score of a run with its interval."""

    address: str
    label: str
    """What people call it."""
    value: float | int | None
    low: float | None = None
    high: float | None = None
    lower_is_better: bool = False


class StoredRun(NamedTuple):
    """A run folder and what is known of it."""

    name: str
    """Its path below the folder that was looked through."""
    folder: str
    made: str
    """When, in UTC by ISO 8601."""
    tags: Mapping[str, str]
    documents: int = 0
    model: str = ""
    """The names of the models that its predictions state."""
    schema: str = ""
    gold: str = ""
    """The digest of gold's documents: runs that share it were scored against the same gold."""
    signature: str = ""
    score: RunScore | None = None
    """The first line of its headline."""
    problem: str = ""
    """Why it cannot be read."""


class RunList(NamedTuple):
    """The runs below a folder, in the order that was asked for."""

    folder: str
    runs: tuple[StoredRun, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return a line a run."""
        lines = [
            f"{run.name}: {_shown(run.score)}, {count(run.documents, 'document')}, {run.made[:19]}"
            if not run.problem
            else f"{run.name}: {run.problem}"
            for run in self.runs
        ]
        return listed(f"{count(len(self.runs), 'run')} below {self.folder}", lines)


class TrendPoint(NamedTuple):
    """A score of one run."""

    run: StoredRun
    score: RunScore
    change: float | None
    """Against the run before it in the same series."""


class TrendSeries(NamedTuple):
    """The runs that share a value of a tag, the earliest first; all runs where no tag was named."""

    label: str
    points: tuple[TrendPoint, ...]


class Trend(NamedTuple):
    """How a score went over time."""

    address: str
    folder: str
    by: str
    series: tuple[TrendSeries, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return a line a run, the earliest first in each series."""
        lines = [
            f"{part.label + ' ' if part.label else ''}{point.run.name}: {_shown(point.score)}"
            for part in self.series
            for point in part.points
        ]
        return listed(f"{self.address} of {count(len(lines), 'run')} below {self.folder}", lines)


def _shown(score: RunScore | None) -> str:
    if score is None:
        return "no score"
    ends = "" if score.low is None else f" [{score.low:.3f}, {score.high:.3f}]"
    return f"{score.label} {number(score.value)}{ends}"


class _Facts(msgspec.Struct):
    """What the index remembers of a ledger."""

    documents: int
    model: str
    schema: str
    gold: str
    signature: str


def find_runs(folder: Path) -> Iterator[str]:
    """Yield the paths of run folders below a folder, "." for itself, in the order of names."""
    for place, folders, files in os.walk(folder):
        is_run = LEDGER in files
        if is_run:
            yield Path(place).relative_to(folder).as_posix()
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not (is_run and name in OWN_FOLDERS)
        )


class RunShelf:
    """The runs below a folder, with an index that remembers what they come to."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = existing(Path(folder))
        if not self.folder.is_dir():
            raise FileError("is no folder", where=str(folder), hint="name one that holds runs")
        self.names = [*find_runs(self.folder)]
        self._held: tuple[str, Ledger] | None = None
        # a folder without runs is left as it is
        self._index = RunIndex(index_place(self.folder) if self.names else None)

    def __enter__(self) -> RunShelf:
        return self

    def __exit__(self, *_: object) -> None:
        self._index.forget_others(self.names)
        self._index.close()

    def runs(self) -> Iterator[StoredRun]:
        """Yield every run; one that cannot be read says why."""
        for name in self.names:
            place = self.folder / name
            run = StoredRun(name, str(place), "", {})
            try:
                run = run._replace(made=made_of(place))
                facts, score = self._facts(name), self.score(name, HEADLINE)
                yield run._replace(
                    **{field: getattr(facts, field) for field in _Facts.__struct_fields__},
                    tags=tags_of(place),
                    score=score,
                )
            except (DocassayError, OSError) as error:
                yield run._replace(problem=str(error))

    def score(self, name: str, asked: str) -> RunScore | None:
        """Return a score of a run, None where the run does not have it."""
        stamp = self._stamp(name)
        score = self._index.recall(name, stamp, RunScore, asked)
        if score is None:
            report = build(self._ledger(name))
            score = _score_of(report, asked)
            if score is not None:
                self._index.remember(name, stamp, score, asked)
        return score

    def _facts(self, name: str) -> _Facts:
        stamp = self._stamp(name)
        facts = self._index.recall(name, stamp, _Facts)
        if facts is None:
            facts = _facts_of(self._ledger(name))
            self._index.remember(name, stamp, facts)
        return facts

    def _ledger(self, name: str) -> Ledger:
        """Return the ledger of a run; the last one is held, to be asked for several things."""
        if self._held is None or self._held[0] != name:
            self._held = name, read_ledger(self.folder / name)
        return self._held[1]

    def _stamp(self, name: str) -> str:
        status = (self.folder / name / LEDGER).stat()
        return f"{VERSION} {status.st_size} {status.st_mtime_ns} {status.st_ino}"


def _facts_of(ledger: Ledger) -> _Facts:
    models = {str(row.meta["model"]) for row in ledger.rows if "model" in row.meta}
    plan = ledger.header.plan
    schema = NO_SCHEMA if plan.schema is None else plan.schema.name
    return _Facts(
        len(ledger.rows),
        ", ".join(sorted(models)),
        GUESSED if plan.guessed else schema,
        signed_parts(ledger.header.signature).get("gold", ""),
        ledger.header.signature,
    )


def _score_of(report: Report, asked: str) -> RunScore | None:
    """Return the score of an address, or the first line of the headline."""
    lines = [line for line in report.first_lines if line.label]
    if asked == HEADLINE:
        if not lines:
            return None
        address, label = lines[0].readout, lines[0].label
    else:
        address = label = asked
    if address not in report:
        return None
    score = report[address]
    lower = report.specs[score.name].better == LOWER
    return RunScore(score.address, label, score.value, score.low, score.high, lower)


def list_runs(
    folder: str | Path = ".",
    *,
    where: Mapping[str, str] | None = None,
    sort: str = "made",
    score: str | None = None,
) -> RunList:
    """Return the runs below a folder, the newest first.

    `where` keeps those whose tag (or model, schema, gold, name) has a value, in which `*` stands
    for any characters. `sort` is one of SORTS or the name of a tag; `score` is shown instead of
    the headline.
    """
    with RunShelf(folder) as shelf:
        runs = [run for run in shelf.runs() if _has(run, where or {})]
        if score is not None:
            runs = [
                run if run.problem else run._replace(score=shelf.score(run.name, score))
                for run in runs
            ]
            _check_some(runs, score, shelf)
    notes = [f"{run.name}: {run.problem}" for run in runs if run.problem]
    if not shelf.names:
        notes.append(f"there is no run below {folder}; docassay score --out DIR keeps one")
    elif not runs:
        notes.append(f"none of {count(len(shelf.names), 'run')} fits")
    return RunList(str(folder), tuple(_sorted(runs, sort)), tuple(notes))


def _check_some(runs: Sequence[StoredRun], asked: str, shelf: RunShelf) -> None:
    """Refuse a score that no run has, with the nearest that one has."""
    whole = [run for run in runs if not run.problem]
    if whole and all(run.score is None for run in whole):
        build(read_ledger(shelf.folder / whole[0].name))[asked]  # raises the error that names it


def _has(run: StoredRun, where: Mapping[str, str]) -> bool:
    return all(fnmatchcase(_value(run, name), _pattern(name, text)) for name, text in where.items())


def _pattern(name: str, text: str) -> str:
    # of a digest the first characters are enough
    return f"{text}*" if name == "gold" else text


def _value(run: StoredRun, name: str) -> str:
    """Return the tag of a run, or what it says itself under a name."""
    if name in run.tags:
        return run.tags[name]
    return str(getattr(run, name)) if name in ("model", "schema", "gold", "name") else ""


def _sorted(runs: Sequence[StoredRun], sort: str) -> list[StoredRun]:
    newest = sorted(runs, key=lambda run: (run.made, run.name), reverse=True)
    if sort == "made":
        return newest
    if sort == "name":
        return sorted(newest, key=lambda run: run.name)
    if sort == "documents":
        return sorted(newest, key=lambda run: -run.documents)
    if sort == "score":
        return sorted(newest, key=_by_score)
    if runs and not any(_value(run, sort) for run in runs):
        tags = {name for run in runs for name in run.tags}
        raise UnknownName("tag to sort by", sort, (*SORTS, *tags))
    return sorted(newest, key=lambda run: (not _value(run, sort), _value(run, sort)))


def _by_score(run: StoredRun) -> tuple[bool, float]:
    if run.score is None or run.score.value is None:
        return True, 0.0
    return False, run.score.value if run.score.lower_is_better else -run.score.value


def find_trend(
    score: str,
    folder: str | Path = ".",
    *,
    by: str | None = None,
    where: Mapping[str, str] | None = None,
) -> Trend:
    """Return how a score went over the runs below a folder, a series for each value of a tag."""
    listing = list_runs(folder, where=where, score=score)
    runs = [run for run in reversed(listing.runs) if run.score is not None]
    if not runs:
        raise DataError(
            f"no run has {score}", where=str(folder), hint="; ".join(listing.notes) or None
        )
    if by is not None and not any(_value(run, by) for run in runs):
        tags = {name for run in runs for name in run.tags}
        raise ConfigurationError(
            f"no run has the tag {by!r}",
            hint=f"tags: {', '.join(sorted(tags)) or 'none; docassay runs tag RUN name=value'}",
        )
    groups: dict[str, list[StoredRun]] = {}
    for run in runs:
        groups.setdefault("" if by is None else _value(run, by), []).append(run)
    series = tuple(TrendSeries(label, _points(groups[label])) for label in sorted(groups))
    notes = [*listing.notes, *_about_gold(series)]
    missing = sum(run.score is None and not run.problem for run in listing.runs)
    if missing:
        notes.append(f"{count(missing, 'run')} without {score} left out")
    address = runs[-1].score.address if runs[-1].score is not None else score
    return Trend(address, str(folder), by or "", series, tuple(notes))


def _points(runs: Sequence[StoredRun]) -> tuple[TrendPoint, ...]:
    points: list[TrendPoint] = []
    before: float | int | None = None
    for run in runs:
        assert run.score is not None  # runs without the score were left out
        value = run.score.value
        change = None if value is None or before is None else value - before
        points.append(TrendPoint(run, run.score, change))
        before = before if value is None else value
    return tuple(points)


def _about_gold(series: Sequence[TrendSeries]) -> Iterator[str]:
    """Yield a warning where a change of the score may come from other gold."""
    for label, points in series:
        digests = len({point.run.gold for point in points})
        if digests > 1:
            which = f"{label}: " if label else ""
            yield f"{which}the runs were scored against {digests} versions of gold"
