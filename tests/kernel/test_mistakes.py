"""Mistakes in groups and differences of spellings: by their definition, in both forms."""

from __future__ import annotations

import re
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_kernel import ROWS, Items, pairs_of

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
SPELLING = st.text("019ab|é", max_size=6)
LOOKS = st.text("0o1l5sbcdgrnmvwé", max_size=6)
WORDS = st.lists(st.sampled_from("abc"), max_size=4).map(tuple)


def unreachable(*_: object) -> bool:
    raise AssertionError


@BOTH
@given(golds=ROWS, preds=ROWS)
def test_each_value_is_right_or_a_mistake(form: Form, golds: Items, preds: Items) -> None:
    left, right = pairs_of(form, golds, preds)
    for gold, pred in [
        *zip(left, right, strict=False),
        *((gold, None) for gold in left),
        *((None, pred) for pred in right),
    ]:
        unread = form.mistakes.mistakes_in(gold, pred, frozenset(), str, unreachable)
        own = {} if gold is None else gold.values
        other = {} if pred is None else pred.values
        expected = [
            (path, values[0], others[0])
            for path in sorted({*own, *other})
            for values, others in [(own.get(path, (None,)), other.get(path, (None,)))]
            if None in (*values, *others) or values[0].key != others[0].key
        ]
        assert (
            form.mistakes.mistakes_in(gold, pred, frozenset(), str, unreachable)
            == unread
            == expected
        )


@BOTH
@pytest.mark.parametrize("read", [False, True])
def test_values_of_a_field_without_keys_are_compared(form: Form, read: bool) -> None:
    (gold, same), (pred, _) = pairs_of(form, [{"n": "a"}, {"n": "b"}], [{"n": "b"}, {"n": "c"}])
    find = form.mistakes.mistakes_in
    for equal in (False, True):
        if read:
            assert gold.values
        compared = []

        def are_equal(*asked: object, equal: bool = equal, compared: list = compared) -> bool:
            compared.append(asked)
            return equal

        found = find(gold, pred, frozenset({"n"}), str, are_equal)
        own, its = gold.values["n"][0], pred.values["n"][0]
        assert found == ([] if equal else [("n", own, its)])
        assert compared == [("n", own, its)]
    assert find(gold, pred, frozenset({"p"}), str, unreachable) == [("n", own, its)]
    assert find(same, pred, frozenset({"n"}), str, unreachable) == []  # one reading for one text
    assert find(None, pred, frozenset({"n"}), str, unreachable) == [("n", None, its)]


@BOTH
def test_groups_with_several_values_of_a_field_are_left_to_the_caller(form: Form) -> None:
    (gold,), (pred,) = pairs_of(form, [{"n": "a"}], [{"n": "b"}])
    find = form.mistakes.mistakes_in
    assert find(None, None, frozenset(), str, unreachable) == []
    for side in (gold, pred):
        side.single = False
        assert find(gold, pred, frozenset(), str, unreachable) is None
        side.single = True


@BOTH
@given(st.text(st.characters(max_codepoint=127)))
def test_words_are_runs_of_letters_and_digits(form: Form, line: str) -> None:
    assert form.mistakes.words_in(line) == tuple(re.findall("[a-zA-Z0-9]+", line))


@BOTH
@given(SPELLING, SPELLING)
def test_two_neighbouring_digits_change_places(form: Form, gold: str, pred: str) -> None:
    exchanged = set()
    digits = [place for place, character in enumerate(gold) if character in "0123456789"]
    for first, second in pairwise(digits):
        letters = [*gold]
        letters[first], letters[second] = letters[second], letters[first]
        exchanged.add("".join(letters))
    for other in (pred, *exchanged, gold):
        expected = other != gold and other in exchanged
        assert form.mistakes.transposed(gold, other) == expected


ALIKE = {
    *(pair for looks in ("0oqd", "1li7j", "38b", "6gb", "9gq") for pair in permutations(looks, 2)),
    *(
        pair
        for two in ("2z", "4a", "5s", "56", "68", "06", "08", "uv", "ce")
        for pair in (two, two[::-1])
    ),
}


@BOTH
@given(LOOKS, LOOKS)
def test_what_differs_looks_alike(form: Form, gold: str, pred: str) -> None:
    def in_place(one: str, other: str) -> bool:
        same = len(one) == len(other)
        return same and all(a == b or (a, b) in pairs for a, b in zip(one, other, strict=True))

    def joined(text: str) -> str:
        return re.sub("rn|vv|cl", lambda two: {"rn": "m", "vv": "w", "cl": "d"}[two[0]], text)

    pairs = {tuple(pair) for pair in ALIKE}
    expected = in_place(gold, pred) or in_place(joined(gold), joined(pred))
    assert form.mistakes.look_alike(gold, pred) == expected


@BOTH
def test_characters_look_alike_that_are_listed(form: Form) -> None:
    characters = [chr(code) for code in range(33, 130)]
    found = {
        (one, other)
        for one in characters
        for other in characters
        if one != other and form.mistakes.look_alike(one, other)
    }
    assert found == {tuple(pair) for pair in ALIKE}


@BOTH
@given(WORDS, WORDS, st.lists(st.tuples(SPELLING, SPELLING), max_size=2))
def test_one_text_is_a_part_of_another(
    form: Form, gold: tuple[str, ...], pred: tuple[str, ...], written: list[tuple[str, str]]
) -> None:
    def in_order(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
        left = iter(whole)
        return 0 < len(part) < len(whole) and all(word in left for word in part)

    def inside(part: str, whole: str) -> bool:
        ends = whole.startswith(part) or whole.endswith(part)
        return 0 < len(part) < len(whole) and part in whole and (ends or len(part) > 2)

    cut = in_order(pred, gold) or any(inside(other, own) for own, other in written)
    more = in_order(gold, pred) or any(inside(own, other) for own, other in written)
    assert form.mistakes.part_of(gold, pred, written) == (-1 if cut else int(more))


@BOTH
@pytest.mark.parametrize(
    ("letters", "looks", "sizes", "expected"),
    [
        pytest.param(("1234", "1243"), None, None, 3, id="two digits change places"),
        pytest.param(("15", "105"), None, ("1.5", "1.05"), 3, id="with as many decimals"),
        pytest.param(("1200", "0021"), None, ("1200", "0.021"), 3, id="without zeros"),
        pytest.param(("1o", "10"), None, None, 2, id="look alike"),
        pytest.param(("\u00e91", "e1"), ("e1", "e1"), None, 2, id="but for an accent"),
        pytest.param(("abc", "ab"), None, None, -1, id="the beginning"),
        pytest.param(("200", "250"), None, ("2", "2.5"), 0, id="digits are no part"),
        pytest.param(("12", "123"), None, ("12", "123"), 1, id="more behind"),
        pytest.param(("ab", "ab"), None, None, 0, id="the same"),
    ],
)
def test_a_value_is_spelt_otherwise_in_the_first_way_that_holds(
    form: Form,
    letters: tuple[str, str],
    looks: tuple[str, str] | None,
    sizes: tuple[str, str] | None,
    expected: int,
) -> None:
    gold, pred = letters
    spelt = form.mistakes.spelt_otherwise((gold,), (pred,), letters, looks or letters, sizes)
    assert spelt == expected


TEXT_WORDS = st.lists(st.sampled_from(["ab", "ba", "a", "b", "1", "2", "x1"]), max_size=3).map(
    tuple
)


@BOTH
@given(TEXT_WORDS, TEXT_WORDS)
def test_words_are_the_same_in_any_order_if_they_have_no_digits(
    form: Form, gold: tuple[str, ...], pred: tuple[str, ...]
) -> None:
    reordered = sorted(gold) == sorted(pred) and "".join(gold).isalpha()
    same = "".join(gold) == "".join(pred) or reordered
    assert form.mistakes.same_words(gold, pred) == same


@BOTH
@pytest.mark.parametrize(
    ("words", "found"),
    [((), False), (("may", "of"), False), (("may", "tea"), True), (("te4", "xx"), False)],
)
def test_a_word_is_another_one_if_it_is_long_and_unknown(
    form: Form, words: tuple[str, ...], found: bool
) -> None:
    assert form.mistakes.has_other_word(words, frozenset({"may"}), 3) == found


@BOTH
def test_words_in_ascii_have_no_case_and_an_ampersand_is_one(form: Form) -> None:
    assert form.mistakes.ascii_words("Red&Tea 1.5") == ("red", "and", "tea", "1", "5")
    assert form.mistakes.ascii_words(form.readings.Number("1.50")) == ("1", "50")


@given(
    st.text("0019.-ab rncl|é:", max_size=7),
    st.text("0019.-ab rncl|é:", max_size=7),
    st.tuples(*[st.booleans()] * 4),
)
def test_usual_differences_are_the_same_in_both_forms(
    gold: str, pred: str, flags: tuple[bool, bool, bool, bool]
) -> None:
    numbers, pointed, words, dates = flags
    one, other = (
        form.mistakes.usual_difference(
            gold,
            pred,
            form.mistakes.TextKinds(
                numbers=numbers,
                pointed=pointed,
                before_numbers=frozenset({"a"}) if words else None,
                in_dates=frozenset({"b"}) if dates else None,
            ),
        )
        for form in FORMS
    )
    assert one == other
