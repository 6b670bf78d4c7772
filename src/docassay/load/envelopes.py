"""Envelopes: records that stand inside an object which says something about the extraction.

Services and programs wrap what they extract: `{"status": "ok", "result": {"data": {...}}}`. When
the two sides share no name and what is inside such an envelope does, it is opened. The names below
are those that say nothing about documents; under any other name a root has to be given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from docassay.load.format import Record
from docassay.load.naming import fold
from docassay.load.records import ID_KEYS, Records, find_id, opened_at, reach, unreadable
from docassay.load.source import Ahead, Source
from docassay.model.problem import UNPARSEABLE, Problem

NAMES = frozenset(
    {
        *("data", "extraction", "extractions", "extracted", "extracteddata", "extractedfields"),
        *("result", "results", "output", "outputs", "field", "fields", "prediction"),
        *("predictions", "predicted", "response", "responses", "json", "document", "documents"),
        *("record", "records", "answer", "value", "values", "content", "contents", "message"),
        *("body", "payload", "parsed", "structured", "structuredoutput", "structureddata"),
        *("entities", "attributes", "object", "item", "choices", "groundtruth", "gold", "gt"),
        *("label", "labels", "annotation", "annotations", "expected", "target"),
    }
)
Items = Ahead[Record | Problem]
LOOKED_AT = 50
DEEPEST = 5
LONGEST_TEXT = 100_000
"""Longer texts are not parsed to see what is in them."""


class Envelope(NamedTuple):
    """A path to the record, "" for the object itself, and the folded names of the record there."""

    path: str
    names: frozenset[str]

    @property
    def depth(self) -> int:
        """How many objects stand around the record."""
        return len(self.path.split(".")) if self.path else 0


NOTHING = Envelope("", frozenset())


class Closed(NamedTuple):
    """Which sides stay as they are."""

    gold: bool = False
    pred: bool = False


def open_envelopes(
    gold: Source,
    pred: Source,
    names: Iterable[str] = (),
    closed: Closed = Closed(),  # noqa: B008
) -> tuple[Source, Source]:
    """Return both sources, opened where only the content of an envelope shares names.

    `names` are those that a schema or a renaming gives a meaning: they count as shared.
    """
    golds, preds = Ahead(gold.records), Ahead(pred.records)
    vocabulary = frozenset(map(fold, names))
    choice = _choice(golds, preds, vocabulary, closed)
    return (
        _source(gold, golds, choice[0], choice[1], vocabulary, "gold"),
        _source(pred, preds, choice[1], choice[0], vocabulary, "pred"),
    )


def open_by_names(pred: Source, names: Iterable[str]) -> Source:
    """Return predictions without gold, opened where only an envelope's content has the names."""
    records = Ahead(pred.records)
    vocabulary = frozenset(map(fold, names))
    trees = _trees(records, LOOKED_AT)
    whole, *inner = _at(trees, ""), *_envelopes(trees)
    if not vocabulary:
        fullest = max(inner, key=lambda choice: len(choice.names), default=NOTHING)
        notes = pred.notes
        if len(fullest.names) > len(whole.names):
            # nothing says whether what stands around it is a field
            advice = f"--pred-root {fullest.path} measures these alone"
            notes += (f"pred: most fields stand in {fullest.path!r}; {advice}",)
        return replace(pred, records=records, notes=notes)
    most = max((whole, *inner), key=lambda each: (len(each.names & vocabulary), -each.depth))
    own = whole if whole.names & vocabulary else most
    return _source(pred, records, own, NOTHING, vocabulary, "pred")


def _choice(
    golds: Items,
    preds: Items,
    vocabulary: frozenset[str],
    closed: Closed,
) -> tuple[Envelope, Envelope]:
    """Return where the records of gold and pred are."""
    gold_trees, pred_trees = _trees(golds, LOOKED_AT), _trees(preds, LOOKED_AT)
    gold_self, pred_self = _at(gold_trees, ""), _at(pred_trees, "")
    sharing = _sharing(gold_trees, pred_self, vocabulary) and _sharing(
        pred_trees, gold_self, vocabulary
    )
    if sharing or not (gold_self.names and pred_self.names):
        return gold_self, pred_self
    gold_choices = [gold_self] if closed.gold else [gold_self, *_envelopes(gold_trees)]
    pred_choices = [pred_self] if closed.pred else [pred_self, *_envelopes(pred_trees)]
    pairs = [
        (_shared(first, second, vocabulary), -first.depth - second.depth, first, second)
        for first, second in product(gold_choices, pred_choices)
        if first.path or second.path
    ]
    most, _, first, second = max(
        pairs, key=lambda pair: pair[:2], default=(0, 0, gold_self, pred_self)
    )
    return (first, second) if most else (gold_self, pred_self)


def _sharing(trees: list[dict[str, object]], other: Envelope, vocabulary: frozenset[str]) -> bool:
    """Return whether at least half of the trees have a name of the other side."""
    names = other.names | (vocabulary if other.names & vocabulary else frozenset())
    count = sum(not names.isdisjoint(map(fold, map(str, tree))) for tree in trees)
    return count * 2 >= len(trees)


def _shared(gold: Envelope, pred: Envelope, vocabulary: frozenset[str]) -> int:
    by_schema = min(len(gold.names & vocabulary), len(pred.names & vocabulary))
    return len(gold.names & pred.names) + by_schema


def _trees(records: Items, size: int) -> list[dict[str, object]]:
    items = (item.tree for item in records.peek(size) if isinstance(item, Record))
    return [tree for tree in items if isinstance(tree, dict)]


def _at(trees: list[dict[str, object]], path: str) -> Envelope:
    names = (fold(name) for tree in trees for name in _keys(_content(tree, path)))
    return Envelope(path, frozenset(names))


def _content(tree: object, path: str) -> object:
    return reach(tree, path) if path else tree


def _keys(content: object) -> list[str]:
    """Return the keys of an object, or of the record in a text."""
    if isinstance(content, str) and "{" in content and len(content) <= LONGEST_TEXT:
        from docassay.load.response.answer import parse_response

        response = parse_response(content)
        content = None if response.outcome == UNPARSEABLE else response.tree
    return [str(key) for key in content] if isinstance(content, dict) else []


def _envelopes(trees: list[dict[str, object]]) -> Iterator[Envelope]:
    """Yield the envelopes that at least half of the trees have."""
    counts: dict[str, int] = {}
    for tree in trees:
        for path in _paths(tree):
            counts[path] = counts.get(path, 0) + 1
    for path, count in counts.items():
        if count * 2 >= len(trees):
            yield _at(trees, path)


def _paths(tree: object, prefix: str = "", depth: int = 0) -> Iterator[str]:
    if not isinstance(tree, dict) or depth >= DEEPEST:
        return
    for key, value in tree.items():
        if fold(str(key)) not in NAMES:
            continue
        path, inner = f"{prefix}{key}", value
        if isinstance(value, list) and len(value) == 1:
            path, inner = f"{path}.0", value[0]
        if inner is None or isinstance(inner, dict | str):
            yield path
            yield from _paths(inner, f"{path}.", depth + 1)


def _source(
    source: Source,
    records: Items,
    own: Envelope,
    other: Envelope,
    vocabulary: frozenset[str],
    side: str,
) -> Source:
    if not own.path:
        return replace(source, records=records)
    note = f"{side}: records are read from {own.path!r} (--{side}-root {own.path})"
    names = other.names | vocabulary
    source = replace(source, records=records, notes=(*source.notes, note))
    return source.then(lambda each: _opened(each, own.path, names))


def _opened(records: Iterable[Record | Problem], path: str, names: frozenset[str]) -> Records:
    """Yield the records inside their envelopes; one without may be a record by itself."""
    for item in records:
        if isinstance(item, Problem) or not isinstance(item.tree, dict):
            yield item
        elif _content(item.tree, path) is None or _keys(_content(item.tree, path)):
            yield from map(_with_inner_id, opened_at(item, path))
        elif not names.isdisjoint(map(fold, _keys(item.tree))):
            yield item
        else:
            yield from unreadable(item.id, f"has no record in {path!r}", item.where)


def _with_inner_id(item: Record | Problem) -> Record | Problem:
    if isinstance(item, Problem) or item.id is not None or not isinstance(item.tree, dict):
        return item
    name = find_id(item.tree, ID_KEYS)
    if name is None:
        return item
    rest = {key: value for key, value in item.tree.items() if key != name}
    return item._replace(id=str(item.tree[name]), tree=rest)


def root_candidate(trees: Sequence[object], names: Collection[str]) -> str:
    """Return the path of an object whose keys begin the names of fields, "" for none."""
    folds = frozenset(fold(name.partition(".")[0]) for name in names)
    hits: Counter[str] = Counter()
    for tree in trees:
        for path in object_paths(tree):
            content = reach(tree, path)
            keys = [*content] if isinstance(content, dict) else []
            hits[path] += len(folds.intersection(fold(str(key)) for key in keys))
    path, count = max(hits.items(), key=lambda each: (each[1], -len(each[0])), default=("", 0))
    return path if count else ""


def object_paths(tree: object, prefix: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the paths of the objects in a tree, and of those in its lists of one."""
    members: Iterable[tuple[str, object]] = ()
    if isinstance(tree, dict):
        members = tree.items()
    elif isinstance(tree, list) and len(tree) == 1:
        members = (("0", tree[0]),)
    for key, value in members if depth <= DEEPEST else ():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield path
        yield from object_paths(value, f"{path}.", depth + 1)
