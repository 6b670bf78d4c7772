"""The correlation study: which readouts say the same thing, and which say something of their own.

A point is a document (of all runs together, and of each run) or, with three runs or more, a run.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.aggregate import build
from docassay.analysis.study.result import Correlation, CorrelationStudy
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.model.problem import Problem
from docassay.model.report import META_COLUMNS, DocumentLine, Report
from docassay.model.stats import mean
from docassay.run.ledger import Ledger, read_ledger

DOCUMENT = "document"
FEWEST = 3
"""Points below which a coefficient says nothing: two always lie on a line."""
FEW = 7
"""Points up to which every order is tried."""
ROUNDING = 1e-9

Floats = NDArray[np.float64]


class Coefficient(NamedTuple):
    """A correlation coefficient and its two-sided p-value."""

    value: float
    p: float


def correlate(one: Floats, other: Floats) -> Coefficient | None:
    """Return Pearson's coefficient of two columns, undefined when either is constant."""
    if len(one) < FEWEST or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    x, y = _standard(one), _standard(other)
    value = max(-1.0, min(1.0, float(x @ y)))
    return Coefficient(value, _p_by_orders(x, y) if len(x) <= FEW else _p_by_t(value, len(x)))


def ranks(values: Floats) -> Floats:
    """Return the rank of each value from 1, equal values sharing the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def _standard(values: Floats) -> Floats:
    """Return the values with mean 0 and length 1."""
    # scaled first, so that squares of tiny values do not vanish
    centred = values - values.mean()
    centred /= np.abs(centred).max()
    return np.asarray(centred / math.sqrt(float(centred @ centred)), dtype=np.float64)


def _p_by_orders(x: Floats, y: Floats) -> float:
    coefficients = np.abs(y[_orders(len(y))] @ x)
    return float(np.mean(coefficients >= abs(float(x @ y)) - ROUNDING))


@lru_cache(maxsize=FEW)
def _orders(size: int) -> NDArray[np.int64]:
    return np.array([*permutations(range(size))], dtype=np.int64)


def _p_by_t(value: float, points: int) -> float:
    from scipy.special import betainc  # imported late: most commands never need it

    return float(betainc((points - 2) / 2, 0.5, 1 - value * value))


Runs = Sequence[str | Path] | Mapping[str, Ledger]
"""Folders that `score` kept runs in, or ledgers by name."""
Point = Mapping[str, float | int | None]
"""The overall readouts of a document or of a run, by address."""


def correlation_study(
    runs: Runs, *, readouts: Sequence[str] | None = None, columns: Sequence[str | Path] = ()
) -> CorrelationStudy:
    """Correlate the overall readouts of stored runs, pair by pair.

    `readouts` are addresses (`kieval.aligned`, in short `aligned`) or metrics; without them, all
    that are no counts. `columns` are files with numbers from elsewhere, such as a person's
    judgement: a record a document (by its id), a document of one run (`run` beside it), or a run.
    """
    ledgers = _ledgers(runs)
    reports = {name: build(ledger) for name, ledger in ledgers.items()}
    outside = [read_columns(Path(file)) for file in columns]
    points = {
        name: [_with_columns(line, name, outside) for line in report.lines]
        for name, report in reports.items()
    }
    asked = None if readouts is None else [_whole(name, reports.values()) for name in readouts]
    own = {*META, *(column for source in outside for column in source.names)}
    chosen = _chosen([point for lines in points.values() for point in lines], asked, own)
    corpora = [
        _corpus(report, points[name], own, [source.by_run(name) for source in outside])
        for name, report in reports.items()
    ]
    return CorrelationStudy(
        runs=tuple(points),
        documents=sum(map(len, points.values())),
        readouts=chosen,
        pairs=tuple(_all_pairs(points, corpora, chosen)),
        notes=(*_notes(ledgers), *(note for source in outside for note in source.notes(reports))),
    )


META = {f"prediction.{name}": name for name in META_COLUMNS}
"""What predictions carry, by the name under which it is correlated."""


class OutsideColumns(NamedTuple):
    """Numbers from elsewhere, by run ("" for any) and document ("" for a run as a whole)."""

    file: Path
    names: tuple[str, ...]
    numbers: Mapping[tuple[str, str], Point]
    texts: tuple[str, ...]
    """Columns that hold no number."""

    def of(self, run: str, document: str) -> Point:
        """Return the numbers of a document; those of its run go before those for any."""
        keys = (("", document), (Path(run).name, document), (run, document))
        return {name: value for key in keys for name, value in self.numbers.get(key, {}).items()}

    def by_run(self, run: str) -> Point:
        """Return the numbers of a run as a whole."""
        return self.of(run, "")

    def notes(self, reports: Mapping[str, Report]) -> Iterator[str]:
        """Yield what of the file takes no part."""
        if self.texts:
            yield f"{self.file}: no numbers in {', '.join(self.texts)}"
        documents = {line.id for report in reports.values() for line in report.lines}
        strange = sorted({document for _, document in self.numbers if document} - documents)
        if strange:
            first = ", ".join(strange[:3])
            yield f"{self.file}: {len(strange):,} documents are in no run: {first}"
        runs = {name for run in reports for name in ("", run, Path(run).name)}
        others = sorted({run for run, _ in self.numbers} - runs)
        if others:
            yield f"{self.file}: not among the runs: {', '.join(others)}"


def read_columns(file: Path) -> OutsideColumns:
    """Read a file of any format that has a number of its own for documents or runs."""
    from docassay.run.open import open_source

    numbers: dict[tuple[str, str], Point] = {}
    names: dict[str, bool] = {}
    for item in open_source(file).records:
        if isinstance(item, Problem):
            raise DataError(item.message, where=item.where or str(file))
        tree = dict(item.tree) if isinstance(item.tree, Mapping) else {}
        # what a document took or cost is kept beside its tree
        cells = {**tree, **item.meta}
        run = str(cells.pop("run", ""))
        # tables of a run call the id so
        document = item.id if item.id is not None else str(cells.pop(DOCUMENT, ""))
        if not document and not run:
            raise DataError(
                "has neither an id nor a run", where=item.where, hint="name a column id"
            )
        key = (run, document)
        if key in numbers:
            raise DataError(f"document {document!r} of run {run!r} stands twice", where=item.where)
        values = {f"{file.stem}.{name}": _number(cell) for name, cell in cells.items()}
        numbers[key] = {name: value for name, value in values.items() if value is not None}
        for name, value in values.items():
            names[name] = names.get(name, False) or value is not None
    if not any(names.values()):
        raise DataError("has no column of numbers", where=str(file))
    return OutsideColumns(
        file,
        tuple(name for name, numeric in names.items() if numeric),
        numbers,
        tuple(name for name, numeric in names.items() if not numeric),
    )


def _number(cell: object) -> float | None:
    if isinstance(cell, bool):
        return float(cell)
    if not isinstance(cell, int | float | str):
        return None
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _with_columns(line: DocumentLine, run: str, outside: Sequence[OutsideColumns]) -> Point:
    """Return the readouts of a document with what predictions carry and what files add."""
    carried = {
        name: value
        for name, column in META.items()
        if isinstance(value := line.meta.get(column), int | float)
    }
    added = [source.of(run, line.id) for source in outside]
    return {**line.scores, **carried, **{k: v for point in added for k, v in point.items()}}


def _whole(name: str, reports: Iterable[Report]) -> str:
    """Return the address that a name is short for in one of the reports, or the name itself."""
    addresses = (report.whole(name) for report in reports)
    return next((address for address in addresses if address != name), name)


def _ledgers(runs: Runs) -> dict[str, Ledger]:
    if isinstance(runs, Mapping):
        ledgers = dict(runs)
    else:
        homes = [Path(run).resolve() for run in runs]
        for place, home in enumerate(homes):
            if home in homes[:place]:
                raise ConfigurationError(f"run {str(runs[place])!r} is given twice")
        ledgers = {str(run): read_ledger(Path(run)) for run in runs}
    if not ledgers:
        raise ConfigurationError("no run was given", hint="score with --out writes one")
    return ledgers


def _notes(ledgers: Mapping[str, Ledger]) -> tuple[str, ...]:
    plans = {ledger.header.plan.to_json() for ledger in ledgers.values()}
    if len(plans) == 1:
        return ()
    return ("the runs differ in schema, metrics or settings: one name may mean several things",)


def _corpus(
    report: Report, points: Sequence[Point], outside: Iterable[str], given: Sequence[Point]
) -> Point:
    """Return the overall readouts of a run; of columns what is given for it, else their mean."""
    scores = {
        score.address: score.value for score in report.scores if not score.key and not score.slice
    }
    means = {name: mean([point.get(name) for point in points]) for name in outside}
    return {**scores, **means, **{k: v for point in given for k, v in point.items()}}


def _chosen(
    points: Sequence[Point], asked: Sequence[str] | None, outside: Collection[str]
) -> tuple[str, ...]:
    """Return the readouts asked for, or all that are a share or a rate, and columns."""
    names = [*dict.fromkeys(name for point in points for name in point)]
    names += [name for name in outside if name not in names and name not in META]
    if asked is None:
        counts = {name for point in points for name in names if isinstance(point.get(name), int)}
        counts -= {*outside}
        chosen = [name for name in names if name not in counts]
    else:
        metrics = {name.partition(".")[0] for name in names}
        for name in asked:
            if name not in names and name not in metrics:
                raise UnknownName("readout", name, {*names, *metrics})
        wanted = {*asked, *(name for name in outside if name not in META)}
        chosen = [name for name in names if {name, name.partition(".")[0]} & wanted]
    if len(chosen) < 2:
        raise ConfigurationError(
            f"{chosen[0] if chosen else 'no readout'} has nothing to correlate with",
            hint="choose two readouts or more, or score with more metrics",
        )
    return tuple(chosen)


def _all_pairs(
    points: Mapping[str, Sequence[Point]], corpora: Sequence[Point], names: Sequence[str]
) -> Iterator[Correlation]:
    yield from _pairs("documents", "", [line for lines in points.values() for line in lines], names)
    if len(points) > 1:
        for run, lines in points.items():
            measured = [name for name in names if any(name in line for line in lines)]
            yield from _pairs("run", run, lines, measured)
    if len(points) >= FEWEST:
        yield from _pairs("runs", "", corpora, names)


def _pairs(
    scope: str, run: str, points: Sequence[Point], names: Sequence[str]
) -> Iterator[Correlation]:
    columns = _Columns(points, names)
    for first, second in combinations(names, 2):
        both = columns.defined[first] & columns.defined[second]
        amount = int(both.sum())
        pearson = correlate(columns.values(first, both), columns.values(second, both))
        if pearson is None:
            why = _why(columns, first, second, both)
            yield Correlation(scope, run, first, second, amount, None, None, None, None, why)
            continue
        spearman = correlate(columns.ranks(first, both), columns.ranks(second, both))
        assert spearman is not None  # ranks vary where values do
        yield Correlation(scope, run, first, second, amount, *pearson, *spearman)


def _why(columns: _Columns, first: str, second: str, both: NDArray[np.bool_]) -> str:
    if int(both.sum()) < FEWEST:
        return f"both are defined for fewer than {FEWEST}"
    still = [name for name in (first, second) if np.ptp(columns.values(name, both)) == 0]
    return f"constant: {', '.join(still)}"


class _Columns:
    """Readouts as arrays; ranks are kept, since most pairs are defined for the same points."""

    def __init__(self, points: Sequence[Point], names: Sequence[str]) -> None:
        self._values: dict[str, Floats] = {}
        self.defined: dict[str, NDArray[np.bool_]] = {}
        self._ranks: dict[tuple[str, bytes], Floats] = {}
        for name in names:
            column = [point.get(name) for point in points]
            self.defined[name] = np.array([number is not None for number in column], dtype=np.bool_)
            self._values[name] = np.array(
                [0 if number is None else number for number in column], dtype=np.float64
            )

    def values(self, name: str, where: NDArray[np.bool_]) -> Floats:
        return self._values[name][where]

    def ranks(self, name: str, where: NDArray[np.bool_]) -> Floats:
        key = (name, where.tobytes())
        if key not in self._ranks:
            self._ranks[key] = ranks(self.values(name, where))
        return self._ranks[key]
