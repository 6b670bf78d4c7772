"""`tree`: how near a prediction comes to gold as a tree, by edits (nTED) and by leaves (ANLS*).

Types of fields play no part. Both are means over documents of a score of each document; ANLS* comes
by key as well. A document that would take too long is left out, counted and named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from docassay.errors import UnknownName
from docassay.metrics.metric import Context, Flaw, Readout, Totals, metric
from docassay.metrics.sides import Side
from docassay.metrics.tree.anls_star import MAX_PAIRS, anls_star
from docassay.metrics.tree.nted import MAX_CELLS, nted
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, Number
from docassay.model.problem import ProblemCode
from docassay.model.report import ReadoutSpec, hidden
from docassay.model.stats import PARTS, Counts, Stats, ratio, text_table
from docassay.schema.layout import NAMELESS, BoundGroup, Layout, Member
from docassay.schema.reading import ALTERNATIVES_KEYS

if TYPE_CHECKING:
    from docassay.matching.case import Case


SCALARS = frozenset({str, Number, int, float, bool, type(None)})
"""The types of nearly all leaves: what is one of them is neither object nor list."""


def plain_tree(tree: object, layout: Layout, *, side: Side) -> object:
    """Return a document as a plain tree; what is nested too deeply to be read is None."""
    if isinstance(tree, Mapping) and tree.keys() != {"any_of"}:
        return _members(tree, layout.root, side, 0)
    return _value(tree, None, side, 0)


def _members(
    node: Mapping[str, object], shape: BoundGroup, side: Side, depth: int
) -> dict[str, object]:
    members: dict[str, object] = {}
    known = shape.members
    for key, raw in node.items():
        name = key if type(key) is str else str(key)
        member = known[name]
        if member.left_out is not None and side.passes_over(member, raw):
            continue
        members[name] = raw if type(raw) in SCALARS else _value(raw, member, side, depth)
    return members


def _value(raw: object, member: Member | None, side: Side, depth: int) -> object:
    """Return what stands under a key, or (without member) a document that is no object."""
    if type(raw) in SCALARS or not isinstance(raw, Mapping | list | tuple):
        return raw
    if depth >= MAX_DEPTH:
        return None
    if isinstance(raw, tuple):
        return _alternatives(raw, member, side, depth + 1)
    if isinstance(raw, list):
        return [_value(item, member, side, depth + 1) for item in raw]
    if member is None or not member.is_group:
        if "value" in raw and LEAF_KEYS.issuperset(raw):
            return _value(raw["value"], member, side, depth + 1)
        if "any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw):
            return _alternatives(raw["any_of"], member, side, depth + 1)
    if member is None:
        return {str(key): _value(value, None, side, depth + 1) for key, value in raw.items()}
    return _members(raw, member.group, side, depth + 1)


def _alternatives(given: object, member: Member | None, side: Side, depth: int) -> object:
    items = given if isinstance(given, list | tuple) else [given]
    if side.gold:
        return tuple([_value(item, member, side, depth) for item in items])
    return _value(items[0], member, side, depth) if items else None


TREE_PARTS = ("nted", "anls_star")
MEAN = ("sum", "documents")
TABLES = {
    "nted": MEAN,
    "anls_star": MEAN,
    "documents": ("documents", "undefined", "too_large", "left_out"),
}
"""Sums of scores are parts per billion."""


SPECS = (
    ReadoutSpec("anls_star", label="ANLS*", column=85),
    *hidden("nted", unit="share"),
    *hidden("nted_undefined", "documents_too_large"),
)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the mean scores of the chosen parts, what has none, and ANLS* by key."""
    parts = _parts(context.options["only"])
    for name in parts:
        yield _mean(name, "", text_table(totals, name).get("", (0, 0)))
    documents, undefined, too_large, _ = text_table(totals, "documents").get("", (0,) * 4)
    if "nted" in parts:
        yield Readout("nted_undefined", "", undefined, documents)
    yield Readout("documents_too_large", "", too_large, documents)
    for key, counts in text_table(totals, "anls_star").items():
        if key:
            yield _mean("anls_star", key, counts)


def _mean(name: str, key: str, counts: Counts) -> Readout:
    total, documents = counts
    return Readout(name, key, ratio(total, documents * PARTS), documents)


def _parts(only: object) -> tuple[str, ...]:
    assert isinstance(only, tuple)
    for name in only:
        if name not in TREE_PARTS:
            raise UnknownName("part of tree", name, TREE_PARTS, where="tree.only")
    return tuple(name for name in TREE_PARTS if not only or name in only)


def _check(*, only: tuple[str, ...], **_: object) -> None:
    _parts(only)


def _flaws(stats: Stats) -> Iterator[Flaw]:
    _, _, too_large, left_out = text_table(stats, "documents")[""]
    if too_large:
        yield Flaw("too large for tree.max_cells or tree.max_pairs; it has not every score")
    if left_out:
        what = "of the items in lists of plain values: objects or lists"
        yield Flaw(f"nted leaves out {left_out} {what}", code=ProblemCode.METRIC_INPUT)


@metric(
    "tree",
    version=1,
    tables=TABLES,
    readouts=readouts,
    specs=SPECS,
    flaws=_flaws,
    check=_check,
)
def tree(
    case: Case,
    *,
    only: tuple[str, ...] = (),
    max_cells: int = MAX_CELLS,
    max_pairs: int = MAX_PAIRS,
) -> Stats:
    """Documents as trees: normalised tree edit distance (nTED) and ANLS*, types ignored."""
    gold = plain_tree(case.gold.tree, case.layout, side=Side(gold=True))
    pred = plain_tree(case.pred.tree, case.layout, side=Side(False, case.unlisted))
    parts = _parts(only)
    stats: dict[str, dict[str, Counts]] = {}
    undefined = too_large = left_out = 0
    if "nted" in parts:
        distance = nted(gold, pred, max_cells=max_cells)
        undefined, left_out = int(distance.whole == 0), distance.left_out
        too_large = int(distance.distance is None)
        if distance.accuracy is not None:
            stats["nted"] = {"": (round(distance.accuracy * PARTS), 1)}
    if "anls_star" in parts:
        scores = anls_star(gold, pred, max_pairs=max_pairs)
        too_large |= scores is None
        if scores is not None:
            keys = {".".join(path) or NAMELESS: score for path, score in scores.keys.items()}
            both = {"": scores.score, **keys}
            stats["anls_star"] = {key: (round(score * PARTS), 1) for key, score in both.items()}
    stats["documents"] = {"": (1, undefined, int(too_large), left_out)}
    return stats
