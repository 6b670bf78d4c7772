"""Flat entities as taggers write them: a list of objects or pairs, each a name and a text.

A document is an object with such a list under `entities`, or the list itself. An entity may say its
confidence, page and box, the row it belongs to, and where its text begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.grouping import Flat, Nested, box_of, component_names, fields_of, nest, whole
from docassay.load.records import ID_KEYS, Records, from_anywhere, with_ids
from docassay.load.vrdu_items import lone_entities
from docassay.model.schema import GroupSpec
from docassay.model.vrdu import VrduDocument

ENTITIES = "entities"
NAMES = ("field", "label", "type", "name", "fieldtype", "category")
TEXTS = ("text", "value")
BOXES = ("box", "bbox")
ROWS = ("group", "group_id", "line_item_id")
SURE = ("confidence", "score")
STARTS = ("start", "order")


class Listed(NamedTuple):
    """The entities of a document, and what was wrong with the list."""

    entities: list[Flat]
    problems: list[str]


def read_entities(path: Path) -> Records:
    """Yield the documents of a JSON or JSON lines file, entities as found."""
    return with_ids(from_anywhere(path, _is_document), ids=ID_KEYS)


def _is_document(key: str, value: object) -> bool:
    return key != ENTITIES and isinstance(value, list | dict)


def listed(tree: object) -> Listed | None:
    """Return the entities of a document, None when it does not list any."""
    found = tree.get(ENTITIES) if isinstance(tree, Mapping) else tree
    if not isinstance(found, list):
        return None
    entities: list[Flat] = []
    problems: list[str] = []
    for number, item in enumerate(found):
        one = _entity(item)
        if one is None:
            problems.append(f"{ENTITIES}[{number}] has no name and text; left out")
        else:
            entities.append(one)
    return Listed(entities, problems)


def _entity(item: object) -> Flat | None:
    if isinstance(item, list) and len(item) == 2:
        item = {"name": item[0], "value": item[1]}
    if not isinstance(item, Mapping):
        return None
    name, text = _first(item, NAMES), _first(item, TEXTS)
    if not isinstance(name, str) or not isinstance(text, str | int | bool | float):
        return None
    row = _first(item, ROWS)
    told = {
        "confidence": _first(item, SURE),
        "page": item.get("page"),
        "box": _first(item, BOXES),
    }
    more = {key: value for key, value in told.items() if value is not None}
    return Flat(
        name,
        {"value": text, **more} if more else text,
        whole(_first(item, STARTS)),
        whole(told["page"]),
        box_of(told["box"]),
        None if row is None else str(row),
    )


def _first(item: Mapping[str, object], keys: Sequence[str]) -> object:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def nest_document(tree: object, specs: Sequence[GroupSpec]) -> tuple[Nested, list[str]]:
    """Return a document with rows, from its list of entities or from fields with several values."""
    found = listed(tree)
    beside = tree if isinstance(tree, Mapping) else {}
    if isinstance(tree, VrduDocument) and tree.meta is None:
        found = Listed(lone_entities(tree.items_as_found), [])  # in an order that a tree has not
        names = {one.name for one in found.entities}
        beside = {key: value for key, value in tree.items() if key not in names}
    if found is None:
        return nest(beside, specs), []
    components = {name for spec in specs for name in component_names(spec, ())}
    others = [one for one in found.entities if one.name not in components]
    rest = {key: value for key, value in beside.items() if key != ENTITIES}
    return nest({**rest, **fields_of(others)}, specs, entities=found.entities), found.problems
