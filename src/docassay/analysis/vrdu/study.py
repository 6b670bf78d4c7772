"""The table of a few-shot benchmark: means over seeds, and over the tasks of a family.

A task's number is the mean over its seeds. Where a column stands for several tasks (the three of
single templates), its number is the plain mean of the tasks' numbers. The standard deviation tells
what chance in choosing training documents does to that number: for each seed that all tasks have,
the mean over tasks is taken, and the deviation is that of these means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import stdev, variance
from typing import NamedTuple

from docassay.analysis.aggregate import build
from docassay.analysis.splits.file import FAMILIES, SplitName, decode, read_split, split_files
from docassay.analysis.vrdu.result import (
    READOUTS,
    BenchmarkGap,
    BenchmarkStudy,
    Cell,
    FileScore,
    Spread,
)
from docassay.errors import DataError
from docassay.load.files import existing, files, read_bytes
from docassay.load.format import FORMATS, Record
from docassay.load.formats.vrdu import MAIN, PREDICTIONS, SPLITS, dataset_file, meta_file
from docassay.load.pairing import Paired, no_prediction
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import Report
from docassay.model.stats import mean
from docassay.run.engines.serial import run
from docassay.run.ledger import Header, Ledger
from docassay.run.open import plan_run
from docassay.run.options import Options
from docassay.run.plan import Bound


class PredictionFile(NamedTuple):
    """A prediction file: the model it is of, and what its name says."""

    path: Path
    model: str
    name: SplitName
    split: Path = Path()
    """The split's file, once a data set that has it is found."""


class DataSet(NamedTuple):
    """A data set: its folder, and its splits."""

    folder: Path
    splits: Mapping[str, Path]
    """Split files by their names."""


def data_sets(root: Path) -> list[DataSet]:
    """Return the data set of a folder, or those of the folders in it."""
    if dataset_file(existing(root)) is not None:
        folders = [root.parent if root.name == MAIN else root]
    else:
        inner = sorted(root.iterdir()) if root.is_dir() else []
        folders = [place for place in inner if place.is_dir() and dataset_file(place) is not None]
    if not folders:
        raise DataError(
            "holds no data set in the layout of VRDU",
            where=str(root),
            hint="main/dataset.jsonl, main/meta.json and few_shot-splits/",
        )
    return [
        DataSet(folder, split_files(folder / SPLITS) if (folder / SPLITS).is_dir() else {})
        for folder in folders
    ]


def planned_splits(data_sets: Sequence[DataSet], problems: list[Problem]) -> Iterator[SplitName]:
    """Yield the names of all splits; a file that is none is a problem."""
    for data_set in data_sets:
        if not data_set.splits:
            problems.append(
                flaw_of(f"has no splits in {SPLITS}/", data_set.folder, ProblemCode.SPLIT)
            )
        for name, path in data_set.splits.items():
            try:
                yield decode(name)
            except DataError as error:
                problems.append(flaw_of(error.what, path, ProblemCode.SPLIT))


def prediction_files(folder: Path, problems: list[Problem]) -> Iterator[PredictionFile]:
    """Yield every prediction file with its model and what its name says."""
    for path in files(folder, (".json",)):
        below = path.relative_to(folder).parent if path != folder else Path()
        model = "" if below == Path() else below.as_posix()
        if not path.name.endswith(PREDICTIONS):
            problems.append(flaw_of(f"is left out: its name does not end in {PREDICTIONS}", path))
            continue
        try:
            yield PredictionFile(path, model, decode(path.name.removesuffix(PREDICTIONS)))
        except DataError as error:
            problems.append(flaw_of(f"is left out: {error.what}", path))


def divided(
    waiting: Sequence[PredictionFile], data_set: DataSet, problems: list[Problem]
) -> tuple[list[PredictionFile], list[PredictionFile]]:
    """Return the prediction files whose split this data set has, and the others.

    What a file's name says beyond that of its split is a model, as its folder is.
    """
    own_files: dict[tuple[str, Path], PredictionFile] = {}
    others: list[PredictionFile] = []
    for file in waiting:
        whole, bare = file.path.name.removesuffix(PREDICTIONS), str(file.name)
        if whole in data_set.splits:
            entry = file._replace(split=data_set.splits[whole])
        elif bare in data_set.splits:
            rest = whole.removeprefix(bare)
            model = "/".join(filter(None, (file.model, rest.lstrip("-") or rest)))
            entry = file._replace(model=model, split=data_set.splits[bare])
        else:
            others.append(file)
            continue
        first = own_files.setdefault((entry.model, entry.split), entry)
        if first is not entry:
            message = f"is left out: model {entry.model!r} has this split in {first.path} too"
            problems.append(flaw_of(message, file.path))
    return [*own_files.values()], others


def flaw_of(message: str, where: Path, code: ProblemCode = ProblemCode.UNREAD_FILE) -> Problem:
    """Return a problem of a file as a whole."""
    return Problem(code, "", "", "", message, str(where))


METRIC, OFFICIAL = "vrdu", "vrdu_official"
FORMAT = "vrdu"
EXTRA = "is not a test document of the split and is not scored"


def vrdu_study(
    dataset: str | Path,
    predictions: str | Path,
    *,
    official: bool = False,
    settings: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> BenchmarkStudy:
    """Score all prediction files below a folder.

    `dataset` is the folder of a data set, or one that holds several. `official` adds the numbers
    of the released toolkit, and `progress` is told how many files are done.
    """
    problems: list[Problem] = []
    available = data_sets(Path(dataset))
    planned = [*planned_splits(available, problems)]
    waiting = [*prediction_files(Path(predictions), problems)]
    metrics = (METRIC, OFFICIAL) if official else (METRIC,)
    scores: list[FileScore] = []
    signatures: dict[str, str] = {}
    notes: list[str] = []
    options = Options(metrics=metrics, settings=settings, gold_format=FORMAT, pred_format=FORMAT)
    for data_set in available:
        own_files, waiting = divided(waiting, data_set, problems)
        if not own_files:
            continue
        # each file of predictions has its own split, so none is taken from a name here
        run_plan = plan_run(data_set.folder, (), options)
        notes += [f"{data_set.folder.name}: {note}" for note in run_plan.notes]
        for file, report, absent in _reports(data_set, own_files, run_plan.bound, problems):
            signatures[file.name.dataset] = report.signature
            scores += [_score(file, report, metric, absent) for metric in metrics]
            if progress is not None:
                progress(len(scores) // len(metrics))
    problems += [flaw_of("is left out: no data set has its split", stray.path) for stray in waiting]
    if not scores:
        raise _nothing(Path(predictions), problems)
    notes += _unpredicted(planned, scores)
    families = family_cells(scores, planned)
    return BenchmarkStudy(
        signatures=signatures,
        families=families,
        tasks=task_cells(scores, planned),
        gaps=tuple(gaps(families)),
        files=tuple(sorted(scores, key=lambda score: score[:7])),
        problems=tuple(problems),
        notes=tuple(dict.fromkeys(notes)),
    )


def _reports(
    data_set: DataSet, mine: Sequence[PredictionFile], bound: Bound, problems: list[Problem]
) -> Iterator[tuple[PredictionFile, Report, int]]:
    """Yield each file that can be scored, its report, and how many documents gold lacks."""
    tests: dict[Path, tuple[str, ...]] = {}
    for file in mine:
        try:
            tests[file.path] = read_split(file.split, file.name).test
        except DataError as error:
            problems.append(flaw_of(f"is left out: its split {error.what}", file.path))
    golds = _golds(data_set.folder, {id for test in tests.values() for id in test}, problems)
    for file in mine:
        if file.path not in tests:
            continue
        test = [*dict.fromkeys(tests[file.path])]
        lost = sorted({*test} - golds.keys())
        if lost:
            named = ", ".join(lost[:3]) + (", ..." if lost[3:] else "")
            message = f"{len(lost)} test documents of its split are not in the data set: {named}"
            problems.append(flaw_of(message, file.path, ProblemCode.SPLIT))
        try:
            report = _report(file.path, test, golds, bound, meta_file(data_set.folder))
        except DataError as error:
            problems.append(flaw_of(f"is left out: {error.what}", file.path))
            continue
        problems += report.problems
        yield file, report, len(lost)


def _golds(folder: Path, wanted: set[str], problems: list[Problem]) -> dict[str, Record]:
    """Read a data set and keep the documents that are tested on."""
    golds: dict[str, Record] = {}
    if not wanted:
        return golds
    entry = FORMATS.get(FORMAT)
    for item in entry.function(folder, **entry.check({"wanted": dict.fromkeys(wanted)})):
        if isinstance(item, Problem):
            problems.append(item._replace(side="gold"))
        elif item.id in golds:
            message = "the file name occurs twice; the first is kept"
            problems.append(
                Problem(ProblemCode.DUPLICATE_ID, item.id, "gold", "", message, item.where)
            )
        elif item.id is not None:
            golds[item.id] = item
    return golds


def _report(
    path: Path, test: Sequence[str], golds: Mapping[str, Record], bound: Bound, meta: Path | None
) -> Report:
    """Return the report of a prediction file; documents without prediction count as missed."""
    preds, problems = _preds(path, bound, meta)
    pairs = [Paired(id, golds[id], preds.get(id)) for id in test if id in golds]
    if not pairs:
        raise DataError("its split has no test document to score")
    problems += [no_prediction(pair.id, str(path)) for pair in pairs if pair.pred is None]
    problems += [
        Problem(ProblemCode.NO_GOLD, id, "pred", "", EXTRA, str(path))
        for id in sorted({*preds} - {*test})
    ]
    outcome = run(pairs, bound)
    ledger = Ledger(Header(bound.signature, bound.plan, {}), outcome.rows)
    return build(ledger, problems=(*problems, *outcome.problems))


def _preds(path: Path, bound: Bound, meta: Path | None) -> tuple[dict[str, Record], list[Problem]]:
    """Return the predictions of a file, of which there may be none, and what is wrong with it."""
    if not read_bytes(path).strip():
        raise DataError("it is empty")
    options = next((call.options for call in bound.plan.formats if call.name == FORMAT), {})
    own = {} if meta is None else {"meta": str(meta)}
    entry = FORMATS.get(FORMAT)
    preds: dict[str, Record] = {}
    problems: list[Problem] = []
    for item in entry.function(path, **entry.check({**own, **options})):
        if isinstance(item, Problem):
            problems.append(item._replace(side="pred"))
        else:
            preds[str(item.id)] = item
    return preds, problems


def _score(file: PredictionFile, report: Report, metric: str, absent: int) -> FileScore:
    values = {score.readout: score.value for score in report.of(metric, key="")}
    return FileScore(
        metric=metric,
        model=file.model,
        dataset=file.name.dataset,
        family=file.name.family,
        task=file.name.task,
        train_size=file.name.train_size,
        seed=file.name.seed,
        documents=report.documents,
        absent=absent,
        unpredicted=sum(problem.code == ProblemCode.NO_PREDICTION for problem in report.problems),
        problems=len(report.problems),
        **{readout: values.get(readout) for readout in READOUTS},
        file=file.path.name,
    )


def _unpredicted(planned: Sequence[SplitName], scores: Sequence[FileScore]) -> list[str]:
    """Say how many splits no prediction file is for."""
    done = {(score.dataset, score.task, score.train_size, score.seed) for score in scores}
    lost = [job for job in planned if (job.dataset, job.task, job.train_size, job.seed) not in done]
    return [f"{len(lost)} of {len(planned)} splits have no predictions"] if lost else []


def _nothing(folder: Path, problems: Sequence[Problem]) -> DataError:
    first = f"; the first of {len(problems)} problems: {problems[0].message}" if problems else ""
    return DataError(
        f"holds no prediction file that can be scored{first}",
        where=str(folder),
        hint=f"files are named Dataset-task-train_N-test_N-valid_N-SD_k{PREDICTIONS}",
    )


Key = tuple[str, str, str, str, int]
"""Metric, model, data set, family or task, training size."""


def family_cells(files: Iterable[FileScore], planned: Iterable[SplitName]) -> tuple[Cell, ...]:
    """Return a cell for each family of tasks and training size."""
    return _cells(files, planned, lambda one: one.family)


def task_cells(files: Iterable[FileScore], planned: Iterable[SplitName]) -> tuple[Cell, ...]:
    """Return a cell for each task and training size."""
    return _cells(files, planned, lambda one: one.task)


def _cells(
    files: Iterable[FileScore],
    planned: Iterable[SplitName],
    kind: Callable[[FileScore | SplitName], str],
) -> tuple[Cell, ...]:
    expected: dict[tuple[str, str, int], list[SplitName]] = {}
    for name in planned:
        expected.setdefault((name.dataset, kind(name), name.train_size), []).append(name)
    groups: dict[Key, list[FileScore]] = {}
    for file in files:
        key = (file.metric, file.model, file.dataset, kind(file), file.train_size)
        groups.setdefault(key, []).append(file)
    cells = [_cell(group, expected[key[2:]]) for key, group in groups.items()]
    return tuple(sorted(cells, key=_order))


def _cell(files: Sequence[FileScore], expected: Sequence[SplitName]) -> Cell:
    by_task: dict[str, dict[int, FileScore]] = {}
    for file in files:
        by_task.setdefault(file.task, {})[file.seed] = file
    tasks = tuple(sorted(by_task))
    common = set.intersection(*({*by_task[task]} for task in tasks))
    seeds = tuple(sorted(common))
    first = files[0]
    by_seed = {readout: _by_seed(by_task, seeds, readout) for readout in READOUTS}
    return Cell(
        metric=first.metric,
        model=first.model,
        dataset=first.dataset,
        family=first.family,
        tasks=tasks,
        planned_tasks=len({name.task for name in expected}),
        train_size=first.train_size,
        seeds=seeds,
        files=sum(map(len, by_task.values())),
        planned_files=len({(name.task, name.seed) for name in expected}),
        scores={readout: _spread(by_task, by_seed[readout], readout) for readout in READOUTS},
        by_seed=by_seed,
    )


def _value(score: FileScore, readout: str) -> float | None:
    number: float | None = getattr(score, readout)
    return number


def _by_seed(
    by_task: Mapping[str, Mapping[int, FileScore]], seeds: Sequence[int], readout: str
) -> tuple[float, ...]:
    means = (mean(_value(runs[seed], readout) for runs in by_task.values()) for seed in seeds)
    return tuple(score for score in means if score is not None)


def _spread(
    by_task: Mapping[str, Mapping[int, FileScore]], by_seed: Sequence[float], readout: str
) -> Spread:
    over_seeds = [
        mean(_value(score, readout) for score in runs.values()) for runs in by_task.values()
    ]
    return Spread(mean(over_seeds), stdev(by_seed) if len(by_seed) > 1 else None)


UNSEEN = ("MTL", "UTL")
"""Templates that were trained on, and templates that were not."""


def gaps(cells: Sequence[Cell]) -> Iterator[BenchmarkGap]:
    """Yield what unseen templates take away, by size, and what each next size adds, by family."""
    groups: dict[tuple[str, str, str], dict[tuple[str, int], Cell]] = {}
    for cell in cells:
        group = groups.setdefault((cell.metric, cell.dataset, cell.model), {})
        group[cell.family, cell.train_size] = cell
    for group in groups.values():
        sizes = sorted({size for _, size in group})
        for size in sizes:
            first, second = (group.get((family, size)) for family in UNSEEN)
            if first is not None and second is not None:
                yield from _gaps(first, second, " - ".join(UNSEEN), f"train {size}")
        for family in dict.fromkeys(family for family, _ in group):
            own = [size for size in sizes if (family, size) in group]
            for less, more in pairwise(own):
                pair = (group[family, more], group[family, less])
                yield from _gaps(*pair, f"{more} - {less}", family)


def _gaps(first: Cell, second: Cell, what: str, where: str) -> Iterator[BenchmarkGap]:
    for readout in READOUTS:
        high, low = first.scores[readout].mean, second.scores[readout].mean
        if high is None or low is None:
            continue
        half = _welch(first.by_seed[readout], second.by_seed[readout])
        gap = high - low
        yield BenchmarkGap(
            *(first.metric, first.model, first.dataset, what, where, readout, gap),
            *((None, None) if half is None else (gap - half, gap + half)),
        )


def _welch(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return half of Welch's 95 % interval of the difference of two means."""
    if min(len(first), len(second)) < 2:
        return None
    parts = [variance(values) / len(values) for values in (first, second)]
    if not sum(parts):
        return 0.0
    squares = [
        part * part / (len(values) - 1) for part, values in zip(parts, (first, second), strict=True)
    ]
    from scipy.special import stdtrit

    return float(stdtrit(sum(parts) ** 2 / sum(squares), 0.975)) * sqrt(sum(parts))


def _order(cell: Cell) -> tuple[object, ...]:
    families = [*FAMILIES]
    rank = families.index(cell.family) if cell.family in families else len(families)
    return (cell.metric, cell.dataset, cell.model, rank, cell.family, cell.tasks, cell.train_size)
