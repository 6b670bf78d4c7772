"""The values of one record (a document's own fields, or a row) as a model reads them.

How a confidence comes to mean something: the doubt in a value, its chance of coming out wrong, is
drawn before the value is. A candid model reports one less its doubt, so that among values reported
with 0.8 about one in five is wrong; an over-confident one admits only a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from docassay.analysis.draw import Draw, pick
from docassay.synth.documents import KINDS, address, amount, business_number, money, person
from docassay.synth.profiles import Profile
from docassay.synth.words import MONTHS, STRAY_TEXTS

Mistake = Callable[[str, Sequence[str], Draw], str | None]
"""(right text, values of other fields of the same type, draws) -> wrong text."""

# letters that casefolding keeps apart from what they are mistaken for
_LOOK_ALIKE = {
    **dict(zip("0123456789OlISBZm", ("O", *"lZ8ASG1Bg011582", "rn"), strict=True)),
    "rn": "m",
}
_CONFUSABLE = re.compile("rn|[" + "".join(c for c in _LOOK_ALIKE if len(c) == 1) + "]")
_DIGIT = re.compile(r"\d")
_NOT_CENTS = str.maketrans("", "", "$,.")


def ocr(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take one character for another of the same look."""
    places = list(_CONFUSABLE.finditer(text))
    if not places:
        return None
    place = pick(draw, places)
    return f"{text[: place.start()]}{_LOOK_ALIKE[place.group()]}{text[place.end() :]}"


def digits_transposed(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Exchange two neighbouring digits."""
    places = [match.start() for match in _DIGIT.finditer(text)]
    pairs = [(a, b) for a, b in pairwise(places) if text[a] != text[b]]
    if not pairs:
        return None
    a, b = pick(draw, pairs)
    return f"{text[:a]}{text[b]}{text[a + 1 : b]}{text[a]}{text[b + 1 :]}"


def factor_of_ten(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Make a number ten times what it is."""
    if "$" in text:
        cents = _cents(text)
        return money(10 * cents) if cents else None
    return None if "." in text else f"{text}0"


def separator(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Lose the decimal point."""
    if "$" in text:
        cents = _cents(text)
        return money(100 * cents).removesuffix(".00") if cents else None
    return text.replace(".", "") if "." in text else None


def sign_lost(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Lose the sign of a negative number."""
    return text[1:] if text.startswith("-") else None


def truncated(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Keep less than half of the text."""
    # half of a firm's name is less than the name without its legal form
    return text[: max(1, int(len(text) * (0.25 + 0.2 * draw())))].rstrip(" ,")


def extra_text(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take text from nearby for a part of the value."""
    stray = pick(draw, STRAY_TEXTS)
    return f"{stray} {text}" if draw() < 0.3 else f"{text} {stray}"


def other_field(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the value of another field."""
    return pick(draw, others) if others else None


def day_month_swapped(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the day for the month."""
    day, month, year = text.split("/")
    return f"{month}/{day}/{year}" if day != month and int(day) <= 12 else None


def flag_flipped(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Say yes for no."""
    return "False" if text == "True" else "True"


def document_type(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the document for one of another kind."""
    foreign = [kind.titles for kind in KINDS.values() if text not in kind.titles]
    return pick(draw, pick(draw, foreign))


def missing(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Find no value: here alone None is the mistake, and it always applies."""
    return None


def _cents(text: str) -> int:
    return int(text.translate(_NOT_CENTS))


_MISTAKES: Mapping[str, tuple[Mistake, ...]] = {
    "document_type": (document_type,),
    "id": (ocr, digits_transposed, truncated, missing),
    "name": (ocr, truncated, extra_text, other_field, missing),
    "address": (ocr, digits_transposed, truncated, extra_text, other_field, missing),
    "text": (ocr, digits_transposed, truncated, extra_text, missing),
    "date": (ocr, day_month_swapped, digits_transposed, missing),
    "date_range": (ocr, digits_transposed, truncated, missing),
    "boolean": (flag_flipped, missing),
    "quantity": (ocr, digits_transposed, factor_of_ten, separator, missing),
    "money": (
        ocr,
        digits_transposed,
        factor_of_ten,
        separator,
        other_field,
        sign_lost,
        missing,
    ),
}


@cache
def _mix(kind: str, prone: tuple[str, ...]) -> tuple[Mistake, ...]:
    return tuple(m for m in _MISTAKES[kind] for _ in range(3 if m.__name__ in prone else 1))


def spoil(
    text: str, kind: str, others: Sequence[str], *, prone: tuple[str, ...], draw: Draw
) -> tuple[str, str | None]:
    """Return the cause and the wrong value, None for a value gone missing."""
    mix = _mix(kind, prone)
    first = int(draw() * len(mix))
    for mistake in (*mix[first:], *mix[:first]):
        wrong = mistake(text, others, draw)
        if mistake is missing or wrong is not None:
            return mistake.__name__, wrong
    raise AssertionError(f"no mistake applies to {kind} {text!r}")


def invent(kind: str, draw: Draw) -> str:
    """Return a value for a field that the document does not have."""
    if kind == "id":
        return business_number(draw)
    if kind == "name":
        return person(draw)
    return address(draw) if kind == "address" else amount(draw)


Reformat = Callable[[str, Draw], str | None]
"""(text in the notation of gold, draws) -> another notation, None where there is no other."""

_DATE_PATTERNS = (
    "{y}-{m}-{d}",
    "{d} {name} {y}",
    "{d}-{short}-{yy}",
    "{short} {d}, {y}",
    "{d}.{m}.{y}",
)


def _case(text: str, draw: Draw) -> str:
    return text.upper() if draw() < 0.7 else text.lower()


def _white_space(text: str, draw: Draw) -> str:
    if " " not in text:
        return f" {text}" if draw() < 0.5 else f"{text} "
    words = text.split(" ")
    place = 1 + int(draw() * (len(words) - 1))
    gap = "\n" if draw() < 0.4 else "  "
    return f"{' '.join(words[:place])}{gap}{' '.join(words[place:])}"


def _date_format(text: str, draw: Draw) -> str:
    pattern = pick(draw, _DATE_PATTERNS)
    return " to ".join(_write_date(date, pattern) for date in text.split(" to "))


def _write_date(text: str, pattern: str) -> str:
    day, month, year = text.split("/")
    name = MONTHS[int(month) - 1]
    return pattern.format(d=day, m=month, y=year, yy=year[2:], name=name, short=name[:3])


def _money_format(text: str, draw: Draw) -> str:
    sign, digits = ("-", text[2:]) if text.startswith("-") else ("", text[1:])
    return pick(
        draw,
        (
            f"{sign}{digits}",
            f"{sign}{digits.replace(',', '')}",
            f"{sign}${digits.replace(',', '')}",
            f"{sign}AUD {digits}",
        ),
    )


def _quantity_format(text: str, draw: Draw) -> str | None:
    return None if "." in text else f"{text}.0" if draw() < 0.6 else f"{text}.00"


def _id_format(text: str, draw: Draw) -> str:
    bare, dashed = text.replace(" ", ""), text.replace(" ", "-")
    return pick(draw, (bare, dashed, f"ABN {text}", f"ABN: {bare}"))


_WORDS: tuple[tuple[str, Reformat], ...] = (("case", _case), ("white_space", _white_space))
_SPACE = _WORDS[1]
_REFORMATS: Mapping[str, tuple[tuple[str, Reformat], ...]] = {
    "document_type": (_WORDS[0],),
    "id": (("id_format", _id_format), _SPACE),
    "name": _WORDS,
    "address": _WORDS,
    "text": _WORDS,
    "date": (("date_format", _date_format),),
    "date_range": (("date_format", _date_format), _SPACE),
    "boolean": (_WORDS[0],),
    "quantity": (("number_format", _quantity_format),),
    "money": (("number_format", _money_format),) * 3 + (_SPACE,),
}
HARMLESS = frozenset(cause for forms in _REFORMATS.values() for cause, _ in forms)
"""Causes that change how a value is written but not what it means."""


def reformat(text: str, kind: str, draw: Draw) -> tuple[str, str] | None:
    """Return the cause and the same value written in another way, if there is one."""
    cause, form = pick(draw, _REFORMATS[kind])
    written = form(text, draw)
    return None if written is None or written == text else (cause, written)


Leaf = str | None | dict[str, str | float | None]
NOT_FOUND = "NOT_FOUND"
_HARDNESS = {
    "document_type": 0.4,
    "boolean": 0.7,
    "quantity": 0.6,
    "date": 0.7,
    "money": 0.8,
    "date_range": 1.0,
    "name": 1.0,
    "id": 1.2,
    "text": 1.4,
    "address": 1.8,
}


class Hand(NamedTuple):
    """A model at work on one document."""

    profile: Profile
    difficulty: float
    draw: Draw
    confidences: bool

    def happens(self, chance: float) -> bool:
        """Draw whether something of this chance on an average document happens on this one."""
        return self.draw() < chance * self.difficulty

    def leaf(self, value: str | None, doubt: float) -> Leaf:
        """Return a value with the confidence that the model reports for this much doubt."""
        confidence = 1 - doubt * self.profile.candour + 0.03 * (self.draw() - 0.5)
        if not self.confidences:
            return value
        return {"value": value, "confidence": round(min(max(confidence, 0.01), 0.999), 3)}

    def shaky(self, value: str | None) -> Leaf:
        """Return a value of a row that was misread as a whole."""
        return self.leaf(value, 0.3 + 0.5 * self.draw())


class Note(NamedTuple):
    """What went wrong at a field, or at the record as a whole (field None)."""

    field: str | None
    cause: str
    gold: object
    origin: int | None
    """The number of the gold row; None for a document's own fields and for what gold has not."""


class PredictedRecord(NamedTuple):
    """Predicted leaves and what was done to them."""

    leaves: dict[str, Leaf]
    notes: list[Note]
    origin: int | None
    """The number of the gold row that this one reads, None when it reads no single one."""


def plain(leaf: Leaf) -> str | None:
    """Return the value of a leaf, None when it says that there is none."""
    value = leaf.get("value") if isinstance(leaf, dict) else leaf
    return value if isinstance(value, str) and value != NOT_FOUND else None


def plain_row(leaves: Mapping[str, Leaf]) -> dict[str, str]:
    """Return the values of a row without confidences and without what is not there."""
    values = {field: plain(leaf) for field, leaf in leaves.items()}
    return {field: value for field, value in values.items() if value is not None}


def read_record(
    gold: Mapping[str, str], types: Mapping[str, str], hand: Hand, *, origin: int | None = None
) -> PredictedRecord:
    """Return a record as the model reads it."""
    profile, difficulty, draw, _ = hand
    record = PredictedRecord({}, [], origin)
    for field, kind in types.items():
        value = gold.get(field)
        if value is None:
            _read_nothing(field, kind, hand, record)
            continue
        doubt = _doubt(profile.wrong * difficulty * _HARDNESS[kind], draw)
        if draw() < doubt:
            others = [v for f, v in gold.items() if types[f] == kind and v != value]
            cause, wrong = spoil(value, kind, others, prone=profile.prone, draw=draw)
            record.notes.append(Note(field, cause, value, origin))
            _put(field, wrong, doubt, hand, record)
            continue
        if draw() < profile.reformatted:
            new = reformat(value, kind, draw)
            if new is not None:
                record.notes.append(Note(field, new[0], value, origin))
                value = new[1]
        record.leaves[field] = hand.leaf(value, doubt)
    return record


def _doubt(mean: float, draw: Draw) -> float:
    """Return a doubt with this mean: next to nothing for most values, large for a few."""
    u = draw()
    u *= u
    u *= u
    u *= u
    u *= u
    return min(0.95, 17 * u * mean)


def _read_nothing(field: str, kind: str, hand: Hand, record: PredictedRecord) -> None:
    if hand.happens(hand.profile.invented):
        record.notes.append(Note(field, "invented", None, None))
        record.leaves[field] = hand.shaky(invent(kind, hand.draw))
    elif record.origin is None and hand.draw() < 0.5:
        record.leaves[field] = hand.leaf(NOT_FOUND, 0.02)


def _put(field: str, value: str | None, doubt: float, hand: Hand, record: PredictedRecord) -> None:
    """Add a wrong value; one gone missing is left out, null or marked as not found."""
    way = hand.draw()
    if value is not None:
        record.leaves[field] = hand.leaf(value, doubt)
    elif way < 0.6:
        record.leaves[field] = hand.leaf(NOT_FOUND if way < 0.3 else None, doubt)
