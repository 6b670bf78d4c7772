"""Names of splits, as VRDU writes them: `FARA-lv2-mixed_template-train_10-test_300-valid_100-SD_0`.

A name says which data set, which task, how many documents there are for training, testing and
validation, and which of several equal draws it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from docassay.errors import DataError

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
    found = _NAME.match(name)
    if found is None:
        raise DataError(
            f"{name!r} is not the name of a split",
            hint="written as Dataset-task-train_N-test_N-valid_N-SD_k",
        )
    sizes = (int(found[part]) for part in SplitName._fields[2:])
    return SplitName(found["dataset"], found["task"], *sizes)
