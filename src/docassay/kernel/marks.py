"""Marks: what the fields of a document score by each method, and the table that they make up."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from docassay.kernel.columns import Contrast
from docassay.kernel.counting import PARTS, Counts, f1, ratio

if TYPE_CHECKING:
    from docassay.kernel.likeness import TextLikeness

_PARTS = float(PARTS)
PERFECT, METHODS = 1, 4
"""Where a document says whether it is perfect, and what it comes to by each method."""
BY_ROWS = 5
"""The number of the method that asks for the rows of a field; those before it mark it alone."""


class Marks:
    """What a field scored by each method, and its items right, hallucinated and missed."""

    __slots__ = (
        *("anls", "exact", "f1", "fn", "fp", "kieval_cost", "order_aware_f1", "parted", "tp"),
    )

    def __init__(
        self,
        exact: float,
        anls: float,
        f1: float,
        order_aware_f1: float,
        kieval_cost: float,
        tp: int,
        fp: int,
        fn: int,
        parted: bool = False,
    ) -> None:
        self.exact = exact
        self.anls = anls
        self.f1 = f1
        self.order_aware_f1 = order_aware_f1
        self.kieval_cost = kieval_cost
        self.tp = tp
        self.fp = fp
        self.fn = fn
        self.parted = parted
        """Whether there were too many items to compare all with all."""

    def rate(self, method: int) -> float:
        """Return what the field scored by a method, but for that of its rows."""
        if method == 0:
            return self.exact
        if method == 1:
            return self.anls
        if method == 2:
            return self.f1
        return self.order_aware_f1 if method == 3 else self.kieval_cost


def _marked(
    exact: float,
    anls: float,
    f1: float,
    order_aware_f1: float,
    kieval_cost: float,
    tp: int,
    fp: int,
    fn: int,
) -> Marks:
    """Return marks, made in few steps: every field of a document has some."""
    marks = Marks.__new__(Marks)
    marks.exact = exact
    marks.anls = anls
    marks.f1 = f1
    marks.order_aware_f1 = order_aware_f1
    marks.kieval_cost = kieval_cost
    marks.tp = tp
    marks.fp = fp
    marks.fn = fn
    marks.parted = False
    return marks


def mark_counts(contrast: Contrast, in_place: int, tp: int, substitution_is_fn: bool) -> Marks:
    """Return the marks of a field whose values are right or wrong, by how many of them match."""
    golds, preds = contrast.golds, contrast.preds
    cost = tp / max(golds, preds)
    return _marked(
        float(in_place == contrast.shared == golds == preds),
        cost,
        f1(tp, preds - tp, golds - tp) or 0.0,
        mark_order(contrast, in_place, substitution_is_fn),
        cost,
        tp,
        preds - tp,
        golds - tp,
    )


def mark_order(contrast: Contrast, in_place: int, substitution_is_fn: bool) -> float:
    """Return the F1 of items that match in the same place."""
    right = contrast.shared if substitution_is_fn else in_place
    return f1(in_place, contrast.preds - right, contrast.golds - in_place) or 0.0


class FieldJudge:
    """Who judges a field: by its numbers and a few texts, which say all most of the time."""

    def __init__(
        self,
        strict: bool,
        binary: bool,
        all_or_nothing: bool,
        by_letters: bool,
        substitution_is_fn: bool,
        most: int,
    ) -> None:
        self.strict = strict
        """Whether items match only where they are exactly right."""
        self.binary = binary
        """Whether a value has no likeness but that of a right one."""
        self.all_or_nothing = all_or_nothing
        """Whether a value is right by all methods or by none."""
        self.by_letters = by_letters
        """Whether values are texts, as alike as the forms of these, and equal where these are."""
        self.substitution_is_fn = substitution_is_fn
        self.most = most
        """Pairs of items up to which two lists are compared all with all."""
        self._likeness: TextLikeness | None = None

    def judge(self, contrast: Contrast) -> Marks:
        """Return the marks of a field that is present on at least one side."""
        golds, preds = contrast.golds, contrast.preds
        if contrast.same == golds == preds:
            return all_right(golds)
        if golds == 0 or preds == 0:
            return _marked(0.0, 0.0, 0.0, 0.0, 0.0, 0, preds, golds)
        in_place, matched = contrast.in_place, contrast.matched
        if not self.strict or in_place < 0 or matched < 0 or golds * preds > self.most:
            return self.compare(contrast)
        if self.all_or_nothing:
            return mark_counts(contrast, in_place, matched, self.substitution_is_fn)
        if contrast.shared == golds == preds:
            if in_place == golds:
                return all_right(golds) if self.by_letters else self.compare(contrast)
            if golds == 1:
                return self._judge_wrong(contrast)
        marks = mark_counts(contrast, in_place, matched, self.substitution_is_fn)
        if not self.binary:
            marks.anls = self.likeness_of_lists(contrast) / max(golds, preds)
        return marks

    def _judge_wrong(self, contrast: Contrast) -> Marks:
        """Return the marks of a single value that is wrong."""
        if self.by_letters:
            golds, preds = contrast.unequal()
            likeness = self.likeness().of_forms(golds[0], preds[0])
            if likeness >= 0.0:
                return _marked(0.0, likeness, likeness, likeness, 0.0, 0, 1, 1)
        return self.compare(contrast)

    def likeness_of_lists(self, contrast: Contrast) -> float:
        """Return the summed likeness of the best pairs of items."""
        golds, preds = contrast.unequal() if self.by_letters else contrast.rests()
        same = contrast.golds - len(golds)
        if not golds or not preds:
            return float(same)
        if same:
            best = self.likeness().best_beside(golds, preds, contrast.settled)
            if best is not None:
                return same + best
        return self.likeness_of_all(contrast)

    def likeness(self) -> TextLikeness:
        """Return what compares values as texts, whatever their type."""
        if self._likeness is None:
            self._likeness = self.make_likeness()
        return self._likeness

    def make_likeness(self) -> TextLikeness:
        """Return what `likeness` does, when first asked for."""
        raise NotImplementedError

    def likeness_of_all(self, contrast: Contrast) -> float:
        """Return the summed likeness of the best pairs of items, all of them compared."""
        raise NotImplementedError

    def compare(self, contrast: Contrast) -> Marks:
        """Return the marks of a field that has values on both sides, which are not all the same."""
        raise NotImplementedError


def all_right(items: int) -> Marks:
    """Return the marks of a field whose items are all right and in their places."""
    return _marked(1.0, 1.0, 1.0, 1.0, 1.0, items, 0, 0)


class ScoredField:
    """What a field's score counts for, and who judges it."""

    __slots__ = ("counts", "expected", "judge", "method", "path", "unit")

    def __init__(
        self, path: str, counts: bool, expected: bool, method: int, unit: str, judge: FieldJudge
    ) -> None:
        self.path = path
        self.counts = counts
        """Whether the field belongs to the document type."""
        self.expected = expected
        self.method = method
        self.unit = unit
        """The field itself, or its group: a group's columns share one correlation, counted once."""
        self.judge = judge


Scored = tuple[ScoredField, Contrast, Marks]


def count_known(paths: Iterable[str], known: frozenset[str]) -> int:
    """Return how many paths are known."""
    count = 0
    for path in paths:
        if path in known:
            count += 1
    return count


def counting_fields(
    contrasts: dict[str, Contrast], known: dict[tuple[str, str], ScoredField]
) -> list[tuple[ScoredField, Contrast]] | None:
    """Return the fields that count, by what is `known` by field and group; None if any is not."""
    counting: list[tuple[ScoredField, Contrast]] = []
    for path, contrast in contrasts.items():
        column = known.get((path, contrast.group))
        if column is None:
            return None
        if column.counts:
            counting.append((column, contrast))
    return counting


def settled_rows(
    right: list[str], expected: frozenset[str], listed: Counts, unlisted: Counts
) -> dict[str, Counts]:
    """Return the rows of fields that are right: one for those that are expected, one for others."""
    table: dict[str, Counts] = {}
    for path in right:
        table[path] = listed if path in expected else unlisted
    return table


def judged(fields: list[tuple[ScoredField, Contrast]]) -> list[Scored]:
    """Return fields with their marks."""
    scored: list[Scored] = []
    for field, contrast in fields:
        scored.append((field, contrast, field.judge.judge(contrast)))
    return scored


def are_in_order(scored: Sequence[Scored]) -> bool:
    """Whether the columns of all rows are exactly right in their places."""
    for _, contrast, marks in scored:
        if contrast.group and (marks.exact != 1.0 or not contrast.same_places):
            return False
    return True


def correlations(scored: Sequence[Scored], rows: Mapping[str, float]) -> dict[str, float]:
    """Return for each group the mean of its columns' F1 (their mean) and of its rows' F1.

    Rows that are not named are right.
    """
    columns: dict[str, list[float]] = {}
    for _, contrast, marks in scored:
        if contrast.group:
            own = columns.get(contrast.group)
            if own is None:
                columns[contrast.group] = [marks.f1]
            else:
                own.append(marks.f1)
    return {
        group: (_sum(scores) / len(scores) + rows.get(group, 1.0)) / 2
        for group, scores in columns.items()
    }


class DocumentMarks:
    """What the fields of a document come to."""

    __slots__ = ("any", "means", "parted")

    def __init__(self, any: bool, means: list[int], parted: int) -> None:
        self.any = any
        """Whether there are fields at all."""
        self.means = means
        """By method and of accuracy, in parts."""
        self.parted = parted
        """How many fields had too many items to compare all with all."""


def tabulate(
    table: dict[str, Counts],
    scored: Sequence[Scored],
    correlations: dict[str, float],
    matched_above: float,
    perfect: int,
) -> DocumentMarks:
    """Add the rows of fields to a table; so many more count as `perfect` for the document."""
    exact = anls = f1s = ordered = cost = 0.0
    parted = 0
    shared: dict[str, float] = {}
    by_unit: dict[str, float] = {}
    for column, contrast, marks in scored:
        path, group = column.path, contrast.group
        correlation = correlations[group] if group else marks.f1
        method = column.method
        accuracy = correlation if method == BY_ROWS else marks.rate(method)
        shared[group or path] = correlation
        by_unit[column.unit] = accuracy
        table[path] = row_of(
            marks,
            correlation,
            accuracy,
            column.expected,
            contrast.golds > 0,
            contrast.preds > 0,
            accuracy > matched_above,
        )
        exact += marks.exact
        anls += marks.anls
        f1s += marks.f1
        ordered += marks.order_aware_f1
        cost += marks.kieval_cost
        parted += marks.parted
    number = len(scored) + perfect
    means = [
        _mean(exact, perfect, number),
        _mean(anls, perfect, number),
        _mean(f1s, perfect, number),
        _mean(ordered, perfect, number),
        _mean(cost, perfect, number),
        _mean(_sum(shared.values()), perfect, len(shared) + perfect),
        _mean(_sum(by_unit.values()), perfect, len(by_unit) + perfect),
    ]
    return DocumentMarks(number > 0, means, parted)


def _sum(rates: Iterable[float]) -> float:
    total = 0.0
    for rate in rates:
        total += rate
    return total


def _mean(rates: float, perfect: int, number: int) -> int:
    """Return the mean of so many rates in parts, by their sum without those that are 1."""
    return parts_of((rates + perfect) / number) if number else 0


def any_wrong(fields: Mapping[str, list[int]], table: Container[str]) -> bool:
    """Whether anything but right values was counted for a field in a table."""
    for path, counts in fields.items():
        if (counts[1] or counts[2] or counts[3]) and path in table:
            return True
    return False


def row_of(
    marks: Marks,
    correlation: float,
    accuracy: float,
    expected: bool,
    gold: bool,
    pred: bool,
    matched: bool,
) -> Counts:
    """Return the row of a field: whether it is expected, in gold, in pred, matched; its marks."""
    return (
        1 if expected else 0,
        1 if gold else 0,
        1 if pred else 0,
        1 if gold or pred else 0,
        1,
        1 if matched else 0,
        marks.tp,
        marks.fp,
        marks.fn,
        parts_of(marks.exact),
        parts_of(marks.anls),
        parts_of(marks.f1),
        parts_of(marks.order_aware_f1),
        parts_of(marks.kieval_cost),
        parts_of(correlation),
        parts_of(accuracy),
        parts_of(accuracy * accuracy),
    )


def parts_of(value: float) -> int:
    """Return a share in whole parts, rounded as `round` does: a half to the even neighbour."""
    scaled = value * _PARTS
    whole = int(scaled)
    rest = scaled - whole
    return whole + (rest > 0.5 or (rest == 0.5 and whole % 2 == 1))


def accuracies(
    documents: Counts, sums: list[int], average: float | None
) -> list[float | int | None]:
    """Return what the columns of documents and the sums of those of fields come to.

    `average` is the mean accuracy of fields.
    """
    listed, gold, pred, evaluated, scored, matched, accuracy = sums
    whole = documents[0] * PARTS
    values = [ratio(documents[-1], whole), average, ratio(accuracy, scored * PARTS)]
    values += [ratio(documents[place], whole) for place in range(METHODS, len(documents) - 1)]
    values += [ratio(gold + pred - evaluated, gold), ratio(evaluated - gold, listed - gold)]
    return [*values, listed, evaluated, pred, matched, listed - evaluated, documents[PERFECT]]
