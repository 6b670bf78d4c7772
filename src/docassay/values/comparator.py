"""Comparators: one idea a module, each a pure function from two values to a similarity 0..1.

Besides its scalar function a comparator may state

- `key`: the text under which a value is filed, such that two values are fully similar exactly when
  their keys are equal (and their scopes agree). It makes comparing a dictionary look-up, and says
  that equality is transitive. None means: not with these options, or not for this value, compare
  pair by pair.
- `scope`: what a value may leave open, such as the currency of an amount. An open scope (None)
  agrees with every other.
- `batch`: the same similarity for two sequences at once, as a matrix.
- `why`: one sentence on why two values are or are not the same.
- `binary`: the similarity is 0 or 1, nothing between.

None of these ever sees a text that could not be read: registering a comparator puts a guard before
it, by which Unread equals only the same text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from docassay.model.document import Unread
from docassay.registry import Extension, Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ComparatorFunction = Callable[..., float]
"""(gold value, pred value, **options) -> similarity, 0 to 1."""
Key = Callable[..., str | None]
"""(value, **options) -> the key, or None when equality is settled pair by pair."""
Scope = Callable[..., Hashable | None]
"""(value, **options) -> the scope, or None when the value leaves it open."""
Batch = Callable[..., "NDArray[np.float64]"]
"""(gold values, pred values, **options) -> similarities, one row a gold value."""
Why = Callable[..., str]
"""(gold value, pred value, **options) -> one sentence without a full stop."""
C = TypeVar("C", bound=ComparatorFunction)


@dataclass(frozen=True)
class Comparator(Extension):
    """How similar two values are, with the forms of the same rule described above."""

    function: ComparatorFunction
    key: Key | None = None
    scope: Scope | None = None
    batch: Batch | None = None
    why: Why | None = None
    binary: bool = False


COMPARATORS: Registry[Comparator] = Registry(
    "comparator",
    "docassay.comparators",
    {
        "same": "docassay.values.compare.texts",
        "edit": "docassay.values.compare.texts",
        "words": "docassay.values.compare.texts",
        "contains": "docassay.values.compare.texts",
        "within": "docassay.values.compare.within",
        "money": "docassay.values.compare.within",
        "phone": "docassay.values.read.phone",
        "address": "docassay.values.read.address",
        "name": "docassay.values.read.name",
        "currency": "docassay.values.read.currency",
        "language": "docassay.values.read.language",
        "vrdu_date": "docassay.compat.vrdu.match",
        "vrdu_price": "docassay.compat.vrdu.match",
        "vrdu_address": "docassay.compat.vrdu.match",
    },
)


def comparator(
    name: str,
    *,
    key: Key | None = None,
    scope: Scope | None = None,
    batch: Batch | None = None,
    why: Why | None = None,
    binary: bool = False,
) -> Callable[[C], C]:
    """Register a comparator: `def compare(gold, pred, *, option=default) -> float`."""

    def register(function: C) -> C:
        guarded = _guard(function)
        COMPARATORS.add(
            Comparator(
                name,
                guarded,
                key=None if key is None else _guard_key(key),
                scope=None if scope is None else _guard_scope(scope),
                batch=None if batch is None else _guard_batch(batch),
                why=None if why is None else _guard_why(why),
                binary=binary,
            )
        )
        return function

    return register


def pairwise(
    function: ComparatorFunction,
    golds: Sequence[object],
    preds: Sequence[object],
    **options: object,
) -> NDArray[np.float64]:
    """Compare every gold with every pred value one by one: the reference for a batch form."""
    import numpy as np

    return np.array(
        [[function(gold, pred, **options) for pred in preds] for gold in golds], dtype=np.float64
    ).reshape(len(golds), len(preds))


def _guard(function: ComparatorFunction) -> ComparatorFunction:
    @functools.wraps(function)
    def guarded(gold: object, pred: object, **options: object) -> float:
        if type(gold) is Unread or type(pred) is Unread:
            return float(type(gold) is type(pred) and gold == pred)
        return function(gold, pred, **options)

    return guarded


def unread_key(value: object) -> str:
    """Return the key of a text that could not be read."""
    # the control character keeps it apart from the key of any value
    return f"\0{value}"


def _guard_key(key: Key) -> Key:
    @functools.wraps(key)
    def guarded(value: object, **options: object) -> str | None:
        return unread_key(value) if type(value) is Unread else key(value, **options)

    return guarded


def _guard_scope(scope: Scope) -> Scope:
    @functools.wraps(scope)
    def guarded(value: object, **options: object) -> Hashable | None:
        return None if type(value) is Unread else scope(value, **options)

    return guarded


def _guard_batch(batch: Batch) -> Batch:
    @functools.wraps(batch)
    def guarded(
        golds: Sequence[object], preds: Sequence[object], **options: object
    ) -> NDArray[np.float64]:
        left, right = (
            [i for i, value in enumerate(side) if type(value) is not Unread]
            for side in (golds, preds)
        )
        readable = batch([golds[i] for i in left], [preds[j] for j in right], **options)
        if readable.shape == (len(golds), len(preds)):
            return readable
        import numpy as np

        similar = np.zeros((len(golds), len(preds)))
        similar[np.ix_(left, right)] = readable
        for i, gold in enumerate(golds):
            if type(gold) is Unread:
                similar[i] = [type(pred) is Unread and pred == gold for pred in preds]
        return similar

    return guarded


def _guard_why(why: Why) -> Why:
    @functools.wraps(why)
    def guarded(gold: object, pred: object, **options: object) -> str:
        if type(gold) is not Unread and type(pred) is not Unread:
            return str(why(gold, pred, **options))
        if type(gold) is Unread and type(pred) is Unread:
            return "the same text, not readable" if gold == pred else "neither could be read"
        return "gold could not be read" if type(gold) is Unread else "pred could not be read"

    return guarded
