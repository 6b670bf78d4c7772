"""A run scored without suspect values: what stands at their places counts on neither side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from docassay.analysis.audit.evidence import bare
from docassay.analysis.audit.observe import AuditedRun, GoldDocument, TreePair, tree_path
from docassay.analysis.audit.result import Suspect
from docassay.load.patching import without
from docassay.matching.case import Case, make_case
from docassay.matching.verdicts import VerdictBlock, blocks
from docassay.run.ledger import Ledger
from docassay.run.plan import Bound
from docassay.run.score import Row, score_trees


def left_out_ledger(
    run: AuditedRun, bound: Bound, trees: Mapping[str, TreePair], suspects: Sequence[Suspect]
) -> Ledger:
    """Return the ledger of a run in which suspect values of gold are as if nobody knew them."""
    by_document: defaultdict[str, list[Suspect]] = defaultdict(list)
    for suspect in suspects:
        by_document[suspect.document].append(suspect)
    rows = tuple(
        _scored_without(row, bound, trees[row.id], by_document[row.id])
        if row.id in by_document and row.id in trees
        else row
        for row in run.ledger.rows
    )
    return run.ledger._replace(rows=rows)


def _scored_without(row: Row, bound: Bound, pair: TreePair, suspects: Sequence[Suspect]) -> Row:
    case = make_case(row.id, *pair, bound.layouts)
    gold, pred = (GoldDocument(tree, case.layout) for tree in pair)
    gold_paths = [each.path for each in suspects if each.gold is not None]
    pred_paths = [*_counterparts(case, gold, pred, suspects)]
    trees = without(pair.gold, gold_paths), without(pair.pred, pred_paths)
    return score_trees(row.id, *trees, bound, tags=row.tags)._replace(
        outcome=row.outcome, meta=row.meta
    )


def _counterparts(
    case: Case, gold: GoldDocument, pred: GoldDocument, suspects: Sequence[Suspect]
) -> list[str]:
    """Return the paths in pred of what stands for suspect values."""
    places = {each.path for each in suspects}
    rows = [each for each in suspects if each.gold is None and each.decision is not None]
    paths = []
    for block in blocks(case):
        if block.gold is None and any(_is_row(block, each) for each in rows):
            paths.append(str(block.pred))
            continue
        for verdict in block.verdicts:
            if verdict.pred_path is None:
                continue
            if verdict.gold_path is not None:
                place = tree_path(gold, verdict.gold_path, verdict.field)
            else:
                name = verdict.field.removeprefix(f"{block.type}.") if block.gold else verdict.field
                place = f"{block.gold}.{name}" if block.gold else name
            if place in places or place.rpartition("[")[0] in places:
                paths.append(tree_path(pred, verdict.pred_path, verdict.field))
    return paths


def _is_row(block: VerdictBlock, suspect: Suspect) -> bool:
    """Return whether a row of pred is the one that gold is said to lack."""
    row = None if suspect.decision is None else suspect.decision.value
    if block.type != suspect.field or not isinstance(row, Mapping):
        return False
    equal = sum(
        bare(str(row.get(verdict.field.removeprefix(f"{block.type}.")))) == bare(str(verdict.pred))
        for verdict in block.verdicts
    )
    return 2 * equal > max(len(row), len(block.verdicts))
