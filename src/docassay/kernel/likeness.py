"""Likeness of texts: the best pairs of a few, and what better ones may come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from docassay.kernel.readings import Reading, Values, sense_of, texts_meant

FEW = 20
"""Pairs of values up to which all ways to pair them are tried."""
Score = Callable[[str, str], float]
Settled = Callable[[Values], Iterable[Reading]]
"""Gives gold's values beside some of them, each once."""


class TextLikeness:
    """Compares the values of one field as texts: a few in few steps, others as its heirs do."""

    def __init__(
        self, score: Score, forms: Mapping[str, str | None], by_letters: bool, floor: float
    ) -> None:
        self.score = score
        self.forms = forms
        """What is compared of texts; None for one that is equal only as a whole."""
        self.by_letters = by_letters
        """Whether the values of the field are the forms of their texts, compared as these are."""
        self.floor = floor

    def form(self, reading: Reading) -> str | None:
        """Return what is compared of a value, None for one that is equal only as a whole."""
        if self.by_letters and not reading.normalised:
            value = sense_of(reading).value
            return value if isinstance(value, str) else None
        return self.forms[reading.text]

    def forms_of(self, values: Iterable[Reading]) -> list[str] | None:
        """Return what is compared of values; None where any is equal only as a whole."""
        if self.by_letters:
            texts = texts_meant(values)
            if texts is not None:  # which most are
                return texts
        forms: list[str] = []
        for value in values:
            form = self.form(value)
            if form is None:
                return None
            forms.append(form)
        return forms

    def of(self, gold: Reading, pred: Reading) -> float:
        """Return how alike two values are, 0 below the floor."""
        if not gold.alternatives:
            form = self.form(gold)
            other = self.form(pred)
            if form is not None and other is not None:
                return self._alike(form, other)
        return self.of_any(gold, pred)

    def of_any(self, gold: Reading, pred: Reading) -> float:
        """Return the same of values that may be equal only as a whole, or have alternatives."""
        raise NotImplementedError

    def of_forms(self, gold: Reading, pred: Reading) -> float:
        """Return the same of values that are the forms of their texts and no more, −1 of others."""
        if not self.by_letters or gold.alternatives or gold.normalised or pred.normalised:
            return -1.0
        form = self.form(gold)
        other = self.form(pred)
        return -1.0 if form is None or other is None else self._alike(form, other)

    def _alike(self, form: str, other: str) -> float:
        # to give the floor as a cut-off would lose what is exactly as alike
        likeness: float = self.score(form, other)
        return likeness if likeness >= self.floor else 0.0

    def best_beside(self, golds: Values, preds: Values, settled: Settled) -> float | None:
        """Return the summed likeness of the best pairs of a few values beside others.

        These are settled: both sides have them, each like itself. None where it may be better to
        part some of them, which takes a chain: a value of gold goes with a settled one, whose own
        partner goes with another, and so on until one goes with a value of pred. It is worth no
        more than its first and its last pair, less the one settled value that is left without a
        partner of its own.
        """
        if len(golds) * len(preds) > FEW:
            return None
        for gold in golds:
            if gold.alternatives:
                return None
        left = self.forms_of(golds)
        right = self.forms_of(preds)
        if left is None or right is None:
            return None
        likeness = likeness_of_few(left, right, self.score)
        rows = from_floor(likeness, self.floor)
        best = best_of_few(rows)
        if best_of_few(chain_bounds(left, right, likeness)) <= best:
            return best  # whatever is settled, which is most of the time
        texts = self.forms_of(settled(golds))
        if texts is None:
            return None
        if best_of_few(chain_bounds(left, right, likeness, {len(text) for text in texts})) <= best:
            return best
        chained = self.chained(left, right, rows, texts)
        return best if chained == rows or best_of_few(chained) <= best else None

    def chained(
        self, golds: list[str], preds: list[str], rows: list[list[float]], texts: list[str]
    ) -> list[list[float]]:
        """Return a table with what pairs may be worth that go with these texts instead."""
        raise NotImplementedError


def best_of_few(rows: list[list[float]]) -> float:
    """Return the greatest sum of one-to-one pairs in a small table: all ways are tried."""
    if len(rows) > len(rows[0]):
        rows = [list(column) for column in zip(*rows, strict=True)]
    return _best_below(rows, 0, 0, 0.0)


def _best_below(rows: list[list[float]], place: int, taken: int, total: float) -> float:
    """Return the greatest sum from a row on; the bits of `taken` are columns that are gone."""
    if place == len(rows):
        return total
    row = rows[place]
    best = 0.0
    for at in range(len(row)):
        if not taken >> at & 1:
            value = _best_below(rows, place + 1, taken | 1 << at, total + row[at])
            if value > best:
                best = value
    return best


def likeness_of_few(golds: list[str], preds: list[str], score: Score) -> list[list[float]]:
    """Return how alike the texts of each pair are, a row a text of gold."""
    return [[score(gold, pred) for pred in preds] for gold in golds]


def from_floor(likeness: list[list[float]], floor: float) -> list[list[float]]:
    """Return the same table with 0 for what is less than the floor."""
    return [[direct if direct >= floor else 0.0 for direct in row] for row in likeness]


def chain_bounds(
    golds: list[str],
    preds: list[str],
    likeness: list[list[float]],
    lengths: Iterable[int] | None = None,
) -> list[list[float]]:
    """Return what a text of gold and one of pred may be worth that go with others instead.

    One goes with a text that both sides have, whose own partner goes with another, and so on to the
    last, for which such a text is left alone. The edits of all these steps are at least as many as
    between the two texts, and as a text between them is longer than they are, and each step is
    divided by no more than the longest of them. Only these `lengths` need be known of them; where
    they are not, those are assumed that are worth most.
    """
    bounds: list[list[float]] = []
    for i in range(len(golds)):
        own = len(golds[i])
        row = likeness[i]
        bound: list[float] = []
        for j in range(len(preds)):
            other = len(preds[j])
            longer = max(own, other)
            most: float = row[j]
            edits = (1.0 - most) * longer
            if lengths is None:
                # up to this length both edits are as few as can be, beyond it they become more
                peak = int((edits + own + other) / 2.0)
                most = _chain_worth(peak, own, other, edits, most)
                most = _chain_worth(peak + 1, own, other, edits, most)
            else:
                for length in lengths:
                    most = _chain_worth(length, own, other, edits, most)
            bound.append(most)
        bounds.append(bound)
    return bounds


def _chain_worth(length: int, own: int, other: int, edits: float, least: float) -> float:
    """Return what two texts are worth with one of a length between them, if more than this."""
    if length <= own or length <= other:
        return least
    worth = 1.0 - max(edits, 2.0 * length - own - other) / length
    return worth if worth > least else least
