"""Selection: which members of gold and pred count, decided before anything of them is read.

A member is left out on both sides when the user asked for it, when the schema does not name it and
does not say that extras count, or when gold does not know it: its document lists the fields that
were labelled, or the schema says that a key which gold lacks is unlabelled. Metrics, rules and
verdicts get trees without it, so that none of them can count it. What is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.kernel.readings import are_whole
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, Block, Number, TaggedText
from docassay.model.problem import Problem, ProblemCode
from docassay.schema.layout import EXTRA, UNLABELLED, BoundGroup, Layout, Member
from docassay.schema.reading import ALTERNATIVES_KEYS

PLAIN = frozenset({str, Number, int, float, bool, type(None)})


class PartialTree(dict[str, object]):
    """The tree of a gold document of which only some fields were labelled."""

    __slots__ = ("labelled",)

    def __init__(self, tree: Mapping[str, object], labelled: Sequence[str]) -> None:
        super().__init__(tree)
        self.labelled = tuple(sorted({*labelled}))
        """Names of fields and groups; what stands under other names is not known."""


class Aside(NamedTuple):
    """What of a document was left out under one name, and why."""

    reason: str
    side: str
    """"gold" or "pred"."""
    field: str
    values: int


class Selected(NamedTuple):
    """Two trees without what does not count."""

    gold: object
    pred: object
    aside: tuple[Aside, ...] = ()
    problems: tuple[Problem, ...] = ()
    labels: Labels | None = None
    """What gold knows, None when it knows all."""


def select(id: str, gold: object, pred: object, layout: Layout) -> Selected:
    """Return the trees of a document with the members that count; whole ones come back as is."""
    labels = _labels(gold, layout)
    if labels is None and not layout.selective:
        return Selected(gold, pred)
    golds, preds = _Sieve(labels), _Sieve(labels)
    kept = golds.tree(gold, layout), preds.tree(pred, layout)
    sides = (("gold", golds.counts), ("pred", preds.counts))
    aside = tuple(
        Aside(reason, side, path, values)
        for side, counts in sides
        for (reason, path), values in sorted(counts.items())
        if values or reason not in (EXTRA, UNLABELLED)
    )
    unknown = () if labels is None else labels.unknown(gold)
    message = "`labelled` names it, but the schema and the document do not have it"
    problems = tuple(
        Problem(ProblemCode.UNKNOWN_LABEL, id, "gold", name, message) for name in unknown
    )
    return Selected(*kept, aside, problems, labels)


def _labels(gold: object, layout: Layout) -> Labels | None:
    """Return what gold knows, None when it knows all."""
    if isinstance(gold, PartialTree):
        return Labels(layout, gold.labelled)
    if layout.partial and isinstance(gold, Mapping):
        return Labels(layout, (), _stated(gold, layout.root, 0))
    return None


class Labels:
    """The fields and groups of a document that gold knows."""

    def __init__(
        self, layout: Layout, names: Sequence[str], paths: Iterator[str] | None = None
    ) -> None:
        self.layout = layout
        self._given = {name: _paths_of(name, layout) for name in names}
        self.paths = {path for every in self._given.values() for path in every}
        self.paths.update(() if paths is None else paths)
        self._inside = {path[:at] for path in self.paths for at in _dots(path)}
        """Groups of which some fields are known."""
        self._known: dict[Member, bool] = {}

    def know(self, member: Member) -> bool:
        """Whether gold knows a member, or something inside it."""
        coverage = self._known.get(member)
        if coverage is None:
            coverage = self._known[member] = self._covers(member)
        return coverage

    def _covers(self, member: Member) -> bool:
        names = member.names
        if not names.isdisjoint(self.paths) or member.path in self._inside:
            return True
        around: BoundGroup | None = member.owner
        while around is not None and not around.root:
            if around.path in self.paths:
                return True
            around = around.parent
        return False

    def know_field(self, path: str) -> bool:
        """Whether gold knows a field of the schema, by itself or with its group."""
        return path in self.paths or any(path[:at] in self.paths for at in _dots(path))

    def unknown(self, gold: object) -> list[str]:
        """Return the given names that neither the schema nor the gold document has."""
        schema = self.layout.schema
        if not schema.fields and not schema.groups:
            return []
        listing = self.layout.listing
        names = {*listing.fields, *listing.groups, *listing.columns}
        own = gold if isinstance(gold, Mapping) else {}
        names.update(*(member.names for key in own for member in [self._member(key)]))
        return [name for name, paths in self._given.items() if names.isdisjoint(paths)]

    def _member(self, key: object) -> Member:
        return self.layout.root.members[str(key)]


def _dots(path: str) -> Iterator[int]:
    return (at for at, sign in enumerate(path) if sign == ".")


def _paths_of(name: str, layout: Layout) -> set[str]:
    """Return the paths that a name given by a user stands for: by path, alias or column."""
    whole = layout.root.members[name]
    column = layout.listing.columns.get(name)
    paths = {name, whole.path} if column is None else {name, column[1]}
    shape, *rest = layout.root, *name.split(".")
    for part in rest:
        member = shape.members[part]
        shape = member.group
    return paths | {member.path}


def _stated(node: Mapping[str, object], shape: BoundGroup, depth: int) -> Iterator[str]:
    """Yield the paths that a gold tree has a key for, be it without value.

    An empty list of rows says that there are none, so the group is known as a whole; of rows, the
    fields that any of them has.
    """
    for key, raw in node.items():
        member = shape.members[key if type(key) is str else str(key)]
        if member.column is not None and not isinstance(raw, Mapping):
            yield member.column[1].path
            continue
        rows = [*_objects(raw, member)] if depth < MAX_DEPTH else []
        if not rows:
            yield member.path
        for row in rows:
            yield from _stated(row, member.group, depth + 1)


def _objects(raw: object, member: Member) -> Iterator[Mapping[str, object]]:
    """Yield the objects under a key that are rows and no leaves."""
    for item in raw if isinstance(raw, list | tuple) else [raw]:
        if isinstance(item, Mapping) and item and not _is_leaf(item, member):
            yield item


def _is_leaf(raw: Mapping[str, object], member: Member) -> bool:
    if member.is_group:
        return False
    located = "value" in raw and LEAF_KEYS.issuperset(raw)
    return located or ("any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw))


class _Sieve:
    """Takes members out of one tree, and counts the values in them by reason and path."""

    def __init__(self, labels: Labels | None) -> None:
        self.labels = labels
        self.counts: dict[tuple[str, str], int] = {}

    def tree(self, tree: object, layout: Layout) -> object:
        if isinstance(tree, TaggedText):
            return self._tagged(tree, layout)
        if not isinstance(tree, Mapping):
            return tree
        kept = self._members(tree, layout.root, 0)
        return {**kept} if isinstance(kept, PartialTree) else kept

    def _tagged(self, text: TaggedText, layout: Layout) -> TaggedText:
        """Return the text with the words of such entities outside of any."""
        blocks: list[Block] = []
        for block in text.blocks:
            category = block.category
            member = None if category is None else layout.root.members[category]
            reason = None if member is None else self._reason(member)
            if member is None or reason is None:
                blocks.append(block)
                continue
            self._count(reason, member.path, block.text)
            blocks.append(Block(None, block.text))
        return text if tuple(blocks) == text.blocks else TaggedText(_joined(blocks))

    def _reason(self, member: Member) -> str | None:
        if member.aside is not None:
            return member.aside
        unknown = self.labels is not None and not self.labels.know(member)
        return UNLABELLED if unknown else None

    def _members(
        self, node: Mapping[str, object], shape: BoundGroup, depth: int
    ) -> Mapping[str, object]:
        kept: dict[str, object] | None = None
        inner_keys = None if self.labels is not None else shape.inner[*node]
        # most objects have nothing to leave out, and most of the others only further down
        for key in node if inner_keys is None else inner_keys:
            raw = node[key]
            member = shape.members[key if type(key) is str else str(key)]
            reason = self._reason(member)
            if reason is not None:
                kept = {**node} if kept is None else kept
                del kept[key]
                self._count(reason, member.path, raw)
            elif type(raw) not in PLAIN and depth < MAX_DEPTH:
                inner = self._value(raw, member, depth + 1)
                if inner is not raw:
                    kept = {**node} if kept is None else kept
                    kept[key] = inner
                    if not inner:
                        del kept[key]
        return node if kept is None else kept

    def _value(self, raw: object, member: Member, depth: int) -> object:
        if depth >= MAX_DEPTH:
            return raw
        if isinstance(raw, list | tuple):
            below = member.group.inner if member.is_group and self.labels is None else None
            if below is not None and type(raw) is list and are_whole(raw, below):
                return raw
            items = [self._value(item, member, depth + 1) for item in raw]
            pairs = [*zip(items, raw, strict=True)]
            if all(item is old for item, old in pairs):
                return raw
            # a row of which nothing is left is no row
            return [item for item, old in pairs if item or item is old]
        if not isinstance(raw, Mapping):
            return raw
        if not _is_leaf(raw, member):
            return self._members(raw, member.group, depth)
        if "value" not in raw:
            return raw
        inner = self._value(raw["value"], member, depth + 1)
        if inner is raw["value"]:
            return raw
        return {**raw, "value": inner} if inner else {}

    def _count(self, reason: str, path: str, raw: object) -> None:
        before = self.counts.get((reason, path), 0)
        self.counts[reason, path] = before + values_in(raw)


def _joined(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks with neighbouring words outside entities as one run."""
    outside: list[str] = []
    for block in blocks:
        if block.category is None:
            outside.append(block.text)
            continue
        if outside:
            yield Block(None, " ".join(outside))
            outside = []
        yield block
    if outside:
        yield Block(None, " ".join(outside))


def values_in(raw: object) -> int:
    """Return how many values that are not empty stand in a part of a tree."""
    count = 0
    stack = [raw]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            if "value" in node and LEAF_KEYS.issuperset(node):
                stack.append(node["value"])
            elif "any_of" in node and ALTERNATIVES_KEYS.issuperset(node):
                count += bool(node["any_of"])
            else:
                stack.extend(node.values())
        elif isinstance(node, list | tuple):
            stack.extend(node)
        else:
            count += node is not None and node != ""
    return count
