"""How alike the values of a field are as texts, whatever its type: what `anls` adds up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from docassay.kernel.likeness import FEW, TextLikeness, best_of_few
from docassay.kernel.readings import CACHE_SIZE
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


class Likeness(TextLikeness):
    """Compares the values of one field as texts."""

    def __init__(self, field: BoundField, floor: float, *, by_letters: bool) -> None:
        options = field.spec.options if field.spec.type == "text" else {}
        self._texts = BoundField(Field(field.path, "text", options), field.schema)
        super().__init__(_SCORER, Forms(self._texts), by_letters, floor)

    def of_any(self, gold: Reading, pred: Reading) -> float:
        """Return how alike two values are, whatever they are, 0 below the floor."""
        texts, own = self._texts, self._reading(pred)
        best = max(texts.similarity(self._reading(item), own) for item in gold.accepted)
        return best if best >= self.floor else 0.0

    def _nearest(self, form: str, others: Collection[str], least: float) -> float:
        """Return how alike the likest of other forms is, 0 where that is less than this."""
        floor = max(least, self.floor)
        cutoff = max(floor - _MARGIN, 0.0)
        nearest = extractOne(form, others, scorer=_SCORER, score_cutoff=cutoff)
        return 0.0 if nearest is None or nearest[1] < floor else nearest[1]

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

    def chained(
        self, golds: list[str], preds: list[str], rows: list[list[float]], texts: list[str]
    ) -> list[list[float]]:
        """Return a table with what pairs may be worth that go with these texts instead."""
        # a chain that begins less alike than each direct pair is worth less than these
        gold_steps = [
            self._nearest(form, texts, min(row)) for form, row in zip(golds, rows, strict=True)
        ]
        if not any(gold_steps):
            return rows
        pred_steps = [self._nearest(form, texts, 0.0) for form in preds]
        return [
            [max(direct, first + last - 1.0) for direct, last in zip(row, pred_steps, strict=True)]
            for row, first in zip(rows, gold_steps, strict=True)
        ]

    def matrix(self, golds: Readings, preds: Readings) -> NDArray[np.float64]:
        """Return the likeness of every pair, a row a value of gold."""
        import numpy as np

        accepted = [gold.accepted for gold in golds]
        items = [item for values in accepted for item in values]
        gold_forms, pred_forms = self.forms_of(items), self.forms_of(preds)
        if gold_forms is None or pred_forms is None:
            gold_texts, pred_texts = ([*map(self._reading, values)] for values in (items, preds))
            likeness = self._texts.similarities(gold_texts, pred_texts)
        else:
            likeness = _likeness_of_all(gold_forms, pred_forms)
        if len(items) > len(golds):
            # a value with alternatives is as like as the likest of them
            starts = np.cumsum([0, *map(len, accepted[:-1])])
            likeness = np.maximum.reduceat(likeness, starts, axis=0)
        likeness[likeness < self.floor] = 0.0
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
