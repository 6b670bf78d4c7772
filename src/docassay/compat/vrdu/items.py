"""Items as the released VRDU toolkit sees them: gold's labelled ones, and what was extracted.

They come from the JSON lists of the benchmark's files, or are made from the tree of any other
document. What the toolkit stops at is noted as a flaw; names and boxes are taken as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.compat.vrdu.match import MATCH_FUNCTIONS, TYPE_OF_CLASS, MatchFunction
from docassay.model.document import Group, Number, Reading
from docassay.model.schema import Field, GroupSpec
from docassay.schema.layout import Layout
from docassay.schema.other_forms import (
    FUNCTIONS_KEY,
    PATTERNS_KEY,
    REPEATED,
    UNREPEATED,
    functions_of,
)
from docassay.values.read.characters import shortened

DEFAULT = "vrdu_default"

Name = str | tuple[str, ...]
"""The name of an item, or those of its components in their order."""
Flaws = Counter[str]
"""What the released toolkit would have stopped at, and how often."""


class Labelled(NamedTuple):
    """An item of gold: the texts that will do, or one text for each component."""

    name: Name
    texts: tuple[str, ...]


class Extracted(NamedTuple):
    """An extraction, alone or grouped: its texts (None where there is none) and all it says."""

    name: Name
    texts: tuple[str | None, ...]
    whole: object
    """Extractions that are equal in this, boxes and segments included, count once."""


class Meta(NamedTuple):
    """What a meta.json says: a type for each name, and how names appear, in its order."""

    types: Mapping[str, str]
    unrepeated: tuple[str, ...]
    repeated: tuple[str, ...]
    hierarchical: Mapping[str, tuple[str, ...]]
    """The names of the components of each hierarchical name."""

    def function(self, name: str) -> MatchFunction:
        """Return the match function of a name; one that is not known compares whole texts."""
        return MATCH_FUNCTIONS[self.types.get(name, DEFAULT)]

    @property
    def names(self) -> frozenset[str]:
        """Every name that an item or a component may have."""
        parts = (part for parts in self.hierarchical.values() for part in parts)
        return frozenset((*self.unrepeated, *self.repeated, *parts))

    def owner(self, name: Name) -> str | None:
        """Return the name that an item counts for; None when no one name has its components."""
        if isinstance(name, str):
            return name
        hierarchy = self.hierarchical.items()
        return next((whole for whole, parts in hierarchy if {*name} <= {*parts}), None)

    def spelled(self, path: str) -> str:
        """Return how a field of a tree is named here: by its path, or by the last part of it."""
        last = path.rpartition(".")[2]
        return last if path not in self.names and last in self.names else path


def make_meta(types: Mapping[str, str], patterns: Mapping[str, str]) -> Meta:
    """Return what types and appearance patterns by name come to."""
    names: dict[str, list[str]] = {UNREPEATED: [], REPEATED: []}
    for name, pattern in patterns.items():
        names.setdefault(pattern, []).append(name)
    unrepeated, repeated = names.pop(UNREPEATED), names.pop(REPEATED)
    hierarchical = {whole: tuple(parts) for whole, parts in names.items()}
    return Meta(types, tuple(unrepeated), tuple(repeated), hierarchical)


def read_meta(meta: Mapping[str, object]) -> Meta:
    """Return the content of a meta.json; without appearance patterns every name is unrepeated."""
    given = meta.get(FUNCTIONS_KEY)
    functions = given if isinstance(given, Mapping) else {}
    types = {str(name): TYPE_OF_CLASS.get(str(kind), DEFAULT) for name, kind in functions.items()}
    content = meta.get(PATTERNS_KEY, dict.fromkeys(types, UNREPEATED))
    patterns = content if isinstance(content, Mapping) else {}
    return make_meta(types, {str(name): str(pattern) for name, pattern in patterns.items()})


def read_annotations(items: object, flaws: Flaws) -> list[Labelled]:
    """Return gold's items from the `annotations` of a document in dataset.jsonl."""
    labelled = []
    for item in items if isinstance(items, Sequence) else ():
        given, entities = _pair(item)
        name = _name(given)
        if isinstance(name, tuple):
            # a hierarchical item has one candidate: whatever stands behind it is not read
            entities = _first(entities)
        if name is None or not isinstance(entities, list | tuple):
            flaws["gold has an item that is not a name with a list of texts: left out"] += 1
            continue
        texts = tuple(text for entity in entities if type(text := _first(entity)) is str)
        if len(texts) < len(entities) or any(isinstance(entity, str) for entity in entities):
            flaws[f"gold has a value of {shown(name)} that is no text: left out"] += 1
            continue
        if not all(map(_is_well_placed, entities)):
            flaws[f"gold has a box or segments of {shown(name)} that the toolkit refuses"] += 1
        labelled.append(Labelled(name, texts))
    return labelled


def read_results(items: object, flaws: Flaws) -> list[Extracted]:
    """Return the extractions from the `results` of a document in a file of predictions."""
    extracted = []
    for item in items if isinstance(items, Sequence) else ():
        name, entity = _pair(item)
        if type(name) is not str:
            flaws["pred has an item whose name is not a text: left out"] += 1
            continue
        text = _first(entity)
        extracted.append(Extracted(name, (text if type(text) is str else None,), frozen(item)))
    return extracted


def _pair(item: object) -> tuple[object, object]:
    if not isinstance(item, list | tuple) or not item:
        return None, None
    return item[0], item[1] if len(item) > 1 else None


def _name(given: object) -> Name | None:
    if type(given) is str:
        return given
    if isinstance(given, list | tuple) and all(type(part) is str for part in given):
        return tuple(given)
    return None


def _first(entity: object) -> object:
    # the toolkit takes element 0 of whatever stands there, which of a bare text is its first letter
    return entity[0] if isinstance(entity, list | tuple | str) and entity else None


def shown(name: Name) -> str:
    """Return a name as messages say it."""
    return shortened(name if isinstance(name, str) else ", ".join(name))


def _is_well_placed(entity: Sequence[object]) -> bool:
    """Whether the toolkit takes box and segments: whole numbers where it wants them, else not."""
    if len(entity) < 3:
        return False
    _, box, segments, *_ = entity
    return (
        isinstance(box, list | tuple)
        and len(box) == 5
        and isinstance(box[0], int)
        and all(isinstance(corner, float | Number) for corner in box[1:])
        and isinstance(segments, list | tuple)
        and all(isinstance(segment, list | tuple) and _is_segment(segment) for segment in segments)
    )


def _is_segment(segment: Sequence[object]) -> bool:
    return len(segment) == 2 and all(isinstance(end, int) for end in segment)


def frozen(node: object) -> object:
    """Return a JSON tree that can be hashed, equal where Python finds the tree equal."""
    if isinstance(node, list | tuple):
        return tuple(map(frozen, node))
    if isinstance(node, Mapping):
        return frozenset((key, frozen(value)) for key, value in node.items())
    return float(node) if isinstance(node, Number) else node


def meta_of_trees(layout: Layout, gold: Group, pred: Group, *, bare: bool) -> Meta:
    """Return what schema and documents say; `bare` leaves a group's path out of its components."""
    types: dict[str, str] = {}
    patterns: dict[str, str] = {}
    functions = functions_of(layout.schema)
    for field, owner in _fields(layout.schema.fields, layout.schema.groups, ""):
        name = _component(field.path, owner, bare=bare)
        type_ = TYPE_OF_CLASS.get(functions.get(field.path, ""), field.type)
        types[name] = type_ if type_ in MATCH_FUNCTIONS else DEFAULT
        patterns[name] = owner or _pattern(field, (gold, pred))
    for side in (gold, pred):
        for path in side.values:
            patterns.setdefault(path, _pattern(Field(path), (gold, pred)))
        for row in _rows(side):
            for path in row.values:
                patterns.setdefault(_component(path, row.type, bare=bare), row.type)
    return make_meta(types, patterns)


def _fields(
    fields: Sequence[Field], groups: Sequence[GroupSpec], owner: str
) -> Iterator[tuple[Field, str]]:
    """Yield every field with the group that it belongs to, "" when that is the document."""
    yield from ((field, owner) for field in fields)
    for spec in groups:
        yield from _fields(spec.fields, spec.groups, owner if spec.section else spec.path)


def _component(path: str, owner: str, *, bare: bool) -> str:
    return path.removeprefix(f"{owner}.") if bare else path


def _pattern(field: Field, sides: tuple[Group, Group]) -> str:
    """Return how a field outside groups appears: as the schema says, else as it stands."""
    several = any(len(side.values.get(field.path, ())) > 1 for side in sides)
    return REPEATED if (several if field.repeated is None else field.repeated) else UNREPEATED


def label_tree(root: Group, meta: Meta) -> list[Labelled]:
    """Return gold's items from a tree: a value each, and a row for each hierarchical item."""
    simple = [
        Labelled(meta.spelled(path), tuple(val.text for val in reading.accepted))
        for path, reading in _readings(root)
    ]
    rows = [[(meta.spelled(path), val.text) for path, val in _readings(row)] for row in _rows(root)]
    return simple + [
        Labelled(tuple(name for name, _ in row), tuple(text for _, text in row))
        for row in rows
        if row
    ]


def extract_tree(root: Group, meta: Meta) -> list[Extracted]:
    """Return the extractions from a tree, flat, as a prediction file has them."""
    return [
        Extracted(name, (reading.text,), (name, reading.text, reading.page, reading.box))
        for group in (root, *_rows(root))
        for path, reading in _readings(group)
        for name in (meta.spelled(path),)
    ]


def _readings(group: Group) -> Iterator[tuple[str, Reading]]:
    for path, readings in group.values.items():
        for reading in readings:
            yield path, reading


def _rows(group: Group) -> Iterator[Group]:
    for rows in group.groups.values():
        for row in rows:
            yield row
            yield from _rows(row)
