"""Guessing a field's type from its values, never from its name.

The guesses stand in order, most specific first. Each asks two things: do nearly all values look
like this type, and can they be read as it? The first question is there because readers are
generous: most numbers can be read as an identifier, 14.05 as a time and R-88213 as an amount in
rand. Looking is cheap, so a reader is imported only for values that look like its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from docassay.kernel.digits import count_digits, count_letters
from docassay.kernel.senses import usual_day
from docassay.model.schema import DATE_ORDERS, EMPTY
from docassay.schema.observed import NEARLY_ALL, ObservedValues
from docassay.values.reader import READERS

MOST_CHOICES = 12
LONGEST_CHOICE = 20
ENOUGH_DISTINCT = 250
"""Distinct texts a field that a run without a schema looks at, in which each is guessed anew."""
ENOUGH_VALUES = 1_000
"""Values a field that it looks at: a share of 95 % of them is known to within two points."""
SHORTEST_ID = 4
"""Digits from which whole numbers of one length are identifiers: years, ZIP codes, numbers."""

_FULL_DATE = re.compile(r"\d{4}\D|\D\d{4}|[^\W\d_]{3}|\d[./-] ?\d{1,2}[./-] ?\d|^(19|20)\d{6}$")
_DAY_MONTH = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d{2})\b")
_WORD_OR_TWO_NUMBERS = re.compile(r"[^\W\d_]{3}|\d\D+\d|^\d{8}$")
_HOUR = re.compile(r"\d[:h]\d\d|\d ?[ap]\.?m\b", re.IGNORECASE)
_MIDNIGHT = re.compile(r"(?<![\d:])00:00(?::00(?:\.0+)?)?(?![\d:])")
_TIME = re.compile(
    r"\d{1,2} ?[:h.] ?\d\d([:.]\d\d)?( ?(uhr|hrs?|h))?\.?( ?[ap]\.? ?m\.?)?|\d{1,2} ?[ap]\.? ?m\.?",
    re.IGNORECASE,
)
_TIME_MARK = re.compile(r"[:h]|[ap]\.? ?m|uhr", re.IGNORECASE)
_PHONE = re.compile(r"\+\d++[ ().-][\d ().-]{5,}|\(\d{2,5}\) ?\d{3,4}[ .-]\d{3,4}")
_CENTS = re.compile(r"(?<![.,])[.,]\d\d(?!\d|[.,]\d)")
_THOUSANDS = re.compile(r"\D{0,4}[1-9]\d{0,2}([.,'’])\d{3}(?:\1\d{3})*\D{0,4}")
_MARKED = re.compile(
    r"[-(]? ?(?P<before>[^\d\s.,()+-]+\.?)?(?P<gap> ?)-? ?"
    r"(?P<amount>\d[\d.,'’ ]*)(?:,?-+)?(?P<behind> ?[^\d\s.,()+-]+\.?)?\)?-?"
)
_MARK = re.compile(r"[^\d\s.,()+'’-]+")
"""A whole word as it may stand before or behind an amount."""
_SIGNS = frozenset("$€£¥")
_PERCENT = re.compile(r"[%٪]|per ?cent|pct|prozent|pro[cs]ent|pour cent|por c", re.IGNORECASE)
_IN_PERCENTS = ("%", "٪", "cent", "pct", "prozent", "prosent", "por c")
"""One of them is in whatever is marked as a percentage."""
_UNIT = re.compile(r"[\d.,]+\s*([^\W\d_]{1,12}[²³]?)\.?")
_UNITS = frozenset(
    """
    kg kgs kilo g gr gm gram grams mg t ton tons tonnes lb lbs oz l lt ltr litre litres liter liters
    ml cl gal m metre metres meter meters km cm mm in inch inches ft feet m² m³ sqm cbm h hr hrs
    hour hours std min mins minute minutes sec day days tage week weeks month months year years kwh
    mwh kw gb mb tb pc pcs pce piece pieces ea each unit units stk szt st stück box boxes bottle
    bottles btl pack packs pk pkt set sets dozen doz
    """.split()  # noqa: SIM905 - a list would take one line a word
)
_CODE = re.compile(r"[#:]?[A-Za-z0-9][A-Za-z0-9/._:#-]*")
_FIGURE = re.compile(r"\D{0,4}\d+([.,]\d\d)?\D{0,4}")
_VERSION = re.compile(r"\d{1,2}\.(\d{1,2})(?:\.\d{1,2})*")
_STREET = re.compile(
    r"(?i)\b\d+\S*( [^\s,]+){1,4}"
    r" (street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd|highway|hwy)\b"
    r"|\b(rue|calle|avenida|av|rua|ul) [^\d,]+,? ?\d|p\.?o\.? box \d"
    r"|(str(a(ß|ss)e|\.)|weg|platz|gasse|allee) \d"
)
_LANE = re.compile(r"(?i)\b\d+\S*( [^\s,]+){1,4} (drive|dr|court|ct|place|pl|square|sq|way)\b.*,")
_POSTCODE = re.compile(r"\D\b\d{4,6}\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")
_GROUPED = re.compile(r"[.,'’ ]\d")
_GAP = re.compile(r"[ -]")
_ZERO_FILLED = re.compile(r"0\d")
_YEAR = re.compile(r"(19|20)\d\d")
_LABELS = frozenset({"inv", "abn", "acn", "iban", "ref", "order", "invoice", "account", "item"})
"""Words of more than three letters, or known ones, that stand before an identifier."""


class Guess(NamedTuple):
    """A type and the options that go with it."""

    type: str
    options: Mapping[str, object]


def guess(values: ObservedValues, *, choices: bool = False) -> Guess:
    """Return the most specific type that nearly all values have.

    With `choices` a few words that repeat are a choice, whose list a person should look at.
    """
    name = next((name for name, looks in _GUESSES if looks(values)), "text")
    if choices and name == "text" and _choice(values):
        name = "choice"
    options: Mapping[str, object] = {"choices": _spellings(values)} if name == "choice" else EMPTY
    return Guess(name, options)


def date_order(texts: Iterable[str]) -> str | None:
    """Return the order of day and month that dates such as 16/07/2025 give away, or None."""
    first = second = 0
    for text in texts:
        match = _DAY_MONTH.match(text)
        if match is not None:
            first += int(match[1]) > 12
            second += int(match[3]) > 12
    if first == second:
        return None
    return DATE_ORDERS[0] if first > second else DATE_ORDERS[1]


def ambiguous_date(texts: Iterable[str]) -> str | None:
    """Return a date such as 03/04/2025, which means two days by the order of day and month."""
    for text in texts:
        match = _DAY_MONTH.match(text)
        if match is not None and match[1] != match[3] and max(int(match[1]), int(match[3])) <= 12:
            return text
    return None


def _boolean(values: ObservedValues) -> bool:
    if values.truths == values.seen:
        return True
    if len(values.texts) < 2 or max(map(len, values.texts)) > 12:
        return False
    if _is_figure("".join(values.texts)) or not values.mostly("boolean"):
        return False
    function = READERS.get("boolean").function
    return len({function(text) for text in values.read_as("boolean")}) == 2


def _date(values: ObservedValues) -> bool:
    return values.look_and_read(_names_day, "date", _is_usual_day)


def _is_usual_day(text: str) -> bool:
    """Whether a text is a day in figures, which names one and can be read."""
    return usual_day(text, True) is not None


def _date_range(values: ObservedValues) -> bool:
    return values.look_and_read(_names_day, "date_range")


def _names_day(text: str) -> bool:
    """Whether a text may be a date; one with a time of day is more than the date would keep."""
    if len(text) > 80 or not count_digits(text) or _FULL_DATE.search(text) is None:
        return False
    if _WORD_OR_TWO_NUMBERS.search(text) is None:
        return False
    return _HOUR.search(text) is None or _MIDNIGHT.search(text) is not None


def _time(values: ObservedValues) -> bool:
    return (
        values.nearly_all(_matches(_TIME))
        and all(_TIME_MARK.search(text) for text in values.texts if _matches(_TIME)(text))
        and values.mostly("time")
    )


def _phone(values: ObservedValues) -> bool:
    return values.look_and_read(_matches(_PHONE), "phone")


def _currency(values: ObservedValues) -> bool:
    return _listed(values, "currency", lambda text: not text.isalpha() or _is_code(text, 3))


def _country(values: ObservedValues) -> bool:
    return _listed(values, "country", lambda text: _is_code(text, 3) or len(text) > 3)


def _language(values: ObservedValues) -> bool:
    return _listed(values, "language", lambda text: len(text) > 3 or text.islower())


def _listed(values: ObservedValues, reader: str, looks: Callable[[str], bool]) -> bool:
    """Whether all values stand in the table of a reader, and mean two things at least."""
    if len(values.texts) < 2 or any(map(count_digits, values.texts)):
        return False
    texts = [text.strip() for text in values.texts]
    if max(map(len, texts)) > 40 or not all(map(looks, texts)) or not values.all_read_as(reader):
        return False
    function = READERS.get(reader).function
    return len({str(function(text)) for text in texts}) > 1


def _is_code(text: str, longest: int) -> bool:
    """Whether a text is a code in capitals, as those of currencies and countries are written."""
    return (len(text) > longest or text.isupper()) and len(text) > 1


def _money(values: ObservedValues) -> bool:
    if not any(map(count_digits, values.texts)):
        return False
    marked = not values.bare and _have_currency_mark(values.texts)
    if marked and any(map(_states_currency, values.texts)):
        coded = _looks_coded_amount
        return not values.share(coded) > 1 - NEARLY_ALL and values.mostly("money")
    if len(values.texts) < 2:
        return False
    cents = values.nearly_all(_has_cents)
    # a number of JSON has a decimal point, whatever texts mean by it
    thousands = not values.numbers and _in_thousands(values)
    return (cents or thousands) and values.mostly("money")


def _has_cents(text: str) -> bool:
    """Whether an amount ends in two decimals, whatever its thousands are grouped by."""
    marks = [*_CENTS.finditer(text)]
    return bool(marks) and not any(map(str.isdigit, text[marks[-1].end() :]))


def _in_thousands(values: ObservedValues) -> bool:
    """Whether a point groups thousands, as in 60.000.

    A second group proves it, and so do commas that group in other values, or round figures only.
    """
    if "." not in "".join(values.texts):
        return False
    if not values.nearly_all(lambda text: _matches(_THOUSANDS)(text) or _matches(_FIGURE)(text)):
        return False
    groups = {text for text in values.texts if _matches(_THOUSANDS)(text)}
    pointed = [text for text in groups if "." in text]
    if not pointed or not values.reaches(0.5, groups.__contains__):
        return False
    twice = any(sum(map(text.count, ".'’")) > 1 for text in pointed)
    commas = any("," in text for text in groups)
    return twice or commas or all(text.strip().endswith("00") for text in pointed)


def _have_currency_mark(texts: Iterable[str]) -> bool:
    """Whether a word of any text is a sign, code or name of a currency, or has such a sign.

    A look at all words at once tells that most fields have none.
    """
    from docassay.values.read.currencies import MARKS

    words = {*_MARK.findall("\n".join(texts))}
    return any(word.lower() in MARKS or not _SIGNS.isdisjoint(word) for word in words)


def _states_currency(text: str) -> bool:
    """Whether a text has the sign, code or name of a currency beside an amount.

    A letter or two (R, kr, RM) say so only beside an amount with cents or thousands, or behind it:
    otherwise it is how a code begins.
    """
    match = _MARKED.fullmatch(text.strip())
    if match is None or not (match["before"] or match["behind"]):
        return False
    from docassay.values.read.currencies import CODES, MARKS

    amount = match["amount"].strip()
    for mark, before in ((match["before"], True), (match["behind"], False)):
        word = (mark or "").strip().rstrip(".")
        if not word:
            continue
        if not any(map(str.isalpha, word)):
            return word.lower() in MARKS
        if word.lower() not in MARKS and _SIGNS.isdisjoint(word):
            continue
        if _GROUPED.search(amount) is not None or not _SIGNS.isdisjoint(word):
            return True
        whole = amount.isdecimal() and (len(amount) < 2 or amount[0] != "0")
        apart = match["gap"] == " " or not before
        if whole and apart and (word in CODES or not before):
            return True
    return False


def _looks_coded_amount(text: str) -> bool:
    """Whether letters and digits stand together as in R-88213, which is no amount of rand."""
    return _looks_coded(text) and not _states_currency(text)


def _percent(values: ObservedValues) -> bool:
    # a look at all texts at once tells that most fields have nothing to do with it
    if values.bare or not values.mention(_IN_PERCENTS):
        return False
    marked = values.reaches(0.5, lambda text: _PERCENT.search(text) is not None)
    return marked and values.mostly("percent")


def _quantity(values: ObservedValues) -> bool:
    if values.bare:
        return False
    units = {text: match[1] for text in values.texts if (match := _UNIT.fullmatch(text.strip()))}
    if len(values.texts) < 2 or not units:
        return False
    usual = all(unit.casefold() in _UNITS for unit in units.values())
    return usual and values.mostly("quantity")


def _id(values: ObservedValues) -> bool:
    if len(values.texts) < 2:
        return False
    if values.nearly_all(_looks_coded):
        return True  # whatever looks so can be read
    if values.numbers:
        return values.bare and all(map(_YEAR.fullmatch, values.texts))
    lengths = set()
    for text in values.texts:
        digits = _GAP.sub("", text.strip())
        if not digits.isdecimal() or text.startswith("-"):
            return False
        lengths.add(len(digits))
    plain = all(text.strip().isdecimal() for text in values.texts)
    shortest = SHORTEST_ID if plain else 6
    return (len(lengths) == 1 and min(lengths) >= shortest) or min(lengths) >= 9


def _number(values: ObservedValues) -> bool:
    if values.bare:
        return True
    if len(values.texts) < 2 or not values.nearly_all(_has_digit):
        return False
    return not _zero_filled(values) and not _are_versions(values) and values.mostly("number")


def _are_versions(values: ObservedValues) -> bool:
    """Whether a zero at the end may count, as in 1.10 after 1.9, where decimals have no one length.

    Such texts number sections or versions as often as they measure.
    """
    if not values.nearly_all(_matches(_VERSION)):
        return False
    decimals = [match[1] for t in values.texts if (match := _VERSION.fullmatch(t.strip()))]
    return len({*map(len, decimals)}) > 1 and any(part.endswith("0") for part in decimals)


def _choice(values: ObservedValues) -> bool:
    distinct = len({text.casefold() for text in values.texts})
    short = all(len(text) <= LONGEST_CHOICE for text in values.texts)
    return short and 2 <= distinct <= MOST_CHOICES and values.seen >= max(6, 3 * distinct)


def _address(values: ObservedValues) -> bool:
    if len(values.texts) < 2 or not values.reaches(0.8, _looks_placed):
        return False
    posted = values.reaches(0.8, lambda t: "," in t and _POSTCODE.search(t) is not None)
    return posted or values.reaches(0.5, _in_street)


def _in_street(text: str) -> bool:
    return _STREET.search(text) is not None or _LANE.search(text) is not None


def _zero_filled(values: ObservedValues) -> bool:
    """Whether numbers are written as codes are: 007."""
    return any(map(_ZERO_FILLED.match, values.texts))


def _looks_coded(text: str) -> bool:
    """Whether letters and digits mix as in INV-001, or digits are filled up with zeros."""
    parts = text.split()
    if count_digits(text) < 2 or not parts or len(parts) > 8:
        return False
    for part in parts:
        if _CODE.fullmatch(part) is None:
            return False
        # a longer word is a description, unless it is one that stands before identifiers
        if part.isalpha() and len(part) > 3 and part.casefold() not in _LABELS:
            return False
    return count_letters(text) > 0 or _ZERO_FILLED.match(text) is not None


def _looks_placed(text: str) -> bool:
    return count_digits(text) > 0 and count_letters(text) >= 5 and len(text.split()) >= 3


def _has_digit(text: str) -> bool:
    return count_digits(text) > 0


def _is_figure(text: str) -> bool:
    digits = text.replace(".", "").replace(",", "")
    return bool(text) and (not digits or digits.isdecimal())


def _matches(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text.strip()) is not None


def _spellings(values: ObservedValues) -> tuple[str, ...]:
    """Return the commonest spelling of each value, sorted."""
    spellings: dict[str, str] = {}
    for text, _ in sorted(values.texts.items(), key=lambda item: (-item[1], item[0])):
        spellings.setdefault(" ".join(text.split()).casefold(), " ".join(text.split()))
    return tuple(sorted(spellings.values()))


_GUESSES: tuple[tuple[str, Callable[[ObservedValues], bool]], ...] = (
    ("boolean", _boolean),
    ("date", _date),
    ("date_range", _date_range),
    ("time", _time),
    ("phone", _phone),
    ("currency", _currency),
    ("country", _country),
    ("language", _language),
    ("percent", _percent),
    ("money", _money),
    ("quantity", _quantity),
    ("id", _id),
    ("number", _number),
    ("address", _address),
)
