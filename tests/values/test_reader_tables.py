"""What each reader makes of a text, case by case: the marks, limits and words of its rule."""

# ruff: noqa: E501 - several cases a line

from __future__ import annotations

import pytest

from docassay.errors import Unreadable
from docassay.model.document import Number
from docassay.values.read.characters import collapse, fold, plain, shortened, unaccented
from docassay.values.read.date import MONTHS, WEEKDAYS, Date
from docassay.values.read.phone import Phone
from docassay.values.reader import READERS
from docassay.values.similarity import similarity

DATES = [
    ("3 Ma 2025", None), ("3 Mo 2025", None), ("Ma 2025", None), ("Ma 3.4.2025", "2025-04-03"),
    ("3 Mar 2025", "2025-03-03"), ("3/2025", "2025-03"), ("2025/3", "2025-03"), ("2025", "2025"),
    ("2025年3月", "2025-03"), ("2025年3月4日", "2025-03-04"), ("mar. 3 avril 2025", "2025-04-03"),
    ("3 May June 2025", None), ("May 2025", "2025-05"), ("3 May", "--05-03"), ("May", None),
    ("2025 May 3", "2025-05-03"), ("3 May 25", "2025-05-03"), ("3 May 69", "1969-05-03"),
    ("3 May 68", "2068-05-03"), ("May '69", "1969-05"), ("1/2/3/4", None), ("3/4/2025", "2025-04-03"),
    ("13/4/2025", "2025-04-13"), ("4/13/2025", "2025-04-13"), ("12/12/2025", "2025-12-12"),
    ("25-04-03", "2003-04-25"), ("32-04-03", "2032-04-03"), ("31-04-03", None),
    ("20250403", "2025-04-03"), ("03042025", "2025-04-03"), ("20250403101112", "2025-04-03"),
    ("2025040", None), ("19000101", "1900-01-01"), ("21000101", None), ("18991231", None),
    ("1000", "1000"), ("0999", None), ("2999", "2999"), ("3000", None), ("3/4/125", None),
    ("29/2/2024", "2024-02-29"), ("29/2/2025", None), ("29 Feb", "--02-29"), ("30 Feb", None),
    ("3.4.2025 14:30", "2025-04-03"), ("14:30, 3.4.2025", "2025-04-03"),
    ("2025-04-03T14:30:00Z", "2025-04-03"), ("3 Foo 2025", None), ("3 May 123", None),
    ("3" * 81, None), (" " * 78 + "2025", None), ("1º maggio 2025", "2025-05-01"),
    ("123 May", None), ("2025 13", None), ("100/4", None), ("4/100", None),
]  # fmt: skip
MONTH_FIRST = [("3/4/2025", "2025-03-04"), ("13/4/2025", "2025-04-13"), ("12/13", "--12-13"),
               ("04032025", "2025-04-03")]  # fmt: skip
NUMBERS = [
    ("1,234", "1234"), ("1.234", "1.234"), ("1.234.567", "1234567"), ("12,34,567", "1234567"),
    ("1'234.5", "1234.5"), ("1 234,5", "1234.5"), ("0,123", "0.123"), ("1234,567", "1234.567"),
    ("-5", "-5"), ("5-", "-5"), ("(5)", "-5"), ("+5", "5"), ("-(5)", None), ("--5", None),
    ("-0", "0"), ("007", "7"), ("5.", "5"), ("5,-", "5"), (".5", "0.5"), (",5", "0.5"), ("0.0", "0"),
    ("½", "0.5"), ("1½", "1.5"), ("1 1/4", "1.25"), ("1/3", None), ("3/0", None), ("2e3", "2000"),
    ("2e-3", "0.002"), ("1e1000", "1" + "0" * 1000), ("1e1001", None), ("1 .5", "1.5"),
    ("1. 5", None), ("$5", "5"), ("5 USD", "5"), ("5 dollars", None), ("five", "5"), ("a.5", None),
    ("1.23.456", None), ("1,2345,678", None), ("١٢٣", "123"), ("1" * 1000, "1" * 1000),
    ("1" * 1001, None), ("1.5,", "1.5"), ("12.345.67", None), ("999.999", "999.999"),
]  # fmt: skip
PERCENTS = [
    ("5%", {}, "5"), ("5 per cent", {}, "5"), ("% 5", {}, "5"), ("5", {}, "5"), ("%5%", {}, None),
    ("0.1", {"fractions": True}, "10"), ("0.1%", {"fractions": True}, "0.1"), ("-0.5", {"fractions": True}, "-50"),
    ("1", {"fractions": True}, "100"), ("1.5", {"fractions": True}, "1.5"), ("0.1", {}, "0.1"),
    ("0", {"fractions": True}, "0"), ("5 kg", {}, None),
]  # fmt: skip
MONEY = [
    ("$5", {}, "5 USD"), ("$5", {"currency": "AUD"}, "5 AUD"), ("€5", {"currency": "AUD"}, "5 EUR"),
    ("5", {"currency": "aud"}, "5"), ("AUD $5", {}, "5 AUD"), ("aud$5", {}, "5 AUD"),
    ("5 CR", {}, "5"), ("5 DR", {}, "-5"), ("5 CR", {"credit_negative": True}, "-5"),
    ("5 DR", {"credit_negative": True}, "5"), ("-5 DR", {}, None), ("0 DR", {}, "0"),
    ("5 DR CR", {}, None), ("1.234", {}, "1234"), ("1.234 KWD", {}, "1.234 KWD"),
    ("1.234", {"decimal": "."}, "1.234"), ("1,234", {"decimal": ","}, "1.234"), ("5⁹⁹", {}, "5.99"),
    ("5^99", {}, "5.99"), ("5.⁹⁹", {}, "5.99"), ("@5", {}, "5"), ("5*", {}, "5"), ("5 foo", {}, None),
    ("-0.00", {}, "0"), ("-$5.10", {}, "-5.1 USD"), ("00.50", {}, "0.5"), ("1,000.00", {}, "1000"),
    ("$0.00", {}, "0 USD"), ("10.00", {}, "10"), ("5 EUR USD", {}, None), ("kr 5", {}, "5 SEK"),
    ("x" * 41 + "5", {}, None), ("kr 5", {"currency": "DKK"}, "5 DKK"), ("5 pounds sterling", {}, "5 GBP"),
]  # fmt: skip
QUANTITIES = [
    ("5", "5"), ("5 kgs", "5 kg"), ("5 m2", "5 m2"), ("5 m²", "5 m2"), ("5m3", "5 m3"), ("x5", "5"),
    ("5 x", "5"), ("qty 5 pcs", "5 piece"), ("5 widgets", "5 widgets"), ("5 w", "5 w"), ("kg 5 g", None),
    ("5 (kg)", "5 kg"), ("m2", None), ("", None), ("5 " + "w" * 20, "5 " + "w" * 20), ("5 " + "w" * 21, None),
]  # fmt: skip
TIMES = [
    ("14:05", "14:05"), ("2:05 pm", "14:05"), ("12:05 am", "00:05"), ("12:05 pm", "12:05"),
    ("12 noon", "12:00"), ("midnight", "00:00"), ("24:00", "00:00"), ("24:01", None), ("24:00:01", None),
    ("25:00", None), ("14:60", None), ("14:05:60", None), ("14:05:30", "14:05:30"), ("14:05:00", "14:05"),
    ("14:05:00.500", "14:05:00.5"), ("14 Uhr", "14:00"), ("14h05", "14:05"), ("5 min", None), ("5pm", "17:00"),
    ("1405", "14:05"), ("2460", None), ("13 am", None), ("14 pm", "14:00"), ("下午 2:05", "14:05"),
    ("2025-04-03 14:05", "14:05"), ("2025-04-03T14:05", "14:05"), ("hello 14:05", None), ("14", None),
    ("14:05 UTC", "14:05"), ("x" * 81, None), ("12 am", "00:00"), ("0 am", "00:00"), ("59:00", None),
    ("14:59:59", "14:59:59"), ("2400", "00:00"), (" " * 76 + "14:05", None), (" " * 75 + "14:05", "14:05"),
]  # fmt: skip
RANGES = [
    ("May 2025", "2025-05-01/2025-05-31"), ("2024", "2024-01-01/2024-12-31"), ("Feb 2024", "2024-02-01/2024-02-29"),
    ("from 1 May 2025 to 3 June 2025", "2025-05-01/2025-06-03"), ("July 1 - 5, 2025", "2025-07-01/2025-07-05"),
    ("28 Dec - 3 Jan 2025", "2024-12-28/2025-01-03"), ("1.-5.7.2025", "2025-07-01/2025-07-05"),
    ("1 May - 3 June", None), ("3 May 2025", "2025-05-03/2025-05-03"), ("May - June 2025", "2025-05-01/2025-06-30"),
    ("2024/2025", "2024-01-01/2025-12-31"), ("x" * 121, None), ("3 May", None), ("foo - 3 May 2025", None),
    ("1 May 2025..3 May 2025", "2025-05-01/2025-05-03"), ("1/5/2025 - 3/5/2025", "2025-05-01/2025-05-03"),
    ("32 - 3 May 2025", None), (" " * 113 + "May 2025", None), (" " * 112 + "May 2025", "2025-05-01/2025-05-31"),
]  # fmt: skip
PHONES = [
    ("02 9876 5432", {}, Phone("0298765432", None, "")), ("+61 2 9876 5432", {}, Phone("298765432", "61", "")),
    ("0061 2 9876 5432", {}, Phone("298765432", "61", "")), ("+61 (0)2 9876 5432", {}, Phone("298765432", "61", "")),
    ("Tel. 123 x7", {}, Phone("123", None, "7")), ("12", {}, None), ("1" * 17, {}, Phone("1" * 17, None, "")),
    ("1" * 18, {}, None), ("1-212-555-1234", {}, Phone("2125551234", "1", "")), ("call me", {}, None),
    ("02 9876 5432", {"country": "AU"}, Phone("298765432", "61", "")), ("123", {}, Phone("123", None, "")),
    ("12125551234", {}, Phone("12125551234", None, "")), ("1" * 3 + " " * 78, {}, None),
]  # fmt: skip
NAMES = [
    ("Smith, John", "john smith"), ("Mr. and Mrs. Smith", "smith"), ("Dr.", "dr"), ("Acme, Inc.", "acme inc"),
    ("Acme Incorporated", "acme inc"), ("J. R. Smith", "jr smith"), ("Smith, J. R.", "smith jr"),
    ("Smith, Jones, Brown", "smith jones brown"), ("A & B", "a and b"), ("O'Neil", "oneil"), ("Smith, Anna Maria Eva", "anna maria eva smith"),
    ("Smith, A1", "smith a1"), ("Smith, Bo Cy Di Ed", "smith bo cy di ed"), ("Public Limited Company", "plc"),
    ("van der Berg Haus, Jo", "van der berg haus jo"), ("der Berg Haus, Jo", "jo der berg haus"), ("Acme™", "acme"), ("Smith,", "smith"),
    ("Smith & Co, John", "smith co john"), ("Mr. Dr. Smith", "smith"), ("Ann and Bob, Jo", "ann and bob jo"),
]  # fmt: skip
IDS = [
    ("INV-001", "inv001"), ("Invoice No. 7", "7"), ("PO 123", "po123"), ("PO: 123", "123"), ("PO No 123", "123"),
    ("ABN", "abn"), ("№ 5", "5"), ("N° 5", "5"), ("ref ref 1", "ref1"), ("Order #5", "5"), ("Straße 5", "strasse5"),
]  # fmt: skip
ADDRESSES = [
    ("4/12 Main St", "unit4 12 main st"), ("Apt 4, 12 Main Street", "unit4 12 main st"), ("#4 12 Main", "unit4 12 main"),
    ("P.O. Box 7", "pobox7"), ("N.S.W. 2000", "nsw 2000"), ("No. 5 High Rd", "5 high rd"), ("Hauptstraße 5", "hauptstr 5"),
    ("SW1A 1AA", "sw1a1aa"), ("L5 12 Main", "lvl5 12 main"), ("c/ Mayor 5", "calle mayor 5"), ("Level 3", "lvl3"),
    ("Unit A", "unit a"), ("No No 5", "5"), ("Unit No 5", "unit5"), ("North South 5", "ns 5"), ("x" * 10_000, "x" * 10_000),
    ("c/o Bob", "co bob"), ("k1a 0b1", "k1a0b1"), ("no", "no"),
]  # fmt: skip
OTHERS = [
    ("boolean", "Yes.", "true"), ("boolean", "☐", "false"), ("boolean", "y" * 21, None), ("boolean", " " * 17 + "yes", "true"),
    ("boolean", " " * 18 + "yes", None), ("digits", "a1b٢", "12"), ("digits", "abc", None), ("alphanumeric", "A-b é!", "Abé"),
    ("alphanumeric", "--", None), ("alphanumeric", "–", None), ("words", "It's, OK!", "it's ok"), ("words", "***", "***"),
    ("text", "x" * 50_000, "x" * 50_000), ("text", "x" * 50_001, None), ("exact", "A  b", "A b"), ("choice", "A_b!", "a b"),
    ("choice", "!!", "!!"), ("name", "x" * 10_000, "x" * 10_000), ("name", "ée èa", "ee ea"),
]  # fmt: skip
CASES = [
    *(("date", text, {}, value) for text, value in DATES),
    *(("date", text, {"dates": "month-first"}, value) for text, value in MONTH_FIRST),
    *(("number", text, {}, value) for text, value in NUMBERS),
    *(("percent", text, options, value) for text, options, value in PERCENTS),
    *(("money", text, options, value) for text, options, value in MONEY),
    *(("quantity", text, {}, value) for text, value in QUANTITIES),
    *(("time", text, {}, value) for text, value in TIMES),
    *(("date_range", text, {}, value) for text, value in RANGES),
    *(("phone", text, options, value) for text, options, value in PHONES),
    *(("name", text, {}, value) for text, value in NAMES),
    *(("id", text, {}, value) for text, value in IDS),
    *(("address", text, {}, value) for text, value in ADDRESSES),
    *((name, text, {}, value) for name, text, value in OTHERS),
]


@pytest.mark.parametrize(
    ("name", "text", "options", "value"),
    CASES,
    ids=[f"{name}: {text[:30]!r} {options or ''}" for name, text, options, _ in CASES],
)
def test_a_reader_reads_a_text_as_its_table_says(
    name: str, text: str, options: dict[str, object], value: object
) -> None:
    read = READERS.get(name).function
    if value is None:
        with pytest.raises(Unreadable):
            read(text, **options)
    elif isinstance(value, str):
        assert str(read(text, **options)) == value
    else:
        assert read(text, **options) == value


def test_a_month_is_known_by_three_letters_at_least() -> None:
    assert min(len(name) for name in MONTHS if name.isascii()) == 3
    assert {"ma", "di", "mo"} <= WEEKDAYS


@pytest.mark.parametrize("reader", ["number", "money", "percent", "quantity"])
def test_a_json_number_has_a_decimal_point_whatever_the_option_says(reader: str) -> None:
    assert str(READERS.get(reader).function(Number("1.234"), decimal=",")) == "1.234"


@pytest.mark.parametrize(
    ("type", "gold", "pred", "value", "reason"),
    [
        ("phone", "+61 298765432", "+61 298765432", 1.0, "equal as telephone numbers"),
        ("phone", "0298765432", "+61 298765432", 1.0, "equal as telephone numbers"),
        ("phone", "1234567890", "1234567899", 0.8, "9 of 10 digits are equal"),
        ("phone", "1234567890", "1234567800", 0.8, "9 of 10 digits are equal"),
        ("phone", "1234567890", "1234560000", 0.5, "7 of 10 digits are equal"),
        ("phone", "1234567890", "1234500009", 0.0, "5 of 10 digits are equal"),
        ("phone", "1234567890", "123456789", 0.0, "numbers of 10 and 9 digits"),
        ("phone", "123 x1", "123 x2", 0.5, "extensions differ: 1 and 2"),
        ("address", "4 Main St", "Main St 4", 1.0, "equal as addresses"),
        ("address", "4 Main St", "4 Main", 0.5714285714285714, "words only in gold: st"),
        ("address", "4 Main", "4 Main St", 0.5714285714285714, "words only in pred: st"),
        ("address", "4 Main 5", "4 Main", 0.0, "numbers only in gold: 5"),
        ("text", "ab", "ab", 1.0, "equal"),
        ("text", "a", "b", 0.0, "the characters differ"),
        ("text", "lo", "10", 0.0, "differs only by look-alike characters"),
        ("words", "a b", "b a", 1.0, "the same words"),
        ("contains", "a b", "b", 0.9, "gold contains pred"),
        ("contains", "b", "a b", 0.9, "pred contains gold"),
        ("contains", "b", "c", 0.0, "neither contains the other"),
        ("contains", "a", "a", 1.0, "equal"),
        ("contains", "!!", "a", 0.0, "neither contains the other"),
        ("number", "5", "5000000", 0.0, "numbers differ by a factor of 1000000"),
        ("number", "5", "50000000", 0.0, "numbers differ: 5 and 50000000"),
        ("number", "50", "5", 0.0, "numbers differ by a factor of 10"),
        ("date", "3 May 2025", "4 May 2025", 0.0, "the days differ: 3 and 4"),
        ("date", "3 May 2025", "4 June 2025", 0.0, "the dates differ: 2025-05-03 and 2025-06-04"),
        ("date", "3 May", "3 May 2025", 0.0, "one date is less precise: --05-03 and 2025-05-03"),
        ("date_range", "1-3 May 2025", "2-3 May 2025", 0.0, "the starts differ: the days differ: 1 and 2"),
        ("date_range", "1-3 May 2025", "2-4 May 2025", 0.0, "both ends differ: 2025-05-01/2025-05-03 and 2025-05-02/2025-05-04"),
    ],
)  # fmt: skip
def test_similarity_and_its_reason(
    type: str, gold: str, pred: str, value: float, reason: str
) -> None:
    judged = similarity(gold, pred, type=type)
    assert (judged.value, judged.reason) == (pytest.approx(value), reason)


def test_characters_are_folded_as_each_rule_says() -> None:
    assert collapse(" e\u0301  x ") == "é x"
    assert fold("A\u200bB  ẞ") == "ab ss"
    assert plain("１–٣\u00a0’x") == "1-3 'x"
    assert unaccented("Łódź Æ Çé") == "lodz ae ce"
    assert shortened("x" * 60) == repr("x" * 60)
    assert shortened("x" * 61) == repr("x" * 59 + "…")
    assert shortened("abcdef", width=4) == repr("abc…")


def test_dates_print_in_iso_form_as_far_as_they_go() -> None:
    assert str(Date(25, 1, 2)) == "0025-01-02"
    assert str(Date(2025, None, None)) == "2025"
    assert str(Date(None, 3, 4)) == "--03-04"
