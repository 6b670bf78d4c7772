"""Text recognition: pages to words with places, and to a text that keeps lines and columns.

Two engines: the program `tesseract`, called as a child, and the package `rapidocr` with the models
that it brings. Both give words with boxes. Lines are made here, from the boxes and along the slope
of the page, so that a table that was scanned askew still has its rows.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.extract.documents import PageImage
from docassay.model.original import PAGE_END, Box, OriginalText, OriginalWord

ENGINES = ("tesseract", "rapidocr")
DEFAULT_LANGUAGE = "eng"
TIME_LIMIT = 300.0
"""Seconds that tesseract may take for a page."""
BLOCK_OF_TEXT = "6"
"""How tesseract segments a page: as one block of lines, which keeps the rows of tables whole."""
STEEPEST = 0.2
"""The slope from which two words are not taken as neighbours on a line (11 degrees)."""
BLANK_LINE = 1.35
"""The step to the next line, in usual steps, that is kept as a blank line."""
FARTHEST = 16
"""How far to the right a neighbour is looked for, in half heights of a word."""
WIDE_GAP = 1.9
"""The gap between two words, in letters, from which they are of different cells."""
WIDEST_GAP = 200
"""Spaces that stand for a gap at most."""


class OcrWord(NamedTuple):
    """A word that was recognised: where it stands in the text and on the page, and how surely."""

    text: str
    start: int
    end: int
    page: int
    box: Box | None
    confidence: float | None


class OcrText(NamedTuple):
    """The text of a document by lines, columns kept apart by spaces, and its words."""

    text: str
    words: tuple[OcrWord, ...] = ()

    @property
    def original(self) -> OriginalText:
        """The same as the text of a document whose words have places."""
        words = (OriginalWord(word.start, word.end, word.page, word.box) for word in self.words)
        return OriginalText(self.text, tuple(words))


class Glyphs(NamedTuple):
    """A word as an engine gives it: its text, its place in pixels, its confidence from 0 to 1."""

    text: str
    box: Box
    confidence: float


class OcrPlaces:
    """Where stretches of a recognised text stand, and how surely they were read."""

    def __init__(self, text: OcrText) -> None:
        self._words = text.words
        self._original = text.original

    def place(self, spans: Sequence[tuple[int, int]]) -> dict[str, object]:
        """Return the page of stretches of text and, where it is known, the box around them."""
        place: dict[str, object] = {"page": self._original.page_of(spans[0][0])}
        boxes = [box for span in spans if (box := self._original.box_of(*span)) is not None]
        if not boxes:
            return place
        left, top, right, bottom = zip(*boxes, strict=True)
        return {**place, "box": [min(left), min(top), max(right), max(bottom)]}

    def confidence(self, spans: Sequence[tuple[int, int]]) -> float:
        """Return how sure the least sure word of stretches of text is, 1 where nobody says."""
        sure = 1.0
        for start, end in spans:
            first = bisect_right(self._words, start, key=lambda word: word.end)
            for word in self._words[first : first + end - start]:
                if word.start >= end:
                    break
                sure = sure if word.confidence is None else min(sure, word.confidence)
        return sure


Recogniser = Callable[[Sequence[PageImage]], OcrText]
"""Pages to their text; may be called from several threads."""


def ocr_engine(name: str, *, language: str = DEFAULT_LANGUAGE) -> Recogniser:
    """Return an engine; one that is not there, or lacks the language, is an error at once."""
    makers = {"tesseract": _tesseract, "rapidocr": _rapidocr}
    if name not in makers:
        raise UnknownName("engine of text recognition", name, ENGINES, where="--ocr")
    glyphs_of = makers[name](language)

    def recognise(pages: Sequence[PageImage]) -> OcrText:
        return ocr_text([(page, glyphs_of(page)) for page in pages])

    return recognise


def first_engine() -> str:
    """Return the name of the first engine that is there."""
    if shutil.which("tesseract"):
        return ENGINES[0]
    if find_spec("rapidocr") is not None:
        return ENGINES[1]
    raise ConfigurationError(
        "no engine of text recognition is there",
        hint="install tesseract (apt install tesseract-ocr), or pip install 'docassay[ocr]'",
    )


def text_as_words(text: str) -> OcrText:
    """Return a text, which has lines and columns but no places on a page, as recognised text."""
    words: list[OcrWord] = []
    offset = 0
    for number, page in enumerate(text.split(PAGE_END), start=1):
        words += (
            OcrWord(match[0], offset + match.start(), offset + match.end(), number, None, None)
            for match in re.finditer(r"\S+", page)
        )
        offset += len(page) + len(PAGE_END)
    return OcrText(text, tuple(words))


def _tesseract(language: str) -> Callable[[PageImage], list[Glyphs]]:
    program = shutil.which("tesseract")
    if program is None:
        raise ConfigurationError(
            "--ocr tesseract needs the program tesseract",
            hint="apt install tesseract-ocr, brew install tesseract, or use --ocr rapidocr",
        )
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)
    languages = set(listed.stdout.split("\n")[1:]) - {""}
    for part in language.split("+"):
        if part not in languages:
            raise UnknownName("language of tesseract", part, languages, where="--ocr-language")
    command = (program, "stdin", "stdout", "--psm", BLOCK_OF_TEXT, "-l", language, "tsv")
    # one thread a page: several pages are read at once
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}

    def glyphs_of(page: PageImage) -> list[Glyphs]:
        try:
            done = subprocess.run(
                command,
                input=page.data,
                capture_output=True,
                check=False,
                timeout=TIME_LIMIT,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            raise DataError(f"tesseract did not end page {page.number} in time") from None
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise DataError(f"tesseract cannot read page {page.number}: {lines[-1]}")
        return [*_table(done.stdout.decode(errors="replace"))]

    return glyphs_of


def _table(text: str) -> Iterator[Glyphs]:
    """Yield the words of the table that tesseract writes."""
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        content = (row.get("text") or "").strip()
        if row.get("level") == "5" and content:
            sides = (float(row[name]) for name in ("left", "top", "width", "height"))
            left, top, width, height = sides
            sure = min(max(float(row["conf"]) / 100, 0.0), 1.0)
            yield Glyphs(content, (left, top, left + width, top + height), sure)


def _rapidocr(language: str) -> Callable[[PageImage], list[Glyphs]]:
    if language != DEFAULT_LANGUAGE:
        raise ConfigurationError(
            "rapidocr has one model for all languages that it reads",
            where="--ocr-language",
            hint="leave the option out, or use --ocr tesseract",
        )
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise ConfigurationError(
            "--ocr rapidocr needs the package rapidocr", hint="pip install 'docassay[ocr]'"
        )
    if not any((Path(spec.origin).parent / "models").glob("*.onnx")):
        # it would fetch them; nothing is fetched here
        raise ConfigurationError(
            "the installed rapidocr brings no models", hint="pip install 'docassay[ocr]' again"
        )
    from rapidocr import RapidOCR

    # the classifier of directions turns short lines of digits upside down
    engine = RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})
    lock = threading.Lock()

    def glyphs_of(page: PageImage) -> list[Glyphs]:
        with lock:
            result = engine(page.data, return_word_box=True)
        words = (word for line in result.word_results or () for word in line)
        return [
            Glyphs(text.strip(), _around(corners), float(sure))
            for text, sure, corners in words
            if text.strip() and corners is not None
        ]

    return glyphs_of


def _around(corners: Sequence[Sequence[float]]) -> Box:
    across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return min(across), min(down), max(across), max(down)


def ocr_text(pages: Sequence[tuple[PageImage, Sequence[Glyphs]]]) -> OcrText:
    """Return the text of pages by lines, each word at its place."""
    parts: list[str] = []
    words: list[OcrWord] = []
    length = 0
    for number, (page, glyphs) in enumerate(pages):
        mark = PAGE_END if number else ""
        text, placed = _page_text(glyphs, page, length + len(mark))
        parts.append(mark + text)
        words += placed
        length += len(mark) + len(text)
    return OcrText("".join(parts), tuple(words))


def _page_text(glyphs: Sequence[Glyphs], page: PageImage, offset: int) -> tuple[str, list[OcrWord]]:
    """Return the text of a page and its words; `offset` characters stand before it."""
    if not glyphs:
        return "", []
    lines = lines_of(glyphs)
    letter = median((word.box[2] - word.box[0]) / len(word.text) for word in glyphs) or 1.0
    margin = min(word.box[0] for word in glyphs)
    steps = [_level(below) - _level(above) for above, below in pairwise(lines)]
    words: list[OcrWord] = []
    text = ""
    for line, step in zip(lines, [0.0, *steps], strict=True):
        if text:
            text += "\n\n" if step > BLANK_LINE * median(steps) else "\n"
        start = len(text)
        before: Glyphs | None = None
        for word in line:
            column = round((word.box[0] - margin) / letter)
            text += " " * _gap(before, word, column - (len(text) - start), letter)
            before = word
            begin = offset + len(text)
            text += word.text
            box = _fractions(word.box, page)
            end = offset + len(text)
            words.append(OcrWord(word.text, begin, end, page.number, box, word.confidence))
    return text, words


def _level(line: Sequence[Glyphs]) -> float:
    """Return how far down a line begins."""
    return _middle(line[0])[1]


def _gap(before: Glyphs | None, word: Glyphs, missing: int, letter: float) -> int:
    """Return the spaces before a word: one within a cell, two or more between cells."""
    if before is None:
        return min(max(missing, 0), WIDEST_GAP)
    own = (before.box[2] - before.box[0]) / len(before.text)
    if word.box[0] - before.box[2] < WIDE_GAP * max(letter, own):
        return 1
    return min(max(missing, 2), WIDEST_GAP)


def _fractions(box: Box, page: PageImage) -> Box:
    left, top, right, bottom = box
    sides = (left / page.width, top / page.height, right / page.width, bottom / page.height)
    x0, y0, x1, y1 = (round(min(max(side, 0.0), 1.0), 5) for side in sides)
    return x0, y0, x1, y1


def lines_of(glyphs: Sequence[Glyphs]) -> list[list[Glyphs]]:
    """Return words by lines, from the top down and from left to right, along the page's slope."""
    slope = slope_of(glyphs)
    height = median(word.box[3] - word.box[1] for word in glyphs)
    levels = sorted((_middle(word)[1] - slope * _middle(word)[0], word) for word in glyphs)
    lines: list[list[tuple[float, Glyphs]]] = []
    for level, word in levels:
        if lines:
            mean = sum(other for other, _ in lines[-1]) / len(lines[-1])
            if level - mean <= height / 2:
                lines[-1].append((level, word))
                continue
        lines.append([(level, word)])
    return [sorted((word for _, word in line), key=lambda word: word.box) for line in lines]


def slope_of(glyphs: Sequence[Glyphs]) -> float:
    """Return how far lines of a page fall by pixel to the right: the median over neighbours."""
    levels = sorted((_middle(word)[1], word) for word in glyphs)
    slopes = []
    for y, word in levels:
        x, half = _middle(word)[0], (word.box[3] - word.box[1]) / 2
        first = bisect_left(levels, y - half, key=lambda level: level[0])
        last = bisect_left(levels, y + half, key=lambda level: level[0])
        right = [
            (other.box[0], (level - y) / (_middle(other)[0] - x))
            for level, other in levels[first:last]
            if word.box[2] - 1 <= other.box[0] <= word.box[2] + FARTHEST * half
        ]
        slopes += [slope for _, slope in [min(right, default=(0, 1.0))] if abs(slope) < STEEPEST]
    return median(slopes) if slopes else 0.0


def _middle(word: Glyphs) -> tuple[float, float]:
    left, top, right, bottom = word.box
    return (left + right) / 2, (top + bottom) / 2
