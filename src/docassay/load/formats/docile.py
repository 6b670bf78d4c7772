"""Format docile: annotations and predictions of DocILE, fields and line items with their boxes.

An annotation is an object with two lists of extractions. The benchmark's predictions are one file
that maps a document's id to one list, where extractions of a line item carry its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.records import Records, from_anywhere, id_keys, reshaped, with_ids
from docassay.load.wire import Decoded, member_names
from docassay.model.problem import ProblemCode, Remark

GROUP = "line_items"
LISTS = ("field_extractions", "line_item_extractions")


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether an object has DocILE's lists of extractions, or extractions by document id."""
    names = member_names(head)
    return not names.isdisjoint(LISTS) or bool(names and b'"fieldtype"' in head)


@format("docile", sniff=looks_like, protocol=True)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read DocILE: field_extractions as fields, line_item_extractions as rows of `line_items`."""
    ids = id_keys(id_key)
    return reshaped(with_ids(from_anywhere(path, _is_document), ids=ids), _shape)


def _is_document(key: str, value: object) -> bool:
    return key not in (*LISTS, "metadata") and isinstance(value, list | dict)


def _shape(tree: object) -> Decoded:
    problems: list[Remark] = []
    fields: dict[str, list[object]] = {}
    rows: dict[object, dict[str, list[object]]] = {}
    for place, extraction in _extractions(tree):
        if not isinstance(extraction, dict) or not isinstance(extraction.get("fieldtype"), str):
            problems.append(Remark(ProblemCode.BROKEN_ENTRY, f"{place} has no fieldtype; left out"))
            continue
        if extraction.get("use_only_for_ap") is True:
            continue  # the benchmark, too, counts these in average precision only
        item = extraction.get("line_item_id")
        if item is None and place.startswith(LISTS[1]):
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"{place} has no line_item_id; left out")
            )
            continue
        holder = fields if item is None else rows.setdefault(str(item), {})
        holder.setdefault(extraction["fieldtype"], []).append(_leaf(extraction))
    shaped = _single(fields)
    if rows:
        shaped[GROUP] = [_single(row) for row in rows.values()]
    return Decoded(shaped, problems)


def _extractions(tree: object) -> Iterator[tuple[str, object]]:
    """Yield every extraction with its place."""
    if isinstance(tree, dict) and not tree.keys().isdisjoint(LISTS):
        lists = {name: tree.get(name) or [] for name in LISTS}
    else:
        lists = {"predictions": tree}
    for name, extractions in lists.items():
        if not isinstance(extractions, list):
            raise DataError(f"has no lists {LISTS[0]!r} and {LISTS[1]!r}")
        for number, extraction in enumerate(extractions):
            yield f"{name}[{number}]", extraction


def _leaf(extraction: dict[str, object]) -> dict[str, object]:
    """Return a leaf with what the extraction says; DocILE counts pages from 0, we from 1."""
    page = extraction.get("page")
    details = {
        "confidence": extraction.get("score"),
        "page": page + 1 if isinstance(page, int) else None,
        "box": extraction.get("bbox"),
    }
    leaf = {"value": extraction.get("text")}
    return leaf | {name: value for name, value in details.items() if value is not None}


def _single(fields: dict[str, list[object]]) -> dict[str, object]:
    return {name: leaves[0] if len(leaves) == 1 else leaves for name, leaves in fields.items()}
