"""Scores of several models on several data sets, as papers tabulate them.

Runs belong to one data set when they were scored against the same gold, document by document.
Within a data set the best model of a score is compared with every other by the paired test of
`paired`, and p is adjusted after Holm over the other models.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from docassay.analysis.aggregate import build
from docassay.analysis.comparable import SharedRuns, shared_runs
from docassay.analysis.compare import holm
from docassay.analysis.paired import PAIRED_DRAWS, PairedSample, paired_differences
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.metrics.metric import Context
from docassay.model.report import HIGHER, LOWER, SHARE, ReadoutSpec, Report, Score
from docassay.model.words import count, listed, number
from docassay.run.reopen import NamedRun
from docassay.version import VERSION

SHARES = (SHARE, "rate")
"""Units that are shown in percent where that is asked for."""
ORDERED, SHUFFLED = "ordered", "shuffled"
SAYS_NOTHING = ("gold", "golds", "labels", "truth", "ground_truth", "runs", "out", "output")
"""Names of files and folders that name no data set."""
_TERMS = re.compile(r"\s+([+-])\s+")
"""What joins two scores; names have no blanks beside their signs."""


class TableScore(NamedTuple):
    """A row of the table: a score, or a sum or difference of scores."""

    label: str
    """As it was asked for."""
    terms: tuple[tuple[int, str], ...]
    """Addresses with their signs."""
    better: str | None
    is_share: bool


class TableDataset(NamedTuple):
    """A data set: its name and how many documents it has."""

    name: str
    documents: int


class TableEntry(NamedTuple):
    """A score of one model on one data set."""

    model: str
    dataset: str
    order: str
    """ORDERED, SHUFFLED, or "" where nothing was shuffled."""
    score: str
    value: float | int | None
    low: float | None = None
    high: float | None = None
    best: bool = False
    """Whether no model has a better value on the data set."""
    p: float | None = None
    """Of the test against the best model, after Holm's correction; None where it was not tested."""
    differs: bool = False
    """Whether that p is at most alpha: it is significantly worse than the best."""


@dataclass(frozen=True, repr=False)
class Tabulation:
    """Scores by model and data set. Renderings show it and compute nothing."""

    models: tuple[str, ...]
    datasets: tuple[TableDataset, ...]
    orders: tuple[str, ...]
    scores: tuple[TableScore, ...]
    entries: tuple[TableEntry, ...]
    alpha: float
    notes: tuple[str, ...] = ()
    version: str = VERSION

    def entry(self, model: str, dataset: str, order: str, score: str) -> TableEntry | None:
        """Return one score, None where no run has it."""
        return next(
            (each for each in self.entries if each[:4] == (model, dataset, order, score)), None
        )

    def __repr__(self) -> str:
        """Return a line an entry, the best of each data set marked."""
        lines = [
            f"{', '.join(filter(None, (entry.score, entry.dataset, entry.order, entry.model)))}: "
            f"{number(entry.value)}{' (best)' if entry.best else ''}"
            for entry in self.entries
        ]
        sizes = f"{count(len(self.models), 'model')}, {count(len(self.datasets), 'data set')}"
        return listed(sizes, lines)


def tabulate_runs(
    runs: Sequence[NamedRun],
    *,
    scores: Sequence[str] | None = None,
    datasets: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
    shuffled: int = 0,
    alpha: float = 0.05,
    seed: int = 0,
    draws: int = PAIRED_DRAWS,
) -> Tabulation:
    """Return the scores of runs by model and data set.

    `scores` are addresses, or sums and differences of them such as `kieval.fp + kieval.fn`.
    `datasets` and `models` name runs; else names follow from folders (`DATASET/MODEL`), from gold,
    and from what predictions say of their model. `shuffled` also scores predictions with their
    blocks in another order, so many times, and tabulates the mean.
    """
    if not runs:
        raise ConfigurationError("there is no run to tabulate", hint="name run folders")
    if not 0 < alpha < 1:
        raise ConfigurationError(f"alpha of {alpha:g} decides nothing", hint="above 0, below 1")
    if shuffled < 0:
        raise ConfigurationError(f"{shuffled} repetitions shuffle nothing", hint="at least 1")
    groups = _groups(runs)
    names = _names(runs, groups, dict(datasets or {}), dict(models or {}))
    reports = [build(run.ledger, seed=seed) for run in runs]
    wanted = _scores(scores, reports)
    entries = [
        _entry(name, report, "" if not shuffled else ORDERED, score)
        for name, report in zip(names, reports, strict=True)
        for score in wanted
    ]
    rule = _TableRule(alpha, seed, draws)
    entries = _tested(runs, groups, names, wanted, entries, rule)
    if shuffled:
        entries += _shuffled_entries(runs, names, wanted, shuffled, seed)
    return Tabulation(
        tuple(dict.fromkeys(model for _, model in names)),
        tuple(
            dict.fromkeys(
                TableDataset(dataset, len(run.ledger.rows))
                for (dataset, _), run in zip(names, runs, strict=True)
            )
        ),
        (ORDERED, SHUFFLED) if shuffled else ("",),
        tuple(wanted),
        tuple(_marked(entries, wanted)),
        alpha,
        tuple(_notes(names, wanted, entries)),
    )


def _gold(run: NamedRun) -> str:
    """Return a digest of what a run was scored against."""
    digest = hashlib.blake2b(digest_size=16)
    for row in run.ledger.rows:
        digest.update(f"{row.id}\0{row.digest.partition('-')[0]}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


def _groups(runs: Sequence[NamedRun]) -> list[int]:
    """Return the number of each run's data set, in the order of runs."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(_gold(run), len(numbers)) for run in runs]


def _names(
    runs: Sequence[NamedRun],
    groups: Sequence[int],
    datasets: dict[str, str],
    models: dict[str, str],
) -> list[tuple[str, str]]:
    """Return the data set and the model of each run; names given come before all others."""
    given_datasets = _given(runs, datasets, "--dataset")
    given_models = _given(runs, models, "--model")
    guessed = _guessed_names(runs, groups)
    # a data set that was named for one run is named for all its runs
    by_group = {groups[at]: name for at, name in given_datasets.items()}
    names = [
        (
            given_datasets.get(at, by_group.get(groups[at], guessed[at][0])),
            given_models.get(at, guessed[at][1]),
        )
        for at in range(len(runs))
    ]
    taken: dict[tuple[str, str], NamedRun] = {}
    by_name: dict[str, int] = {}
    for name, run, group in zip(names, runs, groups, strict=True):
        if by_name.setdefault(name[0], group) != group:
            raise DataError(
                f"data set {name[0]!r} has two kinds of gold",
                where=run.name,
                hint="name one of them otherwise: --dataset RUN=NAME",
            )
        if name in taken:
            raise ConfigurationError(
                f"{taken[name].name} and {run.name} are both {name[1]!r} on {name[0]!r}",
                hint="name one of them: --model RUN=NAME or --dataset RUN=NAME",
            )
        taken[name] = run
    return names


def _given(runs: Sequence[NamedRun], names: Mapping[str, str], option: str) -> dict[int, str]:
    """Return names by the number of their run, which may be called by its folder or its name."""
    given: dict[int, str] = {}
    for key, name in names.items():
        places = [
            at
            for at, run in enumerate(runs)
            if key == run.name or (run.folder is not None and Path(key) == run.folder)
        ]
        if not places:
            raise UnknownName(f"run of {option}", key, [run.name for run in runs])
        given |= dict.fromkeys(places, name)
    return given


def _guessed_names(runs: Sequence[NamedRun], groups: Sequence[int]) -> list[tuple[str, str]]:
    """Return data sets and models as folders tell them, or gold and predictions."""
    homes = [run.folder if run.folder is not None else Path() for run in runs]
    if len({*groups}) > 1:
        homes = [home.absolute() if home.name else home for home in homes]
    parts = [home.parts[-2:] for home in homes]
    if all(len(part) == 2 for part in parts):
        for dataset, model in ((0, 1), (1, 0)):
            names = [(part[dataset], part[model]) for part in parts]
            if _tell_apart([name for name, _ in names], groups) and len({*names}) == len(names):
                return names
    golds = _gold_names(runs, groups)
    stated = [_model_said(run) for run in runs]
    names = [
        (gold, model or run.name) for gold, model, run in zip(golds, stated, runs, strict=True)
    ]
    if len({*names}) == len(names):
        return names
    return [(gold, run.name) for gold, run in zip(golds, runs, strict=True)]


def _gold_names(runs: Sequence[NamedRun], groups: Sequence[int]) -> list[str]:
    """Return what the gold of runs is called: its file or the folders around it, or a number."""
    records = [run.ledger.header.inputs.get("gold") for run in runs]
    paths = [Path(record.path) if record and record.path else Path() for record in records]
    for names in (
        [path.stem for path in paths],
        [path.parent.name for path in paths],
        [path.parent.parent.name for path in paths],
    ):
        if _tell_apart(names, groups):
            return names
    return [f"data set {group + 1}" for group in groups]


def _tell_apart(names: Sequence[str], groups: Sequence[int]) -> bool:
    """Return whether runs have the same name when they are of the same data set, and only then.

    A name that says no more than what it is a name of is none.
    """
    pairs = {*zip(names, groups, strict=True)}
    telling = all(name and name.lower() not in SAYS_NOTHING for name in names)
    return telling and len(pairs) == len({*names}) == len({*groups})


def _model_said(run: NamedRun) -> str:
    """Return the model that all predictions of a run name, "" where they do not agree."""
    names = {row.meta.get("model") for row in run.ledger.rows}
    (name,) = names if len(names) == 1 else ("",)
    return name if isinstance(name, str) else ""


def _scores(texts: Sequence[str] | None, reports: Sequence[Report]) -> list[TableScore]:
    """Return the scores asked for, by default the one that reports begin with."""
    if texts is None:
        first = reports[0]
        usual = [line.readout for line in first.headline][:1] or [
            score.name for score in first.scores if not score.key
        ]
        texts = usual[:1]
    return [_score(text, reports) for text in dict.fromkeys(texts)]


def _score(text: str, reports: Sequence[Report]) -> TableScore:
    first, *others = _TERMS.split(text.strip())
    terms = [(1, first)]
    terms += [
        (1 if sign == "+" else -1, name)
        for sign, name in zip(others[::2], others[1::2], strict=True)
    ]
    specs: list[ReadoutSpec] = []
    for _, name in terms:
        report = next((report for report in reports if name in report), reports[0])
        # raises an error that names what there is
        specs.append(report.specs[report[name].name])
    senses = {spec.better for spec in specs}
    signs = {sign for sign, _ in terms}
    (sense,) = senses if len(senses) == 1 else (None,)
    counted_wrong = all(spec.better in (None, LOWER) and spec.unit != SHARE for spec in specs)
    better = None if len(signs) > 1 else LOWER if counted_wrong and len(specs) > 1 else sense
    return TableScore(text.strip(), tuple(terms), better, all(s.unit in SHARES for s in specs))


def _value(report: Report, score: TableScore) -> float | int | None:
    total: float | int = 0
    for sign, name in score.terms:
        value = report[name].value if name in report else None
        if value is None:
            return None
        total += sign * value
    return total


def _entry(name: tuple[str, str], report: Report, order: str, score: TableScore) -> TableEntry:
    low = high = None
    if len(score.terms) == 1 and score.terms[0][1] in report:
        alone = report[score.terms[0][1]]
        low, high = alone.low, alone.high
    return TableEntry(name[1], name[0], order, score.label, _value(report, score), low, high)


def _shuffled_entries(
    runs: Sequence[NamedRun],
    names: Sequence[tuple[str, str]],
    wanted: Sequence[TableScore],
    repetitions: int,
    seed: int,
) -> list[TableEntry]:
    from docassay.analysis.study.shuffle import shuffled_reports
    from docassay.run.reopen import reopen

    entries = []
    for run, (dataset, model) in zip(runs, names, strict=True):
        if run.folder is None:
            raise ConfigurationError(
                "a run in memory cannot be scored again", where=run.name, hint="score with --out"
            )
        again = shuffled_reports(reopen(run.folder), repetitions=repetitions, seed=seed)
        for score in wanted:
            values = [_value(report, score) for report in again]
            defined = [value for value in values if value is not None]
            whole = len(defined) == len(values)
            # of equal values the mean is that value, to the last digit
            mean = defined[0] if whole and len({*defined}) == 1 else fmean(defined or [0.0])
            entries.append(
                TableEntry(model, dataset, SHUFFLED, score.label, mean if whole else None)
            )
    return entries


def _tested(
    runs: Sequence[NamedRun],
    groups: Sequence[int],
    names: Sequence[tuple[str, str]],
    wanted: Sequence[TableScore],
    entries: Sequence[TableEntry],
    rule: _TableRule,
) -> list[TableEntry]:
    """Return entries with p against the best of their data set, where it can be tested."""
    by_place = {(entry.dataset, entry.model, entry.score): entry for entry in entries}
    for group in dict.fromkeys(groups):
        places = [at for at, own in enumerate(groups) if own == group]
        if len(places) < 2:
            continue
        shared = shared_runs([runs[at] for at in places])
        dataset, models = names[places[0]][0], [names[at][1] for at in places]
        values = {
            score: [by_place[dataset, model, score.label].value for model in models]
            for score in wanted
        }
        for score, ps in _against_best(shared, values, rule).items():
            for at, p in ps.items():
                key = (dataset, models[at], score.label)
                by_place[key] = by_place[key]._replace(p=p, differs=p <= rule.alpha)
    return [*by_place.values()]


class _TableRule(NamedTuple):
    """What tests depend on."""

    alpha: float
    seed: int
    draws: int


def _against_best(
    shared: SharedRuns,
    values: Mapping[TableScore, Sequence[float | int | None]],
    rule: _TableRule,
) -> dict[TableScore, dict[int, float]]:
    """Return p of each run against the best by a score, after Holm's correction."""
    report = build(shared.ledgers[0])
    tasks: dict[TableScore, tuple[Score, int]] = {}
    for score, own in values.items():
        defined = [at for at, value in enumerate(own) if value is not None]
        if score.better is None or len(score.terms) > 1 or len(defined) < 2:
            continue
        address = score.terms[0][1]
        if address in report and not report[address].slice:
            sign = 1 if score.better == HIGHER else -1
            best = max(defined, key=lambda at: (sign * (own[at] or 0), -at))
            tasks[score] = (report[address], best)
    chosen = {(entry.metric, entry.readout, entry.key) for entry, _ in tasks.values()}
    rows = [ledger.rows for ledger in shared.ledgers]
    samples: dict[str, PairedSample] = {}
    for metric in shared.bound.metrics:
        if any(name == metric.name for name, _, _ in chosen):
            context = Context(len(rows[0]), shared.bound.plan.schema, metric.options)
            samples[metric.name] = PairedSample(
                metric, rows, context, wanted=_chosen(metric.name, chosen)
            )
    bests = dict.fromkeys(best for _, best in tasks.values())
    pairs = [(best, at) for best in bests for at in range(len(rows)) if at != best]
    drawn = paired_differences([*samples.values()], pairs, seed=rule.seed, draws=rule.draws)
    adjusted: dict[TableScore, dict[int, float]] = {}
    for score, (entry, best) in tasks.items():
        ps: dict[int, float] = {}
        for at in range(len(rows)):
            if at != best:
                tests = drawn[best, at][[*samples].index(entry.metric)]
                test = tests.get((entry.readout, entry.key))
                ps |= {} if test is None else {at: test.p}
        adjusted[score] = dict(zip(ps, holm([*ps.values()]), strict=True))
    return adjusted


def _chosen(metric: str, chosen: set[tuple[str, str, str]]) -> Callable[[str, str, int], bool]:
    return lambda name, key, _: (metric, name, key) in chosen


def _marked(entries: Sequence[TableEntry], wanted: Sequence[TableScore]) -> Iterator[TableEntry]:
    """Yield entries, those marked that no other model on their data set is better than."""
    senses = {score.label: score.better for score in wanted}
    best: dict[tuple[str, str, str], tuple[float, int]] = {}
    for entry in entries:
        sense = senses[entry.score]
        if entry.value is not None and sense is not None:
            place = (entry.dataset, entry.order, entry.score)
            worth = entry.value if sense == HIGHER else -entry.value
            top, models = best.get(place, (worth, 0))
            best[place] = (max(top, worth), models + 1)
    for entry in entries:
        top, models = best.get((entry.dataset, entry.order, entry.score), (0.0, 0))
        alone = models < 2 or entry.value is None
        worth = 0.0 if entry.value is None else float(entry.value)
        worth = worth if senses[entry.score] == HIGHER else -worth
        yield entry._replace(best=not alone and worth == top)


def _notes(
    names: Sequence[tuple[str, str]], wanted: Sequence[TableScore], entries: Sequence[TableEntry]
) -> Iterator[str]:
    models = {*(model for _, model in names)}
    datasets = {*(dataset for dataset, _ in names)}
    missing = len(models) * len(datasets) - len({*names})
    if missing:
        yield f"{missing} of {len(models) * len(datasets)} pairs of model and data set have no run"
    for score in wanted:
        if all(entry.value is None for entry in entries if entry.score == score.label):
            yield f"{score.label} is undefined everywhere"
