"""The laws of values, over every registered type, reader and comparator."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.model.document import Unread
from docassay.values.comparator import COMPARATORS, pairwise
from docassay.values.field import read_value
from docassay.values.reader import READERS, field_type, type_names
from docassay.values.similarity import explaining, similarity
from tests.growth import growth

NAMES = type_names()
NOT_ITSELF = {"vrdu_price"}
"""A text that PriceMatch finds no amount in matches nothing, itself included."""
REFLEXIVE = [name for name in NAMES if name not in NOT_ITSELF]
KEYED = [name for name in NAMES if COMPARATORS.get(field_type(name).comparator).key]
WHOLE = settings(max_examples=15, deadline=None)

ALPHABET = "0123456789 .,-/:$€%()'+#xXoOlIeEkgmaApPtTjJuUlLnNsS½²⁹ÄéßΣж年月日٣\u00a0\u200b\n\t☑"
TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet=ALPHABET, max_size=20),
    st.sampled_from(
        ["12.50", "$12.50", "€12,50", "12.50 kg", "12.5", "1.234", "12.5O", "10%", "2:05 pm",
         "16/07/2025", "07/16/2025", "July 2025", "1-31 July 2025", "yes", "No", "ABN 51 824",
         "+61 2 9876 5432", "02 9876 5432", "0298765432 x1", "4/12 Main St", "12 Main Street",
         "0⁴0", "1²", "Smith, John", "John Smith", "Acme Inc.", "acme inc", "", " ", "\0", "🙂"]
    ),
)  # fmt: skip
HOSTILE = {
    "digits": "1" * 100_000,
    "spaces": " " * 100_000,
    "commas": "," * 100_000,
    "digits and commas": "1," * 50_000,
    "digits and spaces": "1 " * 50_000,
    "digits and dashes": "1-" * 50_000,
    "words": "no " * 33_000,
    "letters": "a" * 100_000,
    "brackets": "(" * 100_000,
    "dots": "a." * 50_000,
    "slashes": "1/" * 50_000,
    "huge exponent": "1e999999999",
    "tiny exponent": "1e-999999999",
    "short of the limit": "1 " * 499,
    "unfinished time": "1:" * 39,
    "unfinished date": "1 - " * 19,
    "combining marks": "e" + "\u0301" * 50_000,
    "lone surrogate": "\ud800",
}


def read(name: str, text: str) -> object:
    return read_value(READERS.get(field_type(name).reader).function, {}, text)[0]


@pytest.mark.parametrize("name", REFLEXIVE)
@given(text=TEXTS)
@WHOLE
def test_every_text_equals_itself(name: str, text: str) -> None:
    assert similarity(text, text, type=name).value == 1.0


@pytest.mark.parametrize("name", REFLEXIVE)
@pytest.mark.parametrize(
    "text", ["", "\x00\x1f", "🙂🙃", "x" * 10_000, "9" * 10_000, "\ud800", "é" * 300]
)
def test_unusual_texts_equal_themselves(name: str, text: str) -> None:
    assert similarity(text, text, type=name).value == 1.0


@pytest.mark.parametrize("name", NAMES)
@given(gold=TEXTS, pred=TEXTS)
@WHOLE
def test_similarity_lies_between_0_and_1_and_has_a_reason(name: str, gold: str, pred: str) -> None:
    found = similarity(gold, pred, type=name)
    assert 0.0 <= found.value <= 1.0
    assert found.reason
    assert found.reason.splitlines() == [found.reason]


@pytest.mark.parametrize("name", NAMES)
@given(gold=TEXTS, pred=TEXTS)
@WHOLE
def test_similarity_is_symmetric_without_a_tolerance(name: str, gold: str, pred: str) -> None:
    assert similarity(gold, pred, type=name).value == similarity(pred, gold, type=name).value


@pytest.mark.parametrize("name", KEYED)
@given(gold=TEXTS, pred=TEXTS)
@WHOLE
def test_keys_and_scopes_agree_exactly_when_values_are_equal(
    name: str, gold: str, pred: str
) -> None:
    comparator = COMPARATORS.get(field_type(name).comparator)
    ours, theirs = read(name, gold), read(name, pred)
    key, scope = comparator.key, comparator.scope
    assert callable(key)
    scopes = [scope(value) if callable(scope) else None for value in (ours, theirs)]
    agree = None in scopes or scopes[0] == scopes[1]
    equal = comparator.function(ours, theirs) == 1.0
    if None not in (key(ours), key(theirs)):
        assert (key(ours) == key(theirs) and agree) is equal


@pytest.mark.parametrize("name", [n for n in NAMES if field_type(n).comparator != "words"])
@given(gold=TEXTS, pred=TEXTS)
@WHOLE
def test_binary_comparators_know_nothing_between(name: str, gold: str, pred: str) -> None:
    comparator = COMPARATORS.get(field_type(name).comparator)
    value = comparator.function(read(name, gold), read(name, pred))
    assert value in (0.0, 1.0) or not comparator.binary


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"relative": "0.01"}, {"absolute": "0.5"}])
@given(golds=st.lists(TEXTS, max_size=4), preds=st.lists(TEXTS, max_size=4))
@settings(max_examples=15, deadline=None)
def test_the_batch_form_equals_the_scalar_one(
    name: str, options: dict[str, str], golds: list[str], preds: list[str]
) -> None:
    comparator = COMPARATORS.get(field_type(name).comparator)
    batch = comparator.batch
    own = {key: Decimal(given) for key, given in options.items() if key in comparator.options}
    if not callable(batch):
        return
    sides = [read(name, text) for text in golds], [read(name, text) for text in preds]
    assert np.array_equal(batch(*sides, **own), pairwise(comparator.function, *sides, **own))


@pytest.mark.parametrize("name", READERS.names())
@given(text=TEXTS)
@WHOLE
def test_a_reader_gives_a_hashable_value_or_says_unreadable(name: str, text: str) -> None:
    value, problem = read_value(READERS.get(name).function, {}, text)
    assert hash(value) == hash(value)
    assert isinstance(str(value), str)
    assert isinstance(value, Unread) is (problem is not None)
    assert problem is None or " is not " in problem or " is stated " in problem


@pytest.mark.parametrize("name", READERS.names())
@given(text=TEXTS)
@WHOLE
def test_reading_the_canonical_form_again_changes_nothing(name: str, text: str) -> None:
    value = read(name, text)
    if not isinstance(value, Unread):
        assert str(read(name, str(value))) == str(value)


@pytest.mark.parametrize("name", READERS.names())
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_read_or_refused_at_once(name: str, text: str) -> None:
    # four times the text is four times the work; a rule that backtracks needs sixteen times as much
    assert growth(partial(read, name), text[: len(text) // 4], text) < 12


@pytest.mark.parametrize("name", COMPARATORS.names())
def test_an_unread_text_equals_only_the_same_text(name: str) -> None:
    function = COMPARATORS.get(name).function
    assert function(Unread("a"), Unread("a")) == 1.0
    assert function(Unread("a"), Unread("b")) == 0.0
    assert function(Unread("a"), "a") == function("a", Unread("a")) == 0.0


@pytest.mark.parametrize("name", COMPARATORS.names())
def test_every_comparator_explains_unread_texts(name: str) -> None:
    entry = COMPARATORS.get(name)
    reasons = {
        explaining(entry, {})(gold, pred)
        for gold, pred in [(Unread("a"), "a"), ("a", Unread("a")), (Unread("a"), Unread("a"))]
    }
    assert len(reasons) == 3
