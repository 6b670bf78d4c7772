"""What a few-shot benchmark finds: a score a prediction file, and a table cell a task and size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from docassay.model.problem import Problem
from docassay.version import VERSION

READOUTS = ("micro_f1", "macro_f1", "unrepeated_f1", "hierarchical_f1")


class FileScore(NamedTuple):
    """The scores of one prediction file by one metric."""

    metric: str
    model: str
    """The folder of the file below that of all predictions, "" when there is none between."""
    dataset: str
    family: str
    task: str
    train_size: int
    seed: int
    documents: int
    """Test documents that were scored."""
    absent: int
    """Test documents that the data set does not have."""
    unpredicted: int
    """Test documents without a prediction, all of whose values count as missed."""
    problems: int
    micro_f1: float | None
    macro_f1: float | None
    unrepeated_f1: float | None
    hierarchical_f1: float | None
    file: str


class Spread(NamedTuple):
    """A mean, and the sample standard deviation over seeds; None with fewer than two of them."""

    mean: float | None
    deviation: float | None


class Cell(NamedTuple):
    """What the files of a task, or of a family of tasks, say together for one training size."""

    metric: str
    model: str
    dataset: str
    family: str
    tasks: tuple[str, ...]
    """The tasks that have files; the mean is over tasks, each task's over its seeds."""
    planned_tasks: int
    train_size: int
    seeds: tuple[int, ...]
    """The seeds that all of these tasks have, over which the deviation is taken."""
    files: int
    planned_files: int
    """The files that the splits of the data set ask for."""
    scores: Mapping[str, Spread]
    """By readout."""
    by_seed: Mapping[str, tuple[float, ...]] = MappingProxyType({})
    """By readout, the means over tasks of those seeds that have one."""

    @property
    def coverage(self) -> str:
        """How much of what is planned is there: `2 of 3 seeds`, or tasks and files."""
        if self.planned_tasks == 1:
            noun = "seed" if self.planned_files == 1 else "seeds"
            return f"{self.files} of {self.planned_files} {noun}"
        return (
            f"{len(self.tasks)} of {self.planned_tasks} tasks, "
            f"{self.files} of {self.planned_files} files"
        )


class BenchmarkGap(NamedTuple):
    """How much better the first of two cells of the table is than the second."""

    metric: str
    model: str
    dataset: str
    what: str
    """`MTL - UTL` at one training size, or `50 - 10` training documents of one family."""
    where: str
    """That training size, or that family."""
    readout: str
    difference: float
    low: float | None
    high: float | None
    """A 95 % interval over seeds; None unless both cells have two seeds or more."""


@dataclass(frozen=True, slots=True)
class BenchmarkStudy:
    """The table of a benchmark: cells of families, cells of tasks, and the files behind them."""

    signatures: Mapping[str, str]
    """By data set, what the numbers depend on besides the data."""
    families: tuple[Cell, ...]
    tasks: tuple[Cell, ...]
    gaps: tuple[BenchmarkGap, ...]
    """What unseen templates take away, and what more training documents add."""
    files: tuple[FileScore, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    version: str = VERSION
