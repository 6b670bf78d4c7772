"""How alike the values of a field are as texts, whatever its type: what `anls` adds up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from docassay.kernel.likeness import best_of_few, chain_bounds, from_floor, likeness_of_few
from docassay.kernel.readings import CACHE_SIZE, texts_meant
from docassay.metrics.fields.contrast import Readings
from docassay.model.document import Reading
from docassay.model.schema import Field
from docassay.values.field import BoundField

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCORER = Levenshtein.normalized_similarity
_MARGIN = 1e-6
"""A cut-off lies this far below what is looked for, as it may lose what is exactly as alike."""
FEW = 12
"""Pairs of values up to which all ways to pair them are tried."""


class Forms(dict[str, str | None]):
    """The forms of texts that are compared; None for one that is equal only as a whole."""

    __slots__ = ("senses",)

    def __init__(self, field: BoundField) -> None:
        super().__init__()
        self.senses = field.readings.senses

    def __missing__(self, text: str) -> str | None:
        if len(self) >= CACHE_SIZE:
            self.clear()
        value = self.senses(text).value
        form = self[text] = value if isinstance(value, str) else None
        return form


class Likeness:
    """Compares the values of one field as texts."""

    def __init__(self, field: BoundField, floor: float) -> None:
        is_text = field.spec.type == "text"
        options = field.spec.options if is_text else {}
        self._texts = BoundField(Field(field.path, "text", options), field.schema)
        self._forms = Forms(self._texts)
        self._reads_forms = is_text and field.spec.compare is None
        """Whether the values of the field are the forms of their texts."""
        self._floor = floor

    def of(self, gold: Reading, pred: Reading) -> float:
        """Return how alike two values are, 0 below the floor."""
        form, other = self._form(gold), self._form(pred)
        if not gold.alternatives and form is not None and other is not None:
            return self._alike(form, other)
        texts, own = self._texts, self._reading(pred)
        best = max(texts.similarity(self._reading(item), own) for item in gold.accepted)
        return best if best >= self._floor else 0.0

    def _alike(self, form: str, other: str) -> float:
        # to give the floor as a cut-off would lose what is exactly as alike
        likeness = _SCORER(form, other)
        return likeness if likeness >= self._floor else 0.0

    def _nearest(self, form: str, others: Collection[str], least: float) -> float:
        """Return how alike the likest of other forms is, 0 where that is less than this."""
        floor = max(least, self._floor)
        cutoff = max(floor - _MARGIN, 0.0)
        nearest = extractOne(form, others, scorer=_SCORER, score_cutoff=cutoff)
        return 0.0 if nearest is None or nearest[1] < floor else nearest[1]

    def _form(self, reading: Reading) -> str | None:
        """Return what is compared of a value, None for one that is equal only as a whole."""
        if self._reads_forms and not reading.normalised:
            value = (reading.made or reading.sense).value
            return value if isinstance(value, str) else None
        return self._forms[reading.text]

    def _reading(self, value: Reading) -> Reading:
        """Return a value as the text that it is."""
        reading: Reading | None = self._texts.readings[value.text]
        assert reading is not None, "an item of a field is never a placeholder"
        return reading

    def best(self, golds: Readings, preds: Readings) -> float:
        """Return the summed likeness of the best one-to-one pairs of values."""
        if len(golds) * len(preds) <= FEW:
            return best_of_few([[self.of(gold, pred) for pred in preds] for gold in golds])
        from docassay.matching.large import MAX_PLAIN_CELLS, best_likeness
        from docassay.matching.solver import solver

        if len(golds) * len(preds) > MAX_PLAIN_CELLS:
            return best_likeness(golds, preds, self.matrix)
        likeness = self.matrix(golds, preds)
        chosen: list[float] = likeness[solver()(likeness, maximize=True)].tolist()
        return sum(chosen)

    def best_beside(
        self, golds: Readings, preds: Readings, settled: Callable[[], Collection[Reading]]
    ) -> float | None:
        """Return the same of a few values beside others that both sides have, each like itself.

        None where it may be better to part some of these. That takes a chain: a value of gold goes
        with a settled one, whose own partner goes with another, and so on until one goes with a
        value of pred. It is worth no more than its first and its last pair, less the one settled
        value that is left without a partner of its own.
        """
        if len(golds) * len(preds) > FEW or any([gold.alternatives for gold in golds]):
            return None
        left, right = self._forms_of(golds), self._forms_of(preds)
        if left is None or right is None:
            return None
        likeness = likeness_of_few(left, right, _SCORER)
        rows = from_floor(likeness, self._floor)
        best = best_of_few(rows)
        if best_of_few(chain_bounds(left, right, likeness)) <= best:
            return best  # whatever is settled, which is most of the time
        texts = self._forms_of(settled())
        if texts is None:
            return None
        if best_of_few(chain_bounds(left, right, likeness, {*map(len, texts)})) <= best:
            return best
        # a chain that begins less alike than each direct pair is worth less than these
        gold_steps = [
            self._nearest(form, texts, min(row)) for form, row in zip(left, rows, strict=True)
        ]
        if not any(gold_steps):
            return best
        pred_steps = [self._nearest(form, texts, 0.0) for form in right]
        chained = [
            [max(direct, first + last - 1.0) for direct, last in zip(row, pred_steps, strict=True)]
            for row, first in zip(rows, gold_steps, strict=True)
        ]
        return best if chained == rows or best_of_few(chained) <= best else None

    def _forms_of(self, values: Collection[Reading]) -> list[str] | None:
        """Return what is compared of values; None where any is equal only as a whole."""
        if self._reads_forms:
            forms = texts_meant(values)
            if forms is not None:  # which most are
                return forms
        read = [*map(self._form, values)]
        return None if None in read else read  # type: ignore[return-value]

    def matrix(self, golds: Readings, preds: Readings) -> NDArray[np.float64]:
        """Return the likeness of every pair, a row a value of gold."""
        import numpy as np

        accepted = [gold.accepted for gold in golds]
        items = [item for values in accepted for item in values]
        gold_forms, pred_forms = self._forms_of(items), self._forms_of(preds)
        if gold_forms is None or pred_forms is None:
            gold_texts, pred_texts = ([*map(self._reading, values)] for values in (items, preds))
            likeness = self._texts.similarities(gold_texts, pred_texts)
        else:
            likeness = _likeness_of_all(gold_forms, pred_forms)
        if len(items) > len(golds):
            # a value with alternatives is as like as the likest of them
            starts = np.cumsum([0, *map(len, accepted[:-1])])
            likeness = np.maximum.reduceat(likeness, starts, axis=0)
        likeness[likeness < self._floor] = 0.0
        return likeness


def _likeness_of_all(forms: Sequence[str], others: Sequence[str]) -> NDArray[np.float64]:
    """Return the likeness of every pair; where forms repeat, of each pair once."""
    import numpy as np
    from rapidfuzz.process import cdist

    rows, columns = [*dict.fromkeys(forms)], [*dict.fromkeys(others)]
    if 2 * len(rows) * len(columns) > len(forms) * len(others):
        return cdist(forms, others, scorer=_SCORER, dtype=np.float64)
    likeness = cdist(rows, columns, scorer=_SCORER, dtype=np.float64)
    at = [
        [place[form] for form in every]
        for place, every in (
            ({form: at for at, form in enumerate(rows)}, forms),
            ({form: at for at, form in enumerate(columns)}, others),
        )
    ]
    return likeness[np.ix_(*at)]
