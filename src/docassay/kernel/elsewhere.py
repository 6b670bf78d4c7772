"""Which wrong values may stand elsewhere in a document: told by prints, without reading a text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol

from docassay.kernel.prints import WORDS, Printer
from docassay.kernel.readings import Group, Reading, sense_of
from docassay.kernel.rows import texts_in

TELLING = 3
"""Letters and digits from which a value is hardly the same as another by chance."""

MANY = 1 << 30
"""Values that nobody has counted: surely more than one."""


class FieldWithGist(Protocol):
    """A field."""

    @property
    def gist(self) -> Callable[[str], Hashable] | None:
        """What tells most texts of different values apart."""


Wrong = tuple[object, FieldWithGist, Reading | None, Reading | None]
"""A value that is wrong: where, of which field, and what gold and pred have of it."""


class PrintCounts:
    """How many texts have each of the prints that are asked for, as one printer gives them."""

    __slots__ = ("_counts", "_some", "printer", "untold")

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self._counts: dict[int, int] = {}
        self._some = 0
        """A bit for each print asked for, by which most others are told from them."""
        self.untold = 0
        """How many texts have no print."""

    def ask(self, told: int) -> None:
        """Note a print before any text is added."""
        self._counts[told] = 0
        self._some |= 1 << (told & 31)

    def add(self, text: str) -> None:
        """Count the print of a text."""
        told = self.printer.of(text)
        if told < 0:
            self.untold += 1
        elif self._some >> (told & 31) & 1:
            count = self._counts.get(told)
            if count is not None:
                self._counts[told] = count + 1

    def count(self, told: int) -> int:
        """Return how many texts have a print, or none."""
        return self.untold if told < 0 else self._counts[told] + self.untold


class Texts:
    """Some values of a document, to be asked which of them may mean the same as another."""

    __slots__ = ("_counts", "plain", "size")

    def __init__(self) -> None:
        self._counts: list[PrintCounts] = []
        self.size = 0
        """How many values are added."""
        self.plain = True
        """Whether none of them is more than its text."""

    def ask(self, reading: Reading, besides: Reading | None, printer: Printer | None) -> Question:
        """Return the question whether a value is among those that are added from now on.

        The value `besides` it, which stands in its own place, is no other.
        """
        if reading.normalised or reading.alternatives:
            return Question(self, None, 0, besides)
        if sense_of(reading).problem is not None:
            printer = WORDS
        if printer is None:
            return Question(self, None, 0, besides)
        told = printer.of(str(reading.text))  # a number is a text of a class of its own
        counts = self._of(printer)
        counts.ask(told)
        return Question(self, counts, told, besides)

    def _of(self, printer: Printer) -> PrintCounts:
        for counts in self._counts:
            if counts.printer is printer:
                return counts
        counts = PrintCounts(printer)
        self._counts.append(counts)
        return counts

    def add(self, reading: Reading) -> None:
        """Add a value."""
        self.size += 1
        if reading.normalised or reading.alternatives:
            self.plain = False
        elif self._counts:
            text = str(reading.text)
            for counts in self._counts:
                counts.add(text)

    def add_all(self, root: Group) -> None:
        """Add all values of a document; they are counted if any print is asked for."""
        self.size = MANY
        if self._counts:
            texts: list[str] = []
            self.plain = texts_in(root, texts)
            for counts in self._counts:
                for text in texts:
                    counts.add(text)


class Question:
    """Whether a value may be among some others."""

    __slots__ = ("_among", "_besides", "_counts", "_told")

    def __init__(
        self, among: Texts, counts: PrintCounts | None, told: int, besides: Reading | None
    ) -> None:
        self._among = among
        self._counts = counts
        self._told = told
        self._besides = besides

    def answer(self) -> bool:
        """Return that, as far as prints tell."""
        if self._among.size <= (0 if self._besides is None else 1):
            return False
        counts, told = self._counts, self._told
        if counts is None or not self._among.plain:
            return True
        if told == 0 or (told < 0 and not counts.printer.apart):
            return True
        others = counts.count(told)
        if others and self._besides is not None:
            its = counts.printer.of(str(self._besides.text))
            if its < 0 or its == told:
                others -= 1
        return others > 0


def stand_elsewhere(
    asked: Sequence[Wrong],
    wrong: Sequence[Wrong],
    root: Group | None,
    printers: Mapping[Callable[[str], Hashable] | None, Printer],
    alone: Mapping[int, object],
) -> list[tuple[bool, bool]]:
    """Return of each value asked about whether it may stand elsewhere: gold's, and pred's.

    Gold's may be one of pred's that are `wrong`, pred's one of gold's: of all that `root` has, or,
    where its pair is `alone` or it is too short to tell much, of those that pred misses.
    `printers` are by the gists of fields.
    """
    golds, missed, spurious = Texts(), Texts(), Texts()
    questions: list[tuple[Question | None, Question | None]] = []
    for pair, field, gold, pred in asked:
        printer = printers.get(field.gist)
        of_gold = of_pred = None
        if gold is not None:
            of_gold = spurious.ask(gold, pred, printer)
        if pred is not None:
            anywhere = id(pair) not in alone and _is_telling(str(pred.text))
            of_pred = (golds if anywhere else missed).ask(pred, gold, printer)
        questions.append((of_gold, of_pred))
    for _, _, gold, pred in wrong:
        if gold is not None:
            missed.add(gold)
        if pred is not None:
            spurious.add(pred)
    if root is not None:
        golds.add_all(root)
    return [(_answer(of_gold), _answer(of_pred)) for of_gold, of_pred in questions]


def _answer(question: Question | None) -> bool:
    return question is not None and question.answer()


def _is_telling(text: str) -> bool:
    """Whether a text may be long enough not to be the same as another by chance."""
    size = 0
    for character in text:
        if "0" <= character <= "9" or "a" <= character <= "z" or "A" <= character <= "Z":
            size += 1
        elif character >= "\x80" or character == "&":  # which is read as a word
            return True
    return size >= TELLING
