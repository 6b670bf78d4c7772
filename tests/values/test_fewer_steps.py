"""Shorter ways to a reading or past it come to what the general way comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from decimal import Decimal
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docassay.errors import Unreadable
from docassay.kernel.digits import digits_of
from docassay.kernel.readings import UsualSenses
from docassay.model.document import Number, Reading, Sense
from docassay.model.schema import DATE_ORDERS, Field, Schema
from docassay.values.compare.texts import _LOOK_ALIKES, look_alike
from docassay.values.compare.within import why_numbers
from docassay.values.field import (
    CACHE_SIZE,
    BoundField,
    CanonicalForms,
    general_senses,
    unread,
)
from docassay.values.read import money
from docassay.values.read.address import (
    _CODE_OF_STATE,
    _GOING_TOGETHER,
    _SHORT,
    FIGURES,
    _left_of,
    _once,
    _read_any,
    _read_usual,
)
from docassay.values.read.currencies import MARKS
from docassay.values.read.currency import no_currency
from docassay.values.read.date import Date, _parse_date, date_or_text, parse_date
from docassay.values.read.number import _dissect, dissect
from docassay.values.reader import READERS

NUMBERS = """
    0|-0|0.0|-0.00|00|007|7|-7|7.0|7.50|-7.5|1.234|1,234|1234|12.345.678|1e3|1000|1.0e3|½|0.5|1/2
    .5|5.|+5|(5)|-5|5-|1 234|$1,234.50|1234.5|1.2 million|1200000|12 %|three|3|three (3)|12^50|12.50
    123456789012345678901|1234567890123456789.5|0.1234567890123456789|  7 |7,5|０.５
"""
QUANTITIES = """
    5 m2|5 sqm|5 M2 |5 m²|5m2|52|5|5 m3|5 cbm|2 kg|2.0 KG|2kgs|1/2 kg|0.5 kg|1 1/2 kg|1.5 kg|3 x
    three (3) pcs|3 pieces|3 pcs|12/04/2025|12 04 2025|1/2/3|Qty 3|PM2
"""
NAMES = """
    Dr. Ann Lee|Lee, Ann|ann lee|Smith & Co|Smith Co.|Café 21 Pty Ltd|CAFE 21 proprietary limited
    the 3 Bears|3 bears|Studio 54, Limited|Studio 54 ltd|s.a. 7|sa 7|7 S A|one two|1 2|Mr Smith 2
    21 Smith, John|John 21 Smith|3M|3 m|Müller 4/5|Mueller 4/5|12/04/2025|™ 5|5
"""
DATES = """
    2019-04-19|19 April 2019|19/04/2019|19.04.19|04-19|--04-19|2019|20190419|April 2019
    fourth of July
    174.24|18595.08|161|12.04|1859.08|$12.04|12345|1234567|12345678|Monday 3 June 2024|R6.3.12
    nineteen hundred and ninety-nine|July 4, nineteen ninety|3.VIII.2020|iii
    Desk lamp B735|due 3 May
"""
ADDRESSES = """
    12 Main Street|12 main st.|No. 12, Main St|12|First Avenue 3|1st Ave 3|3 1st avenue|5/12 High Rd
    unit 5, 12 High Rd|158 Via Roma, 10115 Berlin|10115 Berlin, via Roma 158
    D-10115 Berlin|10115 berlin
    PO Box 7|P.O. box 7|Hauptstr. 5|Hauptstraße 5|18595.08|2019-04-19|level 3|l 3|lot a 3
    3012 CN Delft
"""
IDS = """
    INV-2019-89422|inv 2019 89422|ABN 29 179 969 049|29179969049|20833.0|20833|100|100.0|+5|5|1,234
    1234|No. 12|12|№ 12|a/b|ab
"""
TEXTS = """
    Desk lamp|desk  LAMP.|desk lamp...|`quoted`|'quoted'| desk lamp |.|a.|NOT_FOUND|n/a
    not found|Ｄesk
    tab\tbed|end\x1f|caf\u00e9
"""
CURRENCIES = """
    USD|US dollar|us dollars|$|US$|AUD|pound|GBP|£|EUR (€)|EUR|4BP|12|12.50|Desk lamp|won|kr.|USD 5
    usd - $|a/b
"""
POOLS = {
    "number": NUMBERS,
    "percent": NUMBERS,
    "money": NUMBERS,
    "quantity": QUANTITIES,
    "name": NAMES,
    "date": DATES,
    "address": ADDRESSES,
    "id": IDS,
    "text": TEXTS,
    "exact": TEXTS,
    "currency": CURRENCIES,
}


def texts(pool: str) -> list[str]:
    return [text for line in pool.strip("\n").split("\n") for text in line[4:].split("|")]


EVERY = [text for pool in dict.fromkeys(POOLS.values()) for text in texts(pool)]


def canonical(reader: str, text: str) -> str:
    try:
        return str(READERS.get(reader).function(text))
    except Unreadable as error:
        return str(unread(text, error)[0])


@pytest.mark.parametrize("reader", POOLS)
def test_texts_of_one_value_have_one_gist(reader: str) -> None:
    gist = READERS.get(reader).gist
    assert gist is not None
    forms = {text: canonical(reader, text) for text in EVERY}
    same = 0
    for one, other in combinations(EVERY, 2):
        if forms[one] == forms[other]:
            gists = {gist(one), gist(other), gist(forms[one])} - {None}
            assert len(gists) < 2, (one, other)
            same += 1
    assert same > 1
    told: set[Hashable | None] = {gist(text) for text in texts(POOLS[reader])} - {None}
    assert len(told) > 1  # or it tells nothing apart


@pytest.mark.parametrize("reader", ["text", "exact"])
def test_texts_that_are_the_same_have_the_same_digits(reader: str) -> None:
    for one, other in combinations(EVERY, 2):
        if canonical(reader, one) == canonical(reader, other):
            assert len({digits_of(one), digits_of(other)} - {None}) < 2, (one, other)


@pytest.mark.parametrize("reader", READERS.names())
def test_what_can_be_read_never_prints_as_what_cannot(reader: str) -> None:
    field = BoundField(Field("a", reader), Schema())
    pool = {*EVERY, *(canonical(reader, text) for text in EVERY)}
    readings = [reading for text in pool if (reading := field.readings[text]) is not None]
    read = {reading.canonical for reading in readings if reading.problem is None}
    assert read.isdisjoint(reading.canonical for reading in readings if reading.problem is not None)


ODD_TEXT = st.text("012 eE+-/.\x00\x01atwofirs\u00e9\u00bd\u0663\u4e09\ud800", max_size=8)
FIELDS = [
    Field("a", "number"),
    Field("a", "number", {"decimal": ","}),
    Field("a", "number", {"decimal": "."}),
    Field("a", "number", {"absolute": "1"}),
    Field("a", "quantity"),
    Field("a", "quantity", {"decimal": ","}),
    Field("a", "quantity", {"relative": "0.1"}),
    Field("a", "quantity", compare="same"),
    Field("a", "text"),
    Field("a", "text", {"strip": "-"}),
    Field("a", "text", accept=0.8),
    Field("a", "exact"),
    Field("a", "money"),
    Field("a", "money", {"currency": "AUD"}),
    Field("a", "money", {"decimal": ","}),
    Field("a", "money", {"absolute": "1"}),
    Field("a", "money", compare="within"),
    Field("a", "date"),
    Field("a", "date", {"dates": "month-first"}),
    Field("a", "date", compare="edit"),
]


Parts = tuple[object, ...] | None


def parts(reading: Reading | None) -> Parts:
    return reading and (reading.text, reading.canonical, *facts(reading.sense))


def facts(sense: Sense) -> Parts:
    return (sense.key, sense.scope, sense.problem)


def at_sight(field: BoundField, text: str, *, number: bool = False) -> tuple[Hashable, ...] | None:
    """Return the key and the scope of a text that has them unread, and that it has no problem."""
    senses = (field.numbers if number else field.readings).senses
    if not isinstance(senses, UsualSenses):
        return None
    key = senses.key(Number(text) if number else text)
    return None if key is None else (key, senses.scope(text), None)


def in_general(field: BoundField, text: str, *, number: bool = False) -> Parts:
    """Return what a text comes to without any short way."""
    if field.means_absent(text):
        return None
    senses = general_senses(field._read, field._key, field._scope, field._prefix)
    sense = senses(Number(text) if number else text)
    return (text, str(sense.value), *facts(sense))


@pytest.mark.parametrize("spec", FIELDS, ids=repr)
@pytest.mark.parametrize("absent", [(), ("7", "n/a")])
def test_a_number_means_its_digits_where_both_are_read_as_one_value(
    spec: Field, absent: tuple[str, ...]
) -> None:
    field = BoundField(spec, Schema(absent=absent))
    for text in texts(NUMBERS):
        number, plain = (reading[text] for reading in (field.numbers, field.readings))
        same = (number and number.canonical) == (plain and plain.canonical)
        assert field.means_its_digits(text) == same, text


@pytest.mark.parametrize("spec", FIELDS, ids=repr)
@pytest.mark.parametrize("absent", [(), ("7", "n/a")])
def test_a_reading_is_what_the_general_way_makes(spec: Field, absent: tuple[str, ...]) -> None:
    field = BoundField(spec, Schema(absent=absent))
    for text in EVERY:
        check_both_kinds(field, text)


def check_both_kinds(field: BoundField, text: str) -> None:
    for number, readings in ((False, field.readings), (not field.as_text, field.numbers)):
        general = in_general(field, text, number=number)
        assert parts(readings[text]) == general, text
        if general is not None:
            assert at_sight(field, text, number=number) in (None, general[2:]), text


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("exact", "Desk  lamp", ("a\x1fDesk lamp", None, None)),
        ("text", "Desk  LAMP", ("a\x1fdesk lamp", None, None)),
        ("number", "1.50", ("a\x1f1.5", None, None)),
        ("number", "$1,000.50", ("a\x1f1000.5", None, None)),
        ("money", "1,000.50", ("a\x1f1000.5", None, None)),
        ("money", "$1,000.50", ("a\x1f1000.5", "USD", None)),
        ("date", "7.10.2019", ("a\x1f2019-10-07", None, None)),
        ("money", "€1,000.50", None),
        ("text", "caf\u00e9", None),
        ("exact", "caf\u00e9", None),
        ("number", "1.5 or so", None),
        ("date", "7 Oct 2019", None),
        ("address", "1 High St", None),
    ],
)
def test_usual_texts_have_a_key_at_sight(kind: str, text: str, told: object) -> None:
    assert at_sight(BoundField(Field("a", kind), Schema()), text) == told


def test_a_usual_number_has_a_key_at_sight_as_a_text_has_it() -> None:
    field = BoundField(Field("a", "number"), Schema())
    assert at_sight(field, "1.50", number=True) == at_sight(field, "1.50") is not None


@given(st.text(alphabet="aB1 .`-\t", max_size=8))
def test_any_short_text_is_read_as_the_general_way_reads_it(text: str) -> None:
    for kind in ("text", "exact"):
        check_both_kinds(BoundField(Field("a", kind), Schema()), text)


@given(st.from_regex(r"-?[0-9]{0,3}(\.[0-9]{0,4})?", fullmatch=True))
def test_any_number_is_read_as_the_general_way_reads_it(text: str) -> None:
    for kind, options in product(("number", "quantity"), ({}, {"decimal": ","})):
        check_both_kinds(BoundField(Field("a", kind, options), Schema()), text)


@given(st.from_regex(r" {0,2}[0-9]{1,3}( {1,2}[0-9]{1,4}){1,3} ?", fullmatch=True))
def test_digits_with_spaces_are_the_identifier_that_the_general_way_finds(text: str) -> None:
    field = BoundField(Field("a", "id"), Schema())
    in_few_steps, in_general = (
        field.readings[writing] for writing in (text, text.replace(" ", "\t"))
    )
    assert in_few_steps is not None
    assert in_general is not None
    assert (in_few_steps.value, in_few_steps.key) == (in_general.value, in_general.key)
    assert in_few_steps.value == "".join(text.split())


AMOUNTS = st.one_of(
    st.from_regex(r"-?\$?[0-9]{0,4}(,[0-9]{2,4}){0,2}\.?[0-9]{0,3}", fullmatch=True),
    st.from_regex(r"-?\$?[0-9]{0,4}(\.[0-9]{2,4}){0,2},?[0-9]{0,3}", fullmatch=True),
    st.from_regex(r"-?\$?0{0,2}[0-9]{28,36}[.,]00", fullmatch=True),
    st.text("-$,.01٣ ", max_size=7),
    st.from_regex(
        r" ?(AUD|aud|kr|Rs|CR|dr|KWD|k|Mio|XYZ|€|A\$|fr\.|euro)? {0,2}"
        r"-?\$?[0-9]{1,3}(,[0-9]{3})?\.[0-9]{2} ?",
        fullmatch=True,
    ),
)


USUAL = [
    *(
        "$1,234.50",
        "-$1,234.50",
        "-0.00",
        "$0.00",
        "1234.50",
        "007.10",
        "1.5",
        "1.500",
        "1234,567.00",
    ),
    *("12,34.00", ",123.00", "1,234,567.89", "$-5.00", "5.00$", "5.", ".50", "$", "5.0٣"),
    *(f"{'1' * 36}.00", f"{'1' * 37}.00", "1,23a.00", "--5.00"),
    *(
        "1.234,50",
        "-$1.234.567,80",
        "309,93",
        "$0,00",
        "007,10",
        "1,234,50",
        "1.234.50",
        "12.34,00",
    ),
    *(
        "AUD 380.25",
        " $233.10",
        "$23.00 ",
        "AUD -5.00",
        "-AUD 5.00",
        "CR 5.00",
        "dr 5.00",
        "m 5.00",
    ),
    *(
        "AUD $5.00",
        "AUD  5.00",
        "KWD 1,234.50",
        "kr 5.00",
        "XYZ 5.00",
        "AUD\u00a05.00",
        "AUD 5.0",
        "€ 5.00",
    ),
]


@pytest.mark.parametrize("currency", [None, "AUD", "EUR"])
def test_usual_amounts_are_read_as_the_general_way_reads_them(currency: str | None) -> None:
    check_amounts(USUAL, currency)


@pytest.mark.parametrize("currency", ["AUD", "KWD"])
def test_a_mark_and_a_usual_amount_are_read_as_the_general_way_reads_them(currency: str) -> None:
    check_amounts([f"{mark} 1,234.50" for mark in MARKS], currency)


@settings(max_examples=60)
@given(st.lists(AMOUNTS, max_size=3), st.sampled_from([None, "AUD", "EUR"]))
def test_any_amount_is_read_as_the_general_way_reads_it(
    several: list[str], currency: str | None
) -> None:
    check_amounts(several, currency)


def check_amounts(several: list[str], currency: str | None) -> None:
    options: dict[str, object] = {} if currency is None else {"currency": currency}
    field = BoundField(Field("a", "money", options), Schema())
    kinds = [BoundField(Field("a", kind), Schema()) for kind in ("number", "quantity")]
    for text in several:
        for each in (field, *kinds):
            check_both_kinds(each, text)
        ways = [options, {**options, "decimal": ","}, {**options, "credit_negative": True}]
        read = [money_of(text, way) for way in ways]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(money, "usual_amount", lambda _: None)
            assert [money_of(text, way) for way in ways] == read


def money_of(text: str, options: dict[str, object]) -> str:
    try:
        return repr(money.read_money(text, **options))  # type: ignore[arg-type]
    except Unreadable as error:
        return str(error)


def test_a_text_from_which_characters_are_stripped_has_no_gist() -> None:
    assert BoundField(Field("a", "text"), Schema()).gist is READERS.get("text").gist
    assert BoundField(Field("a", "text", {"strip": "-"}), Schema()).gist is None


def test_canonical_forms_are_those_of_readings_and_shared_by_fields_that_read_alike() -> None:
    schema = Schema(absent=("n/a",))
    field = BoundField(Field("a", "number"), schema)
    for text in EVERY:
        reading = field.readings.fresh(text)
        assert field.canonical[text] == (None if reading is None else reading.canonical)
    assert BoundField(Field("b", "number"), schema).canonical is field.canonical
    assert (
        BoundField(Field("b", "number", {"decimal": ","}), schema).canonical["1,234"]
        != (field.canonical["1,234"])
    )
    assert BoundField(Field("b", "number"), Schema()).canonical["n/a"] == "n/a"


def test_canonical_forms_do_not_grow_without_end() -> None:
    forms = CanonicalForms(str, frozenset())
    for number in range(CACHE_SIZE + 1):
        forms[str(number)]
    assert len(forms) == 1


@given(st.from_regex(r"[0-9]{1,5}\.[0-9]{1,3}", fullmatch=True), st.booleans())
def test_a_decimal_that_is_told_from_dates_is_none(number: str, day_first: bool) -> None:
    gist = date_or_text(number)
    assert gist in (None, number)
    if gist is not None:
        assert parse_date(number, day_first=day_first) is None


@pytest.mark.parametrize("number", ["85.17", "3.32", "13.13", "9982.88", "2416.13", "390.5"])
def test_most_decimals_are_told_from_dates(number: str) -> None:
    assert date_or_text(number) == number


def test_of_currencies_only_what_cannot_be_read_is_told() -> None:
    field = BoundField(Field("a", "currency"), Schema())
    told = [text for text in EVERY if no_currency(text) is not None]
    assert told
    assert all(reading.problem for text in told if (reading := field.readings[text]) is not None)


@given(
    st.from_regex(r"-?[$A-Za-z]{0,3}[0-9]{1,3}[.,]?[0-9]{0,4}[.,]?[0-9]{0,3}", fullmatch=True)
    | st.text("-+$eE.,()0129 ", max_size=9)
)
def test_a_usual_amount_is_taken_apart_as_any_other(text: str) -> None:
    assert dissect(text) == _dissect(text)


@given(
    st.from_regex("[0-9]{1,5}[./-][0-9]{1,3}[./-][0-9]{1,5}", fullmatch=True),
    st.booleans(),
)
def test_a_date_in_figures_is_read_as_any_other(text: str, day_first: bool) -> None:
    assert parse_date(text, day_first=day_first) == _parse_date(text, day_first=day_first)


@given(st.from_regex(r"[a-z0-9]{1,3}( [a-z0-9&]{1,4}| [0-9]{3}-[0-9]{4}){0,4}", fullmatch=True))
def test_a_line_that_is_nothing_but_words_is_taken_apart_as_any_other(line: str) -> None:
    # a mark that no rule asks about keeps a line from being taken for words alone
    assert _once(line) == _once(f"{line};")


@given(
    st.from_regex("[0-9]{1,4}[./-][0-9]{1,2}[./-]([0-9]{1,2}|[0-9]{4})", fullmatch=True)
    | st.dates().map(str)
    | st.text("0129-./٣ ", min_size=8, max_size=10),
    st.sampled_from(DATE_ORDERS),
)
@example("2023-02-29", "day-first")
@example("2000-02-29", "day-first")
@example("1900-02-29", "day-first")
@example("31.04.2024", "day-first")
@example("0999-01-01", "day-first")
@example("3000-01-01", "day-first")
@example("1.1.2019", "day-first")
@example("13-12-2019", "month-first")
@example("1.1.12345", "day-first")
@example("12122.2019", "day-first")
def test_a_day_in_figures_is_read_as_the_general_way_reads_it(text: str, order: str) -> None:
    field = BoundField(Field("a", "date", {"dates": order}), Schema())
    reading = field.readings[text]
    assert parts(reading) == in_general(field, text)
    if reading is not None:
        senses = general_senses(field._read, field._key, field._scope, field._prefix)
        assert reading.value == senses(text).value


ADDRESS_WORDS = st.one_of(
    st.from_regex("[0-9]{1,4}", fullmatch=True),
    st.sampled_from([*_SHORT, *_GOING_TOGETHER, *_CODE_OF_STATE, *FIGURES]),
    st.sampled_from([*_CODE_OF_STATE.values(), "Roma", "Kerkstraat", "Cn", "b", "5th", "6aa"]),
    st.sampled_from(["wc2b", "e1", "l1", "no1", "k1a", "0b1", "e1 6aa", "no1 2bc"]),
)
ADDRESS_MARKS = st.sampled_from([" ", " ", ", ", ". ", "\n", "  "])


@given(st.lists(st.tuples(ADDRESS_WORDS, ADDRESS_MARKS), min_size=1, max_size=6))
@example([("12", " "), ("florida", " "), ("7", "")])
@example([("unit", " "), ("200", " "), ("349", ", "), ("main", " "), ("st", "")])
@example([("12", " "), ("newfoundland und labrador", "")])
@example([("1000", " "), ("new york", "")])
@example([("roma", " "), ("no1", " "), ("6aa", "")])
@example([("e1", " "), ("6aa", "")])
@example([("unit", " "), ("4", " "), ("roma", " "), ("12", " "), ("e1", " "), ("6aa", "")])
@settings(max_examples=300)
def test_a_usual_address_is_read_as_any_other(words: list[tuple[str, str]]) -> None:
    text = "".join(word + mark for word, mark in words)
    usual = _read_usual(text)
    assert usual is None or usual == _read_any(text)


@pytest.mark.parametrize(
    "text",
    [
        "600 Via Roma, 10115 Berlin",
        "418 Market St., 00184 Roma",
        "728 5th Avenue, New York, NY 10001",
        "Unit 37, 229 Dockside Drive, Ballarat VIC 3350",
        "205 Tory Street, Wellington 6011, New Zealand",
        "397 Main Street, London WC2B 6AA",
    ],
)
def test_most_addresses_are_usual(text: str) -> None:
    assert _read_usual(text) == _read_any(text)


DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**40), max_value=10**40)


@given(gold=DECIMALS, power=st.integers(-8, 8), pred=DECIMALS, shifted=st.booleans())
@example(gold=Decimal("9" * 29), power=1, pred=Decimal(10) ** 30, shifted=False)
@example(gold=Decimal(0), power=1, pred=Decimal(10), shifted=False)
def test_a_factor_is_the_first_power_of_ten_by_which_one_number_becomes_the_other(
    gold: Decimal, power: int, pred: Decimal, shifted: bool
) -> None:
    pred = gold.scaleb(power) if shifted else pred
    reason = why_numbers(gold, pred)
    if gold == pred or gold == pred.copy_negate():
        assert "factor" not in reason
        return
    powers = [n for n in range(1, 7) if pred in (gold.scaleb(n), gold.scaleb(-n))]
    said = f"numbers differ by a factor of {10 ** powers[0]}" if powers else None
    assert (reason if "factor" in reason else None) == said


@given(*[st.lists(st.sampled_from("abc"), max_size=4).map(tuple)] * 2)
def test_what_is_left_of_some_words_is_a_difference_of_multisets(
    words: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert [*_left_of(words, others)] == [*(Counter(words) - Counter(others)).elements()]


@given(*[st.text(alphabet="oO0l1|iİı i̇s5", max_size=3)] * 2)
@example("İ", "i̇")
def test_texts_look_alike_if_they_become_one_whatever_their_lengths(gold: str, pred: str) -> None:
    one, other = (text.lower().translate(_LOOK_ALIKES) for text in (gold, pred))
    assert look_alike(gold, pred) is (one == other)


@given(st.none() | st.integers(1, 9_999), *[st.none() | st.integers(1, 12)] * 2)
def test_a_date_is_written_part_by_part(
    year: int | None, month: int | None, day: int | None
) -> None:
    if year is None and (month is None or day is None):
        return
    parts = ["-" if year is None else f"{year:04}"]
    parts += [f"{part:02}" for part in (month, day) if part is not None]
    assert str(Date(year, month, day)) == "-".join(parts)
