"""Numbers that remember how they were made, and the tape that replays their formulas on arrays.

A metric's readouts are plain arithmetic on sums over documents. They are computed once more on
numbers that note every sum, product and quotient on a tape, and the tape is then replayed on whole
arrays: the sums of a thousand draws of documents at a time. So a metric states its formulas once,
and a plugin's scores are resampled like any other. A score that was made in another way (a branch
is fine, a call of `round` is not) is not on the tape, and has no draws. Products of such arrays
are made on one thread.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

LEAF, CONSTANT, MEAN, ADD, SUBTRACT, MULTIPLY, DIVIDE = range(7)
_ARRAYS = {ADD: np.add, SUBTRACT: np.subtract, MULTIPLY: np.multiply, DIVIDE: np.divide}
_NUMBERS: Mapping[int, Callable[[float, float], float]] = {
    ADD: operator.add,
    SUBTRACT: operator.sub,
    MULTIPLY: operator.mul,
    DIVIDE: operator.truediv,
}
Matrix = NDArray[np.float64]
Number = int | float
"""A plain number, or one that remembers how it was made."""
THREADS_VARIABLE = "OPENBLAS_NUM_THREADS"
"""Of the environment; the command sets it for itself before numpy is loaded."""


class Tape:
    """What was done to numbers, step by step: leaves are columns of sums over documents."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, int, int]] = []
        self._constants: list[float] = []
        self._means: list[list[int]] = []
        self._needed: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        """What was found to be needed: it is asked for time and again, and never changes."""

    def __len__(self) -> int:
        return len(self._steps)

    def leaf(self) -> int:
        """Add a column of sums, and return its place."""
        return self._add(LEAF, 0, 0)

    def place(self, number: object) -> int:
        """Return where a number stands, a plain one as a constant."""
        if isinstance(number, Traced):
            return number.place
        self._constants.append(plain(number))
        return self._add(CONSTANT, len(self._constants) - 1, 0)

    def record(self, operation: int, left: object, right: object) -> int:
        """Add an operation and return its place."""
        return self._add(operation, self.place(left), self.place(right))

    def mean(self, numbers: Sequence[object]) -> int:
        """Add a mean of those numbers that are defined, and return its place."""
        self._means.append([self.place(number) for number in numbers])
        return self._add(MEAN, len(self._means) - 1, 0)

    def _add(self, operation: int, left: int, right: int) -> int:
        self._steps.append((operation, left, right))
        return len(self._steps) - 1

    def parts(self, place: int) -> Sequence[int]:
        """Return the places that a number is made of."""
        operation, left, right = self._steps[place]
        if operation in (LEAF, CONSTANT):
            return ()
        return self._means[left] if operation == MEAN else (left, right)

    def needed(self, places: Iterable[int], known: Collection[int] = ()) -> list[int]:
        """Return the places that numbers are made of, themselves included, in order.

        What those that are `known` are made of is not needed.
        """
        asked = (tuple(places), tuple(known))
        found = self._needed.get(asked)
        if found is None:
            found = self._find_needed(asked[0], known)
            if len(asked[0]) > 1:  # formulas of their own are asked about once
                self._needed[asked] = found
        return found

    def _find_needed(self, places: Iterable[int], known: Collection[int]) -> list[int]:
        seen = {*places}
        waiting = [*seen.difference(known)]
        while waiting:
            for part in self.parts(waiting.pop()):
                if part not in seen:
                    seen.add(part)
                    if part not in known:
                        waiting.append(part)
        return sorted(seen)

    def most_steps(self) -> list[int]:
        """Return for each place a number that `needed` does not exceed.

        What is needed twice counts twice.
        """
        most: list[int] = []
        for place in range(len(self._steps)):
            most.append(1 + sum([most[part] for part in self.parts(place)]))
        return most

    def reads(self, places: Sequence[int], bits: Mapping[int, int]) -> list[int]:
        """Return for each place the bits of all columns that its number is made of."""
        known: dict[int, int] = {}
        for place in self.needed(places):
            own = bits[place] if self._steps[place][0] == LEAF else 0
            for part in self.parts(place):
                own |= known[part]
            known[place] = own
        return [known[place] for place in places]

    def columns(self, places: Iterable[int]) -> list[int]:
        """Return the columns among some places: a column has the number of its place."""
        return [place for place in places if self._steps[place][0] == LEAF]

    def terms(self, places: Sequence[int]) -> list[int]:
        """Return the sums of columns that numbers are made of by all other steps, in order.

        They add over documents as columns do, and are fewer.
        """
        sums: set[int] = set()
        used = {*places}
        for place in self.needed(places):
            operation, *parts = self._steps[place]
            if operation == LEAF or (operation in (ADD, SUBTRACT) and sums.issuperset(parts)):
                sums.add(place)
            elif operation == CONSTANT and self._constants[parts[0]] == 0:
                sums.add(place)  # the sum of no columns
            else:
                used.update(self.parts(place))
        return sorted(sums & used)

    def replay(self, known: Mapping[int, Matrix], places: Sequence[int]) -> Matrix:
        """Return numbers for each row of columns or of terms; nan where one is undefined."""
        values: dict[int, Matrix | float] = {}
        with np.errstate(divide="ignore", invalid="ignore"):
            for place in self.needed(places, known):
                operation, left, right = self._steps[place]
                if place in known:
                    values[place] = known[place]
                elif operation == CONSTANT:
                    values[place] = self._constants[left]
                elif operation == MEAN:
                    values[place] = _mean([values[part] for part in self._means[left]])
                else:
                    values[place] = _ARRAYS[operation](values[left], values[right])
        # the numbers of a place lie together, as they were worked out
        replayed = np.empty((len(places), len(next(iter(known.values()), ()))))
        for at, place in enumerate(places):
            replayed[at] = values[place]
        replayed[~np.isfinite(replayed)] = np.nan
        return replayed.T


def _mean(numbers: Sequence[Matrix | float]) -> Matrix:
    """Return the mean of the defined numbers in each row."""
    stacked = np.array(np.broadcast_arrays(*numbers))
    defined = np.isfinite(stacked)
    mean: Matrix = np.where(defined, stacked, 0.0).sum(axis=0) / defined.sum(axis=0)
    return mean


class Traced:
    """A number that remembers how it was made; arithmetic with it makes more of its kind."""

    tape: Tape
    place: int

    def __add__(self, other: Number) -> Traced:
        return _apply(self.tape, ADD, self, other)

    def __radd__(self, other: Number) -> Traced:
        return _apply(self.tape, ADD, other, self)

    def __sub__(self, other: Number) -> Traced:
        return _apply(self.tape, SUBTRACT, self, other)

    def __rsub__(self, other: Number) -> Traced:
        return _apply(self.tape, SUBTRACT, other, self)

    def __mul__(self, other: Number) -> Traced:
        return _apply(self.tape, MULTIPLY, self, other)

    def __rmul__(self, other: Number) -> Traced:
        return _apply(self.tape, MULTIPLY, other, self)

    def __truediv__(self, other: Number) -> Traced:
        return _apply(self.tape, DIVIDE, self, other)

    def __rtruediv__(self, other: Number) -> Traced:
        return _apply(self.tape, DIVIDE, other, self)

    def mean_of(self, numbers: Sequence[Number]) -> Traced:
        """Return the mean of numbers, this one first."""
        value = sum(map(plain, numbers)) / len(numbers)
        return remembering(self.tape, self.tape.mean(numbers), value)

    def __neg__(self) -> Traced:
        return _apply(self.tape, SUBTRACT, 0, self)


class TracedCount(Traced, int):  # type: ignore[misc]
    """A whole number that remembers how it was made."""


class TracedFraction(Traced, float):  # type: ignore[misc]
    """A fraction that remembers how it was made."""


def _apply(tape: Tape, operation: int, left: object, right: object) -> Traced:
    value = _NUMBERS[operation](plain(left), plain(right))
    return remembering(tape, tape.record(operation, left, right), value)


def plain(number: object) -> Number:
    """Return a number without its memory."""
    return int(number) if isinstance(number, int) else float(cast("float", number))


def remembering(tape: Tape, place: int, value: Number) -> Traced:
    """Return a number that stands at a place of a tape."""
    number = TracedCount(value) if isinstance(value, int) else TracedFraction(value)
    number.tape, number.place = tape, place
    return number


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Multiply matrices on one thread meanwhile, unless the environment says on how many.

    Products as small as those of draws gain next to nothing from further threads, and these wait
    for the next one in busy loops, which takes a sixth of the time of scoring 2,000 documents.
    """
    if THREADS_VARIABLE in os.environ:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
