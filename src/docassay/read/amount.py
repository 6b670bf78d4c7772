"""An amount: a number and what it is counted in, which the text may leave open."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class Amount(NamedTuple):
    """A number with its unit or currency."""

    number: Decimal
    unit: str | None
    """None: the text does not say, so it agrees with any."""

    def __str__(self) -> str:
        return str(self.number) if self.unit is None else f"{self.number} {self.unit}"
