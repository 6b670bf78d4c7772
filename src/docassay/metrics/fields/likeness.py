"""How alike the items of a field are as texts, whatever its type: what `anls` adds up."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from docassay.kernel.readings import CACHE_SIZE
from docassay.metrics.fields.contrast import Readings
from docassay.model.document import Reading
from docassay.model.schema import Field
from docassay.values.field import BoundField

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW = 9
"""Pairs of items up to which all ways to pair them are tried."""


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
        options = field.spec.options if field.spec.type == "text" else {}
        self._texts = BoundField(Field(field.path, "text", options), field.schema)
        self._forms = Forms(self._texts)
        self._floor = floor

    def of(self, gold: Reading, pred: Reading) -> float:
        """Return how alike two values are, 0 below the floor."""
        form, other = self._forms[gold.text], self._forms[pred.text]
        if gold.alternatives or form is None or other is None:
            best = self._of_any(gold, pred)
        else:
            best = Levenshtein.normalized_similarity(form, other)
        return best if best >= self._floor else 0.0

    def _of_any(self, gold: Reading, pred: Reading) -> float:
        """Return how alike a value is to the likest of gold's alternatives: the general rule."""
        readings = self._texts.readings
        own = _present(readings[pred.text])
        return max(
            self._texts.similarity(_present(readings[form.text]), own) for form in gold.accepted
        )

    def best(self, golds: Readings, preds: Readings) -> float:
        """Return the summed likeness of the best one-to-one pairs of values."""
        if len(golds) * len(preds) <= FEW:
            return self._best_of_few(golds, preds)
        from docassay.matching.large import MAX_PLAIN_CELLS, best_likeness
        from docassay.matching.solver import solver

        if len(golds) * len(preds) > MAX_PLAIN_CELLS:
            return best_likeness(golds, preds, self.matrix)
        likeness = self.matrix(golds, preds)
        chosen: list[float] = likeness[solver()(likeness, maximize=True)].tolist()
        return sum(chosen)

    def _best_of_few(self, golds: Readings, preds: Readings) -> float:
        rows = [[self.of(gold, pred) for pred in preds] for gold in golds]
        if len(golds) > len(preds):
            rows = [*map(list, zip(*rows, strict=True))]
        ways = permutations(range(len(rows[0])), len(rows))
        return max([sum([row[j] for row, j in zip(rows, way, strict=True)]) for way in ways])

    def matrix(self, golds: Readings, preds: Readings) -> NDArray[np.float64]:
        """Return the likeness of every pair, a row an item of gold."""
        import numpy as np
        from rapidfuzz.process import cdist

        forms = self._forms
        gold_forms = [forms[gold.text] for gold in golds]
        pred_forms = [forms[pred.text] for pred in preds]
        if None in gold_forms or None in pred_forms or any([gold.alternatives for gold in golds]):
            likeness = np.array([[self._of_any(gold, pred) for pred in preds] for gold in golds])
        else:
            likeness = cdist(
                gold_forms, pred_forms, scorer=Levenshtein.normalized_similarity, dtype=np.float64
            )
        likeness[likeness < self._floor] = 0.0
        return likeness


def _present(reading: Reading | None) -> Reading:
    assert reading is not None, "an item of a field is never a placeholder"
    return reading
