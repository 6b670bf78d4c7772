"""What each cause takes from a document's accuracy by `fields`, in parts that add up exactly.

What a field loses is shared out evenly among its corrections that cost it something. Where the
method looks at the order of rows, right values take part that stand in another order than gold's,
and so do the rows too many or too few that shift a column without having a value in it. The whole
parts are given out by largest remainder.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from docassay.bound_field import BoundField
from docassay.case import Case
from docassay.causes.corrections import Correction
from docassay.causes.names import OTHER, WRONG_ROW
from docassay.causes.pairs import Pair
from docassay.causes.values import cause_between
from docassay.metrics.fields import judge_of
from docassay.metrics.fields_methods import Rules
from docassay.model.stats import PARTS
from docassay.verdicts import RIGHT, SUBSTITUTION

ORDERED = frozenset({"exact", "order_aware_f1"})
"""Methods that look at where values stand."""
WHOLE = frozenset({"exact", "anls"})
"""Methods for which an item that is nearly right still costs something."""

Key = tuple[str, str]
"""A field (or a group whose columns share a score) and a cause."""


class Blame:
    """Who is to blame for what the fields of a case lose."""

    def __init__(
        self, case: Case, root: Pair, found: Sequence[Correction], *, method: str, rules: Rules
    ) -> None:
        self.case = case
        self.pairs = [*root.walk()]
        self.found = found
        self.method = method
        self.rules = rules

    def lost(self, scores: Mapping[str, float]) -> dict[Key, int]:
        """Return the parts per billion that are missing from the mean of scores, by cause."""
        if not scores:
            return {}
        total = PARTS - round(sum(scores.values()) / len(scores) * PARTS)
        weights = self._weights(scores)
        shares = {
            (unit, cause): Fraction(1 - score) * weight / sum(weights[unit].values())
            for unit, score in scores.items()
            if score < 1
            for cause, weight in weights[unit].items()
        }
        return largest_remainder(shares, total)

    def _weights(self, scores: Mapping[str, float]) -> dict[str, Counter[str]]:
        """Return how often each cause is to blame, for every score that is not perfect."""
        wanted = {unit for unit, score in scores.items() if score < 1}
        weights: dict[str, Counter[str]] = {unit: Counter() for unit in wanted}
        for source in (self._costly(), self._all(), self._nearly_right()):
            blank = {unit for unit in wanted if not weights[unit]}
            for pair, field, cause in source if blank else ():
                unit = field.path if field.path in scores else pair.type
                if unit in blank:
                    weights[unit][cause] += 1
        return {unit: found or Counter({OTHER: 1}) for unit, found in weights.items()}

    def _costly(self) -> Iterator[tuple[Pair, BoundField, str]]:
        """Yield the corrections that cost something, and why right values are out of place."""
        for one in self.found:
            if one.fate.verdict != SUBSTITUTION or self._costs(one):
                yield one.pair, one.fate.field, one.cause
        for pair in displaced(self.pairs):
            for fate in pair.fates:
                if fate.verdict == RIGHT and self._method(fate.field) in ORDERED:
                    yield pair, fate.field, WRONG_ROW
        for pair, _, cause in self.found:
            if pair.type and (pair.gold is None or pair.pred is None):
                for field in self._shifted[pair.type] - {one.field for one in pair.fates}:
                    yield pair, field, cause

    @cached_property
    def _shifted(self) -> defaultdict[str, set[BoundField]]:
        """The columns, by group, in which a right value stands in a row of another number."""
        found: defaultdict[str, set[BoundField]] = defaultdict(set)
        for pair in self.pairs:
            if _is_elsewhere(pair):
                found[pair.type].update(
                    fate.field
                    for fate in pair.fates
                    if fate.verdict == RIGHT and self._method(fate.field) in ORDERED
                )
        return found

    def _all(self) -> Iterator[tuple[Pair, BoundField, str]]:
        return ((pair, fate.field, cause) for pair, fate, cause in self.found)

    def _nearly_right(self) -> Iterator[tuple[Pair, BoundField, str]]:
        """Yield why values differ that are accepted all the same, and values out of place."""
        for pair in self.pairs:
            for fate in pair.fates:
                gold, pred = pair.readings(fate)
                if fate.verdict != RIGHT or gold is None or pred is None:
                    continue
                if gold.canonical != pred.canonical:
                    yield pair, fate.field, cause_between(gold, pred, fate.field)
                elif fate.gold != fate.pred or _is_elsewhere(pair):
                    yield pair, fate.field, WRONG_ROW

    def _method(self, field: BoundField) -> str:
        return field.spec.method or self.method

    def _costs(self, one: Correction) -> bool:
        """Whether a wrong value of a list is not near enough to count as found."""
        gold, pred = one.pair.readings(one.fate)
        field = one.fate.field
        if not one.pair.type or gold is None or pred is None or self._method(field) in WHOLE:
            return True
        return not judge_of(self.case.layout, field.path, self.rules).item_matches(gold, pred)


def displaced(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs of rows that are not in the order of gold among the rows that have both."""
    for pair in pairs:
        for rows in pair.inside.values():
            both = [one for one in rows if _place(one) is not None]
            order = sorted(both, key=lambda one: _place(one) or (0, 0))
            preds = sorted(both, key=lambda one: (_place(one) or (0, 0))[::-1])
            yield from (one for one, other in zip(order, preds, strict=True) if one is not other)


def _is_elsewhere(pair: Pair) -> bool:
    return pair.gold is not None and pair.pred is not None and pair.gold.index != pair.pred.index


def _place(pair: Pair) -> tuple[int, int] | None:
    if pair.gold is None or pair.pred is None:
        return None
    gold, pred = pair.gold.index, pair.pred.index
    return None if gold is None or pred is None else (gold, pred)


def largest_remainder(shares: Mapping[Key, Fraction], total: int) -> dict[Key, int]:
    """Return whole numbers in proportion to shares that add up to the total, without noughts."""
    weight = sum(shares.values())
    if not weight:
        return {}
    quotas = {key: share * total / weight for key, share in shares.items()}
    found = {key: int(quota) for key, quota in quotas.items()}
    left = total - sum(found.values())
    for key in sorted(quotas, key=lambda key: (found[key] - quotas[key], key))[:left]:
        found[key] += 1
    return {key: count for key, count in found.items() if count}
