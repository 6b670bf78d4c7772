"""Pairs of groups that stand for each other: what is wrong in them, and which rows are alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from docassay.kernel import texts
from docassay.kernel.mistakes import Mistake, ascii_words, mistakes_in
from docassay.kernel.readings import Group, Reading, values_of


class GroupPair:
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    __slots__ = ("found", "gold", "identical", "matching", "pred", "rows_inside", "type")

    def __init__(
        self,
        matching: object,
        type: str,
        gold: Group | None,
        pred: Group | None,
        identical: bool = False,
    ) -> None:
        self.matching = matching
        self.type = type
        self.gold = gold
        self.pred = pred
        self.identical = identical
        """Every value is right, which was known before any was looked at."""
        self.found: Sequence[Mistake[object]] | None = [] if identical else None
        """The values that are not right, None where nobody has asked for them."""
        self.rows_inside: Mapping[str, Sequence[GroupPair]] | None = None
        """The pairs of rows inside that are not identical, None where nobody has asked for them."""


class FieldWithPath(Protocol):
    """A field."""

    @property
    def path(self) -> str:
        """Its name."""


P = TypeVar("P", bound=GroupPair)
F = TypeVar("F")
N = TypeVar("N", bound=FieldWithPath)
Counts = tuple[int, ...]


def hold_rows(pairs: Sequence[GroupPair]) -> bool:
    """Whether there are rows inside any pair."""
    for pair in pairs:
        gold, pred = pair.gold, pair.pred
        if (gold is not None and gold.groups) or (pred is not None and pred.groups):
            return True
    return False


def wrong_values(
    pairs: list[P],
    pairwise: frozenset[str],
    field_of: Callable[[str], F],
    spell_out: Callable[[P], list[Mistake[F]]],
) -> list[tuple[P, F, Reading | None, Reading | None]]:
    """Return all values of pairs that are not right, and note them in their pairs.

    `spell_out` finds those that keys alone do not tell.
    """
    wrong: list[tuple[P, F, Reading | None, Reading | None]] = []
    for pair in pairs:
        found = pair.found
        if found is None:
            found = mistakes_in(pair.gold, pair.pred, pairwise, field_of)
            if found is None:
                found = spell_out(pair)
            pair.found = found
        for field, gold, pred in found:
            wrong.append((pair, field, gold, pred))  # type: ignore[arg-type]
    return wrong


def count_by_kind(
    wrong: list[tuple[P, N, Reading | None, Reading | None]], causes: list[str]
) -> dict[tuple[str, ...], Counts]:
    """Return how many wrong values of a field and cause are substituted, added and deleted."""
    counts: dict[tuple[str, ...], Counts] = {}
    for place in range(len(wrong)):
        _, field, gold, pred = wrong[place]
        key = (field.path, causes[place])
        own = counts.get(key)
        if own is None:  # most are alone
            counts[key] = ONE_DELETED if gold is None else ONE_ADDED if pred is None else ONE_OTHER
        elif gold is None:
            counts[key] = (own[0], own[1], own[2] + 1)
        elif pred is None:
            counts[key] = (own[0], own[1] + 1, own[2])
        else:
            counts[key] = (own[0] + 1, own[1], own[2])
    return counts


ONE_OTHER, ONE_ADDED, ONE_DELETED = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def lone_rows(pairs: list[P], are_strangers: Callable[[P], bool]) -> dict[str, list[P]]:
    """Return by type the rows without a partner, or with one that has nothing right.

    Of the latter `are_strangers` decides. A lone object that is in no list is no row. The mistakes
    of all pairs are known.
    """
    alone: dict[str, list[P]] = {}
    for pair in pairs:
        gold, pred = pair.gold, pair.pred
        if not pair.type or pair.identical:
            continue
        if (gold is None or gold.index is None) and (pred is None or pred.index is None):
            continue
        if gold is None or pred is None or (_all_are_wrong(pair, gold) and are_strangers(pair)):
            alone.setdefault(pair.type, []).append(pair)
    return alone


STRANGERS = 2
"""Fields from which two rows can be told not to stand for each other; one may just be wrong."""


def _all_are_wrong(pair: GroupPair, gold: Group) -> bool:
    """Whether none of gold's values is right in a pair."""
    assert pair.found is not None
    if len(pair.found) < STRANGERS:
        return False
    missed = 0
    for _, own, _ in pair.found:
        if own is not None:
            missed += 1
    return missed >= _size(gold)


def _size(group: Group) -> int:
    """Return the number of a row's own values."""
    if group._values is None:
        return group._count
    return len(group._values) if group.single else sum(map(len, group._values.values()))


def may_hold_any(pairs: Sequence[P], rows: Sequence[Group], of_gold: bool) -> list[P]:
    """Return the pairs, of those whose mistakes are known, that may hold one of some rows of gold.

    There pred's row has a text of more words than its partner, with the first one of such a row
    among them, or values of all fields of one of the rows that its partner lacks. Not `of_gold`,
    the same of rows of pred.
    """
    first: FirstWords = {}
    return [pair for pair in pairs if rows and _may_hold_any(pair, rows, of_gold, first)]


FirstWords = dict[str, set[str] | None]
"""The words that the texts of rows begin with, by field; None where nothing is told of one."""


def _may_hold_any(pair: GroupPair, rows: Sequence[Group], of_gold: bool, first: FirstWords) -> bool:
    """Return that of one pair; the first words of rows are noted for other pairs."""
    gold, pred = pair.gold, pair.pred
    if gold is None or pred is None:
        return False
    if not gold.single or not pred.single or pair.found is None:
        return True
    lends = False
    for field, own, other in pair.found:
        fewer, more = (own, other) if of_gold else (other, own)
        if more is None:
            continue
        if fewer is None:
            lends = True
            continue
        own_text, its_text = texts.as_text(more.text), texts.as_text(fewer.text)
        if not own_text.isascii() or not its_text.isascii():
            return True
        if count_words(own_text) > count_words(its_text) > 0:
            path = field.path  # type: ignore[attr-defined]
            if path not in first:
                first[path] = _first_words(path, rows)
            begun = first[path]
            if begun is None or not begun.isdisjoint(ascii_words(own_text)):
                return True
    return lends and _lacks_all_of(gold if of_gold else pred, rows)


def _first_words(path: str, rows: Sequence[Group]) -> set[str] | None:
    """Return the words that the texts of rows begin with in a field; None if one is not told."""
    words: set[str] = set()
    for row in rows:
        readings = values_of(row).get(path, ())
        for reading in readings:
            line = texts.as_text(reading.text)
            if not line.isascii():
                return None
            words.update(ascii_words(line)[:1])
    return words


def _lacks_all_of(partner: Group, rows: Sequence[Group]) -> bool:
    """Whether a group has none of the fields of one of some rows."""
    own = values_of(partner)
    for row in rows:
        values = values_of(row)
        if not any([path in own for path in values]):
            return True
    return False


def count_words(text: str) -> int:
    """Return how many runs of letters and digits a text in ASCII has; an ampersand is a word."""
    words = 0
    inside = False
    for character in text:
        if "a" <= character <= "z" or "0" <= character <= "9" or "A" <= character <= "Z":
            if not inside:
                words += 1
            inside = True
        else:
            if character == "&":
                words += 1
            inside = False
    return words
