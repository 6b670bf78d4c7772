"""Evidence against single values of gold that needs no model: their form, their like, their source.

Each kind is stated as a likelihood ratio: how many times more often it is seen of a wrong value
than of a right one. What is usual in a field is no evidence, however odd it looks.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from docassay.load.files import read_bytes, stem
from docassay.load.wire import to_text
from docassay.matching.standing import Finder
from docassay.model.original import OriginalText
from docassay.values.field import BoundField


class GoldValue(NamedTuple):
    """One value of gold as audits see it."""

    document: str
    path: str
    """By which reports name it."""
    field: str
    text: str
    canonical: str
    problem: str | None
    """Why it cannot be read as its type says."""
    is_text: bool = True
    """Whether its type keeps it as a text, so that its form is a part of it."""


ENOUGH = 20
"""Values of a field from which on something about them is usual."""
FEW = 3
"""Values of a field of which one that its type cannot be is odd."""
RARE = 0.02
USUAL = 0.05
"""A form that at least this share of a field's values has is one of its forms."""
MOST_FORMS = 5
COVERED = 0.9
"""The share of values that have one of its forms, in a field that has any."""
UNREADABLE, ODD_KIND, ODD_LENGTH = 15.0, 10.0, 3.0
"""What it weighs that a value is not of its type, has other characters, or more or fewer."""
NO_AMOUNT = ""
_DIGITS, _LETTERS, _SPACES = re.compile(r"\d+"), re.compile(r"[^\W\d_]+"), re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\d[\d.,']*\d|\w+")
_NUMBER = re.compile(r"\d[\d.,' ]*\d|\d")


def coarse_form(text: str) -> str:
    """Return a text with runs of digits as 9 and of letters as a: `INV-0042` is `a-9`."""
    return _LETTERS.sub("a", _DIGITS.sub("9", _SPACES.sub(" ", text.strip())))


def fine_form(text: str) -> str:
    """Return a text with every digit as 9 and every letter as a: `INV-0042` is `aaa-9999`."""
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", _SPACES.sub(" ", text.strip())))


class OddForm(NamedTuple):
    """What is unlike the others in the form of a value."""

    ratio: float
    words: str


def odd_forms(values: Iterable[GoldValue]) -> dict[tuple[str, str], OddForm]:
    """Return the values whose form is unlike that of the others in their field, and why.

    A value that cannot be read as its type says is odd where nearly all others can. Forms of texts
    are compared in fields that have few; an amount or a date is what it is in any notation.
    """
    by_field: defaultdict[str, list[GoldValue]] = defaultdict(list)
    for value in values:
        by_field[value.field].append(value)
    odd: dict[tuple[str, str], OddForm] = {}
    for every in by_field.values():
        unread = [value for value in every if value.problem is not None]
        if len(every) >= FEW and 0 < len(unread) <= max(1, RARE * len(every)):
            odd |= {
                (value.document, value.path): OddForm(UNREADABLE, str(value.problem))
                for value in unread
            }
        if len(every) < ENOUGH:
            continue
        readable = [value for value in every if value.problem is None and value.is_text]
        for form, ratio in ((coarse_form, ODD_KIND), (fine_form, ODD_LENGTH)):
            for value, usual in _unlike(readable, form):
                words = f"its form is unlike that of the others, such as {usual}"
                odd.setdefault((value.document, value.path), OddForm(ratio, words))
    return odd


def _unlike(
    values: Sequence[GoldValue], form: Callable[[str], str]
) -> Iterator[tuple[GoldValue, str]]:
    """Yield values of a rare form in a field of few forms, each with a usual value."""
    forms = [form(value.canonical) for value in values]
    counts = Counter(forms)
    usual = {each for each, times in counts.items() if times >= USUAL * len(values)}
    covered = sum(counts[each] for each in usual)
    if len(values) < ENOUGH or len(usual) > MOST_FORMS or covered < COVERED * len(values):
        return
    example = next(v.text for v, each in zip(values, forms, strict=True) if each in usual)
    for value, each in zip(values, forms, strict=True):
        if counts[each] <= max(1, RARE * len(values)) and each not in usual:
            yield value, example


# --- documents that are the same --------------------------------------------------------------

FEW_DOCUMENTS = 4
"""A value that so many documents share at most may point at a twin."""
ALIKE = 0.75
LEAST_VALUES = 4
CONFLICT = 10.0


class TwinDocuments(NamedTuple):
    """Two documents whose gold says nearly the same, and where it differs."""

    first: str
    second: str
    shared: int
    differing: tuple[tuple[str, str | None, str | None], ...]
    """Paths with the text of each document."""


def twin_documents(values: Iterable[GoldValue]) -> list[TwinDocuments]:
    """Return pairs of documents with the same record, but for few of its values."""
    records: defaultdict[str, dict[str, GoldValue]] = defaultdict(dict)
    holders: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for value in values:
        records[value.document][value.path] = value
    for document, record in records.items():
        for key in {(path, value.canonical) for path, value in record.items()}:
            holders[key].append(document)
    common: Counter[tuple[str, str]] = Counter()
    for documents in holders.values():
        if 1 < len(documents) <= FEW_DOCUMENTS:
            common.update(combinations(sorted(documents), 2))
    pairs = []
    for (first, second), rare in sorted(common.items()):
        left, right = records[first], records[second]
        if rare < 2 or min(len(left), len(right)) < LEAST_VALUES:
            continue
        paths = left.keys() | right.keys()
        shared = sum(
            path in left and path in right and left[path].canonical == right[path].canonical
            for path in paths
        )
        if shared < ALIKE * len(paths):
            continue
        differing = tuple(
            (path, _text(left.get(path)), _text(right.get(path)))
            for path in sorted(paths)
            if path not in left
            or path not in right
            or left[path].canonical != right[path].canonical
        )
        pairs.append(TwinDocuments(first, second, shared, differing))
    return pairs


def _text(value: GoldValue | None) -> str | None:
    return None if value is None else value.text


# --- the text of the document -------------------------------------------------------------------


class _SourceText(NamedTuple):
    words: str
    """Its words without marks, a blank between two."""
    amounts: frozenset[str]
    finder: Finder


class SourceTexts:
    """The texts of documents, in a folder of ID.txt.

    What they hold is compared without marks, and then by the type of its field: 2025-03-04 stands
    in "4 March 2025".
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.missing = 0
        self._texts: dict[str, _SourceText | None] = {}

    def holds(self, document: str, text: str, field: BoundField | None = None) -> bool | None:
        """Return whether a document's text holds a value, None when there is no text."""
        if document not in self._texts:
            self._texts[document] = self._read(document)
        source = self._texts[document]
        if source is None:
            return None
        tokens = " ".join(_TOKEN.findall(_folded(text)))
        if not tokens:
            return None
        if f" {tokens} " in source.words or _digits(text) in source.amounts:
            return True
        reading = None if field is None else field.readings[text]
        if field is None or reading is None:
            return False
        return source.finder.find(field, reading) is not None

    def _read(self, document: str) -> _SourceText | None:
        for name in (document, stem(document)):
            file = self.folder / f"{name}.txt"
            try:
                inside = self.folder in file.resolve().parents
                if inside and file.is_file():
                    original = to_text(read_bytes(file)).text
                    text = _folded(original)
                    words = f" {' '.join(_TOKEN.findall(text))} "
                    amounts = frozenset(map(_digits, _NUMBER.findall(text))) - {NO_AMOUNT}
                    return _SourceText(words, amounts, Finder(OriginalText(original)))
            except (OSError, ValueError):
                continue
        self.missing += 1
        return None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _digits(text: str) -> str:
    """Return the figures of an amount: $1,234.50, 1234.5 and 1.234,50 have the same."""
    figures = re.sub(r"\D", "", text)
    fraction = re.search(r"[.,]\d{1,2}\D*$", text)
    if fraction is None:
        figures += "00"
    elif re.search(r"[.,]\d\D*$", text):
        figures += "0"
    return figures.lstrip("0") if _NUMBER.search(text) and len(figures) > 2 else NO_AMOUNT


# --- values in another field ----------------------------------------------------------------

SHORTEST = 3
ELSEWHERE = 4.0


def bare(text: str) -> str:
    """Return a text without case, marks and space, "" when that is too short to mean anything."""
    folded = "".join(_WORD.findall(_folded(text)))
    return folded if len(folded) >= SHORTEST else ""


def fields_with(text: str, values: Mapping[str, Set[str]]) -> list[str]:
    """Return the fields that have a text among their values, which are without case and marks."""
    wanted = bare(text)
    return [name for name in sorted(values) if wanted in values[name]] if wanted else []
