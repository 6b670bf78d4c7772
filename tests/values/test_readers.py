"""What readers read: canonical forms, refusals and options that cannot work."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, Unreadable
from docassay.model.document import Number, Unread
from docassay.values.field import read_value
from docassay.values.read.number import Amount
from docassay.values.reader import READERS

CANONICAL = [
    ("exact", " Acme  Co ", "Acme Co"),
    ("text", "Acme  CO", "acme co"),
    ("words", "Acme, Co.", "acme co"),
    ("number", "1.234,50", "1234.5"),
    ("number", "1e3", "1000"),
    ("quantity", "2,5 kilograms", "2.5 kg"),
    ("percent", "12,5 %", "12.5"),
    ("money", "$1,234.50", "1234.5 USD"),
    ("money", "60.000", "60000"),
    ("date", "16-Jul-25", "2025-07-16"),
    ("date", "July 2025", "2025-07"),
    ("date", "16 July", "--07-16"),
    ("date", "16/7", "--07-16"),
    ("date", "--07-16", "--07-16"),
    ("date", "July '25", "2025-07"),
    ("date_range", "1/7 - 31/7/2025", "2025-07-01/2025-07-31"),
    ("date_range", "1-31 July 2025", "2025-07-01/2025-07-31"),
    ("time", "2:05 pm", "14:05"),
    ("boolean", "☑", "true"),
    ("id", "ABN 51 824", "51824"),
    ("phone", "+61 2 9876 5432 ext 7", "+61 298765432 ext 7"),
    ("phone", "02 9876 5432", "0298765432"),
    ("address", "Unit 4, 12 Main Street", "unit4 12 main st"),
    ("address", "Suite No. 4, Level 3", "suite4 lvl3"),
    ("name", "Smith, Dr. John", "john smith"),
    ("choice", "Tax_Invoice", "tax invoice"),
]
REFUSED = [
    ("number", "12.5O", "not a number"),
    ("number", "5-10", "not a number"),
    ("number", "1, 2", "not a number"),
    ("date", "13/13", "not a date"),
    ("date", "2025-99999999999", "not a date"),
    ("address", "x" * 10_001, "too long for an address"),
    ("name", "x" * 10_001, "too long for a name"),
    ("number", "9" * 2000, "not a number"),
    ("number", "⅓", "not a number"),
    ("number", "1/0", "not a number"),
    ("quantity", "12.5O", "not a quantity"),
    ("percent", "10 kg", "not a percentage"),
    ("money", "12.5O", "not an amount of money"),
    ("money", "€5 USD", "stated in two currencies"),
    ("money", "$", "not an amount of money"),
    ("date", "31/02/2025", "not a date"),
    ("date", "next Tuesday", "not a date"),
    ("date", "12.50", "not a date"),
    ("date_range", "2024-25", "not a date range"),
    ("time", "25:00", "not a time of day"),
    ("time", "14", "not a time of day"),
    ("time", "13:00 am", "not a time of day"),
    ("boolean", "maybe", "not a yes or no"),
    ("id", "---", "not an identifier"),
    ("phone", "1800 FLOWERS", "not a telephone number"),
    ("phone", "12", "not a telephone number"),
    ("address", "...", "not an address"),
    ("name", "!?", "not a name"),
]
IMPOSSIBLE = [
    ("number", {"decimal": "x"}, "neither '.' nor ','"),
    ("money", {"currency": "dollar"}, "is no currency code"),
    ("date", {"dates": "year-first"}, "is no order of day and month"),
    ("date_range", {"dates": ""}, "is no order of day and month"),
    ("phone", {"country": "Australia"}, "is no country code"),
]


@pytest.mark.parametrize(("name", "text", "canonical"), CANONICAL)
def test_a_text_is_read_in_its_canonical_form(name: str, text: str, canonical: str) -> None:
    assert str(READERS.get(name).function(text)) == canonical


@pytest.mark.parametrize(("name", "text", "ending"), REFUSED)
def test_a_text_of_another_type_is_refused(name: str, text: str, ending: str) -> None:
    with pytest.raises(Unreadable) as refused:
        READERS.get(name).function(text)
    assert refused.value.what == ending


@pytest.mark.parametrize(("name", "options", "message"), IMPOSSIBLE)
def test_an_option_that_cannot_work_is_a_configuration_error(
    name: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        READERS.get(name).function("1", **options)


def test_an_unreadable_text_becomes_unread_with_a_sentence() -> None:
    value, problem = read_value(READERS.get("money").function, {}, "12.5O")
    assert value == Unread("12.5o")
    assert problem == "'12.5O' is not an amount of money"


def test_a_long_text_is_shortened_in_the_sentence() -> None:
    _, problem = read_value(READERS.get("number").function, {}, "x" * 500)
    assert problem is not None
    assert len(problem) < 90


def test_a_json_number_has_a_point_for_its_decimal_mark() -> None:
    read_money = READERS.get("money").function
    assert read_money(Number("60.125")) == Amount(Decimal("60.125"), None)
    assert read_money("60.125") == Amount(Decimal(60125), None)


def test_a_number_of_many_digits_keeps_them_all() -> None:
    digits = "1234567890" * 20 + "1"
    assert str(READERS.get("number").function(f"-{digits}")) == f"-{digits}"
    assert READERS.get("money").function(f"{digits} DR").number == Decimal(f"-{digits}")


def test_aliases_lead_to_their_choice() -> None:
    read_choice = READERS.get("choice").function
    aliases = {"Tax invoice": ["invoice", "bill"], "Receipt": "docket"}
    assert read_choice("BILL", aliases=aliases) == "Tax invoice"
    assert read_choice("docket", aliases=aliases) == "Receipt"
    assert read_choice("tax-invoice", aliases=aliases) == "Tax invoice"


def test_labels_of_an_identifier_can_be_added() -> None:
    assert READERS.get("id").function("Client Ref. X-1", labels=("client ref",)) == "x1"


@pytest.mark.parametrize("month", range(1, 13))
def test_english_month_names_and_their_short_forms_agree(month: int) -> None:
    names = "January February March April May June July August September October November December"
    name = names.split()[month - 1]
    read_date = READERS.get("date").function
    assert read_date(f"3 {name} 2025") == read_date(f"3 {name[:3]}. 2025") == (2025, month, 3)


@given(
    sign=st.sampled_from(["", "-"]),
    dollar=st.sampled_from(["", "$"]),
    whole=st.one_of(
        st.integers(0, 10**9).map("{:,}".format), st.from_regex(r"[0-9]{1,9}", fullmatch=True)
    ),
    cents=st.from_regex(r"[0-9]{2}", fullmatch=True),
    currency=st.sampled_from([None, "AUD", "EUR"]),
)
def test_the_usual_way_to_write_an_amount_reads_as_any_other_way_would(
    sign: str, dollar: str, whole: str, cents: str, currency: str | None
) -> None:
    read_money = READERS.get("money").function
    usual = f"{sign}{dollar}{whole}.{cents}"
    # a space before the amount takes it off the short road and means nothing
    assert read_money(usual, currency=currency) == read_money(f" {usual}", currency=currency)
    assert str(read_money(usual)) == str(read_money(f" {usual}"))


@given(st.from_regex(r"[0-9]{1,20}", fullmatch=True))
def test_digits_alone_are_an_identifier_as_they_stand(digits: str) -> None:
    read_id = READERS.get("id").function
    # a space before the digits takes them off the short road and means nothing
    assert read_id(digits) == read_id(f" {digits}") == digits
    assert type(read_id(Number(digits))) is str
