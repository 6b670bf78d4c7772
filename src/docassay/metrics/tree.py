"""`tree`: how near a prediction comes to gold as a tree, by edits (nTED) and by leaves (ANLS*).

Types of fields play no part. Both are means over documents of a score of each document; ANLS* comes
by key as well. A document that would take too long is left out, counted and named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docassay.errors import UnknownName
from docassay.layout import NAMELESS
from docassay.metrics import Context, Flaw, Readout, Totals, metric
from docassay.metrics.anls_star import MAX_PAIRS, anls_star
from docassay.metrics.nted import MAX_CELLS, nted
from docassay.metrics.plain import plain_tree
from docassay.metrics.sides import Side
from docassay.model.stats import PARTS, Counts, Stats, ratio

if TYPE_CHECKING:
    from docassay.case import Case

TREE_PARTS = ("nted", "anls_star")
MEAN = ("sum", "documents")
TABLES = {
    "nted": MEAN,
    "anls_star": MEAN,
    "documents": ("documents", "undefined", "too_large", "left_out"),
}
"""Sums of scores are parts per billion."""


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the mean scores of the chosen parts, what has none, and ANLS* by key."""
    parts = _parts(context.options["only"])
    for name in parts:
        yield _mean(name, "", totals.get(name, {}).get("", (0, 0)))
    documents, undefined, too_large, _ = totals.get("documents", {}).get("", (0,) * 4)
    if "nted" in parts:
        yield Readout("nted_undefined", "", undefined, documents)
    yield Readout("documents_too_large", "", too_large, documents)
    for key, counts in totals.get("anls_star", {}).items():
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
    _, _, too_large, left_out = stats["documents"][""]
    if too_large:
        yield Flaw("too large for tree.max_cells or tree.max_pairs; it has not every score")
    if left_out:
        what = "of the items in lists of plain values: objects or lists"
        yield Flaw(f"nted leaves out {left_out} {what}")


@metric(
    "tree",
    version=1,
    tables=TABLES,
    readouts=readouts,
    flaws=_flaws,
    check=_check,
    means={name: (name, *MEAN) for name in TREE_PARTS},
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
        found = nted(gold, pred, max_cells=max_cells)
        undefined, left_out = int(found.whole == 0), found.left_out
        too_large = int(found.distance is None)
        if found.accuracy is not None:
            stats["nted"] = {"": (round(found.accuracy * PARTS), 1)}
    if "anls_star" in parts:
        scores = anls_star(gold, pred, max_pairs=max_pairs)
        too_large |= scores is None
        if scores is not None:
            keys = {".".join(path) or NAMELESS: score for path, score in scores.keys.items()}
            both = {"": scores.score, **keys}
            stats["anls_star"] = {key: (round(score * PARTS), 1) for key, score in both.items()}
    stats["documents"] = {"": (1, undefined, int(too_large), left_out)}
    return stats
