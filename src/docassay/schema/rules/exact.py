"""Exact arithmetic: decimals as long as they can be exact, fractions where they cannot.

A decimal in a wide context is several times as fast as a fraction, and it tells when a result would
not be exact: after a division, or beyond the digits of the context.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Context, Decimal, Inexact
from fractions import Fraction

Exact = Decimal | Fraction
ZERO = Decimal(0)
MOST_BITS = 10_000
"""Figures longer than this are given up, so that no document can cost memory or time."""
_WIDE = Context(prec=1_000, Emin=-1_000, Emax=1_000, traps=[Inexact])
"""A result in it has less than `MOST_BITS` bits above and below the line of its fraction."""
_SHORT = Context(prec=28, Emin=-1_000, Emax=1_000, traps=[Inexact])
"""For quotients: one that is exact has few digits, and working out many takes long."""
_SHORT_ONES = 10**28
"""Denominators of short quotients divide it."""


class Operation:
    """An operation on two exact numbers."""

    __slots__ = ("_of_fractions", "of_decimals")

    def __init__(
        self,
        of_decimals: Callable[[Decimal, Decimal], Decimal],
        of_fractions: Callable[[Fraction, Fraction], Fraction],
    ) -> None:
        self.of_decimals = of_decimals
        """The same on two decimals; raises Inexact where the result is none."""
        self._of_fractions = of_fractions

    def __call__(self, left: Exact, right: Exact) -> Exact:
        """Return the result."""
        if type(left) is Decimal and type(right) is Decimal:
            try:
                return self.of_decimals(left, right)
            except Inexact:
                pass
        return self._of_fractions(Fraction(left), Fraction(right))


add = Operation(_WIDE.add, operator.add)
subtract = Operation(_WIDE.subtract, operator.sub)
multiply = Operation(_WIDE.multiply, operator.mul)


def divide(left: Exact, right: Exact) -> Exact:
    """Return the quotient, as a decimal if it is a short one."""
    numerator, denominator = left.as_integer_ratio()
    over, under = right.as_integer_ratio()
    quotient = Fraction(numerator * under, denominator * over)
    if type(left) is Decimal and type(right) is Decimal and not _SHORT_ONES % quotient.denominator:
        try:
            return _SHORT.divide(left, right)
        except Inexact:
            pass
    return quotient


def negative(number: Exact) -> Exact:
    """Return a number with the other sign; the sign of a decimal itself would round it."""
    return number.copy_negate() if isinstance(number, Decimal) else -number


def magnitude(number: Exact) -> Exact:
    """Return a number without its sign."""
    return number.copy_abs() if isinstance(number, Decimal) else abs(number)


def is_too_long(number: Fraction) -> bool:
    """Whether a result has so many digits that it is given up; decimals never have, see `_WIDE`."""
    return max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS
