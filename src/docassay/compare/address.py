"""The comparator `address`: numbers agree or nothing does; names by likeness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from rapidfuzz.distance import Levenshtein

from docassay.compare import comparator
from docassay.read.address import Address


def address_key(value: Hashable) -> str:
    """Return the words without their order."""
    return " ".join(sorted(value.words)) if isinstance(value, Address) else str(value)


def why_address(gold: Hashable, pred: Hashable) -> str:
    """Say which numbers or words differ."""
    if address_key(gold) == address_key(pred):
        return "equal as addresses"
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return "the values differ"
    if gold.numbers != pred.numbers:
        first = next((word for word in gold.words if word in gold.numbers), None)
        what = "house numbers" if first not in pred.numbers else "numbers"
        return _differing(what, gold.numbers, pred.numbers)
    return _differing("words", gold.names, pred.names)


def _differing(what: str, gold: tuple[str, ...], pred: tuple[str, ...]) -> str:
    ours, theirs = Counter(gold) - Counter(pred), Counter(pred) - Counter(gold)
    left, right = " ".join(ours.elements()), " ".join(theirs.elements())
    if left and right:
        return f"{what} differ: {left} and {right}"
    return f"{what} only in gold: {left}" if left else f"{what} only in pred: {right}"


@comparator("address", key=address_key, why=why_address)
def address(gold: Hashable, pred: Hashable) -> float:
    """0 when any number differs, else the edit similarity of the sorted words."""
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return float(str(gold) == str(pred))
    if gold.numbers != pred.numbers:
        return 0.0
    return Levenshtein.normalized_similarity(" ".join(gold.names), " ".join(pred.names))
