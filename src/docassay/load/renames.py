"""Renaming: fields and groups of pred under the names that gold has for them.

`items=line_items` renames a field or a group, `line_items.desc=line_items.description` a field of
its rows, `items.desc=line_items.description` both at once. All renamings happen at the same time,
so two names can be swapped. A key that holds dots itself (a column `vendor.name`) goes by its whole
name. Values are never moved between a document and the rows of a group.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path

from docassay.errors import ConfigurationError, FileError
from docassay.load.format import AnnotatedTree, Record
from docassay.load.naming import path_parts
from docassay.load.records import Records
from docassay.model.document import MAX_DEPTH, Block, TaggedText
from docassay.model.problem import Problem

OPTION = "--map"
FILES = (".yaml", ".yml", ".json")
MOST_NAMES = 8


def read_renames(path: Path) -> dict[str, str]:
    """Return the renamings of a YAML or JSON file, a flat mapping PRED: GOLD."""
    from docassay.schema.nodes import Mistakes, mapping, read_json, read_yaml, text

    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FileError(f"cannot be read: {reason}", where=str(path)) from None
    mistakes = Mistakes()
    read = read_json if path.suffix.lower() == ".json" else read_yaml
    root = read(content, mistakes, file=str(path))
    entries = mapping(root, mistakes) if not mistakes.found else {}
    names = {name: text(node, mistakes) for name, node in entries.items()}
    if not names and not mistakes.found:
        mistakes.add(root, "no renamings", hint="write lines such as `desc: description`")
    if mistakes.found:
        first = mistakes.found[0]
        raise ConfigurationError(first.what, where=first.where, hint=first.hint)
    return {name.strip(): new.strip() for name, new in names.items() if new is not None}


class Renames:
    """Renamings of keys, each by the path of the group that it stands in."""

    def __init__(self, given: Mapping[str, str], gold_names: Container[str] = ()) -> None:
        self.given = given
        self._gold_names = gold_names
        """Keys of gold's documents, some of which may hold dots."""
        self.matched: set[str] = set()
        self._whole: dict[str, str] = {}
        """Keys of the root by their whole name."""
        self._keys: dict[str, dict[str, tuple[str, str]]] = {}
        """Path of a group -> key in it -> the new key, and the renaming that says so."""
        self._moves: dict[str, str] = {}
        """Renamings that would move a value; the name may still be a key with dots."""
        self._seen: dict[str, None] = {}
        for name, new in given.items():
            if not isinstance(name, str) or not isinstance(new, str):
                raise ConfigurationError(f"{name!r}: {new!r} are not two names", where=OPTION)
            self._add(name, new)

    def _add(self, name: str, new: str) -> None:
        old_parts, new_parts = path_parts(name), path_parts(new)
        if not all(part.strip() for part in (*old_parts, *new_parts)):
            raise ConfigurationError(
                f"{name}={new} has an empty name", where=OPTION, hint="write it as PRED=GOLD"
            )
        self._whole[name] = new
        if len(old_parts) != len(new_parts):
            if len(new_parts) > len(old_parts) and new not in self._gold_names:
                raise _move(name, new)
            self._moves[name] = new
            return
        for at, (old, changed) in enumerate(zip(old_parts, new_parts, strict=True)):
            last = at == len(old_parts) - 1
            if old == changed and not last:
                continue
            group = ".".join(old_parts[:at])
            before = self._keys.setdefault(group, {}).setdefault(old, (changed, name))
            if before[0] != changed:
                raise ConfigurationError(
                    f"{name}={new} and {before[1]}={self.given[before[1]]} rename "
                    f"{'.'.join((*old_parts[:at], old))!r} to different names",
                    where=OPTION,
                    hint="leave one of them out",
                )

    def __call__(self, records: Records) -> Records:
        """Yield the records with their keys renamed."""
        for item in records:
            if isinstance(item, Problem) or item.tree is None:
                yield item
            else:
                yield item._replace(tree=self._tree(item))

    @property
    def notes(self) -> list[str]:
        """Sentences on renamings that no record had use for; whole once all are read."""
        names = [name for name in self._seen if name not in self._whole]
        listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
        return [
            f"{OPTION} {name}={new} matches nothing: pred has no {name!r}, it has {listed}"
            for name, new in self.given.items()
            if name not in self.matched
        ]

    def _tree(self, item: Record) -> object:
        tree = item.tree
        if isinstance(tree, TaggedText):
            return TaggedText(block._replace(category=self._tag(block)) for block in tree.blocks)
        if not isinstance(tree, Mapping):
            return tree
        if isinstance(tree, AnnotatedTree):
            raise ConfigurationError(
                "documents of this format cannot be renamed",
                where=OPTION,
                hint="rename the fields in the files, or give the predictions as JSON",
            )
        self._seen |= dict.fromkeys(map(str, tree))
        for name, new in self._moves.items():
            if name not in tree and _holds(tree, path_parts(name)):
                raise _move(name, new)
        return self._object(tree, "", "", item.where, 0)

    def _tag(self, block: Block) -> str | None:
        category = block.category
        if category is None or category not in self._whole:
            return category
        self.matched.add(category)
        return self._whole[category]

    def _object(
        self, node: Mapping[str, object], old: str, new: str, where: str, depth: int
    ) -> dict[str, object]:
        """Return an object renamed; its group has one path before and another one afterwards."""
        keys = {**self._keys.get(new, {}), **self._keys.get(old, {})}
        renamed: dict[str, object] = {}
        sources: dict[str, str] = {}
        for key, raw in node.items():
            name, short = str(key), str(key).removeprefix(f"{old}.") if old else str(key)
            fresh = name
            if not old and name in self._whole:
                fresh = self._whole[name]
                self.matched.add(name)
            elif short in keys:
                fresh, given = keys[short]
                if path_parts(given)[-1] == short:
                    self.matched.add(given)
            if fresh in renamed:
                first = sources[fresh]
                place = f" in the rows of {old}" if old else ""
                both = f"{first!r} and {name!r}{place} are both {fresh!r} after renaming"
                hint = f"leave out this renaming, or rename the other {fresh!r} as well"
                raise ConfigurationError(both, where=where, hint=hint)
            sources[fresh] = name
            below = f"{old}.{short}" if old else name
            after = f"{new}.{fresh}" if new else fresh
            renamed[fresh] = self._value(raw, below, after, where, depth + 1)
        return renamed

    def _value(self, raw: object, old: str, new: str, where: str, depth: int) -> object:
        inside = any(path in self._keys or self._reaches(path) for path in (old, new))
        if depth >= MAX_DEPTH or not inside:
            return raw
        if isinstance(raw, list | tuple):
            return [self._value(item, old, new, where, depth + 1) for item in raw]
        return self._object(raw, old, new, where, depth) if isinstance(raw, Mapping) else raw

    def _reaches(self, path: str) -> bool:
        """Whether something below a path is renamed."""
        return any(group.startswith(f"{path}.") for group in self._keys)


def _move(name: str, new: str) -> ConfigurationError:
    return ConfigurationError(
        f"{name}={new} would move a value between a document and a group",
        where=OPTION,
        hint="rename within one level, or reshape the predictions",
    )


def _holds(tree: object, parts: list[str]) -> bool:
    """Whether a tree has something at a path, in any row of a group."""
    if not parts:
        return True
    if isinstance(tree, list | tuple):
        return any(_holds(item, parts) for item in tree)
    return isinstance(tree, Mapping) and parts[0] in tree and _holds(tree[parts[0]], parts[1:])
