"""Format textract: results of Amazon Textract.

AnalyzeExpense and AnalyzeID name their fields by type; the rows of all tables of an expense are the
group `line_items`. AnalyzeDocument answers queries under their alias, and its forms are fields
named by their printed keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.formats.service import (
    FRACTIONS,
    Found,
    Remarks,
    add,
    around,
    leaf,
    member,
    number,
    objects,
    opened,
    remark,
    results,
    settled,
    text_of,
)
from docassay.load.records import Records, flaw, reshaped
from docassay.load.wire import Decoded, member_names

GROUP = "line_items"
ROW_TEXT, OTHER = "EXPENSE_ROW", "OTHER"
_LISTS = ("ExpenseDocuments", "IdentityDocuments", "Blocks")

Fields = dict[str, list[object]]
Blocks = Mapping[str, Found]


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether an object has documents or blocks of Textract."""
    names = member_names(head)
    listed = b'"ExpenseDocuments"' in head or b'"IdentityDocuments"' in head
    blocks = b'"Blocks"' in head and b'"BlockType"' in head
    return bool(names) and (listed or blocks or {"JobStatus", "StatusMessage"} <= names)


@format("textract", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read results of Amazon Textract (expenses, identity documents, queries, forms)."""
    left_out: Counter[str] = Counter()
    records = results(path, _is_result, id_key)
    yield from reshaped(records, lambda tree: _shape(tree, left_out))
    if left_out:
        listed = ", ".join(f"{count} {what}" for what, count in sorted(left_out.items()))
        yield flaw(None, remark(f"left out: {listed}"), str(path))


def _is_result(tree: object) -> bool:
    return isinstance(tree, dict) and any(name in tree for name in (*_LISTS, "JobStatus"))


def _shape(tree: object, left_out: Counter[str]) -> Decoded:
    result = opened(tree, _is_result) or {}
    _check_status(result)
    if result.keys().isdisjoint(_LISTS):
        raise DataError(f"has none of {', '.join(_LISTS)}")
    remarks: Remarks = []
    if result.get("NextToken"):
        remarks.append(
            remark("is one of several parts of a result (NextToken); the rest is missing")
        )
    expenses = objects(result.get("ExpenseDocuments"))
    if len(expenses) > 1:
        remarks.append(remark(f"has {len(expenses)} expenses; their fields are read together"))
    fields: Fields = {}
    for name, value in _fields(result, left_out):
        add(fields, name, value)
    kinds = [block.get("BlockType") for block in objects(result.get("Blocks"))]
    if kinds and not fields and "QUERY" not in kinds and "KEY_VALUE_SET" not in kinds:
        remarks.append(remark("has text only: neither queries nor forms were asked for"))
    shaped = settled(fields)
    rows = [row for expense in expenses for row in _rows(expense, left_out)]
    return Decoded({**shaped, GROUP: rows} if rows else shaped, remarks)


def _check_status(result: Found) -> None:
    """Raise DataError for a job that failed or has not ended."""
    status, reason = result.get("JobStatus"), text_of(result.get("StatusMessage"))
    if status not in (None, "SUCCEEDED", "PARTIAL_SUCCESS"):
        why = "" if reason is None else f", {reason}"
        raise DataError(f"the analysis has not succeeded: its status is {status}{why}")


def _fields(result: Found, left_out: Counter[str]) -> Iterator[tuple[str, object]]:
    """Yield the fields outside rows."""
    for expense in objects(result.get("ExpenseDocuments")):
        yield from _typed(expense.get("SummaryFields"), left_out)
    for card in objects(result.get("IdentityDocuments")):
        yield from _typed(card.get("IdentityDocumentFields"), left_out)
    # the blocks of an expense are its words
    yield from _answers(objects(result.get("Blocks")))


def _rows(expense: Found, left_out: Counter[str]) -> Iterator[Found]:
    """Yield the rows of all tables of an expense."""
    for group in objects(expense.get("LineItemGroups")):
        for item in objects(group.get("LineItems")):
            cells: Fields = {}
            for name, value in _typed(item.get("LineItemExpenseFields"), left_out):
                add(cells, name, value)
            if cells:
                yield settled(cells)


def _typed(fields: object, left_out: Counter[str]) -> Iterator[tuple[str, object]]:
    """Yield the fields by type; those of type OTHER by their printed label."""
    for field in objects(fields):
        detection = field.get("ValueDetection")
        text = text_of(member(detection, "Text"))
        kind = text_of(member(field.get("Type"), "Text")) or OTHER
        name = _label(member(field.get("LabelDetection"), "Text")) if kind == OTHER else kind
        if kind == ROW_TEXT:
            left_out[f"{ROW_TEXT} (the text of a whole row)"] += 1
        elif name is None:
            left_out[f"{OTHER} without a label"] += 1
        elif text is not None and isinstance(detection, dict):
            yield name, _leaf(text, detection, field.get("PageNumber"))


def _label(raw: object) -> str | None:
    """Return a printed label on one line, without its colon."""
    text = text_of(raw)
    return None if text is None else " ".join(text.split()).rstrip(":").rstrip() or None


def _leaf(value: object, detection: Found, page: object) -> object:
    """Return a leaf; Textract states confidences in percent and boxes in fractions."""
    percent, at = number(detection.get("Confidence")), number(page)
    return leaf(
        value,
        confidence=None if percent is None else round(percent / 100, 8),
        page=None if at is None or at < 1 else int(at),
        box=around(_corners(member(detection.get("Geometry"), "BoundingBox")), FRACTIONS),
        normalised=text_of(member(detection.get("NormalizedValue"), "Value")),
    )


def _corners(box: object) -> tuple[tuple[float, float], ...]:
    """Return the upper left and the lower right corner, nothing when a side is not stated."""
    sides = [number(member(box, side)) for side in ("Left", "Top", "Width", "Height")]
    stated = [side for side in sides if side is not None]
    if len(stated) < len(sides):
        return ()
    left, top, width, height = stated
    return (left, top), (left + width, top + height)


def _answers(blocks: list[Found]) -> Iterator[tuple[str, object]]:
    """Yield what queries found, by alias or question, and forms, by their keys."""
    by_id: Blocks = {str(block.get("Id")): block for block in blocks}
    for block in blocks:
        kind = block.get("BlockType")
        if kind == "QUERY":
            query = block.get("Query")
            name = text_of(member(query, "Alias")) or text_of(member(query, "Text"))
            for answer in _related(block, "ANSWER", by_id):
                text = text_of(answer.get("Text"))
                if name is not None and text is not None:
                    yield name, _leaf(text, answer, answer.get("Page", 1))
        elif kind == "KEY_VALUE_SET":  # only keys have values
            name = _label(_text(block, by_id))
            for holder in _related(block, "VALUE", by_id):
                value = _text(holder, by_id)
                if name is not None and value is not None:
                    yield name, _leaf(value, holder, holder.get("Page", 1))


def _related(block: Found, kind: str, by_id: Blocks) -> Iterator[Found]:
    """Yield the blocks to which a block is related in a way."""
    for relation in objects(block.get("Relationships")):
        ids = relation.get("Ids")
        if relation.get("Type") == kind and isinstance(ids, list):
            yield from (by_id[str(name)] for name in ids if str(name) in by_id)


def _text(block: Found, by_id: Blocks) -> str | bool | None:
    """Return the words of a block, or whether its box is ticked."""
    words = []
    for child in _related(block, "CHILD", by_id):
        if child.get("BlockType") == "SELECTION_ELEMENT":
            return child.get("SelectionStatus") == "SELECTED"
        words.append(text_of(child.get("Text")) or "")
    return " ".join(filter(None, words)) or None
