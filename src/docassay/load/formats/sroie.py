"""Format sroie: the key files of SROIE, a folder with one small JSON object a receipt."""

from __future__ import annotations

from pathlib import Path

from docassay.load.format import format
from docassay.load.records import Records, from_folder
from docassay.load.wire import member_names

KEYS = frozenset({"company", "date", "address", "total"})


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the first object has two or more of the four keys, and no others."""
    names = member_names(head)
    return len(names) > 1 and names <= KEYS and path.suffix.lower() in (".txt", ".json")


@format("sroie", sniff=looks_like, protocol=True)
def load(path: Path) -> Records:
    """Read SROIE: a folder of key files (.txt or .json) with company, date, address and total."""
    return from_folder(path, (".txt", ".json"))
