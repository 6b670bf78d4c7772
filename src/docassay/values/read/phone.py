"""Telephone numbers: the digits, the country when the text states one, and the extension."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.values.comparator import comparator
from docassay.values.read.characters import plain
from docassay.values.reader import reader

_LABEL = re.compile(
    r"^(?:telephone|telefono?|téléphone|tel|phone|ph|mobile|mob|cell|fax|call|t|p|m|f)\b[.:]* *",
    re.IGNORECASE,
)
_EXTENSION = re.compile(
    r"[ ,;]*(?:extension|ext|extn|x|durchwahl|poste|#)[.:]* ?([0-9]{1,7})$", re.IGNORECASE
)
_SHAPE = re.compile(r"\+?[0-9 ()./\-·\[\]]+")
_AMERICAN = re.compile(r"1[ .\-]*[ .\-(][ .\-(]*[2-9][0-9]{2}[ .\-)]*[0-9]{3}[ .\-]*[0-9]{4}")
_LONGEST = 80


class Phone(NamedTuple):
    """A number as dialled inside its country, the country's code, and the extension."""

    number: str
    country: str | None
    """The calling code; None: the text does not say."""
    extension: str

    @property
    def subscriber(self) -> str:
        """The number without the zeros that are dialled only inside a country."""
        return self.number.lstrip("0") or self.number

    def __str__(self) -> str:
        country = "" if self.country is None else f"+{self.country} "
        return f"{country}{self.number}{' ext ' if self.extension else ''}{self.extension}"


@reader("phone", compare="phone")
def read_phone(text: str, *, country: str | None = None) -> Phone:
    """Read a telephone number; `country` (such as AU) is where numbers without one are from."""
    region = _region(country)
    line = _LABEL.sub("", plain(text), count=1) if len(text) <= _LONGEST else ""
    ending = _EXTENSION.search(line)
    extension, line = ("", line) if ending is None else (ending[1], line[: ending.start()])
    digits = "".join(filter(str.isdecimal, line))
    if _SHAPE.fullmatch(line) is None or not 3 <= len(digits) <= 17:
        raise Unreadable("not a telephone number")
    if line.startswith("+") or digits.startswith("00") or region is not None:
        return _international(line, digits, region, extension)
    if _AMERICAN.fullmatch(line) is not None:
        return Phone(digits[1:], "1", extension)
    return Phone(digits, None, extension)


def _region(country: str | None) -> str | None:
    if not country:
        return None
    import phonenumbers

    region = country.strip().upper()
    if region not in phonenumbers.SUPPORTED_REGIONS:
        raise ConfigurationError(
            f"option country: {country!r} is no country code", hint="such as AU, DE or US"
        )
    return region


def _international(line: str, digits: str, region: str | None, extension: str) -> Phone:
    """Return the number split after its calling code, by the world's numbering plans."""
    import phonenumbers

    stated = line.startswith("+") or (region is None and digits.startswith("00"))
    # "+61 (0)2": the zero in brackets is for callers inside the country.
    dialled = line.replace("(0)", "") if stated else line
    if stated and not line.startswith("+"):
        dialled = f"+{digits[2:]}"
    try:
        parsed = phonenumbers.parse(dialled, region)
    except phonenumbers.NumberParseException:
        return Phone(digits, None, extension)
    return Phone(str(parsed.national_number), str(parsed.country_code), extension)


STEPS = ((0.8, 0.8), (0.6, 0.5))
"""Share of equal digits, and the similarity it earns, highest first."""


def phone_key(value: Hashable) -> str:
    """Return the digits as dialled from afar, without the country."""
    if not isinstance(value, Phone):
        return str(value)
    return f"{value.subscriber}{' ext ' if value.extension else ''}{value.extension}"


def phone_scope(value: Hashable) -> str | None:
    """Return the country's calling code, or None when the text does not state it."""
    return value.country if isinstance(value, Phone) else None


def why_phone(gold: Hashable, pred: Hashable) -> str:
    """Say whether countries, digits or extensions differ."""
    if phone(gold, pred) == 1.0:
        return "equal as telephone numbers"
    if not (isinstance(gold, Phone) and isinstance(pred, Phone)):
        return "the values differ"
    if not _agree(gold, pred):
        return f"countries differ: +{gold.country} and +{pred.country}"
    if gold.subscriber == pred.subscriber:
        missing = "one number has an extension"
        both = f"extensions differ: {gold.extension} and {pred.extension}"
        return both if gold.extension and pred.extension else missing
    left, right = _digits(gold, pred)
    if len(left) != len(right):
        return f"numbers of {len(left)} and {len(right)} digits"
    return f"{_equal(left, right)} of {len(left)} digits are equal"


@comparator("phone", key=phone_key, scope=phone_scope, why=why_phone)
def phone(gold: Hashable, pred: Hashable) -> float:
    """1 for equal digits; at equal length 0.8 from 80 % equal digits and 0.5 from 60 %, else 0."""
    same = phone_key(gold) == phone_key(pred)
    if not (isinstance(gold, Phone) and isinstance(pred, Phone)):
        return float(same)
    if same and _agree(gold, pred):
        return 1.0
    left, right = _digits(gold, pred)
    if len(left) != len(right):
        return 0.0
    share = _equal(left, right) / len(left)
    return next((earned for least, earned in STEPS if share >= least), 0.0)


def _agree(gold: Phone, pred: Phone) -> bool:
    return gold.country is None or pred.country is None or gold.country == pred.country


def _digits(gold: Phone, pred: Phone) -> tuple[str, str]:
    """Return what is compared digit by digit: as written, unless only one has a trunk zero."""
    left, right = gold.number + gold.extension, pred.number + pred.extension
    if len(left) != len(right):
        left, right = gold.subscriber + gold.extension, pred.subscriber + pred.extension
    if gold.country is not None and pred.country is not None:
        return gold.country + left, pred.country + right
    return left, right


def _equal(left: str, right: str) -> int:
    return sum(a == b for a, b in zip(left, right, strict=True))
