"""Rows of a document as `fields` judges them, where matching alone cannot say which are right."""

from __future__ import annotations

from collections.abc import Callable

from docassay.matching.case import Case, Matching
from docassay.metrics.fields.methods import Judge
from docassay.model.document import Group
from docassay.model.stats import f1

JudgeOf = Callable[[str], Judge | None]
"""Field path -> who judges its values, None for a field that does not count."""


def row_scores(case: Case, judge_of: JudgeOf) -> dict[str, float]:
    """Return the F1 of rows by group type, rows paired as `kieval` pairs them.

    A row answers for its own cells; rows inside it are rows of their own type.
    """
    matching = case.matching()
    counts: dict[str, list[int]] = {}
    _count(matching, matching.gold, matching.pred, judge_of, counts)
    return {
        path: f1(right, preds - right, golds - right) or 0.0
        for path, (right, golds, preds) in counts.items()
    }


def _count(
    matching: Matching,
    gold: Group | None,
    pred: Group | None,
    judge_of: JudgeOf,
    counts: dict[str, list[int]],
) -> None:
    for path, matched in matching.inside(gold, pred):
        own = counts.setdefault(path, [0, 0, 0])
        settled = matched.settled.pairs
        for i in range(3):
            own[i] += len(settled)
        for gold_row, pred_row in settled:
            if gold_row.groups:
                _count(matching, gold_row, pred_row, judge_of, counts)
        for row, partner in matched.others:
            own[0] += row is not None and partner is not None and _right(row, partner, judge_of)
            own[1] += row is not None
            own[2] += partner is not None
            _count(matching, row, partner, judge_of, counts)


def _right(gold: Group, pred: Group, judge_of: JudgeOf) -> bool:
    for path in gold.values.keys() | pred.values.keys():
        judge = judge_of(path)
        if judge is None:
            continue
        if not judge.all_match(gold.values.get(path, ()), pred.values.get(path, ())):
            return False
    return True
