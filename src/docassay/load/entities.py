"""Flat entities as taggers write them: a list of objects or pairs, each a name and a text.

A document is an object with such a list under `entities`, or the list itself. An entity may say its
confidence, page and box, the row it belongs to, and where its text begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.format import AnnotatedTree
from docassay.load.records import ID_KEYS, Records, from_anywhere, with_ids
from docassay.model.problem import ProblemCode, Remark
from docassay.model.schema import GroupSpec
from docassay.schema.grouping import (
    Flat,
    Nested,
    Row,
    box_of,
    component_names,
    fields_of,
    group_by,
    nest,
    whole,
)

DEFAULT_GROUP = "line_item"
"""What rows are called when nothing names them."""


class Shaped(NamedTuple):
    """The tree of a document's items, and what was wrong with them."""

    tree: dict[str, object]
    problems: list[Remark]


def shape(
    items: Sequence[object], place: str, components: Mapping[str, str], ways: Mapping[str, str]
) -> Shaped:
    """Return the fields and rows that items stand for; lone components are put into rows.

    `components` gives the group of each, and `ways` how the rows of a group are found.
    """
    problems: list[Remark] = []
    fields: list[Flat] = []
    lone: dict[str, list[Flat]] = {}
    rows: dict[str, list[Row]] = {}
    for number, item in enumerate(items):
        where = f"{place}[{number}]"
        try:
            names, value = _parts(item)
            if isinstance(names, list):
                row = _row(names, value, where, problems)
                owner = next((components[name] for name in names if name in components), None)
                rows.setdefault(owner or DEFAULT_GROUP, []).append(row)
            else:
                where = f"{where} ({names})"
                entity = _candidates(names, value, where, problems)
                owner = components.get(names)
                (fields if owner is None else lone.setdefault(owner, [])).append(entity)
        except DataError as error:
            problems.append(Remark(ProblemCode.BROKEN_ENTRY, f"{where}: {error.what}; left out"))
    for owner, entities in lone.items():
        made = group_by(ways[owner], entities)
        rows.setdefault(owner, []).extend(made.rows)
        fields += [component._replace(name=f"{owner}.{component.name}") for component in made.left]
        if made.left:
            problems.append(
                Remark(
                    ProblemCode.GROUPING,
                    f"{len(made.left)} components of {owner} could not be put into rows",
                )
            )
    groups = {owner: [fields_of(row) for row in group] for owner, group in rows.items() if group}
    return Shaped({**fields_of(fields), **groups}, problems)


def lone_entities(items: Sequence[object]) -> list[Flat]:
    """Return the items that are no rows, in their order; what is wrong with others was said."""
    entities = []
    for item in items:
        try:
            names, value = _parts(item)
            if isinstance(names, str):
                entities.append(_candidates(names, value, "", []))
        except DataError:
            continue
    return entities


def _parts(item: object) -> tuple[str | list[str], object]:
    """Return the name, or the names of a row, and what belongs to it."""
    if not isinstance(item, list) or len(item) != 2:
        raise DataError("is not a pair of name and entity")
    names, value = item
    if isinstance(names, str):
        return names, value
    if isinstance(names, list) and names and all(isinstance(name, str) for name in names):
        return names, value
    raise DataError("has no name")


def _candidates(name: str, value: object, where: str, problems: list[Remark]) -> Flat:
    """Return one entity; of several candidates any is right, and the first says where it stands."""
    if not isinstance(value, list) or not value or not isinstance(value[0], list):
        return _entity(name, value, where, problems)
    entities = []
    for number, candidate in enumerate(value):
        try:
            entities.append(_entity(name, candidate, where, problems))
        except DataError as error:
            problems.append(
                Remark(
                    ProblemCode.BROKEN_ENTRY, f"{where}: candidate {number} {error.what}; left out"
                )
            )
    if not entities:
        raise DataError("has no candidate with a text")
    texts = [*dict.fromkeys(_text(part.leaf) for part in entities)]
    first = entities[0]
    if len(texts) == 1:
        return first
    place = first.leaf if isinstance(first.leaf, dict) else {}
    rest = {key: part for key, part in place.items() if key != "value"}
    return first._replace(leaf={"any_of": texts, **rest})


def _text(leaf: object) -> object:
    return leaf["value"] if isinstance(leaf, dict) else leaf


def _row(names: list[str], value: object, where: str, problems: list[Remark]) -> Row:
    entities = value
    if _depth(entities) > 2 and isinstance(value, list):
        entities = value[0]  # gold wraps the row in a list of its own
    if not isinstance(entities, list) or len(entities) != len(names):
        raise DataError(f"does not have one entity for each of its {len(names)} names")
    row = []
    for name, entity in zip(names, entities, strict=True):
        try:
            row.append(_entity(name, entity, f"{where} ({name})", problems))
        except DataError as error:
            problems.append(
                Remark(ProblemCode.BROKEN_ENTRY, f"{where} ({name}): {error.what}; left out")
            )
    if not row:
        raise DataError("has no component with a text")
    return row


def _depth(value: object) -> int:
    """Return how many lists stand in each other before the first text: 1 for an entity."""
    depth = 0
    while isinstance(value, list) and value and depth < 3:
        depth += 1
        value = value[0]
    return depth


def _entity(name: str, value: object, where: str, problems: list[Remark]) -> Flat:
    if isinstance(value, str):
        problems.append(
            Remark(
                ProblemCode.BROKEN_ENTRY,
                f"{where}: a text where [text, box, segments] belongs; read as that text",
            )
        )
        return Flat(name, value)
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise DataError("has no text")
    box = value[1] if len(value) > 1 else None
    start = _start(value[2]) if len(value) > 2 else None
    if not box:
        return Flat(name, value[0], start)
    page = whole(box[0]) if isinstance(box, list) else None
    corners = box_of(box[1:]) if isinstance(box, list) else None
    if page is None or corners is None:
        problems.append(
            Remark(
                ProblemCode.BROKEN_ENTRY, f"{where}: box is not [page, x1, y1, x2, y2]; left out"
            )
        )
        return Flat(name, value[0], start)
    # such lists count pages from 0, we from 1
    leaf = {"value": value[0], "page": page + 1, "box": [*corners]}
    return Flat(name, leaf, start, page + 1, corners)


def _start(segments: object) -> int | None:
    """Return where the first segment of a text begins."""
    first = segments[0] if isinstance(segments, list) and segments else None
    return whole(first[0]) if isinstance(first, list) and first else None


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
    problems: list[Remark]


def read_entities(path: Path) -> Records:
    """Yield the documents of a JSON or JSON lines file, entities as found."""
    return with_ids(from_anywhere(path, _is_document), ids=ID_KEYS)


def _is_document(key: str, value: object) -> bool:
    return key != ENTITIES and isinstance(value, list | dict)


def listed(tree: object) -> Listed | None:
    """Return the entities of a document, None when it does not list any."""
    entries = tree.get(ENTITIES) if isinstance(tree, Mapping) else tree
    if not isinstance(entries, list):
        return None
    entities: list[Flat] = []
    problems: list[Remark] = []
    for number, item in enumerate(entries):
        entity = _flat_entity(item)
        if entity is None:
            problems.append(
                Remark(
                    ProblemCode.BROKEN_ENTRY, f"{ENTITIES}[{number}] has no name and text; left out"
                )
            )
        else:
            entities.append(entity)
    return Listed(entities, problems)


def _flat_entity(item: object) -> Flat | None:
    if isinstance(item, list) and len(item) == 2:
        item = {"name": item[0], "value": item[1]}
    if not isinstance(item, Mapping):
        return None
    name, text = _first(item, NAMES), _first(item, TEXTS)
    if not isinstance(name, str) or not isinstance(text, str | int | bool | float):
        return None
    row = _first(item, ROWS)
    details = {
        "confidence": _first(item, SURE),
        "page": item.get("page"),
        "box": _first(item, BOXES),
    }
    more = {key: value for key, value in details.items() if value is not None}
    return Flat(
        name,
        {"value": text, **more} if more else text,
        whole(_first(item, STARTS)),
        whole(details["page"]),
        box_of(details["box"]),
        None if row is None else str(row),
    )


def _first(item: Mapping[str, object], keys: Sequence[str]) -> object:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def nest_document(tree: object, specs: Sequence[GroupSpec]) -> tuple[Nested, list[Remark]]:
    """Return a document with rows, from its list of entities or from fields with several values."""
    entities = listed(tree)
    beside = tree if isinstance(tree, Mapping) else {}
    loose = tree.loose_entities if isinstance(tree, AnnotatedTree) else None
    if loose is not None:  # in an order that a tree does not have
        entities = Listed([*loose], [])
        names = {entity.name for entity in loose}
        beside = {key: value for key, value in beside.items() if key not in names}
    if entities is None:
        return nest(beside, specs), []
    components = {name for spec in specs for name in component_names(spec, ())}
    others = [entity for entity in entities.entities if entity.name not in components]
    rest = {key: value for key, value in beside.items() if key != ENTITIES}
    nested = nest({**rest, **fields_of(others)}, specs, entities=entities.entities)
    return nested, entities.problems
