"""Every form of a comparator (key, scope, batch, reason) says what its scalar function says."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.model.document import Unread
from docassay.model.schema import Field, Schema
from docassay.values.comparator import COMPARATORS, pairwise
from docassay.values.compare.within import is_close
from docassay.values.field import BoundField, read_value
from docassay.values.read.number import Amount
from docassay.values.reader import READERS, field_type, type_names


def canonical(number: Decimal) -> Decimal:
    value = READERS.get("number").function(f"{number:f}")
    assert isinstance(value, Decimal)
    return value


NUMBERS = st.one_of(
    st.decimals(-200, 200, places=2),
    st.integers(-12, 12).map(Decimal),
    st.sampled_from([Decimal("1e40"), Decimal("-0.000001"), Decimal(10) ** 17, Decimal(0)]),
).map(canonical)
"""As the reader gives them: 0.00 is 0."""
AMOUNTS = st.one_of(
    NUMBERS,
    st.builds(Amount, NUMBERS, st.sampled_from([None, "USD", "EUR"])),
    st.builds(Unread, st.sampled_from(["x", "y"])),
)
TOLERANCE = st.sampled_from([Decimal(text) for text in ("0", "0.005", "0.1", "0.5", "1", "3")])
TEXTS = st.one_of(
    st.text(alphabet="ab1 .,-/$", max_size=6),
    st.sampled_from(
        ["$12.50", "12.5", "€12,50", "2 kg", "2", "02 9876 5432", "+61 2 9876 5432", "x1",
         "12 Main St", "Main St 12", "12 Maine St", "Smith, Jo", "jo smith", "a b", "b a", "10%",
         "1 May 2025", "2025-05-01", "2:05 pm", "yes", "no"]
    ),
)  # fmt: skip
REASONS_OF_EQUALS = ("equal", "same", "within", "at most", "both", "swapped", "not readable")


def fits(gold: object, pred: object, relative: Decimal, absolute: Decimal) -> bool:
    """The rule in words: units agree, and the difference is within a tolerance of gold."""
    if isinstance(gold, Unread) or isinstance(pred, Unread):
        return gold == pred
    (left, unit), (right, other) = (
        value if isinstance(value, Amount) else (value, None) for value in (gold, pred)
    )
    if unit is not None and other is not None and unit != other:
        return False
    (a, b), (c, d) = left.as_integer_ratio(), right.as_integer_ratio()  # type: ignore[union-attr]
    (r, s), (t, u) = relative.as_integer_ratio(), absolute.as_integer_ratio()
    apart = abs(a * d - c * b)  # over b * d
    return apart * u <= t * b * d or apart * s <= r * abs(a) * d


@pytest.mark.parametrize("name", ["within", "money"])
@given(golds=st.lists(AMOUNTS, max_size=4), preds=st.lists(AMOUNTS, max_size=4), data=st.data())
@settings(max_examples=50)
def test_each_form_of_a_tolerance_is_the_rule_in_whole_numbers(
    name: str, golds: list, preds: list, data: st.DataObject
) -> None:
    options = {"relative": data.draw(TOLERANCE), "absolute": data.draw(TOLERANCE)}
    form = COMPARATORS.get(name)
    assert form.batch is not None
    assert form.key is not None
    assert form.scope is not None
    assert form.why is not None
    batch = form.batch(golds, preds, **options)
    assert batch.shape == (len(golds), len(preds))
    for i, gold in enumerate(golds):
        for j, pred in enumerate(preds):
            expected = fits(gold, pred, **options)
            assert form.function(gold, pred, **options) == expected
            assert batch[i, j] == expected
            reason = form.why(gold, pred, **options)
            assert any(word in reason for word in REASONS_OF_EQUALS) is expected, reason
            if any(options.values()):
                continue
            scopes = [form.scope(value) for value in (gold, pred)]
            agree = None in scopes or scopes[0] == scopes[1]
            assert (form.key(gold) == form.key(pred) and agree) is expected


def test_a_tolerance_is_relative_to_gold_in_every_form() -> None:
    for name in ("within", "money"):
        form = COMPARATORS.get(name)
        assert form.batch is not None
        values = [Decimal(100), Decimal(110)]
        options = {"relative": Decimal("0.095")}
        expected = [[1.0, 0.0], [1.0, 1.0]]
        assert form.batch(values, values, **options).tolist() == expected
        assert pairwise(form.function, values, values, **options).tolist() == expected


def test_the_tolerance_itself_is_within_it() -> None:
    assert is_close(Decimal(5), Decimal("5.5"), Decimal("0.5"), Decimal(0))
    assert not is_close(Decimal(5), Decimal("5.51"), Decimal("0.5"), Decimal(0))
    assert is_close(Decimal(-5), Decimal(-6), Decimal(0), Decimal("0.2"))
    assert not is_close(Decimal(-5), Decimal("-6.01"), Decimal(0), Decimal("0.2"))
    left = np.array([[5], [-5]])
    right = np.array([[6, -6]])
    close = is_close(left, right, np.array(0), Decimal("0.2"))
    assert np.array_equal(close, [[True, False], [False, True]])


def bound(type: str, *, accept: float = 1.0, **options: object) -> BoundField:
    return BoundField(Field(path="f", type=type, accept=accept, options=options), Schema())


@pytest.mark.parametrize("type", type_names())
@pytest.mark.parametrize("accept", [1.0, 0.8, 0.5])
@given(golds=st.lists(TEXTS, max_size=3), preds=st.lists(TEXTS, max_size=3), data=st.data())
@settings(max_examples=15)
def test_a_field_finds_the_same_pairs_equal_one_by_one_and_all_at_once(
    type: str, accept: float, golds: list[str], preds: list[str], data: st.DataObject
) -> None:
    comparator = COMPARATORS.get(field_type(type).comparator)
    options = {
        name: str(data.draw(TOLERANCE))
        for name in ("relative", "absolute")
        if name in comparator.options
    }
    field = bound(type, accept=accept, **options)
    left, right = (
        [reading for reading in map(field.readings.__getitem__, side) if reading is not None]
        for side in (golds, preds)
    )
    both = [left[0].located(alternatives=(left[0], left[-1]))] if len(left) > 1 else []
    for sides in ((left, right), (left + both, right)):
        similar = field.similarities(*sides)
        equal = field.equal_matrix(*sides)
        assert similar.shape == equal.shape == (len(sides[0]), len(sides[1]))
        for i, gold in enumerate(sides[0]):
            for j, pred in enumerate(sides[1]):
                accepted = gold.alternatives or (gold,)
                degree = max(
                    float(comparator.function(each.value, pred.value, **field.options))
                    for each in accepted
                )
                assert similar[i, j] == field.similarity(gold, pred) == degree
                assert equal[i, j] == field.equal(gold, pred) == (degree >= accept)
                nearest = field.nearest(gold, pred)
                assert nearest in accepted
                assert field.similarity(nearest, pred) == degree
                if gold.tame and pred.tame:
                    assert (gold.key == pred.key) == (degree >= accept)


@pytest.mark.parametrize("type", type_names())
@given(text=TEXTS, number=st.booleans())
@settings(max_examples=25)
def test_a_reading_is_what_the_reader_and_the_forms_of_the_comparator_make_of_a_text(
    type: str, text: str, number: bool
) -> None:
    field = bound(type)
    reading = (field.numbers if number and text.isdecimal() else field.readings)[text]
    if " ".join(text.split()).casefold() in ("", "not_found"):
        assert reading is None
        return
    assert reading is not None
    value, problem = read_value(READERS.get(field_type(type).reader).function, {}, text)
    key = field.comparator.key
    scope = field.comparator.scope
    assert (reading.text, reading.problem) == (text, problem)
    assert str(reading.value) == str(value)
    assert reading.key == (None if key is None else f"f\x1f{key(value)}")
    assert reading.sense.scope == (None if scope is None else scope(value))
    assert reading.tame == (key is not None and reading.sense.scope is None)


def test_below_full_similarity_no_key_stands_for_a_text_but_one_does_for_a_binary_rule() -> None:
    assert bound("text", accept=0.9).readings["a"].key is None  # type: ignore[union-attr]
    assert bound("number", accept=0.9).readings["1"].key == "f\x1f1"  # type: ignore[union-attr]
    assert bound("text").readings["a"].key == "f\x1fa"  # type: ignore[union-attr]


def test_a_field_without_tolerance_forgives_nothing() -> None:
    strict = bound("number", absolute="1", decimal=",").without_tolerance
    assert strict.options["absolute"] == 0
    assert strict.reader_options["decimal"] == ","
    assert bound("text", accept=0.5).without_tolerance.spec.accept == 1.0
    field = bound("number", decimal=",")
    assert field.without_tolerance is field
