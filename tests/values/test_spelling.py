"""Names and addresses: what a letter costs, and ways to write one name that have no key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.values.comparator import COMPARATORS, pairwise
from docassay.values.reader import READERS
from docassay.values.similarity import similarity

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WRITTEN = {
    "name": [
        "UNIHAKKA INTERNATIONAL SDN BHD",
        "Gardenia Bakeries (KL) Sendirian Berhad",
        "Schmidt Gesellschaft mit beschränkter Haftung",
        "Carrefour Société par actions simplifiée",
        "Smith, John",
        "Mr. Michael Jones Jr.",
        "Böttcher & Söhne OHG",
    ],
    "address": [
        "12, Jalan Tampoi 7/4, Kawasan Perindustrian Tampoi, 81200 Johor Bahru",
        "Unit 4, 12 Main Street, Sydney NSW 2000",
        "1600 Pennsylvania Avenue Northwest, Washington, District of Columbia 20500",
        "Am Marktplatz 3, D-80331 München",
        "12, rue de la République, 69002 Lyon",
        "ul. Długa 5 m. 3, 31-147 Kraków",
    ],
}


@pytest.mark.parametrize("type", sorted(WRITTEN))
@given(data=st.data())
@settings(max_examples=50)
def test_one_letter_never_costs_much_of_a_similarity(type: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WRITTEN[type]))
    places = [
        at
        for at, letter in enumerate(text)
        if letter.isalpha() and text[max(at - 1, 0) : at + 2].isalpha()
    ]
    at = data.draw(st.sampled_from(places))
    other = text[:at] + data.draw(st.sampled_from(LETTERS)) + text[at + 1 :]
    assert similarity(text, other, type=type).value >= 0.7


@pytest.mark.parametrize(
    ("type", "gold", "pred", "least"),
    [
        ("name", "UNIHAKKA INTERNATIONAL SDN BHD", "UNIHAKKA INTERANTIONAL SDN BHD", 0.9),
        ("name", "PEN SENDIRIAN BERHAD", "PEN SENDIRAN BERHAD", 0.9),
        ("address", "5, TAMAN PELABUR, SHAH ALAM", "5, TAMAN FELABUR, SHAH ALAM", 0.9),
        ("address", "Unit 4, 12 Main St", "Umit 4, 12 Main St", 0.8),
    ],
)
def test_a_misspelt_word_costs_its_letters(type: str, gold: str, pred: str, least: float) -> None:
    assert least <= similarity(gold, pred, type=type).value < 1.0


@pytest.mark.parametrize(
    ("gold", "pred", "value"),
    [
        ("4/12 Main St", "12/4 Main St", 0.0),
        ("Flat 4, 12 Main St", "4, Flat 12 Main St", 0.0),
        ("7a Main St", "7b Main St", 0.0),
        ("12 bis Main St", "12 Main St", 0.0),
        ("Weg 1, A-1010 Wien", "Weg 1, D-1010 Wien", 0.9),
    ],
)
def test_numbers_in_another_place_are_not_equal(gold: str, pred: str, value: float) -> None:
    assert value <= similarity(gold, pred, type="address").value < max(value + 0.2, 0.01)


NAMES = ["Müller GmbH", "Mueller GmbH", "Muller GmbH", "Müller und Söhne", "Mueller und Sohne", "X"]


def test_many_names_at_once_are_as_alike_as_one_by_one() -> None:
    form = COMPARATORS.get("name")
    assert form.batch is not None
    for texts in (NAMES, NAMES[1:3] + NAMES[4:]):
        values = [READERS.get("name").function(text) for text in texts]
        assert (
            form.batch(values, values).tolist() == pairwise(form.function, values, values).tolist()
        )


@pytest.mark.parametrize(
    ("type", "text", "key"),
    [
        ("name", "Müller GmbH", None),
        ("name", "Mueller GmbH", "mueller gmbh"),
        ("address", "Königstr. 1", None),
        ("address", "1 Koenigstr.", "1 koenigstr"),
    ],
)
def test_what_may_be_spelt_in_two_ways_has_no_key(type: str, text: str, key: str | None) -> None:
    form = COMPARATORS.get(type)
    assert form.key is not None
    assert form.key(READERS.get(type).function(text)) == key


def test_the_reason_counts_characters_where_names_are_most_alike() -> None:
    reason = similarity("Acme International", "Acme Interantional", type="name").reason
    assert reason == "2 of 18 characters differ"
    assert similarity("Müller", "Mueller", type="name").reason == "equal"


def test_the_reason_names_two_countries() -> None:
    reason = similarity("Weg 1, A-1010 Wien", "Weg 1, D-1010 Wien", type="address").reason
    assert reason == "countries differ: at and de"


def test_a_json_number_and_the_same_text_say_how_they_were_read() -> None:
    answer = similarity(60.125, "60.125", type="money")
    assert (answer.gold, answer.pred) == ("60.125", "60125")
    assert answer.reason.endswith("either mark before three digits groups thousands")
    assert similarity(60.125, "60.125", type="money", decimal=".").value == 1.0
