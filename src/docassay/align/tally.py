"""Counting a matching: what is right, substituted, added and deleted, by field and by group type.

One walk over the matched groups serves every metric that counts. Values that are equal but stand in
groups that were not matched are found among what the walk leaves over: taking equal pairs out of two
multisets lowers their intersection by exactly the pairs taken out.
"""

from __future__ import annotations

from collections import Counter

from docassay.align.groups import Matched, Matcher
from docassay.align.values import link_by_equality
from docassay.model.document import Group, Reading

RIGHT, SUBSTITUTED, ADDED, DELETED = range(4)


class Tally:
    """Counts of one document."""

    __slots__ = ("exact", "fields", "groups", "matcher", "missed", "spurious")

    def __init__(self, matcher: Matcher, gold: Group, pred: Group) -> None:
        self.matcher = matcher
        self.fields: dict[str, list[int]] = {}
        """Right, substituted, added, deleted, by field."""
        self.groups: dict[str, list[int]] = {}
        """Right, wrong in pred, wrong in gold, and the larger of these by parent, by group type."""
        self.missed: dict[str, list[Reading]] = {}
        """Gold's values that found no equal one in their group."""
        self.spurious: dict[str, list[Reading]] = {}
        self.exact = self._pair(gold, pred)
        """Whether the whole document is right."""

    def ungrouped(self, path: str, gold: Group, pred: Group) -> int:
        """Return how many values of a field are equal, whatever group they stand in."""
        if path in self.matcher.pairwise:
            sides = [
                [one.reading for one in side.entities() if one.field == path]
                for side in (gold, pred)
            ]
            if not all(sides):
                return 0
            return len(link_by_equality(self.matcher.layout.field(path), *sides))
        right = self.fields[path][RIGHT]
        missed, spurious = self.missed.get(path), self.spurious.get(path)
        if missed is None or spurious is None:
            return right
        if len(missed) == 1 and len(spurious) == 1:
            return right + (missed[0].key == spurious[0].key)
        found = Counter(one.key for one in missed) & Counter(one.key for one in spurious)
        return right + found.total()

    def _pair(self, gold: Group, pred: Group) -> bool:
        right = self._values(gold, pred)
        if gold.groups or pred.groups:
            for path in {**gold.groups, **pred.groups}:
                ours, theirs = gold.groups.get(path, ()), pred.groups.get(path, ())
                right &= self._rows(path, self.matcher.match(ours, theirs, path))
        return right

    def _rows(self, path: str, matched: Matched) -> bool:
        settled = matched.settled
        for field, count in settled.values.items():
            self._field(field)[RIGHT] += count
        for inner, count in settled.rows.items():
            self._group(inner, count, 0, 0)
        right, extra, missing = len(settled.pairs), 0, 0
        for gold, pred in matched.others:
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
        self._group(path, right, extra, missing)
        return extra == 0 and missing == 0

    def _field(self, path: str) -> list[int]:
        counts = self.fields.get(path)
        if counts is None:
            counts = self.fields[path] = [0, 0, 0, 0]
        return counts

    def _group(self, path: str, right: int, extra: int, missing: int) -> None:
        known = self.groups.setdefault(path, [0, 0, 0, 0])
        for i, count in enumerate((right, extra, missing, max(extra, missing))):
            known[i] += count

    def _values(self, gold: Group, pred: Group) -> bool:
        exact = True
        plain = gold.single and pred.single and not self.matcher.pairwise
        theirs = pred.values
        for path, golds in gold.values.items():
            preds = theirs.get(path)
            if preds is None:
                self._leave(path, ADDED, golds)
                exact = False
            elif plain and golds[0].key == preds[0].key:
                self._field(path)[RIGHT] += 1
            else:
                exact &= self._compare(path, gold, pred)
        for path, preds in theirs.items():
            if path not in gold.values:
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
            left = [one for i, one in enumerate(golds) if i not in met]
            self.missed.setdefault(path, []).extend(left)
        if extra:
            met = {j for _, j in links}
            left = [one for j, one in enumerate(preds) if j not in met]
            self.spurious.setdefault(path, []).extend(left)
        return not missing and not extra

    def _leave(self, path: str, column: int, readings: list[Reading]) -> None:
        self._field(path)[column] += len(readings)
        left = self.missed if column == ADDED else self.spurious
        left.setdefault(path, []).extend(readings)

    def _alone(self, group: Group, column: int) -> None:
        """Count a group that found no partner: all of gold's is added, all of pred's deleted."""
        for path, readings in group.values.items():
            self._leave(path, column, readings)
        for path, rows in group.groups.items():
            missing = len(rows) if column == ADDED else 0
            self._group(path, 0, len(rows) - missing, missing)
            for row in rows:
                self._alone(row, column)
