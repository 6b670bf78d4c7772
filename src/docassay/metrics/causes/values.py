"""The cause of a substitution as far as the two texts tell: the first rule that holds.

The rules go from the most to the least specific: what exchanges two digits is rarely anything
else, while a text that is part of another may be so for many reasons.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from docassay.kernel.mistakes import (
    OF_OTHER_POWER,
    OF_OTHER_SIGN,
    SPELT_ALIKE,
    SPELT_LONGER,
    SPELT_OTHERWISE,
    SPELT_SHORTER,
    SPELT_TRANSPOSED,
    UNTOLD,
    WRITTEN_OTHERWISE,
    TextKinds,
    ascii_words,
    has_other_word,
    look_alike,
    same_words,
    significant,
    spelt_otherwise,
    usual_difference,
)
from docassay.kernel.senses import usual_number
from docassay.metrics.causes import (
    CAUSES,
    EXTRA,
    FACTOR,
    FORMATTING,
    LOOK_ALIKE,
    OTHER,
    SIGN,
    TRANSPOSED,
    TRUNCATED,
)
from docassay.model.document import Reading
from docassay.values.field import BoundField
from docassay.values.read.characters import fold, plain, unaccented
from docassay.values.read.currencies import MARKS
from docassay.values.read.date import IN_DATES, parse_date
from docassay.values.read.money import BOOKED
from docassay.values.read.number import canonical_digits, dissect

WORDS = frozenset({"exact", "text", "words", "contains", "vrdu_general", "vrdu_default"})
"""Types that do not say what a text is, so that it may be a number, a date or neither."""
NUMBERS = frozenset({"number", "quantity", "money", "percent", "vrdu_price", "vrdu_numerical"})
DATES = frozenset({"date", "vrdu_date"})
POINTS = {"money": "", "vrdu_price": ""}
"""Marks that are decimal marks before three digits, where it is not the point (see read.number)."""
LONGEST_UNIT = 12

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile("[0-9]")
_STROKES = str.maketrans("|!", "ll")
_BEFORE_NUMBERS = frozenset(mark.split()[0] for mark in (*MARKS, *BOOKED, "%"))
"""The words with which all begins that may stand before the number of a text."""
Words = tuple[str, ...]


def cause_between(gold: Reading, pred: Reading, field: BoundField) -> str:
    """Return why pred is not gold: of gold's alternatives, the one whose cause is asked first."""
    if not gold.alternatives:
        return _cause(gold.text, pred.text, field.spec.type, field.schema.dates)
    causes = {cause_of(reading.text, pred.text, field) for reading in gold.alternatives}
    return min(causes, key=CAUSES.index)


def cause_of(gold: str, pred: str, field: BoundField) -> str:
    """Return why pred's text is not gold's, for a field whose comparator tells them apart."""
    return _cause(gold, pred, field.spec.type, field.schema.dates)


@lru_cache(4096)
def _cause(gold: str, pred: str, kind: str, dates: str) -> str:
    """Return the same by the type of a field and the order of day and month."""
    difference = usual_difference(gold, pred, _kinds(kind))
    return (
        _any_cause(gold, pred, kind, dates) if difference == UNTOLD else BY_DIFFERENCE[difference]
    )


@cache
def _kinds(kind: str) -> TextKinds:
    """Return what the texts of a type of fields may be."""
    return TextKinds(
        numbers=kind in NUMBERS or kind in WORDS,
        pointed="." in POINTS.get(kind, "."),
        before_numbers=_BEFORE_NUMBERS if kind in WORDS else None,
        in_dates=IN_DATES if kind in WORDS or kind in DATES else None,
    )


def _any_cause(gold: str, pred: str, kind: str, dates: str) -> str:
    """Return the same, whatever the texts are."""
    words = (words_of(gold), words_of(pred))
    letters = (_spelling(gold, words[0]), _spelling(pred, words[1]))
    sizes = None
    number = _number(gold, kind)
    other = None if number is None else _number(pred, kind)
    if number is None or other is None:
        by_value = FORMATTING if same_words(*words) else None
        if by_value is None and not _has_a_word(gold, words[0]):
            by_value = _of_dates(gold, pred, kind, dates)
    else:
        sizes = (number[0].lstrip("-"), other[0].lstrip("-"))
        by_value = _of_numbers(number, other, sizes)
    if by_value is not None:
        # 1OO is no 1 with a unit: where digits became letters, the number says nothing
        return LOOK_ALIKE if _loses_digits(*letters) else by_value
    return BY_DIFFERENCE[spelt_otherwise(*words, letters, _looks(*letters), sizes)]


BY_DIFFERENCE = {
    SPELT_TRANSPOSED: TRANSPOSED,
    SPELT_ALIKE: LOOK_ALIKE,
    SPELT_SHORTER: TRUNCATED,
    SPELT_LONGER: EXTRA,
    SPELT_OTHERWISE: OTHER,
    WRITTEN_OTHERWISE: FORMATTING,
    OF_OTHER_SIGN: SIGN,
    OF_OTHER_POWER: FACTOR,
}
"""Causes by how pred differs from gold."""


def _loses_digits(gold: str, pred: str) -> bool:
    """Whether letters stand for digits, or digits for letters, and nothing else differs."""
    if len(_DIGIT.findall(gold)) == len(_DIGIT.findall(pred)):
        return False
    return gold != pred and look_alike(*_looks(gold, pred))


def words_of(text: str) -> Words:
    """Return the words and numbers of a text, without case and punctuation."""
    if text.isascii():
        # what folding changes besides case is no part of a word
        return ascii_words(text)
    return tuple(_WORD.findall(fold(plain(text)).replace("&", " and ")))


def _spelling(text: str, words: Words) -> str:
    """Return a text without what stands between letters and digits; a stroke is an l."""
    strokes = "|" in text or "!" in text
    return "".join(words_of(text.translate(_STROKES)) if strokes else words)


Number = tuple[str, str]
"""A number in canonical form, and the currency or unit that stands beside it."""


def _number(text: str, kind: str) -> Number | None:
    """Return a text as a number, None where it is none, or a field has no numbers."""
    if kind not in NUMBERS and kind not in WORDS:
        return None
    points = POINTS.get(kind, ".")
    usual = usual_number(text)
    if usual is not None and (points or text[-4:-3] != "."):  # what the rest would come to
        return usual, ""
    if kind in WORDS and _begins_with_a_word(text):
        return None
    parts = dissect(text)
    if parts is None:
        return None
    around = [unaccented(mark).strip(" .") for mark in (parts.head, parts.tail)]
    marks = [mark for mark in around if mark and mark not in BOOKED]
    all_units = all(mark in MARKS or mark == "%" for mark in marks)
    if not all_units and (kind in WORDS or max(map(len, marks)) > LONGEST_UNIT):
        return None
    value = canonical_digits(parts, points)
    if value is None:
        return None
    if any(BOOKED.get(mark, False) for mark in around):
        value = _negated(value)
    return value, " ".join(marks)


def _begins_with_a_word(text: str) -> bool:
    """Whether the first word of a text begins nothing that stands before a number."""
    word = text.partition(" ")[0].replace("-", "")
    return word.isascii() and word.isalpha() and word.lower() not in _BEFORE_NUMBERS


def _negated(value: str) -> str:
    if value.startswith("-"):
        return value[1:]
    return value if value == "0" else f"-{value}"


def _of_numbers(gold: Number, pred: Number, sizes: tuple[str, str]) -> str | None:
    """Return what tells two numbers apart, whose sizes are these."""
    if gold[0] == pred[0]:
        return FORMATTING if _units_agree(gold[1], pred[1]) else OTHER
    if sizes[0] == sizes[1]:
        return SIGN
    digits = significant(sizes[0])
    return FACTOR if digits and digits == significant(sizes[1]) else None


def _units_agree(gold: str, pred: str) -> bool:
    """Whether two units are one, or one is left open, or both may be the same currency."""
    if not gold or not pred or gold == pred:
        return True
    return not {*MARKS.get(gold, ())}.isdisjoint(MARKS.get(pred, ()))


def _has_a_word(text: str, words: Words) -> bool:
    """Whether a text, whose words are these, is surely no date because of one of them."""
    if not text.isascii() or ":" in text:
        return False
    return has_other_word(words, IN_DATES, 3)


def _of_dates(gold: str, pred: str, kind: str, dates: str) -> str | None:
    """Return what tells two dates apart: the way they are written, or day for month."""
    if kind not in WORDS and kind not in DATES:
        return None
    day_first = dates == "day-first"
    gold_date = parse_date(gold, day_first=day_first)
    pred_date = None if gold_date is None else parse_date(pred, day_first=day_first)
    if gold_date is None or pred_date is None:
        return None
    if gold_date == pred_date:
        return FORMATTING
    swapped = pred_date._replace(month=pred_date.day, day=pred_date.month)
    return TRANSPOSED if gold_date == swapped else None


def _looks(gold: str, pred: str) -> tuple[str, str]:
    """Return what is seen of two spellings: their letters without accents."""
    if gold.isascii() and pred.isascii():  # spellings have no case
        return gold, pred
    return unaccented(gold), unaccented(pred)
