"""Pairs of groups that stand for each other: what is wrong in them, and which rows are alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, Protocol, TypeVar

from docassay.kernel import texts
from docassay.kernel.mistakes import AreEqual, Mistake, ascii_words, mistakes_in
from docassay.kernel.readings import Group, Reading, values_of
from docassay.kernel.rows import rows_inside


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


class RowsMatched(Protocol):
    """The rows of a type, as they were matched."""

    @property
    def others(self) -> Sequence[tuple[Group | None, Group | None]]:
        """Those that are not identical."""


Match = Callable[[Sequence[Group], Sequence[Group], str], RowsMatched]


def with_others(pair: P, make: Callable[..., P], match: Match) -> list[P]:
    """Return a pair, and then all pairs of rows inside that are not identical.

    What `make` makes of rows that `match` puts together is noted in the pair that holds them.
    """
    pairs = [pair]
    _add_others(pair, make, match, pairs)
    return pairs


def _add_others(pair: P, make: Callable[..., P], match: Match, pairs: list[P]) -> None:
    if pair.rows_inside is None:
        rows = rows_inside(pair.gold, pair.pred)
        if not rows:
            return
        pair.rows_inside = {
            path: [
                make(pair.matching, path, gold, pred)
                for gold, pred in match(golds, preds, path).others
            ]
            for path, golds, preds in rows
        }
    for others in pair.rows_inside.values():
        for other in others:
            pairs.append(other)  # type: ignore[arg-type]
            _add_others(other, make, match, pairs)  # type: ignore[misc]


def wrong_values(
    pairs: list[P],
    pairwise: frozenset[str],
    field_of: Callable[[str], F],
    are_equal: AreEqual,
    spell_out: Callable[[P], list[Mistake[F]]],
) -> list[tuple[P, F, Reading | None, Reading | None]]:
    """Return all values of pairs that are not right, and note them in their pairs.

    `spell_out` finds those of pairs with several values of a field.
    """
    wrong: list[tuple[P, F, Reading | None, Reading | None]] = []
    for pair in pairs:
        found = pair.found
        if found is None:
            found = mistakes_in(pair.gold, pair.pred, pairwise, field_of, are_equal)
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


class CauseWords(NamedTuple):
    """What causes are called that do not depend on the two texts of a value."""

    document_type: str
    split: str
    missing: str
    hallucinated: str


class FirstCauses:
    """Gives the cause of each wrong value of a document, if it stands nowhere else."""

    __slots__ = ("_between", "_document_type", "_hallucinated", "_missing", "_split", "_sure")

    def __init__(
        self,
        between: Callable[[Reading, Reading, Any], str],
        sure: frozenset[str],
        words: CauseWords,
    ) -> None:
        self._between = between
        """Gives the cause that the texts of gold and pred tell."""
        self._sure = sure
        """Those of these causes that are settled, whatever stands around the texts."""
        self._document_type, self._split, self._missing, self._hallucinated = words

    def of(
        self,
        wrong: list[tuple[P, N, Reading | None, Reading | None]],
        alone: Mapping[int, tuple[str, str]],
        seams: AbstractSet[tuple[int, str]],
        type_field: str,
        is_unlisted: Callable[[str], bool] | None,
    ) -> tuple[list[str], list[int]]:
        """Return the cause of each wrong value, and the places of those that are not settled.

        `alone` has what became of gold's and of pred's values in rows without a partner, `seams`
        the fields that hold or lack a piece of another row, both by the identity of a pair.
        `is_unlisted` tells which fields are none of the document type that pred took it for.
        """
        causes: list[str] = []
        doubtful: list[int] = []
        for place in range(len(wrong)):
            pair, field, gold, pred = wrong[place]
            row = alone.get(id(pair)) if alone else None
            path = field.path
            if gold is None or pred is None:
                by_text = None
                is_of_type = pred is None and is_unlisted is not None and is_unlisted(path)
            else:
                by_text = self._between(gold, pred, field)
                is_of_type = path == type_field
            is_seam = bool(seams) and (id(pair), path) in seams
            cause = self._settled(by_text, is_of_type, pred is None, row, is_seam)
            if cause is None:
                cause = self._assumed(by_text, pred is None, row)
                doubtful.append(place)
            causes.append(cause)
        return causes, doubtful

    def _settled(
        self,
        by_text: str | None,
        is_of_type: bool,
        is_missing: bool,
        row: tuple[str, str] | None,
        is_seam: bool,
    ) -> str | None:
        """Return the cause of a value wherever else it stands, None where that may change it."""
        if by_text is not None and by_text in self._sure:
            return by_text
        if is_of_type:
            return self._document_type
        if by_text is None and row is not None:
            return row[0] if is_missing else row[1]
        return self._split if is_seam else None

    def _assumed(self, by_text: str | None, is_missing: bool, row: tuple[str, str] | None) -> str:
        """Return the cause of a value that stands nowhere else."""
        if by_text is None:
            return self._missing if is_missing else self._hallucinated
        if row is None:
            return by_text
        return self._split if self._split in row else row[0]


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


Company = tuple[list[Group], list[Group], list[P], list[P]]
"""Rows of gold and of pred that are alone, and the pairs that may hold one of either besides."""


def company_of(alone: list[P], pairs: list[P]) -> Company[P] | None:
    """Return what the rows of a type that are alone may have come of, None where that is nothing.

    `pairs` are all of a document, and their mistakes are known.
    """
    path = alone[0].type
    golds: list[Group] = []
    preds: list[Group] = []
    for pair in alone:
        if pair.gold is not None:
            golds.append(pair.gold)
        if pair.pred is not None:
            preds.append(pair.pred)
    wrong = [pair for pair in pairs if pair.found and pair.type == path]
    gold_wholes = may_hold_any(wrong, golds, True)
    pred_wholes = may_hold_any(wrong, preds, False)
    # gold's rows are looked for among pred's, pred's among gold's
    if (golds and preds) or gold_wholes or pred_wholes:
        return golds, preds, gold_wholes, pred_wholes
    return None  # which is most


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
        if not texts.is_ascii(own_text) or not texts.is_ascii(its_text):
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
            if not texts.is_ascii(line):
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
