"""Dates and date ranges: the days, months or years that a text names.

A date is taken apart into numbers and words; what each number is follows from its length, its size
and whether a month was named, by three of its letters at least. Only when two numbers could both be
a month does the schema's order (`dates`) decide. A time of day beside the date is left aside, as
is a weekday; but a weekday belongs to a day: `3 Ma 2025` does not stand for a month of a year.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterable
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.model.schema import DATE_ORDERS
from docassay.values.read.characters import fold, plain, unaccented
from docassay.values.read.number import BELOW_100, COUNTED, counted
from docassay.values.reader import reader

_MONTHS = """
    january february march april may june july august september october november december
    januar februar märz april mai juni juli august september oktober november dezember
    jänner feber maerz april mai juni juli august september oktober november dezember
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus september oktober november december
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    januari februari mars april maj juni juli augusti september oktober november december
    januar februar marts april maj juni juli august september oktober november desember
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
    ledna února března dubna května června července srpna září října listopadu prosince
    leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
    január február március április május június július augusztus szeptember október november december
    ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
    ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
    ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
    januari februari mac april mei jun julai ogos september oktober november disember
    januari februari maret april mei juni juli agustus september oktober november desember
    januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
    януари февруари март април май юни юли август септември октомври ноември декември
    जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर
    जनवरी फ़रवरी मार्च अप्रेल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर
    يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
    جانفي فيفري مارس إبريل ماي جوان جويلية أوت سبتمبر اكتوبر نوفمبر ديسمبر
    ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
"""  # noqa: E501 - one language a line
_SHORT_MONTHS = """
    jan feb mar apr may jun jul aug sep oct nov dec
    jän fév mrt avr mai jui# juil aoû sept okt nov dez
    ene feb mrz abr maj cze lip ago set ott nov dic
    - - - - - čvn čvc - - - - -
"""

_WEEKDAYS = """
    monday tuesday wednesday thursday friday saturday sunday
    montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes miércoles jueves viernes sábado domingo
    lunedì martedì mercoledì giovedì venerdì sabato domenica
    segunda terça quarta quinta sexta feira
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    poniedziałek wtorek środa czwartek piątek sobota niedziela
    måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag
    maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
    pondělí úterý středa čtvrtek pátek neděle
    hétfő kedd szerda csütörtök péntek szombat vasárnap
    luni marți miercuri joi vineri sâmbătă duminică
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
    pazartesi salı çarşamba perşembe cuma cumartesi pazar
    mo di mi do fr sa so tu we th su lu ma me je ve
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 曜 火 水 木 金 土
    화 수 목 금 토
    星期一 星期二 星期三 星期四 星期五 星期六 星期日
    월요일 화요일 수요일 목요일 금요일 토요일 일요일
    senin selasa rabu kamis jumat sabtu minggu isnin khamis jumaat ahad
    सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार
    الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد
"""

_FILLERS = """
    st nd rd th er re e de del den der des the of le el il di dia do da d г года год р gada ngay
    年 月 日 년 월 일 號 号 kl at um on am no år
    day date dated year ended ending for this in roku dnia thang nam tanggal tgl tarikh ano
    року р م في को 西暦 西元 公元
"""


def _starts(name: str) -> Iterable[str]:
    return (name[:length] for length in range(min(3, len(name)), len(name) + 1))


def _month_starts() -> dict[str, int]:
    possible: dict[str, set[int]] = {}
    for line in unaccented(_MONTHS).strip().splitlines():
        for month, name in enumerate(line.split(), start=1):
            for start in _starts(name):
                possible.setdefault(start, set()).add(month)
    sure = {start: months.pop() for start, months in possible.items() if len(months) == 1}
    whole = {
        name: month
        for line in unaccented(_MONTHS).strip().splitlines()
        for month, name in enumerate(line.split(), start=1)
    }
    short = {
        name: month
        for line in unaccented(_SHORT_MONTHS).strip().splitlines()
        for month, name in enumerate(line.split(), start=1)
        if name.isalpha()
    }
    return {**sure, **whole, **short}


MONTHS = _month_starts()
"""A name's start without case and accents -> 1..12."""

WEEKDAYS = frozenset(start for name in unaccented(_WEEKDAYS).split() for start in _starts(name))
FILLERS = frozenset(unaccented(_FILLERS).split())
"""Words that stand in dates and say nothing."""
_ONLY_WEEKDAYS = WEEKDAYS - FILLERS


LONGEST = 80
PIVOT = 69
"""Two-digit years from here on lie in the 1900s, the others in the 2000s."""

_ISO = re.compile(r"([0-9]{4}|-)-([0-9]{2})-([0-9]{2})")
"""A day as ISO 8601 writes it, a dash in place of a year that is not given."""
_IN_FIGURES = re.compile(r"([0-9]{1,4})[./-]([0-9]{1,4})[./-]([0-9]{1,4})")
_CLOCK = r"[0-2]?[0-9](?::[0-5][0-9]){1,2}(?:[.,][0-9]{1,9})? ?(?:[ap](?:\.? ?m)?\.?|uhr|h(?:rs)?)?"
_ZONE = r"(?: ?(?:z|utc|gmt|[a-z]{2,4}t|wib|wita|[+-][0-9]{2}:?[0-9]{2}))?"
_GAP = r"(?:(?<=[0-9])t|,? +(?:(?:at|um|a|kl\.?) +)?|(?<=[0-9]),)"
_TIME_BEHIND = re.compile(rf"{_GAP}{_CLOCK}{_ZONE}$")
_TIME_BEFORE = re.compile(rf"^{_CLOCK}(?:,| on)? +")
_LABEL = re.compile(
    r"^(?:[a-z ]{0,20}\b(?:date|dated|datum|data|fecha|tanggal|tarikh|dob)(?: [a-z ]{0,12})?"
    r"|[\u4e00-\u9fff]{1,6}(?:日|日付|日期)|작성일|날짜|дата) ?: ?"
)
# Taken out before folding would turn them into letters, which in a date are misread zeros.
_ORDINALS = str.maketrans("", "", "ºª°")
# Vowel signs of Devanagari are no letters to a regular expression.
_SHAPE = re.compile(r"[\w .,/\-'()\u0900-\u0963]+")
_SHORT_YEAR = re.compile(r"(?<![0-9])'([0-9]{2})\b")
_PART = re.compile(r"[0-9]+|(?:[^\W\d_]|[\u0900-\u0963])+")
_WORDS = FILLERS | WEEKDAYS | MONTHS.keys()

_ERAS = {
    "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867,
    "r": 2018, "h": 1988, "s": 1925, "t": 1911, "m": 1867,
    "中華民國": 1911, "中华民国": 1911, "民國": 1911, "民国": 1911,
}  # fmt: skip
"""The year before an era's first, by its name or letter."""
_ERA = re.compile(
    rf"({'|'.join(name for name in _ERAS if len(name) > 1)}) ?([0-9]{{1,3}}|元)(?= ?[年./-])"
    r"|^([rhstm])\.?([0-9]{1,2})(?=[./-][0-9]{1,2}[./-][0-9]{1,2}$|年)"
)
_NUMERALS = {numeral: digit for digit, numeral in enumerate("〇一二三四五六七八九")} | {"零": 0}
_HAN_NUMBER = re.compile(r"[〇零一二三四五六七八九十]+(?=[年月日号號])")
_YEAR_MARK = re.compile(r"(?<=[0-9]{4}) r\.?$")
# A lone I may be a misread 1.
_ROMAN_MONTHS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_ROMAN = re.compile(r"(?<=[0-9][ ./-])(?:i{2,3}|iv|vi{0,3}|ix|xi{0,2})(?=[ ./-][0-9]{2,4}$)")
_SCATTERED = re.compile(r"(?<=[0-9]) +(?=[0-9 ]*[年月日])| +(?=[年月日])")
_ORDINAL = {
    **{f"{word}th": value for word, value in COUNTED.items()},
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
    "twentieth": 20, "thirtieth": 30,
    "premier": 1, "primero": 1, "primeiro": 1, "primo": 1,
}  # fmt: skip
_ORDINAL_WORDS = re.compile(rf"\b(?:(twenty|thirty)[ -])?({'|'.join(_ORDINAL)})\b")
_YEAR_WORDS = re.compile(
    rf"\b(?:(two) thousand|({BELOW_100}) hundred|(nineteen|eighteen|seventeen|twenty))"
    rf"(?:,? (?:and )?({BELOW_100}))?\b"
)


_NUMBER_WORDS = COUNTED.keys() | _ORDINAL.keys()
_LONG_WORD = re.compile("[a-z]{3,}")
IN_DATES = frozenset(
    {*_WORDS, *_NUMBER_WORDS, *_ROMAN_MONTHS, *_ERAS, "and", "hundred", "thousand"}
)
"""Words that a date may have."""


class Date(NamedTuple):
    """A day, or the month or year that a text leaves it at."""

    year: int | None
    month: int | None
    day: int | None

    @property
    def noun(self) -> str:
        """What such values are called."""
        return "dates"

    def __str__(self) -> str:
        if self.year is None:
            return f"--{self.month:02}-{self.day:02}"
        if self.month is not None and self.day is not None:  # as most have
            return f"{self.year:04}-{self.month:02}-{self.day:02}"
        rest = "".join(f"-{part:02}" for part in (self.month, self.day) if part is not None)
        return f"{self.year:04}{rest}"

    def difference(self, other: Date) -> str:
        """Say in which part two different dates part ways."""
        if (self.day is None) != (other.day is None) or (self.year is None) != (other.year is None):
            return f"one date is less precise: {self} and {other}"
        if self.year == other.year and (self.month, self.day) == (other.day, other.month):
            return "day and month are swapped"
        parts = zip(("year", "month", "day"), self, other, strict=True)
        differing = [(name, left, right) for name, left, right in parts if left != right]
        if len(differing) == 1:
            name, left, right = differing[0]
            return f"the {name}s differ: {left} and {right}"
        return f"the dates differ: {self} and {other}"


def day_of(text: str) -> Date:
    """Return the day that a text as ISO 8601 has it stands for."""
    return Date(int(text[:4]), int(text[5:7]), int(text[8:]))


# Numbers of other lengths, and such as are no month and day, nor a year and month.
_NO_DATE = re.compile(
    r"\$[0-9.,]+|[0-9]{1,3}|[0-9]{5,7}|(?:[0-9]{3}|[0-9]{5,})\.[0-9]{1,3}"
    r"|(?:3[2-9]|[4-9][0-9])\.[0-9]{1,2}|[0-9]{1,2}\.(?:3[2-9]|[4-9][0-9])"
    r"|(?:1[3-9]|2[0-9]|3[01])\.(?:1[3-9]|2[0-9]|3[01])"
    r"|[3-9][0-9]{3}\.[0-9]{1,2}|[12][0-9]{3}\.(?:1[3-9]|[2-9][0-9])",
    re.ASCII,
)


def date_or_text(text: str) -> str | None:
    """Return "date" for what is surely one, and the text of what is surely none: its gist."""
    if _NO_DATE.fullmatch(text) is not None:
        return text
    if _ISO.fullmatch(text) is not None:
        return "date"
    surely_none = (
        text.isascii()
        and ":" not in text
        and not IN_DATES.issuperset(_LONG_WORD.findall(text.lower()))
    )
    return fold(text) if surely_none else None


@reader("date", gist=date_or_text)
def read_date(text: str, *, dates: str = "day-first") -> Date:
    """Read a date; `dates` says whether 03/04/2025 is day-first or month-first."""
    date = parse_date(text, day_first=is_day_first(dates))
    if date is None:
        raise Unreadable("not a date")
    return date


def is_day_first(dates: str) -> bool:
    """Return whether the order named in a schema puts the day first; another word is an error."""
    if dates not in DATE_ORDERS:
        raise ConfigurationError(
            f"option dates: {dates!r} is no order of day and month",
            hint="there is: " + ", ".join(DATE_ORDERS),
        )
    return dates == DATE_ORDERS[0]


def parse_date(text: str, *, day_first: bool) -> Date | None:
    """Return the date that a text names, or None when it names none."""
    iso = _ISO.fullmatch(text)
    if iso is not None:
        return _date(None if iso[1] == "-" else int(iso[1]), int(iso[2]), int(iso[3]))
    figures = _IN_FIGURES.fullmatch(text)
    if figures is not None:
        return _from_numbers([*figures.groups()], day_first=day_first)
    return _parse_date(text, day_first=day_first)


def _parse_date(text: str, *, day_first: bool) -> Date | None:
    """Return the same of a text that is more than three numbers."""
    line = unaccented(plain(text[: LONGEST + 1]).translate(_ORDINALS))
    if len(text) > LONGEST or _is_no_date(line):
        return None
    if ":" in line:
        line = _LABEL.sub("", line)
        line = _TIME_BEFORE.sub("", _TIME_BEHIND.sub("", line))
    line = _in_figures(_YEAR_MARK.sub("", line))
    if _SHAPE.fullmatch(line) is None:
        return None
    if "'" in line:
        line = _SHORT_YEAR.sub(lambda year: str(_year(year[1])), line)
    parts = _PART.findall(line)
    numbers = [part for part in parts if part[0].isdecimal()]
    months = [part for part in parts if part in MONTHS]
    if not all(part in _WORDS for part in parts if not part[0].isdecimal()):
        return None
    # "mar." is Tuesday in French and Spanish when another month follows.
    if len(months) == 2 and months[0] == "mar":
        del months[0]
    if len(months) > 1:
        return None
    if months:
        return _with_month_name(MONTHS[months[0]], numbers)
    date = _from_numbers(numbers, day_first=day_first)
    return None if _lacks_day(date) and not _ONLY_WEEKDAYS.isdisjoint(parts) else date


def _is_no_date(line: str) -> bool:
    """Whether a line has a word that is in no date, which most lines that are none have."""
    return ":" not in line and line.isascii() and not IN_DATES.issuperset(_LONG_WORD.findall(line))


def _in_figures(line: str) -> str:
    """Return a date with its words and numerals as figures: `fourth of July`, 三月, 令和6年."""
    if line.isascii():
        if not _NUMBER_WORDS.isdisjoint(_PART.findall(line)):
            line = _YEAR_WORDS.sub(_counted_year, line)
            line = _ORDINAL_WORDS.sub(_counted_day, line)
        line = _ROMAN.sub(lambda month: str(_ROMAN_MONTHS.index(month[0]) + 1), line)
        return _ERA.sub(_era_year, line) if line[:1] in _ERAS else line
    line = _HAN_NUMBER.sub(_from_han, _SCATTERED.sub("", line))
    return _ERA.sub(_era_year, line)


def _era_year(era: re.Match[str]) -> str:
    name, number = era[1] or era[3], era[2] or era[4]
    return str(_ERAS[name] + (1 if number == "元" else int(number)))


def _from_han(numerals: re.Match[str]) -> str:
    tens, ten, units = numerals[0].rpartition("十")
    if not ten:
        return "".join(str(_NUMERALS[numeral]) for numeral in units)
    return str(10 * _NUMERALS.get(tens, 1) + _NUMERALS.get(units, 0))


def _counted_day(words: re.Match[str]) -> str:
    return str(COUNTED.get(words[1] or "", 0) + _ORDINAL[words[2]])


def _counted_year(words: re.Match[str]) -> str:
    """Return a year written in words; a number that is no year stays as it is."""
    thousands, hundreds, century, rest = words.groups()
    if century is not None and rest is None:
        return words[0]
    base = 2000 if thousands else 100 * counted(hundreds or century)
    return str(base + (0 if rest is None else counted(rest)))


def _lacks_day(date: Date | None) -> bool:
    return date is not None and date.day is None


def _with_month_name(month: int, numbers: list[str]) -> Date | None:
    match numbers:
        case [only] if len(only) == 4:
            return _date(int(only), month, None)
        case [only] if len(only) <= 2:
            return _date(None, month, int(only))
        case [year, day] if len(year) == 4:
            return _date(int(year), month, int(day))
        case [day, year]:
            return _date(_year(year), month, int(day))
    return None


def _from_numbers(numbers: list[str], *, day_first: bool) -> Date | None:
    match numbers:
        case [only]:
            return _compact(only, day_first=day_first)
        case [year, month] if len(year) == 4:
            return _date(int(year), int(month), None)
        case [month, year] if len(year) == 4:
            return _date(int(year), int(month), None)
        case [first, second] if len(first) <= 2 and len(second) <= 2:
            return _date(None, *_in_order(int(first), int(second), day_first=day_first))
        case [year, month, day] if len(year) == 4 or (int(year) > 31 and len(day) <= 2):
            return _date(_year(year), int(month), int(day))
        case [first, second, year]:
            return _date(_year(year), *_in_order(int(first), int(second), day_first=day_first))
    return None


def _in_order(first: int, second: int, *, day_first: bool) -> tuple[int, int]:
    """Return month and day of two numbers, of which perhaps only one can be a month."""
    if first <= 12 and (second > 12 or not day_first):
        return first, second
    return second, first


def _compact(digits: str, *, day_first: bool) -> Date | None:
    if len(digits) == 4:
        return _date(int(digits), None, None)
    if len(digits) not in (8, 14):
        return None
    date = _date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    if date is not None and date.year is not None and 1900 <= date.year < 2100:
        return date
    return _from_numbers([digits[:2], digits[2:4], digits[4:8]], day_first=day_first)


def _year(digits: str) -> int | None:
    if len(digits) == 4:
        return int(digits)
    if len(digits) != 2:
        return 0
    return int(digits) + (1900 if int(digits) >= PIVOT else 2000)


def _date(year: int | None, month: int | None, day: int | None) -> Date | None:
    """Return the date if the calendar has it; 2024 stands in for a year that is not given."""
    if year is not None and not 1000 <= year <= 2999:
        return None
    try:
        datetime.date(
            2024 if year is None else year,
            1 if month is None else month,
            1 if day is None else day,
        )
    except (ValueError, OverflowError):
        return None
    return Date(year, month, day)


LONGEST_RANGE = 120
_OPENING = re.compile(
    r"^(?:(?:billing |service )?period|periode|from|between|vom|von|du|del|dal|de|desde|van|od|fra"
    r"|dari|mulai|с|з)\b:? *(?:dnia +|tanggal +)?"
)
_BETWEEN = re.compile(
    r" (?:to|until|till|through|thru|and|bis|bis zum|zum|au|al|a|ate|hasta|tot|tot en met|do"
    r"|do dnia|til|och|s/d|s\.d\.?|sd|sampai|sampai dengan|hingga|по|до|-|/) "
    r"| ?\.\.+ ?| ?~ ?| ?(?:から|至|부터) ?| ?- ?|/"
)
_CLOSING = re.compile(r" ?(?:まで|止|까지)$")
_LETTERS = re.compile(r"[^\W\d_]{3,}")


class DateRange(NamedTuple):
    """The first and the last day of a period."""

    start: Date
    end: Date

    @property
    def noun(self) -> str:
        """What such values are called."""
        return "date ranges"

    def __str__(self) -> str:
        return f"{self.start}/{self.end}"

    def difference(self, other: DateRange) -> str:
        """Say which end of two different ranges differs."""
        if self.start == other.start:
            return f"the ends differ: {self.end.difference(other.end)}"
        if self.end == other.end:
            return f"the starts differ: {self.start.difference(other.start)}"
        return f"both ends differ: {self} and {other}"


@reader("date_range")
def read_date_range(text: str, *, dates: str = "day-first") -> DateRange:
    """Read two dates, or a month or year from its first day to its last; `dates` as for dates."""
    day_first = is_day_first(dates)
    line = unaccented(plain(text)) if len(text) <= LONGEST_RANGE else ""
    line = _CLOSING.sub("", _OPENING.sub("", line))
    single = parse_date(line, day_first=day_first)
    if single is not None and single.year is not None:
        return DateRange(_first_day(single), _last_day(single))
    # Words and dashes between spaces part dates more surely than the marks inside a date.
    for between in sorted(_BETWEEN.finditer(line), key=lambda match: match[0][0] != " "):
        left, right = line[: between.start()], line[between.end() :]
        date_range = _range(left.strip(), right.strip(), day_first=day_first)
        if date_range is not None:
            return date_range
    raise Unreadable("not a date range")


def _range(left: str, right: str, *, day_first: bool) -> DateRange | None:
    end = _end(left, right, day_first=day_first)
    if end is not None and end.year is None:
        end = _in_year_of(parse_date(left, day_first=day_first), end)
    if end is None or end.year is None:
        return None
    start = _start(left, end, day_first=day_first)
    return None if start is None else DateRange(_first_day(start), _last_day(end))


def _in_year_of(start: Date | None, end: Date) -> Date | None:
    """Return an end that borrows its year from the start, or the next one across the new year."""
    if start is None or start.year is None or start.day is None:
        return None
    across = (end.month or 0, end.day or 0) < (start.month or 0, start.day)
    return _date(start.year + across, end.month, end.day)


def _end(left: str, right: str, *, day_first: bool) -> Date | None:
    month = _LETTERS.search(left)
    # "July 1 - 5, 2025": what follows the dash is a day of the month before it.
    if month is not None and _LETTERS.search(right) is None:
        shared = parse_date(f"{month[0]} {right}", day_first=day_first)
        if shared is not None and shared.day is not None:
            return shared
    return parse_date(right, day_first=day_first)


def _start(left: str, end: Date, *, day_first: bool) -> Date | None:
    start = parse_date(left, day_first=day_first)
    if start is not None and start.year is not None:
        return start
    # "1er au 31 juillet 2015": a lone number is a day of the month in which the period ends
    numbers = [part for part in _PART.findall(left) if part not in FILLERS]
    if len(numbers) == 1 and numbers[0].isdecimal() and end.day is not None:
        return parse_date(f"{end.year}-{end.month:02}-{numbers[0]:0>2}", day_first=day_first)
    if end.year is None:
        return None
    start = parse_date(f"{left} {end.year}", day_first=day_first)
    if start is None or str(start) <= str(end):
        return start
    return parse_date(f"{left} {end.year - 1}", day_first=day_first)


def _first_day(date: Date) -> Date:
    return Date(date.year, date.month or 1, date.day or 1)


def _last_day(date: Date) -> Date:
    month = date.month or 12
    return Date(date.year, month, date.day or calendar.monthrange(date.year or 2024, month)[1])
