"""Which wrong values may stand elsewhere in a document: told by prints, without reading a text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol

from docassay.kernel import texts
from docassay.kernel.prints import NO_START, WORDS, Printer
from docassay.kernel.readings import Group, Reading, sense_of

TELLING = 3
"""Letters and digits from which a value is hardly the same as another by chance."""

MANY = 1 << 30
"""Values that nobody has counted: surely more than one."""

ONE = 1
"""In as many bits as there are starts."""
ALL_STARTS = (2 << NO_START) - 1

SMALL_NUMBERS = {number: str(number) for number in range(1000)}
"""The texts of most whole numbers, which need not be written again and again."""


class FieldWithGist(Protocol):
    """A field."""

    @property
    def gist(self) -> Callable[[str], Hashable] | None:
        """What tells most texts of different values apart."""


Wrong = tuple[object, FieldWithGist, Reading | None, Reading | None]
"""A value that is wrong: where, of which field, and what gold and pred have of it."""


class PrintCounts:
    """How many texts have each of the prints that are asked for, as one printer gives them."""

    __slots__ = ("_counts", "_some", "_starts", "printer", "untold")

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self._counts: dict[int, int] = {}
        self.clear()

    def clear(self) -> None:
        """Forget all that was asked for and counted."""
        if self._counts:
            self._counts.clear()
        self._some = 0
        """A bit for each print asked for, by which most others are told from them."""
        self._starts = ONE << NO_START
        """A bit for each start of the texts asked for, by which most others are told unprinted."""
        self.untold = 0
        """How many texts have no print."""

    def ask(self, told: int, text: str) -> None:
        """Note the print of a text before any other is added."""
        self._counts[told] = 0
        self._some |= 1 << (told & 31)
        start = self.printer.start(text)
        self._starts |= ALL_STARTS if start == NO_START else ONE << start

    def add(self, text: str) -> None:
        """Count the print of a text."""
        if not self._starts >> self.printer.start(text) & 1:
            return
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

    __slots__ = ("_counts", "_size", "_spare", "asked", "plain")

    def __init__(self) -> None:
        self._counts: list[PrintCounts] = []
        self._spare: list[PrintCounts] = []
        """Of printers that no value of a document is asked about by."""
        self.begin(0)

    def begin(self, size: int) -> None:
        """Begin with the next document, of which so many values may be added."""
        while self._counts:
            counts = self._counts.pop()
            counts.clear()
            self._spare.append(counts)
        self.asked = False
        """Whether anything will be asked: only then values have to be added."""
        self._size = size
        self.plain = True
        """Whether none of them is more than its text."""

    def ask(
        self, reading: Reading, besides: Reading | None, printer: Printer | None
    ) -> Question | None:
        """Return the question whether a value will be among those that are added from then on.

        The value `besides` it, which stands in its own place, is no other. None if there are none.
        """
        if self._size <= (0 if besides is None else 1):
            return None
        self.asked = True
        question = Question(self, besides)
        by = _printer_for(reading, printer)
        if by is not None:
            text = texts.as_text(reading.text)
            told = by.of(text)
            if _tells(by, told):
                question.told = told
                question.counts = self._of(by)
                question.counts.ask(told, text)
        return question

    def _of(self, printer: Printer) -> PrintCounts:
        for counts in self._counts:
            if counts.printer is printer:
                return counts
        for place in range(len(self._spare)):
            counts = self._spare[place]
            if counts.printer is printer:
                del self._spare[place]
                break
        else:
            counts = PrintCounts(printer)
        self._counts.append(counts)
        return counts

    def add(self, reading: Reading) -> None:
        """Add a value."""
        if reading.normalised or reading.alternatives:
            self.plain = False
        else:
            self._add(texts.as_text(reading.text))

    def _add(self, text: str) -> None:
        for counts in self._counts:
            counts.add(text)

    def add_all(self, group: Group) -> None:
        """Add all values of a group and of those inside it."""
        if group._values is None:
            for leaf in group._leaves:
                if type(leaf) is int:
                    self._add(SMALL_NUMBERS.get(leaf) or str(leaf))
                elif leaf is not None:
                    self._add(texts.as_text(leaf))  # type: ignore[arg-type]
        else:
            for readings in group._values.values():
                for reading in readings:
                    self.add(reading)
        if group.groups:
            for rows in group.groups.values():
                for row in rows:
                    self.add_all(row)


class Question:
    """Whether a value is among some texts, to be answered once all of them are added."""

    __slots__ = ("_among", "_besides", "counts", "told")

    def __init__(self, among: Texts, besides: Reading | None) -> None:
        self._among = among
        self._besides = besides
        self.told = 0
        """The print of the value."""
        self.counts: PrintCounts | None = None
        """How many texts have its print, None where that tells nothing."""

    def answer(self) -> bool:
        """Return whether it may be among them, as far as prints tell."""
        counts, besides = self.counts, self._besides
        if counts is None or not self._among.plain:
            return True
        others = counts.count(self.told)
        if others and besides is not None:
            its = counts.printer.of(texts.as_text(besides.text))
            if its < 0 or its == self.told:
                others -= 1
        return others > 0


Questions = tuple[Question | None, Question | None]
"""Those about gold's and about pred's value."""


def _printer_for(reading: Reading, printer: Printer | None) -> Printer | None:
    """Return what gives the print of a value of a field with some printer, None where nothing."""
    if reading.normalised or reading.alternatives:
        return None
    return printer if sense_of(reading).problem is None else WORDS


def _tells(printer: Printer, told: int) -> bool:
    """Whether a print tells a value from others."""
    return told > 0 or (told < 0 and printer.apart)


class Elsewhere:
    """Tells which wrong values of a document may stand in another place too."""

    __slots__ = ("_golds", "_missed", "_printers", "_spurious")

    def __init__(self, printers: Mapping[Callable[[str], Hashable] | None, Printer]) -> None:
        """Take printers by the gists of fields."""
        self._printers = printers
        self._golds = Texts()
        self._missed = Texts()
        self._spurious = Texts()

    def of(
        self,
        wrong: Sequence[Wrong],
        doubtful: Sequence[int],
        root: Group | None,
        alone: Mapping[int, object],
    ) -> list[tuple[int, bool, bool]]:
        """Return which of the `doubtful` of wrong values may: by its place, gold's and pred's.

        Gold's may be one of pred's that are wrong, pred's one of gold's: of all that `root` has,
        or, where its pair is `alone` or it is too short to tell much, of those that pred misses.
        """
        questions = self._ask(wrong, doubtful, root, alone)
        self._add(wrong, root)
        found: list[tuple[int, bool, bool]] = []
        for number in range(len(doubtful)):
            own, its = questions[number]
            of_gold = own is not None and own.answer()
            of_pred = its is not None and its.answer()
            if of_gold or of_pred:
                found.append((doubtful[number], of_gold, of_pred))
        return found

    def _ask(
        self,
        wrong: Sequence[Wrong],
        doubtful: Sequence[int],
        root: Group | None,
        alone: Mapping[int, object],
    ) -> list[Questions]:
        """Return what is asked about each value."""
        missed = spurious = 0
        for _, _, gold, pred in wrong:
            missed += gold is not None
            spurious += pred is not None
        self._golds.begin(0 if root is None else MANY)
        self._missed.begin(missed)
        self._spurious.begin(spurious)
        questions: list[Questions] = []
        for place in doubtful:
            pair, field, gold, pred = wrong[place]
            printer = self._printers.get(field.gist)
            own = None if gold is None else self._spurious.ask(gold, pred, printer)
            its = None if pred is None else self._among(pair, pred, alone).ask(pred, gold, printer)
            questions.append((own, its))
        return questions

    def _add(self, wrong: Sequence[Wrong], root: Group | None) -> None:
        """Add the values that something will be asked of."""
        missed, spurious = self._missed, self._spurious
        if missed.asked or spurious.asked:
            for _, _, gold, pred in wrong:
                if gold is not None and missed.asked:
                    missed.add(gold)
                if pred is not None and spurious.asked:
                    spurious.add(pred)
        if root is not None and self._golds.asked:
            self._golds.add_all(root)

    def _among(self, pair: object, pred: Reading, alone: Mapping[int, object]) -> Texts:
        """Return the values among which one of pred is looked for."""
        anywhere = _is_telling(texts.as_text(pred.text)) and id(pair) not in alone
        return self._golds if anywhere else self._missed


def _is_telling(text: str) -> bool:
    """Whether a text may be long enough not to be the same as another by chance."""
    size = 0
    for character in text:
        if "0" <= character <= "9" or "a" <= character <= "z" or "A" <= character <= "Z":
            size += 1
        elif character >= "\x80" or character == "&":  # which is read as a word
            return True
    return size >= TELLING
