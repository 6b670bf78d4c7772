"""Rows of pages as JSON: values that are one text on both sides, and judged ones between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter

from docassay.kernel.judged import Causes, ValueTexts, escaped
from docassay.kernel.readings import Group, Reading
from docassay.kernel.verdicts import ADDITION, DELETION, RIGHT, SUBSTITUTION, Verdict, VerdictBlock

FIRST = itemgetter(0)

Framed = tuple[int, str, str, str]
"""The place of a field in its row, its path, and what stands before and after the texts of its
value, which stand there twice.
"""
Frame = tuple[str, list[Framed]]
"""How a row begins, up to its values, and what stands around the texts of these, by field."""
Starts = tuple[str, str]
BETWEEN = '","pred":"'
ROW_END = "]},"


class Frames:
    """The frames of rows: most documents have the same fields in rows of the same numbers."""

    __slots__ = ("_known", "_make", "_most")

    def __init__(
        self, make: Callable[[tuple[str, ...], str, Starts, bool], Frame], most: int
    ) -> None:
        """Take what makes a frame of the fields, type and places of a row, and how many to keep."""
        self._make = make
        self._most = most
        self._known: dict[object, tuple[object, Frame]] = {}

    def of(self, row: Group, starts: Starts, moved: bool) -> Frame:
        """Return the frame of a row; one that is unread stays so."""
        shape: object = tuple(row._values) if row._values is not None else row._steps
        # the steps of rows are few and long, and live as long as what is known of them
        key = (id(shape) if row._values is None else shape, row.type, starts, moved)
        known = self._known.get(key)
        if known is None:
            fields = tuple(row._values) if row._values is not None else _fields_in(row)
            if len(self._known) >= self._most:
                self._known.clear()
            known = (shape, self._make(fields, row.type, starts, moved))
            self._known[key] = known
        return known[1]


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
    for place, field, start, end in values:
        if row._values is None:
            leaf = leaves[place]
            if leaf is None:
                continue
            text = leaf if type(leaf) is str else str(leaf)
        else:
            reading: Reading = row._values[field][0]
            text = reading.text
        while at < len(others) and others[at][0] < field:
            parts.append(others[at][1])
            parts.append(",")
            at += 1
        if at < len(others) and others[at][0] == field:
            continue
        same += 1
        if len(text) > longest:
            parts.append(cut(shown, field, text, longest))
        else:
            text = escaped(text)
            parts.append(start)
            parts.append(text)
            parts.append(BETWEEN)
            parts.append(text)
            parts.append(end)
        parts.append(",")
    while at < len(others):
        parts.append(others[at][1])
        parts.append(",")
        at += 1
    if same or others:
        parts.pop()  # the comma after the last
    parts.append(ROW_END)
    return same


class PageStyle:
    """How values and rows are shown, the same for all documents."""

    def __init__(
        self,
        texts: ValueTexts,
        frames: Frames,
        moved: Mapping[str, str],
        head: Callable[[str, str | None, str | None, bool], str],
        start: Callable[[str, str, str], str],
        unusual: Callable[[VerdictBlock, Verdict, str | None, int, bool], str],
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
        self.parts: list[str] = []
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
            if block[3]:
                gold, pred = block[4]
                own = causes.get((id(gold), id(pred)), ())
            self.add(block, own, place in moved)

    def add(self, block: VerdictBlock, causes: Sequence[str], moved: bool) -> None:
        """Add two rows that stand for each other, or one that stands alone."""
        kind, gold_path, pred_path, verdicts, groups, starts, _ = block
        gold, pred = groups
        self.moved_rows += moved
        own: list[tuple[str, str]] = []
        at = 0
        for entry in verdicts:
            cause: str | None = None
            if entry[2] != RIGHT and not self.alone:
                cause = causes[at] if at < len(causes) else None
                at += 1
            own.append((entry[1], self._value(block, entry, cause)))
        parts = self.parts
        if gold is None or pred is None:
            parts.append(self.style.head(kind, gold_path, pred_path, self.alone))
            parts.append(",".join([text for _, text in own]))
            parts.append(ROW_END)
            return
        if len(own) > 1:
            own.sort(key=FIRST)  # which leaves the values of a field as they came
        frame = self.style.frames.of(gold, starts, moved)
        self.counts[RIGHT] += add_row(parts, gold, frame, own, self.longest, block, self.style.cut)

    def _value(self, block: VerdictBlock, entry: Verdict, cause: str | None) -> str:
        """Return a value as JSON, and count it."""
        _, field, verdict, _, _, gold, pred, _, _, _, reason, _ = entry
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
        if block[6] or _length(gold) > self.longest or _length(pred) > self.longest:
            return style.unusual(block, entry, cause, self.longest, self.alone)
        head = style.start(block[0], field, "" if self.alone else verdict)
        return style.texts.page_value(entry, head, "" if self.alone else reason, cause, moved)

    @property
    def text(self) -> str:
        """The rows one after the other, between commas."""
        return "".join(self.parts)[:-1]


def _length(text: str | None) -> int:
    return 0 if text is None else len(text)
