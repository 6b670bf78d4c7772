"""The table of a few-shot benchmark: means over seeds, and over the tasks of a family.

A task's number is the mean over its seeds. Where a column stands for several tasks (the three of
single templates), its number is the plain mean of the tasks' numbers. The standard deviation tells
what chance in choosing training documents does to that number: for each seed that all tasks have,
the mean over tasks is taken, and the deviation is that of these means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import stdev

from docassay.model.benchmark import READOUTS, Cell, FileScore, Spread
from docassay.model.stats import mean
from docassay.splits.name import FAMILIES, SplitName

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
    found: dict[Key, list[FileScore]] = {}
    for one in files:
        key = (one.metric, one.model, one.dataset, kind(one), one.train_size)
        found.setdefault(key, []).append(one)
    cells = [_cell(group, expected[key[2:]]) for key, group in found.items()]
    return tuple(sorted(cells, key=_order))


def _cell(files: Sequence[FileScore], expected: Sequence[SplitName]) -> Cell:
    by_task: dict[str, dict[int, FileScore]] = {}
    for one in files:
        by_task.setdefault(one.task, {})[one.seed] = one
    tasks = tuple(sorted(by_task))
    common = set.intersection(*({*by_task[task]} for task in tasks))
    seeds = tuple(sorted(common))
    first = files[0]
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
        scores={readout: _spread(by_task, seeds, readout) for readout in READOUTS},
    )


def _spread(
    by_task: Mapping[str, Mapping[int, FileScore]], seeds: Sequence[int], readout: str
) -> Spread:
    def value(one: FileScore) -> float | None:
        found: float | None = getattr(one, readout)
        return found

    over_seeds = [mean(map(value, runs.values())) for runs in by_task.values()]
    by_seed = [mean(value(runs[seed]) for runs in by_task.values()) for seed in seeds]
    defined = [one for one in by_seed if one is not None]
    return Spread(mean(over_seeds), stdev(defined) if len(defined) > 1 else None)


def _order(cell: Cell) -> tuple[object, ...]:
    known = [*FAMILIES]
    rank = known.index(cell.family) if cell.family in known else len(known)
    return (cell.metric, cell.dataset, cell.model, rank, cell.family, cell.tasks, cell.train_size)
