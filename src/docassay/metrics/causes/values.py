"""The cause of a substitution as far as the two texts tell: the first rule that holds.

The rules go from the most to the least specific: what exchanges two digits is rarely anything
else, while a text that is part of another may be so for many reasons.
"""

from __future__ import annotations

import re

from docassay.kernel.mistakes import (
    SPELT_ALIKE,
    SPELT_LONGER,
    SPELT_NEGATED,
    SPELT_OTHERWISE,
    SPELT_SAME,
    SPELT_SHIFTED,
    SPELT_SHORTER,
    SPELT_TRANSPOSED,
    UNTOLD,
    Number,
    SpellingRules,
    Spellings,
    Words,
)
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
BY_SPELLING = {
    SPELT_SAME: FORMATTING,
    SPELT_NEGATED: SIGN,
    SPELT_SHIFTED: FACTOR,
    SPELT_TRANSPOSED: TRANSPOSED,
    SPELT_ALIKE: LOOK_ALIKE,
    SPELT_SHORTER: TRUNCATED,
    SPELT_LONGER: EXTRA,
    SPELT_OTHERWISE: OTHER,
}


def words_of(text: str) -> Words:
    """Return the words and numbers of a text, without case and punctuation."""
    return SPELLINGS.words(text)


def _words(text: str) -> Words:
    """Return the same of a text that is not in ASCII."""
    return tuple(_WORD.findall(fold(plain(text)).replace("&", " and ")))


def _number(text: str, kind: str) -> Number | None:
    """Return the number of a text that is written in no usual way, None where it is none."""
    parts = dissect(text)
    if parts is None:
        return None
    around = [unaccented(mark).strip(" .") for mark in (parts.head, parts.tail)]
    marks = [mark for mark in around if mark and mark not in BOOKED]
    all_units = all(mark in MARKS or mark == "%" for mark in marks)
    if not all_units and (kind in WORDS or max(map(len, marks)) > LONGEST_UNIT):
        return None
    value = canonical_digits(parts, POINTS.get(kind, "."))
    if value is None:
        return None
    if any(BOOKED.get(mark, False) for mark in around):
        value = _negated(value)
    return value, " ".join(marks)


def _negated(value: str) -> str:
    if value.startswith("-"):
        return value[1:]
    return value if value == "0" else f"-{value}"


def _units_agree(gold: str, pred: str) -> bool:
    """Whether two units are one, or one is left open, or both may be the same currency."""
    if not gold or not pred or gold == pred:
        return True
    return not {*MARKS.get(gold, ())}.isdisjoint(MARKS.get(pred, ()))


def _of_dates(gold: str, pred: str, kind: str, dates: str) -> int:
    """Return what tells two dates apart: the way they are written, or day for month."""
    if kind not in WORDS and kind not in DATES:
        return UNTOLD
    day_first = dates == "day-first"
    gold_date = parse_date(gold, day_first=day_first)
    pred_date = None if gold_date is None else parse_date(pred, day_first=day_first)
    if gold_date is None or pred_date is None:
        return UNTOLD
    if gold_date == pred_date:
        return SPELT_SAME
    swapped = pred_date._replace(month=pred_date.day, day=pred_date.month)
    return SPELT_TRANSPOSED if gold_date == swapped else UNTOLD


RULES = SpellingRules(
    number_kinds=NUMBERS,
    open_kinds=WORDS,
    cents_kinds=frozenset(POINTS),
    before_numbers=frozenset(mark.split()[0] for mark in (*MARKS, *BOOKED, "%")),
    in_dates=IN_DATES,
    words=_words,
    number=_number,
    units_agree=_units_agree,
    dates=_of_dates,
    unaccented=unaccented,
    causes=BY_SPELLING,
    order=CAUSES,
)
SPELLINGS = Spellings(RULES)
"""Tells how two texts differ."""
cause_between, cause_of = SPELLINGS.cause_between, SPELLINGS.cause_of
