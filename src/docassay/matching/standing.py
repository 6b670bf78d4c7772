"""Where a value stands in the text of its document, by the comparison of its field's type.

Three ways, the cheapest first. The value as it is written, white space and line breaks aside; the
letters and digits of the value alone (an id with spaces, a name that a line break hyphenates); and
stretches of a few tokens that are read as the field's type, so that 2024-03-05 stands in "5 March
2024" and 1234.5 in "$1,234.50". What the last two come upon counts only if the field's comparator
says that it is the value. A stretch begins and ends between words, and never inside a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from docassay.model.document import Reading
from docassay.model.original import Box, OriginalText
from docassay.values.field import BoundField
from docassay.values.read.characters import collapse, fold, plain

_HAN = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_SIGNS = "$€£¥₩₹"
_TOKEN = re.compile(rf"[{_HAN}]|[{_SIGNS}]|[^\W_{_HAN}]+(?:(?<=\d)[.,/:'’\-–](?=\d)[^\W_{_HAN}]+)*")
_INNER = frozenset(".,/:'’-–")
"""Signs that do not end a number when digits stand on both sides of them."""
_HYPHENATED = re.compile(r"[-\u00ad]\s*\n\s*")
_BLANK = re.compile(r"\s+")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_DATE = re.compile(r"\d{4}-\d{2}-(?P<day>\d{2})")
AMOUNTS = frozenset({"number", "money", "quantity", "percent"})
DATES = frozenset({"date", "date_range"})
TOGETHER = "yymmdd"
"""The clue of a date whose digits stand together."""
LAST_DIGITS = 4
"""How many digits at the end of a telephone number are written in any form of it."""
TEXTUAL = frozenset({"exact", "text", "words", "name", "address", "digits", "alphanumeric"})
"""Readers whose values are words: a stretch that is equal shares one of them."""
WORDED = frozenset({"choice", "boolean", "country", "currency", "language"})
"""Readers of a few words that stand for a value, without digits as a rule."""
WIDTHS = {"date": 6, "date_range": 10, "phone": 6, "id": 5, "money": 4, "time": 3}
"""How many tokens a value of a reader may fill."""
WIDTH = 4
LONGEST = 80
"""How many characters a stretch may have that is read as a type."""
MOST_PLACES = 50
"""How many places of one value are looked at, in either of the first two ways."""
MOST_STRETCHES = 20_000
"""How many stretches of a text are read as one type; of what lies beyond none is."""
MOST_NEIGHBOURS = 400
"""How many stretches around the words of a value are compared with it."""


class SourcePlace(NamedTuple):
    """Where a value stands in a text, and on which page and line."""

    start: int
    end: int
    text: str
    page: int
    line: int
    box: Box | None


class _TextRange(NamedTuple):
    start: int
    end: int


class Finder:
    """Finds values in one text; what is worked out of the text is kept."""

    def __init__(self, original: OriginalText) -> None:
        self.original = original
        self.text = original.text
        self.steps = 0
        """How many stretches of the text were read so far."""
        self._places: dict[tuple[object, ...], _TextRange | None] = {}
        self._stretches: dict[str, tuple[list[_TextRange], dict[str, list[int]]]] = {}
        self._readings: dict[tuple[object, ...], dict[str, Reading | None]] = {}

    def find(self, field: BoundField, reading: Reading) -> SourcePlace | None:
        """Return where a value stands, None where it stands nowhere."""
        kind = _kind(field)
        for accepted in reading.accepted:
            name = (*kind, accepted.text, accepted.canonical)
            if name not in self._places:
                self._places[name] = self._find(field, accepted)
            span = self._places[name]
            if span is not None:
                return self._standing(span)
        return None

    def _standing(self, span: _TextRange) -> SourcePlace:
        start, end = span
        page, line = self.original.page_of(start), self.original.line_of(start)
        return SourcePlace(
            start, end, self.text[start:end], page, line, self.original.box_of(start, end)
        )

    def _find(self, field: BoundField, reading: Reading) -> _TextRange | None:
        span = self._as_written(reading.text) or self._by_letters(field, reading)
        if span is not None or reading.problem is not None:
            return span
        if field.reader.name in TEXTUAL:
            fuzzy = field.spec.accept < 1.0 or field.comparator.name != "same"
            return self._around_words(field, reading) if fuzzy else None
        return self._as_type(field, reading)

    # --- as written ----------------------------------------------------------------------

    def _as_written(self, text: str) -> _TextRange | None:
        words = text.split()
        if not words:
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        for number, match in enumerate(pattern.finditer(self.text)):
            if number >= MOST_PLACES:
                break
            if self._is_between(match.start()) and self._is_between(match.end()):
                return _TextRange(match.start(), match.end())
        return None

    def _is_between(self, at: int) -> bool:
        """Whether a place lies between two words."""
        before, after = self.text[max(at - 2, 0) : at], self.text[at : at + 2]
        if not before or not after:
            return True
        left, right = before[-1], after[0]
        if left.isalnum() and right.isalnum():
            return _is_han(left) or _is_han(right)
        if left in _INNER and len(before) > 1:
            return not (before[0].isdigit() and right.isdigit())
        if right in _INNER and len(after) > 1:
            return not (left.isdigit() and after[1].isdigit())
        return True

    # --- letters and digits alone --------------------------------------------------------

    @cached_property
    def _tokens(self) -> list[_TextRange]:
        return [_TextRange(*match.span()) for match in _TOKEN.finditer(self.text)]

    @cached_property
    def _letters(self) -> list[str]:
        return [_bare(self.text[start:end]) for start, end in self._tokens]

    @cached_property
    def _stream(self) -> tuple[str, dict[int, int], dict[int, int]]:
        """The letters of all tokens in a row, and which token begins and ends where."""
        begins: dict[int, int] = {}
        ends: dict[int, int] = {}
        length = 0
        for number, letters in enumerate(self._letters):
            if letters:
                begins[length] = number
                length += len(letters)
                ends[length] = number
        return "".join(self._letters), begins, ends

    def _by_letters(self, field: BoundField, reading: Reading) -> _TextRange | None:
        wanted = _bare(reading.text)
        stream, begins, ends = self._stream
        at = stream.find(wanted) if wanted else -1
        for _ in range(MOST_PLACES):
            if at < 0:
                return None
            first, last = begins.get(at), ends.get(at + len(wanted))
            if first is not None and last is not None:
                span = _TextRange(self._tokens[first].start, self._tokens[last].end)
                if any(self._is_equal(field, reading, text) for text in self._texts(span)):
                    return span
            at = stream.find(wanted, at + 1)
        return None

    def _texts(self, span: _TextRange) -> Iterator[str]:
        """Yield what a stretch may mean: itself, with the signs around it, without a hyphen."""
        core = self.text[span.start : span.end]
        yield _BLANK.sub(" ", core)
        start, end = span
        while start and not self.text[start - 1].isspace() and not self.text[start - 1].isalnum():
            start -= 1
        while end < len(self.text) and not (self.text[end].isspace() or self.text[end].isalnum()):
            end += 1
        if (start, end) != span:
            yield _BLANK.sub(" ", self.text[start:end])
            if end > span.end:
                yield _BLANK.sub(" ", self.text[span.start : span.end + 1])
        if "\n" in core:
            yield _BLANK.sub(" ", _HYPHENATED.sub("", core))

    def _is_equal(self, field: BoundField, reading: Reading, text: str) -> bool:
        stretch = self._read(field, text)
        return stretch is not None and field.equal(reading, stretch)

    def _read(self, field: BoundField, text: str) -> Reading | None:
        self.steps += 1
        return field.readings.fresh(text)

    # --- around the words of a value -----------------------------------------------------

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for number, letters in enumerate(self._letters):
            places.setdefault(letters, []).append(number)
        return places

    def _around_words(self, field: BoundField, reading: Reading) -> _TextRange | None:
        """Return the first stretch around a word of the value that is equal to it."""
        words = [_bare(match[0]) for match in _TOKEN.finditer(reading.text)]
        rarest = sorted({*words} & self._by_word.keys(), key=lambda w: (len(self._by_word[w]), w))
        seen: set[tuple[int, int]] = set()
        for word in rarest:
            for place in self._by_word[word]:
                for first, last in self._stretches_around(place, len(words)):
                    if (first, last) in seen:
                        continue
                    if len(seen) >= MOST_NEIGHBOURS:
                        return None
                    seen.add((first, last))
                    span = _TextRange(self._tokens[first].start, self._tokens[last].end)
                    if self._is_equal(field, reading, _BLANK.sub(" ", self.text[slice(*span)])):
                        return span
        return None

    def _stretches_around(self, place: int, size: int) -> Iterator[tuple[int, int]]:
        for length in (size, size + 1, size - 1, size + 2):
            for first in range(max(place - length + 1, 0), place + 1):
                last = first + length - 1
                if length > 0 and place <= last < len(self._tokens):
                    yield first, last

    # --- read as a type ------------------------------------------------------------------

    def _as_type(self, field: BoundField, reading: Reading) -> _TextRange | None:
        """Return the first stretch that the field reads as the value."""
        reader = field.reader.name
        stretches, by_clue = self._stretches_of(reader)
        clues = _clues_of(reader, reading)
        if clues is not None:
            chosen = sorted({at for clue in clues for at in by_clue.get(clue, ())})
            stretches = [stretches[at] for at in chosen]
        readings = self._readings.setdefault(_kind(field), {})
        for span in stretches:
            for text in self._texts(span):
                if text not in readings:
                    if len(readings) >= MOST_STRETCHES:
                        return None
                    readings[text] = self._read(field, text)
                stretch = readings[text]
                if stretch is None or stretch.problem is not None:
                    continue
                # not by keys, which name the field that a stretch was first read for
                if field.similarity(reading, stretch) >= field.spec.accept:
                    return span
        return None

    def _stretches_of(self, reader: str) -> tuple[list[_TextRange], dict[str, list[int]]]:
        """Return the stretches that may hold a value of a reader, and which show what clue."""
        cached = self._stretches.get(reader)
        if cached is None:
            stretches = [*self._readable(reader)]
            by_clue: dict[str, list[int]] = {}
            for at, span in enumerate(stretches):
                for clue in _clues_in(reader, self.text[span.start : span.end]):
                    by_clue.setdefault(clue, []).append(at)
            cached = self._stretches[reader] = (stretches, by_clue)
        return cached

    def _readable(self, reader: str) -> Iterator[_TextRange]:
        """Yield stretches of a few tokens, most of which must have a digit."""
        width = WIDTHS.get(reader, WIDTH)
        tokens = self._tokens
        digits = [_DIGIT.search(self.text, *token) is not None for token in tokens]
        for first, token in enumerate(tokens):
            dense = reader in WORDED
            for last in range(first, min(first + width, len(tokens))):
                dense = dense or digits[last]
                span = _TextRange(token.start, tokens[last].end)
                if span.end - span.start > LONGEST:
                    break
                if dense:
                    yield span


def _clues_in(reader: str, text: str) -> Iterable[str]:
    """Return what a stretch shows of the values that it may be, without reading it."""
    runs = _DIGITS.findall(text if text.isascii() else plain(text))
    if reader in AMOUNTS:
        return ("".join(runs).strip("0"),)
    if reader == "phone":
        return ("".join(runs)[-LAST_DIGITS:],)
    if reader in DATES:
        return {TOGETHER if len(run) >= len(TOGETHER) else run.lstrip("0") for run in runs}
    return ()


def _clues_of(reader: str, reading: Reading) -> Sequence[str] | None:
    """Return what a stretch shows at least one of that is a value; None where nothing is sure.

    Equal amounts have the same digits but for zeros at the ends, equal dates the same day.
    """
    if reading.key is None:
        return None
    canonical = reading.canonical
    if reader in AMOUNTS:
        return ("".join(_DIGITS.findall(canonical)).strip("0"),)
    if reader == "phone":
        digits = "".join(_DIGITS.findall(canonical))
        return (digits[-LAST_DIGITS:],) if len(digits) >= LAST_DIGITS else None
    date = _DATE.match(canonical) if reader in DATES else None
    return None if date is None else (date["day"].lstrip("0"), TOGETHER)


def _is_han(character: str) -> bool:
    return re.match(f"[{_HAN}]", character) is not None


def _bare(text: str) -> str:
    """Return the letters and digits of a text, without case."""
    folded = fold(collapse(text))
    return folded if folded.isalnum() else "".join(filter(str.isalnum, folded))


def _kind(field: BoundField) -> tuple[object, ...]:
    """Return what fields have in common that read and compare in one way."""
    spec = field.spec
    options = tuple(sorted((name, repr(option)) for name, option in spec.options.items()))
    return spec.type, spec.compare, spec.accept, options
