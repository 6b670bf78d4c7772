"""Telephone numbers: the digits, the country when the text states one, and the extension."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.values.comparator import comparator
from docassay.values.read.characters import plain
from docassay.values.reader import reader

_LABEL = re.compile(
    r"^(?:(?:telephone|telefono?|téléphone|telepon|telefoon|telp|tél|tel|tlf|phone|ph|mobile|mobil"
    r"|mob|cell|handy|handphone|hp|whatsapp|wa|gsm|fax|call|t|p|m|f|тел|телефон|факс|هاتف|फोन)\b"
    r"|電話番号|電話|电话|전화번호|전화)[ .:]*",
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


class Region(NamedTuple):
    """How numbers are dialled in a country: its calling code, and what goes before them inside."""

    code: str
    trunk: str
    """What is dialled before a number inside the country, and not from abroad."""
    fewest: int
    most: int
    """Digits of a number without code and trunk."""
    abroad: str
    """What is dialled before a calling code."""


_REGIONS: Mapping[str, str] = {
    "0": """
    AE971:8-9 AF93:9 AL355:8-9 AM374:8 AR54:10-11 AT43:4-13 AU61:9 AX358:6-10 AZ994:9
    BA387:8-9 BD880:6-10 BE32:8-9 BG359:6-9 BL590:9 BO591:8 BR55:10-11 CC61:9 CD243:7-10
    CH41:9 CN86:7-11 CO57:8-10 CU53:6-10 CX61:9 DE49:5-15 DZ213:8-9 EC593:8-9 EG20:8-10
    EH212:9 ER291:7 ET251:9 FI358:5-10 FR33:9 GB44:9-10 GE995:9 GF594:9 GG44:10 GH233:9
    GP590:9 HR385:8-9 ID62:7-12 IE353:7-10 IL972:8-12 IM44:10 IN91:10 IQ964:8-10 IR98:6-10
    JE44:10 JO962:8-9 JP81:9-10 KE254:7-9 KG996:9 KH855:8-9 KI686:5-8 KP850:8-10 KR82:5-10
    LA856:8-10 LB961:7-8 LI423:7-9 LK94:9 LR231:7-9 LT370:8 LY218:9 MA212:9 MC377:8-9
    MD373:8 ME382:8 MF590:9 MG261:9 MK389:8 MM95:6-10 MN976:8-10 MQ596:9 MW265:7-9 MY60:8-10
    NA264:8-9 NG234:10 NL31:9-11 NP977:8-10 NZ64:8-10 PE51:8-9 PH63:6-10 PK92:9-10 PM508:6-9
    PS970:8-9 PY595:7-9 RE262:9 RO40:6-9 RS381:7-12 RW250:8-9 SA966:9 SD249:9 SE46:7-9
    SI386:8 SK421:6-9 SL232:8 SO252:6-9 SS211:9 SY963:8-9 TH66:8-9 TR90:10 TW886:8-9 TZ255:9
    UA380:9 UG256:9 UY598:8 VE58:10 VN84:9-10 XK383:8-12 YE967:7-9 YT262:9 ZA27:5-9 ZM260:9
    ZW263:9
    """,
    "": """
    AC247:5 AD376:6-9 AO244:9 AW297:7 BF226:8 BH973:8 BI257:8 BJ229:10 BN673:7 BQ599:7
    BT975:7-8 BW267:7-8 BZ501:7 CF236:8 CG242:9 CI225:10 CK682:5 CL56:9 CM237:9 CR506:8
    CV238:7 CW599:7-8 CY357:8 CZ420:9 DJ253:8 DK45:8 EE372:7-8 ES34:9 FJ679:7 FK500:5
    FM691:7 FO298:6 GA241:7-8 GI350:8 GL299:6 GM220:7-9 GN224:8-9 GQ240:9 GR30:10 GT502:8
    GW245:9 GY592:7 HK852:8 HN504:8 HT509:8 IO246:7 IS354:7-9 IT39:6-12 KM269:7 KW965:8
    LS266:8 LU352:4-11 LV371:8 ML223:8 MO853:8 MR222:8 MT356:8 MU230:7-8 MV960:7 MX52:10
    MZ258:8-9 NC687:6 NE227:8 NF672:6 NI505:8 NO47:8 NR674:7 NU683:4-7 OM968:8 PA507:7-8
    PF689:8 PG675:7-8 PL48:7-9 PT351:9 PW680:7 QA974:8 SB677:5-7 SC248:7 SG65:8 SH290:4-5
    SJ47:8 SM378:8-10 SN221:9 SR597:6-7 ST239:7 SV503:8 SZ268:8 TA290:4 TD235:8 TG228:8
    TJ992:9 TK690:4-7 TL670:7-8 TN216:8 TO676:5-7 TV688:5-7 UZ998:9 VA39:6-11 VU678:5-7
    WF681:6 WS685:5-10
    """,
    "1": """
    AG1:10 AI1:10 AS1:10 BB1:10 BM1:10 BS1:10 CA1:10 DM1:10 DO1:10 GD1:10 GU1:10 JM1:10
    KN1:10 KY1:10 LC1:10 MH692:7 MP1:10 MS1:10 PR1:10 SX1:10 TC1:10 TT1:10 US1:10 VC1:10
    VG1:10 VI1:10
    """,
    "8": """
    BY375:9 KZ7:10 RU7:10 TM993:8
    """,
    "06": """
    HU36:8-9
    """,
}
"""Regions by their trunk prefix, each with its calling code and the digits of its numbers."""
_ABROAD = {"AU": "0011", "JP": "010", "HK": "001"} | dict.fromkeys(("KR", "SG", "TH"), "00[0-9]")
_ABROAD_BY_TRUNK = {"1": "011", "8": "810"}
_WORLDWIDE = ("800", "808", "870", "878", "881", "882", "883", "888", "979")
"""Calling codes that belong to no country."""
_MOST_DIGITS = 17
_LONG = 10


@cache
def _regions() -> Mapping[str, Region]:
    regions = {}
    for trunk, listed in _REGIONS.items():
        for entry in listed.split():
            code, _, digits = entry[2:].partition(":")
            fewest, _, most = digits.partition("-")
            abroad = _ABROAD.get(entry[:2], _ABROAD_BY_TRUNK.get(trunk, "00"))
            size = (int(fewest), int(most or fewest))
            regions[entry[:2]] = Region(code, trunk, *size, abroad)
    return regions


@cache
def _by_code() -> Mapping[str, Region]:
    """Return a region of each calling code; no code begins as another does."""
    worldwide = {code: Region(code, "", 1, _MOST_DIGITS, "") for code in _WORLDWIDE}
    return worldwide | {region.code: region for region in _regions().values()}


def _region(country: str | None) -> Region | None:
    if not country:
        return None
    region = _regions().get(country.strip().upper())
    if region is None:
        raise ConfigurationError(
            f"option country: {country!r} is no country code", hint="such as AU, DE or US"
        )
    return region


def _international(line: str, digits: str, region: Region | None, extension: str) -> Phone:
    """Return the number split after its calling code, by the world's numbering plans."""
    # "+61 (0)2": the zero in brackets is for callers inside the country.
    dialled = "".join(filter(str.isdecimal, line.replace("(0)", "")))
    if line.startswith("+"):
        return _split(dialled, extension) or Phone(digits, None, extension)
    abroad = re.match("00" if region is None else f"{region.abroad}|00", digits)
    if abroad is not None:
        stated = _split(dialled[abroad.end() :], extension)
        if stated is not None or region is None:
            return stated or Phone(digits, None, extension)
    assert region is not None
    if _states_code(digits, region):
        digits = digits.removeprefix(region.code)
    return Phone(_without_trunk(digits, region), region.code, extension)


def _states_code(digits: str, region: Region) -> bool:
    """Say whether a number begins with the calling code of its country, without a plus."""
    rest = digits.removeprefix(region.code)
    sizes = range(region.fewest, region.most + 1)
    if rest == digits or len(rest) not in sizes:
        return False
    # where a zero goes before numbers, a long one without it is not dialled inside the country
    return len(digits) not in sizes or (region.trunk == "0" and len(digits) >= _LONG)


def _split(digits: str, extension: str) -> Phone | None:
    """Return the number behind a calling code, None where there is no such code."""
    for size in (1, 2, 3):
        region = _by_code().get(digits[:size])
        if region is not None and len(digits) >= size + 2:
            rest = digits[size:]
            # a trunk zero may stand there by mistake; a 1 or 8 belongs to the number
            own = _without_trunk(rest, region) if region.trunk in ("0", "06") else rest
            return Phone(own.lstrip("0") or rest, region.code, extension)
    return None


def _without_trunk(digits: str, region: Region) -> str:
    """Return a number without what is dialled before it only inside the country."""
    rest = digits.removeprefix(region.trunk).lstrip("0")
    if region.trunk in ("1", "8") and len(rest) != region.most:
        rest = digits.lstrip("0")  # the digit may as well begin the number
    return rest or digits


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
