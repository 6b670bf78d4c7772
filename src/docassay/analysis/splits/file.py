"""Split files: the documents for training, validation and testing, under a split's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.load.files import files, read_bytes
from docassay.model.problem import Problem, ProblemCode
from docassay.run.output import write_bytes, writing

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
        content = msgspec.json.decode(read_bytes(path), type=_SplitFile)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(
            f"is no split: {error}", where=str(path), hint="an object with lists train, valid, test"
        ) from None
    return Split(name, content.train, content.valid, content.test)


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
            problems.append(Problem(ProblemCode.SPLIT, "", "", "", error.what, str(file)))
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
    return write_bytes(path, msgspec.json.format(msgspec.json.encode(facts), indent=4) + b"\n")


def _total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))


FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "STL": "single template",
        "MTL": "mixed templates",
        "UTL": "unseen templates",
        "KTL": "known templates",
    }
)
"""Task families by the paper's names; it has none for the last, whose splits are released too."""
_KINDS = {"single": "STL", "mixed": "MTL", "unk": "UTL", "kno": "KTL"}
# as the released toolkit reads it: whatever follows the number of the draw does not matter
_NAME = re.compile(
    r"(?P<dataset>[a-zA-Z]+)-(?P<task>[0-9a-zA-Z_-]+)"
    r"-train_(?P<train_size>\d+)-test_(?P<test_size>\d+)-valid_(?P<valid_size>\d+)-SD_(?P<seed>\d+)"
)
_LEVEL = re.compile(r"lv\d+-")


class SplitName(NamedTuple):
    """What the name of a split says."""

    dataset: str
    task: str
    train_size: int
    test_size: int
    valid_size: int
    seed: int

    @property
    def family(self) -> str:
        """The family of the task (STL, MTL, UTL or KTL), or the task itself when it is of none."""
        kind = _LEVEL.sub("", self.task, count=1).partition("_")[0]
        return _KINDS.get(kind, self.task)

    def __str__(self) -> str:
        return (
            f"{self.dataset}-{self.task}-train_{self.train_size}-test_{self.test_size}"
            f"-valid_{self.valid_size}-SD_{self.seed}"
        )


def decode(name: str) -> SplitName:
    """Return what a split's name says; one that is not of the form raises DataError."""
    match = _NAME.match(name)
    if match is None:
        raise DataError(
            f"{name!r} is not the name of a split",
            hint="written as Dataset-task-train_N-test_N-valid_N-SD_k",
        )
    sizes = (int(match[part]) for part in SplitName._fields[2:])
    return SplitName(match["dataset"], match["task"], *sizes)


OVERLAP = "in two parts of one split"
TWIN = "the same content under two ids, in two parts of one split"
TEMPLATE = "tested on a template that was trained on, in a task of unseen ones"
UNKNOWN = "not in the data"
REPEATED = "listed twice in one part"
NAMED = "the name says another number of documents"


class Leak(NamedTuple):
    """One finding: in which split, of what kind, and the documents concerned."""

    split: str
    kind: str
    detail: str
    documents: tuple[str, ...]


def check_splits(
    splits: Sequence[Split],
    *,
    digests: Mapping[str, str] | None = None,
    templates: Mapping[str, str] | None = None,
) -> list[Leak]:
    """Return what is wrong with splits, in their order.

    `digests` (id -> digest of the content) tells which ids exist and which are one document;
    `templates` (id -> template) tells whether a template is really unseen.
    """
    return [leak for split in splits for leak in _leaks(split, digests, templates)]


def _leaks(
    split: Split, digests: Mapping[str, str] | None, templates: Mapping[str, str] | None
) -> Iterator[Leak]:
    yield from _within(split)
    yield from _between(split, digests or {})
    if digests is not None:
        lost = {id for part in PARTS for id in getattr(split, part)} - digests.keys()
        if lost:
            yield Leak(str(split.name), UNKNOWN, "", tuple(sorted(lost)))
    if templates is not None and split.name.family == "UTL":
        yield from _seen(split, templates)


def _within(split: Split) -> Iterator[Leak]:
    """Yield what is wrong with each part on its own."""
    for part in PARTS:
        ids = getattr(split, part)
        twice = sorted(id for id, times in Counter(ids).items() if times > 1)
        if twice:
            yield Leak(str(split.name), REPEATED, part, tuple(twice))
        size = getattr(split.name, f"{part}_size")
        if size != len(ids):
            detail = f"{part}: {size} in the name, {len(ids)} in the file"
            yield Leak(str(split.name), NAMED, detail, ())


def _between(split: Split, digests: Mapping[str, str]) -> Iterator[Leak]:
    """Yield what any two parts have in common."""
    for first, other in combinations(PARTS, 2):
        first_ids, second_ids = getattr(split, first), getattr(split, other)
        shared = sorted({*first_ids} & {*second_ids})
        if shared:
            yield Leak(str(split.name), OVERLAP, f"{first} and {other}", tuple(shared))
        twins = _twins(first_ids, second_ids, digests)
        if twins:
            yield Leak(str(split.name), TWIN, f"{first} and {other}", twins)


def _twins(
    ours: Sequence[str], theirs: Sequence[str], digests: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the ids of the second part whose content another id of the first part has."""
    ids: dict[str, set[str]] = {}
    for id in ours:
        if digests.get(id):
            ids.setdefault(digests[id], set()).add(id)
    return tuple(sorted(id for id in {*theirs} if ids.get(digests.get(id, ""), set()) - {id}))


def _seen(split: Split, templates: Mapping[str, str]) -> Iterator[Leak]:
    trained = {templates[id] for id in split.train if id in templates}
    ids: dict[str, list[str]] = {}
    for id in split.test:
        if templates.get(id) in trained:
            ids.setdefault(templates[id], []).append(id)
    for template in sorted(ids):
        yield Leak(str(split.name), TEMPLATE, template, tuple(sorted(ids[template])))
