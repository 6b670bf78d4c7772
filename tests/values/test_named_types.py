"""Currencies, countries and languages: every entry of their tables reads as itself."""

from __future__ import annotations

import pytest

from docassay.errors import Unreadable
from docassay.values.read.country import COUNTRIES, read_country
from docassay.values.read.currencies import CODES
from docassay.values.read.currency import NAMES, currency, read_currency
from docassay.values.read.language import LANGUAGES, Language, language, read_language
from docassay.values.similarity import similarity


@pytest.mark.parametrize("code", sorted({*COUNTRIES.values()}))
def test_a_country_reads_by_its_code(code: str) -> None:
    assert read_country(code) == read_country(code.lower()) == code


def test_countries_have_codes_of_two_and_three_letters_that_nobody_shares() -> None:
    codes = {*COUNTRIES.values()}
    assert len(codes) == 250
    for letters in (2, 3):
        assert {COUNTRIES[name] for name in COUNTRIES if len(name) == letters} >= codes
    assert all(len(code) == 2 and code.isupper() for code in codes)


def test_languages_have_codes_of_two_and_three_letters() -> None:
    codes = {*LANGUAGES.values()}
    assert len(codes) == 184
    assert {LANGUAGES[name] for name in LANGUAGES if len(name) == 3} >= codes
    assert all(read_language(code) == Language(code, None) for code in codes)


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_currency_reads_by_its_code(code: str) -> None:
    assert read_currency(code).codes == read_currency(code.lower()).codes == {code}


def test_every_name_of_a_currency_means_known_ones() -> None:
    assert all(codes and codes <= CODES for codes in NAMES.values())


def test_a_shared_sign_agrees_with_each_of_its_currencies_and_they_differ() -> None:
    dollar, american, australian = map(read_currency, ("$", "USD", "AUD"))
    assert currency(dollar, american) == currency(american, dollar) == 1.0
    assert currency(dollar, australian) == 1.0
    assert currency(american, australian) == 0.0


def test_regions_must_agree_where_both_state_one() -> None:
    plain, british, american = map(read_language, ("en", "en-GB", "en-US"))
    assert language(plain, british) == language(american, plain) == 1.0
    assert language(british, american) == 0.0
    assert similarity("en-GB", "en-US", type="language").reason == "regions differ: en-GB and en-US"
    assert similarity("de", "fr", type="language").reason == "languages differ: de and fr"


@pytest.mark.parametrize("read", [read_country, read_currency, read_language])
@pytest.mark.parametrize("text", ["", "?", "12", "x" * 10_000, "(((", "...", "\u200b"])
def test_what_is_no_name_is_unreadable(read, text) -> None:
    with pytest.raises(Unreadable):
        read(text)


def test_what_a_currency_is_read_as_can_be_shown() -> None:
    assert str(read_currency("€")) == "EUR"
    assert str(read_currency("¥")) == "¥"
    assert str(read_currency("$")) == "$"


def test_what_a_currency_is_shown_as_is_read_as_the_same() -> None:
    for name in NAMES:
        shown = str(read_currency(name))
        assert read_currency(shown) == read_currency(name)
