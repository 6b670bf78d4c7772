"""What became of every predicted value that states how sure it is: right, substituted or deleted.

The same matching that the counts come from. Of several wrong values of a field in one pair of
groups, those most like gold's remaining values are the substitutions.
"""

from __future__ import annotations

from collections.abc import Sequence

from docassay.matching.groups import Matcher
from docassay.model.document import NOTHING, Group, Reading

RIGHT, SUBSTITUTED, DELETED = range(3)

Tallies = dict[tuple[str, float], list[int]]
"""(field, confidence) -> how many such values were right, substituted, deleted."""


def tally_confidences(matcher: Matcher, gold: Group, pred: Group) -> Tallies:
    """Return the outcomes of the predicted values of two documents by field and confidence."""
    tallies: Tallies = {}
    _pair(matcher, gold, pred, tallies)
    return tallies


def _pair(matcher: Matcher, gold: Group | None, pred: Group, tallies: Tallies) -> None:
    pairwise = matcher.pairwise
    gold_values = NOTHING if gold is None else gold.values
    # a placeholder beside a value gives it another place, which counts in lists that have an order
    single = gold is not None and gold.single and pred.single
    for path, preds in pred.values.items():
        golds = gold_values.get(path, ())
        if not golds:
            _add(path, preds, DELETED, tallies)
        elif single and path not in pairwise:
            _add(path, preds, RIGHT if golds[0].key == preds[0].key else SUBSTITUTED, tallies)
        else:
            _several(matcher, path, gold, pred, tallies)
    rows = NOTHING if gold is None else gold.groups
    for path, pred_rows in pred.groups.items():
        matched = matcher.match(rows.get(path, ()), pred_rows, path)
        for _, pred_row in matched.settled.pairs:
            _all_right(pred_row, tallies)
        for gold_row, partner in matched.others:
            if partner is not None:
                _pair(matcher, gold_row, partner, tallies)


def _all_right(pred: Group, tallies: Tallies) -> None:
    """Count the values of a row whose twin stands in gold."""
    for path, preds in pred.values.items():
        _add(path, preds, RIGHT, tallies)
    for rows in pred.groups.values():
        for row in rows:
            _all_right(row, tallies)


def _several(
    matcher: Matcher, path: str, gold: Group | None, pred: Group, tallies: Tallies
) -> None:
    golds = () if gold is None else gold.values[path]
    preds = pred.values[path]
    links = matcher.links(path, gold, pred)
    right = {j for _, j in links}
    met = {i for i, _ in links}
    missed = [reading for i, reading in enumerate(golds) if i not in met]
    wrong = [reading for j, reading in enumerate(preds) if j not in right]
    swapped = {j for _, j in matcher.substitutions(path, missed, wrong)}
    _add(path, [preds[j] for j in right], RIGHT, tallies)
    for j, reading in enumerate(wrong):
        _add(path, [reading], SUBSTITUTED if j in swapped else DELETED, tallies)


def _add(path: str, readings: Sequence[Reading], outcome: int, tallies: Tallies) -> None:
    for reading in readings:
        if reading.confidence is not None:
            tallies.setdefault((path, reading.confidence), [0, 0, 0])[outcome] += 1
