"""Split files: the documents for training, validation and testing, under a split's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.load.files import files, read_bytes
from docassay.model.document import Problem
from docassay.report.files import writing
from docassay.splits.name import SplitName, decode

PARTS = ("train", "valid", "test")


class Split(NamedTuple):
    """One split: its name and the ids of its documents."""

    name: SplitName
    train: tuple[str, ...]
    valid: tuple[str, ...]
    test: tuple[str, ...]


class _SplitFile(msgspec.Struct):
    train: tuple[str, ...]
    test: tuple[str, ...]
    valid: tuple[str, ...] = ()


def read_split(path: Path, name: SplitName) -> Split:
    """Return the split of a file."""
    try:
        found = msgspec.json.decode(read_bytes(path), type=_SplitFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(
            f"is no split: {error}", where=str(path), hint="an object with lists train, valid, test"
        ) from None
    return Split(name, found.train, found.valid, found.test)


def split_files(folder: Path) -> dict[str, Path]:
    """Return the files of a folder of splits by the names in front of `.json`, sorted."""
    return {file.name.removesuffix(".json"): file for file in files(folder, (".json",))}


def read_splits(folder: Path) -> tuple[list[Split], list[Problem]]:
    """Return the splits of a folder, and a problem for each file that is none."""
    splits: list[Split] = []
    problems: list[Problem] = []
    for name, file in split_files(folder).items():
        try:
            splits.append(read_split(file, decode(name)))
        except DataError as error:
            problems.append(Problem("", "", "", error.what, str(file)))
    if not splits and not problems:
        raise DataError("there is no split", where=str(folder))
    return splits, problems


def write_split(
    folder: Path, split: Split, entities: Mapping[str, Mapping[str, int]] | None = None
) -> Path:
    """Write a split, with the number of entities in each part when those of a document are known.

    `entities` maps a document to the number of its entities by name.
    """
    parts = {part: getattr(split, part) for part in PARTS}
    facts: dict[str, object] = dict(parts)
    if entities is not None:
        for part, ids in parts.items():
            facts[f"{part}_entity_number_dict"] = _total(entities[id] for id in ids)
    path = folder / f"{split.name}.json"
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(facts), indent=4) + b"\n")
    return path


def _total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))
