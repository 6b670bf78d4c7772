"""Counting a matching: what is right, substituted, added and deleted, by field and by group type.

One walk over the matched groups serves every metric that counts. Values that are equal but stand
in groups that were not matched are found among what the walk leaves over: taking equal pairs out of
two multisets lowers their intersection by exactly the pairs taken out.
"""

from __future__ import annotations

from docassay.kernel.plain import CaseCounts, equal_anywhere
from docassay.kernel.rows import Pairs, count_alone, count_pairs, count_values, readings_in
from docassay.matching.groups import Matched, Matcher
from docassay.matching.values import link_by_equality
from docassay.model.document import Group, Reading, Values

RIGHT, SUBSTITUTED, ADDED, DELETED = range(4)
KINDS = ("substitution", "addition", "deletion")
"""The kinds of corrections, in the order of their columns."""


class Tally:
    """Counts of one document."""

    __slots__ = (
        "counted",
        "exact",
        "fields",
        "gold",
        "groups",
        "matcher",
        "missed",
        "pred",
        "spurious",
    )

    def __init__(
        self, matcher: Matcher, gold: Group, pred: Group, counted: CaseCounts | None = None
    ) -> None:
        self.matcher = matcher
        self.gold = gold
        self.pred = pred
        self.counted = CaseCounts() if counted is None else counted
        self.fields = self.counted.fields
        self.groups = self.counted.groups
        self.missed = self.counted.missed
        self.spurious = self.counted.spurious
        self.exact = self._pair(gold, pred) if counted is None else counted.exact

    def ungrouped(self, gold: Group, pred: Group) -> dict[str, int]:
        """Return how many values are equal whatever group they stand in, by field."""
        equal = equal_anywhere(self.counted)
        pairwise = self.matcher.pairwise
        for path in (pairwise & equal.keys()) if pairwise else ():
            golds: list[Reading] = []
            preds: list[Reading] = []
            readings_in(gold, path, golds)
            readings_in(pred, path, preds)
            self.matcher.note_size(path, golds, preds)
            field = self.matcher.layout.field(path)
            equal[path] = len(link_by_equality(field, golds, preds)) if golds and preds else 0
        return equal

    def _pair(self, gold: Group, pred: Group) -> bool:
        right = self._values(gold, pred)
        if gold.groups or pred.groups:
            for path in {**gold.groups, **pred.groups}:
                golds, preds = gold.groups.get(path, ()), pred.groups.get(path, ())
                right &= self._rows(path, self.matcher.match(golds, preds, path))
        return right

    def _rows(self, path: str, matched: Matched) -> bool:
        settled = matched.settled
        for field, count in settled.values.items():
            self._field(field)[RIGHT] += count
        for inner, count in settled.rows.items():
            self._group(inner, count, 0, 0)
        right, extra, missing = self._others(matched.others)
        self._group(path, len(settled.pairs) + right, extra, missing)
        return extra == 0 and missing == 0

    def _others(self, pairs: Pairs) -> tuple[int, int, int]:
        """Count rows that are not settled: how many are right, only in pred, only in gold."""
        left = (self.missed, self.spurious)
        plain = count_pairs(self.fields, left, pairs, self.matcher.pairwise)
        if plain is not None:
            return plain
        right = extra = missing = 0
        for gold, pred in pairs:
            if gold is not None and pred is not None and self._pair(gold, pred):
                right += 1
                continue
            if gold is not None:
                missing += 1
                if pred is None:
                    self._alone(gold, ADDED)
            if pred is not None:
                extra += 1
                if gold is None:
                    self._alone(pred, DELETED)
        return right, extra, missing

    def _field(self, path: str) -> list[int]:
        counts = self.fields.get(path)
        if counts is None:
            counts = self.fields[path] = [0, 0, 0, 0]
        return counts

    def _group(self, path: str, right: int, extra: int, missing: int) -> None:
        counts = self.groups.setdefault(path, [0, 0, 0, 0])
        for i, count in enumerate((right, extra, missing, max(extra, missing))):
            counts[i] += count

    def _values(self, gold: Group, pred: Group) -> bool:
        gold_values, pred_values, pairwise = gold.values, pred.values, self.matcher.pairwise
        if gold.single and pred.single:  # which is most groups
            left = (self.missed, self.spurious)
            exact = count_values(self.fields, left, gold, pred, pairwise)
            for path in (pairwise & gold_values.keys() & pred_values.keys()) if pairwise else ():
                exact &= self._compare(path, gold, pred)
            return exact
        exact = True
        for path, golds in gold_values.items():
            if path in pred_values:
                exact &= self._compare(path, gold, pred)
            else:
                self._leave(path, ADDED, golds)
                exact = False
        for path, preds in pred_values.items():
            if path not in gold_values:
                self._leave(path, DELETED, preds)
                exact = False
        return exact

    def _compare(self, path: str, gold: Group, pred: Group) -> bool:
        links = self.matcher.links(path, gold, pred)
        golds, preds = gold.values[path], pred.values[path]
        missing, extra = len(golds) - len(links), len(preds) - len(links)
        swaps = min(missing, extra)
        counts = self._field(path)
        for i, count in enumerate((len(links), swaps, missing - swaps, extra - swaps)):
            counts[i] += count
        if missing:
            met = {i for i, _ in links}
            left = [reading for i, reading in enumerate(golds) if i not in met]
            self.missed.setdefault(path, []).extend(left)
        if extra:
            met = {j for _, j in links}
            left = [reading for j, reading in enumerate(preds) if j not in met]
            self.spurious.setdefault(path, []).extend(left)
        return not missing and not extra

    def _leave(self, path: str, column: int, readings: Values) -> None:
        self._field(path)[column] += len(readings)
        left = self.missed if column == ADDED else self.spurious
        left.setdefault(path, []).extend(readings)

    def _alone(self, group: Group, column: int) -> None:
        """Count a group that found no partner: all of gold's is added, all of pred's deleted."""
        left = self.missed if column == ADDED else self.spurious
        count_alone(self.fields, column, left, group)
        for path, rows in group.groups.items():
            missing = len(rows) if column == ADDED else 0
            self._group(path, 0, len(rows) - missing, missing)
            for row in rows:
                self._alone(row, column)
