"""What became of every predicted value that states how sure it is: right, substituted or deleted.

The same matching that the counts come from. Of several wrong values of a field in one pair of
groups, those most like gold's remaining values are the substitutions.
"""

from __future__ import annotations

from collections.abc import Sequence

from docassay.align.groups import Matcher
from docassay.align.values import pair_the_wrong
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
    ours = NOTHING if gold is None else gold.values
    for path, preds in pred.values.items():
        golds = ours.get(path, ())
        if not golds:
            _add(path, preds, DELETED, tallies)
        elif len(golds) == len(preds) == 1 and path not in pairwise:
            _add(path, preds, RIGHT if golds[0].key == preds[0].key else SUBSTITUTED, tallies)
        else:
            _several(matcher, path, gold, pred, tallies)
    rows = NOTHING if gold is None else gold.groups
    for path, others in pred.groups.items():
        matched = matcher.match(rows.get(path, ()), others, path)
        for _, other in matched.settled.pairs:
            _all_right(other, tallies)
        for one, other_row in matched.others:
            if other_row is not None:
                _pair(matcher, one, other_row, tallies)


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
    found = {i for i, _ in links}
    left = [one for i, one in enumerate(golds) if i not in found]
    wrong = [one for j, one in enumerate(preds) if j not in right]
    swapped = {j for _, j in pair_the_wrong(matcher.layout.field(path), left, wrong)}
    _add(path, [preds[j] for j in right], RIGHT, tallies)
    _add(path, [one for j, one in enumerate(wrong) if j in swapped], SUBSTITUTED, tallies)
    _add(path, [one for j, one in enumerate(wrong) if j not in swapped], DELETED, tallies)


def _add(path: str, readings: Sequence[Reading], outcome: int, tallies: Tallies) -> None:
    for one in readings:
        sure = one.confidence
        if sure is None:
            continue
        known = tallies.get((path, sure))
        if known is None:
            known = tallies[path, sure] = [0, 0, 0]
        known[outcome] += 1
