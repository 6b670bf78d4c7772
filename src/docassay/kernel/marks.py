"""Marks: what the fields of a document score by each method, and the table that they make up."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from docassay.kernel.columns import Contrast
from docassay.kernel.counting import PARTS, Counts, f1, ratio

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


def mark_counts(contrast: Contrast, in_place: int, tp: int, substitution_is_fn: bool) -> Marks:
    """Return the marks of a field whose values are right or wrong, by how many of them match."""
    golds, preds = contrast.golds, contrast.preds
    cost = tp / max(golds, preds)
    return Marks(
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
    """Who judges a field: by its numbers where these say all, which is most of the time."""

    def __init__(self, all_or_nothing: bool, substitution_is_fn: bool, most: int) -> None:
        self.all_or_nothing = all_or_nothing
        """Whether a value is right by all methods or by none."""
        self.substitution_is_fn = substitution_is_fn
        self.most = most
        """Pairs of items up to which two lists are compared all with all."""

    def judge(self, contrast: Contrast) -> Marks:
        """Return the marks of a field that is present on at least one side."""
        golds, preds = contrast.golds, contrast.preds
        if contrast.same == golds == preds:
            return all_right(golds)
        if golds == 0 or preds == 0:
            return Marks(0.0, 0.0, 0.0, 0.0, 0.0, 0, preds, golds)
        counted = contrast.matched >= 0 and contrast.in_place >= 0
        if counted and self.all_or_nothing and golds * preds <= self.most:
            return mark_counts(
                contrast, contrast.in_place, contrast.matched, self.substitution_is_fn
            )
        return self.compare(contrast)

    def compare(self, contrast: Contrast) -> Marks:
        """Return the marks of a field that has values on both sides, which are not all the same."""
        raise NotImplementedError


def all_right(items: int) -> Marks:
    """Return the marks of a field whose items are all right and in their places."""
    return Marks(1.0, 1.0, 1.0, 1.0, 1.0, items, 0, 0)


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


def counting_fields(
    contrasts: dict[str, Contrast],
    known: dict[tuple[str, str], ScoredField],
    make: Callable[[str, str], ScoredField],
) -> list[tuple[ScoredField, Contrast]]:
    """Return the fields that count; what is `known` of them by field and group need not be made."""
    counting: list[tuple[ScoredField, Contrast]] = []
    for path, contrast in contrasts.items():
        column = known.get((path, contrast.group))
        if column is None:
            column = known[path, contrast.group] = make(path, contrast.group)
        if column.counts:
            counting.append((column, contrast))
    return counting


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
