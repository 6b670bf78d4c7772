"""Telephone numbers of the world: calling codes, trunk prefixes, and what is dialled abroad."""

from __future__ import annotations

import pytest

from docassay.values.read.phone import Phone, read_phone

SPLIT = [
    ("+1 (212) 555-0123", "2125550123", "1"),
    ("+7 912 345-67-89", "9123456789", "7"),
    ("+49 (0)30 123456", "30123456", "49"),
    ("+44 020 7946 0958", "2079460958", "44"),
    ("+36 06 1 234 5678", "12345678", "36"),
    ("+39 06 1234 5678", "612345678", "39"),
    ("+351 21 123 4567", "211234567", "351"),
    ("+852 2123 4567", "21234567", "852"),
    ("+800 1234 5678", "12345678", "800"),
    ("00353 1 234 5678", "12345678", "353"),
    ("+375 801 123 4567", "8011234567", "375"),
    ("+999 123 456", "999123456", None),
    ("+61", None, None),
    ("+6 1 2", "612", None),
    ("0000", "0000", None),
]
IN_A_COUNTRY = [
    ("AU", "02 9876 5432", "298765432", "61"),
    ("au", "0011 44 20 7946 0958", "2079460958", "44"),
    ("AU", "61 2 9876 5432", "298765432", "61"),
    ("US", "1 (212) 555-0123", "2125550123", "1"),
    ("US", "(212) 555-0123", "2125550123", "1"),
    ("US", "011 44 20 7946 0958", "2079460958", "44"),
    ("RU", "8 (912) 345-67-89", "9123456789", "7"),
    ("RU", "800 555-35-35", "8005553535", "7"),
    ("RU", "810 49 30 123456", "30123456", "49"),
    ("BY", "8 0152 45-09-11", "152450911", "375"),
    ("HU", "06 1 234 5678", "12345678", "36"),
    ("DE", "030/123456", "30123456", "49"),
    ("DE", "4930123456", "30123456", "49"),
    ("DE", "49301", "49301", "49"),
    ("SG", "6123 4567", "61234567", "65"),
    ("SG", "001 61 2 9876 5432", "298765432", "61"),
    ("JP", "010 1 212 555 0123", "2125550123", "1"),
    ("IT", "06 1234 5678", "612345678", "39"),
    ("NZ", "+61 2 9876 5432", "298765432", "61"),
    ("NZ", "00999", "999", "64"),
]


@pytest.mark.parametrize(("text", "number", "country"), SPLIT)
def test_a_number_is_split_after_its_calling_code(
    text: str, number: str | None, country: str | None
) -> None:
    if number is None:
        with pytest.raises(Exception, match="not a telephone number"):
            read_phone(text)
    else:
        assert read_phone(text) == Phone(number, country, "")


@pytest.mark.parametrize(("region", "text", "number", "country"), IN_A_COUNTRY)
def test_the_option_country_says_how_a_number_is_dialled(
    region: str, text: str, number: str, country: str
) -> None:
    assert read_phone(text, country=region) == Phone(number, country, "")


def test_numbers_of_every_country_are_read_as_the_package_phonenumbers_reads_them() -> None:
    phonenumbers = pytest.importorskip("phonenumbers")
    style = phonenumbers.PhoneNumberFormat
    kinds = phonenumbers.PhoneNumberType
    wrong = []
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        example = phonenumbers.example_number_for_type(region, kinds.MOBILE)
        if example is None:
            continue
        written = {
            phonenumbers.format_number(example, style.INTERNATIONAL): None,
            phonenumbers.format_number(example, style.NATIONAL): region,
        }
        for text, country in written.items():
            phone = read_phone(text, country=country)
            if phone[:2] != (str(example.national_number), str(example.country_code)):
                wrong.append((region, text, phone))
    assert {region for region, _, _ in wrong} <= {"AR"}, wrong
