"""The cause of a substitution as far as the two texts tell: the first rule that holds.

The rules go from the most to the least specific: what exchanges two digits is rarely anything
else, while a text that is part of another may be so for many reasons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from operator import ne
from typing import NamedTuple

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
from docassay.values.read.date import parse_date
from docassay.values.read.money import BOOKED
from docassay.values.read.number import canonical_digits, dissect

WORDS = frozenset({"exact", "text", "words", "contains", "vrdu_general", "vrdu_default"})
"""Types that do not say what a text is, so that it may be a number, a date or neither."""
NUMBERS = frozenset({"number", "quantity", "money", "percent", "vrdu_price", "vrdu_numerical"})
DATES = frozenset({"date", "vrdu_date"})
POINTS = {"money": "", "vrdu_price": ""}
"""Marks that are decimal marks before three digits, where it is not the point (see read.number)."""
LONGEST_UNIT = 12
SHORTEST_INSIDE = 3
"""Characters from which a text inside another is taken for a part of it, wherever it stands."""

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile("[0-9]")
_STROKES = str.maketrans("|!", "ll")
_JOINED = {"rn": "m", "vv": "w", "cl": "d"}
_APART = re.compile("|".join(_JOINED))
_ALIKE = (
    "0oqd",
    "1li7j",
    "2z",
    "38b",
    "4a",
    "5s",
    "56",
    "6gb",
    "68",
    "06",
    "08",
    "9gq",
    "uv",
    "ce",
)
_PAIRS = frozenset(pair for letters in _ALIKE for pair in permutations(letters, 2))


def cause_between(gold: Reading, pred: Reading, field: BoundField) -> str:
    """Return why pred is not gold: of gold's alternatives, the one whose cause is asked first."""
    if not gold.alternatives:
        return cause_of(gold.text, pred.text, field)
    causes = {cause_of(reading.text, pred.text, field) for reading in gold.alternatives}
    return min(causes, key=CAUSES.index)


def cause_of(gold: str, pred: str, field: BoundField) -> str:
    """Return why pred's text is not gold's, for a field whose comparator tells them apart."""
    return _cause(gold, pred, field.spec.type, field.schema.dates)


@lru_cache(4096)
def _cause(gold: str, pred: str, kind: str, dates: str) -> str:
    """Return the same by the type of a field and the order of day and month."""
    numbers = _numbers(gold, pred, kind)
    letters = (_spelling(gold), _spelling(pred))
    by_value = _of_numbers(*numbers) if numbers else _of_words(gold, pred, kind, dates)
    if by_value is not None:
        # 1OO is no 1 with a unit: where digits became letters, the number says nothing
        return LOOK_ALIKE if _loses_digits(*letters) else by_value
    written = [letters, _of_one_length(*numbers)] if numbers else [letters]
    # most numbers are spelt alike in all ways
    spelt = {*written, (numbers[0].digits, numbers[1].digits)} if numbers else {letters}
    if any(_transposed(*spellings) for spellings in spelt):
        return TRANSPOSED
    if any(_look_alike(*spellings) for spellings in spelt):
        return LOOK_ALIKE
    # digits alone say nothing here: 2.00 is no part of 2.50, though 2 is one of 25
    if is_part(words_of(pred), words_of(gold)) or any(
        _inside(part, whole) for whole, part in written
    ):
        return TRUNCATED
    if is_part(words_of(gold), words_of(pred)) or any(
        _inside(part, whole) for part, whole in written
    ):
        return EXTRA
    return OTHER


def _of_words(gold: str, pred: str, kind: str, dates: str) -> str | None:
    return FORMATTING if _same_words(gold, pred) else _of_dates(gold, pred, kind, dates)


def _loses_digits(gold: str, pred: str) -> bool:
    """Whether letters stand for digits, or digits for letters, and nothing else differs."""
    return len(_DIGIT.findall(gold)) != len(_DIGIT.findall(pred)) and _look_alike(gold, pred)


@lru_cache(4096)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, without case and punctuation."""
    # of ASCII letters, what folding changes besides their case is no part of a word
    folded = text.lower() if text.isascii() else fold(plain(text))
    return tuple(_WORD.findall(folded.replace("&", " and ")))


def _spelling(text: str) -> str:
    """Return a text without what stands between letters and digits; a stroke is an l."""
    strokes = "|" in text or "!" in text
    return "".join(words_of(text.translate(_STROKES) if strokes else text))


def is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether some words stand in order among more others."""
    if not 0 < len(part) < len(whole):
        return False
    left = iter(whole)
    return all(word in left for word in part)


class _Number(NamedTuple):
    """A number in canonical form, and the currency or unit that stands beside it."""

    value: str
    unit: str

    @property
    def digits(self) -> str:
        """Its digits without the zeros at either end."""
        return self.value.replace(".", "").lstrip("-").strip("0")


def _numbers(gold: str, pred: str, kind: str) -> tuple[_Number, _Number] | None:
    """Return both texts as numbers, None where either is none, or a field has no numbers."""
    if kind not in NUMBERS and kind not in WORDS:
        return None
    gold_number = _number(gold, kind)
    pred_number = None if gold_number is None else _number(pred, kind)
    return None if gold_number is None or pred_number is None else (gold_number, pred_number)


def _number(text: str, kind: str) -> _Number | None:
    points = POINTS.get(kind, ".")
    usual = usual_number(text)
    if usual is not None and (points or text[-4:-3] != "."):  # what the rest would come to
        return _Number(usual, "")
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
    return _Number(value, " ".join(marks))


def _negated(value: str) -> str:
    if value.startswith("-"):
        return value[1:]
    return value if value == "0" else f"-{value}"


def _of_numbers(gold: _Number, pred: _Number) -> str | None:
    if gold.value == pred.value:
        return FORMATTING if _units_agree(gold.unit, pred.unit) else OTHER
    if gold.value == _negated(pred.value):
        return SIGN
    digits = gold.digits
    return FACTOR if digits and digits == pred.digits else None


def _units_agree(gold: str, pred: str) -> bool:
    """Whether two units are one, or one is left open, or both may be the same currency."""
    if not gold or not pred or gold == pred:
        return True
    return not {*MARKS.get(gold, ())}.isdisjoint(MARKS.get(pred, ()))


def _same_words(gold: str, pred: str) -> bool:
    gold_words, pred_words = words_of(gold), words_of(pred)
    if "".join(gold_words) == "".join(pred_words):
        return True
    # "Smith, John" is John Smith, but 1 of 2 is not 2 of 1
    return sorted(gold_words) == sorted(pred_words) and not any(map(_DIGIT.search, gold_words))


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


def _of_one_length(*numbers: _Number) -> tuple[str, str]:
    """Return the digits of two numbers, with zeros behind the one with fewer decimals."""
    parts = [number.value.lstrip("-").partition(".") for number in numbers]
    places = max(len(fraction) for _, _, fraction in parts)
    gold, pred = (whole + fraction.ljust(places, "0") for whole, _, fraction in parts)
    return gold, pred


def _transposed(gold: str, pred: str) -> bool:
    """Whether two neighbouring digits changed places and nothing else did."""
    if len(gold) != len(pred):
        return False
    wrong = [place for place, differs in enumerate(map(ne, gold, pred)) if differs]
    if len(wrong) != 2:
        return False
    first, second = wrong
    if gold[first] != pred[second] or gold[second] != pred[first]:
        return False
    neighbour = _DIGIT.search(gold, first + 1)
    return (
        _DIGIT.match(gold, first) is not None
        and neighbour is not None
        and neighbour.start() == second
    )


def _look_alike(gold: str, pred: str) -> bool:
    """Whether all characters that differ look alike, `rn` and `m` among them."""
    if gold == pred:
        return False
    gold_text, pred_text = unaccented(gold), unaccented(pred)
    if _in_every_place(gold_text, pred_text):
        return True
    gold_joined, pred_joined = _APART.sub(_joined, gold_text), _APART.sub(_joined, pred_text)
    return _in_every_place(gold_joined, pred_joined)


def _in_every_place(run: str, other: str) -> bool:
    return len(run) == len(other) and _PAIRS.issuperset(
        [pair for pair in zip(run, other, strict=True) if pair[0] != pair[1]]
    )


def _joined(letters: re.Match[str]) -> str:
    """Return the letter that two others look like side by side."""
    return _JOINED[letters[0]]


def _inside(part: str, whole: str) -> bool:
    """Whether one text is a stretch of another: its beginning, its end or what tells enough."""
    return (
        0 < len(part) < len(whole)
        and part in whole
        and (len(part) >= SHORTEST_INSIDE or whole.startswith(part) or whole.endswith(part))
    )
