"""The cause of a substitution as far as the two texts tell: the first rule that holds.

The rules go from the most to the least specific: what exchanges two digits is rarely anything
else, while a text that is part of another may be so for many reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

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
from docassay.values.read.number import decimal_of, dissect

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
_PAIRS = frozenset(pair for letters in _ALIKE for pair in combinations(sorted(letters), 2))


def cause_between(gold: Reading, pred: Reading, field: BoundField) -> str:
    """Return why pred is not gold: of gold's alternatives, the one whose cause is asked first."""
    causes = {cause_of(reading.text, pred.text, field) for reading in gold.accepted}
    return min(causes, key=CAUSES.index)


def cause_of(gold: str, pred: str, field: BoundField) -> str:
    """Return why pred's text is not gold's, for a field whose comparator tells them apart."""
    gold_value, pred_value = _number(gold, field), _number(pred, field)
    numbers = None if gold_value is None or pred_value is None else (gold_value, pred_value)
    by_value = _of_numbers(*numbers) if numbers else _of_words(gold, pred, field)
    spelt = [*_spellings(gold, pred, numbers)]
    if by_value is not None:
        # 1OO is no 1 with a unit: where digits became letters, the number says nothing
        return LOOK_ALIKE if _loses_digits(*spelt[0]) else by_value
    if any(_transposed(*spellings) for spellings in spelt):
        return TRANSPOSED
    if any(_look_alike(*spellings) for spellings in spelt):
        return LOOK_ALIKE
    # digits alone say nothing here: 2.00 is no part of 2.50, though 2 is one of 25
    written = spelt[:2]
    if _part(pred, gold, [(pred_value, gold_value) for gold_value, pred_value in written]):
        return TRUNCATED
    return EXTRA if _part(gold, pred, written) else OTHER


def _of_words(gold: str, pred: str, field: BoundField) -> str | None:
    return FORMATTING if _same_words(gold, pred) else _of_dates(gold, pred, field)


def _loses_digits(gold: str, pred: str) -> bool:
    """Whether letters stand for digits, or digits for letters, and nothing else differs."""
    return len(_DIGIT.findall(gold)) != len(_DIGIT.findall(pred)) and _look_alike(gold, pred)


@lru_cache(4096)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, without case and punctuation."""
    return tuple(_WORD.findall(fold(plain(text)).replace("&", " and ")))


def is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether some words stand in order among more others."""
    left = iter(whole)
    return 0 < len(part) < len(whole) and all(word in left for word in part)


class _Number(NamedTuple):
    """A number and the currency or unit that stands beside it."""

    value: Decimal
    unit: str


def _number(text: str, field: BoundField) -> _Number | None:
    kind = field.spec.type
    parts = dissect(text) if kind in NUMBERS or kind in WORDS else None
    if parts is None:
        return None
    around = [unaccented(mark).strip(" .") for mark in (parts.head, parts.tail)]
    marks = [mark for mark in around if mark and mark not in BOOKED]
    all_units = all(mark in MARKS or mark == "%" for mark in marks)
    if not all_units and (kind in WORDS or max(map(len, marks)) > LONGEST_UNIT):
        return None
    value = decimal_of(parts, POINTS.get(kind, "."))
    if value is None:
        return None
    debit = any(BOOKED.get(mark, False) for mark in around)
    return _Number(value.copy_negate() if debit else value, " ".join(marks))


def _of_numbers(gold: _Number, pred: _Number) -> str | None:
    gold_value, pred_value = gold.value, pred.value
    if gold_value == pred_value:
        return FORMATTING if _units_agree(gold.unit, pred.unit) else OTHER
    if gold_value == pred_value.copy_negate():
        return SIGN
    if gold_value and pred_value and _digits(gold_value) == _digits(pred_value):
        return FACTOR
    return None


def _units_agree(gold: str, pred: str) -> bool:
    """Whether two units are one, or one is left open, or both may be the same currency."""
    if not gold or not pred or gold == pred:
        return True
    return not {*MARKS.get(gold, ())}.isdisjoint(MARKS.get(pred, ()))


def _digits(number: Decimal) -> str:
    """Return the digits of a number without the zeros at either end."""
    return "".join(map(str, number.as_tuple().digits)).strip("0")


def _same_words(gold: str, pred: str) -> bool:
    gold_words, pred_words = words_of(gold), words_of(pred)
    if "".join(gold_words) == "".join(pred_words):
        return True
    # "Smith, John" is John Smith, but 1 of 2 is not 2 of 1
    return sorted(gold_words) == sorted(pred_words) and not any(map(_DIGIT.search, gold_words))


def _of_dates(gold: str, pred: str, field: BoundField) -> str | None:
    """Return what tells two dates apart: the way they are written, or day for month."""
    if field.spec.type not in WORDS | DATES:
        return None
    day_first = field.schema.dates == "day-first"
    gold_date, pred_date = (parse_date(text, day_first=day_first) for text in (gold, pred))
    if gold_date is None or pred_date is None:
        return None
    if gold_date == pred_date:
        return FORMATTING
    swapped = pred_date._replace(month=pred_date.day, day=pred_date.month)
    return TRANSPOSED if gold_date == swapped else None


def _spellings(
    gold: str, pred: str, numbers: tuple[_Number, _Number] | None
) -> Iterator[tuple[str, str]]:
    """Yield both texts without what stands between letters and digits, as written and as read."""
    yield "".join(words_of(gold.translate(_STROKES))), "".join(words_of(pred.translate(_STROKES)))
    if numbers is not None:
        gold_value, pred_value = (number.value for number in numbers)
        places = max(0, *(-int(value.as_tuple().exponent) for value in (gold_value, pred_value)))
        yield (
            f"{gold_value.copy_abs():.{places}f}".replace(".", ""),
            f"{pred_value.copy_abs():.{places}f}".replace(".", ""),
        )
        yield _digits(gold_value), _digits(pred_value)


def _transposed(gold: str, pred: str) -> bool:
    """Whether two neighbouring digits changed places and nothing else did."""
    if len(gold) != len(pred) or _DIGIT.sub("#", gold) != _DIGIT.sub("#", pred):
        return False
    golds, preds = _DIGIT.findall(gold), _DIGIT.findall(pred)
    wrong = [i for i, (digit, other) in enumerate(zip(golds, preds, strict=True)) if digit != other]
    return (
        len(wrong) == 2
        and wrong[1] == wrong[0] + 1
        and golds[wrong[0]] == preds[wrong[1]]
        and golds[wrong[1]] == preds[wrong[0]]
    )


def _look_alike(gold: str, pred: str) -> bool:
    """Whether all characters that differ look alike, `rn` and `m` among them."""
    gold_text, pred_text = unaccented(gold), unaccented(pred)
    return gold != pred and any(
        len(run) == len(other)
        and all(a == b or (min(a, b), max(a, b)) in _PAIRS for a, b in zip(run, other, strict=True))
        for run, other in ((gold_text, pred_text), (_joined(gold_text), _joined(pred_text)))
    )


def _joined(text: str) -> str:
    """Return a text in which letters that look like one letter are that letter."""
    for apart, letter in _JOINED.items():
        text = text.replace(apart, letter)
    return text


def _part(short: str, long: str, spelt: list[tuple[str, str]]) -> bool:
    """Whether one text is a part of the other: some of its words, or a stretch of its letters."""
    if is_part(words_of(short), words_of(long)):
        return True
    return any(
        0 < len(part) < len(whole)
        and (
            whole.startswith(part)
            or whole.endswith(part)
            or (len(part) >= SHORTEST_INSIDE and part in whole)
        )
        for part, whole in spelt
    )
