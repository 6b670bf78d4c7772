"""Comparators on numbers: `within` a tolerance, and `money`, the same for amounts of money.

Units and currencies are scopes: a stated one never equals another, one left open agrees with all.
The tolerance is stated once, in `is_close`, for two Decimals and for arrays of whole numbers alike;
sums and products are exact in both.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Context, Decimal, localcontext
from typing import TYPE_CHECKING, TypeVar

from docassay.values.comparator import comparator, pairwise
from docassay.values.read.number import Amount

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Booleans = NDArray[np.bool_]

N = TypeVar("N", Decimal, "NDArray[np.int64]")
ZERO = Decimal(0)
_EXACT = Context(prec=10_000)
_MOST_DIGITS = 18
_ROOM = 2**62
_PRECISE = 28
"""Digits up to which arithmetic with decimals rounds nothing."""


def number_of(value: Hashable) -> Decimal | None:
    """Return the number in a value, or None when it holds none."""
    if isinstance(value, Amount):
        return value.number
    return value if isinstance(value, Decimal) else None


def unit_of(value: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO) -> str | None:
    """Return the unit or currency, or None when it is left open."""
    return value.unit if isinstance(value, Amount) else None


def number_key(
    value: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO
) -> str | None:
    """Return the number without its unit; with a tolerance equality is settled pair by pair."""
    if relative or absolute:
        return None
    number = number_of(value)
    return str(value) if number is None else str(number)


def compare_numbers(gold: Hashable, pred: Hashable, relative: Decimal, absolute: Decimal) -> float:
    """Return 1 when units agree and the numbers lie within a tolerance; the scalar reference."""
    left, right = number_of(gold), number_of(pred)
    if left is None or right is None:
        return float(str(gold) == str(pred))
    if not _units_agree(gold, pred):
        return 0.0
    if left == right:
        return 1.0
    if not relative and not absolute:
        return 0.0
    with localcontext(_EXACT):
        return float(is_close(left, right, absolute, relative))


def is_close(gold: N, pred: N, absolute: N, relative: Decimal) -> bool | Booleans:
    """Whether pred lies within a tolerance of gold: `absolute`, or the `relative` part of gold."""
    part, base = relative.as_integer_ratio()
    apart = abs(gold - pred)
    return (apart <= absolute) | (apart * base <= part * abs(gold))


def _units_agree(gold: Hashable, pred: Hashable) -> bool:
    left, right = unit_of(gold), unit_of(pred)
    return left is None or right is None or left == right


def numbers_batch(
    golds: Sequence[Hashable],
    preds: Sequence[Hashable],
    *,
    relative: Decimal = ZERO,
    absolute: Decimal = ZERO,
) -> NDArray[np.float64]:
    """Compare every gold with every pred number, as whole numbers of their smallest decimal."""
    import numpy as np

    whole = _whole([*map(number_of, golds), *map(number_of, preds), absolute])
    part, base = relative.as_integer_ratio()
    if whole is None or 2 * max(map(abs, whole)) * max(part, base) >= _ROOM:
        return pairwise(within, golds, preds, relative=relative, absolute=absolute)
    left = np.array(whole[: len(golds)], dtype=np.int64)[:, None]
    right = np.array(whole[len(golds) : -1], dtype=np.int64)[None, :]
    equal = is_close(left, right, np.array(whole[-1], dtype=np.int64), relative)
    units = {unit: code for code, unit in enumerate(sorted(_units(golds) | _units(preds)), start=1)}
    gold_units, pred_units = (
        np.array([units.get(unit_of(value) or "", 0) for value in side], dtype=np.int64)
        for side in (golds, preds)
    )
    agree = (
        (gold_units[:, None] == 0)
        | (pred_units[None, :] == 0)
        | (gold_units[:, None] == pred_units[None, :])
    )
    return np.asarray(equal & agree, dtype=np.float64)


def _units(values: Sequence[Hashable]) -> set[str]:
    return {unit for unit in map(unit_of, values) if unit is not None}


def _whole(numbers: Sequence[Decimal | None]) -> list[int] | None:
    """Return the numbers scaled to whole ones, or None when that takes more than 18 digits."""
    decimals = [number for number in numbers if number is not None]
    if len(decimals) < len(numbers):
        return None
    places = max(max(-int(number.as_tuple().exponent), 0) for number in decimals)
    if any(number.adjusted() + places >= _MOST_DIGITS for number in decimals):
        return None
    return [int(number.scaleb(places)) for number in decimals]


def explain_numbers(
    gold: Hashable, pred: Hashable, relative: Decimal, absolute: Decimal, nouns: tuple[str, str]
) -> str:
    """Say how two numbers or their units differ, in the words for this kind of number."""
    what, unit = nouns
    left, right = number_of(gold), number_of(pred)
    if left is None or right is None:
        return "equal" if str(gold) == str(pred) else "the values differ"
    if not _units_agree(gold, pred):
        return f"{unit} differ: {unit_of(gold)} and {unit_of(pred)}"
    if left == right:
        return f"equal as {what}"
    if (relative or absolute) and compare_numbers(gold, pred, relative, absolute):
        return f"{what} within the tolerance"
    if left == right.copy_negate():
        return "the signs differ"
    power = _power_between(left, right)
    if power:
        return f"{what} differ by a factor of {10**power}"
    return f"{what} differ: {left!s} and {right!s}"  # a format would be looked for


def _power_between(gold: Decimal, pred: Decimal) -> int:
    """Return which power of ten, from 1 to 6, one number is of the other; 0 for none."""
    apart = pred.adjusted() - gold.adjusted()
    if len(str(gold)) <= _PRECISE:  # as of most: no other power can be the one
        power = abs(apart)
        return power if 0 < power < 7 and pred == gold.scaleb(apart) else 0
    # give or take what rounding to a precision carries over
    for power in range(max(1, abs(apart) - 1), min(7, abs(apart) + 2)):
        if pred in (gold.scaleb(power), gold.scaleb(-power)):
            return power
    return 0


def why_numbers(
    gold: Hashable, pred: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO
) -> str:
    """Say how two numbers or their units differ."""
    return explain_numbers(gold, pred, relative, absolute, ("numbers", "units"))


def why_money(
    gold: Hashable, pred: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO
) -> str:
    """Say how two amounts of money or their currencies differ."""
    reason = explain_numbers(gold, pred, relative, absolute, ("amounts", "currencies"))
    if reason.endswith(" by a factor of 1000"):
        return f"{reason}; in a text either mark before three digits groups thousands"
    return "equal as amounts of money" if reason == "equal as amounts" else reason


@comparator(
    "within", key=number_key, scope=unit_of, batch=numbers_batch, why=why_numbers, binary=True
)
def within(
    gold: Hashable, pred: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO
) -> float:
    """1 when the numbers differ by at most `relative` of gold or by `absolute`, units agreeing."""
    return compare_numbers(gold, pred, relative, absolute)


@comparator("money", key=number_key, scope=unit_of, batch=numbers_batch, why=why_money, binary=True)
def money(
    gold: Hashable, pred: Hashable, *, relative: Decimal = ZERO, absolute: Decimal = ZERO
) -> float:
    """1 when the amounts differ by at most `relative` of gold or by `absolute`, in one currency."""
    return compare_numbers(gold, pred, relative, absolute)
