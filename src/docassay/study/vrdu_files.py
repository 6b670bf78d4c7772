"""Finding what a benchmark consists of: data sets, their splits, and prediction files for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.files import existing, files
from docassay.load.vrdu import MAIN, PREDICTIONS, SPLITS, dataset_file
from docassay.model.document import Problem
from docassay.splits.file import split_files
from docassay.splits.name import SplitName, decode


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
        folders = [one for one in inner if one.is_dir() and dataset_file(one) is not None]
    if not folders:
        raise DataError(
            "holds no data set in the layout of VRDU",
            where=str(root),
            hint="main/dataset.jsonl, main/meta.json and few_shot-splits/",
        )
    return [
        DataSet(one, split_files(one / SPLITS) if (one / SPLITS).is_dir() else {})
        for one in folders
    ]


def planned_splits(data_sets: Sequence[DataSet], problems: list[Problem]) -> Iterator[SplitName]:
    """Yield the names of all splits; a file that is none is a problem."""
    for one in data_sets:
        if not one.splits:
            problems.append(flaw_of(f"has no splits in {SPLITS}/", one.folder))
        for name, path in one.splits.items():
            try:
                yield decode(name)
            except DataError as error:
                problems.append(flaw_of(error.what, path))


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
    mine: dict[tuple[str, Path], PredictionFile] = {}
    others: list[PredictionFile] = []
    for file in waiting:
        whole, bare = file.path.name.removesuffix(PREDICTIONS), str(file.name)
        if whole in data_set.splits:
            found = file._replace(split=data_set.splits[whole])
        elif bare in data_set.splits:
            rest = whole.removeprefix(bare)
            model = "/".join(filter(None, (file.model, rest.lstrip("-") or rest)))
            found = file._replace(model=model, split=data_set.splits[bare])
        else:
            others.append(file)
            continue
        first = mine.setdefault((found.model, found.split), found)
        if first is not found:
            message = f"is left out: model {found.model!r} has this split in {first.path} too"
            problems.append(flaw_of(message, file.path))
    return [*mine.values()], others


def flaw_of(message: str, where: Path) -> Problem:
    """Return a problem of a file as a whole."""
    return Problem("", "", "", message, str(where))
