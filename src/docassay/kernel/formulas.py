"""Rules asked of usual documents: whole numbers alone tell whether they hold.

The figures of a usual document have few decimals, so each of them is a whole number of
ten-thousandths, and whatever is worked out from them a whole number of smaller parts. Nothing is
rounded. What is not usual is left to the general way (`schema.rules.check`), which also says why a
rule is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docassay.kernel.readings import CACHE_SIZE, UNKNOWN, Group, Number, Steps, UsualSenses
from docassay.kernel.rows import place_of

PER_ONE = 10_000
"""The figures of documents are counted in such parts of one, see `UsualSenses.whole`."""
SMALLEST_PART = 10**60
"""Results in smaller parts of one are left to the general way, which gives up very long ones."""
HOLDS, BROKEN, SKIPPED = "holds", "broken", "not applicable"
NO_ROWS: list[Group] = []
Whole = tuple[int, str | None]
"""A figure in parts of one, and its currency if it states one."""


class Series:
    """Figures, days or truths: one for each row of a group, or a single one."""

    __slots__ = ("cells", "per", "single", "unit")

    def __init__(
        self, cells: list[int | None], per: int, unit: str | None = None, single: bool = False
    ) -> None:
        self.cells = cells
        """Each in parts of one, None where there is no value; truths are 1 and 0."""
        self.per = per
        """How many parts make one."""
        self.unit = unit
        """The one currency that is stated, None if all leave it open."""
        self.single = single


NO_VALUES: list[Series | None] = []


class TextWholes:
    """What the texts of a field are in parts of one, None for those that are not usual.

    `usual` knows figures as most are written, `general` what any text is.
    """

    def __init__(
        self, usual: UsualSenses | None, general: Callable[[str], Whole | None], per: int
    ) -> None:
        self._usual = usual
        self._general = general
        self.per = per
        self._known: dict[str, Whole | None] = {}
        self._most = CACHE_SIZE

    def add(self, text: str, cells: list[int | None], place: int, unit: str | None) -> object:
        """Put a text into its cell, and return the unit of it and of others, UNKNOWN if none is."""
        if self._usual is not None:
            number = self._usual.whole(text)
            if number is not None:
                cells[place] = number
                return unit if "$" not in text else joined(unit, self._usual.dollar(text))
        whole = self._known.get(text, UNKNOWN)
        if whole is UNKNOWN:
            if len(self._known) >= self._most:
                self._known.clear()
            whole = self._known[text] = self._general(text)
        if whole is None:
            return UNKNOWN
        cells[place] = whole[0]  # type: ignore[index]
        return joined(unit, whole[1])  # type: ignore[index]


def joined(unit: object, other: object) -> object:
    """Return the unit that two agree on, UNKNOWN if they do not; one left open agrees with all."""
    if other is None or unit == other:
        return unit
    return other if unit is None else UNKNOWN


class FormulaPart:
    """A part of a rule."""

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return what it is worth in a document, from what others are; None if not told."""
        raise NotImplementedError

    def is_same(
        self, root: Group, values: list[Series | None], other: Group, others: list[Series | None]
    ) -> bool:
        """Whether it is surely worth the same as in another document."""
        return False


class Given(FormulaPart):
    """What a rule states itself."""

    def __init__(self, number: int, per: int) -> None:
        self._series = Series([number], per, None, True)

    def is_same(
        self, root: Group, values: list[Series | None], other: Group, others: list[Series | None]
    ) -> bool:
        """Whether it is surely worth the same as in another document."""
        return True

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the number."""
        return self._series


class NamedWholes(FormulaPart):
    """What a document says in a field, of its own or in the rows of a group."""

    def __init__(
        self, path: str, group: str | None, texts: TextWholes, numbers: TextWholes
    ) -> None:
        self._path = path
        self._group = group
        self._texts = texts
        self._numbers = numbers
        """The same of numbers in JSON."""

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return what stands in the leaves of rows; None if any was read otherwise."""
        groups = self._rows(root)
        cells: list[int | None] = [None] * len(groups)
        steps: Steps = ()
        place = -1
        unit: object = None
        for number in range(len(groups)):
            group = groups[number]
            if not group._steps:
                return None
            if group._steps is not steps:  # most rows of a list have the same
                steps = group._steps
                place = place_of(self._path, steps, 0)
            leaf = None if place < 0 else group._leaves[place]
            if leaf is None:
                continue
            if type(leaf) is str:
                unit = self._texts.add(leaf, cells, number, unit)  # type: ignore[arg-type]
            elif type(leaf) is Number:
                unit = self._numbers.add(leaf, cells, number, unit)  # type: ignore[arg-type]
            else:
                unit = self._texts.add(str(leaf), cells, number, unit)  # type: ignore[arg-type]
            if unit is UNKNOWN:
                return None
        return Series(cells, self._texts.per, unit, self._group is None)  # type: ignore[arg-type]

    def is_same(
        self, root: Group, values: list[Series | None], other: Group, others: list[Series | None]
    ) -> bool:
        """Whether the leaves are the same to the letter."""
        rows, its = self._rows(root), self._rows(other)
        if len(rows) != len(its):
            return False
        steps: Steps = ()
        place = -1
        for number in range(len(rows)):
            row, twin = rows[number], its[number]
            if not row._steps or row._steps is not twin._steps:
                return False
            if row._steps is not steps:
                steps = row._steps
                place = place_of(self._path, steps, 0)
            if place < 0:
                continue
            leaf, its_leaf = row._leaves[place], twin._leaves[place]
            if type(leaf) is not type(its_leaf) or leaf != its_leaf:
                return False
        return True

    def _rows(self, root: Group) -> list[Group]:
        if self._group is None:
            return [root]
        return root.groups.get(self._group, NO_ROWS)


class OfTwo(FormulaPart):
    """What is worked out from two parts, given by their places."""

    def __init__(self, left: int, right: int) -> None:
        self._left = left
        self._right = right

    def is_same(
        self, root: Group, values: list[Series | None], other: Group, others: list[Series | None]
    ) -> bool:
        """Whether both parts are the same objects."""
        left, right = self._left, self._right
        return values[left] is others[left] and values[right] is others[right]


class Addition(OfTwo):
    """A sum of two parts, or a difference."""

    def __init__(self, left: int, right: int, *, minus: bool) -> None:
        super().__init__(left, right)
        self._minus = minus

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the results, row by row."""
        left, right = values[self._left], values[self._right]
        if left is None or right is None:
            return None
        own_times, other_times, per = common_parts(left, right)
        if self._minus:
            other_times = -other_times
        size = rows_of(left, right)
        cells: list[int | None] = [None] * size
        for number in range(size):
            own = left.cells[0 if left.single else number]
            other = right.cells[0 if right.single else number]
            if own is not None and other is not None:
                cells[number] = own * own_times + other * other_times
        return result(cells, per, left, right)


class Product(OfTwo):
    """A product of two parts."""

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the results, row by row."""
        left, right = values[self._left], values[self._right]
        if left is None or right is None:
            return None
        size = rows_of(left, right)
        cells: list[int | None] = [None] * size
        for number in range(size):
            own = left.cells[0 if left.single else number]
            other = right.cells[0 if right.single else number]
            if own is not None and other is not None:
                cells[number] = own * other
        return result(cells, left.per * right.per, left, right)


class Quotient(OfTwo):
    """A part divided by a single figure."""

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the results, row by row; None where the divisor is none, or a column."""
        left, right = values[self._left], values[self._right]
        if left is None or right is None or not right.single:
            return None
        divisor = right.cells[0]
        if divisor is None or divisor == 0:
            return None
        times = right.per if divisor > 0 else -right.per
        cells: list[int | None] = [None] * len(left.cells)
        for number in range(len(left.cells)):
            own = left.cells[number]
            if own is not None:
                cells[number] = own * times
        return result(cells, left.per * abs(divisor), left, right)


def common_parts(left: Series, right: Series) -> tuple[int, int, int]:
    """Return what the cells of two are to be multiplied by to be in the same parts, and these."""
    if left.per == right.per:
        return 1, 1, left.per
    return right.per, left.per, left.per * right.per


def rows_of(left: Series, right: Series) -> int:
    """Return how many rows the results from two have."""
    return len(right.cells) if left.single else len(left.cells)


def result(cells: list[int | None], per: int, left: Series, right: Series) -> Series | None:
    """Return what was worked out from two; None if that is in very small parts, or two units."""
    unit = joined(left.unit, right.unit)
    if per > SMALLEST_PART or unit is UNKNOWN:
        return None
    return Series(cells, per, unit, left.single and right.single)  # type: ignore[arg-type]


class Total(OfTwo):
    """The sum of a part over its rows."""

    def __init__(self, addend: int) -> None:
        super().__init__(addend, addend)

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the sum, no value if there is nothing to add."""
        addend = values[self._left]
        if addend is None:
            return None
        total = None
        for cell in addend.cells:
            if cell is not None:
                total = cell if total is None else total + cell
        return Series([total], addend.per, addend.unit, True)


class WholeMargin:
    """How far apart two figures may be and still count as equal, each as a ratio of two wholes."""

    __slots__ = ("part", "relative_part", "relative_whole", "whole")

    def __init__(self, absolute: tuple[int, int], relative: tuple[int, int]) -> None:
        self.part, self.whole = absolute
        self.relative_part, self.relative_whole = relative

    def equal(self, left: int, right: int, per: int) -> bool:
        """Whether two figures, both in such parts of one, lie within it."""
        if left == right:
            return True
        apart = abs(left - right)
        if apart * self.whole <= self.part * per:
            return True
        most = max(abs(left), abs(right))
        return apart * self.relative_whole <= self.relative_part * most


class ComparedWholes(OfTwo):
    """Whether two parts are to each other as a rule says."""

    def __init__(
        self, left: int, right: int, margin: WholeMargin, *, less: bool, equal: bool, more: bool
    ) -> None:
        super().__init__(left, right)
        self._margin = margin
        self._less = less
        self._equal = equal
        self._more = more

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the truths, row by row."""
        left, right = values[self._left], values[self._right]
        if left is None or right is None or joined(left.unit, right.unit) is UNKNOWN:
            return None
        own_times, other_times, per = common_parts(left, right)
        size = rows_of(left, right)
        cells: list[int | None] = [None] * size
        for number in range(size):
            own = left.cells[0 if left.single else number]
            other = right.cells[0 if right.single else number]
            if own is None or other is None:
                continue
            own, other = own * own_times, other * other_times
            if self._margin.equal(own, other, per):
                cells[number] = 1 if self._equal else 0
            else:
                cells[number] = 1 if (self._less if own < other else self._more) else 0
        return Series(cells, 1, None, left.single and right.single)


class Ordered(OfTwo):
    """Whether the values of a column rise, or fall; where either may be, whether they do one."""

    def __init__(self, column: int, *, rising: bool, falling: bool) -> None:
        super().__init__(column, column)
        self._rising = rising
        self._falling = falling

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the truth; none with less than two values."""
        column = values[self._left]
        if column is None:
            return None
        last: int | None = None
        pairs, rises, falls = 0, 0, 0
        for cell in column.cells:
            if cell is None:
                continue
            if last is not None:
                pairs += 1
                if last < cell:
                    rises += 1
                elif last > cell:
                    falls += 1
            last = cell
        right = (self._rising and not falls) or (self._falling and not rises)
        return Series([None if pairs == 0 else 1 if right else 0], 1, None, True)


class Running(FormulaPart):
    """Whether each balance is the one before it and the movements since, down or up the rows."""

    def __init__(self, balance: int, money_in: int, money_out: int, margin: WholeMargin) -> None:
        self._balance = balance
        self._in = money_in
        self._out = money_out
        """−1 where the rule has none."""
        self._margin = margin

    def of(self, root: Group, values: list[Series | None]) -> Series | None:
        """Return the truth; none where no two balances are there."""
        balance, money_in = values[self._balance], values[self._in]
        if balance is None or money_in is None:
            return None
        money_out = Series([None] * len(balance.cells), balance.per)
        if self._out >= 0:
            given = values[self._out]
            if given is None:
                return None
            money_out = given
        unit = joined(balance.unit, money_in.unit)
        if unit is UNKNOWN or joined(unit, money_out.unit) is UNKNOWN:
            return None
        if balance.per != money_in.per or balance.per != money_out.per:
            return None
        changes = [
            (gain or 0) - (loss or 0)
            for gain, loss in zip(money_in.cells, money_out.cells, strict=True)
        ]
        truth = self._follow(balance.cells, changes, balance.per)
        if truth == 0:
            truth = self._follow(balance.cells[::-1], changes[::-1], balance.per)
        return Series([truth], 1, None, True)

    def _follow(self, balances: list[int | None], changes: list[int], per: int) -> int | None:
        """Return whether balances follow from each other in this order."""
        truth: int | None = None
        expected: int | None = None
        for number in range(len(balances)):
            if expected is not None:
                expected = expected + changes[number]
            balance = balances[number]
            if balance is None:
                continue
            if expected is not None:
                if not self._margin.equal(balance, expected, per):
                    return 0
                truth = 1
            expected = balance
        return truth


class Program:
    """The rules of a document type: their parts, operands first, and the places of their ends."""

    def __init__(self, parts: Sequence[FormulaPart], rules: Sequence[tuple[int, int]]) -> None:
        self._parts = [*parts]
        self._rules = [*rules]
        """What each checks, −1 if none of the parts, and when it does, −1 if always."""

    def values(
        self, root: Group, other: Group | None = None, others: list[Series | None] = NO_VALUES
    ) -> list[Series | None]:
        """Return what each part is worth in a document, which may say much that another says."""
        values: list[Series | None] = [None] * len(self._parts)
        if not root._steps or root.slots:
            return values
        for place in range(len(self._parts)):
            part = self._parts[place]
            if other is not None and part.is_same(root, values, other, others):
                values[place] = others[place]
            else:
                values[place] = part.of(root, values)
        return values

    def states(self, values: list[Series | None]) -> tuple[str | None, ...]:
        """Return what becomes of each rule with such parts, None where that is not told."""
        states: list[str | None] = []
        for check, when in self._rules:
            if check < 0:
                states.append(None)
                continue
            state = HOLDS if when < 0 else _state(values[when])
            if state is HOLDS:
                state = _state(values[check])
            elif state is not None:
                state = SKIPPED
            states.append(state)
        return tuple(states)


def _state(truths: Series | None) -> str | None:
    """Return that a rule holds when it holds in every row that has what it needs."""
    if truths is None:
        return None
    state = SKIPPED
    for cell in truths.cells:
        if cell == 0:
            return BROKEN
        if cell is not None:
            state = HOLDS
    return state
