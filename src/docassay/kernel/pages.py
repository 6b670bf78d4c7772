"""Rows of pages as JSON: values that are one text on both sides, and judged ones between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter

from docassay.kernel.judged import Causes, ValueTexts, escaped
from docassay.kernel.readings import Group, Reading
from docassay.kernel.rows import follow_in_order
from docassay.kernel.verdicts import (
    ADDITION,
    DELETION,
    RIGHT,
    SUBSTITUTION,
    RowPlace,
    Told,
    VerdictBlock,
)

FIRST = itemgetter(0)

Framed = tuple[int, str, str, str, str]
"""The place of a field in its row, its path, and what stands around the texts of its value, which
stand there twice: before them in the first value of a row, in any other, and after them.
"""
Frame = tuple[str, list[Framed]]
"""How a row begins, up to its values, and what stands around the texts of these, by field."""
BETWEEN = '","pred":"'
ROW_END, LAST_ROW_END = "]},", "]}"


class Frames:
    """The frames of rows: most documents have the same fields in rows of the same numbers."""

    __slots__ = ("_known", "_made", "_make", "_most")

    def __init__(self, make: Callable[[tuple[str, ...], RowPlace, bool], Frame], most: int) -> None:
        """Take what makes a frame of the fields and the place of a row, and how many to keep."""
        self._make = make
        self._most = most
        self._made = 0
        self._known: dict[tuple[tuple[str, ...], bool], dict[RowPlace, Frame]] = {}

    def by_place(self, fields: tuple[str, ...], moved: bool) -> dict[RowPlace, Frame]:
        """Return the frames so far of rows with some fields, by their places."""
        frames = self._known.get((fields, moved))
        if frames is None:
            frames = self._known[fields, moved] = {}
        return frames

    def made(self, fields: tuple[str, ...], place: RowPlace, moved: bool) -> Frame:
        """Return a frame that was not there."""
        if self._made >= self._most:
            self._known.clear()
            self._made = 0
        self._made += 1
        frame = self._make(fields, place, moved)
        self.by_place(fields, moved)[place] = frame
        return frame


class RowFrames:
    """The frames of the rows of a document: most rows that follow each other have one shape."""

    __slots__ = ("_by_place", "_fields", "_frames", "_moved", "_steps")

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._fields: tuple[str, ...] = ()
        self._moved = False
        # not those that frames are kept by: steps hold all that a run has read
        self._steps: object = None
        """What the row before this one was read by, None where it is read."""
        self._by_place: dict[RowPlace, Frame] = {}

    def of(self, row: Group, place: RowPlace, moved: bool) -> Frame:
        """Return the frame of a row; one that is unread stays so."""
        steps = row._steps if row._values is None else None
        if steps is None or steps is not self._steps or moved != self._moved:
            self._fields = tuple(row._values) if row._values is not None else _fields_in(row)
            self._steps, self._moved = steps, moved
            self._by_place = self._frames.by_place(self._fields, moved)
        frame = self._by_place.get(place)
        return self._frames.made(self._fields, place, moved) if frame is None else frame


def _fields_in(row: Group) -> tuple[str, ...]:
    """Return the fields that a row which is unread has places for."""
    return tuple([step[0] for step in row._steps])


def add_row(
    parts: list[str],
    row: Group,
    frame: Frame,
    others: list[tuple[str, str]],
    longest: int,
    shown: VerdictBlock,
    cut: Callable[[VerdictBlock, str, str, int], str],
) -> int:
    """Add a row to the parts of a page; return how many of its values are one text on both sides.

    These are gold's values of all fields but those of `others`, which are as they are to stand
    there. Both are in the order of their fields. Of texts longer than `longest`, `cut` says how
    fields of the row show them.
    """
    head, values = frame
    parts.append(head)
    at = same = 0
    leaves = row._leaves
    for place, field, first, start, end in values:
        if row._values is None:
            leaf = leaves[place]
            if leaf is None:
                continue
            text = leaf if type(leaf) is str else str(leaf)
        else:
            reading: Reading = row._values[field][0]
            text = reading.text
        while at < len(others) and others[at][0] < field:
            _add_value(parts, others[at][1], same + at)
            at += 1
        if at < len(others) and others[at][0] == field:
            continue
        if len(text) > longest:
            _add_value(parts, cut(shown, field, text, longest), same + at)
        else:
            text = escaped(text)
            parts.append(start if same + at else first)
            parts.append(text)
            parts.append(BETWEEN)
            parts.append(text)
            parts.append(end)
        same += 1
    while at < len(others):
        _add_value(parts, others[at][1], same + at)
        at += 1
    parts.append(ROW_END)
    return same


def _add_value(parts: list[str], text: str, before: int) -> None:
    """Add a value to a row that has so many before it."""
    if before:
        parts.append(",")
    parts.append(text)


class PageStyle:
    """How values and rows are shown, the same for all documents."""

    def __init__(
        self,
        texts: ValueTexts,
        frames: Frames,
        moved: Mapping[str, str],
        head: Callable[[RowPlace, bool], str],
        start: Callable[[str, str, str], str],
        unusual: Callable[[VerdictBlock, Told, str | None, int, bool], str],
        cut: Callable[[VerdictBlock, str, str, int], str],
    ) -> None:
        """Take what causes say has moved, and four functions.

        `head` gives how a row begins that stands alone, `start` how a value does, by its type of
        row, field and verdict; `unusual` all of a value that may be long or has marks of its own,
        and `cut` one that is the same long text on both sides.
        """
        self.texts = texts
        self.frames = frames
        self.moved = moved
        self.head = head
        self.start = start
        self.unusual = unusual
        self.cut = cut


class PageRows:
    """The rows of a document as parts of JSON, and what became of its values."""

    def __init__(self, style: PageStyle, longest: int, alone: bool) -> None:
        """Take how rows are shown, from what length on texts are cut, and whether gold is there."""
        self.style = style
        self.longest = longest
        self.alone = alone
        self.frames = RowFrames(self.style.frames)
        self.parts: list[str] = [""]  # in the place of what stands before the rows
        self.counts = {RIGHT: 0, SUBSTITUTION: 0, ADDITION: 0, DELETION: 0}
        """Values by verdict, where there is gold."""
        self.moved = 0
        """How many values stand somewhere else."""
        self.moved_rows = 0
        # in the order in which they were first seen
        self.fields: dict[str, None] = {}
        """Fields with wrong values."""
        self.causes: dict[str, None] = {}
        """Why values are wrong."""
        self.verdicts: dict[str, None] = {}
        """What became of wrong values."""

    def add_all(self, blocks: list[VerdictBlock], causes: Causes, moved: Collection[int]) -> None:
        """Add all rows of a document; `moved` has the places of those that have moved."""
        for place in range(len(blocks)):
            block = blocks[place]
            own: Sequence[str] = ()
            if block.told:
                own = causes.get((id(block.groups[0]), id(block.groups[1])), ())
            self.add(block, own, len(moved) > 0 and place in moved)

    def add(self, block: VerdictBlock, causes: Sequence[str], moved: bool) -> None:
        """Add two rows that stand for each other, or one that stands alone."""
        gold, pred = block.groups
        self.moved_rows += moved
        own: list[tuple[str, str]] = []
        at = 0
        for told in block.told:
            cause: str | None = None
            if told[2] != RIGHT and not self.alone:
                cause = causes[at] if at < len(causes) else None
                at += 1
            own.append((told[1], self._value(block, told, cause)))
        parts = self.parts
        if gold is None or pred is None:
            parts.append(self.style.head(block.place, self.alone))
            parts.append(",".join([text for _, text in own]))
            parts.append(ROW_END)
            return
        if len(own) > 1:
            own.sort(key=FIRST)  # which leaves the values of a field as they came
        frame = self.frames.of(gold, block.place, moved)
        self.counts[RIGHT] += add_row(parts, gold, frame, own, self.longest, block, self.style.cut)

    def _value(self, block: VerdictBlock, told: Told, cause: str | None) -> str:
        """Return a value as JSON, and count it."""
        _, field, verdict, _, _, gold, pred, _, _, _, reason, _ = told
        style = self.style
        moved: str | None = None
        if cause:
            moved = style.moved.get(cause)
        if not self.alone:
            self.counts[verdict] += 1
            if verdict != RIGHT:
                self.fields[field] = None
                self.verdicts[verdict] = None
            if cause:
                self.causes[cause] = None
            if moved is not None:
                self.moved += 1
        if block.marked or _length(gold) > self.longest or _length(pred) > self.longest:
            return style.unusual(block, told, cause, self.longest, self.alone)
        head = style.start(block.place.type, field, "" if self.alone else verdict)
        return style.texts.page_value(told, head, "" if self.alone else reason, cause, moved)

    def between(self, start: str, end: str) -> str:
        """Return the rows one after the other, with commas between them, and what is around."""
        parts = self.parts[:]
        if len(parts) > 1:
            parts[len(parts) - 1] = LAST_ROW_END
        parts[0] = start
        parts.append(end)
        return "".join(parts)


def moved_rows(blocks: list[VerdictBlock]) -> set[int]:
    """Return the places of matched rows that do not follow the order of gold.

    The longest series of rows that does so is taken to have stayed where it was.
    """
    if follow_in_order([block.groups for block in blocks]):  # as in most documents
        return set()
    series: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for place in range(len(blocks)):
        block = blocks[place]
        gold, pred = block.groups
        if gold is None or pred is None or gold.index is None or pred.index is None:
            continue
        here = block.place
        assert here.gold is not None
        assert here.pred is not None
        parents = (here.type, parent_of(here.gold), parent_of(here.pred))
        own = series.get(parents)
        if own is None:
            own = series[parents] = []
        own.append((place, pred.index))
    moved: set[int] = set()
    for rows in series.values():
        if not _rise(rows):
            moved.update(_out_of_order(rows))
    return moved


def _rise(rows: list[tuple[int, int]]) -> bool:
    """Whether no row, given with its number, has a lower one than the row before."""
    last = -1
    for _, number in rows:
        if number < last:
            return False
        last = number
    return True


def parent_of(path: str) -> str:
    """Return the path of what a value or a row stands in; "" for the document."""
    return path.rpartition(".")[0]


def _out_of_order(rows: list[tuple[int, int]]) -> set[int]:
    """Return the places of rows, given with their numbers, outside of their longest series."""
    ends: list[int] = []
    """The lowest last number of a rising series of each length."""
    lengths: list[int] = []
    for _, number in rows:
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        lengths.append(length)
    moved: set[int] = set()
    wanted = len(ends) - 1
    highest = -1
    """The number of the row of the series that was seen last, once there is one."""
    for at in range(len(rows) - 1, -1, -1):
        place, number = rows[at]
        if lengths[at] == wanted and (number < highest or highest < 0):
            wanted, highest = wanted - 1, number
        else:
            moved.add(place)
    return moved


def _length(text: str | None) -> int:
    return 0 if text is None else len(text)
