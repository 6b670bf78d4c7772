"""What is found out when the values of a case are read: which keys cannot settle, or are no values.

Only values that are not the same on both sides are read.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from docassay.kernel.readings import (
    Group,
    Reading,
    Sense,
    Step,
    key_of,
    reading_at,
    sense_of,
    usual_senses,
    values_of,
)
from docassay.kernel.rows import Row

Unsettled = tuple[bool, str, Reading]
"""Whether it is gold's, the field, and the reading of a value that has no twin in its place."""


class Survey:
    """The values of a case that have to be read, and what is found out when they are."""

    def __init__(self) -> None:
        self.pairwise: set[str] = set()
        """Fields whose equality no key settles: no key, or scopes that disagree."""
        self.flawed: list[Unsettled] = []
        """Values that cannot be read."""
        self._scopes: dict[str, Hashable] = {}

    def add(self, path: str, reading: Reading) -> None:
        """Take into account what a value says about the field."""
        sense = sense_of(reading)
        if (
            sense.key is None
            or reading.normalised
            or len(reading.alternatives) > 1
            or self._disagrees(path, sense.scope)
        ):
            self.pairwise.add(path)

    def _disagrees(self, path: str, scope: Hashable | None) -> bool:
        """Whether a value of the field is stated in something else than those before."""
        return scope is not None and self._scopes.setdefault(path, scope) != scope

    def add_value(self, of_gold: bool, path: str, reading: Reading) -> None:
        """Take a value of either side."""
        self.add(path, reading)
        if sense_of(reading).problem is not None:
            self.flawed.append((of_gold, path, reading))

    def add_usual(self, step: Step, leaf: object) -> str | None:
        """Take a leaf that has a key at sight, and return that; None, and none taken, for others.

        Such a leaf is not read: only what it is stated in can leave anything to find out.
        """
        usual = usual_senses(step, leaf)
        if usual is None:
            return None
        key = usual.key(leaf)
        if key is not None and self._disagrees(step[0], usual.scope(leaf)):
            self.pairwise.add(step[0])
        return key

    def add_groups(self, gold: Group, pred: Group) -> None:
        """Take the values of two groups that are not the same in both, rows inside left out."""
        gold_values, pred_values = values_of(gold), values_of(pred)
        for path, golds in gold_values.items():
            preds = pred_values.get(path)
            if preds is None:
                for reading in golds:
                    self.add_value(True, path, reading)
            elif golds != preds:
                for reading in golds:
                    self.add_value(True, path, reading)
                for reading in preds:
                    self.add_value(False, path, reading)
        for path, preds in pred_values.items():
            if path not in gold_values:
                for reading in preds:
                    self.add_value(False, path, reading)

    def add_rows(self, rows: Sequence[Group], of_gold: bool) -> None:
        """Take all values of rows, at any depth."""
        for row in rows:
            values = values_of(row)
            for path, readings in values.items():
                for reading in readings:
                    self.add_value(of_gold, path, reading)
            if row.groups:
                for inner in row.groups.values():
                    self.add_rows(inner, of_gold)

    def add_plain(self, rows: Sequence[Group], of_gold: bool) -> list[Row]:
        """Take all values of rows that have one value a field, and return the rows with tokens.

        What is unread stays so, because most of these values turn out to be right, and most have
        a key at sight.
        """
        taken: list[Row] = []
        for row in rows:
            tokens: list[object] = []
            if row._values is None:
                leaves, steps = row._leaves, row._steps
                for place in range(len(leaves)):
                    leaf = leaves[place]
                    if leaf is not None:
                        step = steps[place]
                        key = self.add_usual(step, leaf)
                        if key is None:
                            reading = reading_at(step, leaf)
                            assert reading is not None
                            self.add_value(of_gold, step[0], reading)
                            key = key_of(reading)
                        tokens.append(key)
            else:
                for path, readings in row._values.items():
                    self.add_value(of_gold, path, readings[0])
                    tokens.append(key_of(readings[0]))
            taken.append((frozenset(tokens), row))  # type: ignore[arg-type]
        return taken

    def settle_scopes(self, gold: Group, pred: Group) -> None:
        """Give keys back to fields of rows in which all of gold is stated in one scope.

        There a value of pred that is stated in another equals none of gold's, and one that leaves
        it open may equal any: so a key of its own for the first settles which are equal.
        """
        for path in sorted(self.pairwise):
            if path in values_of(gold) or path in values_of(pred):
                continue
            scopes: set[Hashable] = set()
            if not _add_scopes(scopes, gold, path) or len(scopes) != 1 or None in scopes:
                continue
            if _add_scopes(set(), pred, path):
                _tell_apart(pred, path, next(iter(scopes)))
                self.pairwise.discard(path)


def _add_scopes(scopes: set[Hashable], group: Group, path: str) -> bool:
    """Add the scopes of a field's values at any depth; return whether keys tell them apart else."""
    for reading in values_of(group).get(path, ()):
        sense = sense_of(reading)
        if sense.key is None or reading.normalised or len(reading.alternatives) > 1:
            return False
        scopes.add(sense.scope)
    for rows in group.groups.values():
        for row in rows:
            if not _add_scopes(scopes, row, path):
                return False
    return True


def _tell_apart(group: Group, path: str, scope: Hashable) -> None:
    """Give a field's values at any depth that are stated in another scope keys of their own."""
    values = values_of(group)
    readings = values.get(path)
    if readings is not None:
        values[path] = tuple([_with_scope(reading, scope) for reading in readings])
    for rows in group.groups.values():
        for row in rows:
            _tell_apart(row, path, scope)


def _with_scope(reading: Reading, scope: Hashable) -> Reading:
    sense = sense_of(reading)
    if sense.scope is None or sense.scope == scope:
        return reading
    own = Sense(sense.value, f"{sense.key}\x1f\x1f\x1f{sense.scope}", sense.scope, sense.problem)
    return Reading(
        reading.text,
        reading.make,
        own,
        reading.confidence,
        reading.page,
        reading.box,
        reading.alternatives,
        reading.normalised,
        reading.origin or reading,
    )
