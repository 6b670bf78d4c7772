"""Telephone numbers: the digits, the country when the text states one, and the extension."""

from __future__ import annotations

import re
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.read import reader
from docassay.read.characters import plain

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


@reader("phone")
def read_phone(text: str, *, country: str | None = None) -> Phone:
    """Read a telephone number; `country` (such as AU) is where numbers without one are from."""
    region = _region(country)
    line = _LABEL.sub("", plain(text), count=1) if len(text) <= _LONGEST else ""
    found = _EXTENSION.search(line)
    extension, line = ("", line) if found is None else (found[1], line[: found.start()])
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
