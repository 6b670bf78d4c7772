"""What the results of extraction services have in common: values with a place, in JSON files.

A service prints for each value what stands on the page, how sure it is, and where. Here this
becomes a leaf: confidences and boxes in fractions, pages counted from 1, origin top left. Services
that have no format of their own often keep these details in an object beside the record, under the
same paths; the general formats take them from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from typing import NamedTuple, TypeGuard

from docassay.kernel.counting import holds_object
from docassay.load.format import Record
from docassay.load.records import Records, flaw, from_anywhere, id_keys, with_ids
from docassay.model.document import Number
from docassay.model.problem import ProblemCode, Remark

ENVELOPES = frozenset(
    {"analyzeResult", "body", "data", "document", "output", "prediction", "response", "result"}
)
"""Keys that hold a result rather than name its document."""
_DIGITS = 6
_THOUSANDS = re.compile(r"[.,][0-9]{3}(?![0-9])")

Found = dict[str, object]
"""A JSON object."""
Remarks = list[Remark]
"""What had to be left out of a document."""


def remark(message: str) -> Remark:
    """Return a remark on a part of a result that was left out."""
    return Remark(ProblemCode.LEFT_OUT, message)


class PageSize(NamedTuple):
    """The width and height of a page, in the unit of its boxes."""

    width: float
    height: float


FRACTIONS = PageSize(1.0, 1.0)
"""The size of a page whose boxes are in fractions already."""


def results(path: Path, is_result: Callable[[object], bool], id_key: str | None) -> Records:
    """Yield the results of a folder, of JSON lines or of one file, under their ids.

    A file holds one result, a list of results, or `{id: result}`.
    """
    named = from_anywhere(path, lambda key, value: key not in ENVELOPES and is_result(value))
    return with_ids(named, ids=id_keys(id_key))


def opened(tree: object, is_result: Callable[[object], bool]) -> Found | None:
    """Return the result in an object: itself, or the one member that is a result."""
    if not isinstance(tree, dict):
        return None
    if is_result(tree):
        return tree
    inner = [value for value in tree.values() if isinstance(value, dict) and is_result(value)]
    return inner[0] if len(inner) == 1 else None


def member(holder: object, *names: str) -> object:
    """Return the first of the members that is there and not null."""
    if not isinstance(holder, dict):
        return None
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def objects(raw: object) -> list[Found]:
    """Return the objects of a list; anything else holds none."""
    return [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []


def text_of(raw: object) -> str | None:
    """Return a text that is not blank, white space around it taken off."""
    return raw.strip() or None if isinstance(raw, str) else None


def number(raw: object) -> float | None:
    """Return a finite number that JSON gave as a number or, as protocol buffers do, as a text."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | Number | str):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return value if isfinite(value) else None


def around(points: Iterable[tuple[object, object]], size: PageSize) -> list[float] | None:
    """Return the upright box around corners, in fractions of the page."""
    corners = [(number(x), number(y)) for x, y in points]
    across = [x / size.width for x, _ in corners if x is not None]
    down = [y / size.height for _, y in corners if y is not None]
    if not corners or not len(across) == len(down) == len(corners):
        return None
    sides = (min(across), min(down), max(across), max(down))
    return [round(min(max(side, 0.0), 1.0), _DIGITS) for side in sides]


def leaf(
    value: object,
    *,
    confidence: float | None = None,
    page: int | None = None,
    box: list[float] | None = None,
    normalised: object = None,
) -> object:
    """Return a leaf with what is known about its value; a value alone stays as it is.

    A normalised value says nothing new where it is written as the text is, unless a mark before
    three digits leaves open what the text means.
    """
    if normalised == value and not _THOUSANDS.search(str(value)):
        normalised = None
    details = {"confidence": confidence, "page": page, "box": box, "normalised": normalised}
    extras = {name: part for name, part in details.items() if part is not None}
    return {"value": value, **extras} if extras else value


def add(fields: dict[str, list[object]], name: str, value: object) -> None:
    """Add a value to a field, unless the field has one of the same text.

    Services report a value again for each place where it is printed; the surest one is kept.
    """
    values = fields.setdefault(name, [])
    for at, other in enumerate(values):
        if isinstance(_plain(value), str | bool) and _plain(other) == _plain(value):
            values[at] = max(other, value, key=_sureness)
            return
    values.append(value)


def settled(fields: dict[str, list[object]]) -> Found:
    """Return fields with one value as that value, the others as lists."""
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _plain(value: object) -> object:
    return value.get("value") if isinstance(value, dict) else value


def _sureness(value: object) -> float:
    confidence = value.get("confidence") if isinstance(value, dict) else None
    return confidence if isinstance(confidence, float) else -1.0


BESIDE = frozenset(
    {"metadata", "extraction_metadata", "extract_metadata", "field_metadata", "fields_metadata"}
    | {"confidences", "confidence_scores", "field_confidences"}
)
"""Members that may say how sure each value beside them is, and where it stands."""
_RECORDS = ("extraction", "value", "data", "fields", "output", "result", "prediction", "record")
"""Members that hold the record which such a member is about."""
_INNER = "field_metadata"
_SURE = ("confidence", "logprobsConfidence", "extraction_confidence", "experimental_confidence")
_READ = ("ocrConfidence", "parsing_confidence", "score")
"""Used where the model itself states no confidence."""
_PLACES = ("citations", "citation", "grounding", "groundings", "bounding_boxes", "boundingBoxes")
_REFERENCES = ("references", "chunk_references")
_DETAILS = frozenset({*_SURE, *_READ, *_PLACES, *_REFERENCES, "page", "box", "polygon"})
_EDGES = (
    ("l", "t", "r", "b"),
    ("left", "top", "right", "bottom"),
    ("xmin", "ymin", "xmax", "ymax"),
)
_DEEPEST_ENVELOPE = 4
_DEEPEST = 64
MOST_ANNOTATED = 100_000
"""Values of one document that are looked up beside the record."""
_STEP = re.compile(r"[^.\[\]/]+")

Route = tuple[str, ...]
"""The keys and positions that lead to a value."""


def annotated(records: Records) -> Records:
    """Yield the records; what a parallel member says about their values becomes part of them.

    Services return the record in one member and, under the same paths, confidences and places in
    another: `extraction` and `extraction_metadata`, or `value` and `metadata`.
    """
    for item in records:
        if isinstance(item, Record) and _may_hold_details(item.tree):
            tree, remarks = with_details(item.tree)
            yield from (flaw(item.id, remark, item.where) for remark in remarks)
            yield item if tree is item.tree else item._replace(tree=tree)
        else:
            yield item


def _may_hold_details(tree: object) -> TypeGuard[Found]:
    """Whether an object holds others, or one of the members that may say more about values."""
    if not isinstance(tree, dict):
        return False
    return holds_object(tree) or not BESIDE.isdisjoint(tree)


def with_details(tree: Found, depth: int = _DEEPEST_ENVELOPE) -> tuple[Found, Remarks]:
    """Return an object whose record has its details as leaves; itself where there are none."""
    if not BESIDE.isdisjoint(tree):
        joined = _joined(tree)
        if joined is not None:
            return joined
    for key, inner in tree.items() if depth else ():
        if isinstance(inner, dict) and key not in BESIDE and _may_hold_details(inner):
            content, remarks = with_details(inner, depth - 1)
            if content is not inner:
                return {**tree, key: content}, remarks
    return tree, []


def _joined(tree: Found) -> tuple[Found, Remarks] | None:
    """Return an object with the details beside its record in it, None when there are none."""
    for name in [key for key in tree if key in BESIDE]:
        details = tree[name]
        if isinstance(details, dict) and isinstance(details.get(_INNER), dict):
            details = details[_INNER]
        if not isinstance(details, dict) or not details:
            continue
        rest = {key: value for key, value in tree.items() if key != name}
        holder = next((key for key in _RECORDS if isinstance(rest.get(key), dict)), None)
        record = rest if holder is None else _object(rest[holder])
        if holder is None and not details.keys() <= rest.keys():
            continue
        reader = _DetailReader(details, _chunks(tree), bare="confidence" in name)
        content = reader.read(record, details, (), 0)
        if not reader.used or not isinstance(content, dict):
            continue
        if holder is None or holder == "value":  # {"value": {…}} alone would be a leaf
            return content, reader.remarks()
        return {**rest, holder: content}, reader.remarks()
    return None


def _chunks(tree: Found) -> dict[str, Found]:
    """Return the pieces of a page by id, where the result lists them."""
    listed = [*objects(tree.get("chunks")), *objects(tree.get("blocks"))]
    chunks = {str(chunk.get("id", chunk.get("chunk_id"))): chunk for chunk in listed}
    grounding = _object(tree.get("grounding"))
    return {**{key: _object(entry) for key, entry in grounding.items()}, **chunks}


class _DetailReader:
    """Turns the values of a record into leaves with what is said about them elsewhere."""

    def __init__(self, details: Found, chunks: dict[str, Found], *, bare: bool) -> None:
        # Extend names a value by its path: line_items[0].description
        self.by_route = {
            tuple(_STEP.findall(key)): entry
            for key, entry in details.items()
            if isinstance(entry, dict) and not _DETAILS.isdisjoint(entry)
        }
        self.chunks = chunks
        self.bare = bare
        """A number by itself is a confidence."""
        self.used = 0
        self.looked_up = 0
        self.unplaced = 0

    def read(self, value: object, details: object, route: Route, depth: int) -> object:
        """Return a value with its details; objects and lists with those of their values."""
        if depth > _DEEPEST or self.looked_up > MOST_ANNOTATED:
            return value
        if isinstance(value, dict):
            inner = _object(details)
            return {
                key: self.read(part, inner.get(key), (*route, key), depth + 1)
                for key, part in value.items()
            }
        if isinstance(value, list):
            entries = details if isinstance(details, list) else []
            return [
                self.read(
                    part,
                    entries[at] if at < len(entries) else None,
                    (*route, str(at)),
                    depth + 1,
                )
                for at, part in enumerate(value)
            ]
        self.looked_up += 1
        return value if value is None else self._leaf(value, self.by_route.get(route, details))

    def _leaf(self, value: object, entry: object) -> object:
        bare = self.bare and isinstance(entry, int | float | Number)
        confidence = number(entry) if bare else None
        page = box = None
        if isinstance(entry, dict):
            sureness = (number(entry.get(name)) for name in (*_SURE, *_READ))
            confidence = next((part for part in sureness if part is not None), None)
            page, box = self._place(entry)
        marked = leaf(value, confidence=confidence, page=page, box=box)
        self.used += marked is not value
        return marked

    def _place(self, entry: Found) -> tuple[int | None, list[float] | None]:
        """Return page and box of the first place that an entry names."""
        references = next((entry[name] for name in _REFERENCES if entry.get(name)), None)
        first = references[0] if isinstance(references, list) else references
        chunk = self.chunks.get(first) if isinstance(first, str) else None
        # LandingAI counts the pages of its chunks from 0
        offset, place = (0, entry) if chunk is None else (1, chunk)
        for _ in range(3):
            inner = member(place, *_PLACES)
            listed = inner[0] if isinstance(inner, list) and inner else inner
            if not isinstance(listed, dict):
                break
            place = {**place, **listed} if _PLACES[0] not in listed else listed
            place = {key: part for key, part in place.items() if part is not inner}
        page = member(place, "page", "pageNumber", "page_number")
        printed = number(member(page, "number", "pageNumber") if isinstance(page, dict) else page)
        box = self._box(place, _object(page))
        return None if printed is None else int(printed) + offset, box

    def _box(self, place: Found, page: Found) -> list[float] | None:
        size = _page_size(place, page)
        shape = _object(member(place, "box", "boundingBox", "bounding_box") or place)
        points: list[tuple[object, object]] = [
            (point.get("x"), point.get("y")) for point in objects(place.get("polygon"))
        ]
        for left, top, right, bottom in _EDGES:
            if not points and {left, top, right, bottom} <= shape.keys():
                points = [(shape[left], shape[top]), (shape[right], shape[bottom])]
        if not points and {"x", "y", "w", "h"} <= shape.keys():
            x, y, width, height = (number(shape[side]) or 0.0 for side in "xywh")
            points = [(x, y), (x + width, y + height)]
        if not points:
            return None
        fractions = all((number(side) or 0.0) <= 1 for point in points for side in point)
        if size is None and not fractions:
            self.unplaced += 1  # in points or pixels of a page whose size is not stated
            return None
        return around(points, size or FRACTIONS)

    def remarks(self) -> Remarks:
        """Return what was left out."""
        remarks: Remarks = []
        if self.unplaced:
            single = self.unplaced == 1
            boxes = "1 box" if single else f"{self.unplaced} boxes"
            ending = "its page is left out" if single else "their pages are left out"
            remarks.append(remark(f"{boxes} without the size of {ending}"))
        if self.looked_up > MOST_ANNOTATED:
            remarks.append(remark(f"details of more than {MOST_ANNOTATED} values are left out"))
        return remarks


def _page_size(place: Found, page: Found) -> PageSize | None:
    holders = (page, _object(member(place, "page_dimensions", "pageDimensions")), place)
    for holder in holders:
        width = number(member(holder, "width", "pageWidth"))
        height = number(member(holder, "height", "pageHeight"))
        if width and height and width > 0 and height > 0:
            return PageSize(width, height)
    return None


def _object(raw: object) -> Found:
    return raw if isinstance(raw, dict) else {}
