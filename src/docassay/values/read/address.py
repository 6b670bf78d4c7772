"""Addresses: words and numbers, with the usual abbreviations brought to one form.

Short forms are the common ground, because they are where different words meet: "St" may be Street
or Saint, and both become `st`. A unit and its number are one word (`unit4`), so that 4/12 Main
Street is not 12/4 Main Street although the order of lines does not matter; so are numbers joined by
dashes (`1-9-1`). The country before a postcode (`D-10115`) is a scope that may be left open.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from docassay.errors import Unreadable
from docassay.kernel.digits import figures_in
from docassay.kernel.senses import stand_apart, usual_words
from docassay.values.comparator import comparator
from docassay.values.read.characters import (
    TWO_LETTERS,
    WORD_MARKS,
    plain,
    unaccented,
    without_gaps,
)
from docassay.values.reader import reader

LONGEST = 10_000
"""Longer texts are refused, because taking a whole book apart would cost minutes."""

_TABLE = """
    st = street saint str. sainte ste.
    rd = road
    ave = avenue av aven avenida avda
    dr = drive drv
    pl = place plaza platz
    ln = lane la
    ct = court crt
    cres = crescent cr crs cresc
    tce = terrace ter terr
    pde = parade
    hwy = highway
    fwy = freeway
    expy = expressway expwy
    pkwy = parkway pky
    blvd = boulevard bd boul bvd bld
    sq = square
    cl = close
    cct = circuit
    cir = circle circ
    gr = grove gve
    gdns = gardens gdn
    hts = heights
    ctr = centre center cntr
    trl = trail
    rte = route
    stn = station
    esp = esplanade
    way = wy
    mt = mount
    ft = fort
    bldg = building
    ind = industrial indl
    est = estate
    str = strasse straat strada
    n = north
    s = south
    e = east
    w = west
    ne = northeast
    nw = northwest
    se = southeast
    sw = southwest
    and = & und et
    unit = apt apartment flat appt apto wohnung
    suite = ste
    lvl = level
    floor = fl flr
    shop = shp
    pobox =
    no = number nr num nomor дом д
    sector = sec sect
    block = blok blk
    jalan = jln jl
    lorong = lrg lor
    taman = tmn tman
    kampung = kg kpg kampong
    persiaran = psn
    bukit = bkt
    sungai = sg sungei
    seksyen = seksyn sek
    kavling = kav kavl kaveling
    jenderal = jend jendral
    kelurahan = kel
    kecamatan = kec
    kabupaten = kab
    gedung = gd
    lantai = lt
    rua = r.
    praca = pca
    rodovia = rod
    travessa = tv
    carretera = ctra
    urbanizacion = urb
    chemin = che chem
    impasse = imp
    allee = all
    faubourg = fbg
    piazza = pza pzza
    corso = cso
    viale = vle
    largo = lgo
    al = aleja aleje
    os = osiedle
    ул = улица
    пр = проспект пр-т
    пер = переулок
    пл = площадь
    наб = набережная
    обл = область
    корп = корпус
    стр = строение
    кв = квартира
"""
_SHORT = {
    word.strip("."): line.split(" =")[0].strip()
    for line in _TABLE.strip().splitlines()
    for word in line.replace("=", " ").split()
    if word != "r."
}
_STATES = """
    al alabama | ak alaska | az arizona | ar arkansas | ca california | co colorado
    ct connecticut | de delaware | fl florida | ga georgia | hi hawaii | id idaho | il illinois
    in indiana | ia iowa | ks kansas | ky kentucky | la louisiana | me maine | md maryland
    ma massachusetts | mi michigan | mn minnesota | ms mississippi | mo missouri | mt montana
    ne nebraska | nv nevada | nh new hampshire | nj new jersey | nm new mexico | ny new york
    nc north carolina | nd north dakota | oh ohio | ok oklahoma | or oregon | pa pennsylvania
    ri rhode island | sc south carolina | sd south dakota | tn tennessee | tx texas | ut utah
    vt vermont | va virginia | wa washington | wv west virginia | wi wisconsin | wy wyoming
    dc district of columbia | nsw new south wales | vic victoria | qld queensland
    wa western australia | sa south australia | tas tasmania | nt northern territory
    act australian capital territory | on ontario | qc quebec | bc british columbia | ab alberta
    mb manitoba | sk saskatchewan | ns nova scotia | nb new brunswick | pe prince edward island
    nl newfoundland and labrador | kl kuala lumpur
"""
_CODE_OF_STATE = {
    name: code
    for state in _STATES.replace("\n", "|").split("|")
    if state.strip()
    for code, name in [state.strip().split(" ", 1)]
}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
FIGURES = {
    word: f"{number}{_ENDINGS.get(number, 'th')}"
    for number, word in enumerate(_ORDINALS.split(), start=1)
}
"""The numbers that words stand for, as figures."""
_NAMED = re.compile(
    rf"\b(?:{'|'.join(sorted((*_CODE_OF_STATE, *FIGURES), key=len, reverse=True))})\b"
)
_ORDINAL_WORD = re.compile("|".join(FIGURES), re.IGNORECASE)
_NAMING = frozenset(name.split()[0] for name in (*_CODE_OF_STATE, *FIGURES))
"""The words with which such a name begins."""
_SILENT = frozenset({"ul", "ulica", "г", "гор", "город"})
"""Words for a street or a town that are as often left out."""
_UNITS = ("unit", "suite", "lvl", "floor", "shop", "pobox")
_UNIT = re.compile(rf"(?:{'|'.join(_UNITS)})(?=[0-9])")
_POST_BOX = re.compile(r"\bp ?o ?box\b|\bpost office box\b")
_POSTCODES = re.compile(
    r"\b([a-z]{1,2}[0-9][a-z0-9]?) ?([0-9][a-z]{2})\b|\b([a-z][0-9][a-z]) ?([0-9][a-z][0-9])\b"
)
_BRITISH = re.compile("[a-z]{1,2}[0-9][a-z0-9]? [0-9][a-z]{2}")
_SLASH = re.compile(
    r"(?<![\w/])(?:(?:unit|apt|flat) )?([0-9]{1,5}[a-z]?) ?/ ?([0-9]{1,5}[a-z]?)(?![\w/])"
)
_CALLE = re.compile(r"\bc/(?!o\b)")
_FLOOR = re.compile(r"\bl ?(?=[0-9]{1,3}\b)")
_HASH = re.compile(r"# ?(?=[0-9])")
_WORD = re.compile(rf"&|(?:\w|[{WORD_MARKS}])+(?:-(?=[0-9])[0-9]+(?<=[0-9]))*")
_STREETS = ("strasse", "straat")
_STREET = re.compile(rf"(?<=[a-z]{{3}})(?:{'|'.join(_STREETS)})$")

# What is written in two ways around numbers, in the order in which it is undone.
_COUNTRY = re.compile(
    r"(?:(?<=^)|(?<=[\s,;]))(de?|fr?|ch|at?|it?|nl|be?|lu?|dk|se?|no?|fin?|es?|pt|pl|cz|sk|hu?|ro|hr"
    r"|slo|si|gr|jp|lv|lt|ee|my)-(?=[0-9]{2,5}(?:[ -][0-9]{2,3})?\b)"
)
_COUNTRY_LETTERS = {
    "d": "de", "f": "fr", "a": "at", "i": "it", "b": "be", "l": "lu", "s": "se", "n": "no",
    "fin": "fi", "e": "es", "h": "hu", "slo": "si",
}  # fmt: skip
_HAN_BLOCK = re.compile(r"[一二三四五六七八九十]{1,3}(?=丁目|番|号|號)")
_BLOCK_MARKS = re.compile(r"(?<=[0-9]) ?(?:丁目|番地の|番地|番|号|の|ノ) ?(?=[0-9])")
_BLOCK_END = re.compile(r"(?<=[0-9])(?:番地|番|号|號)(?!\w)")
_EAST = r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_BORDER = re.compile(
    rf"(?<={_EAST})(?=[0-9])|(?<=[0-9])(?={_EAST})|(?<=[a-z]{{3}})(?=[0-9])|(?<=[0-9])(?=[a-z]{{5}})"
)
# A letter and a digit side by side, without which most of what follows has nothing to do.
_GROWN = re.compile("[a-z][0-9]|[0-9][a-z]")
# Another number, or one or two letters, behind a number.
_NEAR_NUMBER = re.compile("[0-9](?:[ -][0-9]| [a-z]{1,2}(?![a-z]))")
_KOREAN_CITY = re.compile(
    "(서울|부산|대구|인천|대전|울산|세종)(?:특별자치시|특별시|광역시|시)(?!\\w)"
)
_KOREAN_CITIES = re.compile("광주광역시|경기도")
_NUMBER_SIGN = re.compile(
    r"n(?<=\bn)(?<!st n)(?<!st\. n)(?<!rd n)(?<!ave n)(?<!street n)(?<!road n)(?<!avenue n)"
    r"(?:[.º°]|o\.?|\. ?o\.?) ?(?=[0-9])"
)
_NO = re.compile(r"\bno(?=[0-9])")
_ORDINAL_SIGN = re.compile("(?<=[0-9])[ºª°]")
_BIS = re.compile(r"(?<=[0-9]) ?-?(bis|ter|quater)\b")
_FLAT = re.compile(r"(?<=[0-9]) ?[,/]? ?(?:m\.|lok\.|lokal|mieszk\.) ?(?=[0-9])")
_LETTER = re.compile(r"(?<![\w-])([0-9]{1,5}) ([abcdfghijklmopqrtuvxyz])(?![\w-])")
_ITALIAN = re.compile(
    r"\.(?:(?<=\bp\.) ?(?=zz?a\b)|(?<=\bv\.) ?(?=le\b)|(?<=\b[cl]\.) ?(?=[sg]o\b))"
)
_RUA = re.compile(r"(?<![\w.])r\.(?= ?[a-z]{2})")
_POST_NUMBERS = re.compile(
    r"(?<![\w-])(?:([0-9]{5})-([0-9]{3})|([0-9]{3})-([0-9]{4})|([0-9]{2})-([0-9]{3}))(?![\w-])"
    r"|(?<=[a-z] )([0-9]{3}) ([0-9]{2,3})$"
)
# Where a comma or dash stands before it, three digits and two more are a postcode, not two numbers.
_APART = re.compile(
    r"(?<=[,-] )([0-9]{3}) ([0-9]{2,3})(?= [a-z]|,)|(?<=[a-z] )([0-9]{3}) ([0-9]{3})(?=,)"
)
_NOT_DUTCH = "st rd dr pl ln ct sq cl gr mt ft ne nw se sw av bd no la de da di du le of am an im"
_DUTCH = re.compile(
    rf"(?<![\w-])([0-9]{{4}}) (?!(?:{_NOT_DUTCH.replace(' ', '|')})\b)([a-z]{{2}})\b"
)
_DIGITS = re.compile("[0-9]+")
_ROUNDS = 8
_GOING_TOGETHER = frozenset(
    {"box", "bis", "ter", "quater", "lok", "lokal", "mieszk"}
    | _SILENT
    | {word for word, short in _SHORT.items() if len(short) == 1 or short in (*_UNITS, "no")}
)
"""Words that may be left out, or go together with a number or a letter beside them."""


class Address(NamedTuple):
    """The words of an address in their order; those with a digit are its numbers."""

    words: tuple[str, ...]
    written: tuple[str, ...] = ()
    """The words as they stand, by which a misspelt one is measured."""
    spelt: tuple[tuple[str, str], ...] = ()
    """Words with an umlaut: the form with two letters, and the one without its mark."""
    country: str | None = None
    """The country stated before the postcode; None: the text does not say."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """House, unit and post numbers, sorted."""
        return tuple(sorted(word for word in self.words if _has_digit(word)))

    @property
    def names(self) -> tuple[str, ...]:
        """Everything else, sorted: the order of lines says nothing."""
        return tuple(sorted(word for word in self.words if not _has_digit(word)))

    def __str__(self) -> str:
        return " ".join(self.words)


def figures_of(text: str) -> int | None:
    """Return which digits an address has: its gist; None where a word may be a number."""
    if not text.isascii() or _ORDINAL_WORD.search(text) is not None:
        return None
    return figures_in(text)


@reader("address", compare="address", gist=figures_of)
def read_address(text: str) -> Address:
    """Read a postal address without case, accents and punctuation, abbreviations in one form."""
    return _read_usual(text) or _read_any(text)


def _read_usual(text: str) -> Address | None:
    """Read names and numbers that nothing puts together in few steps; None for any other address.

    What the first round comes to has to be so as well: then a second one would change nothing.
    """
    written = usual_words(text)
    if not written:
        return None
    named, postcode = _british_code_behind(written)
    unit, others = _unit_before(named)
    if not _stand_apart(others):
        return None
    words = [_short(word) for word in _with_codes(others)]
    steady = _stand_apart(words) and _with_codes(words) == words
    return Address((*unit, *words, *postcode), (*written,)) if steady else None


def _stand_apart(words: list[str]) -> bool:
    return stand_apart(words) and _GOING_TOGETHER.isdisjoint(words)


def _british_code_behind(words: list[str]) -> tuple[list[str], list[str]]:
    """Return words without the British postcode behind them, and that as one word, if it is there.

    No 1 might be the number of a house.
    """
    *others, first, second = words if len(words) > 2 else ("", "", "")
    if _BRITISH.fullmatch(f"{first} {second}") is None or first.startswith("no"):
        return words, []
    return others, [first + second]


def _unit_before(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the unit that words begin with as one word, if they do and go on, and the others.

    Three digits might go together with the next ones.
    """
    kind = _SHORT.get(words[0])
    if kind in _UNITS and len(words) > 3 and len(words[1]) < 3 and words[1].isdecimal():
        return [f"{kind}{words[1]}"], words[2:]
    return [], words


def _with_codes(words: list[str]) -> list[str]:
    """Return words with the codes of states for their names, and numbers in figures."""
    return words if _NAMING.isdisjoint(words) else _NAMED.sub(_code, " ".join(words)).split()


def _code(name: re.Match[str]) -> str:
    return _CODE_OF_STATE.get(name[0]) or FIGURES[name[0]]


def _read_any(text: str) -> Address:
    """Read an address, whatever it has."""
    if len(text) > LONGEST:
        raise Unreadable("too long for an address")
    line = _NUMBER_SIGN.sub("no ", plain(text.replace("\n", ", ")).casefold())
    if not line.isascii():
        line = _ORDINAL_SIGN.sub("", line)
    folded = unaccented(line).replace("'", "")
    stated = _COUNTRY.search(folded) if "-" in folded else None
    country = None if stated is None else _COUNTRY_LETTERS.get(stated[1], stated[1])
    words = _words(folded)
    if not words:
        raise Unreadable("not an address")
    written = tuple(_WORD.findall(folded if stated is None else _COUNTRY.sub("", folded)))
    return Address(words, written, _spelt_words(line, words), country)


def _spelt_words(line: str, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    if line.isascii():
        return ()
    letters = unicodedata.normalize("NFC", line)
    two = letters.translate(TWO_LETTERS)
    if two == letters:
        return ()
    spelt = _words(unaccented(two).replace("'", ""))
    pairs = {pair for pair in zip(spelt, words, strict=False) if pair[0] != pair[1]}
    return tuple(sorted(pairs))


def _words(line: str) -> tuple[str, ...]:
    """Return the words of a line without case and accents, each in its one form."""
    # what stands together only once marks are gone is put together in the next round
    for _ in range(_ROUNDS):
        words = _once(line)
        canonical = " ".join(words)
        if canonical == line:
            break
        line = canonical
    return words


def _once(line: str) -> tuple[str, ...]:
    line = _around_numbers(_COUNTRY.sub("", line) if "-" in line else line)
    if "/" in line:
        line = _SLASH.sub(r"unit \1 \2", _CALLE.sub("calle ", line))
    if "#" in line:
        line = _HASH.sub("unit ", line)
    # most lines of a second round are nothing but words
    words = line.split() if line.replace(" ", "").isalnum() else _WORD.findall(line)
    line = " ".join(words)
    if _NEAR_NUMBER.search(line) is not None:
        line = _POST_NUMBERS.sub(_together, _LETTER.sub(_together, line))
        line = _with_dutch_codes(line)
    if not _NAMING.isdisjoint(words):
        line = _NAMED.sub(_code, line)
    grown = _GROWN.search(line) is not None
    if grown:
        line = _POSTCODES.sub(_together, line)
    if "box" in words:
        line = _POST_BOX.sub("pobox", line)
    if "l" in words or (grown and _GROWN.search(line) is not None):
        line = _FLOOR.sub("level ", line)
    words = [_short(word) for word in _spelt(line.split()) if word not in _SILENT]
    return tuple(_joined(words))


def _with_dutch_codes(line: str) -> str:
    """Return a line with `3012 CN` as one word; the first number is no postcode but of a house."""
    first = _DIGITS.search(line)
    if first is None:
        return line
    return line[: first.end()] + _DUTCH.sub(_together, line[first.end() :])


def _around_numbers(line: str) -> str:
    """Return a line with one writing for what stands beside numbers, such as 12 bis."""
    if not line.isascii():
        line = _HAN_BLOCK.sub(lambda numeral: _from_han(numeral[0]), without_gaps(line))
        line = _BLOCK_END.sub("", _BLOCK_MARKS.sub("-", line))
        line = _KOREAN_CITIES.sub(lambda city: city[0][:2], _KOREAN_CITY.sub(r"\1", line))
    if "." in line or "lokal" in line:
        line = _FLAT.sub("/", _RUA.sub("rua ", _ITALIAN.sub("", line)))
    if "bis" in line or "ter" in line:
        line = _BIS.sub(r"\1", line)
    if not line.isascii() or _GROWN.search(line) is not None:
        line = _BORDER.sub(" ", _NO.sub("no ", line))
    return _APART.sub(_together, line) if "," in line or "- " in line else line


def _from_han(numeral: str) -> str:
    tens, ten, units = numeral.rpartition("十")
    digits = "〇一二三四五六七八九"
    return str((10 * max(digits.find(tens or "一"), 1) if ten else 0) + digits.find(units or "〇"))


def _together(parts: re.Match[str]) -> str:
    return "".join(part for part in parts.groups() if part)


def _short(word: str) -> str:
    short = _SHORT.get(word)
    if short is not None:
        return short
    return _STREET.sub("str", word) if word.endswith(_STREETS) else word


def _spelt(words: list[str]) -> list[str]:
    """Return the words with single letters in a row as one: N.S.W. is NSW."""
    spelt: list[str] = []
    letters = False
    for word in words:
        letter = word if len(word) == 1 else _SHORT.get(word, word)
        single = len(letter) == 1 and letter.isalpha()
        if single and letters:
            spelt[-1] += letter
        else:
            spelt.append(letter if single else word)
        letters = single
    return spelt


def _joined(words: list[str]) -> list[str]:
    """Return the words with each unit grown together with its number, and "No" before one gone."""
    joined: list[str] = []
    for word in words:
        if _has_digit(word) and not word.startswith(_UNITS):
            if joined and _is_letter(joined[-1]) and word[0].isdigit():
                word = joined.pop() + word
            while joined and joined[-1] == "no":
                joined.pop()
            if joined and joined[-1] in _UNITS:
                word = joined.pop() + word
        joined.append(word)
    return joined


def _has_digit(word: str) -> bool:
    return not word.isalpha() and _DIGITS.search(word) is not None


def _is_letter(word: str) -> bool:
    """Whether a word is the letter of a lot or block, and no point of the compass."""
    return len(word) == 1 and word.isalpha() and word not in "nsew"


def address_key(value: Hashable) -> str | None:
    """Return the words without their order, or None for an address spelt in two ways."""
    if not isinstance(value, Address):
        return str(value)
    return None if value.spelt else " ".join(sorted(value.words))


def address_scope(value: Hashable) -> str | None:
    """Return the country that is stated before the postcode, or None."""
    return value.country if isinstance(value, Address) else None


def _same_words(gold: Address, pred: Address) -> bool:
    """Whether the words are the same but for their order and the way to write an umlaut."""
    bare = dict((*gold.spelt, *pred.spelt))
    left, right = (
        sorted(bare.get(word, word) for word in address.words) for address in (gold, pred)
    )
    return left == right


def _same_countries(gold: Address, pred: Address) -> bool:
    return gold.country is None or pred.country is None or gold.country == pred.country


def why_address(gold: Hashable, pred: Hashable) -> str:
    """Say which numbers or words differ."""
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return "equal as addresses" if str(gold) == str(pred) else "the values differ"
    if _same_words(gold, pred):
        if _same_countries(gold, pred):
            return "equal as addresses"
        return f"countries differ: {gold.country} and {pred.country}"
    if gold.numbers != pred.numbers:
        first = next((word for word in gold.words if word in gold.numbers), None)
        what = "house numbers" if first not in pred.numbers else "numbers"
        return _differing(what, gold.numbers, pred.numbers)
    return _differing("words", gold.names, pred.names)


def _differing(what: str, gold: tuple[str, ...], pred: tuple[str, ...]) -> str:
    left, right = " ".join(_left_of(gold, pred)), " ".join(_left_of(pred, gold))
    if left and right:
        return f"{what} differ: {left} and {right}"
    return f"{what} only in gold: {left}" if left else f"{what} only in pred: {right}"


def _left_of(words: tuple[str, ...], others: tuple[str, ...]) -> Iterable[str]:
    """Return what is left of some words without others, each as often as there are more of it."""
    if len({*words}) == len(words):  # as in most addresses
        return [word for word in words if word not in others]
    return (Counter(words) - Counter(others)).elements()


@comparator("address", key=address_key, scope=address_scope, why=why_address)
def address(gold: Hashable, pred: Hashable) -> float:
    """0 when any number differs, else the edit similarity of the words, sorted or as written."""
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return float(str(gold) == str(pred))
    if _same_words(gold, pred) and _same_countries(gold, pred):
        return 1.0
    if gold.numbers == pred.numbers:
        pairs = [
            (gold.names, pred.names),
            (_letters(gold.words), _letters(pred.words)),
            (_letters(gold.written), _letters(pred.written)),
        ]
    elif _bare(gold) == _bare(pred) and _units(gold) != _units(pred):
        # a misspelt unit loses its number ("umit 4"), which costs no more than its letters
        pairs = [(gold.written, pred.written)]
    else:
        return 0.0
    longest = max(len(str(gold)), len(str(pred)))
    return min(max(_likeness(*pair) for pair in pairs), 1.0 - 1.0 / (longest + 1))


def _letters(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if not _has_digit(word))


def _bare(value: Address) -> list[str]:
    """Return the numbers in their order, without the units that they are grown together with."""
    return [_UNIT.sub("", word) for word in value.words if _has_digit(word)]


def _units(value: Address) -> list[str]:
    return sorted(unit[0] for word in value.words if (unit := _UNIT.match(word)) is not None)


def _likeness(gold: Sequence[str], pred: Sequence[str]) -> float:
    return Levenshtein.normalized_similarity(" ".join(gold), " ".join(pred))
