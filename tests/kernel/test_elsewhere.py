"""Values that may stand elsewhere are found by their prints: by definition, in both forms."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS, Form

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
TEXTS = st.sampled_from(["12", "1.2", "3", "345", "3.45", "3456", "aB", "ab.", "abc", "½", "a&b"])
VALUES = st.lists(
    st.tuples(st.sampled_from(["number", "text", "other"]), *[st.none() | TEXTS] * 2), max_size=4
)


def reading(form: Form, text: str | None, *, problem: str | None = None, **marks: object) -> object:
    if text is None:
        return None
    sense = form.readings.Sense(text, text, None, problem)
    return form.readings.Reading(text, str, sense, **marks)


def stand_elsewhere(
    form: Form, asked: list, wrong: list, root: object, printers: dict, alone: dict
) -> list[tuple[bool, bool]]:
    """Return of each value asked about whether gold's and pred's may stand elsewhere."""
    doubtful = [wrong.index(value) for value in asked]
    elsewhere = form.elsewhere.Elsewhere(printers)
    found = elsewhere.of(wrong, doubtful, root, alone)
    assert elsewhere.of(wrong, doubtful, root, alone) == found  # nothing is left of a document
    sides = {place: (of_gold, of_pred) for place, of_gold, of_pred in found}
    assert all(map(any, sides.values()))
    return [sides.get(place, (False, False)) for place in doubtful]


def is_telling(text: str) -> bool:
    return any(mark in text for mark in "½&") or sum(map(str.isalnum, text)) >= 3


@BOTH
@given(values=VALUES, own=st.lists(TEXTS, max_size=3), alone=st.booleans())
def test_values_stand_elsewhere_if_others_have_their_prints(
    form: Form, values: list[tuple[str, str | None, str | None]], own: list[str], alone: bool
) -> None:
    values = [value for value in values if value[1:] != (None, None)]
    printers = {"number": form.prints.DigitsPrinter(), "text": form.prints.WORDS}
    wrong = [
        ("pair", SimpleNamespace(gist=gist), reading(form, gold), reading(form, pred))
        for gist, gold, pred in values
    ]
    golds = [*own, *(gold for _, gold, _ in values if gold is not None)]
    readings = {str(place): (reading(form, text),) for place, text in enumerate(golds)}
    root = form.readings.Group("", None, readings)
    lone = {id(wrong[0][0]): None} if wrong and alone else {}
    missed = [gold for _, gold, _ in values if gold is not None]
    spurious = [pred for _, _, pred in values if pred is not None]

    def may_hold(gist: str, text: str | None, besides: str | None, among: list[str]) -> bool:
        if text is None:
            return False
        others = [*among]
        if besides is not None:
            others.remove(besides)
        printer = printers.get(gist)
        if printer is None or printer.of(text) <= 0:
            return text is not None and (bool(others) or among is golds)
        return any(printer.of(other) in (printer.of(text), -1) for other in others)

    assert stand_elsewhere(form, wrong, wrong, root, printers, lone) == [
        (
            may_hold(gist, gold, pred, spurious),
            may_hold(gist, pred, gold, golds)
            if pred is not None and not alone and is_telling(pred)
            else may_hold(gist, pred, gold, missed),
        )
        for gist, gold, pred in values
    ]


@BOTH
@pytest.mark.parametrize("marked", [{"normalised": True}, {"alternatives": ("x",)}])
def test_nothing_is_told_of_values_that_are_more_than_their_texts(
    form: Form, marked: dict[str, object]
) -> None:
    printers = {"text": form.prints.WORDS}
    field = SimpleNamespace(gist="text")
    one = ("pair", field, reading(form, "gold one"), reading(form, "pred one"))
    two = ("pair", field, reading(form, "gold two"), reading(form, "pred two"))
    more = ("pair", field, reading(form, "gold two"), reading(form, "pred two", **marked))
    find = partial(stand_elsewhere, form)
    assert find([one], [one, two], None, printers, {}) == [(False, False)]
    assert find([one], [one, more], None, printers, {}) == [(True, False)]
    assert find([more], [one, more], None, printers, {})[0][1] is False  # gold has no values
    root = form.readings.Group("", None, {"a": (reading(form, "gold one"),)})
    assert find([more], [one, more], root, printers, {}) == [(True, True)]
    assert find([two], [one, two], root, printers, {}) == [(False, False)]


@BOTH
def test_what_cannot_be_read_is_looked_for_by_its_words(form: Form) -> None:
    printers = {"number": form.prints.DigitsPrinter()}
    field = SimpleNamespace(gist="number")
    root = form.readings.Group("", None, {"a": (reading(form, "A-123"),)})
    for text, problem, found in [
        ("B-123", None, True),
        ("B-123", "is no number", False),
        ("a 123", "is no number", True),
    ]:
        wrong = ("pair", field, None, reading(form, text, problem=problem))
        answer = stand_elsewhere(form, [wrong], [wrong], root, printers, {})
        assert answer == [(False, found)]


@BOTH
def test_what_may_be_a_currency_is_like_nothing_that_is_none(form: Form) -> None:
    printers = {"currency": form.prints.CurrencyPrinter(frozenset({"eur", "usd"}))}
    wrong = ("pair", SimpleNamespace(gist="currency"), None, reading(form, "EUR"))
    for text, found in [("USD", True), ("pump", False)]:
        root = form.readings.Group("", None, {"a": (reading(form, text),)})
        answer = stand_elsewhere(form, [wrong], [wrong], root, printers, {})
        assert answer == [(False, found)]
