"""The VRDU benchmark: every prediction file of a folder, scored on the test documents of its split.

A data set is read once, and of its documents only those are kept that some file is tested on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from docassay.aggregate.build import build
from docassay.errors import DataError
from docassay.ledger import Header, Ledger
from docassay.load import FORMATS, Record
from docassay.load.files import read_bytes
from docassay.load.pairs import Paired
from docassay.load.vrdu import PREDICTIONS, meta_file
from docassay.model.benchmark import READOUTS, BenchmarkStudy, FileScore
from docassay.model.document import Problem
from docassay.model.report import Report
from docassay.plan import Bound
from docassay.prepare import open_source, prepare, schema_of
from docassay.run.serial import run
from docassay.splits.file import read_split
from docassay.splits.name import SplitName
from docassay.study.vrdu_files import (
    DataSet,
    PredictionFile,
    data_sets,
    divided,
    flaw_of,
    planned_splits,
    prediction_files,
)
from docassay.study.vrdu_table import family_cells, task_cells

METRIC, OFFICIAL = "vrdu", "vrdu_official"
FORMAT = "vrdu"
MISSED = "has no prediction; all its values count as missed"
EXTRA = "is not a test document of the split and is not scored"


def vrdu_study(
    dataset: str | Path,
    predictions: str | Path,
    *,
    official: bool = False,
    settings: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> BenchmarkStudy:
    """Score all prediction files below a folder; `out` keeps tables and charts.

    `dataset` is the folder of a data set, or one that holds several. `official` adds the numbers
    of the released toolkit, and `progress` is told how many files are done.
    """
    problems: list[Problem] = []
    found = data_sets(Path(dataset))
    planned = [*planned_splits(found, problems)]
    waiting = [*prediction_files(Path(predictions), problems)]
    metrics = (METRIC, OFFICIAL) if official else (METRIC,)
    scores: list[FileScore] = []
    signatures: dict[str, str] = {}
    notes: list[str] = []
    for one in found:
        mine, waiting = divided(waiting, one, problems)
        if not mine:
            continue
        schema, told = schema_of(None, one.folder)
        notes += [f"{one.folder.name}: {note}" for note in told]
        bound = prepare(schema=schema, metrics=metrics, settings=settings)
        for file, report, absent in _reports(one, mine, bound, problems):
            signatures[file.name.dataset] = report.signature
            scores += [_score(file, report, metric, absent) for metric in metrics]
            if progress is not None:
                progress(len(scores) // len(metrics))
    problems += [flaw_of("is left out: no data set has its split", one.path) for one in waiting]
    if not scores:
        raise _nothing(Path(predictions), problems)
    notes += _unpredicted(planned, scores)
    study = BenchmarkStudy(
        signatures=signatures,
        families=family_cells(scores, planned),
        tasks=task_cells(scores, planned),
        files=tuple(sorted(scores, key=lambda one: one[:7])),
        problems=tuple(problems),
        notes=tuple(dict.fromkeys(notes)),
    )
    if out is not None:
        from docassay.report.vrdu import write_benchmark

        study = replace(study, notes=(*study.notes, *write_benchmark(Path(out), study)))
    return study


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
            problems.append(flaw_of(message, file.path))
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
    for item in open_source(folder, format=FORMAT).records:
        if isinstance(item, Problem):
            if not item.document or item.document in wanted:
                problems.append(item._replace(side="gold"))
        elif item.id in golds:
            message = "the file name stands twice; the first is kept"
            problems.append(Problem(item.id, "gold", "", message, item.where))
        elif item.id in wanted:
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
    problems += [
        Problem(one.id, "pred", "", MISSED, str(path)) for one in pairs if one.pred is None
    ]
    problems += [Problem(id, "pred", "", EXTRA, str(path)) for id in sorted({*preds} - {*test})]
    outcome = run(pairs, bound)
    ledger = Ledger(Header(bound.signature, bound.plan, {}), outcome.rows)
    return build(ledger, problems=(*problems, *outcome.problems))


def _preds(path: Path, bound: Bound, meta: Path | None) -> tuple[dict[str, Record], list[Problem]]:
    """Return the predictions of a file, of which there may be none, and what is wrong with it."""
    if not read_bytes(path).strip():
        raise DataError("it is empty")
    told = next((call.options for call in bound.plan.formats if call.name == FORMAT), {})
    own = {} if meta is None else {"meta": str(meta)}
    entry = FORMATS.get(FORMAT)
    preds: dict[str, Record] = {}
    problems: list[Problem] = []
    for item in entry.function(path, **entry.check({**own, **told})):
        if isinstance(item, Problem):
            problems.append(item._replace(side="pred"))
        else:
            preds[str(item.id)] = item
    return preds, problems


def _score(file: PredictionFile, report: Report, metric: str, absent: int) -> FileScore:
    values = {one.readout: one.value for one in report.of(metric, key="")}
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
        unpredicted=sum(one.message == MISSED for one in report.problems),
        problems=len(report.problems),
        **{readout: values.get(readout) for readout in READOUTS},
        file=file.path.name,
    )


def _unpredicted(planned: Sequence[SplitName], scores: Sequence[FileScore]) -> list[str]:
    """Say how many splits no prediction file is for."""
    done = {(one.dataset, one.task, one.train_size, one.seed) for one in scores}
    lost = [one for one in planned if (one.dataset, one.task, one.train_size, one.seed) not in done]
    return [f"{len(lost)} of {len(planned)} splits have no predictions"] if lost else []


def _nothing(folder: Path, problems: Sequence[Problem]) -> DataError:
    first = f"; the first of {len(problems)} problems: {problems[0].message}" if problems else ""
    return DataError(
        f"holds no prediction file that can be scored{first}",
        where=str(folder),
        hint=f"files are named Dataset-task-train_N-test_N-valid_N-SD_k{PREDICTIONS}",
    )
