"""Format azure-di: analyze results of Azure AI Document Intelligence (Form Recognizer).

A result is what the service answers (`analyzeResult` with `documents`, before 2022 with
`documentResults`), the same without its envelope, or what the Python libraries make of it. Boxes
are in the unit of the page, so a page whose size is not stated leaves its values without boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.formats.service import (
    Found,
    PageSize,
    Remarks,
    around,
    leaf,
    member,
    number,
    objects,
    opened,
    remark,
    results,
    text_of,
)
from docassay.load.records import Records, reshaped
from docassay.load.wire import Decoded, member_names

_DOCUMENTS = ("documents", "documentResults")
_PAIRS = ("keyValuePairs", "key_value_pairs")
_PAGES = ("pages", "readResults")
_BARE = ("apiVersion", "modelId", "api_version", "model_id")
_RESULT = ("analyzeResult", "analyze_result")
_LISTS = ("array", "list")
_OBJECTS = ("object", "dictionary")
_NORMALISED = frozenset({"date", "time", "currency", "number", "float", "integer", "phoneNumber"})
"""Kinds of which the service states a value beside the text."""
_DONE = frozenset({"succeeded", "partiallysucceeded", "partiallycompleted"})

Sizes = Mapping[int, PageSize]


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether an object has an analyze result, or the members of one."""
    names = member_names(head)
    if not names.isdisjoint(_RESULT) or (names and b'"analyzeResult"' in head):
        return True
    if {"status", "createdDateTime"} <= names:  # an analysis that failed or has not ended
        return True
    return not names.isdisjoint(_BARE) and not names.isdisjoint((*_PAGES, *_DOCUMENTS))


@format("azure-di", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read results of Azure AI Document Intelligence: a folder of ID.json, a file, or lines."""
    return reshaped(results(path, _is_result, id_key), _shape)


def _is_result(tree: object) -> bool:
    if not isinstance(tree, dict):
        return False
    bare = not tree.keys().isdisjoint(_BARE) and not tree.keys().isdisjoint((*_PAGES, *_DOCUMENTS))
    failed = "status" in tree and "error" in tree
    return bare or failed or not tree.keys().isdisjoint(_RESULT)


def _shape(tree: object) -> Decoded:
    answer = opened(tree, _is_result)
    if answer is None:
        raise DataError("has no analyzeResult")
    _check_status(answer)
    result = member(answer, *_RESULT) or answer
    documents, pairs = member(result, *_DOCUMENTS), member(result, *_PAIRS)
    if not isinstance(documents, list) and not isinstance(pairs, list):
        raise DataError("has no documents: results of the models read and layout have no fields")
    remarks: Remarks = []
    sizes = _sizes(result)
    fields: Found = {}
    listed = objects(documents)
    if len(listed) > 1:
        remarks.append(remark(f"has {len(listed)} documents; their fields are read together"))
    for document in listed:
        for name, field in _fields_of(document).items():
            _add(fields, name, _value(field, sizes, remarks))
    for name, value in _key_values(pairs, sizes, remarks) if not listed else ():
        _add(fields, name, value)
    return Decoded(fields, [*dict.fromkeys(remarks)])


def _add(fields: Found, name: str, value: object) -> None:
    """Add what a document says of a field to what those before it said."""
    if name in fields and value is not None:
        before = fields[name]
        parts = (part if isinstance(part, list) else [part] for part in (before, value))
        fields[name] = [item for part in parts for item in part]
    elif value is not None:
        fields[name] = value


def _check_status(answer: Found) -> None:
    """Raise DataError for an analysis that failed or has not ended."""
    status, error = answer.get("status"), answer.get("error")
    if isinstance(error, dict):
        code, message = member(error, "code"), member(error, "message")
        raise DataError(f"the service failed with {code}: {message}")
    if isinstance(status, str) and status.lower() not in _DONE:
        raise DataError(f"the analysis has not succeeded: its status is {status!r}")


def _sizes(result: object) -> Sizes:
    """Return the size of each page, for pages that state one."""
    sizes = {}
    for page in objects(member(result, *_PAGES)):
        at = number(member(page, "pageNumber", "page_number", "page"))
        width, height = number(page.get("width")), number(page.get("height"))
        if at is not None and width and height and width > 0 and height > 0:
            sizes[int(at)] = PageSize(width, height)
    return sizes


def _fields_of(document: Found) -> Found:
    fields = document.get("fields")
    return fields if isinstance(fields, dict) else {}


def _value(field: object, sizes: Sizes, remarks: Remarks) -> object:
    """Return a field as leaf, list or row; None when the service found no value."""
    if not isinstance(field, dict):
        return None
    kind = member(field, "type", "value_type")
    inner = member(field, "valueArray", "value") if kind in _LISTS else field.get("valueArray")
    if isinstance(inner, list):
        items = [_value(item, sizes, remarks) for item in inner]
        return [item for item in items if item is not None]
    inner = member(field, "valueObject", "value") if kind in _OBJECTS else field.get("valueObject")
    if isinstance(inner, dict):
        cells = {name: _value(cell, sizes, remarks) for name, cell in inner.items()}
        return {name: cell for name, cell in cells.items() if cell is not None}
    printed, stated = text_of(member(field, "content", "text")), _stated(field)
    value = stated if printed is None else printed
    normalised = stated if kind in _NORMALISED else None
    return None if value is None else _located(value, field, sizes, remarks, normalised)


def _stated(field: Found) -> object:
    """Return the value of a field for which nothing is printed, such as a mark that is selected."""
    value = next((part for name, part in field.items() if name.startswith("value")), None)
    if "value_type" in field:
        value = field.get("value")
    if not isinstance(value, dict):
        return None if isinstance(value, list) else value
    amount, code = value.get("amount"), member(value, "currencyCode", "code")
    if amount is not None:
        return amount if code is None else f"{amount} {code}"
    parts = [text for part in value.values() if (text := text_of(part)) is not None]
    return ", ".join(parts) or None


def _located(
    value: object, holder: Found, sizes: Sizes, remarks: Remarks, normalised: object = None
) -> object:
    """Return a leaf with its confidence and where its first page shows it."""
    regions = objects(member(holder, "boundingRegions", "bounding_regions"))
    places = regions or ([holder] if "page" in holder else [])
    pages = [number(member(place, "pageNumber", "page_number", "page")) for place in places]
    page = next((int(at) for at in pages if at is not None and at >= 1), None)
    points = [
        point
        for at, place in zip(pages, places, strict=True)
        if at == page
        for point in _points(member(place, "polygon", "boundingBox"))
    ]
    box = None
    if points and page is not None:
        if page in sizes:
            box = around(points, sizes[page])
        else:
            remarks.append(remark(f"has no size of page {page}; its boxes are left out"))
    confidence = number(holder.get("confidence"))
    return leaf(value, confidence=confidence, page=page, box=box, normalised=normalised)


def _points(polygon: object) -> Iterator[tuple[object, object]]:
    """Yield the corners of `[x, y, x, y, ...]` or `[{"x": x, "y": y}, ...]`."""
    if not isinstance(polygon, list):
        return
    if polygon and isinstance(polygon[0], dict):
        yield from ((corner.get("x"), corner.get("y")) for corner in objects(polygon))
    else:
        yield from zip(polygon[::2], polygon[1::2], strict=False)


def _key_values(pairs: object, sizes: Sizes, remarks: Remarks) -> Iterator[tuple[str, object]]:
    """Yield the printed keys of a page with their values, as general models return them."""
    for pair in objects(pairs):
        key, value = pair.get("key"), pair.get("value")
        name, text = text_of(member(key, "content")), text_of(member(value, "content"))
        if name is not None and text is not None and isinstance(value, dict):
            holder = {"confidence": pair.get("confidence"), **value}
            yield name.rstrip(":").rstrip(), _located(text, holder, sizes, remarks)
