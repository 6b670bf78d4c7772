"""The similarity of two values of a type, with the reason: the smallest question one can ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.document import Number
from docassay.values.comparator import COMPARATORS, Comparator
from docassay.values.field import ABSENT, read_value
from docassay.values.read.characters import fold
from docassay.values.reader import READERS, field_type


class Similarity(NamedTuple):
    """How alike two values are, what each was read as, and why."""

    value: float
    gold: str
    pred: str
    reason: str


def similarity(
    gold: object,
    pred: object,
    type: str = "text",
    **options: object,
) -> Similarity:
    """Return how alike two leaves are when read and compared as a type.

    >>> similarity("$1,234.56", "1234.56", type="money").reason
    'equal as amounts of money'
    """
    kind = field_type(type)
    reader, comparator = READERS.get(kind.reader), COMPARATORS.get(kind.comparator)
    for name in options:
        if name not in reader.options and name not in comparator.options:
            options_of_type = {*reader.options, *comparator.options}
            raise UnknownName(f"option of type {type!r}", name, options_of_type)
    reading, comparing = (
        entry.check({name: given for name, given in options.items() if name in entry.options})
        for entry in (reader, comparator)
    )
    _check_tolerances(comparing)
    blank = reader.blank
    texts = (leaf_text(gold, blank=blank), leaf_text(pred, blank=blank))
    if texts[0] is None or texts[1] is None:
        return _absence(texts)
    gold_value, gold_problem = read_value(reader.function, reading, texts[0])
    pred_value, pred_problem = read_value(reader.function, reading, texts[1])
    value = comparator.function(gold_value, pred_value, **comparing)
    reason = explaining(comparator, comparing)(gold_value, pred_value)
    if value < 1.0:
        reason = gold_problem or pred_problem or reason
    return Similarity(value, str(gold_value), str(pred_value), reason)


def explaining(
    comparator: Comparator, options: Mapping[str, object]
) -> Callable[[Hashable, Hashable], str]:
    """Return what says in one clause why a comparator finds two values the same or not."""
    why = comparator.why
    if callable(why):
        return partial(why, **options) if options else why

    def explain(gold: Hashable, pred: Hashable) -> str:
        value = comparator.function(gold, pred, **options)
        if value >= 1.0:
            return "equal"
        return "the values differ" if value <= 0.0 else f"similar to {value:.0%}"

    return explain


def leaf_text(leaf: object, *, blank: bool = False) -> str | None:
    """Return a JSON leaf as the text that is read, or None when it says that there is no value.

    With `blank` only null says so, and the empty text is a text.
    """
    if leaf is None:
        return None
    if isinstance(leaf, bool):
        return "true" if leaf else "false"
    if isinstance(leaf, float):
        return Number(repr(leaf))
    if isinstance(leaf, int):
        return str(leaf)
    if isinstance(leaf, str):
        return None if not blank and fold(leaf) in ABSENT else leaf
    raise ConfigurationError(
        f"{leaf!r} is no value", hint="give a text, a number, true, false or null"
    )


def _check_tolerances(options: Mapping[str, object]) -> None:
    for name, value in options.items():
        if isinstance(value, Decimal) and not (value.is_finite() and value >= 0):
            raise ConfigurationError(f"option {name}: {value} where a number of at least 0 belongs")


def _absence(texts: tuple[str | None, str | None]) -> Similarity:
    gold, pred = texts
    if gold is None and pred is None:
        return Similarity(1.0, "", "", "both absent")
    missing = "gold" if gold is None else "pred"
    return Similarity(0.0, gold or "", pred or "", f"{missing} is absent")
