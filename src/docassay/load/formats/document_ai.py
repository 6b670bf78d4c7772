"""Format document-ai: documents that Google's Document AI returns, with entities.

An entity is a value of the field that its type names. Entities with properties are rows of the
group that their type names, and a property `line_item/amount` is `amount` there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from docassay.errors import DataError
from docassay.load.format import format
from docassay.load.formats.service import (
    FRACTIONS,
    Found,
    PageSize,
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
from docassay.load.records import Records, reshaped
from docassay.load.wire import Decoded, member_names

_MEMBERS = frozenset({"entities", "mimeType", "mime_type", "pages", "text", "uri"})
_MARKS = (b'"mentionText"', b'"mention_text"')
_DEEPEST = 16

Sizes = Mapping[int, PageSize]


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether an object has entities with mentions, or begins as a processed document does."""
    names = member_names(head)
    if not names:
        return False
    mentions = b'"entities"' in head and any(mark in head for mark in _MARKS)
    # the pages, with their text and images, may be all that the beginning holds
    begins = "mimeType" in names and ("entities" in names or {"text", "pages"} <= names)
    return mentions or begins or b'"textAnchor"' in head


@format("document-ai", sniff=looks_like)
def load(path: Path, *, id_key: str | None = None) -> Records:
    """Read documents of Google's Document AI: a folder of ID.json, a file, or lines."""
    return reshaped(results(path, _is_result, id_key), _shape)


def _is_result(tree: object) -> bool:
    return isinstance(tree, dict) and (
        isinstance(tree.get("entities"), list) or len(_MEMBERS & tree.keys()) > 1
    )


def _shape(tree: object) -> Decoded:
    failed = member(tree, "error")
    document = opened(tree, _is_result)
    failed = failed or member(document, "error")
    if isinstance(failed, dict) and failed:
        code, message = member(failed, "code"), member(failed, "message")
        raise DataError(f"the service failed with {code}: {message}")
    if document is None:
        raise DataError("has no entities, and nothing else of a document of Document AI")
    remarks: Remarks = []
    if "entities" not in document:
        remarks.append(remark("has no entities"))
    shards = number(
        member(member(document, "shardInfo", "shard_info"), "shardCount", "shard_count")
    )
    if shards is not None and shards > 1:
        remarks.append(
            remark(f"is one of {int(shards)} parts of a document; each is read by itself")
        )
    return Decoded(_row(document.get("entities"), "", _sizes(document), remarks, 0), remarks)


def _sizes(document: Found) -> Sizes:
    """Return the size of each page in pixels, for boxes that are not in fractions."""
    sizes = {}
    for at, page in enumerate(objects(document.get("pages"))):
        width, height = (
            number(member(page.get("dimension"), side)) for side in ("width", "height")
        )
        if width and height and width > 0 and height > 0:
            sizes[at] = PageSize(width, height)
    return sizes


def _row(entities: object, parent: str, sizes: Sizes, remarks: Remarks, depth: int) -> Found:
    """Return entities as fields, and those with properties as rows of groups."""
    fields: dict[str, list[object]] = {}
    rows: dict[str, list[object]] = {}
    listed = objects(entities)
    groups = {text_of(row.get("type")) for row in listed if objects(row.get("properties"))}
    for entity in listed:
        kind = text_of(entity.get("type"))
        if kind is None:
            remarks.append(remark("has an entity without type; left out"))
            continue
        name = kind.removeprefix(f"{parent}/") if parent else kind
        if objects(entity.get("properties")):
            if depth == _DEEPEST:
                raise DataError("is nested too deeply")
            row = _row(entity["properties"], kind, sizes, remarks, depth + 1)
            rows.setdefault(name, []).append(row)
            continue
        value = _value(entity)
        if kind in groups:
            remarks.append(remark(f"has a row of {name!r} without properties; left out"))
        elif value is None:
            remarks.append(remark(f"has an entity {kind!r} without text; left out"))
        else:
            add(fields, name, _located(value, entity, sizes))
    return {**settled(fields), **rows}


def _value(entity: Found) -> object:
    """Return what is printed, else what the service made of it."""
    printed = text_of(member(entity, "mentionText", "mention_text"))
    if printed is not None:
        return printed
    normal = member(entity, "normalizedValue", "normalized_value")
    text = _normalised(entity)
    return member(normal, "booleanValue", "boolean_value") if text is None else text


def _normalised(entity: Found) -> str | None:
    """Return what the service made of a date, an amount or a number, as text."""
    normal = member(entity, "normalizedValue", "normalized_value")
    money = member(normal, "moneyValue", "money_value")
    code = text_of(member(money, "currencyCode", "currency_code"))
    units, billionths = number(member(money, "units")), number(member(money, "nanos"))
    if code is None or (units is None and billionths is None):
        return text_of(member(normal, "text"))
    amount = Decimal(int(units or 0)) + Decimal(int(billionths or 0)).scaleb(-9)
    return f"{amount:f} {code}"


def _located(value: object, entity: Found, sizes: Sizes) -> object:
    """Return a leaf with its confidence and where its first page shows it."""
    anchor = member(entity, "pageAnchor", "page_anchor")
    places = objects(member(anchor, "pageRefs", "page_refs"))
    # page 0 is left out of the file, as protocol buffers do with every zero
    pages = [number(place.get("page", 0)) for place in places]
    page = next((int(at) for at in pages if at is not None and at >= 0), None)
    boxes = [
        box
        for at, place in zip(pages, places, strict=True)
        if at == page and page is not None
        if (box := _box(member(place, "boundingPoly", "bounding_poly"), sizes.get(page)))
    ]
    corners = [point for x0, y0, x1, y1 in boxes for point in ((x0, y0), (x1, y1))]
    return leaf(
        value,
        confidence=number(entity.get("confidence")),
        page=None if page is None else page + 1,
        box=around(corners, FRACTIONS),
        normalised=_normalised(entity),
    )


def _box(polygon: object, size: PageSize | None) -> list[float] | None:
    points = [*_points(member(polygon, "normalizedVertices", "normalized_vertices"))]
    if points:
        return around(points, FRACTIONS)
    points = [*_points(member(polygon, "vertices"))]
    return None if size is None else around(points, size)


def _points(vertices: object) -> Iterator[tuple[object, object]]:
    """Yield the corners; a coordinate that is 0 is left out of the file."""
    yield from ((vertex.get("x", 0), vertex.get("y", 0)) for vertex in objects(vertices))
