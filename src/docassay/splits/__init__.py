"""Few-shot splits: their names, their files, making them for one's own data, finding leaks."""

from docassay.splits.check import Leak, check_splits
from docassay.splits.file import Split, read_split, read_splits, split_files, write_split
from docassay.splits.make import TASKS, make_splits
from docassay.splits.name import FAMILIES, SplitName, decode

__all__ = [
    "FAMILIES",
    "TASKS",
    "Leak",
    "Split",
    "SplitName",
    "check_splits",
    "decode",
    "make_splits",
    "read_split",
    "read_splits",
    "split_files",
    "write_split",
]
