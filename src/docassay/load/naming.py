"""Names of fields: which names two sides share, which are alike, and which are not.

Names that differ in nothing but case and punctuation are one name. Whether two sides have any name
in common is counted while they are paired: names only, and no more of them than are needed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from docassay.kernel.counting import is_within_shape, telling_rows
from docassay.load.format import AnnotatedTree, Record
from docassay.load.records import is_leaf
from docassay.model.document import Number
from docassay.model.schema import GroupSpec, Schema

DEEPEST = 6
ROWS = 5
"""How many rows of a list are looked at for their keys."""
KEYS = 500
"""How many keys of one object are remembered."""
NAMES_KEPT = 5_000
EXAMPLES = 20
"""How many pairs are kept to compare their values when no name is shared."""
_PLAIN = frozenset({str, int, float, bool, Number, type(None)})
SURE_IDS = frozenset(
    {
        *("id", "docid", "documentid", "filename", "imagename", "imagefile", "file"),
        *("filepath", "customid", "recordid"),
    }
)
"""Names of keys, without case and punctuation, that hold ids whatever their values are."""


def schema_shape(schema: Schema | None) -> Shape:
    """Return the keys that a schema gives a meaning, aliases and columns included."""
    if schema is None:
        return {}
    root = GroupSpec("", schema.fields, schema.groups)
    shape = _group_shape(root, "")
    if schema.types:
        shape[schema.type_field] = {}
    for group in schema.groups:
        shape |= {column: {} for column in group.columns.values()}
        if group.grouping is not None:  # its values may stand outside of rows
            shape |= {name: {} for name in _group_shape(group, f"{group.path}.")}
    return shape


def _group_shape(group: GroupSpec, prefix: str) -> Shape:
    shape: Shape = {}
    for field in group.fields:
        shape |= {name: {} for name in (field.path.removeprefix(prefix), *field.aliases)}
    for inner in group.groups:
        below = _group_shape(inner, f"{inner.path}.")
        shape |= {name: below for name in (inner.path.removeprefix(prefix), *inner.aliases)}
    return shape


@lru_cache(maxsize=10_000)
def fold(name: str) -> str:
    """Return a name without case and punctuation: Invoice No. and invoiceNo are one."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in plain if char.isalnum()) or plain


Shape = dict[str, "Shape"]
"""The keys of objects, and of the objects below each."""
Renaming = Mapping[str, "Renamed"]


class Renamed(NamedTuple):
    """The name that a key gets, and those of the keys below it."""

    name: str
    inside: Renaming


def add_shape(shape: Shape, tree: object, depth: int = 0) -> None:
    """Add the keys of a tree to a shape."""
    if depth > DEEPEST:
        return
    if isinstance(tree, list):
        for item in telling_rows(tree[:ROWS]):
            if not is_within_shape(item, shape, 0):
                add_shape(shape, item, depth + 1)
    elif isinstance(tree, dict) and not (depth and is_leaf(tree)):
        for key, value in tree.items():
            if type(value) in _PLAIN and key in shape:
                continue  # most are values under a key that was seen before
            if isinstance(key, str) and len(shape) < KEYS:
                add_shape(shape.setdefault(key, {}), value, depth + 1)


def alike(target: Shape, given: Shape) -> Renaming:
    """Return the keys that differ from a target's in case and punctuation alone.

    Only what is clear counts: no other key of either side may be alike as well.
    """
    by_fold: dict[str, list[str]] = {}
    for name in target:
        by_fold.setdefault(fold(name), []).append(name)
    rivals = Counter(map(fold, given))
    renaming: dict[str, Renamed] = {}
    for key, below in given.items():
        name = key
        names = by_fold.get(fold(key), ())
        if key not in target and len(names) == 1 and rivals[fold(key)] == 1:
            name = names[0]
        inside = alike(target[name], below) if name in target else {}
        if name != key or inside:
            renaming[key] = Renamed(name, inside)
    return renaming


def is_within(shape: Shape, target: Shape) -> bool:
    """Return whether a target has all keys of a shape."""
    return all(key in target and is_within(below, target[key]) for key, below in shape.items())


def merged(first: Shape, second: Shape) -> Shape:
    """Return the keys of both."""
    joined = {**second, **first}
    return {key: merged(first.get(key, {}), second.get(key, {})) for key in joined}


def renamed_shape(shape: Shape, renaming: Renaming) -> Shape:
    """Return the keys under their new names."""
    joined: Shape = {}
    for key, below in shape.items():
        change = renaming.get(key, Renamed(key, {}))
        name = key if change.name in shape else change.name
        joined[name] = merged(joined.get(name, {}), renamed_shape(below, change.inside))
    return joined


def renamed(tree: object, renaming: Renaming) -> object:
    """Return a tree with its keys renamed, in the same order."""
    if isinstance(tree, list):
        return [renamed(item, renaming) for item in tree]
    if not isinstance(tree, dict) or not renaming or is_leaf(tree):
        return tree
    members: dict[object, object] = {}
    for key, value in tree.items():
        change = renaming.get(key)
        if change is None or change.name in members or (change.name != key and change.name in tree):
            members[key] = value
        else:
            members[change.name] = renamed(value, change.inside)
    return members


def renamings(renaming: Renaming, before: str = "", after: str = "") -> Iterator[str]:
    """Yield what was renamed: `Invoice No = invoice_no`."""
    for key, change in renaming.items():
        if key != change.name:
            yield f"{before}{key} = {after}{change.name}"
        yield from renamings(change.inside, f"{before}{key}.", f"{after}{change.name}.")


def path_parts(path: str) -> list[str]:
    """Return the parts between the dots of a path; a heading such as `Invoice No.` is one."""
    return re.split(r"(?<=\S)\.(?=\S)", path)


class SharedNames:
    """Which names pairs have in common; they are counted until one is, and in the first pairs."""

    def __init__(self, schema: Schema | None) -> None:
        self.any = False
        self.gold: dict[str, None] = {}
        self.pred: dict[str, None] = {}
        self.values = False
        """Whether a prediction has a value at all."""
        self.examples: list[tuple[object, object]] = []
        self._vocabulary = frozenset(field_names(schema_shape(schema)))

    @property
    def wants_more(self) -> bool:
        """Whether a further pair could say more."""
        return not self.any or len(self.examples) < EXAMPLES

    @property
    def differ(self) -> bool:
        """Whether both sides have fields and none in common."""
        return not self.any and bool(self.gold) and bool(self.pred) and self.values

    def add(self, gold: object, pred: object) -> None:
        """Take the fields of a pair into account."""
        golds, preds = field_paths(gold), field_paths(pred)
        named = self._vocabulary & preds and self._vocabulary & golds
        for names, paths in ((self.gold, golds), (self.pred, preds)):
            names.update((path, None) for path in sorted(paths) if len(names) < NAMES_KEPT)
        met = bool(named) or _meet(golds, preds) or _meet(self.gold.keys(), self.pred.keys())
        self.any = self.any or met
        self.values = self.values or has_value(pred)
        if len(self.examples) < EXAMPLES:
            self.examples.append((gold, pred))

    def add_alone(self, pred: object) -> None:
        """Take the fields of a prediction without gold into account: the schema's are gold's."""
        paths = field_paths(pred)
        self.gold.update((name, None) for name in sorted(self._vocabulary))
        self.pred.update((path, None) for path in sorted(paths) if len(self.pred) < NAMES_KEPT)
        self.any = self.any or not self._vocabulary or _meet(self._vocabulary, paths)
        if len(self.examples) < EXAMPLES:
            self.examples.append((None, pred))

    def one_sided(self) -> tuple[set[str], set[str]]:
        """Return the names that only gold, and those that only pred and not the schema has."""
        golds, preds = {*self.gold}, {*self.pred}
        return golds - preds, preds - golds - self._vocabulary


def _meet(golds: Collection[str], preds: Collection[str]) -> bool:
    """Return whether a name is on both sides, be it that only one has anything below it.

    A list without rows and one with rows are the same field, and so are a text and an object under
    one name: what is compared with what is known, even if nothing can be equal.
    """
    return any(
        not _beginnings(ones).isdisjoint(others)
        for ones, others in ((golds, preds), (preds, golds))
    )


def _beginnings(paths: Iterable[str]) -> set[str]:
    """Return paths and those of all they stand in."""
    parts = (path.split(".") for path in paths)
    return {".".join(names[: end + 1]) for names in parts for end in range(len(names))}


def field_names(shape: Shape, prefix: str = "") -> Iterator[str]:
    """Yield the paths of a shape's keys below which there are none."""
    for key, below in shape.items():
        path = key if key.startswith(prefix) else f"{prefix}{key}"
        if below:
            yield from field_names(below, f"{path}.")
        else:
            yield path


def field_paths(tree: object, prefix: str = "", depth: int = 0) -> set[str]:
    """Return the fields of a tree, those without value included: the paths of `field_values`."""
    paths: set[str] = set()
    if depth > DEEPEST:
        return paths
    if isinstance(tree, list):
        for row in telling_rows([*tree]):
            paths |= field_paths(row, prefix, depth + 1)
        return paths
    for key, value in tree.items() if isinstance(tree, dict) else ():
        # whether an object is a value is said by its keys, and so are its fields
        inner = _rows_in(telling_rows(value) if type(value) is list else value)
        path = _path(key, prefix)
        paths |= field_paths(inner, f"{path}.", depth + 1) if inner else {path}
    return paths


def _path(key: object, prefix: str) -> str:
    name = str(key)
    return name if name.startswith(prefix) else f"{prefix}{name}"


def _rows_in(value: object) -> list[object]:
    """Return the objects of a member, or of its list, that are no values themselves."""
    rows = value if isinstance(value, list) else [value]
    return [row for row in rows if isinstance(row, dict) and not is_leaf(row)]


def field_values(
    tree: object, prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the fields of a tree with their values, of rows once for each row."""
    if depth > DEEPEST:
        return
    if isinstance(tree, list):
        for item in tree:
            yield from field_values(item, prefix, depth + 1)
    if not isinstance(tree, dict):
        return
    for key, value in tree.items():
        path = _path(key, prefix)
        inner = _rows_in(value)
        if inner:
            yield from field_values(inner, f"{path}.", depth + 1)
        else:
            rows = value if isinstance(value, list) else [value]
            yield path, [row.get("value") if isinstance(row, dict) else row for row in rows]


def has_value(tree: object, depth: int = 0) -> bool:
    """Return whether there is anything in a tree but nulls and blank texts."""
    if isinstance(tree, dict):
        return depth > DEEPEST or any(has_value(value, depth + 1) for value in tree.values())
    if isinstance(tree, list):
        return depth > DEEPEST or any(has_value(value, depth + 1) for value in tree)
    return bool(tree.strip()) if isinstance(tree, str) else tree is not None


def leaf_texts(tree: object, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """Return the texts and whole numbers of a tree by their dotted paths, lists left out."""
    texts: dict[str, str] = {}
    if not isinstance(tree, dict) or depth > DEEPEST:
        return texts
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if (isinstance(value, str) and value.strip()) or type(value) is int:
            texts[path] = str(value)
        elif isinstance(value, dict):
            texts |= leaf_texts(value, f"{path}.", depth + 1)
    return texts


def shape_of(records: Iterable[Record]) -> Shape:
    """Return the keys of records; trees that a format has annotated keep their names."""
    shape: Shape = {}
    for record in records:
        tree = record.tree
        if not isinstance(tree, AnnotatedTree) and not is_within_shape(tree, shape, ROWS):
            add_shape(shape, tree)
    return shape


def renamed_record(record: Record, names: Renaming) -> Record:
    """Return a record with the keys of its tree renamed."""
    if not names or isinstance(record.tree, AnnotatedTree):
        return record
    return record._replace(tree=renamed(record.tree, names))


def without_keys(record: Record, keys: frozenset[str]) -> Record:
    """Return a record without some keys of its tree."""
    if not keys or not isinstance(record.tree, dict):
        return record
    tree = {key: value for key, value in record.tree.items() if key not in keys}
    return record._replace(tree=tree)
