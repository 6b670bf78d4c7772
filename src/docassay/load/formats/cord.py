"""Format cord: the receipts of CORD as Donut and the Hugging Face copies keep them (gt_parse).

A menu row's `sub` holds keys of its own (nm, cnt, price...). They are named `menu.sub_nm` and so on
within the nested group, so that their field paths are those of the published results.
"""

from __future__ import annotations

from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.records import ID_KEYS, Records, from_anywhere, id_keys, reshaped, with_ids
from docassay.load.wire import Decoded, decode, member_names
from docassay.model.problem import Remark

NESTED = "sub"


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the first object holds a gt_parse, or a ground_truth that does."""
    names = member_names(head)
    return "gt_parse" in names or ("ground_truth" in names and b"gt_parse" in head)


@format("cord", sniff=looks_like, protocol=True)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read CORD: objects with gt_parse, or with ground_truth as JSON text that holds it."""
    ids = id_keys(id_key, (*ID_KEYS, "file_name"))
    return reshaped(with_ids(from_anywhere(path), ids=ids), shape)


def shape(tree: object) -> Decoded:
    """Return the receipt of an object that holds one; raise DataError for any other."""
    receipt, problems = _receipt(tree)
    if not isinstance(receipt, dict):
        raise DataError("gt_parse is not a JSON object")
    return Decoded({name: _group(name, value) for name, value in receipt.items()}, problems)


def _receipt(tree: object) -> Decoded:
    """Return what gt_parse holds; an object without one is the receipt itself."""
    problems: list[Remark] = []
    if isinstance(tree, dict) and "ground_truth" in tree:
        tree = tree["ground_truth"]
        if isinstance(tree, str):
            try:
                tree, problems = decode(tree.encode(), "ground_truth")
            except DataError as error:
                raise DataError(f"its ground_truth {error.what}") from None
    if isinstance(tree, dict) and "gt_parse" in tree:
        tree = tree["gt_parse"]
    return Decoded(tree, problems)


def _group(name: str, value: object) -> object:
    if isinstance(value, list):
        return [_group(name, row) for row in value]
    if not isinstance(value, dict) or NESTED not in value:
        return value
    return {**value, NESTED: _renamed(f"{name}.{NESTED}", value[NESTED])}


def _renamed(prefix: str, value: object) -> object:
    """Return a nested group with its keys in full: nm becomes menu.sub_nm."""
    if isinstance(value, list):
        return [_renamed(prefix, row) for row in value]
    if not isinstance(value, dict):
        return value
    return {
        key if key.startswith(prefix) else f"{prefix}_{key}": inner for key, inner in value.items()
    }
