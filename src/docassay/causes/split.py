"""Split and merged rows: one row on one side that stands for two on the other.

The two sides are alike here. A row that found no partner is a piece of a pair when the pair's row
on the other side holds its words beside those of its own partner, or when it holds nothing but
values that the partner lacks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docassay.causes.pairs import Pair
from docassay.causes.values import words_of
from docassay.model.document import Group
from docassay.verdicts import RIGHT


class Seam(NamedTuple):
    """A pair that a row without a partner belongs to, and the fields in which that shows."""

    pair: Pair
    fields: frozenset[str]


class Seams:
    """The pairs of a type that a row without a partner may belong to; `gold`: a row of gold."""

    def __init__(self, pairs: Iterable[Pair], *, gold: bool) -> None:
        self._gold = gold
        # by the words and the values of the whole row, so that a row meets few pairs
        self._at: dict[tuple[str, str], list[Pair]] = {}
        for pair in pairs:
            if pair.gold is not None and pair.pred is not None:
                whole = pair.pred if gold else pair.gold
                for mark in _marks(whole, every=True):
                    self._at.setdefault(mark, []).append(pair)

    def of(self, lost: Pair) -> list[Seam]:
        """Return where a row belongs that has no partner on the other side."""
        row = lost.gold if self._gold else lost.pred
        if row is None:
            return []
        met = {id(one): one for mark in _marks(row, every=False) for one in self._at.get(mark, ())}
        met.pop(id(lost), None)
        found = []
        for pair in met.values():
            partner, whole = (pair.gold, pair.pred) if self._gold else (pair.pred, pair.gold)
            assert partner is not None
            assert whole is not None
            fields = _joined(row, partner, whole, _wrong(pair)) or _lent(row, partner, whole)
            if fields:
                found.append(Seam(pair, fields))
        return found


def _marks(row: Group, *, every: bool) -> set[tuple[str, str]]:
    """Return every word of a row with its field, or the first of each field; and its values."""
    marks = {(path, one.canonical) for path, ones in row.values.items() for one in ones}
    for path in row.values:
        found = _words(row, path)
        marks.update((path, word) for word in (found if every else found[:1]))
    return marks


def _wrong(pair: Pair) -> frozenset[str]:
    return frozenset(fate.field.path for fate in pair.fates if fate.verdict != RIGHT)


def _joined(row: Group, partner: Group, whole: Group, wrong: frozenset[str]) -> frozenset[str]:
    """Return the fields whose text in the whole row holds the words of both others."""
    return frozenset(
        path
        for path in wrong
        if path in row.values
        and path in partner.values
        and path in whole.values
        and _holds(_words(whole, path), _words(row, path), _words(partner, path))
    )


def _holds(whole: list[str], one: list[str], other: list[str]) -> bool:
    return (
        bool(one)
        and bool(other)
        and len(one) + len(other) <= len(whole)
        and _stretch(one, whole)
        and _stretch(other, whole)
    )


def _stretch(part: list[str], whole: list[str]) -> bool:
    """Whether some words stand side by side in others."""
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def _lent(row: Group, partner: Group, whole: Group) -> frozenset[str]:
    """Return the row's fields, if it holds only values of the whole row that the partner lacks."""
    lent = all(
        path not in partner.values
        and [one.canonical for one in readings]
        == [one.canonical for one in whole.values.get(path, ())]
        for path, readings in row.values.items()
    )
    return frozenset(row.values) if lent and row.values else frozenset()


def _words(group: Group, path: str) -> list[str]:
    return [word for one in group.values[path] for word in words_of(one.text)]
